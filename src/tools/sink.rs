//! Where a call tells how far it is.

/// Where a tool tells how far it is; one line, no markup.
pub trait Sink: Send + Sync {
    fn note(&self, note: &str);

    /// The same where it is known how much there is to do.
    fn count(&self, note: &str, _count: Counted) {
        self.note(note);
    }
}

/// How far something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub done: usize,
    pub of: usize,
}
