//! A client's conversation with a server that may be lost: then another one is told what the client has said to the first,
//! and is asked again what was not answered.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, DuplexStream, split};
use tokio::sync::Mutex;

use super::heard::{Heard, hear};
use super::lines::{LONGEST, Line, Lines};
use super::server::error_result;
use crate::tools::{Effect, ErrorKind, Form, ToolError, tool};

/// What a server that comes later has to know, once it was answered.
const LASTING: [&str; 4] = ["initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];
const INITIALIZED: &str = "notifications/initialized";
const CANCELLED: &str = "notifications/cancelled";
/// How the ids begin of what is said again; nobody hears the answers.
const AGAIN: &str = "lspwright again ";
/// How the ids begin of what a later server asks, so that an answer meant for an earlier one is none for it.
const LATER: &str = "lspwright later ";

/// Carries the messages of a client to the servers that `open` opens, one after the other, until the client has ended.
pub async fn carry(
    (read, mut write): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    mut open: impl AsyncFnMut() -> DuplexStream,
) {
    let mut client = Lines::new(read, LONGEST);
    let mut conversation = Conversation::default();
    loop {
        let (answers, mut server) = split(open().await);
        let lost = conversation.lost_calls().concat();
        if write.write_all(&lost).await.is_err() || write.flush().await.is_err() {
            return;
        }
        let ended = {
            let (known, out) = (Mutex::new(&mut conversation), Mutex::new(&mut write));
            let again = known.lock().await.said_again();
            let asking = ask((&mut client, &mut server), again, (&known, &out));
            let answering = answer(Lines::new(answers, usize::MAX), (&known, &out));
            tokio::pin!(answering);
            tokio::select! {
                biased;
                ended = &mut answering => ended,
                heard = asking => {
                    // What was asked before the end is answered still.
                    let ended = answering.await;
                    if heard == End::Client { End::Client } else { ended }
                }
            }
        };
        if ended == End::Client {
            return;
        }
        conversation.servers += 1;
        // Another one is opened when there is something to ask.
        while conversation.pending.is_empty() {
            let Some(line) = client.next().await else { return };
            let Some(refusal) = refused(&line) else {
                conversation.said(&line);
                continue;
            };
            if write.write_all(&refusal).await.is_err() || write.flush().await.is_err() {
                return;
            }
        }
    }
}

/// Which side is gone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Client,
    Server,
}

type Shared<'a, W> = (&'a Mutex<&'a mut Conversation>, &'a Mutex<&'a mut W>);

/// Carries what the client says, what has to be said again before it.
async fn ask<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    (client, server): (&mut Lines<R>, &mut (impl AsyncWrite + Unpin)),
    again: Vec<Vec<u8>>,
    (conversation, out): Shared<'_, W>,
) -> End {
    for line in again {
        if server.write_all(&line).await.is_err() {
            return End::Server;
        }
    }
    while let Some(line) = client.next().await {
        if let Some(refusal) = refused(&line) {
            let mut out = out.lock().await;
            if out.write_all(&refusal).await.is_err() || out.flush().await.is_err() {
                return End::Client;
            }
            continue;
        }
        let Some(line) = conversation.lock().await.said(&line) else { continue };
        if server.write_all(&line).await.is_err() || server.flush().await.is_err() {
            return End::Server;
        }
    }
    // The server ends when its stdin does.
    let _ = server.shutdown().await;
    End::Client
}

/// Carries what the server says.
async fn answer<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    mut answers: Lines<R>,
    (conversation, out): Shared<'_, W>,
) -> End {
    while let Some(line) = answers.next().await {
        let Line::Whole(line) = line else { continue };
        let Some(line) = conversation.lock().await.answered(line) else { continue };
        let mut out = out.lock().await;
        if out.write_all(&line).await.is_err() || out.flush().await.is_err() {
            return End::Client;
        }
    }
    End::Server
}

/// Returns the answer to a line that is too long to be handed on.
fn refused(line: &Line) -> Option<Vec<u8>> {
    let (Line::TooLong, Heard::Bad(_, error)) = (line, hear(line)) else { return None };
    Some(line_of(&json!({ "jsonrpc": "2.0", "id": null, "error": error })))
}

fn line_of(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

/// As much of a message as tells what it is.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// A request, or a notification.
struct Said {
    /// Its id as JSON; nothing of a notification.
    id: Option<String>,
    method: String,
    /// The name of the tool that it calls.
    tool: Option<String>,
    params: Option<String>,
    line: Vec<u8>,
}

impl Said {
    /// Tells whether it may have changed something before its answer got lost.
    fn may_write(&self) -> bool {
        self.tool.as_deref().and_then(tool).is_some_and(|tool| tool.effect != Effect::Reads)
    }
}

/// What has been said.
#[derive(Default)]
struct Conversation {
    /// What every server has to be told, in its order.
    lasting: Vec<Said>,
    /// What has not been answered, in its order.
    pending: Vec<Said>,
    /// How many servers were lost.
    servers: usize,
}

impl Conversation {
    /// Notes a line of the client's, and returns what the server is told; nothing for what another server has asked.
    fn said(&mut self, line: &Line) -> Option<Vec<u8>> {
        let Line::Whole(line) = line else { return None };
        let whole = || Some([line, &b"\n"[..]].concat());
        let Ok(head) = serde_json::from_slice::<Head<'_>>(line) else { return whole() };
        let id = head.id.map(|id| id.get().to_owned());
        let Some(method) = head.method else { return self.answer_to(line, id.as_deref()) };
        let params = head.params.map(|params| params.get().to_owned());
        let name = if method == "tools/call" { tool_called(params.as_deref()) } else { None };
        if method == CANCELLED {
            let said = params.as_deref().and_then(|it| serde_json::from_str::<Value>(it).ok());
            let given_up = said.and_then(|said| Some(said.get("requestId")?.to_string()));
            self.pending.retain(|said| said.id != given_up);
        }
        let method = method.into_owned();
        let said = Said { id, method, tool: name, params, line: whole()? };
        match &said.id {
            Some(_) => self.pending.push(said),
            None if said.method == INITIALIZED => self.lasting.push(said),
            None => {}
        }
        whole()
    }

    /// Returns an answer of the client's as the server that asked knows it; nothing where that is gone.
    fn answer_to(&self, line: &[u8], id: Option<&str>) -> Option<Vec<u8>> {
        if self.servers == 0 {
            return Some([line, b"\n"].concat());
        }
        let id: String = serde_json::from_str(id?).ok()?;
        let own = id.strip_prefix(&self.prefix())?;
        let mut answer: Value = serde_json::from_slice(line).ok()?;
        answer["id"] = serde_json::from_str(own).ok()?;
        Some(line_of(&answer))
    }

    /// Notes a line of the server's, and returns what the client is told.
    fn answered(&mut self, mut line: Vec<u8>) -> Option<Vec<u8>> {
        line.push(b'\n');
        let Ok(head) = serde_json::from_slice::<Head<'_>>(&line) else { return Some(line) };
        let Some(id) = head.id.map(|id| id.get().to_owned()) else { return Some(line) };
        if head.method.is_some() {
            return Some(self.asked(line, &id));
        }
        if serde_json::from_str::<String>(&id).is_ok_and(|id| id.starts_with(AGAIN)) {
            return None;
        }
        if let Some(at) = self.pending.iter().position(|said| said.id.as_deref() == Some(&id)) {
            let said = self.pending.remove(at);
            if LASTING.contains(&said.method.as_str()) {
                self.lasting.retain(|it| !is_replaced(it, &said));
                self.lasting.push(said);
            }
        }
        Some(line)
    }

    /// Returns what the server asks under an id that no other server's question has.
    fn asked(&self, line: Vec<u8>, id: &str) -> Vec<u8> {
        let Ok(mut question) = serde_json::from_slice::<Value>(&line) else { return line };
        if self.servers == 0 {
            return line;
        }
        question["id"] = Value::String(self.prefix() + id);
        line_of(&question)
    }

    fn prefix(&self) -> String {
        format!("{LATER}{} ", self.servers)
    }

    /// Returns what the next server is told first, and asked again.
    fn said_again(&self) -> Vec<Vec<u8>> {
        let lasting = self.lasting.iter().enumerate().filter(|_| self.servers > 0);
        let lasting = lasting.map(|(number, said)| match said.id {
            Some(_) => {
                let params: Option<Value> = said.params.as_deref().and_then(|it| serde_json::from_str(it).ok());
                let id = format!("{AGAIN}{number}");
                line_of(&json!({ "jsonrpc": "2.0", "id": id, "method": said.method, "params": params }))
            }
            None => said.line.clone(),
        });
        lasting.chain(self.pending.iter().map(|said| said.line.clone())).collect()
    }

    /// Takes out the calls that may have changed something when the server was lost, and returns their answers.
    fn lost_calls(&mut self) -> Vec<Vec<u8>> {
        if self.servers == 0 {
            return Vec::new();
        }
        let lost = self.pending.extract_if(.., |said| said.may_write());
        let error =
            ToolError::new(ErrorKind::Environment, "the daemon was lost while it did this; every file is whole")
                .hint("look at what has been done (`git status`), then take it back or ask again");
        let result = error_result(&error, Form::Text);
        let answers = lost.map(|said| {
            let id: Option<Value> = said.id.as_deref().and_then(|id| serde_json::from_str(id).ok());
            line_of(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
        });
        answers.collect()
    }
}

/// Tells whether what was said before does not hold any more behind what is said now.
fn is_replaced(before: &Said, now: &Said) -> bool {
    let is_of = |said: &Said, what: &str| said.method.starts_with(what);
    let is_subscription = is_of(before, "resources/") && is_of(now, "resources/");
    match is_subscription {
        true => before.params == now.params,
        false => before.method == now.method,
    }
}

/// Returns the name of the tool that is called.
fn tool_called(params: Option<&str>) -> Option<String> {
    #[derive(Deserialize)]
    struct Call {
        name: String,
    }
    serde_json::from_str::<Call>(params?).ok().map(|call| call.name)
}

#[cfg(test)]
mod tests;
