//! Functions of scripts that are passed on as values, where they come to take less.

use crate::lsp::{Feature, Location, Place};
use crate::refactor::Refusal;
use crate::refactor::analysis::signatures::ListOwner;
use crate::refactor::commonjs::required_variable;
use crate::refactor::rename::is_declaration_file;
use crate::refactor::source_file::Code;
use crate::refactor::tsserver::{in_dependencies, is_standard};
use crate::session::{Session, SessionError};
use crate::syntax::{Node, is_any_function};
use crate::text::Span;

/// Returns the places from where a function comes to who may count its parameters, as Express and Mocha do: a library's function,
/// or one that is not known. Whoever else passes an argument too many loses nothing by that.
pub(super) async fn counted<'c>(session: &Session, handed: Vec<ListOwner<'c>>) -> Result<Vec<ListOwner<'c>>, Refusal> {
    let mut found = Vec::new();
    for (code, node) in handed {
        let is_counted = match taker(node) {
            Some(callee) => is_foreign(session, (code, callee)).await?,
            None => false,
        };
        found.extend(is_counted.then_some((code, node)));
    }
    Ok(found)
}

/// Returns the name of what is called with a value.
fn taker(value: Node<'_>) -> Option<Node<'_>> {
    let mut around = value.ancestors().take_while(|it| !is_any_function(*it));
    let call = around.find(|it| it.child("arguments").is_some_and(|list| list.holds(value)))?;
    let callee = call.child("function").or_else(|| call.child("constructor"))?;
    Some(callee.child("property").unwrap_or(callee))
}

/// Tells whether a name is declared outside of the project, JavaScript's own aside, or nobody knows where.
async fn is_foreign(session: &Session, (code, name): (&Code, Node<'_>)) -> Result<bool, Refusal> {
    let server = session.server(code.parsed().tree.language(), Feature::References).await?;
    session.cover(&server, std::slice::from_ref(&code.path)).await?;
    let found = {
        let _turn = session.shared().await;
        let place = Place { path: code.path.clone(), offset: name.start() };
        server.definition(&place).await.map_err(SessionError::from)?
    };
    let is_own = |it: &Location| {
        // Where no server finds the module, an import is all that is known.
        let is_import = it.path == code.path && is_imported(code, it.span);
        let is_inside = it.path.is_below(session.root()) && !in_dependencies(&it.path);
        is_standard(&it.path) || is_inside && !is_declaration_file(&it.path) && !is_import
    };
    Ok(found.is_empty() || !found.iter().all(is_own))
}

/// Tells whether a name is bound by an import, or by what `require` returns.
fn is_imported(code: &Code, name: Span) -> bool {
    let node = code.covering(name);
    node.ancestors().any(|it| it.is("import_statement")) || required_variable(code, node).is_some()
}
