//! Lines of a script that leave their function in every way, as a function of their own: `return rest(…)`.

use super::classes::usage;
use super::indentation::Layout;
use super::inferred_types;
use super::script_style::is_spaced;
use super::type_parameters::TypeParameters;
use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, definition, function_of, is_class};
use crate::session::Session;
use crate::syntax::{Node, is_any_function};
use crate::text::{Span, TextEdit};

/// The lines, in their function.
pub(crate) struct Tail<'c> {
    code: &'c Code,
    statements: Vec<Node<'c>>,
    function: Node<'c>,
}

impl<'c> Tail<'c> {
    /// Takes statements that return or throw in every way, some of them more than once.
    pub(crate) fn of(code: &'c Code, statements: &[Node<'c>]) -> Option<Self> {
        let own = || statements.iter().flat_map(|it| it.walk_until(is_any_function));
        let function = function_of(*statements.first()?)?;
        let returns = own().filter(|it| it.is("return_statement")).count();
        let mut all = statements.iter().copied().filter(|it| !it.is("comment"));
        (all.next_back().is_some_and(leaves) && returns > 1).then(|| Self {
            code,
            statements: statements.to_vec(),
            function,
        })
    }

    fn span(&self) -> Span {
        Span::new(self.statements[0].start(), self.statements[self.statements.len() - 1].end())
    }

    /// Returns the method whose object the lines use, or nothing where they use none.
    fn method(&self) -> Result<Option<Node<'c>>, Refusal> {
        let code = self.code;
        let used: Vec<_> = self.statements.iter().map(|it| usage(code, *it)).collect();
        if let Some(bound) = used.iter().find_map(|it| it.bound.first()) {
            return Err(code.refuse(bound.start(), "it only means something in its class"));
        }
        if used.iter().all(|it| it.is_none()) {
            return Ok(None);
        }
        let around = std::iter::successors(Some(self.function), |it| function_of(*it));
        let method = around.into_iter().find(|it| !it.is("arrow_function"));
        let method = method.filter(|it| it.is("method_definition") && it.ancestors().any(is_class));
        let outside = || code.refuse(self.span().start, "the lines use `this`, and stand in no method");
        method.ok_or_else(outside).map(Some)
    }

    /// Refuses what only means something where the lines are.
    fn check(&self) -> Result<(), Refusal> {
        const TIED: &[&str] = &["await_expression", "yield_expression", "meta_property"];
        let (code, span) = (self.code, self.span());
        let is_constructor = self.function.child("name").is_some_and(|it| it.text(code.text()) == "constructor");
        if is_constructor {
            return Err(code.refuse(span.start, "a constructor returns nothing but its object"));
        }
        let is_generator = self.function.children().any(|it| it.kind() == "*");
        let mut around = self.statements[0].ancestors().take_while(|it| *it != self.function);
        if is_generator || self.is_async() && around.any(|it| it.is("try_statement")) {
            return Err(code.refuse(span.start, "what the function around gives is more than it returns here"));
        }
        let leaps = |it: &Node<'c>| {
            const GOALS: &[&str] =
                &["do_statement", "for_in_statement", "for_statement", "switch_statement", "while_statement"];
            let is_leap = it.is_any(&["break_statement", "continue_statement"]);
            is_leap && !it.ancestors().take_while(|outer| span.contains(outer.span())).any(|outer| outer.is_any(GOALS))
        };
        let mut own = self.statements.iter().flat_map(|it| it.walk_until(is_any_function));
        match own.find(|it| it.is_any(TIED) || leaps(it) || it.text(code.text()) == "arguments") {
            Some(tied) => {
                let said = tied.text(code.text()).split_whitespace().next().unwrap_or_default();
                Err(code.refuse(tied.start(), format!("`{said}` cannot be used in another function")))
            }
            None => Ok(()),
        }
    }

    fn is_async(&self) -> bool {
        self.function.children().any(|it| it.kind() == "async")
    }

    /// Returns the type that the function around says it returns.
    fn answer(&self) -> &'c str {
        let said = self.function.child("return_type").filter(|it| it.is("type_annotation"));
        said.map_or("", |it| it.text(self.code.text()))
    }

    /// Returns the variables of the functions around that the lines read, each at its first place.
    fn inputs(&self, names: &ScopedNames<'c>) -> Vec<Node<'c>> {
        let span = self.span();
        let mut seen = Vec::new();
        let is_taken = |meaning: usize| {
            let mut bindings = names.of_meaning(meaning).filter(|one| one.is_binding);
            names.function_of_meaning(meaning).is_some() && bindings.any(|one| !span.contains(one.span))
        };
        let all = names.within(span).filter(|name| !name.is_free);
        let new = all.filter(|name| {
            let is_new = !seen.contains(&name.meaning);
            seen.push(name.meaning);
            is_new && is_taken(name.meaning)
        });
        new.map(|name| self.code.covering(name.span)).collect()
    }

    /// Writes the function, and the call of it.
    pub(crate) async fn extracted(&self, session: &Session, name: &str) -> Result<Vec<TextEdit>, Refusal> {
        let (code, end) = (self.code, self.code.newline());
        self.check()?;
        let method = self.method()?;
        let names = ScopedNames::of(code);
        let class = method.and_then(|it| it.ancestors().find(|outer| is_class(*outer)));
        let types = TypeParameters::around(code, self.statements[0], class);
        let (mut passed, mut parameters) = (Vec::new(), Vec::new());
        for input in self.inputs(&names) {
            let text = input.text(code.text());
            passed.push(text);
            let of = inferred_types::annotation_among(session, (code, &names), input, &types.names()).await?;
            parameters.push(format!("{text}{of}"));
        }
        let answer = self.answer();
        let said: Vec<&str> = parameters.iter().map(String::as_str).chain([answer]).collect();
        let (listed, given) = types.passed(&self.statements, &said);
        let wait = if self.is_async() { "async " } else { "" };
        let kind = if method.is_some() { "method_definition" } else { "function_declaration" };
        let gap = if is_spaced(code, kind) { " " } else { "" };
        let head = format!("{name}{listed}{gap}({}){answer}", parameters.join(", "));
        let layout = Layout::of(code);
        let body = |indent: &str| {
            let inner = format!("{indent}{}", layout.step());
            format!("{{{end}{inner}{}{end}{indent}}}", layout.moved(self.span(), &inner))
        };
        let (at, written, object) = match method {
            Some(method) => {
                let indent = code.indent(method.start());
                let private = if code.is_typed_script() { "private " } else { "" };
                let own = if method.child_of_kind("static").is_some() { "static " } else { "" };
                let text = format!("{end}{end}{indent}{private}{own}{wait}{head} {}", body(indent));
                (definition(method).end(), text, "this.")
            }
            None => (above(code, self.function), format!("{wait}function {head} {}{end}{end}", body("")), ""),
        };
        let call = format!("return {object}{name}{given}({}){}", passed.join(", "), code.semicolon());
        Ok(vec![TextEdit::new(Span::at(at), written), TextEdit::new(self.span(), call)])
    }
}

/// Tells whether a statement returns or throws in every way.
fn leaves(statement: Node<'_>) -> bool {
    let inside = |it: Node<'_>| it.named_children().last().is_some_and(leaves);
    let part = |field: &str| statement.child(field);
    match statement.kind() {
        "return_statement" | "throw_statement" => true,
        "statement_block" | "else_clause" => inside(statement),
        "if_statement" => part("consequence").is_some_and(leaves) && part("alternative").is_some_and(leaves),
        "try_statement" => {
            let handled = part("handler").is_none_or(|it| it.child("body").is_some_and(leaves));
            part("finalizer").is_some_and(|it| it.child("body").is_some_and(leaves))
                || part("body").is_some_and(leaves) && handled
        }
        _ => false,
    }
}
