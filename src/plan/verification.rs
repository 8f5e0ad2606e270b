//! What a check of a plan found.

use super::{Count, Digest, WarningKind};
use crate::text::{AbsPath, Range, one_line, quoted};

/// How far a plan was checked, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Level {
    /// Not at all.
    #[default]
    None,
    /// The touched files still parse: no new error node.
    Syntax,
    /// The servers' problems before and after, of the touched files and of those that depend on them.
    Diagnostics,
    /// The language's own checker, or the project's command, on a copy of the tree before and after.
    Project,
}

/// What the check says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Nothing is new, and every use is one that the server understands.
    Clean,
    /// The checkers find nothing new, but uses are listed that may have to change: no type is known there.
    Possible,
    Regressed,
    Unverified,
}

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    pub level: Level,
    pub status: Status,
    /// Problems that stand after the plan and did not before; places are in the texts after it.
    pub new_problems: Vec<Problem>,
    /// How many files were looked at, of those that the plan could affect, the touched ones included.
    pub files_looked_at: usize,
    /// How many files the plan could affect and nobody looked at: a check with one is never clean.
    pub files_left_out: usize,
    /// Why the status is `Possible` or `Unverified`, or what a clean one leaves open.
    pub reason: Option<String>,
    /// What becomes of compiled code, where a compiler was asked for it.
    pub interface: Option<Interface>,
}

/// What a plan does to what is compiled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Interface {
    /// Whether every bytecode is what it was, apart from what only tells of names; nothing where none was made.
    pub is_identical: Option<bool>,
    /// What others see differently: functions, events and errors by their signatures, the storage's layout.
    pub changes: Vec<InterfaceChange>,
}

/// One thing that others see differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterfaceChange {
    /// The file of the contract, before the plan.
    pub path: AbsPath,
    pub message: String,
}

/// One finding of a checker.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub path: AbsPath,
    /// UTF-16 units.
    pub range: Option<Range>,
    pub severity: Severity,
    /// The checker's own code, such as `TS2305` or `reportAttributeAccessIssue`.
    pub code: Option<String>,
    pub message: String,
    /// Who found it, such as `pyright`.
    pub source: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
    Information,
    Hint,
}

impl Level {
    pub const ALL: [Self; 4] = [Self::None, Self::Syntax, Self::Diagnostics, Self::Project];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Syntax => "syntax",
            Self::Diagnostics => "diagnostics",
            Self::Project => "project",
        }
    }
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Possible => "possible",
            Self::Regressed => "regressed",
            Self::Unverified => "unverified",
        }
    }
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Information => "information",
            Self::Hint => "hint",
        }
    }
}

impl Problem {
    /// Returns the checker's words as they stand in a sentence of ours.
    pub fn quoted(&self) -> String {
        quoted(&self.message)
    }

    /// Returns what it is known again by when the code around it has moved: no lines are in it.
    pub fn known_by(&self, root: &AbsPath) -> String {
        let path = self.path.shown_from(root);
        let (source, code) = (self.source.as_deref().unwrap_or("-"), self.plain_code().unwrap_or("-"));
        format!("{source} {code} {path}: {}", self.plain_message())
    }

    /// Returns the code that stands for the same finding without a suggestion.
    pub fn plain_code(&self) -> Option<&str> {
        let code = self.code.as_deref()?;
        Some(SUGGESTING.iter().find(|(with, _)| *with == code).map_or(code, |(_, without)| without))
    }

    /// Returns the message without a suggestion that a code of its own stands for.
    pub fn plain_message(&self) -> &str {
        let is_suggesting = self.plain_code() != self.code.as_deref();
        self.message.split_once(" Did you mean ").filter(|_| is_suggesting).map_or(&self.message, |(said, _)| said)
    }
}

/// Codes of findings that suggest another spelling, with those of the same findings that suggest none. tsc makes ten
/// suggestions and no more (TypeScript 5.9, `maximumSuggestionCount`): which findings get one hangs on how many others there are.
const SUGGESTING: &[(&str, &str)] = &[
    ("TS2551", "TS2339"),
    ("TS2552", "TS2304"),
    ("TS2561", "TS2353"),
    ("TS2724", "TS2305"),
    ("TS2820", "TS2322"),
    ("TS2833", "TS2503"),
];

impl Interface {
    /// Returns `identical` or `changed`, where bytecode was made.
    pub fn bytecode(&self) -> Option<&'static str> {
        Some(if self.is_identical? { "identical" } else { "changed" })
    }
}

impl Verification {
    /// The outcome of a comparison that was carried out.
    pub fn compared(level: Level, mut new_problems: Vec<Problem>) -> Self {
        new_problems.sort();
        let status = if new_problems.is_empty() { Status::Clean } else { Status::Regressed };
        Self { level, status, new_problems, files_looked_at: 0, files_left_out: 0, reason: None, interface: None }
    }

    /// The same outcome where a plan's remarks tell of what no checker can judge: what was clean is so no more.
    #[must_use]
    pub fn in_doubt(self, remarks: &Digest) -> Self {
        self.unless(doubt(remarks))
    }

    /// The same outcome with how many files were looked at, and how many that could be affected were not: what was clean
    /// is so no more where there are such.
    #[must_use]
    pub fn over(self, looked_at: usize, left_out: usize) -> Self {
        let left_out = self.files_left_out + left_out;
        let found = Self { files_looked_at: looked_at, files_left_out: left_out, ..self };
        if left_out == 0 || !matches!(found.status, Status::Clean | Status::Possible) {
            return found;
        }
        let reason = match left_out {
            1 => "a file that what changes can reach was not looked at".to_owned(),
            count => format!("{count} files that what changes can reach were not looked at"),
        };
        found.doubted(reason)
    }

    /// The same outcome where there may be a reason to doubt what was found clean.
    #[must_use]
    pub fn unless(self, doubt: Option<String>) -> Self {
        match doubt.filter(|_| self.status == Status::Clean) {
            Some(doubt) => self.doubted(doubt),
            None => self,
        }
    }

    fn doubted(self, doubt: String) -> Self {
        let reason = self.reason.map_or_else(|| doubt.clone(), |reason| format!("{doubt}; {reason}"));
        Self { status: Status::Possible, reason: Some(reason), ..self }
    }

    /// The outcome where the comparison could not be carried out.
    pub fn unverified(level: Level, reason: impl AsRef<str>) -> Self {
        Self {
            level,
            status: Status::Unverified,
            new_problems: Vec::new(),
            files_looked_at: 0,
            files_left_out: 0,
            reason: Some(one_line(reason.as_ref()).into_owned()),
            interface: None,
        }
    }
}

/// Counts the uses of values of no known type, the names that are put together at run time, and the edits that nothing proves.
fn doubt(remarks: &Digest) -> Option<String> {
    let files = |count: Count| match count.files {
        0 => String::new(),
        1 => " in 1 file".to_owned(),
        files => format!(" in {files} files"),
    };
    let told = |kind, one: &str, many: &str| {
        let count = remarks.count(kind);
        let what = if count.places == 1 { one } else { many };
        (count.places > 0).then(|| format!("{} {what}{}", count.places, files(count)))
    };
    let uses = told(WarningKind::PossibleUse, "use of unknown type", "uses of unknown type");
    let names = told(WarningKind::RunTime, "name that the program looks up", "names that the program looks up");
    let doubts: Vec<String> = uses.into_iter().chain(names).collect();
    let changes = (!doubts.is_empty()).then(|| format!("{} may have to change", doubts.join(" and ")));
    let agreed = remarks.count(WarningKind::Unconfirmed);
    let agreed = (agreed.places > 0).then(|| match agreed.places {
        1 => format!("1 edit{} needs somebody to confirm it", files(agreed)),
        many => format!("{many} edits{} need somebody to confirm them", files(agreed)),
    });
    let is_partial = remarks.count(WarningKind::PartlyRead).places > 0;
    let partial = is_partial.then(|| "a server did not read all of the project".to_owned());
    let said: Vec<String> = changes.into_iter().chain(agreed).chain(partial).collect();
    (!said.is_empty()).then(|| said.join("; "))
}
