//! A field that its class has a value for, which objects have until they are given another:
//!
//! ```python
//! class Task:                          class Task:
//!     written = 0                          _written = 0
//!                               →
//!                                          @property
//!                                          def written(self):
//!                                              return self._written
//! ```
//! Objects are asked as before; who asks the class itself would get the property, and not the value, or nothing where the field
//! goes elsewhere.

use super::fields::{Around, Field};
use super::inferred_types;
use super::references::{Use, UseKind, Uses};
use crate::refactor::Refusal;
use crate::refactor::refusal::each;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;

/// Refuses where the class itself is asked for such a field, and not one of its objects.
pub(crate) async fn check(session: &Session, field: &Field<'_>, around: &Around, uses: &Uses) -> Result<(), Refusal> {
    let Some((member, _)) = field.shared() else { return Ok(()) };
    let code = field.class.code;
    if member.declared_type(code).is_some_and(|it| it.text(code.text()).contains("ClassVar")) {
        let reason = format!("`{}` is declared as a variable of the class alone", field.name);
        return Err(code.refuse(member.name.start(), reason));
    }
    let mut checked = Vec::new();
    for (code, one) in uses.iter().filter(|(_, one)| one.kind != UseKind::Definition) {
        let is_asked = match one.member(code).and_then(|it| it.child("object")) {
            Some(object) => around.is_class(&field.class, code, object) || is_class(session, code, object).await,
            None => is_value(field, code, one),
        };
        let reason = "the class itself is asked here, not one of its objects";
        checked.push(if is_asked { Err(code.refuse(one.span.start, reason)) } else { Ok(()) });
    }
    each(checked).map(drop)
}

/// Tells whether the place, which is no member of anything, is the name of the class's own variable: what stands in the body
/// of the class, outside of its methods.
fn is_value(field: &Field<'_>, code: &Code, one: &Use) -> bool {
    let is_declared = field.members.iter().any(|it| it.name.span() == one.span);
    code.path == field.class.code.path && field.class.node.span().contains(one.span) && !is_declared
}

/// Tells whether the server takes an object for a class.
async fn is_class(session: &Session, code: &Code, object: Node<'_>) -> bool {
    let name = object.child("attribute").unwrap_or(object);
    let known = inferred_types::known(session, code, name).await;
    known.is_ok_and(|it| it.to_lowercase().starts_with("type["))
}
