//! Change Value to Reference.
//!
//! ```python
//! class Customer:                            class Customer:
//!     def __init__(self, name):                  _instances = {}
//!         self.name = name
//!                                                def __init__(self, name):
//!                                                    self.name = name
//!                                        →
//!                                                @classmethod
//!                                                def get(cls, name):
//!                                                    if name not in cls._instances:
//!                                                        cls._instances[name] = cls(name)
//!                                                    return cls._instances[name]
//!
//! order.customer = Customer("Ann")           order.customer = Customer.get("Ann")
//! ```

use super::fixed_fields::{changes, is_changeable};
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{ArgumentSource, Call, Parameter, Passing, Signature};
use crate::refactor::analysis::classes::{Class, ClassHierarchy, Slot};
use crate::refactor::analysis::constructor_calls::Makers;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::check_outermost;
use crate::refactor::analysis::signatures::is_literal;
use crate::refactor::doubts::doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// A class whose objects are kept.
struct Registry<'c> {
    class: Class<'c>,
    signature: &'c Signature<'c>,
    /// What hands the objects out.
    name: &'c str,
    /// The parameters that tell one object from another.
    keys: Vec<&'c Parameter<'c>>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    let refuse = |reason: String| Err(code.refuse(class.name.start(), reason));
    check_outermost(&class).noted()?;
    if class.node.is("abstract_class_declaration") || class.node.child("type_parameters").is_some() {
        return refuse(format!("`{}` is abstract or generic: what is kept for whom is not known", class.name()));
    }
    let Some(constructor) = class.constructor() else {
        return refuse(format!("`{}` is made of nothing that tells its objects apart", class.name()));
    };
    let name = request.params.given("name").unwrap_or("get");
    for taken in [name, storage(&code)] {
        if class.has(taken) {
            return refuse(format!("`{}` knows a `{taken}` already", class.name()));
        }
    }
    let signature = Signature::of_constructor((&code, constructor))?;
    let registry =
        Registry { class, name, keys: keys(&signature, request.params.given("key"))?, signature: &signature };
    registry.check().noted()?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    if let Some(heir) = kin.heirs(&class).await?.first() {
        let reason =
            format!("`{}` extends `{}`: objects of both would be kept in one place", heir.class().name(), class.name());
        return Err(heir.code.refuse(heir.class().name.start(), reason));
    }
    let makers = Makers::by_name(session, &class).await?;
    let passing = Passing::of_constructor((&code, constructor), &makers)?;
    let mut edits = Edits::default();
    edits.warn(makers.warnings.iter().cloned());
    for change in changes(session, &class).await? {
        let reason = format!("`{}` is changed here, and all who share the object would see it", change.field);
        edits.warn([doubt(&change.code, change.span, reason)?]);
    }
    edits.warn(registry.acts()?);
    edits.warn(registry.check_apart(&passing.calls)?);
    for call in &passing.calls {
        edits.add(call.code, [registry.asked(call.code, call.node)?]);
    }
    edits.add(&code, registry.written());
    let told = format!(
        "two `{}` of the same values are one object from now on: whoever tells them apart sees it",
        class.name()
    );
    edits.warn([Warning::of_plan(WarningKind::FollowUp, told)]);
    edits.plan()
}

/// Returns what the objects are kept in.
fn storage(code: &Code) -> &'static str {
    if code.family() == Family::Python { "_instances" } else { "instances" }
}

fn keys<'c>(signature: &'c Signature<'c>, key: Option<&str>) -> Result<Vec<&'c Parameter<'c>>, Refusal> {
    let (code, text) = (signature.code, signature.code.text());
    let all: Vec<&Parameter<'c>> = signature.parameters.iter().collect();
    let refuse = |reason: String| Err(code.refuse(signature.function.start(), reason));
    if all.iter().any(|it| it.way == ArgumentSource::Rest || !it.name.is("identifier")) {
        return refuse("the constructor takes any number of values, or takes them apart".to_owned());
    }
    let chosen: Vec<&Parameter<'c>> =
        all.into_iter().filter(|it| key.is_none_or(|key| it.name.text(text) == key)).collect();
    match (chosen.is_empty(), key) {
        (true, Some(key)) => refuse(format!("the constructor takes no `{key}`")),
        (true, None) => refuse("nothing that the constructor takes tells one object from another".to_owned()),
        _ => Ok(chosen),
    }
}

impl Registry<'_> {
    fn code(&self) -> &Code {
        self.class.code
    }

    /// Refuses values that an object cannot be found by.
    fn check(&self) -> Result<(), Refusal> {
        let (code, text) = (self.code(), self.code().text());
        for key in &self.keys {
            let said = key.of.map(|it| it.text(text).trim_start_matches(':').trim()).unwrap_or_default();
            let refuse = |reason: &str| {
                let reason =
                    format!("by `{}` no object can be found: {reason}; name another one as `key`", key.name.text(text));
                Err(code.refuse(key.node.start(), reason))
            };
            match code.family() {
                Family::Python if is_changeable(said) => return refuse("it can be changed"),
                Family::Script if code.is_typed_script() && !is_primitive(said) => {
                    return refuse("it is an object itself, or of no type that is said");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Doubts a constructor that does more than to set fields.
    fn acts(&self) -> Result<Option<Warning>, Refusal> {
        let (code, names) = (self.code(), ScopedNames::of(self.code()));
        let body = self.signature.function.child("body").into_iter().flat_map(Node::named_children);
        let is_super = |it: Node<'_>| it.text(code.text()).starts_with("super");
        let acts = |it: &Node<'_>| match assigned(*it) {
            Some(value) => reach(&names, code, value) == ExpressionReach::Acts,
            None => !is_super(*it) && !only_refuses(*it) && reach(&names, code, *it) == ExpressionReach::Acts,
        };
        match body.into_iter().find(acts) {
            Some(one) => doubt(code, one.span(), "this is done once for all objects of the same values").map(Some),
            None => Ok(None),
        }
    }

    /// Refuses two calls that one object would be found for, though they make two different ones; tells where nothing proves
    /// that there are none.
    fn check_apart(&self, calls: &[Call<'_>]) -> Result<Option<Warning>, Refusal> {
        let (code, parameters) = (self.code(), &self.signature.parameters);
        let is_key = |at: &usize| self.keys.iter().any(|key| key.node == parameters[*at].node);
        let (keys, others): (Vec<usize>, Vec<usize>) = (0..parameters.len()).partition(is_key);
        let name = |at: &usize| parameters[*at].name.text(code.text());
        let named = |all: &[usize]| format!("`{}`", all.iter().map(name).collect::<Vec<_>>().join("`, `"));
        let Some(first) = others.first() else { return Ok(None) };
        let said = |call: &Call<'_>, all: &[usize]| -> Vec<Option<String>> {
            all.iter().map(|at| self.literal(call, *at)).collect()
        };
        for (number, call) in calls.iter().enumerate() {
            let found = said(call, &keys);
            let is_same = |other: &&Call<'_>| found.iter().all(Option::is_some) && said(other, &keys) == found;
            for twin in calls[..number].iter().filter(is_same) {
                let differs = |at: &&usize| {
                    let (one, other) = (self.literal(call, **at), self.literal(twin, **at));
                    one.is_some() && other.is_some() && one != other
                };
                if let Some(at) = others.iter().find(differs) {
                    let there = twin.code.place(twin.node.start());
                    return Err(call.refuse(format!(
                        "by {} this would be the object that is made at {there}, which has another `{}`",
                        named(&keys),
                        name(at)
                    )));
                }
            }
        }
        let is_told = |call: &Call<'_>| (0..parameters.len()).all(|at| self.literal(call, at).is_some());
        let told = format!(
            "objects are found by {} alone: {} is that of the first one that is made",
            named(&keys),
            named(&others)
        );
        let range = code.parsed().text.range(parameters[*first].node.span());
        let warning = || Warning::at(WarningKind::PossibleUse, told, code.path.clone(), range);
        Ok((!calls.iter().all(is_told)).then(warning))
    }

    /// Returns the literal that a call gives a parameter, by its default, too; quotes do not tell texts apart.
    fn literal(&self, call: &Call<'_>, at: usize) -> Option<String> {
        let given = call.value(at).map(|it| (call.code, it));
        let (code, value) = given.or_else(|| self.signature.parameters[at].default.map(|it| (self.code(), it)))?;
        is_literal(value).then(|| value.text(code.text()).replace('\'', "\""))
    }

    /// Asks for an object where one was made.
    fn asked(&self, code: &Code, made: Node<'_>) -> Result<TextEdit, Refusal> {
        if code.family() == Family::Python {
            let callee = made.child("function").unwrap_or(made);
            return Ok(TextEdit::new(Span::at(callee.end()), format!(".{}", self.name)));
        }
        let class = made.child("constructor");
        let class = class.ok_or_else(|| code.refuse(made.start(), "an object is made in another way here"))?;
        Ok(TextEdit::new(Span::new(made.start(), class.end()), format!("{}.{}", class.text(code.text()), self.name)))
    }

    fn written(&self) -> Vec<TextEdit> {
        let (kept, asked) = match self.code().family() {
            Family::Python => self.in_python(),
            _ => self.in_script(),
        };
        let mut edits = vec![self.class.with(Slot::Method, &[asked])];
        let field = self.class.with(Slot::Constructor, &[kept]);
        edits.push(field);
        if self.code().is_typed_script() {
            edits.push(self.closed());
        }
        edits
    }

    /// Keeps others from making objects.
    fn closed(&self) -> TextEdit {
        let function = self.signature.function;
        let word = function.children().find(|it| it.is("accessibility_modifier"));
        match word {
            Some(word) => TextEdit::new(word.span(), "private"),
            None => TextEdit::new(Span::at(function.start()), "private "),
        }
    }

    /// Returns the parameters as they are written, and what hands them on.
    fn handed(&self) -> (String, String) {
        let text = self.code().text();
        let mut is_named = false;
        let (mut taken, mut passed) = (Vec::new(), Vec::new());
        for one in &self.signature.parameters {
            let name = one.name.text(text);
            if one.is_named() && !is_named {
                taken.push("*".to_owned());
                is_named = true;
            }
            // Without the words that make it a field.
            let start = if self.code().family() == Family::Python { one.node.start() } else { one.name.start() };
            taken.push(text[start..one.node.end()].to_owned());
            passed.push(if one.is_named() { format!("{name}={name}") } else { name.to_owned() });
        }
        (taken.join(", "), passed.join(", "))
    }

    fn in_python(&self) -> (String, String) {
        let code = self.code();
        let (end, indent, step) = (code.newline(), self.class.indent(), Layout::of(code).step().to_owned());
        let (taken, passed) = self.handed();
        let names: Vec<&str> = self.keys.iter().map(|it| it.name.text(code.text())).collect();
        let key = if let [only] = names.as_slice() { (*only).to_owned() } else { format!("({})", names.join(", ")) };
        let is_typed = self.signature.is_typed();
        let (of, answer) = match is_typed {
            true => (": dict".to_owned(), format!(" -> \"{}\"", self.class.name())),
            false => (String::new(), String::new()),
        };
        let (base, inner) = (format!("{indent}{step}"), format!("{indent}{step}{step}"));
        let looked = if names.len() > 1 { "key".to_owned() } else { key.clone() };
        let begun = if names.len() > 1 { format!("key = {key}{end}{base}") } else { String::new() };
        let asked = format!(
            "@classmethod{end}{indent}def {}(cls, {taken}){answer}:{end}{base}{begun}if {looked} not in cls._instances:{end}{inner}cls._instances[{looked}] = cls({passed}){end}{base}return cls._instances[{looked}]",
            self.name
        );
        (format!("_instances{of} = {{}}"), asked)
    }

    fn in_script(&self) -> (String, String) {
        let code = self.code();
        let (text, close) = (code.text(), code.semicolon());
        let (end, indent, step) = (code.newline(), self.class.indent(), Layout::of(code).step().to_owned());
        let (taken, passed) = self.handed();
        let class = self.class.name();
        let names: Vec<&str> = self.keys.iter().map(|it| it.name.text(text)).collect();
        let (begun, key) = match names.as_slice() {
            [only] => (String::new(), (*only).to_owned()),
            several => (
                format!("const key = JSON.stringify([{}]){close}{end}{indent}{step}", several.join(", ")),
                "key".to_owned(),
            ),
        };
        let is_typed = code.parsed().tree.language() != Language::JavaScript;
        let of = match (is_typed, self.keys.as_slice()) {
            (false, _) => String::new(),
            (true, [only]) => {
                let said = only.of.map(|it| it.text(text).trim_start_matches(':').trim()).unwrap_or("string");
                format!("<{said}, {class}>")
            }
            (true, _) => format!("<string, {class}>"),
        };
        let (words, answer) =
            if is_typed { ("private static readonly", format!(": {class}")) } else { ("static", String::new()) };
        let kept = format!("{words} instances = new Map{of}(){close}");
        let (base, inner) = (format!("{indent}{step}"), format!("{indent}{step}{step}"));
        let asked = format!(
            "static {}({taken}){answer} {{{end}{base}{begun}let found = {class}.instances.get({key}){close}{end}{base}if (found === undefined) {{{end}{inner}found = new {class}({passed}){close}{end}{inner}{class}.instances.set({key}, found){close}{end}{base}}}{end}{base}return found{close}{end}{indent}}}",
            self.name
        );
        (kept, asked)
    }
}

/// Tells whether a statement does nothing but refuse some values.
fn only_refuses(statement: Node<'_>) -> bool {
    const RAISES: &[&str] = &["raise_statement", "throw_statement"];
    let then = statement.child("consequence").filter(|_| statement.child("alternative").is_none());
    then.is_some_and(|it| it.is_any(RAISES) || it.named_children().all(|one| one.is_any(RAISES)))
}

/// Returns what a statement that is an assignment assigns.
fn assigned(statement: Node<'_>) -> Option<Node<'_>> {
    let inner = statement.named_children().next()?;
    inner.child("right").filter(|_| inner.kind().starts_with("assignment"))
}

/// Tells whether values of a type are found by what they are.
fn is_primitive(said: &str) -> bool {
    let is_one = |it: &str| {
        matches!(it, "string" | "number" | "boolean" | "bigint" | "symbol" | "null" | "undefined")
            || it.starts_with(['"', '\''])
            || it.parse::<f64>().is_ok()
    };
    !said.is_empty() && said.split('|').all(|it| is_one(it.trim()))
}
