//! What a method of Python is called on, and so what another one beside it is.

use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class};
use crate::syntax::Node;
use crate::syntax::python::decorators;

/// What marks a method that takes no object.
pub(crate) const STATIC: &str = "@staticmethod";

/// What a method is called on.
pub(crate) struct Receiver<'c> {
    /// `self` or `cls`, as the method calls it; of a static method the class.
    pub name: &'c str,
    pub decorator: &'static str,
}

impl<'c> Receiver<'c> {
    /// Returns what calls in a method of a class can name.
    ///
    /// # Errors
    /// Where the method takes nothing that it could be called on, or a static one does not find its class.
    pub(crate) fn of(
        (code, names): (&'c Code, &ScopedNames<'_>),
        function: Node<'c>,
        class: Node<'c>,
    ) -> Result<Self, Refusal> {
        let decorators: Vec<&str> = decorators(function).map(|decorator| decorator.text(code.text())).collect();
        let first = first_parameter(function).map(|first| first.text(code.text()));
        match first {
            _ if decorators.contains(&STATIC) => {
                Ok(Self { name: class_name((code, names), function, class)?, decorator: STATIC })
            }
            Some(name) if decorators.contains(&"@classmethod") => Ok(Self { name, decorator: "@classmethod" }),
            Some(name) => Ok(Self { name, decorator: "" }),
            None => {
                Err(code
                    .refuse(function.start(), "the method has no object to call on: make it a function of the module"))
            }
        }
    }

    /// Returns what another such method takes first.
    pub(crate) fn parameter(&self) -> Option<&'c str> {
        Some(self.name).filter(|_| self.decorator != STATIC)
    }
}

/// Returns what a method takes first, where that is a bare name.
pub(crate) fn first_parameter(method: Node<'_>) -> Option<Node<'_>> {
    let first = method.child("parameters").and_then(|list| list.named_children().next());
    first.filter(|first| first.is("identifier"))
}

/// Returns the name by which a static method finds its class.
fn class_name<'c>(
    (code, names): (&'c Code, &ScopedNames<'_>),
    function: Node<'c>,
    class: Node<'c>,
) -> Result<&'c str, Refusal> {
    let name = class.child("name").map_or("", |it| it.text(code.text()));
    let is_hidden = names.within(function.span()).any(|it| it.is_binding && it.span.of(code.text()) == Some(name));
    if is_hidden || class.ancestors().any(is_class) {
        let reason =
            format!("`{name}` is not found by its name from its static method: make it a function of the module");
        return Err(code.refuse(function.start(), reason));
    }
    Ok(name)
}
