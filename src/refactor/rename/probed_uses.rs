//! Uses of what pytest gives the parameters of tests, and of what collections hold that begin empty: no server follows them.
//! Each is renamed with what it leads to, and holds all of that to one name.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::fixtures::function_of_parameter;
use super::hierarchy::Hierarchy;
use super::probes::{self, Form, Meant, Wanted};
use super::server_edits::Gathered;
use super::unions::{Joined, join};
use crate::lsp::{Location, Place, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{Site, site};
use crate::text::{AbsPath, Span, TextEdit};

/// The uses that one rename may have to follow.
#[derive(Default)]
pub(super) struct ProbedUses {
    /// Nothing before they are asked for: they lead to the same places whatever is found meanwhile.
    asked: Option<Vec<Meant>>,
}

impl ProbedUses {
    /// Adds the uses that lead to a declaration of the family, and returns those of others to which they lead, too.
    pub(super) async fn follow(
        &mut self,
        hierarchy: &Hierarchy<'_>,
        family: &BTreeSet<Place>,
        new_name: &str,
        gathered: &mut Gathered,
    ) -> Result<Joined, Refusal> {
        let (session, name) = (hierarchy.session, hierarchy.name);
        if self.asked.is_none() {
            // No object has a parameter: only those who pass it can mean it.
            let are_parameters = are_parameters(session, family)?;
            let is_known = |path: &AbsPath, span: Span| {
                gathered.has(path, span) || are_parameters && is_member(session, path, span)
            };
            let wanted = Wanted { name, forms: &[Form::Given, Form::Filled], is_known: &is_known };
            let open = probes::open(session, hierarchy.server, &wanted).await?;
            self.asked = Some(meant(session, hierarchy.server, &wanted, &open).await?);
        }
        let mut joined = Joined::default();
        for meant in self.asked.iter().flatten() {
            let declared = probes::declarations(session, meant, name);
            if declared.is_disjoint(family) {
                continue;
            }
            let is_new = !gathered.has(&meant.path, meant.span);
            gathered.add(meant.path.clone(), TextEdit::new(meant.span, new_name.to_owned()), new_name);
            if meant.form == Form::Filled && is_new {
                let message = format!("`{name}` is renamed here, too: it is asked of what was put into a collection");
                let range = session.disk().read(&meant.path)?.range(meant.span);
                joined.warnings.push(Warning::at(WarningKind::Unproven, message, meant.path.clone(), range));
            }
            let used_at = Place { path: meant.path.clone(), offset: meant.span.start };
            for Place { path, offset } in declared {
                let location = Location { path, span: Span::new(offset, offset + name.len()) };
                join(hierarchy, (family, &used_at), location, &mut joined)?;
            }
        }
        Ok(joined)
    }

    /// Notes the uses that mean something else.
    pub(super) fn note_others(self, gathered: &mut Gathered) {
        for Meant { path, span, declared, form, .. } in self.asked.into_iter().flatten() {
            // Beside what is known to be put into a collection there may be more.
            if form == Form::Given && !declared.is_empty() && !gathered.has(&path, span) {
                gathered.asked.others.insert((path, span));
            }
        }
    }
}

fn are_parameters(session: &Session, family: &BTreeSet<Place>) -> Result<bool, Refusal> {
    for place in family {
        let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
        let name = parsed.tree.nodes().covering(Span::new(place.offset, place.offset + 1));
        if function_of_parameter(name).is_none() {
            return Ok(false);
        }
    }
    Ok(!family.is_empty())
}

fn is_member(session: &Session, path: &AbsPath, span: Span) -> bool {
    let Ok(Some(parsed)) = session.parsed(path) else { return false };
    site(&parsed.tree, parsed.text.as_str(), span) == Site::Member
}

/// Finds what the places mean that the server knows nothing about: texts are laid over for these alone.
async fn meant(
    session: &Session,
    server: &Arc<Server>,
    wanted: &Wanted<'_>,
    open: &BTreeSet<(AbsPath, Span)>,
) -> Result<Vec<Meant>, Refusal> {
    let files: BTreeSet<AbsPath> = open.iter().map(|(path, _)| path.clone()).collect();
    let is_known = |path: &AbsPath, span: Span| !open.contains(&(path.clone(), span));
    let wanted = Wanted { is_known: &is_known, ..*wanted };
    probes::within(session, server, (&wanted, &Vec::from_iter(files))).await
}

/// What the uses of a name lead to that no server follows.
#[derive(Default)]
pub(crate) struct ThroughFixtures {
    /// Those that lead to declarations among those that were found, and to no other.
    pub found: Vec<Location>,
    /// Those that lead to none of them.
    pub others: BTreeSet<(AbsPath, Span)>,
}

/// Sorts the uses of a name by what they lead to. Waits until nobody else is at the servers, where there are any.
pub(crate) async fn through_fixtures(
    session: &Session,
    server: &Arc<Server>,
    name: &str,
    found: &BTreeSet<Location>,
) -> Result<ThroughFixtures, Refusal> {
    let known: BTreeSet<(&AbsPath, usize)> = found.iter().map(|it| (&it.path, it.span.start)).collect();
    let is_known = |path: &AbsPath, span: Span| known.contains(&(path, span.start));
    let wanted = Wanted { name, forms: &[Form::Given], is_known: &is_known };
    let open = {
        let _turn = session.shared().await;
        probes::open(session, server, &wanted).await?
    };
    let mut through = ThroughFixtures::default();
    if open.is_empty() {
        return Ok(through);
    }
    let _turn = session.alone().await;
    for one in meant(session, server, &wanted, &open).await? {
        let declared = probes::declarations(session, &one, name);
        let is_found = |place: &Place| known.contains(&(&place.path, place.offset));
        if !declared.is_empty() && declared.iter().all(is_found) {
            through.found.push(Location { path: one.path, span: one.span });
        } else if !one.declared.is_empty() && !declared.iter().any(is_found) {
            through.others.insert((one.path, one.span));
        }
    }
    Ok(through)
}
