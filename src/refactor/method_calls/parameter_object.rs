//! Introduce Parameter Object: a frozen dataclass of Python, an interface of TypeScript.
//!
//! ```python
//!                                              @dataclass(frozen=True)
//!                                              class Span:
//!                                                  low: int
//!                                                  high: int
//!                                          →
//! def within(low: int, high: int):             def within(span: Span):
//!     return low < LIMIT < high                    return span.low < LIMIT < span.high
//!
//! within(1, 9)                                 within(Span(low=1, high=9))
//! ```

use std::collections::BTreeMap;

use super::whole_object::check_order;
use crate::plan::{Plan, Warning};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_arity::passed;
use crate::refactor::analysis::call_sites::{
    Call, Parameter, Passing, Signature, called_at, check_takes, is_constructor, value,
};
use crate::refactor::analysis::classes::{Member, MemberKind, comments_above};
use crate::refactor::analysis::constructor_calls::Makers;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::fields::held_as;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::required::Departures;
use crate::refactor::analysis::imports::statements::loads;
use crate::refactor::analysis::indentation::{Layout, changed};
use crate::refactor::analysis::parameter_docs::{moved_description, moved_docs, nested_docs, replaced_docs, told_of};
use crate::refactor::analysis::parameter_fields::{set_first, words};
use crate::refactor::analysis::signatures::{Callee, ListOwner, UntypedCalls, is_literal};
use crate::refactor::analysis::substitution::put;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, above, is_class};
use crate::session::Session;
use crate::syntax::{Family, Node, whole_words};
use crate::text::{AbsPath, Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// The parameters that become one.
struct Grouped<'r> {
    at: Vec<usize>,
    /// What comes into being, and what the parameter is called.
    class: &'r str,
    name: String,
    /// An optional property of the project may not be `undefined` unless its type says so.
    is_exact: bool,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = called_at(&code, &request.target)?;
    check_takes(&code, function, 1)?;
    if is_constructor(&code, function) {
        let makers = Makers::of_constructor(session, &code, function).await?;
        let passing = Passing::of_constructor((&code, function), &makers)?;
        return grouped(session, request, (&passing, &makers.warnings));
    }
    let own = Signature::bare((&code, function))?;
    let wanted = request.params.needed_list("parameters")?;
    let stays = |user: &Code, call: Node<'_>| leaves_all(&own, wanted, (user, call));
    let callee = Callee::changed(session, (&code, function), UntypedCalls::of(request), stays).await?;
    grouped(session, request, (&Passing::of(session, &callee).await?, &callee.warnings))
}

fn grouped(
    session: &Session,
    request: &Request,
    (passing, warnings): (&Passing<'_>, &[Warning]),
) -> Result<Plan, Refusal> {
    let grouped = Grouped::of(session, request, passing)?;
    let first = &passing.signatures[0];
    let code = home(session, passing)?;
    let mut edits = Edits::default();
    edits.warn(warnings.iter().cloned());
    if code.family() == Family::Python && !code.text().contains("dataclasses") {
        edits.warn([loads(code, &["dataclasses"])]);
    }
    let is_typed = code.family() == Family::Python || code.is_typed_script();
    let of = if is_typed { format!(": {}", grouped.class) } else { String::new() };
    if is_typed {
        grouped.declared((code, passing), &mut edits)?;
    }
    let mut gone = Departures::default();
    let mut users: BTreeMap<&AbsPath, &Code> = BTreeMap::new();
    let mut reads: BTreeMap<&AbsPath, Vec<TextEdit>> = BTreeMap::new();
    let is_left_out = |at: &&usize| passing.calls.iter().any(|call| call.value(**at).is_none());
    let left_out: Vec<usize> = grouped.at.iter().filter(is_left_out).copied().collect();
    for signature in &passing.signatures {
        if is_typed {
            users.insert(&signature.code.path, signature.code);
        }
        let own = grouped.parameter(signature, first, &of);
        edits.add(signature.code, signature.without(&grouped.at, Some(&own))?);
        let about = told_of(signature, &grouped.at);
        let docs = nested_docs(signature, &grouped.at, (&grouped.name, &left_out));
        let docs = docs.unwrap_or_else(|| replaced_docs(signature, &grouped.at, Some((&grouped.name, &about))));
        edits.add(signature.code, docs);
        edits.add(signature.code, grouped.kept_fields(signature)?);
        gone.add(signature.code, grouped.at.iter().map(|at| signature.parameters[*at].node.span()));
        reads.entry(&signature.code.path).or_default().extend(grouped.reading(signature)?);
    }
    for call in &passing.calls {
        let is_nested =
            |it: &Call<'_>| it.code.path == call.code.path && it.node != call.node && call.node.holds(it.node);
        if passing.calls.iter().any(is_nested) {
            return Err(call.refuse("one call of the function stands in another"));
        }
        let mut none = Vec::new();
        let own = reads.get_mut(&call.code.path).unwrap_or(&mut none);
        let passed = grouped.passed((call, first), own)?;
        let is_made = |edit: &TextEdit| !whole_words(&edit.new_text, grouped.class).is_empty();
        if code.family() == Family::Python && passed.iter().any(is_made) {
            users.insert(&call.code.path, call.code);
        }
        edits.add(call.code, passed);
    }
    for signature in &passing.signatures {
        edits.add(signature.code, reads.remove(&signature.code.path).unwrap_or_default());
    }
    for user in users.into_values().filter(|user| user.path != code.path) {
        crate::refactor::analysis::members::check_unused(user, grouped.class).noted()?;
        if code.family() == Family::Python {
            required::check_apart(session, code, user).noted()?;
        }
        edits.import(user, required::type_line(session, code, user, grouped.class));
    }
    gone.leave(session, &mut edits);
    edits.plan()
}

/// Returns the file of a signature that is to declare the class: one of Python that loads none of the others.
fn home<'c>(session: &Session, passing: &Passing<'c>) -> Result<&'c Code, Refusal> {
    let files: BTreeMap<&AbsPath, &Code> = passing.signatures.iter().map(|it| (&it.code.path, it.code)).collect();
    let check = |home: &Code| {
        let mut others = files.values().filter(|it| it.path != home.path && it.family() == Family::Python);
        others.try_for_each(|user| required::check_apart(session, home, user))
    };
    let found = passing.signatures.iter().map(|it| it.code).find(|home| check(home).is_ok());
    let first = passing.signatures[0].code;
    found.map_or_else(|| check(first).map(|()| first), Ok)
}

impl<'r> Grouped<'r> {
    fn of(session: &Session, request: &'r Request, passing: &Passing<'_>) -> Result<Self, Refusal> {
        let listed = request.params.needed_list("parameters")?;
        let mut at: Vec<usize> = listed.iter().map(|name| passing.at(name)).collect::<Result<_, _>>()?;
        at.sort_unstable();
        at.dedup();
        let (first, class) = (&passing.signatures[0], request.params.text("name"));
        if at.is_empty() {
            return Err(first.code.refuse(first.function.start(), "give one of its `parameters` at least"));
        }
        crate::refactor::analysis::members::check_unused(first.code, class)?;
        let name = held_as(first.code, class);
        for signature in &passing.signatures {
            signature.check_free(&name)?;
            if !is_open(signature, &at) {
                check_order(signature, &at)?;
            }
        }
        if name == class {
            return Err(Refusal::NotPossible(format!("`{class}` is not a class name: it begins with a small letter")));
        }
        Ok(Self { at, class, name, is_exact: has_exact_properties(session) })
    }

    /// Writes the parameter that a signature gets, as the first of the function's has it.
    fn parameter(&self, signature: &Signature<'_>, first: &Signature<'_>, of: &str) -> String {
        let name = &self.name;
        match (is_open(first, &self.at), signature.function.child("body")) {
            (false, _) => format!("{name}{of}"),
            (true, _) if signature.code.family() == Family::Python => format!("{name}{of} = {}()", self.class),
            (true, Some(_)) => format!("{name}{of} = {{}}"),
            // A signature without a body can only say that it may be left out.
            (true, None) => format!("{name}?{of}"),
        }
    }

    /// Declares what comes into being, above the function that one file has.
    fn declared(&self, (code, passing): (&Code, &Passing<'_>), edits: &mut Edits) -> Result<(), Refusal> {
        let is_here = |it: &&Signature<'_>| it.code.path == code.path;
        let here = || passing.signatures.iter().filter(is_here);
        let one = here().find(|it| it.function.child("body").is_some());
        let one = one.or_else(|| here().next()).unwrap_or(&passing.signatures[0]);
        let end = code.newline();
        let is_python = code.family() == Family::Python;
        let earliest = here().map(|it| above(code, it.function)).min();
        let place = Span::at(earliest.unwrap_or_else(|| above(code, one.function)));
        let layout = Layout::of(code);
        let mut lines = Vec::new();
        let (mut fields, mut open) = (Vec::new(), Vec::new());
        for at in &self.at {
            let (name, field) = self.field(one, *at)?;
            if is_python && one.parameters[*at].of.is_none() {
                lines.extend(wanted(code, "typing", "Any")?);
            }
            let of = if one.parameters[*at].default.is_some() { &mut open } else { &mut fields };
            let said = moved_description(one, &self.at, *at);
            of.push(format!("{}{}{name}{field}", commented(&said, (layout.step(), end)), layout.step()));
        }
        fields.append(&mut open);
        let fields = fields.join(end);
        let text = if is_python {
            lines.extend(wanted(code, "dataclasses", "dataclass")?);
            let docs =
                self.docstring(one).map(|line| format!("{}{line}", if line.is_empty() { "" } else { layout.step() }));
            let docs: String = docs.map(|line| format!("{line}{end}")).collect();
            format!("@dataclass(frozen=True){end}class {}:{end}{docs}{fields}{end}{end}{end}", self.class)
        } else {
            let is_seen = passing.signatures.iter().any(|it| !is_here(&it))
                || one.function.ancestors().any(|it| it.is("export_statement"));
            let export = if is_seen { "export " } else { "" };
            format!("{export}interface {} {{{end}{fields}{end}}}{end}{end}", self.class)
        };
        edits.import(code, lines);
        edits.add(code, [TextEdit::new(place, text)]);
        Ok(())
    }

    /// Returns the lines of the docstring that takes over what the function says of the parameters.
    fn docstring(&self, one: &Signature<'_>) -> impl Iterator<Item = String> {
        let moved = moved_docs(one, &self.at);
        let head = [format!("\"\"\"Arguments of `{}`.", one.name()), String::new()];
        let whole =
            (!moved.is_empty()).then(|| head.into_iter().chain(moved).chain(["\"\"\"".to_owned(), String::new()]));
        whole.into_iter().flatten()
    }

    /// Returns a field's name, and what stands behind it.
    fn field<'c>(&self, one: &Signature<'c>, at: usize) -> Result<(&'c str, String), Refusal> {
        let (code, own) = (one.code, &one.parameters[at]);
        let name = own.name.text(code.text());
        let refuse = |reason: &str| Err(code.refuse(own.node.start(), reason));
        if let Some(of) = own.of {
            let names = ScopedNames::of(code);
            let is_inner = |it: &crate::syntax::scopes::Name| {
                // What a type names for itself it takes along: `(item: T) => void`.
                let mut bindings =
                    names.of_meaning(it.meaning).filter(|it| it.is_binding && !of.span().contains(it.span));
                bindings.any(|it| required::home(code, it).is_some())
            };
            let is_outer_type = |node: &Node<'_>| {
                let parameters = one
                    .function
                    .child("type_parameters")
                    .into_iter()
                    .chain(one.class.and_then(|class| class.node.child("type_parameters")));
                let mut all = parameters.flat_map(|it| it.descendants().collect::<Vec<_>>());
                all.any(|it| it.is("type_identifier") && it.text(code.text()) == node.text(code.text()))
            };
            let has_type_parameter = of
                .descendants()
                .any(|it| it.is_any(&["type_identifier", "this_type"]) && (it.is("this_type") || is_outer_type(&it)));
            if names.within(of.span()).any(|it| is_inner(&it)) || has_type_parameter {
                return refuse("its type means nothing outside");
            }
        }
        let of = own.of.map(|of| of.text(code.text()));
        if code.family() != Family::Python {
            let is_optional = own.node.is("optional_parameter");
            let end = code.semicolon();
            let open = if self.is_exact { " | undefined" } else { "" };
            let closed = |of: &str| match of.trim_start_matches(':').trim() {
                of if of.contains("=>") && self.is_exact => format!(": ({of})"),
                of => format!(": {of}"),
            };
            return match (own.default, of) {
                (Some(_), Some(of)) => Ok((name, format!("?{}{open}{end}", closed(of)))),
                (Some(default), None) => match literal_type(default) {
                    Some(of) => Ok((name, format!("?: {of}{open}{end}"))),
                    None => refuse("it has no type"),
                },
                (None, None) => refuse("it has no type"),
                (None, Some(of)) if is_optional => Ok((name, format!("?{}{open}{end}", closed(of)))),
                (None, Some(of)) => Ok((name, format!("{of}{end}"))),
            };
        }
        let of = of.unwrap_or("Any");
        match own.default {
            Some(default) if !is_literal(default) && !is_early(code, default, one.function) => {
                refuse("only a plain literal can be a default there, or a constant that stands above")
            }
            Some(default) => Ok((name, format!(": {of} = {}", default.text(code.text())))),
            None => Ok((name, format!(": {of}"))),
        }
    }

    /// Lets a body read the fields.
    fn reading(&self, signature: &Signature<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let (code, names) = (signature.code, ScopedNames::of(signature.code));
        let is_taken = |at: &&usize| is_taken_out(signature, &names, **at);
        let (taken, read): (Vec<&usize>, Vec<&usize>) = self.at.iter().partition(is_taken);
        if !taken.is_empty() {
            signature.check_seen()?;
        }
        for at in &taken {
            signature.uses_inside(&names, **at)?;
        }
        let taken: Vec<&Parameter<'_>> = taken.into_iter().map(|at| &signature.parameters[*at]).collect();
        let mut edits: Vec<TextEdit> = self.taken_out(signature, &names, &taken)?.into_iter().collect();
        for at in read {
            let said = format!("{}.{}", self.name, signature.parameters[*at].name.text(code.text()));
            for one in signature.reads(&names, *at)? {
                edits.push(put(code, one, &said)?);
            }
        }
        Ok(edits)
    }

    /// Sets the fields that parameters of a constructor were: `constructor(readonly width: number)`.
    fn kept_fields(&self, signature: &Signature<'_>) -> Result<Vec<TextEdit>, Refusal> {
        let (code, Some(class)) = (signature.code, signature.class) else { return Ok(Vec::new()) };
        let own = class.members().into_iter().filter(|it| it.kind == MemberKind::Parameter);
        let is_grouped = |it: &Member<'_>| self.at.iter().any(|at| signature.parameters[*at].node == it.node);
        let fields: Vec<Member<'_>> = own.filter(is_grouped).collect();
        let Some(first) = fields.first() else { return Ok(Vec::new()) };
        let (end, indent) = (code.newline(), class.indent());
        let between = format!("{end}{indent}{}", Layout::of(code).step());
        let (mut declared, mut set) = (String::new(), Vec::new());
        for field in &fields {
            let (node, name) = (field.node, field.name.text(code.text()));
            words(&class, field)?;
            if node.child("value").is_some() {
                return Err(code.refuse(node.start(), "it is a field as well, and has a default"));
            }
            declared.push_str(&format!("{end}{indent}{}{}", node.text(code.text()), code.semicolon()));
            set.push(format!("this.{name} = {}.{name}{}", self.name, code.semicolon()));
        }
        let declared = TextEdit::new(Span::at(class.body.start() + 1), format!("{declared}{end}"));
        Ok(vec![set_first(&class, first, &set.join(&between))?, declared])
    }

    /// Takes some of them out of the object at the start of the function: those that get another value, and in a script those
    /// with a default, so that it goes on to hold.
    fn taken_out(
        &self,
        signature: &Signature<'_>,
        names: &ScopedNames<'_>,
        taken: &[&Parameter<'_>],
    ) -> Result<Option<TextEdit>, Refusal> {
        let code = signature.code;
        let Some(first) = taken.first() else { return Ok(None) };
        let text = |node: Node<'_>| node.text(code.text()).to_owned();
        let body = signature.function.child("body").filter(|it| it.is_any(&["statement_block", "block"]));
        let body = body.ok_or_else(|| code.refuse(first.node.start(), "it has no place in a body without braces"))?;
        let own = |at: &usize| names.at(signature.parameters[*at].name).map(|it| it.meaning);
        let grouped: Vec<usize> = self.at.iter().filter_map(own).collect();
        let mut items = Vec::new();
        let is_python = code.family() == Family::Python;
        for one in taken {
            let default = one.default.filter(|_| !is_python);
            let needs_other = |default: Node<'_>| names.within(default.span()).any(|it| grouped.contains(&it.meaning));
            if let Some(default) = default.filter(|default| needs_other(*default)) {
                return Err(code.refuse(default.start(), "its default needs another one of them"));
            }
            let name = text(one.name);
            items.push(match default {
                _ if is_python => format!("{name} = {}.{name}", self.name),
                Some(default) => format!("{name} = {}", text(default)),
                None => name,
            });
        }
        let word = if taken.iter().any(|one| is_set_again(names, one.name)) { "let" } else { "const" };
        let lines = match is_python {
            true => items,
            false => vec![format!("{word} {{ {} }} = {}{}", items.join(", "), self.name, code.semicolon())],
        };
        let docstring = crate::syntax::python::docstring(signature.function).filter(|_| is_python);
        let mut statements = body.named_children();
        let next = statements.find(|it| docstring.is_none_or(|docstring| !it.span().contains(docstring)));
        let end = |next: Node<'_>| format!("{}{}", code.newline(), code.indent(next.start()));
        Ok(Some(match next {
            Some(next) if is_python => {
                let is_apart = code.text()[code.line_start(next.start())..next.start()].trim().is_empty();
                let end = if is_apart { end(next) } else { "; ".to_owned() };
                let lines = lines.iter().map(|line| format!("{line}{end}"));
                let at = if is_apart { comments_above(code, next.start()) } else { next.start() };
                TextEdit::new(Span::at(at), lines.collect::<String>())
            }
            Some(next) if code.line(next.start()) != code.line(body.start()) => {
                TextEdit::new(Span::at(body.start() + 1), format!("{}{}", end(next), lines.concat()))
            }
            _ => TextEdit::new(Span::at(body.start() + 1), format!(" {}", lines.concat())),
        }))
    }

    /// Lets a call pass them as one; what it passes may itself be read from one.
    fn passed(
        &self,
        (call, signature): (&Call<'_>, &Signature<'_>),
        reads: &mut Vec<TextEdit>,
    ) -> Result<Vec<TextEdit>, Refusal> {
        let (code, names) = (call.code, ScopedNames::of(call.code));
        let is_python = code.family() == Family::Python;
        let gone = call.arguments(&self.at);
        if gone.is_empty() && is_open(signature, &self.at) {
            return Ok(Vec::new());
        }
        let together = gone.first().zip(gone.last()).map(|(first, last)| Span::new(first.start(), last.end()));
        let is_apart =
            call.list.iter().any(|it| together.is_some_and(|all| all.contains(it.span())) && !gone.contains(it));
        let acting =
            call.list.iter().find(|it| reach(&names, code, **it) == ExpressionReach::Acts).filter(|_| is_apart);
        if let Some(acting) = acting {
            return Err(code.refuse(acting.start(), "this would come to be evaluated at another time"));
        }
        let (mut fields, mut is_same) = (Vec::new(), gone.len() == self.at.len());
        for argument in &gone {
            let at = self.at.iter().find(|at| call.passed[**at] == Some(*argument));
            let name = at.map(|at| signature.parameters[*at].name.text(signature.code.text())).unwrap_or_default();
            let span = value(*argument).span();
            let inside: Vec<TextEdit> = reads.extract_if(.., |edit| span.contains(edit.span)).collect();
            let said = changed(code.text(), span, &inside);
            is_same &= !inside.is_empty() && said == format!("{}.{name}", self.name);
            fields.push(match is_python {
                true => format!("{name}={said}"),
                false if said == name => name.to_owned(),
                false => format!("{name}: {said}"),
            });
        }
        let fields = fields.join(", ");
        let object = match is_python {
            // What was taken apart of one object goes on as it is.
            _ if is_same => self.name.clone(),
            true => format!("{}({fields})", self.class),
            false if fields.is_empty() => "{}".to_owned(),
            false => format!("{{ {fields} }}"),
        };
        let is_placed = call.passed[self.at[0]].is_some_and(|it| !it.is("keyword_argument"));
        let object = if is_python && !is_placed { format!("{}={object}", self.name) } else { object };
        match call.node.child("arguments").filter(|_| gone.is_empty()) {
            Some(list) => Ok(vec![crate::refactor::analysis::signatures::appended(code, list, &object)]),
            None => call.without(&gone, Some(&object)),
        }
    }
}

/// Writes a comment above a member of a type.
fn commented(said: &[&str], (step, end): (&str, &str)) -> String {
    match said {
        [] => String::new(),
        [only] => format!("{step}/** {only} */{end}"),
        lines => {
            let lines: String = lines.iter().map(|line| format!("{step} * {line}{end}")).collect();
            format!("{step}/**{end}{lines}{step} */{end}")
        }
    }
}

/// Tells whether a parameter becomes a variable of the function.
fn is_taken_out(signature: &Signature<'_>, names: &ScopedNames<'_>, at: usize) -> bool {
    let parameter = &signature.parameters[at];
    let has_default = signature.code.family() == Family::Script && parameter.default.is_some();
    has_default || is_set_again(names, parameter.name)
}

fn is_set_again(names: &ScopedNames<'_>, name: Node<'_>) -> bool {
    let meaning = names.at(name).map(|it| it.meaning);
    meaning.is_some_and(|meaning| names.writes(meaning).any(|write| write.span != name.span()))
}

/// Tells whether a configuration of the project keeps optional properties from being `undefined`
/// (TypeScript's `exactOptionalPropertyTypes`).
fn has_exact_properties(session: &Session) -> bool {
    const OPTION: &str = "exactOptionalPropertyTypes";
    let says = |text: &str| {
        let mut said = text.split(OPTION).skip(1);
        said.any(|rest| rest.trim_start_matches(['"', ' ', ':']).starts_with("true"))
    };
    let configurations = session.disk().files_mentioning(OPTION).into_iter().filter(|path| path.extension() == "json");
    configurations.into_iter().any(|path| session.disk().read(&path).is_ok_and(|text| says(text.as_str())))
}

/// Returns the type of a literal of a script.
fn literal_type(literal: Node<'_>) -> Option<&'static str> {
    match literal.kind() {
        "number" => Some("number"),
        "string" | "template_string" => Some("string"),
        "true" | "false" => Some("boolean"),
        _ => None,
    }
}

/// Tells whether a default of Python is a constant of the module that has its value where the class comes to stand.
fn is_early(code: &Code, default: Node<'_>, function: Node<'_>) -> bool {
    let names = ScopedNames::of(code);
    let root = std::iter::successors(Some(default), |it| it.child("object").filter(|_| it.is("attribute"))).last();
    let place = above(code, function);
    root.filter(|it| it.is("identifier")).and_then(|it| names.at(it)).is_some_and(|name| {
        let bindings: Vec<Span> = names.of_meaning(name.meaning).filter(|it| it.is_binding).map(|it| it.span).collect();
        let is_top = |span: Span| !code.covering(span).ancestors().any(is_class);
        let is_once = matches!(bindings.as_slice(), [only] if only.end <= place && is_top(*only));
        !name.is_free && is_once && names.function_of_meaning(name.meaning).is_none()
    })
}

/// Returns the import of a name of Python's own library, where the file does not have it.
fn wanted(code: &Code, module: &str, name: &str) -> Result<Option<String>, Refusal> {
    let names = ScopedNames::of(code);
    let bindings: Vec<_> = names.named(name).filter(|it| it.is_binding).collect();
    let is_it = |binding: &crate::syntax::scopes::Name| {
        let statement = code.covering(binding.span).ancestors().find(|it| it.is("import_from_statement"));
        let is_top = statement.is_some_and(|it| it.parent() == Some(code.root()));
        is_top && statement.and_then(|it| it.child("module_name")).is_some_and(|it| it.text(code.text()) == module)
    };
    match bindings.as_slice() {
        [one] if is_it(one) => Ok(None),
        [] if !code.mentions(code.root(), name) => Ok(Some(format!("from {module} import {name}"))),
        _ => Err(Refusal::NotPossible(format!("`{name}` refers to something else in `{}`", code.shown))),
    }
}

/// Tells whether a call of the function passes none of some parameters, nor anything by its place behind them, and stays as
/// it is.
fn leaves_all(own: &Signature<'_>, wanted: &[String], (code, call): ListOwner<'_>) -> bool {
    let name = |it: &Parameter<'_>| it.name.text(own.code.text());
    let named = |it: &usize| wanted.iter().any(|one| one == name(&own.parameters[*it]));
    let at: Vec<usize> = (0..own.parameters.len()).filter(named).collect();
    let stays = |(count, names): (usize, Vec<&str>)| {
        at.first().is_some_and(|first| count <= *first) && !names.iter().any(|it| wanted.iter().any(|one| one == it))
    };
    !at.is_empty() && is_open(own, &at) && passed(code, call).is_some_and(stays)
}

/// Tells whether all can be left out: calls that pass none of them stay as they are. What the new class of Python holds then
/// nobody changes, and all of these calls may share it. In scripts nothing else may follow them.
fn is_open(signature: &Signature<'_>, at: &[usize]) -> bool {
    let is_left_out = |at: usize| {
        let parameter = &signature.parameters[at];
        parameter.default.is_some() || parameter.node.is("optional_parameter")
    };
    let is_last = || (at[0]..signature.parameters.len()).all(|it| at.contains(&it) || is_left_out(it));
    at.iter().all(|at| is_left_out(*at)) && (signature.code.family() == Family::Python || is_last())
}
