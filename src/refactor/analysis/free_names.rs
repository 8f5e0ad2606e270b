//! Whether a new name is free, and whether code may leave its class.

use super::classes::Class;
use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_class};
use crate::session::Session;
use crate::syntax::{Language, Node, is_any_function};

/// Refuses a name that means something already: in the file, or where the class is known. A variable of a function is
/// no member of a class.
pub(crate) fn check_name(session: &Session, code: &Code, class: Option<Node<'_>>, name: &str) -> Result<(), Refusal> {
    let is_taken = match class.and_then(|class| Class::of(code, class)) {
        Some(class) => class.has(name) || is_member(code, name),
        None => ScopedNames::of(code).named(name).next().is_some() || is_type(code, name),
    };
    if is_taken {
        return Err(Refusal::NotPossible(format!("`{name}` is already in use in `{}`", code.shown)));
    }
    let class = class.and_then(|class| class.child("name")).map(|class| class.text(code.text()));
    let Some(class) = class else { return Ok(()) };
    let heirs = session.disk().files_mentioning(class);
    for path in session.disk().files_mentioning(name) {
        if path == code.path || !heirs.contains(&path) || Language::of_path(&path).is_none() {
            continue;
        }
        if is_member(&Code::known(session, &path)?, name) {
            let message = format!("`{path}` knows `{class}` and uses the name `{name}`, too");
            return Err(Refusal::NotPossible(message));
        }
    }
    Ok(())
}

/// Refuses to take out of a class what says its name, where only the class itself has that: `made = class Account {}`.
pub(crate) fn check_own_name(class: &Class<'_>, piece: Node<'_>) -> Result<(), Refusal> {
    let code = class.code;
    let is_own =
        |node: &Node<'_>| node.text(code.text()) == class.name() && node.is_any(&["identifier", "type_identifier"]);
    let has_own = class.node.is("class") && class.node.child("name").is_some();
    let said = piece.descendants().find(is_own).filter(|_| has_own);
    match said {
        Some(node) => {
            Err(code.refuse(node.start(), format!("`{}` is the class's name for itself alone", class.name())))
        }
        None => Ok(()),
    }
}

/// Returns a name for a result that means nothing in a function, nor in the file around it.
pub(crate) fn unused_variable(names: &ScopedNames<'_>, function: Node<'_>) -> String {
    let is_taken = |text: &str| {
        let mut all = names.named(text);
        all.any(|it| {
            function.span().contains(it.span) || it.is_binding && names.function_of_meaning(it.meaning).is_none()
        })
    };
    let numbered = (2..).map(|nth| format!("result{nth}"));
    let wished = ["result", "returned", "answer"].map(str::to_owned).into_iter();
    wished.chain(numbered).find(|it| !is_taken(it)).expect("a text has no name for every number")
}

/// Tells whether a script knows a type of a name: a function beside it would be taken for its own.
fn is_type(code: &Code, name: &str) -> bool {
    let spans = code.parsed().tree.identifiers_named(code.text(), name);
    spans.into_iter().any(|span| code.covering(span).is("type_identifier"))
}

/// Tells whether a name may stand anywhere for a member of a class: not where it is a variable's, which scopes tell.
pub(crate) fn is_member(code: &Code, name: &str) -> bool {
    let names = ScopedNames::of(code);
    let spans = code.parsed().tree.identifiers_named(code.text(), name);
    let is_variable = |at: Node<'_>| {
        let is_scope = |it: &Node<'_>| is_class(*it) || is_any_function(*it);
        // What a function is called stands around it.
        let declared = at.parent().filter(|it| at.field() == Some("name") && is_scope(it));
        let scope = declared.unwrap_or(at).ancestors().find(is_scope);
        let is_field = at.parent().is_some_and(|it| it.children().any(|word| word.is("accessibility_modifier")));
        names.at(at).is_some() && !scope.is_some_and(is_class) && !is_field
    };
    spans.into_iter().any(|span| !is_variable(code.covering(span)))
}

/// Refuses to take out of its class what only means something there.
pub(crate) fn check_private(code: &Code, statements: &[Node<'_>]) -> Result<(), Refusal> {
    let all = statements.iter().flat_map(|statement| statement.descendants());
    let bound = all.filter(|node| node.is("identifier")).find(|node| {
        let text = node.text(code.text());
        let is_cell = matches!(text, "super" | "__class__") && node.field() != Some("attribute");
        is_cell || text.starts_with("__") && !text.ends_with("__")
    });
    match bound {
        Some(node) => Err(code
            .refuse(node.start(), format!("`{}` refers to something else outside the class", node.text(code.text())))),
        None => Ok(()),
    }
}
