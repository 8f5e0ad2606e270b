//! What a malformed message becomes.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Faults, Results, sanitize, without_lone_surrogates};

fn sanitized(message: &str) -> Vec<Value> {
    let messages = sanitize(message.into(), &Results::default(), &Faults::default()).unwrap_or_default();
    messages.iter().map(|message| serde_json::from_str(message).unwrap()).collect()
}

#[test]
fn messages_come_out_well_formed() {
    let cases = [
        (r#"{"method":"a"}"#, json!([{"jsonrpc": "2.0", "method": "a"}])),
        (r#"{"method":"a","id":null,"params":null}"#, json!([{"jsonrpc": "2.0", "method": "a"}])),
        (r#"{"method":"a","id":"x","params":[1e999]}"#, json!([{"jsonrpc": "2.0", "id": "x", "method": "a"}])),
        (
            r#"{"method":"a","id":3000000000}"#,
            json!([{"jsonrpc": "2.0", "id": "lspwright-id:3000000000", "method": "a"}]),
        ),
        (
            r#"[{"method":"a"},{"jsonrpc":"1.0","method":"b"},7]"#,
            json!([{"jsonrpc": "2.0", "method": "a"}, {"jsonrpc": "2.0", "method": "b"}]),
        ),
        (r#"{"id":1}"#, json!([{"jsonrpc": "2.0", "id": 1, "result": null}])),
        (r#"{"id":"1","result":5}"#, json!([{"jsonrpc": "2.0", "id": 1, "result": null}])),
        (r#"{"id":1.0,"result":5}"#, json!([{"jsonrpc": "2.0", "id": 1, "result": null}])),
        (
            r#"{"id":1,"error":{"code":"E1","data":1}}"#,
            json!([{"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": r#"{"code":"E1","data":1}"#}}]),
        ),
        (r#"{"id":null,"result":5}"#, json!([])),
        (r#"{"method":7}"#, json!([])),
        ("nonsense", json!([])),
    ];
    for (message, expected) in cases {
        assert_eq!(Value::from(sanitized(message)), expected, "{message}");
    }
}

#[test]
fn results_pass_beside_the_loop() {
    let results = Results::default();
    results.expect(4);
    let frame = r#" {"result": {"a": [1, 2]}, "id": 4} "#;
    sanitize(frame.into(), &results, &Faults::default()).unwrap();
    sanitize(r#"{"id":5,"result":"nobody waits"}"#.into(), &results, &Faults::default()).unwrap();
    assert_eq!(results.take(4).unwrap().parse::<Value>(), Ok(json!({"a": [1, 2]})));
    assert!(results.take(4).is_none() && results.take(5).is_none());
}

#[test]
fn lone_surrogates_are_replaced_and_pairs_kept() {
    let cases = [
        (r#""\ud83d\ude00""#, "😀"),
        (r#""\ud83d""#, "\u{fffd}"),
        (r#""\ude00 \uD83Dx""#, "\u{fffd} \u{fffd}x"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
        (r#""\\ud83d \"ü\n""#, "\\ud83d \"ü\n"),
    ];
    for (json, expected) in cases {
        assert_eq!(serde_json::from_str::<String>(&without_lone_surrogates(json)).unwrap(), expected, "{json}");
    }
}

proptest! {
    #[test]
    fn strings_without_lone_surrogates_stay_as_they_are(text in "(\\PC|\\\\ud8|\n){0,30}") {
        let json = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(without_lone_surrogates(&json), json.as_str());
    }

    #[test]
    fn any_escapes_can_be_read(units in prop::collection::vec(any::<u16>(), 0..20)) {
        let escapes: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
        let json = format!("\"{escapes}\"");
        let read: String = serde_json::from_str(&without_lone_surrogates(&json)).unwrap();
        prop_assert_eq!(read, String::from_utf16_lossy(&units));
    }
}
