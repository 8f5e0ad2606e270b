//! Constructors that hand on what they do not take themselves to the one above: whoever calls them calls that one, too.
//!
//! ```python
//! class Crate(Box):
//!     def __init__(self, label, *args, **kwargs):
//!         super().__init__(*args, **kwargs)
//! ```

use super::parameters::{ArgumentSource, Parameter, all, items};
use super::signatures::ListOwner;
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
    let list = constructor.child("parameters")?;
    if list.children().any(|it| it.is("positional_separator")) {
        return None;
    }
    let own = usize::from(code.family() == Family::Python);
    let parameters = all(code, constructor).into_iter().skip(own);
    let (rest, kept): (Vec<Parameter<'_>>, Vec<Parameter<'_>>) =
        parameters.partition(|it| it.way == ArgumentSource::Rest);
    let rest: Vec<&str> =
        rest.iter().filter_map(|it| it.name.named_children().next()).map(|it| it.text(code.text())).collect();
    let passed: Vec<Node<'_>> = items(call.child("arguments")?).collect();
    let passes = |(name, argument): (&&str, &Node<'_>)| spread(code, *argument) == Some(*name);
    let is_whole = !rest.is_empty() && rest.len() == passed.len() && rest.iter().zip(&passed).all(passes);
    let is_only_passed = |name: &&str| constructor.descendants().filter(|it| is_named(code, *it, name)).count() == 2;
    (is_whole && rest.iter().all(is_only_passed)).then(|| Forwarding {
        kept: kept.iter().filter(|it| !it.is_named()).count(),
        names: kept.iter().map(|it| it.name.text(code.text()).to_owned()).collect(),
    })
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
