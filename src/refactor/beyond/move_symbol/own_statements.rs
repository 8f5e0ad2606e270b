//! What a module says more of something that it declares: `total.cache = {}`, `Box.prototype.size = …`, `total.__doc__ = …`.

use crate::refactor::commonjs::ExportKeys;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::Node;

const MEMBERS: &[&str] = &["attribute", "member_expression"];

/// Returns the name of which a statement sets a member, and does nothing else.
pub(super) fn completed<'c>(code: &Code, statement: Node<'c>) -> Option<Node<'c>> {
    let mut assignment = statement.named_children().next().filter(|_| statement.is("expression_statement"))?;
    let mut found: Option<Node<'c>> = None;
    while assignment.is_any(&["assignment", "assignment_expression"]) {
        let mut root = assignment.child("left").filter(|left| left.is_any(MEMBERS))?;
        while let Some(object) = root.child("object").filter(|_| root.is_any(MEMBERS)) {
            root = object;
        }
        let text = root.text(code.text());
        let is_other = found.is_some_and(|name| name.text(code.text()) != text);
        if !root.is("identifier") || is_other || matches!(text, "exports" | "module") {
            return None;
        }
        found = Some(root);
        let Some(value) = assignment.child("right") else { break };
        assignment = value;
    }
    found
}

/// Returns the statements that complete a name, as far as nothing that stays uses it before them while the module is loaded.
pub(super) fn completing<'c>(
    code: &'c Code,
    names: &ScopedNames<'_>,
    (name, meanings, declaring): (&str, &[usize], &[Node<'c>]),
) -> Vec<Node<'c>> {
    let keys = ExportKeys::of(code);
    let hands_out = |it: Node<'c>| {
        keys.is_plain(it) || it.is("export_statement") && it.children().any(|child| child.is("export_clause"))
    };
    let uses = |it: Node<'c>| {
        let mut all = names.within(it.span()).filter(|one| meanings.contains(&one.meaning));
        all.any(|one| function_of(code.covering(one.span)).is_none())
    };
    let mut found = Vec::new();
    for statement in code.root().named_children() {
        let is_it = completed(code, statement).is_some_and(|it| {
            it.text(code.text()) == name && names.at(it).is_some_and(|one| meanings.contains(&one.meaning))
        });
        match () {
            () if is_it => found.push(statement),
            () if declaring.contains(&statement) || hands_out(statement) || statement.kind().starts_with("import") => {}
            () if uses(statement) => break,
            () => {}
        }
    }
    found
}
