//! Methods that make an object of the class that they are called on.
//!
//! ```python
//! class Range:
//!     @classmethod
//!     def parse(cls, text):
//!         return cls(*text.split("-"))          # of the class itself, or of one below it
//!
//!     def copy(self):
//!         return type(self)(self.start, self.end)
//! ```
//! In scripts: `new this(…)` in a static method, `new this.constructor(…)` in any other.

use crate::refactor::analysis::classes::{Class, is_class_method, receiver};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::target::last_name;
use crate::syntax::{Family, Node, is_any_function};

/// Returns all such calls in the methods of a class.
pub(super) fn calls<'c>(class: &Class<'c>) -> Vec<Node<'c>> {
    class.node.descendants().filter(|call| makes(class, *call)).collect()
}

/// Returns those of a superclass that make objects of an heir: in methods that the heir has not for itself.
pub(super) fn inherited<'c>(base: &Class<'c>, heir: &Class<'_>) -> Vec<Node<'c>> {
    let name = |call: &Node<'c>| functions(base, *call).last().and_then(|it| it.child("name"));
    let is_inherited = |call: &Node<'c>| name(call).is_some_and(|it| !heir.has(it.text(base.code.text())));
    calls(base).into_iter().filter(is_inherited).collect()
}

/// Returns the functions around a call in a class, the method last.
fn functions<'c>(class: &Class<'c>, call: Node<'c>) -> impl Iterator<Item = Node<'c>> {
    let body = class.body;
    call.ancestors().take_while(move |it| *it != body).filter(|it| is_any_function(*it))
}

/// Tells whether a call is one, in a method of this very class.
pub(super) fn makes<'c>(class: &Class<'c>, call: Node<'c>) -> bool {
    let Some(callee) = call.child("function").or_else(|| call.child("constructor")) else { return false };
    let code = class.code;
    let Some(method) = functions(class, call).last() else { return false };
    if Class::around(code, call).is_none_or(|around| around.node != class.node) {
        return false;
    }
    let said = callee.text(code.text());
    match (code.family(), call.kind()) {
        (Family::Python, "call") => in_python(code, (method, callee)),
        (Family::Script, "new_expression") => {
            let is_static = method.children().any(|it| it.kind() == "static");
            let is_own = functions(class, call).all(|it| it == method || it.is("arrow_function"));
            is_own && said == if is_static { "this" } else { "this.constructor" }
        }
        _ => false,
    }
}

/// What of Python calls what it is given.
const CALLING: &[&str] = &["defaultdict", "map", "partial", "starmap"];

/// Returns where a method of Python hands its class on to what makes objects of it: `map(cls, rows)`.
pub(super) fn handed_on<'c>(class: &Class<'c>) -> Option<Node<'c>> {
    let text = class.code.text();
    class.node.descendants().find(|node| {
        let list = node.parent().filter(|it| it.is("argument_list"));
        let called = list.and_then(Node::parent).and_then(|call| call.child("function"));
        let is_calling = called.is_some_and(|it| CALLING.contains(&last_name(it.text(text))));
        let method = node.ancestors().find(|it| it.is("function_definition"));
        is_calling
            && node.is("identifier")
            && method.is_some_and(|method| {
                receiver(class.code, method) == Some(node.text(text)) && is_class_method(class.code, method)
            })
    })
}

fn in_python(code: &Code, (method, callee): (Node<'_>, Node<'_>)) -> bool {
    let Some(receiver) = receiver(code, method) else { return false };
    let said = callee.text(code.text());
    if is_class_method(code, method) {
        let names = ScopedNames::of(code);
        let is_kept = || names.at(callee).is_some_and(|it| names.writes(it.meaning).count() == 1);
        return said == receiver && is_kept();
    }
    said == format!("type({receiver})") || said == format!("{receiver}.__class__")
}
