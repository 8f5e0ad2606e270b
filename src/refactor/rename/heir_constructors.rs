//! Calls of a class that may be of an heir whose own constructor keeps the old name: `cls(size=1)`, and `factory(size=1)`
//! where a variable holds the class. The argument is renamed, and the place is told.

use std::collections::{BTreeMap, BTreeSet};

use super::constructors::{called, is_alias, own_class};
use super::hierarchy::{CONSTRUCTORS, Hierarchy, LocatedClass};
use super::server_edits::Gathered;
use crate::lsp::{Location, Place};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::{DeclarationKind, Site, site};
use crate::text::{AbsPath, Span};

/// Tells where a class is called with the new name that may be an heir which still takes the old one.
pub(super) async fn tell(
    hierarchy: &Hierarchy<'_>,
    new_name: &str,
    places: &BTreeSet<Place>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let mut keeping = BTreeMap::new();
    for place in places {
        let Some(owner) = hierarchy.built_with(place)? else { continue };
        for heir in hierarchy.heirs(&owner).await? {
            let is_kept = |span: Span| !gathered.has(&heir.path, span);
            if constructor_parameter(&heir, hierarchy.name).is_some_and(is_kept) {
                keeping.insert(heir.place(), heir);
            }
        }
    }
    if keeping.is_empty() {
        return Ok(());
    }
    let mut told = Vec::new();
    for path in gathered.paths() {
        let Some(parsed) = hierarchy.session.parsed(path)? else { continue };
        let (mut names, mut spans) = (BTreeSet::new(), Vec::new());
        for edit in gathered.edits_of(path) {
            if site(&parsed.tree, parsed.text.as_str(), edit.span) != Site::KeywordArgument {
                continue;
            }
            for heir in keeping.values() {
                if may_be(hierarchy, (path, &parsed, edit.span), (places, heir)).await? {
                    names.insert(format!("`{}`", heir.class.name));
                    spans.push(edit.span);
                }
            }
        }
        told.extend(warning((hierarchy.name, new_name), (path, &parsed), (names, spans)));
    }
    gathered.warnings.extend(told);
    Ok(())
}

fn warning(
    (name, new_name): (&str, &str),
    (path, parsed): (&AbsPath, &Parsed),
    (heirs, mut spans): (BTreeSet<String>, Vec<Span>),
) -> Option<Warning> {
    spans.dedup();
    let heirs = heirs.into_iter().collect::<Vec<_>>().join(", ");
    let message = format!("`{new_name}` is given here to a class that may be one that takes `{name}`: {heirs}");
    let told = || Warning::at_lines(WarningKind::PossibleUse, message, path.clone(), (&parsed.text, &spans));
    (!spans.is_empty()).then(told)
}

/// Tells whether the class that a call with this argument builds may be `heir`, by what is called.
async fn may_be(
    hierarchy: &Hierarchy<'_>,
    (path, parsed, argument): (&AbsPath, &Parsed, Span),
    (places, heir): (&BTreeSet<Place>, &LocatedClass),
) -> Result<bool, Refusal> {
    let text = parsed.text.as_str();
    let argument = parsed.tree.nodes().covering(argument);
    if let Some(name) = own_class(argument, text) {
        let above = hierarchy.ancestors(heir).await?;
        return Ok(above.iter().any(|class| class.place() == (path.clone(), name)));
    }
    let Some(called) = called(argument) else { return Ok(false) };
    if CONSTRUCTORS.contains(&called.text(text)) {
        return Ok(false);
    }
    let place = |offset: usize| Place { path: path.clone(), offset };
    for location in hierarchy.server.definition(&place(called.start())).await.map_err(SessionError::from)? {
        if !is_variable(hierarchy.session, &location)? || is_alias(hierarchy.session, &location)? {
            return Ok(false);
        }
    }
    let leads = hierarchy.server.definition(&place(argument.start())).await.map_err(SessionError::from)?;
    Ok(leads
        .iter()
        .any(|location| places.contains(&Place { path: location.path.clone(), offset: location.span.start })))
}

/// Tells whether a name that a server leads to is a variable's or a parameter's: no class, no function, no module.
fn is_variable(session: &Session, location: &Location) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&location.path)? else { return Ok(false) };
    let found = site(&parsed.tree, parsed.text.as_str(), location.span);
    let is_value = |kind: &DeclarationKind| {
        !matches!(kind, DeclarationKind::Class | DeclarationKind::Function | DeclarationKind::Method)
    };
    Ok(location.span.end > 0 && !matches!(&found, Site::Declaration(kind) if !is_value(kind)))
}

/// The parameter of this name of a class's own constructor.
fn constructor_parameter(class: &LocatedClass, name: &str) -> Option<Span> {
    let constructors = class.class.methods.iter().filter(|method| CONSTRUCTORS.contains(&method.name.as_str()));
    constructors.flat_map(|method| &method.params).find(|parameter| parameter.name == name).map(|one| one.span)
}
