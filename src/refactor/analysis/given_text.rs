//! Values and types that the caller of a refactoring words: whether they are such, and what their names mean where they
//! come to stand.

use super::imports::required;
use super::signatures::Place;
use crate::refactor::Refusal;
use crate::refactor::scopes::Names;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::scopes;
use crate::syntax::{Family, Language, Node, Tree, is_any_function};

/// What a text is given for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Given<'r> {
    Value(&'r str),
    Type(&'r str),
}

/// Refuses a value that is no one expression, or that does more than say a value: it waits, or gives a name.
pub(crate) fn check_value(code: &Code, said: &str) -> Result<(), Refusal> {
    const ACTS: &[&str] = &[
        "assignment_expression",
        "augmented_assignment_expression",
        "await",
        "await_expression",
        "named_expression",
        "update_expression",
        "yield",
        "yield_expression",
    ];
    let refuse = |reason: &str| Err(Refusal::NotPossible(format!("`{said}` {reason}")));
    let text = format!("({said})");
    let tree = Tree::parse(code.parsed().tree.language(), &text);
    let is_whole = |it: &Node<'_>| it.is_any(&["parenthesized_expression", "tuple"]) && it.span().len() == text.len();
    let Some(within) = tree.nodes().iter().find(is_whole).filter(|_| tree.error_count() == 0) else {
        return refuse("is no value");
    };
    if within.named_children().count() != 1 {
        return refuse("is no one value");
    }
    match within.descendants().any(|it| it.is_any(ACTS) || is_any_function(it) && it != within) {
        true => refuse("does more than say a value"),
        false => Ok(()),
    }
}

/// Returns the imports by which the names of a text mean at a place what they mean in the file of the first one.
///
/// # Errors
/// For a name that means nothing there, and is none of the module's there. `new` are names that come to mean something.
pub(crate) fn imports(
    session: &Session,
    home: &Code,
    (code, node): Place<'_>,
    (given, new): (Given<'_>, &[&str]),
) -> Result<Vec<String>, Refusal> {
    let names = Names::of(code);
    let mut lines = Vec::new();
    for name in free(code.parsed().tree.language(), given) {
        // What no file binds, or one asks for without binding it, is there for everybody.
        let is_global = |it: &Code| {
            let names = Names::of(it);
            names.named(&name).any(|it| it.is_free) || !names.named(&name).any(|it| it.is_binding)
        };
        if new.contains(&name.as_str()) || names.is_known(&name, node) {
            continue;
        }
        let line = if home.path == code.path { None } else { required::of_module(session, (home, code), &name)? };
        match line {
            Some(line) => lines.push(line),
            None if is_global(code) && is_global(home) => {}
            None => return Err(code.refuse(node.start(), format!("`{name}` means nothing here"))),
        }
    }
    Ok(lines)
}

/// Returns the names that a text asks for.
fn free(language: Language, given: Given<'_>) -> Vec<String> {
    let text = match given {
        Given::Value(said) => format!("({said})"),
        Given::Type(said) if language.family() == Family::Python => format!("({said})"),
        Given::Type(said) => format!("let _: {said};"),
    };
    let tree = Tree::parse(language, &text);
    let asked = scopes::names(&tree, &text).into_iter().filter(|it| it.is_free);
    let mut found: Vec<String> = asked.filter_map(|it| it.span.of(&text)).map(str::to_owned).collect();
    found.sort();
    found.dedup();
    found
}
