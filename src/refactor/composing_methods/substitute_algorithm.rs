//! Substitute Algorithm.
//!
//! ```python
//! def found(people):                          def found(people):
//!     for person in people:                       return next((it for it in people if it in KNOWN), "")
//!         if person in KNOWN:         →
//!             return person
//!     return ""
//! ```

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{first_statement, function, indent};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let (function, body) = function(&code, &request.target)?;
    let new = request.params.needed("body")?.trim_matches(['\r', '\n']);
    if new.contains("\"\"\"") || new.contains("'''") || new.contains('`') {
        return Err(Refusal::NotPossible(
            "in the new body a text may go over lines, which are indented anew".to_owned(),
        ));
    }
    let (Some(first), Some(last)) = (first_statement(body), body.named_children().last()) else {
        return Err(code.refuse(function.start(), "the function has no body that could be replaced"));
    };
    let yields = body.descendants().any(|node| node.kind().starts_with("yield"));
    if yields != new.contains("yield") {
        return Err(code.refuse(function.start(), "one of the two bodies makes a generator of the function"));
    }
    let indented = indented(new, indent(&code, first)?, code.newline());
    let plan = code.plan(vec![TextEdit::new(Span::new(first.start(), last.end()), indented)])?;
    let name = function.child("name").map_or("the function", |name| name.text(code.text()));
    let doubt = format!("only tests can tell whether the new body of `{name}` does the same");
    let doubt = Warning::of_plan(WarningKind::FollowUp, doubt);
    Ok(plan.with_warnings(vec![doubt]))
}

/// Writes lines at another indentation, the first one without any.
fn indented(text: &str, indent: &str, newline: &str) -> String {
    let width = |line: &str| line.len() - line.trim_start().len();
    let old = text.lines().filter(|line| !line.trim().is_empty()).map(width).min().unwrap_or_default();
    let line = |line: &str| {
        let inner = line.get(old..).unwrap_or_default().trim_end();
        if inner.is_empty() { String::new() } else { format!("{indent}{inner}") }
    };
    let lines: Vec<String> = text.trim_end().lines().map(line).collect();
    lines.join(newline).trim_start().to_owned()
}
