//! A field that each object has for itself goes to the object that this one makes and holds.

use super::initial_value::First;
use crate::lsp::Place;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy};
use crate::refactor::analysis::delegate_field::{HeldObject, class_name};
use crate::refactor::analysis::delegated_access::{DelegatedField, is_closed, redirect};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::field_initialization::{asks_for, check_base, check_heir};
use crate::refactor::analysis::fields::{Around, Field};
use crate::refactor::analysis::inherited_members::check_remade;
use crate::refactor::analysis::members::MemberDeclarations;
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::moving_features::extract_class::bare;
use crate::refactor::obstacles::Noted;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;

pub(super) async fn plan(
    session: &Session,
    (kin, delegate): (&ClassHierarchy<'_>, Option<&str>),
    group: &MemberDeclarations<'_>,
    to: &Class<'_>,
) -> Result<Plan, Refusal> {
    let (code, class) = (group.code(), group.class);
    if group.name.starts_with("__") {
        return Err(group.refuse(format!("`{}` cannot be used in another class", group.name)));
    }
    let missing = || group.refuse(format!("`{}` is not a field", group.name));
    let field = Field::named(class, group.name)?.ok_or_else(missing)?;
    let held = holder(kin, (&class, to), (group.name, delegate)).await?;
    let around = field.around(session).await?;
    check_source(session, &field, &around).await.noted()?;
    check_target(session, (kin, to), &field).await.noted()?;
    check_held(session, &held, to).await.noted()?;
    let first = First::of(&field, &held, to)?;
    let mut edits = Edits::default();
    let through = DelegatedField { field: &field, delegate: held.field.name, name: bare(field.name) };
    let is_left = |user: &Code, one: &Use| {
        let is_own = user.path == code.path && class.node.span().contains(one.span);
        if is_own && first.takes(one.span) {
            return Ok(true);
        }
        if !is_own && is_closed(&class, held.field.name) {
            let reason = format!("`{}` is not for others to ask", held.field.name);
            return Err(user.refuse(one.span.start, reason));
        }
        Ok(false)
    };
    redirect(session, &through, is_left, &mut edits).await?;
    first.put(session, &mut edits).await?;
    if code.family() == Family::Script {
        let doubt = "only a check can tell whether objects of the class are passed for what has this field by itself";
        edits.warn([Warning::of_plan(WarningKind::Unproven, doubt)]);
    }
    edits.plan()
}

/// Finds the field that is given a new object of the other class, once, when its own object is made.
async fn holder<'c>(
    kin: &ClassHierarchy<'_>,
    (class, to): (&Class<'c>, &Class<'_>),
    (field, delegate): (&str, Option<&str>),
) -> Result<HeldObject<'c>, Refusal> {
    let code = class.code;
    let mut found = Vec::new();
    for held in HeldObject::all(class).into_iter().filter(|held| held.field.name != field) {
        let Some(name) = class_name(held.made) else { continue };
        let place = Place { path: code.path.clone(), offset: name.start() };
        let made = kin.declared(&place).await?.is_some_and(|it| it.place() == to.place());
        found.extend(Some(held).filter(|held| made && delegate.is_none_or(|it| it == held.field.name)));
    }
    let refuse = |reason: String| Err(code.refuse(class.name.start(), reason));
    let (own, other) = (class.name(), to.name());
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            let reason = "the object that would hold the value cannot be determined";
            refuse(format!("no field of `{own}` is given a new `{other}` once, by its constructor: {reason}"))
        }
        count => refuse(format!("{count} fields of `{own}` hold a new `{other}`: name one by `delegate`")),
    }
}

/// Refuses objects that could be without the one that they hold.
async fn check_source(session: &Session, field: &Field<'_>, around: &Around) -> Result<(), Refusal> {
    field.check_plain(around)?;
    let classes: Vec<Class<'_>> = around.classes().chain([field.class]).collect();
    classes.iter().try_for_each(check_remade)?;
    for standing in &around.above {
        let may_ask = |method: &str| asks_for(&classes, method, &[field.name]);
        check_base(&standing.class(), standing.is_of(session), may_ask)?;
    }
    around.below.iter().try_for_each(|heir| check_heir(&heir.class()))
}

/// Refuses a class that has the name, or that does something with its fields.
async fn check_target(
    session: &Session,
    (kin, to): (&ClassHierarchy<'_>, &Class<'_>),
    field: &Field<'_>,
) -> Result<(), Refusal> {
    let name = bare(field.name);
    let there = Field { class: *to, name, members: Vec::new() };
    let around = there.around(session).await?;
    let refuse = |reason: String| Err(to.code.refuse(to.name.start(), reason));
    if let Some(other) = around.having(to, name) {
        return refuse(format!("`{}` has a `{name}` already", other.name()));
    }
    if around.classes().any(|it| it.place() == field.class.place()) {
        return refuse(format!("`{}` and `{}` are of one line", to.name(), field.class.name()));
    }
    there.check_plain(&around)?;
    for standing in &around.above {
        check_base(&standing.class(), standing.is_of(session), |_| true)?;
    }
    let has_keyword = to.node.child("superclasses").is_some_and(|it| it.child_of_kind("keyword_argument").is_some());
    if has_keyword || to.has("__new__") || to.node.child("type_parameters").is_some() {
        return refuse(format!("`{}` is more than a plain class", to.name()));
    }
    match kin.is_own(&kin.itself(to)?) {
        true => Ok(()),
        false => refuse(format!("`{}` is not the project's own class", to.name())),
    }
}

/// Refuses an object that is not held for all the time, or not as one of its class.
async fn check_held(session: &Session, held: &HeldObject<'_>, to: &Class<'_>) -> Result<(), Refusal> {
    let (code, name) = (held.class.code, held.field.name);
    held.field.around(session).await?;
    let at = held.field.members[0].name.start();
    let written = held.field.written_type().map(|it| it.trim_matches(['"', '\'']));
    if let Some(written) = written.filter(|it| *it != to.name()) {
        return Err(code.refuse(at, format!("`{name}` is declared as `{written}`, not as `{}`", to.name())));
    }
    let uses = Uses::of(session, code, at).await?;
    let sets = |kind| matches!(kind, UseKind::Write | UseKind::Update | UseKind::Bind | UseKind::Delete | UseKind::Key);
    for (user, one) in uses.iter() {
        let is_made = user.path == code.path && held.field.members.iter().any(|it| it.name.span() == one.span);
        if sets(one.kind) && !is_made {
            return Err(user.refuse(
                one.span.start,
                format!("`{name}` is {} here: it holds another object then", one.kind.said()),
            ));
        }
    }
    uses.certain_of(session, sets).await?;
    Ok(())
}
