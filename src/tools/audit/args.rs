//! What the audit tools are asked with.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::audit::Selector;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntrypointsArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// Instead of paths.
    pub files: Option<Vec<FileArg>>,
    /// Files, directories or globs.
    pub paths: Option<Vec<String>>,
    /// Default: solidity.
    pub language: Option<String>,
    /// Also view and pure functions.
    #[serde(default)]
    pub include_view: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InsightsArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// Instead of paths.
    pub files: Option<Vec<FileArg>>,
    pub paths: Option<Vec<String>>,
    pub language: Option<String>,
    pub selector: SelectorArgs,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SelectorArgs {
    pub file: String,
    /// Or class.
    pub contract: Option<String>,
    pub name: String,
    pub signature: Option<String>,
}

impl From<SelectorArgs> for Selector {
    fn from(args: SelectorArgs) -> Self {
        // `withdraw(uint256)` names an overload, too.
        let at = args.name.find('(').filter(|_| args.signature.is_none());
        let signature = at.map(|at| args.name[at..].to_owned()).or(args.signature);
        let name = at.map_or(args.name.as_str(), |at| &args.name[..at]).to_owned();
        Self { file: args.file, contract: args.contract, name, signature }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathsArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// Files, directories or globs.
    pub paths: Vec<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallgraphArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    pub paths: Vec<String>,
    /// Contract.function
    pub root: Option<String>,
    pub depth: Option<usize>,
}

// A text that is handed in.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct FileArg {
    pub path: String,
    pub content: String,
}
