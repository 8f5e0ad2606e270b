//! Pull Up Method and Pull Up Field.
//!
//! ```python
//! class Party: ...                     class Party:
//!                                          def label(self):
//! class Person(Party):                         return self.name.title()
//!     def label(self):             →
//!         return self.name.title()     class Person(Party):
//!                                          pass
//! ```

mod late_field;
mod stub;

use super::chosen_superclass::superclass;
use crate::lsp::Place;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass, MemberKind};
use crate::refactor::analysis::constructor_calls::check_unmade;
use crate::refactor::analysis::data_classes;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::literal_types::literal_type;
use crate::refactor::analysis::members::{Destination, MemberDeclarations, check_hash, check_outermost};
use crate::refactor::analysis::override_conflicts::Family;
use crate::refactor::analysis::{blocks, field_initialization};
use crate::refactor::refusal::{both, each};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::has_special_form;
use crate::text::{Span, TextEdit};
use stub::Stub;

pub(crate) const METHOD: Run = |session, request| Box::pin(plan(session, request, MemberKind::Method));
pub(crate) const FIELD: Run = |session, request| Box::pin(plan(session, request, MemberKind::Field));

async fn plan(session: &Session, request: &Request, kind: MemberKind) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let group = MemberDeclarations::at(&code, blocks::place(&code, &request.target), Destination::Above)?;
    let is_late = kind == MemberKind::Field && late_field::is_late(&group);
    if !is_late {
        group.check_kind(kind, "`pull-up-constructor-body` takes it along with its constructor")?;
    }
    group.class.check_extends()?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let base = superclass(session, &kin, &group.class, request.params.text("to")).await?;
    let to = base.class();
    let is_beside = to.code.path == code.path;
    let order = if is_beside { group.check_order(&to, None) } else { Ok(()) };
    let bound = [group.check_bound(), check_outermost(&group.class), check_outermost(&to), order];
    let (_, family) = both(each(bound), Family::of(&kin, (&group.class, group.name), &to).await)?;
    if is_late {
        return late_field::plan(session, &group, (&to, &family)).await;
    }
    let fields = if kind == MemberKind::Field { field_initialization::check_pull(&group, &family) } else { Ok(()) };
    let special = match data_classes::mark(&group.class).filter(|_| kind == MemberKind::Field) {
        Some(_) => check_unmade(session, &to).await,
        None => check_special(session, &group, (&to, &family)).await,
    };
    let stub = Stub::of(&to, &group);
    let gives_way = |one: &LocatedClass| stub.is_some() && one.place() == base.place();
    each([family.check_pull_over(&group, gives_way), family.check_known(&kin, &group, &to).await, fields, special])?;
    let mut edits = Edits::default();
    let (twins, told) = family.twins(session, &group)?;
    let mut gone = group.take_out(&twins, &mut edits)?;
    let left: Vec<Place> = twins.iter().map(|twin| twin.class().place()).chain([group.class.place()]).collect();
    let wider = if family.is_overridden(group.name, &left) { widened(&group) } else { Vec::new() };
    match &stub {
        Some(stub) => {
            gone.add(to.code, stub.marks());
            edits.add(to.code, stub.carried_out(&group)?);
        }
        None => edits.add(to.code, [group.put_changed(&to, &wider)?]),
    }
    family.say_override(session, (group.name, &left), &mut edits);
    group.carry(session, &to, &mut edits)?;
    edits.warn(told);
    gone.leave(session, &mut edits);
    edits.plan()
}

/// Gives fields that are their literals for good the type of these: `readonly kind = "a"` would allow subclasses nothing else.
fn widened(group: &MemberDeclarations<'_>) -> Vec<TextEdit> {
    let code = group.code();
    let widened = group.members.iter().filter(|it| it.is_marked(code, "readonly") && code.is_typed_script());
    let widened = widened.filter(|it| it.node.child("type").is_none()).filter_map(|it| {
        let known = literal_type(code.family(), it.node.child("value")?, code.text())?;
        Some(TextEdit::new(Span::at(it.name.end()), format!(": {known}")))
    });
    widened.collect()
}

/// Refuses a method that the language calls, where other objects than those of its class would come to have it.
async fn check_special(
    session: &Session,
    group: &MemberDeclarations<'_>,
    (base, family): (&Class<'_>, &Family),
) -> Result<(), Refusal> {
    if !has_special_form(group.name) {
        return Ok(());
    }
    check_hash(std::slice::from_ref(group))?;
    if let Some(other) = family.without(group.name) {
        let other = other.class();
        let reason = format!("`{}` would get a `{}`, too, which the language calls", other.name(), group.name);
        return Err(other.code.refuse(other.name.start(), reason));
    }
    check_unmade(session, base).await
}
