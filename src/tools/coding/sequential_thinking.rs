//! `sequential_thinking`: a chain of thoughts, noted one by one.

use super::super::answer::{Answer, Form};
use super::super::call::{parse, to_json};
use super::super::schema::tidy;
use super::super::tool::{Effect, Tool, Toolset};
use super::thoughts::{ThoughtArgs, ThoughtsJson};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::workspace::locked;

pub(in crate::tools) const SEQUENTIAL_THINKING: Tool = Tool {
    name: "sequential_thinking",
    title: "Think step by step",
    description: "Notes one thought of a chain; earlier ones can be revised or branched from. Answers where the chain stands.",
    toolset: Toolset::Coding,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ThoughtArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<ThoughtsJson>())),
    run: |context, args| {
        Box::pin(async move { to_json(&locked(&context.desk.thoughts).take(parse(args)?)?).map(Answer::Whole) })
    },
};
