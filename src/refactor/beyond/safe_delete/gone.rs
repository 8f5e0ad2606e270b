//! A declaration that goes.

use super::assigned::doubt_acting;
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind, comments_above, documented_end};
use crate::refactor::analysis::fields::slot_of;
use crate::refactor::analysis::imports::listed::without_entries;
use crate::refactor::analysis::imports::statements::without_items;
use crate::refactor::analysis::indentation::without_lines;
use crate::refactor::analysis::object_literals::{handed_on, is_item, without_item};
use crate::refactor::doubts::doubt;
use crate::refactor::source_file::{Code, inner, is_class};
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};

#[derive(Clone, Copy)]
pub(super) struct Gone<'c> {
    pub code: &'c Code,
    pub statement: Node<'c>,
}

/// Tells whether a place lies in what goes.
pub(super) fn holds(gone: &[Gone<'_>], path: &AbsPath, span: Span) -> bool {
    gone.iter().any(|one| one.code.path == *path && one.statement.span().contains(span))
}

/// Tells whether a statement stands at the top of its file or in a class, or is a member of an enumeration or an object literal.
pub(super) fn is_home(statement: Node<'_>) -> bool {
    statement.parent().is_some_and(|it| {
        it.parent().is_none()
            || it.is_any(&["class_body", "enum_body", "object"])
            || it.is("block") && it.parent().is_some_and(is_class)
    })
}

impl<'c> Gone<'c> {
    /// Tells whether it stands in a function, or in another block.
    pub(super) fn is_local(&self) -> bool {
        !is_home(self.statement) && !self.is_slot()
    }

    /// Returns the entry of `__slots__` that goes with a field.
    pub(super) fn slot(self, name: &str) -> Option<Self> {
        let class = Class::around(self.code, self.statement).filter(|_| !self.is_method())?;
        Some(Self { code: self.code, statement: slot_of(&class, name)? })
    }

    fn is_slot(self) -> bool {
        self.statement.is("string")
    }

    /// Takes the declaration out of its file, with its decorators and the comments above it.
    pub(super) fn without(self) -> Result<Vec<TextEdit>, Refusal> {
        let Gone { code, statement } = self;
        let around = statement.parent();
        if let Some(list) = around.filter(|_| self.is_slot()) {
            return Ok(without_entries(code, list, &[statement.span()]));
        }
        if let Some(list) = around.filter(|it| it.is("enum_body")) {
            let items = Vec::from_iter(list.named_children().map(Node::span));
            let spans = without_items(code, &items, &[statement.span()]);
            return Ok(spans.into_iter().map(|span| TextEdit::new(span, "")).collect());
        }
        if is_item(statement) {
            return Ok(without_item(code, statement));
        }
        if let Some((class, member)) = self.member() {
            return class.without(&[member]);
        }
        let end = documented_end(code, statement);
        let whole = Span::new(comments_above(code, statement.start()), end);
        let rest = code.text()[end..code.next_line(end)].trim();
        let before = code.text()[code.line_start(statement.start())..statement.start()].trim();
        if !before.is_empty() || !rest.is_empty() {
            return Err(code.refuse(statement.start(), "the declaration shares its line with something else"));
        }
        Ok(vec![without_lines(code, whole)])
    }

    /// Returns what decorates it.
    pub(super) fn decorators(self) -> Vec<Node<'c>> {
        let marks = |node: Node<'c>| node.children().filter(|it| it.is("decorator"));
        match self.member() {
            Some((_, member)) => member.decorators().collect(),
            None if inner(self.statement) == self.statement => marks(self.statement).collect(),
            None => marks(self.statement).chain(marks(inner(self.statement))).collect(),
        }
    }

    /// Doubts an item of an object that others may ask for anything, and one whose value does something while it is made.
    pub(super) fn doubt_item(self) -> Result<Vec<Warning>, Refusal> {
        let Gone { code, statement } = self;
        if !is_item(statement) {
            return Ok(Vec::new());
        }
        let handed = handed_on(code, statement);
        let handed = handed.map(|span| doubt(code, span, "its object goes to others here, who may ask for it"));
        let acting = doubt_acting(code, [statement.child("value")])?;
        Ok(handed.transpose()?.into_iter().chain(acting).collect())
    }

    pub(super) fn is_method(self) -> bool {
        self.member().is_some_and(|(_, member)| member.kind == MemberKind::Method)
    }

    fn member(self) -> Option<(Class<'c>, Member<'c>)> {
        let class = Class::around(self.code, self.statement);
        let class = class.filter(|class| Some(class.body) == self.statement.parent())?;
        let member = class.members().into_iter().find(|it| self.statement.span().contains(it.node.span()))?;
        Some((class, member))
    }

    /// Doubts a member of an enumeration from which others count on.
    pub(super) fn renumbered(self) -> Result<Option<Warning>, Refusal> {
        let Gone { code, statement } = self;
        let siblings = statement.parent().into_iter().flat_map(Node::named_children);
        let next = siblings.skip_while(|it| *it != statement).nth(1);
        let counts = |next: &Node<'_>| match code.family() {
            Family::Python => next.text(code.text()).ends_with("auto()"),
            _ => next.is("property_identifier") && next.parent().is_some_and(|it| it.is("enum_body")),
        };
        let next = next.filter(counts);
        next.map(|next| doubt(code, next.span(), "its value is counted from the one before it, and would change"))
            .transpose()
    }
}
