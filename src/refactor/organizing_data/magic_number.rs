//! Replace Magic Number with Symbolic Constant.
//!
//! ```python
//! def energy(mass, height):            GRAVITY = 9.81
//!     return mass * 9.81 * height  →
//!                                      def energy(mass, height):
//!                                          return mass * GRAVITY * height
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

const NUMBERS: &[&str] = &["integer", "float", "number"];
const SIGNED: &[&str] = &["unary_operator", "unary_expression"];

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let extent = code.extent(&request.target);
    if !code.covering(extent).descendants().any(|it| it.is_any(NUMBERS) && extent.contains(it.span())) {
        return Err(Refusal::NotPossible("no number stands in what the target names".to_owned()));
    }
    let (name, value) = (request.params.text("name"), request.params.needed("value")?.trim());
    let found: Vec<Node<'_>> = code.root().descendants().filter(|node| holds(&code, *node, value)).collect();
    let found: Vec<Node<'_>> = found.into_iter().filter(|node| extent.contains(node.span())).collect();
    if found.is_empty() {
        return Err(Refusal::NotPossible(format!("no number `{value}` stands in what the target names")));
    }
    let mut edits = Vec::with_capacity(found.len() + 1);
    let is_there = constant(&code, name).is_some_and(|node| node.text(code.text()) == value);
    for number in found.into_iter().filter(|number| !defines(&code, *number, name)) {
        if let Some(reason) = fixed(number) {
            return Err(code.refuse(number.start(), reason));
        }
        edits.push(TextEdit::new(number.span(), name));
    }
    if is_there {
        return code.plan(edits);
    }
    if code.mentions(code.root(), name) {
        return Err(Refusal::NotPossible(format!("`{name}` already means something in `{}`", code.shown)));
    }
    let (at, definition) = defined(&code, (name, value));
    if let Some(early) = edits.iter().find(|edit| edit.span.start < at) {
        return Err(code.refuse(early.span.start, "the number is used before a constant could be defined"));
    }
    edits.push(TextEdit::new(Span::at(at), definition));
    code.plan(edits)
}

/// Tells whether a node is the number, with the sign that the value has.
fn holds(code: &Code, node: Node<'_>, value: &str) -> bool {
    let is_signed = value.starts_with(['-', '+']);
    let is_number = if is_signed { node.is_any(SIGNED) } else { node.is_any(NUMBERS) };
    is_number && node.text(code.text()) == value
}

/// Tells why a constant cannot stand where this number does.
fn fixed(number: Node<'_>) -> Option<&'static str> {
    let parent = number.parent()?;
    if number.ancestors().any(|node| node.is_any(&["case_pattern", "match_pattern"])) {
        return Some("in a `case` of Python a name would catch everything");
    }
    if number.ancestors().any(|node| node.is_any(&["literal_type", "type", "type_annotation"])) {
        return Some("the number stands in a type");
    }
    if parent.is_any(&["pair", "public_field_definition", "method_definition"])
        && number.field().is_some_and(|field| field == "key" || field == "name")
        && !number.ancestors().any(|node| node.is("dictionary"))
    {
        return Some("the number is the name of a property");
    }
    if number.ancestors().any(|node| node.is_any(&["format_specifier", "enum_assignment"])) {
        return Some("the number stands where only a number can");
    }
    None
}

/// Tells whether a number is the value that the constant itself is given.
fn defines(code: &Code, number: Node<'_>, name: &str) -> bool {
    constant(code, name) == Some(number)
}

/// Returns the value of the constant of that name, where the module defines it.
fn constant<'c>(code: &'c Code, name: &str) -> Option<Node<'c>> {
    let (kind, target, value) = match code.family() {
        Family::Python => ("assignment", "left", "right"),
        _ => ("variable_declarator", "name", "value"),
    };
    let is_outermost = |node: &Node<'_>| crate::refactor::source_file::function_of(*node).is_none();
    let all = code.root().descendants().filter(|node| node.is(kind)).filter(is_outermost);
    let mut named = all.filter(|node| node.child(target).is_some_and(|name_node| name_node.text(code.text()) == name));
    named.next().and_then(|node| node.child(value))
}

/// Returns where the line behind the imports begins that a module opens with.
fn behind_imports(code: &Code) -> usize {
    let is_head = |node: &Node<'_>| {
        let is_docstring = node.is("expression_statement")
            && node.named_children().all(|child| child.is("string"))
            && node.named_children().next().is_some();
        is_docstring
            || node.kind().starts_with("import")
            || node.is("future_import_statement")
            || node.is("hash_bang_line")
    };
    let last = code.root().named_children().take_while(is_head).last();
    let comment = || code.root().children().find(|node| node.is_named() && !node.kind().ends_with("comment"));
    match last {
        Some(last) => code.next_line(last.end()),
        None => comment().map_or(0, |first| code.line_start(first.start())),
    }
}

/// Writes the constant, and tells where: with those that stand right behind the imports, or on a line apart.
fn defined(code: &Code, (name, value): (&str, &str)) -> (usize, String) {
    let (at, end) = (behind_imports(code), code.newline());
    let line = match code.family() {
        Family::Python => format!("{name} = {value}{end}"),
        _ => format!("const {name} = {value}{}{end}", code.semicolon()),
    };
    let next = code.root().named_children().find(|node| node.start() >= at && !node.kind().ends_with("comment"));
    let is_constant = |node: &Node<'_>| match code.family() {
        Family::Python => node.named_children().next().is_some_and(|it| it.is("assignment")),
        _ => node.is("lexical_declaration") && node.child("kind").is_some_and(|it| it.text(code.text()) == "const"),
    };
    let alone = |node: &Node<'_>| comments_above(code, node.start()) == node.start();
    match next.filter(|node| at > 0 && is_constant(node) && alone(node)) {
        Some(next) => (code.line_start(next.start()), line),
        None => (at, apart(code, at, &line)),
    }
}

fn apart(code: &Code, at: usize, line: &str) -> String {
    let end = code.newline();
    // Behind imports a line stays empty; before the first definition two do in Python.
    let before = if at > 0 && !code.text()[..at].ends_with(&end.repeat(2)) { end } else { "" };
    let is_apart = code.text()[at..].starts_with(end);
    let after = match code.family() {
        _ if is_apart => String::new(),
        Family::Python => end.repeat(2),
        _ => end.to_owned(),
    };
    format!("{before}{line}{after}")
}
