//! `require` and `await import`: how what they take is written, and where it is added.

use super::added_names::with_items;
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::commonjs::required_source;
use crate::refactor::moves::links::{Link, LinkForm, LinkedName};
use crate::refactor::source_file::{Code, is_lone_string};
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// Returns what a link takes as a pattern writes it: `total`, `rate: tariff`; of a whole module its name.
pub(super) fn item(code: &Code, link: &Link) -> String {
    let text = |span: Span| span.of(code.text()).unwrap_or_default();
    let in_pattern = code.covering(link.item).parent().is_some_and(|outer| outer.is("object_pattern"));
    match (&link.taken, link.local.map(text)) {
        (LinkedName::Name(name), Some(local)) if !in_pattern && name != local => format!("{name}: {local}"),
        _ => text(link.item).to_owned(),
    }
}

/// Returns the word by which a file declares what it requires.
pub(super) fn keyword(code: &Code, links: &[Link]) -> &'static str {
    let says = |link: &Link, word: &str| link.statement.of(code.text()).is_some_and(|it| it.starts_with(word));
    let all = || links.iter().filter(|link| link.form == LinkForm::Require);
    match all().next() {
        Some(_) if all().any(|link| says(link, "var ")) && !all().any(|link| says(link, "const ")) => "var",
        Some(_) => "const",
        None => code.constant_word(),
    }
}

/// Tells whether what takes something is a statement, and can go.
pub(super) fn is_apart(code: &Code, statement: Span) -> bool {
    let node = code.covering(statement);
    node.kind().ends_with("_declaration") || node.kind().ends_with("_statement") || node.parent().is_none()
}

/// Writes what takes some items of a statement from another module, behind it.
pub(super) fn beside(code: &Code, statement: Span, items: &[String], source: &str) -> Option<TextEdit> {
    let node = code.covering(statement);
    let declarator =
        if node.is("variable_declarator") { Some(node) } else { node.child_of_kind("variable_declarator") };
    let value = declarator?.child("value")?;
    let string = value.descendants().find(|it| it.is("string"))?;
    let inside = Span::new(string.start() + 1 - value.start(), string.end() - 1 - value.start());
    let mut said = value.text(code.text()).to_owned();
    said.replace_range(inside.start..inside.end, source);
    let bound = format!("{{ {} }} = {said}", items.join(", "));
    if node.is("variable_declarator") {
        let is_alone = code.text()[code.line_start(statement.start)..statement.start].trim().is_empty();
        let gap = format!("{}{}", code.newline(), code.indent(statement.start));
        let gap = if is_alone { gap.as_str() } else { " " };
        return Some(TextEdit::new(Span::at(statement.end), format!(",{gap}{bound}")));
    }
    let text = node.text(code.text());
    let word = text.split_whitespace().next().unwrap_or("const");
    let end = if text.ends_with(';') { ";" } else { "" };
    let line = code.line_end(statement.end);
    let rest = code.text()[statement.end..line].trim_start();
    let at = if rest.starts_with("//") { line } else { statement.end };
    let glue = format!("{}{}", code.newline(), code.indent(statement.start));
    Some(TextEdit::new(Span::at(at), format!("{glue}{word} {bound}{end}")))
}

/// Returns the pattern that takes names from a module before a file does anything else, apart from one statement.
pub(super) fn pattern_of<'c>(code: &'c Code, source: &str, but: Option<Span>) -> Option<Node<'c>> {
    let statements = standing(code).filter(|it| Some(it.span()) != but);
    let mut patterns = statements.filter_map(|statement| {
        let said = required_source(code, statement)?.text(code.text()).trim_matches(['"', '\'']);
        let pattern = statement.child_of_kind("variable_declarator")?.child("name")?;
        let is_plain = |item: Node<'_>| item.is("shorthand_property_identifier_pattern") || item.is("pair_pattern");
        let can_grow = pattern.is("object_pattern") && pattern.named_children().all(is_plain);
        (said == source && can_grow).then_some(pattern)
    });
    patterns.next()
}

/// Tells whether a line requires something.
pub(super) fn is_require(line: &str) -> bool {
    (line.starts_with("const ") || line.starts_with("var ")) && line.contains("= require(")
}

/// Returns the edits that add such lines to a file: to patterns of their modules, else behind what it begins by requiring.
pub(super) fn require_edits(code: &Code, lines: &[String], others: &[TextEdit]) -> Vec<TextEdit> {
    let (mut edits, mut alone) = (Vec::new(), String::new());
    for line in lines {
        let source = line.split(['"', '\'']).nth(1).unwrap_or_default();
        let items = line.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(items, _)| items);
        let is_kept =
            |it: &Node<'_>| !others.iter().any(|edit| edit.new_text.is_empty() && edit.span.contains(it.span()));
        match items.zip(pattern_of(code, source, None).filter(is_kept)) {
            Some((items, pattern)) => {
                let names: Vec<String> = items.split(',').map(|item| item.trim().to_owned()).collect();
                let all = pattern.named_children().collect();
                edits.extend(with_items(code, (all, pattern.end() - 1), &names, others));
            }
            None => alone += &format!("{line}{}", code.newline()),
        }
    }
    if alone.is_empty() {
        return edits;
    }
    let at = place(code);
    let first = code.root().named_children().find(|node| node.start() >= at);
    let is_first = standing(code).next().is_none() && first.is_some();
    let gap = if is_first { code.newline() } else { "" };
    edits.push(TextEdit::new(Span::at(at), format!("{alone}{gap}")));
    edits
}

/// Returns the statements by which a file requires something before it does anything else.
fn standing(code: &Code) -> impl Iterator<Item = Node<'_>> {
    let is_head = |node: &Node<'_>| {
        node.is_any(&["comment", "hash_bang_line"]) || is_lone_string(*node) || required_source(code, *node).is_some()
    };
    code.root().named_children().take_while(is_head).filter(|it| required_source(code, *it).is_some())
}

/// Returns where what a file requires is added.
pub(super) fn place(code: &Code) -> usize {
    if let Some(last) = standing(code).last() {
        let rest = &code.text()[last.end()..code.line_end(last.end())];
        let is_last = rest.trim().is_empty() || rest.trim_start().starts_with("//");
        return if is_last { code.next_line(last.end()) } else { last.start() };
    }
    let is_prologue = |node: &Node<'_>| node.is("hash_bang_line") || is_lone_string(*node);
    let head = code.root().named_children().filter(|it| !it.is("comment"));
    let head = head.take_while(is_prologue).last().map_or(0, |it| it.end());
    let first = code.root().named_children().find(|node| node.start() >= head && !node.is("comment"));
    first.map_or(code.text().len(), |first| code.line_start(comments_above(code, first.start())))
}
