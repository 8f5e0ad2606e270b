//! What is to be mended, and by what.

use super::fix_edits::imports;
use crate::plan::Problem;
use crate::syntax::Language;
use crate::text::TextEdit;

/// What is to be mended, in the order in which it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fix {
    /// First: what a name means that nothing declared is only found wrong afterwards.
    AddMissingImports,
    /// Findings with this code, such as `F401` or `TS2304`.
    Rule(String),
    /// What the servers fix by themselves (`source.fixAll`).
    FixAll,
    RemoveUnused,
    /// Last: the others add imports, and leave some without a use.
    OrganizeImports,
}

/// Fixes that are made together, over and over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    Imports,
    Names,
    Rules,
    Files,
}

/// The codes of names that nothing declares.
pub(super) const UNDECLARED: &[&str] =
    &["reportUndefinedVariable", "unknown-name", "TS2304", "TS2503", "TS2552", "TS2686", "TS18004"];
/// The codes of imports and variables that nobody uses, where the server has no action for all of them.
const UNUSED: &[&str] = &["F401", "F841"];

impl Fix {
    /// Reads a fix by its name; any other word is the code of a rule.
    pub fn named(name: &str) -> Self {
        match name {
            "organizeImports" => Self::OrganizeImports,
            "addMissingImports" => Self::AddMissingImports,
            "removeUnused" => Self::RemoveUnused,
            "fixAll" => Self::FixAll,
            rule => Self::Rule(rule.to_owned()),
        }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::OrganizeImports => "organizeImports",
            Self::AddMissingImports => "addMissingImports",
            Self::RemoveUnused => "removeUnused",
            Self::FixAll => "fixAll",
            Self::Rule(rule) => rule,
        }
    }

    /// Tells when it is made. A name that nobody declares makes others unknown, and their fixes wrong.
    pub(super) fn stage(&self) -> Stage {
        match self {
            Self::AddMissingImports => Stage::Imports,
            Self::Rule(rule) if UNDECLARED.iter().any(|code| code == rule || code.strip_prefix("TS") == Some(rule)) => {
                Stage::Names
            }
            Self::Rule(_) => Stage::Rules,
            Self::FixAll | Self::RemoveUnused | Self::OrganizeImports => Stage::Files,
        }
    }

    /// The kind of action that does it to a file as a whole.
    pub(super) fn kind(&self) -> Option<&'static str> {
        match self {
            Self::OrganizeImports => Some("source.organizeImports"),
            Self::RemoveUnused => Some("source.removeUnused"),
            Self::FixAll => Some("source.fixAll"),
            // Of several candidates, actions for a whole file take the first.
            Self::AddMissingImports | Self::Rule(_) => None,
        }
    }

    /// What a server calls an action that does it to a file as a whole and goes by no kind of its own: rust-analyzer's (1.95),
    /// which finds no unused import by itself.
    pub(super) fn title(&self, language: Option<Language>) -> Option<&'static str> {
        let is_it = *self == Self::RemoveUnused && language == Some(Language::Rust);
        is_it.then_some("Remove all unused imports")
    }

    /// Tells whether a finding is one that is to be mended.
    pub(super) fn concerns(&self, problem: &Problem) -> bool {
        let Some(code) = problem.code.as_deref() else { return false };
        match self {
            Self::Rule(rule) => code == rule || code.strip_prefix("TS") == Some(rule),
            Self::AddMissingImports => UNDECLARED.contains(&code),
            Self::RemoveUnused => UNUSED.contains(&code),
            Self::FixAll | Self::OrganizeImports => false,
        }
    }

    /// Tells whether edits are of the kind that the fix is for: imports of the name that is missed.
    pub(super) fn takes(&self, edits: &[TextEdit], name: &str) -> bool {
        *self != Self::AddMissingImports || edits.iter().any(|edit| imports(&edit.new_text, name))
    }
}
