//! `task_done`: an agent says that it is through.

use super::super::answer::Form;
use super::super::call::parse;
use super::super::schema::tidy;
use super::super::tool::{Effect, Tool, Toolset};
use crate::render::json::schema_of_input;
use crate::tools::Answer;

use schemars::JsonSchema;
use serde::Deserialize;

pub(in crate::tools) const TASK_DONE: Tool = Tool {
    name: "task_done",
    title: "Say that the task is done",
    description: "Says that the task is done; call it once, after the work was checked.",
    toolset: Toolset::Coding,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<DoneArgs>()),
    form: Form::Text,
    run: |_, args| {
        Box::pin(async move {
            parse::<DoneArgs>(args)?;
            Ok(Answer::Whole("Task done.".to_owned()))
        })
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DoneArgs {
    /// Comes with every call of a server that was started for one project.
    #[serde(rename = "projectRoot")]
    #[schemars(skip)]
    _project_root: Option<String>,
}
