//! The edits of a rename as servers name them, before they are known to be a plan.

use std::collections::BTreeMap;

use crate::refactor::Refusal;
use crate::text::{AbsPath, Span, TextEdit};

/// What a rename changes, file by file; one replacement for each place.
#[derive(Debug, Clone, Default)]
pub(super) struct Gathered {
    files: BTreeMap<AbsPath, BTreeMap<Span, String>>,
    /// Files that the rename moves (a module named after its file).
    pub moves: Vec<(AbsPath, AbsPath)>,
    /// Who answered, for messages.
    pub server: String,
    /// Why it is not sure that this is all.
    pub doubts: Vec<String>,
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

    /// Takes a whole answer in.
    pub(super) fn absorb(&mut self, answer: crate::lsp::Answer, new_name: &str) {
        for (path, edits) in answer.edits {
            for edit in edits {
                self.add(path.clone(), edit, new_name);
            }
        }
        self.moves.extend(answer.moves);
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

    /// Puts another text in a place that is already there.
    pub(super) fn replace(&mut self, path: &AbsPath, span: Span, text: String) {
        if let Some(places) = self.files.get_mut(path) {
            places.insert(span, text);
        }
    }

    pub(super) fn edits_of(&self, path: &AbsPath) -> Vec<TextEdit> {
        let places = self.files.get(path).into_iter().flatten();
        places.map(|(span, text)| TextEdit::new(*span, text.clone())).collect()
    }

    /// Refuses an answer that reaches outside the project or does not touch the place that was asked about.
    pub(super) fn check_inside(&self, root: &AbsPath) -> Result<(), Refusal> {
        let outside = self.paths().find(|path| !path.is_below(root));
        outside.map_or(Ok(()), |path| {
            Err(Refusal::EditsOutside { server: self.server.clone(), path: path.as_str().to_owned() })
        })
    }
}
