//! Separate Query from Modifier.
//!
//! ```python
//! def add(self, item):                     def add(self, item):
//!     self.items.append(item)                  self.items.append(item)
//!     return len(self.items)
//!                                      →   def count(self):
//!                                              return len(self.items)
//!
//! number = order.add("tea")                order.add("tea")
//!                                          number = order.count()
//! ```
//! Where the answer is known before anything is changed, it is asked first.

mod early_answer;
mod early_returns;

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{indent, is_alone};
use crate::refactor::analysis::call_sites::{Call, Passing, Signature};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::free_names::check_member_name;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::{Layout, without_lines};
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::result_docs::ResultDocs;
use crate::refactor::analysis::signatures::{Callee, is_literal};
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, function_at, function_of, is_block, statement_of};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};
use early_answer::{Early, check_target};
use early_returns::EarlyReturns;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// The function, taken apart.
struct Parted<'c> {
    signature: &'c Signature<'c>,
    body: Node<'c>,
    /// The `return` at its end.
    last: Node<'c>,
    /// The numbers of the parameters that the answer hangs on.
    needed: Vec<usize>,
    /// What asks from now on.
    name: &'c str,
    /// What reckons the answer, where that is known before all else is done.
    early: Option<Early<'c>>,
    /// What answers at several places.
    returning: Option<EarlyReturns<'c>>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    let body = function.child("body").filter(|it| it.is_any(&["block", "statement_block"]));
    let body = body.ok_or_else(|| code.refuse(function.start(), "it has no body of statements"))?;
    let is_answer = |it: &Node<'_>| it.is("return_statement") && it.named_children().next().is_some();
    if body.named_children().count() < 2 || !body.descendants().any(|it| is_answer(&it)) {
        return Err(code.refuse(function.start(), "it does not both return a value and change something"));
    }
    let name = request.params.needed("name")?;
    let callee = Callee::of(session, &code, function).await?;
    let passing = Passing::of(session, &callee).await?;
    let signature = passing.only((&code, function))?;
    let parted = Parted::of(signature, name)?;
    match signature.class {
        Some(class) => check_member_name(session, &class, name).await?,
        None => check_unused(signature.code, name)?,
    }
    let mut edits = Edits::default();
    edits.warn(callee.warnings.iter().cloned());
    let docs = ResultDocs::of(signature, &parted.needed);
    edits.warn(docs.as_ref().and_then(ResultDocs::remark));
    edits.add(signature.code, parted.declared(docs.as_ref())?);
    let mut users: BTreeMap<&AbsPath, &Code> = BTreeMap::new();
    for call in &passing.calls {
        if call.code.path == signature.code.path && signature.function.holds(call.node) {
            return Err(call.refuse("it calls itself"));
        }
        let asking = parted.asking(call)?;
        if !asking.is_empty() && call.callee().is_leaf() && call.code.path != signature.code.path {
            users.insert(&call.code.path, call.code);
        }
        edits.add(call.code, asking);
    }
    for user in users.into_values() {
        check_unused(user, name).noted()?;
        edits.import(user, required::line(session, signature.code, user, name));
    }
    edits.plan()
}

impl<'c> Parted<'c> {
    fn of(signature: &'c Signature<'c>, name: &'c str) -> Result<Self, Refusal> {
        let (code, function) = (signature.code, signature.function);
        let refuse = |node: Node<'_>, reason: &str| code.refuse(node.start(), reason);
        let is_plain = function.is_any(&["function_definition", "function_declaration", "method_definition"]);
        let is_bare = definition(function) == function && function.child("type_parameters").is_none();
        if !is_plain || !is_bare || !signature.runs_at_once() {
            return Err(refuse(function, "it is not an ordinary function"));
        }
        signature.check_seen()?;
        let body =
            function.child("body").filter(|it| is_block(*it)).ok_or_else(|| refuse(function, "it has no body"))?;
        let own = body.walk_until(is_any_function);
        let statements: Vec<Node<'c>> = body.named_children().collect();
        if own.into_iter().any(|it| it.is("return_statement") && statements.last() != Some(&it)) {
            return Self::of_several(signature, body, name);
        }
        let last = statements.last().copied().filter(|it| it.is("return_statement") && statements.len() > 1);
        let last = last.ok_or_else(|| refuse(body, "it does not do something and return a value at its end"))?;
        let value = last.named_children().next();
        let value = value.ok_or_else(|| refuse(last, "it answers nothing"))?;
        let names = ScopedNames::of(code);
        if reach(&names, code, value) == ExpressionReach::Acts {
            in_doubt(code, value.span(), "the answer itself may have side effects")?;
        }
        let (mut needed, mut early) = (Vec::new(), None);
        let is_own = |meaning: usize| names.function_of_meaning(meaning) == Some(function);
        let is_given = |meaning: usize| {
            signature.parameters.iter().any(|it| names.at(it.name).is_some_and(|it| it.meaning == meaning))
        };
        let is_object = |one: &Name| Some(code.covering(one.span).text(code.text())) == signature.receiver();
        let is_reckoned = |one: &Name| is_own(one.meaning) && !is_given(one.meaning) && !is_object(one);
        if names.within(value.span()).any(|one| is_reckoned(&one)) {
            early = Some(Early::of(signature, &statements[..statements.len() - 1], value)?);
        }
        let spans = early.as_ref().map(Early::span).into_iter().chain([value.span()]);
        for one in spans.flat_map(|span| names.within(span)) {
            if !is_own(one.meaning) || early.is_some() && is_reckoned(&one) {
                continue;
            }
            let is_it = |node: Node<'c>| names.at(node).is_some_and(|it| it.meaning == one.meaning);
            let at = signature.parameters.iter().position(|it| is_it(it.name));
            match at.filter(|_| names.writes(one.meaning).count() == 1) {
                Some(at) => needed.push(at),
                None if is_object(&one) && names.writes(one.meaning).count() == 1 => {}
                None => return Err(code.refuse(one.span.start, "the answer depends on what is known here alone")),
            }
        }
        let needed = passed(signature, needed)?;
        Ok(Self { signature, body, last, needed, name, early, returning: None })
    }

    /// Parts a function that returns at several places.
    fn of_several(signature: &'c Signature<'c>, body: Node<'c>, name: &'c str) -> Result<Self, Refusal> {
        let code = signature.code;
        let names = ScopedNames::of(code);
        let returning = EarlyReturns::of(signature, body)?;
        let asked: Vec<Name> = names.within(body.span()).filter(|it| returning.kept(it.span)).collect();
        let is_asked = |parameter: Node<'_>| {
            names.at(parameter).is_some_and(|it| asked.iter().any(|one| one.meaning == it.meaning))
        };
        let needed = (0..signature.parameters.len()).filter(|at| is_asked(signature.parameters[*at].name)).collect();
        let needed = passed(signature, needed)?;
        let last = body.named_children().last().unwrap_or(body);
        Ok(Self { signature, body, last, needed, name, early: None, returning: Some(returning) })
    }

    /// Tells whether the answer is asked for before anything is changed.
    fn is_asked_first(&self) -> bool {
        self.early.is_some() || self.returning.is_some()
    }

    /// Lets the function answer no more, and declares what does.
    fn declared(&self, docs: Option<&ResultDocs<'_>>) -> Result<Vec<TextEdit>, Refusal> {
        let (code, function, text) = (self.signature.code, self.signature.function, self.signature.code.text());
        let ends = self.last.is("return_statement");
        if ends && !is_alone(code, self.last) {
            return Err(code.refuse(self.last.start(), "more than a statement is on its line"));
        }
        let is_python = code.family() == Family::Python;
        let (end, base) = (code.newline(), code.indent(function.start()));
        let layout = Layout::of(code);
        let parameters = self.needed.iter().map(|at| self.signature.parameters[*at].node.text(text));
        let object = self.signature.receiver().filter(|_| is_python);
        let parameters: Vec<&str> = object.into_iter().chain(parameters).collect();
        let of = function.child("return_type");
        let shown = of.map(|it| it.text(text)).unwrap_or_default();
        let outer = function.parent().filter(|it| it.is("export_statement")).unwrap_or(function);
        let name = self.signature.name_node().unwrap_or(function);
        let head = &text[outer.start()..name.start()];
        if head.contains("default") || head.contains("override") || head.contains("\n") {
            return Err(code.refuse(outer.start(), "it is declared in a way that no other function can be"));
        }
        let inner = format!("{base}{}", layout.step());
        let value = self.evaluated(&inner);
        let told = |base: &str| docs.and_then(|it| it.written(base)).map(|it| format!("{it}{end}{base}"));
        let parameters = parameters.join(", ");
        let (gap, made) = if is_python {
            let shown = if shown.is_empty() { String::new() } else { format!(" -> {shown}") };
            let gap = if self.signature.class.is_some() { 2 } else { 3 };
            let told = told(&inner).unwrap_or_default();
            (gap, format!("{head}{}({parameters}){shown}:{end}{inner}{told}{value}", self.name))
        } else {
            let told = told(base).unwrap_or_default();
            (2, format!("{told}{head}{}({parameters}){shown} {{{end}{inner}{value}{end}{base}}}", self.name))
        };
        let mut edits = self.returning.as_ref().map(|it| it.silenced(self.last)).unwrap_or_default();
        edits.extend(docs.into_iter().flat_map(ResultDocs::silenced));
        let nothing = if is_python { "None" } else { ": void" };
        edits.extend(of.map(|it| TextEdit::new(it.span(), nothing)));
        let made = format!("{}{base}{made}", end.repeat(gap));
        match is_python {
            // The body ends with the statement that goes: what comes stands in its place.
            true if ends => edits.push(TextEdit::new(Span::new(self.before_last(), self.last.end()), made)),
            true => edits.push(TextEdit::new(Span::at(self.body.end()), made)),
            false => {
                edits.extend(ends.then(|| without_lines(code, self.last.span())));
                edits.push(TextEdit::new(Span::at(outer.end()), made));
            }
        }
        edits.extend(self.early.iter().map(|early| without_lines(code, early.span())));
        Ok(edits)
    }

    /// Writes what the query evaluates.
    fn evaluated(&self, inner: &str) -> String {
        let layout = Layout::of(self.signature.code);
        match (&self.returning, &self.early) {
            (Some(returning), _) => returning.query(),
            (None, None) => layout.moved(self.last.span(), inner),
            (None, Some(early)) => {
                let (early, last) = (layout.moved(early.span(), inner), layout.moved(self.last.span(), inner));
                format!("{early}{}{inner}{last}", self.signature.code.newline())
            }
        }
    }

    /// Returns where the last statement before the `return` ends, the comment on its line included.
    fn before_last(&self) -> usize {
        let code = self.signature.code;
        let before = &code.text()[self.body.start()..code.line_start(self.last.start())];
        self.body.start() + before.trim_end().len()
    }

    /// Tells whether a value that is made anew for each of two calls is the same for both: none of them answers with it.
    fn is_made_alike(&self, at: usize, value: Node<'_>) -> bool {
        let name = self.signature.parameters[at].name.text(self.signature.code.text());
        let is_list = value.is_any(&["list", "tuple", "array"]) && value.named_children().all(is_literal);
        is_list && self.returning.as_ref().is_some_and(|it| !it.returns(name))
    }

    /// Lets a call that is answered ask behind it.
    fn asking(&self, call: &Call<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let (code, text) = (call.code, call.code.text());
        let parent = call.node.parent().unwrap_or(call.node);
        if parent.is("expression_statement") {
            return match self.early.as_ref().is_some_and(Early::may_act) {
                true => in_doubt(
                    code,
                    call.node.span(),
                    "what computes the answer may have side effects, which would not happen here",
                )
                .map(|()| Vec::new()),
                false => Ok(Vec::new()),
            };
        }
        let statement = statement_of(call.node).ok_or_else(|| call.refuse("it is called in no statement"))?;
        let left = parent.child("left").or_else(|| parent.child("name"));
        let is_name = |it: Node<'_>| {
            it.is("identifier")
                || it.child("object").is_some_and(|object| ["self", "this"].contains(&object.text(text)))
        };
        let is_value = matches!(call.node.field(), Some("right" | "value")) && left.is_some_and(is_name);
        let is_kept = parent.is("return_statement") && parent == statement
            || is_value
                && parent.is_any(&["assignment", "assignment_expression", "variable_declarator"])
                && parent.parent() == Some(statement)
                && statement.named_children().count() == 1
                && !statement.is("augmented_assignment");
        if !is_kept || !is_alone(code, statement) {
            return Err(call.refuse("its answer is used inside a larger expression"));
        }
        let names = ScopedNames::of(code);
        let is_steady = |it: Node<'_>| {
            let name = names.at(it).filter(|_| it.is("identifier"));
            let is_local =
                name.is_some_and(|name| names.is_fixed(name) || names.is_local(name, function_of(call.node)));
            is_literal(it) && !it.is_any(&["array", "object", "regex"]) || it.is("this") || is_local
        };
        let object = call.callee().child("object");
        if let Some(object) = object.filter(|it| !is_steady(*it) && self.signature.class.is_some()) {
            in_doubt(code, object.span(), "the object could be another one by the time it is asked")?;
        }
        let mut passed = Vec::new();
        for at in &self.needed {
            let value = call.value(*at).ok_or_else(|| call.refuse("it does not pass all that is taken"))?;
            if !is_steady(value) && !self.is_made_alike(*at, value) {
                return Err(code.refuse(value.start(), "this would be evaluated twice"));
            }
            passed.push(value.text(text));
        }
        let object = object.map(|it| format!("{}.", it.text(text))).unwrap_or_default();
        let asked = format!("{object}{}({})", self.name, passed.join(", "));
        let semicolon = if code.family() == Family::Python { "" } else { ";" };
        if self.is_asked_first() {
            check_target(call, left.filter(|_| is_value))?;
            let line = format!("{}{}{}{semicolon}", code.newline(), indent(code, statement)?, call.node.text(text));
            return Ok(vec![TextEdit::new(call.node.span(), asked), TextEdit::new(Span::at(statement.end()), line)]);
        }
        let line = format!("{}{semicolon}{}{}", call.node.text(text), code.newline(), indent(code, statement)?);
        Ok(vec![TextEdit::new(Span::at(statement.start()), line), TextEdit::new(call.node.span(), asked)])
    }
}

/// Returns the parameters that the answer depends on, in order; refuses those that calls can do without.
fn passed(signature: &Signature<'_>, mut needed: Vec<usize>) -> Result<Vec<usize>, Refusal> {
    needed.sort_unstable();
    needed.dedup();
    let is_optional = |at: &&usize| signature.parameters[**at].is_open() || signature.parameters[**at].is_named();
    match needed.iter().find(is_optional) {
        Some(at) => {
            let node = signature.parameters[*at].node;
            Err(signature.code.refuse(node.start(), "calls can do without what the answer depends on"))
        }
        None => Ok(needed),
    }
}
