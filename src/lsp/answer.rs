//! What servers answer, in the house's words.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::text::{AbsPath, Span, TextEdit};

/// A place in a file that a question is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub path: AbsPath,
    /// Bytes, 0-based, in the text that the server sees.
    pub offset: usize,
}

/// A stretch of a file that an answer points at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    pub path: AbsPath,
    pub span: Span,
}

/// A server's wish for changes, addressed to the texts and paths that it saw. The ranges lie inside
/// the texts; whether edits overlap or leave the project is for the caller to judge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Per file its edits, sorted, exact duplicates folded; for a created file, insertions at 0.
    pub edits: BTreeMap<AbsPath, Vec<TextEdit>>,
    pub moves: Vec<(AbsPath, AbsPath)>,
    pub creates: Vec<AbsPath>,
    pub deletes: Vec<AbsPath>,
}

/// What `textDocument/prepareRename` said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prepared {
    /// This stretch can be renamed.
    At { span: Span, placeholder: Option<String> },
    /// Something can be renamed here; the client finds the identifier itself (`defaultBehavior`).
    Default,
    /// Nothing can be renamed here (`null`).
    Nothing,
}

/// One declaration of a file, with those inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    /// LSP's word for it in lower case, such as `method`.
    pub kind: &'static str,
    pub span: Span,
    /// The name, where the server tells it apart; else as `span`.
    pub name_span: Span,
    pub children: Vec<Symbol>,
}

/// What a server's command answered, and the changes that it sent while it ran; none are carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Executed {
    pub value: Value,
    pub answers: Vec<Answer>,
}

impl Answer {
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.moves.is_empty() && self.creates.is_empty() && self.deletes.is_empty()
    }
}
