//! Whether a method of Python is called on its object, or through its class, which is passed the object first.
//!
//! ```python
//! meter.add(1)               # on the object
//! Meter.add(meter, 1)        # through the class, as in the next two
//! type(meter).add(meter, 1)
//! cls.add(meter, 1)
//! ```

use super::{Signature, spread_in};
use crate::lsp::{Feature, Place};
use crate::refactor::Refusal;
use crate::refactor::analysis::called_objects::CALL;
use crate::refactor::analysis::classes::ClassHierarchy;
use crate::refactor::analysis::signatures::{CallForm, ListOwner, passes_object};
use crate::refactor::rename;
use crate::session::{Session, SessionError};
use crate::syntax::Family;
use crate::syntax::python::qualified;

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
    for (code, call) in calls {
        let callee = call.child("function").unwrap_or(*call);
        let is_unbound = is_unbound(session, (first, receiver), (code, callee)).await?;
        forms.push(is_unbound.and_then(|it| form((code, *call), it)));
    }
    Ok(forms)
}

/// Tells apart what is only handed on, and what a library's function calls with the arguments that stand behind it, each of them
/// said: `self.assertRaises(KeyError, meter.add, 1)`.
pub(crate) async fn called_on<'c>(
    session: &Session,
    first: &Signature<'_>,
    handed: Vec<ListOwner<'c>>,
) -> Result<(Vec<ListOwner<'c>>, Vec<(ListOwner<'c>, CallForm)>), Refusal> {
    let receiver = first.receiver().filter(|_| !first.is_marked("classmethod"));
    let calls = rename::called_with_all(session, &handed).await?;
    let (mut others, mut found) = (Vec::new(), Vec::new());
    for ((code, name), call) in handed.into_iter().zip(calls) {
        let mut call = call.filter(|(call, _)| spread_in(*call).is_none());
        if let Some(receiver) = receiver.filter(|_| call.is_some()) {
            let is_unbound = is_unbound(session, (first, receiver), (code, qualified(name))).await?;
            call = call.filter(|_| matches!(is_unbound, Ok(false)));
        }
        match call {
            Some((call, ahead)) => found.push(((code, call), CallForm::Forwarded(ahead))),
            None => others.push((code, name)),
        }
    }
    Ok((others, found))
}

fn form((code, call): ListOwner<'_>, is_unbound: bool) -> Result<CallForm, Refusal> {
    match (is_unbound, passes_object(call)) {
        (false, _) => Ok(CallForm::Bound),
        (true, true) => Ok(CallForm::Unbound),
        (true, false) => {
            Err(code.refuse(call.start(), "the method is called through its class, and its object is not passed first"))
        }
    }
}

/// Tells whether what is called takes its object among the arguments.
///
/// # Errors
/// Where nobody could be asked; inside, why it cannot be told.
async fn is_unbound(
    session: &Session,
    (first, receiver): (&Signature<'_>, &str),
    (code, callee): ListOwner<'_>,
) -> Result<Result<bool, Refusal>, Refusal> {
    let called = callee.child("attribute").unwrap_or(callee).text(code.text());
    if first.name() == CALL && called != CALL {
        return Ok(Ok(false));
    }
    let Some((object, attribute)) = callee.child("object").zip(callee.child("attribute")) else {
        return Ok(Err(code.refuse(callee.start(), "the method is called without an object")));
    };
    let language = code.parsed().tree.language();
    let server = session.server(language, Feature::References).await?;
    session.cover(&server, std::slice::from_ref(&code.path)).await?;
    let place = Place { path: code.path.clone(), offset: attribute.start() };
    let shown = {
        let _turn = session.shared().await;
        server.hover(&place).await.map_err(SessionError::from)?
    };
    match shown.and_then(|shown| takes_first(&shown, first.name(), receiver)) {
        Some(takes_object) => Ok(Ok(takes_object)),
        None => Ok(Ok(ClassHierarchy::new(session, language).await?.names_class(code, object).await?)),
    }
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
