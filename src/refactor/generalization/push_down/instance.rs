//! A field that a constructor of Python gives to each object: it is given by the constructor of the subclass.

use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::Signature;
use crate::refactor::analysis::classes::{Class, MemberKind, Slot, receiver};
use crate::refactor::analysis::field_initialization::is_fresh;
use crate::refactor::analysis::indentation::{Layout, without_lines};
use crate::refactor::analysis::members::MemberDeclarations;
use crate::refactor::source_file::{Code, statement_of};
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// The statement that gives the field, and the constructor that it stands in.
pub(super) struct Given<'c> {
    code: &'c Code,
    constructor: Node<'c>,
    statement: Node<'c>,
}

impl<'c> Given<'c> {
    /// Finds it; nothing where the class itself has the field.
    pub(super) fn of(group: &MemberDeclarations<'c>) -> Result<Option<Self>, Refusal> {
        let code = group.code();
        if code.family() != Family::Python || !group.is_all(MemberKind::Assigned) {
            return Ok(None);
        }
        let refuse = |reason: &str| Err(group.refuse(reason));
        let constructor = group.class.constructor().filter(|it| it.child("body").is_some());
        let (Some(constructor), [member]) = (constructor, group.members.as_slice()) else {
            return refuse("it does not get its only value in the constructor");
        };
        let statement = statement_of(member.name).unwrap_or(member.node);
        if statement.parent() != constructor.child("body") || !is_on_its_lines(code, statement) {
            return refuse("it is set under a condition, or together with something else");
        }
        let assignment = statement.named_children().next().unwrap_or(statement);
        match assignment.child("right").filter(|value| assignment.is("assignment") && is_fresh(*value)) {
            Some(_) => Ok(Some(Self { code, constructor, statement })),
            None => refuse("its value is not a literal: the subclass's constructor may not know it"),
        }
    }

    /// Takes the statement out.
    pub(super) fn taken_out(&self) -> TextEdit {
        let is_only = self.statement.parent().is_some_and(|body| body.named_children().count() == 1);
        match is_only {
            true => TextEdit::new(Span::new(self.statement.start(), self.code.line_end(self.statement.end())), "pass"),
            false => without_lines(self.code, self.statement.span()),
        }
    }

    /// Lets the constructor of a subclass give the field, behind all that those above it give.
    pub(super) fn put_into(&self, to: &Class<'_>) -> Result<TextEdit, Refusal> {
        let (code, end) = (to.code, to.code.newline());
        let said = self.code.text()[self.statement.start()..self.code.line_end(self.statement.end())].trim_end();
        if said.contains('\n') || to.bases().len() > 1 {
            return Err(code.refuse(to.name.start(), "its constructor cannot simply give the field, too"));
        }
        if let Some(own) = to.constructor() {
            let call = asking(code, own)?;
            if receiver(code, own) != receiver(self.code, self.constructor) {
                return Err(code.refuse(own.start(), "its object has another name there"));
            }
            let at = Span::at(code.line_end(call.end()));
            return Ok(TextEdit::new(at, format!("{end}{}{said}", code.indent(call.start()))));
        }
        let list = self.constructor.child("parameters").map_or("", |list| list.text(self.code.text()));
        let taken = Signature::plain((self.code, self.constructor))?.parameters;
        if taken.iter().any(|it| it.is_open() || it.is_named() || it.of.is_some() && code.path != self.code.path) {
            let reason = format!("`{}` has no constructor, and would need all that this one takes", to.name());
            return Err(self.code.refuse(self.constructor.start(), reason));
        }
        let passed: Vec<&str> = taken.iter().map(|it| it.name.text(self.code.text())).collect();
        let result = self.constructor.child("return_type").map(|_| " -> None").unwrap_or_default();
        let inner = format!("{}{}", to.indent(), Layout::of(code).step());
        let body = format!("{inner}super().__init__({}){end}{inner}{said}", passed.join(", "));
        Ok(to.with(Slot::Constructor, &[format!("def __init__{list}{result}:{end}{body}")]))
    }
}

/// Tells whether nothing but a comment shares the lines of a statement.
fn is_on_its_lines(code: &Code, statement: Node<'_>) -> bool {
    let before = &code.text()[code.line_start(statement.start())..statement.start()];
    let behind = code.text()[statement.end()..code.line_end(statement.end())].trim();
    before.trim().is_empty() && (behind.is_empty() || behind.starts_with('#'))
}

/// Refuses heirs that would be made without the field.
pub(super) fn check_made(heir: &Class<'_>) -> Result<(), Refusal> {
    match heir.constructor() {
        Some(own) => asking(heir.code, own).map(|_| ()),
        None => Ok(()),
    }
}

/// Returns the statement by which a constructor asks the one above it.
fn asking<'c>(code: &'c Code, constructor: Node<'c>) -> Result<Node<'c>, Refusal> {
    let body = constructor.child("body").into_iter().flat_map(Node::named_children);
    let mut calls = body.filter(|it| it.text(code.text()).starts_with("super().__init__("));
    calls
        .next()
        .ok_or_else(|| code.refuse(constructor.start(), "it does not call the superclass's constructor by `super()`"))
}
