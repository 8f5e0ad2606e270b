//! What a function of Python does that may raise.

use super::plain::{Plain, Values, is_written_out};
use super::site::{Arguments, Body, Call, Clause, Runs, Site, Takes, Thrown, Tries, What, Why, holds, shortened};
use crate::syntax::{Node, is_async};

/// Decorators that leave a function what it is, by their last names.
const HARMLESS: &[&str] = &[
    "abstractmethod",
    "asynccontextmanager",
    "cache",
    "cached_property",
    "classmethod",
    "contextmanager",
    "deleter",
    "final",
    "getter",
    "lru_cache",
    "overload",
    "override",
    "property",
    "setter",
    "staticmethod",
    "type_check_only",
    "wraps",
];
/// Built-in functions that take all that an iterable gives before they return.
const TAKERS: &[&str] =
    &["all", "any", "dict", "frozenset", "list", "max", "min", "next", "set", "sorted", "sum", "tuple"];

const GUARDS: &[&str] = &["try_statement", "with_statement"];

fn is_late(node: Node<'_>) -> bool {
    node.is_any(&["lambda", "generator_expression"])
}

/// Reads a function.
pub(super) fn read(function: Node<'_>, values: &Values<'_>, text: &str) -> Body {
    let mut reader =
        Reader { values, text, function, body: Body::default(), tries: Tries::of(function, GUARDS, is_late) };
    reader.decorators();
    let Some(body) = function.child("body") else { return reader.body };
    // What a function says inside is run when it is called.
    let is_end = |node: Node<'_>| node.is_any(&["function_definition", "type", "global_statement"]);
    for node in body.walk_until(is_end).filter(|node| node.is_named()) {
        reader.visit(node);
    }
    let is_nested = |node: Node<'_>| node.is_any(&["function_definition", "lambda", "generator_expression"]);
    let yields = body.walk_until(is_nested).any(|node| node.is("yield"));
    let is_async = is_async(function);
    reader.body.runs = match () {
        () if yields || reader.body.runs == Runs::Iterated => Runs::Iterated,
        () if is_async => Runs::Awaited,
        () => Runs::AtOnce,
    };
    reader.body
}

/// Returns the last name of a dotted one, through calls and subscripts.
pub(super) fn last_name(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "identifier" => Some(node),
        "attribute" => node.child("attribute"),
        "call" => last_name(node.child("function")?),
        "subscript" => last_name(node.child("value")?),
        "parenthesized_expression" => last_name(node.named_children().next()?),
        _ => None,
    }
}

struct Reader<'t> {
    values: &'t Values<'t>,
    text: &'t str,
    function: Node<'t>,
    body: Body,
    tries: Tries<'t>,
}

impl<'t> Reader<'t> {
    fn decorators(&mut self) {
        let outer = self.function.parent().filter(|outer| outer.is("decorated_definition"));
        for decorator in outer.into_iter().flat_map(Node::children).filter(|it| it.is("decorator")) {
            let Some(name) = decorator.named_children().next().and_then(last_name) else { continue };
            let word = name.text(self.text);
            if !HARMLESS.contains(&word) {
                self.body.wrappers.push((name.start(), shortened(decorator, self.text)));
            }
        }
    }

    fn push(&mut self, node: Node<'t>, what: What) {
        let guards = self.guards(node);
        self.body.sites.push(Site { at: node.start(), what, guards });
    }

    fn operation(&mut self, node: Node<'t>, kind: &'static str) {
        self.push(node, What::Operation(kind));
    }

    fn visit(&mut self, node: Node<'t>) {
        match node.kind() {
            "raise_statement" => self.raise(node),
            "assert_statement" => {
                self.push(node, What::Raise(Thrown::Known("AssertionError")));
                node.named_children().take(1).for_each(|it| self.truth(it));
            }
            "call" => self.call(node),
            "attribute" => self.member(node),
            "subscript" => self.operation(node, "subscript"),
            "binary_operator" | "unary_operator" if self.values.plain(node).is_none() => {
                self.operation(node, "arithmetic");
            }
            "augmented_assignment" => self.operation(node, "arithmetic"),
            "comparison_operator" => self.comparison(node),
            "interpolation" => self.format(node),
            "for_statement" | "for_in_clause" => self.iteration(node, node.child("right")),
            "list_splat" | "dictionary_splat" | "yield" => self.stream(node),
            "assignment" => self.unpacking(node),
            "with_item" => self.entered(node),
            "await" => {
                let is_call = node.named_children().next().is_some_and(|it| it.is("call"));
                if !is_call {
                    self.operation(node, "await");
                }
            }
            "import_statement" | "import_from_statement" => self.operation(node, "import"),
            "match_statement" => self.operation(node, "match"),
            "decorated_definition" => self.operation(node, "decorator"),
            "ERROR" if node.is_error() => self.push(node, What::Lost(Why::Unresolved, shortened(node, self.text))),
            _ => self.tested(node),
        }
    }

    /// Truth is asked of the operands.
    fn tested(&mut self, node: Node<'t>) {
        match node.kind() {
            "if_statement" | "elif_clause" | "while_statement" => {
                node.child("condition").into_iter().for_each(|it| self.truth(it));
            }
            "boolean_operator" => node.child("left").into_iter().for_each(|it| self.truth(it)),
            "not_operator" => node.child("argument").into_iter().for_each(|it| self.truth(it)),
            "conditional_expression" => node.named_children().skip(1).take(1).for_each(|it| self.truth(it)),
            "if_clause" => node.named_children().take(1).for_each(|it| self.truth(it)),
            _ => {}
        }
    }

    fn truth(&mut self, of: Node<'t>) {
        // What holds others asks them by itself.
        let asks = of.is_any(&["boolean_operator", "not_operator", "comparison_operator", "parenthesized_expression"]);
        if of.is("parenthesized_expression") {
            of.named_children().take(1).for_each(|it| self.truth(it));
        } else if !asks && self.values.plain(of).is_none() {
            self.operation(of, "truth");
        }
    }

    fn raise(&mut self, node: Node<'t>) {
        let Some(raised) = node.named_children().find(|it| it.field() != Some("cause")) else {
            // Inside of `except` it goes on with what that took: its clause says so.
            if !self.is_in_handler(node) {
                self.push(node, What::Lost(Why::Error, "raise".to_owned()));
            }
            return;
        };
        if self.is_passed_on(raised) {
            return;
        }
        let written = shortened(raised, self.text);
        let named = if raised.is("call") { raised.child("function") } else { Some(raised) };
        let thrown = match named.filter(|it| it.is_any(&["identifier", "attribute"])).and_then(last_name) {
            Some(name) if raised.is("call") || raised.is_any(&["identifier", "attribute"]) => {
                What::Raise(Thrown::Named(name.start(), written))
            }
            _ => What::Lost(Why::Error, written),
        };
        self.push(node, thrown);
    }

    fn is_in_handler(&self, node: Node<'t>) -> bool {
        node.ancestors().take_while(|outer| *outer != self.function).any(|outer| outer.is("except_clause"))
    }

    /// Tells whether what is raised is what the `except` around it was given.
    fn is_passed_on(&self, raised: Node<'t>) -> bool {
        let mut outer = raised.ancestors().take_while(|outer| *outer != self.function);
        outer.any(|it| it.is("except_clause") && is_given(it, raised, self.text))
    }

    fn call(&mut self, node: Node<'t>) {
        let Some(function) = node.child("function") else { return };
        let name = match function.kind() {
            "identifier" => Some(function),
            "attribute" => function.child("attribute"),
            _ => None,
        };
        let Some(name) = name else {
            return self.push(node, What::Lost(Why::Value, shortened(function, self.text)));
        };
        let (taken, then) = self.taken(node);
        self.called(node, (name, function), taken, then);
    }

    fn called(
        &mut self,
        node: Node<'t>,
        (name, function): (Node<'t>, Node<'t>),
        taken: Runs,
        then: Option<&'static str>,
    ) {
        let arguments = node.child("arguments").into_iter().flat_map(Node::named_children);
        let is_plain = |it: Node<'_>| {
            let value = if it.is("keyword_argument") { it.child("value") } else { Some(it) };
            value.is_some_and(|it| self.values.plain(it).is_some())
        };
        let arguments = if arguments.into_iter().all(is_plain) { Arguments::Plain } else { Arguments::Others };
        let object = function.child("object");
        let is_super = object.and_then(|it| it.child("function")).is_some_and(|it| it.text(self.text) == "super");
        let written = shortened(function, self.text);
        let call = Call { name: name.start(), written, taken, then, arguments, is_super };
        self.push(node, What::Call(call));
    }

    /// Returns what is done with what a call returns.
    fn taken(&self, call: Node<'t>) -> (Runs, Option<&'static str>) {
        let Some(outer) = call.parent() else { return (Runs::AtOnce, None) };
        match outer.kind() {
            "await" => (Runs::Awaited, Some("await")),
            "for_statement" | "for_in_clause" if call.field() == Some("right") => (Runs::Iterated, Some("iteration")),
            "yield" if outer.children().any(|it| it.kind() == "from") => (Runs::Iterated, Some("iteration")),
            "list_splat" | "dictionary_splat" => (Runs::Iterated, Some("iteration")),
            "with_item" => (Runs::Iterated, Some("with")),
            "as_pattern" if outer.parent().is_some_and(|it| it.is("with_item")) => (Runs::Iterated, Some("with")),
            "argument_list" => {
                let taker = outer.parent().and_then(|it| it.child("function"));
                let takes = |it: Node<'_>| TAKERS.contains(&it.text(self.text)) && self.values.is_built_in(it);
                (if taker.is_some_and(takes) { Runs::Iterated } else { Runs::AtOnce }, None)
            }
            _ => (Runs::AtOnce, None),
        }
    }

    fn member(&mut self, node: Node<'t>) {
        let is_called = node.parent().is_some_and(|outer| outer.is("call") && outer.child("function") == Some(node));
        let is_raised = node.parent().is_some_and(|outer| outer.is("raise_statement"));
        let Some(name) = node.child("attribute").filter(|_| !is_called && !is_raised) else { return };
        self.push(node, What::Member(name.start(), shortened(node, self.text)));
    }

    fn comparison(&mut self, node: Node<'t>) {
        let plain = |it: Node<'_>| self.values.plain(it);
        let operators: Vec<&str> = node.children_in("operators").map(Node::kind).collect();
        let operands: Vec<Node<'_>> = node.named_children().collect();
        let is_contained = operators.iter().any(|it| matches!(*it, "in" | "not in"));
        let is_simple = |it: &Node<'_>| matches!(plain(*it), Some(Plain::Scalar | Plain::Text));
        let is_known = match operands.as_slice() {
            [left, right] if is_contained => {
                is_simple(left) && (plain(*right) == Some(Plain::Text) || is_written_out(self.values, *right))
            }
            all => all.iter().all(is_simple),
        };
        let is_identity = operators.iter().all(|it| matches!(*it, "is" | "is not"));
        if !is_identity && !is_known {
            self.operation(node, "comparison");
        }
    }

    fn format(&mut self, node: Node<'t>) {
        let value = node.child("expression").and_then(|it| self.values.plain(it));
        let is_simple = matches!(value, Some(Plain::Scalar | Plain::Text));
        if !is_simple || node.child("format_specifier").is_some() {
            self.operation(node, "format");
        }
    }

    fn iteration(&mut self, node: Node<'t>, over: Option<Node<'t>>) {
        let Some(over) = over else { return };
        if !over.is("call") && self.values.plain(over).is_none() {
            self.operation(over, "iteration");
        }
        if node.child("left").is_some_and(|left| !left.is_any(&["identifier", "attribute", "subscript"])) {
            self.operation(node, "unpacking");
        }
    }

    /// What is spread out, handed on value by value, or waits for what its taker throws in.
    fn stream(&mut self, node: Node<'t>) {
        let is_spread = !node.is("yield") || node.children().any(|it| it.kind() == "from");
        if node.is("yield") {
            self.operation(node, "yield");
        }
        if is_spread && !node.parent().is_some_and(|outer| outer.kind().ends_with("pattern_list")) {
            self.iteration(node, node.named_children().next());
        }
    }

    fn unpacking(&mut self, node: Node<'t>) {
        let parts =
            |it: Node<'_>| it.is_any(&["pattern_list", "tuple_pattern", "list_pattern", "expression_list", "tuple"]);
        let Some(left) = node.child("left").filter(|it| parts(*it)) else { return };
        let right = node.child("right").filter(|it| parts(*it));
        let is_even = right.is_some_and(|right| right.named_children().count() == left.named_children().count());
        let is_starred = |it: Node<'_>| it.descendants().any(|it| it.kind().starts_with("list_splat"));
        if !is_even || is_starred(left) || right.is_some_and(is_starred) {
            self.operation(node, "unpacking");
        }
    }

    fn entered(&mut self, item: Node<'t>) {
        let Some(value) = item.child("value") else { return };
        if !unnamed(value).is_some_and(|it| it.is("call")) {
            self.operation(item, "with");
        }
    }

    fn guards(&mut self, node: Node<'t>) -> Vec<usize> {
        let text = self.text;
        self.tries.around(node, &mut self.body.guards, |statement| match statement.is("try_statement") {
            true => statement.children().filter(|it| it.is("except_clause")).map(|it| clause(it, text)).collect(),
            false => suppressed(statement, text),
        })
    }
}

fn clause(node: Node<'_>, text: &str) -> Clause {
    let passes_on = raises_again(node, text);
    let mut values: Vec<Node<'_>> = node.children_in("value").filter(|it| it.is_named()).collect();
    if values.is_empty() {
        values = node.named_children().filter(|it| !it.is("block") && it.field() != Some("alias")).collect();
    }
    // A group takes apart what it is given.
    if node.children().any(|it| it.kind() == "*") {
        return Clause { takes: Takes::Classes(vec![None]), passes_on: true };
    }
    if values.is_empty() {
        return Clause { takes: Takes::All, passes_on };
    }
    let classes = values.into_iter().filter_map(unnamed).flat_map(listed);
    let classes = classes.map(|it| it.is_any(&["identifier", "attribute"]).then(|| last_name(it)).flatten());
    Clause { takes: Takes::Classes(classes.map(|it| it.map(Node::start)).collect()), passes_on }
}

/// Returns what is given a name by `as`.
fn unnamed(node: Node<'_>) -> Option<Node<'_>> {
    if node.is("as_pattern") { node.named_children().next() } else { Some(node) }
}

fn listed(node: Node<'_>) -> Vec<Node<'_>> {
    match node.kind() {
        "tuple" | "parenthesized_expression" => node.named_children().flat_map(listed).collect(),
        _ => vec![node],
    }
}

/// Tells whether a handler raises what it was given.
fn raises_again(handler: Node<'_>, text: &str) -> bool {
    let raises = handler.walk_until(|it| it.is("function_definition")).filter(|it| it.is("raise_statement"));
    raises.into_iter().any(|raise| {
        let raised = raise.named_children().find(|it| it.field() != Some("cause"));
        raised.is_none_or(|raised| is_given(handler, raised, text))
    })
}

/// Tells whether an expression is what a handler was given, or that with another traceback.
fn is_given(handler: Node<'_>, raised: Node<'_>, text: &str) -> bool {
    let pattern = handler.children().find(|it| it.is("as_pattern"));
    let alias = handler.child("alias").or_else(|| pattern.and_then(|it| it.child("alias")));
    let Some(alias) = alias.map(|it| it.text(text)) else { return false };
    let is_it = |it: Node<'_>| it.is("identifier") && it.text(text) == alias;
    let traced = raised.child("function").filter(|it| it.text(text).ends_with(".with_traceback"));
    is_it(raised) && holds(handler.child_of_kind("block"), raised)
        || traced.and_then(|it| it.child("object")).is_some_and(is_it)
}

/// `with contextlib.suppress(KeyError):`
fn suppressed(statement: Node<'_>, text: &str) -> Vec<Clause> {
    let items = statement.descendants().take_while(|it| !it.is("block")).filter(|it| it.is("with_item"));
    let calls = items.filter_map(|it| unnamed(it.child("value")?)).filter(|it| it.is("call"));
    let suppressing = calls.filter(|call| {
        let written = call.child("function").map(|it| it.text(text)).unwrap_or_default();
        match written {
            "contextlib.suppress" => true,
            "suppress" => text.contains("from contextlib import"),
            _ => false,
        }
    });
    let clause = |call: Node<'_>| {
        let classes = call.child("arguments").into_iter().flat_map(Node::named_children);
        let classes = classes.map(|it| last_name(it).filter(|_| !it.is("call")).map(Node::start)).collect();
        Clause { takes: Takes::Classes(classes), passes_on: false }
    };
    suppressing.map(clause).collect()
}
