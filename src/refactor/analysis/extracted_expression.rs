//! An expression that becomes a function of its own, evaluated where it was.

use super::classes::{receiver, usage};
use super::forward_references::known_at;
use super::free_names::{check_module_name, check_name, check_private};
use super::indentation::Layout;
use super::inferred_types;
use super::probed_types::{ProbeSide, Question, probed, united};
use super::script_style::{is_spaced, says_types};
use super::type_parameters::TypeParameters;
use crate::refactor::Refusal;
use crate::refactor::analysis::expressions::bare;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, definition, function_of, is_class, statement_of};
use crate::session::Session;
use crate::syntax::python::needs_brackets;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

/// The function, as it will be.
pub(crate) struct Query<'c> {
    code: &'c Code,
    piece: Node<'c>,
    name: &'c str,
    /// What is passed, and its parameter with the type that it has.
    inputs: Vec<(&'c str, String)>,
    /// What stands behind the list of parameters, where the function around says of types.
    answer: String,
    types: TypeParameters<'c>,
    home: Home<'c>,
    /// By which the expression means its parameters.
    renamed: Vec<TextEdit>,
}

/// What a function of the module is about: an object that is passed first.
pub(crate) struct Subject<'c> {
    /// Where the expression means it.
    pub places: Vec<Node<'c>>,
    /// What the function calls it, and its annotation.
    pub name: String,
    pub annotation: String,
}

/// Where a function of Python comes to stand that needs nothing of the object of its method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Idle {
    InClass,
    InModule,
}

/// Where it comes to stand.
enum Home<'c> {
    Module {
        function: Node<'c>,
    },
    /// Behind a method of a class, called as `object.name(…)`.
    Class {
        method: Node<'c>,
        object: &'c str,
        marks: String,
    },
}

/// What cannot be done in another function than the one around.
const TIED: &[&str] = &[
    "assignment_expression",
    "augmented_assignment_expression",
    "meta_property",
    "named_expression",
    "update_expression",
    "yield",
    "yield_expression",
];
const WAITING: &[&str] = &["await", "await_expression"];
const ALL_SEEING: &[&str] = &["arguments", "eval", "exec", "globals", "locals", "vars"];

impl<'c> Query<'c> {
    /// Looks at what an expression needs, and where a function of it can stand.
    pub(crate) async fn of(
        session: &Session,
        (code, names): (&'c Code, &ScopedNames<'c>),
        (piece, idle): (Node<'c>, Idle),
        name: &'c str,
    ) -> Result<Self, Refusal> {
        let function = function_of(piece).ok_or_else(|| code.refuse(piece.start(), "it stands in no function"))?;
        check(code, piece)?;
        let home = home(code, (piece, idle), function)?;
        let class = match home {
            Home::Class { method, .. } => method.ancestors().find(|outer| is_class(*outer)),
            Home::Module { .. } => None,
        };
        let types = TypeParameters::around(code, piece, class);
        let object = if let Home::Class { object, .. } = home { Some(object) } else { None };
        let read: Vec<Node<'c>> = taken(code, names, piece)?;
        let read = read.into_iter().filter(|it| Some(it.text(code.text())) != object).collect();
        check_name(session, code, class, name).await?;
        let inputs = inputs(session, (code, names), (function, &types), read).await?;
        let answer = answer(session, (code, names), (piece, function), &types).await;
        Ok(Self { code, piece, name, inputs, answer, types, home, renamed: Vec::new() })
    }

    /// Does the same for a function of the module that is about an object, wherever the expression stands.
    pub(crate) async fn about(
        session: &Session,
        (code, names): (&'c Code, &ScopedNames<'c>),
        (piece, around): (Node<'c>, Node<'c>),
        (name, subject): (&'c str, &Subject<'c>),
    ) -> Result<Self, Refusal> {
        check(code, piece)?;
        if let Some(node) = waiting(piece) {
            return Err(code.refuse(node.start(), "a function that waits would have to be waited for everywhere"));
        }
        check_private(code, &[piece])?;
        check_module_name(code, name)?;
        let is_subject = |node: &Node<'_>| subject.places.iter().any(|it| it.span().contains(node.span()));
        let used = usage(code, piece);
        let own = used.members.iter().filter_map(|it| it.parent()?.child("object")).chain(used.whole.iter().copied());
        if let Some(own) = own.chain(used.bound.iter().copied()).find(|it| !is_subject(it)) {
            return Err(code.refuse(own.start(), "it asks its own object, too: no function of the module has one"));
        }
        let read = taken(code, names, piece)?.into_iter().filter(|it| !is_subject(it)).collect();
        let types = TypeParameters::around(code, piece, None);
        let mut inputs = inputs(session, (code, names), (around, &types), read).await?;
        inputs.insert(0, (subject.places[0].text(code.text()), format!("{}{}", subject.name, subject.annotation)));
        let answer = answer(session, (code, names), (piece, around), &types).await;
        let renamed = subject.places.iter().map(|it| TextEdit::new(it.span(), subject.name.as_str())).collect();
        Ok(Self { code, piece, name, inputs, answer, types, home: Home::Module { function: around }, renamed })
    }

    /// Returns a call that passes something else first.
    pub(crate) fn call_with(&self, first: &str) -> String {
        let others = self.inputs.iter().skip(1).map(|(name, _)| *name);
        let passed: Vec<&str> = std::iter::once(first).chain(others).collect();
        format!("{}{}({})", self.name, self.type_parameters().1, passed.join(", "))
    }

    /// Returns the type parameters that the function needs, as it lists them and as a call passes them on.
    fn type_parameters(&self) -> (String, String) {
        let said = self.inputs.iter().map(|(_, parameter)| parameter.as_str());
        let said: Vec<&str> = said.chain([self.answer.as_str()]).collect();
        self.types.passed(&[self.piece], &said)
    }

    /// Returns what comes in the place of the expression.
    pub(crate) fn call(&self) -> String {
        self.call_in(self.piece)
    }

    /// Returns what comes in another place, where the expression was known by a name.
    pub(crate) fn call_in(&self, place: Node<'_>) -> String {
        let passed: Vec<&str> = self.inputs.iter().map(|(name, _)| *name).collect();
        let call = format!("{}{}({})", self.name, self.type_parameters().1, passed.join(", "));
        let call = match &self.home {
            Home::Class { object, .. } => format!("{object}.{call}"),
            Home::Module { .. } => call,
        };
        match (waiting(self.piece), place.field()) {
            (None, _) => call,
            (Some(_), Some("function" | "object" | "value")) if place.parent().is_some_and(binds_closer) => {
                format!("(await {call})")
            }
            (Some(_), _) => format!("await {call}"),
        }
    }

    /// Puts functions of one place into the text, in their order.
    pub(crate) fn definitions(queries: &[Self]) -> Vec<TextEdit> {
        let mut edits: Vec<TextEdit> = Vec::new();
        for query in queries {
            let (at, text) = query.definition();
            match edits.iter_mut().find(|edit| edit.span == Span::at(at)) {
                Some(edit) => edit.new_text.push_str(&text),
                None => edits.push(TextEdit::new(Span::at(at), text)),
            }
        }
        edits
    }

    fn definition(&self) -> (usize, String) {
        let (code, end) = (self.code, self.code.newline());
        let layout = Layout::of(code);
        let (at, indent) = match self.home {
            Home::Class { method, .. } => (definition(method).end(), code.indent(method.start())),
            Home::Module { function } => (above(code, function), ""),
        };
        let base = format!("{indent}{}", layout.step());
        let piece = bare(self.piece);
        let moved = |base: &str| layout.moved_with(piece.span(), base, &self.renamed);
        let apart = || {
            let inner = format!("{base}{}", layout.step());
            format!("({end}{inner}{}{end}{base})", moved(&inner))
        };
        let has_own_lines = code.text()[code.line_start(piece.start())..piece.start()].trim().is_empty();
        let value = match code.family() {
            Family::Python if needs_brackets(piece.text(code.text())) && has_own_lines => apart(),
            Family::Python if needs_brackets(piece.text(code.text())) => format!("({})", moved(&base)),
            Family::Python if self.renamed.is_empty() => {
                layout.beside(piece.span(), &base, base.len() + "return ".len())
            }
            _ if piece.is("binary_expression") && piece.text(code.text()).contains('\n') => apart(),
            _ => moved(&base),
        };
        let (answer, asynchronous) = (&self.answer, if waiting(self.piece).is_some() { "async " } else { "" });
        let parameters = self.inputs.iter().map(|(_, parameter)| parameter.as_str());
        let written = match (code.family(), &self.home) {
            (Family::Python, Home::Class { object, marks, .. }) => {
                let all: Vec<&str> = std::iter::once(*object).chain(parameters).collect();
                format!("{marks}{asynchronous}def {}({}){answer}:{end}{base}return {value}", self.name, all.join(", "))
            }
            (Family::Python, Home::Module { .. }) => {
                let all: Vec<&str> = parameters.collect();
                format!("{asynchronous}def {}({}){answer}:{end}{base}return {value}", self.name, all.join(", "))
            }
            (_, home) => {
                let all: Vec<&str> = parameters.collect();
                let marks = match home {
                    Home::Class { marks, .. } => format!("{marks}{asynchronous}"),
                    Home::Module { .. } => format!("{asynchronous}function "),
                };
                let (all, close) = (all.join(", "), code.semicolon());
                let name = format!("{}{}", self.name, self.type_parameters().0);
                let kind =
                    if matches!(home, Home::Class { .. }) { "method_definition" } else { "function_declaration" };
                let gap = if is_spaced(code, kind) { " " } else { "" };
                format!("{marks}{name}{gap}({all}){answer} {{{end}{base}return {value}{close}{end}{indent}}}")
            }
        };
        match self.home {
            Home::Class { .. } => (at, format!("{end}{end}{indent}{written}")),
            Home::Module { .. } if code.family() == Family::Python => (at, format!("{written}{end}{end}{end}")),
            Home::Module { .. } => (at, format!("{written}{end}{end}")),
        }
    }
}

/// Returns what variables are passed as, each once, with their parameters.
async fn inputs<'c>(
    session: &Session,
    (code, names): (&'c Code, &ScopedNames<'c>),
    (function, types): (Node<'c>, &TypeParameters<'c>),
    read: Vec<Node<'c>>,
) -> Result<Vec<(&'c str, String)>, Refusal> {
    let is_typed = code.family() == Family::Python && inferred_types::is_typed(function);
    let mut inputs: Vec<(&'c str, String)> = Vec::new();
    for input in read {
        let text = input.text(code.text());
        if inputs.iter().any(|(known, _)| *known == text) {
            continue;
        }
        let mut annotation = inferred_types::annotation_among(session, (code, names), input, &types.names()).await?;
        if is_typed && annotation.is_empty() {
            let known = inferred_types::annotated(session, code, names, input).await;
            let there = |of: String| format!(": {}", known_at(code, names, function.start(), of));
            annotation = known.map_or_else(String::new, there);
        }
        inputs.push((text, format!("{text}{annotation}")));
    }
    Ok(inputs)
}

/// Returns what stands behind the list of parameters, where the function around says of types.
async fn answer(
    session: &Session,
    (code, names): (&Code, &ScopedNames<'_>),
    (piece, function): (Node<'_>, Node<'_>),
    types: &TypeParameters<'_>,
) -> String {
    let is_python = code.family() == Family::Python;
    let says = if is_python { inferred_types::is_typed(function) } else { says_types(code) };
    let answer = if says { value_type(session, (code, names), piece, &types.names()).await } else { None };
    let written = |of: String| match (is_python, waiting(piece)) {
        (true, _) => format!(" -> {}", known_at(code, names, function.start(), of)),
        (false, None) => format!(": {of}"),
        (false, Some(_)) => format!(": Promise<{of}>"),
    };
    answer.map_or_else(String::new, written)
}

/// Returns where an expression waits for something: a function of it is asynchronous, as the one around is.
fn waiting(piece: Node<'_>) -> Option<Node<'_>> {
    piece.walk_until(|node| is_any_function(node) && node != piece).find(|node| node.is_any(WAITING))
}

/// Tells whether what is asked of an expression is asked before anything else is done with it.
fn binds_closer(outer: Node<'_>) -> bool {
    outer.is_any(&["attribute", "call", "call_expression", "member_expression", "subscript", "subscript_expression"])
}

/// Returns the type of an expression; nothing for one in which a name stands for each of several values, unless a list of
/// them can be asked for.
async fn value_type(
    session: &Session,
    (code, names): (&Code, &ScopedNames<'_>),
    piece: Node<'_>,
    types: &[&str],
) -> Option<String> {
    const REPEATED: &[&str] = &["arrow_function", "dictionary_comprehension", "generator_expression", "lambda"];
    let statement = statement_of(piece)?;
    let is_repeated = |outer: &Node<'_>| outer.is_any(REPEATED) || outer.kind().ends_with("_comprehension");
    let around: Vec<Node<'_>> = piece.ancestors().take_while(|outer| *outer != statement).filter(is_repeated).collect();
    let listed = match around.as_slice() {
        [] => None,
        [only] if !only.is_any(&["arrow_function", "lambda"]) => Some(all_values(code, *only, piece)),
        _ => return None,
    };
    let expression = listed.as_deref().unwrap_or_else(|| piece.text(code.text()));
    let found = probed(session, code, &[Question { statement, side: ProbeSide::Before, expression }]).await;
    let found: Vec<Option<String>> = match listed {
        Some(_) => found.into_iter().map(|of| Some(of?.strip_prefix("list[")?.strip_suffix(']')?.to_owned())).collect(),
        None => found,
    };
    match code.family() {
        Family::Python => united(code, names, &found),
        _ => {
            let is_said = |of: &String| of != "any" && inferred_types::is_writable_among(code, names, of, types);
            found.into_iter().flatten().find(is_said)
        }
    }
}

/// Writes the list of the values that a piece of a comprehension has.
fn all_values(code: &Code, comprehension: Node<'_>, piece: Node<'_>) -> String {
    let clauses = comprehension.named_children().filter(|it| it.is_any(&["for_in_clause", "if_clause"]));
    let is_body = comprehension.child("body").is_some_and(|body| body == piece || body.holds(piece));
    let before = clauses.take_while(|clause| is_body || clause.end() <= piece.start());
    let before: Vec<&str> = before.map(|it| it.text(code.text())).collect();
    format!("[({}) {}]", piece.text(code.text()), before.join(" "))
}

/// Refuses what only means something in the function around.
fn check(code: &Code, piece: Node<'_>) -> Result<(), Refusal> {
    let own = piece.walk_until(|node| is_any_function(node) && node != piece);
    if let Some(node) = own.into_iter().find(|node| node.is_any(TIED)) {
        let reason = format!("`{}` cannot be used in another function", node.text(code.text()));
        return Err(code.refuse(node.start(), reason));
    }
    match code.looks_around(piece, ALL_SEEING) {
        Some(name) => Err(code.refuse(piece.start(), format!("`{name}` may see variables of the function around"))),
        None => Ok(()),
    }
}

fn home<'c>(code: &'c Code, (piece, idle): (Node<'c>, Idle), function: Node<'c>) -> Result<Home<'c>, Refusal> {
    let usage = usage(code, piece);
    let is_method = |function: Node<'_>| {
        let outer = definition(function).parent();
        let is_body = outer.is_some_and(|body| body.is("class_body") || body.parent().is_some_and(is_class));
        is_body && outer.and_then(Node::parent).is_some_and(is_class)
    };
    let around = std::iter::successors(Some(function), |it| function_of(*it));
    // An arrow, or a lambda, has the object of the function around it.
    let method = around.into_iter().find(|it| !it.is_any(&["arrow_function", "lambda"])).filter(|it| is_method(*it));
    let Some(method) = method else {
        return match usage.bound.first().or(usage.private.first()) {
            Some(node) => Err(code.refuse(node.start(), "it only means something in its class")),
            None if code.family() == Family::Script && !usage.is_none() => {
                Err(code.refuse(piece.start(), "it uses `this`, and stands in no method"))
            }
            None => check_private(code, &[piece]).map(|()| Home::Module { function }),
        };
    };
    match code.family() {
        Family::Python if usage.is_none() && idle == Idle::InModule => Ok(Home::Module { function }),
        Family::Python => {
            let Some(object) = receiver(code, method) else { return Ok(Home::Module { function }) };
            let decorators = definition(method).children().filter(|it| it.is("decorator"));
            let is_of_class = decorators.into_iter().any(|it| it.text(code.text()) == "@classmethod");
            let marks = if is_of_class {
                format!("@classmethod{}{}", code.newline(), code.indent(method.start()))
            } else {
                String::new()
            };
            Ok(Home::Class { method, object, marks })
        }
        _ if usage.is_none() => Ok(Home::Module { function }),
        _ => {
            let private = if code.is_typed_script() { "private " } else { "" };
            let is_static = method.child_of_kind("static").is_some();
            let marks = if is_static { format!("{private}static ") } else { private.to_owned() };
            Ok(Home::Class { method, object: "this", marks })
        }
    }
}

/// Returns the places in an expression where it reads variables of the functions around it, each of which has its
/// value for sure by then.
fn taken<'c>(code: &'c Code, names: &ScopedNames<'c>, piece: Node<'c>) -> Result<Vec<Node<'c>>, Refusal> {
    let mut found = Vec::new();
    for name in names.within(piece.span()) {
        let is_own =
            names.of_meaning(name.meaning).filter(|one| one.is_binding).all(|one| piece.span().contains(one.span));
        if name.is_free || is_own || names.function_of_meaning(name.meaning).is_none() {
            continue;
        }
        let node = code.covering(name.span);
        let is_inner = node.ancestors().take_while(|outer| *outer != piece).any(is_any_function);
        if is_inner && names.writes(name.meaning).count() > 1 {
            return Err(code.refuse(node.start(), "a function inside it would no longer see this variable change"));
        }
        if !names.writes(name.meaning).any(|write| is_set(code, write, piece)) {
            return Err(code.refuse(node.start(), "the variable may have no value yet, and would be passed"));
        }
        found.push(node);
    }
    Ok(found)
}

/// Tells whether a write is passed on every way to a piece: a parameter, a statement further up, a head around.
fn is_set(code: &Code, write: Name, piece: Node<'_>) -> bool {
    let node = code.covering(write.span);
    let is_parameter =
        node.ancestors().any(|outer| outer.is_any(&["parameters", "lambda_parameters", "formal_parameters"]));
    let lone = node.field() == Some("parameter") && node.parent().is_some_and(|outer| outer.is("arrow_function"));
    if is_parameter || lone {
        return true;
    }
    let statement = statement_of(node);
    let block = statement.and_then(Node::parent);
    let is_above =
        block.is_some_and(|block| block.holds(piece)) && statement.is_some_and(|it| it.end() <= piece.start());
    const GIVES: &[&str] = &[
        "class_definition",
        "expression_statement",
        "function_declaration",
        "function_definition",
        "import_from_statement",
        "import_statement",
        "lexical_declaration",
    ];
    let gives = statement.is_some_and(|it| {
        let bare = it.named_children().next().filter(|it| it.is("assignment"));
        it.is_any(GIVES) && bare.is_none_or(|assignment| assignment.child("right").is_some())
    });
    let is_head = node.ancestors().any(|outer| {
        outer.is_any(&["for_statement", "for_in_statement", "with_statement", "except_clause", "catch_clause"])
            && outer
                .child("body")
                .or_else(|| outer.named_children().last())
                .is_some_and(|body| (body.holds(piece) || body == piece) && !body.span().contains(write.span))
    });
    is_above && gives || is_head || is_of_comprehension(node, piece)
}

/// Tells whether a variable of a comprehension has its value where a piece of it is evaluated.
fn is_of_comprehension(variable: Node<'_>, piece: Node<'_>) -> bool {
    let clause = variable.ancestors().find(|outer| outer.is("for_in_clause"));
    let Some(clause) = clause.filter(|it| it.child("left").is_some_and(|left| left.span().contains(variable.span())))
    else {
        return false;
    };
    let around = clause.parent().filter(|outer| outer.holds(piece));
    let is_body = around.and_then(|it| it.child("body")).is_some_and(|body| body == piece || body.holds(piece));
    around.is_some() && (is_body || piece.start() >= clause.end())
}
