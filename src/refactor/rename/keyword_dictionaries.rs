//! Where a function that takes arguments of any name (`**options`) looks for one by its name, and gets them for another
//! function with a renamed parameter: it overrides that one, or wraps it.

use std::collections::BTreeSet;

use super::hierarchy::{CONSTRUCTORS, Hierarchy, Standpoint};
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::Node;
use crate::syntax::python::{decorators, qualified};
use crate::text::{AbsPath, Span};

/// Those who may get the arguments of a renamed function.
#[derive(Default)]
struct Takers {
    /// Functions and classes that make something of it, by their names alone.
    wrappers: BTreeSet<String>,
    /// Methods of that name in classes above and below.
    methods: BTreeSet<(Standpoint, String)>,
}

/// Notes the strings by which they look for the argument.
pub(super) async fn note(hierarchy: &Hierarchy<'_>, renamed: &Renamed, gathered: &mut Gathered) -> Result<(), Refusal> {
    if renamed.functions.is_empty() && renamed.built.is_empty() {
        return Ok(());
    }
    let takers = Takers::of(hierarchy, renamed).await?;
    for path in hierarchy.session.disk().files_mentioning(hierarchy.name) {
        let Some(parsed) = hierarchy.session.parsed(&path)?.filter(|_| path.extension() == "py") else { continue };
        let text = parsed.text.as_str();
        let is_name = |node: &Node<'_>| node.is("string_content") && node.text(text) == hierarchy.name;
        let is_asked = |node: &Node<'_>| reader(*node, text).is_some_and(|it| takers.may_be(&path, it, text));
        let found: Vec<Span> = parsed.tree.nodes().iter().filter(is_name).filter(is_asked).map(Node::span).collect();
        gathered.asked.unknown.extend(found.into_iter().map(|span| (path.clone(), span)));
    }
    Ok(())
}

/// Returns the dictionary that a string is a key of: `options["width"]`, `options.get("width")`, `"width" in options`.
pub(super) fn dictionary_of(content: Node<'_>) -> Option<Node<'_>> {
    let outer = content.parent().and_then(Node::parent)?;
    match outer.kind() {
        "subscript" => outer.child("value"),
        "argument_list" => outer.parent()?.child("function")?.child("object"),
        "comparison_operator" => outer.named_children().nth(1),
        _ => None,
    }
}

/// Returns the function whose `**options` a string is a key of.
fn reader<'t>(content: Node<'t>, text: &str) -> Option<Node<'t>> {
    let options = dictionary_of(content)?.text(text);
    content.ancestors().filter(|outer| outer.is("function_definition")).find(|function| {
        let rest = function.child("parameters").into_iter().flat_map(Node::descendants);
        let mut rest = rest.filter(|node| node.is("dictionary_splat_pattern"));
        rest.any(|node| node.text(text).trim_start_matches("**") == options)
    })
}

impl Takers {
    async fn of(hierarchy: &Hierarchy<'_>, renamed: &Renamed) -> Result<Self, Refusal> {
        let mut takers = Self::default();
        for (path, span) in &renamed.functions {
            let Some(parsed) = hierarchy.session.parsed(path)? else { continue };
            let text = parsed.text.as_str();
            let node = parsed.tree.nodes().covering(*span);
            let function = std::iter::once(node).chain(node.descendants()).find(|it| it.is("function_definition"));
            let Some(function) = function else { continue };
            let Some(name) = function.child("name").map(|name| name.text(text)) else { continue };
            takers.wrappers.extend(decorators(function).filter_map(|it| last_name(it.named_children().next()?, text)));
            let class = class_around(function);
            if class.is_none() || !CONSTRUCTORS.contains(&name) {
                takers.wrappers.extend(given_to(hierarchy.session, name)?);
            }
            if let Some(class) = class {
                takers.add_methods(hierarchy, (path, class), &[name]).await?;
            }
        }
        for (path, span) in &renamed.built {
            takers.add_methods(hierarchy, (path, *span), &CONSTRUCTORS).await?;
        }
        Ok(takers)
    }

    /// Adds the methods of these names in the classes above and below one.
    async fn add_methods(
        &mut self,
        hierarchy: &Hierarchy<'_>,
        (path, class): (&AbsPath, Span),
        names: &[&str],
    ) -> Result<(), Refusal> {
        let Some(own) = hierarchy.class_of((path, class))? else { return Ok(()) };
        let mut kin = hierarchy.heirs(&own).await?;
        kin.extend(hierarchy.ancestors(&own).await?);
        let places = kin.iter().map(|one| one.place());
        self.methods.extend(places.flat_map(|place| names.iter().map(move |name| (place.clone(), (*name).to_owned()))));
        Ok(())
    }

    /// Tells whether the arguments of a function may be those: it stands in what wraps theirs, or is a method that goes with
    /// theirs.
    fn may_be(&self, path: &AbsPath, reader: Node<'_>, text: &str) -> bool {
        let named = |node: Node<'_>| node.child("name").map(|name| name.text(text).to_owned());
        let around = reader.ancestors().filter(|it| it.is_any(&["function_definition", "class_definition"]));
        if around.filter_map(named).any(|name| self.wrappers.contains(&name)) {
            return true;
        }
        let class = class_definition_around(reader).and_then(|class| class.child("name"));
        let place = class.map(|name| (path.clone(), name.span()));
        place.zip(named(reader)).is_some_and(|method| self.methods.contains(&method))
    }
}

/// The functions and classes that are called with a function by its name: `authed(fetch)`.
fn given_to(session: &Session, function: &str) -> Result<BTreeSet<String>, Refusal> {
    let mut found = BTreeSet::new();
    for path in session.disk().files_mentioning(function) {
        let Some(parsed) = session.parsed(&path)?.filter(|_| path.extension() == "py") else { continue };
        let text = parsed.text.as_str();
        let is_given = |node: &Node<'_>| {
            let is_value =
                qualified(*node).parent().is_some_and(|it| it.is_any(&["argument_list", "keyword_argument"]));
            node.is("identifier") && node.text(text) == function && is_value
        };
        let calls =
            parsed.tree.nodes().iter().filter(is_given).filter_map(|it| it.ancestors().find(|it| it.is("call")));
        found.extend(calls.filter_map(|call| last_name(call, text)));
    }
    Ok(found)
}

/// Returns the last name of what is called, or named.
fn last_name(expression: Node<'_>, text: &str) -> Option<String> {
    let called = expression.child("function").filter(|_| expression.is("call")).unwrap_or(expression);
    called.text(text).rsplit('.').next().map(str::to_owned)
}

/// Returns the class in whose body a function stands.
pub(super) fn class_definition_around(function: Node<'_>) -> Option<Node<'_>> {
    let outer = function.ancestors().find(|it| it.is_any(&["function_definition", "class_definition"]));
    outer.filter(|it| it.is("class_definition"))
}

/// The span of the class in whose body a function stands, decorators included.
fn class_around(function: Node<'_>) -> Option<Span> {
    let class = class_definition_around(function)?;
    let decorated = class.parent().filter(|outer| outer.is("decorated_definition"));
    Some(decorated.unwrap_or(class).span())
}
