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
//! Each function is the one that there was, as it is for one value: what is done for others goes from it, with the parameters
//! that are used for them alone. Every call says by a literal which way it goes; where a flag is passed on, the call becomes
//! a conditional.

mod choices;

use std::collections::{BTreeMap, BTreeSet};

use self::choices::{By, Choice, HOLDS, choosing, extent, leaves, said};
use super::remove_parameter::is_idle;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{ArgumentSource, Call, Passing, Signature, check_takes, listed};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::free_names::check_name;
use crate::refactor::analysis::indentation::{Layout, changed};
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::parameter_docs::without_docs;
use crate::refactor::analysis::parameters::said_by_target;
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::analysis::signatures::Callee;
use crate::refactor::analysis::substitution::in_place;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, function_at, is_block, is_lone_string};
use crate::session::Session;
use crate::syntax::kinds::unwrapped;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// The function, taken apart.
struct Parted<'c> {
    signature: &'c Signature<'c>,
    /// The number of the parameter.
    at: usize,
    /// The places where it is read.
    reads: Vec<Node<'c>>,
    choices: Vec<Choice<'c>>,
    legs: Vec<Leg>,
}

/// What becomes a function: all that is done for one value.
struct Leg {
    /// As [`said`] tells it.
    value: String,
    name: String,
    /// The numbers of parameters that are used for other values alone.
    idle: Vec<usize>,
}

/// The function's body as it is for one value.
#[derive(Default)]
struct Reduced {
    edits: Vec<TextEdit>,
    /// What is done for other values alone.
    gone: Vec<Span>,
}

/// What a call goes to.
enum Way<'p, 'c> {
    One(&'p Leg),
    /// To the one or the other, by a flag.
    Either(Node<'c>, [&'p Leg; 2]),
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let request = &said_by_target(&code, request, "parameter");
    let function = function_at(&code, &request.target)?;
    check_takes(&code, function, 1)?;
    check_chooses(&code, function)?;
    let callee = Callee::of(session, &code, function).await?;
    let passing = Passing::of(session, &callee).await?;
    let signature = passing.only((&code, function))?;
    let at = passing.at(request.params.needed("parameter")?)?;
    let mut parted = Parted::of(signature, at, request.params.list("names"))?;
    callee.check_imports(|path| passing.calls.iter().any(|call| call.code.path == *path)).noted()?;
    for leg in &parted.legs {
        let taken = parted.legs.iter().filter(|other| other.name == leg.name).count() > 1;
        let bad = crate::syntax::check_name(code.parsed().tree.language(), &leg.name).is_err();
        if taken || bad {
            return Err(code.refuse(function.start(), format!("`{}` cannot be its name: give `names`", leg.name)));
        }
        check_name(session, signature.code, signature.class.map(|class| class.node), &leg.name).await.noted()?;
    }
    parted.find_idle(&passing.calls)?;
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

/// Refuses a function that chooses by none of its parameters.
fn check_chooses(code: &Code, function: Node<'_>) -> Result<(), Refusal> {
    let body = function.child("body").ok_or_else(|| code.refuse(function.start(), "it has no body"))?;
    let is_taken = |it: Node<'_>| listed(function).any(|one| code.mentions(one, it.text(code.text())));
    match choosing(body).any(|(_, asked)| is_taken(asked)) {
        true => Ok(()),
        false => Err(code.refuse(body.start(), "it chooses by none of its parameters")),
    }
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
        let reads = signature.reads(&ScopedNames::of(code), at)?;
        let mut parted = Self { signature, at, reads, choices: Vec::new(), legs: Vec::new() };
        parted.find_choices()?;
        if !names.is_empty() && names.len() != parted.legs.len() {
            let reason = format!("there are {} values, and {} names", parted.legs.len(), names.len());
            return Err(refuse(parted.choices[0].node, &reason));
        }
        for choice in &parted.choices {
            let mut comments = choice.node.descendants().filter(|it| it.kind().ends_with("comment"));
            if let Some(comment) = comments.find(|it| !choice.keeps(*it)) {
                return Err(refuse(comment, "the comment would be lost"));
            }
        }
        for (leg, name) in parted.legs.iter_mut().zip(names) {
            leg.name.clone_from(name);
        }
        Ok(parted)
    }

    /// Reads where the function chooses. What reads the parameter otherwise may do so for values that no call passes.
    fn find_choices(&mut self) -> Result<(), Refusal> {
        let code = self.signature.code;
        let mut refused = None;
        for found in choosing(self.signature.function) {
            let is_known = self.choices.iter().any(|it| it.asked.contains(&found.1));
            if is_known || !self.reads.contains(&found.1) {
                continue;
            }
            match Choice::of(code, found) {
                Ok(choice) => self.choices.push(choice),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        for branch in self.choices.iter().flat_map(|it| &it.branches) {
            if self.legs.iter().all(|leg| leg.value != branch.value) {
                let name = named(code, self.signature.name(), branch.value.trim_start_matches(['"', '=']));
                self.legs.push(Leg { value: branch.value.clone(), name, idle: Vec::new() });
            }
        }
        let is_flag = |it: &Choice<'_>| it.by == By::Flag;
        let is_other = self.legs.iter().any(|leg| !HOLDS.contains(&leg.value.as_str()));
        if let Some(flag) = self.choices.iter().find(|it| is_flag(it) && is_other) {
            return Err(code.refuse(flag.node.start(), "it is chosen by more than the flag"));
        }
        for leg in &self.legs {
            let reduced = self.reduced(leg)?;
            let is_asked = |read: &Node<'c>| self.choices.iter().any(|it| it.asked.contains(read));
            if let Some(read) = self.reads.iter().find(|read| !is_asked(read) && reduced.has(read.span())) {
                let more = || code.refuse(read.start(), "the parameter is used for more than choosing");
                return Err(refused.unwrap_or_else(more));
            }
        }
        match self.choices.is_empty() {
            true => Err(refused.unwrap_or_else(|| {
                code.refuse(self.signature.function.start(), "it does not choose by the parameter")
            })),
            false => Ok(()),
        }
    }

    /// Takes what is done for other values out of the body.
    fn reduced(&self, leg: &Leg) -> Result<Reduced, Refusal> {
        let code = self.signature.code;
        let layout = Layout::of(code);
        let mut reduced = Reduced::default();
        let mut kept: Vec<Span> = Vec::new();
        for choice in &self.choices {
            let node = choice.node;
            if !reduced.has(node.span()) {
                continue;
            }
            if kept.iter().any(|it| it.contains(node.span())) {
                return Err(code.refuse(node.start(), "it chooses by the parameter once more within a branch"));
            }
            let body = choice.body(&leg.value);
            if body.is_empty() {
                reduced.take_out(code, node)?;
                continue;
            }
            let held = extent(body);
            kept.push(held);
            reduced.gone.extend([Span::new(node.start(), held.start), Span::new(held.end, node.end())]);
            if !node.is("if_statement") && node.parent().is_none_or(|it| !is_block(it)) {
                let place = node.parent().filter(|it| is_grouping(*it)).unwrap_or(node);
                let said = in_place(code, body[0], body[0].text(code.text()).to_owned(), place);
                reduced.edits.push(TextEdit::new(place.span(), said));
                continue;
            }
            let said = layout.moved(held, code.indent(node.start()));
            let block = node.parent().unwrap_or(node);
            let last = block.named_children().last().unwrap_or(node);
            let end = if leaves(body) { last.end() } else { node.end() };
            reduced.gone.push(Span::new(node.end(), end));
            reduced.edits.push(TextEdit::new(Span::new(node.start(), end), said));
        }
        self.check_declared(&reduced, &kept)?;
        Ok(reduced)
    }

    /// Refuses variables of a branch that would be others' of the function.
    fn check_declared(&self, reduced: &Reduced, kept: &[Span]) -> Result<(), Refusal> {
        let (code, function) = (self.signature.code, self.signature.function);
        if code.family() == Family::Python {
            return Ok(());
        }
        let names = ScopedNames::of(code);
        for span in kept {
            let is_direct = |it: &Name| {
                code.covering(it.span).ancestors().find(|it| is_block(*it)).is_some_and(|it| !span.contains(it.span()))
            };
            for own in names.within(*span).filter(|it| it.is_binding).filter(is_direct) {
                let text = own.span.of(code.text()).unwrap_or_default();
                let is_other = |it: &Name| {
                    let around = names.function_of_meaning(it.meaning);
                    let is_inner = around.is_some_and(|it| it != function && function.holds(it));
                    it.meaning != own.meaning && !is_inner && !span.contains(it.span) && reduced.has(it.span)
                };
                let mut others = names.named(text).filter(|it| function.span().contains(it.span));
                if others.any(|it| is_other(&it)) {
                    let reason = format!("`{text}` means something else outside of the branch: rename it first");
                    return Err(code.refuse(own.span.start, reason));
                }
            }
        }
        Ok(())
    }

    /// Finds the parameters that a function no longer uses, where nothing is missed that calls pass for them.
    fn find_idle(&mut self, calls: &[Call<'c>]) -> Result<(), Refusal> {
        let names = ScopedNames::of(self.signature.code);
        let mut found = Vec::new();
        for leg in &self.legs {
            let reduced = self.reduced(leg)?;
            let is_unused = |at: &usize| {
                let one = &self.signature.parameters[*at];
                let is_plain = *at != self.at && one.way != ArgumentSource::Rest && one.name.is("identifier");
                let uses = self.signature.uses_inside(&names, *at).unwrap_or_default();
                let is_gone = !uses.is_empty() && uses.iter().all(|it| !reduced.has(it.span()));
                is_plain && is_gone && one.default.is_none_or(is_idle)
            };
            let goes = |call: &&Call<'c>| self.way(call).is_ok_and(|way| way.names().contains(&leg.name.as_str()));
            let is_missed = |at: &usize| calls.iter().filter(goes).any(|it| !it.value(*at).is_none_or(is_idle));
            let all = 0..self.signature.parameters.len();
            found.push(all.filter(is_unused).filter(|at| !is_missed(at)).collect());
        }
        for (leg, idle) in self.legs.iter_mut().zip(found) {
            leg.idle = idle;
        }
        Ok(())
    }

    /// Writes the functions that stand in the place of the one.
    fn declared(&self) -> Result<TextEdit, Refusal> {
        let (code, function) = (self.signature.code, self.signature.function);
        let end = code.newline();
        let outer = function.parent().filter(|it| it.is("export_statement")).unwrap_or(function);
        let base = code.indent(outer.start());
        let name = self.signature.name_node().unwrap_or(function);
        if code.text()[outer.start()..name.start()].contains("default") {
            return Err(code.refuse(outer.start(), "a module has one default alone"));
        }
        let gap = if code.family() == Family::Python && self.signature.class.is_none() { 3 } else { 2 };
        let mut written = Vec::new();
        for leg in &self.legs {
            let dropped = self.dropped(leg);
            let mut edits = self.signature.without(&dropped, None)?;
            let docs = without_docs(self.signature, &dropped).into_iter();
            edits.extend(docs.filter(|edit| outer.span().contains(edit.span)));
            edits.extend(self.reduced(leg)?.edits);
            edits.push(TextEdit::new(name.span(), leg.name.as_str()));
            written.push(changed(code.text(), outer.span(), &edits));
        }
        Ok(TextEdit::new(outer.span(), written.join(&format!("{}{base}", end.repeat(gap)))))
    }

    /// Returns the parameters that a function does without.
    fn dropped(&self, leg: &Leg) -> Vec<usize> {
        let mut dropped = leg.idle.clone();
        dropped.push(self.at);
        dropped.sort_unstable();
        dropped
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
        let written = |leg: &Leg| {
            let mut edits = call.without(&call.arguments(&self.dropped(leg)), None)?;
            edits.push(TextEdit::new(name.span(), leg.name.as_str()));
            edits.sort_by_key(|edit| edit.span);
            Ok::<_, Refusal>(edits)
        };
        let (flag, [yes, no]) = match way {
            Way::One(leg) => return written(leg),
            Way::Either(flag, legs) => (flag.text(call.code.text()), legs),
        };
        let [yes, no] =
            [yes, no].map(|leg| written(leg).map(|edits| changed(call.code.text(), call.node.span(), &edits)));
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

impl Reduced {
    /// Tells whether a stretch is still there.
    fn has(&self, span: Span) -> bool {
        !self.gone.iter().any(|gone| gone.contains(span))
    }

    /// Takes a statement out with its lines.
    fn take_out(&mut self, code: &Code, node: Node<'_>) -> Result<(), Refusal> {
        let line_end = code.line_end(node.end());
        let is_alone = code.text()[node.end()..line_end].trim().is_empty() && is_first_on_line(code, node);
        if !is_alone {
            return Err(code.refuse(node.start(), "it has not its lines for itself"));
        }
        let block = node.parent().unwrap_or(node);
        let stays = |it: &Node<'_>| *it != node && self.has(it.span()) && !it.kind().ends_with("comment");
        let others: Vec<Node<'_>> = block.named_children().filter(|it| stays(it) && !is_lone_string(*it)).collect();
        if others.is_empty() && block.parent().is_some_and(is_any_function) {
            return Err(code.refuse(node.start(), "nothing is done where the flag does not hold"));
        }
        self.gone.push(node.span());
        if others.is_empty() && code.family() == Family::Python {
            self.edits.push(TextEdit::new(node.span(), "pass"));
            return Ok(());
        }
        let next = code.next_line(node.end());
        let is_last = others.last().is_none_or(|it| it.end() <= node.start());
        let span = match is_last {
            true => Span::new(code.text()[..node.start()].trim_end().len(), line_end),
            false => Span::new(code.line_start(node.start()), code.line_start(code.next_word(next)).max(next)),
        };
        self.edits.push(TextEdit::new(span, ""));
        Ok(())
    }
}

fn is_first_on_line(code: &Code, node: Node<'_>) -> bool {
    code.text()[code.line_start(node.start())..node.start()].trim().is_empty()
}

/// Tells whether parentheses only hold an expression together.
fn is_grouping(node: Node<'_>) -> bool {
    let is_syntax = |it: Node<'_>| it.is_any(&["do_statement", "if_statement", "switch_statement", "while_statement"]);
    let is_alone = node.named_children().count() == 1;
    node.is("parenthesized_expression") && is_alone && !node.parent().is_some_and(is_syntax)
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
