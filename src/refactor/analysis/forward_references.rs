//! Annotations of Python that name what comes later.

use super::imports::typed::is_only_seen;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class};
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// Writes a type that is declared further below, or around the place: in quotes, where annotations are evaluated at once.
pub(crate) fn forward_reference(code: &Code, name: &str) -> String {
    let is_early = code.family() == Family::Python && !code.postpones_annotations();
    if is_early { format!("\"{name}\"") } else { name.to_owned() }
}

/// Writes the type of something new at a place: in quotes, where it names what the module does not know yet, or what type checkers
/// alone see.
pub(crate) fn known_at(code: &Code, names: &ScopedNames<'_>, at: usize, said: String) -> String {
    let quoted = forward_reference(code, &said);
    if quoted == said || said.contains(['"', '\'']) {
        return said;
    }
    let is_late = |word: &str| {
        let bindings: Vec<Node<'_>> =
            names.named(word).filter(|it| it.is_binding && it.scope == 0).map(|it| code.covering(it.span)).collect();
        let is_around = |it: &Node<'_>| it.parent().is_some_and(|outer| is_class(outer) && outer.span().touches(at));
        let is_later = |it: &Node<'_>| it.start() > at || is_around(it);
        !bindings.is_empty() && (bindings.iter().all(is_later) || is_only_seen(code, word))
    };
    let words = said.split(['[', ']', ',', '|', ' ']).filter_map(|word| word.split('.').next());
    if words.filter(|word| !word.is_empty()).any(is_late) { quoted } else { said }
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
