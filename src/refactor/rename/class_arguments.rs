//! Arguments of class statements: `class Csv(Plugin, kind="csv")` gives them to `__init_subclass__` of a base, or to what the
//! metaclass makes classes with (Python's data model § 3.3.3).
//!
//! Seen with basedpyright 1.40: a rename of the parameter leaves them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::forward_references::is_python;
use super::hierarchy::{Hierarchy, LocatedClass};
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::{Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::python::{Class, Method};
use crate::syntax::{Node, whole_words};
use crate::text::{AbsPath, Span, TextEdit};

const TAKING_SUBCLASSES: &str = "__init_subclass__";
/// What a metaclass makes a class with: each is given the arguments of the class statement.
const MAKING: [&str; 3] = ["__prepare__", "__new__", "__init__"];

/// Returns the parameters that take an argument of a class statement; none where the subject is no such argument.
pub(super) async fn parameters(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
) -> Result<BTreeSet<Place>, Refusal> {
    let argument = subject.file.tree.nodes().covering(subject.span).parent().filter(|it| it.is("keyword_argument"));
    let statement = argument.and_then(|it| it.parent()?.parent()).filter(|it| it.is("class_definition"));
    let Some(name) = statement.and_then(|it| it.child("name")) else { return Ok(BTreeSet::new()) };
    let hierarchy = Hierarchy::new(session, server, &subject.name);
    let own = Location { path: subject.place.path.clone(), span: name.span() };
    let Some(class) = hierarchy.class_at(&own)? else { return Ok(BTreeSet::new()) };
    let above = hierarchy.ancestors(&class).await?;
    for base in above.iter().filter(|base| base.path.is_below(session.root())) {
        let taking = named(base, &[TAKING_SUBCLASSES], &subject.name);
        if !taking.is_empty() {
            return Ok(taking);
        }
    }
    for one in std::iter::once(&class).chain(&above) {
        if let Some(metaclass) = metaclass(&hierarchy, one).await? {
            return Ok(named(&metaclass, &MAKING, &subject.name));
        }
    }
    Ok(BTreeSet::new())
}

/// Returns the metaclass of the project that a class statement names.
async fn metaclass(hierarchy: &Hierarchy<'_>, class: &LocatedClass) -> Result<Option<LocatedClass>, Refusal> {
    let Some(parsed) = hierarchy.session.parsed(&class.path)?.filter(|_| class.path.is_below(hierarchy.session.root()))
    else {
        return Ok(None);
    };
    let node = parsed.tree.nodes().covering(class.class.name_span).parent();
    let mut all = node.into_iter().flat_map(arguments);
    let Some((_, value)) = all.find(|(name, _)| name.text(parsed.text.as_str()) == "metaclass") else {
        return Ok(None);
    };
    let place = Place { path: class.path.clone(), offset: value.child("attribute").unwrap_or(value).start() };
    for location in hierarchy.server.definition(&place).await.map_err(SessionError::from)? {
        if let Some(found) = hierarchy.class_at(&location)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Returns the parameters of a name that some methods of a class take.
fn named(class: &LocatedClass, methods: &[&str], name: &str) -> BTreeSet<Place> {
    let methods = class.class.methods.iter().filter(|one| methods.contains(&one.name.as_str()));
    let same = methods.flat_map(|one| &one.params).filter(|one| one.name == name);
    same.map(|one| Place { path: class.path.clone(), offset: one.span.start }).collect()
}

/// Returns the parameters of that name that take the same arguments: those of the other methods of a metaclass.
pub(super) fn joined(session: &Session, starts: &BTreeSet<Place>, name: &str) -> Result<Vec<Place>, Refusal> {
    let mut found = Vec::new();
    for start in starts {
        let Some((owner, method)) = owner(session, start)? else { continue };
        if !MAKING.contains(&method.name.as_str()) || statements(session, &owner.class.name)?.is_empty() {
            continue;
        }
        found.extend(named(&owner, &MAKING, name));
    }
    Ok(found)
}

/// Renames the arguments of class statements that parameters take.
pub(super) async fn follow(
    hierarchy: &Hierarchy<'_>,
    new_name: &str,
    places: &BTreeSet<Place>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    for place in places {
        let Some((owner, method)) = owner(hierarchy.session, place)? else { continue };
        let mut made = match method.name.as_str() {
            TAKING_SUBCLASSES => hierarchy.heirs(&owner).await?,
            name if MAKING.contains(&name) => made_by(hierarchy, &owner).await?,
            _ => continue,
        };
        // What is below an heir that takes an argument of the name itself gives it to that one.
        let is_nearer = |one: &&LocatedClass| method.name == TAKING_SUBCLASSES && takes(&one.class, hierarchy.name);
        let nearer: Vec<LocatedClass> = made.iter().filter(is_nearer).cloned().collect();
        for one in &nearer {
            let below = hierarchy.heirs(one).await?;
            made.retain(|it| !below.iter().any(|heir| heir.place() == it.place()));
        }
        for class in made {
            let Some(parsed) = hierarchy.session.parsed(&class.path)? else { continue };
            for span in given(&parsed, class.class.name_span, hierarchy.name) {
                gathered.add(class.path.clone(), TextEdit::new(span, new_name), new_name);
            }
        }
    }
    Ok(())
}

/// Returns the class whose method has a parameter, and the method.
fn owner(session: &Session, place: &Place) -> Result<Option<(LocatedClass, Method)>, Refusal> {
    let Some(parsed) = session.parsed(&place.path)?.filter(|_| is_python(&place.path)) else { return Ok(None) };
    let has = |method: &&Method| method.params.iter().any(|one| one.span.start == place.offset);
    let mut all = parsed.classes().iter();
    Ok(all.find_map(|class| {
        let method = class.methods.iter().find(has)?.clone();
        Some((LocatedClass::new(&place.path, class), method))
    }))
}

fn takes(class: &Class, name: &str) -> bool {
    let mut methods = class.methods.iter().filter(|one| one.name == TAKING_SUBCLASSES);
    methods.any(|one| one.params.iter().any(|it| it.name == name))
}

/// Returns where class statements name a metaclass so, each with the name of the class that is made.
fn statements(session: &Session, metaclass: &str) -> Result<Vec<(AbsPath, Span, Span)>, Refusal> {
    let mut found = Vec::new();
    for path in session.disk().files_mentioning("metaclass").into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)?.filter(|it| !whole_words(it.text.as_str(), metaclass).is_empty())
        else {
            continue;
        };
        let text = parsed.text.as_str();
        for class in parsed.tree.nodes().root().descendants().filter(|it| it.is("class_definition")) {
            let all = arguments(class).filter(|(name, _)| name.text(text) == "metaclass");
            let named = all.map(|(_, value)| value.child("attribute").unwrap_or(value));
            let name = class.child("name").map_or(class.span(), Node::span);
            found.extend(named.filter(|it| it.text(text) == metaclass).map(|it| (path.clone(), it.span(), name)));
        }
    }
    Ok(found)
}

/// Returns the classes that a metaclass makes.
async fn made_by(hierarchy: &Hierarchy<'_>, metaclass: &LocatedClass) -> Result<Vec<LocatedClass>, Refusal> {
    let mut made = Vec::new();
    for (path, named, name) in statements(hierarchy.session, &metaclass.class.name)? {
        let place = Place { path: path.clone(), offset: named.start };
        let leads = hierarchy.server.definition(&place).await.map_err(SessionError::from)?;
        for location in leads {
            if hierarchy.class_at(&location)?.is_none_or(|class| class.place() != metaclass.place()) {
                continue;
            }
            let Some(class) = hierarchy.class_at(&Location { path: path.clone(), span: name })? else { continue };
            made.extend(hierarchy.heirs(&class).await?);
            made.push(class);
        }
    }
    Ok(made)
}

/// Returns the names of the arguments of a class statement that read so.
fn given(parsed: &Parsed, class: Span, name: &str) -> Vec<Span> {
    let Some(class) = parsed.tree.nodes().covering(class).parent() else { return Vec::new() };
    arguments(class).map(|(one, _)| one).filter(|one| one.text(parsed.text.as_str()) == name).map(Node::span).collect()
}

fn arguments(class: Node<'_>) -> impl Iterator<Item = (Node<'_>, Node<'_>)> {
    let all = class.child("superclasses").into_iter().flat_map(Node::named_children);
    all.filter(|it| it.is("keyword_argument")).filter_map(|it| Some((it.child("name")?, it.child("value")?)))
}
