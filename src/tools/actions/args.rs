//! What the tools for problems and actions are asked with.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::plan;
use crate::tools::plan::Level;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProblemsArgs {
    pub project_root: String,
    /// Files or directories; all by default.
    #[serde(default)]
    pub paths: Vec<String>,
    /// The lowest; warning by default.
    #[serde(default)]
    pub severity: Lowest,
    pub source: Option<String>,
    /// Lists its places.
    pub rule: Option<String>,
    pub limit: Option<usize>,
}

/// The lowest severity that is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Lowest {
    Error,
    #[default]
    Warning,
    Information,
    Hint,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionsArgs {
    pub project_root: String,
    /// src/order.py:12:9, src/order.py#L10-L15, a symbol, a file; or:
    pub target: Option<String>,
    pub file_path: Option<String>,
    pub line: Option<u32>,
    pub character: Option<u32>,
    pub end_line: Option<u32>,
    pub end_character: Option<u32>,
    /// Such as quickfix, refactor, source.
    #[serde(default)]
    pub kinds: Vec<String>,
    #[serde(default)]
    pub preferred: bool,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionArgs {
    pub project_root: String,
    /// The place as it was listed.
    pub target: Option<String>,
    pub file_path: Option<String>,
    pub line: Option<u32>,
    pub character: Option<u32>,
    pub end_line: Option<u32>,
    pub end_character: Option<u32>,
    #[serde(default)]
    pub kinds: Vec<String>,
    /// As listed, or its title.
    pub action: String,
    #[serde(default)]
    pub verify: Level,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FixArgs {
    pub project_root: String,
    #[serde(default)]
    pub paths: Vec<String>,
    /// organizeImports, addMissingImports, removeUnused, fixAll, or rules such as F401.
    pub fixes: Vec<String>,
    #[serde(default)]
    pub verify: Level,
}

impl From<Lowest> for plan::Severity {
    fn from(lowest: Lowest) -> Self {
        match lowest {
            Lowest::Error => Self::Error,
            Lowest::Warning => Self::Warning,
            Lowest::Information => Self::Information,
            Lowest::Hint => Self::Hint,
        }
    }
}
