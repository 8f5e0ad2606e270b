//! A constructor that runs the one of its superclass, written with what that one does in the place of the call.

use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{ArgumentSource, Signature, value};
use crate::refactor::analysis::classes::{Class, Member, receiver};
use crate::refactor::analysis::indentation::{Layout, without_lines};
use crate::refactor::analysis::signatures::is_literal;
use crate::refactor::analysis::substitution::put;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// Two constructors, and the statement of the lower one that runs the upper one.
pub(super) struct Merged<'c> {
    code: &'c Code,
    pub function: Node<'c>,
    pub statement: Node<'c>,
    arguments: Vec<Node<'c>>,
    above: Option<Signature<'c>>,
}

impl<'c> Merged<'c> {
    /// Finds the two; nothing where the constructor runs none, or one that stands above the superclass.
    pub(super) fn of(code: &'c Code, member: &Member<'c>, to: &Class<'c>) -> Result<Option<Self>, Refusal> {
        let Some(function) = member.function() else { return Ok(None) };
        let body = function.child("body").into_iter().flat_map(Node::named_children);
        let call = |it: Node<'c>| it.named_children().next().filter(|call| is_super_call(code, *call));
        let Some((statement, call)) = body.into_iter().find_map(|it| Some((it, call(it)?))) else { return Ok(None) };
        let above = match to.constructor() {
            Some(above) => Some(Signature::of_constructor((code, above))?),
            None if to.bases().is_empty() => None,
            None => return Ok(None),
        };
        let arguments = call.child("arguments").into_iter().flat_map(Node::named_children).collect();
        Ok(Some(Self { code, function, statement, arguments, above }))
    }

    /// Returns the edits of the lower constructor.
    pub(super) fn edits(&self) -> Result<Vec<TextEdit>, Refusal> {
        let Some(above) = &self.above else { return Ok(vec![without_lines(self.code, self.statement.span())]) };
        let refuse = |node: Node<'_>, reason: &str| self.code.refuse(node.start(), reason);
        let odd = || refuse(self.statement, "what is done here cannot be put in the place of the call");
        let statements: Vec<Node<'c>> = above
            .function
            .child("body")
            .into_iter()
            .flat_map(Node::named_children)
            .filter(|it| !is_text(*it))
            .collect();
        let is_return = |it: &Node<'_>| it.kind().starts_with("return") || it.kind().starts_with("yield");
        if statements.iter().flat_map(|it| std::iter::once(*it).chain(it.descendants())).any(|it| is_return(&it))
            || receiver(self.code, above.function) != receiver(self.code, self.function)
            || self.arguments.len() != above.parameters.len()
        {
            return Err(odd());
        }
        self.check_locals(above)?;
        let names = ScopedNames::of(self.code);
        let (mut edits, mut inside) = (Vec::new(), Vec::new());
        for at in 0..above.parameters.len() {
            let given = self.given(above, at).ok_or_else(odd)?;
            let said = given.text(self.code.text());
            edits.extend(self.property(above, at, given)?);
            if said != above.parameters[at].name.text(self.code.text()) {
                let reads = above.reads(&names, at)?;
                inside.extend(reads.iter().map(|it| put(self.code, *it, said)).collect::<Result<Vec<_>, _>>()?);
            }
        }
        inside.sort_by_key(|edit: &TextEdit| edit.span);
        edits.push(match (statements.first(), statements.last()) {
            (Some(first), Some(last)) => {
                let span = Span::new(first.start(), last.end());
                let base = self.code.indent(self.statement.start());
                TextEdit::new(self.statement.span(), Layout::of(self.code).moved_with(span, base, &inside))
            }
            _ => without_lines(self.code, self.statement.span()),
        });
        edits.sort_by_key(|edit| edit.span);
        Ok(edits)
    }

    /// Returns what the call passes for a parameter: a literal, or a parameter that keeps its value.
    fn given(&self, above: &Signature<'c>, at: usize) -> Option<Node<'c>> {
        let parameter = &above.parameters[at];
        let text = self.code.text();
        let by_name = self.arguments.iter().find(|it| {
            it.child("name")
                .is_some_and(|name| it.is("keyword_argument") && name.text(text) == parameter.name.text(text))
        });
        let is_plain = parameter.way != ArgumentSource::Rest && parameter.name.is("identifier");
        let given = by_name.or_else(|| self.arguments.get(at).filter(|it| !it.is("keyword_argument")));
        let given = value(*given.filter(|_| is_plain)?);
        let names = ScopedNames::of(self.code);
        let is_kept = || {
            let name = names.at(given)?;
            let is_parameter = names.is_local(name, Some(self.function));
            (given.is("identifier") && is_parameter && names.writes(name.meaning).count() < 2).then_some(())
        };
        (is_literal(given) || is_kept().is_some()).then_some(given)
    }

    /// Lets a parameter declare the field that the one above declared.
    fn property(&self, above: &Signature<'c>, at: usize, given: Node<'c>) -> Result<Option<TextEdit>, Refusal> {
        let (text, parameter) = (self.code.text(), &above.parameters[at]);
        let marks = Span::new(parameter.node.start(), parameter.name.start()).of(text).unwrap_or_default();
        if self.code.family() == crate::syntax::Family::Python || marks.trim().is_empty() {
            return Ok(None);
        }
        let own = Signature::of_constructor((self.code, self.function))?;
        let own = own.parameters.iter().find(|it| it.name.text(text) == given.text(text));
        let is_same = given.text(text) == parameter.name.text(text);
        match own.filter(|it| is_same && it.node.start() == it.name.start()) {
            Some(own) => Ok(Some(TextEdit::new(Span::at(own.node.start()), marks))),
            None => Err(self.code.refuse(parameter.node.start(), "no parameter could declare this field instead")),
        }
    }

    /// Refuses variables of the upper constructor that the lower one may mean otherwise.
    fn check_locals(&self, above: &Signature<'c>) -> Result<(), Refusal> {
        let (code, names) = (self.code, ScopedNames::of(self.code));
        let Some(body) = above.function.child("body") else { return Ok(()) };
        for name in names.within(body.span()).filter(|it| !it.is_free) {
            let said = name.span.of(code.text()).unwrap_or_default();
            let is_own = names.function_of_meaning(name.meaning) == Some(above.function);
            let is_parameter = above.parameters.iter().any(|it| it.name.text(code.text()) == said);
            let is_receiver = receiver(code, above.function) == Some(said);
            let elsewhere = names.within(self.function.span()).find(|it| it.span.of(code.text()) == Some(said));
            let differs = elsewhere.is_some_and(|it| it.meaning != name.meaning);
            if !is_parameter && !is_receiver && (is_own || differs) {
                return Err(
                    code.refuse(name.span.start, format!("`{said}` may mean something else in both constructors"))
                );
            }
        }
        Ok(())
    }
}

/// Tells whether a statement is a text, as a docstring is.
fn is_text(statement: Node<'_>) -> bool {
    statement.named_children().next().is_some_and(|it| it.is("string"))
}

/// `super().__init__(…)`, `super(…)`
fn is_super_call(code: &Code, call: Node<'_>) -> bool {
    let callee = call.child("function").filter(|_| call.is_any(&["call", "call_expression"]));
    callee.is_some_and(|it| it.is("super") || it.text(code.text()) == "super().__init__")
}
