//! The files that name what moves: their imports lead to where it goes.

use std::collections::BTreeSet;

use super::{Way, inserted};
use crate::refactor::Refusal;
use crate::refactor::solidity::calls::meant;
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Import, SourceId};
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

    /// Refuses `File.name`, where the file does not see it any more.
    pub(super) fn check_members(&self) -> Result<(), Refusal> {
        let back = self.used_by_name(&self.source());
        for one in self.ground.model.references().iter().filter(|one| self.ground.is_member(one)) {
            let is_lost =
                |id: &DefinitionId| self.moved.contains_key(id) && !back.contains(&self.ground.definition(*id).name);
            if meant(&self.ground, one).iter().any(is_lost) && !self.is_moved(&one.file, one.span) {
                let at = (&one.file, one.span.start);
                return Err(self.ground.refuse(self.session, at, "it is named through its file here"));
            }
        }
        Ok(())
    }
}

/// Returns the statement of an import, its semicolon included.
fn statement(text: &str, import: &Import) -> Span {
    let start = text[..import.span.start].rfind("import").unwrap_or(import.span.start);
    let end = text[import.span.end..].find(';').map_or(text.len(), |at| import.span.end + at + 1);
    Span::new(start, end)
}
