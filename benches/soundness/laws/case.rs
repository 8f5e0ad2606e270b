//! One declaration with its plan, and what the laws compare that with.

use lspwright::plan::Plan;

use super::ground::{Ground, Reply};
use super::{Law, Verdict, detour, independence};
use crate::random::Random;
use crate::trials::Chosen;

/// A rename to a fresh name that has a plan.
pub struct Case {
    pub chosen: Chosen,
    pub plan: Plan,
    /// The answer to the rename to the other fresh name, where a law asks for it.
    pub direct: Option<Reply>,
    /// A second declaration whose plan touches none of the plan's files, where a law asks for one.
    pub apart: Option<(Chosen, Plan)>,
}

/// So many declarations are tried for one that shares no file with the plan.
const CANDIDATES: usize = 6;

impl Case {
    /// Asks for the plans, on the project as it is; what becomes of the trial where there is none.
    pub fn prepare(
        ground: &mut Ground,
        chosen: Chosen,
        (number, laws): (usize, &[&Law]),
        random: &mut Random,
    ) -> Result<Self, Verdict> {
        let plan = match ground.ask(&chosen, &chosen.fresh[0]) {
            Reply::Plan(plan) => plan,
            Reply::Refused(reason) => return Err(Verdict::Refused(reason)),
            Reply::Failed(reason) => return Err(Verdict::Failed(reason)),
        };
        let asks = |name: &str| laws.iter().any(|law| law.name == name);
        let direct = asks(detour::LAW.name).then(|| ground.ask(&chosen, &chosen.fresh[1]));
        let apart = asks(independence::LAW.name).then(|| apart(ground, &plan, number, random)).flatten();
        Ok(Self { chosen, plan, direct, apart })
    }
}

fn apart(ground: &mut Ground, plan: &Plan, number: usize, random: &mut Random) -> Option<(Chosen, Plan)> {
    for turn in 1..=CANDIDATES {
        let other = ground.choices.chosen(number + turn, random)?;
        let touches = |path: &std::path::Path| plan.edits().keys().any(|edited| edited.as_path() == path);
        if touches(&other.path) {
            continue;
        }
        if let Reply::Plan(found) = ground.ask(&other, &other.fresh[0])
            && !found.edits().keys().any(|path| touches(path.as_path()))
        {
            return Some((other, found));
        }
    }
    None
}
