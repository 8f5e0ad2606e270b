//! Encapsulate Field and Self Encapsulate Field.
//!
//! ```python
//! class Order:                         class Order:
//!     def __init__(self, total):           def __init__(self, total):
//!         self.total = total      →            self._total = total
//!
//!                                          @property
//!                                          def total(self):
//!                                              return self._total
//!
//!                                          @total.setter
//!                                          def total(self, value):
//!                                              self._total = value
//! ```
//! Who reads and sets the field goes on to do so, by the accessors of its name. A field that is private by its name
//! keeps it, and the class itself comes to use accessors without the underscore.

mod accessors;
mod python;
mod script;

pub(crate) use script::kept;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::class_variables;
use crate::refactor::analysis::fields::{Around, Field};
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::{Span, TextEdit};
use accessors::Accessors;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request, For::Others));
pub(crate) const SELF: Run = |session, request| Box::pin(plan(session, request, For::Itself));

/// Whom the accessors are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum For {
    Others,
    Itself,
}

async fn plan(session: &Session, request: &Request, wanted: For) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let field = Field::of(&code, &request.target)?;
    let accessors = accessors(&code, &field, wanted)?;
    let around = field.around(session).await?;
    field.check_open(&around).noted()?;
    let slot = field.slot()?.filter(|_| accessors.storage != field.name);
    let new = if accessors.storage == field.name { &accessors.name } else { &accessors.storage };
    field.check_free(&around, new).noted()?;
    let uses = Uses::of(session, &code, field.members[0].name.start()).await?;
    check(&field, &around, &uses).noted()?;
    if accessors.storage != field.name {
        class_variables::check(session, &field, &around, &uses).await.noted()?;
    }
    let mut edits = match code.family() {
        Family::Python => python::edits(session, &field, &accessors, &uses).await,
        _ => script::edits(session, &field, &accessors, &uses).await?,
    };
    edits.extend(slot.map(|span| TextEdit::new(span, accessors.storage.as_str())));
    let plan = code.plan(edits)?;
    let mut warnings = plan.warnings().to_vec();
    if accessors.storage != field.name {
        warnings.extend(field.listed(session, &accessors.storage));
    }
    Ok(plan.with_warnings(warnings))
}

fn accessors(code: &Code, field: &Field<'_>, wanted: For) -> Result<Accessors, Refusal> {
    let at = field.members[0].name.start();
    let bare = field.name.trim_start_matches(['_', '#']);
    let is_private = bare != field.name || field.members.iter().any(|it| it.is_marked(code, "private"));
    if bare.is_empty() || field.name.ends_with("__") {
        return Err(code.refuse(at, "the language calls it by this very name"));
    }
    if wanted == For::Others && is_private {
        let reason = format!("`{}` is private: `self-encapsulate-field` gives it accessors", field.name);
        return Err(code.refuse(at, reason));
    }
    match bare == field.name {
        true => Ok(Accessors { storage: format!("_{bare}"), name: bare.to_owned() }),
        false => Ok(Accessors { storage: field.name.to_owned(), name: bare.to_owned() }),
    }
}

/// Refuses uses that no accessor serves.
fn check(field: &Field<'_>, around: &Around, uses: &Uses) -> Result<(), Refusal> {
    for (code, one) in uses.iter() {
        let reason = around.unserved(field, (code, one)).or(match one.kind {
            UseKind::Keyword => Some("it is named in a pattern or a call here"),
            UseKind::Pattern if has_rest(code, one.span) => Some("what is left of the object is taken here, too"),
            _ => None,
        });
        if let Some(reason) = reason {
            return Err(code.refuse(one.span.start, reason));
        }
    }
    Ok(())
}

fn has_rest(code: &Code, span: Span) -> bool {
    let pattern = code.covering(span).ancestors().find(|it| it.is("object_pattern"));
    pattern.is_some_and(|it| it.named_children().any(|child| child.is("rest_pattern")))
}
