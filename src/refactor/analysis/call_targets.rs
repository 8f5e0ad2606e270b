//! A use as the target: the function that a call means, the variable that an import leads to.

use crate::lsp::{Feature, Location, Place};
use crate::refactor::Refusal;
use crate::refactor::request::{Request, Target};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::{Session, SessionError};
use crate::syntax::Node;
use crate::text::Span;

/// Returns a request whose target is the function, where a position on the name in a call was given.
pub(crate) async fn of_called(session: &Session, request: &Request) -> Result<Request, Refusal> {
    followed(session, request, is_called).await
}

/// Returns a request whose target is where a variable is declared, where a position on its name in a file that imports it was
/// given.
pub(crate) async fn of_imported(session: &Session, request: &Request) -> Result<Request, Refusal> {
    followed(session, request, is_imported).await
}

/// Returns a request whose target is the declaration of the name at a position, where it is used in the way that is wanted.
async fn followed(
    session: &Session,
    request: &Request,
    is_wanted: fn(&Code, Span) -> bool,
) -> Result<Request, Refusal> {
    let Some(offset) = request.target.offset.filter(|_| request.target.name.is_none()) else {
        return Ok(request.clone());
    };
    let code = Code::of(session, request)?;
    let named = code.parsed().tree.identifier_at(code.text(), offset).filter(|it| is_wanted(&code, *it));
    let Some(named) = named else { return Ok(request.clone()) };
    let found = declared(session, &code, named.start).await?;
    let [only] = found.as_slice() else { return Ok(request.clone()) };
    let Some(shown) = only.path.relative_to(session.root()) else {
        let reason = format!("`{}` is declared outside the project", named.of(code.text()).unwrap_or_default());
        return Err(code.refuse(named.start, reason));
    };
    let target = Target {
        path: only.path.clone(),
        shown: shown.to_string(),
        name: Some(only.span),
        lines: None,
        offset: None,
        ..request.target.clone()
    };
    Ok(Request { target, params: request.params.clone() })
}

/// Asks the server where that is declared which stands at an offset.
///
/// # Errors
/// Where nobody could be asked.
pub(crate) async fn declared(session: &Session, code: &Code, offset: usize) -> Result<Vec<Location>, Refusal> {
    let server = session.server(code.parsed().tree.language(), Feature::References).await?;
    session.cover(&server, std::slice::from_ref(&code.path)).await?;
    let _turn = session.shared().await;
    let place = Place { path: code.path.clone(), offset };
    Ok(server.definition(&place).await.map_err(SessionError::from)?)
}

/// Tells whether a name, or the module before it, is bound by an import of the file.
pub(super) fn is_imported(code: &Code, name: Span) -> bool {
    let node = code.covering(name);
    let member = node.parent().filter(|it| it.is_any(&["attribute", "member_expression"]) && it.end() == node.end());
    let root = std::iter::successors(member, |it| it.child("object")).last().unwrap_or(node);
    let names = ScopedNames::of(code);
    let Some(named) = names.at(root) else { return false };
    let is_import = |it: Node<'_>| it.is_any(&["import_statement", "import_from_statement"]);
    names.writes(named.meaning).any(|write| code.covering(write.span).ancestors().any(is_import))
}

/// Tells whether a name is that of the function in a call.
fn is_called(code: &Code, name: Span) -> bool {
    let node = code.covering(name);
    let member = node.parent().filter(|it| it.is_any(&["attribute", "member_expression"]) && it.end() == node.end());
    let callee: Node<'_> = member.unwrap_or(node);
    callee.parent().is_some_and(|it| it.is_any(&["call", "call_expression"]) && it.child("function") == Some(callee))
}
