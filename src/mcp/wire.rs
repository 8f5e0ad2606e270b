//! The connection, with room for large answers.
//!
//! An answer has to be sent twice, as text and as structure (MCP 2025-06-18 § Structured Content). As a
//! tree of values and two buffers, a plan of 50,000 edits would take some 200 MB. Here it is held once, as
//! text; messages carry a placeholder that is filled in while they are written.
//!
//! Lines that are no messages are answered here: rmcp 3.9 would pass over most of them.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};

use rmcp::model::{CallToolResult, ContentBlock, JsonRpcMessage, ServerResult};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, Empty, empty};

use super::heard::{Heard, hear};
use super::lines::{LONGEST, Lines};
use crate::workspace::locked;

/// Stands for the text as structure; no answer is a mere string.
const AS_TEXT: &str = "\u{1}as the text";
/// How a placeholder begins, in JSON.
const PLACEHOLDER: &str = r"\u0001answer ";
/// How much of an answer is escaped at once.
const PIECE: usize = 1 << 15;

/// Makes the result whose text and structure are both `json`.
pub(super) fn result(json: String) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(json)]);
    result.structured_content = Some(Value::String(AS_TEXT.to_owned()));
    result
}

/// How an error without an id is written: rmcp leaves the id out, JSON-RPC 2.0 § 5 wants `null`.
const ERROR: &[u8] = br#"{"jsonrpc":"2.0","error":"#;
const ERROR_TO_NOBODY: &[u8] = br#"{"jsonrpc":"2.0","id":null,"error":"#;

/// A transport that fills placeholders in.
pub(super) struct Wire<R: AsyncRead, W: AsyncWrite + Unpin> {
    lines: Lines<R>,
    /// Writes only.
    inner: AsyncRwTransport<RoleServer, Empty, Filler<W>>,
    /// An answer to what was no message, on its way. It stays where `receive` is given up in the middle.
    refusal: Option<Sending>,
    held: HeldMessages,
    last: u64,
}

type Sending = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

/// Answers on their way, by their numbers.
type HeldMessages = Arc<Mutex<BTreeMap<u64, Arc<String>>>>;

impl<R, W> Wire<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(read: R, write: W) -> Self {
        let held = HeldMessages::default();
        let filler = Filler { held: Arc::clone(&held), line: Vec::new(), pending: VecDeque::new(), write };
        let inner = AsyncRwTransport::new(empty(), filler);
        Self { lines: Lines::new(read, LONGEST), inner, refusal: None, held, last: 0 }
    }

    fn hold(&mut self, result: &mut CallToolResult) {
        if result.structured_content.as_ref().and_then(Value::as_str) != Some(AS_TEXT) {
            return;
        }
        let Some(ContentBlock::Text(content)) = result.content.first_mut() else { return };
        self.last += 1;
        let placeholder = format!("\u{1}answer {}", self.last);
        let json = std::mem::replace(&mut content.text, placeholder.clone());
        result.structured_content = Some(Value::String(placeholder));
        locked(&self.held).insert(self.last, Arc::new(json));
    }
}

impl<R, W> Transport<RoleServer> for Wire<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        mut item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let JsonRpcMessage::Response(response) = &mut item
            && let ServerResult::CallToolResult(result) = &mut response.result
        {
            self.hold(result);
        }
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(refusal) = &mut self.refusal {
                let sent = refusal.await;
                self.refusal = None;
                sent.ok()?;
            }
            match hear(&self.lines.next().await?) {
                Heard::Message(message) => return Some(*message),
                Heard::Nothing => {}
                Heard::Bad(id, error) => {
                    self.refusal = Some(Box::pin(self.inner.send(TxJsonRpcMessage::<RoleServer>::error(error, id))));
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// Writes lines, and answers where their placeholders stand.
struct Filler<W> {
    held: HeldMessages,
    /// A line that has not ended yet.
    line: Vec<u8>,
    pending: VecDeque<Piece>,
    write: W,
}

/// Something to be written, from an offset on.
enum Piece {
    Bytes(Vec<u8>, usize),
    /// JSON as it stands.
    Plain(Arc<String>, usize),
    /// JSON inside a JSON string.
    Escaped(Arc<String>, usize),
}

impl<W> Filler<W> {
    fn take(&mut self, bytes: &[u8]) {
        self.line.extend_from_slice(bytes);
        while let Some(end) = memchr::memchr(b'\n', &self.line) {
            let rest = self.line.split_off(end + 1);
            let line = std::mem::replace(&mut self.line, rest);
            self.take_line(&line);
        }
    }

    /// Queues a line: as it stands, or with an answer in the two places that stand for it.
    fn take_line(&mut self, line: &[u8]) {
        if let Some(error) = line.strip_prefix(ERROR) {
            return self.pending.push_back(Piece::Bytes([ERROR_TO_NOBODY, error].concat(), 0));
        }
        let found = split(line, "\"text\":").and_then(|text| Some((text, split(text.tail, "\"structuredContent\":")?)));
        let answer = found.as_ref().and_then(|(text, _)| locked(&self.held).remove(&text.number));
        let (Some((text, structure)), Some(answer)) = (found, answer) else {
            return self.pending.push_back(Piece::Bytes(line.to_vec(), 0));
        };
        self.pending.extend([
            Piece::Bytes([text.head, b"\""].concat(), 0),
            Piece::Escaped(Arc::clone(&answer), 0),
            Piece::Bytes([b"\"", structure.head].concat(), 0),
            Piece::Plain(answer, 0),
            Piece::Bytes(structure.tail.to_vec(), 0),
        ]);
    }
}

/// A line around a placeholder; its quotes belong to neither side.
#[derive(Clone, Copy)]
struct Split<'a> {
    head: &'a [u8],
    number: u64,
    tail: &'a [u8],
}

/// Splits at the first placeholder that is the value of `key` (a JSON key with its colon).
fn split<'a>(line: &'a [u8], key: &str) -> Option<Split<'a>> {
    let start = memchr::memmem::find(line, format!("{key}\"{PLACEHOLDER}").as_bytes())? + key.len();
    let number = start + 1 + PLACEHOLDER.len();
    let end = number + memchr::memchr(b'"', &line[number..])?;
    let digits = std::str::from_utf8(&line[number..end]).ok()?;
    Some(Split { head: &line[..start], number: digits.parse().ok()?, tail: &line[end + 1..] })
}

impl<W: AsyncWrite + Unpin> Filler<W> {
    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(mut piece) = self.pending.pop_front() {
            let (bytes, at) = match &mut piece {
                Piece::Bytes(bytes, at) => (&bytes[*at..], at),
                Piece::Plain(json, at) => (&json.as_bytes()[*at..], at),
                Piece::Escaped(json, at) => {
                    let (escaped, end) = escape(json, *at);
                    if end < json.len() {
                        self.pending.push_front(Piece::Escaped(Arc::clone(json), end));
                    }
                    self.pending.push_front(Piece::Bytes(escaped, 0));
                    continue;
                }
            };
            if bytes.is_empty() {
                continue;
            }
            let written = Pin::new(&mut self.write).poll_write(cx, bytes);
            if let Poll::Ready(Ok(count)) = written {
                *at += count;
            }
            self.pending.push_front(piece);
            if ready!(written)? == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Escapes a piece of `json` from `start` on, and returns where it ends.
fn escape(json: &str, start: usize) -> (Vec<u8>, usize) {
    let end = json.floor_char_boundary(start + PIECE);
    let quoted = serde_json::to_vec(&json[start..end]).expect("a string has a JSON form");
    (quoted[1..quoted.len() - 1].to_vec(), end)
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Filler<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_drain(cx))?;
        self.take(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_drain(cx))?;
        Pin::new(&mut self.write).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_drain(cx))?;
        Pin::new(&mut self.write).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests;
