//! What a message was about of which only the ends are there.

use std::collections::BTreeMap;

use serde_json::{Deserializer, Value};

use crate::lsp::frames::TooLarge;
use crate::lsp::outbox::{foreign_id, own_id};

/// What can be told of a message by its ends.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// To our own request of that id.
    Answer(i32),
    /// With its id as the loop takes it.
    Request { id: Value, method: String },
    /// A notification, or nothing that can be told.
    Other,
}

/// Reads the ends: most servers begin with id and method, some end with the id.
pub(super) fn message(ends: &TooLarge) -> Message {
    let first = scalars(&ends.head);
    let id = first.get("id").map(ToString::to_string);
    match (first.get("method").and_then(Value::as_str), id) {
        (Some(method), Some(id)) => Message::Request { id: foreign_id(&id), method: method.to_owned() },
        (Some(_), None) => Message::Other,
        (None, id) => {
            id.or_else(|| last_id(&ends.tail)).and_then(|id| own_id(&id)).map_or(Message::Other, Message::Answer)
        }
    }
}

/// Returns the members with which an object begins, up to the first one that is no plain value.
fn scalars(head: &[u8]) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    let Some(mut rest) = head.trim_ascii_start().strip_prefix(b"{") else { return found };
    while let Some((key, behind)) = first::<String>(rest) {
        let Some(value) = behind.trim_ascii_start().strip_prefix(b":").map(<[u8]>::trim_ascii_start) else { break };
        if value.starts_with(b"{") || value.starts_with(b"[") {
            break;
        }
        let Some((value, behind)) = first::<Value>(value) else { break };
        found.insert(key, value);
        let Some(next) = behind.trim_ascii_start().strip_prefix(b",") else { break };
        rest = next;
    }
    found
}

/// Reads one value, and returns it with what stands behind it.
fn first<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let mut values = Deserializer::from_slice(bytes).into_iter::<T>();
    let value = values.next()?.ok()?;
    Some((value, &bytes[values.byte_offset()..]))
}

/// Returns the id with which an object ends.
fn last_id(tail: &[u8]) -> Option<String> {
    let inside = tail.trim_ascii_end().strip_suffix(b"}")?;
    let last = inside.rsplit(|byte| *byte == b',').next()?;
    let object: Value = serde_json::from_slice(&[b"{", last, b"}"].concat()).ok()?;
    Some(object.get("id")?.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Message, TooLarge, message};

    fn read(head: &str, tail: &str) -> Message {
        message(&TooLarge { length: 1 << 28, head: head.into(), tail: tail.into() })
    }

    #[test]
    fn messages_are_known_by_their_ends() {
        let request = |id| Message::Request { id, method: "workspace/applyEdit".to_owned() };
        let cases = [
            (r#"{"jsonrpc":"2.0","id":5,"result":{"a":["#, "]}}", Message::Answer(5)),
            (r#" {"id" : "5" , "jsonrpc":"2.0", "result" : "long"#, "long\"}", Message::Answer(5)),
            (r#"{"jsonrpc":"2.0","result":{"a":["#, "]},\"id\": 7}\n", Message::Answer(7)),
            (r#"{"jsonrpc":"2.0","result":{"a":["#, "{\"b\":1,\"id\":7}}", Message::Other),
            (r#"{"jsonrpc":"2.0","method":"a","params":{"#, "},\"id\":7}", Message::Other),
            (r#"{"jsonrpc":"2.0","id":9,"method":"workspace/applyEdit","params":{"#, "}}", request(json!(9))),
            (r#"{"method":"workspace/applyEdit","id":"x","params":{"#, "}}", request(json!("x"))),
            (r#"[{"id":5,"result":{"#, "}}]", Message::Other),
            ("nonsense", "nonsense", Message::Other),
        ];
        for (head, tail, expected) in cases {
            assert_eq!(read(head, tail), expected, "{head} … {tail}");
        }
    }
}
