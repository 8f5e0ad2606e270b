//! A plan as a unified diff, for reading.

use super::hunks;
use super::patch::relative;
use crate::plan::Plan;
use crate::text::AbsPath;

/// Writes a plan for a reader: first what moves and goes, one line each, then the changes in the texts.
pub fn diff(plan: &Plan, root: &AbsPath) -> String {
    with_context(plan, root, hunks::CONTEXT)
}

/// Writes the same with little around each change, for an agent.
pub fn short_diff(plan: &Plan, root: &AbsPath) -> String {
    with_context(plan, root, hunks::LITTLE)
}

fn with_context(plan: &Plan, root: &AbsPath, context: usize) -> String {
    let mut diff = String::new();
    for (from, step) in plan.moves() {
        line(&mut diff, &["move ", &relative(from, root), " -> ", &relative(&step.to, root)]);
    }
    for path in plan.deletes().keys() {
        line(&mut diff, &["delete ", &relative(path, root)]);
    }
    for (path, text) in plan.creates() {
        line(&mut diff, &["--- /dev/null"]);
        line(&mut diff, &["+++ ", &relative(path, root)]);
        diff.push_str(&hunks::of_creation(text));
    }
    for (path, edit) in plan.edits() {
        let after = plan.path_after(path).unwrap_or_else(|| path.clone());
        line(&mut diff, &["--- ", &relative(path, root)]);
        line(&mut diff, &["+++ ", &relative(&after, root)]);
        diff.push_str(&hunks::of_edit(edit, context));
    }
    diff
}

fn line(diff: &mut String, parts: &[&str]) {
    diff.push_str(&parts.concat());
    diff.push('\n');
}
