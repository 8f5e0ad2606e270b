//! An edit on its way to the disk: a plan like any other, checked where that was asked for, written and told.

use std::sync::Arc;

use super::super::excerpt;
use super::place::Place;
use crate::plan::{FileEdit, Level, Plan, Status};
use crate::tools::{Context, Planned, ToolError};
use crate::verify::Check;

/// How many lines of the text around a change are shown on either side.
const AROUND: usize = 3;
/// How much of a change is shown, in bytes.
const MOST_SHOWN: usize = 4_000;
/// Nobody reads the end of a longer line.
const LONGEST_LINE: usize = 500;

/// Whether an edit's answer says what the servers find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Findings {
    Told,
    Unasked,
}

impl Findings {
    pub(super) fn of(check: bool) -> Self {
        if check { Self::Told } else { Self::Unasked }
    }
}

/// Writes a plan, and tells what was done, with the lines around it, and what the servers find in it.
pub(super) async fn write(
    context: &Context,
    place: &Place,
    (plan, findings): (Plan, Findings),
    done: &str,
) -> Result<String, ToolError> {
    let shown = plan.edits().values().map(snippet).collect::<String>();
    let planned = Planned::made(Arc::clone(&place.project), plan)?;
    let planned = match findings {
        Findings::Told => planned.checked(context, &Check { level: Level::Diagnostics, ..Check::default() }).await?,
        Findings::Unasked => planned,
    };
    let applied = planned.project.apply(&planned.plan)?;
    let mut said = format!("{done} (plan {}; undoPlan takes it back)\n", applied.plan.as_str());
    for note in applied.recovered.iter().map(ToString::to_string).chain(applied.notes.iter().map(ToString::to_string)) {
        said += &format!("{note}\n");
    }
    if findings == Findings::Told {
        said += &format!("{}\n", found(&planned));
    }
    Ok(said + &shown)
}

/// Tells what the check found in words: nothing new, the new problems, or why it could not look.
fn found(planned: &Planned) -> String {
    let status = planned.verification.as_ref().map(|found| found.status);
    let problems = planned.remarks().into_iter().filter(|remark| remark.starts_with("new ")).collect::<Vec<_>>();
    match status {
        Some(Status::Clean | Status::Possible) if problems.is_empty() => "the servers find nothing new".to_owned(),
        _ => std::iter::once(format!("the servers say: {}", planned.verdict()))
            .chain(problems)
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

/// Shows the changed lines of a file as they are now, with their numbers.
fn snippet(edit: &FileEdit) -> String {
    let after = edit.after();
    let Some(first) = edit.edits.iter().next() else { return String::new() };
    let breaks = |offset: usize| after.as_str().as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count();
    let start = breaks(first.span.start).saturating_sub(AROUND);
    let end = breaks(end_of(edit)) + AROUND;
    numbered(after.as_str(), start, end)
}

/// Returns the last byte that the edits made, in the text after them.
fn end_of(edit: &FileEdit) -> usize {
    let mut moved = 0_isize;
    let mut end = 0;
    for one in edit.edits.iter() {
        end = one.span.start.saturating_add_signed(moved) + one.new_text.len();
        moved += one.new_text.len().cast_signed() - one.span.len().cast_signed();
    }
    end.saturating_sub(1)
}

/// Numbers the lines from `first` to `last` (0-based, both included) as an editor does, 1-based.
fn numbered(text: &str, first: usize, last: usize) -> String {
    let lines = text.lines().enumerate().skip(first).take(last + 1 - first);
    let shown: String =
        lines.map(|(at, line)| format!("{:>6}\t{}\n", at + 1, excerpt::line(line, LONGEST_LINE))).collect();
    excerpt::lines(&shown, MOST_SHOWN, |left| format!("{left} more lines of the change; view shows them"))
}
