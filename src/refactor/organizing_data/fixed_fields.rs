//! The fields of a class's objects, and where they are changed once the objects are made.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind as Made};
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::Family;
use crate::text::Span;

/// Returns the fields of objects, each by the member that declares it, or first sets it.
pub(super) fn fields<'c>(class: &Class<'c>) -> Vec<Member<'c>> {
    let text = class.code.text();
    let is_dataclass = class.decorators().any(|mark| mark.text(text).contains("dataclass"));
    let is_annotated = |it: &Member<'c>| it.name.parent().is_some_and(|outer| outer.child("type").is_some());
    let is_field = |it: &Member<'c>| match it.kind {
        Made::Assigned | Made::Parameter => !it.is_static,
        Made::Field if class.code.family() == Family::Python => is_dataclass && is_annotated(it),
        Made::Field => !it.is_static,
        _ => false,
    };
    let mut found: Vec<Member<'c>> = Vec::new();
    for member in class.members().into_iter().filter(is_field) {
        let name = member.name.text(text);
        if !found.iter().any(|it| it.name.text(text) == name) {
            found.push(member);
        }
    }
    found
}

/// A place where a field of an object that is made already gets another value.
pub(super) struct Change {
    pub code: Code,
    pub span: Span,
    pub field: String,
}

/// Finds the places where fields are changed outside of the constructor.
pub(super) async fn changes(session: &Session, class: &Class<'_>) -> Result<Vec<Change>, Refusal> {
    let constructor = class.constructor().map(|it| it.span());
    let mut found = Vec::new();
    for member in fields(class) {
        let field = member.name.text(class.code.text()).to_owned();
        let uses = Uses::of(session, class.code, member.name.start()).await?;
        for (code, one) in uses.iter() {
            let is_here = code.path == class.code.path;
            let is_made = is_here
                && constructor.is_some_and(|it| it.contains(one.span))
                && function_of(one.node(code)).map(|it| it.span()) == constructor;
            let is_changed = matches!(one.kind, UseKind::Write | UseKind::Update | UseKind::Bind | UseKind::Delete);
            if is_changed && !is_made && one.member(code).is_some() {
                found.push(Change { code: code.clone(), span: one.span, field: field.clone() });
            }
        }
    }
    Ok(found)
}

/// Tells whether a type says of values that they can be changed, so that Python cannot look them up.
pub(super) fn is_changeable(said: &str) -> bool {
    const CHANGEABLE: &[&str] = &["bytearray", "dict", "list", "set", "Dict", "List", "Set", "defaultdict", "deque"];
    let said = said.trim_start_matches(':').trim();
    let head = said.split('[').next().unwrap_or(said).rsplit('.').next().unwrap_or(said);
    CHANGEABLE.contains(&head)
}
