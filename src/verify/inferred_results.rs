//! Findings about results that nobody declares.
//!
//! ```python
//! class Field:
//!     def shown(self): return "(none)"     # pulled up, say: `Literal['(none)']` by what it returns
//!
//! class Name(Field):
//!     def shown(self): return "a name"     # "overrides class "Field" in an incompatible manner"
//! ```
//! pyright holds what a method returns today against every override. Where neither of the two says a type, no contract is broken.

use super::texts::read_after;
use crate::plan::{Plan, Problem};
use crate::session::Session;
use crate::syntax::{Language, Node, Tree};
use crate::text::Text;

/// Tells whether a finding is no more than that an override returns another type than the method that it overrides does in a
/// file of the plan, and neither of them says any type.
pub(super) fn is_of(session: &Session, plan: &Plan, problem: &Problem) -> bool {
    let message = problem.plain_message();
    let Some((names, reason)) = message.split_once("in an incompatible manner") else { return false };
    let is_of_result = reason.trim_start().starts_with("Return type mismatch")
        && reason.matches("mismatch").count() == 1
        && !reason.contains("arameter");
    let mut quoted = names.split('"').skip(1).step_by(2);
    let (Some(method), Some(base), true) = (quoted.next(), quoted.next(), is_of_result) else { return false };
    let own = read_after(session, plan, &problem.path);
    let at = |text: &Text| problem.range.and_then(|range| text.offset(range.start));
    let is_own_bare = own.is_some_and(|text| {
        let mut all = bare_methods(&text, method, |_| true);
        all.any(|span| at(&text).is_some_and(|at| span.contains(&at)))
    });
    let is_class = |class: &str| class == base;
    is_own_bare && plan.edits().values().any(|edit| bare_methods(&edit.after(), method, is_class).next().is_some())
}

/// Returns where the methods of a name stand that say no type, in classes that are meant.
fn bare_methods(
    text: &Text,
    method: &str,
    is_meant: impl Fn(&str) -> bool,
) -> impl Iterator<Item = std::ops::Range<usize>> {
    let tree = Tree::parse(Language::Python, text.as_str());
    let said = |node: Option<Node<'_>>| node.map_or("", |it| it.text(text.as_str())).to_owned();
    let is_bare = |function: &Node<'_>| {
        let class = function.ancestors().find(|it| it.is("class_definition"));
        said(function.child("name")) == method
            && is_meant(&said(class.and_then(|it| it.child("name"))))
            && function.child("return_type").is_none()
            && !function.child("parameters").is_some_and(|list| list.descendants().any(|it| it.field() == Some("type")))
    };
    let all = tree.nodes().root().descendants().filter(|it| it.is("function_definition")).filter(is_bare);
    all.map(|it| it.start()..it.end()).collect::<Vec<_>>().into_iter()
}
