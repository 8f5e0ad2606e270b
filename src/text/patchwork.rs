//! A text put together from stretches of another one and from what is written between them, with the way back.

use super::Span;

/// A text made from another one.
// Invariant: the pieces are sorted by their places in the made text, and do not overlap there.
#[derive(Debug, Clone, Default)]
pub struct Patchwork {
    text: String,
    pieces: Vec<Piece>,
}

/// One stretch that was copied.
#[derive(Debug, Clone, Copy)]
struct Piece {
    at: usize,
    from: Span,
}

impl Patchwork {
    /// Adds a stretch of the other text; nothing where the span leaves it.
    pub fn copy(&mut self, other: &str, from: Span) {
        let Some(copied) = from.of(other).filter(|copied| !copied.is_empty()) else { return };
        self.pieces.push(Piece { at: self.text.len(), from });
        self.text.push_str(copied);
    }

    /// Adds what the other text does not have.
    pub fn write(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns where a place of the other text stands first in the made one; its end where it was not copied.
    pub fn place_of(&self, offset: usize) -> usize {
        let piece = self.pieces.iter().find(|piece| piece.from.start <= offset && offset < piece.from.end);
        piece.map_or(self.text.len(), |piece| piece.at + offset - piece.from.start)
    }

    /// Returns where a stretch of the made text comes from; nothing where any of it was written.
    pub fn origin(&self, span: Span) -> Option<Span> {
        let piece = &self.pieces[self.pieces.partition_point(|piece| piece.at <= span.start).checked_sub(1)?];
        let start = piece.from.start + span.start - piece.at;
        let end = start + span.len();
        (end <= piece.from.end).then(|| Span::new(start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::{Patchwork, Span};

    #[test]
    fn what_was_copied_leads_back() {
        let other = "abcdef";
        let mut made = Patchwork::default();
        made.copy(other, Span::new(0, 3));
        made.write("--");
        made.copy(other, Span::new(1, 6));
        assert_eq!(made.text(), "abc--bcdef");
        assert_eq!(made.origin(Span::new(1, 3)), Some(Span::new(1, 3)));
        assert_eq!(made.origin(Span::new(6, 8)), Some(Span::new(2, 4)));
        assert_eq!((made.place_of(2), made.place_of(4)), (2, 8));
        assert_eq!(made.origin(Span::new(2, 4)), None);
        assert_eq!(made.origin(Span::new(4, 4)), None);
    }
}
