//! Members that one use holds to one name: `shape.area()`, where `shape` is a `Circle | Square`.
//!
//! Seen with basedpyright 1.40: a rename from the one class changes such a use and leaves the other class as it is;
//! `definition` leads from the use to the members of all of them. Where only a library has such a member, too, the check tells.
//! So it is with a name that may stand for one of two modules: `import fast as impl`, else `import slow as impl`.

use std::collections::BTreeSet;

use super::definition_queries;
use super::forward_references::is_python;
use super::hierarchy::Hierarchy;
use super::server_edits::Gathered;
use super::subject::at;
use crate::lsp::{Location, Place};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{Declaration, DeclarationKind, Node};
use crate::text::Span;

/// So many uses are asked about; what follows from others a check has to tell.
const MOST: usize = 200;
/// What is of one class, whatever it is.
const OWN: [&str; 3] = ["self", "cls", "super()"];

/// What comes along.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub members: BTreeSet<Place>,
    pub warnings: Vec<Warning>,
}

/// Finds the members of other classes to which a use leads that is changed; `known` are the uses that were asked about.
pub(super) async fn joined(
    hierarchy: &Hierarchy<'_>,
    family: &BTreeSet<Place>,
    gathered: &Gathered,
    known: &mut BTreeSet<Place>,
) -> Result<Joined, Refusal> {
    let mut joined = Joined::default();
    if !hierarchy.is_member_elsewhere(family)? && !is_global_elsewhere(hierarchy, family)? {
        return Ok(joined);
    }
    let mut uses = uses(hierarchy.session, gathered)?;
    uses.retain(|place| !known.contains(place));
    uses.truncate(MOST.saturating_sub(known.len()));
    known.extend(uses.iter().cloned());
    let leads = definition_queries::meanings(hierarchy.server, hierarchy.name, uses.clone()).await?;
    for (place, leads) in uses.iter().zip(leads) {
        for location in leads {
            join(hierarchy, (family, place), location, &mut joined)?;
        }
    }
    Ok(joined)
}

/// Takes in what a use leads to, where that is a member of a class that has none in the family.
pub(super) fn join(
    hierarchy: &Hierarchy<'_>,
    (family, used_at): (&BTreeSet<Place>, &Place),
    location: Location,
    joined: &mut Joined,
) -> Result<(), Refusal> {
    let member = Place { path: location.path, offset: location.span.start };
    if family.contains(&member) || joined.members.contains(&member) {
        return Ok(());
    }
    let (session, name) = (hierarchy.session, hierarchy.name);
    let shown = match hierarchy.owner(&member)? {
        Some(owner) => {
            let is_of_owner =
                |place: &Place| place.path == owner.path && owner.class.full_span.contains(Span::at(place.offset));
            if family.iter().any(is_of_owner) {
                return Ok(());
            }
            format!("`{}.{name}`", owner.class.name)
        }
        // Several declarations in one module are one thing.
        None if is_global(session, &member, name)? && !family.iter().any(|place| place.path == member.path) => {
            format!("`{}.{name}`", member.path.file_stem())
        }
        None => return Ok(()),
    };
    let text = session.disk().read(&used_at.path)?;
    let at = at(&used_at.path, &text, used_at.offset).below(session.root());
    let because = format!(": {at} takes both for one");
    if !member.path.is_below(session.root()) {
        let path = member.path.to_string();
        return Err(Refusal::RelatedOutside { name: name.to_owned(), member: shown, path, at: because });
    }
    let range = session.disk().read(&member.path)?.range(location.span);
    let message = format!("{shown} is renamed, too{because}");
    joined.warnings.push(Warning::at(WarningKind::Joined, message, member.path.clone(), range));
    joined.members.insert(member);
    Ok(())
}

/// Tells whether another module than those of the family has a name at its top that the family has at the top of one.
fn is_global_elsewhere(hierarchy: &Hierarchy<'_>, family: &BTreeSet<Place>) -> Result<bool, Refusal> {
    let (session, name) = (hierarchy.session, hierarchy.name);
    let mut globals = family.iter().map(|place| is_global(session, place, name));
    if !globals.any(|is_global| matches!(is_global, Ok(true))) {
        return Ok(false);
    }
    let files = session.disk().files_mentioning(name).into_iter().filter(is_python);
    for path in files.filter(|path| !family.iter().any(|place| place.path == *path)) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        if parsed.declarations().iter().any(|one| is_named_at_top(one, name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether the name is declared at a place, at the top of a module.
fn is_global(session: &Session, place: &Place, name: &str) -> Result<bool, Refusal> {
    if !place.path.is_below(session.root()) {
        return Ok(false);
    }
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
    let declared = parsed.declarations();
    Ok(declared.iter().any(|one| one.name_span.start == place.offset && is_named_at_top(one, name)))
}

fn is_named_at_top(one: &Declaration, name: &str) -> bool {
    let is_import = matches!(one.kind, DeclarationKind::Import | DeclarationKind::ImportAlias);
    one.path.len() == 1 && one.name == name && !is_import
}

/// Returns where members of values are named that are changed.
fn uses(session: &Session, gathered: &Gathered) -> Result<Vec<Place>, Refusal> {
    let mut uses = Vec::new();
    for path in gathered.paths() {
        let Some(parsed) = session.parsed(path)? else { continue };
        let text = parsed.text.as_str();
        let spans = gathered.edits_of(path).into_iter().map(|edit| edit.span);
        let of_values = spans.filter(|span| is_of_value(parsed.tree.nodes().covering(*span), text));
        uses.extend(of_values.map(|span| Place { path: path.clone(), offset: span.start }));
    }
    Ok(uses)
}

fn is_of_value(name: Node<'_>, text: &str) -> bool {
    let access = name.parent().filter(|access| access.is("attribute"));
    let named = access.filter(|access| access.child("attribute").map(Node::index) == Some(name.index()));
    named.and_then(|access| access.child("object")).is_some_and(|object| !OWN.contains(&object.text(text)))
}
