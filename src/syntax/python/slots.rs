//! The names that `__slots__` of a Python class lists, and one more among them.

use super::super::Node;
use crate::text::{Span, TextEdit};

/// What `__slots__` is set to says nothing plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownSlots;

/// Returns the edit that lists one more name in what `__slots__` is set to; nothing where it is there.
///
/// # Errors
/// Where the value is anything but strings, one by one.
pub fn with_slot(text: &str, value: Node<'_>, name: &str) -> Result<Option<TextEdit>, UnknownSlots> {
    let items: Vec<Node<'_>> = value.named_children().collect();
    let is_text = |it: &Node<'_>| it.is("string") || it.is("pair");
    let quote = if value.text(text).contains('\'') { '\'' } else { '"' };
    let written = format!("{quote}{name}{quote}");
    let has = |it: &Node<'_>| it.text(text).trim_matches(['"', '\'']) == name;
    let edit = match (value.kind(), items.as_slice()) {
        ("string", _) if has(&value) => return Ok(None),
        ("string", _) => TextEdit::new(value.span(), format!("({}, {written})", value.text(text))),
        ("tuple" | "list" | "set" | "expression_list", items) if items.iter().any(has) => return Ok(None),
        ("tuple", []) => TextEdit::new(value.span(), format!("({written},)")),
        ("list", []) => TextEdit::new(value.span(), format!("[{written}]")),
        ("tuple" | "list" | "set" | "expression_list", [.., last]) if items.iter().all(is_text) => {
            let behind = Span::new(last.end(), value.end() - 1);
            let is_comma_last = value.is("tuple") && behind.of(text).is_some_and(|it| it == ",");
            if is_comma_last {
                // One alone has a comma behind it, two have none.
                return Ok(Some(TextEdit::new(behind, format!(", {written}"))));
            }
            let line = text[..last.start()].rfind('\n').map_or(0, |at| at + 1);
            let lead = &text[line..last.start()];
            let is_alone = lead.trim().is_empty();
            let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let gap = if is_alone { format!("{end}{lead}") } else { " ".to_owned() };
            TextEdit::new(Span::at(last.end()), format!(",{gap}{written}"))
        }
        _ => return Err(UnknownSlots),
    };
    Ok(Some(edit))
}
