//! Constructors that hand on what they do not take themselves to the one above: whoever calls them calls that one, too.
//!
//! ```python
//! class Crate(Box):
//!     def __init__(self, label, *args, **kwargs):
//!         super().__init__(*args, **kwargs)
//! ```

use super::signatures::{ListOwner, parameters, pattern};
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};

/// What a constructor takes of its arguments before it hands on the others.
pub(super) struct Forwarding {
    /// So many that stand first.
    pub kept: usize,
    /// What its own parameters are called.
    pub names: Vec<String>,
}

/// Tells what a constructor keeps that calls the one above by `call`; nothing where that call does not pass exactly all
/// that is left.
pub(super) fn forwarding((code, constructor): ListOwner<'_>, call: Node<'_>) -> Option<Forwarding> {
    let skipped = usize::from(code.family() == Family::Python);
    let mut kept = Forwarding { kept: 0, names: Vec::new() };
    let mut rest: Vec<&str> = Vec::new();
    let mut is_by_place = true;
    for parameter in parameters((code, constructor)).into_iter().skip(skipped) {
        if parameter.is("positional_separator") {
            return None;
        }
        if parameter.kind().ends_with("comment") {
            continue;
        }
        match rest_of(parameter) {
            _ if parameter.is("keyword_separator") => is_by_place = false,
            Some(name) => {
                is_by_place = false;
                rest.push(name.text(code.text()));
            }
            None => {
                kept.kept += usize::from(is_by_place);
                kept.names.push(bound(parameter).text(code.text()).to_owned());
            }
        }
    }
    let passed: Vec<Node<'_>> =
        call.child("arguments")?.named_children().filter(|it| !it.kind().ends_with("comment")).collect();
    let passes = |(name, argument): (&&str, &Node<'_>)| spread(code, *argument) == Some(*name);
    let is_whole = !rest.is_empty() && rest.len() == passed.len() && rest.iter().zip(&passed).all(passes);
    let is_only_passed = |name: &&str| constructor.descendants().filter(|it| is_named(code, *it, name)).count() == 2;
    (is_whole && rest.iter().all(is_only_passed)).then_some(kept)
}

/// Returns the name of a parameter that takes all that is left.
fn rest_of(parameter: Node<'_>) -> Option<Node<'_>> {
    const REST: &[&str] = &["list_splat_pattern", "dictionary_splat_pattern", "rest_pattern"];
    let inside = std::iter::once(parameter).chain(parameter.named_children().take(1)).chain([pattern(parameter)]);
    inside.into_iter().find(|it| it.is_any(REST))?.named_children().next()
}

/// Returns what a parameter that takes one value binds.
pub(super) fn bound(parameter: Node<'_>) -> Node<'_> {
    let typed = parameter.named_children().next().filter(|_| parameter.is("typed_parameter"));
    typed.or_else(|| parameter.child("name")).unwrap_or(pattern(parameter))
}

/// Returns the name that an argument spreads: `*args`, `**options`, `...args`.
fn spread<'c>(code: &'c Code, argument: Node<'c>) -> Option<&'c str> {
    let is_spread = argument.is_any(&["list_splat", "dictionary_splat", "spread_element"]);
    let name = argument.named_children().next().filter(|it| is_spread && it.is("identifier"))?;
    Some(name.text(code.text()))
}

fn is_named(code: &Code, node: Node<'_>, name: &str) -> bool {
    node.is("identifier") && node.text(code.text()) == name
}
