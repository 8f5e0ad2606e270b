//! What gives a variable of Python one value after another.

use crate::syntax::Node;

/// Returns the loops around a node and the clauses of comprehensions around it, the innermost first: what is on their `left`
/// becomes one by one what is on their `right`.
pub fn loops_around<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    node.ancestors().flat_map(|outer| {
        let clauses = outer.children().filter(|child| child.is("for_in_clause"));
        clauses.chain(Some(outer).filter(|outer| outer.is("for_statement")))
    })
}
