//! What the tools for problems and actions are asked with.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::plan;
use crate::tools::detail::Detail;
use crate::tools::plan::Level;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProblemsArgs {
    pub project_root: Option<String>,
    #[serde(default)]
    pub paths: Vec<String>,
    // The lowest.
    #[serde(default)]
    pub severity: Lowest,
    pub source: Option<String>,
    /// Lists its places.
    pub rule: Option<String>,
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
    pub project_root: Option<String>,
    /// src/order.py:12:9, src/order.py:12:9-14:3, src/order.py#L10-L15, a symbol, a file; or:
    pub target: Option<String>,
    pub file_path: Option<String>,
    pub line: Option<u32>,
    pub character: Option<u32>,
    /// quickfix, refactor, source …
    #[serde(default)]
    pub kinds: Vec<String>,
    #[serde(default)]
    pub preferred: bool,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionArgs {
    pub project_root: Option<String>,
    /// The place, as the list says it.
    pub target: String,
    /// The id or the title.
    pub action: String,
    #[serde(default)]
    pub verify: Level,
    #[serde(default)]
    pub detail: Detail,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FixArgs {
    pub project_root: Option<String>,
    #[serde(default)]
    pub paths: Vec<String>,
    /// organizeImports, addMissingImports, removeUnused, fixAll, or rules such as F401.
    pub fixes: Vec<String>,
    #[serde(default)]
    pub verify: Level,
    #[serde(default)]
    pub detail: Detail,
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
