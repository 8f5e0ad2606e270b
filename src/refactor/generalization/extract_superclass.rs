//! Extract Superclass.
//!
//! ```python
//!                                      class Party:
//!                                          def label(self): ...
//! class Person:
//!     def label(self): ...         →   class Person(Party):
//!     def age(self): ...                   def age(self): ...
//! ```

mod above;
mod demands;
mod shared;
mod sharers;
mod slots;

use std::collections::BTreeSet;

use super::superclass_fields::SetFields;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass, Member, MemberKind, comments_above};
use crate::refactor::analysis::data_classes;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::field_initialization;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::required::Departures;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{
    Destination, MemberDeclarations, body, check_hash, check_outermost, check_unused, listed, put_above_class,
};
use crate::refactor::analysis::override_conflicts::redeclares;
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};
use demands::Demand;
use sharers::{clause, is_declared};
use slots::Slots;

/// What leads to the classes right above and right below (Python's data model).
const ASKING_BASES: &[&str] = &["__base__", "__bases__", "__subclasses__"];

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    let name = request.params.text("name");
    check_unused(&code, name).noted()?;
    let wanted = request.params.list("members");
    let given = sharers::listed(session, &code, request).await?;
    let sharers = match given.is_empty() {
        true => sharers::of_file(session, &class, wanted),
        false => given.iter().map(LocatedClass::class).collect(),
    };
    each(given.iter().map(|other| sharers::check(session, &class, &other.class(), wanted)))?;
    let up = GoingUp::of(session, class, &sharers, wanted)?;
    let GoingUp { groups, set, .. } = &up;
    let mut all = vec![class];
    all.extend(&sharers);
    all.sort_by_key(|one| (one.code.path != code.path, one.code.path.clone(), one.node.start()));
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    for one in &all {
        check_class(session, &kin, one).await.noted()?;
    }
    check_data(&all, groups).noted()?;
    let first = all[0];
    let mut demands = Vec::new();
    check_groups(session, &kin, (&class, &all), (groups, set.as_ref()), &mut demands).await.noted()?;
    let slots = slots(class, &all)?.map(|slots| slots.of_fields(&up.names()));
    let mut edits = Edits::default();
    edits.warn(asking_bases(session, &code, name)?);
    let is_seen = all.iter().any(|one| one.code.path != code.path);
    let word = word(&kin, &class, groups, &demands).await?;
    let export = if is_seen || class.statement().is("export_statement") { required::export_word(&code) } else { "" };
    let head = (format!("{export}{word}"), name);
    let sets = match set {
        Some(_) => all.iter().map(|one| SetFields::of(*one, &up.set_names)).collect::<Result<Vec<_>, _>>()?,
        None => all.iter().map(|_| None).collect(),
    };
    let passed_on = above::parameters(&kin, &class, &sets).await?;
    set.iter().try_for_each(|it| it.check_beside(&passed_on))?;
    let constructor = set.as_ref().map(|it| it.constructor(&passed_on));
    edits.add(&code, [put_above_class(&first, written(&class, head, (groups, constructor, &demands), slots)?)]);
    if is_seen {
        edits.add(&code, required::handed_out(&code, name, first.statement().start()));
    }
    let mut gone = Departures::default();
    for (one, set) in all.iter().zip(&sets) {
        let left = left(one, (name, &up), set.as_ref())?;
        if one.code.path != code.path {
            check_unused(one.code, name)?;
            gone.add(one.code, left.iter().map(|it| it.span));
            edits.import(one.code, required::line(session, &code, one.code, name));
        }
        edits.add(one.code, left);
    }
    gone.leave(session, &mut edits);
    edits.plan()
}

/// What the classes share and lose.
struct GoingUp<'c> {
    groups: Vec<MemberDeclarations<'c>>,
    /// What the constructor sets of it.
    set: Option<SetFields<'c>>,
    set_names: Vec<String>,
}

impl<'c> GoingUp<'c> {
    /// Finds what is wanted, or else what a class has in common with all others.
    fn of(session: &Session, class: Class<'c>, sharers: &[Class<'_>], wanted: &[String]) -> Result<Self, Refusal> {
        let code = class.code;
        let refuse = |reason: String| code.refuse(class.name.start(), reason);
        if wanted.is_empty() && sharers.is_empty() {
            let reason = format!("no other class has what `{}` has: name what goes up by `members`", class.name());
            return Err(Refusal::Missing { param: "members", reason: refuse(reason).to_string() });
        }
        let set_names = set_names(session, &class, sharers, wanted);
        let is_shared = |class: &Class<'_>, member: &Member<'_>| {
            let name = member.name.text(class.code.text());
            let is_declared = code.family() == Family::Script;
            is_declared && set_names.iter().any(|it| it == name)
                || sharers.iter().all(|other| shared::shares(session, class, other, name))
        };
        let set = SetFields::of(class, &set_names)?;
        // What only the constructor declares is no member of the body.
        let is_only_set = |name: &&String| class.members_named(name).iter().all(|it| it.kind == MemberKind::Assigned);
        let by_itself = |name: &&String| !(set.as_ref().is_some_and(|set| set.has(name)) && is_only_set(name));
        let listed_names: Vec<String> = wanted.iter().filter(by_itself).cloned().collect();
        let groups = match listed_names.is_empty() && !wanted.is_empty() {
            true => Vec::new(),
            false => listed(class, (&listed_names, Destination::Above), is_shared)?,
        };
        match groups.is_empty() && set.is_none() {
            true => Err(refuse(format!("the other classes have nothing that `{}` has", class.name()))),
            false => Ok(Self { groups, set, set_names }),
        }
    }

    /// Returns the names of all that goes up.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.groups.iter().map(|group| group.name).collect();
        let is_new = |name: &&str| self.set.as_ref().is_some_and(|set| set.has(name)) && !names.contains(name);
        let set_apart: Vec<&str> = self.set_names.iter().map(String::as_str).filter(is_new).collect();
        names.extend(set_apart);
        names
    }
}

/// Returns the fields that a constructor of the new class may set: what is wanted, else what all constructors set alike.
fn set_names(session: &Session, class: &Class<'_>, sharers: &[Class<'_>], wanted: &[String]) -> Vec<String> {
    if !wanted.is_empty() {
        return wanted.to_vec();
    }
    let members = class.members();
    let is_python = class.code.family() == Family::Python;
    // It goes up as a whole.
    if is_python && sharers.iter().all(|other| shared::shares_constructor(session, class, other)) {
        return Vec::new();
    }
    let kind = if is_python { MemberKind::Assigned } else { MemberKind::Field };
    let mut names: Vec<&str> =
        members.iter().filter(|it| it.kind == kind).map(|it| it.name.text(class.code.text())).collect();
    // Several methods may set one.
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    let alike =
        |name: &str| !sharers.is_empty() && sharers.iter().all(|other| shared::sets_alike(session, class, other, name));
    names.into_iter().filter(|name| alike(name)).map(str::to_owned).collect()
}

/// Tells where a program of Python asks classes for their next bases, or for those right below: another one stands there
/// then.
fn asking_bases(session: &Session, code: &Code, name: &str) -> Result<Vec<Warning>, Refusal> {
    let mut told = Vec::new();
    if code.family() != Family::Python {
        return Ok(told);
    }
    for word in ASKING_BASES {
        for path in session.disk().files_mentioning(word).into_iter().filter(|path| path.extension() == "py") {
            let other = Code::read(session, &path)?;
            let is_asked = |node: &Node<'_>| {
                node.is("attribute") && node.child("attribute").is_some_and(|it| it.text(other.text()) == *word)
            };
            if let Some(node) = other.root().descendants().find(is_asked) {
                let message = format!("`{word}` of a class may be `{name}` here");
                told.push(Warning::at(WarningKind::RunTime, message, path, other.parsed().text.range(node.span())));
            }
        }
    }
    Ok(told)
}

/// Refuses classes that take notice of what is put between them and their bases.
async fn check_class(session: &Session, kin: &ClassHierarchy<'_>, class: &Class<'_>) -> Result<(), Refusal> {
    check_outermost(class)?;
    let code = class.code;
    let list = class.node.child("superclasses");
    if let Some(word) = list.into_iter().flat_map(Node::named_children).find(|it| it.is("keyword_argument")) {
        return Err(code.refuse(word.start(), "what makes the class would make the new one, too"));
    }
    let (above, _) = kin.ancestors(class).await?;
    for standing in above.iter().filter(|one| one.is_of(session)) {
        let above = standing.class();
        if above.has("__init_subclass__") {
            let reason = format!("`{}` takes notice of the classes below it", above.name());
            return Err(code.refuse(class.name.start(), reason));
        }
    }
    Ok(())
}

/// Returns the slots that the new class has; one above without any would take those of the classes below away.
fn slots<'c>(class: Class<'c>, all: &[Class<'c>]) -> Result<Option<Slots<'c>>, Refusal> {
    let own = Slots::of(class)?;
    match all.iter().find(|it| own.is_none() && it.has("__slots__")) {
        Some(other) => {
            let reason = format!("`{}` has slots: another class above would take them away", other.name());
            Err(other.code.refuse(other.name.start(), reason))
        }
        None => Ok(own),
    }
}

/// Refuses members that would not find above what they need, unless the new class can ask those below for it.
async fn check_groups(
    session: &Session,
    kin: &ClassHierarchy<'_>,
    (class, all): (&Class<'_>, &[Class<'_>]),
    (groups, set): (&[MemberDeclarations<'_>], Option<&SetFields<'_>>),
    demands: &mut Vec<Demand>,
) -> Result<(), Refusal> {
    let (above, _) = kin.ancestors(class).await?;
    check_hash(groups)?;
    for group in groups {
        let code = group.code();
        group.check_bound_names(&all[0])?;
        let own: Vec<&str> = groups.iter().map(|other| other.name).collect();
        let is_made = |name: &str| {
            if set.is_some_and(|set| set.has(name)) {
                return true;
            }
            let members = class.members_named(name);
            let is_declared = members.iter().any(|it| it.kind == MemberKind::Field);
            if is_declared && class.code.family() == Family::Script {
                return false;
            }
            let set = members.iter().filter(|it| it.kind == MemberKind::Assigned);
            let spans: Vec<Span> = groups.iter().flat_map(MemberDeclarations::spans).collect();
            set.into_iter().any(|it| spans.iter().any(|span| span.contains(it.node.span())))
        };
        for node in group.asked() {
            let name = node.text(code.text());
            if !own.contains(&name)
                && !is_made(name)
                && !demands.iter().any(|it| it.name == name)
                && (redeclares(class, above.iter().map(|one| one.class()), name)
                    || !above.iter().any(|one| one.class().has(name)))
            {
                let demand = Demand::of(session, (class, all), name);
                demands.push(demand.ok_or_else(|| code.refuse(node.start(), needed(class, group, name)))?);
            }
        }
        if group.is_field() {
            check_field(group)?;
        }
    }
    Ok(())
}

fn check_field(group: &MemberDeclarations<'_>) -> Result<(), Refusal> {
    match data_classes::mark(&group.class) {
        Some(_) => data_classes::check_default(group),
        None => field_initialization::check_value(group),
    }
}

/// Refuses fields of dataclasses that do not stand first, or not in the same way.
fn check_data(all: &[Class<'_>], groups: &[MemberDeclarations<'_>]) -> Result<(), Refusal> {
    let fields: Vec<&str> = groups.iter().filter(|it| it.is_field()).map(|it| it.name).collect();
    let mark = all.first().and_then(data_classes::mark);
    for class in all.iter().filter(|it| !fields.is_empty() && data_classes::mark(it).is_some()) {
        if data_classes::mark(class) != mark {
            return Err(class.code.refuse(class.name.start(), "it is not made a dataclass in the same way"));
        }
        data_classes::check_leads(class, &fields)?;
    }
    Ok(())
}

/// Says what has to go up, too: a field that a method sets comes with the method.
fn needed(class: &Class<'_>, group: &MemberDeclarations<'_>, name: &str) -> String {
    let members = class.members_named(name);
    let is_set = !members.is_empty() && members.iter().all(|it| it.kind == MemberKind::Assigned);
    let setter = members.first().filter(|_| is_set).and_then(|it| function_of(it.node));
    let setter = setter.and_then(|it| it.child("name")).map(|it| it.text(class.code.text()));
    // What the constructor sets can go by itself.
    match setter.filter(|setter| !matches!(*setter, "__init__" | "constructor")) {
        Some(setter) => format!("`{}` needs `{name}`, which `{setter}` sets: name `{setter}`, too", group.name),
        None => format!("`{}` needs `{name}`, which stays below: name it, too", group.name),
    }
}

/// Returns what declares the new class: it may leave to the classes below what a class above is open in.
async fn word(
    kin: &ClassHierarchy<'_>,
    class: &Class<'_>,
    groups: &[MemberDeclarations<'_>],
    demands: &[Demand],
) -> Result<&'static str, Refusal> {
    let (above, _) = kin.ancestors(class).await?;
    let is_made = |name: &str| groups.iter().any(|group| group.name == name);
    let is_open = above.iter().any(|one| {
        let (above, code) = (one.class(), one.class().code);
        above.members().iter().any(|it| it.is_marked(code, "abstract") && !is_made(it.name.text(code.text())))
    });
    let is_abstract = class.node.is("abstract_class_declaration") || groups.iter().any(|it| it.is_abstract());
    let is_demanding = demands.iter().any(|it| it.is_abstract);
    Ok(if is_abstract || is_open || is_demanding { "abstract class" } else { "class" })
}

/// Writes the new class.
fn written(
    class: &Class<'_>,
    (word, name): (String, &str),
    (groups, constructor, demands): (&[MemberDeclarations<'_>], Option<String>, &[Demand]),
    slots: Option<String>,
) -> Result<String, Refusal> {
    let code = class.code;
    let (end, step, text) = (code.newline(), Layout::of(code).step().to_owned(), code.text());
    let slots = slots.map(|it| format!("{step}{it}{end}")).into_iter();
    let body = match constructor {
        None => body(groups, code, |group| group.written(&step))?,
        Some(constructor) => {
            let is_field =
                |group: &MemberDeclarations<'_>| group.declared().iter().all(|it| it.kind == MemberKind::Field);
            let those = |wanted: bool| {
                body(groups, code, |it| if is_field(it) == wanted { it.written(&step) } else { Ok(Vec::new()) })
            };
            let parts = [those(true)?, format!("{step}{constructor}"), those(false)?];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(end)
        }
    };
    let demanded = |of_fields: bool| Demand::written(demands, of_fields, (code, &step));
    let parts = slots.chain(demanded(true)).chain([body]).chain(demanded(false));
    let body = parts.collect::<Vec<_>>().join(end);
    let bases: Vec<&str> = class.bases().iter().map(|base| base.text(text)).collect();
    if code.family() == Family::Python {
        let bases = if bases.is_empty() { String::new() } else { format!("({})", bases.join(", ")) };
        let mark = data_classes::mark(class).filter(|_| groups.iter().any(MemberDeclarations::is_field));
        let mark = mark.map(|it| format!("{it}{end}")).unwrap_or_default();
        return Ok(format!("{mark}class {name}{bases}:{end}{body}{end}{end}"));
    }
    let extends = clause(class).map_or_else(String::new, |it| format!(" {}", it.text(text)));
    Ok(format!("{word} {name}{extends} {{{end}{body}}}{end}{end}"))
}

/// Takes what goes out of a class, and lets it extend the new one.
fn left(
    class: &Class<'_>,
    (name, up): (&str, &GoingUp<'_>),
    set: Option<&SetFields<'_>>,
) -> Result<Vec<TextEdit>, Refusal> {
    let text = class.code.text();
    let goes = |it: &Member<'_>| is_declared(it) && up.groups.iter().any(|group| group.name == it.name.text(text));
    let gone: Vec<Member<'_>> = class.members().into_iter().filter(goes).collect();
    let mut edits = class.without(&gone)?;
    edits.extend(Slots::of(*class)?.into_iter().map(|slots| slots.without(&up.names())));
    edits.extend(set.into_iter().flat_map(SetFields::left));
    edits.extend(set.and_then(SetFields::passed_ahead));
    edits.extend(extends(class, (name, set), &gone)?);
    Ok(edits)
}

/// Returns where the comment above a class says what it extends: `@extends Order`.
fn said_to_extend(class: &Class<'_>, clause: Node<'_>) -> Option<Span> {
    let (code, start) = (class.code, class.statement().start());
    let base = clause.named_children().next()?.text(code.text());
    let above = comments_above(code, code.line_start(start));
    let comment = &code.text()[above..start];
    let said = ["@extends", "@augments"].into_iter().find_map(|tag| {
        let behind = comment.find(tag)? + tag.len();
        let at = behind + comment[behind..].find(|it: char| !it.is_whitespace() && it != '{')?;
        comment[at..].starts_with(base).then_some(above + at)
    });
    said.map(|at| Span::new(at, at + base.len()))
}

/// Puts the new class in the place of the old bases.
fn extends(
    class: &Class<'_>,
    (name, set): (&str, Option<&SetFields<'_>>),
    gone: &[Member<'_>],
) -> Result<Vec<TextEdit>, Refusal> {
    let code = class.code;
    let text = code.text();
    if code.family() == Family::Python {
        let span = class.node.child("superclasses").map_or(Span::at(class.name.end()), Node::span);
        return Ok(vec![TextEdit::new(span, format!("({name})"))]);
    }
    let own = class.node.child("type_parameters");
    if let Some(clause) = clause(class) {
        let names: Vec<&str> = own
            .into_iter()
            .flat_map(Node::descendants)
            .filter(|it| it.field() == Some("name"))
            .map(|it| it.text(text))
            .collect();
        let mut inside = clause.descendants().filter(|it| it.is("type_identifier"));
        if inside.any(|it| names.contains(&it.text(text))) {
            return Err(code.refuse(clause.start(), "what the class extends depends on its type parameters"));
        }
        let said = said_to_extend(class, clause).map(|span| TextEdit::new(span, name));
        return Ok(said.into_iter().chain([TextEdit::new(clause.span(), format!("extends {name}"))]).collect());
    }
    let mut edits = vec![TextEdit::new(Span::at(own.unwrap_or(class.name).end()), format!(" extends {name}"))];
    let is_gone = |node: Node<'_>| gone.iter().any(|member| member.node == node);
    let constructor =
        class.members().into_iter().find(|it| it.kind == MemberKind::Constructor && it.node.child("body").is_some());
    if let Some(body) = constructor.filter(|it| !is_gone(it.node)).and_then(|it| it.node.child("body")) {
        let (end, base) = (code.newline(), code.indent(body.start()));
        let step = Layout::of(code).step().to_owned();
        let is_empty = body.named_children().next().is_none();
        let tail = if is_empty { format!("{end}{base}") } else { String::new() };
        let (passed, close) = (set.map(SetFields::passed).unwrap_or_default(), code.semicolon());
        let call = format!("{end}{base}{step}super({passed}){close}{tail}");
        edits.push(TextEdit::new(Span::at(body.start() + 1), call));
    }
    Ok(edits)
}
