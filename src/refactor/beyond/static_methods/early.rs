//! Whether what a module does while it is loaded comes to the functions before their class is there.

use super::{Class, Code, Family, Home, Node, Refusal, ScopedNames, Session};
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::imports::required;
use crate::refactor::doubts::in_doubt;
use crate::refactor::source_file::{EVALUATING, inner};
use crate::syntax::scopes::Name;

/// Statements that do nothing when they are carried out.
const IDLE: &[&str] = &[
    "class_declaration",
    "class_definition",
    "comment",
    "decorated_definition",
    "enum_declaration",
    "function_declaration",
    "function_definition",
    "generator_function_declaration",
    "import_from_statement",
    "import_statement",
    "interface_declaration",
    "type_alias_declaration",
];
/// Functions of Python that come to what no name shows.
const ALL_SEEING: &[&str] = &["eval", "exec", "globals", "locals", "vars"];

impl Home<'_> {
    /// Refuses a statement that may call the functions before the class is there.
    pub(super) fn check_early(&self, session: &Session) -> Result<(), Refusal> {
        let code = self.code;
        let names = ScopedNames::of(code);
        // A function of a script is there before the first statement is carried out; a class is not.
        let from = if code.family() == Family::Python { self.moving[0].found.statement.end() } else { 0 };
        let place = self.place().start;
        let before = code.root().named_children().filter(|it| it.start() >= from && it.end() <= place);
        let acting: Vec<Node<'_>> = before.filter(|it| !is_idle(code, &names, *it)).collect();
        if acting.is_empty() {
            return Ok(());
        }
        let leading = self.leading(&names);
        let is_offered = code.family() == Family::Python || leading.iter().any(|it| it.is("export_statement"));
        let is_open = is_offered && required::is_in_circle(session, code);
        let sees_all = |it: Node<'_>| {
            let said = |name: Name| name.span.of(code.text()).unwrap_or_default();
            names.within(it.span()).any(|name| name.is_free && ALL_SEEING.contains(&said(name)))
        };
        match acting.into_iter().find(|it| is_open || leading.contains(it) || sees_all(*it)) {
            Some(it) => in_doubt(code, it.span(), "this may call the functions before the class would be there"),
            None => Ok(()),
        }
    }

    /// Returns the statements by which one comes to the functions: they name one, or name what another of them declares. The
    /// class is none: nobody asks it for anything before it is there.
    fn leading(&self, names: &ScopedNames<'_>) -> Vec<Node<'_>> {
        let class = self.class.as_ref().map(Class::statement);
        let all: Vec<Node<'_>> = self.code.root().named_children().filter(|it| Some(*it) != class).collect();
        let mut leading: Vec<Node<'_>> = self.moving.iter().map(|one| one.found.statement).collect();
        let mut known = 0;
        while known < leading.len() {
            let inside = leading[known..].iter().flat_map(|it| names.within(it.span()));
            let outer = inside.filter(|it| names.function_of_meaning(it.meaning).is_none());
            let given: Vec<usize> =
                outer.filter(|it| it.is_binding || names.is_write(*it)).map(|it| it.meaning).collect();
            known = leading.len();
            let leads = |it: Node<'_>| names.within(it.span()).any(|name| given.contains(&name.meaning));
            let more: Vec<Node<'_>> = all.iter().copied().filter(|it| !leading.contains(it) && leads(*it)).collect();
            leading.extend(more);
        }
        leading
    }
}

/// Tells whether carrying out a statement calls nobody.
fn is_idle(code: &Code, names: &ScopedNames<'_>, statement: Node<'_>) -> bool {
    let hands_on = statement.is("export_statement")
        && ["declaration", "value"].into_iter().all(|field| statement.child(field).is_none());
    let inner = inner(statement);
    hands_on || inner.is_any(IDLE) || inner.is_any(EVALUATING) && reach(names, code, inner) != ExpressionReach::Acts
}
