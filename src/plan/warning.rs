//! What a plan does not do, or does on weaker ground, told to the one who applies it.

use crate::text::{AbsPath, Range, Span, Text, line_list, one_line};

/// One remark about a plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    pub kind: WarningKind,
    pub message: String,
    pub path: Option<AbsPath>,
    /// The place in the text before the plan, UTF-16 units.
    pub range: Option<Range>,
    pub count: Count,
}

/// How much a remark stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Count {
    pub places: usize,
    pub files: usize,
}

/// What a remark is about, the most suspicious first; the public name is in kebab case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarningKind {
    /// The plan goes on over a conflict because it was told to.
    Forced,
    /// Nothing proves that the plan is whole: a check has to tell.
    Unproven,
    /// A declaration that was not asked for and must bear the same name: it is renamed, too.
    Joined,
    /// A declaration that was not asked for and that only what moves needs: it moves, too.
    Along,
    /// The old name stands here in code, of a value that no type is known of, and the plan leaves it.
    PossibleUse,
    /// The program puts names together as it runs, and the renamed one may be among them.
    RunTime,
    /// An edit that a person should agree to: the language server says so, or it goes by no known type.
    Unconfirmed,
    /// A file that was left out because it cannot be read as text.
    Unreadable,
    /// The language server says that it could not read a part of the project.
    PartlyRead,
    /// Others see the compiled code differently: a signature, a selector, the layout of the storage.
    InterfaceChanged,
    /// The project is not trusted, and a server was kept from running what it says.
    NotTrusted,
    /// Something outside the plan has to follow, such as an install or a lock file.
    FollowUp,
    /// An edit inside a string literal.
    StringEdited,
    /// An edit inside a comment or documentation text.
    CommentEdited,
    /// The old name or path stands here in prose, a string or data, and the plan leaves it.
    Mentioned,
}

impl WarningKind {
    pub const ALL: [Self; 15] = [
        Self::Forced,
        Self::Unproven,
        Self::Joined,
        Self::Along,
        Self::PossibleUse,
        Self::RunTime,
        Self::Unconfirmed,
        Self::Unreadable,
        Self::PartlyRead,
        Self::InterfaceChanged,
        Self::NotTrusted,
        Self::FollowUp,
        Self::StringEdited,
        Self::CommentEdited,
        Self::Mentioned,
    ];
    /// Those that a check cannot clear away: with one of them a plan is `possible` at best.
    pub const DOUBTS: [Self; 3] = [Self::PossibleUse, Self::RunTime, Self::PartlyRead];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::PossibleUse => "possible-use",
            Self::Mentioned => "mentioned-not-changed",
            Self::StringEdited => "string-edited",
            Self::CommentEdited => "comment-edited",
            Self::Unreadable => "unreadable",
            Self::PartlyRead => "partly-read",
            Self::FollowUp => "follow-up",
            Self::Forced => "forced",
            Self::Unproven => "unproven",
            Self::Joined => "renamed-along",
            Self::Along => "moved-along",
            Self::Unconfirmed => "to-be-confirmed",
            Self::RunTime => "named-at-run-time",
            Self::InterfaceChanged => "interface-changed",
            Self::NotTrusted => "not-trusted",
        }
    }
}

impl Warning {
    /// A remark about the plan as a whole.
    pub fn of_plan(kind: WarningKind, message: impl AsRef<str>) -> Self {
        let count = Count { places: 1, files: 0 };
        Self { kind, message: one_line(message.as_ref()).into_owned(), path: None, range: None, count }
    }

    /// A remark about a place.
    pub fn at(kind: WarningKind, message: impl AsRef<str>, path: AbsPath, range: Option<Range>) -> Self {
        let count = Count { places: 1, files: 1 };
        Self { path: Some(path), range, count, ..Self::of_plan(kind, message) }
    }

    /// A remark about places of a file, whose lines it names; it stands for all of them.
    pub fn at_lines(
        kind: WarningKind,
        message: impl AsRef<str>,
        path: AbsPath,
        (text, spans): (&Text, &[Span]),
    ) -> Self {
        let message = format!("{} ({})", message.as_ref(), line_list(text, spans));
        let range = spans.first().and_then(|span| text.range(*span));
        Self::at(kind, message, path, range).standing_for(spans.len())
    }

    /// The same remark for so many places, the first of which it names.
    #[must_use]
    pub fn standing_for(self, places: usize) -> Self {
        Self { count: Count { places, ..self.count }, ..self }
    }
}
