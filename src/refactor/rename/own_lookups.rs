//! Where a module of Python asks itself for one of its names: `globals()["total"]`, `getattr(sys.modules[__name__], "total")`,
//! `eval("total + 1")`.

use super::dynamic_attributes::{FROM_DICTIONARY, asked_by_name, is_globals, is_own_module, keyed_members};
use crate::syntax::python::{argument, folded, is_target};
use crate::syntax::{Node, whole_words};

/// Functions that read a text as code of the module.
const EVALUATING: [&str; 3] = ["compile", "eval", "exec"];

/// Tells whether a node asks the module that it stands in for a name.
pub(crate) fn asks(node: Node<'_>, text: &str, name: &str) -> bool {
    match node.kind() {
        "attribute" => {
            let says = node.child("attribute").is_some_and(|own| own.text(text) == name);
            says && !is_target(node) && node.child("object").is_some_and(|it| is_own_module(it, text))
        }
        "subscript" => {
            let key = node.child("subscript").filter(|_| !is_target(node));
            key.is_some_and(|key| says(key, text, name)) && node.child("value").is_some_and(|it| has_all(it, text))
        }
        "call" => is_asking(node, text, name),
        _ => false,
    }
}

fn is_asking(call: Node<'_>, text: &str, name: &str) -> bool {
    let Some(function) = call.child("function") else { return false };
    let first = || argument(call, 0, &[], text);
    if EVALUATING.contains(&function.text(text)) {
        let is_code = |it: Node<'_>| it.is("string") && !whole_words(it.text(text), name).is_empty();
        return first().is_some_and(is_code);
    }
    if function.child("attribute").is_some_and(|it| FROM_DICTIONARY.contains(&it.text(text))) {
        let of_module = function.child("object").is_some_and(|it| has_all(it, text));
        return of_module && first().is_some_and(|key| says(key, text, name));
    }
    asked_by_name(call, text).is_some_and(|(object, named)| is_own_module(object, text) && says(named, text, name))
}

/// Tells whether an expression is the dictionary of the module's names.
fn has_all(dictionary: Node<'_>, text: &str) -> bool {
    is_globals(dictionary, text) || keyed_members(dictionary, text).is_some_and(|it| is_own_module(it, text))
}

fn says(named: Node<'_>, text: &str, name: &str) -> bool {
    folded(named, text).is_some_and(|it| it.whole() == Some(name))
}
