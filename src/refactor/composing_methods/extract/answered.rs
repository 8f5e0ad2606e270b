//! What lines that return here and there answer, which nobody may take for having gone on.

use crate::refactor::Refusal;
use crate::refactor::analysis::free_names::unused_variable;
use crate::refactor::analysis::present_values::{check_present, returns};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;

/// Returns a name for what is answered.
///
/// # Errors
/// Where that may be `None`, as what is answered by lines that go on.
pub(super) async fn checked(
    session: &Session,
    (code, names): (&Code, &ScopedNames<'_>),
    (function, statements): (Node<'_>, &[Node<'_>]),
) -> Result<String, Refusal> {
    let returns: Vec<Node<'_>> = returns(statements).collect();
    check_present(session, code, &returns, "").await?;
    Ok(unused_variable(names, function))
}
