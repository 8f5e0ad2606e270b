//! Whether a call can be one of a function, by what it passes. A script may pass fewer and more than a function takes.

use super::parameters::{ArgumentSource, Parameter, all};
use crate::refactor::source_file::{Code, definition};
use crate::syntax::target::last_name;
use crate::syntax::{Family, Node};

/// What takes nothing else than the function that it decorates.
const PLAIN: &[&str] = &["abstractmethod", "classmethod", "final", "override", "staticmethod"];

/// Tells whether a function can be what is called, on an object or through its class. What decorates it may take other
/// arguments.
pub(crate) fn can_take((home, function): (&Code, Node<'_>), (code, call): (&Code, Node<'_>)) -> bool {
    let is_plain = |mark: &Node<'_>| PLAIN.contains(&last_name(mark.text(home.text()).trim_start_matches('@')));
    let is_decorated = definition(function).children().any(|it| it.is("decorator") && !is_plain(&it));
    let Some((count, names)) = passed(code, call) else { return true };
    if home.family() != Family::Python || is_decorated {
        return true;
    }
    let taken = all(home, function);
    [1, 0].iter().any(|objects| taken.get(*objects..).is_some_and(|taken| takes(home, taken, (count, &names))))
}

/// Returns how many values a call passes by their places, and the names of the others; nothing where that is not written out.
pub(crate) fn passed<'c>(code: &'c Code, call: Node<'c>) -> Option<(usize, Vec<&'c str>)> {
    let list = call.child("arguments").filter(|it| it.is_any(&["argument_list", "arguments"]))?;
    let all: Vec<Node<'c>> = list.named_children().filter(|it| !it.is("comment")).collect();
    if all.iter().any(|it| it.is_any(&["dictionary_splat", "list_splat", "spread_element"])) {
        return None;
    }
    let is_named = |it: &&Node<'c>| it.is("keyword_argument");
    let names = all.iter().filter(is_named).filter_map(|it| it.child("name")).map(|it| it.text(code.text())).collect();
    Some((all.iter().filter(|it| !is_named(it)).count(), names))
}

/// Tells whether parameters can take so many values by place, and values by these names.
fn takes(home: &Code, parameters: &[Parameter<'_>], (count, names): (usize, &[&str])) -> bool {
    let name = |it: &Parameter<'_>| it.bound().text(home.text());
    let rest = |kind: &str| parameters.iter().any(|it| it.name.is(kind));
    let plain: Vec<&Parameter<'_>> = parameters.iter().filter(|it| it.way == ArgumentSource::Plain).collect();
    let by_name = plain.iter().skip(count).copied().chain(parameters.iter().filter(|it| it.is_named()));
    let by_name: Vec<&Parameter<'_>> = by_name.collect();
    let is_known = |one: &&str| rest("dictionary_splat_pattern") || by_name.iter().any(|it| name(it) == *one);
    (count <= plain.len() || rest("list_splat_pattern"))
        && names.iter().all(is_known)
        && by_name.iter().all(|it| it.is_open() || names.contains(&name(it)))
}
