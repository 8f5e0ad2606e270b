//! What lines take of the imports of their function: the new one imports it itself, instead of being passed a module.

use crate::refactor::Refusal;
use crate::refactor::analysis::removed_statements::without_statements;
use crate::refactor::analysis::repeated_statements::extent;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::TextEdit;

/// A name that the function imports in its own block, above the lines.
pub(super) struct LocalImport<'c> {
    statement: Node<'c>,
    /// The statement, with this name alone.
    pub(super) text: String,
    /// Whether nothing is left that takes something of the statement.
    is_idle: bool,
}

impl<'c> LocalImport<'c> {
    /// Takes those that are imported out of what lines are passed.
    pub(super) fn taken(
        (code, names): (&'c Code, &ScopedNames<'_>),
        (function, statements): (Node<'c>, &[Node<'c>]),
        inputs: &mut Vec<&str>,
    ) -> Vec<Self> {
        let mut taken = Vec::new();
        inputs.retain(|input| {
            let found = Self::of((code, names), (function, statements), input);
            let is_passed = found.is_none();
            taken.extend(found);
            is_passed
        });
        taken
    }

    fn of(
        (code, names): (&'c Code, &ScopedNames<'_>),
        (function, statements): (Node<'c>, &[Node<'c>]),
        input: &str,
    ) -> Option<Self> {
        let lines = extent(statements);
        let meaning = names.within(lines).find(|it| it.span.of(code.text()) == Some(input))?.meaning;
        let mut writes = names.writes(meaning);
        let bound = code.covering(writes.next().filter(|_| writes.next().is_none())?.span);
        let statement = bound.ancestors().find(|it| it.is_any(&["import_statement", "import_from_statement"]))?;
        let is_own = statement.parent() == function.child("body") && statement.end() <= lines.start;
        let item = statement.children_in("name").find(|it| it.span().contains(bound.span())).filter(|_| is_own)?;
        let item_text = item.text(code.text());
        let text = match statement.child("module_name") {
            Some(module) => format!("from {} import {item_text}", module.text(code.text())),
            None => format!("import {item_text}"),
        };
        let is_lone = statement.children_in("name").count() == 1;
        let is_idle = is_lone && names.of_meaning(meaning).all(|it| it.span == bound.span() || lines.contains(it.span));
        Some(Self { statement, text, is_idle })
    }

    /// Takes the statements out that nothing needs any more.
    pub(super) fn left(code: &Code, imports: &[Self]) -> Result<Vec<TextEdit>, Refusal> {
        let idle: Vec<Node<'_>> = imports.iter().filter(|it| it.is_idle).map(|it| it.statement).collect();
        without_statements(code, &idle)
    }
}
