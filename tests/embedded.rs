//! The embedded Solidity server, asked through the client that every server is asked through.

use lspwright::lsp::{Feature, Place, Server};
use lspwright::session::Session;
use lspwright::syntax::Language;
use lspwright::text::{AbsPath, Text};
use serde_json::{Value, json};
use std::sync::Arc;

use crate::support;

const FILES: &[(&str, &str)] = &[
    ("remappings.txt", "@base/=lib/base/src/\n"),
    ("foundry.toml", "[profile.default]\nsrc = \"src\"\n"),
    ("lib/base/src/Base.sol", "pragma solidity ^0.8.20;\nabstract contract Base { function run() public virtual; }\n"),
    (
        "src/Job.sol",
        "pragma solidity ^0.8.20;\nimport {Base} from \"@base/Base.sol\";\nimport {Name} from \"./Name.sol\";\n\
         /// @notice Does it.\ncontract Job is Base {\n    Name name; // 🦀\n    function run() public override { step(); }\n    \
         function step() internal { count += 1; }\n    uint256 count;\n}\n",
    ),
    ("src/Name.sol", "pragma solidity ^0.8.20;\ncontract Name {}\n"),
];

/// One project with the server that is asked about it.
struct Asked {
    session: Session,
    server: Arc<Server>,
}

impl Asked {
    async fn about(root: &std::path::Path) -> Self {
        let session = support::session(root);
        let server = session.server(Language::Solidity, Feature::Definition).await.unwrap();
        Self { session, server }
    }

    fn path(&self, path: &str) -> AbsPath {
        self.session.root().join(path).unwrap()
    }

    /// The place where `text` begins in a file.
    fn place(&self, path: &str, text: &str) -> Place {
        let path = self.path(path);
        let offset = self.session.disk().read(&path).unwrap().as_str().find(text).unwrap();
        Place { path, offset }
    }

    fn params(&self, path: &str, text: &str) -> Value {
        let place = self.place(path, text);
        let uri = url::Url::from_file_path(place.path.as_path()).unwrap();
        let before = self.session.disk().read(&place.path).unwrap().as_str()[..place.offset].to_owned();
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap_or_default().len();
        json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
    }
}

#[test]
fn what_is_declared_used_and_implemented_is_found() {
    let project = support::project(FILES);
    support::block_on(async {
        let asked = Asked::about(project.path()).await;
        let server = &asked.server;
        let base = server.definition(&asked.place("src/Job.sol", "Base {")).await.unwrap();
        assert_eq!(base[0].path, asked.path("lib/base/src/Base.sol"));
        let runs = server.references(&asked.place("src/Job.sol", "run()")).await.unwrap();
        assert_eq!(runs.len(), 2, "the override and what it overrides: {runs:?}");
        let real = server.implementation(&asked.place("lib/base/src/Base.sol", "run()")).await.unwrap();
        assert_eq!(real.iter().map(|one| &one.path).collect::<Vec<_>>(), [&asked.path("src/Job.sol")]);
        let symbols = server.document_symbols(&asked.path("src/Job.sol")).await.unwrap();
        let names: Vec<&str> = symbols[0].children.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["name", "run", "step", "count"]);
        let found = server.request("workspace/symbol", json!({"query": "ST"})).await.unwrap();
        assert_eq!(found[0]["name"], "step");
        let hover = server.request("textDocument/hover", asked.params("src/Job.sol", "Job is")).await.unwrap();
        let hover = hover["contents"]["value"].as_str().unwrap().to_owned();
        assert!(hover.contains("contract Job is Base") && hover.contains("Does it."), "{hover}");
        let step = server.request("textDocument/prepareCallHierarchy", asked.params("src/Job.sol", "step() int")).await;
        let item = step.unwrap()[0].clone();
        let callers = server.request("callHierarchy/incomingCalls", json!({"item": item})).await.unwrap();
        assert_eq!(callers[0]["from"]["name"], "run");
        asked.session.close().await;
    });
}

#[test]
fn a_change_in_memory_is_seen_and_a_broken_text_is_told() {
    let project = support::project(&[("a.sol", "contract A { uint256 x; function f() external { x = 1; } }\n")]);
    support::block_on(async {
        let asked = Asked::about(project.path()).await;
        let path = asked.path("a.sol");
        assert_eq!(asked.server.diagnostics(&path).await.unwrap(), []);
        let broken = Text::new("import './b.sol';\ncontract A { uint256 y; function f() external { x = 1; } }\n");
        asked.server.overlay(&path, Arc::new(broken)).await.unwrap();
        let found = asked.server.diagnostics(&path).await.unwrap();
        let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(messages, ["`./b.sol` is not found", "`x` is not declared"]);
        asked.server.drop_overlays().await;
        assert_eq!(asked.server.diagnostics(&path).await.unwrap(), []);
        asked.session.close().await;
    });
}

#[test]
fn several_files_and_folders_move_at_once() {
    let project = support::project(FILES);
    support::block_on(async {
        let asked = Asked::about(project.path()).await;
        let moves = [
            (asked.path("src/Name.sol"), asked.path("src/names/Name.sol")),
            (asked.path("src/Job.sol"), asked.path("src/jobs/Job.sol")),
        ];
        let answer = asked.server.will_rename_files(&moves).await.unwrap().whole();
        let edits: Vec<&str> = answer.edits.values().flatten().map(|edit| edit.new_text.as_str()).collect();
        assert_eq!(edits, ["../names/Name.sol"], "the remapped import stays as it is");
        asked.session.close().await;
    });
}
