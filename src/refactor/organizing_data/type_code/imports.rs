//! The imports of constants that have become members of a class.

use std::collections::{BTreeMap, BTreeSet};

use super::constants::Constants;
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::statements::{taken_out, with_links};
use crate::refactor::analysis::members::check_unused;
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::moves::links::{Link, LinkedName};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::dunder_all;
use crate::text::{AbsPath, Span, TextEdit};

/// Lets every file that has a constant from another one have the class.
pub(super) fn led(
    session: &Session,
    (constants, uses): (&Constants<'_>, &[&Uses]),
    name: &str,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let code = constants.code;
    let mut users: BTreeMap<&AbsPath, &Code> = BTreeMap::new();
    for (user, one) in uses.iter().flat_map(|it| it.iter()) {
        let is_used = constants.class.is_none() || !matches!(one.kind, UseKind::Text);
        if is_used && user.path != code.path {
            users.insert(&user.path, user);
        }
    }
    listed(constants, code, name, edits);
    with_links(session, code.family(), &code.path, |links| {
        for user in users.into_values() {
            check_unused(user, name)?;
            if constants.class.is_some() {
                required::check_apart(session, code, user)?;
                edits.import(user, required::line(session, code, user, name));
                continue;
            }
            listed(constants, user, name, edits);
            let all = links.of(user);
            let places: BTreeSet<Span> = uses
                .iter()
                .filter_map(|it| it.files.get(&user.path))
                .flat_map(|it| &it.uses)
                .map(|it| it.span)
                .collect();
            edits.add(user, items(user, &all, (&places, name))?);
        }
        Ok(())
    })
}

/// Takes the class in the place of the first constant of each statement, and the others out.
fn items(user: &Code, all: &[Link], (places, name): (&BTreeSet<Span>, &str)) -> Result<Vec<TextEdit>, Refusal> {
    let is_meant =
        |link: &&Link| matches!(link.taken, LinkedName::Name(_)) && places.iter().any(|it| link.item.contains(*it));
    let mut edits = Vec::new();
    let mut begun: Vec<Span> = Vec::new();
    let mut gone: Vec<Span> = Vec::new();
    for link in all.iter().filter(is_meant) {
        if begun.contains(&link.statement) {
            gone.push(link.item);
        } else {
            begun.push(link.statement);
            edits.push(TextEdit::new(link.item, name));
        }
    }
    edits.extend(taken_out(user, all, &gone)?);
    Ok(edits)
}

/// Names the class in an `__all__` that lists constants.
fn listed(constants: &Constants<'_>, user: &Code, name: &str, edits: &mut Edits) {
    let is_constant = |it: &str| constants.all.iter().any(|one| one.name.text(constants.code.text()) == it);
    let found = dunder_all(&user.parsed().tree, user.text());
    let mut first = true;
    for (_, span) in found.iter().filter(|(entry, _)| is_constant(entry)) {
        // The first one's place is the class's.
        if first {
            edits.add(user, [TextEdit::new(*span, name)]);
            first = false;
            continue;
        }
        let string = user.covering(*span).ancestors().find(|it| it.is("string"));
        let Some(string) = string else { continue };
        let rest = &user.text()[string.end()..];
        let comma = rest.find(|it: char| !it.is_whitespace()).filter(|at| rest[*at..].starts_with(','));
        let end = comma.map_or(string.end(), |at| string.end() + at + 1);
        let start = user.text()[..string.start()].trim_end().len();
        edits.add(user, [TextEdit::new(Span::new(start, end), "")]);
    }
}
