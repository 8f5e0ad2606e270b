//! The other classes that get the new superclass: those of the file, or those that are listed.

use super::shared;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass, Member, MemberKind, given_class};
use crate::refactor::analysis::equal_code::differing_name;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::members::check_outermost;
use crate::refactor::request::Request;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::Span;

/// Finds the classes that are listed, of the file or of others.
pub(super) async fn listed(session: &Session, code: &Code, request: &Request) -> Result<Vec<LocatedClass>, Refusal> {
    let given = request.params.list("classes");
    let mut found: Vec<LocatedClass> = Vec::new();
    if given.is_empty() {
        return Ok(found);
    }
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    for one in given {
        let class = given_class(session, &kin, code, one).await?;
        if !found.iter().any(|it| it.place() == class.place()) {
            found.push(class);
        }
    }
    Ok(found)
}

/// Refuses a listed class that extends something else, or has not all that is wanted.
pub(super) fn check(session: &Session, class: &Class<'_>, other: &Class<'_>, wanted: &[String]) -> Result<(), Refusal> {
    let refuse = |reason: String| Err(other.code.refuse(other.name.start(), reason));
    if other.place() == class.place() {
        return refuse(format!("`{}` is the class itself", other.name()));
    }
    if !extend_the_same(session, class, other) {
        return refuse(format!("`{}` does not extend what `{}` extends", other.name(), class.name()));
    }
    if other.code.path != class.code.path {
        required::check_apart(session, class.code, other.code)?;
    }
    let known = wanted.iter().filter(|name| class.has(name));
    known.into_iter().try_for_each(|name| shared::check(session, class, other, name))
}

/// Tells whether two classes extend the same.
fn extend_the_same(session: &Session, class: &Class<'_>, other: &Class<'_>) -> bool {
    let bases = |class: &Class<'_>| -> Vec<Span> { bases(class).into_iter().map(Node::span).collect() };
    let said = |class: &Class<'_>| -> Vec<String> {
        bases(class).iter().filter_map(|it| it.of(class.code.text())).map(str::to_owned).collect()
    };
    said(class) == said(other)
        && differing_name(session, (class.code, &bases(class)), (other.code, &bases(other))).is_none()
}

/// Returns what a class of a script extends: `extends Base<T>`.
pub(super) fn clause<'c>(class: &Class<'c>) -> Option<Node<'c>> {
    let heritage = class.node.child_of_kind("class_heritage")?;
    let clause = heritage.child_of_kind("extends_clause").unwrap_or(heritage);
    Some(clause).filter(|it| it.text(class.code.text()).starts_with("extends"))
}

/// Returns what a class extends; a script's base may be another one by its type arguments.
fn bases<'c>(class: &Class<'c>) -> Vec<Node<'c>> {
    clause(class).map_or_else(|| class.bases(), |it| vec![it])
}

pub(super) fn is_declared(member: &Member<'_>) -> bool {
    matches!(member.kind, MemberKind::Method | MemberKind::Field | MemberKind::Constructor)
}

/// Returns the other classes of the file that have the same bases and all that is wanted, or anything, in common.
pub(super) fn of_file<'c>(session: &Session, class: &Class<'c>, wanted: &[String]) -> Vec<Class<'c>> {
    let (code, text) = (class.code, class.code.text());
    let others = code.root().descendants().filter_map(|node| Class::of(code, node));
    let has_same = |other: &Class<'c>, name: &str| {
        shared::shares(session, class, other, name) || shared::sets_alike(session, class, other, name)
    };
    let own = class.members();
    let names: Vec<&str> = own.iter().filter(|it| is_declared(it)).map(|it| it.name.text(text)).collect();
    others
        .filter(|other| {
            other.node != class.node && extend_the_same(session, class, other) && check_outermost(other).is_ok()
        })
        .filter(|other| match wanted {
            [] => names.iter().any(|name| has_same(other, name)),
            _ => wanted.iter().all(|name| has_same(other, name)),
        })
        .collect()
}
