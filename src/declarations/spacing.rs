//! How far declarations stand from each other: the blank lines that part neighbours in a file.

use super::module::DeclarationRow;
use super::placing::{Placing, is_long};
use crate::syntax::{Family, Node, with_comments};
use crate::text::Span;

impl Placing<'_> {
    /// Tells whether anything stands in the same block before a declaration's stretch, and behind it: a comment does.
    pub(super) fn company(&self, row: &DeclarationRow, own: Span) -> (bool, bool) {
        let outer = self.node(row).parent();
        // An enum of Java has its constants first, and its members in a part of their own.
        let part = outer.filter(|it| it.is("enum_body_declarations")).and_then(Node::parent);
        let around = outer.into_iter().chain(part).flat_map(Node::children).filter(|it| it.is_named());
        let spans: Vec<Span> = around.map(Node::span).collect();
        (spans.iter().any(|it| it.end <= own.start), spans.iter().any(|it| it.start >= own.end))
    }

    /// Returns the neighbour right above that takes one line.
    pub(super) fn short_above(&self, row: &DeclarationRow, start: usize) -> Option<usize> {
        let above = self.siblings(row.parent).filter(|other| other.full_span.end <= start);
        let last = above.max_by_key(|other| other.full_span.end).filter(|other| !is_long(self.own(other)))?;
        let end = self.line_rest(last.full_span.end)?;
        let is_near = self.text().get(end..start).is_some_and(|between| between.trim().is_empty());
        self.number(last).filter(|_| is_near)
    }

    /// Tells whether what takes one line follows on another such, as near as these stand here.
    pub(super) fn stands_with_its_like(&self, row: &DeclarationRow, (start, over): (usize, usize)) -> bool {
        let own = self.own(row);
        !is_long(own) && self.short_above(row, start).is_some() && over == self.habit(row.parent, [own, own])
    }

    /// Returns how many blank lines part neighbours here, if one of them takes several lines or neither does.
    pub(super) fn habit(&self, owner: Option<usize>, neighbours: [&str; 2]) -> usize {
        let text = self.text();
        let wants_long = neighbours.into_iter().any(is_long);
        let mut siblings: Vec<&DeclarationRow> = self.siblings(owner).collect();
        siblings.sort_by_key(|row| row.full_span);
        siblings.dedup_by_key(|row| row.full_span);
        let mut counts = [0_usize; 4];
        for pair in siblings.windows(2) {
            // Overloads stand nearer to each other than to what else there is.
            let [one, other] = pair else { continue };
            if one.names == other.names {
                continue;
            }
            let (end, start) = (one.full_span.end, with_comments(self.tree(), text, other.full_span.start));
            let Some(between) = text.get(end..start) else { continue };
            let long = [one, other].into_iter().any(|row| is_long(self.own(row)));
            let is_plain = between.lines().all(|line| matches!(line.trim(), "" | ";" | ","));
            if long == wants_long && is_plain {
                counts[between.matches('\n').count().saturating_sub(1).min(3)] += 1;
            }
        }
        let most =
            counts.iter().enumerate().filter(|(_, count)| **count > 0).max_by_key(|(gap, count)| (**count, *gap));
        match most {
            Some((gap, _)) => gap,
            None if !wants_long => 0,
            None if owner.is_none() && self.family() == Family::Python => 2,
            None => 1,
        }
    }
}
