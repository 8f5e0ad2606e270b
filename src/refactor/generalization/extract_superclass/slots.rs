//! `__slots__` of Python: a field takes its slot along to the superclass, which has slots, too, then.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::Class;
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

/// What a class sets `__slots__` to.
pub(super) struct Slots<'c> {
    class: Class<'c>,
    /// `__slots__ = `, with a type where there is one.
    lead: Span,
    value: Node<'c>,
}

impl<'c> Slots<'c> {
    /// Reads them; nothing where the class has none.
    ///
    /// # Errors
    /// Refuses slots that are not written out as strings on one line.
    pub(super) fn of(class: Class<'c>) -> Result<Option<Self>, Refusal> {
        let members = class.members_named("__slots__");
        let Some(member) = members.first() else { return Ok(None) };
        let assignment = member.name.parent().filter(|_| members.len() == 1);
        let value = assignment.and_then(|it| it.child("right")).filter(|it| it.is_any(&["list", "tuple"]));
        let is_plain = |it: &Node<'_>| {
            it.named_children().all(|one| one.is("string")) && !it.text(class.code.text()).contains('\n')
        };
        match (assignment, value.filter(is_plain)) {
            (Some(assignment), Some(value)) => {
                Ok(Some(Self { class, lead: Span::new(assignment.start(), value.start()), value }))
            }
            _ => {
                let reason = format!("what the `__slots__` of `{}` hold is not known", class.name());
                Err(class.code.refuse(member.name.start(), reason))
            }
        }
    }

    /// Leaves the slots of others than some fields.
    pub(super) fn without(&self, fields: &[&str]) -> TextEdit {
        TextEdit::new(self.value.span(), self.listed(|name| !fields.contains(&name)))
    }

    /// Writes the slots of some fields.
    pub(super) fn of_fields(&self, fields: &[&str]) -> String {
        let lead = self.lead.of(self.class.code.text()).unwrap_or_default();
        format!("{lead}{}", self.listed(|name| fields.contains(&name)))
    }

    fn listed(&self, is_kept: impl Fn(&str) -> bool) -> String {
        let text = self.class.code.text();
        let all = self.value.named_children().map(|it| it.text(text));
        let kept: Vec<&str> = all.filter(|it| is_kept(it.trim_matches(['"', '\'']))).collect();
        match (self.value.is("list"), kept.as_slice()) {
            (true, kept) => format!("[{}]", kept.join(", ")),
            (false, [only]) => format!("({only},)"),
            (false, kept) => format!("({})", kept.join(", ")),
        }
    }
}
