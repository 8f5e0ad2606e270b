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

impl Way<'_> {
    /// Writes a statement that is to be exported: without the word for it, where the list says that.
    pub(super) fn unmarked<'t>(&self, statement: Node<'_>, text: &'t str) -> &'t str {
        let is_listed = self.list_there.is_some() && is_value(statement);
        text.strip_prefix("export ").filter(|_| is_listed).unwrap_or(text)
    }

    /// Tells whether the list says that something is exported.
    pub(super) fn is_listed_there(&self, one: &Leaving<'_>) -> bool {
        self.list_there.is_some() && one.statements.iter().all(|it| is_value(*it))
    }

    /// Adds what comes above such a list, and to it; nothing where there is none.
    pub(super) fn grown_above_list(&self, edits: &[TextEdit], lines: &[String], body: &str) -> Option<Vec<TextEdit>> {
        let statement = self.list_there?.parent()?;
        let mut edits = edits.to_vec();
        edits.extend(self.listed_there(&edits));
        edits.push(self.above(statement, body));
        Some(with_imports(self.to, edits, lines))
    }

    /// Puts what comes above a statement of the other module, and the comments that it has.
    pub(super) fn above(&self, statement: Node<'_>, body: &str) -> TextEdit {
        let (text, end) = (self.to.text(), self.to.newline());
        let at = self.to.line_start(comments_above(self.to, statement.start()));
        let is_apart = text[..at].ends_with(&end.repeat(2)) || at == 0;
        let gap = if is_apart { "" } else { end };
        TextEdit::new(Span::at(at), format!("{gap}{body}{end}{end}"))
    }

    /// Adds the names of what comes to the list, where there is one.
    pub(super) fn listed_there(&self, others: &[TextEdit]) -> Vec<TextEdit> {
        let Some(list) = self.list_there else { return Vec::new() };
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
pub(super) fn is_value(statement: Node<'_>) -> bool {
    let declared = statement.child("declaration").filter(|_| statement.is("export_statement")).unwrap_or(statement);
    declared.is_any(VALUES)
}
