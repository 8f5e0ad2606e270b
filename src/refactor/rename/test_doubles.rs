//! Where tests put something in the place of a function by its name: it takes what the function took, and is asked for the
//! arguments that the function got.

use std::collections::BTreeSet;

use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span};

/// Functions that put something in the place of what a string names (`unittest.mock`, pytest).
const REPLACING: &[&str] = &["patch", "object", "setattr", "delattr", "multiple"];
/// Those of tests of scripts (Vitest, Jest, Sinon).
const REPLACING_SCRIPT: &[&str] = &["spyOn", "stub", "replaceProperty"];
/// What makes a mock (`unittest.mock`).
const MOCKS: &[&str] = &["AsyncMock", "MagicMock", "Mock", "create_autospec"];
/// The same in scripts: `vi.fn()`, `jest.fn()`, `mock.fn()`, `sinon.stub()`, `sinon.spy()`.
const MOCKS_OF_SCRIPTS: &[&str] = &["fn", "spy", "stub"];

/// Tells the doubles of a function, for a change of what it takes.
pub(crate) fn told(session: &Session, family: Family, name: &str) -> Result<Vec<Warning>, Refusal> {
    told_in(session, session.disk().files_mentioning(name), (family, name))
}

/// The same for one of its arguments that is called something else from now on: doubles that can be asked for it stand in
/// files that say its name.
pub(super) fn of_argument(
    session: &Session,
    functions: &BTreeSet<String>,
    argument: &str,
) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for name in functions {
        let files = session.disk().files_mentioning(&format!("{name} {argument}"));
        warnings.extend(told_in(session, files, (Family::Python, name))?);
    }
    Ok(warnings)
}

fn told_in(session: &Session, files: Vec<AbsPath>, (family, name): (Family, &str)) -> Result<Vec<Warning>, Refusal> {
    let mut warnings = Vec::new();
    for path in files {
        if Language::of_path(&path).map(Language::family) != Some(family) {
            continue;
        }
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let strings = parsed.tree.nodes().iter().filter(|node| node.is_any(&["string_content", "string_fragment"]));
        let is_it = |node: &Node<'_>| node.text(text).rsplit('.').next() == Some(name) && replaces(*node, text);
        let spans: Vec<Span> = strings.filter(is_it).map(Node::span).collect();
        if !spans.is_empty() {
            let message = format!("a test may put something in the place of `{name}` here, which takes what it took");
            warnings.push(Warning::at_lines(WarningKind::RunTime, message, path, (&parsed.text, &spans)));
        }
    }
    Ok(warnings)
}

/// Tells whether a place is set to what takes whatever is passed: `server.close = MagicMock()`, `server.close = () => {}`.
pub(crate) fn is_set_to_mock(code: &Code, place: Node<'_>) -> bool {
    let assigned = place.ancestors().find(|it| it.is_any(&["assignment", "assignment_expression"]));
    let Some(set) = assigned.and_then(|it| it.child("right")) else { return false };
    let made = Some(set).filter(|it| it.is_any(&["call", "call_expression"])).and_then(|call| call.child("function"));
    let is_mock = |name: &str| match code.family() {
        Family::Python => MOCKS.contains(&name),
        _ => MOCKS_OF_SCRIPTS.contains(&name),
    };
    made.and_then(|it| it.text(code.text()).rsplit('.').next()).is_some_and(is_mock) || takes_anything(set)
}

/// Tells whether a function without a name takes whatever is passed: `lambda *args, **options: None`, `(...all) => {}`.
fn takes_anything(function: Node<'_>) -> bool {
    let listed = function.child("parameters").into_iter().flat_map(Node::named_children);
    let kinds: Vec<&str> = listed.map(|it| it.child("pattern").unwrap_or(it).kind()).collect();
    match function.kind() {
        "lambda" => kinds == ["list_splat_pattern", "dictionary_splat_pattern"],
        "arrow_function" | "function_expression" => {
            let is_lone = function.child("parameter").is_some();
            !is_lone && kinds.iter().all(|kind| *kind == "rest_pattern")
        }
        _ => false,
    }
}

/// Tells whether a string is an argument of a function that puts something in the place of what it names.
pub(crate) fn replaces(content: Node<'_>, text: &str) -> bool {
    called_with(content, text)
        .is_some_and(|function| REPLACING.contains(&function) || REPLACING_SCRIPT.contains(&function))
}

/// Returns the last name of the function that a string is an argument of.
pub(crate) fn called_with<'t>(content: Node<'_>, text: &'t str) -> Option<&'t str> {
    let outer = content.parent()?.parent()?;
    let list = if outer.is("keyword_argument") { outer.parent()? } else { outer };
    let list = Some(list).filter(|list| list.is_any(&["argument_list", "arguments"]))?;
    let function = list.parent()?.child("function")?;
    function.text(text).rsplit('.').next()
}
