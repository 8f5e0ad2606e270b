//! What the refactoring tools are asked with.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::tools::ToolError;
use crate::tools::plan::Level;
use crate::verify::Check;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListArgs {
    pub language: Option<String>,
    /// Such as composing_methods.
    pub category: Option<String>,
    /// The list is the same for every project.
    #[schemars(skip)]
    pub project_root: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    pub refactoring: String,
    /// Such as src/order.py::Order::total#L10-L15, src/order.ts#Order.total, src/a.py:12:9.
    pub target: String,
    #[serde(default)]
    pub params: Map<String, Value>,
    #[serde(default)]
    pub verify: Cheap,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApplyArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    pub refactoring: Option<String>,
    pub target: Option<String>,
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Of a preview, instead of the three above.
    pub plan_id: Option<String>,
    #[serde(default)]
    pub verify: Careful,
    /// Even if it brings new problems.
    #[serde(default)]
    pub force: bool,
}

// A level of checks that is syntax unless another is asked for.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Cheap(pub Level);

// A level of checks that is diagnostics unless another is asked for.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Careful(pub Level);

impl Default for Cheap {
    fn default() -> Self {
        Self(Level::Syntax)
    }
}

impl Default for Careful {
    fn default() -> Self {
        Self(Level::Diagnostics)
    }
}

impl From<Cheap> for Check {
    fn from(level: Cheap) -> Self {
        level.0.into()
    }
}

impl From<Careful> for Check {
    fn from(level: Careful) -> Self {
        level.0.into()
    }
}

impl ApplyArgs {
    /// Returns what is to be planned first.
    pub(super) fn wanted(&self) -> Result<PreviewArgs, ToolError> {
        let (Some(refactoring), Some(target)) = (self.refactoring.clone(), self.target.clone()) else {
            return Err(ToolError::invalid("give a refactoring and its target, or the plan_id of a preview"));
        };
        let (project_root, params) = (self.project_root.clone(), self.params.clone());
        Ok(PreviewArgs { project_root, refactoring, target, params, verify: Cheap::default() })
    }
}
