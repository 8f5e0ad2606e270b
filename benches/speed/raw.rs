//! The minimal client: it starts the same server with the same settings and sends the bare request.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use lspwright::lsp::provision::{InstallStep, Progress};
use lspwright::lsp::{
    Config, ConfigSources, Environment, Feature, Guard, Host, InstallPolicy, Provisioned, Readiness, ServerName, Trust,
    provision,
};
use lspwright::text::AbsPath;
use lspwright::workspace::Dirs;
use serde_json::{Value, json};
use url::Url;

use crate::conversation::{Conversation, Framing};

/// The server that renames, as lspwright would start it.
pub fn provisioned(language: &str, root: &Path) -> Result<Provisioned, String> {
    let all = provisioned_for(language, (Feature::Rename, 1), root)?;
    all.into_iter().next().ok_or_else(|| "nobody renames this language".to_owned())
}

/// The first servers of a route, as lspwright would start them.
pub fn provisioned_for(
    language: &str,
    (feature, most): (Feature, usize),
    root: &Path,
) -> Result<Vec<Provisioned>, String> {
    let dirs = Dirs::of_user().map_err(|error| error.to_string())?;
    let environment = Environment::of_process();
    let root = AbsPath::new(root).map_err(|error| error.to_string())?;
    let sources = ConfigSources { environment: environment.clone(), ..ConfigSources::default() };
    let config = Config::load(&sources).map_err(|error| error.to_string())?;
    let route = config.route(language, feature);
    let host = Host {
        dirs: &dirs,
        environment: &environment,
        root: &root,
        trust: Trust::default(),
        policy: InstallPolicy::default(),
        progress: &Silent,
        guard: &Guard::none(),
        patience: None,
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let one = |name: &ServerName| {
        let spec = Arc::new(config.server(name).ok_or("the route names a server that is not there")?.clone());
        runtime.block_on(provision(&spec, &host)).map_err(|error| error.to_string())
    };
    route.iter().take(most).map(one).collect()
}

/// Starts the server, opens `files`, and waits until the server can answer completely.
pub fn start(server: &Provisioned, language: &str, root: &Path, files: &[&Path]) -> Result<Conversation, String> {
    let mut command = Command::new(&server.launch.program);
    command.args(&server.launch.args).envs(server.launch.env.clone()).current_dir(root);
    let mut talk = Conversation::start(&mut command, Framing::Header)?;
    talk.settings = server.spec.settings.clone();
    hello(&mut talk, root, &json!(server.spec.initialization_options))?;
    for file in files {
        open(&mut talk, file, language)?;
    }
    if matches!(server.spec.readiness, Readiness::Log { .. }) {
        talk.wait_for_log("source file")?;
    }
    Ok(talk)
}

/// Says hello, and returns what the server can do.
pub fn hello(talk: &mut Conversation, root: &Path, options: &Value) -> Result<Value, String> {
    let folder = uri(root);
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-16"] },
        "workspace": {
            "configuration": true, "workspaceFolders": true, "applyEdit": true,
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
            "fileOperations": { "dynamicRegistration": true, "willRename": true },
        },
        "textDocument": {
            "rename": { "prepareSupport": true },
            "diagnostic": { "dynamicRegistration": true },
            "publishDiagnostics": {},
            "codeAction": {
                "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["", "quickfix", "refactor", "source"] } },
                "dataSupport": true, "disabledSupport": true, "isPreferredSupport": true,
                "resolveSupport": { "properties": ["edit", "command"] },
            },
        },
        "window": { "workDoneProgress": true },
    });
    let params = json!({
        "processId": std::process::id(), "rootUri": folder, "capabilities": capabilities,
        "workspaceFolders": [{ "uri": folder, "name": "project" }],
        "initializationOptions": options,
    });
    let mut said = talk.request("initialize", &params)?;
    talk.notify("initialized", &json!({}))?;
    Ok(said["capabilities"].take())
}

/// Opens a file as an editor does.
pub fn open(talk: &mut Conversation, file: &Path, language: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let document = json!({ "uri": uri(file), "languageId": language, "version": 1, "text": text });
    talk.notify("textDocument/didOpen", &json!({ "textDocument": document }))
}

pub fn uri(path: &Path) -> String {
    Url::from_file_path(path).expect("the path is absolute").to_string()
}

/// A place in a file, 0-based, the character in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub file: PathBuf,
    pub line: u64,
    pub character: u64,
}

/// Asks for one rename.
pub fn rename(talk: &mut Conversation, spot: &Spot, to: &str) -> Result<Value, String> {
    let position = json!({ "line": spot.line, "character": spot.character });
    let document = json!({ "uri": uri(&spot.file) });
    talk.request("textDocument/rename", &json!({ "textDocument": document, "position": position, "newName": to }))
}

/// The edits of a rename that keep the old name for those behind a re-export.
pub fn reexports(answer: &Value, to: &str) -> Vec<Spot> {
    let changes = answer["changes"].as_object().into_iter().flatten();
    let keeps = format!("{to} as ");
    let spots = changes.flat_map(|(uri, edits)| edits.as_array().into_iter().flatten().map(move |edit| (uri, edit)));
    let kept = spots.filter(|(_, edit)| edit["newText"].as_str().is_some_and(|text| text.starts_with(&keeps)));
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    kept.filter_map(|(uri, edit)| {
        let (file, start) = (Url::parse(uri).ok()?.to_file_path().ok()?, &edit["range"]["start"]);
        Some(Spot { file, line: number(&start["line"]), character: number(&start["character"]) })
    })
    .collect()
}

/// The places that a `WorkspaceEdit` changes: file, line, character.
pub fn places(answer: &Value) -> BTreeSet<(String, u64, u64)> {
    let changes = answer["changes"].as_object().into_iter().flatten().map(|(uri, edits)| (uri.as_str(), edits));
    let documents = answer["documentChanges"].as_array().into_iter().flatten();
    let documents =
        documents.map(|change| (change["textDocument"]["uri"].as_str().unwrap_or_default(), &change["edits"]));
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let of_file = |(uri, edits): (&str, &Value)| {
        let starts = edits.as_array().into_iter().flatten().map(|edit| &edit["range"]["start"]);
        starts.map(|start| (uri.to_owned(), number(&start["line"]), number(&start["character"]))).collect::<Vec<_>>()
    };
    changes.chain(documents).flat_map(of_file).collect()
}

pub struct Silent;

impl Progress for Silent {
    fn step(&self, _server: &ServerName, _step: InstallStep<'_>) {}
}
