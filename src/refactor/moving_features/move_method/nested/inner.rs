//! A function that stands in another one, and how it is declared.

use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::is_alone;
use crate::refactor::analysis::parameters::list;
use crate::refactor::request::Request;
use crate::refactor::source_file::{Code, VARIABLES, definition, has_own_object, is_class, object_of};
use crate::syntax::{Node, is_any_function};

/// What declares a function by a statement of its own.
const DECLARED: &[&str] = &["function_definition", "function_declaration", "generator_function_declaration"];
/// What a function of a script asks of the one around, where it has no object of its own.
const OF_OBJECT: &[&str] = &["this", "super", "meta_property"];

/// An inner function: a declaration of its own, or the value of a variable.
#[derive(Clone, Copy)]
pub(in super::super) struct Inner<'c> {
    pub statement: Node<'c>,
    pub function: Node<'c>,
    pub name: Node<'c>,
}

impl<'c> Inner<'c> {
    /// Finds the function inside of another one that the target names.
    pub(in super::super) fn named(code: &'c Code, request: &Request) -> Option<Self> {
        let name = code.covering(request.target.name?);
        let declared = name.parent().filter(|it| it.child("name") == Some(name))?;
        let (statement, function) = match declared.is_any(DECLARED) {
            true => (declared, declared),
            false => (declared.parent()?, declared.child("value")?),
        };
        let is_one = statement == declared || statement.is_any(VARIABLES) && statement.named_children().count() == 1;
        let around = definition(statement).ancestors().find(|it| is_class(*it) || is_any_function(*it));
        let is_inner = is_any_function(function) && is_one && around.is_some_and(is_any_function);
        is_inner.then_some(Self { statement, function, name })
    }

    /// Tells whether it is the value of a variable.
    pub(super) fn is_value(&self) -> bool {
        self.statement != self.function
    }

    /// Returns where its parameters begin, those of types among them.
    pub(super) fn parameters_start(&self) -> usize {
        let parts = self.function.child("type_parameters").or_else(|| list(self.function));
        parts.map_or(self.function.start(), Node::start)
    }

    /// Refuses one that cannot be taken out of its block as it stands.
    pub(super) fn check(&self, code: &Code) -> Result<(), Refusal> {
        let Self { statement, function, .. } = *self;
        let refuse = |reason: &str| Err(code.refuse(statement.start(), reason));
        if definition(statement) != statement {
            return refuse("its decorators run each time that the function around does");
        }
        let beside = |it: Node<'_>| it.named_children().any(|it| it != statement && !it.kind().ends_with("comment"));
        if !is_alone(code, statement) || !statement.parent().is_some_and(beside) {
            return refuse("its lines have something else, or its block nothing");
        }
        let arguments = |it: &Node<'_>| it.is("identifier") && it.text(code.text()) == "arguments";
        let mut asked = self.of_object().into_iter().filter(|it| !it.is("this"));
        match asked.next().or_else(|| function.descendants().find(arguments)) {
            Some(it) if function.is("arrow_function") => {
                Err(code.refuse(it.start(), format!("`{}` is that of the function around", it.text(code.text()))))
            }
            _ => Ok(()),
        }
    }

    /// Returns where a function of a script asks its own object; as an arrow function, that of the function around.
    pub(super) fn of_object(&self) -> Vec<Node<'c>> {
        let own = if has_own_object(self.function) { Some(self.function) } else { object_of(self.function) };
        let all = self.function.descendants().filter(|it| it.is_any(OF_OBJECT));
        all.filter(|it| object_of(*it) == own).collect()
    }
}
