//! Replace Inline Code with Function Call: what says the same as the body of a function calls it.
//!
//! ```python
//! def fee(price):                    def fee(price):
//!     return price * RATE + 1            return price * RATE + 1
//!
//! total = order.price * RATE + 1  →  total = fee(order.price)
//! ```

use super::restructure::{Form, Goal, Rewriting, Verdict};
use crate::plan::{Plan, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::parts;
use crate::refactor::analysis::classes::{Class, ClassHierarchy};
use crate::refactor::analysis::evaluation_order::{ExpressionReach, can_swap, evaluated_once, reach, reach_before};
use crate::refactor::analysis::expressions::bare;
use crate::refactor::analysis::module_functions::ModuleFunction;
use crate::refactor::analysis::parameters::{self, Parameter};
use crate::refactor::analysis::signatures::name_of;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_at, function_of, is_block};
use crate::session::Session;
use crate::syntax::python::decorators;
use crate::syntax::scopes::Name;
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
    rewriting.everywhere((&code, code.root().span()), request).await?;
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
    /// All that calls give something for.
    parameters: Vec<Asked<'c>>,
    /// Where the piece asks for the object of its method.
    objects: Vec<Node<'c>>,
}

/// A parameter, as the piece asks for it.
struct Asked<'c> {
    parameter: Parameter<'c>,
    /// What stands for it in the form.
    hole: String,
    places: Vec<Node<'c>>,
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
        let asked = |(at, parameter): (usize, Parameter<'c>)| {
            let meaning = names.at(parameter.name).map(|it| it.meaning);
            let all = meaning.into_iter().flat_map(|it| names.of_meaning(it));
            let places = all.filter(|it| piece.span().contains(it.span)).map(|it| code.covering(it.span)).collect();
            Asked { parameter, hole: hole(code, parameter, at), places }
        };
        let mut parameters: Vec<Asked<'c>> =
            parameters::all(code, function).into_iter().enumerate().map(asked).collect();
        let has_first = class.is_some() && code.family() == Family::Python && !parameters.is_empty();
        let objects = match has_first {
            true => parameters.remove(0).places,
            false if class.is_some() => piece.walk_until(|_| false).filter(|it| it.is("this")).collect(),
            false => Vec::new(),
        };
        Ok(Self { code, names, function, name: name.text(code.text()), class, piece, parameters, objects })
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
        if let Some(tied) = piece
            .walk_until(|_| false)
            .find(|it| it.is_any(TIED) || it.is_leaf() && TIED_NAMES.contains(&it.text(code.text())))
        {
            return refuse(tied, "it would mean something else elsewhere");
        }
        if let Some(object) = piece.walk_until(|_| false).find(|it| it.is("this") && self.class.is_none()) {
            return refuse(object, "it asks for its object, which is none of a function");
        }
        if let Some(leaving) = piece
            .walk_until(|_| false)
            .find(|it| it.is_any(&["return_statement", "throw_statement", "raise_statement"]))
        {
            return refuse(leaving, "its only statement leaves it in several ways");
        }
        let mut bound = self.names.within(piece.span()).filter(|it| self.names.is_write(*it));
        let is_of_function = |name: &Name| {
            self.names.function_of_meaning(name.meaning) == Some(function)
                && !code
                    .covering(name.span)
                    .ancestors()
                    .any(|it| piece.holds(it) && it.kind().contains("comprehension"))
        };
        if let Some(name) = bound.find(is_of_function) {
            return Err(code.refuse(name.span.start, "it sets a variable of its function"));
        }
        let mut taken = self.parameters.iter().map(|it| it.parameter);
        match taken.find(|it| it.bound() != it.name || !it.name.is("identifier")) {
            Some(rest) => refuse(rest.node, "nobody knows what calls would pass for it"),
            None => Ok(()),
        }
    }

    /// Writes the piece with holes for what differs from place to place.
    fn form(&self) -> String {
        let mut holes: Vec<(Span, &str)> = self.objects.iter().map(|it| (it.span(), OBJECT)).collect();
        for Asked { hole, places, .. } in &self.parameters {
            holes.extend(places.iter().map(|it| (it.span(), hole.as_str())));
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
        for Asked { parameter, hole, places } in &self.parameters {
            let name = parameter.name.text(self.code.text());
            match places.is_empty() {
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
        if self.class.is_some() && self.objects.is_empty() {
            return Err(self.code.refuse(self.function.start(), "it asks for nothing of its object"));
        }
        Ok(format!("{object}{}{call}", self.name))
    }

    /// Tells what speaks against a call in the place of some code.
    fn judged(&self, (other, names): (&Code, &ScopedNames<'_>), one: &Occurrence) -> Option<Verdict> {
        let is_here = other.path == self.code.path;
        if is_here && self.function.span().contains(one.span) {
            return Some(Verdict::Itself);
        }
        let stays = |reason: String| Some(Verdict::Left(WarningKind::FollowUp, reason));
        let there = other.covering(one.span);
        let is_statement = |it: Node<'_>| it.kind().ends_with("_statement");
        let is_asked = !is_statement(there) && !there.parent().is_some_and(|it| it.is("expression_statement"));
        if is_asked && self.piece.parent().is_some_and(is_block) {
            return stays(format!("its value is asked for, and `{}` gives none", self.name));
        }
        if is_here && function_of(there).is_none() && one.span.start < self.function.start() {
            return stays(format!("it runs before `{}` is there", self.name));
        }
        let reason = self.parameters.iter().find_map(|asked| {
            let value = other.covering(one.holes.get(&asked.hole).copied().flatten()?);
            self.moved_value((&asked.places, value), (other, names))
        });
        reason.and_then(stays)
    }

    /// Tells why a value cannot be passed: it would not be evaluated as it is, which nobody sees of a name.
    fn moved_value(
        &self,
        (places, value): (&[Node<'c>], Node<'_>),
        (other, names): (&Code, &ScopedNames<'_>),
    ) -> Option<String> {
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
        return Some(bare(body));
    }
    let mut statements = parts(function, body).into_iter().filter(|it| it.is_named());
    let only = statements.next().filter(|_| statements.next().is_none())?;
    match only.is("return_statement") {
        true => only.named_children().next().map(bare),
        false => Some(only),
    }
}

/// Returns what stands for a parameter in the form: its name in capitals, if that can be a hole's name.
fn hole(code: &Code, parameter: Parameter<'_>, at: usize) -> String {
    let name = parameter.name.text(code.text()).to_ascii_uppercase();
    let is_fit = name.starts_with(|it: char| it.is_ascii_uppercase())
        && name.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
        && name != OBJECT;
    if is_fit { name } else { format!("P{at}") }
}
