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

mod class_text;
mod extracted_members;
mod first_values;
mod initialization;
mod member_names;
mod passed_fields;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::Class;
use crate::refactor::analysis::delegated_access::{DelegatedField, redirect};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::members::{check_outermost, put_above_class};
use crate::refactor::analysis::references::Use;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use extracted_members::Part;
pub(crate) use first_values::{Init, init};
use initialization::Making;
pub(crate) use initialization::opening;
pub(crate) use member_names::bare;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    check_outermost(&class).noted()?;
    class.check_fields()?;
    let mut part = Part::of(&class, request)?;
    let mut edits = Edits::default();
    edits.warn(part.pass_needed(session).await?);
    let mut making = Making::of(&part)?;
    making.learn_types(session, &part).await;
    part.pass_types(&making.inits.iter().filter_map(|it| it.typed.as_deref()).collect::<Vec<_>>())?;
    part.check_methods().noted()?;
    part.check_around(session).await.noted()?;
    for field in &part.fields {
        let name = bare(field.name);
        let through = DelegatedField { field, delegate: &part.delegate, name };
        let is_left = |user: &Code, one: &Use| {
            let is_own = user.path == code.path && class.node.span().contains(one.span);
            if is_own && (part.takes(one.span) || making.takes(one.span)) {
                return Ok(true);
            }
            if is_own { making.check_early(&part, one).map(|()| false) } else { Ok(false) }
        };
        redirect(session, &through, is_left, &mut edits).await?;
    }
    part.take_asked(&mut edits).noted()?;
    edits.add(&code, [put_above_class(&class, class_text::class(&part, &making)?)]);
    edits.add(&code, class_text::left(&part, &making)?);
    edits.add(&code, making.edits(&part)?);
    if code.family() == Family::Script {
        let doubt = "only a check can tell whether objects of the class are passed for what has these fields by itself";
        edits.warn([Warning::of_plan(WarningKind::Unproven, doubt)]);
    }
    edits.plan()
}
