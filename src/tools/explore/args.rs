//! What the explore tools are asked with.

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModulesArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// File or directory; default: the project.
    pub path: Option<String>,
    /// Such as python, typescript, solidity.
    pub language: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// File or directory.
    pub path: String,
    /// Such as function, class, field; in every language: trait, error, app.
    pub kind: Option<String>,
    #[serde(default)]
    pub visibility: Visibility,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Visibility {
    #[default]
    All,
    #[serde(rename = "pub")]
    Public,
    Private,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// Of a whole file, or:
    pub path: Option<String>,
    /// Or a target: src/order.py::Order::total.
    pub id: Option<String>,
    /// 1-based; where an earlier answer's `nextLine` said.
    pub from_line: Option<u32>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OneArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// Or a target: src/order.py::Order::total.
    pub id: String,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// `total`, or with what it stands in: `Order.total`.
    pub name: String,
    pub kind: Option<String>,
    #[serde(rename = "match", default)]
    pub matching: Match,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Match {
    #[default]
    Exact,
    Prefix,
    Substring,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphArgs {
    #[serde(rename = "projectRoot")]
    pub project_root: Option<String>,
    /// Or a target: src/order.py::Order::total.
    pub id: String,
    /// How many calls in a row; default 3.
    pub depth: Option<usize>,
    #[serde(default)]
    pub direction: Direction,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Direction {
    #[default]
    Calls,
    Callers,
}

impl From<Direction> for crate::declarations::Direction {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Calls => Self::Calls,
            Direction::Callers => Self::Callers,
        }
    }
}
