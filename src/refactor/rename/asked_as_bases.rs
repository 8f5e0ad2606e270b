//! Where a Python program lists all that an object of a class has, and objects of the classes below come there:
//! `def dump(element: Element): return element.__dict__`.

use std::collections::BTreeSet;

use super::class_reflection::Told;
use super::definition_queries::locations;
use super::dynamic_attributes::{self, LISTED, LISTING};
use super::hierarchy::{Hierarchy, Standpoint};
use super::probes::Form;
use super::python_changes::Renamed;
use crate::lsp::{Feature, Place};
use crate::refactor::Refusal;
use crate::syntax::Node;
use crate::text::{AbsPath, Span};

/// Finds the places where an object is known by a base alone of a class with a renamed member, and lists its members.
pub(super) async fn listed(hierarchy: &Hierarchy<'_>, renamed: &Renamed) -> Result<Told, Refusal> {
    let mut told = Told::new();
    let (bases, names) = bases(hierarchy, renamed).await?;
    let server = hierarchy.server;
    if names.is_empty() || !server.offers(Feature::TypeDefinition) {
        return Ok(told);
    }
    let places = places(hierarchy, &names)?;
    let files: BTreeSet<AbsPath> = places.iter().map(|(place, _)| place.path.clone()).collect();
    hierarchy.session.cover(server, &Vec::from_iter(files)).await?;
    let asked = places.iter().map(|(place, _)| place.clone()).collect();
    for ((place, span), types) in places.into_iter().zip(locations(server, Feature::TypeDefinition, asked).await?) {
        for location in types {
            let class = hierarchy.class_at(&location)?;
            if class.is_some_and(|class| bases.contains(&class.place())) {
                told.entry((place.path.clone(), Form::Dynamic)).or_default().insert(span);
            }
        }
    }
    Ok(told)
}

/// The classes of the project above those with a renamed member, and what they are called.
async fn bases(
    hierarchy: &Hierarchy<'_>,
    renamed: &Renamed,
) -> Result<(BTreeSet<Standpoint>, BTreeSet<String>), Refusal> {
    let (mut found, mut names) = (BTreeSet::new(), BTreeSet::new());
    for (path, span) in &renamed.classes {
        let Some(own) = hierarchy.class_of((path, *span))? else { continue };
        for above in hierarchy.ancestors(&own).await? {
            if above.path.is_below(hierarchy.session.root()) && !renamed.classes.contains(&above.place()) {
                names.insert(above.class.name.clone());
                found.insert(above.place());
            }
        }
    }
    Ok((found, names))
}

/// The places of names whose objects list their members, in the files that mention one of the bases.
fn places(hierarchy: &Hierarchy<'_>, names: &BTreeSet<String>) -> Result<Vec<(Place, Span)>, Refusal> {
    let session = hierarchy.session;
    let words = || LISTED.into_iter().chain(LISTING);
    let phrases = names.iter().flat_map(|name| words().map(move |word| format!("{name} {word}")));
    let files: BTreeSet<AbsPath> = phrases.flat_map(|phrase| session.disk().files_mentioning(&phrase)).collect();
    let mut found = Vec::new();
    for path in files.into_iter().filter(|path| path.extension() == "py") {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        for node in parsed.tree.nodes().iter().filter(|node| lists(*node, text)) {
            let object = dynamic_attributes::object(node, text, hierarchy.name);
            let name = object.map(|object| object.child("attribute").unwrap_or(object));
            if let Some(name) = name.filter(|name| name.is("identifier")) {
                found.push((Place { path: path.clone(), offset: name.start() }, node.span()));
            }
        }
    }
    Ok(found)
}

/// Tells whether a node hands out all members of an object.
fn lists(node: Node<'_>, text: &str) -> bool {
    let function = node.child("function").filter(|_| node.is("call")).map(|function| function.text(text));
    let is_listing = |said: &str| LISTING.contains(&said.rsplit('.').next().unwrap_or_default());
    node.is("attribute") || function.is_some_and(is_listing)
}
