//! Lines of a script that leave their function, as a function of their own: in every way, `return rest(…)`, or here and there,
//! where what is answered tells.
//!
//! ```ts
//! const result = rest(items);
//! if (result !== undefined) return result;
//! ```

use super::classes::usage;
use super::free_names::unused_variable;
use super::indentation::Layout;
use super::inferred_types::{self, split_outside};
use super::present_values::{answer_nothing, check_present, returns, returns_one_value};
use super::script_style::{is_spaced, says_types};
use super::type_parameters::TypeParameters;
use super::typed_comments::TypedComments;
use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, definition, function_of, is_class};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Node, is_any_function, is_async};
use crate::text::{Span, TextEdit};

/// The lines, in their function.
pub(crate) struct Tail<'c> {
    code: &'c Code,
    statements: Vec<Node<'c>>,
    function: Node<'c>,
    exit: Exit,
}

/// How control leaves the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// Out of the function, or to its end.
    Returns,
    /// To the end of the function, which answers nothing.
    Ends,
    /// Out of the function, with one value that is written out, or to the statement behind them.
    Leaves,
    /// Out of the function, with values, or to the statement behind them.
    Answers,
}

impl<'c> Tail<'c> {
    /// Takes statements some of which return: of a single `return` that ends them, a server knows more.
    pub(crate) fn of(code: &'c Code, statements: &[Node<'c>]) -> Option<Self> {
        let function = function_of(*statements.first()?)?;
        let returns = returns(statements).count();
        let last = statements.iter().copied().rfind(|it| !it.is("comment"))?;
        let exit = match () {
            () if returns == 0 || leaves(last) && returns == 1 => return None,
            () if is_end(last, function) && answer_nothing(statements) => Exit::Ends,
            () if leaves(last) || is_end(last, function) => Exit::Returns,
            () if returns_one_value(code, statements) => Exit::Leaves,
            () => Exit::Answers,
        };
        Some(Self { code, statements: statements.to_vec(), function, exit })
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
        const TIED: &[&str] = &["yield_expression", "meta_property"];
        let (code, span) = (self.code, self.span());
        let is_constructor = self.function.child("name").is_some_and(|it| it.text(code.text()) == "constructor");
        if is_constructor {
            return Err(code.refuse(span.start, "a constructor returns nothing but its object"));
        }
        let is_generator = self.function.children().any(|it| it.kind() == "*");
        let mut around = self.statements[0].ancestors().take_while(|it| *it != self.function);
        let is_late = self.exit == Exit::Returns && self.is_async();
        if is_generator || is_late && around.any(|it| it.is("try_statement")) {
            return Err(code.refuse(span.start, "what the function around gives is more than it returns here"));
        }
        const BLOCKS: &[&str] = &["statement_block", "switch_case", "switch_default"];
        let is_alone = self.statements[0].parent().is_some_and(|it| !it.is_any(BLOCKS));
        if self.exit == Exit::Answers && is_alone {
            return Err(code.refuse(span.start, "the lines stand in no braces, which two statements take"));
        }
        let leaps = |it: &Node<'c>| {
            const GOALS: &[&str] =
                &["do_statement", "for_in_statement", "for_statement", "switch_statement", "while_statement"];
            let is_leap = it.is_any(&["break_statement", "continue_statement"]);
            is_leap && !it.ancestors().take_while(|outer| span.contains(outer.span())).any(|outer| outer.is_any(GOALS))
        };
        let mut own = self.statements.iter().flat_map(|it| it.walk_until(is_any_function));
        let waits = |it: &Node<'c>| self.exit == Exit::Returns && it.is("await_expression");
        match own.find(|it| it.is_any(TIED) || waits(it) || leaps(it) || it.text(code.text()) == "arguments") {
            Some(tied) => {
                let said = tied.text(code.text()).split_whitespace().next().unwrap_or_default();
                Err(code.refuse(tied.start(), format!("`{said}` cannot be used in another function")))
            }
            None => Ok(()),
        }
    }

    fn is_async(&self) -> bool {
        is_async(self.function)
    }

    /// Tells whether the new function waits for something, or may give what is waited for.
    fn is_late(&self) -> bool {
        let own = self.statements.iter().flat_map(|it| it.walk_until(is_any_function));
        let waits = |it: Node<'_>| it.is("await_expression") || it.children().any(|word| word.kind() == "await");
        self.is_async() && (self.exit == Exit::Returns || own.into_iter().any(waits))
    }

    /// Returns the type of the answer, as an annotation: what the function around says, and what says that the lines went on.
    fn answer(&self) -> String {
        let said = self.function.child("return_type").filter(|it| it.is("type_annotation"));
        let said = said.map_or("", |it| it.text(self.code.text()));
        let of = said.trim_start_matches(':').trim();
        let awaited = of.strip_prefix("Promise<").and_then(|it| it.strip_suffix('>'));
        match (self.exit, self.is_async()) {
            (Exit::Returns, _) => said.to_owned(),
            (Exit::Ends, _) if !says_types(self.code) => String::new(),
            (Exit::Ends, _) if self.is_late() => ": Promise<void>".to_owned(),
            (Exit::Ends, _) => ": void".to_owned(),
            _ if said.is_empty() => String::new(),
            (Exit::Leaves, _) if self.is_late() => ": Promise<boolean>".to_owned(),
            (Exit::Leaves, _) => ": boolean".to_owned(),
            (Exit::Answers, false) => format!(": {}", or_undefined(of)),
            (Exit::Answers, true) => match awaited.filter(|_| self.is_late()) {
                Some(of) => format!(": Promise<{}>", or_undefined(of)),
                None => String::new(),
            },
        }
    }

    /// Refuses what cannot come back beside an answer: variables that the lines set, and others use.
    fn check_set(&self, names: &ScopedNames<'c>) -> Result<(), Refusal> {
        let span = self.span();
        let is_set = |name: &Name| names.writes(name.meaning).any(|one| span.contains(one.span));
        let is_shared = |name: &Name| {
            !name.is_free
                && names.function_of_meaning(name.meaning).is_some()
                && names.of_meaning(name.meaning).any(|one| !span.contains(one.span))
        };
        match names.within(span).find(|name| is_shared(name) && is_set(name)) {
            Some(name) => Err(self.code.refuse(name.span.start, "the lines return here and there, and set a variable")),
            None => Ok(()),
        }
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
        let code = self.code;
        self.check()?;
        let method = self.method()?;
        let names = ScopedNames::of(code);
        if !matches!(self.exit, Exit::Returns | Exit::Ends) {
            self.check_set(&names)?;
        }
        if self.exit == Exit::Answers {
            let wait = if self.is_late() { "await " } else { "" };
            check_present(session, code, &returns(&self.statements).collect::<Vec<_>>(), wait).await?;
        }
        let class = method.and_then(|it| it.ancestors().find(|outer| is_class(*outer)));
        let types = TypeParameters::around(code, self.statements[0], class);
        let (mut passed, mut parameters) = (Vec::new(), Vec::new());
        let inputs = self.inputs(&names);
        for &input in &inputs {
            let text = input.text(code.text());
            passed.push(text);
            let of = inferred_types::annotation_among(session, (code, &names), input, &types.names()).await?;
            parameters.push(format!("{text}{of}"));
        }
        let answer = self.answer();
        let said: Vec<&str> = parameters.iter().map(String::as_str).chain([answer.as_str()]).collect();
        let (listed, given) = types.passed(&self.statements, &said);
        let kind = if method.is_some() { "method_definition" } else { "function_declaration" };
        let gap = if is_spaced(code, kind) { " " } else { "" };
        let head = format!("{name}{listed}{gap}({}){answer}", parameters.join(", "));
        let comment = self.comment(session, &inputs, method).await;
        let (definition, object) = self.definition(method, (&comment, &head));
        let wait = if self.is_late() && self.exit != Exit::Returns { "await " } else { "" };
        let call = format!("{wait}{object}{name}{given}({})", passed.join(", "));
        Ok(vec![definition, TextEdit::new(self.span(), self.left(&names, &call))])
    }

    /// Writes what the function says of its types where those around it do so in comments.
    async fn comment(&self, session: &Session, inputs: &[Node<'c>], method: Option<Node<'c>>) -> String {
        let Some(comments) = TypedComments::around(self.code, self.statements[0]) else { return String::new() };
        let result = match self.exit {
            Exit::Returns => comments.result(),
            Exit::Ends if !self.is_late() => Some("void"),
            Exit::Leaves if !self.is_late() => Some("boolean"),
            _ => None,
        };
        let indent = method.map_or("", |it| self.code.indent(it.start()));
        let mut known = Vec::new();
        for &input in inputs {
            let of = match comments.said_of(input) {
                Some(of) => Some(of),
                None => inferred_types::known(session, self.code, input).await.ok(),
            };
            known.push((input.text(self.code.text()), of));
        }
        comments.written(&known, result, indent).unwrap_or_default()
    }

    /// Writes the function where it comes to stand, and returns what it is called on.
    fn definition(&self, method: Option<Node<'c>>, (comment, head): (&str, &str)) -> (TextEdit, &'static str) {
        let (code, end) = (self.code, self.code.newline());
        let wait = if self.is_late() { "async " } else { "" };
        let layout = Layout::of(code);
        let closed = |value: &str| format!("return {value}{}", code.semicolon());
        let told = returns(&self.statements).filter(|_| self.exit == Exit::Leaves);
        let told: Vec<TextEdit> = told.map(|it| TextEdit::new(it.span(), closed("true"))).collect();
        let body = |indent: &str| {
            let inner = format!("{indent}{}", layout.step());
            let last = match self.exit {
                Exit::Returns | Exit::Ends => String::new(),
                Exit::Leaves => format!("{end}{inner}{}", closed("false")),
                Exit::Answers => format!("{end}{inner}{}", closed("undefined")),
            };
            format!("{{{end}{inner}{}{last}{end}{indent}}}", layout.moved_with(self.span(), &inner, &told))
        };
        match method {
            Some(method) => {
                let indent = code.indent(method.start());
                let private = if code.is_typed_script() && !head.starts_with('#') { "private " } else { "" };
                let own = if method.child_of_kind("static").is_some() { "static " } else { "" };
                let text = format!("{end}{end}{indent}{comment}{private}{own}{wait}{head} {}", body(indent));
                (TextEdit::new(Span::at(definition(method).end()), text), "this.")
            }
            None => {
                let text = format!("{comment}{wait}function {head} {}{end}{end}", body(""));
                (TextEdit::new(Span::at(above(code, self.function)), text), "")
            }
        }
    }

    /// Writes what is left of the lines.
    fn left(&self, names: &ScopedNames<'_>, call: &str) -> String {
        let (code, end, close) = (self.code, self.code.newline(), self.code.semicolon());
        let indent = code.indent(self.statements[0].start());
        let given = returns(&self.statements).next().map_or("return", |it| it.text(code.text()));
        let given = given.trim_end_matches(';');
        match self.exit {
            Exit::Returns => format!("return {call}{close}"),
            Exit::Ends => format!("{call}{close}"),
            Exit::Leaves => self.guarded(call, given),
            Exit::Answers => {
                let result = unused_variable(names, self.function);
                let guard = self.guarded(&format!("{result} !== undefined"), &format!("return {result}"));
                format!("const {result} = {call}{close}{end}{indent}{guard}")
            }
        }
    }

    /// Writes an `if` that does one thing, in braces where the file has them.
    fn guarded(&self, condition: &str, act: &str) -> String {
        let (code, end, close) = (self.code, self.code.newline(), self.code.semicolon());
        let indent = code.indent(self.statements[0].start());
        let layout = Layout::of(code);
        let is_bare = |it: &Node<'_>| {
            it.is("if_statement") && it.child("consequence").is_some_and(|it| it.is("return_statement"))
        };
        match code.root().descendants().any(|it| is_bare(&it)) {
            true => format!("if ({condition}) {act}{close}"),
            false => format!("if ({condition}) {{{end}{indent}{}{act}{close}{end}{indent}}}", layout.step()),
        }
    }
}

/// Tells whether nothing of a function is carried out behind a statement.
fn is_end(statement: Node<'_>, function: Node<'_>) -> bool {
    let mut inner = statement;
    for outer in statement.ancestors() {
        match outer.kind() {
            _ if outer == function => return true,
            "statement_block" if outer.named_children().last() == Some(inner) => {}
            "if_statement" | "else_clause" => {}
            _ => return false,
        }
        inner = outer;
    }
    false
}

/// Writes a type as one that `undefined` has, too.
fn or_undefined(of: &str) -> String {
    let is_union_of_it = split_outside(of, '|').contains(&"undefined");
    let is_open = of.contains("=>") || of.contains(" extends ");
    match is_union_of_it {
        true => of.to_owned(),
        false if is_open => format!("({of}) | undefined"),
        false => format!("{of} | undefined"),
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
