//! The frames of LSP's base protocol (LSP 3.17 § Base Protocol), found in whatever a server writes.

use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::lsp::faults::Faults;

/// The bodies of a server's messages. Headers are read leniently (any case, spaces or none, bare `\n`),
/// and everything between frames that is no header is skipped and remembered.
pub(super) struct Frames<R> {
    reader: R,
    /// What was read last; before `start` it has been dealt with.
    buffer: Vec<u8>,
    start: usize,
    faults: Faults,
}

/// A message's body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Whole(Vec<u8>),
    /// One that is larger than [`MOST_KEPT`], of which only the ends were kept.
    TooLarge(TooLarge),
}

/// The ends of a message that was skipped.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge {
    pub(super) length: usize,
    pub(super) head: Vec<u8>,
    pub(super) tail: Vec<u8>,
}

/// What the next lines are.
#[derive(Debug, PartialEq, Eq)]
enum Header {
    /// The body of `length` bytes begins at `body`.
    Found { body: usize, length: usize },
    /// These first bytes are no header.
    Junk { end: usize },
    /// The lines go on.
    Unfinished,
}

const LENGTH: &[u8] = b"content-length:";
/// No message is larger; a length beyond it is garbage.
const MOST_BYTES: usize = 1 << 30;
/// No message is taken that is larger: 50,000 edits take some 10 MB.
pub(super) const MOST_KEPT: usize = 64 << 20;
/// What is kept of each end of a message that is not taken.
const END_BYTES: usize = 4 << 10;
/// No header is longer; what is longer is junk.
const MOST_LINE: usize = 1 << 16;
const CHUNK: usize = 1 << 16;

impl<R: AsyncRead + Unpin> Frames<R> {
    pub(super) fn new(reader: R, faults: Faults) -> Self {
        Self { reader, buffer: Vec::new(), start: 0, faults }
    }

    /// Returns the next frame; nothing once the server's output has ended.
    pub(super) async fn next(&mut self) -> Option<Frame> {
        loop {
            match header(self.pending()) {
                Header::Found { body, length } => {
                    self.consume(body);
                    return if length > MOST_KEPT { self.ends(length).await } else { self.body(length).await };
                }
                Header::Junk { end } => {
                    self.junk(end);
                    continue;
                }
                Header::Unfinished => {}
            }
            if !self.read().await {
                self.junk(self.pending().len());
                return None;
            }
        }
    }

    /// Tells that `body` was no message: its header may have lied about its length, and the next frame
    /// may begin inside it.
    pub(super) fn reject(&mut self, body: Vec<u8>) {
        self.faults.add("no message", &body);
        let hidden = position_of_length(&body).is_some();
        if hidden {
            self.buffer.splice(..self.start, body);
            self.start = 0;
        }
    }

    async fn body(&mut self, length: usize) -> Option<Frame> {
        let mut body = Vec::with_capacity(length);
        let there = self.pending().len().min(length);
        body.extend_from_slice(&self.pending()[..there]);
        self.consume(there);
        let missing = u64::try_from(length - there).unwrap_or(u64::MAX);
        (&mut self.reader).take(missing).read_to_end(&mut body).await.ok()?;
        if body.len() < length {
            self.faults.add("a message cut short", &body);
            return None;
        }
        Some(Frame::Whole(body))
    }

    /// Skips a body, and keeps its ends.
    async fn ends(&mut self, length: usize) -> Option<Frame> {
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        let mut left = length;
        while left > 0 {
            if self.pending().is_empty() && !self.read().await {
                self.faults.add("a message cut short", &head);
                return None;
            }
            let part = &self.buffer[self.start..][..self.pending().len().min(left)];
            head.extend_from_slice(&part[..part.len().min(END_BYTES - head.len())]);
            tail.extend_from_slice(part);
            tail.drain(..tail.len().saturating_sub(END_BYTES));
            let width = part.len();
            left -= width;
            self.consume(width);
        }
        Some(Frame::TooLarge(TooLarge { length, head, tail }))
    }

    /// Reads on; nothing more comes where this fails.
    async fn read(&mut self) -> bool {
        self.buffer.drain(..self.start);
        self.start = 0;
        self.buffer.reserve(CHUNK);
        matches!(self.reader.read_buf(&mut self.buffer).await, Ok(1..))
    }

    /// What was read and not dealt with yet.
    fn pending(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    fn consume(&mut self, width: usize) {
        self.start += width;
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
        }
    }

    fn junk(&mut self, end: usize) {
        let junk = &self.buffer[self.start..][..end];
        if !junk.trim_ascii().is_empty() {
            self.faults.add("no header", junk);
        }
        self.consume(end);
    }
}

fn header(bytes: &[u8]) -> Header {
    let mut length = None;
    let mut at = 0;
    while let Some(width) = memchr::memchr(b'\n', &bytes[at..]) {
        let line = &bytes[at..at + width];
        let next = at + width + 1;
        match (line.trim_ascii().is_empty(), length) {
            (true, Some(length)) => return Header::Found { body: next, length },
            (true, None) => return Header::Junk { end: next },
            (false, _) => {}
        }
        if let Some(position) = position_of_length(line) {
            if position > 0 {
                return Header::Junk { end: at + position };
            }
            length = std::str::from_utf8(&line[LENGTH.len()..]).ok().and_then(|number| number.trim().parse().ok());
            length = length.filter(|length| *length <= MOST_BYTES);
            if length.is_none() {
                return Header::Junk { end: next };
            }
        } else if !is_field(line) {
            return Header::Junk { end: next };
        }
        at = next;
    }
    if bytes.len() > MOST_LINE { Header::Junk { end: bytes.len() } } else { Header::Unfinished }
}

fn position_of_length(bytes: &[u8]) -> Option<usize> {
    let ends = memchr::memchr_iter(b':', bytes).map(|colon| colon + 1);
    let begins = |end: usize| end.checked_sub(LENGTH.len());
    ends.filter_map(|end| begins(end).filter(|start| bytes[*start..end].eq_ignore_ascii_case(LENGTH))).next()
}

/// Tells whether a line is a header field that need not be understood, such as `Content-Type`.
fn is_field(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    name.len() < line.len() && name.to_ascii_lowercase().starts_with(b"content-")
}

#[cfg(test)]
mod tests;
