//! Names that are asked for by way of what has them: `shop.total`.

use crate::syntax::Node;

/// Returns the attribute that a name ends, or the name where it stands by itself.
pub fn qualified(name: Node<'_>) -> Node<'_> {
    name.parent().filter(|outer| outer.child("attribute") == Some(name)).unwrap_or(name)
}
