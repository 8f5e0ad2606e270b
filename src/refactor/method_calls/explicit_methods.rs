//! Replace Parameter with Explicit Methods.
//!
//! ```python
//! def set(self, what, value):              def set_height(self, value):
//!     if what == "height":                     self.height = value
//!         self.height = value
//!     elif what == "width":            →   def set_width(self, value):
//!         self.width = value                   self.width = value
//!
//! box.set("width", 3)                      box.set_width(3)
//! ```
//! The function does nothing but to choose by the parameter, and every call says by a literal which way it goes; where a
//! flag is passed on, the call becomes a conditional.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{ArgumentSource, Call, Passing, Signature, check_takes};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::free_names::check_name;
use crate::refactor::analysis::indentation::{Layout, changed};
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::parameter_docs::without_docs;
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::analysis::signatures::Callee;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, function_at};
use crate::session::Session;
use crate::syntax::kinds::unwrapped;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// The function, taken apart.
struct Parted<'c> {
    signature: &'c Signature<'c>,
    /// The number of the parameter.
    at: usize,
    choice: Node<'c>,
    /// What stands behind a conditional that leaves the function.
    behind: Vec<Node<'c>>,
    legs: Vec<Leg<'c>>,
    /// What is done for all other values, which no call passes.
    rest: Vec<Node<'c>>,
}

/// What is done for one value.
struct Leg<'c> {
    /// The place of the parameter in its condition; a flag that does not hold has none.
    asked: Option<Node<'c>>,
    /// As [`said`] tells it.
    value: String,
    body: Vec<Node<'c>>,
    name: String,
}

/// What a call goes to.
enum Way<'p, 'c> {
    One(&'p Leg<'c>),
    /// To the one or the other, by a flag.
    Either(Node<'c>, [&'p Leg<'c>; 2]),
}

/// What a flag is where it holds, and where it does not.
const HOLDS: [&str; 2] = ["=true", "=false"];

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    check_takes(&code, function, 1)?;
    choice(&code, function)?;
    let callee = Callee::of(session, &code, function).await?;
    let passing = Passing::of(session, &callee).await?;
    let signature = passing.only((&code, function))?;
    let at = passing.at(request.params.needed("parameter")?)?;
    let parted = Parted::of(signature, at, request.params.list("names"))?;
    callee.check_imports(|path| passing.calls.iter().any(|call| call.code.path == *path)).noted()?;
    for leg in &parted.legs {
        let taken = parted.legs.iter().filter(|other| other.name == leg.name).count() > 1;
        let bad = crate::syntax::check_name(code.parsed().tree.language(), &leg.name).is_err();
        if taken || bad {
            return Err(code.refuse(parted.choice.start(), format!("`{}` cannot be its name: give `names`", leg.name)));
        }
        check_name(session, signature.code, signature.class.map(|class| class.node), &leg.name).noted()?;
    }
    let mut edits = Edits::default();
    edits.warn(callee.warnings.iter().cloned());
    edits.add(signature.code, [parted.declared()?]);
    let mut wanted: BTreeMap<&AbsPath, BTreeSet<&str>> = BTreeMap::new();
    for call in &passing.calls {
        let way = parted.way(call)?;
        edits.add(call.code, parted.called(call, &way)?);
        wanted.entry(&call.code.path).or_default().extend(way.names());
    }
    let uses = Uses::of(session, signature.code, signature.name_node().unwrap_or(function).start()).await?;
    for (user, one) in uses.iter().filter(|(_, one)| one.kind == UseKind::Import) {
        let node = one.node(user);
        let is_plain = one.span.of(user.text()) == Some(signature.name())
            && node.parent().is_none_or(|it| it.child("alias").is_none());
        let names = wanted.get(&user.path).filter(|_| is_plain);
        let names = names.ok_or_else(|| user.refuse(one.span.start, "it is imported in another way here"))?;
        for name in names {
            check_unused(user, name).noted()?;
        }
        edits.add(user, [TextEdit::new(one.span, names.iter().copied().collect::<Vec<_>>().join(", "))]);
    }
    edits.plan()
}

/// Statements that choose by a value.
const CASES: &[&str] = &["match_statement", "switch_statement"];

/// Tells whether statements end by leaving the function.
fn leaves(statements: &[Node<'_>]) -> bool {
    const LEAVES: &[&str] = &["raise_statement", "return_statement", "throw_statement"];
    statements.last().is_some_and(|last| last.is_any(LEAVES))
}

/// Returns the conditional that is all that a function does, and what is done where it has not left the function.
fn choice<'c>(code: &Code, function: Node<'c>) -> Result<(Node<'c>, Vec<Node<'c>>), Refusal> {
    let body = function.child("body").ok_or_else(|| code.refuse(function.start(), "it has no body"))?;
    let is_text = |it: &Node<'c>| it.named_children().next().is_some_and(|it| it.is("string"));
    let mut statements = body.named_children().skip_while(is_text);
    let choice = statements.next().filter(|it| it.is("if_statement") || it.is_any(CASES));
    let behind: Vec<Node<'c>> = statements.collect();
    let is_left = |it: &Node<'c>| {
        it.child("alternative").is_none() && it.child("consequence").is_some_and(|then| leaves(&statements_of(then)))
    };
    let choice = choice.filter(|it| behind.is_empty() || it.is_any(CASES) || is_left(it));
    let choice = choice.ok_or_else(|| code.refuse(body.start(), "it does more than choose by the parameter"))?;
    Ok((choice, behind))
}

/// Returns what a branch does.
fn statements_of(block: Node<'_>) -> Vec<Node<'_>> {
    match block.is_any(&["block", "statement_block"]) {
        true => block.named_children().collect(),
        false => vec![block],
    }
}

/// How a case may end.
#[derive(Clone, Copy, PartialEq)]
enum CaseEnd {
    /// By its last statement: nothing comes behind it.
    Anyhow,
    /// By leaving the function: what comes behind the choice is done otherwise.
    Leaving,
}

/// Returns what is done in a case, without the `break` that ends it; nothing where it goes on with the next one, or ends
/// in its middle.
fn case_body(case: Node<'_>, end: CaseEnd) -> Option<Vec<Node<'_>>> {
    let mut body: Vec<Node<'_>> = match case.child("consequence") {
        Some(block) => statements_of(block),
        None => case.children_in("body").flat_map(statements_of).collect(),
    };
    let ends = |it: &Node<'_>| it.is("break_statement") && it.named_children().next().is_none();
    let is_broken = body.last().is_some_and(ends);
    if is_broken {
        body.pop();
    }
    const OWN: &[&str] = &["do_statement", "for_in_statement", "for_statement", "switch_statement", "while_statement"];
    let is_script = !case.is("case_clause");
    let is_other = |it: Node<'_>| it.is_any(OWN) || is_any_function(it);
    let breaks = |it: &Node<'_>| it.is("break_statement") || it.walk_until(is_other).any(|it| it.is("break_statement"));
    let is_cut = is_script && body.iter().any(|it| !is_other(*it) && breaks(it));
    let is_closed = leaves(&body) || end == CaseEnd::Anyhow && (is_broken || !is_script);
    (!body.is_empty() && !is_cut && is_closed).then_some(body)
}

impl<'c> Parted<'c> {
    fn of(signature: &'c Signature<'c>, at: usize, names: &[String]) -> Result<Self, Refusal> {
        let (code, function) = (signature.code, signature.function);
        let refuse = |node: Node<'_>, reason: &str| code.refuse(node.start(), reason);
        let is_plain = function.is_any(&["function_definition", "function_declaration", "method_definition"]);
        let is_bare = definition(function) == function && function.child("type_parameters").is_none();
        if !is_plain || !is_bare || !signature.runs_at_once() || signature.parameters[at].way == ArgumentSource::Rest {
            return Err(refuse(function, "it is not an ordinary function"));
        }
        let (choice, behind) = choice(code, function)?;
        let reads = signature.reads(&ScopedNames::of(code), at)?;
        let mut parted = Self { signature, at, choice, behind, legs: Vec::new(), rest: Vec::new() };
        parted.read(choice)?;
        let is_in_rest = |it: &Node<'c>| parted.rest.iter().any(|rest| rest.span().contains(it.span()));
        let is_asked = |it: &Node<'c>| parted.legs.iter().any(|leg| leg.asked == Some(*it)) || is_in_rest(it);
        if let Some(other) = reads.iter().find(|read| !is_asked(read)) {
            return Err(refuse(*other, "the parameter is used for more than choosing"));
        }
        if !names.is_empty() && names.len() != parted.legs.len() {
            return Err(refuse(choice, &format!("there are {} values, and {} names", parted.legs.len(), names.len())));
        }
        let is_kept =
            |it: &Node<'c>| parted.legs.iter().any(|leg| extent(&leg.body).contains(it.span())) || is_in_rest(it);
        let mut comments = choice.descendants().filter(|it| it.kind().ends_with("comment"));
        match comments.find(|it| !is_kept(it)) {
            Some(comment) => Err(refuse(comment, "the comment would be lost")),
            None => {
                for (leg, name) in parted.legs.iter_mut().zip(names) {
                    leg.name.clone_from(name);
                }
                Ok(parted)
            }
        }
    }

    /// Reads the values that are chosen by, one behind the other.
    fn read(&mut self, choice: Node<'c>) -> Result<(), Refusal> {
        if choice.is_any(CASES) {
            return self.read_cases(choice);
        }
        if let Some(asked) = self.flag(choice) {
            return self.read_flag(choice, asked);
        }
        if !self.behind.is_empty() {
            return Err(self
                .signature
                .code
                .refuse(self.behind[0].start(), "it does more than choose by the parameter"));
        }
        let mut open = Some(choice);
        while let Some(tree) = open.take() {
            self.leg_of(tree)?;
            for next in tree.children_in("alternative") {
                let body = next.child("body").or_else(|| next.named_children().last());
                match body.filter(|it| it.is("if_statement")) {
                    _ if next.is("elif_clause") => self.leg_of(next)?,
                    Some(inner) => open = Some(inner),
                    None => self.rest.push(next),
                }
            }
        }
        Ok(())
    }

    /// Reads the cases of a `match` or a `switch`.
    fn read_cases(&mut self, choice: Node<'c>) -> Result<(), Refusal> {
        let code = self.signature.code;
        let refuse = |node: Node<'_>, reason: &str| code.refuse(node.start(), reason);
        let name = self.signature.parameters[self.at].name.text(code.text());
        let asked = choice.child("subject").or_else(|| choice.child("value")).map(unwrapped);
        let asked = asked.filter(|it| it.text(code.text()) == name);
        let asked = asked.ok_or_else(|| refuse(choice, "it is not chosen here by the parameter"))?;
        let body = choice.child("body").into_iter().flat_map(Node::named_children);
        let cases: Vec<Node<'c>> = body.filter(|it| !it.kind().ends_with("comment")).collect();
        for case in &cases {
            let end = if self.behind.is_empty() { CaseEnd::Anyhow } else { CaseEnd::Leaving };
            let body =
                case_body(*case, end).ok_or_else(|| refuse(*case, "it does more than what is done for one value"))?;
            let pattern = case.child("value").or_else(|| case.child_of_kind("case_pattern"));
            let is_open = case.is("switch_default") || pattern.is_some_and(|it| it.text(code.text()) == "_");
            if is_open {
                self.rest.push(*case);
                continue;
            }
            let value = match case.is("case_clause") {
                true => pattern.and_then(|it| it.named_children().next()),
                false => pattern,
            };
            let is_one =
                case.child("guard").is_none() && case.children().filter(|it| it.is("case_pattern")).count() < 2;
            let word = value.filter(|_| is_one).and_then(|it| said(code, it));
            let word = word.ok_or_else(|| refuse(*case, "it is not chosen here by one value of the parameter"))?;
            self.leg((*case, asked), word, body)?;
        }
        self.rest.append(&mut self.behind);
        Ok(())
    }

    /// Takes what is done for one value.
    fn leg(&mut self, (at, asked): (Node<'c>, Node<'c>), word: String, body: Vec<Node<'c>>) -> Result<(), Refusal> {
        let code = self.signature.code;
        if self.legs.iter().any(|leg| leg.value == word) {
            return Err(code.refuse(at.start(), "it is chosen by this value twice"));
        }
        let name = named(code, self.signature.name(), word.trim_start_matches(['"', '=']));
        self.legs.push(Leg { asked: Some(asked), value: word, body, name });
        Ok(())
    }

    /// Returns the parameter where it is a conditional's whole condition.
    fn flag(&self, tree: Node<'c>) -> Option<Node<'c>> {
        let code = self.signature.code;
        let name = self.signature.parameters[self.at].name.text(code.text());
        let condition = unwrapped(tree.child("condition")?);
        let asked = condition.child("argument").filter(|_| is_negated(condition)).map_or(condition, unwrapped);
        (asked.text(code.text()) == name).then_some(asked)
    }

    /// Reads what is done where a flag holds, and where it does not.
    fn read_flag(&mut self, tree: Node<'c>, asked: Node<'c>) -> Result<(), Refusal> {
        let code = self.signature.code;
        let held = tree.child("consequence").map(statements_of).unwrap_or_default();
        let other = tree.children_in("alternative").next();
        if other.is_some_and(|it| {
            it.is("elif_clause") || it.named_children().last().is_some_and(|it| it.is("if_statement"))
        }) {
            return Err(code.refuse(tree.start(), "it is chosen by more than the flag"));
        }
        let other = other.and_then(|it| it.child("body").or_else(|| it.named_children().last()));
        let rest = other.map_or_else(|| std::mem::take(&mut self.behind), statements_of);
        if rest.is_empty() || held.is_empty() {
            return Err(code.refuse(tree.start(), "nothing is done where the flag does not hold"));
        }
        let is_turned = tree.child("condition").map(unwrapped).is_some_and(is_negated);
        let bodies = if is_turned { [rest, held] } else { [held, rest] };
        for (value, body) in HOLDS.into_iter().zip(bodies) {
            let name = named(code, self.signature.name(), value.trim_start_matches('='));
            let asked = Some(asked).filter(|_| value == HOLDS[0]);
            self.legs.push(Leg { asked, value: value.to_owned(), body, name });
        }
        Ok(())
    }

    fn leg_of(&mut self, tree: Node<'c>) -> Result<(), Refusal> {
        let code = self.signature.code;
        let refuse = || code.refuse(tree.start(), "it is not chosen here by one value of the parameter");
        let condition = tree.child("condition").map(unwrapped).ok_or_else(refuse)?;
        let mut parts = condition.named_children();
        let (Some(asked), Some(value), None) = (parts.next(), parts.next(), parts.next()) else { return Err(refuse()) };
        let is_equal = matches!(code.text()[asked.end()..value.start()].trim(), "==" | "===");
        let name = self.signature.parameters[self.at].name.text(code.text());
        let block = tree.child("consequence").filter(|_| is_equal && asked.text(code.text()) == name);
        let word = said(code, value).ok_or_else(refuse)?;
        let body = block.map(statements_of).ok_or_else(refuse)?;
        self.leg((value, asked), word, body)
    }

    /// Writes the functions that stand in the place of the one.
    fn declared(&self) -> Result<TextEdit, Refusal> {
        let (code, function) = (self.signature.code, self.signature.function);
        let (end, layout) = (code.newline(), Layout::of(code));
        let outer = function.parent().filter(|it| it.is("export_statement")).unwrap_or(function);
        let base = code.indent(outer.start());
        let inner = format!("{base}{}", layout.step());
        let name = self.signature.name_node().unwrap_or(function);
        if code.text()[outer.start()..name.start()].contains("default") {
            return Err(code.refuse(outer.start(), "a module has one default alone"));
        }
        let gap = if code.family() == Family::Python && self.signature.class.is_none() { 3 } else { 2 };
        let mut written = Vec::new();
        for leg in &self.legs {
            let mut edits = self.signature.without(&[self.at], None)?;
            let docs = without_docs(self.signature, &[self.at]).into_iter();
            edits.extend(docs.filter(|edit| Span::new(outer.start(), self.choice.start()).contains(edit.span)));
            edits.sort_by_key(|edit| edit.span);
            edits.push(TextEdit::new(name.span(), leg.name.as_str()));
            let head = changed(code, Span::new(outer.start(), self.choice.start()), &edits);
            let held = Some(extent(&leg.body)).filter(|_| !leg.body.is_empty());
            let body = held.map(|span| format!("{end}{inner}{}", layout.moved(span, &inner)));
            let close = if code.family() == Family::Python { String::new() } else { format!("{end}{base}}}") };
            written.push(format!("{}{}{close}", head.trim_end(), body.unwrap_or_default()));
        }
        Ok(TextEdit::new(outer.span(), written.join(&format!("{}{base}", end.repeat(gap)))))
    }

    /// Returns what a call chooses.
    fn way(&self, call: &Call<'c>) -> Result<Way<'_, 'c>, Refusal> {
        if call.code.path == self.signature.code.path && self.signature.function.holds(call.node) {
            return Err(call.refuse("it calls itself"));
        }
        let passed = call.value(self.at).map(unwrapped);
        let default = || said(self.signature.code, self.signature.parameters[self.at].default?);
        let value = match passed {
            Some(passed) => said(call.code, passed),
            None => default(),
        };
        let leg = |value: &str| self.legs.iter().find(|leg| leg.value == value);
        if let (Some(passed), None, Some(yes), Some(no)) = (passed, &value, leg(HOLDS[0]), leg(HOLDS[1]))
            && passed.is("identifier")
        {
            return Ok(Way::Either(passed, [yes, no]));
        }
        let value = value.ok_or_else(|| call.refuse("no literal decides here which branch is taken"))?;
        leg(&value).map(Way::One).ok_or_else(|| call.refuse("nothing is done for this value by itself"))
    }

    fn called(&self, call: &Call<'_>, way: &Way<'_, '_>) -> Result<Vec<TextEdit>, Refusal> {
        let callee = call.callee();
        let name = callee.child("attribute").or_else(|| callee.child("property")).unwrap_or(callee);
        let written = |leg: &Leg<'_>| {
            let mut edits = call.without(&call.arguments(&[self.at]), None)?;
            edits.push(TextEdit::new(name.span(), leg.name.as_str()));
            edits.sort_by_key(|edit| edit.span);
            Ok::<_, Refusal>(edits)
        };
        let (flag, [yes, no]) = match way {
            Way::One(leg) => return written(leg),
            Way::Either(flag, legs) => (flag.text(call.code.text()), legs),
        };
        let [yes, no] = [yes, no].map(|leg| written(leg).map(|edits| changed(call.code, call.node.span(), &edits)));
        let said = match call.code.family() {
            Family::Python => format!("{} if {flag} else {}", yes?, no?),
            _ => format!("{flag} ? {} : {}", yes?, no?),
        };
        const ROOMY: &[&str] = &["arguments", "expression_statement", "return_statement", "variable_declarator"];
        let parent = call.node.parent();
        let is_roomy = parent.is_some_and(|it| it.is_any(ROOMY) || it.is("assignment") || it.is("argument_list"));
        Ok(vec![TextEdit::new(call.node.span(), if is_roomy { said } else { format!("({said})") })])
    }
}

impl<'p> Way<'p, '_> {
    /// Returns what functions it goes to.
    fn names(&self) -> Vec<&'p str> {
        match self {
            Self::One(leg) => vec![&leg.name],
            Self::Either(_, legs) => legs.iter().map(|leg| leg.name.as_str()).collect(),
        }
    }
}

/// Returns where statements stand.
fn extent(body: &[Node<'_>]) -> Span {
    Span::new(body.first().map_or(0, |it| it.start()), body.last().map_or(0, |it| it.end()))
}

fn is_negated(condition: Node<'_>) -> bool {
    let is_mark = |it: Node<'_>| it.kind() == "!";
    condition.is("not_operator") || condition.is("unary_expression") && condition.child("operator").is_some_and(is_mark)
}

/// Tells literals apart: a text by what it says, after a quote; anything else as it is written.
fn said(code: &Code, value: Node<'_>) -> Option<String> {
    let text = value.text(code.text());
    let is_bare = value.is("string")
        && value
            .named_children()
            .all(|it| it.is_any(&["string_start", "string_content", "string_fragment", "string_end"]));
    let inner = text
        .strip_prefix(['"', '\''])
        .and_then(|it| it.strip_suffix(['"', '\'']))
        .filter(|it| is_bare && !it.contains('\\'));
    let is_plain = value.is_any(&["integer", "number"]) && text.chars().all(char::is_alphanumeric);
    if value.is_any(&["false", "true"]) {
        return Some(format!("={}", text.to_lowercase()));
    }
    inner.map(|it| format!("\"{it}")).or_else(|| is_plain.then(|| format!("={text}")))
}

/// ScopedNames a function after a value: `set_height`, `setHeight`.
fn named(code: &Code, function: &str, value: &str) -> String {
    let word: String = value.chars().map(|it| if it.is_alphanumeric() { it } else { '_' }).collect();
    let mut letters = word.chars();
    match (code.family(), letters.next()) {
        (Family::Script, Some(first)) => format!("{function}{}{}", first.to_uppercase(), letters.as_str()),
        _ => format!("{function}_{}", word.to_lowercase()),
    }
}
