//! Type parameters around a piece of TypeScript, for a function of it that comes to stand elsewhere.

use crate::refactor::source_file::{Code, is_class};
use crate::syntax::{Node, is_any_function};

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
        let mut all: Vec<Node<'c>> = Vec::new();
        let outer = piece.ancestors().filter(|it| code.is_typed_script() && (is_any_function(*it) || is_class(*it)));
        for list in outer.filter_map(|it| it.child("type_parameters")) {
            let own: Vec<Node<'c>> = list.named_children().filter(|it| it.is("type_parameter")).collect();
            let is_new = |it: &Node<'c>| all.iter().all(|known| name(code, *known) != name(code, *it));
            let own: Vec<Node<'c>> = own.into_iter().filter(is_new).collect();
            all.splice(0..0, own);
        }
        Self { code, all, class }
    }

    pub(crate) fn names(&self) -> Vec<&'c str> {
        self.all.iter().map(|it| name(self.code, *it)).collect()
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

fn name<'c>(code: &'c Code, parameter: Node<'c>) -> &'c str {
    parameter.child("name").map_or("", |it| it.text(code.text()))
}

fn says(text: &str, name: &str) -> bool {
    !crate::syntax::whole_words(text, name).is_empty()
}
