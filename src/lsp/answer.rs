//! What servers answer, in the house's words.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::plan::Warning;
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
// Invariant: nothing of it is read but by `whole`, where all its parts are handed over, or by `edits_alone`, which fails
// where there are others. So no creation, deletion or move is ever dropped without a word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer(Whole);

/// All parts of an answer; to be taken apart without `..`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Whole {
    pub edits: Edits,
    pub moves: Vec<(AbsPath, AbsPath)>,
    pub creates: Vec<AbsPath>,
    pub deletes: Vec<AbsPath>,
    /// What the server wants a person to agree to (LSP 3.17 § ChangeAnnotation, `needsConfirmation`).
    pub warnings: Vec<Warning>,
}

/// Per file its edits, sorted, exact duplicates folded; for a created file, insertions at 0.
pub type Edits = BTreeMap<AbsPath, Vec<TextEdit>>;

/// What an answer does to files, where only their texts may change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileOperation {
    #[error("it would create `{0}`")]
    Create(AbsPath),
    #[error("it would delete `{0}`")]
    Delete(AbsPath),
    #[error("it would move `{0}` to `{1}`")]
    Move(AbsPath, AbsPath),
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

/// One thing that a server offers to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    pub title: String,
    /// As LSP writes it, such as `refactor.extract`; empty where the server names none.
    pub kind: String,
    pub is_preferred: bool,
    /// The codes of the findings that it is for, sorted.
    pub fixes: Vec<String>,
    /// Why it cannot be planned.
    pub disabled: Option<String>,
    /// The server itself says that it cannot be done at this place.
    pub is_out_of_place: bool,
    /// What it changes, where the server said so at once.
    pub answer: Option<Answer>,
    /// As the server said it; to be handed back.
    pub(super) raw: Value,
}

/// Why nothing comes of an action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoEdit {
    /// A command that is not known to change nothing by itself is not run.
    #[error("runs a command: `{0}`")]
    RunsCommand(String),
    #[error("the server has nothing to change")]
    Nothing,
    /// The second would be addressed to texts after the first.
    #[error("the server sends several changes, one after the other")]
    Several,
}

impl Answer {
    pub(super) fn new(whole: Whole) -> Self {
        Self(whole)
    }

    /// Hands over all that the server wants.
    pub fn whole(self) -> Whole {
        self.0
    }

    /// Hands over the edits with their warnings, where the server wants nothing else.
    ///
    /// # Errors
    /// The first thing that it would do to a file as a whole.
    pub fn edits_alone(self) -> Result<(Edits, Vec<Warning>), FileOperation> {
        let Whole { edits, moves, creates, deletes, warnings } = self.0;
        let moves = moves.into_iter().map(|(from, to)| FileOperation::Move(from, to));
        let creates = creates.into_iter().map(FileOperation::Create);
        let deletes = deletes.into_iter().map(FileOperation::Delete);
        match moves.chain(creates).chain(deletes).next() {
            Some(operation) => Err(operation),
            None => Ok((edits, warnings)),
        }
    }

    pub fn is_empty(&self) -> bool {
        let Whole { edits, moves, creates, deletes, warnings: _ } = &self.0;
        edits.is_empty() && moves.is_empty() && creates.is_empty() && deletes.is_empty()
    }
}
