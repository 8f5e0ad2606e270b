//! The text of the new class, and what the old one has in its place.

use super::extracted_members::Part;
use super::first_values::Init;
use super::initialization::Making;
use super::member_names::bare;
use super::passed_fields::PassedField;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind, Slot, receiver};
use crate::refactor::analysis::data_classes;
use crate::refactor::analysis::imports::statements::without_items;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::moved_methods::{MovedMethod, Successor};
use crate::refactor::scopes::ScopedNames;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// Writes the new class, with an empty line behind it.
pub(super) fn class(part: &Part<'_>, making: &Making<'_>) -> Result<String, Refusal> {
    let code = part.class.code;
    let (end, step) = (code.newline(), Layout::of(code).step().to_owned());
    let mut blocks: Vec<String> = slots(part).map(|it| format!("{step}{it}{end}")).into_iter().collect();
    let mut fields = declared(part).map(|member| field(part, &member, &step)).collect::<Result<Vec<_>, _>>()?;
    fields.extend(part.passed.iter().filter_map(PassedField::declaration));
    if !fields.is_empty() {
        blocks.push(fields.iter().map(|it| format!("{step}{it}{end}")).collect());
    }
    blocks.extend(constructor(part, making, &step)?);
    for group in &part.methods {
        let member = group.members[0];
        let mut edits = part.renamed(group);
        edits.extend(member.without_accessibility());
        edits.sort_by_key(|edit| edit.span);
        let text = Layout::of(code).moved_with(part.class.extent(&member)?, &step, &edits);
        blocks.push(format!("{step}{text}{end}"));
    }
    let body = blocks.join(end);
    let is_seen = part.class.statement().is("export_statement") && !part.is_private();
    let export = if is_seen { "export " } else { "" };
    Ok(match code.family() {
        Family::Python => {
            let mark = part.made_apart.and_then(|_| data_classes::mark(&part.class));
            let mark = mark.map(|it| format!("{it}{end}")).unwrap_or_default();
            format!("{mark}class {}:{end}{body}{end}{end}", part.name)
        }
        _ => format!("{export}class {}{} {{{end}{body}}}{end}{end}", part.name, part.types.0),
    })
}

/// Returns the declarations that go, those in the class body.
fn declared<'c>(part: &Part<'c>) -> impl Iterator<Item = Member<'c>> {
    let mut all: Vec<Member<'c>> =
        part.fields.iter().flat_map(|it| &it.members).filter(|it| it.kind == MemberKind::Field).copied().collect();
    all.sort_by_key(|it| it.node.start());
    all.into_iter()
}

/// Writes the slots of the new class, where the old one has some.
fn slots(part: &Part<'_>) -> Option<String> {
    let text = part.class.code.text();
    let named = |slot: &Span| {
        let name = slot.of(text)?;
        Some(slot_string(part, *slot)?.text(text).replace(name, bare(name)))
    };
    let said: Vec<String> = part.slots.iter().filter_map(named).collect();
    let comma = if said.len() == 1 { "," } else { "" };
    (!said.is_empty()).then(|| format!("__slots__ = ({}{comma})", said.join(", ")))
}

/// Lets the slots of the old class name the new object, and the fields no more.
fn left_slots(part: &Part<'_>) -> Vec<TextEdit> {
    let mut gone = part.slots.clone();
    gone.sort_unstable();
    let Some((first, rest)) = gone.split_first() else { return Vec::new() };
    let list = slot_string(part, *first).and_then(Node::parent);
    let items: Vec<Span> =
        list.into_iter().flat_map(Node::named_children).filter(|it| it.is("string")).map(Node::span).collect();
    let rest: Vec<Span> = rest.iter().filter_map(|slot| slot_string(part, *slot)).map(Node::span).collect();
    let spans = without_items(part.class.code, &items, &rest).into_iter();
    spans.map(|span| TextEdit::new(span, "")).chain([TextEdit::new(*first, part.delegate.as_str())]).collect()
}

/// Returns the string that a slot's name is the content of.
fn slot_string<'c>(part: &Part<'c>, slot: Span) -> Option<Node<'c>> {
    part.class.code.covering(slot).ancestors().find(|it| it.is("string"))
}

fn field(part: &Part<'_>, member: &Member<'_>, step: &str) -> Result<String, Refusal> {
    let code = part.class.code;
    let marks = ["static", "abstract", "declare", "accessor", "override"];
    if let Some(mark) = marks.iter().find(|mark| member.is_marked(code, mark)) {
        return Err(code.refuse(member.name.start(), format!("it is `{mark}`")));
    }
    let name = member.name.text(code.text());
    let mut edits: Vec<TextEdit> = member.without_accessibility().into_iter().collect();
    if bare(name) != name {
        edits.push(TextEdit::new(member.name.span(), bare(name)));
    }
    if let Some(value) = member.node.child("value") {
        let names = ScopedNames::of(code);
        let is_free = names.within(value.span()).all(|it| it.is_free) && !value.descendants().any(|it| it.is("this"));
        if !is_free {
            return Err(code.refuse(value.start(), "the value depends on where it stands"));
        }
    }
    Ok(Layout::of(code).moved_with(part.class.extent(member)?, step, &edits))
}

/// Writes the constructor; nothing where no field needs it.
fn constructor(part: &Part<'_>, making: &Making<'_>, step: &str) -> Result<Option<String>, Refusal> {
    let code = part.class.code;
    let old = making.constructor.filter(|_| making.is_in_constructor());
    if old.is_none() && part.passed.is_empty() {
        return Ok(None);
    }
    let receiver = old.and_then(|it| receiver(code, it)).unwrap_or("this");
    let mut parameters: Vec<String> = Vec::new();
    for member in &making.given {
        parameters.push(given(part, member)?);
    }
    for init in making.inits.iter().filter(|it| !it.is_literal(code)) {
        parameters.push(format!("{}{}", part.field(init.field), typed(part, init)?));
    }
    for passed in &part.passed {
        parameters.push(passed.parameter()?);
    }
    let (end, deeper) = (code.newline(), format!("{step}{step}"));
    let first = making.inits.iter().map(|it| statement(part, it, &deeper));
    let passed = part.passed.iter().map(|it| it.set(receiver));
    let set: String = first.chain(passed).map(|it| format!("{deeper}{it}{end}")).collect();
    if set.is_empty() && parameters.is_empty() {
        return Ok(None);
    }
    let is_typed =
        old.is_some_and(|it| it.child("return_type").is_some()) || parameters.iter().any(|it| it.contains(':'));
    let answer = if is_typed { " -> None" } else { "" };
    Ok(Some(match code.family() {
        Family::Python => {
            let all = std::iter::once(receiver.to_owned()).chain(parameters).collect::<Vec<_>>().join(", ");
            format!("{step}def __init__({all}){answer}:{end}{set}")
        }
        _ if set.is_empty() => format!("{step}constructor({}) {{}}{end}", parameters.join(", ")),
        _ => format!("{step}constructor({}) {{{end}{set}{step}}}{end}", parameters.join(", ")),
    }))
}

/// Writes a parameter that is a field, for everybody to use.
fn given(part: &Part<'_>, member: &Member<'_>) -> Result<String, Refusal> {
    let code = part.class.code;
    let node = member.node;
    let name = bare(member.name.text(code.text()));
    let is_plain = node.is("required_parameter") && !node.children().any(|it| it.is("decorator"));
    let Some(typed) = node.child("type").filter(|_| is_plain) else {
        return Err(code.refuse(node.start(), "the parameter has no plain type that could be written again"));
    };
    let fixed = if member.is_marked(code, "readonly") { "readonly " } else { "" };
    Ok(format!("public {fixed}{name}{}", typed.text(code.text())))
}

/// Returns the type that a parameter of the new constructor has: `: str`.
fn typed(part: &Part<'_>, init: &Init<'_>) -> Result<String, Refusal> {
    let code = part.class.code;
    match &init.typed {
        Some(written) => Ok(format!(": {written}")),
        None if code.is_typed_script() => {
            Err(code.refuse(init.target.start(), "write its type: the new constructor needs it"))
        }
        None => Ok(String::new()),
    }
}

/// Writes the statement that gives a field its value, in the new constructor.
fn statement(part: &Part<'_>, init: &Init<'_>, base: &str) -> String {
    let code = part.class.code;
    let name = part.field(init.field);
    let property: Option<Node<'_>> = init.target.child("attribute").or_else(|| init.target.child("property"));
    let mut edits: Vec<TextEdit> = property.into_iter().map(|it| TextEdit::new(it.span(), name)).collect();
    if !init.is_literal(code) {
        edits.push(TextEdit::new(init.value.span(), name));
    }
    Layout::of(code).moved_with(init.extent, base, &edits)
}

/// Returns the edits that take the members out of the old class and let it ask the new one.
pub(super) fn left(part: &Part<'_>, making: &Making<'_>) -> Result<Vec<TextEdit>, Refusal> {
    let code = part.class.code;
    let all: Vec<Member<'_>> = declared(part).collect();
    let mut edits = Vec::new();
    let field = match making.is_in_constructor() {
        true if code.is_typed_script() => {
            Some(format!("{}{}: {}{};", part.marks(), part.delegate, part.name, part.types.1))
        }
        true => None,
        false if code.family() == Family::Python => part.made_apart.map(|field| {
            let (name, made) = (part.name, field.text(code.text()));
            format!("{}: {name} = {made}(init=False, default_factory={name})", part.delegate)
        }),
        false => Some(format!("{}{} = {};", part.marks(), part.delegate, making.call(part))),
    };
    match (field, all.split_first()) {
        (Some(field), Some((first, rest))) => {
            edits.push(TextEdit::new(part.class.extent(first)?, field));
            edits.extend(part.class.without(rest)?);
        }
        (Some(field), None) => edits.push(part.class.with(Slot::Field, &[field])),
        (None, _) => edits.extend(part.class.without(&all)?),
    }
    edits.extend(left_slots(part));
    for group in &part.methods {
        if part.is_idle(group) {
            edits.extend(part.class.without(&group.members)?);
            continue;
        }
        let method = MovedMethod::of(group)?;
        let function = method.function;
        let body = function.child("body").ok_or_else(|| group.refuse("it has no body"))?;
        let receiver = receiver(code, function).unwrap_or("this");
        let asked = format!("{receiver}.{}.{}", part.delegate, bare(group.name));
        edits.push(TextEdit::new(body.span(), method.asking(group, &Successor::of(&asked))?));
    }
    Ok(edits)
}
