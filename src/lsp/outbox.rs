//! The writer behind async-lsp's loop.

use serde_json::Value;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::io::AsyncWrite as FuturesWrite;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;

/// Marks an id that async-lsp cannot hold (beyond 32 bits), as a string that it can; the reader puts it
/// on, and the writer takes it off.
pub(super) const FOREIGN_ID: &str = "lspwright-id:";

/// Where the loop writes: never blocks, so that a server that writes before it reads cannot stop the loop.
pub(super) struct Outbox {
    message: Vec<u8>,
    queue: mpsc::UnboundedSender<Vec<u8>>,
}

impl Outbox {
    pub(super) fn new(queue: mpsc::UnboundedSender<Vec<u8>>) -> Self {
        Self { message: Vec::new(), queue }
    }
}

impl FuturesWrite for Outbox {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.message.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    /// The loop flushes after every message.
    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let message = std::mem::take(&mut self.message);
        if message.is_empty() {
            return Poll::Ready(Ok(()));
        }
        let sent = self.queue.send(with_foreign_id(message));
        Poll::Ready(sent.map_err(|_| io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

/// Gives a response the id back that async-lsp could not hold.
fn with_foreign_id(message: Vec<u8>) -> Vec<u8> {
    let marked = format!("\"id\":\"{FOREIGN_ID}");
    let Some(start) = memchr::memmem::find(&message, marked.as_bytes()) else { return message };
    let id_start = start + marked.len();
    let Some(id_width) = memchr::memchr(b'"', &message[id_start..]) else { return message };
    let Some(body) = memchr::memmem::find(&message, b"\r\n\r\n").map(|at| at + 4).filter(|body| *body <= start) else {
        return message;
    };
    let id = &message[id_start..id_start + id_width];
    let body = [&message[body..start], b"\"id\":", id, &message[id_start + id_width + 1..]].concat();
    [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), &body].concat()
}

/// Carries what the loop wrote to the server; ends when the loop does.
pub(super) async fn pump_out(mut queue: mpsc::UnboundedReceiver<Vec<u8>>, mut writer: impl AsyncWrite + Unpin) {
    while let Some(message) = queue.recv().await {
        if writer.write_all(&message).await.is_err() || writer.flush().await.is_err() {
            return;
        }
    }
    writer.shutdown().await.ok();
}

/// Reads the id of one of our own requests, which were whole numbers; some servers send them back as
/// strings or floats.
pub(crate) fn own_id(raw: &str) -> Option<i32> {
    let text = raw.trim_matches('"');
    text.parse().ok().or_else(|| text.strip_suffix(".0")?.parse().ok())
}

pub(crate) fn foreign_id(raw: &str) -> Value {
    let value: Value = serde_json::from_str(raw).unwrap_or_default();
    let fits = value.is_string() || value.as_i64().is_some_and(|id| i32::try_from(id).is_ok());
    if fits { value } else { format!("{FOREIGN_ID}{raw}").into() }
}

#[cfg(test)]
mod tests;
