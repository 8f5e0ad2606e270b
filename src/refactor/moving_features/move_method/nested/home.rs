//! Where an inner function goes: to the module, or to the class around, and what it is there.

use super::inner::Inner;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::Class;
use crate::refactor::analysis::free_names::{check_member_name, check_private};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::method_receivers::{Receiver, STATIC, first_parameter};
use crate::refactor::analysis::parameters::{list, put_all_first};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, object_of};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::target::last_name;
use crate::syntax::{Family, Language, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(super) enum Home<'c> {
    Module,
    Class(OwnClass<'c>),
}

/// The class of the method around.
pub(super) struct OwnClass<'c> {
    class: Class<'c>,
    /// What of the class the function stands in.
    member: Node<'c>,
    /// What it is called on.
    receiver: Receiver<'c>,
    /// What `self` means in the method around.
    object: Option<Name>,
}

impl<'c> Home<'c> {
    /// Reads where it is to go.
    pub(super) fn of(
        (code, names): (&'c Code, &ScopedNames<'_>),
        inner: &Inner<'c>,
        own: Name,
        to: &str,
    ) -> Result<Self, Refusal> {
        let refuse = |reason: &str| Err(code.refuse(inner.statement.start(), reason));
        if to == "module" {
            check_private(code, &[inner.function])?;
            return match inner.of_object().first().filter(|_| inner.function.is("arrow_function")) {
                Some(it) => Err(code.refuse(it.start(), "`this` is that of the function around")),
                None => Ok(Self::Module),
            };
        }
        let Some(class) = Class::around(code, inner.statement).filter(|it| it.name() == last_name(to)) else {
            return refuse("a function that stands in another one goes to the `module`, or to the class around");
        };
        let member = inner.statement.ancestors().find(|it| it.parent() == Some(class.body));
        let Some(member) = member else { return refuse("it stands in no member of the class") };
        match code.family() {
            Family::Python => OwnClass::of_python((code, names), (inner, own), (class, member)),
            _ => OwnClass::of_script(code, inner, (class, member)),
        }
        .map(Self::Class)
    }
}

impl<'c> OwnClass<'c> {
    fn of_python(
        (code, names): (&'c Code, &ScopedNames<'_>),
        (inner, own): (&Inner<'c>, Name),
        (class, member): (Class<'c>, Node<'c>),
    ) -> Result<Self, Refusal> {
        let refuse = |at: usize, reason: String| Err(code.refuse(at, reason));
        let within = inner.statement.ancestors().take_while(|it| *it != class.node);
        let Some(method) = within.filter(|it| is_any_function(*it)).last() else {
            return refuse(inner.statement.start(), "it stands in no method of the class".to_owned());
        };
        let mut receiver = Receiver::of((code, names), method, class.node)?;
        let object = first_parameter(method).and_then(|it| names.at(it)).filter(|_| receiver.parameter().is_some());
        let name = receiver.name;
        if object.is_some_and(|it| names.writes(it.meaning).count() > 1) {
            return refuse(method.start(), format!("`{name}` is set in the method"));
        }
        let means_other = |it: &Name| {
            it.is_binding && it.span.of(code.text()) == Some(name) && object.is_none_or(|own| own.meaning != it.meaning)
        };
        if let Some(it) = names.within(method.span()).find(means_other) {
            return refuse(it.span.start, format!("`{name}` is another one here"));
        }
        if let Some(it) = inner.function.descendants().find(|it| it.is("identifier") && it.text(code.text()) == "super")
        {
            return refuse(it.start(), "`super` is about the first parameter here".to_owned());
        }
        let asked = |it: Name| {
            Some(it.meaning) == object.map(|it| it.meaning) || it.meaning == own.meaning && it.span != own.span
        };
        if !names.within(inner.function.span()).any(asked) {
            receiver.decorator = STATIC;
        }
        Ok(Self { class, member, receiver, object })
    }

    fn of_script(code: &Code, inner: &Inner<'c>, (class, member): (Class<'c>, Node<'c>)) -> Result<Self, Refusal> {
        let refuse = |at: Node<'_>, reason: &str| Err(code.refuse(at.start(), reason));
        let object = if member.is("method_definition") { member } else { class.node };
        if !member.is_any(&["method_definition", "public_field_definition", "field_definition"]) {
            return refuse(member, "it stands in no method of the class");
        }
        if object_of(inner.statement) != Some(object) {
            return refuse(inner.statement, "`this` is another one here: a function stands between");
        }
        let own = inner.of_object();
        match own.first() {
            Some(it) if !inner.function.is("arrow_function") => return refuse(*it, "it has a `this` of its own"),
            _ => {}
        }
        let is_asked = |it: Node<'_>| it.is("this") && object_of(it) == Some(object);
        if !member.descendants().any(is_asked) {
            return refuse(member, "nothing here asks for `this`, which may be another one: give the `module`");
        }
        if member.child("name").is_some_and(|it| it.text(code.text()) == "constructor") && !class.bases().is_empty() {
            return refuse(member, "`this` is there once `super` is called");
        }
        if let Some(of) = inner.statement.named_children().find_map(|it| it.child("type")).filter(|_| inner.is_value())
        {
            return refuse(of, "the type is that of a variable");
        }
        let decorator = if member.child_of_kind("static").is_some() { STATIC } else { "" };
        Ok(Self { class, member, receiver: Receiver { name: "this", decorator }, object: None })
    }

    /// Refuses a name that the class, or one that knows it, has already.
    pub(super) async fn check_free(&self, session: &Session, new: &str) -> Result<(), Refusal> {
        check_member_name(session, &self.class, new).await
    }
}

impl Home<'_> {
    /// Tells whether something goes without being passed.
    pub(super) fn has(&self, meaning: usize) -> bool {
        matches!(self, Self::Class(own) if own.object.is_some_and(|it| it.meaning == meaning))
    }

    /// Returns where types that stand in its head have to be declared above.
    pub(super) fn types_end(&self, code: &Code, inner: &Inner<'_>) -> usize {
        match self {
            Self::Module => above(code, inner.statement),
            Self::Class(own) => own.class.node.start(),
        }
    }

    /// Returns how it is named where it is used.
    ///
    /// # Errors
    /// Where the object that it is called on is another one there, or it is handed on without that.
    pub(super) fn said(
        &self,
        code: &Code,
        (inner, used): (&Inner<'_>, Node<'_>),
        new: &str,
    ) -> Result<String, Refusal> {
        let Self::Class(own) = self else { return Ok(new.to_owned()) };
        if code.family() != Family::Python {
            let is_own =
                object_of(used).is_some_and(|it| it == inner.function || Some(it) == object_of(inner.statement));
            let is_called =
                used.parent().is_some_and(|it| it.is("call_expression") && it.child("function") == Some(used));
            if !is_own {
                return Err(code.refuse(used.start(), "`this` is another one here"));
            }
            if !is_called && !inner.of_object().is_empty() {
                return Err(code.refuse(used.start(), "it is handed on here, without the object that it asks"));
            }
        }
        Ok(format!("{}.{new}", own.receiver.name))
    }

    /// Returns what changes at the head of the function itself, which takes some things more.
    pub(super) fn head(&self, code: &Code, inner: &Inner<'_>, (new, taken): (&str, &[&str])) -> Vec<TextEdit> {
        let mut edits = Vec::new();
        let first = match self {
            Self::Class(own) if code.family() == Family::Python => own.receiver.parameter(),
            _ => None,
        };
        let all: Vec<&str> = first.into_iter().chain(taken.iter().copied()).collect();
        if !all.is_empty() || matches!(self, Self::Class(_)) {
            edits.extend(with_first(code, inner.function, &all));
        }
        match self {
            Self::Class(own) if code.family() == Family::Python => {
                edits.push(TextEdit::new(inner.name.span(), new));
                if own.receiver.decorator.is_empty() {
                    return edits;
                }
                let line = format!("{}{}{}", own.receiver.decorator, code.newline(), own.class.indent());
                edits.push(TextEdit::new(Span::at(inner.function.start()), line));
            }
            Self::Class(own) => edits.extend(own.as_method(code, inner, new)),
            Self::Module => edits.push(TextEdit::new(inner.name.span(), new)),
        }
        edits
    }

    /// Puts it where it goes; `lines` are its own with the comments above, `inside` what changes in them.
    pub(super) fn put(&self, code: &Code, inner: &Inner<'_>, (lines, inside): (Span, &[TextEdit])) -> TextEdit {
        let (layout, end) = (Layout::of(code), code.newline());
        match self {
            Self::Module => {
                let gap = end.repeat(if code.family() == Family::Python { 3 } else { 2 });
                let text = layout.moved_with(lines, "", inside);
                TextEdit::new(Span::at(above(code, inner.statement)), format!("{text}{gap}"))
            }
            Self::Class(own) => {
                let indent = own.class.indent();
                let text = layout.moved_with(lines, &indent, inside);
                let rest = &code.text()[own.member.end()..code.next_line(own.member.end())];
                let is_closed = rest.trim_start().starts_with(';');
                let at = own.member.end() + if is_closed { rest.find(';').map_or(0, |it| it + 1) } else { 0 };
                TextEdit::new(Span::at(at), format!("{end}{end}{indent}{text}"))
            }
        }
    }
}

impl OwnClass<'_> {
    /// Returns what makes a function of a script a method: its head, its body where that is an expression, and its end.
    fn as_method(&self, code: &Code, inner: &Inner<'_>, new: &str) -> Vec<TextEdit> {
        let Inner { statement, function, .. } = *inner;
        let is_typed = code.parsed().tree.language() != Language::JavaScript;
        let words = [
            ("private ", is_typed),
            ("static ", self.receiver.decorator == STATIC),
            ("async ", function.child_of_kind("async").is_some()),
            ("*", function.kind().starts_with("generator")),
        ];
        let words: String = words.iter().filter(|(_, is_said)| *is_said).map(|(word, _)| *word).collect();
        let head = Span::new(statement.start(), inner.parameters_start());
        let mut edits = vec![TextEdit::new(head, format!("{words}{new}"))];
        let Some(body) = function.child("body").filter(|_| function.is("arrow_function")) else {
            edits.push(TextEdit::new(Span::new(function.end(), statement.end()), ""));
            return edits;
        };
        let before = function.child("return_type").or_else(|| list(function)).map_or(function.start(), Node::end);
        edits.push(TextEdit::new(Span::new(before, body.start()), " "));
        let end = Span::new(body.end(), statement.end());
        if body.is("statement_block") {
            edits.push(TextEdit::new(end, ""));
            return edits;
        }
        let (indent, newline, step) = (self.class.indent(), code.newline(), Layout::of(code).step().to_owned());
        let inside = body.named_children().next().filter(|_| body.is("parenthesized_expression")).unwrap_or(body);
        edits.push(TextEdit::new(Span::new(body.start(), inside.start()), format!("{{{newline}{indent}{step}return ")));
        edits.push(TextEdit::new(Span::new(inside.end(), end.end), format!(";{newline}{indent}}}")));
        edits
    }
}

/// Puts parameters first; the only one of an arrow function without parentheses gets some.
fn with_first(code: &Code, function: Node<'_>, new: &[&str]) -> Vec<TextEdit> {
    match function.child("parameter") {
        Some(bare) => {
            let before: String = new.iter().map(|it| format!("{it}, ")).collect();
            let (start, end) = (Span::at(bare.start()), Span::at(bare.end()));
            vec![TextEdit::new(start, format!("({before}")), TextEdit::new(end, ")")]
        }
        None => list(function).and_then(|it| put_all_first(code, it, new)).into_iter().collect(),
    }
}
