//! What classes have in common.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind};
use crate::refactor::analysis::equal_code::differing_in_member;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::override_conflicts::said;
use crate::refactor::generalization::superclass_fields::SetFields;
use crate::refactor::source_file::function_of;
use crate::session::Session;
use crate::syntax::Family;

/// Refuses another class that has no such member, or another one.
pub(super) fn check(session: &Session, class: &Class<'_>, other: &Class<'_>, name: &str) -> Result<(), Refusal> {
    if shares(session, class, other, name) || sets_alike(session, class, other, name) {
        return Ok(());
    }
    let differing = Some(name)
        .filter(|it| reads_alike(class, other, it))
        .and_then(|it| differing_in_member(session, class, other, it));
    if let Some(node) = differing {
        let (code, said) = (class.code, node.text(class.code.text()));
        return Err(code.refuse(node.start(), format!("`{said}` means something else in `{}`", other.code.shown)));
    }
    Err(match other.members_named(name).first() {
        Some(its) => other.code.refuse(its.name.start(), format!("the `{name}` of `{}` is another one", other.name())),
        None => other.code.refuse(other.name.start(), format!("`{}` has no `{name}`", other.name())),
    })
}

/// Tells whether two classes declare a member in the same way; a field that a constructor sets takes that along.
pub(super) fn shares(session: &Session, class: &Class<'_>, other: &Class<'_>, name: &str) -> bool {
    let alike =
        |name: &str| reads_alike(class, other, name) && differing_in_member(session, class, other, name).is_none();
    alike(name) && (!is_set_first(class, name) && !is_set_first(other, name) || alike(constructor(class)))
}

/// Tells whether the constructors of two classes are the same.
pub(super) fn shares_constructor(session: &Session, class: &Class<'_>, other: &Class<'_>) -> bool {
    shares(session, class, other, constructor(class))
}

fn reads_alike(class: &Class<'_>, other: &Class<'_>, name: &str) -> bool {
    declared_as(class, name).is_some_and(|own| declared_as(other, name) == Some(own))
}

/// Returns what constructors are called.
fn constructor(class: &Class<'_>) -> &'static str {
    if class.code.family() == Family::Python { "__init__" } else { "constructor" }
}

/// Returns what the declarations of a member say; what a script sets is declared elsewhere.
fn declared_as(class: &Class<'_>, name: &str) -> Option<Vec<String>> {
    let members = class.members_named(name);
    let is_declared_apart = members.iter().any(|it| it.kind == MemberKind::Field)
        && class.code.family() == Family::Script
        && members.iter().all(|it| it.decorators().next().is_none());
    if !is_declared_apart {
        return said(class, name);
    }
    let fields = members.iter().filter(|it| it.kind == MemberKind::Field);
    Some(fields.map(|it| Layout::of(class.code).moved(it.node.span(), "")).collect())
}

/// Tells whether the constructor gives a field its first value; one that Python's gives is declared nowhere else.
fn is_set_first(class: &Class<'_>, name: &str) -> bool {
    let members = class.members_named(name);
    let is_open = |it: &Member<'_>| it.kind == MemberKind::Field && it.node.child("value").is_none();
    let is_set = |it: &Member<'_>| {
        let function = function_of(it.node).and_then(|it| it.child("name"));
        it.kind == MemberKind::Assigned && function.is_some_and(|it| it.text(class.code.text()) == constructor(class))
    };
    let is_declared = match class.code.family() {
        Family::Python => members.iter().all(|it| it.kind == MemberKind::Assigned),
        _ => members.iter().any(is_open),
    };
    is_declared && members.iter().any(is_set)
}

/// Tells whether the constructors of two classes, which differ, set a field that both declare by the same value.
pub(super) fn sets_alike(session: &Session, class: &Class<'_>, other: &Class<'_>, name: &str) -> bool {
    let wanted = [name.to_owned()];
    let is_python = class.code.family() == Family::Python;
    let is_declared =
        || is_python || reads_alike(class, other, name) && differing_in_member(session, class, other, name).is_none();
    is_set_first(class, name)
        && !shares(session, class, other, name)
        && is_declared()
        && match (SetFields::of(*class, &wanted), SetFields::of(*other, &wanted)) {
            (Ok(Some(own)), Ok(Some(other))) => own.is_like(session, &other),
            _ => false,
        }
}
