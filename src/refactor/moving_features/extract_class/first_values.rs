//! The statements of a constructor that give fields their first values.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind, comments_above, documented_end};
use crate::refactor::analysis::field_initialization::is_fresh;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::Node;
use crate::text::Span;

/// The statement that gives a field its first value.
pub(crate) struct Init<'c> {
    /// Which of the fields.
    pub field: usize,
    pub target: Node<'c>,
    pub value: Node<'c>,
    pub statement: Node<'c>,
    /// The statement with its comments.
    pub extent: Span,
    /// The type of the value, where it is known and somebody has to write it.
    pub typed: Option<String>,
}

impl Init<'_> {
    /// Tells whether the value is the same wherever it is said, and new each time.
    pub(crate) fn is_literal(&self, code: &Code) -> bool {
        let has_names = ScopedNames::of(code).within(self.value.span()).next().is_some();
        let has_parts = self.value.descendants().any(|it| it.is_any(&["interpolation", "template_substitution"]));
        is_fresh(self.value) && !has_names && !has_parts
    }
}

/// Finds the statement of a constructor that sets a field first.
pub(crate) fn init<'c>(
    code: &'c Code,
    (at, members): (usize, &[Member<'c>]),
    body: Node<'c>,
) -> Option<Result<Init<'c>, Refusal>> {
    let assigned = members.iter().filter(|it| it.kind == MemberKind::Assigned);
    let mut found = assigned.filter_map(|member| {
        let assignment = member.node.parent()?;
        let statement = assignment.parent().filter(|it| it.is("expression_statement"))?;
        let value = assignment.child("right")?;
        let is_chain = value.is_any(&["assignment", "assignment_expression"]);
        (statement.parent() == Some(body) && !is_chain).then_some((member.node, value, statement))
    });
    let (target, value, statement) = found.next()?;
    let extent = Span::new(comments_above(code, statement.start()), documented_end(code, statement));
    let lines = Span::new(code.line_start(statement.start()), code.next_line(extent.end));
    let around = [&code.text()[lines.start..statement.start()], &code.text()[extent.end..lines.end]];
    if around.iter().any(|it| !it.trim().is_empty()) {
        return Some(Err(code.refuse(statement.start(), "the statement shares its lines with something else")));
    }
    Some(Ok(Init { field: at, target, value, statement, extent, typed: None }))
}
