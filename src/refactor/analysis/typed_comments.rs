//! What a function that is taken out of another one says of its types in a comment (JSDoc), in JavaScript that does so.
//!
//! ```javascript
//! /**
//!  * @param {Order} order
//!  * @returns {number}
//!  */
//! ```

use super::inferred_types::is_writable_among;
use super::parameter_docs::documentation;
use super::type_comments::{declared_types, imports_in_comments, parameter_type, result_type};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::syntax::{Node, is_any_function};

/// The functions around some statements that say their types in comments.
pub(crate) struct TypedComments<'c> {
    code: &'c Code,
    names: ScopedNames<'c>,
    /// The nearest first, each with its comment.
    functions: Vec<(Node<'c>, &'c str)>,
    /// The types that comments declare or import.
    declared: Vec<&'c str>,
    is_direct: bool,
}

impl<'c> TypedComments<'c> {
    /// Reads the comments; nothing in TypeScript, and where none says a type.
    pub(crate) fn around(code: &'c Code, statement: Node<'c>) -> Option<Self> {
        if code.is_typed_script() {
            return None;
        }
        let says = |function: Node<'c>| {
            let comment = documentation(code, function)?.of(code.text())?;
            let is_typed = ["@param {", "@return {", "@returns {"].iter().any(|tag| comment.contains(tag));
            is_typed.then_some((function, comment))
        };
        let functions: Vec<(Node<'c>, &str)> =
            statement.ancestors().filter(|it| is_any_function(*it)).filter_map(says).collect();
        let nearest = functions.first()?.0;
        let declared = declared_types(code).into_iter().map(|(name, _)| name);
        let declared = declared.chain(imports_in_comments(code).into_iter().map(|one| one.local)).collect();
        let is_direct = function_of(statement) == Some(nearest);
        Some(Self { code, names: ScopedNames::of(code), functions, declared, is_direct })
    }

    /// Returns the type of what the function around the statements returns.
    pub(crate) fn result(&self) -> Option<&'c str> {
        self.functions.first().filter(|_| self.is_direct).and_then(|(_, comment)| result_type(comment))
    }

    /// Returns the type that a comment says of the parameter that a variable is.
    pub(crate) fn said_of(&self, input: Node<'c>) -> Option<String> {
        let name = self.names.at(input)?;
        let bound = self.names.of_meaning(name.meaning).find(|it| it.is_binding)?;
        let takes = |function: &Node<'_>| function.child("parameters").is_some_and(|it| it.span().contains(bound.span));
        let (_, comment) = self.functions.iter().find(|(function, _)| takes(function))?;
        parameter_type(comment, input.text(self.code.text()))
    }

    /// Writes the comment of a function that takes some variables and returns something, as far as their types are known and
    /// the file has a word for them; nothing where none is.
    pub(crate) fn written(
        &self,
        inputs: &[(&str, Option<String>)],
        result: Option<&str>,
        indent: &str,
    ) -> Option<String> {
        let known = inputs.iter().filter_map(|(name, of)| Some((name, of.as_ref().filter(|of| self.is_known(of))?)));
        let mut lines: Vec<String> = known.map(|(name, of)| format!("@param {{{of}}} {name}")).collect();
        lines.extend(result.filter(|it| self.is_known(it)).map(|of| format!("@returns {{{of}}}")));
        let end = self.code.newline();
        let said: String = lines.iter().map(|line| format!("{indent} * {line}{end}")).collect();
        (!lines.is_empty()).then(|| format!("/**{end}{said}{indent} */{end}{indent}"))
    }

    fn is_known(&self, of: &str) -> bool {
        is_writable_among(self.code, &self.names, of, &self.declared)
    }
}
