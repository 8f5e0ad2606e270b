//! Parameterize Method: functions that differ in one literal, or in one constant, become one.
//!
//! ```python
//! def five_percent(pay):                   def raised(pay, factor):
//!     return pay * 1.05                        return pay * factor
//!                                      →
//! def ten_percent(pay):
//!     return pay * 1.1
//!
//! ten_percent(100)                         raised(100, 1.1)
//! ```

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::parts;
use crate::refactor::analysis::call_sites::{Call, Parameter, Passing, Signature, list};
use crate::refactor::analysis::classes::comments_above;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::free_names::check_member_name;
use crate::refactor::analysis::given_text::{self, TextPurpose};
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::required::home;
use crate::refactor::analysis::indentation::without_lines;
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::parameters::put_before;
use crate::refactor::analysis::signatures::{Callee, appended, name_of};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, definition, function_at, inner};
use crate::session::Session;
use crate::syntax::python::decorators;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What may name a constant of a module: `LIMIT`, `Color.RED`.
const CONSTANTS: &[&str] = &["attribute", "identifier", "member_expression"];
const LITERALS: &[&str] = &["false", "float", "integer", "number", "string", "true"];
/// Where a literal is no value of an expression.
const FIXED: &[&str] =
    &["case_pattern", "concatenated_string", "literal_type", "parameters", "formal_parameters", "type"];

/// What comes into being.
struct Made<'r> {
    name: &'r str,
    parameter: &'r str,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    if !function.descendants().any(|it| it.is_any(LITERALS) || it.is_any(CONSTANTS)) {
        return Err(code.refuse(function.start(), "no value is written in it that others could differ in"));
    }
    let listed = request.params.needed_list("functions")?;
    let mut callees = vec![Callee::of(session, &code, function).await?];
    let own = name_of(function).map(|name| name.text(code.text()));
    for name in listed.iter().filter(|name| own != Some(name.as_str())) {
        callees.push(Callee::of(session, &code, beside(&code, function, name)?).await?);
    }
    let mut all = Vec::new();
    for callee in &callees {
        let passing = Passing::of(session, callee).await?;
        check_alone(&passing)?;
        all.push(passing);
    }
    let [first, others @ ..] = all.as_slice() else { return Err(code.refuse(function.start(), "it is not there")) };
    if others.is_empty() {
        return Err(Refusal::NotPossible("give the other `functions`".to_owned()));
    }
    let own = &first.signatures[0];
    for other in others {
        check_alike(own, &other.signatures[0])?;
    }
    let name = request.params.given("name").unwrap_or(own.name());
    let made = Made { name, parameter: request.params.given("parameter").unwrap_or("value") };
    let (places, said) = literals(&all)?;
    let mut edits = Edits::default();
    for callee in &callees {
        edits.warn(callee.warnings.iter().cloned());
    }
    made.check_free(session, own).await.noted()?;
    edits.add(own.code, made.declared(session, own, (&places, &said))?);
    edits.add(own.code, removed(own, others)?);
    for (passing, callee) in all.iter().zip(&callees).filter(|(passing, _)| passing.signatures[0].name() != name) {
        callee.check_imports(|path| passing.calls.iter().any(|call| call.code.path == *path)).noted()?;
    }
    let mut users: BTreeMap<&AbsPath, (&Code, Vec<Span>)> = BTreeMap::new();
    for (passing, said) in all.iter().zip(&said) {
        for call in &passing.calls {
            edits.add(call.code, made.called(own, call, said)?);
            let purpose = (TextPurpose::Value(said), [].as_slice());
            let needed = given_text::imports(session, own.code, (call.code, call.node), purpose)?;
            given_text::add(call.code, needed, &mut edits);
            let callee = call.callee();
            let is_led = callee.is_leaf() && callee.text(call.code.text()) != name;
            let gone = &mut users.entry(&call.code.path).or_insert((call.code, Vec::new())).1;
            gone.extend(is_led.then_some(callee.span()));
        }
    }
    for (user, gone) in users.into_values().filter(|(user, gone)| user.path != own.code.path && !gone.is_empty()) {
        made.import(session, (own.code, user), &gone, &mut edits)?;
    }
    edits.plan()
}

impl Made<'_> {
    /// Refuses names that mean something already.
    async fn check_free(&self, session: &Session, own: &Signature<'_>) -> Result<(), Refusal> {
        own.check_free(self.parameter)?;
        own.check_seen()?;
        match own.class {
            _ if self.name == own.name() => Ok(()),
            Some(class) => check_member_name(session, &class, self.name).await,
            None => check_unused(own.code, self.name),
        }
    }

    /// Gives the function its name and its parameter, in the place of the literals.
    fn declared(
        &self,
        session: &Session,
        own: &Signature<'_>,
        (places, said): (&[Node<'_>], &[&str]),
    ) -> Result<Vec<TextEdit>, Refusal> {
        let code = own.code;
        let list = list(own.function).unwrap_or(own.function);
        let is_typed = code.is_typed_script()
            || own.parameters.iter().any(|it| it.of.is_some())
            || own.function.child("return_type").is_some();
        let of = match is_typed {
            true if places[0].is_any(CONSTANTS) => enumeration(session, code, said)?,
            true => self.of(code, places, said)?,
            false => String::new(),
        };
        let said = format!("{}{of}", self.parameter);
        // What can be left out, or is passed by name alone, comes last.
        let open = own.parameters.iter().position(is_late).map(|at| own.parameters[at].node);
        let separator = list.named_children().find(|it| it.is("keyword_separator"));
        let next = open.into_iter().chain(separator).min_by_key(|it| it.start());
        let mut edits = vec![next.map_or_else(|| appended(code, list, &said), |next| put_before(code, next, &said))];
        edits.extend(places.iter().map(|it| TextEdit::new(it.span(), self.parameter)));
        let name = own.name_node().filter(|it| it.text(code.text()) != self.name);
        edits.extend(name.map(|it| TextEdit::new(it.span(), self.name)));
        Ok(edits)
    }

    /// Returns the type of the literals, as it stands behind the parameter's name.
    fn of(&self, code: &Code, places: &[Node<'_>], said: &[&str]) -> Result<String, Refusal> {
        let is_python = code.family() == Family::Python;
        let kind = bare(places[0]).kind();
        let is_float = said.iter().any(|it| it.contains(['.', 'e', 'E']));
        let of = match kind {
            "string" if said[0].starts_with(['b', 'B']) => "bytes",
            "string" if is_python => "str",
            "string" => "string",
            "number" if said.iter().any(|it| it.ends_with('n')) => "bigint",
            "number" => "number",
            "true" | "false" if is_python => "bool",
            "true" | "false" => "boolean",
            _ if is_float => "float",
            _ => "int",
        };
        let is_mixed = ["bytes", "bigint"].contains(&of);
        match is_mixed {
            true => Err(code.refuse(places[0].start(), "the type of these literals is not known")),
            false => Ok(format!(": {of}")),
        }
    }

    /// Lets a call pass the literal.
    fn called(&self, own: &Signature<'_>, call: &Call<'_>, said: &str) -> Result<Vec<TextEdit>, Refusal> {
        let code = call.code;
        let is_left_out = |at: usize| call.passed[at].is_none() && !own.parameters.get(at).is_some_and(is_late);
        if (0..call.passed.len()).any(is_left_out) {
            return Err(call.refuse("it does not pass all that is taken"));
        }
        let place = own.parameters.iter().take_while(|it| !is_late(it)).count();
        let is_named = call.list.iter().take(place.max(1)).any(|it| it.is("keyword_argument"));
        let said = if is_named { format!("{}={said}", self.parameter) } else { said.to_owned() };
        let callee = call.callee();
        let name = callee.child("attribute").or_else(|| callee.child("property")).unwrap_or(callee);
        let list = call.node.child("arguments").unwrap_or(call.node);
        let next = call.list.get(place).filter(|_| !is_named);
        let mut edits = vec![next.map_or_else(|| appended(code, list, &said), |next| put_before(code, *next, &said))];
        edits.extend((name.text(code.text()) != self.name).then(|| TextEdit::new(name.span(), self.name)));
        Ok(edits)
    }

    /// Imports the function where the others were imported.
    fn import(
        &self,
        session: &Session,
        (code, user): (&Code, &Code),
        gone: &[Span],
        edits: &mut Edits,
    ) -> Result<(), Refusal> {
        let names = ScopedNames::of(user);
        let mut known = names.named(self.name).filter(|it| it.is_binding).peekable();
        if known.peek().is_none() {
            check_unused(user, self.name)?;
            edits.import(user, required::line(session, code, user, self.name));
        } else if !known.all(|it| home(user, it).is_none() && required::imports(session, user, it, code)) {
            return Err(Refusal::NotPossible(format!("`{}` refers to something else in `{}`", self.name, user.shown)));
        }
        required::leave_with(session, user, (gone, gone), edits);
        Ok(())
    }
}

/// Tells whether a parameter stands behind those that every call passes by their places.
fn is_late(parameter: &Parameter<'_>) -> bool {
    parameter.is_open() || parameter.is_named()
}

/// Returns another function of the same class, or of the same module.
fn beside<'c>(code: &'c Code, function: Node<'c>, name: &str) -> Result<Node<'c>, Refusal> {
    let is_it = |node: &Node<'c>| {
        is_any_function(*node)
            && node.child("name").is_some_and(|it| it.text(code.text()) == name)
            && definition(*node).parent() == definition(function).parent()
    };
    // One that is exported stands in a statement of its own.
    let is_exported = |node: &Node<'c>| {
        node.is("function_declaration")
            && function.is("function_declaration")
            && node.child("name").is_some_and(|it| it.text(code.text()) == name)
            && node.parent().and_then(|it| it.parent().or(Some(it))) == Some(code.root())
    };
    let mut all = code.root().descendants();
    let found = all.find(|node| is_it(node) || is_exported(node));
    found.ok_or_else(|| code.refuse(function.start(), format!("beside the function stands no plain function `{name}`")))
}

/// Refuses methods of which one has an object, or a class, and the other none.
fn check_alike(own: &Signature<'_>, other: &Signature<'_>) -> Result<(), Refusal> {
    let marks = |one: &Signature<'_>| -> Vec<String> {
        decorators(one.function).map(|mark| mark.text(one.code.text()).to_owned()).collect()
    };
    match marks(own) == marks(other) {
        true => Ok(()),
        false => Err(other.code.refuse(other.function.start(), "the functions are not decorated alike")),
    }
}

/// Refuses a function that others stand for, that calls itself, or that something decorates.
fn check_alone(passing: &Passing<'_>) -> Result<(), Refusal> {
    let own = &passing.signatures[0];
    let refuse = |reason: &str| Err(own.code.refuse(own.function.start(), reason));
    passing.only((own.code, own.function))?;
    // A method of the class is called as before.
    let is_plain = |mark: &Node<'_>| matches!(mark.text(own.code.text()), "@classmethod" | "@staticmethod");
    if decorators(own.function).any(|mark| !is_plain(&mark)) {
        return refuse("something decorates it");
    }
    let is_inside = |call: &Call<'_>| call.code.path == own.code.path && own.function.span().contains(call.node.span());
    if passing.calls.iter().any(is_inside) { refuse("it calls itself") } else { Ok(()) }
}

/// Returns the literals of the first function that the others differ in, and what each function has there.
fn literals<'c>(all: &[Passing<'c>]) -> Result<(Vec<Node<'c>>, Vec<&'c str>), Refusal> {
    let own = &all[0].signatures[0];
    let mut places: Vec<Node<'c>> = Vec::new();
    let mut said: Vec<&'c str> = vec![""];
    for passing in &all[1..] {
        let other = &passing.signatures[0];
        let mut pairs = Vec::new();
        compare(own, other, &mut pairs)?;
        let text = |node: Node<'c>| node.text(other.code.text());
        let here: Vec<Node<'c>> = pairs.iter().map(|(one, _)| *one).collect();
        let Some((one, first)) = pairs.first().copied() else {
            return Err(other.code.refuse(other.function.start(), "it does not differ at all"));
        };
        let own_text = one.text(own.code.text());
        let is_one = pairs.iter().all(|(one, it)| text(*it) == text(first) && one.text(own.code.text()) == own_text);
        let is_bool = |node: Node<'_>| node.is_any(&["true", "false"]);
        let is_number = |node: Node<'_>| bare(node).is_any(&["integer", "float"]);
        let is_alike = bare(one).kind() == bare(first).kind()
            || is_bool(one) && is_bool(first)
            || is_number(one) && is_number(first);
        if !is_one || !is_alike || !places.is_empty() && places != here {
            return Err(other.code.refuse(first.start(), "they differ in more than one literal"));
        }
        places = here;
        said[0] = own_text;
        said.push(text(first));
    }
    let is_fixed = |node: &&Node<'c>| {
        let inside = node.ancestors().take_while(|outer| *outer != own.function);
        let is_bare = node.parent().is_some_and(|it| it.is("expression_statement"));
        is_bare
            || node.field() == Some("key")
            || inside.into_iter().any(|outer| outer.is_any(FIXED))
            || node.descendants().any(|it| it.is("interpolation"))
    };
    match places.iter().find(is_fixed) {
        Some(node) => Err(own.code.refuse(node.start(), "no variable can stand here")),
        None => Ok((places, said)),
    }
}

/// Collects the literals in which two functions differ; anything else refuses.
fn compare<'c>(
    own: &Signature<'c>,
    other: &Signature<'c>,
    pairs: &mut Vec<(Node<'c>, Node<'c>)>,
) -> Result<(), Refusal> {
    let mut open = vec![(own.function, other.function)];
    while let Some((one, two)) = open.pop() {
        let texts = (one.text(own.code.text()), two.text(other.code.text()));
        let is_name = Some(one) == own.name_node() && Some(two) == other.name_node();
        let are_literals = bare(one).is_any(LITERALS) && bare(two).is_any(LITERALS);
        if is_name || are_literals && texts.0 == texts.1 {
            continue;
        }
        let is_constant = || texts.0 != texts.1 && constant(own, one) && constant(other, two);
        if are_literals || is_constant() {
            pairs.push((one, two));
            continue;
        }
        let (ones, twos) = (parts(own.function, one), parts(other.function, two));
        if one.kind() != two.kind() || ones.len() != twos.len() || ones.is_empty() && texts.0 != texts.1 {
            return Err(other.code.refuse(two.start(), "they differ in more than a literal or a constant"));
        }
        open.extend(ones.into_iter().zip(twos));
    }
    pairs.sort_by_key(|(one, _)| one.start());
    Ok(())
}

/// Returns a number without its sign.
fn bare(node: Node<'_>) -> Node<'_> {
    let is_signed = node.is_any(&["unary_expression", "unary_operator"])
        && node.children().next().is_some_and(|sign| matches!(sign.kind(), "-" | "+"));
    let number = node.child("argument").filter(|it| it.is_any(&["float", "integer", "number"]));
    number.filter(|_| is_signed).unwrap_or(node)
}

/// Tells whether an expression names what its module sets once, or something of it.
fn constant(signature: &Signature<'_>, node: Node<'_>) -> bool {
    let code = signature.code;
    let names = ScopedNames::of(code);
    let mut root = node;
    while let Some(object) = root.child("object").filter(|_| root.is_any(CONSTANTS)) {
        root = object;
    }
    let name = names.at(root).filter(|_| root.is("identifier") && node.is_any(CONSTANTS));
    let is_part = matches!(node.field(), Some("attribute" | "function" | "property" | "name" | "object" | "type"));
    let is_type = node.ancestors().take_while(|outer| *outer != signature.function).any(|outer| outer.is_any(FIXED));
    !is_part
        && !is_type
        && name.is_some_and(|it| {
            let bound: Vec<_> = names.of_meaning(it.meaning).filter(|one| one.is_binding).collect();
            matches!(bound.as_slice(), [one] if home(code, *one).is_none())
        })
}

/// Returns the type of members of one enumeration, as it stands behind the parameter's name.
fn enumeration(session: &Session, code: &Code, said: &[&str]) -> Result<String, Refusal> {
    let owner = |text: &str| text.rsplit_once('.').map(|(owner, _)| owner.to_owned());
    let first = said.first().and_then(|text| owner(text));
    let shared = first.filter(|first| said.iter().all(|text| owner(text).as_ref() == Some(first)));
    let is_it = |other: &Code, name: &str| {
        other.root().named_children().map(inner).any(|it| {
            let bases = it.child("superclasses").map(|it| it.text(other.text())).unwrap_or_default();
            it.child("name").is_some_and(|own| own.text(other.text()) == name)
                && (it.is("enum_declaration") || bases.contains("Enum") || bases.contains("Flag"))
        })
    };
    let declares = |name: &str| {
        let files = session.disk().files_mentioning(name).into_iter();
        files.filter_map(|path| Code::known(session, &path).ok()).any(|other| is_it(&other, name))
    };
    match shared.filter(|name| declares(name)) {
        Some(name) => Ok(format!(": {name}")),
        None if code.is_typed_script() => {
            Err(Refusal::NotPossible("the type of these constants is not known".to_owned()))
        }
        None => Ok(String::new()),
    }
}

/// Takes the other functions away.
fn removed(own: &Signature<'_>, others: &[Passing<'_>]) -> Result<Vec<TextEdit>, Refusal> {
    let code = own.code;
    if let Some(class) = own.class {
        let gone: Vec<Span> = others.iter().map(|it| definition(it.signatures[0].function).span()).collect();
        let members: Vec<_> = class.members().into_iter().filter(|it| gone.contains(&it.node.span())).collect();
        return class.without(&members);
    }
    let mut edits = Vec::new();
    for span in others.iter().map(|it| it.signatures[0].function.span()) {
        let function = code.root().descendants().find(|it| it.span() == span && is_any_function(*it));
        let function = function.unwrap_or_else(|| code.covering(span));
        let outer = function.parent().filter(|it| it.is("export_statement")).unwrap_or(function);
        if !crate::refactor::analysis::blocks::is_alone(code, outer) {
            return Err(code.refuse(outer.start(), "its declaration shares its lines with something else"));
        }
        edits.push(without_lines(code, Span::new(comments_above(code, outer.start()), outer.end())));
    }
    Ok(edits)
}
