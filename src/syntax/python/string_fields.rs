//! Fields that a call declares in strings: `namedtuple("Pair", "first second")`, `TypedDict("Row", {"name": str})`.

use crate::syntax::{Node, Tree};
use crate::text::Span;

/// What makes a class of the fields that it is told (Python's `collections` and `typing`).
const MAKERS: &[&str] = &["namedtuple", "NamedTuple", "TypedDict"];

/// Returns where fields are named in strings, each with the name of what has it.
pub fn string_fields<'t>(tree: &'t Tree, text: &'t str) -> Vec<(&'t str, Span)> {
    if !MAKERS.iter().any(|maker| text.contains(maker)) {
        return Vec::new();
    }
    let calls = tree.nodes().iter().filter(|node| node.is("call"));
    calls.filter_map(|call| Some((owner(call, text)?, fields(call, text)?))).flat_map(of_one).collect()
}

fn of_one((owner, fields): (&str, Vec<Span>)) -> impl Iterator<Item = (&str, Span)> {
    fields.into_iter().map(move |field| (owner, field))
}

/// Returns the name of what a call makes: that of the variable, of the class that extends it, or the one that it is told.
fn owner<'t>(call: Node<'t>, text: &'t str) -> Option<&'t str> {
    let parent = call.parent()?;
    let assigned = parent.child("left").filter(|it| parent.is("assignment") && it.is("identifier"));
    let class = parent.parent().filter(|it| it.is("class_definition")).and_then(|it| it.child("name"));
    match assigned.or(class) {
        Some(name) => Some(name.text(text)),
        None => content(call.child("arguments")?.named_children().next()?, text)?.of(text),
    }
}

fn fields(call: Node<'_>, text: &str) -> Option<Vec<Span>> {
    let maker = call.child("function")?.text(text);
    if !MAKERS.contains(&maker.rsplit('.').next()?) {
        return None;
    }
    let second = call.child("arguments")?.named_children().filter(|it| !it.is("comment")).nth(1)?;
    let listed = second.child("value").filter(|_| second.is("keyword_argument")).unwrap_or(second);
    let inside = listed.named_children().filter(|it| !it.is("comment"));
    Some(match listed.kind() {
        "string" => words(content(listed, text)?, text),
        "list" | "tuple" => inside.filter_map(|it| own_name(it, text)).collect(),
        "dictionary" => inside.filter_map(|it| content(it.child("key")?, text)).collect(),
        _ => return None,
    })
}

/// Returns the field that an entry names: `"first"`, or `("first", int)`.
fn own_name(entry: Node<'_>, text: &str) -> Option<Span> {
    match entry.is("tuple") {
        true => content(entry.named_children().next()?, text),
        false => content(entry, text),
    }
}

/// Returns what stands in a string's quotes, where it says it as it stands.
fn content(string: Node<'_>, text: &str) -> Option<Span> {
    let inside = string.child_of_kind("string_content").filter(|_| string.is("string"))?;
    let is_plain = string.named_children().all(|it| !it.is("interpolation")) && !inside.text(text).contains('\\');
    is_plain.then(|| inside.span())
}

/// Returns the names that white space and commas set apart.
fn words(content: Span, text: &str) -> Vec<Span> {
    let (mut found, mut begun) = (Vec::new(), None);
    for (at, sign) in content.of(text).unwrap_or_default().char_indices().chain([(content.end - content.start, ' ')]) {
        match begun {
            Some(start) if sign == ',' || sign.is_whitespace() => {
                found.push(Span::new(content.start + start, content.start + at));
                begun = None;
            }
            None if sign != ',' && !sign.is_whitespace() => begun = Some(at),
            _ => {}
        }
    }
    found
}
