//! What a function of TypeScript or JavaScript does that may throw.

use super::site::{Arguments, Body, Call, Clause, Runs, Site, Takes, Thrown, Tries, What, Why, shortened};
use crate::syntax::kinds::Role;
use crate::syntax::{Node, is_any_function, is_async};

fn tries(root: Node<'_>) -> Tries<'_> {
    Tries::of(root, &["try_statement"], is_any_function)
}

/// Reads a function.
pub(super) fn read(function: Node<'_>, text: &str) -> Body {
    let is_async = is_async(function);
    let is_generator = function.kind().starts_with("generator") || function.children().any(|it| it.kind() == "*");
    let runs = match () {
        () if is_generator => Runs::Iterated,
        () if is_async => Runs::Awaited,
        () => Runs::AtOnce,
    };
    let mut reader = Reader { text, root: function, body: Body { runs, ..Body::default() }, tries: tries(function) };
    reader.decorators();
    reader.all(function.child("parameters"));
    reader.all(function.child("body"));
    reader.body
}

/// Reads what is run for the fields of a class when an object of it is made.
pub(super) fn read_class(class: Node<'_>, text: &str) -> Body {
    let mut reader = Reader { text, root: class, body: Body::default(), tries: tries(class) };
    let fields = class.child("body").into_iter().flat_map(Node::named_children);
    for field in fields.filter(|it| it.is_any(&["public_field_definition", "field_definition"])) {
        reader.all(field.child("value"));
    }
    reader.body
}

/// Returns the last name of a dotted one.
pub(super) fn last_name(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "identifier" | "type_identifier" | "property_identifier" | "private_property_identifier" => Some(node),
        "member_expression" => node.child("property"),
        "call_expression" => last_name(node.child("function")?),
        "new_expression" => last_name(node.child("constructor")?),
        "parenthesized_expression" | "non_null_expression" | "as_expression" => {
            last_name(node.named_children().next()?)
        }
        _ => None,
    }
}

/// Tells whether a function inside another one is called by a name of its own, and not where it stands.
fn is_named(node: Node<'_>) -> bool {
    const HOLDERS: &[&str] =
        &["variable_declarator", "pair", "public_field_definition", "field_definition", "assignment_expression"];
    node.has(Role::Function) || is_any_function(node) && node.parent().is_some_and(|outer| outer.is_any(HOLDERS))
}

struct Reader<'t> {
    text: &'t str,
    root: Node<'t>,
    body: Body,
    tries: Tries<'t>,
}

impl<'t> Reader<'t> {
    fn decorators(&mut self) {
        let before = self.root.parent().into_iter().flat_map(Node::children).take_while(|it| *it != self.root);
        let mut above: Vec<Node<'t>> = Vec::new();
        for node in before {
            if node.is("decorator") { above.push(node) } else { above.clear() }
        }
        above.extend(self.root.children().filter(|it| it.is("decorator")));
        for decorator in above {
            let name = decorator.named_children().next().and_then(last_name).unwrap_or(decorator);
            self.body.wrappers.push((name.start(), shortened(decorator, self.text)));
        }
    }

    fn all(&mut self, part: Option<Node<'t>>) {
        let Some(part) = part else { return };
        let root = self.root;
        for node in part.walk_until(|it| it != root && is_named(it) || it.is("type_annotation")) {
            if node.is_named() {
                self.visit(node);
            }
        }
    }

    fn push(&mut self, node: Node<'t>, what: What) {
        let guards = self.guards(node);
        self.body.sites.push(Site { at: node.start(), what, guards });
    }

    fn visit(&mut self, node: Node<'t>) {
        match node.kind() {
            "throw_statement" => self.throw(node),
            "call_expression" => self.call(node, node.child("function")),
            "new_expression" => self.call(node, node.child("constructor")),
            "member_expression" => self.member(node),
            "await_expression" => {
                let waits_for_call = node.named_children().next().is_some_and(|it| it.is("call_expression"));
                if !waits_for_call {
                    self.push(node, What::Operation("await"));
                }
            }
            "yield_expression" => self.push(node, What::Operation("yield")),
            "for_in_statement" if node.children().any(|it| it.kind() == "of") => self.iteration(node.child("right")),
            "spread_element" if !node.parent().is_some_and(|it| it.is("object")) => {
                self.iteration(node.named_children().next());
            }
            "decorator" => self.push(node, What::Operation("decorator")),
            "ERROR" if node.is_error() => self.push(node, What::Lost(Why::Unresolved, shortened(node, self.text))),
            _ => {}
        }
    }

    fn iteration(&mut self, over: Option<Node<'t>>) {
        let Some(over) = over.filter(|it| !it.is_any(&["call_expression", "array", "string", "template_string"]))
        else {
            return;
        };
        self.push(over, What::Operation("iteration"));
    }

    fn throw(&mut self, node: Node<'t>) {
        let Some(thrown) = node.named_children().next() else { return };
        if !self.is_passed_on(thrown) {
            self.thrown(node, thrown);
        }
    }

    fn thrown(&mut self, node: Node<'t>, thrown: Node<'t>) {
        let written = shortened(thrown, self.text);
        let of_type = |name| What::Raise(Thrown::Known(name));
        let what = match (thrown.kind(), last_name(thrown)) {
            ("string" | "template_string", _) => of_type("string"),
            ("number", _) => of_type("number"),
            ("true" | "false", _) => of_type("boolean"),
            ("null" | "undefined", _) => of_type("undefined"),
            ("object", _) => of_type("object"),
            ("array", _) => of_type("array"),
            ("new_expression", Some(name)) => What::Raise(Thrown::Named(name.start(), written)),
            (_, Some(name)) => What::Raise(Thrown::Value(name.start(), written)),
            _ => What::Lost(Why::Error, written),
        };
        self.push(node, what);
    }

    /// Tells whether what is thrown is what the `catch` around it was given.
    fn is_passed_on(&self, thrown: Node<'t>) -> bool {
        let mut outer = thrown.ancestors().take_while(|outer| *outer != self.root);
        outer.any(|it| it.is("catch_clause") && is_given(it, thrown, self.text))
    }

    fn call(&mut self, node: Node<'t>, callee: Option<Node<'t>>) {
        let Some(callee) = callee else { return };
        let callee = if callee.is("parenthesized_expression") { unwrapped(callee) } else { callee };
        let written = callee.text(self.text);
        if callee.is("import") {
            return self.push(node, What::Operation("import"));
        }
        if written == "Promise.reject" {
            let argument = node.child("arguments").and_then(|it| it.named_children().next());
            if let Some(argument) = argument.filter(|it| !self.is_passed_on(*it)) {
                self.thrown(node, argument);
                self.loosen();
            }
            return;
        }
        let is_super = callee.is("super") || callee.child("object").is_some_and(|it| it.is("super"));
        // A function that is called where it stands is read as a part of this one.
        if is_any_function(callee) {
            return;
        }
        let name = if callee.is("super") { Some(callee) } else { last_name(callee) };
        let is_plain_callee = callee.is_any(&["identifier", "member_expression", "super", "non_null_expression"]);
        let Some(name) = name.filter(|_| is_plain_callee) else {
            return self.push(node, What::Lost(Why::Value, shortened(callee, self.text)));
        };
        let (taken, then, is_handed_on) = self.taken(node);
        let written = shortened(callee, self.text);
        let arguments = Arguments::Others;
        self.push(node, What::Call(Call { name: name.start(), written, taken, then, arguments, is_super }));
        if is_handed_on {
            self.loosen();
        }
    }

    /// What is handed on to be awaited is not caught here.
    fn loosen(&mut self) {
        if let Some(last) = self.body.sites.last_mut() {
            last.guards.clear();
        }
    }

    fn taken(&self, call: Node<'t>) -> (Runs, Option<&'static str>, bool) {
        let is_async = self.body.runs == Runs::Awaited;
        match call.parent() {
            Some(outer) if outer.is("await_expression") => (Runs::Awaited, Some("await"), false),
            Some(outer) if outer.is("for_in_statement") && call.field() == Some("right") => {
                (Runs::Iterated, Some("iteration"), false)
            }
            Some(outer) if outer.is_any(&["spread_element", "yield_expression"]) => {
                (Runs::Iterated, Some("iteration"), false)
            }
            Some(outer) if is_async && (outer.is("return_statement") || outer == self.root) => {
                (Runs::Awaited, None, true)
            }
            _ => (Runs::AtOnce, None, false),
        }
    }

    fn member(&mut self, node: Node<'t>) {
        const CALLS: &[&str] = &["call_expression", "new_expression"];
        let is_called = node
            .parent()
            .is_some_and(|outer| outer.is_any(CALLS) && matches!(node.field(), Some("function" | "constructor")));
        let Some(name) = node.child("property").filter(|_| !is_called) else { return };
        self.push(node, What::Member(name.start(), shortened(node, self.text)));
    }

    fn guards(&mut self, node: Node<'t>) -> Vec<usize> {
        let text = self.text;
        self.tries.around(node, &mut self.body.guards, |statement| {
            let handlers = statement.children().filter(|it| it.is("catch_clause"));
            let clause = |handler| Clause { takes: Takes::All, passes_on: raises_again(handler, text) };
            handlers.map(clause).collect()
        })
    }
}

fn unwrapped(node: Node<'_>) -> Node<'_> {
    node.named_children().next().filter(|_| node.is("parenthesized_expression")).map_or(node, unwrapped)
}

/// Tells whether a handler throws what it was given, or hands it on as a rejection.
fn raises_again(handler: Node<'_>, text: &str) -> bool {
    handler.descendants().any(|node| {
        let thrown = match node.kind() {
            "throw_statement" => node.named_children().next(),
            "call_expression" if node.child("function").is_some_and(|it| it.text(text) == "Promise.reject") => {
                node.child("arguments").and_then(|it| it.named_children().next())
            }
            _ => None,
        };
        thrown.is_some_and(|thrown| is_given(handler, thrown, text))
    })
}

fn is_given(handler: Node<'_>, thrown: Node<'_>, text: &str) -> bool {
    let given = handler.child("parameter").map(|it| it.text(text));
    let plain = if thrown.is_any(&["as_expression", "non_null_expression", "parenthesized_expression"]) {
        thrown.named_children().next().unwrap_or(thrown)
    } else {
        thrown
    };
    plain.is("identifier") && given == Some(plain.text(text))
}
