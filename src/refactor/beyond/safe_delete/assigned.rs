//! What functions give a value: their variables, and the fields of objects.

use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::idle_statements::is_made;
use crate::refactor::doubts::doubt;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, EVALUATING, is_block};
use crate::syntax::{Node, is_any_function};
use crate::text::Span;

const ASSIGNMENTS: &[&str] = &[
    "assignment",
    "assignment_expression",
    "augmented_assignment",
    "augmented_assignment_expression",
    "variable_declarator",
];

/// What makes a value in Python, and does nothing else, by the last name that it is called by.
const MAKERS: &[&str] = &[
    "Condition",
    "ContextVar",
    "Counter",
    "Decimal",
    "Event",
    "Factory",
    "Fraction",
    "Lock",
    "NewType",
    "OrderedDict",
    "ParamSpec",
    "Path",
    "PurePath",
    "RLock",
    "Semaphore",
    "TypeVar",
    "TypeVarTuple",
    "attrib",
    "auto",
    "cast",
    "compile",
    "defaultdict",
    "deque",
    "dict",
    "field",
    "frozenset",
    "getLogger",
    "list",
    "namedtuple",
    "object",
    "partial",
    "set",
    "tuple",
];
/// What a script of CommonJS offers to others.
const EXPORTS: &[&str] = &["exports", "module.exports"];

/// A statement that does no more than give a name a value: `self.rate = rate`, `rate += 1`, `const rate = 1`.
#[derive(Clone, Copy)]
pub(super) struct Assigned<'c> {
    pub statement: Node<'c>,
    assignment: Node<'c>,
    /// What is set: `rate`, `self.rate`.
    target: Node<'c>,
}

impl<'c> Assigned<'c> {
    /// Returns what sets the name at a place; nothing where the place is not all that is set.
    pub(super) fn at(code: &'c Code, name: Span) -> Option<Self> {
        let named = code.covering(name);
        let member = named.parent().filter(|it| it.is_any(&["attribute", "member_expression"]));
        let target = member.filter(|_| named.field() != Some("object")).unwrap_or(named);
        let assignment = target.parent().filter(|it| it.is_any(ASSIGNMENTS))?;
        let set = assignment.child("left").or_else(|| assignment.child("name"));
        let declares = assignment.parent().filter(|it| it.is_any(EVALUATING) && it.named_children().count() == 1)?;
        let statement = declares.parent().filter(|it| it.is("export_statement")).unwrap_or(declares);
        let stands = statement.parent().is_some_and(|it| is_block(it) || it.parent().is_none());
        let is_exported = target.child("object").is_some_and(|it| EXPORTS.contains(&it.text(code.text())));
        (set == Some(target) && stands && !is_exported).then_some(Self { statement, assignment, target })
    }

    /// Doubts a statement that does something while it makes the value.
    pub(super) fn doubt(&self, code: &Code) -> Result<Option<Warning>, Refusal> {
        let value = self.assignment.child("right").or_else(|| self.assignment.child("value"));
        doubt_acting(code, [value, self.target.child("object")])
    }
}

/// Doubts that what is made once may go where making it does more.
pub(super) fn doubt_acting<'c>(
    code: &'c Code,
    parts: impl IntoIterator<Item = Option<Node<'c>>>,
) -> Result<Option<Warning>, Refusal> {
    let names = ScopedNames::of(code);
    let acting = parts.into_iter().flatten().find(|part| acts(&names, code, *part));
    let told = |part: Node<'_>| doubt(code, part.span(), "more may happen here than that a value is made");
    acting.map(told).transpose()
}

/// Tells whether more may be done by an expression than that it makes a value.
fn acts(names: &ScopedNames<'_>, code: &Code, part: Node<'_>) -> bool {
    if is_any_function(part) || is_made(names, code, part) || reach(names, code, part) != ExpressionReach::Acts {
        return false;
    }
    let maker = part.child("function").filter(|_| part.is("call"));
    let maker = maker.map(|it| it.child("attribute").unwrap_or(it).text(code.text()));
    let mut given = part.child("arguments").into_iter().flat_map(Node::named_children);
    !maker.is_some_and(|maker| MAKERS.contains(&maker))
        || given.any(|it| acts(names, code, it.child("value").unwrap_or(it)))
}
