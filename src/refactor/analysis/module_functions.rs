//! Functions of a module, declared as such or as the value of a constant, and how they begin and end as methods.

use crate::refactor::source_file::{Code, inner};
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// One function at module level.
#[derive(Clone, Copy)]
pub(crate) struct ModuleFunction<'c> {
    pub name: Node<'c>,
    pub function: Node<'c>,
    /// With its `export`.
    pub statement: Node<'c>,
}

impl<'c> ModuleFunction<'c> {
    /// Finds the one that bears a name: `function name(…) {…}`, `const name = (…) => …` without a type of its own.
    pub(crate) fn called(code: &'c Code, name: &str) -> Option<Self> {
        let all = code.root().named_children().filter_map(Self::of);
        let mut all = all.filter(|it| it.name.text(code.text()) == name);
        all.next().filter(|_| all.next().is_none())
    }

    /// Returns the one that a function is.
    pub(crate) fn holding(function: Node<'c>) -> Option<Self> {
        let statement = function.ancestors().find(|it| it.parent().is_some_and(|outer| outer.parent().is_none()));
        Self::of(statement.unwrap_or(function)).filter(|it| it.function == function)
    }

    /// Reads the one that a statement declares.
    pub(crate) fn of(statement: Node<'c>) -> Option<Self> {
        const PLAIN: &[&str] = &["function_definition", "function_declaration", "generator_function_declaration"];
        let declared = inner(statement);
        if declared.is_any(PLAIN) {
            return Some(Self { name: declared.child("name")?, function: declared, statement });
        }
        let mut declarators = declared.named_children().filter(|_| declared.is("lexical_declaration"));
        let only = declarators.next().filter(|_| declarators.next().is_none())?;
        let function = only.child("value").filter(|it| it.is("arrow_function") && it.child("parameters").is_some())?;
        let is_constant = declared.child("kind").is_some_and(|it| it.kind() == "const") && only.child("type").is_none();
        is_constant.then_some(Self { name: only.child("name")?, function, statement })
    }

    /// Returns the edits of a script that make a method of it, whose name follows `words`; `base` is the indentation of the class's
    /// members.
    pub(crate) fn as_method(
        &self,
        code: &Code,
        (words, sign): (&str, &str),
        (base, step): (&str, &str),
    ) -> Vec<TextEdit> {
        let has = |word: &str| self.function.children().any(|it| it.kind() == word);
        let asynchronous = if has("async") { "async " } else { "" };
        let star = if has("*") { "*" } else { "" };
        let head = format!("{words}{asynchronous}{star}{sign}");
        let start = self.statement.start();
        let arrow = self.function.children().find(|it| it.kind() == "=>");
        let (Some(arrow), Some(body)) = (arrow, self.function.child("body")) else {
            return vec![TextEdit::new(Span::new(start, self.name.start()), head)];
        };
        let name = self.name.text(code.text());
        let typed = self.function.child("type_parameters").or_else(|| self.function.child("parameters"));
        let list = typed.map_or(arrow.start(), Node::start);
        let end = code.newline();
        let before = code.text()[..arrow.start()].trim_end().len();
        let (open, close) = match body.is("statement_block") {
            true => (" ".to_owned(), String::new()),
            false => (format!(" {{{end}{base}{step}return "), format!("{}{end}{base}}}", code.semicolon())),
        };
        vec![
            TextEdit::new(Span::new(start, list), format!("{head}{name}")),
            TextEdit::new(Span::new(before, body.start()), open),
            TextEdit::new(Span::new(body.end(), self.statement.end()), close),
        ]
    }
}
