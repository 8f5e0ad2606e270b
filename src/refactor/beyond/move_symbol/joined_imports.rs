//! Several statements of a file that take names from the module that goes: they become one.

use crate::refactor::analysis::imports::placement::with_names;
use crate::refactor::analysis::imports::statements::{item, whole_line};
use crate::refactor::moves::links::{Link, LinkForm, LinkedName};
use crate::refactor::source_file::Code;
use crate::text::{Span, TextEdit};

/// The statements that go on to stand where they do, and take their names from the other module.
#[derive(Default)]
pub(super) struct JoinedImports {
    standing: Vec<Standing>,
}

struct Standing {
    statement: Span,
    source: String,
    form: LinkForm,
    /// The names that other statements bring to it.
    joined: Vec<String>,
}

impl JoinedImports {
    /// Takes a statement out whose names another one above brings as well; nothing where none does.
    pub(super) fn join(&mut self, code: &Code, (links, items): (&[Link], &[&Link]), source: &str) -> Option<TextEdit> {
        let first = items.first().filter(|_| is_of_names(code, links, items))?;
        let above = self.standing.iter_mut().find(|it| it.source == source && it.form == first.form)?;
        let line = whole_line(code, first.statement).ok()?;
        above.joined.extend(items.iter().map(|link| item(code, link)));
        Some(TextEdit::new(line, ""))
    }

    /// Notes a statement of which no more than its module was changed.
    pub(super) fn note(
        &mut self,
        code: &Code,
        (links, items): (&[Link], &[&Link]),
        (source, changed): (&str, &[TextEdit]),
    ) {
        let Some(first) = items.first().filter(|_| is_of_names(code, links, items)) else { return };
        if matches!(changed, [only] if only.span == first.source) {
            let (statement, form) = (first.statement, first.form);
            self.standing.push(Standing { statement, source: source.to_owned(), form, joined: Vec::new() });
        }
    }

    /// Returns the edits that bring the names to the statements which go on to stand.
    pub(super) fn edits(&self, code: &Code) -> Vec<TextEdit> {
        let grown = self.standing.iter().filter(|it| !it.joined.is_empty());
        grown.flat_map(|it| with_names(code, code.covering(it.statement), &it.joined, &[])).collect()
    }
}

/// Tells whether all that a statement at the top of a file takes is led, and is taken by its name.
fn is_of_names(code: &Code, links: &[Link], items: &[&Link]) -> bool {
    let Some(first) = items.first() else { return false };
    let is_top = code.covering(first.statement).parent().is_some_and(|outer| outer.parent().is_none());
    let all = links.iter().filter(|link| link.statement == first.statement).count();
    let is_named = |link: &&Link| matches!(link.taken, LinkedName::Name(_));
    is_top
        && all == items.len()
        && items.iter().all(is_named)
        && matches!(first.form, LinkForm::Import | LinkForm::TypeImport)
}
