//! Annotations of Python that name what comes later.

use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// Writes a type that is declared further below, or around the place: in quotes, where annotations are evaluated at once.
pub(crate) fn forward_reference(code: &Code, name: &str) -> String {
    let is_early = code.family() == Family::Python && !code.postpones_annotations();
    if is_early { format!("\"{name}\"") } else { name.to_owned() }
}

/// Returns the whole annotation around a name, where it may come to stand in quotes.
pub(crate) fn annotation(code: &Code, name: Span) -> Option<Node<'_>> {
    let around = code.covering(name).ancestors().filter(|outer| outer.is("type")).last()?;
    (!around.text(code.text()).contains(['"', '\'', '\n'])).then_some(around)
}

/// Quotes an annotation, where it is evaluated at once.
pub(crate) fn quoted(code: &Code, annotation: Node<'_>) -> Option<TextEdit> {
    let said = annotation.text(code.text());
    let new = forward_reference(code, said);
    (new != said).then(|| TextEdit::new(annotation.span(), new))
}
