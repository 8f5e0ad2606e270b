//! From two texts to the edits that lead from the one to the other.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::text::{Span, TextEdit};

/// Returns edits of whole lines that turn `before` into `after`.
pub fn difference(before: &str, after: &str) -> Vec<TextEdit> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let starts: Vec<usize> = old
        .iter()
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some(start)
        })
        .chain([before.len()])
        .collect();
    let changes = capture_diff_slices(Algorithm::Myers, &old, &new);
    let changing = changes.into_iter().filter(|change| !matches!(change, DiffOp::Equal { .. }));
    changing
        .map(|change| {
            let (from, to) = (change.old_range(), change.new_range());
            TextEdit::new(Span::new(starts[from.start], starts[from.end]), new[to].concat())
        })
        .collect()
}
