//! The lines of a pipe, none of them kept that is longer than any message.

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// How long a message may be, in bytes: a plan that is handed in whole is some megabytes.
pub(super) const LONGEST: usize = 64 << 20;

/// One line of the pipe, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    /// It was longer than a message may be, and is gone.
    TooLong,
}

/// Reads lines. What was read of one stays where a reading is given up in the middle.
pub(super) struct Lines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    /// The line being read is too long already.
    is_too_long: bool,
    longest: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(read: R, longest: usize) -> Self {
        Self { read: BufReader::new(read), line: Vec::new(), is_too_long: false, longest }
    }

    /// Returns the next line, nothing at the end or where the pipe breaks. The last one needs no end.
    pub(super) async fn next(&mut self) -> Option<Line> {
        loop {
            let Ok(available) = self.read.fill_buf().await else { return None };
            if available.is_empty() {
                let is_left = self.is_too_long || !self.line.is_empty();
                return is_left.then(|| self.ended());
            }
            let end = memchr::memchr(b'\n', available);
            let part = &available[..end.unwrap_or(available.len())];
            let taken = part.len() + usize::from(end.is_some());
            if self.line.len() + part.len() > self.longest {
                self.is_too_long = true;
                self.line = Vec::new();
            } else if !self.is_too_long {
                self.line.extend_from_slice(part);
            }
            self.read.consume(taken);
            if end.is_some() {
                return Some(self.ended());
            }
        }
    }

    fn ended(&mut self) -> Line {
        let line = std::mem::take(&mut self.line);
        match std::mem::take(&mut self.is_too_long) {
            true => Line::TooLong,
            false => Line::Whole(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Lines};

    #[tokio::test]
    async fn a_line_that_is_too_long_is_told_and_the_next_one_read() {
        let text = format!("one\n{}\n\ntwo", "x".repeat(100_000));
        let mut lines = Lines::new(text.as_bytes(), 1_000);
        assert_eq!(lines.next().await, Some(Line::Whole(b"one".to_vec())));
        assert_eq!(lines.next().await, Some(Line::TooLong));
        assert!(lines.line.capacity() < 2_000, "nothing of it is kept");
        assert_eq!(lines.next().await, Some(Line::Whole(Vec::new())));
        assert_eq!(lines.next().await, Some(Line::Whole(b"two".to_vec())));
        assert_eq!(lines.next().await, None);
    }
}
