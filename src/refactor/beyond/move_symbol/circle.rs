//! Whether modules come to import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Draft, PutOff, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::companions::declared;
use crate::refactor::analysis::imports::statements::Texts;
use crate::refactor::analysis::imports::typed::is_unrun;
use crate::refactor::moves::python::with_modules;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::Node;
use crate::text::{AbsPath, Span, TextEdits};

/// What is said of a module that would close a circle.
const WOULD_IMPORT: &str = "would have to import";

/// Modules that would import each other.
struct Circle {
    /// The file that would close it, where that is known.
    importer: Option<AbsPath>,
    reason: String,
}

impl Way<'_> {
    /// Refuses a circle that was none before, and one in which a name is asked for before it exists; where imports may be put
    /// off, those that close it are. Modules of a script that get along in one are told.
    pub(super) fn check_circle(&self, draft: &mut Draft) -> Result<(), Refusal> {
        let Err(circle) = self.circle(draft) else { return Ok(()) };
        if !self.is_python() {
            if self.is_commonjs || self.too_early(draft).is_some() {
                return Err(Refusal::NotPossible(circle.reason));
            }
            // ES modules whose functions ask each other for names only when they run get along.
            let place = self.leaving.first().map_or(Span::at(0), |one| one.place);
            let (path, range) = (self.from.path.clone(), self.from.parsed().text.range(place));
            draft.warnings.push(Warning::at(
                WarningKind::FollowUp,
                circle.reason.replacen(WOULD_IMPORT, "comes to import", 1),
                path,
                range,
            ));
            return Ok(());
        }
        if self.manner.put_off == PutOff::Nothing {
            return Err(circle.told(self.delay(&mut draft.clone())));
        }
        self.delay(draft)
    }

    /// Puts off the imports that close a circle: that of what leaves, where it can be, and those of what it left.
    fn delay(&self, draft: &mut Draft) -> Result<(), Refusal> {
        let own = match draft.needed.is_empty() {
            true => Ok(false),
            false => self.put_off(&self.to.path, &self.from.path, draft),
        };
        if let Ok(true) = own {
            draft.imported.remove(&self.from.path);
            if draft.imported.is_empty() {
                draft.warnings.retain(|it| it.kind != WarningKind::FollowUp || it.path.as_ref() != Some(&self.to.path));
            }
        }
        self.delay_importers(draft).map_err(|why| own.err().unwrap_or(why))
    }

    fn delay_importers(&self, draft: &mut Draft) -> Result<(), Refusal> {
        // Each importer is put off once.
        for _ in 0..=draft.importers.len() {
            let Err(circle) = self.circle(draft) else { return Ok(()) };
            let importer = circle.importer.clone().unwrap_or_else(|| self.from.path.clone());
            if !draft.importers.remove(&importer) || !self.put_off(&importer, &self.to.path, draft)? {
                return Err(Refusal::NotPossible(circle.reason));
            }
        }
        self.circle(draft).map_err(|circle| Refusal::NotPossible(circle.reason))
    }

    fn circle(&self, draft: &Draft) -> Result<(), Circle> {
        let shown = |path: &AbsPath| path.shown_from(self.session.root());
        if self.is_commonjs {
            let Some((importer, other)) = self.unfinished(draft) else { return Ok(()) };
            let reason = format!(
                "`{}` would have to require `{}`, which requires it in turn, and one of them would get the other \
                 unfinished{}",
                shown(&importer),
                shown(&other),
                self.way_out(draft)
            );
            return Err(Circle { importer: None, reason });
        }
        let mut known = BTreeMap::new();
        let before = self.reached(self.theirs_without(draft), &mut known);
        for importer in &draft.importers {
            let Some(way) = before.get(importer) else { continue };
            // Where the one that is left lies in a circle itself, that goes on through the other one.
            let was_circle = self.reached(self.imports_of(self.from), &mut known).contains_key(importer);
            let were_friends = self.reached([self.to.path.clone()].into(), &mut known).contains_key(importer)
                && self.reached([importer.clone()].into(), &mut known).contains_key(&self.to.path);
            if was_circle || were_friends {
                continue;
            }
            let through = if way == importer { String::new() } else { format!(" through `{}`", shown(way)) };
            let reason = format!(
                "`{}` {WOULD_IMPORT} `{}`, which imports it in turn{through}{}",
                shown(importer),
                self.to.shown,
                self.way_out(draft)
            );
            return Err(Circle { importer: Some(importer.clone()), reason });
        }
        let failed = |reason: String| Circle { importer: None, reason };
        if self.is_python() {
            return self.play(draft).map_err(failed);
        }
        let Some(module) = self.too_early(draft) else { return Ok(()) };
        Err(failed(format!(
            "`{}` would have to import `{}`, which imports it in turn, and one of them needs the other as soon as it is \
             loaded{}",
            self.to.shown,
            shown(&module),
            self.way_out(draft)
        )))
    }

    /// Says what would have to go along.
    fn way_out(&self, draft: &Draft) -> String {
        let named: Vec<String> = self.all_needed(draft).iter().map(|name| format!("`{name}`")).collect();
        match named.as_slice() {
            [] => String::new(),
            named => format!(": what goes needs {} of `{}`; move that `also`", named.join(", "), self.from.shown),
        }
    }

    /// Returns what the one module declares and what leaves needs, with what that needs in turn.
    fn all_needed<'d>(&'d self, draft: &'d Draft) -> Vec<&'d str> {
        let text = self.from.text();
        let own = self.from.root().named_children().filter_map(|it| Some((it, declared(self.from, it)?)));
        let stays = |name: Node<'_>| self.leaving.iter().all(|one| one.name != name.text(text));
        let own: Vec<(Node<'_>, Node<'_>)> = own.filter(|(_, name)| stays(*name)).collect();
        let mut found: Vec<&str> = draft.needed.iter().map(String::as_str).collect();
        let mut at = 0;
        while let Some(needed) = found.get(at).copied() {
            let statements = own.iter().filter(|(_, name)| name.text(text) == needed).map(|(statement, _)| *statement);
            let asked: BTreeSet<usize> =
                statements.flat_map(|it| self.names.within(it.span())).map(|name| name.meaning).collect();
            let is_asked = |name: Node<'_>| self.names.at(name).is_some_and(|it| asked.contains(&it.meaning));
            for name in own.iter().filter(|(_, name)| is_asked(*name)).map(|(_, name)| name.text(text)) {
                if !found.contains(&name) {
                    found.push(name);
                }
            }
            at += 1;
        }
        found
    }

    /// What the other module imports afterwards.
    pub(super) fn theirs_without(&self, draft: &Draft) -> BTreeSet<AbsPath> {
        let is_gone = |module: &AbsPath| {
            let mut links = self.theirs.iter().filter(|link| link.module.as_ref() == Some(module));
            *module == self.from.path && links.all(|link| self.leaving.iter().any(|one| self.brings(link, one.name)))
        };
        let stay = self.imports_of(self.to).into_iter().filter(|module| !is_gone(module));
        stay.chain(draft.imported.iter().cloned()).collect()
    }

    /// Returns the files of the project that a file imports while it is loaded.
    pub(super) fn imports_of(&self, code: &Code) -> BTreeSet<AbsPath> {
        let runs = |span| {
            let node = code.covering(span);
            function_of(node).is_none() && !is_unrun(code, node)
        };
        let links =
            self.links.with_required(code).into_iter().filter(|link| !link.form.is_type() && runs(link.statement));
        links.filter_map(|link| link.module).collect()
    }

    /// Returns every file that is reached, each with the one that leads to it.
    pub(super) fn reached(
        &self,
        first: BTreeSet<AbsPath>,
        known: &mut BTreeMap<AbsPath, BTreeSet<AbsPath>>,
    ) -> BTreeMap<AbsPath, AbsPath> {
        let mut found: BTreeMap<AbsPath, AbsPath> = first.into_iter().map(|path| (path.clone(), path)).collect();
        let mut open: Vec<AbsPath> = found.keys().cloned().collect();
        while let Some(path) = open.pop() {
            let next = known.entry(path.clone()).or_insert_with(|| {
                Code::known(self.session, &path).map(|code| self.imports_of(&code)).unwrap_or_default()
            });
            for one in next.iter() {
                if !found.contains_key(one) {
                    found.insert(one.clone(), path.clone());
                    open.push(one.clone());
                }
            }
        }
        found
    }

    /// Plays the imports of all that changes, before and after.
    fn play(&self, draft: &Draft) -> Result<(), String> {
        let mut texts = Texts::new();
        for (path, (before, edits)) in &draft.edits {
            let Ok(edits) = TextEdits::new(edits.clone()) else { continue };
            texts.insert(path.clone(), Arc::new(before.with_content(edits.apply(before.as_str()))));
        }
        let created = draft.created.iter();
        texts.extend(created.map(|(path, text)| (path.clone(), Arc::new(crate::text::Text::new(text.as_str())))));
        let packages = draft.created.keys().filter_map(|path| path.parent()?.join("__init__.py").ok());
        let entries: Vec<AbsPath> = texts.keys().take(MOST_PLAYED).cloned().chain(packages).collect();
        let fails = |texts: &Texts| {
            with_modules(self.session, texts, |modules| {
                entries.iter().map(|path| modules.failure(path)).collect::<Vec<_>>()
            })
        };
        let (now, then) = (fails(&Texts::new()), fails(&texts));
        // A package that fails fails its new modules, too.
        let is_new = |failure: &&String| !now.iter().flatten().any(|it| it == *failure);
        let failures = now.iter().zip(&then).filter(|(now, _)| now.is_none()).filter_map(|(_, then)| then.as_ref());
        match failures.into_iter().find(is_new) {
            Some(failure) => {
                let out = self.way_out(draft);
                Err(format!("modules would import each other in a circle: {failure}{out}"))
            }
            None => Ok(()),
        }
    }
}

impl Circle {
    /// Says that imports can be put off, where they can, or why they cannot.
    fn told(self, delayed: Result<(), Refusal>) -> Refusal {
        match delayed {
            Ok(()) => {
                let reason = format!("{}; `late_import` lets functions import it when they need it", self.reason);
                Refusal::Missing { param: "late_import", reason }
            }
            Err(why) if why.to_string() == self.reason => why,
            Err(why) => Refusal::NotPossible(format!("{}; {why}", self.reason)),
        }
    }
}

/// How many of the changed files are tried as the first to be imported.
const MOST_PLAYED: usize = 60;
