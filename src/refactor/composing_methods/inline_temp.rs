//! Inline Temp.
//!
//! ```python
//! base = order.price()        return order.price() > 1000
//! return base > 1000      →
//! ```
//! A module's variable goes into the files that import it, too.

mod other_files;
pub(super) mod temp;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_targets::of_imported;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::text::Span;
use temp::{Temp, put};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let request = &of_imported(session, request).await?;
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let temp = Temp::checked(&code, &names, request)?;
    let put = temp.uses.iter().map(|one| put((&code, temp.value), (&code, *one)).map(|edit| vec![edit]));
    let own = each(put.chain([temp.removed(&code)]))?.concat();
    let mut edits = Edits::default();
    edits.warn(temp.warnings.iter().cloned());
    let mut count = temp.uses.len();
    if temp.is_of_module() {
        count += other_files::put_all(session, (&code, &names), &temp, &mut edits).await?;
    }
    if count == 0 {
        return Err(code.refuse(temp.name.span.start, "nothing uses the variable: `safe-delete` takes it away"));
    }
    let value = temp.uses.is_empty().then(|| temp.value.span());
    let gone: Vec<Span> = value.into_iter().chain(temp.said_type()).collect();
    required::leave(session, &code, &gone, &mut edits);
    edits.add(&code, own);
    edits.plan()
}
