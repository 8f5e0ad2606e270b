//! Replace Inline Code with Function Call: what says the same as the body of a function calls it.
//!
//! ```python
//! def fee(price):                    def fee(price):
//!     return price * RATE + 1            return price * RATE + 1
//!
//! total = order.price * RATE + 1  →  total = fee(order.price)
//! ```

use super::restructure::{Form, Goal, Judged, Rewriting};
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy};
use crate::refactor::analysis::evaluation_order::{ExpressionReach, can_swap, evaluated_once, reach, reach_before};
use crate::refactor::analysis::module_functions::ModuleFunction;
use crate::refactor::analysis::parameters::{self, Parameter};
use crate::refactor::analysis::signatures::name_of;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_at, function_of, is_block, is_module_level};
use crate::session::Session;
use crate::syntax::python::{decorators, docstring};
use crate::syntax::{Family, Node, Occurrence, is_any_function, is_async};
use crate::text::Span;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What answers by where it is asked, or not at once: kinds of nodes, and names.
const TIED: &[&str] = &["await", "await_expression", "super", "yield", "yield_expression"];
const TIED_NAMES: &[&str] = &["__class__", "arguments", "eval", "exec", "locals", "super", "vars"];
/// What is the same wherever it is evaluated.
const PLAIN: &[&str] = &["false", "float", "identifier", "integer", "none", "null", "number", "string", "this", "true"];
/// Stands for the object of a method in its form.
const OBJECT: &str = "OBJECT";

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    let names = ScopedNames::of(&code);
    let body = Body::of(&code, &names, function)?;
    body.check()?;
    let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
    let mut form = Form::new((session, &kin), &code, body.form())?;
    if let Some(class) = &body.class {
        if let Some(heir) = kin.heirs(class).await?.iter().find(|it| it.class().has(body.name)) {
            let reason = format!("`{}` is another one in `{}`", body.name, heir.class().name());
            return Err(code.refuse(function.start(), reason));
        }
        form.types.push((OBJECT.to_owned(), kin.itself(class)?));
    }
    let goal = Goal::read(session, &code, (&body.goal()?, &form.pattern))?;
    let judge = |other: &Code, their_names: &ScopedNames<'_>, one: &Occurrence| body.judged((other, their_names), one);
    let mut rewriting = Rewriting::new(session, &form, &goal);
    rewriting.judge = Some(&judge);
    rewriting.rewrite(&code, code.root().span()).await?;
    for other in code.further(session, &request.params.globs("files")?)? {
        rewriting.rewrite(&other, other.root().span()).await?;
    }
    rewriting.plan()
}

/// What a function does, as one piece of code.
struct Body<'c> {
    code: &'c Code,
    names: &'c ScopedNames<'c>,
    function: Node<'c>,
    name: &'c str,
    /// The class of a method.
    class: Option<Class<'c>>,
    /// The value that is returned, or the only statement.
    piece: Node<'c>,
    /// All that calls give something for, with what stands for it in the form.
    parameters: Vec<(Parameter<'c>, String)>,
}

impl<'c> Body<'c> {
    fn of(code: &'c Code, names: &'c ScopedNames<'c>, function: Node<'c>) -> Result<Self, Refusal> {
        let refuse = |reason: &str| code.refuse(function.start(), reason);
        let name = name_of(function).ok_or_else(|| refuse("the function has no name to call it by"))?;
        let is_of_module = ModuleFunction::holding(function).is_some();
        let class = Class::around(code, function).filter(|_| !is_of_module);
        if !is_of_module && class.is_none() {
            return Err(refuse("it is a function inside of another one"));
        }
        let body = function.child("body").ok_or_else(|| refuse("it has no body"))?;
        let piece = piece(function, body).ok_or_else(|| refuse("its body is more than one statement"))?;
        let mut all = parameters::all(code, function);
        if class.is_some() && code.family() == Family::Python && !all.is_empty() {
            all.remove(0);
        }
        let parameters = all.into_iter().enumerate().map(|(at, it)| (it, hole(code, it, at))).collect();
        Ok(Self { code, names, function, name: name.text(code.text()), class, piece, parameters })
    }

    fn check(&self) -> Result<(), Refusal> {
        let (code, function, piece) = (self.code, self.function, self.piece);
        let refuse = |at: Node<'_>, reason: &str| Err(code.refuse(at.start(), reason));
        let is_property = |mark: Node<'_>| self.class.is_some() && mark.text(code.text()) == "@property";
        if let Some(mark) = decorators(function).find(|it| !is_property(*it)) {
            return refuse(mark, "something decorates the function");
        }
        if self.name.starts_with("__") && self.name.ends_with("__") {
            return refuse(function, "the language calls it, and nobody does by its name");
        }
        if is_async(function) || function.children().any(|it| it.kind() == "*") {
            return refuse(function, "the function gives its answer later");
        }
        if self.class.is_some() && function.children().any(|it| matches!(it.kind(), "static" | "set")) {
            return refuse(function, "it is no method of an object that is asked for something");
        }
        let all = || std::iter::once(piece).chain(piece.descendants());
        if let Some(tied) =
            all().find(|it| it.is_any(TIED) || it.is_leaf() && TIED_NAMES.contains(&it.text(code.text())))
        {
            return refuse(tied, "it would mean something else elsewhere");
        }
        if let Some(object) = all().find(|it| it.is("this") && self.class.is_none()) {
            return refuse(object, "it asks for its object, which is none of a function");
        }
        if let Some(leaving) = all().find(|it| it.is_any(&["return_statement", "throw_statement", "raise_statement"])) {
            return refuse(leaving, "its only statement leaves it in several ways");
        }
        let mut bound = self.names.within(piece.span()).filter(|it| self.names.is_write(*it));
        let is_of_function = |name: &crate::syntax::scopes::Name| {
            self.names.function_of_meaning(name.meaning) == Some(function)
                && !code
                    .covering(name.span)
                    .ancestors()
                    .any(|it| piece.holds(it) && it.kind().contains("comprehension"))
        };
        if let Some(name) = bound.find(is_of_function) {
            return Err(code.refuse(name.span.start, "it sets a variable of its function"));
        }
        match self.parameters.iter().find(|(it, _)| it.bound() != it.name || !it.name.is("identifier")) {
            Some((rest, _)) => refuse(rest.node, "nobody knows what calls would pass for it"),
            None => Ok(()),
        }
    }

    /// Returns the places where the piece asks for a parameter.
    fn places(&self, parameter: &Parameter<'c>) -> Vec<Node<'c>> {
        let Some(name) = self.names.at(parameter.name) else { return Vec::new() };
        let all = self.names.of_meaning(name.meaning).filter(|it| self.piece.span().contains(it.span));
        all.map(|it| self.code.covering(it.span)).collect()
    }

    /// Returns the places where the piece asks for its object.
    fn objects(&self) -> Vec<Node<'c>> {
        let all = || std::iter::once(self.piece).chain(self.piece.descendants());
        match (&self.class, self.code.family()) {
            (None, _) => Vec::new(),
            (_, Family::Python) => {
                let own = parameters::all(self.code, self.function).into_iter().next();
                own.map(|it| self.places(&it)).unwrap_or_default()
            }
            _ => all().filter(|it| it.is("this")).collect(),
        }
    }

    /// Writes the piece with holes for what differs from place to place.
    fn form(&self) -> String {
        let mut holes: Vec<(Span, &str)> = self.objects().iter().map(|it| (it.span(), OBJECT)).collect();
        for (parameter, hole) in &self.parameters {
            holes.extend(self.places(parameter).iter().map(|it| (it.span(), hole.as_str())));
        }
        holes.sort_by_key(|it| std::cmp::Reverse(it.0));
        let mut text = self.piece.text(self.code.text()).to_owned();
        for (span, hole) in holes {
            let at = span.start - self.piece.start()..span.end - self.piece.start();
            let is_short = self.code.covering(span).is("shorthand_property_identifier");
            let key = if is_short { format!("{}: ", &text[at.clone()]) } else { String::new() };
            text.replace_range(at, &format!("{key}${hole}"));
        }
        text.trim_end_matches(';').to_owned()
    }

    /// Writes the call.
    fn goal(&self) -> Result<String, Refusal> {
        let is_python = self.code.family() == Family::Python;
        let (mut given, mut is_by_name) = (Vec::new(), false);
        for (parameter, hole) in &self.parameters {
            let name = parameter.name.text(self.code.text());
            match self.places(parameter).is_empty() {
                true if parameter.is_open() => is_by_name = true,
                true => {
                    let reason = format!("its value asks for no `{name}`, which a call would have to pass");
                    return Err(self.code.refuse(parameter.node.start(), reason));
                }
                false if is_python && (is_by_name || parameter.is_named()) => given.push(format!("{name}=${hole}")),
                false if is_by_name => {
                    let reason = format!("`{name}` stands behind a parameter that no call would pass");
                    return Err(self.code.refuse(parameter.node.start(), reason));
                }
                false => given.push(format!("${hole}")),
            }
        }
        let is_read =
            decorators(self.function).next().is_some() || self.function.children().any(|it| it.kind() == "get");
        let object = if self.class.is_some() { format!("${OBJECT}.") } else { String::new() };
        let call = if is_read { String::new() } else { format!("({})", given.join(", ")) };
        if self.class.is_some() && self.objects().is_empty() {
            return Err(self.code.refuse(self.function.start(), "it asks for nothing of its object"));
        }
        Ok(format!("{object}{}{call}", self.name))
    }

    /// Tells what speaks against a call in the place of some code.
    fn judged(&self, (other, names): (&Code, &ScopedNames<'_>), one: &Occurrence) -> Judged {
        let is_here = other.path == self.code.path;
        if is_here && self.function.span().contains(one.span) {
            return Judged::Itself;
        }
        let there = other.covering(one.span);
        let is_statement = |it: Node<'_>| it.kind().ends_with("_statement");
        let is_asked = !is_statement(there) && !there.parent().is_some_and(|it| it.is("expression_statement"));
        if is_asked && self.piece.parent().is_some_and(is_block) {
            return Judged::Stays(format!("its value is asked for, and `{}` gives none", self.name));
        }
        let runs_at_once = is_module_level(other, one.span) || function_of(there).is_none();
        if is_here && runs_at_once && one.span.start < self.function.start() {
            return Judged::Stays(format!("it runs before `{}` is there", self.name));
        }
        let filled = |hole: &str| one.holes.get(hole).copied().flatten().map(|span| other.covering(span));
        for (parameter, hole) in &self.parameters {
            let Some(value) = filled(hole) else { continue };
            if let Some(reason) = self.moved_value((parameter, value), (other, names)) {
                return Judged::Stays(reason);
            }
        }
        Judged::Fits
    }

    /// Tells why a value cannot be passed: it would not be evaluated as it is, which nobody sees of a name.
    fn moved_value(
        &self,
        (parameter, value): (&Parameter<'c>, Node<'_>),
        (other, names): (&Code, &ScopedNames<'_>),
    ) -> Option<String> {
        let places = self.places(parameter);
        let is_later = |it: &Node<'_>| it.ancestors().take_while(|it| *it != self.function).any(is_any_function);
        let said = value.text(other.text());
        let is_variable = value.is("identifier") && names.at(value).is_some_and(|it| !names.is_fixed(it));
        if places.iter().any(is_later) && (is_variable || !value.is_any(PLAIN)) {
            return Some(format!("`{said}` is evaluated later here"));
        }
        if value.is_any(PLAIN) {
            return None;
        }
        let far = reach(names, other, value);
        let is_once = |it: &&Node<'_>| evaluated_once(self.code, self.piece, **it).is_ok();
        match places.iter().find(is_once) {
            None => Some(format!("`{said}` is not always evaluated here")),
            Some(_) if places.len() > 1 && far == ExpressionReach::Acts => {
                Some(format!("`{said}` is evaluated more than once here, and may act"))
            }
            Some(first) => {
                let before = reach_before(self.names, self.code, self.piece, *first);
                (!can_swap(before, far)).then(|| format!("`{said}` may be another value before all that is done here"))
            }
        }
    }
}

/// Returns the value that a body returns, or the only statement of it; nothing where there are more.
fn piece<'c>(function: Node<'c>, body: Node<'c>) -> Option<Node<'c>> {
    if !body.is_any(&["block", "statement_block"]) {
        return Some(unwrapped(body));
    }
    let documented = usize::from(docstring(function).is_some() && body.is("block"));
    let mut statements = body.named_children().filter(|it| !it.kind().ends_with("comment")).skip(documented);
    let only = statements.next().filter(|_| statements.next().is_none())?;
    match only.is("return_statement") {
        true => only.named_children().next().map(unwrapped),
        false => Some(only),
    }
}

/// Returns an expression without the parentheses around it.
fn unwrapped(expression: Node<'_>) -> Node<'_> {
    let inner = expression.named_children().next().filter(|_| expression.is("parenthesized_expression"));
    inner.map_or(expression, unwrapped)
}

/// Returns what stands for a parameter in the form: its name in capitals, if that can be a hole's name.
fn hole(code: &Code, parameter: Parameter<'_>, at: usize) -> String {
    let name = parameter.name.text(code.text()).to_ascii_uppercase();
    let is_fit = name.starts_with(|it: char| it.is_ascii_uppercase())
        && name.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
        && name != OBJECT;
    if is_fit { name } else { format!("P{at}") }
}
