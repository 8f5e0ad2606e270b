//! A function that makes objects, as Python writes it.

use crate::refactor::analysis::classes::Class;
use crate::refactor::analysis::data_classes;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::syntax::python::decorators;
use crate::text::Span;

/// Longer lines are broken at their parameters.
const WIDEST: usize = 88;

/// Made anew for each call of the constructor, or once for all of them: a copy would be another one.
const MADE: &[&str] = &[
    "call",
    "list",
    "dictionary",
    "set",
    "lambda",
    "await",
    "list_comprehension",
    "dictionary_comprehension",
    "set_comprehension",
    "generator_expression",
];

/// The parameters of a function, and the arguments that hand them on.
struct Handed<'c> {
    parameters: Vec<&'c str>,
    arguments: Vec<String>,
    /// What the function returns, if anything says so here.
    result: Option<&'c str>,
}

/// Tells whether a class of Python is there to be inherited from: a protocol, or one with methods that it leaves open.
pub(super) fn is_abstract(code: &Code, class: Node<'_>) -> bool {
    let says = |node: Node<'_>, word: &str| node.text(code.text()).split(['.', '@', '[']).any(|it| it.trim() == word);
    let mut bases = class.child("superclasses").into_iter().flat_map(Node::named_children);
    let methods = class.child("body").into_iter().flat_map(Node::named_children);
    let mut marks = methods.filter_map(|it| it.child("definition")).flat_map(decorators);
    bases.any(|base| says(base, "Protocol")) || marks.any(|mark| says(mark, "abstractmethod"))
}

/// Writes the function. What the class's own constructor takes is taken by name and type; where that is not plain,
/// everything is handed on as it comes.
pub(super) fn written(code: &Code, class: Node<'_>, (class_name, name): (&str, &str), step: &str) -> String {
    let handed = handed(code, class).unwrap_or_else(|| Handed {
        parameters: vec!["*args", "**kwds"],
        arguments: vec!["*args".to_owned(), "**kwds".to_owned()],
        result: None,
    });
    let result = handed.result.map(|result| format!(" -> {result}")).unwrap_or_default();
    let end = code.newline();
    let head = listed((&format!("def {name}("), &format!("){result}:")), &handed.parameters, ("", step, end));
    let call = listed((&format!("{step}return {class_name}("), ")"), &handed.arguments, (step, step, end));
    format!("{head}{end}{call}")
}

/// Writes a list on one line, or each item on its own.
fn listed((open, close): (&str, &str), items: &[impl AsRef<str>], (indent, step, end): (&str, &str, &str)) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    let line = format!("{open}{}{close}", items.join(", "));
    if line.chars().count() <= WIDEST || items.is_empty() {
        return line;
    }
    let lines: String = items.iter().map(|item| format!("{indent}{step}{item},{end}")).collect();
    format!("{open}{end}{lines}{indent}{close}")
}

/// Reads the constructor that the class itself declares, once and without decorators.
fn handed<'c>(code: &'c Code, class: Node<'_>) -> Option<Handed<'c>> {
    let text = code.text();
    let named = |node: &Node<'_>, name: &str| node.child("name").is_some_and(|own| own.text(text) == name);
    let body: Vec<Node<'_>> = class.child("body").into_iter().flat_map(Node::named_children).collect();
    let makers: Vec<&Node<'_>> = body.iter().filter(|node| named(node, "__init__")).collect();
    let [maker] = makers.as_slice() else { return generated(code, class, &body) };
    if !maker.is("function_definition") || body.iter().any(|node| named(node, "__new__")) {
        return None;
    }
    let list = maker.child("parameters")?;
    let mut all = list.children().filter(|node| node.is_named() || matches!(node.kind(), "*" | "/"));
    all.next().filter(|receiver| receiver.is("identifier"))?;
    let mut handed = Handed { parameters: Vec::new(), arguments: Vec::new(), result: None };
    let (names, mut by_name) = (ScopedNames::of(code), false);
    // Nothing stands before a `/` once the receiver is gone.
    let taken = all.filter(|node| !node.is("comment"));
    for parameter in taken.skip_while(|node| node.is("positional_separator") || node.kind() == "/") {
        if !reads_the_same_outside(code, &names, (class, parameter)) {
            return None;
        }
        handed.parameters.push(parameter.span().of(text)?);
        let bound = parameter.child("name").or_else(|| parameter.named_children().next()).unwrap_or(parameter);
        match bound.kind() {
            "list_splat_pattern" | "dictionary_splat_pattern" => handed.arguments.push(bound.text(text).to_owned()),
            "keyword_separator" | "*" => {}
            "positional_separator" | "/" => continue,
            "identifier" if parameter.is_any(&["list_splat_pattern", "dictionary_splat_pattern"]) => {
                handed.arguments.push(parameter.text(text).to_owned());
            }
            "identifier" if by_name => handed.arguments.push(format!("{0}={0}", bound.text(text))),
            "identifier" => handed.arguments.push(bound.text(text).to_owned()),
            _ => return None,
        }
        let stars = [parameter, bound];
        by_name |=
            stars.iter().any(|node| node.is_any(&["list_splat_pattern", "keyword_separator"]) || node.kind() == "*");
    }
    let is_typed = maker.child("return_type").is_some() || list.descendants().any(|node| node.is("type"));
    let is_generic =
        class.child("superclasses").is_some_and(|bases| bases.descendants().any(|node| node.is("subscript")));
    handed.result = class.child("name").filter(|_| is_typed && !is_generic).and_then(|name| name.span().of(text));
    Some(handed)
}

/// Reads the constructor that a dataclass is given (Python's `dataclasses`), where it is plain what that takes.
fn generated<'c>(code: &'c Code, class: Node<'_>, body: &[Node<'_>]) -> Option<Handed<'c>> {
    const OPTIONS: &[&str] = &["eq", "frozen", "order", "repr", "slots", "unsafe_hash"];
    let text = code.text();
    data_classes::mark(&Class::of(code, class)?)?;
    let mark = decorators(class).next()?.named_children().next()?;
    let given = mark.child("arguments").into_iter().flat_map(Node::named_children);
    let is_plain = |it: Node<'_>| it.child("name").is_some_and(|name| OPTIONS.contains(&name.text(text)));
    let is_built =
        body.iter().any(|it| it.child("name").is_some_and(|own| matches!(own.text(text), "__init__" | "__new__")));
    if !given.into_iter().all(is_plain) || class.child("superclasses").is_some() || is_built {
        return None;
    }
    let names = ScopedNames::of(code);
    let mut handed = Handed { parameters: Vec::new(), arguments: Vec::new(), result: None };
    for field in body.iter().filter_map(|it| it.named_children().next().filter(|it| it.is("assignment"))) {
        let Some(of) = field.child("type") else { continue };
        let (name, said) = (field.child("left").filter(|it| it.is("identifier"))?, of.text(text));
        if said.contains("ClassVar") {
            continue;
        }
        let is_other =
            ["InitVar", "KW_ONLY"].iter().any(|word| said.contains(word)) || name.text(text).starts_with("__");
        if is_other || !reads_the_same_outside(code, &names, (class, field)) {
            return None;
        }
        handed.parameters.push(field.span().of(text)?);
        handed.arguments.push(name.text(text).to_owned());
    }
    handed.result = class.child("name").and_then(|name| name.span().of(text));
    Some(handed)
}

/// Tells whether annotation and default of a parameter mean beside the class what they mean in it.
fn reads_the_same_outside(code: &Code, names: &ScopedNames<'_>, (class, parameter): (Node<'_>, Node<'_>)) -> bool {
    let is_of_class = |span: Span| {
        let bindings =
            |meaning| names.of_meaning(meaning).filter(|it| it.is_binding && !parameter.span().contains(it.span));
        names.within(span).any(|name| !name.is_free && bindings(name.meaning).any(|it| class.span().contains(it.span)))
    };
    let value = parameter.child("value").or_else(|| parameter.child("right"));
    let annotation = parameter.child("type");
    let is_self = |node: &Node<'_>| node.is("identifier") && node.text(code.text()) == "Self";
    !value.is_some_and(|value| with(value).any(|node| node.is_any(MADE)) || is_of_class(value.span()))
        && !annotation.is_some_and(|it| it.descendants().any(|node| is_self(&node)) || is_of_class(it.span()))
}

fn with(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::once(node).chain(node.descendants())
}
