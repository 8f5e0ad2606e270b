//! Keys of a `TypedDict` by which functions say what arguments they take: `**options: Unpack[Options]` (PEP 692). Where they hand
//! those on, a key goes by one name with the parameters that get them in the end. No server leads from the one to the others.

use std::collections::BTreeSet;

use super::definition_queries;
use super::forward_references::is_python;
use super::forwarded_arguments::Forwarding;
use super::hierarchy::{Hierarchy, LocatedClass};
use crate::lsp::{Feature, Location, Place};
use crate::refactor::Refusal;
use crate::syntax::Node;
use crate::syntax::python::Class;

const UNPACK: &str = "Unpack";
const TYPED_DICT: &str = "TypedDict";

/// Returns the keys and the parameters of that name that are tied to the one at a place.
pub(super) async fn twins(hierarchy: &Hierarchy<'_>, place: &Place) -> Result<BTreeSet<Place>, Refusal> {
    let mut found = BTreeSet::new();
    if !is_python(&place.path) || hierarchy.session.disk().files_mentioning(UNPACK).is_empty() {
        return Ok(found);
    }
    let keys = keys(hierarchy).await?;
    let taking = if keys.is_empty() { Vec::new() } else { taking(hierarchy).await? };
    let mut forwarding = Forwarding::new(hierarchy);
    for (key, class) in keys {
        let heirs = hierarchy.heirs(&class).await?;
        let is_it = |it: &LocatedClass| heirs.iter().chain([&class]).any(|one| one.place() == it.place());
        let mut tied = BTreeSet::from([key]);
        for (function, _) in taking.iter().filter(|(_, taken)| is_it(taken)) {
            tied.extend(forwarding.parameters(std::slice::from_ref(function)).await?);
        }
        if tied.contains(place) {
            found.extend(tied);
        }
    }
    found.remove(place);
    Ok(found)
}

/// Finds the keys of that name, each with the class that declares it.
async fn keys(hierarchy: &Hierarchy<'_>) -> Result<Vec<(Place, LocatedClass)>, Refusal> {
    let session = hierarchy.session;
    let mut found = Vec::new();
    for path in session.disk().files_mentioning(hierarchy.name).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        for class in parsed.classes() {
            let key = class.attributes.iter().find(|it| it.name == hierarchy.name);
            let Some((_, span)) = key.filter(|_| class.methods.is_empty()).and_then(|it| it.places.first()) else {
                continue;
            };
            let located = LocatedClass::new(&path, class);
            let above = hierarchy.ancestors(&located).await?;
            if std::iter::once(class).chain(above.iter().map(|it| &*it.class)).any(is_typed) {
                found.push((Place { path: path.clone(), offset: span.start }, located));
            }
        }
    }
    Ok(found)
}

fn is_typed(class: &Class) -> bool {
    class.bases.iter().any(|base| base.text.rsplit('.').next() == Some(TYPED_DICT))
}

/// Finds the names of the functions that take the keys of a class as arguments, each with that class.
async fn taking(hierarchy: &Hierarchy<'_>) -> Result<Vec<(Location, LocatedClass)>, Refusal> {
    let (session, mut places, mut functions) = (hierarchy.session, Vec::new(), Vec::new());
    for path in session.disk().files_mentioning(UNPACK).into_iter().filter(is_python) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        for taken in parsed.tree.nodes().iter().filter(|it| it.is("dictionary_splat_pattern")) {
            let function = taken.ancestors().find(|it| it.is("function_definition")).and_then(|it| it.child("name"));
            let Some((named, function)) = unpacked(taken, text).zip(function) else { continue };
            places.push(Place { path: path.clone(), offset: named.start() });
            functions.push(Location { path: path.clone(), span: function.span() });
        }
    }
    let meant = definition_queries::locations(hierarchy.server, Feature::Definition, places).await?;
    let mut found = Vec::new();
    for (function, leads) in functions.into_iter().zip(meant) {
        for location in leads {
            found.extend(hierarchy.class_at(&location)?.map(|class| (function.clone(), class)));
        }
    }
    Ok(found)
}

/// Returns the name of the class whose keys `**options` takes: the last one of `Unpack[shop.Options]`.
fn unpacked<'t>(taken: Node<'t>, text: &str) -> Option<Node<'t>> {
    let said = taken.parent().filter(|it| it.is("typed_parameter"))?.child("type")?;
    let mut names = said.descendants().filter(|it| it.is("identifier"));
    names.find(|it| it.text(text) == UNPACK)?;
    names.last()
}
