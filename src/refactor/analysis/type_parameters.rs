//! Type parameters around a piece of code, for a function or a class of it that comes to stand elsewhere.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::Class;
use crate::refactor::source_file::{Code, is_class};
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

/// The type parameters of the functions and classes around a piece.
pub(crate) struct TypeParameters<'c> {
    code: &'c Code,
    /// From the outermost to the innermost, each name once.
    all: Vec<Node<'c>>,
    /// The class whose own parameters the new function knows.
    class: Option<Node<'c>>,
}

impl<'c> TypeParameters<'c> {
    /// Finds those around a piece; a method of `class` that is not static knows those of the class.
    pub(crate) fn around(code: &'c Code, piece: Node<'c>, class: Option<Node<'c>>) -> Self {
        let outer = piece.ancestors().filter(|it| code.is_typed_script() && (is_any_function(*it) || is_class(*it)));
        Self { code, all: listed(code, outer), class }
    }

    /// Finds those of a class, for what leaves it.
    pub(crate) fn of_class(class: &Class<'c>) -> Self {
        let own = Some(class.node).filter(|_| class.code.is_typed_script());
        Self { code: class.code, all: listed(class.code, own), class: None }
    }

    pub(crate) fn names(&self) -> Vec<&'c str> {
        self.all.iter().map(|it| name(self.code, *it)).collect()
    }

    /// Returns the class with what its objects are made for: `Queue<T>`.
    pub(crate) fn said(&self, class: &str) -> String {
        format!("{class}{}", self.passed(&[], &self.names()).1)
    }

    /// Returns what they have to be, as far as others than they stand in it: `T extends Keyed`.
    pub(crate) fn constraints(&self) -> Vec<Span> {
        let text = self.code.text();
        let is_own = |it: Node<'c>| it.is("type_identifier") && self.names().contains(&it.text(text));
        let all = self.all.iter().filter_map(|it| it.child("constraint"));
        all.filter(|it| !it.descendants().any(is_own)).map(Node::span).collect()
    }

    /// Lets a function that leaves the class list those in front of its own that it needs; `parameters` are what it is given
    /// beside what it has.
    ///
    /// # Errors
    ///
    /// Refused where one of its own hides one of the class.
    pub(crate) fn listed_by(&self, function: Node<'c>, parameters: &[&str]) -> Result<Option<TextEdit>, Refusal> {
        let own = function.child("type_parameters");
        let known = own.into_iter().flat_map(Node::named_children).map(|it| name(self.code, it));
        if let Some(hidden) = known.into_iter().find(|it| self.names().contains(it)) {
            return Err(self
                .code
                .refuse(function.start(), format!("`{hidden}` is another type in it than in its class")));
        }
        let listed = self.passed(&[function], parameters).0;
        let inner = listed.strip_prefix('<').and_then(|it| it.strip_suffix('>')).unwrap_or_default();
        Ok(match (inner, own, function.child("parameters")) {
            ("", ..) => None,
            (_, Some(own), _) => Some(TextEdit::new(Span::at(own.start() + 1), format!("{inner}, "))),
            (_, None, list) => list.map(|it| TextEdit::new(Span::at(it.start()), listed)),
        })
    }

    /// Returns those that a function has to have which is made of some nodes and some other types: how it lists them, and how a
    /// call passes them on. Both are empty where it needs none.
    pub(crate) fn passed(&self, nodes: &[Node<'c>], types: &[&str]) -> (String, String) {
        let text = self.code.text();
        let mut said: Vec<&str> = types.to_vec();
        let inside = nodes.iter().flat_map(|it| it.descendants()).filter(|it| it.is("type_identifier"));
        said.extend(inside.map(|it| it.text(text)));
        let mut needed: Vec<Node<'c>> = Vec::new();
        loop {
            let is_said = |it: &Node<'c>| said.iter().any(|one| says(one, name(self.code, *it)));
            let Some(next) = self.all.iter().find(|it| !needed.contains(it) && is_said(it)) else { break };
            needed.push(*next);
            said.extend(next.child("constraint").map(|it| it.text(text)));
        }
        let is_known = |it: &Node<'c>| self.class.is_some() && it.parent().and_then(Node::parent) == self.class;
        needed.retain(|it| !is_known(it));
        needed.sort_by_key(|it| it.start());
        let listed = needed.iter().map(|it| match it.child("constraint") {
            Some(constraint) => format!("{} {}", name(self.code, *it), constraint.text(text)),
            None => name(self.code, *it).to_owned(),
        });
        let bracketed = |all: Vec<String>| if all.is_empty() { String::new() } else { format!("<{}>", all.join(", ")) };
        let names = needed.iter().map(|it| name(self.code, *it).to_owned());
        (bracketed(listed.collect()), bracketed(names.collect()))
    }
}

/// Returns what some nodes, from the innermost to the outermost, list, the outermost first and each name once.
fn listed<'c>(code: &Code, nodes: impl IntoIterator<Item = Node<'c>>) -> Vec<Node<'c>> {
    let mut all: Vec<Node<'c>> = Vec::new();
    for list in nodes.into_iter().filter_map(|it| it.child("type_parameters")) {
        let own: Vec<Node<'c>> = list.named_children().filter(|it| it.is("type_parameter")).collect();
        let is_new = |it: &Node<'c>| all.iter().all(|known| name(code, *known) != name(code, *it));
        let own: Vec<Node<'c>> = own.into_iter().filter(is_new).collect();
        all.splice(0..0, own);
    }
    all
}

/// Refuses what says a type variable of a class of Python: `T` of `Generic[T]`, or of `class Queue[T]` (PEP 695).
pub(crate) fn check_variables(class: &Class<'_>, is_said: impl Fn(&str) -> bool) -> Result<(), Refusal> {
    let code = class.code;
    if code.family() != Family::Python {
        return Ok(());
    }
    let given = class.bases().into_iter().filter(|base| base.is("subscript"));
    let all = given.chain(class.node.child("type_parameters")).flat_map(Node::descendants);
    let mut names = all.filter(|it| it.is("identifier")).map(|it| it.text(code.text()));
    match names.find(|name| is_said(name)) {
        Some(name) => Err(code.refuse(class.name.start(), format!("what `{name}` means the new class would not know"))),
        None => Ok(()),
    }
}

fn name<'c>(code: &'c Code, parameter: Node<'c>) -> &'c str {
    parameter.child("name").map_or("", |it| it.text(code.text()))
}

fn says(text: &str, name: &str) -> bool {
    !crate::syntax::whole_words(text, name).is_empty()
}
