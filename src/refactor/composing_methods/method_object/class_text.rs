//! The text of the new class, and what the method has in the place of its body.

use super::Method;
use crate::refactor::Refusal;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::substitution::put;
use crate::refactor::source_file::{is_class, type_arguments};
use crate::syntax::{Family, Node};
use crate::text::TextEdit;

impl<'c> Method<'c> {
    fn is_python(&self) -> bool {
        self.code.family() == Family::Python
    }

    /// Returns what a member of the new class calls its object.
    fn own(&self) -> &'static str {
        if self.is_python() { "self" } else { "this" }
    }

    /// Writes the class, with what separates it from what follows.
    pub(super) fn made(&self) -> Result<String, Refusal> {
        let (end, layout) = (self.code.newline(), Layout::of(self.code));
        let step = layout.step().to_owned();
        let inner = step.repeat(2);
        let moved = layout.moved_with(self.body.extent, &inner, &self.edits()?);
        let body = format!("{inner}{}{moved}{end}", self.opening(&inner));
        let (name, making, of) = (self.name, self.making(&step), self.answer());
        let word = if self.is_async { "async " } else { "" };
        Ok(match self.is_python() {
            true => format!("class {name}:{end}{making}{step}{word}def compute(self){of}:{end}{body}{end}{end}"),
            false => {
                let head = self.head();
                format!(
                    "class {name}{head} {{{end}{making}{step}{word}compute(){of} {{{end}{body}{step}}}{end}}}{end}{end}"
                )
            }
        })
    }

    /// Returns what declares type parameters that the new class needs.
    fn generic(&self) -> Vec<Node<'c>> {
        let text = self.code.text();
        // What a class is made for no static method of it knows, and a parameter of the method hides one of that name.
        let is_static = self.function.child_of_kind("static").is_some();
        let is_known = |class: &Node<'c>| {
            !is_static && (!self.body.own.is_empty() || !shares_parameter(*class, self.function, text))
        };
        let is_needed = |node: &Node<'c>| {
            let listed = node.child("type_parameters").into_iter().flat_map(Node::named_children);
            let mut names = listed.filter_map(|it| it.child("name")).map(|it| it.text(text));
            let has_object = !self.body.own.is_empty() && is_class(*node);
            has_object || names.any(|it| self.code.mentions(self.function, it))
        };
        let class = self.class.map(|it| it.node).filter(is_known);
        let around = class.into_iter().chain([self.function]);
        around.filter(|_| !self.is_python()).filter(is_needed).collect()
    }

    /// Returns the type parameters of the new class: those of the old one, and of the method.
    fn head(&self) -> String {
        let lists = self.generic().into_iter().filter_map(|it| it.child("type_parameters"));
        let listed: Vec<&str> = lists.flat_map(Node::named_children).map(|it| it.text(self.code.text())).collect();
        if listed.is_empty() { String::new() } else { format!("<{}>", listed.join(", ")) }
    }

    /// Returns the type of what the method answers, as it stands behind the parentheses.
    fn answer(&self) -> String {
        let of = self.function.child("return_type").map(|it| it.text(self.code.text()));
        match of {
            None => String::new(),
            Some(of) if !self.is_python() => of.to_owned(),
            Some(of) if self.is_generic() || of.contains("Self") => String::new(),
            Some(of) => format!(" -> {of}"),
        }
    }

    /// Writes fields and constructor.
    fn making(&self, step: &str) -> String {
        let (end, inner, own) = (self.code.newline(), step.repeat(2), self.own());
        if self.fields.is_empty() {
            return String::new();
        }
        let passed: Vec<String> = self.fields.iter().map(|it| format!("{}{}", it.name, it.of)).collect();
        let passed = passed.join(", ");
        let answer = if self.function.child("return_type").is_some() { " -> None" } else { "" };
        let close = if self.is_python() { "" } else { self.code.semicolon() };
        let set: String = self.fields.iter().map(|it| format!("{inner}{own}.{0} = {0}{close}{end}", it.name)).collect();
        if self.is_python() {
            return format!("{step}def __init__(self, {passed}){answer}:{end}{set}{end}");
        }
        let words = |is_set: bool| if is_set { "private" } else { "private readonly" };
        let declared =
            self.fields.iter().map(|it| format!("{step}{} {}{}{close}{end}", words(it.is_set), it.name, it.of));
        let declared = if self.code.is_typed_script() { declared.collect::<String>() + end } else { String::new() };
        format!("{declared}{step}constructor({passed}) {{{end}{set}{step}}}{end}{end}")
    }

    /// Takes out of fields what cannot be said as one in the body.
    fn opening(&self, inner: &str) -> String {
        let (end, own) = (self.code.newline(), self.own());
        let open = self.body.taken.iter().filter(|it| !it.is_field).map(|it| {
            let name = it.name.text(self.code.text());
            let word = if it.is_set { "let " } else { "const " };
            let (word, close) = if self.is_python() { ("", "") } else { (word, ";") };
            format!("{word}{name} = {own}.{name}{close}{end}{inner}")
        });
        open.collect()
    }

    /// Leads the body to the fields.
    fn edits(&self) -> Result<Vec<TextEdit>, Refusal> {
        let (code, own) = (self.code, self.own());
        let mut edits = Vec::new();
        for taken in self.body.taken.iter().filter(|it| it.is_field) {
            let said = format!("{own}.{}", taken.name.text(code.text()));
            for place in &taken.places {
                edits.push(put(code, *place, &said)?);
            }
        }
        if !self.body.own.is_empty() {
            let said = format!("{own}.{}", self.fields[0].name);
            edits.extend(self.body.own.iter().map(|it| TextEdit::new(it.span(), said.as_str())));
        }
        edits.sort_by_key(|edit| edit.span);
        Ok(edits)
    }

    /// Lets the method make an object and ask it.
    pub(super) fn asking(&self) -> TextEdit {
        let code = self.code;
        let passed: Vec<&str> = self.fields.iter().map(|it| it.passed.as_str()).collect();
        let generic = self.generic().into_iter().map(|it| type_arguments(it, code.text())).collect::<String>();
        let generic = generic.replace("><", ", ");
        let (new, close) = if self.is_python() { ("", "") } else { ("new ", ";") };
        let answer = if self.body.answers { "return " } else { "" };
        let waiting = if self.is_async { "await " } else { "" };
        let said = format!("{answer}{waiting}{new}{}{generic}({}).compute(){close}", self.name, passed.join(", "));
        TextEdit::new(self.body.extent, said)
    }
}

/// Tells whether a class and a method each have a type parameter of one name.
fn shares_parameter(class: Node<'_>, method: Node<'_>, text: &str) -> bool {
    let names = |node: Node<'_>| {
        let listed: Vec<Node<'_>> = node.child("type_parameters").into_iter().flat_map(Node::named_children).collect();
        listed.into_iter().filter_map(|it| it.child("name")).map(|it| it.text(text).to_owned()).collect::<Vec<_>>()
    };
    let own = names(method);
    names(class).iter().any(|name| own.contains(name))
}
