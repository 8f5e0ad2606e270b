//! The texts that a plan leaves, written once more before they are shown.

use std::collections::BTreeMap;

use crate::plan::{Plan, difference};
use crate::text::{AbsPath, Span, Text, TextEdit};

/// Gives files of a plan what comes of their texts before and afterwards (none before in a new file), with the stretches of the
/// latter that the plan wrote; nothing leaves one as it is.
pub(super) fn rewritten(plan: Plan, write: impl Fn(&AbsPath, (&str, &str), &[Span]) -> Option<String>) -> Plan {
    let mut changed: BTreeMap<AbsPath, String> = BTreeMap::new();
    for (path, edit) in plan.edits() {
        let new: Vec<Span> = stretches_after(edit.edits.iter()).collect();
        let written = write(path, (edit.before.as_str(), edit.after().as_str()), &new);
        changed.extend(written.map(|text| (path.clone(), text)));
    }
    for (path, text) in plan.creates() {
        let new = [Span::new(0, text.as_str().len())];
        changed.extend(write(path, ("", text.as_str()), &new).map(|text| (path.clone(), text)));
    }
    if changed.is_empty() { plan } else { with_texts(plan, changed) }
}

/// Gives files of a plan other texts afterwards.
pub(super) fn with_texts(plan: Plan, texts: BTreeMap<AbsPath, String>) -> Plan {
    let mut parts = plan.clone().into_parts();
    for (path, text) in texts {
        if let Some(created) = parts.creates.get_mut(&path) {
            *created = Text::new(text);
        } else if let Some((before, edits)) = parts.edits.get_mut(&path) {
            *edits = difference(before.as_str(), &text);
        }
    }
    Plan::new(parts).unwrap_or(plan)
}

/// Returns where what edits wrote stands afterwards.
pub(super) fn stretches_after<'e>(edits: impl Iterator<Item = &'e TextEdit>) -> impl Iterator<Item = Span> {
    edits.scan(0_isize, |shift, one| {
        let start = one.span.start.saturating_add_signed(*shift);
        *shift += one.new_text.len() as isize - one.span.len() as isize;
        Some(Span::new(start, start + one.new_text.len()))
    })
}
