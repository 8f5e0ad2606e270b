//! What can be done at a place, asked of every server that may know something.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::findings::cover;
use super::suppression::is_suppression;
use super::{ActionError, Missing};
use crate::lsp::{Action, Ask, Feature, LspError, Offered, Server};
use crate::session::{Session, SessionError};
use crate::syntax::Language;
use crate::text::{AbsPath, ContentHash, Span};

/// Where something is to be done, and what kinds of actions are asked for; none: all that the place has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aim {
    pub path: AbsPath,
    pub span: Span,
    pub kinds: Vec<String>,
}

/// One action that a server offers.
pub struct Offer {
    /// By which it is known again as long as the text stands.
    pub id: String,
    pub action: Action,
    /// It silences a finding and mends nothing.
    pub is_suppression: bool,
    pub server: Arc<Server>,
    /// Others that offer the same edit.
    pub also: Vec<String>,
}

/// All that is offered; what mends first, what silences last.
pub struct Offers {
    pub all: Vec<Offer>,
    pub missing: Vec<Missing>,
}

/// Asks every server of the language. Those that cannot be asked are named beside the others' actions.
pub async fn offers(session: &Session, aim: &Aim) -> Result<Offers, ActionError> {
    session.refresh().await;
    let _turn = session.shared().await;
    asked(session, aim, Ask::Anew).await
}

/// As [`offers`], for one who keeps others from laying texts over the documents meanwhile.
pub(super) async fn asked(session: &Session, aim: &Aim, how: Ask) -> Result<Offers, ActionError> {
    let language = Language::of_path(&aim.path).ok_or_else(|| ActionError::NoLanguage(aim.path.clone()))?;
    let (mut all, mut missing) = (Vec::new(), Vec::new());
    let asked = session.servers(language, Feature::CodeAction).await;
    let answers = asked.into_iter().map(|(name, server)| async {
        let answer = match server {
            Ok(server) if !server.offers(Feature::CodeAction) => Ok((Vec::new(), None)),
            Ok(server) => ask(session, &server, (aim, how)).await,
            Err(error) => Err(error),
        };
        (name, answer)
    });
    let answers = futures::future::join_all(answers).await;
    let was_asked = answers.iter().any(|(_, answer)| answer.is_ok());
    for (name, answer) in answers {
        let said = |error: &dyn std::fmt::Display| Missing::of(name.as_str(), &error);
        match answer {
            Ok((offers, unheard)) => {
                all.extend(offers);
                missing.extend(unheard.map(|error| said(&error)));
            }
            Err(error) => missing.push(said(&error)),
        }
    }
    for missing in &mut missing {
        missing.files.push(aim.path.clone());
    }
    if !was_asked {
        return Err(ActionError::NobodyAsked { language: language.id().to_owned(), missing });
    }
    // Of what cannot be done there, only those hear who ask for it by its kind (LSP 3.17 § CodeAction, `disabled`).
    all.retain(|offer: &Offer| !(aim.kinds.is_empty() && offer.action.is_out_of_place));
    let mut all = folded(all);
    all.sort_by_key(|offer| (offer.is_suppression, offer.action.disabled.is_some(), !offer.action.is_preferred));
    Ok(Offers { all, missing })
}

async fn ask(
    session: &Session,
    server: &Arc<Server>,
    (aim, how): (&Aim, Ask),
) -> Result<(Vec<Offer>, Option<LspError>), SessionError> {
    cover(session, server, std::slice::from_ref(&aim.path)).await?;
    let Offered { actions, unheard } = server.code_actions(&aim.path, aim.span, (&aim.kinds, how)).await?;
    Ok((offered(session, server, actions), unheard))
}

/// Gives the actions of one server their ids: by server, kind and title, and by their order where these are the same.
fn offered(session: &Session, server: &Arc<Server>, actions: Vec<Action>) -> Vec<Offer> {
    let old = |path: &AbsPath, span: Span| Some(span.of(session.disk().read(path).ok()?.as_str())?.to_owned());
    let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
    let offer = |action: Action| {
        let nth = seen.entry((action.kind.clone(), action.title.clone())).or_default();
        *nth += 1;
        let known = format!("{}\n{}\n{}\n{nth}", server.name(), action.kind, action.title);
        let id = ContentHash::of(known.as_bytes()).as_str()[..8].to_owned();
        let is_suppression = is_suppression(&action, old);
        Offer { id, action, is_suppression, server: Arc::clone(server), also: Vec::new() }
    };
    actions.into_iter().map(offer).collect()
}

/// Makes those one that come to the same edit; the first keeps its name.
fn folded(all: Vec<Offer>) -> Vec<Offer> {
    let mut kept: Vec<Offer> = Vec::with_capacity(all.len());
    for offer in all {
        let is_same = |known: &&mut Offer| offer.action.answer.is_some() && known.action.answer == offer.action.answer;
        match kept.iter_mut().find(is_same) {
            Some(known) => {
                known.action.is_preferred |= offer.action.is_preferred;
                known.also.extend(
                    Some(offer.server.name().to_string()).filter(|name| *name != *known.server.name().as_str()),
                );
                known.action.fixes.extend(offer.action.fixes);
                known.action.fixes.sort();
                known.action.fixes.dedup();
            }
            None => kept.push(offer),
        }
    }
    kept
}
