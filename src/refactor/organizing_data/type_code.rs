//! Replace Type Code with Class.
//!
//! ```python
//! BLOOD_O = 0                          class Blood(IntEnum):
//! BLOOD_A = 1                              O = 0
//!                                  →       A = 1
//!
//! if person.blood == BLOOD_O: …        if person.blood == Blood.O: …
//! ```
//! A member goes on to equal its value, so that what compares and keeps bare values goes on to work.

mod constants;
mod imports;
mod written;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::references::{InFile, UseKind, Uses};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::{Span, TextEdit};
use constants::Constants;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let name = request.params.text("name");
    let constants = Constants::of(&code, &request.target, request.params.list("constants"))?;
    check_unused(&code, name).noted()?;
    constants.check().noted()?;
    let mut edits = Edits::default();
    let mut all: Vec<(String, Uses)> = Vec::new();
    for one in &constants.all {
        let uses = Uses::of(session, &code, one.name.start()).await?;
        if constants.class.is_some() {
            edits.warn(uses.certain(session).await?);
        }
        all.push((one.member.clone(), uses));
    }
    for (member, uses) in &all {
        for file in uses.files.values() {
            edits.add(&file.code, replaced(&constants, file, (name, member))?);
        }
    }
    let uses: Vec<&Uses> = all.iter().map(|(_, uses)| uses).collect();
    imports::led(session, (&constants, &uses), name, &mut edits)?;
    edits.add(&code, written::class(session, &constants, name)?);
    if code.family() == Family::Python {
        edits.import(&code, written::needs(session, &constants).map(str::to_owned));
        let told = format!("shown in a list or by `repr`, a code reads `<{name}.{}: …>` now", constants.all[0].member);
        edits.warn([Warning::of_plan(WarningKind::FollowUp, told)]);
    }
    edits.plan()
}

/// Names the member where a file names the constant.
fn replaced(constants: &Constants<'_>, file: &InFile, (name, member): (&str, &str)) -> Result<Vec<TextEdit>, Refusal> {
    let code = &file.code;
    let mut edits = Vec::new();
    for one in &file.uses {
        let node = one.node(code);
        let is_own = code.path == constants.code.path && constants.all.iter().any(|it| it.name.span() == one.span);
        let whole = one.member(code);
        let said = format!("{name}.{member}");
        match one.kind {
            _ if is_own => {}
            UseKind::Import | UseKind::Text => {}
            UseKind::Read | UseKind::Type | UseKind::Call => {
                if one.is_printed(code) {
                    return Err(code.refuse(one.span.start, "the string shows how the constant is written"));
                }
                if node.ancestors().any(|it| it.is("case_pattern")) && whole.is_none() {
                    return Err(code.refuse(one.span.start, "a `case` binds this name and compares it with nothing"));
                }
                let span = match whole {
                    Some(whole) if constants.class.is_some() => whole.span(),
                    _ => one.span,
                };
                let key = if node.is("shorthand_property_identifier") {
                    format!("{}: ", node.text(code.text()))
                } else {
                    String::new()
                };
                edits.push(TextEdit::new(span, format!("{key}{said}")));
            }
            UseKind::Key if node.is("shorthand_property_identifier") => {
                edits.push(TextEdit::new(Span::at(one.span.end), format!(": {said}")));
            }
            kind => return Err(code.refuse(one.span.start, format!("the constant is {} here", kind.said()))),
        }
    }
    Ok(edits)
}
