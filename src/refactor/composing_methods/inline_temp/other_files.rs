//! The uses of a module's variable in other files, which import it.

use std::collections::BTreeMap;

use super::temp::{Temp, makes, put};
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::imports::required::{self, MovedPieces, hiding};
use crate::refactor::analysis::imports::whole_exports::doubt_offered;
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::doubts::doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::{each, refuse_all};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{AbsPath, Span};

/// Puts the value where other files use the variable, with the imports that it needs there; tells how many do.
///
/// # Errors
/// Refuses what is no plain use: the variable is handed on, set or spelled in a text.
pub(super) async fn put_all(
    session: &Session,
    (code, names): (&Code, &ScopedNames<'_>),
    temp: &Temp<'_>,
    edits: &mut Edits,
) -> Result<usize, Refusal> {
    let uses = Uses::of(session, code, temp.name.span.start).await?;
    refuse_all(uses.iter().filter(|(at, one)| !is_plain((code, at), one)).map(|(at, one)| handed_on(at, one)))?;
    let mut others: BTreeMap<&AbsPath, (&Code, Vec<Node<'_>>)> = BTreeMap::new();
    let mut importers: Vec<(&Code, &Use)> = Vec::new();
    for (at, one) in uses.iter().filter(|(at, _)| at.path != code.path) {
        match one.kind {
            UseKind::Import => importers.push((at, one)),
            _ => {
                let node = one.member(at).unwrap_or_else(|| one.node(at));
                others.entry(&at.path).or_insert_with(|| (at, Vec::new())).1.push(node);
            }
        }
    }
    let is_handed = |(at, _): &&(&Code, &Use)| !others.contains_key(&at.path);
    refuse_all(importers.iter().filter(is_handed).map(|(at, one)| handed_on(at, one)))?;
    let count = others.values().map(|(_, nodes)| nodes.len()).sum();
    let reach = reach(names, code, temp.value);
    check_value(code, (temp, reach), count)?;
    for (user, nodes) in others.into_values() {
        let gone: Vec<Span> = nodes.iter().map(|node| node.span()).collect();
        check_seen((code, names), temp, (user, &gone)).noted()?;
        let value = (code, temp.value);
        let put = nodes.iter().map(|node| {
            edits.warn(acting(reach, (user, *node))?);
            put(value, (user, *node))
        });
        let put = each(put)?;
        let pieces = [temp.value.span()];
        required::carry(session, &MovedPieces { from: code, pieces: &pieces, to: user, given: &[] }, edits)?;
        required::leave_with(session, user, (&gone, &gone), edits);
        edits.add(user, put);
    }
    edits.warn(uses.certain(session).await?);
    edits.warn(doubt_offered(session, (code, temp.value), &uses.name)?);
    Ok(count)
}

/// Tells whether a use is one that the value can stand for, or the import that leads there.
fn is_plain((code, at): (&Code, &Code), one: &Use) -> bool {
    match at.path == code.path {
        true => matches!(one.kind, UseKind::Definition | UseKind::Read | UseKind::Write) && one.member(at).is_none(),
        false => {
            let is_short = || one.node(at).is("shorthand_property_identifier");
            matches!(one.kind, UseKind::Read | UseKind::Import) || one.kind == UseKind::Key && is_short()
        }
    }
}

fn handed_on(at: &Code, one: &Use) -> Refusal {
    at.refuse(one.span.start, format!("the variable of the module is {} here, too", one.kind.said()))
}

/// Refuses a value that several uses would not share.
fn check_value(code: &Code, (temp, reach): (&Temp<'_>, ExpressionReach), others: usize) -> Result<(), Refusal> {
    let is_shared = temp.uses.len() + others > 1 || reach == ExpressionReach::Acts;
    if others > 0 && makes(temp.value) && is_shared {
        let reason = "its value is made once and used more than once: each use would make its own";
        return Err(code.refuse(temp.name.span.start, reason));
    }
    Ok(())
}

/// Doubts a use where evaluating the value again could act, or give another one.
fn acting(reach: ExpressionReach, (user, node): (&Code, Node<'_>)) -> Result<Option<Warning>, Refusal> {
    let reason = match reach {
        ExpressionReach::Local => return Ok(None),
        ExpressionReach::Acts => "its value may have side effects, which would happen at each use",
        _ => "what its value reads could change before this use",
    };
    doubt(user, node.span(), reason).map(Some)
}

/// Refuses names of the value that mean something else where it comes to stand.
fn check_seen(
    (code, names): (&Code, &ScopedNames<'_>),
    temp: &Temp<'_>,
    (user, places): (&Code, &[Span]),
) -> Result<(), Refusal> {
    let theirs = ScopedNames::of(user);
    for name in names.within(temp.value.span()) {
        let said = name.span.of(code.text()).unwrap_or_default();
        if let Some(binding) = hiding(user, &theirs, said, places) {
            return Err(user.refuse(binding.span.start, format!("`{said}` refers to something else here")));
        }
    }
    Ok(())
}
