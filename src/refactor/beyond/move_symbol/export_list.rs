//! Modules that export all that they declare by one list at their end: what comes to them joins it.

use super::{Leaving, Way};
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::imports::added_names::with_items;
use crate::refactor::analysis::imports::placement::with_imports;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// What a list can export as it is: types want a word.
const VALUES: &[&str] = &[
    "class_declaration",
    "enum_declaration",
    "function_declaration",
    "generator_function_declaration",
    "lexical_declaration",
    "variable_declaration",
];

impl<'c> Way<'c> {
    /// Returns the list by which the other module ends, where it exports nothing that it declares in another way.
    pub(super) fn export_list(&self) -> Option<Node<'c>> {
        let statements = Vec::from_iter(self.to.root().named_children().filter(|it| !it.is("comment")));
        let declares = |it: &Node<'_>| it.is("export_statement") && it.child("declaration").is_some();
        let last = statements.last().filter(|_| !self.is_python() && !statements.iter().any(declares))?;
        let is_plain = last.child("source").is_none() && !last.children().any(|it| it.kind() == "type");
        last.child_of_kind("export_clause").filter(|list| is_plain && list.named_children().next().is_some())
    }

    /// Writes a statement that is to be exported: without the word for it, where the list says that.
    pub(super) fn unmarked<'t>(&self, statement: Node<'_>, text: &'t str) -> &'t str {
        let is_listed = self.export_list().is_some() && is_value(statement);
        text.strip_prefix("export ").filter(|_| is_listed).unwrap_or(text)
    }

    /// Tells whether the list says that something is exported.
    pub(super) fn is_listed_there(&self, one: &Leaving<'_>) -> bool {
        self.export_list().is_some() && one.statements.iter().all(|it| is_value(*it))
    }

    /// Adds what comes above such a list, and to it; nothing where there is none.
    pub(super) fn grown_above_list(&self, edits: &[TextEdit], lines: &[String], body: &str) -> Option<Vec<TextEdit>> {
        let list = self.export_list()?;
        let (text, end) = (self.to.text(), self.to.newline());
        let at = self.to.line_start(comments_above(self.to, list.parent()?.start()));
        let is_apart = text[..at].ends_with(&end.repeat(2)) || at == 0;
        let gap = if is_apart { "" } else { end };
        let mut edits = edits.to_vec();
        edits.extend(self.listed_there(list, &edits));
        edits.push(TextEdit::new(Span::at(at), format!("{gap}{body}{end}{end}")));
        Some(with_imports(self.to, edits, lines))
    }

    /// Adds the names of what comes to the list.
    pub(super) fn listed_there(&self, list: Node<'_>, others: &[TextEdit]) -> Vec<TextEdit> {
        let is_exported = |one: &&Leaving<'_>| one.is_exported || self.exported_name(one).is_some();
        let comes = self.leaving.iter().filter(|one| !one.is_there && self.is_listed_there(one));
        let item = |one: &Leaving<'_>| match one.key == one.name {
            true => one.name.to_owned(),
            false => format!("{} as {}", one.name, one.key),
        };
        let names: Vec<String> = comes.filter(is_exported).map(item).collect();
        with_items(self.to, (list.named_children().collect(), list.end() - 1), &names, others)
    }
}

/// Tells whether a statement declares values alone, exported or not.
fn is_value(statement: Node<'_>) -> bool {
    let declared = statement.child("declaration").filter(|_| statement.is("export_statement")).unwrap_or(statement);
    declared.is_any(VALUES)
}
