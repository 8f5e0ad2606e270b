//! What the write tools are asked with.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::plan::Level;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AddArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    /// A file; one that is not there is made.
    pub(super) path: String,
    pub(super) source: String,
    /// before:ID, after:ID or end (default).
    pub(super) position: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MethodArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    pub(super) class_id: String,
    pub(super) source: String,
    /// before:ID, after:ID or end (default).
    pub(super) position: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    /// Of the class, struct, interface or contract.
    pub(super) target_id: String,
    pub(super) name: String,
    /// As the language writes it.
    #[serde(rename = "type")]
    pub(super) type_name: String,
    /// What it is set to where nothing else is said.
    pub(super) default: Option<String>,
    /// The constructor takes and sets it, too.
    #[serde(default)]
    pub(super) injected: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplaceArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    pub(super) id: String,
    /// The whole declaration anew.
    pub(super) source: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EditArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    pub(super) id: String,
    /// Stands once in the declaration.
    pub(super) old: String,
    pub(super) new: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    pub(super) id: String,
    /// Refuse while something uses it.
    #[serde(default)]
    pub(super) safe: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RenameArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    pub(super) id: String,
    pub(super) new_name: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    pub(super) id: String,
    /// A module's path.
    pub(super) to: String,
    /// There: before:ID, after:ID or end (default).
    pub(super) position: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SaveArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    /// A file or directory; default: all drafts.
    pub(super) path: Option<String>,
    /// Default: diagnostics.
    #[serde(default = "diagnostics")]
    pub(super) verify: Level,
    /// In spite of the check.
    #[serde(default)]
    pub(super) force: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DiscardArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    /// A file or directory; default: all drafts.
    pub(super) path: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ViewsArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    /// File or directory; default: the project.
    pub(super) path: Option<String>,
    /// Directory for the views: in the project, or an absolute path that holds nothing else.
    pub(super) into: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SyncArgs {
    #[serde(rename = "projectRoot")]
    pub(super) project_root: Option<String>,
    /// A view, or a directory of views.
    pub(super) path: String,
}

fn diagnostics() -> Level {
    Level::Diagnostics
}
