//! A stretch of a text, in bytes.

/// A half-open stretch of a text: bytes, 0-based, `start <= end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// Makes the span `start..end`; the two are swapped where they come in the wrong order.
    pub fn new(start: usize, end: usize) -> Self {
        if start <= end { Self { start, end } } else { Self { start: end, end: start } }
    }

    /// Makes the empty span at `offset`.
    pub fn at(offset: usize) -> Self {
        Self { start: offset, end: offset }
    }

    pub fn len(self) -> usize {
        self.end - self.start
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Tells whether `offset` lies in the span or at either end of it.
    pub fn touches(self, offset: usize) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Tells whether `other` lies wholly inside.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Tells whether the two share at least one byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns the stretch of `text`, or nothing where the span leaves it or cuts a character.
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Span::new(range.start, range.end)
    }
}
