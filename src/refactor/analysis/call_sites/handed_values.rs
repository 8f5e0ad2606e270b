//! Functions of scripts that are passed on as values, where they come to take less.

use crate::lsp::Location;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_targets::{declared, is_imported};
use crate::refactor::analysis::signatures::ListOwner;
use crate::refactor::commonjs::required_variable;
use crate::refactor::rename::is_declaration_file;
use crate::refactor::source_file::Code;
use crate::refactor::tsserver::{is_outside, is_standard};
use crate::session::Session;
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
    let found = declared(session, code, name.start()).await?;
    // Where no server finds the module, an import is all that is known.
    let is_taken = |name: Span| is_imported(code, name) || required_variable(code, code.covering(name)).is_some();
    let is_own = |it: &Location| {
        let is_import = it.path == code.path && is_taken(it.span);
        let is_inside = !is_outside(session.root(), &it.path) && !is_declaration_file(&it.path);
        is_standard(&it.path) || is_inside && !is_import
    };
    Ok(found.is_empty() || !found.iter().all(is_own))
}
