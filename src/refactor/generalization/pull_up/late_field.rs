//! Pull Up Field where methods set it: the superclass declares it, and the subclasses go on to set it.
//!
//! ```python
//! class Server: ...                    class Server:
//!                                          port: int
//! class Http(Server):              →
//!     def start(self):                 class Http(Server):
//!         self.port = 80                   def start(self):
//!                                              self.port = 80
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind, Slot};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::inferred_types::{known, written};
use crate::refactor::analysis::members::MemberDeclarations;
use crate::refactor::analysis::override_conflicts;
use crate::refactor::analysis::{data_classes, field_initialization};
use crate::refactor::refusal::each;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::function_of;
use crate::session::Session;
use crate::syntax::Family;

/// Tells whether only methods set a field of Python, its constructor left aside.
pub(super) fn is_late(group: &MemberDeclarations<'_>) -> bool {
    let code = group.code();
    let is_set_late = |it: &Member<'_>| {
        let setter = function_of(it.node).and_then(|it| it.child("name"));
        it.kind == MemberKind::Assigned && setter.is_some_and(|it| it.text(code.text()) != "__init__")
    };
    code.family() == Family::Python && group.members.iter().all(is_set_late)
}

/// Declares it in the superclass.
pub(super) async fn plan(
    session: &Session,
    group: &MemberDeclarations<'_>,
    (to, family): (&Class<'_>, &override_conflicts::Family),
) -> Result<Plan, Refusal> {
    if let Some(class) = [&group.class, to].into_iter().find(|it| data_classes::mark(it).is_some()) {
        let reason = format!("`{}` would take it for something that its constructor gets", class.name());
        return Err(class.code.refuse(class.name.start(), reason));
    }
    each([family.check_pull(group), field_initialization::check_pull(group, family)])?;
    let mut edits = Edits::default();
    let of = type_of(session, group, to, &mut edits).await?;
    edits.add(to.code, [to.with(Slot::Field, &[format!("{}: {of}", group.name)])]);
    edits.plan()
}

/// Returns the type that a method declares for the field, or that the server knows, as the superclass can write it.
async fn type_of(
    session: &Session,
    group: &MemberDeclarations<'_>,
    to: &Class<'_>,
    edits: &mut Edits,
) -> Result<String, Refusal> {
    let code = group.code();
    if let Some(of) = group.members.iter().find_map(|it| it.declared_type(code)) {
        let carried = required::MovedPieces { from: code, pieces: &[of.span()], to: to.code, given: &[] };
        required::carry(session, &carried, edits)?;
        return Ok(of.text(code.text()).to_owned());
    }
    let known = known(session, code, group.members[0].name).await?;
    let said = written(to.code, &ScopedNames::of(to.code), &known);
    said.ok_or_else(|| group.refuse(format!("its type, `{known}`, cannot be written in `{}`", to.code.shown)))
}
