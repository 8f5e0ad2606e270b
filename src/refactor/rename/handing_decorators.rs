//! Decorators that hand on the arguments that a function is given, as they are: `@cache`, `@contextmanager`, and what wraps a
//! function in one that takes the same.

use std::sync::Arc;

use super::definition_queries;
use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::python::decorators;
use crate::syntax::{Language, Node, Tree, whole_words};
use crate::text::Span;

/// Decorators that hand on what a function is given, whatever their types say (Python's `functools` and its built-in ones).
const HANDING_ON: [&str; 6] =
    ["cache", "lru_cache", "staticmethod", "classmethod", "singledispatch", "singledispatchmethod"];

/// Tells whether all decorators of the functions whose names stand there do so with an argument of this name.
pub(super) async fn all_hand_on(
    session: &Session,
    server: &Arc<Server>,
    (functions, name): (&[Location], &str),
) -> Result<bool, Refusal> {
    let mut decorating = Vec::new();
    for location in functions {
        let Some(parsed) = session.parsed(&location.path)? else { return Ok(false) };
        let Some(function) = parsed.tree.nodes().covering(location.span).parent() else { return Ok(false) };
        for decorator in decorators(function) {
            let Some(written) = decorator.named_children().next() else { return Ok(false) };
            let called = written.child("function").unwrap_or(written);
            let offset = called.child("attribute").unwrap_or(called).start();
            decorating.push(Place { path: location.path.clone(), offset });
        }
    }
    for leads in definition_queries::locations(server, Feature::Definition, decorating).await? {
        let mut hands_on = false;
        for location in &leads {
            let text = session.disk().read_named(&location.path)?;
            hands_on |= is_handing_on(text.as_str(), location.span, name);
        }
        if !hands_on {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Tells it of the decorator whose name stands there.
fn is_handing_on(text: &str, own: Span, name: &str) -> bool {
    if own.of(text).is_some_and(|own| HANDING_ON.contains(&own)) {
        return true;
    }
    // What is registered with a function that chooses is that function still (Python's `functools`).
    if own.of(text) == Some("register") && text.contains("class _SingleDispatchCallable") {
        return true;
    }
    let tree = Tree::parse(Language::Python, text);
    let is_function = |it: &Node<'_>| it.is("function_definition") && it.child("name").map(Node::span) == Some(own);
    let Some(function) = tree.nodes().covering(own).parent().filter(is_function) else { return false };
    // One that takes an argument of the name for itself may give another one on.
    let mut taken = function.descendants().filter(|it| it.is("parameters")).flat_map(Node::descendants);
    let is_taken = taken.any(|it| it.is("identifier") && it.text(text) == name);
    !is_taken && (returns_same(function, text) || wraps(function, text))
}

/// Tells whether a function says that what it returns takes the same as what it is given (PEP 612).
fn returns_same(function: Node<'_>, text: &str) -> bool {
    let Some(returned) = function.child("return_type").map(|it| it.text(text)) else { return false };
    // Only a variable for a whole type says that names stay: `Callable[..., str]` says nothing of them.
    let of_function = function.child("type_parameters").map_or("", |it| it.text(text));
    let is_variable =
        text.contains(&format!("{returned} = TypeVar(")) || !whole_words(of_function, returned).is_empty();
    let is_given =
        |parameter: Node<'_>| is_variable && parameter.child("type").is_some_and(|it| it.text(text) == returned);
    let is_same = function.child("parameters").and_then(|it| it.named_children().next()).is_some_and(is_given);
    let mut words = returned.split(|one: char| !one.is_alphanumeric() && one != '_').filter(|word| !word.is_empty());
    let is_specified =
        |word: &str| text.contains(&format!("{word} = ParamSpec(")) || text.contains(&format!("[**{word}"));
    is_same || words.any(is_specified)
}

/// Tells whether a function inside calls what the decorator is given with all that it takes: `f(*args, **kwargs)`.
fn wraps(function: Node<'_>, text: &str) -> bool {
    let is_outer = |it: &Node<'_>| it.is("function_definition");
    let given: Vec<&str> = function
        .descendants()
        .filter(is_outer)
        .chain([function])
        .filter_map(|it| it.child("parameters")?.named_children().next())
        .filter_map(|it| it.walk_until(|_| false).find(|it| it.is("identifier")))
        .map(|it| it.text(text))
        .collect();
    let is_all = |call: Node<'_>| {
        let called = call.child("function").is_some_and(|it| given.contains(&it.text(text)));
        let arguments = call.child("arguments").into_iter().flat_map(Node::named_children);
        let kinds: Vec<&str> = arguments.map(Node::kind).collect();
        called && kinds.contains(&"list_splat") && kinds.contains(&"dictionary_splat")
    };
    function.descendants().filter(|it| it.is("call")).any(is_all)
}
