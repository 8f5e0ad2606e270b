//! The parameters of a function, and how each gets its value.

use crate::refactor::request::{Request, Target};
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

#[derive(Clone, Copy)]
pub(crate) struct Parameter<'c> {
    pub node: Node<'c>,
    /// What it binds: a name, or a pattern.
    pub name: Node<'c>,
    pub default: Option<Node<'c>>,
    pub of: Option<Node<'c>>,
    pub way: ArgumentSource,
}

/// How a parameter gets its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentSource {
    Plain,
    Keyword,
    /// It takes all that is left.
    Rest,
}

const RESTS: &[&str] = &["dictionary_splat_pattern", "list_splat_pattern", "rest_pattern"];

impl<'c> Parameter<'c> {
    fn new(node: Node<'c>) -> Self {
        let name = match node.kind() {
            "default_parameter" | "typed_default_parameter" => node.child("name"),
            "typed_parameter" => node.named_children().next(),
            "assignment_pattern" => node.child("left"),
            _ => node.child("pattern"),
        };
        let name = name.unwrap_or(node);
        let default = node.child("value").or_else(|| node.child("right").filter(|_| node.is("assignment_pattern")));
        let is_rest = name.is_any(RESTS);
        Self {
            node,
            name,
            default,
            of: node.child("type"),
            way: if is_rest { ArgumentSource::Rest } else { ArgumentSource::Plain },
        }
    }

    /// Returns the name without the mark that it takes all that is left: `args` of `*args`.
    pub(crate) fn bound(&self) -> Node<'c> {
        self.name.named_children().next().filter(|_| self.name.is_any(RESTS)).unwrap_or(self.name)
    }

    /// Tells whether it is passed by its name alone.
    pub(crate) fn is_named(&self) -> bool {
        self.way == ArgumentSource::Keyword
    }

    /// Tells whether calls can do without it.
    pub(crate) fn is_open(&self) -> bool {
        self.default.is_some() || self.node.is("optional_parameter") || self.way == ArgumentSource::Rest
    }
}

/// Returns all parameters, the object of a method among them.
pub(crate) fn all<'c>(code: &'c Code, function: Node<'c>) -> Vec<Parameter<'c>> {
    let mut found = Vec::new();
    let mut is_named = false;
    for node in listed(function) {
        match node.kind() {
            "keyword_separator" => is_named = true,
            "positional_separator" => {}
            _ => {
                let mut one = Parameter::new(node);
                if one.way == ArgumentSource::Plain && is_named {
                    one.way = ArgumentSource::Keyword;
                }
                is_named |= one.name.is("list_splat_pattern");
                found.extend((one.name.text(code.text()) != "this").then_some(one));
            }
        }
    }
    found
}

/// Returns a request that says the parameter which its target names, and whose target is the function that has it; another one
/// as it is.
pub(crate) fn said_by_target(code: &Code, request: &Request, param: &'static str) -> Request {
    let parameter = request.target.name.map(|it| code.covering(it)).and_then(|node| {
        let function = function_of(node).filter(|it| all(code, *it).iter().any(|it| it.bound() == node))?;
        let name = function.child("name").or_else(|| function.parent().and_then(|it| it.child("name")))?;
        Some((node.text(code.text()), name.span()))
    });
    let Some((said, function)) = parameter else { return request.clone() };
    let target = Target { name: Some(function), lines: None, offset: None, ..request.target.clone() };
    Request { target, params: request.params.or(param, said) }
}

/// Returns what holds the parameters of a function: a list, or the only one of an arrow function without parentheses.
pub(crate) fn list(function: Node<'_>) -> Option<Node<'_>> {
    function.child("parameters").or_else(|| function.child("parameter"))
}

/// Returns the parameters of a function with what separates them, comments left aside.
pub(crate) fn listed(function: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    function.child("parameters").into_iter().flat_map(items).chain(function.child("parameter"))
}

/// Returns what a list in parentheses holds, comments left aside.
pub(crate) fn items(list: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    list.named_children().filter(|item| !item.kind().ends_with("comment"))
}

/// Tells whether a function of Python takes whatever it is passed.
pub(crate) fn takes_anything(code: &Code, function: Node<'_>) -> bool {
    function.child("parameters").into_iter().flat_map(items).any(|it| it.text(code.text()).starts_with("**"))
}

/// Puts an item first into a list in parentheses: on a line of its own where the first one has one.
pub(crate) fn put_first(code: &Code, list: Node<'_>, new: &str) -> TextEdit {
    match items(list).next() {
        Some(first) => put_before(code, first, new),
        None => TextEdit::new(Span::at(list.start() + 1), new),
    }
}

/// Puts items first into a list in parentheses: each on a line of its own where the first one has one.
pub(crate) fn put_all_first(code: &Code, list: Node<'_>, new: &[&str]) -> Option<TextEdit> {
    let between = items(list).next().map_or_else(|| " ".to_owned(), |first| gap(code, first));
    (!new.is_empty()).then(|| put_first(code, list, &new.join(&format!(",{between}"))))
}

/// Puts an item before another one of a list: on a line of its own where that has one.
pub(crate) fn put_before(code: &Code, item: Node<'_>, new: &str) -> TextEdit {
    TextEdit::new(Span::at(item.start()), format!("{new},{}", gap(code, item)))
}

/// Puts an item behind another one of a list: on a line of its own where that has one.
pub(crate) fn put_behind(code: &Code, item: Node<'_>, new: &str) -> TextEdit {
    TextEdit::new(Span::at(item.end()), format!(",{}{new}", gap(code, item)))
}

/// Returns what stands between an item of a list and the next one.
fn gap(code: &Code, item: Node<'_>) -> String {
    let is_first = code.text()[code.line_start(item.start())..item.start()].trim().is_empty();
    if is_first { format!("{}{}", code.newline(), code.indent(item.start())) } else { " ".to_owned() }
}
