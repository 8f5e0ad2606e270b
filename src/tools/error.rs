//! Every error of the floors below, worded for the caller: what kind it is, what happened, what to do next.

mod lower;

use schemars::JsonSchema;
use serde::Serialize;

use crate::render::write_toon;
use crate::text::one_line;

/// Why a tool gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, thiserror::Error)]
#[schemars(rename = "Error")]
#[error("{message}")]
pub struct ToolError {
    pub kind: ErrorKind,
    pub message: String,
    /// What the caller can do next, the likeliest first.
    pub hints: Vec<String>,
    /// What may be meant instead of an argument that means several things.
    #[serde(skip)]
    #[schemars(skip)]
    pub choice: Option<Choice>,
}

/// An argument that means several things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub given: String,
    /// Each of them means one thing where it is given instead.
    pub among: Vec<String>,
}

/// What a caller can tell errors apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The arguments do not fit the tool, or name what is not there.
    InvalidArguments,
    /// A path leads outside the project's root.
    OutsideRoot,
    /// No function is called that.
    FunctionNotFound,
    /// Several functions are called that.
    FunctionAmbiguous,
    /// The tool does not know the language.
    LanguageNotSupported,
    /// The refactoring is not possible.
    Refused,
    /// Files have changed since the plan was made.
    Stale,
    /// A check found problems that were not there before.
    Regressed,
    /// No check could look at what the plan changes.
    Unverified,
    /// A language server is missing, cannot be installed or started.
    ServerMissing,
    /// A language server is being installed: the same call works a little later.
    ServerInstalling,
    /// A language server crashed or gave an unusable answer.
    ServerFailed,
    TimedOut,
    Cancelled,
    /// The disk or the user's environment does not allow it.
    Environment,
    /// A fault of this program.
    Internal,
}

impl ErrorKind {
    pub const ALL: [Self; 16] = [
        Self::InvalidArguments,
        Self::OutsideRoot,
        Self::FunctionNotFound,
        Self::FunctionAmbiguous,
        Self::LanguageNotSupported,
        Self::Refused,
        Self::Stale,
        Self::Regressed,
        Self::Unverified,
        Self::ServerMissing,
        Self::ServerInstalling,
        Self::ServerFailed,
        Self::TimedOut,
        Self::Cancelled,
        Self::Environment,
        Self::Internal,
    ];

    /// Returns the exit code that the command line ends with.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Refused | Self::Stale | Self::Regressed => 1,
            Self::InvalidArguments
            | Self::OutsideRoot
            | Self::FunctionNotFound
            | Self::FunctionAmbiguous
            | Self::LanguageNotSupported => 2,
            // As a shell has it of what an interrupt ended.
            Self::Cancelled => 130,
            Self::Unverified
            | Self::ServerMissing
            | Self::ServerInstalling
            | Self::ServerFailed
            | Self::TimedOut
            | Self::Environment
            | Self::Internal => 3,
        }
    }
}

/// An error as a tool's answer carries it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Error answer")]
pub struct ErrorJson<'a> {
    pub error: &'a ToolError,
}

/// The same in TOON, whose words are joined by underscores.
#[derive(Serialize)]
struct ErrorToon<'a> {
    error: ErrorRows<'a>,
}

#[derive(Serialize)]
struct ErrorRows<'a> {
    r#type: String,
    message: &'a str,
    hints: &'a [String],
}

/// Who reads an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    Agent,
    Shell,
}

impl Reader {
    /// Words a hint: of "`force` (`--force`)" an agent can use the one and a shell the other.
    fn word(self, hint: &str) -> String {
        let mut worded = String::new();
        let mut rest = hint;
        while let Some((before, code, after)) = in_parentheses(rest) {
            let word = match before.strip_suffix('`').and_then(|open| open.rfind('`')) {
                Some(start) => start,
                None => before.rfind(' ').map_or(0, |space| space + 1),
            };
            match self {
                Self::Agent => worded.push_str(before),
                Self::Shell => worded.extend([&before[..word], code]),
            }
            rest = after;
        }
        worded + rest
    }
}

/// An agent is told so much of an error, in hints and bytes: the rest of what fits into an answer.
const MOST_HINTS: usize = 20;
const LONGEST_HINT: usize = 250;
const LONGEST_MESSAGE: usize = 6_000;

fn shortened(text: &str, most: usize) -> String {
    match text.len() > most {
        true => {
            let end = text.floor_char_boundary(most);
            format!("{}… ({} more bytes)", &text[..end], text.len() - end)
        }
        false => text.to_owned(),
    }
}

/// Splits at the first word of the shell's that stands in parentheses behind an agent's.
fn in_parentheses(hint: &str) -> Option<(&str, &str, &str)> {
    let start = [" (`--", " (`lspwright "].into_iter().filter_map(|sign| hint.find(sign)).min()?;
    let (before, behind) = hint.split_at(start);
    let (code, after) = behind.strip_prefix(" (")?.split_once(')')?;
    Some((before, code, after))
}

impl ToolError {
    /// Words the hints for the one who reads them.
    #[must_use]
    pub fn for_reader(self, reader: Reader) -> Self {
        let mut hints: Vec<String> = self.hints.iter().map(|hint| reader.word(hint)).collect();
        if reader == Reader::Shell {
            return Self { hints, ..self };
        }
        let more = hints.len().saturating_sub(MOST_HINTS);
        hints.truncate(MOST_HINTS);
        hints.extend((more > 0).then(|| format!("{more} more are not listed")));
        let hints = hints.iter().map(|hint| shortened(hint, LONGEST_HINT)).collect();
        Self { message: shortened(&self.message, LONGEST_MESSAGE), hints, ..self }
    }

    /// Writes the error as the tools do that answer in TOON.
    pub fn to_toon(&self) -> String {
        let kind = serde_json::to_value(self.kind).expect("a kind is a word");
        let r#type = kind.as_str().unwrap_or_default().replace('-', "_");
        write_toon(&ErrorToon { error: ErrorRows { r#type, message: &self.message, hints: &self.hints } })
    }

    /// Whatever a message names, such as a file with a line feed in its name, it stays one line, and visible.
    pub fn new(kind: ErrorKind, message: impl AsRef<str>) -> Self {
        Self { kind, message: one_line(message.as_ref()).into_owned(), hints: Vec::new(), choice: None }
    }

    /// Adds what the caller can do next.
    pub fn hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hints.push(one_line(hint.as_ref()).into_owned());
        self
    }

    /// Tells what may be meant instead of `given`: a person can be asked, and hints name it for all others.
    pub fn among(self, given: &str, among: Vec<String>) -> Self {
        let told = among.iter().fold(self, |error, it| error.hint(format!("did you mean `{it}`?")));
        Self { choice: Some(Choice { given: given.to_owned(), among }), ..told }
    }

    pub fn invalid(message: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::InvalidArguments, message)
    }

    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "cancelled by the caller")
    }

    /// A panic, told to the one who waits for an answer.
    pub fn panicked(panic: &(dyn std::any::Any + Send)) -> Self {
        let said = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Self::new(ErrorKind::Internal, format!("a fault inside lspwright: {said}"))
            .hint("nothing was changed; report this with the arguments of the call")
    }
}

#[cfg(test)]
mod tests;
