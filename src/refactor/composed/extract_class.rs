//! Extract Class.
//!
//! ```python
//! class Person:                            class TelephoneNumber:
//!     def __init__(self, name, area):          def __init__(self, area):
//!         self.name = name                         self.area = area
//!         self.area = area             →
//!                                          class Person:
//! print(ann.area)                              def __init__(self, name, area):
//!                                                  self.name = name
//!                                                  self.telephone_number = TelephoneNumber(area)
//!
//!                                          print(ann.telephone_number.area)
//! ```
//! Whoever asked for a field asks the new object for it. Of a method that goes one is left behind that asks the new one.

mod making;
mod part;
mod written;

use super::classes::Class;
use super::code::Code;
use super::edits::Edits;
use super::fields::Field;
use super::members::{above_class, check_outermost};
use super::uses::{Kind, Use, Uses};
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Run};
use crate::session::Session;
use crate::syntax::Family;
use crate::text::{Span, TextEdit};
use making::Making;
use part::Part;

pub(in crate::refactor) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    check_outermost(&class)?;
    let part = Part::of(&class, request)?;
    let mut making = Making::of(&part)?;
    making.learn_types(session, &part).await;
    part.check_methods()?;
    part.check_around(session).await?;
    let mut edits = Edits::default();
    for field in &part.fields {
        redirect(session, (&part, &making), field, &mut edits).await?;
    }
    edits.add(&code, [TextEdit::new(Span::at(above_class(&class)), written::class(&part, &making)?)]);
    edits.add(&code, written::left(&part, &making)?);
    edits.add(&code, making.edits(&part)?);
    if code.family() == Family::Script {
        let doubt = "whether objects of the class are passed for what has these fields by itself a check has to tell";
        edits.warn([Warning::of_plan(WarningKind::Unproven, doubt)]);
    }
    edits.plan()
}

/// Lets everybody who uses a field ask the new object for it.
async fn redirect(
    session: &Session,
    (part, making): (&Part<'_>, &Making<'_>),
    field: &Field<'_>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let code = part.class.code;
    let uses = Uses::of(session, code, field.members[0].name.start()).await?;
    edits.warn(uses.certain(session).await?);
    edits.warn(field.listed(session, &part.delegate));
    for (user, one) in uses.iter() {
        let is_own = user.path == code.path && part.class.node.span().contains(one.span);
        if is_own && (part.takes(one.span) || making.takes(one.span)) {
            continue;
        }
        if is_own {
            making.check_early(part, one)?;
        }
        check(user, one)?;
        let asked = format!("{}.{}", part.delegate, part::bare(field.name));
        edits.add(user, [TextEdit::new(one.span, asked)]);
    }
    for user in uses.files.values().map(|file| &file.code) {
        // An object that no constructor made has no new object either.
        if let Some(at) = user.text().find("__new__(") {
            return Err(user.refuse(at, "objects are made here that no constructor has seen"));
        }
        if let Some(at) = ["copy.copy(", "from copy import"].iter().find_map(|word| user.text().find(word)) {
            let message = format!("a shallow copy of an object shares its `{}`", part.delegate);
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
        Kind::Read | Kind::Call | Kind::New | Kind::Write | Kind::Update | Kind::Bind | Kind::Decorator
    );
    match one.member(user).filter(|_| is_plain && !one.is_printed(user)) {
        Some(_) => Ok(()),
        None => Err(user.refuse(one.span.start, format!("it is {} here", one.kind.said()))),
    }
}
