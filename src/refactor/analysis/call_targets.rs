//! A call as the target: the function that it calls is meant.

use crate::lsp::{Feature, Place};
use crate::refactor::Refusal;
use crate::refactor::request::{Request, Target};
use crate::refactor::source_file::Code;
use crate::session::{Session, SessionError};
use crate::syntax::Node;
use crate::text::Span;

/// Returns a request whose target is the function, where a position on the name in a call was given.
pub(crate) async fn of_called(session: &Session, request: &Request) -> Result<Request, Refusal> {
    let Some(offset) = request.target.offset.filter(|_| request.target.name.is_none()) else {
        return Ok(request.clone());
    };
    let code = Code::of(session, request)?;
    let called = code.parsed().tree.identifier_at(code.text(), offset).filter(|it| is_called(&code, *it));
    let Some(called) = called else { return Ok(request.clone()) };
    let server = session.server(request.target.language, Feature::References).await?;
    session.cover(&server, std::slice::from_ref(&code.path)).await?;
    let found = {
        let _turn = session.shared().await;
        let place = Place { path: code.path.clone(), offset: called.start };
        server.definition(&place).await.map_err(SessionError::from)?
    };
    let [only] = found.as_slice() else { return Ok(request.clone()) };
    let Some(shown) = only.path.relative_to(session.root()) else {
        let reason = format!("`{}` is declared outside the project", called.of(code.text()).unwrap_or_default());
        return Err(code.refuse(called.start, reason));
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

/// Tells whether a name is that of the function in a call.
fn is_called(code: &Code, name: Span) -> bool {
    let node = code.covering(name);
    let member = node.parent().filter(|it| it.is_any(&["attribute", "member_expression"]) && it.end() == node.end());
    let callee: Node<'_> = member.unwrap_or(node);
    callee.parent().is_some_and(|it| it.is_any(&["call", "call_expression"]) && it.child("function") == Some(callee))
}
