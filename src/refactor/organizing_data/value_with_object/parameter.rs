//! A field that is a parameter of the constructor, in scripts: it becomes a field that the constructor sets, for its
//! callers go on to pass the bare value.

use super::Wrap;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind};
use crate::refactor::analysis::parameter_fields::set_from_parameter;
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
    pub(super) fn set_apart(&self, parameter: &Member<'c>, passed: &str) -> Result<Vec<TextEdit>, Refusal> {
        let (code, class, field) = (self.code(), self.field.class, self.field.name);
        let node = parameter.node;
        let set = format!("this.{field} = {}{field});", self.begun());
        let mut edits = set_from_parameter(&class, parameter, &set)?;
        let name = node.child("pattern").map_or(node.end(), Node::start);
        let words = code.text()[node.start()..name].trim();
        let said = format!(
            "{end}{indent}{words} {field}: {}{passed};{end}",
            self.name,
            end = code.newline(),
            indent = class.indent()
        );
        edits.push(TextEdit::new(Span::at(class.body.start() + 1), said));
        Ok(edits)
    }
}
