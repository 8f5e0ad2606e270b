//! Conditionals that a parameter decided, once it is one value for every call: what is never done goes, what is always done
//! stands for itself.

use crate::refactor::analysis::blocks::is_alone;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::removed_statements::without_statements;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_block};
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

const NOTHING: &[&str] = &["None", "null", "undefined"];

/// Returns the `if` without `else` that a use of the parameter decides alone where it is `written`, and what comes in its place:
/// `if urgent:` for `False`, `if sink is not None:` for `None`. `uses` are all of the parameter.
pub(super) fn decided(
    (code, names): (&Code, &ScopedNames<'_>),
    (one, written): (Node<'_>, &str),
    uses: &[Node<'_>],
) -> Option<TextEdit> {
    let (statement, holds) = condition((code, one), written)?;
    let body = statement.child("consequence")?;
    // In Python comments that a branch begins with stand outside of it; what stands beside the condition is about that.
    let comments: Vec<Node<'_>> = statement.children().filter(|it| it.is("comment")).collect();
    let is_apart = |it: &Node<'_>| code.text()[code.line_start(it.start())..it.start()].trim().is_empty();
    let is_plain = comments.iter().all(is_apart) && statement.child("alternative").is_none();
    let block = statement.parent().filter(|it| is_block(*it) || it.is("module"))?;
    if !is_plain || !is_alone(code, statement) || !holds && !is_closed(names, statement) {
        return None;
    }
    if !holds {
        let stays = |it: &Node<'_>| *it != statement && !it.is_any(&["comment", "expression_statement"]);
        let is_kept = block.named_children().any(|it| stays(&it));
        return without_statements(code, &[statement]).ok().filter(|_| is_kept)?.pop();
    }
    let inside: Vec<Node<'_>> = if is_block(body) { body.named_children().collect() } else { vec![body] };
    let first = comments.first().or(inside.first())?;
    let held = Span::new(first.start(), inside.last()?.end());
    let declares = |it: &Node<'_>| it.kind().ends_with("_declaration");
    let is_free = code.family() == Family::Python || !inside.iter().any(declares);
    let is_used = uses.iter().any(|other| held.contains(other.span()));
    let said = || Layout::of(code).moved(held, code.indent(statement.start()));
    (is_free && !is_used).then(|| TextEdit::new(statement.span(), said()))
}

/// Returns the `if` whose whole condition a use decides, and whether it holds.
fn condition<'c>((code, one): (&Code, Node<'c>), written: &str) -> Option<(Node<'c>, bool)> {
    let (mut node, mut holds) = (one, truth(written));
    loop {
        let outer = node.parent()?;
        match outer.kind() {
            "parenthesized_expression" => {}
            "if_statement" if node.field() == Some("condition") => return Some((outer, holds?)),
            "not_operator" => holds = Some(!holds?),
            "unary_expression" if outer.text(code.text()).starts_with('!') => holds = Some(!holds?),
            "comparison_operator" | "binary_expression" if node == one => {
                holds = Some(compared((code, outer), one, written)?);
            }
            _ => return None,
        }
        node = outer;
    }
}

/// Tells whether a comparison with nothing holds: `sink is not None`.
fn compared((code, comparison): (&Code, Node<'_>), one: Node<'_>, written: &str) -> Option<bool> {
    let mut parts = comparison.named_children();
    let (left, right, None) = (parts.next()?, parts.next()?, parts.next()) else { return None };
    let other = if left == one { right } else { left };
    let other = NOTHING.contains(&other.text(code.text())).then(|| other.text(code.text()))?;
    let is_nothing = NOTHING.contains(&written);
    let is_same = match code.text()[left.end()..right.start()].trim() {
        "is" | "===" => written == other,
        "is not" | "!==" => written != other,
        "==" => is_nothing,
        "!=" => !is_nothing,
        _ => return None,
    };
    Some(is_same)
}

/// Tells whether a literal counts as true; nothing where that is not plain.
fn truth(written: &str) -> Option<bool> {
    match written {
        "True" | "true" => Some(true),
        "False" | "false" | "0" => Some(false),
        _ if NOTHING.contains(&written) => Some(false),
        _ => None,
    }
}

/// Tells whether nothing that a statement binds is used outside of it.
fn is_closed(names: &ScopedNames<'_>, statement: Node<'_>) -> bool {
    let inside = |span: Span| statement.span().contains(span);
    let mut bound = names.within(statement.span()).filter(|it| it.is_binding);
    bound.all(|it| names.of_meaning(it.meaning).all(|one| inside(one.span)))
}
