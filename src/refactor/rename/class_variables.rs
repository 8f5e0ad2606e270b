//! Variables of Python that stand for a class (`Base = shapes.Shape`): where the class is named.

use crate::lsp::{Location, Place};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::Node;

/// Returns where the classes are named that the variable at a place is given; nothing where it is given no names.
pub(super) fn named_values(session: &Session, variable: &Location) -> Result<Vec<Place>, Refusal> {
    let Some(parsed) = session.parsed(&variable.path)? else { return Ok(Vec::new()) };
    let name = parsed.tree.nodes().covering(variable.span);
    let given = name.parent().filter(|parent| parent.is("assignment"));
    let given = given.filter(|it| it.child("left").is_some_and(|left| left.span() == name.span()));
    let mut names = Vec::new();
    if let Some(value) = given.and_then(|it| it.child("right")) {
        collect(value, &mut names);
    }
    Ok(names.into_iter().map(|name| Place { path: variable.path.clone(), offset: name.start() }).collect())
}

fn collect<'t>(value: Node<'t>, names: &mut Vec<Node<'t>>) {
    match value.kind() {
        "identifier" => names.push(value),
        "attribute" => names.extend(value.child("attribute")),
        "subscript" => value.child("value").into_iter().for_each(|value| collect(value, names)),
        "parenthesized_expression" => value.named_children().for_each(|inner| collect(inner, names)),
        // `A if condition else B`
        "conditional_expression" => {
            let parts: Vec<Node<'t>> = value.named_children().collect();
            parts.first().into_iter().chain(parts.get(2)).for_each(|part| collect(*part, names));
        }
        _ => {}
    }
}
