//! What the module that something comes to has exported of it so far: it goes, where what comes is exported itself.

use super::Way;
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::statements::{whole_line, without_items};
use crate::refactor::moves::links::Link;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

impl Way<'_> {
    /// Returns the items of `export { total } from "./sums"` in the other module; refuses those under another name.
    pub(super) fn handed_on(&self, known: &[&Link]) -> Result<Vec<Span>, Refusal> {
        let handing = known.iter().filter(|link| link.local.is_none() && link.form.is_export());
        let says_other = |link: &&&Link| link.item.of(self.to.text()).is_some_and(|it| it.contains(" as "));
        if let Some(other) = handing.clone().find(says_other) {
            return Err(self.to.refuse(other.item.start, "it is handed on under another name here"));
        }
        Ok(handing.map(|link| link.item).collect())
    }

    /// Takes what is imported and exported by a clause (`export { total }`) out of that; another name stays.
    pub(super) fn without_clauses(&self, known: &[&Link]) -> Result<Vec<TextEdit>, Refusal> {
        if self.is_python() || self.is_commonjs {
            return Ok(Vec::new());
        }
        let names = ScopedNames::of(self.to);
        let locals = known.iter().filter_map(|link| names.at(self.to.covering(link.local?)));
        let said =
            locals.flat_map(|local| names.of_meaning(local.meaning)).filter_map(|one| specifier(self.to, one.span));
        let specifiers: Vec<Node<'_>> = said.filter(|it| it.child("alias").is_none()).collect();
        without_specifiers(self.to, &specifiers)
    }
}

/// Returns the `export { name }` that a place is, without a module.
pub(super) fn specifier(code: &Code, span: Span) -> Option<Node<'_>> {
    let node = code.covering(span).parent().filter(|outer| outer.is("export_specifier"))?;
    let statement = node.ancestors().find(|outer| outer.is("export_statement"))?;
    statement.child("source").is_none().then_some(node)
}

/// Takes names out of the clauses that export them, and clauses out that export nothing else.
pub(super) fn without_specifiers(code: &Code, specifiers: &[Node<'_>]) -> Result<Vec<TextEdit>, Refusal> {
    let mut edits = Vec::new();
    let mut clauses: Vec<Node<'_>> = specifiers.iter().filter_map(|one| one.parent()).collect();
    clauses.dedup();
    for clause in clauses {
        let items: Vec<Span> = clause.named_children().map(Node::span).collect();
        let gone: Vec<Span> = specifiers.iter().map(|one| one.span()).filter(|it| items.contains(it)).collect();
        if gone.len() == items.len() {
            let statement = clause.parent().map_or(clause.span(), Node::span);
            edits.push(TextEdit::new(whole_line(code, statement)?, ""));
        } else {
            edits.extend(without_items(code, &items, &gone).into_iter().map(|span| TextEdit::new(span, "")));
        }
    }
    Ok(edits)
}
