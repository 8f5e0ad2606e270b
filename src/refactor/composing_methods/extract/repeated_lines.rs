//! The same lines elsewhere in a file: each place may mean other variables, so that only expressions are replaced everywhere.

use crate::plan::{Warning, WarningKind};
use crate::refactor::doubts::tell;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::Span;

/// Tells where the lines of some statements stand again, indentation left aside.
pub(super) fn tell_of(code: &Code, statements: &[Node<'_>]) {
    let (Some(first), Some(last)) = (statements.first(), statements.last()) else { return };
    let whole = Span::new(first.start(), last.end());
    let wanted: Vec<&str> = whole.of(code.text()).unwrap_or_default().lines().map(str::trim).collect();
    let all: Vec<&str> = code.text().lines().map(str::trim).collect();
    let own = code.text()[..first.start()].matches('\n').count();
    let found = all.windows(wanted.len()).enumerate().filter(|(at, lines)| *at != own && **lines == wanted[..]);
    let lines: Vec<String> = found.map(|(at, _)| (at + 1).to_string()).collect();
    if !lines.is_empty() {
        let message = format!(
            "the same lines begin at {} and stay: `replace_all` is about expressions; extract them, too, or call it there",
            lines.join(", ")
        );
        let range = code.parsed().text.range(whole);
        tell(Warning::at(WarningKind::FollowUp, message, code.path.clone(), range));
    }
}
