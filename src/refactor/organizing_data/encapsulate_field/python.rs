//! A property in the place of an attribute.

use super::accessors::{Accessors, renamed};
use crate::refactor::analysis::classes::{MemberKind as Made, Slot};
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::source_file::function_of;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::TextEdit;

pub(super) async fn edits(session: &Session, field: &Field<'_>, accessors: &Accessors, uses: &Uses) -> Vec<TextEdit> {
    let code = field.class.code;
    let constructor = field.constructor();
    let own: Vec<&Use> = uses.files.get(&code.path).into_iter().flat_map(|file| &file.uses).collect();
    let is_in_class = |one: &&&Use| field.class.node.span().contains(one.span);
    let mut edits: Vec<TextEdit> = Vec::new();
    if accessors.storage == field.name {
        // The class itself asks the property, but where it makes its objects.
        let asks = own.iter().filter(is_in_class).filter(|one| {
            let node = one.node(code);
            let is_typed = node.parent().and_then(Node::parent).is_some_and(|it| it.child("type").is_some());
            one.member(code).is_some() && !is_typed && function_of(node) != constructor
        });
        edits.extend(renamed(asks.map(|one| one.span), &accessors.name));
    } else {
        let keeps = own.iter().filter(is_in_class).filter(|one| {
            let node = one.node(code);
            let is_typed = one.assignment(code).is_some_and(|(it, _)| it.child("type").is_some())
                || node.parent().and_then(Node::parent).is_some_and(|it| it.child("type").is_some());
            let is_made = one.kind == UseKind::Write && function_of(node) == constructor;
            is_typed || is_made
        });
        let declared = field.members.iter().filter(|it| it.kind == Made::Field).map(|it| it.name.span());
        let mut spans: Vec<_> = keeps.map(|one| one.span).chain(declared).collect();
        spans.sort();
        spans.dedup();
        edits.extend(renamed(spans.into_iter(), &accessors.storage));
    }
    let typed = match field.written_type() {
        Some(written) => Some(written.to_owned()),
        None => of_all_values(session, field, uses).await,
    };
    edits.push(field.class.with(Slot::Method, &written(field, accessors, typed.as_deref())));
    edits
}

/// Returns the type of all that the field is given; nothing where that is of several types, or `None` alone: what is given
/// elsewhere is another thing then.
async fn of_all_values(session: &Session, field: &Field<'_>, uses: &Uses) -> Option<String> {
    let code = field.class.code;
    let typed = inferred_types::built_in(session, code, field.members[0].name).await.filter(|it| it != "None")?;
    for file in uses.files.values() {
        for one in file.uses.iter().filter(|one| one.kind == UseKind::Write) {
            if inferred_types::built_in(session, &file.code, one.node(&file.code)).await.as_ref() != Some(&typed) {
                return None;
            }
        }
    }
    Some(typed)
}

fn written(field: &Field<'_>, accessors: &Accessors, typed: Option<&str>) -> [String; 2] {
    let Accessors { storage, name } = accessors;
    let (end, indent) = (field.class.code.newline(), field.class.indent());
    let step = Layout::of(field.class.code).step().to_owned();
    let answer = typed.map(|it| format!(" -> {it}")).unwrap_or_default();
    let value = typed.map(|it| format!("value: {it}")).unwrap_or_else(|| "value".to_owned());
    let nothing = if typed.is_some() { " -> None" } else { "" };
    [
        format!("@property{end}{indent}def {name}(self){answer}:{end}{indent}{step}return self.{storage}"),
        format!(
            "@{name}.setter{end}{indent}def {name}(self, {value}){nothing}:{end}{indent}{step}self.{storage} = value"
        ),
    ]
}
