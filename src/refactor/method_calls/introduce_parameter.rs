//! Introduce Parameter: an expression of a function becomes a parameter that has it as its default, or that all calls pass.
//!
//! ```python
//! def fare(length):                 def fare(length, rate=2.5):
//!     return length * 2.5       →       return length * rate
//! ```
//! A call passes the value of its own arguments where the expression asks for a parameter: `fare(trip, trip.length)`.
//! In Python, what may have another value at each call is worked out where it stands, unless the call passes it:
//! ```python
//! def age(born):                    def age(born, now=None):
//!                                       if now is None:
//!                               →           now = time.time()
//!     return time.time() - born         return now - born
//! ```

use super::add_parameter::{Added, Values};
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{ArgumentSource, Call, Parameter, Signature};
use crate::refactor::analysis::evaluation_order::{
    ExpressionReach, can_swap, evaluated_once, reach, reach_before, reach_of, reach_once,
};
use crate::refactor::analysis::expressions::{bare, candidates, is_path, replaced};
use crate::refactor::analysis::forward_references::known_at;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::{Layout, changed};
use crate::refactor::analysis::inferred_types::{is_typed, is_writable};
use crate::refactor::analysis::literal_types::literal_type;
use crate::refactor::analysis::probed_types::{ProbeSide, Question, or_none, probed, united};
use crate::refactor::analysis::signatures::{CallForm, ListOwner, UntypedCalls, name_of};
use crate::refactor::doubts::in_doubt;
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, function_of, is_class, statement_of};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// Where a name cannot stand for a value, or would mean something else.
const FIXED: &[&str] = &[
    "case_pattern",
    "concatenated_string",
    "enum_assignment",
    "format_specifier",
    "jsx_attribute",
    "literal_type",
    "match_pattern",
    "type",
    "type_annotation",
];
/// What is another object each time it is evaluated.
const MADE: &[&str] = &["array", "dictionary", "list", "object", "regex", "set"];
/// What only a function has beside its variables.
const OWN: &[&str] = &["super", "this"];
const ACTING: &str = "evaluated when the function is called, it may change something too early";
const EXITS: &[&str] = &["raise_statement", "return_statement", "throw_statement"];

/// An expression that leaves its function.
struct Leaving<'c> {
    code: &'c Code,
    names: &'c ScopedNames<'c>,
    function: Node<'c>,
    expression: Node<'c>,
    own: Signature<'c>,
}

/// What a name of the expression is to a call.
enum Given {
    /// The object that a method of Python is called on.
    Object,
    Parameter(usize),
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = &Code::of(session, request)?;
    let names = &ScopedNames::of(code);
    let found = candidates(code, request)?;
    let places = if request.params.flag("replace_all") { found.as_slice() } else { &found[..1] };
    let expression = bare(found[0]);
    let at_calls = request.params.flag("at_calls");
    let function = function_with_name(code, expression)?;
    let own = Signature::bare((code, function))?;
    let leaving = Leaving { code, names, function, expression, own };
    let early = leaving.check(places, at_calls);
    let late = match early {
        Err(refusal) => Some(leaving.late(places, at_calls).ok_or(refusal)?),
        Ok(()) => None,
    };
    let (name, value) = (request.params.needed("name")?, expression.text(code.text()));
    let default = if late.is_some() { "None" } else { value };
    let known = match request.params.given("param_type") {
        Some(given) => Some(given.to_owned()),
        None => leaving.type_of(session, late, at_calls).await?,
    };
    let (known, import) = match late {
        Some(_) => or_none(code, names, known),
        None => (known, None),
    };
    let known = known.map(|of| known_at(code, names, leaving.function.start(), of));
    let added = Added {
        name,
        of: known.as_deref(),
        default: (!at_calls).then_some(default),
        passed: Values::everywhere(at_calls.then_some(value)),
        untyped: UntypedCalls::Doubted,
    };
    added.check(code, leaving.function)?;
    let meant = |place: ListOwner<'_>, form, _: &str| leaving.said_at(session, place, form);
    let mut edits = added.edits_as_meant(session, (code, leaving.function), &meant).await?;
    edits.add(code, places.iter().map(|one| replaced(code, *one, name)));
    edits.import(code, import);
    edits.add(code, late.map(|statement| worked_out(code, statement, (name, value))));
    edits.plan()
}

/// Writes what a parameter is where no call passes it.
fn worked_out(code: &Code, statement: Node<'_>, (name, value): (&str, &str)) -> TextEdit {
    let (end, indent, layout) = (code.newline(), code.indent(statement.start()), Layout::of(code));
    let step = layout.step();
    let text = format!("if {name} is None:{end}{indent}{step}{name} = {value}{end}{indent}");
    TextEdit::new(Span::at(statement.start()), text)
}

/// Returns the nearest function around an expression of its body that has a name.
fn function_with_name<'c>(code: &Code, expression: Node<'c>) -> Result<Node<'c>, Refusal> {
    let is_it = |it: &Node<'_>| {
        let is_inside = it.child("body").is_some_and(|body| body == expression || body.holds(expression));
        is_any_function(*it) && is_inside && name_of(*it).is_some()
    };
    let none = || code.refuse(expression.start(), "it stands in the body of no function that has a name");
    let function = expression.ancestors().find(is_it).ok_or_else(none)?;
    let marks = definition(function).children().filter(|it| it.is("decorator"));
    let is_property = |it: Node<'_>| it.text(code.text()).trim_end().ends_with("property");
    match marks.into_iter().any(is_property) || function.children().any(|it| it.kind() == "get") {
        true => Err(code.refuse(function.start(), "it is a property, which is passed nothing")),
        false => Ok(function),
    }
}

impl<'c> Leaving<'c> {
    fn check(&self, places: &[Node<'c>], at_calls: bool) -> Result<(), Refusal> {
        let refuse = |reason: &str| Err(self.code.refuse(self.expression.start(), reason));
        self.check_names(at_calls)?;
        each(places.iter().map(|one| self.check_place(*one)))?;
        // What answers anew each time is asked as often as before.
        let reach = match places {
            [_] => reach_once(self.names, self.code, self.expression),
            _ => reach(self.names, self.code, self.expression),
        };
        let is_made = self.parts().any(|it| it.is_any(MADE));
        if reach == ExpressionReach::Acts {
            return refuse(ACTING);
        }
        if is_made && places.len() > 1 {
            return refuse("each place makes an object of its own");
        }
        if self.code.family() == Family::Python && !at_calls {
            return self.check_default(reach);
        }
        match reach == ExpressionReach::Reads || is_made {
            true => each(places.iter().map(|one| self.check_order(*one))).map(drop),
            false => Ok(()),
        }
    }

    /// Refuses what only means something in the function; calls know what they pass for its parameters, and a default of a
    /// script what was passed for those before it.
    fn check_names(&self, at_calls: bool) -> Result<(), Refusal> {
        let Self { code, names, expression, .. } = self;
        self.check_lines()?;
        let inside = names.within(expression.span());
        let in_default = code.family() == Family::Script && !at_calls;
        let is_given = |it: &Name| (at_calls || in_default) && self.given(*it).is_some();
        let is_local = |it: &Name| names.function_of_meaning(it.meaning).is_some() && !self.is_own(*it);
        let mut bound = inside.filter(|it| is_local(it) && !is_given(it));
        // A list of arguments is called so by the grammar, too.
        let is_arguments = |it: &Node<'_>| it.is("identifier") && it.text(code.text()) == "arguments";
        let is_own = |it: &Node<'_>| it.is_any(OWN) && !in_default || is_arguments(it);
        let own = self.parts().find(is_own).map(Node::span);
        let first = bound.next();
        let hint = match first.is_some_and(|it| self.given(it).is_some()) {
            true => ": give `at_calls`, so that each call passes it",
            false => "",
        };
        match first.map(|it| it.span).or(own) {
            Some(span) => {
                let text = span.of(code.text()).unwrap_or_default();
                Err(code.refuse(span.start, format!("`{text}` is not known outside of the function{hint}")))
            }
            None => Ok(()),
        }
    }

    fn check_lines(&self) -> Result<(), Refusal> {
        match self.expression.text(self.code.text()).contains('\n') {
            true => Err(self.code.refuse(self.expression.start(), "the expression takes several lines")),
            false => Ok(()),
        }
    }

    /// Returns the expression and everything below.
    fn parts(&self) -> impl Iterator<Item = Node<'c>> {
        std::iter::once(self.expression).chain(self.expression.descendants())
    }

    /// Tells whether a name is bound in the expression itself, as the variable of a comprehension is.
    fn is_own(&self, name: Name) -> bool {
        self.names.of_meaning(name.meaning).all(|one| self.expression.span().contains(one.span))
    }

    /// Returns the names that mean something of the module.
    fn outer_names(&self) -> impl Iterator<Item = Name> {
        self.names.within(self.expression.span()).filter(|name| !self.is_own(*name) && self.given(*name).is_none())
    }

    /// Returns which parameter of the function a name is, whose value is the one that is passed.
    fn given(&self, name: Name) -> Option<Given> {
        let text = name.span.of(self.code.text())?;
        let list = self.function.child("parameters")?;
        let mut writes = self.names.writes(name.meaning);
        let declared = writes.next().filter(|it| list.span().contains(it.span) && writes.next().is_none())?;
        if self.own.receiver() == Some(text) && self.own.parameters.iter().all(|it| it.name.span() != declared.span) {
            return Some(Given::Object);
        }
        let is_it = |it: &Parameter<'_>| it.name.span() == declared.span && it.way != ArgumentSource::Rest;
        self.own.parameters.iter().position(is_it).map(Given::Parameter)
    }

    /// Says what a call passes: the expression, with what it passes itself for the parameters there.
    fn said_at(&self, session: &Session, place: ListOwner<'_>, form: CallForm) -> Result<String, Refusal> {
        self.check_call(session, place)?;
        let (code, call) = (place.0, Call::of(place, &self.own, form)?);
        let mut edits = Vec::new();
        for name in self.names.within(self.expression.span()).filter(|it| !self.is_own(*it)) {
            let argument = match self.given(name) {
                Some(Given::Object) => call.object(),
                Some(Given::Parameter(at)) => call.value(at),
                None => continue,
            };
            let text = name.span.of(self.code.text()).unwrap_or_default();
            let unpassed = || code.refuse(place.1.start(), format!("nothing is passed for `{text}` here"));
            let argument = argument.ok_or_else(unpassed)?;
            if !is_path(argument) {
                let reason = format!("what is passed for `{text}` here would be evaluated twice");
                return Err(code.refuse(argument.start(), reason));
            }
            edits.push(TextEdit::new(name.span, argument.text(code.text())));
        }
        Ok(changed(self.code.text(), self.expression.span(), &edits))
    }

    fn check_place(&self, one: Node<'c>) -> Result<(), Refusal> {
        let refuse = |reason: &str| Err(self.code.refuse(one.start(), reason));
        if !self.function.child("body").is_some_and(|body| body == one || body.holds(one)) {
            return refuse("the other place is in another function");
        }
        let around = one.ancestors().take_while(|it| *it != self.function);
        match around.into_iter().any(|it| it.is_any(FIXED)) {
            true => refuse("no name can stand here"),
            false => Ok(()),
        }
    }

    /// Refuses a default of Python, which is evaluated once, when the function is defined, unless it is the same for all time.
    fn check_default(&self, reach: ExpressionReach) -> Result<(), Refusal> {
        let refuse = |at: Span, reason: &str| {
            let hint = "a default is evaluated once, when the function is defined: give `at_calls`, so that each call passes it";
            Err(self.code.refuse(at.start, format!("{reason}; {hint}")))
        };
        let varies = |it: &Node<'_>| it.is_any(MADE) || it.is_any(&["attribute", "call", "interpolation", "subscript"]);
        if let Some(node) = self.parts().find(varies) {
            return refuse(node.span(), "its value may be another one at each call");
        }
        if reach != ExpressionReach::Local {
            return refuse(self.expression.span(), "its value may change");
        }
        match self.outer_names().find(|name| !self.is_there(*name)) {
            Some(name) => {
                refuse(name.span, "the name may have no value yet, or another one, where the function is defined")
            }
            None => Ok(()),
        }
    }

    /// Tells whether a name of the module means the same in the head of the function, and has its value by then.
    fn is_there(&self, name: Name) -> bool {
        let whole = definition(self.function);
        let text = name.span.of(self.code.text()).unwrap_or_default();
        let is_hidden = whole.ancestors().filter(|it| is_class(*it)).any(|class| {
            let mut bound = self.names.named(text).filter(|it| it.is_binding && it.meaning != name.meaning);
            bound.any(|it| class.span().contains(it.span))
        });
        let is_early = |write: Name| {
            let statement = statement_of(self.code.covering(write.span));
            write.span.end <= whole.start() && statement.and_then(Node::parent) == Some(self.code.root())
        };
        !name.is_free && !is_hidden && self.names.writes(name.meaning).all(is_early)
    }

    /// Refuses where the expression could have another value when the function is called, or would not have been evaluated.
    fn check_order(&self, one: Node<'c>) -> Result<(), Refusal> {
        let Self { code, names, function, .. } = self;
        let refuse = |reason: &str| Err(code.refuse(one.start(), reason));
        let Some(body) = function.child("body") else { return refuse("the function has no body") };
        let statement = statement_of(one).filter(|it| body.holds(*it));
        let is_first = function_of(one) == Some(*function) && statement.is_none_or(|it| it.parent() == Some(body));
        let is_late = function.children().any(|it| matches!(it.kind(), "async" | "*"))
            || body.walk_until(is_any_function).any(|it| it.is_any(&["yield", "yield_expression"]));
        if !is_first || is_late || evaluated_once(code, body, one).is_err() {
            return refuse("it is not evaluated at once and exactly once when the function is called");
        }
        let before = Span::new(body.start(), statement.map_or(body.start(), Node::start));
        let leaves = |it: Node<'_>| it.is_any(EXITS) && before.contains(it.span());
        if body.walk_until(is_any_function).any(leaves) {
            return refuse("the function may be left before it is evaluated");
        }
        let acts = reach_of(names, code, body, before).max(reach_before(names, code, statement.unwrap_or(body), one));
        match acts == ExpressionReach::Acts {
            true => in_doubt(code, one.span(), "what is done before it could change it"),
            false => Ok(()),
        }
    }

    /// Refuses a call where the expression would mean something else.
    fn check_call(&self, session: &Session, (code, call): ListOwner<'_>) -> Result<(), Refusal> {
        let names = ScopedNames::of(code);
        let is_here = code.path == self.code.path;
        let differs = |name: &Name| {
            let text = name.span.of(self.code.text()).unwrap_or_default();
            names.named(text).filter(|it| it.is_binding).any(|it| match is_here {
                true => {
                    let around = function_of(code.covering(it.span)).unwrap_or_else(|| code.root());
                    it.meaning != name.meaning && around.span().contains(call.span())
                }
                false => name.is_free || !required::imports(session, code, it, self.code),
            })
        };
        if let Some(name) = self.outer_names().find(differs) {
            let text = name.span.of(self.code.text()).unwrap_or_default();
            return Err(code.refuse(call.start(), format!("`{text}` refers to something else here")));
        }
        let passed = call.child("arguments").map_or(ExpressionReach::Local, |list| reach(&names, code, list));
        match (passed, reach_once(self.names, self.code, self.expression)) {
            (ExpressionReach::Acts, ExpressionReach::Reads) => {
                Err(code.refuse(call.start(), "what else is passed could change it"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the statement before which the expression can be worked out in Python, where a default cannot hold it: at the same
    /// time as before, and once.
    fn late(&self, places: &[Node<'c>], at_calls: bool) -> Option<Node<'c>> {
        let Self { code, names, function, expression, .. } = self;
        let [only] = places else { return None };
        let body = function.child("body").filter(|_| code.family() == Family::Python && !at_calls)?;
        if self.check_lines().is_err() || self.check_place(*only).is_err() || function_of(*only) != Some(*function) {
            return None;
        }
        let statement = statement_of(*only).filter(|it| body.holds(*it))?;
        // As the variable of a comprehension around is.
        let is_of_statement = |name: Name| {
            let mut bound = names.of_meaning(name.meaning).filter(|it| it.is_binding);
            !self.is_own(name) && bound.any(|it| statement.span().contains(it.span))
        };
        if names.within(expression.span()).any(is_of_statement) {
            return None;
        }
        let is_repeated = |it: Node<'_>| it.is_any(&["for_statement", "while_statement"]);
        let is_alone = code.text()[code.line_start(statement.start())..statement.start()].trim().is_empty();
        let waits = statement.descendants().any(|it| it.is_any(&["await", "yield"]));
        if !is_alone || waits || statement.ancestors().take_while(|it| it != function).any(is_repeated) {
            return None;
        }
        let once = evaluated_once(code, statement, *only).is_ok();
        let before = reach_before(names, code, statement, *only);
        (once && can_swap(before, reach(names, code, *expression))).then_some(statement)
    }

    /// Returns the type of the parameter, where the function says types.
    async fn type_of(
        &self,
        session: &Session,
        late: Option<Node<'c>>,
        at_calls: bool,
    ) -> Result<Option<String>, Refusal> {
        let Self { code, names, function, expression, .. } = self;
        let is_typed = match code.family() {
            Family::Python => is_typed(*function),
            // A default says its type itself.
            _ => at_calls && code.is_typed_script(),
        };
        if !is_typed {
            return Ok(None);
        }
        if let Some(known) = literal_type(code.family(), *expression, code.text()).filter(|_| late.is_none()) {
            return Ok(Some(known.to_owned()));
        }
        if code.family() != Family::Python {
            session.may_ask()?;
        }
        let Some(statement) = statement_of(*expression) else { return Ok(None) };
        let asked = Question { statement, side: ProbeSide::Before, expression: expression.text(code.text()) };
        let known = probed(session, code, &[asked]).await.into_iter().next().flatten();
        Ok(match code.family() {
            Family::Python => united(code, names, &[known]),
            _ => known.filter(|known| is_writable(code, names, known)),
        })
    }
}
