//! A function that tsserver made, as the file writes its own: what it returns is said where others say so, its head is broken
//! where it is long, its statements stand as they stood, and `const` is said where nothing changes.

use std::sync::Arc;

use super::body::rewritten;
use crate::lsp::{Place, Server};
use crate::refactor::analysis::indentation::{Layout, changed};
use crate::refactor::analysis::inferred_types::{is_writable, on_one_line, shown_result, shown_type};
use crate::refactor::analysis::repeated_statements::extent;
use crate::refactor::analysis::script_style::{has_last_comma, is_spaced, says_types};
use crate::refactor::analysis::typed_comments::TypedComments;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{Span, Text, TextEdit};

/// Writes the changes anew with what the file is used to. To be asked for with nobody else at the server.
pub(super) async fn styled(
    (session, server): (&Session, &Arc<Server>),
    (code, statements): (&Code, &[Node<'_>]),
    name: &str,
    changes: Vec<TextEdit>,
) -> Vec<TextEdit> {
    let Some(made) = made(session, code, &changes) else { return changes };
    let Some(function) = definition(&made, name) else { return changes };
    let comments = TypedComments::around(code, statements[0]);
    let is_untold = function.child("return_type").is_none() && (says_types(code) || comments.is_some());
    let returned = if is_untold { returned(server, (code, &made), function).await } else { None };
    let written = returned.clone().filter(|of| says_types(code) && is_writable(code, &ScopedNames::of(code), of));
    let mut edits: Vec<TextEdit> = head(code, &made, function, written.as_deref()).into_iter().collect();
    if let Some(comments) = comments {
        let mut known = Vec::new();
        for input in inputs((code, statements), (&made, function)) {
            let of = match comments.said_of(input) {
                Some(of) => Some(of),
                None => type_of(server, code, input).await,
            };
            known.push((input.text(code.text()), of));
        }
        let comment = comments.written(&known, returned.as_deref(), made.indent(function.start()));
        edits.extend(comment.map(|text| TextEdit::new(Span::at(function.start()), text)));
    }
    edits.extend(assigned(code, &made, name));
    edits.extend(constant(&made, name));
    edits.extend(rewritten((code, statements), &made, function));
    woven(changes, &edits)
}

/// Reads the file as the changes make it.
pub(super) fn made(session: &Session, code: &Code, changes: &[TextEdit]) -> Option<Code> {
    code.with_text(session, changed(code.text(), Span::new(0, code.text().len()), changes))
}

pub(super) fn definition<'c>(made: &'c Code, name: &str) -> Option<Node<'c>> {
    let is_it = |node: &Node<'_>| {
        node.is_any(&["function_declaration", "method_definition"])
            && node.child("name").is_some_and(|it| it.text(made.text()) == name)
    };
    made.root().descendants().find(is_it)
}

/// Returns where the statements that became a function first say each of the variables that it takes.
fn inputs<'c>((code, statements): (&'c Code, &[Node<'c>]), (made, function): (&Code, Node<'_>)) -> Vec<Node<'c>> {
    let (names, lines) = (ScopedNames::of(code), extent(statements));
    let taken = function.child("parameters").into_iter().flat_map(Node::named_children);
    let first = |name: &str| names.within(lines).find(|it| it.span.of(code.text()) == Some(name));
    taken.filter_map(|it| first(it.text(made.text()))).map(|it| code.covering(it.span)).collect()
}

/// Asks for the type of a variable.
async fn type_of(server: &Arc<Server>, code: &Code, name: Node<'_>) -> Option<String> {
    let shown = server.hover(&Place { path: code.path.clone(), offset: name.start() }).await.ok()??;
    shown_type(&shown, name.text(code.text())).filter(|it| it != "any")
}

/// Asks what a function returns.
async fn returned(server: &Arc<Server>, (code, made): (&Code, &Code), function: Node<'_>) -> Option<String> {
    let name = function.child("name")?;
    let place = Place { path: code.path.clone(), offset: name.start() };
    server.overlay(&code.path, Arc::new(Text::new(made.text()))).await.ok()?;
    let shown = server.hover(&place).await;
    server.drop_overlays().await;
    let shown = shown.ok()??;
    shown_result(&shown, name.text(made.text())).filter(|it| it != "any")
}

/// Writes the head of a function from its name to its body.
fn head(code: &Code, made: &Code, function: Node<'_>, returned: Option<&str>) -> Option<TextEdit> {
    let (name, list) = (function.child("name")?, function.child("parameters")?);
    let text = made.text();
    let gap = if is_spaced(code, function.kind()) { " " } else { "" };
    let taken = function.child("type_parameters").map_or("", |it| it.text(text));
    let own = function.child("return_type").map(|it| on_one_line(it.text(text)));
    let returned = own.or_else(|| returned.map(|of| format!(": {of}"))).unwrap_or_default();
    let end = function.child("return_type").map_or(list.end(), Node::end);
    let layout = Layout::of(code);
    let line = made.line_start(function.start());
    let before = name.end() - line;
    let whole = format!("{taken}{gap}{}{returned}", list.text(text));
    let parameters: Vec<&str> = list.named_children().map(|it| it.text(text)).collect();
    let is_long = before + whole.len() + " {".len() > layout.longest() && !parameters.is_empty();
    // Prettier opens the object that is returned where one parameter is taken.
    let opened = opened(made, code, (function, &returned)).filter(|_| parameters.len() == 1 && taken.is_empty());
    let said = match is_long && !whole.contains('\n') {
        true if let Some(opened) = opened => format!("{gap}{}{opened}", list.text(text)),
        true => {
            let (end, indent) = (code.newline(), made.indent(function.start()));
            let comma = if has_last_comma(code) { "," } else { "" };
            let step = format!("{end}{indent}{}", layout.step());
            let listed = parameters.join(&format!(",{step}"));
            format!("{taken}{gap}({step}{listed}{comma}{end}{indent}){returned}")
        }
        false => whole,
    };
    Some(TextEdit::new(Span::new(name.end(), end), said))
}

/// Writes a type of an object that a function returns in lines of its own; nothing for another type.
fn opened(made: &Code, code: &Code, (function, returned): (Node<'_>, &str)) -> Option<String> {
    let inner = returned.strip_prefix(": { ")?.strip_suffix(" }")?;
    let (mut members, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, sign) in inner.char_indices() {
        depth += i32::from(matches!(sign, '{' | '(' | '[' | '<')) - i32::from(matches!(sign, '}' | ')' | ']'));
        depth -= i32::from(sign == '>' && !inner[..at].ends_with('='));
        if sign == ';' && depth == 0 {
            members.push(inner[start..at].trim());
            start = at + 1;
        }
    }
    members.push(inner[start..].trim());
    if depth != 0 {
        return None;
    }
    let (end, close, indent) = (code.newline(), code.semicolon(), made.indent(function.start()));
    let step = Layout::of(code).step().to_owned();
    let members: String = members.iter().map(|it| format!("{indent}{step}{it}{close}{end}")).collect();
    Some(format!(": {{{end}{members}{indent}}}"))
}

/// Writes `let a: T | undefined` in front of `({ a } = name())` as `let a: T`, and the latter so that it ends no other
/// statement in a script without semicolons.
fn assigned(code: &Code, made: &Code, name: &str) -> Vec<TextEdit> {
    let text = made.text();
    let is_it = |node: &Node<'_>| {
        let called = node.child("right").and_then(|it| it.child("function"));
        let called = called.map(|it| it.child("property").unwrap_or(it));
        let is_pattern = node.child("left").is_some_and(|it| it.is("object_pattern"));
        node.is("assignment_expression") && is_pattern && called.is_some_and(|it| it.text(text) == name)
    };
    let Some(assignment) = made.root().descendants().find(is_it) else { return Vec::new() };
    let statement = assignment.ancestors().find(|it| it.is("expression_statement"));
    let Some((statement, block)) = statement.and_then(|it| Some((it, it.parent()?))) else { return Vec::new() };
    let mut edits = Vec::new();
    if code.semicolon().is_empty() && text[statement.start()..].starts_with('(') {
        edits.push(TextEdit::new(Span::at(statement.start()), ";"));
    }
    let before: Vec<Node<'_>> = block.named_children().take_while(|it| *it != statement).collect();
    let declared = before.iter().rev().take_while(|it| it.is("lexical_declaration"));
    for declarator in declared.flat_map(|it| it.named_children()).filter(|it| it.child("value").is_none()) {
        let is_given = |of: &Node<'_>| of.text(text).ends_with(" | undefined");
        if let Some(of) = declarator.child("type").filter(is_given) {
            edits.push(TextEdit::new(Span::new(of.end() - " | undefined".len(), of.end()), ""));
        }
    }
    edits
}

/// Says `const` for a variable that is given what the function returns, and nothing else.
fn constant(made: &Code, name: &str) -> Option<TextEdit> {
    let names = ScopedNames::of(made);
    let is_it = |node: &Node<'_>| {
        let called = node.child("value").filter(|it| it.is("call_expression")).and_then(|it| it.child("function"));
        let called = called.map(|it| it.child("property").unwrap_or(it));
        node.is("variable_declarator") && called.is_some_and(|it| it.text(made.text()) == name)
    };
    let declarator = made.root().descendants().find(is_it)?;
    let bound = names.at(declarator.child("name")?)?;
    let declaration = declarator.parent().filter(|it| it.named_children().count() == 1)?;
    let word = declaration.child("kind").filter(|it| it.text(made.text()) == "let")?;
    (names.writes(bound.meaning).count() == 1).then(|| TextEdit::new(word.span(), "const"))
}

/// Puts edits of the made text into the texts of the changes that made it; those that lie in none of them are left out.
pub(super) fn woven(mut changes: Vec<TextEdit>, edits: &[TextEdit]) -> Vec<TextEdit> {
    changes.sort_by_key(|change| change.span);
    let mut shift = 0_isize;
    for change in &mut changes {
        let start = change.span.start.saturating_add_signed(shift);
        shift += change.new_text.len() as isize - change.span.len() as isize;
        let within = Span::new(start, start + change.new_text.len());
        let mut own: Vec<&TextEdit> = edits.iter().filter(|edit| within.contains(edit.span)).collect();
        own.sort_by_key(|edit| edit.span);
        for edit in own.into_iter().rev() {
            change.new_text.replace_range(edit.span.start - start..edit.span.end - start, &edit.new_text);
        }
    }
    changes
}
