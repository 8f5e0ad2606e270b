//! Variables that only the arguments of a macro name: where rust-analyzer does not expand it, an extracted function is not
//! passed them.

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::doubts::in_doubt;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::{Language, Node, Tree};
use crate::text::Span;

/// Refuses where code that leaves its function names a variable of it in a macro, and the new function does not know it.
pub(super) fn check(code: &Code, leaving: Span, plan: &Plan) -> Result<(), Refusal> {
    let Some(function) = function_of(code.covering(leaving)) else { return Ok(()) };
    let Some(file) = plan.edits().get(&code.path) else { return Ok(()) };
    let after = file.after();
    let tree = Tree::parse(Language::Rust, after.as_str());
    let text = code.text();
    let outside = bound(function, text).into_iter().filter(|(place, _)| !leaving.contains(*place));
    let outside: Vec<&str> = outside.map(|(_, name)| name).collect();
    let named = in_macros(function).filter(|it| leaving.contains(it.span()) && outside.contains(&it.text(text)));
    for name in named {
        // Wherever it goes, the words of the macro stay as they are.
        let functions = tree.nodes().iter().filter(|it| it.is("function_item"));
        let with_it = functions.filter(|it| in_macros(*it).any(|other| other.text(after.as_str()) == name.text(text)));
        let knows = |it: Node<'_>| bound(it, after.as_str()).iter().any(|(_, known)| *known == name.text(text));
        if let Some(unknowing) = with_it.into_iter().find(|it| !knows(*it)) {
            let new = unknowing.child("name").map_or("the function", |it| it.text(after.as_str()));
            let reason = format!("`{}` is used in a macro, and `{new}` is not passed it", name.text(text));
            in_doubt(code, name.span(), reason)?;
        }
    }
    Ok(())
}

/// Returns the names that the arguments of macros say, members and calls apart.
fn in_macros(function: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let is_argument = |it: &Node<'_>| it.is("identifier") && it.ancestors().any(|outer| outer.is("token_tree"));
    function.descendants().filter(is_argument)
}

/// Returns the variables and parameters that a function binds.
fn bound<'t>(function: Node<'_>, text: &'t str) -> Vec<(Span, &'t str)> {
    let is_bound = |it: &Node<'_>| {
        let patterns = it.ancestors().take_while(|outer| *outer != function);
        it.is("identifier") && std::iter::once(*it).chain(patterns).any(|outer| outer.field() == Some("pattern"))
    };
    function.descendants().filter(is_bound).map(|it| (it.span(), it.span().of(text).unwrap_or_default())).collect()
}
