//! How much of a plan is handed out: all of it, or what it does and where it is to be had.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::{Answer, USUAL, fits};
use super::call::to_json;
use super::schema::tidy;
use super::{Planned, ToolError};
use crate::plan::Plan;
use crate::render::json::{PlanJson, RenameJson, schema_of_output};
use crate::render::{self, Omitted, PlanSummary, PreviewAnswer, outline, pieces, tokens, write_toon};

// How much of a plan is handed out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Detail {
    // The edits where they fit into an answer, else a summary.
    #[default]
    Auto,
    Summary,
    // The edits, whatever they cost.
    Edits,
    Diff,
    // The edits as TOON.
    Toon,
}

/// What a plan answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Rename,
    Move,
}

/// Returns the schema of what a plan tool answers: a plan, or the summary that stands for one that does not fit.
pub(super) fn output<T: JsonSchema>() -> Value {
    let (mut whole, summary) = (tidy(schema_of_output::<T>()), tidy(schema_of_output::<PlanSummary>()));
    for part in ["properties", "$defs"] {
        for (name, inner) in summary[part].as_object().into_iter().flatten() {
            // Only of renames a plan says whether they are possible.
            if whole[part].get(name).is_none() && name != "canRename" {
                whole[part][name] = inner.clone();
            }
        }
    }
    if let Some(required) = whole["required"].as_array_mut() {
        let also = |name: &Value| summary["required"].as_array().is_some_and(|names| names.contains(name));
        required.retain(also);
    }
    whole
}

/// What a resource that is a plan is called; its diff is called the same with `/diff` behind it.
pub const RESOURCES: &str = "lspwright://plans/";

impl Planned {
    /// Hands the plan out: whole or not at all.
    pub(super) fn handed_out(&self, asked: Asked, detail: Detail) -> Result<Answer, ToolError> {
        let whole = || self.whole(asked);
        let why = match detail {
            Detail::Edits => return whole().map(Answer::Whole),
            Detail::Toon => return Ok(self.in_toon(asked)),
            Detail::Summary | Detail::Diff => NOT_ASKED_FOR.to_owned(),
            Detail::Auto => {
                let text = whole()?;
                if fits(&text) {
                    return Ok(Answer::Whole(text));
                }
                too_long(&text)
            }
        };
        let PlanJson { summary, plan_id, project_root, verification, warning_counts, warnings, .. } = self.to_json();
        let mut answer = serde_json::to_value(PlanSummary {
            can_rename: (asked == Asked::Rename).then_some(true),
            summary,
            plan_id,
            project_root,
            verification,
            warning_counts,
            edits_omitted: self.omitted(why),
            warnings,
            changes: outline(&self.plan, self.project.root()),
        })
        .expect("strings and numbers have a JSON form");
        if detail == Detail::Diff {
            answer["changes"] = json!(pieces(&self.plan, self.project.root()));
        }
        Ok(Answer::Lists(answer))
    }

    /// Hands the diffs of a preview out: all of them, none, or piece by piece.
    pub(super) fn shown(&self, preview: &PreviewAnswer, detail: Detail) -> Result<Answer, ToolError> {
        let why = match detail {
            Detail::Edits | Detail::Toon => return Ok(Answer::Whole(write_toon(preview))),
            Detail::Auto => {
                let text = write_toon(preview);
                if fits(&text) {
                    return Ok(Answer::Whole(text));
                }
                too_long(&text)
            }
            Detail::Summary | Detail::Diff => NOT_ASKED_FOR.to_owned(),
        };
        let root = self.project.root();
        let Answer::Lists(mut answer) = Answer::of(preview)? else { return Ok(Answer::Lists(Value::Null)) };
        if detail == Detail::Diff {
            answer["changes"] = json!(pieces(&self.plan, root));
        } else {
            answer["changes"] = json!(outline(&self.plan, root));
            answer["preview"]["diffs_omitted"] = json!(why);
            answer["preview"]["plan_path"] = json!(self.path());
            answer["preview"]["next"] = json!(NEXT_OF_PREVIEW);
        }
        Ok(Answer::Lists(answer))
    }

    fn whole(&self, asked: Asked) -> Result<String, ToolError> {
        match asked {
            Asked::Rename => to_json(&RenameJson::of(self.to_json())),
            Asked::Move => to_json(&self.to_json()),
        }
    }

    fn in_toon(&self, asked: Asked) -> Answer {
        let text = render::toon(&self.plan, self.verification.as_ref(), self.project.root());
        let (plan_id, root) = (self.plan.id(), self.project.root());
        let mut head = json!({"summary": self.summary(), "planId": plan_id.as_str(), "projectRoot": root.as_str()});
        if asked == Asked::Rename {
            head["canRename"] = json!(true);
        }
        Answer::Toon { text, head }
    }

    fn omitted(&self, why: String) -> Omitted {
        let plan = &self.plan;
        Omitted {
            why,
            edits: plan.edits().values().map(|file| file.edits.iter().count()).sum(),
            files: files(plan),
            moves: plan.moves().len(),
            creates: plan.creates().len(),
            deletes: plan.deletes().len(),
            plan_path: self.path(),
            resource: format!("{RESOURCES}{}", plan.id().as_str()),
            next: NEXT.to_vec(),
        }
    }

    /// Writes the plan into a file of its own, and returns where; nothing where that is not possible.
    fn path(&self) -> Option<String> {
        let json = to_json(&self.to_json()).ok()?;
        self.project.written(&self.plan, &json).map(|path| path.to_string())
    }
}

const NEXT: [&str; 4] = [
    "read the warnings, then applyPlan with this planId: it writes all of it",
    "detail: diff shows it for reading, part by part",
    "detail: edits hands out all edits in one piece",
    "planPath is a file with the whole plan",
];

const NEXT_OF_PREVIEW: [&str; 2] =
    ["apply_refactoring with this plan_id writes all of it", "detail: diff shows it, part by part"];

const NOT_ASKED_FOR: &str = "they were not asked for";

fn too_long(text: &str) -> String {
    format!("the whole is about {} tokens, and an answer has {USUAL}", tokens(text))
}

/// Counts the files that a plan touches.
fn files(plan: &Plan) -> usize {
    let moved = plan.moves().keys().filter(|path| !plan.edits().contains_key(*path)).count();
    plan.edits().len() + moved + plan.creates().len() + plan.deletes().len()
}
