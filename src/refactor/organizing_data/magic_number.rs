//! Replace Magic Number with Symbolic Constant, and any other literal likewise: in what the target names, and in further files.
//!
//! ```python
//! def energy(mass, height):            GRAVITY = 9.81
//!     return mass * 9.81 * height  →
//!                                      def energy(mass, height):
//!                                          return mass * GRAVITY * height
//! ```

mod constant;
mod literal;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::expressions::replaced;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::page_scripts::share_names;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};
use constant::{Seen, constant, defined};
use literal::Literal;

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let extent = code.extent(&request.target);
    if !code.covering(extent).descendants().any(|it| literal::is_any(it) && extent.contains(it.span())) {
        return Err(Refusal::NotPossible("no literal stands in what the target names".to_owned()));
    }
    let (name, value) = (request.params.text("name"), request.params.needed("value")?.trim());
    let literal = Literal::of(value);
    let mut edits = Edits::default();
    let found = literal.within(&code, extent, &mut edits)?;
    let others = code.further(session, &request.params.globs("files")?)?;
    let own = named(&code, &found, name);
    let mut seen = Seen::Here;
    for other in &others {
        let changed = named(other, &literal.further(other, &mut edits)?, name);
        if !changed.is_empty() {
            if !share_names(session, &code, other) {
                seen = Seen::Elsewhere;
            }
            edits.add(other, changed);
            import(session, (&code, other), name, &mut edits)?;
        }
    }
    if constant(&code, name).is_some_and(|node| literal.is(&code, node)) {
        if seen == Seen::Elsewhere && code.family() == Family::Script {
            edits.add(&code, required::export(&code, name)?);
        }
        edits.add(&code, own);
        return edits.plan();
    }
    if code.mentions(code.root(), name) {
        return Err(Refusal::NotPossible(format!("`{name}` is already in use in `{}`", code.shown)));
    }
    let written = Layout::of(&code).moved(found[0].span(), "");
    let (at, definition) = defined(&code, (name, &written), seen);
    literal::check_known(&code, found[0], at)?;
    if let Some(early) = own.iter().find(|edit| edit.span.start < at) {
        return Err(code.refuse(early.span.start, "it is used before a constant could be defined"));
    }
    edits.add(&code, own);
    edits.add(&code, [TextEdit::new(Span::at(at), definition)]);
    edits.add(&code, required::handed_out(&code, name, at).filter(|_| seen == Seen::Elsewhere));
    edits.plan()
}

/// Lets another file know the constant.
fn import(session: &Session, (code, user): (&Code, &Code), name: &str, edits: &mut Edits) -> Result<(), Refusal> {
    let known = ScopedNames::of(user).named(name).find(|it| it.is_binding);
    if known.is_some_and(|it| required::imports(session, user, it, code)) {
        return Ok(());
    }
    if constant(user, name).is_some() || user.mentions(user.root(), name) {
        return Err(Refusal::NotPossible(format!("`{name}` is already in use in `{}`", user.shown)));
    }
    required::check_apart(session, code, user)?;
    edits.import(user, required::line(session, code, user, name));
    Ok(())
}

/// Puts the name where the literals stand, all but the one that the constant is made of.
fn named(code: &Code, found: &[Node<'_>], name: &str) -> Vec<TextEdit> {
    let uses = found.iter().filter(|it| constant(code, name) != Some(**it));
    uses.map(|it| replaced(code, *it, name)).collect()
}
