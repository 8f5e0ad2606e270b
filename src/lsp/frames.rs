//! The frames of LSP's base protocol (LSP 3.17 § Base Protocol), found in whatever a server writes.

use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::sanitize::Faults;

/// The bodies of a server's messages. Headers are read leniently (any case, spaces or none, bare `\n`),
/// and everything between frames that is no header is skipped and remembered.
pub(super) struct Frames<R> {
    reader: R,
    /// Read, but not yet part of a frame.
    pending: Vec<u8>,
    faults: Faults,
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
/// No line between frames is longer; what is longer is junk.
const MOST_LINE: usize = 1 << 16;
const CHUNK: usize = 1 << 16;

impl<R: AsyncRead + Unpin> Frames<R> {
    pub(super) fn new(reader: R, faults: Faults) -> Self {
        Self { reader, pending: Vec::new(), faults }
    }

    /// Returns the next frame's body; nothing once the server's output has ended.
    pub(super) async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            match header(&self.pending) {
                Header::Found { body, length } => return self.body(body, length).await,
                Header::Junk { end } => {
                    self.junk(end);
                    continue;
                }
                Header::Unfinished => {}
            }
            let before = self.pending.len();
            self.pending.reserve(CHUNK);
            if !matches!(self.reader.read_buf(&mut self.pending).await, Ok(1..)) {
                self.junk(before);
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
            self.pending.splice(..0, body);
        }
    }

    async fn body(&mut self, start: usize, length: usize) -> Option<Vec<u8>> {
        let end = start + length;
        if self.pending.len() >= end {
            let body = self.pending[start..end].to_vec();
            self.pending.drain(..end);
            return Some(body);
        }
        let mut body = Vec::with_capacity(length);
        body.extend_from_slice(&self.pending[start..]);
        self.pending.clear();
        let missing = u64::try_from(length - body.len()).unwrap_or(u64::MAX);
        (&mut self.reader).take(missing).read_to_end(&mut body).await.ok()?;
        if body.len() < length {
            self.faults.add("a message cut short", &body);
            return None;
        }
        Some(body)
    }

    fn junk(&mut self, end: usize) {
        if !self.pending[..end].trim_ascii().is_empty() {
            self.faults.add("no header", &self.pending[..end]);
        }
        self.pending.drain(..end);
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
    if bytes.len() - at > MOST_LINE { Header::Junk { end: bytes.len() } } else { Header::Unfinished }
}

fn position_of_length(bytes: &[u8]) -> Option<usize> {
    bytes.windows(LENGTH.len()).position(|window| window.eq_ignore_ascii_case(LENGTH))
}

/// Tells whether a line is a header field that need not be understood, such as `Content-Type`.
fn is_field(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    name.len() < line.len() && name.to_ascii_lowercase().starts_with(b"content-")
}

#[cfg(test)]
mod tests;
