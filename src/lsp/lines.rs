//! Lines of what a program writes, each kept only as far as anybody would read it.

/// Cuts what arrives into lines.
#[derive(Default)]
pub(super) struct Lines {
    /// The beginning of a line whose end has not arrived.
    line: Vec<u8>,
}

/// Of a longer line the rest is left out.
pub(super) const LINE_BYTES: usize = 2_000;

impl Lines {
    /// Tells each line that ends in `bytes`.
    pub(super) fn take(&mut self, mut bytes: &[u8], tell: impl Fn(&str)) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.keep(&bytes[..end]);
            self.tell(&tell);
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    /// Tells a last line that nothing ends.
    pub(super) fn end(&mut self, tell: impl Fn(&str)) {
        if !self.line.is_empty() {
            self.tell(&tell);
        }
    }

    fn keep(&mut self, part: &[u8]) {
        let room = LINE_BYTES - self.line.len();
        self.line.extend_from_slice(&part[..part.len().min(room)]);
    }

    fn tell(&mut self, tell: &impl Fn(&str)) {
        tell(String::from_utf8_lossy(&self.line).trim_end());
        self.line.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::{LINE_BYTES, Lines};

    #[test]
    fn lines_are_told_whatever_pieces_they_come_in() {
        let told = RefCell::new(Vec::new());
        let tell = |line: &str| told.borrow_mut().push(line.to_owned());
        let mut lines = Lines::default();
        for piece in ["on", "e\r\ntwo\n\nfo", "ur"] {
            lines.take(piece.as_bytes(), tell);
        }
        lines.end(tell);
        lines.end(tell);
        assert_eq!(*told.borrow(), ["one", "two", "", "four"]);
    }

    #[test]
    fn a_line_without_an_end_is_not_kept() {
        let told = RefCell::new(Vec::new());
        let tell = |line: &str| told.borrow_mut().push(line.to_owned());
        let mut lines = Lines::default();
        for _ in 0..1_000 {
            lines.take(&[b'x'; 10_000], tell);
        }
        assert!(lines.line.capacity() < 4 * LINE_BYTES);
        lines.take(b"y\nz\n", tell);
        assert_eq!(*told.borrow(), [&"x".repeat(LINE_BYTES), "z"]);
    }
}
