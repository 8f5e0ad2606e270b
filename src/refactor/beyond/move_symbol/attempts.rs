//! Imports of Python under a condition: `try: import ssl`, `if sys.version_info …`, with what is done else. They go along as
//! they are.

use std::collections::{BTreeMap, BTreeSet};

use super::Way;
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::typed::is_for_checkers;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::moves::links::Link;
use crate::syntax::Node;
use crate::text::Span;

/// What is needed of statements that import something under a condition, by where these begin.
pub(super) type Attempts = BTreeMap<usize, BTreeSet<String>>;

/// The parts of an `if` or a `try` of which one runs.
const BRANCHES: &[&str] = &["block", "elif_clause", "else_clause", "except_clause", "except_group_clause"];
const CONDITIONAL: &[&str] = &["if_statement", "try_statement"];
const IMPORTS: &[&str] = &["import_from_statement", "import_statement"];

impl Way<'_> {
    /// Returns the statement that binds a name, whichever way it goes, and does nothing but such.
    pub(super) fn attempt(&self, bindings: &[Span]) -> Option<Node<'_>> {
        let first = *bindings.first()?;
        let statement = self.from.root().named_children().find(|it| it.span().contains(first))?;
        let binds_all = bindings.iter().all(|span| statement.span().contains(*span));
        let is_whole = self.is_python() && binds_all && self.only_binds(statement);
        let is_led = |link: &&Link| statement.span().contains(link.statement);
        let stays = |link: &Link| {
            let source = link.source.of(self.from.text());
            self.source_there(link).is_ok_and(|there| Some(there.as_str()) == source)
        };
        (is_whole && self.own.iter().filter(is_led).all(stays)).then_some(statement)
    }

    /// Tells whether a statement does nothing but import things and give plain values, under a condition that is not one of
    /// type checkers alone.
    pub(super) fn only_binds(&self, statement: Node<'_>) -> bool {
        let condition = statement.child("condition");
        let is_of_checkers = condition.is_some_and(|it| is_for_checkers(it.text(self.from.text())))
            && statement.child("alternative").is_none();
        let is_known = |it: Node<'_>| it.is_any(BRANCHES) || it.is("comment") || Some(it) == condition;
        let inner = statement.named_children().filter(|it| it.is_any(BRANCHES)).flat_map(inside);
        let is_plain = inner.into_iter().all(|it| it.is_any(IMPORTS) || is_idle(it) || assigned(it).is_some());
        statement.is_any(CONDITIONAL) && !is_of_checkers && is_plain && statement.named_children().all(is_known)
    }

    /// Tells whether one `if` or `try` of the module binds a name, whichever of its branches runs.
    pub(super) fn is_bound_by_every_branch(&self, bindings: &[Span]) -> bool {
        let around = |span: &Span| self.from.root().named_children().find(|one| one.span().contains(*span));
        let Some(statement) = bindings.first().and_then(around).filter(|_| self.is_python()) else { return false };
        let is_inside = bindings.iter().all(|span| statement.span().contains(*span));
        let parts: Vec<Node<'_>> = statement.named_children().filter(|it| it.is_any(BRANCHES)).collect();
        let is_closed = statement.is("try_statement") || parts.iter().any(|it| it.is("else_clause"));
        statement.is_any(CONDITIONAL)
            && is_inside
            && is_closed
            && parts
                .iter()
                .filter(|it| !(statement.is("try_statement") && it.is("else_clause")))
                .all(|it| binds_or_ends(*it, bindings))
    }

    /// Writes those statements, with what is needed of them.
    pub(super) fn attempted(&self, attempts: &Attempts) -> Result<String, Refusal> {
        let end = self.to.newline();
        let mut written = String::new();
        for (start, names) in attempts {
            let whole = self.from.root().named_children().find(|it| it.start() == *start);
            let whole = whole.ok_or_else(|| self.from.refuse(*start, "it is imported under a condition"))?;
            let text = self.from.text();
            let is_whole = |it: Node<'_>| self.needed_part(it, names).as_deref() == Some(self.with_remark(it));
            if whole.named_children().filter(|it| it.is_any(BRANCHES)).flat_map(inside).all(is_whole) {
                // With what comments say of it.
                let said = text[whole.start()..self.from.line_end(whole.end())].trim_end();
                written += &format!("{end}{}{end}", said.replace(self.from.newline(), end));
                continue;
            }
            let layout = Layout::of(self.from);
            let mut lines = Vec::new();
            for part in whole.named_children().filter(|it| it.is_any(BRANCHES)) {
                let begin = if part.is("block") { whole.start() } else { part.start() };
                let block = inside(part).next().and_then(Node::parent).map_or(part.end(), |it| it.start());
                let head = text[begin..block].trim_end().to_owned();
                if tries_several(part) {
                    lines
                        .push(text[begin..self.from.line_end(part.end())].trim_end().replace(self.from.newline(), end));
                    continue;
                }
                let mut said: Vec<String> = inside(part).filter_map(|it| self.needed_part(it, names)).collect();
                if said.is_empty() {
                    said.push("pass".to_owned());
                }
                lines.push(head);
                lines.extend(said.into_iter().map(|line| format!("{}{line}", layout.step())));
            }
            written += &format!("{end}{}{end}", lines.join(end));
        }
        Ok(written)
    }

    /// Writes what a statement gives of some names; nothing where it gives none. Of several that are tried together each may be
    /// the one that fails, and all of them stay.
    fn needed_part(&self, statement: Node<'_>, names: &BTreeSet<String>) -> Option<String> {
        let text = self.from.text();
        let whole = self.with_remark(statement).to_owned();
        if is_idle(statement) || statement.parent().is_some_and(tries_several) {
            return Some(whole);
        }
        if let Some(name) = assigned(statement) {
            return names.contains(name.text(text)).then_some(whole);
        }
        let links = self.own.iter().filter(|link| link.statement == statement.span());
        let (all, needed): (Vec<&Link>, Vec<&Link>) = {
            let all: Vec<&Link> = links.collect();
            let is_needed = |link: &&Link| link.local.and_then(|it| it.of(text)).is_some_and(|it| names.contains(it));
            (all.clone(), all.into_iter().filter(is_needed).collect())
        };
        match (needed.len(), needed.len() == all.len()) {
            (0, _) => None,
            (_, true) if !whole.contains('\n') => Some(whole),
            _ => {
                let source = needed[0].source.of(text).unwrap_or_default();
                let items: Vec<&str> = needed.iter().filter_map(|link| link.item.of(text)).collect();
                match statement.is("import_from_statement") {
                    true => Some(format!("from {source} import {}", items.join(", "))),
                    false => Some(format!("import {}", items.join(", "))),
                }
            }
        }
    }

    /// Returns a statement with the comment behind it on its line.
    fn with_remark(&self, statement: Node<'_>) -> &str {
        self.from.text()[statement.start()..self.from.line_end(statement.end())].trim_end()
    }

    /// Tells whether a block belongs to a statement that tries to import something, and lets it be where it cannot.
    pub(super) fn tries<'n>(&self, block: Node<'n>) -> Option<Node<'n>> {
        let outer = block.parent().filter(|outer| outer.is("try_statement") && self.is_python())?;
        let is_top = outer.parent().is_some_and(|it| it.parent().is_none());
        let mut others = outer.named_children().filter(|it| *it != block && !it.is("comment"));
        (is_top && others.all(|it| it.is("except_clause") && inside(it).all(is_idle))).then_some(outer)
    }
}

/// Tells whether a block is what a `try` does first, and has several statements.
pub(super) fn tries_several(block: Node<'_>) -> bool {
    block.parent().is_some_and(|it| it.is("try_statement") && it.child("body") == Some(block))
        && inside(block).nth(1).is_some()
}

/// Tells whether a part of an `if` or a `try` binds one of some names, or does not go on behind the statement.
fn binds_or_ends(part: Node<'_>, bindings: &[Span]) -> bool {
    bindings.iter().any(|span| part.span().contains(*span))
        || inside(part).last().is_some_and(|it| it.is("raise_statement"))
}

/// Returns the statements of a block, or of a clause that has one.
fn inside(part: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let block = if part.is("block") { Some(part) } else { part.child_of_kind("block") };
    block.into_iter().flat_map(Node::named_children).filter(|it| !it.is("comment"))
}

fn is_idle(statement: Node<'_>) -> bool {
    statement.is("pass_statement")
}

/// Returns the name that a statement gives a plain value: `ssl = None`.
fn assigned(statement: Node<'_>) -> Option<Node<'_>> {
    let only = statement.named_children().next().filter(|it| it.is("assignment"))?;
    let is_plain = only.child("right").is_some_and(|it| it.is_any(&["none", "true", "false", "string", "integer"]));
    only.child("left").filter(|it| it.is("identifier") && is_plain)
}
