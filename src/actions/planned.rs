//! From an action to a plan: all that its server would do, or a reason why not.

use std::collections::BTreeMap;

use super::offers::asked;
use super::{ActionError, Aim, Offer, Offers};
use crate::lsp::{Action, Answer, Ask, Whole};
use crate::plan::{Move, Parts, Plan, PlanError};
use crate::session::{Session, SessionError};
use crate::text::{AbsPath, Text, TextEdit, TextEdits};
use crate::workspace::OutsideRoot;

const EVERY_KIND: [&str; 3] = ["quickfix", "refactor", "source"];

/// Plans one of the actions at a place, by its id or its title: as they were listed, where nothing has changed since.
pub async fn plan(session: &Session, aim: &Aim, wanted: &str) -> Result<Plan, ActionError> {
    session.refresh().await;
    let _turn = session.shared().await;
    let mut offers = asked(session, aim, Ask::UnlessJustAsked).await?;
    let mut offer = chosen(&offers, wanted);
    if matches!(offer, Err(ActionError::NotOffered { .. })) {
        // Some are offered only where their kind is asked for.
        let kinds = EVERY_KIND.map(str::to_owned).to_vec();
        offers = asked(session, &Aim { kinds, ..aim.clone() }, Ask::Anew).await?;
        offer = chosen(&offers, wanted);
    }
    plan_offer(session, offer?).await
}

/// Plans the first action at a place that fits; `wanted` says in words which those are.
pub async fn carry_out(
    session: &Session,
    aim: &Aim,
    (wanted, fits): (&str, &(dyn Fn(&Action) -> bool + Sync)),
) -> Result<Plan, ActionError> {
    session.refresh().await;
    let _turn = session.shared().await;
    let offers = asked(session, aim, Ask::Anew).await?;
    let mut fitting: Vec<&Offer> = offers.all.iter().filter(|offer| fits(&offer.action)).collect();
    fitting.sort_by_key(|offer| offer.action.disabled.is_some());
    match fitting.first() {
        Some(offer) => plan_offer(session, offer).await,
        None => Err(not_offered(&offers, wanted)),
    }
}

async fn plan_offer(session: &Session, offer: &Offer) -> Result<Plan, ActionError> {
    let server = offer.server.name().to_string();
    if let Some(reason) = offer.action.disabled.clone() {
        return Err(ActionError::Disabled { title: offer.action.title.clone(), server, reason });
    }
    let edit = offer.server.edit_of(&offer.action).await.map_err(SessionError::from)?;
    let answer =
        edit.map_err(|why| ActionError::NoEdit { title: offer.action.title.clone(), server: server.clone(), why })?;
    plan_of(session, &server, answer)
}

fn chosen<'a>(offers: &'a Offers, wanted: &str) -> Result<&'a Offer, ActionError> {
    let is_it = |offer: &&Offer| offer.id == wanted || offer.action.title == wanted;
    let found: Vec<&Offer> = offers.all.iter().filter(is_it).collect();
    match found.as_slice() {
        [only] => Ok(only),
        [] => Err(not_offered(offers, wanted)),
        several => Err(ActionError::Ambiguous {
            wanted: wanted.to_owned(),
            ids: several.iter().map(|offer| offer.id.clone()).collect(),
        }),
    }
}

fn not_offered(offers: &Offers, wanted: &str) -> ActionError {
    ActionError::NotOffered {
        wanted: wanted.to_owned(),
        offered: offers.all.iter().map(|offer| offer.action.title.clone()).collect(),
        missing: offers.missing.clone(),
    }
}

/// Makes a plan of all that a server wants.
fn plan_of(session: &Session, server: &str, answer: Answer) -> Result<Plan, ActionError> {
    let Whole { mut edits, moves, creates, deletes, warnings } = answer.whole();
    let disk = session.disk();
    let mut parts = Parts { warnings, ..Parts::default() };
    for path in creates {
        let path = inside(server, &path, disk.contain_entry(&path))?;
        let text = created(&path, edits.remove(&path).unwrap_or_default())?;
        parts.creates.insert(path, text);
    }
    for (path, edits) in edits {
        let path = inside(server, &path, disk.contain(&path))?;
        let text = disk.read(&path)?;
        parts.edits.insert(path, (text, edits));
    }
    for (from, to) in moved(session, &moves)? {
        let (from, to) =
            (inside(server, &from, disk.contain_entry(&from))?, inside(server, &to, disk.contain_entry(&to))?);
        let before = disk.hash(&from)?;
        parts.moves.insert(from, Move { to, before });
    }
    for path in deletes {
        for path in files_at(session, &inside(server, &path, disk.contain_entry(&path))?)? {
            let text = disk.read(&path)?;
            parts.edits.remove(&path);
            parts.deletes.insert(path, text);
        }
    }
    Ok(Plan::new(parts)?)
}

fn inside(server: &str, path: &AbsPath, contained: Result<AbsPath, OutsideRoot>) -> Result<AbsPath, ActionError> {
    contained.map_err(|outside| match outside {
        OutsideRoot::Leaves { .. } => ActionError::EditsOutside { server: server.to_owned(), path: path.to_string() },
        unknown => unknown.into(),
    })
}

/// The text of a new file: what is inserted into nothing.
fn created(path: &AbsPath, edits: Vec<TextEdit>) -> Result<Text, ActionError> {
    let edits = TextEdits::new(edits)
        .map_err(|overlap| PlanError::Overlap { path: path.clone(), overlap: Box::new(overlap) })?;
    if !edits.fits("") {
        return Err(PlanError::OutsideText { path: path.clone() }.into());
    }
    Ok(Text::new(edits.apply("")))
}

/// Returns where each file goes, directories taken apart.
fn moved(session: &Session, moves: &[(AbsPath, AbsPath)]) -> Result<BTreeMap<AbsPath, AbsPath>, ActionError> {
    let mut moved: BTreeMap<AbsPath, AbsPath> = BTreeMap::new();
    for (from, to) in moves {
        let target = |path: &AbsPath| path.rebased(from, to).unwrap_or_else(|| to.clone());
        for now in moved.values_mut().filter(|now| now.is_below(from)) {
            *now = target(now);
        }
        for file in files_at(session, from)? {
            let to = target(&file);
            moved.entry(file).or_insert(to);
        }
    }
    Ok(moved)
}

/// Returns the file at a path, or every file below it; none where nothing is there yet.
fn files_at(session: &Session, path: &AbsPath) -> Result<Vec<AbsPath>, ActionError> {
    match path.as_path().symlink_metadata() {
        Err(_) => Ok(Vec::new()),
        Ok(found) if !found.is_dir() => Ok(vec![path.clone()]),
        Ok(_) => Ok(session.disk().everything_below(path)?.into_iter().map(|entry| entry.path).collect()),
    }
}
