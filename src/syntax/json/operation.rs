//! What can be done with the values that a query names: seen, set, added to, removed.

use serde_json::Value;

use super::change::{Item, insert, position, remove, set};
use super::path::{Last, normalized};
use super::{BadJson, Dialect, Document, Items, Query, Step};

/// A change of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// Every value that the query names becomes this one.
    Set(Value),
    /// A member that is not there yet, an element before the one of an index, or the last one of an array.
    Add(Value),
    Remove,
}

/// A text with a change in it.
#[derive(Debug, PartialEq, Eq)]
pub struct Edited {
    pub text: String,
    /// The normalized paths of what was changed, in the order of the text.
    pub places: Vec<String>,
}

/// Why a text is not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error(transparent)]
    Json(#[from] BadJson),
    #[error("nothing stands at `{path}`")]
    Nowhere { path: String, there: Option<String> },
    #[error("`{path}` is there already")]
    Taken { path: String },
    #[error("`{path}` is {kind}, which takes no {wanted}")]
    NoContainer { path: String, kind: &'static str, wanted: &'static str },
    #[error("`{path}` has {length} elements: nothing can be added at {index}")]
    Beyond { path: String, length: usize, index: i64 },
    #[error("the name `{name}` stands twice in one object")]
    Twice { name: String },
    #[error("`{outer}` contains `{inner}`, and both would be set")]
    Nested { outer: String, inner: String },
    #[error("the whole text cannot be {0}")]
    Root(&'static str),
    #[error("`{path}` names {count} places, which are too many to change in one call")]
    TooMany { path: String, count: usize },
}

/// How many bytes are read again and again for one call, at most.
const MOST_WORK: usize = 2_000_000_000;

/// Returns the values that a query names, with their normalized paths, as they are written: numbers keep their spelling.
pub fn found(text: &str, dialect: Dialect, query: &Query<'_>) -> Result<Vec<(String, String)>, Refusal> {
    let document = Document::parse(text, dialect)?;
    let located = query.locate(&document.value);
    if located.is_empty() {
        return Err(nowhere(&document, query));
    }
    let written = |steps: &[Step], value: &Value| {
        let node = document.node(steps).filter(|_| dialect != Dialect::Lines || !steps.is_empty());
        let spelt = node.map(|node| &text[node.span.start..node.span.end]);
        let is_plain = |spelt: &&str| serde_json::from_str::<serde::de::IgnoredAny>(spelt).is_ok();
        spelt.filter(is_plain).map_or_else(|| format!("{value:#}"), str::to_owned)
    };
    Ok(located.iter().map(|(steps, path, value)| (path.clone(), written(steps, value))).collect())
}

/// Carries a change out.
pub fn edited(text: &str, dialect: Dialect, query: &Query<'_>, operation: &Operation) -> Result<Edited, Refusal> {
    let document = Document::parse(text, dialect)?;
    let changes = match operation {
        Operation::Set(_) | Operation::Remove => standing(&document, query, operation)?,
        Operation::Add(_) => added(&document, query)?,
    };
    if changes.len() * text.len() > MOST_WORK {
        return Err(Refusal::TooMany { path: query.spelt().to_owned(), count: changes.len() });
    }
    let mut text = text.to_owned();
    // From the end: what stands before a change keeps its place and its number.
    for change in changes.iter().rev() {
        let document = Document::parse(&text, dialect)?;
        text = change.carried_out(&document, operation);
    }
    Ok(Edited { text, places: changes.into_iter().map(|change| change.path).collect() })
}

/// A change of one place.
struct Change {
    path: String,
    /// To the value, or to the container that gets another.
    steps: Vec<Step>,
    into: Into,
}

/// Where a value goes.
enum Into {
    /// Into the place of another.
    Place,
    Member(String),
    Index(usize),
}

impl Change {
    fn carried_out(&self, document: &Document<'_>, operation: &Operation) -> String {
        let node = document.node(&self.steps).expect("what stands before a change keeps its place");
        match (operation, &self.into) {
            (Operation::Remove, _) => {
                let (last, container) = self.steps.split_last().expect("the root is not removed");
                let container = document.node(container).expect("it holds what was found");
                remove(document, container, position(container, last).expect("it was found there"))
            }
            (Operation::Set(value) | Operation::Add(value), Into::Place) => set(document, node, value),
            (Operation::Set(value) | Operation::Add(value), Into::Member(name)) => {
                insert(document, node, usize::MAX, &Item { name: Some(name), value })
            }
            (Operation::Set(value) | Operation::Add(value), Into::Index(at)) => {
                insert(document, node, *at, &Item { name: None, value })
            }
        }
    }
}

/// Finds what is set or removed, in the order of the text.
fn standing(document: &Document<'_>, query: &Query<'_>, operation: &Operation) -> Result<Vec<Change>, Refusal> {
    let mut changes: Vec<Change> = Vec::new();
    for (steps, path, _) in query.locate(&document.value) {
        changes.push(Change { path, steps, into: Into::Place });
    }
    if changes.is_empty() {
        return Err(nowhere(document, query));
    }
    refuse_root(document, &changes, operation)?;
    refuse_twice(document, &changes)?;
    changes.sort_by_key(|change| document.node(&change.steps).map(|node| (node.span.start, change.steps.len())));
    changes.dedup_by(|one, other| one.steps == other.steps);
    let mut outer: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes {
        match outer.last().filter(|outer| change.steps.starts_with(&outer.steps)) {
            // What holds it is removed as well.
            Some(_) if *operation == Operation::Remove => {}
            Some(outer) => return Err(Refusal::Nested { outer: outer.path.clone(), inner: change.path }),
            None => outer.push(change),
        }
    }
    Ok(outer)
}

fn refuse_root(document: &Document<'_>, changes: &[Change], operation: &Operation) -> Result<(), Refusal> {
    let is_root = changes.iter().any(|change| change.steps.is_empty());
    match operation {
        Operation::Remove if is_root => Err(Refusal::Root("removed")),
        Operation::Set(_) if is_root && document.dialect == Dialect::Lines => {
            Err(Refusal::Root("set: it is many lines"))
        }
        _ => Ok(()),
    }
}

fn refuse_twice(document: &Document<'_>, changes: &[Change]) -> Result<(), Refusal> {
    match changes.iter().find_map(|change| document.ambiguous(&change.steps)) {
        Some(name) => Err(Refusal::Twice { name: name.to_owned() }),
        None => Ok(()),
    }
}

/// Finds where something is added: by the last step of the query, or behind the last elements of the arrays that it names.
fn added(document: &Document<'_>, query: &Query<'_>) -> Result<Vec<Change>, Refusal> {
    let mut changes = match query.split() {
        Some((before, last)) => {
            let outer = Query::parse(before).map_err(|_| nowhere(document, query))?;
            let located = outer.locate(&document.value);
            if located.is_empty() {
                return Err(nowhere(document, query));
            }
            let into = located.into_iter().map(|(steps, path, value)| below((steps, path, value), &last));
            into.collect::<Result<Vec<_>, _>>()?
        }
        None => {
            let located = query.locate(&document.value);
            if located.is_empty() {
                return Err(nowhere(document, query));
            }
            located.into_iter().map(|(steps, path, value)| behind(steps, path, value)).collect::<Result<Vec<_>, _>>()?
        }
    };
    refuse_twice(document, &changes)?;
    changes.sort_by_key(|change| document.node(&change.steps).map(|node| (node.span.start, change.steps.len())));
    changes.dedup_by(|one, other| one.path == other.path);
    Ok(changes)
}

/// Adds a member or an element to a container.
fn below((mut steps, path, value): (Vec<Step>, String, &Value), last: &Last) -> Result<Change, Refusal> {
    match (value, last) {
        (Value::Object(map), Last::Name(name)) => match map.get(name) {
            None => Ok(Change { path: within(&steps, name), steps, into: Into::Member(name.clone()) }),
            Some(held @ Value::Array(_)) => {
                steps.push(Step::Name(name.clone()));
                let path = normalized(&steps);
                behind(steps, path, held)
            }
            Some(_) => Err(Refusal::Taken { path: within(&steps, name) }),
        },
        (Value::Array(values), Last::Index(index)) => {
            let length = values.len();
            let at = if *index < 0 {
                usize::try_from(-index).ok().and_then(|back| length.checked_sub(back))
            } else {
                usize::try_from(*index).ok()
            };
            let at = at.filter(|at| *at <= length);
            let at = at.ok_or_else(|| Refusal::Beyond { path: path.clone(), length, index: *index })?;
            Ok(Change { path: format!("{path}[{at}]"), steps, into: Into::Index(at) })
        }
        (_, Last::Name(_)) => Err(Refusal::NoContainer { path, kind: kind(value), wanted: "member" }),
        (_, Last::Index(_)) => Err(Refusal::NoContainer { path, kind: kind(value), wanted: "element" }),
    }
}

/// Returns the path of a member of what some steps lead to.
fn within(steps: &[Step], name: &str) -> String {
    normalized(&[steps, &[Step::Name(name.to_owned())]].concat())
}

/// Adds a last element to an array.
fn behind(steps: Vec<Step>, path: String, value: &Value) -> Result<Change, Refusal> {
    match value {
        Value::Array(values) => {
            Ok(Change { path: format!("{path}[{}]", values.len()), steps, into: Into::Index(values.len()) })
        }
        _ => Err(Refusal::NoContainer { path, kind: kind(value), wanted: "element" }),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Says what is there instead: of the last part of the path that names something.
fn nowhere(document: &Document<'_>, query: &Query<'_>) -> Refusal {
    /// How many names are told.
    const MOST: usize = 20;
    let refusal = |there| Refusal::Nowhere { path: query.spelt().to_owned(), there };
    let mut before = query.split().map(|(before, _)| before);
    while let Some(path) = before {
        let Ok(outer) = Query::parse(path) else { return refusal(None) };
        let located = outer.locate(&document.value);
        if let Some((steps, _, value)) = located.first() {
            let node = document.node(steps).map(|node| &node.items);
            let there = match (value, node) {
                (Value::Object(map), Some(Items::Object(_))) => {
                    let names: Vec<&str> = map.keys().take(MOST).map(String::as_str).collect();
                    let more = if map.len() > MOST { ", …" } else { "" };
                    format!(
                        "`{path}` has {}{more}",
                        if names.is_empty() { "no members".to_owned() } else { names.join(", ") }
                    )
                }
                (Value::Array(values), _) => format!("`{path}` has {} elements", values.len()),
                _ => format!("`{path}` is {}", kind(value)),
            };
            return refusal(Some(there));
        }
        before = outer.split().map(|(before, _)| before);
    }
    refusal(None)
}
