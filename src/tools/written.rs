//! `verifyPlan`, `applyPlan` and `undoPlan`: what happens to a plan that exists already.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answer::{Answer, Form};
use super::call::parse;
use super::plan::Level;
use super::schema::tidy;
use super::tool::{Effect, Tool, Toolset};
use super::{Context, ObjectionPolicy, Objections, Planned, ToolError};
use crate::render::json::{VerificationJson, schema_of_input, schema_of_output};
use crate::verify::{Check, PlanOrigin};
use crate::workspace::apply::Applied;

pub(super) const VERIFY: Tool = Tool {
    name: "verifyPlan",
    title: "Check a plan",
    description: "Lists the problems that a plan would bring to any file that it can affect.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<VerifyArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<VerifiedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&verify(context, parse(args)?).await?) }),
};

pub(super) const APPLY: Tool = Tool {
    name: "applyPlan",
    title: "Apply a plan",
    description: "Checks a plan and writes it, all or nothing; cheapest by planId.",
    toolset: Toolset::Plan,
    effect: Effect::Writes,
    input: || tidy(schema_of_input::<ApplyPlanArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<AppliedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&apply(context, parse(args)?).await?) }),
};

pub(super) const UNDO: Tool = Tool {
    name: "undoPlan",
    title: "Undo a plan",
    description: "Takes back a plan that was applied, or the last one; refused where its files changed since.",
    toolset: Toolset::Plan,
    effect: Effect::Writes,
    input: || tidy(schema_of_input::<UndoArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<AppliedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&undo(context, &parse(args)?).await?) }),
};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerifyArgs {
    pub project_root: Option<String>,
    /// Of a plan made here, or:
    pub plan_id: Option<String>,
    pub plan: Option<Map<String, Value>>,
    /// Default: diagnostics.
    #[serde(default = "diagnostics")]
    pub level: Level,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplyPlanArgs {
    pub project_root: Option<String>,
    pub plan_id: Option<String>,
    pub plan: Option<Map<String, Value>>,
    /// Default: diagnostics.
    #[serde(default = "diagnostics")]
    pub verify: Level,
    /// Refuses possible uses, too.
    #[serde(default)]
    pub strict: bool,
    /// In spite of the check.
    #[serde(default)]
    pub force: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoArgs {
    pub project_root: Option<String>,
    pub plan_id: Option<String>,
}

fn diagnostics() -> Level {
    Level::Diagnostics
}

/// What a check found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Verified")]
pub struct VerifiedJson {
    /// The outcome in one line, the check's status first.
    pub summary: String,
    pub plan_id: String,
    pub verification: Option<VerificationJson>,
}

/// What was written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Applied")]
pub struct AppliedJson {
    /// The outcome in one line, the check's status first.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Of the plan that was written; of an undo, the inverse one.
    pub plan_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<VerificationJson>,
    pub notes: Vec<String>,
    /// Every file that was written or moved, where it lies now.
    pub changed: Vec<String>,
}

/// Checks a plan.
pub async fn verify(context: &Context, args: VerifyArgs) -> Result<VerifiedJson, ToolError> {
    let planned = existing(context, args.project_root.as_deref(), (args.plan_id, args.plan)).await?;
    let (planned, origin) = planned;
    let planned = planned.checked(context, &Check { origin, ..args.level.into() }).await?;
    planned.remember_check();
    let verification = planned.verification.as_ref().map(VerificationJson::from);
    Ok(VerifiedJson { summary: planned.summary(), plan_id: planned.plan.id().as_str().to_owned(), verification })
}

/// Checks a plan and carries it out.
pub async fn apply(context: &Context, args: ApplyPlanArgs) -> Result<AppliedJson, ToolError> {
    let (planned, origin) = existing(context, args.project_root.as_deref(), (args.plan_id, args.plan)).await?;
    let planned = planned.checked(context, &Check { origin, ..args.verify.into() }).await?;
    planned.heed(Objections::of(ObjectionPolicy { strict: args.strict, force: args.force }))?;
    let applied = planned.project.apply(&planned.plan)?;
    let verification = planned.verification.as_ref().map(VerificationJson::from);
    Ok(AppliedJson { summary: planned.summary(), verification, ..told(&applied) })
}

/// Takes a plan back.
pub async fn undo(context: &Context, args: &UndoArgs) -> Result<AppliedJson, ToolError> {
    let project = context.project_with(args.project_root.as_deref(), args.plan_id.as_deref()).await?;
    let undone = match &args.plan_id {
        Some(id) => project.undo_plan(id)?,
        None => project.undo()?,
    };
    Ok(told(&undone))
}

/// Finds the plan that is meant: one of those made here lately, by its id or handed in again, or one from elsewhere.
async fn existing(
    context: &Context,
    root: Option<&str>,
    named: (Option<String>, Option<Map<String, Value>>),
) -> Result<(Planned, PlanOrigin), ToolError> {
    let project = context.project_with(root, named.0.as_deref()).await?;
    match named {
        (Some(id), None) => Ok((Planned::recalled(project, &id)?, PlanOrigin::Here)),
        (None, Some(plan)) => {
            let read = Planned::read(Arc::clone(&project), &Value::Object(plan).to_string())?;
            match Planned::recalled(project, read.plan.id().as_str()) {
                Ok(known) => Ok((known, PlanOrigin::Here)),
                Err(_) => Ok((read, PlanOrigin::Elsewhere)),
            }
        }
        _ => Err(ToolError::invalid("give either the `planId` of a plan that was made here, or a `plan`")),
    }
}

fn told(applied: &Applied) -> AppliedJson {
    let recovered = applied.recovered.iter().map(ToString::to_string);
    AppliedJson {
        summary: String::new(),
        plan_id: applied.plan.as_str().to_owned(),
        changed: applied.changed.iter().map(ToString::to_string).collect(),
        notes: recovered.chain(applied.notes.iter().map(ToString::to_string)).collect(),
        verification: None,
    }
}
