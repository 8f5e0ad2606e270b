//! Imports of Python that stay where something leaves the module that used them: others ask for them by their module
//! (`prices.rounded = Mock()`, `mock.patch("shop.prices.rounded")`), or what else is tried with them depends on them.

use std::sync::Arc;

use crate::plan::{Plan, Problem, Severity};
use crate::session::Session;
use crate::syntax::whole_words;
use crate::text::{AbsPath, Span};

/// Tells whether a finding is but the hint that such an import is not used in its own file.
pub(super) fn is_of(session: &Session, plan: &Plan, problem: &Problem) -> bool {
    let mut quoted = problem.message.split('"');
    let is_it = problem.severity == Severity::Hint
        && problem.path.extension() == "py"
        && quoted.next() == Some("Import ")
        && problem.message.ends_with("is not accessed");
    let Some(name) = quoted.next().filter(|_| is_it) else { return false };
    if is_tried(session, plan, problem) {
        return true;
    }
    let (module, asked) = (problem.path.file_stem(), format!(".{name}"));
    let asks = |text: &str| !whole_words(text, module).is_empty() && text.contains(&asked);
    let says = |path: &AbsPath| match plan.edits().get(path) {
        Some(edit) => asks(edit.after().as_str()),
        None => session.disk().read(path).is_ok_and(|text| asks(text.as_str())),
    };
    let others = session.disk().files_mentioning(name).into_iter().filter(|path| *path != problem.path);
    others.into_iter().filter(|path| path.extension() == "py").any(|path| says(&path))
}

/// Tells whether a finding stands in what a `try` does first.
fn is_tried(session: &Session, plan: &Plan, problem: &Problem) -> bool {
    let text = match plan.edits().get(&problem.path) {
        Some(edit) => Arc::new(edit.after()),
        None => match session.disk().read(&problem.path) {
            Ok(text) => text,
            Err(_) => return false,
        },
    };
    let Some(at) = problem.range.and_then(|it| text.offset(it.start)) else { return false };
    let Some(parsed) = session.sources().parse(&problem.path, &text) else { return false };
    let mut around = parsed.tree.nodes().covering(Span::at(at)).ancestors();
    around.any(|it| {
        it.is("block") && it.field() == Some("body") && it.parent().is_some_and(|outer| outer.is("try_statement"))
    })
}
