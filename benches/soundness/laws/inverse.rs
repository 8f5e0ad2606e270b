//! Inverse: renamed back, the files are byte for byte the old ones.

use std::collections::BTreeSet;

use lspwright::plan::Plan;
use lspwright::text::AbsPath;

use super::case::Case;
use super::ground::{Ground, Reply};
use super::{Law, Verdict};
use crate::random::Random;
use crate::trials::Chosen;

pub const LAW: Law = Law { name: "inverse", judge };

fn judge(ground: &mut Ground, case: &Case, _: &mut Random) -> Verdict {
    if let Err(reason) = ground.stand_on(Some(&case.plan)) {
        return Verdict::Failed(reason);
    }
    let Some(offset) = place_after(&case.plan, &case.chosen) else {
        return Verdict::Broken("the plan does not rename the place that was asked for".to_owned());
    };
    let names = (case.chosen.fresh[0].as_str(), case.chosen.old.as_str());
    match ground.ask_at((&case.chosen.path, offset), names) {
        Reply::Plan(back) => {
            let left = left_changed(&case.plan, &back);
            left.map_or(Verdict::Held, |left| Verdict::Broken(format!("renamed back:\n{left}")))
        }
        Reply::Refused(reason) => Verdict::Broken(format!("the way back is refused: {reason}")),
        Reply::Failed(reason) => Verdict::Failed(reason),
    }
}

/// Returns where the name stands after a plan that renames it.
pub fn place_after(plan: &Plan, chosen: &Chosen) -> Option<usize> {
    let (_, file) = plan.edits().iter().find(|(path, _)| path.as_path() == chosen.path)?;
    let edit = file.edits.iter().find(|edit| edit.span.touches(chosen.offset))?;
    let within = edit.new_text.find(&chosen.fresh[0])?;
    let start = file
        .edits
        .iter()
        .take_while(|one| one.span.start < edit.span.start)
        .fold(0_isize, |moved, one| moved + one.new_text.len().cast_signed() - one.span.len().cast_signed());
    Some(edit.span.start.saturating_add_signed(start) + within)
}

/// Tells which files are not what they were once both plans are carried out, each with the first line that differs.
fn left_changed(there: &Plan, back: &Plan) -> Option<String> {
    let paths: BTreeSet<&AbsPath> = there.edits().keys().chain(back.edits().keys()).collect();
    let mut left = Vec::new();
    for path in paths {
        let before = there.edits().get(path).map(|file| file.before.clone());
        let after = back.text_after(path).or_else(|| there.text_after(path));
        let (Some(before), Some(after)) = (before, after) else {
            left.push(format!("  {path}: only the way back changes it"));
            continue;
        };
        let lines = before.as_str().lines().zip(after.as_str().lines()).enumerate();
        if before.as_str() != after.as_str() {
            let first = lines.into_iter().find(|(_, (old, new))| old != new);
            let told =
                first.map(|(at, (old, new))| format!("{}: `{}` came back as `{}`", at + 1, old.trim(), new.trim()));
            left.push(format!("  {path}:{}", told.unwrap_or_default()));
        }
    }
    left.truncate(8);
    (!left.is_empty()).then(|| left.join("\n"))
}
