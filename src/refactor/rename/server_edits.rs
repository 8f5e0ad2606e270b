//! The edits of a rename as servers name them, before they are known to be a plan.

use std::collections::{BTreeMap, BTreeSet};

use crate::lsp::{Answer, FileOperation, Whole};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::refusal::each;
use crate::text::{AbsPath, Span, Text, TextEdit, is_hidden, quoted};
use crate::workspace::{Disk, OutsideRoot};

/// What a rename changes, file by file; one replacement for each place.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    files: BTreeMap<AbsPath, BTreeMap<Span, String>>,
    /// Files and directories that the rename moves (a module named after its file), one after the other.
    pub moves: Vec<(AbsPath, AbsPath)>,
    /// What the server wants to be told with its answer.
    pub warnings: Vec<Warning>,
    /// Who answered, for messages.
    pub server: String,
    /// What was found out of places that are not changed.
    pub asked: Asked,
    /// Why it is not sure that this is all.
    pub doubts: Vec<String>,
}

/// Places of the name for which a server was asked, and which a rename does not change.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    /// No type is known there.
    pub unknown: BTreeSet<(AbsPath, Span)>,
    /// They mean something else.
    pub others: BTreeSet<(AbsPath, Span)>,
}

impl Gathered {
    pub(super) fn by(server: impl Into<String>) -> Self {
        Self { server: server.into(), ..Self::default() }
    }

    /// Adds a replacement. Where two answers want different forms for one place (`old: new` from the one
    /// side, `new: old` from the other), both sides are renamed: the plain new name stands there.
    pub(super) fn add(&mut self, path: AbsPath, edit: TextEdit, new_name: &str) {
        let places = self.files.entry(path).or_default();
        places
            .entry(edit.span)
            .and_modify(|text| {
                if *text != edit.new_text {
                    new_name.clone_into(text);
                }
            })
            .or_insert(edit.new_text);
    }

    /// Takes a whole answer in; refused where it would create or delete files, which no rename does.
    pub(super) fn absorb(&mut self, answer: Answer, new_name: &str) -> Result<(), Refusal> {
        let Whole { edits, moves, creates, deletes, warnings } = answer.whole();
        let creates = creates.into_iter().map(FileOperation::Create);
        if let Some(operation) = creates.chain(deletes.into_iter().map(FileOperation::Delete)).next() {
            return Err(Refusal::NotCarriedOut { server: self.server.clone(), operation });
        }
        for (path, edits) in edits {
            for edit in edits {
                self.add(path.clone(), edit, new_name);
            }
        }
        for step in moves {
            if !self.moves.contains(&step) {
                self.moves.push(step);
            }
        }
        self.warnings.extend(warnings);
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.moves.is_empty()
    }

    pub(super) fn has(&self, path: &AbsPath, span: Span) -> bool {
        self.files.get(path).is_some_and(|places| places.contains_key(&span))
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &AbsPath> {
        self.files.keys()
    }

    /// Takes out what `unwanted` says of a place.
    pub(super) fn retain(&mut self, mut wanted: impl FnMut(&AbsPath, Span) -> bool) {
        for (path, places) in &mut self.files {
            places.retain(|span, _| wanted(path, *span));
        }
        self.files.retain(|_, places| !places.is_empty());
    }

    /// Puts a text in a place, whatever was to stand there.
    pub(super) fn put(&mut self, path: &AbsPath, edit: TextEdit) {
        self.files.entry(path.clone()).or_default().insert(edit.span, edit.new_text);
    }

    pub(super) fn edits_of(&self, path: &AbsPath) -> Vec<TextEdit> {
        let places = self.files.get(path).into_iter().flatten();
        places.map(|(span, text)| TextEdit::new(*span, text.clone())).collect()
    }

    /// Refuses an answer that reaches outside the project, by links too.
    pub(super) fn check_inside(&self, disk: &Disk) -> Result<(), Refusal> {
        let edited = self.paths().map(|path| disk.contain(path));
        let moved = self.moves.iter().flat_map(|(from, to)| [from, to]).map(|path| disk.contain_entry(path));
        let refused = |outside| match outside {
            OutsideRoot::Leaves { leads_to, .. } => {
                Refusal::EditsOutside { server: self.server.clone(), path: leads_to }
            }
            unknown => unknown.into(),
        };
        each(edited.chain(moved).map(|inside| inside.map_err(refused))).map(drop)
    }

    /// Refuses an edit that writes what no name has: a line's end, or a character that is not seen, unless it stood there
    /// before.
    pub(super) fn check_names(&self, path: &AbsPath, before: &Text) -> Result<(), Refusal> {
        let check = |(span, new): (&Span, &String)| {
            let old = span.of(before.as_str()).unwrap_or_default();
            if new.chars().any(|character| is_hidden(character) && character != '\t' && !old.contains(character)) {
                let (old, new) = (quoted(old), quoted(&new.escape_debug().to_string()));
                let problem = format!("in `{path}`, {new} is not a name to stand for {old}");
                return Err(Refusal::BadAnswer { server: self.server.clone(), problem });
            }
            Ok(())
        };
        each(self.files.get(path).into_iter().flatten().map(check)).map(drop)
    }
}
