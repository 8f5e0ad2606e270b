//! Whether a method of Python is called on its object, or through its class, which is passed the object first.
//!
//! ```python
//! meter.add(1)               # on the object
//! Meter.add(meter, 1)        # through the class, as in the next two
//! type(meter).add(meter, 1)
//! cls.add(meter, 1)
//! ```

use super::Signature;
use crate::lsp::{Feature, Place};
use crate::refactor::Refusal;
use crate::refactor::analysis::called_objects::CALL;
use crate::refactor::analysis::classes::ClassHierarchy;
use crate::refactor::analysis::signatures::{CallForm, ListOwner, passes_object};
use crate::session::{Session, SessionError};
use crate::syntax::Family;

/// Tells for each call of a method how it is called, or why that cannot be told.
pub(crate) async fn call_forms(
    session: &Session,
    first: &Signature<'_>,
    calls: &[ListOwner<'_>],
) -> Result<Vec<Result<CallForm, Refusal>>, Refusal> {
    let receiver = first.receiver().filter(|_| first.code.family() == Family::Python);
    let Some(receiver) = receiver.filter(|_| !first.is_marked("classmethod")) else {
        return Ok(calls.iter().map(|_| Ok(CallForm::Bound)).collect());
    };
    let mut forms = Vec::new();
    for call in calls {
        forms.push(form(session, (first, receiver), *call).await?);
    }
    Ok(forms)
}

/// As [`call_forms`], for one call.
///
/// # Errors
/// Where nobody could be asked; inside, why it cannot be told.
async fn form(
    session: &Session,
    (first, receiver): (&Signature<'_>, &str),
    (code, call): ListOwner<'_>,
) -> Result<Result<CallForm, Refusal>, Refusal> {
    let callee = call.child("function");
    let called = callee.map(|it| it.child("attribute").unwrap_or(it).text(code.text()));
    if first.name() == CALL && called != Some(CALL) {
        return Ok(Ok(CallForm::Bound));
    }
    let parts = callee.and_then(|callee| Some((callee.child("object")?, callee.child("attribute")?)));
    let Some((object, attribute)) = parts else {
        return Ok(Err(code.refuse(call.start(), "the method is called without an object")));
    };
    let language = code.parsed().tree.language();
    let server = session.server(language, Feature::References).await?;
    session.cover(&server, std::slice::from_ref(&code.path)).await?;
    let place = Place { path: code.path.clone(), offset: attribute.start() };
    let shown = {
        let _turn = session.shared().await;
        server.hover(&place).await.map_err(SessionError::from)?
    };
    let takes_object = shown.and_then(|shown| takes_first(&shown, first.name(), receiver));
    let is_unbound = match takes_object {
        Some(takes_object) => takes_object,
        None => ClassHierarchy::new(session, language).await?.names_class(code, object).await?,
    };
    Ok(match (is_unbound, passes_object(call)) {
        (false, _) => Ok(CallForm::Bound),
        (true, true) => Ok(CallForm::Unbound),
        (true, false) => {
            Err(code.refuse(call.start(), "the method is called through its class, and its object is not passed first"))
        }
    })
}

/// Reads off what a server shows for a function whether its object is among what it takes; nothing where it shows none.
/// pyright and basedpyright leave the object out of what a bound method takes.
fn takes_first(shown: &str, name: &str, receiver: &str) -> Option<bool> {
    let (_, behind) = shown.split_once(&format!("def {name}("))?;
    let rest = behind.trim_start().strip_prefix(receiver);
    Some(rest.is_some_and(|rest| rest.starts_with([':', ',', ')'])))
}

#[cfg(test)]
mod tests {
    use super::takes_first;

    #[test]
    fn a_bound_method_takes_no_object() {
        assert_eq!(takes_first("(method) def add(n: int) -> int", "add", "self"), Some(false));
        assert_eq!(takes_first("(method) def add() -> int", "add", "self"), Some(false));
        assert_eq!(takes_first("(method) def add(\n    self: Meter,\n    n: int\n) -> int", "add", "self"), Some(true));
        assert_eq!(takes_first("(method) def add(selfish: int) -> int", "add", "self"), Some(false));
        assert_eq!(takes_first("(variable) add: Any", "add", "self"), None);
    }
}
