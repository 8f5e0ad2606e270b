//! Removal: a plan that lacks any one of its edits is never found clean.

use lspwright::plan::{Plan, Status};
use lspwright::syntax::{Language, Site, Tree, site};
use lspwright::text::{AbsPath, TextEdit};

use super::case::Case;
use super::ground::Ground;
use super::{Law, Verdict};
use crate::random::Random;

pub const LAW: Law = Law { name: "removal", judge };

fn judge(ground: &mut Ground, case: &Case, random: &mut Random) -> Verdict {
    if let Err(reason) = ground.stand_on(None) {
        return Verdict::Failed(reason);
    }
    let edits: Vec<_> =
        case.plan.edits().iter().flat_map(|(path, file)| file.edits.iter().map(move |edit| (path, edit))).collect();
    let Some((path, edit)) = random.pick(&edits).copied().filter(|_| edits.len() > 1) else {
        return Verdict::Skipped("a plan of one edit");
    };
    if !is_code(&case.plan, path, edit) {
        return Verdict::Skipped("the edit is in a string or a comment");
    }
    let lacking = match without(&case.plan, path, edit) {
        Ok(lacking) => lacking,
        Err(reason) => return Verdict::Failed(reason),
    };
    let place = ground.place(path.as_path(), edit.span.start);
    match ground.library.verify(lacking) {
        Ok(found) => match found.status {
            Status::Clean => Verdict::Broken(format!("clean without the edit at {place}")),
            Status::Regressed | Status::Possible => Verdict::Held,
            Status::Unverified => Verdict::Refused(format!("unverified: {}", found.reason.unwrap_or_default())),
        },
        Err(reason) => Verdict::Failed(reason),
    }
}

fn is_code(plan: &Plan, path: &AbsPath, edit: &TextEdit) -> bool {
    let Some(language) = Language::of_path(path) else { return false };
    let text = plan.edits()[path].before.as_str();
    !matches!(site(&Tree::parse(language, text), text, edit.span), Site::String | Site::Comment)
}

/// Takes one edit out, and all warnings with it: nothing may speak against the rest but what a check finds.
fn without(plan: &Plan, path: &AbsPath, edit: &TextEdit) -> Result<Plan, String> {
    let mut parts = plan.clone().with_warnings(Vec::new()).into_parts();
    if let Some((_, edits)) = parts.edits.get_mut(path) {
        edits.retain(|one| one != edit);
    }
    Plan::new(parts).map_err(|error| error.to_string())
}
