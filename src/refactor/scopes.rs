//! What the names of one text mean, and where they are given a value.

use crate::refactor::source_file::{Code, function_of, is_class};
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function, python};
use crate::text::Span;

/// Every name of a text that a scope decides on, in order.
pub(crate) struct ScopedNames<'c> {
    code: &'c Code,
    all: Vec<Name>,
}

impl<'c> ScopedNames<'c> {
    pub(crate) fn of(code: &'c Code) -> Self {
        Self { code, all: code.parsed().names().to_vec() }
    }

    /// Reads the names of a text, those among them that only annotations written as strings ask for (Python's `"Model"`), and
    /// type comments.
    pub(crate) fn with_spelled(code: &'c Code) -> Self {
        let mut names = Self::of(code);
        if code.family() != Family::Python {
            return names;
        }
        let (tree, text) = (&code.parsed().tree, code.text());
        let mut spelled = Vec::new();
        for word in python::Names::of(tree, text).spelled(tree) {
            // The module binds it outside of its functions and classes.
            let is_outer = |it: &Name| it.is_binding && it.scope == 0;
            let bound = names.named(&word.text).find(is_outer);
            spelled.extend(bound.map(|it| Name { span: word.span, is_binding: false, scope: 0, ..it }));
        }
        names.all.extend(spelled);
        names.all.sort_by_key(|name| name.span);
        names
    }

    pub(crate) fn text(&self) -> &'c str {
        self.code.text()
    }

    /// Returns the name at a node; a member or a keyword is none.
    pub(crate) fn at(&self, node: Node<'_>) -> Option<Name> {
        let found = self.all.binary_search_by_key(&node.start(), |name| name.span.start).ok();
        // An expression begins where its first name does.
        found.map(|at| self.all[at]).filter(|name| name.span == node.span())
    }

    /// Returns the names in a stretch.
    pub(crate) fn within(&self, span: Span) -> impl Iterator<Item = Name> {
        self.all.iter().filter(move |name| span.contains(name.span)).copied()
    }

    /// Returns the names that are written so.
    pub(crate) fn named(&self, text: &str) -> impl Iterator<Item = Name> {
        self.all.iter().filter(move |name| name.span.of(self.code.text()) == Some(text)).copied()
    }

    /// Returns the names that are written so, members that a class of Python binds in its body left aside: nothing outside of
    /// that body means them by their names.
    pub(crate) fn outside_classes(&self, text: &str) -> impl Iterator<Item = Name> {
        self.named(text).filter(|name| !self.is_of_class(name.meaning))
    }

    fn is_of_class(&self, meaning: usize) -> bool {
        let binds_member = |name: Name| {
            let node = self.code.covering(name.span);
            let declared = node.parent().filter(|outer| outer.child("name") == Some(node));
            let around = declared
                .unwrap_or(node)
                .ancestors()
                .find(|outer| *outer != declared.unwrap_or(node) && (is_class(*outer) || is_any_function(*outer)));
            around.is_some_and(is_class)
        };
        let mut bindings = self.of_meaning(meaning).filter(|name| name.is_binding).peekable();
        self.code.family() == Family::Python && bindings.peek().is_some() && bindings.all(binds_member)
    }

    /// Returns what nothing in the text binds, once for each place.
    pub(crate) fn free(&self) -> impl Iterator<Item = &'c str> {
        self.all.iter().filter(|name| name.is_free).filter_map(|name| name.span.of(self.code.text()))
    }

    /// Returns every place of what a name means.
    pub(crate) fn of_meaning(&self, meaning: usize) -> impl Iterator<Item = Name> {
        self.all.iter().filter(move |name| name.meaning == meaning).copied()
    }

    /// Returns the places where what a name means is given a value, or is taken away.
    pub(crate) fn writes(&self, meaning: usize) -> impl Iterator<Item = Name> {
        self.of_meaning(meaning).filter(|name| self.is_write(*name))
    }

    /// Tells whether a name is given a value here, or is taken away.
    pub(crate) fn is_write(&self, name: Name) -> bool {
        if name.is_binding {
            return true;
        }
        let node = self.code.covering(name.span);
        match self.code.family() {
            Family::Python => node
                .ancestors()
                .take_while(|outer| outer.kind().ends_with("list") || outer.is("delete_statement"))
                .any(|it| it.is("delete_statement")),
            _ => is_assigned(node),
        }
    }

    /// Tells whether only one function can change what a name means: all writes stand in it, none in a
    /// function inside it.
    pub(crate) fn is_local(&self, name: Name, function: Option<Node<'_>>) -> bool {
        let Some(function) = function else { return false };
        !name.is_free
            && self.writes(name.meaning).all(|write| function_of(self.code.covering(write.span)) == Some(function))
    }

    /// Returns the function in whose scope a meaning is bound; nothing for a name of the module, of a class or a
    /// built-in one.
    pub(crate) fn function_of_meaning(&self, meaning: usize) -> Option<Node<'c>> {
        let places = self.of_meaning(meaning).filter_map(|one| self.code.covering(one.span).parent());
        if places.into_iter().any(|outer| outer.is("global_statement")) {
            return None;
        }
        let mut bindings =
            self.of_meaning(meaning).filter(|one| one.is_binding).map(|one| self.code.covering(one.span));
        bindings.find_map(|node| {
            let scope = function_of_name(node)?;
            let is_in_class = node.ancestors().take_while(|outer| *outer != scope).any(is_class);
            (!is_in_class).then_some(scope)
        })
    }

    /// Tells whether a name that means something at one place means something else at another.
    pub(crate) fn is_hidden(&self, name: Name, at: Node<'_>) -> bool {
        let text = name.span.of(self.code.text());
        let others = self.all.iter().filter(|it| it.is_binding && it.meaning != name.meaning);
        let same = others.filter(|it| it.span.of(self.code.text()) == text);
        let mut scopes = same.filter_map(|it| self.code.covering(it.span).ancestors().find(is_scope));
        scopes.any(|scope| scope.span().contains(at.span()) && !scope.span().contains(name.span))
    }

    /// Tells whether a name that is written at a place would be bound: there, or around it.
    pub(crate) fn is_known(&self, text: &str, at: Node<'_>) -> bool {
        let is_python = self.code.family() == Family::Python;
        let is_outer = |it: &Node<'_>| is_scope(it) && !(is_python && it.kind().starts_with("for_"));
        let sees = |name: Name| {
            let node = self.code.covering(name.span);
            // What a function or a class is called stands around it.
            let is_own =
                |outer: &Node<'_>| node.field() == Some("name") && (is_any_function(*outer) || is_class(*outer));
            let scope = node.parent().filter(is_own).unwrap_or(node).ancestors().find(is_outer);
            // Methods don't see what stands in their class.
            let is_member = |scope: Node<'_>| is_class(scope) && function_of(at) != function_of(scope);
            scope.is_none_or(|scope| scope.span().contains(at.span()) && !is_member(scope))
        };
        self.named(text).filter(|name| name.is_binding).any(sees)
    }

    /// Tells whether a name has one value for all time: it is built in, or written once and not in a loop.
    pub(crate) fn is_fixed(&self, name: Name) -> bool {
        name.is_free
            || self.writes(name.meaning).count() == 1 && !self.writes(name.meaning).any(|write| self.varies(write))
    }

    /// Tells whether a write gives other values each time: a parameter, or what a loop repeats.
    fn varies(&self, write: Name) -> bool {
        let node = self.code.covering(write.span);
        function_of(node).is_some_and(|function| {
            function.span().contains(write.span) && function.child("name").map(Node::span) != Some(write.span)
        }) || node.ancestors().any(|outer| outer.is_any(&["for_statement", "for_in_statement", "while_statement"]))
    }
}

/// Returns the function that gives a name its value where it stands: a function's own name stands in it and is bound around it.
pub(crate) fn function_of_name(name: Node<'_>) -> Option<Node<'_>> {
    let function = function_of(name)?;
    if function.child("name") == Some(name) { function_of(function) } else { Some(function) }
}

/// Tells whether names can be bound in a node that are not seen around it.
fn is_scope(node: &Node<'_>) -> bool {
    const SCOPES: &[&str] =
        &["program", "module", "statement_block", "for_statement", "for_in_statement", "catch_clause"];
    let is_comprehension = node.kind().ends_with("comprehension") || node.is("generator_expression");
    node.is_any(SCOPES) || is_any_function(*node) || is_class(*node) || is_comprehension
}

/// Tells whether a JavaScript name stands where it is assigned to.
fn is_assigned(node: Node<'_>) -> bool {
    let mut inner = node;
    for outer in node.ancestors() {
        match (outer.kind(), inner.field()) {
            ("assignment_expression" | "augmented_assignment_expression" | "for_in_statement", Some("left"))
            | ("update_expression", _) => return true,
            ("array_pattern" | "object_pattern" | "rest_pattern" | "pair_pattern" | "assignment_pattern", _)
            | ("object_assignment_pattern", Some("left")) => inner = outer,
            ("array" | "object" | "pair" | "spread_element" | "parenthesized_expression", _) => inner = outer,
            _ => return false,
        }
    }
    false
}
