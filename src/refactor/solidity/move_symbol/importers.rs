//! The files that name what moves: their imports lead to where it goes.

use std::collections::BTreeSet;

use super::{Way, inserted};
use crate::refactor::Refusal;
use crate::refactor::solidity::calls::meant;
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Import, Reference, SourceId};
use crate::text::{Span, TextEdit};

/// One statement `import {A, B as C} from "…";`.
struct Named<'g> {
    import: &'g Import,
    target: Option<&'g SourceId>,
    symbols: Vec<(DefinitionId, &'g Definition)>,
}

impl Way<'_> {
    /// Leads every import of what moves to where it goes, and writes imports where the name was seen without one.
    pub(super) fn lead_importers(&mut self) -> Result<(), Refusal> {
        let files: Vec<SourceId> = self.ground.model.files().keys().cloned().collect();
        let back = self.used_by_name(&self.source());
        for file in files {
            let mut edits = self.led(&file)?;
            let mut wanted = self.used_by_name(&file);
            for (name, qualifier) in self.lost_members(&file)? {
                edits.push(TextEdit::new(qualifier, ""));
                wanted.insert(name);
            }
            if file == self.goal() {
                wanted.clear();
            } else if file != self.source() {
                let sees_back = self.ground.seen_from(&self.source()).contains(&file);
                wanted.retain(|name| !sees_back || !back.contains(name));
            }
            if !wanted.is_empty() {
                let code = self.ground.code(self.session, &file)?;
                let (names, path) = (wanted.into_iter().collect::<Vec<_>>(), self.path(&file, &self.goal()));
                let line = format!("import {{{}}} from \"{path}\";{}", names.join(", "), code.newline());
                edits.push(inserted(&code, &line));
            }
            if !edits.is_empty() {
                self.edits.entry(file).or_default().extend(edits);
            }
        }
        Ok(())
    }

    /// Returns the names that a file uses without importing them by name: its own, or those of whole files.
    fn used_by_name(&self, file: &SourceId) -> BTreeSet<String> {
        let model = &self.ground.model;
        let is_symbol = |span: Span| {
            let all = model.definitions_of(file);
            all.into_iter().any(|(_, one)| one.kind == DefinitionKind::ImportedSymbol && one.span.contains(span))
        };
        let plain = model
            .references_of(file)
            .iter()
            .filter(|one| !self.is_moved(file, one.span) && !self.ground.is_member(one) && !is_symbol(one.span));
        let direct = plain.flat_map(|one| one.target.definitions()).filter(|id| self.moved.contains_key(id));
        direct.map(|id| self.ground.definition(*id).name.clone()).collect()
    }

    /// Returns the edits that lead a file's imports by name.
    fn led(&self, file: &SourceId) -> Result<Vec<TextEdit>, Refusal> {
        let mut edits = Vec::new();
        for named in self.named_imports(file) {
            let leaves =
                |id: &DefinitionId| self.ground.model.behind_imports(*id).iter().any(|it| self.moved.contains_key(it));
            let (gone, kept): (Vec<_>, Vec<_>) = named.symbols.iter().partition(|(id, _)| leaves(id));
            if gone.is_empty() || named.target != Some(&self.source()) {
                continue;
            }
            let code = self.ground.code(self.session, file)?;
            let is_goal = *file == self.goal();
            let written: Vec<&str> = gone.iter().map(|(_, one)| one.span.of(code.text()).unwrap_or_default()).collect();
            if is_goal && written.iter().any(|symbol| symbol.contains(" as ")) {
                return Err(code.refuse(gone[0].1.span.start, "it has another name where it goes"));
            }
            let path = self.path(file, &self.goal());
            let statement = statement(code.text(), named.import);
            if kept.is_empty() && !is_goal {
                edits.push(TextEdit::new(named.import.span, path));
                continue;
            }
            let lines = Span::new(statement.start, code.next_line(statement.end));
            if kept.is_empty() {
                edits.push(TextEdit::new(lines, ""));
                continue;
            }
            let (first, last) = (named.symbols[0].1.span.start, named.symbols[named.symbols.len() - 1].1.span.end);
            let kept: Vec<&str> = kept.iter().map(|(_, one)| one.span.of(code.text()).unwrap_or_default()).collect();
            edits.push(TextEdit::new(Span::new(first, last), kept.join(", ")));
            if !is_goal {
                let line = format!("{}import {{{}}} from \"{path}\";", code.newline(), written.join(", "));
                edits.push(TextEdit::new(Span::at(statement.end), line));
            }
        }
        Ok(edits)
    }

    /// Returns the imports by name of a file with their symbols.
    fn named_imports(&self, file: &SourceId) -> Vec<Named<'_>> {
        let Some(facts) = self.ground.model.files().get(file) else { return Vec::new() };
        let mut all: Vec<Named<'_>> = Vec::new();
        let mut from = 0;
        for (import, target) in &facts.imports {
            let until = Span::new(from, import.span.start);
            let inside = self.ground.model.definitions_of(file).filter(|(_, one)| until.contains(one.span));
            let symbols: Vec<_> = inside.filter(|(_, one)| one.kind == DefinitionKind::ImportedSymbol).collect();
            from = import.span.end;
            if !symbols.is_empty() {
                all.push(Named { import, target: target.as_ref(), symbols });
            }
        }
        all
    }

    /// Returns the names of what moves that a file asks another file for (`File.name`) which does not see them any more, each
    /// with what stands before it. They are imported by name, so that it must be free.
    fn lost_members(&self, file: &SourceId) -> Result<Vec<(String, Span)>, Refusal> {
        let back = self.used_by_name(&self.source());
        let mut found = Vec::new();
        for one in self.ground.model.references_of(file).iter().filter(|one| self.ground.is_member(one)) {
            let is_lost =
                |id: &DefinitionId| self.moved.contains_key(id) && !back.contains(&self.ground.definition(*id).name);
            if !meant(&self.ground, one).iter().any(is_lost) || self.is_moved(file, one.span) {
                continue;
            }
            let refuse = |reason: &str| Err(self.ground.refuse(self.session, (file, one.span.start), reason));
            let Some(qualifier) = self.file_before(one) else { return refuse("it is named through its file here") };
            let name = self.ground.model.name_of(one);
            if self.is_taken(file, name) {
                return refuse("it is named through its file here, and its own name is already in use");
            }
            found.push((name.to_owned(), qualifier));
        }
        Ok(found)
    }

    /// Returns the name of a file before a member, with the dot.
    fn file_before(&self, one: &Reference) -> Option<Span> {
        let text = self.ground.model.text(&one.file)?;
        let before = text[..one.span.start].trim_end().strip_suffix('.')?.trim_end();
        let named = self.ground.model.reference_at(&one.file, before.len()).filter(|it| it.span.end == before.len())?;
        let is_file = |id: &DefinitionId| self.ground.definition(*id).kind == DefinitionKind::ImportedFile;
        let is_plain = !self.ground.is_member(named) && meant(&self.ground, named).iter().all(is_file);
        is_plain.then_some(Span::new(named.span.start, one.span.start))
    }

    /// Tells whether a name means something in a file, but what moves.
    fn is_taken(&self, file: &SourceId, name: &str) -> bool {
        let model = &self.ground.model;
        let is_moved = |id: &DefinitionId| self.moved.contains_key(id);
        let seen = self.ground.scope(file);
        seen.get(name).is_some_and(|found| !found.iter().all(is_moved))
            || model
                .definitions_of(file)
                .any(|(id, one)| one.name == name && !is_moved(&id) && !self.leads_to_moved(id))
            || model.references_of(file).iter().any(|one| {
                model.name_of(one) == name
                    && !self.ground.is_member(one)
                    && !meant(&self.ground, one).iter().all(is_moved)
            })
    }

    fn leads_to_moved(&self, id: DefinitionId) -> bool {
        self.ground.model.behind_imports(id).iter().all(|it| self.moved.contains_key(it))
    }
}

/// Returns the statement of an import, its semicolon included.
fn statement(text: &str, import: &Import) -> Span {
    let start = text[..import.span.start].rfind("import").unwrap_or(import.span.start);
    let end = text[import.span.end..].find(';').map_or(text.len(), |at| import.span.end + at + 1);
    Span::new(start, end)
}
