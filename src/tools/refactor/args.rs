//! What the refactoring tools are asked with.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::refactor::doubts::Doubts;
use crate::tools::detail::Detail;
use crate::tools::plan::Level;
use crate::tools::{ObjectionPolicy, Objections, ToolError};
use crate::verify::Check;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListArgs {
    pub language: Option<String>,
    // Such as composing_methods.
    pub category: Option<String>,
    // Lists what could be done there, by its grammar.
    pub target: Option<String>,
    /// The list is the same for every project.
    #[schemars(skip)]
    pub project_root: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    pub refactoring: Option<String>,
    /// Such as src/order.py::Order::total#L10-L15, src/order.ts#Order.total, src/a.py:12:9.
    pub target: Option<String>,
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Instead: several {refactoring, target, params}, one after the other.
    #[serde(default)]
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub steps: Vec<RefactoringStep>,
    /// Default: syntax.
    #[serde(default)]
    pub verify: Cheap,
    #[serde(default)]
    pub detail: Detail,
    // In spite of doubts.
    #[serde(default)]
    pub force: bool,
    // Lists all that stands in its way instead.
    #[serde(default)]
    pub explain: bool,
}

/// One refactoring.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefactoringStep {
    pub refactoring: String,
    pub target: String,
    #[serde(default)]
    pub params: Map<String, Value>,
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
    #[serde(default)]
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub steps: Vec<RefactoringStep>,
    /// Of a preview, instead of all that.
    pub plan_id: Option<String>,
    /// Default: diagnostics.
    #[serde(default)]
    pub verify: Careful,
    /// Refuses possible uses, too.
    #[serde(default)]
    pub strict: bool,
    /// In spite of the check.
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

impl PreviewArgs {
    pub(super) fn doubts(&self) -> Doubts {
        if self.force { Doubts::Warn } else { Doubts::Refuse }
    }

    /// Returns what is to be done: one step, or several.
    pub(super) fn wanted(&self) -> Result<Vec<RefactoringStep>, ToolError> {
        match (&self.refactoring, &self.target, self.steps.as_slice()) {
            (Some(refactoring), Some(target), []) => {
                let (refactoring, target) = (refactoring.clone(), target.clone());
                Ok(vec![RefactoringStep { refactoring, target, params: self.params.clone() }])
            }
            (None, None, steps) if !steps.is_empty() && self.params.is_empty() => Ok(steps.to_vec()),
            _ => Err(ToolError::invalid("give a `refactoring` with its `target` and `params`, or `steps`")),
        }
    }
}

impl ApplyArgs {
    pub(super) fn objections(&self) -> Objections {
        Objections::of(ObjectionPolicy { strict: self.strict, force: self.force })
    }

    /// Returns what is to be planned first.
    pub(super) fn preview(&self) -> PreviewArgs {
        PreviewArgs {
            project_root: self.project_root.clone(),
            refactoring: self.refactoring.clone(),
            target: self.target.clone(),
            params: self.params.clone(),
            steps: self.steps.clone(),
            verify: Cheap::default(),
            detail: Detail::default(),
            force: self.force,
            explain: false,
        }
    }
}
