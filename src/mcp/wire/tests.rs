//! Answers small and large, and through a pipe that takes a few bytes at a time.

use rmcp::model::{JsonRpcResponse, JsonRpcVersion2_0, RequestId};
use serde_json::json;
use tokio::io::AsyncReadExt as _;

use super::*;

/// Sends results over a pipe of `width` bytes and returns the lines that come out.
async fn sent(results: Vec<CallToolResult>, width: usize) -> Vec<Value> {
    let (write, mut read) = tokio::io::duplex(width);
    let reading = tokio::spawn(async move {
        let mut text = String::new();
        read.read_to_string(&mut text).await.unwrap();
        text
    });
    let mut wire = Wire::new(tokio::io::empty(), write);
    for (number, result) in results.into_iter().enumerate() {
        let id = RequestId::Number(i64::try_from(number).unwrap());
        let result = ServerResult::CallToolResult(result);
        let response = JsonRpcResponse { jsonrpc: JsonRpcVersion2_0, id, result };
        wire.send(JsonRpcMessage::Response(response)).await.unwrap();
    }
    assert!(locked(&wire.held).is_empty(), "nothing is kept");
    wire.close().await.unwrap();
    drop(wire);
    let text = reading.await.unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn text_and_structure_say_the_same() {
    let long: Vec<String> = (0..9_000).map(|number| format!("\"é🦀\\ {number}")).collect();
    for answer in [json!({}), json!({"edits": ["\u{1}answer 1", "\n"]}), json!({"long": long})] {
        for width in [7, 1 << 20] {
            let said = sent(vec![result(answer.to_string()), result(answer.to_string())], width).await;
            assert_eq!(said.len(), 2);
            for message in said {
                assert_eq!(message["result"]["structuredContent"], answer);
                assert_eq!(message["result"]["content"], json!([{"type": "text", "text": answer.to_string()}]));
            }
        }
    }
}

#[tokio::test]
async fn what_only_looks_like_a_placeholder_stays() {
    let error = CallToolResult::error(vec![ContentBlock::text("\u{1}answer 1")]);
    let said = sent(vec![error], 1 << 10).await;
    assert_eq!(said[0]["result"]["content"][0]["text"], "\u{1}answer 1");
}
