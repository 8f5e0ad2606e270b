//! What the build tools are asked with.

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// File or directory; default: the project.
    pub path: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalyzeArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    /// A source file.
    pub(super) path: String,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// File or directory; default: all of the project's.
    pub path: Option<String>,
    /// Part of a test's name.
    pub filter: Option<String>,
    /// So many that passed are named; more are counted. 5.
    pub limit: Option<usize>,
    /// Seconds; 300.
    pub timeout: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    pub path: String,
    #[serde(default)]
    pub args: Vec<String>,
    /// Seconds; 30.
    pub timeout: Option<u64>,
    pub stdin: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompileArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// File or directory; default: the project.
    pub path: Option<String>,
    /// Directory for what comes of it; default: none (tsc), the usual one (cargo).
    pub output: Option<String>,
    /// Seconds; 300.
    pub timeout: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrettyArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// Of a whole file, or:
    pub path: Option<String>,
    /// Or a target: src/order.py::Order::total.
    pub id: Option<String>,
    /// 1-based; where an earlier answer's `nextLine` said.
    pub from_line: Option<u32>,
}
