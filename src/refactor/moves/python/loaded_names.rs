//! Modules of one name that a program loads by it: `import_module("shop")`, `map(__import__, ["shop", "tax"])`.

use super::assembled::TAKING;
use super::source::Source;
use crate::syntax::Node;
use crate::syntax::target::last_name;
use crate::text::Span;

/// What asks for a module beside those that give it (pytest's `importorskip`).
const ASKING: &str = "importorskip";
/// Where loaded modules are.
const LOADED: &str = "sys.modules";

/// What is done with a string that says a module's whole name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// The module is loaded, or looked for, by it.
    Loading,
    /// So it is by what gives the package where the name has dots: `__import__`.
    LoadingTop,
    /// It is kept, or handed to a function of the same file, which loads modules by their names.
    Kept,
}

/// Tells whether a file loads modules by names that it holds as strings.
pub(super) fn may_load(text: &str) -> bool {
    TAKING.iter().chain(&[ASKING, LOADED]).any(|word| text.contains(word))
}

/// Tells what such a file does with the string whose content stands there.
pub(super) fn used(source: &Source, content: Span) -> Option<Use> {
    let text = source.str();
    let node = source.tree().nodes().covering(content);
    let string = std::iter::once(node).chain(node.ancestors()).find(|it| it.is("string"))?;
    let outer = string.parent()?;
    let is_part = outer.named_children().count() > 1 && outer.is("concatenated_string");
    if is_part || string.children().any(|it| it.is("interpolation")) {
        return None;
    }
    let list = if outer.is("keyword_argument") { outer.parent()? } else { outer };
    let function = Some(list).filter(|list| list.is("argument_list")).and_then(|list| called(list, text));
    if is_loaded(string, (outer, function), text) {
        return Some(if function == Some("__import__") { Use::LoadingTop } else { Use::Loading });
    }
    let is_value = |field: &str| outer.child(field) == Some(string);
    let is_kept = match outer.kind() {
        "list" | "tuple" | "set" | "expression_list" | "return_statement" => true,
        "pair" | "default_parameter" | "typed_default_parameter" => is_value("value"),
        "assignment" => is_value("right"),
        _ => function.is_some_and(|name| text.contains(&format!("def {name}("))),
    };
    is_kept.then_some(Use::Kept)
}

fn is_loaded(string: Node<'_>, (outer, called): (Node<'_>, Option<&str>), text: &str) -> bool {
    let takes = called.is_some_and(|name| TAKING.contains(&name) || name == ASKING);
    let is_first = |list: Node<'_>| list.named_children().next() == Some(string);
    let is_of_loaded = |list: Node<'_>| list.named_children().any(|it| it.text(text) == LOADED);
    match outer.kind() {
        "argument_list" => {
            let function = outer.parent().and_then(|call| call.child("function"));
            let object = function.and_then(|it| it.child("object")).map(|it| it.text(text));
            is_first(outer) && (takes || object == Some(LOADED)) || is_of_loaded(outer)
        }
        "keyword_argument" => takes,
        "subscript" => outer.child("value").is_some_and(|it| it.text(text) == LOADED),
        // `patch.dict(sys.modules, {"shop": fake})`
        "pair" => {
            let list = outer.ancestors().nth(1).filter(|list| list.is("argument_list"));
            outer.child("key") == Some(string) && list.is_some_and(is_of_loaded)
        }
        _ => false,
    }
}

/// Returns the last word of what is called with arguments.
fn called<'t>(arguments: Node<'t>, text: &'t str) -> Option<&'t str> {
    arguments.parent()?.child("function").map(|function| last_name(function.text(text)))
}
