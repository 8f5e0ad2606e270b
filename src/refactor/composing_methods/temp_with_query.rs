//! Replace Temp with Query.
//!
//! ```python
//! def price(self):                     def price(self):
//!     base = self.count * self.cost        return self.base() * 2
//!     return base * 2              →
//!                                      def base(self):
//!                                          return self.count * self.cost
//! ```

use super::inline_temp::temp::Temp;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::extracted_expression::{Idle, Query};
use crate::refactor::analysis::substitution::check_place;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::text::TextEdit;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let temp = Temp::checked(&code, &names, request)?;
    if temp.is_of_module() {
        return Err(code.refuse(temp.value.start(), "a variable of the module can be used from elsewhere"));
    }
    let query = Query::of(session, (&code, &names), (temp.value, Idle::InClass), request.params.text("name")).await?;
    let mut edits = temp.removed(&code)?;
    for one in &temp.uses {
        let call = query.call_in(*one);
        check_place(&code, &call, *one).noted()?;
        let shorthand = one.is("shorthand_property_identifier");
        let call = if shorthand { format!("{}: {call}", one.text(code.text())) } else { call };
        edits.push(TextEdit::new(one.span(), call));
    }
    edits.extend(Query::definitions(&[query]));
    Ok(code.plan(edits)?.with_warnings(temp.warnings))
}
