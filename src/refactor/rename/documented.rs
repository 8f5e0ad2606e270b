//! What a docstring says of a renamed parameter or attribute by name: its entry follows, and so does the name where it
//! stands in backticks.

use super::fixtures::function_of_parameter;
use super::hierarchy::CONSTRUCTORS;
use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::python::{Documents, docstring, documented, quoted_names};
use crate::syntax::{DeclarationKind, Node, Site, site, whole_words};
use crate::text::{Span, TextEdit};

/// Renames the entries of the docstrings that belong to the renamed declarations: of a parameter its function's, of a
/// constructor's parameter its class's too, of an attribute its class's.
pub(super) fn follow(session: &Session, name: &str, new_name: &str, gathered: &mut Gathered) -> Result<(), Refusal> {
    for path in gathered.paths().cloned().collect::<Vec<_>>() {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let edits = gathered.edits_of(&path);
        let spans = edits.iter().flat_map(|edit| of_declaration(&parsed, edit.span, name));
        for span in spans.collect::<Vec<_>>() {
            gathered.add(path.clone(), TextEdit::new(span, new_name), new_name);
        }
    }
    Ok(())
}

fn of_declaration(parsed: &Parsed, declared: Span, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let node = parsed.tree.nodes().covering(declared);
    match site(&parsed.tree, text, declared) {
        Site::Declaration(DeclarationKind::Parameter) => of_parameter(parsed, node, name),
        Site::Declaration(DeclarationKind::Property) => of_attribute(parsed, node, name),
        _ => Vec::new(),
    }
}

fn of_parameter(parsed: &Parsed, parameter: Node<'_>, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let Some(function) = function_of_parameter(parameter) else { return Vec::new() };
    let mut found = entries(parsed, function, name, &[Documents::Parameter]);
    let builds = function.child("name").is_some_and(|own| CONSTRUCTORS.contains(&own.text(text)));
    let class = enclosing_class(function).filter(|_| builds);
    found.extend(class.into_iter().flat_map(|class| entries(parsed, class, name, &[Documents::Parameter])));
    found
}

fn of_attribute(parsed: &Parsed, attribute: Node<'_>, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let Some(class) = enclosing_class(attribute) else { return Vec::new() };
    // Where no constructor is written, one is made of the fields.
    let is_builder = |node: Node<'_>| {
        node.is("function_definition") && node.child("name").is_some_and(|own| CONSTRUCTORS.contains(&own.text(text)))
    };
    let is_built = class.child("body").is_some_and(|body| body.descendants().any(is_builder));
    let both = [Documents::Attribute, Documents::Parameter];
    entries(parsed, class, name, if is_built { &both[..1] } else { &both })
}

fn enclosing_class(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().find(|outer| outer.is("class_definition"))
}

/// The places in the docstring of a definition that speak of the name.
fn entries(parsed: &Parsed, definition: Node<'_>, name: &str, what: &[Documents]) -> Vec<Span> {
    let text = parsed.text.as_str();
    let Some(docstring) = docstring(definition) else { return Vec::new() };
    if whole_words(docstring.of(text).unwrap_or_default(), name).is_empty() {
        return Vec::new();
    }
    let all = documented(text, docstring);
    let named = all.iter().filter(|entry| entry.name.of(text) == Some(name));
    let mut found: Vec<Span> =
        named.clone().filter(|entry| what.contains(&entry.what)).map(|entry| entry.name).collect();
    // The name may be that of something else, too: then nobody can tell which one is quoted.
    let is_other = named.clone().any(|entry| !what.contains(&entry.what));
    if !is_other && !is_global(parsed, name) {
        found.extend(quoted_names(text, docstring, name));
    }
    found
}

/// Tells whether a module's own scope binds the name.
fn is_global(parsed: &Parsed, name: &str) -> bool {
    let text = parsed.text.as_str();
    let names = parsed.names();
    names.iter().any(|one| one.is_binding && one.scope == 0 && one.span.of(text) == Some(name))
}
