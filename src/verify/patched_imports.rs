//! Imports of Python that only others ask for, by their module: `prices.rounded = Mock()`, `mock.patch("shop.prices.rounded")`.
//! They stay where something leaves the module that used them.

use crate::plan::{Plan, Problem, Severity};
use crate::session::Session;
use crate::syntax::whole_words;
use crate::text::AbsPath;

/// Tells whether a finding is but the hint that such an import is not used in its own file.
pub(super) fn is_of(session: &Session, plan: &Plan, problem: &Problem) -> bool {
    let mut quoted = problem.message.split('"');
    let is_it = problem.severity == Severity::Hint
        && problem.path.extension() == "py"
        && quoted.next() == Some("Import ")
        && problem.message.ends_with("is not accessed");
    let Some(name) = quoted.next().filter(|_| is_it) else { return false };
    let (module, asked) = (problem.path.file_stem(), format!(".{name}"));
    let asks = |text: &str| !whole_words(text, module).is_empty() && text.contains(&asked);
    let says = |path: &AbsPath| match plan.edits().get(path) {
        Some(edit) => asks(edit.after().as_str()),
        None => session.disk().read(path).is_ok_and(|text| asks(text.as_str())),
    };
    let others = session.disk().files_mentioning(name).into_iter().filter(|path| *path != problem.path);
    others.into_iter().filter(|path| path.extension() == "py").any(|path| says(&path))
}
