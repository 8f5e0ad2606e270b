//! Functions that are only called: what they take is the concern of those who name them.

mod script;

use super::texts::read_after;
use crate::plan::Plan;
use crate::session::{Parsed, Session};
use crate::syntax::python::qualified;
use crate::syntax::{Family, Language, Node, Tree};
use crate::text::{AbsPath, Span, TextEdits};

/// Tells whether two descriptions of a function (`def total(prices: list[int]) -> int`) differ in what it takes alone.
pub(super) fn gives_the_same(before: &str, after: &str) -> bool {
    if let Some(given) = script::given(before) {
        return script::given(after) == Some(given);
    }
    let result = |said: &str| Some(said.rsplit_once("->")?.1.trim().to_owned());
    let is_function = |said: &str| said.contains("def ");
    is_function(before) && is_function(after) && result(before).is_some() && result(before) == result(after)
}

/// Returns the name at a place (a byte offset in the text after the plan) where all who name it only call it.
pub(super) fn only_called(session: &Session, plan: &Plan, (path, at): (&AbsPath, usize)) -> Option<String> {
    let (after, language) = (plan.edits().get(path)?.after(), Language::of_path(path)?);
    let tree = Tree::parse(language, after.as_str());
    let own = tree.nodes().covering(Span::new(at, at + 1));
    let function = own.parent().filter(|it| it.child("name") == Some(own))?;
    match language.family() {
        Family::Python => called_alone(session, plan, (function, after.as_str())),
        Family::Script if script::is_of_module(own) => {
            let name = own.text(after.as_str());
            all_naming((session, plan), (Family::Script, name), script::is_called_alone).then(|| name.to_owned())
        }
        _ => None,
    }
}

/// Returns the name of the function of Python that all edits of a text stand in, where they change `names` of its parameters
/// alone (`new` are what these become), and all who name it only call it: what its parameters are called is nobody else's concern.
pub(super) fn changed_alone(
    session: &Session,
    plan: &Plan,
    (before, edits): (&Parsed, &TextEdits),
    (names, new): (&[String], &[String]),
) -> Option<String> {
    let first = edits.into_iter().next().filter(|_| before.tree.language() == Language::Python)?;
    let text = before.text.as_str();
    let node = before.tree.nodes().covering(first.span);
    let function = node.ancestors().filter(|it| it.is("function_definition")).last()?;
    let parameters = function.child("parameters")?;
    let inside = Span::new(parameters.start(), function.end());
    let taken: Vec<&str> = parameters.descendants().filter(|it| it.is("identifier")).map(|it| it.text(text)).collect();
    let is_of_parameter = |name: &String| new.contains(name) || taken.contains(&name.as_str());
    let is_alone = !names.is_empty() && names.iter().all(is_of_parameter);
    let is_inside = is_alone && edits.into_iter().all(|edit| inside.contains(edit.span));
    is_inside.then(|| called_alone(session, plan, (function, text))).flatten()
}

/// Returns the name of a function of the module, or of a private method, which all who name it only call, after the plan.
fn called_alone(session: &Session, plan: &Plan, (function, text): (Node<'_>, &str)) -> Option<String> {
    let name = function.child("name").filter(|_| function.is("function_definition"))?.text(text);
    let is_of_module = function.parent().is_some_and(|it| it.is("module"));
    let is_private = name.starts_with('_') && !name.ends_with("__");
    let is_alone = |_: Language, text: &str, name: &str| is_called_alone(text, name);
    ((is_of_module || is_private) && all_naming((session, plan), (Family::Python, name), is_alone))
        .then(|| name.to_owned())
}

/// Tells whether something holds of each text of a family that says a name, after the plan.
fn all_naming(
    (session, plan): (&Session, &Plan),
    (family, name): (Family, &str),
    holds: impl Fn(Language, &str, &str) -> bool,
) -> bool {
    let naming = session.disk().files_mentioning(name).into_iter().chain(plan.edits().keys().cloned());
    let of_family = |path: AbsPath| Some((Language::of_path(&path).filter(|it| it.family() == family)?, path));
    naming.filter_map(of_family).all(|(language, path)| {
        read_after(session, plan, &path).is_some_and(|text| holds(language, text.as_str(), name))
    })
}

/// Tells whether a text of Python does no more with a name than define functions of it, import it and call it. A protocol may ask
/// for it where nobody says it: of a method, and of a module.
fn is_called_alone(text: &str, name: &str) -> bool {
    let tree = Tree::parse(Language::Python, text);
    let has_protocols = text.contains("Protocol");
    let is_it = |node: Node<'_>| {
        let Some(outer) = node.parent() else { return false };
        let called = qualified(node);
        let is_call = called.parent().is_some_and(|it| it.is("call") && it.child("function") == Some(called));
        let is_import = outer.is("dotted_name") && outer.parent().is_some_and(|it| it.is("import_from_statement"));
        let is_definition = outer.is("function_definition") && outer.child("name") == Some(node);
        let is_asked_for = || has_protocols && outer.ancestors().any(|it| it.is("class_definition"));
        is_call || is_import || is_definition && !is_asked_for()
    };
    tree.identifiers_named(text, name).into_iter().all(|span| is_it(tree.nodes().covering(span)))
}

#[cfg(test)]
mod tests {
    use super::gives_the_same;

    #[test]
    fn what_is_taken_is_told_from_what_is_given() {
        let before = "(function) def total(\n    prices: list[int],\n    rate: int\n) -> int";
        assert!(gives_the_same(before, "(function) def total(prices: list[int]) -> int"));
        assert!(!gives_the_same(before, "(function) def total(prices: list[int]) -> float"));
        assert!(!gives_the_same("(variable) total: int", "(variable) total: int"));
    }
}
