//! Fields that come to be another object's, for which everybody asks through the field that holds it.

use super::bare_objects::check_constructed;
use super::classes::{Class, MemberKind as Member};
use super::edits::Edits;
use super::fields::Field;
use super::references::{Use, UseKind, Uses};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// A field, with the field that holds its new object and what it is called there.
pub(crate) struct DelegatedField<'a, 'c> {
    pub field: &'a Field<'c>,
    pub delegate: &'a str,
    pub name: &'a str,
}

/// Lets every use of a field ask the object for it that is held; `is_left` picks those that others see to.
pub(crate) async fn redirect(
    session: &Session,
    through: &DelegatedField<'_, '_>,
    is_left: impl Fn(&Code, &Use) -> Result<bool, Refusal>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let DelegatedField { field, delegate, name } = through;
    let uses = Uses::of(session, field.class.code, field.members[0].name.start()).await?;
    edits.warn(uses.its_own(session).await?);
    edits.warn(field.listed(session, delegate));
    for (user, one) in uses.iter() {
        if !is_left(user, one)? {
            check(user, one)?;
            edits.add(user, [TextEdit::new(one.span, format!("{delegate}.{name}"))]);
        }
    }
    for user in uses.files.values().map(|file| &file.code) {
        // An object that no constructor made has no new object either.
        check_constructed(session, &field.class, user).await?;
        if let Some(at) = ["copy.copy(", "from copy import"].iter().find_map(|word| user.text().find(word)) {
            let message = format!("a shallow copy of an object shares its `{delegate}`");
            let range = user.parsed().text.range(Span::at(at));
            edits.warn([Warning::at(WarningKind::RunTime, message, user.path.clone(), range)]);
        }
    }
    Ok(())
}

/// Refuses what cannot be done with a field of another object.
fn check(user: &Code, one: &Use) -> Result<(), Refusal> {
    let is_plain = matches!(
        one.kind,
        UseKind::Read
            | UseKind::Call
            | UseKind::New
            | UseKind::Write
            | UseKind::Update
            | UseKind::Bind
            | UseKind::Decorator
    );
    if one.kind == UseKind::Call && user.family() == Family::Script {
        return Err(user.refuse(one.span.start, "it is called here, and knows the object that it is called on"));
    }
    match one.member(user).filter(|_| is_plain && !one.is_printed(user)) {
        Some(_) => Ok(()),
        None => Err(user.refuse(one.span.start, format!("it is {} here", one.kind.said()))),
    }
}

/// Tells whether a field is for its own class alone, by its mark or by its name.
pub(crate) fn is_closed(class: &Class<'_>, name: &str) -> bool {
    let members = class.members_named(name);
    let mut declared = members.iter().filter(|it| it.kind != Member::Assigned);
    let is_python = class.code.family() == Family::Python;
    name.starts_with('#') || is_python && name.starts_with('_') || declared.any(|it| it.is_closed(class.code))
}

/// One place where somebody asks the delegate: `ann.department.manager`.
pub(crate) struct DelegateAccess<'c> {
    /// What is asked for, by its name.
    pub member: Node<'c>,
    /// `.department`.
    pub between: Span,
}

/// Returns what is asked of the delegate where it is used; nothing where it is used as a whole.
pub(crate) fn asked<'c>(code: &'c Code, one: &Use) -> Option<DelegateAccess<'c>> {
    let delegate = one.member(code)?;
    let outer = delegate.parent().filter(|it| it.is_any(&["attribute", "member_expression"]))?;
    let member = outer.child("attribute").or_else(|| outer.child("property"))?;
    let object = delegate.child("object")?;
    (delegate.field() == Some("object"))
        .then(|| DelegateAccess { member, between: Span::new(object.end(), one.span.end) })
}
