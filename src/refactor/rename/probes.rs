//! Places that no server follows and every server could tell the meaning of: keys in strings (`row.get("name")`), members
//! that a call asks for (`getattr(point, "x")`), arguments of calls that copy an object (`replace(point, x=2)`), and the
//! examples in docstrings.
//!
//! Each is asked for with a text laid over its file: `point` becomes `(point, (point).x)[0]`, which is the same value of
//! the same type, and where that `x` is declared the server knows. Examples stand behind the module, as functions. In each
//! such text the parameters of tests have the types of their fixtures.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::fixture_values::FixtureValues;
use super::forward_references::is_python;
use super::insertions::{Insertion, Rank};
use super::repeated_names::declared_in;
use super::spelled_dictionaries::{is_spelled, taking_call};
use super::{definition_queries, dynamic_attributes, filled_collections};
use crate::lsp::{Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::python::{Unfolded, argument, matched};
use crate::syntax::{Language, Node, Site, Tree, site};
use crate::text::{AbsPath, Patchwork, Span, Text};

/// Methods of a dictionary whose first argument is a key.
const KEY_CALLS: [&str; 4] = ["get", "pop", "setdefault", "__getitem__"];
/// Functions whose second argument is a key of the first (pytest's `monkeypatch`).
const SETTING: [&str; 2] = ["setitem", "delitem"];
/// Functions that make one which asks for a key (Python's `operator`).
const GETTER: &str = "itemgetter";

/// The method of a dictionary that takes keys as they stand in another, or as names of arguments.
const UPDATE: &str = "update";
/// The call that puts something in the place of several members of its first argument, by the names of its arguments
/// (`patch.multiple` of Python's `unittest.mock`).
const MULTIPLE: &str = "multiple";

/// More places than this are not asked about one by one.
const MOST_OPEN: usize = 400;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// Keys of a `TypedDict`.
    Key,
    /// Members that a call asks for by name.
    Member,
    /// Arguments of calls that copy an object.
    Copied,
    /// Keys of a dictionary that a call takes apart: `f(**{"x": 2})`.
    Splat,
    /// Names in the examples of docstrings.
    Example,
    /// Members of what a fixture gives a test, and arguments of their calls.
    Given,
    /// The same of what was put into a collection.
    Filled,
    /// Arguments of a call of the class whose fields a string declares: `Point(x=2)`.
    Built,
    /// Members of an enumeration by name: `Color["RED"]`.
    Listed,
    /// Objects whose members are asked for by names that are made as the program runs: `getattr(order, name)`.
    Dynamic,
    /// Dictionaries that a call takes apart: `f(**options)`.
    TakenApart,
}

/// A place that may mean the renamed thing, and the object that is asked.
struct Candidate<'t> {
    span: Span,
    ask: Ask<'t>,
    form: Form,
}

/// What is asked for a place.
enum Ask<'t> {
    Itself,
    /// The member of an object, or its key.
    Of(Node<'t>),
    /// The key of what one gets to from an object: `["inner"]`.
    Within(Node<'t>, String),
    /// The member of `self`, where the object is `super()`, which has not what the class itself declares.
    OfSelf(Node<'t>),
    /// An argument of that name, where the arguments of a call end.
    Argument(usize),
}

/// What is looked for.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub name: &'a str,
    pub forms: &'a [Form],
    /// Tells of a place whether it is known already what it means.
    pub is_known: &'a (dyn Fn(&AbsPath, Span) -> bool + Sync),
}

/// A text to lay over a file, and the places of the name in it.
struct Laid {
    path: AbsPath,
    made: Patchwork,
    questions: Vec<Question>,
    /// The files whose fixtures are called in it.
    fixtures: BTreeSet<AbsPath>,
}

struct Question {
    /// In the made text.
    at: usize,
    /// In the file.
    span: Span,
    form: Form,
    /// It stands in what an example is to print.
    is_output: bool,
}

/// A place with what it means, in offsets of the texts on the disk.
pub(super) struct Meant {
    pub path: AbsPath,
    pub span: Span,
    pub form: Form,
    pub is_output: bool,
    pub declared: Vec<Location>,
}

/// Finds what every place of these forms means. To be asked for with nobody else at the server.
pub(super) async fn all(session: &Session, server: &Arc<Server>, wanted: &Wanted<'_>) -> Result<Vec<Meant>, Refusal> {
    let files = session.disk().files_mentioning(wanted.name);
    within(session, server, (wanted, &files)).await
}

/// Finds what every place of these forms in some files means. To be asked for with nobody else at the server.
pub(super) async fn within(
    session: &Session,
    server: &Arc<Server>,
    (wanted, files): (&Wanted<'_>, &[AbsPath]),
) -> Result<Vec<Meant>, Refusal> {
    let mut laid = Vec::new();
    for path in files.iter().filter(|path| is_python(path)) {
        if let Some(parsed) = session.parsed(path)? {
            let is_wanted =
                |one: &Candidate<'_>| wanted.forms.contains(&one.form) && !(wanted.is_known)(path, one.span);
            let mut over = Laid::over(session, (path, &parsed), wanted.name, is_wanted)?;
            if wanted.forms.contains(&Form::Example) {
                over = over.with_examples(&parsed, wanted.name);
            }
            laid.push(over);
        }
    }
    ask(session, server, wanted.name, laid).await
}

/// Returns the places of what fixtures give and collections hold that the server knows nothing about in the text as it is;
/// none where there are more than are asked about.
pub(super) async fn open(
    session: &Session,
    server: &Arc<Server>,
    wanted: &Wanted<'_>,
) -> Result<BTreeSet<(AbsPath, Span)>, Refusal> {
    let mut found = Vec::new();
    for path in session.disk().files_mentioning(wanted.name).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let values = FixtureValues::of(session, &path, &parsed)?;
        let given = given(&parsed, wanted.name, (&values, &filled_collections::insertions(&parsed)));
        let is_wanted = |one: &Candidate<'_>| wanted.forms.contains(&one.form) && !(wanted.is_known)(&path, one.span);
        found.extend(given.into_iter().filter(is_wanted).map(|one| (path.clone(), one.span)));
    }
    if found.len() > MOST_OPEN {
        return Ok(BTreeSet::new());
    }
    let places = found.iter().map(|(path, span)| Place { path: path.clone(), offset: span.start }).collect();
    let meanings = definition_queries::meanings(server, wanted.name, places).await?;
    Ok(found.into_iter().zip(meanings).filter(|(_, leads)| leads.is_empty()).map(|(place, _)| place).collect())
}

/// Finds what some of the places mean where names are made as the program runs. To be asked for with nobody else at the
/// server.
pub(super) async fn at_run_time(
    session: &Session,
    server: &Arc<Server>,
    name: &str,
    places: &BTreeSet<(AbsPath, Span)>,
) -> Result<Vec<Meant>, Refusal> {
    let files: BTreeSet<&AbsPath> = places.iter().map(|(path, _)| path).collect();
    let mut laid = Vec::new();
    for path in files {
        let Some(parsed) = session.parsed(path)? else { continue };
        let is_asked = |one: &Candidate<'_>| {
            matches!(one.form, Form::Dynamic | Form::TakenApart) && places.contains(&(path.clone(), one.span))
        };
        laid.push(Laid::over(session, (path, &parsed), name, is_asked)?);
    }
    ask(session, server, name, laid).await
}

/// Returns where that is declared which a place means by its form, such as the argument of a call that copies an object.
pub(super) async fn at(
    session: &Session,
    server: &Arc<Server>,
    (place, parsed): (&Place, &Parsed),
    (name, forms): (&str, &[Form]),
) -> Result<Vec<Location>, Refusal> {
    let is_asked = |one: &Candidate<'_>| forms.contains(&one.form) && one.span.start == place.offset;
    let laid = Laid::over(session, (&place.path, parsed), name, is_asked)?;
    let found = ask(session, server, name, vec![laid]).await?;
    Ok(found.into_iter().flat_map(|one| one.declared).collect())
}

/// Lays the texts over, asks, and takes them away again.
async fn ask(session: &Session, server: &Arc<Server>, name: &str, laid: Vec<Laid>) -> Result<Vec<Meant>, Refusal> {
    let mut laid: Vec<Laid> = laid.into_iter().filter(|one| !one.questions.is_empty()).collect();
    if laid.is_empty() {
        return Ok(Vec::new());
    }
    lay_fixtures(session, &mut laid)?;
    let paths: Vec<AbsPath> = laid.iter().map(|one| one.path.clone()).collect();
    session.cover(server, &paths).await?;
    let answered = asked_over(session, server, name, &laid).await;
    server.drop_overlays().await;
    let mut answered = answered?.into_iter();
    let mut found = Vec::new();
    for one in &laid {
        for question in &one.questions {
            let declared = answered.next().into_iter().flatten().filter_map(|location| on_disk(&laid, location));
            found.push(Meant {
                path: one.path.clone(),
                span: question.span,
                form: question.form,
                is_output: question.is_output,
                declared: declared.collect(),
            });
        }
    }
    Ok(found)
}

/// Adds the texts of the files whose fixtures are called, and of those that these call.
fn lay_fixtures(session: &Session, laid: &mut Vec<Laid>) -> Result<(), Refusal> {
    let mut at = 0;
    while let Some(one) = laid.get(at) {
        for path in one.fixtures.clone() {
            let is_laid = laid.iter().any(|other| other.path == path);
            if let Some(parsed) = session.parsed(&path)?.filter(|_| !is_laid) {
                laid.push(Laid::over(session, (&path, &parsed), "", |_| false)?);
            }
        }
        at += 1;
    }
    Ok(())
}

async fn asked_over(
    session: &Session,
    server: &Arc<Server>,
    name: &str,
    laid: &[Laid],
) -> Result<Vec<Vec<Location>>, Refusal> {
    let mut places = Vec::new();
    for one in laid {
        let text = session.disk().read(&one.path)?;
        if one.made.text() != text.as_str() {
            let made = Arc::new(Text::new(one.made.text()));
            server.overlay(&one.path, made).await.map_err(SessionError::from)?;
        }
        places.extend(one.questions.iter().map(|question| Place { path: one.path.clone(), offset: question.at }));
    }
    definition_queries::meanings(server, name, places).await
}

/// Leads a place in a text that was laid over back to the file; nothing for what was written into it.
fn on_disk(laid: &[Laid], location: Location) -> Option<Location> {
    let Some(over) = laid.iter().find(|one| one.path == location.path) else { return Some(location) };
    let span = over.made.origin(location.span)?;
    Some(Location { path: location.path, span })
}

impl Laid {
    /// Makes the text for a file that asks for the wanted places.
    fn over(
        session: &Session,
        (path, parsed): (&AbsPath, &Parsed),
        name: &str,
        is_wanted: impl Fn(&Candidate<'_>) -> bool,
    ) -> Result<Self, Refusal> {
        let (tree, text) = (&parsed.tree, parsed.text.as_str());
        let values = FixtureValues::of(session, path, parsed)?;
        let filled = filled_collections::insertions(parsed);
        let mut candidates: Vec<Candidate<'_>> =
            tree.nodes().iter().flat_map(|node| candidates(node, text, name)).collect();
        candidates.extend(given(parsed, name, (&values, &filled)));
        candidates.retain(is_wanted);
        let others = values.insertions.into_iter().chain(filled).collect();
        let (made, questions) = woven((text, others), name, &candidates);
        Ok(Self { path: path.clone(), made, questions, fixtures: values.from })
    }

    /// Puts the examples of its docstrings behind it, with the places of the name in them.
    fn with_examples(self, parsed: &Parsed, name: &str) -> Self {
        let unfolded = Unfolded::behind(self.made, &parsed.tree, parsed.text.as_str());
        let questions = self.questions.into_iter().chain(in_examples(&unfolded, name)).collect();
        Self { made: unfolded.made, questions, ..self }
    }
}

/// Reads the places off a node, by the syntax around it.
fn candidates<'t>(node: Node<'t>, text: &str, name: &str) -> impl Iterator<Item = Candidate<'t>> {
    let as_field = || copied_field(node, text).or_else(|| built_field(node));
    let is_argument = node.is("identifier") && node.field() == Some("name") && node.text(text) == name;
    let named = if is_argument { as_field() } else { in_string(node, text, name) };
    named.into_iter().chain(listed(node, text, name)).chain(unnamed(node, text, name))
}

/// The places that may take their meaning from what a fixture gives, or a collection holds.
fn given<'t>(parsed: &'t Parsed, name: &str, (values, filled): (&FixtureValues, &[Insertion])) -> Vec<Candidate<'t>> {
    let text = parsed.text.as_str();
    let is_open = |span: &Span| matches!(site(&parsed.tree, text, *span), Site::Member | Site::KeywordArgument);
    let candidate = |span: Span| {
        let form = match values.bears_on(parsed.tree.nodes().covering(span)) {
            true => Form::Given,
            false if !filled.is_empty() => Form::Filled,
            false => return None,
        };
        Some(Candidate { span, ask: Ask::Itself, form })
    };
    let spans = parsed.tree.identifiers_named(text, name).into_iter().filter(is_open);
    spans.filter_map(candidate).collect()
}

/// Reads a place off a string.
fn in_string<'t>(node: Node<'t>, text: &str, name: &str) -> Option<Candidate<'t>> {
    let string = node.parent().filter(|_| node.is("string_content") && node.text(text) == name)?;
    let outer = string.parent()?;
    let found = |(form, ask)| Some(Candidate { span: node.span(), ask, form });
    match outer.kind() {
        "subscript" if string.field() == Some("subscript") => {
            if let Some(call) = taking_call(node, text) {
                return found(taken_by(call)?);
            }
            let members = dynamic_attributes::keyed_members(outer.child("value")?, text);
            found(members.map_or((Form::Key, Ask::Itself), |object| (Form::Member, Ask::Of(object))))
        }
        "pair" if string.field() == Some("key") && remade(outer.parent()?, text).is_some() => {
            found((Form::Member, Ask::Of(remade(outer.parent()?, text)?)))
        }
        "pair" if string.field() == Some("key") => {
            match (updated(outer, text), splat(outer).or_else(|| taking_call(node, text))) {
                (Some(holder), _) => found(key_of(holder, text)),
                (None, Some(call)) => found(match dynamic_attributes::copied(call, text) {
                    Some(object) => (Form::Member, Ask::Of(object)),
                    None => taken_by(call)?,
                }),
                (None, None) => found((Form::Key, Ask::Itself)),
            }
        }
        "dict_pattern" if string.field() == Some("key") => {
            found((Form::Key, matched(outer, text).map_or(Ask::Itself, |(subject, way)| Ask::Within(subject, way))))
        }
        "comparison_operator" => {
            let mut sides = outer.named_children();
            let (left, right) = (sides.next()?, sides.next()?);
            let is_in = outer.children().any(|child| matches!(child.kind(), "in" | "not in"));
            (left == string && is_in && sides.next().is_none()).then(|| found(key_of(right, text)))?
        }
        "argument_list" => found(in_arguments((string, outer.parent()?), text)?),
        "keyword_argument" => found(asked_member((string, outer.parent()?.parent()?), text)?),
        _ => None,
    }
}

/// The argument of a call that takes a dictionary apart.
fn taken_by<'t>(call: Node<'t>) -> Option<(Form, Ask<'t>)> {
    Some((Form::Splat, Ask::Argument(call.child("arguments")?.named_children().last()?.end())))
}

/// Reads a string off the arguments of a call.
fn in_arguments<'t>((string, call): (Node<'t>, Node<'t>), text: &str) -> Option<(Form, Ask<'t>)> {
    let function = call.child("function")?;
    let called = function.text(text).rsplit('.').next()?;
    let is_first = argument(call, 0, &[], text) == Some(string);
    if is_first && KEY_CALLS.contains(&called) {
        return Some(key_of(function.child("object")?, text));
    }
    if called == GETTER {
        return Some((Form::Key, Ask::Itself));
    }
    if SETTING.contains(&called) {
        return argument(call, 0, &[], text).filter(|_| !is_first).map(|holder| key_of(holder, text));
    }
    asked_member((string, call), text)
}

/// Reads the member that a call asks for off the string that says its name.
fn asked_member<'t>((string, call): (Node<'t>, Node<'t>), text: &str) -> Option<(Form, Ask<'t>)> {
    let asked = dynamic_attributes::asked_by_name(call, text);
    let (object, _) = asked.filter(|(object, named)| *named == string && is_value(*object))?;
    let is_super = object.text(text) == "super()";
    Some((Form::Member, if is_super { Ask::OfSelf(string) } else { Ask::Of(object) }))
}

/// The key of a dictionary: a member where it has those of an object.
fn key_of<'t>(holder: Node<'t>, text: &str) -> (Form, Ask<'t>) {
    match dynamic_attributes::keyed_members(holder, text) {
        Some(object) => (Form::Member, Ask::Of(object)),
        None => (Form::Key, Ask::Of(holder)),
    }
}

/// The argument of `replace(object, name=…)`, `object._replace(name=…)`, `patch.multiple(object, name=…)` or, where a key is
/// meant, `object.update(name=…)`.
fn copied_field<'t>(name: Node<'t>, text: &str) -> Option<Candidate<'t>> {
    let argument = name.parent().filter(|parent| parent.is("keyword_argument"))?;
    let arguments = argument.parent().filter(|outer| outer.is("argument_list"))?;
    let call = arguments.parent().filter(|call| call.is("call"))?;
    let function = call.child("function")?;
    let (form, ask) = match function.text(text).rsplit('.').next()? {
        "dict" if remade(call, text).is_some() => (Form::Member, Ask::Of(remade(call, text)?)),
        UPDATE => key_of(function.child("object")?, text),
        MULTIPLE => (Form::Copied, Ask::Of(self::argument(call, 0, &["target"], text)?)),
        _ => (Form::Copied, Ask::Of(dynamic_attributes::copied(call, text)?)),
    };
    Some(Candidate { span: name.span(), ask, form })
}

/// The argument of `Point(name=…)`, or of any other call.
fn built_field<'t>(name: Node<'t>) -> Option<Candidate<'t>> {
    let argument = name.parent().filter(|parent| parent.is("keyword_argument"))?;
    let arguments = argument.parent().filter(|outer| outer.is("argument_list"))?;
    let called = arguments.parent().filter(|call| call.is("call"))?.child("function")?;
    Some(Candidate { span: name.span(), ask: Ask::Of(called), form: Form::Built })
}

/// The member of `Color["name"]`.
fn listed<'t>(node: Node<'t>, text: &str, name: &str) -> Option<Candidate<'t>> {
    let string = node.parent().filter(|_| node.is("string_content") && node.text(text) == name)?;
    let subscript = string.parent().filter(|_| string.field() == Some("subscript"))?;
    let asked = subscript.child("value")?;
    let (ask, form) = match replaced_in(asked, text) {
        Some(target) => (target, Form::Copied),
        None => (asked, Form::Listed),
    };
    Some(Candidate { span: node.span(), ask: Ask::Of(ask), form })
}

/// Returns what has members replaced by the mocks that a variable holds: `with patch.multiple(shop, draw=DEFAULT) as mocks:`.
fn replaced_in<'t>(variable: Node<'t>, text: &str) -> Option<Node<'t>> {
    let is_it =
        |it: &Node<'t>| it.is("as_pattern") && it.child("alias").map(|it| it.text(text)) == Some(variable.text(text));
    let around = variable.ancestors().find(|it| it.is_any(&["function_definition", "module"]))?;
    let call = around.descendants().find(is_it)?.named_children().next().filter(|it| it.is("call"))?;
    let function = call.child("function")?.text(text);
    argument(call, 0, &["target"], text).filter(|_| function.rsplit('.').next() == Some(MULTIPLE))
}

/// An object that is asked for members of any name, or a dictionary that gives arguments of any name.
fn unnamed<'t>(node: Node<'t>, text: &str, name: &str) -> Option<Candidate<'t>> {
    let span = node.span();
    if let Some(object) = dynamic_attributes::object(node, text, name) {
        return Some(Candidate { span, ask: Ask::Of(object), form: Form::Dynamic });
    }
    let end = taken_apart(node, text, name)?;
    Some(Candidate { span, ask: Ask::Argument(end), form: Form::TakenApart })
}

/// Returns where the arguments end of a call that takes a dictionary apart whose keys nobody reads off the text; nothing
/// where the call names the argument itself.
pub(super) fn taken_apart(splat: Node<'_>, text: &str, name: &str) -> Option<usize> {
    let arguments = splat.parent().filter(|outer| splat.is("dictionary_splat") && outer.is("argument_list"))?;
    let is_literal = splat.named_children().next().is_none_or(|taken| taken.is("dictionary"));
    let is_given = |one: Node<'_>| one.child("name").is_some_and(|own| own.text(text) == name);
    let end = arguments.named_children().last()?.end();
    let is_open = !is_literal && !arguments.named_children().any(is_given) && !is_spelled(splat, text, name);
    is_open.then_some(end)
}

/// The dictionary of `dictionary.update({"name": …})` around a pair, and of `patch.dict(dictionary, {"name": …})`.
fn updated<'t>(pair: Node<'t>, text: &str) -> Option<Node<'t>> {
    let arguments = pair.parent()?.parent().filter(|outer| outer.is("argument_list"))?;
    let call = arguments.parent().filter(|call| call.is("call"))?;
    let function = call.child("function")?;
    let object = function.child("object")?;
    match function.child("attribute")?.text(text) {
        UPDATE => Some(object),
        "dict" if object.text(text).rsplit('.').next() == Some("patch") => argument(call, 0, &["in_dict"], text),
        _ => None,
    }
}

/// The object of `object.model_copy(update={"name": …})` around a dictionary (pydantic), which is copied with other fields.
fn remade<'t>(dictionary: Node<'t>, text: &str) -> Option<Node<'t>> {
    let given = dictionary.parent().filter(|it| it.is("keyword_argument") && dictionary.field() == Some("value"))?;
    let function = given.parent()?.parent().filter(|call| call.is("call"))?.child("function")?;
    let copies = ["copy", "model_copy"].contains(&function.child("attribute")?.text(text));
    let is_update = given.child("name").is_some_and(|it| it.text(text) == UPDATE);
    function.child("object").filter(|_| copies && is_update)
}

/// The call that takes the dictionary around a pair apart.
fn splat(pair: Node<'_>) -> Option<Node<'_>> {
    let splat = pair.parent()?.parent().filter(|outer| outer.is("dictionary_splat"))?;
    splat.parent().filter(|outer| outer.is("argument_list"))?.parent()
}

fn is_value(argument: Node<'_>) -> bool {
    !argument.is_any(&["keyword_argument", "list_splat", "dictionary_splat", "generator_expression"])
}

/// Writes the questions about objects into a text, behind what else is to be written at their places.
fn woven(
    (text, others): (&str, Vec<Insertion>),
    name: &str,
    candidates: &[Candidate<'_>],
) -> (Patchwork, Vec<Question>) {
    let mut insertions: Vec<(Insertion, Option<usize>)> = others.into_iter().map(|one| (one, None)).collect();
    for (number, one) in candidates.iter().enumerate() {
        let (holder, object, way) = match &one.ask {
            Ask::Of(holder) => (holder, holder.text(text), ""),
            Ask::Within(holder, way) => (holder, holder.text(text), way.as_str()),
            Ask::OfSelf(string) => (string, "self", ""),
            Ask::Argument(end) => {
                let comma = Insertion { at: *end, rank: Rank::End(usize::MAX), written: ", ".to_owned() };
                insertions.push((comma, Some(number)));
                continue;
            }
            Ask::Itself => continue,
        };
        let span = holder.span();
        let access = if one.form == Form::Key { "[\"" } else { "." };
        let written = format!(", ({object}){way}{access}");
        let begin = Rank::Begin(Reverse(span.len()));
        insertions.push((Insertion { at: span.start, rank: begin, written: "(".to_owned() }, None));
        insertions.push((Insertion { at: span.end, rank: Rank::End(span.len()), written }, Some(number)));
    }
    insertions.sort();
    let (mut made, mut at, mut asked_at) = (Patchwork::default(), 0, vec![0; candidates.len()]);
    for (insertion, number) in insertions {
        made.copy(text, Span::new(at, insertion.at));
        made.write(&insertion.written);
        at = insertion.at;
        if let Some(number) = number {
            asked_at[number] = made.text().len();
            let closing = match candidates[number].form {
                Form::Key => "\"])[0]",
                Form::Splat | Form::TakenApart => "=None",
                _ => ")[0]",
            };
            made.write(name);
            made.write(closing);
        }
    }
    made.copy(text, Span::new(at, text.len()));
    let question = |(number, one): (usize, &Candidate<'_>)| {
        let is_asked_itself = matches!(one.ask, Ask::Itself);
        let at = if is_asked_itself { made.place_of(one.span.start) } else { asked_at[number] };
        Question { at, span: one.span, form: one.form, is_output: false }
    };
    let questions = candidates.iter().enumerate().map(question).collect();
    (made, questions)
}

fn in_examples(unfolded: &Unfolded, name: &str) -> Vec<Question> {
    let examples = &unfolded.made.text()[unfolded.from..];
    if examples.is_empty() {
        return Vec::new();
    }
    let tree = Tree::parse(Language::Python, examples);
    let question = |span: Span| {
        let here = Span::new(unfolded.from + span.start, unfolded.from + span.end);
        let is_output = unfolded.is_output(here);
        let span = unfolded.made.origin(here)?;
        Some(Question { at: here.start, span, form: Form::Example, is_output })
    };
    tree.identifiers_named(examples, name).into_iter().filter_map(question).collect()
}

/// The declared places of a name in what it means.
pub(super) fn declarations(session: &Session, meant: &Meant, name: &str) -> BTreeSet<Place> {
    let place = |location: &Location| {
        let text = session.disk().read_named(&location.path).ok()?;
        declared_in(location, text.as_str(), name)
    };
    meant.declared.iter().filter_map(place).collect()
}
