//! Where an expression of Python stands for a type.

use crate::syntax::Node;

/// What `typing` and `collections.abc` offer to make a type of others, by its name alone.
const MAKERS: &[&str] = &[
    "Annotated",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterator",
    "Awaitable",
    "Callable",
    "ClassVar",
    "Collection",
    "Coroutine",
    "DefaultDict",
    "Deque",
    "Dict",
    "Final",
    "FrozenSet",
    "Generator",
    "Generic",
    "Iterable",
    "Iterator",
    "List",
    "Mapping",
    "MutableMapping",
    "MutableSequence",
    "Optional",
    "OrderedDict",
    "Protocol",
    "Sequence",
    "Set",
    "Tuple",
    "Type",
    "Union",
];

/// Types of the language that are made of others in the same way (PEP 585).
const BUILTIN_MAKERS: &[&str] = &["dict", "frozenset", "list", "set", "tuple", "type"];

/// Tells whether an expression, or a string, stands where a type is meant: in an annotation, in a type that is given a name,
/// as what a class is generic over, as what `cast` casts to, or as the bound of a type variable.
pub fn stands_for_type(node: Node<'_>, text: &str) -> bool {
    let mut at = node;
    for parent in node.ancestors() {
        match parent.kind() {
            "type" => return true,
            "subscript" | "generic_type" if names_literal(parent, text) => return false,
            // What is annotated with is no type.
            "subscript" if made_by(parent, text) == Some("Annotated") => {
                return parent.children_in("subscript").next() == Some(at);
            }
            "subscript" if made_by(parent, text).is_some_and(|maker| MAKERS.contains(&maker)) => return true,
            // A string may be a key of what somebody calls `dict` or `type`.
            "subscript" if !node.is("string") && is_builtin(parent, text) => return true,
            "assignment" => return is_alias(parent, text) && parent.child("right") == Some(at),
            "argument_list" if parent.field() == Some("superclasses") => return at.is("subscript"),
            "argument_list" => return is_cast(parent, at, text),
            "keyword_argument" => return is_bound(parent, text),
            "attribute" | "binary_operator" | "generic_type" | "list" | "subscript" | "tuple" | "type_parameter"
            | "union_type" => at = parent,
            _ => return false,
        }
    }
    false
}

fn names_literal(node: Node<'_>, text: &str) -> bool {
    node.named_children().next().is_some_and(|value| value.text(text).ends_with("Literal"))
}

/// Returns the name of `typing` or `collections.abc` that a subscript is taken of.
fn made_by<'t>(subscript: Node<'_>, text: &'t str) -> Option<&'t str> {
    const MODULES: &[&str] = &["typing", "typing_extensions", "collections.abc"];
    let value = subscript.child("value")?;
    if value.is("attribute") {
        let (module, maker) = value.text(text).rsplit_once('.')?;
        return (MODULES.contains(&module) || module == "t").then_some(maker);
    }
    let maker = Some(value).filter(|it| it.is("identifier") && MAKERS.contains(&it.text(text)))?.text(text);
    let brings = |statement: Node<'_>| {
        let module = statement.child("module_name").map_or("", |it| it.text(text));
        MODULES.contains(&module) && statement.children_in("name").any(|it| it.text(text) == maker)
    };
    let root = subscript.ancestors().last()?;
    let mut imports = root.descendants().filter(|node| node.is("import_from_statement"));
    imports.any(brings).then_some(maker)
}

/// Tells whether a subscript is taken of a type of the language.
fn is_builtin(subscript: Node<'_>, text: &str) -> bool {
    subscript.child("value").is_some_and(|it| it.is("identifier") && BUILTIN_MAKERS.contains(&it.text(text)))
}

/// Tells whether an assignment says that it gives a type a name: `Rows: TypeAlias = …`.
fn is_alias(assignment: Node<'_>, text: &str) -> bool {
    assignment.child("type").is_some_and(|it| it.text(text).ends_with("TypeAlias"))
}

/// Tells whether an argument bounds a type variable: `TypeVar("T", bound="Model")`.
fn is_bound(argument: Node<'_>, text: &str) -> bool {
    let function = argument.parent().and_then(Node::parent).and_then(|call| call.child("function"));
    let is_variable = function.is_some_and(|it| it.text(text).rsplit('.').next() == Some("TypeVar"));
    is_variable && argument.child("name").is_some_and(|name| name.text(text) == "bound")
}

fn is_cast(arguments: Node<'_>, argument: Node<'_>, text: &str) -> bool {
    let is_first = arguments.named_children().next() == Some(argument);
    let function = arguments.parent().and_then(|call| call.child("function"));
    is_first && function.is_some_and(|function| matches!(function.text(text), "cast" | "typing.cast" | "t.cast"))
}
