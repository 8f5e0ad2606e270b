//! A client that says lines, and servers that are lost when their script ends.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, WriteHalf, duplex, split};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::carry;

/// One side of a pipe, line by line.
struct Lines {
    from: mpsc::UnboundedReceiver<Value>,
    to: WriteHalf<DuplexStream>,
    reading: JoinHandle<()>,
}

impl Lines {
    fn new(pipe: DuplexStream) -> Self {
        let (read, to) = split(pipe);
        let (sender, from) = mpsc::unbounded_channel();
        let reading = tokio::spawn(async move {
            let mut lines = BufReader::new(read).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let _ = sender.send(serde_json::from_str(&line).expect("JSON"));
            }
        });
        Self { from, to, reading }
    }

    async fn say(&mut self, message: Value) {
        self.to.write_all(format!("{message}\n").as_bytes()).await.expect("somebody who hears it");
    }

    async fn hear(&mut self) -> Value {
        self.from.recv().await.expect("a message")
    }
}

/// A client, and where its servers come up one after the other.
fn scene() -> (Lines, mpsc::UnboundedReceiver<Lines>) {
    let (client, ours) = duplex(1 << 20);
    let (opened, servers) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        carry(split(ours), async move || {
            let (ours, theirs) = duplex(1 << 20);
            let _ = opened.send(Lines::new(theirs));
            ours
        })
        .await;
    });
    (Lines::new(client), servers)
}

fn request(id: u64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn notification(method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": method })
}

fn answer(id: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": {} })
}

/// Says a request and has the server answer it.
async fn exchanged(client: &mut Lines, server: &mut Lines, said: Value) {
    client.say(said.clone()).await;
    assert_eq!(server.hear().await, said);
    server.say(answer(said["id"].clone())).await;
    assert_eq!(client.hear().await, answer(said["id"].clone()));
}

/// Ends a server: its pipe is closed in both directions.
async fn lose(server: Lines) {
    server.reading.abort();
    let _ = server.reading.await;
}

#[tokio::test]
async fn the_next_server_is_told_what_lasts_and_asked_what_is_open() {
    let (mut client, mut servers) = scene();
    let mut first = servers.recv().await.unwrap();
    exchanged(&mut client, &mut first, request(1, "initialize", json!({ "name": "c" }))).await;
    client.say(notification("notifications/initialized")).await;
    first.hear().await;
    exchanged(&mut client, &mut first, request(2, "resources/subscribe", json!({ "uri": "a" }))).await;
    exchanged(&mut client, &mut first, request(3, "resources/subscribe", json!({ "uri": "b" }))).await;
    exchanged(&mut client, &mut first, request(4, "resources/unsubscribe", json!({ "uri": "a" }))).await;
    exchanged(&mut client, &mut first, request(5, "tools/list", json!({}))).await;
    let open = request(6, "tools/call", json!({ "name": "planRenameSymbol" }));
    client.say(open.clone()).await;
    client.say(request(7, "tools/call", json!({ "name": "applyPlan" }))).await;
    client.say(request(8, "tools/call", json!({ "name": "planFix" }))).await;
    client.say(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 8 } })).await;
    for _ in 0..4 {
        first.hear().await;
    }
    lose(first).await;
    let mut next = servers.recv().await.unwrap();
    let mut told = Vec::new();
    for _ in 0..5 {
        told.push(next.hear().await);
    }
    let methods: Vec<&str> = told.iter().map(|it| it["method"].as_str().unwrap()).collect();
    assert_eq!(
        methods,
        ["initialize", "notifications/initialized", "resources/subscribe", "resources/unsubscribe", "tools/call"]
    );
    assert_eq!(told[0]["params"], json!({ "name": "c" }));
    assert_eq!(told[2]["params"], json!({ "uri": "b" }));
    assert_eq!(told[4], open, "what was given up is not asked again");
    let lost = client.hear().await;
    assert_eq!((&lost["id"], &lost["result"]["isError"]), (&json!(7), &json!(true)));
    assert!(lost.to_string().contains("the daemon was lost"), "{lost}");
    next.say(answer(told[0]["id"].clone())).await;
    next.say(answer(json!(6))).await;
    assert_eq!(client.hear().await, answer(json!(6)), "what was said again is answered to nobody");
}

#[tokio::test]
async fn an_answer_is_for_the_server_that_asked() {
    let (mut client, mut servers) = scene();
    let mut first = servers.recv().await.unwrap();
    exchanged(&mut client, &mut first, request(1, "initialize", json!({}))).await;
    let question = request(0, "roots/list", json!({}));
    first.say(question.clone()).await;
    assert_eq!(client.hear().await, question);
    lose(first).await;
    client.say(request(2, "tools/list", json!({}))).await;
    let mut next = servers.recv().await.unwrap();
    assert_eq!(next.hear().await["method"], "initialize");
    assert_eq!(next.hear().await["id"], 2);
    next.say(question).await;
    let asked = client.hear().await;
    client.say(answer(json!(0))).await;
    client.say(answer(asked["id"].clone())).await;
    assert_eq!(next.hear().await, answer(json!(0)), "the answer to the first one's question is not handed on");
    client.say(request(3, "ping", json!({}))).await;
    assert_eq!(next.hear().await["id"], 3);
}
