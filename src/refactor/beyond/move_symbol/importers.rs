//! Whoever took something from the one module takes it from the other.

use std::collections::{BTreeMap, BTreeSet};

use super::joined_imports::JoinedImports;
use super::{Draft, Fate, Leaving, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::required::with_imports;
use crate::refactor::analysis::imports::statements::{
    ImportForm, WantedImport, as_known, behind, led, nearer, package_of, taken_out, written,
};
use crate::refactor::analysis::imports::typed::is_unrun;
use crate::refactor::analysis::module_system::is_commonjs;
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::commonjs::is_handed_out;
use crate::refactor::moves::links::{Link, LinkForm, LinkedName, SpelledName};
use crate::refactor::refusal::each;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::python::dunder_all;
use crate::syntax::{Language, Node, Site, check_name, site, whole_words};
use crate::text::{AbsPath, Span, TextEdit};

/// What was led to the other module.
#[derive(Default)]
pub(super) struct Led {
    /// Where it was asked of the one by name.
    pub places: BTreeSet<(AbsPath, Span)>,
    /// Who takes something from the one, and may hand it on.
    through: BTreeSet<AbsPath>,
}

/// What a file comes to import for what it asked of the module itself.
#[derive(Default)]
struct MemberImports {
    run: Vec<WantedImport>,
    /// What stands beside an import that type checkers alone see, by the place of that.
    unrun: BTreeMap<Span, Vec<WantedImport>>,
}

impl MemberImports {
    fn add(&mut self, unrun: Option<Span>, import: WantedImport) {
        match unrun {
            Some(statement) => self.unrun.entry(statement).or_default().push(import),
            None => self.run.push(import),
        }
    }

    /// Takes items out that are idle, and writes what type checkers alone are to see beside them, or in their place.
    fn beside_unrun(&self, code: &Code, links: &[Link], gone: &[Span]) -> Result<Vec<TextEdit>, Refusal> {
        let mut edits = Vec::new();
        let mut rest = gone.to_vec();
        for (statement, imports) in &self.unrun {
            let glue = format!("{}{}", code.newline(), code.indent(statement.start));
            let lines = written(code, links, imports).join(&glue);
            let mut items = links.iter().filter(|link| link.statement == *statement);
            if items.all(|link| gone.contains(&link.item)) {
                rest.retain(|item| !statement.contains(*item));
                edits.push(TextEdit::new(*statement, lines));
            } else {
                edits.push(TextEdit::new(Span::at(behind(code, *statement)), format!("{glue}{lines}")));
            }
        }
        edits.extend(taken_out(code, links, &rest)?);
        Ok(edits)
    }
}

/// Returns the import by which all of some places reach the module, where type checkers alone see it.
fn unrun_import(code: &Code, (names, links): (&ScopedNames<'_>, &[Link]), places: &[Span]) -> Option<Span> {
    let imported = |place: &Span| {
        let first = names.within(*place).next()?;
        let mut bindings = names.of_meaning(first.meaning).filter(|it| it.is_binding);
        let (binding, None) = (bindings.next()?, bindings.next()) else { return None };
        let link = links.iter().find(|link| link.local == Some(binding.span))?;
        is_unrun(code, code.covering(link.statement)).then_some(link.statement)
    };
    let all: Option<BTreeSet<Span>> = places.iter().map(imported).collect();
    all?.into_iter().next()
}

impl Way<'_> {
    pub(super) fn lead_importers(&self, places: &[Uses], draft: &mut Draft) -> Result<(), Refusal> {
        let mut known = Led::default();
        let is_user = |path: &AbsPath| {
            !self.is_end(path) && Language::of_path(path).map(Language::family) == Some(self.from.family())
        };
        let users = self.candidates().into_iter().filter(is_user);
        let mut said: Vec<&str> = self.leaving.iter().flat_map(|one| [one.name, one.key]).collect();
        said.push(self.stem());
        let users = users.filter(|path| self.may_import(path));
        each(users.map(|path| self.lead(&Code::saying(self.session, &path, &said)?, &mut known, draft)))?;
        self.spread(&mut known)?;
        let reached = places.iter().flat_map(Uses::iter);
        each(reached.map(|(code, one)| self.check_place(code, (one.span, one.kind), &known)))?;
        self.mention(draft)
    }

    /// Tells whether a file may take something from another: what does not parse, as declarations of Flow, may say so all the same.
    fn may_import(&self, path: &AbsPath) -> bool {
        const WORDS: &[&str] = &["import", "require", "from"];
        let Ok(code) = Code::known(self.session, path) else { return true };
        let names_module = |behind: usize| {
            let rest = code.text()[behind..].trim_start_matches([' ', '(']);
            self.is_python() || rest.starts_with(['"', '\'', '`'])
        };
        let mut words = WORDS.iter().flat_map(|word| whole_words(code.text(), word));
        code.parsed().tree.error_count() == 0 || words.any(|word| names_module(word.end))
    }

    /// Returns a file that names the module in dots of its own, with what it takes.
    pub(super) fn model(&self) -> Option<(Code, Vec<Link>)> {
        for path in self.candidates() {
            let is_script = Language::of_path(&path).map(Language::family) == Some(self.from.family());
            let Some(code) = is_script.then(|| Code::known(self.session, &path).ok()).flatten() else { continue };
            let links = self.links.with_required(&code);
            let names_it = |link: &Link| link.source.of(code.text()).is_some_and(|it| it.starts_with('.'));
            if links.iter().any(|link| link.module.as_ref() == Some(&self.from.path) && names_it(link)) {
                return Some((code, links));
            }
        }
        None
    }

    /// Leads what runs the module, or takes all of it; refuses any other hold on it.
    fn forget(
        &self,
        code: &Code,
        (links, moved): (&[Link], &[&Link]),
        gone: &[Span],
    ) -> Result<Vec<TextEdit>, Refusal> {
        let mut edits = Vec::new();
        for link in links.iter().filter(|link| link.module.as_ref() == Some(&self.from.path)) {
            let is_led = gone.contains(&link.item) || moved.iter().any(|one| one.item == link.item);
            if is_led {
                continue;
            }
            match link.taken {
                LinkedName::Nothing => {
                    let source = self.links.source((code, link), &code.path, &self.to.path);
                    edits.push(TextEdit::new(
                        link.source,
                        source.map_err(|reason| code.refuse(link.item.start, reason))?,
                    ));
                }
                LinkedName::Star if link.form == LinkForm::Require => {}
                LinkedName::Star => edits.push(TextEdit::new(link.statement, "")),
                _ => {
                    return Err(
                        code.refuse(link.item.start, "what is imported here is not redirected to the other module")
                    );
                }
            }
        }
        Ok(edits)
    }

    /// Returns what the other module takes of one that goes beside its names: all of it, or nothing of it.
    pub(super) fn whole_gone(&self, known: &[&Link]) -> Result<Vec<Span>, Refusal> {
        if self.manner.fate != Fate::Goes {
            return Ok(Vec::new());
        }
        let mut led = Led::default();
        for one in self.leaving {
            let members = self.links.members(self.to, &self.from.path, one.key);
            led.places.extend(members.into_iter().map(|span| (self.to.path.clone(), span)));
        }
        let mut gone = self.idle(self.to, &self.theirs, &led)?;
        let is_known = |link: &Link| known.iter().any(|one| one.item == link.item);
        let takes = |link: &&Link| link.module.as_ref() == Some(&self.from.path) && !is_known(link);
        for link in self.theirs.iter().filter(takes) {
            match link.taken {
                _ if gone.contains(&link.item) => {}
                LinkedName::Nothing | LinkedName::Star => gone.push(link.item),
                _ => return Err(self.to.refuse(link.item.start, "what is imported here cannot be taken out")),
            }
        }
        Ok(gone)
    }

    /// Tells whether a file takes the name itself; refuses where it means something else there.
    fn has_it(&self, code: &Code, links: &[Link], one: &Leaving<'_>) -> Result<bool, Refusal> {
        let names = ScopedNames::of(code);
        let is_own = |link: &&Link| {
            let is_top = code.covering(link.statement).parent().is_some_and(|outer| outer.parent().is_none());
            self.brings(link, one.name) && is_top && (one.is_type || !link.form.is_type())
        };
        let locals: Vec<Span> = links.iter().filter(is_own).filter_map(|link| link.local).collect();
        let is_it = |meaning: usize| names.of_meaning(meaning).any(|it| locals.contains(&it.span));
        match names.outside_classes(one.key).find(|name| !is_it(name.meaning)) {
            Some(other) => {
                let reason = format!("`{}` is needed here, and is already in use", one.key);
                Err(code.refuse(other.span.start, reason))
            }
            None => Ok(names.outside_classes(one.key).next().is_some()),
        }
    }

    /// Lets a file of Python ask the other module itself for what it has another thing of that name for: `order = tax.order`.
    /// Returns the module's name there, and its import where the file has none.
    fn through_module(&self, code: &Code, links: &[Link]) -> Option<(String, Option<WantedImport>)> {
        let stem = self.to.path.file_stem();
        let is_whole = |link: &&Link| link.module.as_ref() == Some(&self.to.path) && link.taken == LinkedName::Module;
        if let Some(known) = links.iter().find(is_whole).and_then(|link| link.local) {
            return Some((known.of(code.text())?.to_owned(), None));
        }
        let is_free = ScopedNames::of(code).named(stem).next().is_none();
        let requires =
            self.is_commonjs && is_commonjs(self.session, code) && check_name(Language::JavaScript, stem).is_ok();
        if !(self.is_python() || requires) || !is_free || stem == "__init__" {
            return None;
        }
        let source = self.named((code, links), &self.to.path).ok()?;
        if requires {
            let wanted = WantedImport { source, form: ImportForm::RequiredWhole, item: stem.to_owned() };
            return Some((stem.to_owned(), Some(wanted)));
        }
        let package = package_of(&source);
        let wanted = match source.contains('.') {
            true => WantedImport { source: package, form: ImportForm::Names, item: stem.to_owned() },
            false => WantedImport { source: String::new(), form: ImportForm::Whole, item: stem.to_owned() },
        };
        Some((stem.to_owned(), Some(wanted)))
    }

    /// Returns how a file names a module that it takes names out of already, or a package that hands on all of it.
    pub(super) fn as_written(&self, (code, links): (&Code, &[Link]), module: &AbsPath) -> Option<String> {
        as_known(code, links, module).or_else(|| self.through_package((code, links), module))
    }

    /// Returns how a script names a package that it imports, and that hands on all of a module: `export * from "./utils"`.
    fn through_package(&self, (code, links): (&Code, &[Link]), module: &AbsPath) -> Option<String> {
        if self.is_python() {
            return None;
        }
        let is_star = |link: &Link| link.taken == LinkedName::Star && link.form.is_export();
        let hands_on = |path: &AbsPath| {
            let offered = Code::known(self.session, path).map(|code| self.links.of(&code)).unwrap_or_default();
            offered.iter().any(|link| is_star(link) && link.module.as_ref() == Some(module))
        };
        let mut named = links.iter().filter(|link| !link.form.is_export()).filter_map(|link| {
            let source = link.source.of(code.text()).filter(|it| !it.starts_with('.'))?;
            Some((source, link.module.as_ref()?))
        });
        let (source, _) = named.find(|(_, path)| hands_on(path))?;
        Some(source.to_owned())
    }

    /// Returns the items that brought nothing but what has left.
    fn idle(&self, code: &Code, links: &[Link], known: &Led) -> Result<Vec<Span>, Refusal> {
        let names = ScopedNames::with_spelled(code);
        let led: Vec<Span> =
            known.places.iter().filter(|(path, _)| *path == code.path).map(|(_, span)| *span).collect();
        let mut gone = Vec::new();
        for link in links.iter().filter(|link| link.taken == LinkedName::Module && !led.is_empty()) {
            let Some(local) = link.local.and_then(|local| names.at(code.covering(local))) else { continue };
            let mut uses = names.of_meaning(local.meaning).filter(|one| one.span != local.span).peekable();
            let is_idle = uses.peek().is_some() && uses.all(|one| led.iter().any(|span| span.contains(one.span)));
            let text = local.span.of(code.text()).unwrap_or_default();
            let can_go = link.form != LinkForm::Require || !code.covering(link.statement).is("variable_declarator");
            if is_idle && can_go && !self.is_taken(code, text)? {
                gone.push(link.item);
            }
        }
        Ok(gone)
    }

    /// Returns the last word of the module's name.
    pub(super) fn stem(&self) -> &str {
        module_word(&self.from.path)
    }

    /// Returns the files that may take something from the module.
    pub(super) fn candidates(&self) -> BTreeSet<AbsPath> {
        let words = self.leaving.iter().flat_map(|one| [one.name, one.key]).chain([self.stem()]);
        words.flat_map(|word| self.session.disk().files_mentioning(word)).collect()
    }

    fn lead(&self, code: &Code, known: &mut Led, draft: &mut Draft) -> Result<(), Refusal> {
        let links = self.links.with_required(code);
        let (mut edits, mut wanted, mut lines) = (Vec::new(), MemberImports::default(), Vec::new());
        let mut joined = JoinedImports::default();
        let moved: Vec<&Link> = links.iter().filter(|link| self.is_led(code, link)).collect();
        let mut statements: Vec<Span> = moved.iter().map(|link| link.statement).collect();
        statements.dedup();
        for statement in statements {
            let items: Vec<&Link> = moved.iter().filter(|link| link.statement == statement).copied().collect();
            let source = match self.as_written((code, &links), &self.to.path) {
                Some(known) => known,
                None => {
                    let source = self.links.source((code, items[0]), &code.path, &self.to.path);
                    let source = source.map_err(|reason| code.refuse(statement.start, reason))?;
                    nearer(self.links, (code, &links), &self.to.path, source)
                }
            };
            self.note_led(code, &items, known);
            if let Some(gone) = joined.join(code, (&links, &items), &source) {
                edits.push(gone);
                continue;
            }
            let (changed, added) = led(code, &links, &items, &source);
            joined.note(code, (&links, &items), (&source, &changed));
            edits.extend(changed);
            lines.extend(added);
        }
        edits.extend(joined.edits(code));
        for star in
            links.iter().filter(|link| link.module.as_ref() == Some(&self.from.path) && link.taken == LinkedName::Star)
        {
            match star.form {
                LinkForm::Require => edits.extend(self.beside_spread(code, star)?),
                _ => edits.extend(self.beside_star(code, &links, star)?),
            }
        }
        edits.extend(self.lead_members(code, &links, (known, &mut wanted))?);
        if links.iter().any(|link| link.module.as_ref() == Some(&self.from.path)) {
            known.through.insert(code.path.clone());
        }
        draft.warnings.extend(self.hands_on_list(code, &links));
        self.lead_spelled(code, known, (&mut edits, draft))?;
        let gone = self.idle(code, &links, known)?;
        if self.manner.fate == Fate::Goes {
            edits.extend(self.forget(code, (&links, &moved), &gone)?);
        }
        edits.extend(wanted.beside_unrun(code, &links, &gone)?);
        let is_late =
            |link: &Link| link.form == LinkForm::Require && function_of(code.covering(link.statement)).is_some();
        let is_run =
            |link: &&Link| !link.form.is_type() && !is_late(link) && !is_unrun(code, code.covering(link.statement));
        let runs = moved.iter().any(is_run) || !wanted.run.is_empty();
        lines.extend(written(code, &links, &wanted.run));
        edits = with_imports(code, edits, &lines);
        if !edits.is_empty() {
            draft.edit(code, edits);
        }
        draft.importers.extend(runs.then(|| code.path.clone()));
        Ok(())
    }

    /// Tells whether an import takes what leaves, and comes to take it from the other module.
    fn is_led(&self, code: &Code, link: &Link) -> bool {
        let stays = self.manner.fate == Fate::Offers && self.is_of_other_package(code, link);
        self.leaving.iter().any(|one| self.brings(link, one.name)) && !stays
    }

    /// Leads what is asked of the module itself: `shapes.area`.
    fn lead_members(
        &self,
        code: &Code,
        links: &[Link],
        (known, wanted): (&mut Led, &mut MemberImports),
    ) -> Result<Vec<TextEdit>, Refusal> {
        let mut edits = Vec::new();
        let names = ScopedNames::with_spelled(code);
        for one in self.leaving {
            let members = self.links.members(code, &self.from.path, one.key);
            if members.is_empty() {
                continue;
            }
            let unrun = unrun_import(code, (&names, links), &members);
            let whole = self.through_module(code, links).filter(|(_, import)| self.is_commonjs && import.is_none());
            let through = |refusal: Refusal, wanted: &mut MemberImports| -> Result<String, Refusal> {
                let (module, whole) = self.through_module(code, links).ok_or(refusal)?;
                if let Some(import) = whole {
                    wanted.add(unrun, import);
                }
                Ok(format!("{module}.{}", one.key))
            };
            let said = match self.has_it(code, links, one) {
                // Its own name for it would have what it was when the module was loaded.
                Ok(_) if one.is_set && (self.is_python() || self.is_commonjs) => {
                    let reason =
                        format!("`{}` is set as the program runs, and its new module has no name here", one.key);
                    through(code.refuse(members[0].start, reason), wanted)?
                }
                Ok(false) if whole.is_some() => format!("{}.{}", whole.unwrap_or_default().0, one.key),
                Ok(true) => one.key.to_owned(),
                Ok(false) => {
                    let source = self.named((code, links), &self.to.path)?;
                    wanted.add(unrun, self.wanted(code, one, source));
                    one.key.to_owned()
                }
                Err(refusal) => through(refusal, wanted)?,
            };
            for span in members {
                known.places.insert((code.path.clone(), span));
                edits.push(TextEdit::new(span, said.clone()));
            }
        }
        Ok(edits)
    }

    /// What took everything goes on to take what left.
    fn beside_star(&self, code: &Code, links: &[Link], star: &Link) -> Result<Option<TextEdit>, Refusal> {
        let listed = dunder_all(&self.from.parsed().tree, self.from.text());
        let is_public = |one: &&Leaving<'_>| match (self.is_python(), listed.is_empty()) {
            (true, true) => !one.name.starts_with('_'),
            (true, false) => listed.iter().any(|(name, _)| name == one.name),
            _ => one.is_exported,
        };
        let source = self.links.source((code, star), &code.path, &self.to.path);
        let source = source.map_err(|reason| code.refuse(star.statement.start, reason))?;
        let takes_all = |link: &Link| link.module.as_ref() == Some(&self.to.path) && link.taken == LinkedName::Star;
        let has_all = self.is_python() && links.iter().any(takes_all);
        let is_missing = |one: &&Leaving<'_>| !(has_all && self.is_offered(one.name));
        let wanted = self.leaving.iter().filter(is_public).filter(is_missing).map(|one| {
            let form = match (star.form, one.is_type) {
                (LinkForm::Export, false) => ImportForm::Export,
                (LinkForm::Export | LinkForm::TypeExport, _) => ImportForm::TypeExport,
                _ => ImportForm::Names,
            };
            WantedImport { source: source.clone(), form, item: one.name.to_owned() }
        });
        let wanted: Vec<WantedImport> = wanted.collect();
        let glue = format!("{}{}", code.newline(), code.indent(star.statement.start));
        let mut added: String = written(code, links, &wanted).iter().map(|line| format!("{glue}{line}")).collect();
        let mut at = behind(code, star.statement);
        if self.manner.fate == Fate::Goes {
            at = star.statement.end;
            added = added.split_off(glue.len().min(added.len()));
        }
        Ok((!added.is_empty()).then(|| TextEdit::new(Span::at(at), added)))
    }

    /// Refuses a place that the server knows of and that nothing here has led elsewhere.
    fn check_place(&self, code: &Code, (span, kind): (Span, UseKind), known: &Led) -> Result<(), Refusal> {
        let goes_along = code.path == self.from.path && self.leaving.iter().any(|one| one.holds(span));
        if goes_along || kind == UseKind::Text {
            return Ok(());
        }
        if matches!(kind, UseKind::Write | UseKind::Update | UseKind::Bind | UseKind::Delete) {
            // `exports.total = require("./shop").total`
            if is_handed_out(code, code.covering(span)) {
                return Ok(());
            }
            return Err(code.refuse(span.start, "it is reassigned here"));
        }
        if self.is_end(&code.path) || matches!(kind, UseKind::Import | UseKind::Export) {
            return Ok(());
        }
        // Where it was it goes on to be offered, however it is asked for.
        let is_offered = self.manner.fate == Fate::Offers;
        let is_led = is_offered || known.places.iter().any(|(path, outer)| *path == code.path && outer.contains(span));
        let node = code.covering(span);
        let is_elsewhere = !is_led && self.is_taken_elsewhere(code, span, &known.through);
        let is_member = node.parent().is_some_and(|outer| outer.is_any(MEMBERS))
            && node.field() != Some("object")
            && !is_first(node);
        if !is_elsewhere && (is_led || !is_member || self.comes_through(code, node, known)) {
            return Ok(());
        }
        Err(code.refuse(
            span.start,
            "it is reached here through another module, which cannot be followed: `reexport` goes on to offer it where it was",
        ))
    }

    /// Adds the files that take what left from those which hand it on: `from .shapes import *`, one behind the other.
    fn spread(&self, known: &mut Led) -> Result<(), Refusal> {
        let mut fresh: Vec<AbsPath> = known.through.iter().cloned().collect();
        while let Some(giver) = fresh.pop() {
            let takes = |link: &Link| {
                let is_taken = match &link.taken {
                    LinkedName::Star => true,
                    LinkedName::Name(name) => self.leaving.iter().any(|one| one.key == name),
                    _ => false,
                };
                is_taken && link.module.as_ref() == Some(&giver)
            };
            for path in self.session.disk().files_mentioning(module_word(&giver)) {
                let is_alike = Language::of_path(&path).map(Language::family) == Some(self.from.family());
                if !is_alike || known.through.contains(&path) {
                    continue;
                }
                if self.links.with_required(&Code::known(self.session, &path)?).iter().any(takes) {
                    known.through.insert(path.clone());
                    fresh.push(path);
                }
            }
        }
        Ok(())
    }

    /// Tells whether a member is asked of a third module, which takes it from the one.
    fn comes_through(&self, code: &Code, node: Node<'_>, known: &Led) -> bool {
        let name = node.text(code.text());
        let asks = |module: &AbsPath| {
            // `(await import("./index")).area`
            let loaded = self.links.spelled(code, module);
            let is_loaded = |said: &SpelledName| *said == SpelledName::Member(node.span());
            self.links.members(code, module, name).iter().any(|span| span.contains(node.span()))
                || loaded.iter().any(|(_, said)| is_loaded(said))
        };
        known.through.iter().any(asks)
    }

    /// Tells whether a line of an example imports a name from the module: `>>> from shop.order import total`.
    fn is_example(&self, text: &str, name: Span) -> bool {
        let line = text[..name.start].rsplit('\n').next().unwrap_or_default();
        let said = line.trim_start_matches([' ', '\t', '>', '.']).strip_prefix("from ");
        let module = said.and_then(|rest| rest.split_once(" import ")).map(|(module, _)| module.trim());
        self.is_python() && module.and_then(|it| it.rsplit('.').next()) == Some(self.from.path.file_stem())
    }

    /// Leads examples, and warns of strings, comments and documents that spell the old place out.
    fn mention(&self, draft: &mut Draft) -> Result<(), Refusal> {
        let known = self.lead_strings(draft)?;
        let all = self.leaving.iter().flat_map(|one| self.session.disk().files_mentioning(one.key));
        for path in all.collect::<BTreeSet<AbsPath>>() {
            let Ok(read) = self.session.disk().read(&path) else { continue };
            let led = self.lead_examples(&path, draft)?;
            let parsed = self.session.parsed(&path)?;
            let text = read.as_str();
            let line_of = |offset: usize| read.lines().line_of(offset);
            let is_known =
                |span: Span| known.iter().any(|(other, it)| *other == path && line_of(it.start) == line_of(span.start));
            let edited = draft.edits.get(&path).map(|(_, edits)| edits.clone()).unwrap_or_default();
            let is_edited = |span: Span| edited.iter().any(|edit| edit.span.contains(span));
            let is_led = |span: Span| {
                is_edited(span)
                    || led.iter().any(|edit| line_of(edit.span.start) == line_of(span.start))
                    || is_known(span)
            };
            let is_prose = |span: Span| {
                let site = parsed.as_ref().map(|it| site(&it.tree, it.text.as_str(), span));
                site.is_none_or(|site| matches!(site, Site::String | Site::Comment))
            };
            for one in self.leaving {
                let dotted = format!("{}.{}", self.from.path.file_stem(), one.key);
                let is_it = |span: &Span| {
                    let is_dotted = text[..span.end].ends_with(&dotted);
                    (is_dotted || self.is_example(text, *span)) && is_prose(*span) && !is_led(*span)
                };
                let message = format!("`{dotted}` occurs here and is not changed");
                let spelled = whole_words(text, one.key).into_iter().filter(is_it);
                let told = spelled
                    .map(|span| Warning::at(WarningKind::Mentioned, message.clone(), path.clone(), read.range(span)));
                draft.warnings.extend(told);
            }
        }
        Ok(())
    }
}

const MEMBERS: &[&str] = &["attribute", "member_expression", "nested_type_identifier", "nested_identifier"];

/// Returns the last word by which others name a module.
fn module_word(path: &AbsPath) -> &str {
    let stem = path.file_stem();
    let folder = path.as_path().parent().and_then(|it| it.file_name()).and_then(|it| it.to_str());
    if matches!(stem, "__init__" | "index") { folder.unwrap_or_default() } else { stem }
}

fn is_first(node: Node<'_>) -> bool {
    node.parent().and_then(|outer| outer.named_children().next()) == Some(node)
}
