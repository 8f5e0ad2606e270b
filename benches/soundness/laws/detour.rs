//! Detour: a rename to a fresh name, and from there on, comes to the same as the direct one.

use std::collections::BTreeSet;

use lspwright::plan::Plan;
use lspwright::text::AbsPath;

use super::case::Case;
use super::ground::{Ground, Reply};
use super::{Law, Verdict, inverse};
use crate::random::Random;

pub const LAW: Law = Law { name: "detour", judge };

fn judge(ground: &mut Ground, case: &Case, _: &mut Random) -> Verdict {
    if let Err(reason) = ground.stand_on(Some(&case.plan)) {
        return Verdict::Failed(reason);
    }
    let direct = match &case.direct {
        Some(Reply::Plan(direct)) => direct,
        Some(Reply::Refused(reason)) => {
            return Verdict::Broken(format!("one fresh name has a plan, the other is refused: {reason}"));
        }
        Some(Reply::Failed(reason)) => return Verdict::Failed(reason.clone()),
        None => return Verdict::Skipped("no direct plan was asked for"),
    };
    let Some(offset) = inverse::place_after(&case.plan, &case.chosen) else {
        return Verdict::Broken("the plan does not rename the place that was asked for".to_owned());
    };
    match ground.ask_at((&case.chosen.path, offset), (&case.chosen.fresh[0], &case.chosen.fresh[1])) {
        Reply::Plan(onward) => {
            let apart = apart(direct, (&case.plan, &onward));
            apart.map_or(Verdict::Held, |apart| Verdict::Broken(format!("on to `{}`:\n{apart}", case.chosen.fresh[1])))
        }
        Reply::Refused(reason) => Verdict::Broken(format!("the way on is refused: {reason}")),
        Reply::Failed(reason) => Verdict::Failed(reason),
    }
}

/// Tells which files are not the same by both ways, each with the first line that differs.
fn apart(direct: &Plan, (first, second): (&Plan, &Plan)) -> Option<String> {
    let all: BTreeSet<&AbsPath> =
        direct.edits().keys().chain(first.edits().keys()).chain(second.edits().keys()).collect();
    let mut told = Vec::new();
    for path in all {
        let by_detour = second.text_after(path).or_else(|| first.text_after(path));
        match (direct.text_after(path), by_detour) {
            (Some(one), Some(other)) if one.as_str() == other.as_str() => {}
            (Some(one), Some(other)) => {
                let mut lines = one.as_str().lines().zip(other.as_str().lines()).enumerate();
                let first = lines.find(|(_, (one, other))| one != other);
                let (at, (one, other)) = first.unwrap_or((0, ("", "")));
                told.push(format!("  {path}:{}: `{}` directly, `{}` by the detour", at + 1, one.trim(), other.trim()));
            }
            (Some(_), None) => told.push(format!("  {path}: only the direct way changes it")),
            (None, _) => told.push(format!("  {path}: only the detour changes it")),
        }
    }
    told.truncate(8);
    (!told.is_empty()).then(|| told.join("\n"))
}
