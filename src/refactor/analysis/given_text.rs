//! Values and types that the caller of a refactoring words: whether they are such, and what their names mean where they
//! come to stand.

use super::edits::Edits;
use super::imports::required::{self, ImportReader};
use super::imports::typed::is_only_seen;
use super::signatures::ListOwner;
use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node, Tree, is_any_function, python, scopes};

/// What a text is given for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextPurpose<'r> {
    Value(&'r str),
    Type(&'r str),
    /// Any code, statements too.
    Code(&'r str),
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
        return refuse("is not a value");
    };
    if within.named_children().count() != 1 {
        return refuse("is no one value");
    }
    match within.descendants().any(|it| it.is_any(ACTS) || is_any_function(it) && it != within) {
        true => refuse("does more than say a value"),
        false => Ok(()),
    }
}

/// An import that a text needs where it comes to stand.
pub(crate) struct Needed {
    line: String,
    /// Whether only type checkers need it.
    is_type: bool,
}

/// Returns the imports by which the names of a text mean at a place what they mean in the file of the first one.
///
/// # Errors
/// For a name that means nothing there, and is none of the module's there. `new` are names that come to mean something.
pub(crate) fn imports(
    session: &Session,
    home: &Code,
    (code, node): ListOwner<'_>,
    (given, new): (TextPurpose<'_>, &[&str]),
) -> Result<Vec<Needed>, Refusal> {
    let is_python = code.family() == Family::Python;
    let names = ScopedNames::of(code);
    let mut needed = Vec::new();
    for (name, is_spelled) in free(code.parsed().tree.language(), given) {
        // What no file binds, or one asks for without binding it, is there for everybody.
        let is_global = |it: &Code| {
            let names = ScopedNames::of(it);
            names.named(&name).any(|it| it.is_free) || !names.named(&name).any(|it| it.is_binding)
        };
        let is_lazy = is_spelled || matches!(given, TextPurpose::Type(_)) && is_python && code.postpones_annotations();
        if new.contains(&name.as_str()) || names.is_known(&name, node) {
            if !is_lazy && is_python && is_only_seen(code, &name) {
                let reason = format!("`{name}` is there for type checkers alone: write the type as a string");
                return Err(code.refuse(node.start(), reason));
            }
            continue;
        }
        let found = match home.path == code.path {
            true => None,
            false => required::of_module(
                session,
                (home, code),
                &name,
                if is_lazy { ImportReader::Typed } else { ImportReader::Run },
            )?,
        };
        match found {
            Some((line, is_type)) => needed.push(Needed { line, is_type }),
            None if is_global(code) && is_global(home) || is_spelled => {}
            None => return Err(code.refuse(node.start(), format!("`{name}` means nothing here"))),
        }
    }
    Ok(needed)
}

/// Adds the imports that texts need.
pub(crate) fn add(code: &Code, needed: Vec<Needed>, edits: &mut Edits) {
    let (typed, run): (Vec<Needed>, Vec<Needed>) = needed.into_iter().partition(|it| it.is_type);
    edits.import(code, run.into_iter().map(|it| it.line));
    edits.import_typed(code, typed.into_iter().map(|it| it.line));
}

/// Returns the names that a text asks for, and of each whether only a string in it does (Python's `"Model"`).
fn free(language: Language, given: TextPurpose<'_>) -> Vec<(String, bool)> {
    let text = match given {
        TextPurpose::Code(said) => said.to_owned(),
        TextPurpose::Value(said) => format!("({said})"),
        TextPurpose::Type(said) if language.family() == Family::Python => format!("_: {said}"),
        TextPurpose::Type(said) => format!("let _: {said};"),
    };
    let tree = Tree::parse(language, &text);
    let asked = scopes::names(&tree, &text).into_iter().filter(|it| it.is_free);
    let mut found: Vec<(String, bool)> =
        asked.filter_map(|it| it.span.of(&text)).map(|name| (name.to_owned(), false)).collect();
    if language.family() == Family::Python {
        let spelled = python::Names::of(&tree, &text);
        let in_strings = spelled.uses.iter().filter(|one| tree.nodes().covering(one.name.span).is("string_content"));
        found.extend(in_strings.map(|one| (one.name.text.clone(), true)));
    }
    found.sort();
    found.dedup_by(|one, first| one.0 == first.0);
    found
}
