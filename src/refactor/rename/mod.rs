//! Renaming a symbol: the declaration, and every use of it that a server or the text can show.

mod asked;
mod assembled;
mod clashes;
mod constructors;
mod declared;
mod documented;
mod doubts;
mod dynamic;
mod edited;
mod fixtures;
mod forward;
mod gathered;
mod hierarchy;
mod indirect;
mod inherited;
mod keep;
mod mentions;
mod moved;
mod nearness;
mod options;
mod plain;
mod possible;
mod probes;
mod prose;
mod published;
mod python;
mod qualified;
mod reach;
mod reflected;
mod related;
mod request;
mod script;
mod shorthand;
mod slots;
mod spelled;
mod subject;

use crate::lsp::Feature;
use crate::plan::{Parts, Plan, Warning, WarningKind};
use crate::refactor::refusal::Clash;
use crate::refactor::{Refusal, interface, tsserver};
use crate::session::Session;
use crate::syntax::{Family, Language, check_name};
use gathered::Gathered;
use subject::Subject;

pub(crate) use asked::meanings;
pub(crate) use assembled::called_unseen;
pub(crate) use hierarchy::kin;

pub use request::{Aliases, Conflicts, Prose, RenameRequest};

/// Plans a rename. The project is looked through again while the servers answer; where a file has changed
/// since they last heard of it, they are told and asked once more.
///
/// # Errors
/// Every reason for which there is no complete and right plan.
pub async fn plan(session: &Session, request: &RenameRequest) -> Result<Plan, Refusal> {
    let language = Language::of_path(&request.place.path);
    let plan = if language.is_some_and(|language| language.family() == Family::Python) {
        // What no server follows is asked for with texts laid over.
        let _turn = session.alone().await;
        session.steady(|| attempt(session, request)).await
    } else {
        let _turn = session.shared().await;
        session.steady(|| attempt(session, request)).await
    };
    Ok(interface::told(session, plan?).await)
}

async fn attempt(session: &Session, request: &RenameRequest) -> Result<Plan, Refusal> {
    let subject = Subject::find(session, request)?;
    check_new_name(&subject, &request.new_name)?;
    let (gathered, mentions, assembled) = tokio::join!(
        gather(session, &subject, request),
        mentions::find(session, &subject),
        assembled::find(session, &subject)
    );
    let mut gathered = gathered?;
    gathered.check_inside(session.disk())?;
    if gathered.is_empty() {
        return Err(Refusal::NothingFound { server: gathered.server, name: subject.name });
    }
    let asked = std::mem::take(&mut gathered.asked);
    let mut parts = parts(session, &subject, request, gathered).await?;
    let named = qualified::add(session, &subject, request, &mut parts)?;
    parts.warnings.extend(named);
    let edited = prose::add(session, &subject, request, &mut parts);
    parts.warnings.extend(edited);
    let kept = mentions::list(session, (&subject, request.aliases), &parts, (mentions, asked)).await?;
    parts.warnings.extend(kept);
    parts.warnings.extend(assembled::warnings(session, assembled));
    Ok(Plan::new(parts)?)
}

fn check_new_name(subject: &Subject, new_name: &str) -> Result<(), Refusal> {
    if subject.name == new_name {
        return Err(Refusal::SameName(new_name.to_owned()));
    }
    let private = |name: &str| name.starts_with('#');
    if private(&subject.name) != private(new_name) {
        let message = format!("`{}` and `{new_name}` must both begin with `#`, or neither", subject.name);
        return Err(Refusal::BadName(message));
    }
    check_name(subject.language, new_name).map_err(|bad| Refusal::BadName(bad.to_string()))
}

async fn gather(session: &Session, subject: &Subject, request: &RenameRequest) -> Result<Gathered, Refusal> {
    let server = session.server(subject.language, Feature::Rename).await?;
    match subject.language.family() {
        Family::Python => python::gather(session, &server, subject, request).await,
        Family::Script if tsserver::speaks_tsserver(&server) => {
            script::gather(session, &server, subject, request).await
        }
        _ => plain::gather(session, &server, subject, request).await,
    }
}

/// Makes the parts of a plan from what was gathered, where the new name is free.
async fn parts(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    gathered: Gathered,
) -> Result<Parts, Refusal> {
    let disk = session.disk();
    let clashes = clashes::find(session, subject, request, &gathered).await?;
    let mut warnings = permit(request, clashes)?;
    let unproven = |doubt: &String| Warning::of_plan(WarningKind::Unproven, doubt.clone());
    warnings.extend(gathered.doubts.iter().map(unproven));
    warnings.extend(gathered.warnings.iter().cloned());
    let mut parts = Parts { warnings, ..Parts::default() };
    for path in gathered.paths() {
        let text = disk.read(path)?;
        gathered.check_names(path, &text)?;
        parts.edits.insert(path.clone(), (text, shorthand::edits(session, path, &gathered)?));
    }
    for (from, to) in moved::files(disk, &gathered.moves)? {
        let before = disk.hash(&from)?;
        parts.moves.insert(from, crate::plan::Move { to, before });
    }
    Ok(parts)
}

/// Refuses clashes, or turns them into warnings where the caller wants the rename all the same.
fn permit(request: &RenameRequest, clashes: Vec<Clash>) -> Result<Vec<Warning>, Refusal> {
    if clashes.is_empty() {
        return Ok(Vec::new());
    }
    match request.conflicts {
        Conflicts::Refuse => Err(Refusal::Taken { new_name: request.new_name.clone(), clashes }),
        Conflicts::Force => Ok(clashes.into_iter().map(forced).collect()),
    }
}

fn forced(clash: Clash) -> Warning {
    let range = crate::text::Range { start: clash.at.position, end: clash.at.position };
    Warning::at(WarningKind::Forced, clash.message, clash.at.path, Some(range))
}
