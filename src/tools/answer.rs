//! What a tool answers, and how much of it a caller gets.
//!
//! A tool hands back an `Answer`: lists with what stands around them, or a plan as a whole. It knows nothing of
//! limits. The MCP server takes `limit` and `cursor` out of a call before the tool sees it, and lets `fitted` write
//! as much as there is room for: the one place that knows the budget is `tools/answer.rs`, the one that counts is
//! `render/tokens.rs`. Every list, wherever it stands in an answer, gets an equal share, and what short ones leave
//! goes to the others. A cursor holds where each unfinished list goes on and a hash of these lists: nothing is kept
//! for it, and an answer that has become another one refuses it. A shell gets answers whole.
//!
//! A plan is not a list. `tools/detail.rs` hands it out whole, or a `PlanSummary` in its place that has none of the
//! plan's keys, so that nobody takes a part for the plan; the whole lies in the state directory and is a resource.

use serde::Serialize;
use serde_json::{Map, Value};

use super::error::{ErrorKind, ToolError};
use crate::render::{AnswerFormat, BadCursor, Continuation, Window, fitted, tokens};

/// How many tokens an answer costs at most, unless its caller asks for more.
pub(super) const USUAL: usize = 5_000;
/// How many it costs at most where the caller says how many rows there may be: clients cut at 25,000.
const MOST: usize = 20_000;

/// What a tool writes its answers and its errors in.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// JSON that fits this schema.
    Json(fn() -> Value),
    /// TOON, for language models; it has no schema.
    Toon,
    /// Text as it stands; errors are JSON.
    Text,
}

/// An answer before it is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A head and lists, of which as many rows are handed out as fit.
    Lists(Value),
    /// Handed out as it stands, all of it: a plan.
    Whole(String),
    /// A plan in TOON where JSON is the tool's form, with what must stand in the structure all the same.
    Toon { text: String, head: Value },
}

/// An answer as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenAnswer {
    pub text: String,
    pub structure: Structure,
}

/// What an answer is beside its text.
#[derive(Debug, Clone, PartialEq)]
pub enum Structure {
    /// The text is JSON and says it all.
    Text,
    Own(Value),
    None,
}

/// Which part of an answer a caller wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    limit: Option<usize>,
    cursor: Option<String>,
    rest: Continuation,
}

/// The parameters of every tool whose answers can be asked for in parts, with their types.
pub(super) const PAGE: [(&str, &str); 2] = [("limit", "integer"), ("cursor", "string")];

impl Answer {
    /// Takes an answer with its lists.
    pub(super) fn of(answer: &impl Serialize) -> Result<Self, ToolError> {
        let lists = serde_json::to_value(answer);
        lists.map(Self::Lists).map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))
    }

    /// Writes the part that is asked for.
    pub fn written(self, form: Form, page: &Page) -> Result<WrittenAnswer, ToolError> {
        let (shape, structure) = match form {
            Form::Json(_) => (AnswerFormat::Json, Structure::Text),
            Form::Toon | Form::Text => (AnswerFormat::Toon, Structure::None),
        };
        match self {
            Self::Lists(lists) => Ok(WrittenAnswer { text: fitted(lists, shape, &page.window())?, structure }),
            _ if page.cursor.is_some() => Err(BadCursor::Outdated.into()),
            Self::Whole(text) => Ok(WrittenAnswer { text, structure }),
            Self::Toon { text, head } => Ok(WrittenAnswer { text, structure: Structure::Own(head) }),
        }
    }
}

impl Page {
    /// Takes the parameters out of a call's arguments.
    pub fn take(args: &mut Map<String, Value>) -> Result<Self, ToolError> {
        let limit = match args.remove("limit") {
            None | Some(Value::Null) => None,
            Some(limit) => match limit.as_u64().and_then(|limit| usize::try_from(limit).ok()).filter(|it| *it > 0) {
                Some(limit) => Some(limit),
                None => return Err(ToolError::invalid("`limit` is a number of rows, 1 at least")),
            },
        };
        let cursor = match args.remove("cursor") {
            None | Some(Value::Null) => None,
            Some(Value::String(cursor)) => Some(cursor),
            Some(_) => return Err(ToolError::invalid("`cursor` is a string, as `more.cursor` of an answer")),
        };
        Ok(Self { limit, cursor, rest: Continuation::Cursor })
    }

    /// All that fits, of an answer that cannot be asked for in parts.
    pub fn only() -> Self {
        Self { limit: None, cursor: None, rest: Continuation::Counted }
    }

    fn window(&self) -> Window {
        let room = if self.limit.is_some() { MOST } else { USUAL };
        Window { room, limit: self.limit, cursor: self.cursor.clone(), rest: self.rest }
    }
}

/// Tells whether a text is not too long for an answer.
pub(super) fn fits(text: &str) -> bool {
    tokens(text) <= USUAL
}

impl From<BadCursor> for ToolError {
    fn from(error: BadCursor) -> Self {
        let message = error.to_string();
        match error {
            BadCursor::Malformed(_) => Self::invalid(message).hint("pass on `more.cursor` of an answer as it is"),
            BadCursor::Outdated => Self::new(ErrorKind::Stale, message)
                .hint("something changed in between, or the other arguments did: ask again without `cursor`"),
        }
    }
}
