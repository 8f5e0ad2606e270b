//! `serve --http`: who gets to the tools, and how it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::faces::Project;

/// A server over HTTP, ended with the test.
struct Served {
    process: Child,
    stderr: BufReader<ChildStderr>,
    address: String,
    token: String,
    project: Project,
}

/// An answer: the status, the head in lower case, and the JSON of its body or of the last event in it.
#[derive(Debug)]
struct Told {
    status: u16,
    head: String,
    body: String,
}

impl Served {
    fn with(flags: &[&str], token: Option<&str>) -> Self {
        let project = Project::of("python-shop");
        let words = [&["serve", "--http", "127.0.0.1:0", "--project", "."], flags].concat();
        let mut command = project.command(&words);
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(process.stderr.take().unwrap());
        let mut said = String::new();
        let last = if token.is_some() { "http://" } else { "Bearer " };
        while !said.contains(last) && stderr.read_line(&mut said).unwrap() > 0 {}
        let behind =
            |sign: &str| said.split_once(sign).map(|(_, rest)| rest.split_whitespace().next().unwrap().to_owned());
        let address = behind("http://").unwrap_or_else(|| panic!("{said}"));
        let (address, path) = address.split_once('/').unwrap();
        assert_eq!(path, "mcp");
        let token = token.map_or_else(|| behind("Bearer ").unwrap(), str::to_owned);
        Self { process, stderr, address: address.to_owned(), token, project }
    }

    fn ask(&self, path: &str, headers: &[(&str, &str)], message: &Value) -> Told {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let body = message.to_string();
        let mut request = format!("POST {path} HTTP/1.1\r\nconnection: close\r\ncontent-type: application/json\r\n");
        request += &format!("accept: application/json, text/event-stream\r\ncontent-length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "host") {
            request += &format!("host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Told { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// Begins a session, and returns what it is called.
    fn begin(&self) -> String {
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let told = self.ask("/mcp", &[("authorization", &self.bearer())], &hello);
        assert_eq!(told.status, 200, "{told:?}");
        let session = told.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let told = self.ask("/mcp", &[("authorization", &self.bearer()), ("mcp-session-id", &session)], &ready);
        assert_eq!(told.status, 202, "{told:?}");
        session
    }

    fn call(&self, session: &str, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 2, "method": method, "params": params});
        let told = self.ask("/mcp", &[("authorization", &self.bearer()), ("mcp-session-id", session)], &message);
        assert_eq!(told.status, 200, "{told:?}");
        let events = told.body.lines().filter_map(|line| line.strip_prefix("data:"));
        let answer = events.filter_map(|data| serde_json::from_str::<Value>(data.trim()).ok()).find(|it| it["id"] == 2);
        answer.unwrap_or_else(|| panic!("{told:?}"))
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// Asks it to end, and returns its exit code and what it said.
    fn end(mut self) -> (Option<i32>, String) {
        let asked = std::process::Command::new("kill").arg(self.process.id().to_string()).status().unwrap();
        assert!(asked.success());
        let mut said = String::new();
        self.stderr.read_to_string(&mut said).unwrap();
        (self.process.wait().unwrap().code(), said)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn names(listed: &Value) -> Vec<&str> {
    listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// What a tool answered, as JSON.
fn answer(called: &Value) -> Value {
    serde_json::from_str(called["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
}

#[test]
fn who_shows_the_token_plans_and_writes_nothing() {
    let served = Served::with(&[], None);
    let session = served.begin();
    let listed = served.call(&session, "tools/list", json!({}));
    assert!(names(&listed).contains(&"planRenameSymbol") && !names(&listed).contains(&"applyPlan"), "{listed}");
    let target = json!({"target": "shop/tax.py::tax_rate", "newName": "rate_of"});
    let planned = served.call(&session, "tools/call", json!({"name": "planRenameSymbol", "arguments": target}));
    let plan = answer(&planned);
    assert_eq!(plan["canRename"], true, "{planned}");
    let outside = json!({"target": "/etc/hostname:1:1", "newName": "x"});
    let refused = served.call(&session, "tools/call", json!({"name": "planRenameSymbol", "arguments": outside}));
    assert_eq!(answer(&refused)["error"]["kind"], "outside-root", "{refused}");
    let before = served.project.text("shop/tax.py");
    let apply = json!({"name": "applyPlan", "arguments": {"planId": plan["planId"]}});
    let refused = served.call(&session, "tools/call", apply);
    assert!(refused["error"]["message"].is_string(), "{refused}");
    assert_eq!(served.project.text("shop/tax.py"), before);
}

#[test]
fn a_stranger_gets_nowhere() {
    let served = Served::with(&[], None);
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let bearer = served.bearer();
    let told = served.ask("/mcp", &[], &hello);
    assert_eq!(told.status, 401, "{told:?}");
    assert!(told.head.contains("www-authenticate: bearer"), "{told:?}");
    assert_eq!(served.ask("/mcp", &[("authorization", "Bearer guessed")], &hello).status, 401);
    assert_eq!(
        served.ask("/mcp", &[("authorization", &bearer), ("origin", "http://evil.example")], &hello).status,
        403
    );
    assert_eq!(served.ask("/mcp", &[("authorization", &bearer), ("host", "evil.example")], &hello).status, 403);
    // A page on this machine may hold a client, such as the official inspector's; this is no session, but it is let in.
    let local = served.ask("/mcp", &[("authorization", &bearer), ("origin", "http://localhost:6274")], &hello);
    assert!(![401, 403, 404].contains(&local.status), "{local:?}");
    assert_eq!(served.ask("/elsewhere", &[("authorization", &bearer)], &hello).status, 404);
}

#[test]
fn writing_is_allowed_by_name_and_the_end_is_orderly() {
    let token = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(token.path(), "a-token-of-sixteen-or-more\n").unwrap();
    let flags = ["--allow-writes", "--allow-host", "box.example", "--token-file", token.path().to_str().unwrap()];
    let served = Served::with(&flags, Some("a-token-of-sixteen-or-more"));
    let session = served.begin();
    assert!(names(&served.call(&session, "tools/list", json!({}))).contains(&"applyPlan"));
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let headers =
        [("authorization", served.bearer()), ("host", "box.example".into()), ("mcp-session-id", session.clone())];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(served.ask("/mcp", &headers, &ping).status, 200);
    let target = json!({"target": "shop/tax.py::tax_rate", "newName": "rate_of"});
    let planned = served.call(&session, "tools/call", json!({"name": "planRenameSymbol", "arguments": target}));
    let id = &answer(&planned)["planId"];
    let apply = json!({"name": "applyPlan", "arguments": {"planId": id, "verify": "syntax"}});
    let applied = served.call(&session, "tools/call", apply);
    assert_ne!(applied["result"]["isError"], true, "{applied}");
    assert!(served.project.text("shop/tax.py").contains("def rate_of"));
    let (code, said) = served.end();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("a-token-of"), "{said}");
}

#[test]
fn without_a_project_or_with_a_token_that_is_guessed_nothing_is_served() {
    let project = Project::of("python-shop");
    let refused = project.run(&["serve", "--http", "0"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("--project"), "{refused:?}");
    project.write("token", "short\n");
    let refused = project.run(&["serve", "--http", "0", "--project", ".", "--token-file", "token"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("16"), "{refused:?}");
}
