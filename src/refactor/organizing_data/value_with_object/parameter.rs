//! A field that is a parameter of the constructor, in scripts: it becomes a field that the constructor sets, for its
//! callers go on to pass the bare value.

use super::Wrap;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::references::Use;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

impl<'c> Wrap<'c> {
    /// Returns the parameter, where the field is one.
    pub(super) fn parameter(&self) -> Option<&Member<'c>> {
        self.field.members.iter().find(|it| it.kind == MemberKind::Parameter)
    }

    /// Tells whether a place means the parameter, not the field.
    pub(super) fn is_passed(&self, one: &Use, node: Node<'_>) -> bool {
        let constructor = self.parameter().and_then(|it| it.node.ancestors().find(|it| it.is("method_definition")));
        constructor.is_some_and(|it| it.span().contains(one.span)) && node.is("identifier")
    }

    /// Makes it a field and a bare parameter, from which the constructor makes the object.
    pub(super) fn set_apart(&self, parameter: &Member<'c>) -> Result<Vec<TextEdit>, Refusal> {
        let (code, class, field) = (self.code(), self.field.class, self.field.name);
        let node = parameter.node;
        let refuse = |reason: &str| code.refuse(node.start(), reason);
        let pattern = node.child("pattern").filter(|it| it.is("identifier") && node.start() < it.start());
        let pattern = pattern.filter(|_| node.children().all(|it| !it.is("decorator")));
        let pattern = pattern.ok_or_else(|| refuse("it is more than a parameter that is a field"))?;
        let body = node.ancestors().find(|it| it.is("method_definition")).and_then(|it| it.child("body"));
        let body = body.ok_or_else(|| refuse("the constructor has no body"))?;
        let words = code.text()[node.start()..pattern.start()].trim();
        let (end, indent, step) = (code.newline(), class.indent(), Layout::of(code).step().to_owned());
        let first = class.body.start() + 1;
        let said = format!("{end}{indent}{words} {field}: {};{end}", self.name);
        let mut edits =
            vec![TextEdit::new(Span::at(first), said), TextEdit::new(Span::new(node.start(), pattern.start()), "")];
        let set = format!("{end}{indent}{step}this.{field} = {}{field});", self.begun());
        let above = body.named_children().find(|it| it.text(code.text()).starts_with("super("));
        edits.push(match above {
            Some(above) => TextEdit::new(Span::at(above.end()), set),
            None if !class.bases().is_empty() => {
                return Err(refuse("the constructor does not begin with the call of the superclass's"));
            }
            None if body.named_children().next().is_none() => {
                TextEdit::new(body.span(), format!("{{{set}{end}{indent}}}"))
            }
            None => TextEdit::new(Span::at(body.start() + 1), set),
        });
        Ok(edits)
    }
}
