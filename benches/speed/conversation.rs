//! JSON-RPC with a child process, as plainly as it can be done.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// How messages are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// LSP: a header with the length.
    Header,
    /// MCP: a message per line.
    Lines,
}

/// One child and what is said to it.
pub struct Conversation {
    child: Child,
    /// None once nothing more is said.
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    framing: Framing,
    last_id: u64,
    /// Answers `workspace/configuration`.
    pub settings: Value,
    /// What the other side wanted to have edited; nothing is.
    pub sent: Vec<Value>,
}

impl Conversation {
    pub fn start(command: &mut Command, framing: Framing) -> Result<Self, String> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.spawn().map_err(|error| format!("{command:?}: {error}"))?;
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(Self { child, stdin, stdout, framing, last_id: 0, settings: Value::Null, sent: Vec::new() })
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request and returns its result.
    pub fn request(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let id = self.ask(method, params)?;
        self.result(id)
    }

    /// Sends a request and returns its number.
    pub fn ask(&mut self, method: &str, params: &Value) -> Result<u64, String> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        Ok(id)
    }

    /// Waits for the result of a request.
    pub fn result(&mut self, id: u64) -> Result<Value, String> {
        loop {
            let mut message = self.receive()?;
            if message.get("method").is_none() && message["id"] == id {
                return if message.get("error").is_some() {
                    Err(message["error"].to_string())
                } else {
                    Ok(message["result"].take())
                };
            }
            self.answer(&message)?;
        }
    }

    pub fn notify(&mut self, method: &str, params: &Value) -> Result<(), String> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    /// Reads until a `window/logMessage` contains `words`.
    pub fn wait_for_log(&mut self, words: &str) -> Result<(), String> {
        loop {
            let message = self.receive()?;
            self.answer(&message)?;
            let log = message["params"]["message"].as_str().unwrap_or_default();
            if message["method"] == "window/logMessage" && log.contains(words) {
                return Ok(());
            }
        }
    }

    /// Waits until the other side has notified of something.
    pub fn wait_for(&mut self, method: &str) -> Result<(), String> {
        loop {
            let message = self.receive()?;
            self.answer(&message)?;
            if message["method"] == method {
                return Ok(());
            }
        }
    }

    /// Answers what the other side asks.
    fn answer(&mut self, message: &Value) -> Result<(), String> {
        let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) else { return Ok(()) };
        let result = match method {
            "workspace/configuration" => {
                let items = message["params"]["items"].as_array().cloned().unwrap_or_default();
                items.iter().map(|item| self.section(item["section"].as_str().unwrap_or_default())).collect()
            }
            "workspace/applyEdit" => {
                self.sent.push(message["params"]["edit"].clone());
                json!({ "applied": false })
            }
            _ => Value::Null,
        };
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }

    fn section(&self, name: &str) -> Value {
        let pointer = format!("/{}", name.replace('.', "/"));
        self.settings.pointer(&pointer).cloned().unwrap_or(Value::Null)
    }

    /// Sends a message as it is.
    pub fn send(&mut self, message: &Value) -> Result<(), String> {
        let body = message.to_string();
        let stdin = self.stdin.as_mut().ok_or("nothing more is said")?;
        let written = match self.framing {
            Framing::Header => write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()),
            Framing::Lines => writeln!(stdin, "{body}"),
        };
        written.and_then(|()| stdin.flush()).map_err(|error| error.to_string())
    }

    fn receive(&mut self) -> Result<Value, String> {
        let mut length = None;
        loop {
            let mut line = String::new();
            let read = self.stdout.read_line(&mut line).map_err(|error| error.to_string())?;
            match (self.framing, line.trim()) {
                (_, _) if read == 0 => return Err("the other side ended".to_owned()),
                (Framing::Lines, "") => {}
                (Framing::Lines, line) => {
                    return serde_json::from_str(line).map_err(|error| format!("{error}: {line}"));
                }
                (Framing::Header, "") => break,
                (Framing::Header, line) => {
                    length = line.strip_prefix("Content-Length: ").and_then(|text| text.parse().ok()).or(length);
                }
            }
        }
        let mut body = vec![0; length.ok_or("a message without a length")?];
        self.stdout.read_exact(&mut body).map_err(|error| error.to_string())?;
        serde_json::from_slice(&body).map_err(|error| error.to_string())
    }

    /// Says nothing more, and waits until the child has gone by itself.
    pub fn leave(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }

    /// Ends the child without ceremony.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.kill();
    }
}
