//! What stands above a definition.

use crate::syntax::Node;

/// Returns the decorators of a function or class, in order.
pub fn decorators(definition: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let outer = definition.parent().filter(|outer| outer.is("decorated_definition"));
    outer.into_iter().flat_map(Node::children).filter(|child| child.is("decorator"))
}
