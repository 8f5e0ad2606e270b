//! The types of what is said in full.

use super::signatures::is_literal;
use crate::syntax::{Family, Language, Node, Tree};

/// Returns the type of a literal that stands in a text, as its language calls it.
pub(crate) fn literal_type(family: Family, literal: Node<'_>, text: &str) -> Option<&'static str> {
    let is_script = family != Family::Python;
    if !is_literal(literal) {
        return None;
    }
    let node = match literal.is_any(&["unary_operator", "unary_expression"]) {
        true => literal.named_children().next()?,
        false => literal,
    };
    match node.kind() {
        "number" => Some("number"),
        "true" | "false" if is_script => Some("boolean"),
        "string" if is_script => Some("string"),
        "integer" => Some("int"),
        "float" => Some("float"),
        "true" | "false" => Some("bool"),
        "string" => {
            let said = node.text(text);
            let marks = said.find(['"', '\'']).map_or("", |at| &said[..at]);
            Some(if marks.to_lowercase().contains('b') { "bytes" } else { "str" })
        }
        _ => None,
    }
}

/// Returns the type of a literal that was given as a text of its own.
pub(crate) fn type_of_given(language: Language, given: &str) -> Option<&'static str> {
    let tree = Tree::parse(language, given);
    let statement = tree.nodes().root().named_children().next()?;
    literal_type(language.family(), statement.named_children().next()?, given)
}
