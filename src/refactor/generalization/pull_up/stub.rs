//! A method of the superclass that only says what subclasses have to have: one that raises `NotImplementedError` in Python, an
//! `abstract` one in TypeScript. What is pulled up is what it does from then on; its signature and its docstring stay.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind, comments_above, end_of};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::MemberDeclarations;
use crate::refactor::analysis::parameters::all;
use crate::refactor::source_file::Code;
use crate::syntax::python::docstring;
use crate::syntax::{Family, Node, is_async};
use crate::text::{Span, TextEdit};

/// A method that is to be carried out.
pub(super) struct Stub<'c> {
    code: &'c Code,
    member: Member<'c>,
    demand: Demand<'c>,
}

/// What says that it is.
enum Demand<'c> {
    Raise(Node<'c>),
    Abstract,
}

impl<'c> Stub<'c> {
    /// Returns the method of a superclass that what is pulled up carries out: it takes the same.
    pub(super) fn of(base: &Class<'c>, group: &MemberDeclarations<'_>) -> Option<Self> {
        let (there, code) = (base.members_named(group.name), base.code);
        let ([member], [own]) = (there.as_slice(), group.members.as_slice()) else { return None };
        let function = own.function().filter(|_| own.decorators().next().is_none() && !own.is_static)?;
        let (declared, demand) = match code.family() {
            Family::Python => raising(code, member)?,
            _ => (member.node, Demand::Abstract),
        };
        let is_stub = match demand {
            Demand::Raise(_) => is_async(declared) == is_async(function),
            Demand::Abstract => declared.is("abstract_method_signature") && is_ordinary(function),
        };
        let takes = |code: &Code, function: Node<'_>| -> Vec<(String, Option<String>)> {
            let said = |node: Node<'_>| node.text(code.text()).to_owned();
            let generic = function.child("type_parameters").map(|it| (said(it), None));
            generic
                .into_iter()
                .chain(all(code, function).iter().map(|it| (said(it.name), it.default.map(said))))
                .collect()
        };
        let is_same = is_stub && takes(code, declared) == takes(group.code(), function);
        is_same.then_some(Self { code, member: *member, demand })
    }

    /// Lets it do what is pulled up.
    pub(super) fn carried_out(&self, group: &MemberDeclarations<'_>) -> Result<Vec<TextEdit>, Refusal> {
        match self.demand {
            Demand::Raise(raising) => self.in_its_place(raising, group),
            Demand::Abstract => self.with_body(group),
        }
    }

    /// Puts what is pulled up in the place of the statement that raises.
    fn in_its_place(&self, raising: Node<'_>, group: &MemberDeclarations<'_>) -> Result<Vec<TextEdit>, Refusal> {
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
        let indent = self.code.indent(raising.start());
        let body = Layout::of(code).moved(stretch, indent).replace(code.newline(), self.code.newline());
        let raising = Span::new(raising.start(), end_of(self.code, raising));
        let marks = self.marks().map(|mark| TextEdit::new(mark, ""));
        Ok(marks.chain([TextEdit::new(raising, body)]).collect())
    }

    /// Gives an abstract method the body of what is pulled up, and its comments where it has none.
    fn with_body(&self, group: &MemberDeclarations<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let (there, here) = (self.code, group.code());
        let (signature, own) = (self.member.node, group.members[0]);
        let body = own.function().and_then(|it| it.child("body"));
        let body = body.ok_or_else(|| group.refuse("it does nothing that could be pulled up"))?;
        let indent = there.indent(signature.start());
        let moved = |span| Layout::of(here).moved(span, indent).replace(here.newline(), there.newline());
        let mut edits = Vec::new();
        let comments = Span::new(comments_above(here, own.node.start()), own.node.start());
        if comments_above(there, signature.start()) == signature.start() && !comments.is_empty() {
            edits.push(TextEdit::new(Span::at(signature.start()), moved(comments)));
        }
        let mut words = signature.children().skip_while(|it| it.kind() != "abstract");
        if let (Some(word), Some(next)) = (words.next(), words.next()) {
            let word = Span::new(word.start(), next.start());
            edits.push(TextEdit::new(word, if own.function().is_some_and(is_async) { "async " } else { "" }));
        }
        let mut behind =
            signature.parent().into_iter().flat_map(Node::children).skip_while(|it| *it != signature).skip(1);
        let end = behind.next().filter(|it| it.kind() == ";").map_or(signature.end(), Node::end);
        edits.push(TextEdit::new(Span::new(signature.end(), end), format!(" {}", moved(body.span()))));
        Ok(edits)
    }

    /// Returns the lines of the marks that say that it is abstract.
    pub(super) fn marks(&self) -> impl Iterator<Item = Span> {
        let line = |mark: Node<'_>| Span::new(self.code.line_start(mark.start()), self.code.next_line(mark.end()));
        self.member.decorators().map(line)
    }
}

/// Returns a method of Python and the statement of it that raises, which is all that it does.
fn raising<'c>(code: &Code, member: &Member<'c>) -> Option<(Node<'c>, Demand<'c>)> {
    let function = member.function().filter(|_| member.kind == MemberKind::Method)?;
    let is_mark = |mark: Node<'_>| mark.text(code.text()).ends_with("abstractmethod");
    let raising = behind_docstring(function).next_back()?;
    let is_raised = raising.text(code.text()).starts_with("raise NotImplementedError");
    let is_all = is_raised && behind_docstring(function).count() == 1 && member.decorators().all(is_mark);
    is_all.then_some((function, Demand::Raise(raising)))
}

/// Tells whether a method of a script is neither an accessor nor a generator.
fn is_ordinary(function: Node<'_>) -> bool {
    function.is("method_definition") && !function.children().any(|it| matches!(it.kind(), "get" | "set" | "*"))
}

fn statements<'t>(function: Node<'t>) -> impl DoubleEndedIterator<Item = Node<'t>> {
    let body = function.child("body");
    let all: Vec<Node<'t>> = body.into_iter().flat_map(Node::named_children).filter(|it| !it.is("comment")).collect();
    all.into_iter()
}

fn behind_docstring<'t>(function: Node<'t>) -> impl DoubleEndedIterator<Item = Node<'t>> {
    statements(function).skip(usize::from(docstring(function).is_some())).collect::<Vec<_>>().into_iter()
}
