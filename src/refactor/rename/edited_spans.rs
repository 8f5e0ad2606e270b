//! What edits replace, and whether a place lies in it.

use crate::text::{Span, TextEdit};

/// The stretches that edits replace, in order.
pub(crate) fn sorted(edits: &[TextEdit]) -> Vec<Span> {
    let mut spans: Vec<_> = edits.iter().map(|edit| edit.span).collect();
    spans.sort();
    spans
}

/// Tells whether `span` shares a byte with one of the sorted, disjoint `spans`.
pub(crate) fn overlaps_any(spans: &[Span], span: Span) -> bool {
    let from = spans.partition_point(|one| one.end <= span.start);
    spans.get(from).is_some_and(|one| one.overlaps(span))
}
