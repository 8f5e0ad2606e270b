//! What becomes of the module that something leaves.

use std::collections::BTreeMap;

use super::handed_on::{specifier, without_specifiers};
use super::moved_code::Leaving;
use super::{Draft, Fate, Manner, PutOff, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::without_doubles;
use crate::refactor::analysis::imports::listed::delisted;
use crate::refactor::analysis::imports::required::{self, with_imports};
use crate::refactor::analysis::imports::statements::{ImportForm, WantedImport, written};
use crate::refactor::analysis::imports::typed::{has_typed, typed_edits};
use crate::refactor::analysis::module_system::package_begun_by;
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::documents::is_docstring;
use crate::refactor::doubts::doubt;
use crate::refactor::moves::links::{Link, LinkForm, LinkedName};
use crate::refactor::refusal::each;
use crate::syntax::Node;
use crate::syntax::python::dunder_all;
use crate::text::{Span, TextEdit};

impl Way<'_> {
    pub(super) fn depart(&self, places: &[Uses], draft: &mut Draft) -> Result<(), Refusal> {
        let fate = self.manner.fate;
        if fate == Fate::Goes {
            return self.vanish(draft);
        }
        let mut edits = self.cuts();
        let (mut wanted, mut typed, mut unlisted) = (Vec::new(), Vec::new(), Vec::new());
        for one in self.leaving {
            let stays = self.remaining(one.name, &one.meanings);
            let specifiers: Vec<Node<'_>> = stays.iter().filter_map(|span| specifier(self.from, *span)).collect();
            edits.extend(self.without_specifiers(&specifiers)?);
            let keys = self.keys_gone(&stays);
            edits.extend(self.without_keys(&keys)?);
            let members = self.led_members(one)?;
            let is_used = stays.len() > specifiers.len() + keys.len() || !members.is_empty();
            edits.extend(members);
            if !is_used {
                edits.extend(self.respell_left(one)?);
            }
            unlisted.extend((fate != Fate::Offers).then_some(one.name));
            if !is_used && fate != Fate::Offers {
                continue;
            }
            let import = self.import_back(one, (&stays, &specifiers), draft)?;
            if fate == Fate::Offers
                && !self.is_python()
                && !self.is_commonjs
                && (one.is_exported || !specifiers.is_empty())
            {
                let form = if one.is_type { ImportForm::TypeExport } else { ImportForm::Export };
                wanted.push(WantedImport { form, item: one.key.to_owned(), ..import.clone() });
            }
            let runs = import.form != ImportForm::TypeNames;
            if fate != Fate::Offers && has_typed(self.from) && stays.iter().all(|span| self.is_lazy(*span)) {
                typed.push(import);
                continue;
            }
            if is_used {
                wanted.push(import);
            } else if self.is_python() {
                wanted.push(self.said_to_be_public(import));
            }
            if runs && !self.imports_below(draft) {
                draft.importers.insert(self.from.path.clone());
            }
        }
        edits.extend(delisted(self.from, &unlisted)?);
        self.list_here_too(&draft.listed, &mut edits);
        if wanted.is_empty() {
            draft.warnings.extend(self.unregistered(places)?);
        }
        draft.warnings.extend(self.known_by_bases().filter(|_| wanted.is_empty()));
        draft.warnings.extend(self.bereft_examples());
        edits.extend(self.unused(&draft.needed)?);
        self.import_typed(typed, (&mut edits, &mut wanted), draft);
        let lines = written(self.from, &self.own, &wanted);
        let edits = self.still_module(self.with_imports_back(without_doubles(edits), &lines, draft));
        draft.edit(self.from, edits);
        Ok(())
    }

    /// Tells whether a module of Python that goes on to offer what leaves imports it where that stood: what it needs of the module
    /// stands above, and nobody gets it later than before.
    fn imports_below(&self, draft: &Draft) -> bool {
        let Manner { fate, put_off, .. } = self.manner;
        self.is_python() && fate == Fate::Offers && put_off == PutOff::Nothing && !draft.needed.is_empty()
    }

    /// Adds the imports by which the module goes on to have what left; below, in the place of the first of that, with the empty lines
    /// around it.
    fn with_imports_back(&self, mut edits: Vec<TextEdit>, lines: &[String], draft: &Draft) -> Vec<TextEdit> {
        if !self.imports_below(draft) {
            return with_imports(self.from, edits, lines);
        }
        let first = self.leaving.iter().flat_map(|one| &one.lines).map(|lines| lines.start).min().unwrap_or_default();
        let (text, end) = (self.from.text(), self.from.newline());
        let is_it = |edit: &&mut TextEdit| edit.span.start <= first && first < edit.span.end;
        if let Some(cut) = edits.iter_mut().find(is_it) {
            let gone = cut.span.of(text).unwrap_or_default();
            let kept = gone.trim_matches(['\n', '\r']);
            let before = gone.len() - gone.trim_start_matches(['\n', '\r']).len();
            cut.new_text = format!("{}{}{}", &gone[..before], lines.join(end), &gone[before + kept.len()..]);
        }
        edits
    }

    /// Imports what only type checkers see beside the rest of that, or else as all others.
    fn import_typed(
        &self,
        typed: Vec<WantedImport>,
        (edits, wanted): (&mut Vec<TextEdit>, &mut Vec<WantedImport>),
        draft: &mut Draft,
    ) {
        let seen = typed_edits(self.from, &written(self.from, &self.own, &typed));
        let is_gone = |seen: &TextEdit| edits.iter().any(|gone| gone.span.contains(seen.span));
        match seen.filter(|seen| !seen.iter().any(is_gone)) {
            Some(seen) => edits.extend(seen),
            None if typed.is_empty() => {}
            None => {
                draft.importers.insert(self.from.path.clone());
                wanted.extend(typed);
            }
        }
    }

    /// Doubts decorators that may tell others of what leaves, in a module that does not load the other one; tells of those of what
    /// is used by its name as well.
    fn unregistered(&self, places: &[Uses]) -> Result<Vec<Warning>, Refusal> {
        const REASON: &str =
            "it may be registered here when its module is loaded, and its new module may never be loaded";
        let is_use = |kind: UseKind| !matches!(kind, UseKind::Definition | UseKind::Import | UseKind::Export);
        let is_used = |one: &Leaving<'_>| {
            let mut uses = places.iter().filter(|uses| uses.name == one.name).flat_map(Uses::iter);
            uses.any(|(code, it)| is_use(it.kind) && !(code.path == self.from.path && one.holds(it.span)))
        };
        let registered = self.leaving.iter().filter_map(|one| Some((one, one.registered(self.from)?)));
        let told = registered.map(|(one, decorator)| match is_used(one) {
            true => {
                let range = self.from.parsed().text.range(decorator.span());
                Ok(Warning::at(WarningKind::PossibleUse, REASON, self.from.path.clone(), range))
            }
            false => doubt(self.from, decorator.span(), REASON),
        });
        each(told)
    }

    /// Returns the import by which the module goes on to have what left.
    fn import_back(
        &self,
        one: &Leaving<'_>,
        (stays, specifiers): (&[Span], &[Node<'_>]),
        draft: &Draft,
    ) -> Result<WantedImport, Refusal> {
        let import = self.wanted(self.from, one, self.named((self.from, &self.own), &self.to.path)?);
        let closes = self.manner.fate != Fate::Offers && self.closes_by_type(stays, specifiers, draft);
        Ok(if closes { WantedImport { form: ImportForm::TypeNames, ..import } } else { import })
    }

    /// Tells whether a script that stays asks for a type alone, in a module that comes back to it: an import of the type
    /// closes no circle.
    fn closes_by_type(&self, stays: &[Span], specifiers: &[Node<'_>], draft: &Draft) -> bool {
        let names = stays.iter().filter_map(|span| self.names.at(self.from.covering(*span)));
        let comes_back =
            || self.reached(self.theirs_without(draft), &mut BTreeMap::new()).contains_key(&self.from.path);
        self.from.is_typed_script()
            && specifiers.is_empty()
            && required::are_types(self.from, names)
            && (!draft.needed.is_empty() || comes_back())
    }

    /// Writes what is imported for others alone so that no checker takes it for unused: `area as area`, as the typing
    /// specification has it, where no `__all__` says so.
    fn said_to_be_public(&self, import: WantedImport) -> WantedImport {
        let listed = dunder_all(&self.from.parsed().tree, self.from.text());
        match listed.iter().any(|(name, _)| *name == import.item) {
            true => import,
            false => WantedImport { item: format!("{0} as {0}", import.item), ..import },
        }
    }

    /// Deletes the module, as far as all that it does goes along.
    fn vanish(&self, draft: &mut Draft) -> Result<(), Refusal> {
        let goes_along = |link: &Link| self.leaving.iter().any(|one| one.holds(link.statement));
        let hands_on = |link: &Link| link.form.is_export() || link.form == LinkForm::Require && link.local.is_none();
        let passes_on = |link: &&Link| link.taken == LinkedName::Nothing || hands_on(link) && !goes_along(link);
        if let Some(link) = self.own.iter().find(passes_on) {
            return Err(self.from.refuse(link.statement.start, "the module passes this on, or runs it"));
        }
        for one in self.leaving {
            let stays = self.remaining(one.name, &one.meanings);
            let listed = stays.iter().filter_map(|span| specifier(self.from, *span)).find(|it| self.is_other_name(*it));
            if let Some(listed) = listed {
                return Err(self.from.refuse(listed.start(), "it is exported under another name"));
            }
            let keys: Vec<Node<'_>> = stays.iter().filter_map(|span| self.export_key(*span)).collect();
            self.without_keys(&keys)?;
        }
        draft.warnings.extend(self.undocumented());
        draft.deleted.insert(self.from.path.clone(), std::sync::Arc::clone(&self.from.parsed().text));
        Ok(())
    }

    /// Tells of what documents a module that goes: nothing else has it.
    fn undocumented(&self) -> Option<Warning> {
        let first = self.from.root().named_children().next()?;
        let range = self.from.parsed().text.range(first.span());
        let message = "the docstring of the module is not taken along: what it says of the rest has to be said there";
        is_docstring(self.from.parsed(), first.named_children().next()?.span())
            .then(|| Warning::at(WarningKind::FollowUp, message, self.from.path.clone(), range))
    }

    /// Takes the lines out, with the blank ones that would be too many.
    fn cuts(&self) -> Vec<TextEdit> {
        let text = self.from.text();
        let mut spans: Vec<Span> = self.leaving.iter().flat_map(|one| one.lines.iter().copied()).collect();
        spans.sort();
        let mut merged: Vec<Span> = Vec::new();
        for span in spans {
            let rest = &text[span.end..];
            let blank = rest.len() - rest.trim_start_matches(['\n', '\r']).len();
            let span = Span::new(span.start, span.end + blank);
            match merged.last_mut() {
                Some(last) if last.end >= span.start => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        let breaks = |part: &str| part.len() - part.trim_end_matches('\n').len();
        for span in &mut merged {
            // The wider of both gaps stays.
            let (above, below) =
                (breaks(&text[..span.start]).saturating_sub(1), breaks(&text[span.start..span.end]) - 1);
            if span.end < text.len() && span.start > 0 && below > above && !text[..span.start].contains('\r') {
                *span = Span::new(span.start - above, span.end - below);
            }
        }
        if let Some(last) = merged.last_mut().filter(|last| last.end == text.len()) {
            let before = text[..last.start].trim_end_matches(['\n', '\r']);
            last.start = if before.is_empty() { 0 } else { self.from.next_line(before.len()).min(last.start) };
        }
        merged.into_iter().map(|span| TextEdit::new(span, "")).collect()
    }

    /// Tells what a package does not offer any more, since it leaves its first module.
    pub(super) fn lost(&self) -> Vec<Warning> {
        let leaving = self.leaving.iter().filter(|_| self.manner.fate == Fate::Stays);
        leaving.filter_map(|one| self.lost_one(one)).collect()
    }

    fn lost_one(&self, one: &Leaving<'_>) -> Option<Warning> {
        let is_offered = match self.is_python() {
            true => self.remaining(one.name, &one.meanings).is_empty(),
            false => self.is_handed_out(one),
        };
        let path = &self.from.path;
        let is_first = match self.is_python() {
            true => path.file_stem() == "__init__" && !one.name.starts_with('_'),
            false => package_begun_by(path).is_some(),
        };
        let message = format!(
            "`{}` is not offered by `{}` any more, from which others may take it: `reexport` keeps it there",
            one.name, self.from.shown
        );
        let range = self.from.parsed().text.range(one.place);
        (is_first && is_offered).then(|| Warning::at(WarningKind::FollowUp, message, path.clone(), range))
    }

    /// Tells whether a script hands out what leaves it.
    pub(super) fn is_handed_out(&self, one: &Leaving<'_>) -> bool {
        let stays = || self.remaining(one.name, &one.meanings);
        let is_listed = || stays().iter().any(|span| specifier(self.from, *span).or(self.export_key(*span)).is_some());
        one.is_exported || one.assigned.is_some() || is_listed()
    }

    /// Returns where the module goes on to use what leaves it.
    pub(super) fn remaining(&self, name: &str, meanings: &[usize]) -> Vec<Span> {
        let goes_along = |span: Span| self.leaving.iter().any(|one| one.holds(span));
        let all = meanings.iter().flat_map(|meaning| self.names.of_meaning(*meaning)).map(|one| one.span);
        let mut spans: Vec<Span> = all.filter(|span| !goes_along(*span)).collect();
        // Export specifiers may be names of their own.
        let specifiers = self.from.root().descendants().filter(|node| node.is("export_specifier"));
        let named = specifiers.filter_map(|node| node.child("name")).filter(|it| it.text(self.from.text()) == name);
        spans.extend(named.filter(|it| specifier(self.from, it.span()).is_some()).map(Node::span));
        spans.sort();
        spans.dedup();
        spans
    }

    /// Tells whether something is exported under another name than the one that goes along.
    fn is_other_name(&self, specifier: Node<'_>) -> bool {
        let said = |field| specifier.child(field).map(|it| it.text(self.from.text()));
        let goes = |alias: &str| self.leaving.iter().any(|one| Some(one.name) == said("name") && one.key == alias);
        said("alias").is_some_and(|alias| !goes(alias))
    }

    fn without_specifiers(&self, specifiers: &[Node<'_>]) -> Result<Vec<TextEdit>, Refusal> {
        match specifiers.iter().find(|one| self.is_other_name(**one)) {
            Some(named) => Err(self.from.refuse(named.start(), "it is exported under another name")),
            None => without_specifiers(self.from, specifiers),
        }
    }
}
