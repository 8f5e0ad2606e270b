//! Names that a module of Python lists in `__all__`.

use super::added_names::with_items;
use super::statements::without_items;
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::syntax::python::dunder_all;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// Adds names to an `__all__` that is written as one list, in their order if they have one; nothing where there is none.
pub(crate) fn enlisted(code: &Code, names: &[&str]) -> Vec<TextEdit> {
    let all = dunder_all(&code.parsed().tree, code.text());
    let mut strings = all.iter().filter_map(|(_, span)| code.covering(*span).ancestors().find(|it| it.is("string")));
    let last = strings.next_back();
    let list = last.and_then(Node::parent).filter(|list| list.is_any(&["list", "tuple"]));
    let Some((last, list)) = last.zip(list) else { return Vec::new() };
    let quote = if last.text(code.text()).starts_with('\'') { '\'' } else { '"' };
    let new = names.iter().filter(|name| !all.iter().any(|(one, _)| one == *name));
    let said: Vec<String> = new.map(|name| format!("{quote}{name}{quote}")).collect();
    let entries = list.named_children().filter(|it| !it.is("comment")).collect();
    with_items(code, (entries, list.end()), &said, &[])
}

/// Takes names out of `__all__`.
pub(crate) fn delisted(code: &Code, names: &[&str]) -> Result<Vec<TextEdit>, Refusal> {
    let mut edits = Vec::new();
    if code.family() != Family::Python || !code.text().contains("__all__") {
        return Ok(edits);
    }
    let mut lists: Vec<(Node<'_>, Vec<Span>)> = Vec::new();
    let listed = dunder_all(&code.parsed().tree, code.text());
    for (_, span) in listed.iter().filter(|(one, _)| names.contains(&one.as_str())) {
        let string = code.covering(*span).ancestors().find(|it| it.is("string"));
        let string = string.ok_or_else(|| code.refuse(span.start, "it is listed in another way"))?;
        let list = string.parent().filter(|list| list.is_any(&["list", "tuple"]));
        let list = list.ok_or_else(|| code.refuse(span.start, "it is listed in another way"))?;
        match lists.iter_mut().find(|(other, _)| *other == list) {
            Some((_, gone)) => gone.push(string.span()),
            None => lists.push((list, vec![string.span()])),
        }
    }
    edits.extend(lists.into_iter().flat_map(|(list, gone)| without_entries(code, list, &gone)));
    Ok(edits)
}

/// Takes entries out of a list; a tuple of one keeps its comma.
pub(crate) fn without_entries(code: &Code, list: Node<'_>, gone: &[Span]) -> Vec<TextEdit> {
    let items: Vec<Span> = list.named_children().map(Node::span).collect();
    let kept: Vec<Span> = items.iter().copied().filter(|item| !gone.contains(item)).collect();
    if kept.is_empty() {
        return vec![TextEdit::new(Span::new(list.start() + 1, list.end() - 1), "")];
    }
    let spans = without_items(code, &items, gone);
    let has_comma = |one: Span| {
        let is_comma = |it: &Node<'_>| it.kind() == "," && it.start() >= one.end;
        list.children().filter(is_comma).any(|comma| !spans.iter().any(|span| span.contains(comma.span())))
    };
    let alone = kept.first().filter(|one| list.is("tuple") && kept.len() == 1 && !has_comma(**one));
    let mut edits: Vec<TextEdit> = spans.iter().map(|span| TextEdit::new(*span, "")).collect();
    match (alone, edits.iter_mut().find(|edit| alone.is_some_and(|one| edit.span.start == one.end))) {
        (Some(_), Some(edit)) => edit.new_text.push(','),
        (Some(one), None) => edits.push(TextEdit::new(Span::at(one.end), ",")),
        (None, _) => {}
    }
    edits
}
