//! What the language's own server can do.

use super::renamed::renamed;
use crate::lsp::Place;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::params::UNTYPED;
use crate::refactor::rename::RenameRequest;
use crate::refactor::request::{Request, Run};
use crate::session::Session;
use crate::syntax::{Site, site};
use crate::text::Span;

/// Renames whatever stands at the target.
pub(crate) const RENAME: Run = |session, request| Box::pin(rename(session, request));

/// Renames what is called like a function.
pub(crate) const RENAME_METHOD: Run = |session, request| Box::pin(rename_method(session, request));

async fn rename(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let target = &request.target;
    let offset = target.place().ok_or_else(|| unnamed(request))?;
    let place = Place { path: target.path.clone(), offset };
    let mut wanted = RenameRequest::new(place, request.params.text("new_name"));
    wanted.prose.untyped = request.params.flag(UNTYPED.name);
    renamed(session, &wanted).await
}

async fn rename_method(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    use crate::syntax::DeclarationKind::{Constructor, Function, Method};
    let offset = request.target.place().ok_or_else(|| unnamed(request))?;
    if let Some(parsed) = session.parsed(&request.target.path)?
        && let found = site(&parsed.tree, parsed.text.as_str(), Span::new(offset, offset + 1))
        && let Site::Declaration(kind) = found
        && !matches!(kind, Constructor | Function | Method)
    {
        let reason = "what is declared there is no method and no function; `rename` takes any name";
        return Err(Refusal::NotPossible(reason.to_owned()));
    }
    rename(session, request).await
}

fn unnamed(request: &Request) -> Refusal {
    Refusal::NotPossible(format!("the target names no one thing in `{}`", request.target.shown))
}
