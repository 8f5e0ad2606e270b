//! What scripts take by `require` and `await import`.

use crate::refactor::moves::links::LinkedName;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::Span;

/// One thing that is taken so: a link whose module is not known yet.
pub(super) struct Required {
    /// The declaration, where it declares nothing else; the declarator among others; the expression where nothing is declared.
    pub statement: Span,
    pub item: Span,
    pub source: Span,
    pub taken: LinkedName,
    pub local: Option<Span>,
}

/// Returns all that a file takes so.
pub(super) fn required(code: &Code) -> Vec<Required> {
    if !["require", "import("].iter().any(|word| code.text().contains(word)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for call in code.root().descendants().filter(|it| it.is("call_expression")) {
        if let Some((value, source)) = loaded(code, call) {
            read(code, (value, source), &mut found);
        }
    }
    found
}

/// Tells whether a module is loaded so at a place, and more of it goes elsewhere than links tell.
pub(super) fn is_unfollowed(code: &Code, source: Span) -> bool {
    let call = code.covering(source).ancestors().find(|it| it.is("call_expression"));
    let Some((value, _)) = call.and_then(|it| loaded(code, it)) else { return false };
    let pattern = value.parent().filter(|outer| outer.is("variable_declarator")).and_then(|it| it.child("name"));
    let takes_rest = pattern.is_some_and(|it| it.named_children().any(|item| item.is("rest_pattern")));
    let mut links = Vec::new();
    read(code, (value, source), &mut links);
    takes_rest || links.is_empty() && pattern.is_none()
}

/// Returns the value of a call that loads a module, and the module between its quotes.
fn loaded<'c>(code: &Code, call: Node<'c>) -> Option<(Node<'c>, Span)> {
    let function = call.child("function")?.text(code.text());
    let source =
        call.child("arguments")?.named_children().next().filter(|it| it.is("string") && it.span().len() > 2)?;
    let mut value = match function {
        "require" => call,
        "import" => call.parent().filter(|outer| outer.is("await_expression"))?,
        _ => return None,
    };
    while let Some(outer) = value.parent().filter(|outer| outer.is("parenthesized_expression")) {
        value = outer;
    }
    Some((value, Span::new(source.start() + 1, source.end() - 1)))
}

fn read(code: &Code, (value, source): (Node<'_>, Span), found: &mut Vec<Required>) {
    let member = value.parent().filter(|outer| outer.is("member_expression") && outer.child("object") == Some(value));
    let name = member.and_then(|member| member.child("property")).map(|it| it.text(code.text()).to_owned());
    let taken = name.map_or(LinkedName::Module, LinkedName::Name);
    let all = member.unwrap_or(value);
    let Some(outer) = all.parent() else { return };
    let whole = all.span();
    match outer.kind() {
        "variable_declarator" => {
            let Some(bound) = outer.child("name") else { return };
            let statement = declaration(outer).span();
            match (bound.kind(), &taken) {
                ("identifier", _) => {
                    let local = Some(bound.span());
                    found.push(Required { statement, item: bound.span(), source, taken, local });
                }
                ("object_pattern", LinkedName::Module) => {
                    let items = bound.named_children().filter_map(|item| read_item(code, item));
                    found.extend(items.map(|(item, taken, local)| Required { statement, item, source, taken, local }));
                }
                _ => found.push(Required { statement: whole, item: whole, source, taken, local: None }),
            }
        }
        "expression_statement" if member.is_none() => {
            let statement = outer.span();
            found.push(Required { statement, item: statement, source, taken: LinkedName::Nothing, local: None });
        }
        "spread_element" if member.is_none() => {
            let statement = outer.span();
            found.push(Required { statement, item: statement, source, taken: LinkedName::Star, local: None });
        }
        _ if member.is_some() => found.push(Required { statement: whole, item: whole, source, taken, local: None }),
        _ => {}
    }
}

/// Returns what a declarator stands in, where that has no other.
fn declaration(declarator: Node<'_>) -> Node<'_> {
    let is_alone = |outer: &Node<'_>| outer.named_children().filter(|it| it.is("variable_declarator")).count() == 1;
    declarator.parent().filter(is_alone).unwrap_or(declarator)
}

/// Reads an item of `const { total, rate: tariff } = require("./shop")`.
fn read_item(code: &Code, item: Node<'_>) -> Option<(Span, LinkedName, Option<Span>)> {
    let named = |node: Node<'_>| LinkedName::Name(node.text(code.text()).to_owned());
    let (name, local) = match item.kind() {
        "shorthand_property_identifier_pattern" => (item, Some(item)),
        "object_assignment_pattern" => {
            let name = item.child("left")?;
            (name, Some(name))
        }
        "pair_pattern" => (item.child("key")?, item.child("value").filter(|it| it.is("identifier"))),
        _ => return None,
    };
    Some((item.span(), named(name), local.map(Node::span)))
}
