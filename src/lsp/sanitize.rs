//! A reader in front of async-lsp's loop that no malformed byte of a server gets through.
//!
//! async-lsp ends its connection for good at the first thing that is not as it should be. Here a frame is
//! read leniently, taken apart, and put together anew: what comes out is well formed. Results of requests
//! do not go through the loop at all, which would hold them twice over: the loop gets a ticket (`null`),
//! and the bytes wait in [`Results`] for the one who asked.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};

use crate::lsp::faults::Faults;
use crate::lsp::frames::{Frame, Frames, MOST_KEPT, TooLarge};
use crate::lsp::locked;
use crate::lsp::outbox::{foreign_id, own_id};
use crate::lsp::too_large::{Message, message};

/// The results that arrived and wait for the one who asked, by the request's id.
#[derive(Default)]
pub(super) struct Results(Mutex<BTreeMap<i32, Option<RawResult>>>);

/// A result as it came.
#[derive(Debug)]
pub(super) struct RawResult {
    frame: Vec<u8>,
    json: std::ops::Range<usize>,
    fault: Option<String>,
}

/// One JSON-RPC message, taken apart no further than needed.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

impl Results {
    /// Announces that the result of request `id` is wanted.
    pub(super) fn expect(&self, id: i32) {
        locked(&self.0).insert(id, None);
    }

    /// Takes the result of request `id`, and forgets the request.
    pub(super) fn take(&self, id: i32) -> Option<RawResult> {
        locked(&self.0).remove(&id).flatten()
    }

    fn put(&self, id: i32, result: RawResult) {
        if let Some(slot) = locked(&self.0).get_mut(&id) {
            *slot = Some(result);
        }
    }
}

impl RawResult {
    /// Reads the result; `null` where the server sent none.
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Result<T, String> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let json = self.frame.get(self.json.clone()).filter(|json| !json.is_empty()).unwrap_or(b"null");
        serde_json::from_slice(json).map_err(|error| error.to_string())
    }
}

/// Copies the server's messages, made well formed, to the loop; ends with the server's output.
pub(super) async fn pump_in(
    reader: impl AsyncRead + Unpin,
    mut to_loop: impl AsyncWrite + Unpin,
    results: Arc<Results>,
    faults: Faults,
) {
    let mut frames = Frames::new(reader, faults.clone());
    while let Some(frame) = frames.next().await {
        let sanitized = match frame {
            Frame::Whole(frame) => sanitize(frame, &results, &faults),
            Frame::TooLarge(ends) => Ok(skipped(&ends, &results, &faults)),
        };
        match sanitized {
            Ok(messages) => {
                let framed: String = messages.iter().map(|one| framed(one)).collect();
                if to_loop.write_all(framed.as_bytes()).await.is_err() {
                    return;
                }
            }
            Err(frame) => frames.reject(frame),
        }
    }
}

fn framed(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}

/// The method that stands for one whose message was too large; its params name the other.
pub(super) const TOO_LARGE: &str = "lspwright/tooLarge";

/// Returns what takes the place of a message that is too large: the request that it answers fails at once, and a
/// request of the server's is refused.
fn skipped(ends: &TooLarge, results: &Results, faults: &Faults) -> Vec<String> {
    let reason = format!("it is of {} bytes, more than the {MOST_KEPT} that are taken", ends.length);
    faults.add(&format!("a message too large ({reason})"), &ends.head);
    match message(ends) {
        Message::Answer(id) => {
            results.put(id, RawResult { frame: Vec::new(), json: 0..0, fault: Some(reason) });
            vec![ticket(id)]
        }
        Message::Request { id, method } => {
            let call =
                serde_json::json!({"jsonrpc": "2.0", "id": id, "method": TOO_LARGE, "params": {"method": method}});
            vec![call.to_string()]
        }
        Message::Other => Vec::new(),
    }
}

/// What the loop gets in place of a result.
fn ticket(id: i32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":null}}"#)
}

/// What a frame holds.
enum Content {
    /// Calls and errors, as the loop wants them.
    Messages(Vec<String>),
    /// The result of request `id`, and where it lies in the frame.
    Result { id: i32, json: std::ops::Range<usize> },
    /// JSON, but no message that anybody waits for.
    Stray,
}

/// Returns the messages of a frame as the loop wants them, or the frame where it is no JSON-RPC.
fn sanitize(frame: Vec<u8>, results: &Results, faults: &Faults) -> Result<Vec<String>, Vec<u8>> {
    let (text, fault) = match std::str::from_utf8(&frame) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(error) => {
            faults.add("not UTF-8", &frame);
            (String::from_utf8_lossy(&frame), Some(format!("it is not UTF-8: {error}")))
        }
    };
    if let Ok(batch) = serde_json::from_str::<Vec<&RawValue>>(&text) {
        let each = batch.into_iter().filter_map(|one| sanitize(one.get().into(), results, faults).ok());
        return Ok(each.flatten().collect());
    }
    let content = content(&text, faults);
    drop(text);
    match content {
        None => Err(frame),
        Some(Content::Messages(messages)) => Ok(messages),
        Some(Content::Stray) => {
            faults.add("an answer to no request", &frame);
            Ok(Vec::new())
        }
        Some(Content::Result { id, json }) => {
            results.put(id, RawResult { frame, json, fault });
            Ok(vec![ticket(id)])
        }
    }
}

fn content(text: &str, faults: &Faults) -> Option<Content> {
    let envelope: Envelope<'_> = serde_json::from_str(text).ok()?;
    if let Some(method) = &envelope.method {
        return Some(Content::Messages(vec![call_message(method, &envelope, faults)]));
    }
    let Some(id) = envelope.id.and_then(|id| own_id(id.get())) else { return Some(Content::Stray) };
    if let Some(error) = envelope.error {
        return Some(Content::Messages(vec![error_message(id, error)]));
    }
    let json = envelope.result.map_or(0..0, |result| span_in(text, result.get()));
    Some(Content::Result { id, json })
}

/// Returns where `part`, borrowed from `whole`, lies in it.
fn span_in(whole: &str, part: &str) -> std::ops::Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    start..start + part.len()
}

fn error_message(id: i32, raw: &RawValue) -> String {
    const INTERNAL_ERROR: i64 = -32603;
    let error: Value = serde_json::from_str(raw.get()).unwrap_or_default();
    let code = error["code"].as_i64().filter(|code| i32::try_from(*code).is_ok()).unwrap_or(INTERNAL_ERROR);
    let message = error["message"].as_str().map_or_else(|| raw.get().to_owned(), str::to_owned);
    serde_json::json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).to_string()
}

/// A request or notification; params that are no good are left out, so that a request is answered still.
fn call_message(method: &str, envelope: &Envelope<'_>, faults: &Faults) -> String {
    let mut message = serde_json::Map::new();
    message.insert("jsonrpc".into(), "2.0".into());
    if let Some(id) = envelope.id {
        message.insert("id".into(), foreign_id(id.get()));
    }
    message.insert("method".into(), method.into());
    if let Some(params) = envelope.params {
        match serde_json::from_str::<Value>(&without_lone_surrogates(params.get())) {
            Ok(params) => drop(message.insert("params".into(), params)),
            Err(error) => faults.add(&format!("params of `{method}` ({error})"), params.get().as_bytes()),
        }
    }
    Value::Object(message).to_string()
}

/// Replaces `\ud800`-like escapes that have no partner, which no Rust string can hold, by `\ufffd`.
fn without_lone_surrogates(json: &str) -> Cow<'_, str> {
    if !json.contains("\\ud") && !json.contains("\\uD") {
        return Cow::Borrowed(json);
    }
    let mut clean = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        clean.push_str(&rest[..at]);
        rest = &rest[at..];
        let width = match (surrogate(rest, 0xD800), rest.get(6..).and_then(|low| surrogate(low, 0xDC00))) {
            (Some(_), Some(_)) => 12,
            (Some(_), None) => 0,
            _ if surrogate(rest, 0xDC00).is_some() => 0,
            _ => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        clean.push_str(if width == 0 { "\\ufffd" } else { &rest[..width] });
        rest = &rest[if width == 0 { 6 } else { width }..];
    }
    clean.push_str(rest);
    Cow::Owned(clean)
}

/// Reads a `\uXXXX` escape at the beginning of `text` that lies in the 1024 code units from `first`.
fn surrogate(text: &str, first: u32) -> Option<u32> {
    let unit = u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()?;
    (first..first + 0x400).contains(&unit).then_some(unit)
}

#[cfg(test)]
mod tests;
