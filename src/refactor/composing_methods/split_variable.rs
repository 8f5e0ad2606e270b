//! Split Temporary Variable.
//!
//! ```python
//! temp = 2 * (height + width)          temp = 2 * (height + width)
//! print(temp)                      →   print(temp)
//! temp = height * width                area = height * width
//! print(temp)                          print(area)
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::{is_alone, place};
use crate::refactor::doubts::in_doubt;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, statement_of};
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node, check_name};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(async { plan(session, request) });

/// A local variable with the statements that give it a purpose.
struct Temp<'c> {
    code: &'c Code,
    function: Node<'c>,
    /// Every place, in the order of the text.
    places: Vec<Node<'c>>,
    /// The plain assignments of one block, the first one is the first place of all.
    purposes: Vec<Node<'c>>,
}

fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let names = ScopedNames::of(&code);
    let temp = find(&code, &names, request)?;
    let new = new_names(&temp, request)?;
    let mut edits = Vec::new();
    let ends: Vec<usize> = temp.purposes.iter().skip(1).map(|it| it.start()).chain([usize::MAX]).collect();
    for (at, purpose) in temp.purposes.iter().enumerate() {
        let value = |purpose: &Node<'_>| value_of(*purpose).map_or(purpose.end(), Node::start);
        // What is assigned still reads the purpose before.
        let is_before = |node: &Node<'_>, it: &Node<'_>| node.start() >= value(it) && node.end() <= it.end();
        let next = temp.purposes.get(at + 1);
        let is_own = |node: &&Node<'_>| {
            node.start() >= purpose.start() && node.start() < ends[at] && (at == 0 || !is_before(node, purpose))
                || next.is_some_and(|next| is_before(node, next))
        };
        if let Some(name) = new[at].as_ref().filter(|name| *name != temp.places[0].text(code.text())) {
            edits.extend(temp.places.iter().filter(is_own).map(|node| named(&code, *node, name)));
        }
        if code.family() == Family::Script && at > 0 {
            let later = temp.places.iter().filter(|it| it.start() > purpose.end() && it.start() < ends[at]);
            let changes = later.filter_map(|node| names.at(*node)).any(|name| names.is_write(name));
            let word = if changes { "let " } else { "const " };
            edits.push(TextEdit::new(Span::at(purpose.start()), word));
        }
    }
    edits.extend(first_word(&temp, &names, ends[0]));
    let edits = with_types(&temp, &new, edits);
    code.plan(joined(edits))
}

/// Makes a constant of the variable that keeps the first value, where nothing changes it any more.
fn first_word(temp: &Temp<'_>, names: &ScopedNames<'_>, end: usize) -> Option<TextEdit> {
    let first = *temp.purposes.first()?;
    let word =
        first.child("kind").filter(|it| first.is("lexical_declaration") && it.text(temp.code.text()) == "let")?;
    let mut later = temp.places.iter().filter(|it| it.start() > first.end() && it.start() < end);
    let changes = later.any(|it| names.at(*it).is_some_and(|name| names.is_write(name)));
    (value_of(first).is_some() && !changes).then(|| TextEdit::new(word.span(), "const"))
}

/// Returns the edits with those that begin at one place made one: a keyword and the name behind it.
fn joined(mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    edits.sort();
    let mut joined: Vec<TextEdit> = Vec::new();
    for edit in edits {
        match joined.last_mut().filter(|last| last.span.is_empty() && last.span.start == edit.span.start) {
            Some(last) => {
                last.span = edit.span;
                last.new_text.push_str(&edit.new_text);
            }
            None => joined.push(edit),
        }
    }
    joined
}

/// Writes the type that the variable is declared with behind each new name.
fn with_types(temp: &Temp<'_>, new: &[Option<String>], mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    let declared = temp.places.first().and_then(|place| place.parent()).and_then(|outer| outer.child("type"));
    let Some(declared) = declared.filter(|_| temp.code.family() == Family::Script) else { return edits };
    for (purpose, name) in temp.purposes.iter().zip(new).skip(1) {
        let is_target = |edit: &&mut TextEdit| !edit.span.is_empty() && edit.span.start == purpose.start();
        if let Some(edit) = edits.iter_mut().find(is_target) {
            let name = name.as_deref().unwrap_or_default();
            edit.new_text = format!("{name}{}", declared.text(temp.code.text()));
        }
    }
    edits
}

fn find<'c>(code: &'c Code, names: &ScopedNames<'_>, request: &Request) -> Result<Temp<'c>, Refusal> {
    let unnamed = || Refusal::NotPossible(format!("the target names no variable of `{}`", code.shown));
    let offset = place(code, &request.target).ok_or_else(unnamed)?;
    let node = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
    let name = names.at(node).ok_or_else(unnamed)?;
    let function = names.writes(name.meaning).find_map(|write| function_of(code.covering(write.span)));
    let function = function.ok_or_else(|| code.refuse(offset, "it is not a local variable of a function"))?;
    let places: Vec<Name> = names.of_meaning(name.meaning).collect();
    let places: Vec<Node<'c>> = places.into_iter().map(|one| code.covering(one.span)).collect();
    check_places(code, function, &places)?;
    let first = places[0];
    let statement = statement_of(first).ok_or_else(|| code.refuse(first.start(), "it is declared in no block"))?;
    let block = statement.parent().expect("a statement stands in a block");
    if let Some(outside) = places.iter().find(|place| !block.holds(**place)) {
        return Err(code.refuse(outside.start(), "it is used outside the block that first sets it"));
    }
    let own = block.named_children().filter(|it| purpose(*it).is_some_and(|target| places.contains(&target)));
    let text = first.text(code.text());
    let own: Vec<Node<'c>> = own.collect();
    let given = request.params.list("names").len();
    let purposes = meant(code, (&own, text), given);
    if purposes.first().and_then(|it| purpose(*it)) != Some(first) {
        return Err(code.refuse(first.start(), "it is not set first by an assignment of its own"));
    }
    // A declaration without a value takes that of the assignment behind it.
    let purposes = match purposes.as_slice() {
        [declared, rest @ ..] if value_of(*declared).is_none() => {
            std::iter::once(*declared).chain(rest.iter().skip(1).copied()).collect()
        }
        _ => purposes,
    };
    match purposes.as_slice() {
        [_, second, ..] if !is_alone(code, *second) => {
            Err(code.refuse(second.start(), "the assignment shares its line with something else"))
        }
        [_, _, ..] => Ok(Temp { code, function, places, purposes }),
        [_] if own.len() > 1 && given == 0 => {
            let reason =
                format!("`{text}` has one purpose, unless what is made of its old value gets one of the `names`");
            Err(Refusal::Missing { param: "names", reason })
        }
        _ => Err(code.refuse(first.start(), format!("`{text}` has one purpose only in the block that sets it first"))),
    }
}

/// Returns the assignments that begin a purpose: what is made of the old value goes on with that one's, unless so many `names`
/// are given that it does not.
fn meant<'c>(code: &Code, (all, text): (&[Node<'c>], &str), names: usize) -> Vec<Node<'c>> {
    let is_new = |it: &Node<'c>| value_of(*it).is_none_or(|value| !code.mentions(value, text));
    let new: Vec<Node<'c>> = all.iter().copied().filter(is_new).collect();
    let fits = |purposes: &[Node<'c>]| purposes.len() > 1 && (names == purposes.len() || names + 1 == purposes.len());
    if !fits(&new) && fits(all) { all.to_vec() } else { new }
}

/// Refuses variables that others see, or that are more than variables.
fn check_places(code: &Code, function: Node<'_>, places: &[Node<'_>]) -> Result<(), Refusal> {
    const MARKS: &[&str] = &["global_statement", "nonlocal_statement"];
    if let Some(name) = code.looks_around(function, &["arguments", "eval", "exec", "locals", "vars"]) {
        in_doubt(code, function.span(), format!("the function uses `{name}`, which may see its variables"))?;
    }
    let body = function.child("body").unwrap_or(function);
    for place in places {
        let reason = if function_of(*place) != Some(function) {
            "a function inside this one uses it, and may see it change"
        } else if place.ancestors().any(|outer| outer.is_any(MARKS)) {
            "it is a variable of another scope"
        } else if !body.holds(*place) {
            "it is a parameter: `remove-assignments-to-parameters` gives that a variable of its own"
        } else {
            continue;
        };
        return Err(code.refuse(place.start(), reason));
    }
    Ok(())
}

/// Returns the one name that a statement declares or assigns to, and nothing else.
fn purpose(statement: Node<'_>) -> Option<Node<'_>> {
    let mut parts = statement.named_children();
    let only = parts.next().filter(|_| parts.next().is_none())?;
    let target = match (statement.kind(), only.kind()) {
        ("expression_statement", "assignment" | "assignment_expression") => only.child("left"),
        ("lexical_declaration" | "variable_declaration", "variable_declarator") => only.child("name"),
        _ => None,
    }?;
    let is_chain = value_of(statement).is_some_and(|value| value.is_any(&["assignment", "assignment_expression"]));
    (target.is("identifier") && !is_chain).then_some(target)
}

fn value_of(statement: Node<'_>) -> Option<Node<'_>> {
    let only = statement.named_children().next()?;
    only.child("right").or_else(|| only.child("value"))
}

/// Returns a new name for each purpose; the first keeps its own unless it is named, too.
fn new_names(temp: &Temp<'_>, request: &Request) -> Result<Vec<Option<String>>, Refusal> {
    let code = temp.code;
    let old = temp.places[0].text(code.text());
    let given = request.params.list("names");
    let count = temp.purposes.len();
    if !given.is_empty() && given.len() != count && given.len() + 1 != count {
        let lines: Vec<String> = temp.purposes.iter().map(|it| code.line(it.start()).to_string()).collect();
        let message = format!(
            "`{old}` has {count} purposes (lines {}): name all of them, or all but the first",
            lines.join(", ")
        );
        return Err(Refusal::NotPossible(message));
    }
    let made = |at: usize| match code.family() {
        Family::Python => format!("{old}_{}", at + 1),
        _ => format!("{old}{}", at + 1),
    };
    let names: Vec<String> = if given.is_empty() { (1..count).map(made).collect() } else { given.to_vec() };
    let first = count - names.len();
    for (at, name) in names.iter().enumerate() {
        check_name(code.parsed().tree.language(), name).map_err(|bad| Refusal::BadName(bad.to_string()))?;
        // Any purpose may keep the name where all are named.
        let is_old = first == 0 && name == old;
        if code.mentions(temp.function, name) && !is_old || names[..at].contains(name) {
            return Err(code.refuse(temp.purposes[at + first].start(), format!("`{name}` is already in use there")));
        }
    }
    Ok(std::iter::repeat_n(None, first).chain(names.into_iter().map(Some)).collect())
}

fn named(code: &Code, node: Node<'_>, name: &str) -> TextEdit {
    match node.kind() {
        "shorthand_property_identifier" | "shorthand_property_identifier_pattern" => {
            TextEdit::new(node.span(), format!("{}: {name}", node.text(code.text())))
        }
        _ => TextEdit::new(node.span(), name),
    }
}
