//! A language server whose every word is written in the test that uses it, spoken to over a pipe in memory.

use std::sync::Arc;
use std::time::Duration;

use lspwright::lsp::{Answer, Connector, LspError, Pipes, Place, Server, ServerSpec};
use lspwright::text::AbsPath;
use lspwright::workspace::Disk;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};
use tokio::sync::watch;

/// How long any awaited event may take.
pub(crate) const DEADLINE: Duration = Duration::from_secs(20);

/// What the server does at one message of the client; `Out` takes its words.
pub(crate) type Script = dyn Fn(&Value, &mut Out) + Send + Sync;

/// What the server says next.
#[derive(Default)]
pub(crate) struct Out {
    bytes: Vec<u8>,
    dies: bool,
}

/// All that the server heard, over all its lives.
#[derive(Clone)]
pub(crate) struct Heard(watch::Sender<Vec<Value>>);

/// A project on the disk and a scripted server that works on it.
pub(crate) struct Project {
    dir: tempfile::TempDir,
    pub(crate) disk: Disk,
    pub(crate) heard: Heard,
    script: Arc<Script>,
}

impl Out {
    pub(crate) fn send(&mut self, message: Value) {
        let mut message = message;
        message["jsonrpc"] = "2.0".into();
        self.frame(message.to_string().as_bytes());
    }

    /// Sends a body of any bytes with a right header.
    pub(crate) fn frame(&mut self, body: &[u8]) {
        self.raw(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        self.raw(body);
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn answer(&mut self, request: &Value, result: Value) {
        self.send(json!({"id": request["id"], "result": result}));
    }

    pub(crate) fn refuse(&mut self, request: &Value, code: i64, message: &str) {
        self.send(json!({"id": request["id"], "error": {"code": code, "message": message}}));
    }

    /// Closes the pipe once what was said is written.
    pub(crate) fn die(&mut self) {
        self.dies = true;
    }
}

impl Heard {
    pub(crate) fn all(&self, method: &str) -> Vec<Value> {
        self.0.borrow().iter().filter(|message| message["method"] == method).cloned().collect()
    }

    /// Waits until `method` has been heard `count` times, and returns the last of them.
    pub(crate) async fn nth(&self, method: &str, count: usize) -> Value {
        self.until(|message| message["method"] == method, count).await
    }

    /// Waits for the client's answer to a request of the server.
    pub(crate) async fn answer_to(&self, id: impl Into<Value>) -> Value {
        let id = id.into();
        self.until(|message| message.get("method").is_none() && message["id"] == id, 1).await
    }

    async fn until(&self, wanted: impl Fn(&Value) -> bool, count: usize) -> Value {
        let mut heard = self.0.subscribe();
        let enough = heard.wait_for(|all| all.iter().filter(|one| wanted(one)).count() >= count);
        let all = tokio::time::timeout(DEADLINE, enough).await.expect("heard in time").unwrap();
        all.iter().filter(|one| wanted(one)).nth(count - 1).cloned().unwrap()
    }
}

impl Project {
    /// Writes the files; the script also hears `initialize`, which [`hello`] answers.
    pub(crate) fn new(files: &[(&str, &str)], script: impl Fn(&Value, &mut Out) + Send + Sync + 'static) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let disk = Disk::open(&AbsPath::new(dir.path()).unwrap()).unwrap();
        Self { dir, disk, heard: Heard(watch::Sender::default()), script: Arc::new(script) }
    }

    pub(crate) fn path(&self, path: &str) -> AbsPath {
        self.disk.root().join(path).unwrap()
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        uri_below(self.disk.root(), path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        std::fs::write(self.dir.path().join(path), text).unwrap();
    }

    pub(crate) async fn connect(&self, spec: &ServerSpec) -> Result<Arc<Server>, LspError> {
        Server::connect(spec, self.connector(), &self.disk).await
    }

    fn connector(&self) -> Connector {
        let (script, heard) = (Arc::clone(&self.script), self.heard.clone());
        Box::new(move || {
            let (client, server) = tokio::io::duplex(1 << 16);
            tokio::spawn(serve(server, Arc::clone(&script), heard.clone()));
            let (reader, writer) = tokio::io::split(client);
            Box::pin(std::future::ready(Ok(Pipes::in_memory(reader, writer))))
        })
    }
}

/// Answers `initialize` with capabilities, and `shutdown`.
pub(crate) fn hello(message: &Value, out: &mut Out, capabilities: Value) {
    match message["method"].as_str() {
        Some("initialize") => out.answer(message, json!({"capabilities": capabilities})),
        Some("shutdown") => out.answer(message, Value::Null),
        Some("exit") => out.die(),
        _ => {}
    }
}

/// A script that answers one method, and has the capabilities given.
pub(crate) fn answering(
    capabilities: Value,
    method: &'static str,
    answer: impl Fn(&Value, &mut Out) + Send + Sync + 'static,
) -> impl Fn(&Value, &mut Out) + Send + Sync + 'static {
    move |message, out| {
        hello(message, out, capabilities.clone());
        if message["method"] == method {
            answer(message, out);
        }
    }
}

pub(crate) fn uri_below(root: &AbsPath, path: &str) -> String {
    let path = root.join(path).unwrap();
    url::Url::from_file_path(path.as_path()).unwrap().into()
}

/// Two lines with two uses of `one`, the first behind a character of two UTF-16 units.
pub(crate) const SOURCE: &str = "let 😀 = one;\nlet two = one;\n";

pub(crate) fn spec() -> ServerSpec {
    let mut spec = ServerSpec::named("scripted");
    spec.languages = vec!["toy".into()];
    spec.extensions.insert("ts".into(), "typescript".into());
    spec
}

pub(crate) fn all_features() -> Value {
    json!({
        "renameProvider": {"prepareProvider": true},
        "definitionProvider": true,
        "referencesProvider": true,
        "documentSymbolProvider": true,
        "executeCommandProvider": {"commands": ["do"]},
        "workspace": {"fileOperations": {"willRename": {"filters": [
            {"scheme": "file", "pattern": {"glob": "**/*.{toy,ts}", "matches": "file"}},
        ]}}},
    })
}

pub(crate) fn edit(line: u32, from: u32, to: u32, text: &str) -> Value {
    json!({"range": {"start": {"line": line, "character": from}, "end": {"line": line, "character": to}}, "newText": text})
}

/// The document that a message is about.
pub(crate) fn document(message: &Value) -> String {
    message["params"]["textDocument"]["uri"].as_str().unwrap().to_owned()
}

pub(crate) fn project(method: &'static str, answer: impl Fn(&Value, &mut Out) + Send + Sync + 'static) -> Project {
    Project::new(&[("a.toy", SOURCE), ("b b.toy", "one\n")], answering(all_features(), method, answer))
}

pub(crate) fn place(project: &Project) -> Place {
    Place { path: project.path("a.toy"), offset: SOURCE.find("one").unwrap() }
}

pub(crate) async fn rename(project: &Project, server: &Server) -> Result<Option<Answer>, LspError> {
    server.rename(&place(project), "uno").await
}

async fn serve(pipe: DuplexStream, script: Arc<Script>, heard: Heard) {
    let (reader, mut writer) = tokio::io::split(pipe);
    let mut reader = BufReader::new(reader);
    while let Some(message) = read(&mut reader).await {
        let mut out = Out::default();
        script(&message, &mut out);
        if writer.write_all(&out.bytes).await.is_err() {
            return;
        }
        heard.0.send_modify(|all| all.push(message));
        if out.dies {
            return;
        }
    }
}

async fn read(reader: &mut (impl tokio::io::AsyncBufRead + Unpin)) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
        match line.trim().split_once(": ") {
            Some((_, value)) => length = value.parse().unwrap(),
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await.ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}
