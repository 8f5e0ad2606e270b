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
//! The function does nothing but to choose by the parameter, and every call says by a literal which way it goes.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{ArgumentSource, Call, Passing, Signature, check_takes};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::free_names::check_name;
use crate::refactor::analysis::indentation::{Layout, changed};
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::analysis::signatures::Callee;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, function_at};
use crate::session::Session;
use crate::syntax::kinds::unwrapped;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// The function, taken apart.
struct Parted<'c> {
    signature: &'c Signature<'c>,
    /// The number of the parameter.
    at: usize,
    choice: Node<'c>,
    legs: Vec<Leg<'c>>,
    /// What is done for all other values, which no call passes.
    rest: Option<Node<'c>>,
}

/// What is done for one value.
struct Leg<'c> {
    /// The place of the parameter in its condition.
    asked: Node<'c>,
    value: Node<'c>,
    block: Node<'c>,
    name: String,
}

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
            return Err(code.refuse(leg.value.start(), format!("`{}` cannot be its name: give `names`", leg.name)));
        }
        check_name(session, signature.code, signature.class.map(|class| class.node), &leg.name).noted()?;
    }
    let mut edits = Edits::default();
    edits.warn(callee.warnings.iter().cloned());
    edits.add(signature.code, [parted.declared()?]);
    let mut wanted: BTreeMap<&AbsPath, BTreeSet<&str>> = BTreeMap::new();
    for call in &passing.calls {
        let leg = parted.leg(call)?;
        edits.add(call.code, parted.called(call, leg)?);
        wanted.entry(&call.code.path).or_default().insert(&leg.name);
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

/// Returns the conditional that is all that a function does.
fn choice<'c>(code: &Code, function: Node<'c>) -> Result<Node<'c>, Refusal> {
    let body = function.child("body").ok_or_else(|| code.refuse(function.start(), "it has no body"))?;
    let is_text = |it: &Node<'c>| it.named_children().next().is_some_and(|it| it.is("string"));
    let mut statements = body.named_children().skip_while(is_text);
    let choice = statements.next().filter(|it| it.is("if_statement") && statements.next().is_none());
    choice.ok_or_else(|| code.refuse(body.start(), "it does more than choose by the parameter"))
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
        let choice = choice(code, function)?;
        let reads = signature.reads(&ScopedNames::of(code), at)?;
        let mut parted = Self { signature, at, choice, legs: Vec::new(), rest: None };
        parted.read(choice)?;
        let is_in_rest = |it: &Node<'c>| parted.rest.is_some_and(|rest| rest.span().contains(it.span()));
        let is_asked = |it: &Node<'c>| parted.legs.iter().any(|leg| leg.asked == *it) || is_in_rest(it);
        if let Some(other) = reads.iter().find(|read| !is_asked(read)) {
            return Err(refuse(*other, "the parameter is used for more than choosing"));
        }
        if !names.is_empty() && names.len() != parted.legs.len() {
            return Err(refuse(choice, &format!("there are {} values, and {} names", parted.legs.len(), names.len())));
        }
        let is_kept =
            |it: &Node<'c>| parted.legs.iter().any(|leg| leg.block.span().contains(it.span())) || is_in_rest(it);
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
        let mut open = Some(choice);
        while let Some(tree) = open.take() {
            self.leg_of(tree)?;
            for next in tree.children_in("alternative") {
                let body = next.child("body").or_else(|| next.named_children().last());
                match body.filter(|it| it.is("if_statement")) {
                    _ if next.is("elif_clause") => self.leg_of(next)?,
                    Some(inner) => open = Some(inner),
                    None => self.rest = Some(next),
                }
            }
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
        if self.legs.iter().any(|leg| said(code, leg.value).as_ref() == Some(&word)) {
            return Err(code.refuse(value.start(), "it is chosen by this value twice"));
        }
        let name = named(code, self.signature.name(), word.trim_start_matches(['"', '=']));
        self.legs.push(Leg { asked, value, block: block.ok_or_else(refuse)?, name });
        Ok(())
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
            edits.push(TextEdit::new(name.span(), leg.name.as_str()));
            let head = changed(code, Span::new(outer.start(), self.choice.start()), &edits);
            let held: Vec<Node<'_>> = match leg.block.is_any(&["block", "statement_block"]) {
                true => leg.block.named_children().collect(),
                false => vec![leg.block],
            };
            let body = held.first().zip(held.last()).map(|(first, last)| {
                format!("{end}{inner}{}", layout.moved(Span::new(first.start(), last.end()), &inner))
            });
            let close = if code.family() == Family::Python { String::new() } else { format!("{end}{base}}}") };
            written.push(format!("{}{}{close}", head.trim_end(), body.unwrap_or_default()));
        }
        Ok(TextEdit::new(outer.span(), written.join(&format!("{}{base}", end.repeat(gap)))))
    }

    /// Returns what a call chooses.
    fn leg(&self, call: &Call<'c>) -> Result<&Leg<'c>, Refusal> {
        if call.code.path == self.signature.code.path && self.signature.function.holds(call.node) {
            return Err(call.refuse("it calls itself"));
        }
        let value = call.value(self.at).and_then(|value| said(call.code, unwrapped(value)));
        let value = value.ok_or_else(|| call.refuse("no literal decides here which branch is taken"))?;
        let mut legs = self.legs.iter();
        let found = legs.find(|leg| said(self.signature.code, leg.value).as_ref() == Some(&value));
        found.ok_or_else(|| call.refuse("nothing is done for this value by itself"))
    }

    fn called(&self, call: &Call<'_>, leg: &Leg<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let callee = call.callee();
        let name = callee.child("attribute").or_else(|| callee.child("property")).unwrap_or(callee);
        let mut edits = call.without(&call.arguments(&[self.at]), None)?;
        edits.push(TextEdit::new(name.span(), leg.name.as_str()));
        Ok(edits)
    }
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
