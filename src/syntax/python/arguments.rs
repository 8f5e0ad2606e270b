//! The arguments of calls.

use crate::syntax::Node;

/// Returns the argument that a call passes at a place (0-based), or by one of these names; nothing where one before it is
/// taken apart.
pub fn argument<'t>(call: Node<'t>, at: usize, names: &[&str], text: &str) -> Option<Node<'t>> {
    let list = call.child("arguments").filter(|list| list.is("argument_list"))?;
    let mut placed = list.named_children().take_while(|it| !it.is_any(&["keyword_argument", "dictionary_splat"]));
    let is_open = list.named_children().take(at + 1).any(|it| it.is("list_splat"));
    let named = |name: &&str| {
        let is_it =
            |it: &Node<'_>| it.is("keyword_argument") && it.child("name").is_some_and(|it| it.text(text) == *name);
        list.named_children().find(is_it)?.child("value")
    };
    placed.nth(at).filter(|_| !is_open).or_else(|| names.iter().find_map(named))
}
