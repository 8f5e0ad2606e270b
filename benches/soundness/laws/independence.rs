//! Independence: of two renames that share no file, either may be first.

use lspwright::plan::Plan;

use super::case::Case;
use super::ground::{Ground, Reply, difference, shape};
use super::{Law, Verdict};
use crate::random::Random;
use crate::trials::Chosen;

pub const LAW: Law = Law { name: "independence", judge };

fn judge(ground: &mut Ground, case: &Case, _: &mut Random) -> Verdict {
    let Some((other, plan)) = &case.apart else { return Verdict::Skipped("no second rename apart from the first") };
    let asked = ((&case.chosen, &case.plan), (other, plan));
    match after(ground, asked).and_then(|()| after(ground, (asked.1, asked.0))) {
        Ok(()) => Verdict::Held,
        Err(verdict) => verdict,
    }
}

/// Asks for the second rename after the first: its plan is the one that it had before.
fn after(
    ground: &mut Ground,
    ((_, first), (chosen, second)): ((&Chosen, &Plan), (&Chosen, &Plan)),
) -> Result<(), Verdict> {
    ground.stand_on(Some(first)).map_err(Verdict::Failed)?;
    let head = ground.describe(chosen);
    match ground.ask(chosen, &chosen.fresh[0]) {
        Reply::Plan(found) => {
            let found = difference(&shape(second, &ground.root), &shape(&found, &ground.root));
            found.map_or(Ok(()), |found| {
                Err(Verdict::Broken(format!("{head}, asked alone and after the other:\n{found}")))
            })
        }
        Reply::Refused(reason) => Err(Verdict::Broken(format!("{head}, after the other: refused: {reason}"))),
        Reply::Failed(reason) => Err(Verdict::Failed(reason)),
    }
}
