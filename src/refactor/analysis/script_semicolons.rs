//! Scripts whose statements end without semicolons: what a plan writes into them does so, too.

use super::plan_texts::rewritten;
use super::script_style::nearest;
use crate::plan::Plan;
use crate::session::Session;
use crate::syntax::{Family, Language, Node, Tree};
use crate::text::{AbsPath, Span, TextEdit, TextEdits};

/// What a semicolon may end (tree-sitter-typescript), beside the members of classes and interfaces.
const STATEMENTS: &[&str] = &[
    "break_statement",
    "continue_statement",
    "do_statement",
    "export_statement",
    "expression_statement",
    "import_statement",
    "lexical_declaration",
    "return_statement",
    "throw_statement",
    "type_alias_declaration",
    "variable_declaration",
];
/// What has members that a semicolon may end.
const BODIES: &[&str] = &["class_body", "interface_body", "object_type"];
/// What a line may begin with that would go on with the one above (ECMA-262, section 12.10.3).
const GOING_ON: &[char] = &['(', '[', '`', '+', '-', '*', '/', ',', '.', '?', ':', '=', '<', '>', '&', '|', '^', '%'];

/// Ends the statements that a plan writes as all others of the file, or of the nearest one, where these have no semicolons.
pub(crate) fn unended(session: &Session, plan: Plan) -> Plan {
    rewritten(plan, |path, texts, new| without_semicolons(session, path, texts, new))
}

fn without_semicolons(
    session: &Session,
    path: &AbsPath,
    (before, after): (&str, &str),
    new: &[Span],
) -> Option<String> {
    let language = Language::of_path(path).filter(|it| it.family() == Family::Script)?;
    let tree = Tree::parse(language, after);
    let ends = tree.nodes().iter().filter(|node| node.kind() == ";" && new.iter().any(|it| it.contains(node.span())));
    let ends: Vec<Node<'_>> = ends.filter(|end| can_go(*end, after)).collect();
    if ends.is_empty() {
        return None;
    }
    let does_without = habit(&Tree::parse(language, before), before)
        .or_else(|| nearest(session, path).find_map(|code| habit(&code.parsed().tree, code.text())));
    if does_without != Some(true) {
        return None;
    }
    let edits = TextEdits::new(ends.into_iter().map(|end| TextEdit::new(end.span(), "")).collect()).ok()?;
    let written = edits.apply(after);
    (Tree::parse(language, &written).fault_count(&written) <= tree.fault_count(after)).then_some(written)
}

/// Tells whether more statements of a script end without a semicolon than with one; nothing of one that has none.
fn habit(tree: &Tree, text: &str) -> Option<bool> {
    let mut all =
        tree.nodes().iter().filter(|node| node.is_any(STATEMENTS) && !node.text(text).ends_with('}')).peekable();
    all.peek()?;
    let (with, without): (Vec<_>, Vec<_>) = all.partition(|statement| is_ended(statement.text(text)));
    Some(without.len() > with.len())
}

/// Tells whether a statement ends with a semicolon that is no mark of the next one: `;[1, 2].forEach(…)`.
fn is_ended(statement: &str) -> bool {
    statement.strip_suffix(';').is_some_and(|rest| !rest.trim_end_matches([' ', '\t']).ends_with('\n'))
}

/// Tells whether a semicolon says no more than the end of its line.
fn can_go(end: Node<'_>, text: &str) -> bool {
    let rest = &text[end.end()..];
    let line = rest.split('\n').next().unwrap_or_default().trim();
    let ends_line = line.is_empty() || line.starts_with("//") || line == "}";
    let next = behind_comments(rest);
    let Some(parent) = end.parent().filter(|it| it.is_any(STATEMENTS) || it.is_any(BODIES)) else { return false };
    let before = text[..end.start()].rsplit('\n').next().unwrap_or_default();
    // `get;` and `static;` would take what follows for their own.
    let is_bare = parent.is("class_body") && before.trim().chars().all(|it| it.is_alphanumeric() || it == '_');
    let is_in_head = parent.parent().is_some_and(|it| it.is_any(&["for_statement", "for_in_statement"]));
    ends_line && !before.trim().is_empty() && !is_bare && !is_in_head && !next.starts_with(GOING_ON)
}

/// Leaves blanks and comments aside.
fn behind_comments(text: &str) -> &str {
    let text = text.trim_start();
    let rest = match (text.strip_prefix("//"), text.strip_prefix("/*")) {
        (Some(line), _) => line.split_once('\n').map(|(_, rest)| rest),
        (_, Some(block)) => block.split_once("*/").map(|(_, rest)| rest),
        _ => return text,
    };
    rest.map_or("", behind_comments)
}
