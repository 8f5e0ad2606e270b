//! What a method does, and where it takes its object and its parameters.

use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::first_statement;
use crate::refactor::analysis::classes::{Class, comments_above, end_of, receiver, usage, variable};
use crate::refactor::analysis::substitution::{check_callee, check_place};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class};
use crate::syntax::{Family, Node, check_name, is_any_function};
use crate::text::Span;

pub(super) struct Body<'c> {
    /// All but a docstring.
    pub extent: Span,
    /// Parameters that it uses.
    pub taken: Vec<Taken<'c>>,
    /// Where it means its own object.
    pub own: Vec<Node<'c>>,
    /// What it asks its object for.
    pub members: Vec<Node<'c>>,
    pub block: Node<'c>,
    /// What it calls its object.
    pub object: Option<&'c str>,
    /// It answers with a value somewhere.
    pub answers: bool,
}

pub(super) struct Taken<'c> {
    /// The whole parameter.
    pub node: Node<'c>,
    pub name: Node<'c>,
    pub places: Vec<Node<'c>>,
    pub is_set: bool,
    /// Every place can be that of a field; otherwise a variable takes it out of the field first.
    pub is_field: bool,
}

/// ScopedNames that see who called, or which variables there are.
const ALL_SEEING: &[&str] = &["arguments", "eval", "exec", "locals", "vars", "stacklevel", "_getframe", "currentframe"];

impl<'c> Body<'c> {
    pub(super) fn of(
        (code, names): (&'c Code, &ScopedNames<'c>),
        (function, block): (Node<'c>, Node<'c>),
        class: Option<&Class<'c>>,
    ) -> Result<Self, Refusal> {
        let extent = extent(code, block)?;
        check_tied((code, names), block, class)?;
        let used = usage(code, block);
        if let Some(node) = used.bound.first().or(used.private.first()) {
            let said = node.text(code.text());
            return Err(code.refuse(node.start(), format!("`{said}` refers to something else in another class")));
        }
        let objects = used.members.iter().filter_map(|it| it.parent()?.child("object"));
        let own: Vec<Node<'c>> = objects.chain(used.whole.iter().copied()).collect();
        if let Some(this) = own.first().filter(|_| class.is_none()) {
            return Err(code.refuse(this.start(), "`this` is only determined by the call"));
        }
        let is_written = |it: &&Node<'c>| names.at(**it).is_some_and(|name| names.is_write(name));
        if let Some(written) = own.iter().find(is_written) {
            return Err(code.refuse(written.start(), "the object is another one from here on"));
        }
        check_self((code, names), block, &own)?;
        let object = class.and_then(|_| receiver(code, function));
        let taken = taken((code, names), function, object)?;
        let answer = |it: Node<'c>| it.is("return_statement") && it.named_children().next().is_some();
        let answers = block.walk_until(is_any_function).any(answer);
        Ok(Self { extent, taken, own, members: used.members, block, object, answers })
    }

    /// Returns the name of the field that holds the object: that of its class, unless a parameter is called so.
    pub(super) fn field_of_object(&self, class: &Class<'c>) -> Result<String, Refusal> {
        let code = class.code;
        let python = code.family() == Family::Python;
        let wished = [variable(class.name(), python), "host".to_owned(), "owner".to_owned()];
        let is_free = |name: &&String| self.taken.iter().all(|it| it.name.text(code.text()) != name.as_str());
        let is_name = |name: &&String| check_name(code.parsed().tree.language(), name).is_ok();
        let found = wished.iter().filter(is_free).find(is_name).cloned();
        found.ok_or_else(|| code.refuse(class.name.start(), "no name is left for the object"))
    }
}

/// Returns what stands behind the docstring, comments included.
fn extent(code: &Code, block: Node<'_>) -> Result<Span, Refusal> {
    let is_comment = |it: &Node<'_>| it.kind().ends_with("comment");
    let is_idle = |it: &Node<'_>| {
        it.is("pass_statement") || is_comment(it) || it.named_children().next().is_some_and(|it| it.is("ellipsis"))
    };
    let first = first_statement(block);
    let does = block.named_children().filter(|it| first.is_some_and(|first| it.start() >= first.start()));
    let Some((first, last)) =
        first.zip(block.named_children().last()).filter(|_| !does.into_iter().all(|it| is_idle(&it)))
    else {
        return Err(code.refuse(block.start(), "it does nothing"));
    };
    let start = if is_comment(&first) { first.start() } else { comments_above(code, first.start()) };
    let before = &code.text()[code.line_start(start)..start];
    match before.trim().is_empty() {
        true => Ok(Span::new(start, end_of(code, last))),
        false => Err(code.refuse(start, "its body stands on the line of its head")),
    }
}

/// Refuses what sees where it stands.
fn check_tied(
    (code, names): (&Code, &ScopedNames<'_>),
    block: Node<'_>,
    class: Option<&Class<'_>>,
) -> Result<(), Refusal> {
    let text = code.text();
    let around = class.map(|it| it.node).into_iter().chain(block.parent());
    let lists = around.filter_map(|it| it.child("type_parameters")).filter(|_| code.family() == Family::Python);
    let lists: Vec<Span> = lists.map(Node::span).collect();
    let is_of_types = |node: Node<'_>| {
        let meaning = names.at(node).map(|it| it.meaning);
        let mut bindings = meaning.into_iter().flat_map(|it| names.of_meaning(it)).filter(|it| it.is_binding);
        bindings.any(|it| lists.iter().any(|list| list.contains(it.span)))
    };
    for node in block.descendants() {
        let is_seeing = node.is("identifier")
            && (ALL_SEEING.contains(&node.text(text)) && code.means_itself(node) || is_of_types(node));
        if is_seeing || node.is_any(&["nonlocal_statement", "this_type"]) {
            let said = node.text(text);
            return Err(code.refuse(node.start(), format!("`{said}` refers to something else in another class")));
        }
    }
    Ok(())
}

/// Refuses a body of Python in which `self` is something else than the method's object.
fn check_self((code, names): (&Code, &ScopedNames<'_>), block: Node<'_>, own: &[Node<'_>]) -> Result<(), Refusal> {
    if code.family() != Family::Python {
        return Ok(());
    }
    let is_other = |span: Span| block.span().contains(span) && own.iter().all(|it| it.span() != span);
    match names.named("self").find(|it| is_other(it.span)) {
        Some(other) => Err(code.refuse(other.span.start, "`self` is something else here")),
        None => Ok(()),
    }
}

/// Finds the parameters that the body uses.
fn taken<'c>(
    (code, names): (&'c Code, &ScopedNames<'c>),
    function: Node<'c>,
    object: Option<&str>,
) -> Result<Vec<Taken<'c>>, Refusal> {
    let is_in = |field: &str, span: Span| function.child(field).is_some_and(|it| it.span().contains(span));
    let list = function.child("parameters").into_iter().flat_map(Node::named_children);
    let mut found = Vec::new();
    for (at, node) in list.chain(function.child("parameter")).enumerate() {
        let Some(name) = name_of(node) else { continue };
        let said = name.text(code.text());
        let is_object = code.family() == Family::Python && at == 0 && object == Some(said);
        if is_object || said == "this" {
            continue;
        }
        let Some(own) = names.at(name).filter(|_| name.is("identifier")) else {
            return Err(code.refuse(node.start(), "it is not an ordinary parameter"));
        };
        let all: Vec<_> = names.of_meaning(own.meaning).filter(|it| it.span != name.span()).collect();
        if let Some(typed) = all.iter().find(|it| is_in("return_type", it.span)) {
            return Err(code.refuse(typed.span.start, "the type of what it answers names a parameter"));
        }
        let inside: Vec<_> = all.into_iter().filter(|it| is_in("body", it.span)).collect();
        let places: Vec<Node<'c>> = inside.iter().map(|it| code.covering(it.span)).collect();
        if places.is_empty() {
            continue;
        }
        let is_set = inside.iter().any(|it| names.is_write(*it));
        let is_field = places.iter().all(|it| can_be_member((code, names), *it, function));
        found.push(Taken { node, name, places, is_set, is_field });
    }
    Ok(found)
}

/// Returns what a parameter binds.
fn name_of(node: Node<'_>) -> Option<Node<'_>> {
    let inner = match node.kind() {
        "keyword_separator" | "positional_separator" | "comment" => return None,
        "default_parameter" | "typed_default_parameter" => node.child("name")?,
        "typed_parameter" => node.named_children().next()?,
        "assignment_pattern" => node.child("left")?,
        _ => node.child("pattern").unwrap_or(node),
    };
    let is_rest = inner.is_any(&["list_splat_pattern", "dictionary_splat_pattern", "rest_pattern"]);
    if is_rest { inner.named_children().next() } else { Some(inner) }
}

/// Tells whether a field can stand in the place of a parameter.
fn can_be_member((code, names): (&Code, &ScopedNames<'_>), place: Node<'_>, function: Node<'_>) -> bool {
    const SETTING: &[&str] = &[
        "assignment",
        "augmented_assignment",
        "assignment_expression",
        "augmented_assignment_expression",
        "update_expression",
    ];
    let parent = place.parent().unwrap_or(place);
    let mut around = place.ancestors().take_while(|it| *it != function);
    // A function may have a `this` of its own, and no checker knows what a field is by the time that it runs.
    let is_foreign = around.any(|it| is_any_function(it) || is_class(it));
    let is_written = names.at(place).is_some_and(|it| names.is_write(it));
    let is_plain =
        !is_written || parent.is_any(SETTING) && place.field() != Some("right") && parent.child("type").is_none();
    !is_foreign && is_plain && check_callee(code, place).is_ok() && check_place(code, "self.it", place).is_ok()
}
