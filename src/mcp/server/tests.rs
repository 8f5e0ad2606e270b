//! What no real tool does on purpose: a panic, and notes along the way.

use rmcp::ServiceExt as _;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use super::*;
use crate::tools::{Answer, Setup, Trust};

const TABLE: &[Tool] = &[
    Tool {
        name: "panics",
        title: "Panics",
        description: "Panics.",
        toolset: Toolset::Plan,
        effect: Effect::Reads,
        input: || json!({"type": "object"}),
        form: Form::Json(|| json!({"type": "object"})),
        run: |_, args| Box::pin(async move { panic!("no {}", args["what"]) }),
    },
    Tool {
        name: "tells",
        title: "Tells",
        description: "Tells what it does.",
        toolset: Toolset::Plan,
        effect: Effect::Reads,
        input: || json!({"type": "object"}),
        form: Form::Json(|| json!({"type": "object"})),
        run: |context, _| {
            Box::pin(async {
                context.sink.note("first");
                context.sink.note("second");
                Ok(Answer::Lists(json!({"done": true})))
            })
        },
    },
];

/// When the client ends its side of the connection.
#[derive(PartialEq)]
enum Leaves {
    /// As soon as it has spoken.
    AtOnce,
    /// With the answer to call 1.
    Answered,
}

/// Sends messages to a server with the tools above, and returns what it says.
async fn talk(messages: &[Value], leaves: Leaves) -> Vec<Value> {
    let toolsets = Toolsets::Named(vec![Toolset::Plan]);
    let offer = Offer { toolsets, project: None, dir: None, read_only: true, commands: Commands::Refused };
    let projects = Arc::new(Projects::new(Setup::of_process(Trust::Nothing)));
    let server = Server { table: TABLE, ..Server::new(projects, offer) };
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (requests, answers) = tokio::io::split(theirs);
    let serving =
        tokio::spawn(async move { server.serve(wire::Wire::new(requests, answers)).await.unwrap().waiting().await });
    let (read, mut write) = tokio::io::split(ours);
    for message in messages {
        write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }
    if leaves == Leaves::AtOnce {
        write.shutdown().await.unwrap();
    }
    let mut lines = BufReader::new(read).lines();
    let mut said: Vec<Value> = Vec::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        said.push(serde_json::from_str(&line).unwrap());
        if said.last().unwrap()["id"] == 1 && leaves == Leaves::Answered {
            write.shutdown().await.unwrap();
        }
    }
    serving.await.unwrap().unwrap();
    said
}

fn call(id: u64, tool: &str) -> Value {
    let params = json!({"name": tool, "arguments": {"what": "way"}, "_meta": {"progressToken": "token"}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

fn begin() -> [Value; 2] {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ]
}

#[tokio::test]
async fn a_panic_is_answered() {
    let [initialize, initialized] = begin();
    let said = talk(&[initialize, initialized, call(1, "panics")], Leaves::Answered).await;
    let answer = said.iter().find(|message| message["id"] == 1).unwrap();
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    let error: Value = serde_json::from_str(text).unwrap();
    assert_eq!(error["error"]["kind"], "internal");
    assert_eq!(error["error"]["message"], "a fault inside lspwright: no \"way\"");
}

#[tokio::test]
async fn notes_come_as_progress_before_the_answer() {
    let [initialize, initialized] = begin();
    let said = talk(&[initialize, initialized, call(1, "tells")], Leaves::Answered).await;
    let after: Vec<String> = said[1..]
        .iter()
        .map(|message| match message["method"].as_str() {
            Some(method) => format!("{method} {} {}", message["params"]["progress"], message["params"]["message"]),
            None => format!("answer {}", message["result"]["structuredContent"]),
        })
        .collect();
    let expected =
        ["notifications/progress 1.0 \"first\"", "notifications/progress 2.0 \"second\"", "answer {\"done\":true}"];
    assert_eq!(after, expected);
}

#[tokio::test]
async fn a_client_that_only_speaks_is_answered_too() {
    let [initialize, initialized] = begin();
    let said = talk(&[initialize, initialized, call(1, "tells")], Leaves::AtOnce).await;
    let answer = said.iter().find(|message| message["id"] == 1).expect("an answer after the end of stdin");
    assert_eq!(answer["result"]["structuredContent"], json!({"done": true}));
}
