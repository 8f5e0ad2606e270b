//! Annotations of Python that nothing evaluated where they stood, and that are evaluated where they come to.

use super::Way;
use crate::refactor::Refusal;
use crate::refactor::moves::links::Link;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// Modules whose names take types in brackets.
const GENERIC: &[&str] = &["collections", "collections.abc", "typing", "typing_extensions"];
const BUILT_IN: &[&str] = &["dict", "frozenset", "list", "set", "tuple", "type"];

impl Way<'_> {
    /// Quotes the annotations of a stretch that could not be evaluated in the other module.
    pub(super) fn quoted_annotations(&self, stretch: Span) -> Result<Vec<TextEdit>, Refusal> {
        if !self.is_python() || !self.from.postpones_annotations() || self.to.postpones_annotations() {
            return Ok(Vec::new());
        }
        // A new module is given the same statement.
        if self.to.text().trim().is_empty() {
            return Ok(Vec::new());
        }
        let all = self.from.root().descendants().filter(|it| stretch.contains(it.span()) && is_evaluated(*it));
        let mut edits = Vec::new();
        for annotation in all.filter(|it| !self.can_be_evaluated(*it)) {
            if annotation.text(self.from.text()).contains(['"', '\'', '\n']) {
                let reason = format!("the annotation would be evaluated in `{}`, and cannot be quoted", self.to.shown);
                return Err(self.from.refuse(annotation.start(), reason));
            }
            edits.extend([annotation.start(), annotation.end()].map(|at| TextEdit::new(Span::at(at), "\"")));
        }
        Ok(edits)
    }

    /// Tells whether all that an annotation asks for is there when the other module is loaded.
    fn can_be_evaluated(&self, node: Node<'_>) -> bool {
        let text = node.text(self.from.text());
        match node.kind() {
            "none" | "string" | "ellipsis" => true,
            "identifier" => self.is_there(node),
            "attribute" => node.child("object").is_some_and(|it| self.can_be_evaluated(it)),
            "type" | "type_parameter" | "union_type" | "list" => {
                node.named_children().all(|it| self.can_be_evaluated(it))
            }
            "binary_operator" if text.contains('|') => node.named_children().all(|it| self.can_be_evaluated(it)),
            "generic_type" | "subscript" => {
                let mut parts = node.named_children();
                parts.next().is_some_and(|it| self.takes_types(it)) && parts.all(|it| self.can_be_evaluated(it))
            }
            _ => false,
        }
    }

    /// Tells whether the module has a name by imports that are always run, or Python has.
    fn is_there(&self, name: Node<'_>) -> bool {
        let text = name.text(self.from.text());
        let is_run = |code: &Code, statement: Span| {
            code.covering(statement).parent().is_none_or(|outer| outer.parent().is_none())
        };
        let local = |it: &&Link, of: &str| it.local.and_then(|span| span.of(of)) == Some(text);
        if self.leaving.iter().any(|one| one.name == text) {
            return false;
        }
        if self.names.at(name).is_some_and(|it| it.is_free) {
            return true;
        }
        if let Some(link) = self.theirs.iter().find(|it| local(it, self.to.text())) {
            return is_run(self.to, link.statement);
        }
        let link = self.own.iter().find(|it| local(it, self.from.text()));
        link.is_some_and(|it| it.module.as_ref() != Some(&self.to.path) && is_run(self.from, it.statement))
    }

    /// Tells whether types may stand in brackets behind a name when the program runs.
    fn takes_types(&self, name: Node<'_>) -> bool {
        let text = name.text(self.from.text());
        let source = |it: &Link| it.source.of(self.from.text()).unwrap_or_default();
        let first = text.split('.').next().unwrap_or_default();
        let link = self.own.iter().find(|it| it.local.and_then(|span| span.of(self.from.text())) == Some(first));
        match link {
            Some(link) => GENERIC.contains(&source(link)) && self.can_be_evaluated(name),
            None => BUILT_IN.contains(&text) && self.can_be_evaluated(name),
        }
    }
}

/// Tells whether a node is an annotation that is evaluated together with what it stands at.
fn is_evaluated(node: Node<'_>) -> bool {
    let Some(parent) = node.parent().filter(|_| node.is("type")) else { return false };
    let is_outer = !node.ancestors().any(|it| it.is("type"));
    let is_alias = parent.is_any(&["type_alias_statement", "generic_type", "type_parameter"]);
    is_outer && !is_alias && !(parent.is("assignment") && function_of(node).is_some())
}
