//! A method of the superclass of Python that only says what subclasses have to have: `raise NotImplementedError`. What is pulled
//! up is what it does from then on; its signature and its docstring stay.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind, comments_above, end_of};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::MemberDeclarations;
use crate::refactor::analysis::parameters::all;
use crate::refactor::source_file::Code;
use crate::syntax::python::docstring;
use crate::syntax::{Family, Node, is_async};
use crate::text::{Span, TextEdit};

/// A method that is to be carried out, and the statement that says so.
pub(super) struct Stub<'c> {
    code: &'c Code,
    member: Member<'c>,
    raising: Node<'c>,
}

impl<'c> Stub<'c> {
    /// Returns the method of a superclass that what is pulled up carries out: it takes the same.
    pub(super) fn of(base: &Class<'c>, group: &MemberDeclarations<'_>) -> Option<Self> {
        let (there, code) = (base.members_named(group.name), base.code);
        let ([member], [own]) = (there.as_slice(), group.members.as_slice()) else { return None };
        let (function, own) = (member.function()?, own.function().filter(|_| own.decorators().next().is_none())?);
        let is_mark = |mark: Node<'_>| mark.text(code.text()).ends_with("abstractmethod");
        let is_method = member.kind == MemberKind::Method && code.family() == Family::Python;
        let raising = behind_docstring(function).next_back()?;
        let is_raised = raising.text(code.text()).starts_with("raise NotImplementedError");
        let takes = |code: &Code, function| -> Vec<(String, Option<String>)> {
            let said = |node: Node<'_>| node.text(code.text()).to_owned();
            all(code, function).iter().map(|it| (said(it.name), it.default.map(said))).collect()
        };
        let is_stub = is_method
            && is_raised
            && behind_docstring(function).count() == 1
            && member.decorators().all(is_mark)
            && is_async(function) == is_async(own)
            && takes(code, function) == takes(group.code(), own);
        is_stub.then_some(Self { code, member: *member, raising })
    }

    /// Lets it do what is pulled up.
    pub(super) fn carried_out(&self, group: &MemberDeclarations<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let code = group.code();
        let own = group.members[0].function();
        let has_docstring = self.member.function().and_then(docstring).is_some();
        let statements: Vec<Node<'_>> = match has_docstring {
            true => own.into_iter().flat_map(behind_docstring).collect(),
            false => own.into_iter().flat_map(statements).collect(),
        };
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else {
            return Err(group.refuse("it does nothing that could be pulled up"));
        };
        let stretch = Span::new(comments_above(code, first.start()), end_of(code, *last));
        let indent = self.code.indent(self.raising.start());
        let body = Layout::of(code).moved(stretch, indent).replace(code.newline(), self.code.newline());
        let raising = Span::new(self.raising.start(), end_of(self.code, self.raising));
        let marks = self.marks().map(|mark| TextEdit::new(mark, ""));
        Ok(marks.chain([TextEdit::new(raising, body)]).collect())
    }

    /// Returns the lines of the marks that say that it is abstract.
    pub(super) fn marks(&self) -> impl Iterator<Item = Span> {
        let line = |mark: Node<'_>| Span::new(self.code.line_start(mark.start()), self.code.next_line(mark.end()));
        self.member.decorators().map(line)
    }
}

fn statements<'t>(function: Node<'t>) -> impl DoubleEndedIterator<Item = Node<'t>> {
    let body = function.child("body");
    let all: Vec<Node<'t>> = body.into_iter().flat_map(Node::named_children).filter(|it| !it.is("comment")).collect();
    all.into_iter()
}

fn behind_docstring<'t>(function: Node<'t>) -> impl DoubleEndedIterator<Item = Node<'t>> {
    statements(function).skip(usize::from(docstring(function).is_some())).collect::<Vec<_>>().into_iter()
}
