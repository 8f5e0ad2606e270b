//! The way back: a field of the other class that holds the objects which hold it.

use super::super::stored_field::Stored;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::first_statement;
use crate::refactor::analysis::classes::{Class, Slot};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::fields::slotted;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types::is_typed;
use crate::session::Session;
use crate::syntax::{Family, Language};
use crate::text::{Span, TextEdit};

/// Refuses a class whose objects are made by something else.
pub(super) fn check(class: &Class<'_>) -> Result<(), Refusal> {
    let code = class.code;
    let refuse = |reason: String| Err(code.refuse(class.name.start(), reason));
    if code.family() == Family::Script {
        return Ok(());
    }
    if class.changing_decorators().next().is_some() {
        return refuse(format!("what makes `{}` something else is not known", class.name()));
    }
    if class.allocates() && !class.has("__init__") {
        return refuse(format!(
            "`__new__` alone makes objects of `{}`, and nothing would begin the way back",
            class.name()
        ));
    }
    if class.constructor().is_none() && !class.bases().is_empty() {
        return refuse(format!("`{}` has no constructor of its own that could begin the way back", class.name()));
    }
    Ok(())
}

/// Lets each object begin without any way back, and have room for it.
pub(super) fn declared(class: &Class<'_>, (stored, name): (&Stored<'_>, &str)) -> Result<Vec<TextEdit>, Refusal> {
    let begun = begun(class, (stored, name))?;
    Ok(slotted(class, name)?.into_iter().chain([begun]).collect())
}

fn begun(class: &Class<'_>, (stored, name): (&Stored<'_>, &str)) -> Result<TextEdit, Refusal> {
    let code = class.code;
    let one = stored.field.class.name();
    let (end, indent, step) = (code.newline(), class.indent(), Layout::of(code).step().to_owned());
    if code.family() == Family::Script {
        let of = if code.parsed().tree.language() == Language::JavaScript { String::new() } else { format!("<{one}>") };
        let word = if code.is_typed_script() { "readonly " } else { "" };
        return Ok(class.with(Slot::Field, &[format!("{word}{name} = new Set{of}(){}", code.semicolon())]));
    }
    let is_here = code.path == stored.field.class.code.path;
    let of = if is_here { one.to_owned() } else { format!("\"{one}\"") };
    let constructor = class.constructor();
    let typed = if constructor.is_some_and(is_typed) { format!(": list[{of}]") } else { String::new() };
    let line = format!("self.{name}{typed} = []");
    let Some(constructor) = constructor else {
        return Ok(class.with(Slot::Constructor, &[format!("def __init__(self):{end}{indent}{step}{line}")]));
    };
    let body = constructor.child("body");
    let first = body.and_then(first_statement);
    let first = first.ok_or_else(|| code.refuse(constructor.start(), "its constructor does nothing"))?;
    let base = crate::refactor::analysis::blocks::indent(code, first)?;
    Ok(TextEdit::new(Span::at(first.start()), format!("{line}{end}{base}")))
}

/// Lets type checkers know the class in the other file.
pub(super) fn import(
    session: &Session,
    (stored, class): (&Stored<'_>, &Class<'_>),
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let (user, code, one) = (class.code, stored.field.class.code, stored.field.class.name());
    let is_said = match user.family() {
        Family::Python => class.constructor().is_some_and(is_typed),
        _ => user.is_typed_script(),
    };
    if user.path == code.path || !is_said || user.mentions(user.root(), one) {
        return Ok(());
    }
    let Some(line) = required::line(session, code, user, one) else { return Ok(()) };
    if user.family() == Family::Python {
        edits.import_typed(user, [line]);
        return Ok(());
    }
    let statement = stored.field.class.statement();
    let is_default = statement.children().any(|it| it.kind() == "default");
    edits.import(
        user,
        [match is_default {
            true => line.replacen(&format!("import {{ {one} }}"), &format!("import type {one}"), 1),
            false => line.replacen("import {", "import type {", 1),
        }],
    );
    if !statement.is("export_statement") {
        edits.add(code, required::export(code, one)?);
    }
    Ok(())
}
