//! What the inspection tools are asked with.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::inspect;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StructureArgs {
    pub project_root: Option<String>,
    pub path: String,
    #[serde(default)]
    pub depth: Depth,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalyzeArgs {
    pub project_root: Option<String>,
    pub path: String,
    /// Names such as long-method; all by default.
    #[serde(default)]
    pub smells: Vec<String>,
}

// How far down the answer goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Depth {
    File,
    #[default]
    Class,
    Method,
}

impl From<Depth> for inspect::Depth {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::File => Self::File,
            Depth::Class => Self::Class,
            Depth::Method => Self::Method,
        }
    }
}
