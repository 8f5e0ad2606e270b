//! What the plan tools are asked with.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::plan;
use crate::refactor::rename;
use crate::tools::detail::Detail;
use crate::verify::Check;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenameArgs {
    pub project_root: Option<String>,
    pub file_path: Option<String>,
    /// 0-based.
    pub line: Option<u32>,
    /// 0-based, UTF-16.
    pub character: Option<u32>,
    /// Instead of filePath, line, character: src/order.py::Order::total, src/order.ts#Order.total.
    pub target: Option<String>,
    pub new_name: String,
    #[serde(default)]
    pub find_in_strings: bool,
    #[serde(default)]
    pub find_in_comments: bool,
    // Also in documents and data.
    #[serde(default)]
    pub find_in_docs: bool,
    // Also on values of unknown type.
    #[serde(default)]
    pub untyped: bool,
    /// The old name, else refused.
    pub expect: Option<String>,
    /// through: follow imports and re-exports; keep: stop at the first re-export.
    #[serde(default)]
    pub aliases: Aliases,
    #[serde(default)]
    pub verify: Level,
    /// auto: edits if they fit.
    #[serde(default)]
    pub detail: Detail,
    /// In spite of a conflict.
    #[serde(default)]
    pub force: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileMoveArgs {
    pub project_root: Option<String>,
    pub old_path: String,
    pub new_path: String,
    // Also old paths and names of modules in documents, data, comments and docstrings.
    #[serde(default)]
    pub find_in_docs: bool,
    #[serde(default)]
    pub verify: Level,
    #[serde(default)]
    pub detail: Detail,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DirectoryMoveArgs {
    pub project_root: Option<String>,
    pub old_dir: String,
    pub new_dir: String,
    // Also old paths and names of modules in documents, data, comments and docstrings.
    #[serde(default)]
    pub find_in_docs: bool,
    #[serde(default)]
    pub verify: Level,
    #[serde(default)]
    pub detail: Detail,
}

/// How far a rename follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Aliases {
    #[default]
    Through,
    Keep,
}

// How far the plan is checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Level {
    #[default]
    None,
    Syntax,
    Diagnostics,
    Project,
}

impl From<Aliases> for rename::Aliases {
    fn from(aliases: Aliases) -> Self {
        match aliases {
            Aliases::Through => Self::Through,
            Aliases::Keep => Self::Keep,
        }
    }
}

impl From<Level> for plan::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::None => Self::None,
            Level::Syntax => Self::Syntax,
            Level::Diagnostics => Self::Diagnostics,
            Level::Project => Self::Project,
        }
    }
}

impl From<Level> for Check {
    fn from(level: Level) -> Self {
        Self { level: level.into(), ..Self::default() }
    }
}
