//! Scripts in the style of ES5: what a plan declares in them says `var`, too.

use super::plan_texts::rewritten;
use crate::plan::Plan;
use crate::syntax::{Family, Language, Node, Tree, is_any_function};
use crate::text::{AbsPath, Span, TextEdit, TextEdits};

/// What no script of ES5 has.
const LATER: &[&str] = &["arrow_function", "class", "class_declaration", "lexical_declaration", "template_string"];
const LOOPS: &[&str] = &["do_statement", "for_in_statement", "for_statement", "while_statement"];

/// Declares what a plan writes by `var` where the file declares all by that, and has nothing of later languages.
pub(crate) fn declared_by_var(plan: Plan) -> Plan {
    rewritten(plan, declared)
}

fn declared(path: &AbsPath, (before, after): (&str, &str), new: &[Span]) -> Option<String> {
    let language = Language::of_path(path).filter(|it| it.family() == Family::Script && !it.is_typed_script())?;
    let declares = |stretch: &Span| stretch.of(after).is_some_and(|it| it.contains("const") || it.contains("let"));
    if !new.iter().any(declares) {
        return None;
    }
    let was = Tree::parse(language, before);
    let has = |kinds: &[&str]| was.nodes().iter().any(|node| node.is_any(kinds));
    if has(LATER) || !has(&["variable_declaration"]) {
        return None;
    }
    let tree = Tree::parse(language, after);
    let is_new = |node: &Node<'_>| new.iter().any(|stretch| stretch.contains(node.span()));
    let declarations =
        tree.nodes().iter().filter(|node| node.is("lexical_declaration") && is_new(node) && can_be_var(*node, after));
    let words = declarations.filter_map(|node| node.child("kind"));
    let edits = TextEdits::new(words.map(|word| TextEdit::new(word.span(), "var")).collect()).ok()?;
    (!edits.is_empty()).then(|| edits.apply(after))
}

/// Tells whether a declaration means the same for the function around it as for its block: no other of its names is declared
/// there, and no loop makes a variable anew at each turn.
fn can_be_var(declaration: Node<'_>, text: &str) -> bool {
    let is_in_loop = declaration.ancestors().take_while(|it| !is_any_function(*it)).any(|it| it.is_any(LOOPS));
    let scope = declaration.ancestors().find(|it| is_any_function(*it) || it.is("program"));
    let names = declaration.named_children().filter_map(|it| it.child("name"));
    let mut names = names.map(|it| it.is("identifier").then(|| it.text(text)));
    let is_only = |name: &str| {
        let is_binding = |it: &Node<'_>| {
            let outer = it.parent();
            it.field() == Some("name") || outer.is_some_and(|it| it.is("formal_parameters"))
        };
        let all = scope.into_iter().flat_map(Node::descendants);
        all.filter(|it| it.is("identifier") && it.text(text) == name && is_binding(it)).count() == 1
    };
    !is_in_loop && names.all(|name| name.is_some_and(is_only))
}
