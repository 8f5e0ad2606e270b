//! Imports of Python that stay where something leaves the module that used them: others take them from there
//! (`from shop.prices import rounded`), or ask for them by their module (`prices.rounded = Mock()`,
//! `mock.patch("shop.prices.rounded")`), or what else is tried with them depends on them.

use std::sync::Arc;

use super::texts::read_after;
use crate::plan::{Plan, Problem, Severity};
use crate::session::{Parsed, Session};
use crate::syntax::{Node, whole_words};
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
    let package = problem.path.parent().filter(|_| problem.path.file_stem() == "__init__");
    let module = package.as_ref().map_or(problem.path.file_stem(), AbsPath::file_name);
    let asked = format!(".{name}");
    let says = |path: &AbsPath| {
        let Some(parsed) = after(session, plan, path) else { return false };
        let text = parsed.text.as_str();
        !whole_words(text, module).is_empty() && text.contains(&asked) || takes(&parsed, module, name)
    };
    let others = session.disk().files_mentioning(name).into_iter().filter(|path| *path != problem.path);
    others.into_iter().filter(|path| path.extension() == "py").any(|path| says(&path))
}

/// Reads a file as it is after the plan.
fn after(session: &Session, plan: &Plan, path: &AbsPath) -> Option<Arc<Parsed>> {
    session.sources().parse(path, &read_after(session, plan, path)?)
}

/// Tells whether a text takes a name from a module that is called so: `from shop.prices import rounded`.
fn takes(parsed: &Parsed, module: &str, name: &str) -> bool {
    let text = parsed.text.as_str();
    let is_it = |node: Node<'_>| {
        let from = node.child("module_name").map_or("", |it| it.text(text));
        let is_name = |item: Node<'_>| item.child("name").unwrap_or(item).text(text) == name;
        from.rsplit('.').next() == Some(module) && node.named_children().skip(1).any(is_name)
    };
    parsed.tree.nodes().iter().any(|node| node.is("import_from_statement") && is_it(node))
}

/// Tells whether a finding stands in what a `try` does first.
fn is_tried(session: &Session, plan: &Plan, problem: &Problem) -> bool {
    let Some(parsed) = after(session, plan, &problem.path) else { return false };
    let Some(at) = problem.range.and_then(|it| parsed.text.offset(it.start)) else { return false };
    let mut around = parsed.tree.nodes().covering(Span::at(at)).ancestors();
    around.any(|it| {
        it.is("block") && it.field() == Some("body") && it.parent().is_some_and(|outer| outer.is("try_statement"))
    })
}
