//! A parameter of a script's constructor that is a field, which comes to be a bare parameter.

use super::classes::{Class, Member};
use super::indentation::Layout;
use crate::refactor::Refusal;
use crate::text::{Span, TextEdit};

/// Takes the words away that make a parameter a field, and puts a statement that sets the field where the constructor begins,
/// behind the call of the superclass's.
pub(crate) fn set_from_parameter(
    class: &Class<'_>,
    parameter: &Member<'_>,
    set: &str,
) -> Result<Vec<TextEdit>, Refusal> {
    Ok(vec![TextEdit::new(words(class, parameter)?, ""), set_first(class, parameter, set)?])
}

/// Returns the words that make a parameter a field: `private readonly `.
pub(crate) fn words(class: &Class<'_>, parameter: &Member<'_>) -> Result<Span, Refusal> {
    let node = parameter.node;
    let pattern = node.child("pattern").filter(|it| it.is("identifier") && node.start() < it.start());
    let pattern = pattern.filter(|_| node.children().all(|it| !it.is("decorator")));
    let pattern =
        pattern.ok_or_else(|| class.code.refuse(node.start(), "it is more than a parameter that is a field"))?;
    Ok(Span::new(node.start(), pattern.start()))
}

/// Puts a statement where the constructor of a parameter begins, behind the call of the superclass's.
pub(crate) fn set_first(class: &Class<'_>, parameter: &Member<'_>, set: &str) -> Result<TextEdit, Refusal> {
    let (code, node) = (class.code, parameter.node);
    let refuse = |reason: &str| code.refuse(node.start(), reason);
    let body = node.ancestors().find(|it| it.is("method_definition")).and_then(|it| it.child("body"));
    let body = body.ok_or_else(|| refuse("the constructor has no body"))?;
    let (end, indent) = (code.newline(), class.indent());
    let set = format!("{end}{indent}{}{set}", Layout::of(code).step());
    let above = body.named_children().find(|it| it.text(code.text()).starts_with("super("));
    match above {
        Some(above) => Ok(TextEdit::new(Span::at(above.end()), set)),
        None if !class.bases().is_empty() => {
            Err(refuse("the constructor does not begin with the call of the superclass's"))
        }
        None if body.named_children().next().is_none() => {
            Ok(TextEdit::new(body.span(), format!("{{{set}{end}{indent}}}")))
        }
        None => Ok(TextEdit::new(Span::at(body.start() + 1), set)),
    }
}
