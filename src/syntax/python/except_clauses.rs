//! The classes that an `except` clause waits for ([8.4.1](https://docs.python.org/3/reference/compound_stmts.html#except-clause)).

use crate::syntax::Node;

/// Tells whether an expression is a class that an `except` or `except*` clause waits for: by itself, in a tuple, with
/// a name for what is caught.
pub fn is_caught(class: Node<'_>) -> bool {
    let mut part = class;
    while let Some(outer) = part.parent() {
        match outer.kind() {
            "tuple" | "parenthesized_expression" => part = outer,
            "as_pattern" if part.field() != Some("alias") => part = outer,
            "except_clause" | "except_group_clause" => return !part.is("block") && part.field() != Some("alias"),
            _ => return false,
        }
    }
    false
}
