//! The client against real servers, as they are installed for users.

use std::path::Path;
use std::sync::Arc;

use lspwright::lsp::{Feature, Guard, Host, LspError, Place, Prepared, Server, ServerName, Trust, provision};
use lspwright::text::{AbsPath, Text, TextEdits};
use lspwright::workspace::{Change, ChangeKind, Disk};

use crate::support::{block_on, options};

/// A project on the disk and a real server that works on it.
struct Real {
    _dir: tempfile::TempDir,
    disk: Disk,
    server: Arc<Server>,
}

impl Real {
    async fn start(server: &str, files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        // Spaces and letters beyond ASCII must come through URIs and command lines.
        let root = dir.path().join("a próject");
        for (path, text) in files {
            write(&root.join(path), text);
        }
        let options = options();
        let spec = options.config.server(&ServerName::new(server)).unwrap();
        let disk = Disk::open(&AbsPath::new(&root).unwrap()).unwrap();
        let host = Host {
            dirs: &options.dirs,
            environment: &options.environment,
            root: disk.root(),
            trust: Trust::Nothing,
            policy: options.install,
            progress: options.progress.as_ref(),
            guard: &options.guard,
            patience: None,
        };
        let provisioned = provision(spec, &host).await.unwrap();
        let guard = Guard::at(env!("CARGO_BIN_EXE_lspwright"));
        let server = Server::start(&provisioned.spec, provisioned.launch, &disk, &guard).await.unwrap();
        server.ready().await.unwrap();
        Self { _dir: dir, disk, server }
    }

    fn path(&self, path: &str) -> AbsPath {
        self.disk.root().join(path).unwrap()
    }

    /// The place of the first `$0`-less `needle` in a file.
    fn place(&self, path: &str, needle: &str) -> Place {
        let path = self.path(path);
        let offset = self.disk.read(&path).unwrap().as_str().find(needle).unwrap();
        Place { path, offset }
    }

    /// The texts after a rename, one after the other.
    async fn renamed(&self, place: &Place, new_name: &str) -> String {
        let answer = self.server.rename(place, new_name).await.unwrap().unwrap();
        let texts = answer
            .whole()
            .edits
            .into_iter()
            .map(|(path, edits)| TextEdits::new(edits).unwrap().apply(self.disk.read(&path).unwrap().as_str()));
        texts.collect::<Vec<_>>().join("---\n")
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
fn typescript_language_server() {
    script("typescript-language-server");
}

#[test]
fn vtsls() {
    script("vtsls");
}

fn script(name: &str) {
    block_on(async {
        let project = Real::start(
            name,
            &[
                ("tsconfig.json", r#"{"compilerOptions": {"strict": true}, "include": ["src"]}"#),
                ("src/user.ts", "export const greet = (name: string) => name;\nexport const three = 1 + 2;\n"),
                ("src/main.ts", "import { greet } from './user';\nconst odd = '\u{2028}😀'; greet(odd);\n"),
                ("src/grüße.ts", "import { greet } from './user';\nexport const two = greet('x') + greet('y');\n"),
            ],
        )
        .await;
        let server = &project.server;
        assert!(server.offers(Feature::Rename) && server.has_command("typescript.tsserverRequest"));
        let greet = project.place("src/user.ts", "greet");
        let prepared = server.prepare_rename(&greet).await.unwrap();
        assert!(matches!(prepared, Prepared::At { span, .. } if (span.start, span.end) == (13, 18)), "{prepared:?}");
        assert_eq!(
            project.renamed(&greet, "hello").await,
            "import { hello } from './user';\nexport const two = hello('x') + hello('y');\n---\n\
             import { hello } from './user';\nconst odd = '\u{2028}😀'; hello(odd);\n---\n\
             export const hello = (name: string) => name;\nexport const three = 1 + 2;\n"
        );
        let used = project.place("src/main.ts", "greet(odd)");
        assert_eq!(server.definition(&used).await.unwrap()[0].path, project.path("src/user.ts"));
        assert_eq!(server.references(&greet).await.unwrap().len(), 6);
        assert_eq!(server.document_symbols(&greet.path).await.unwrap()[0].name, "greet");

        let moved = (project.path("src/user.ts"), project.path("src/people/user.ts"));
        match server.will_rename_files(&[moved]).await {
            Ok(answer) => assert_eq!(answer.clone().whole().edits.len(), 2, "{answer:?}"),
            Err(error) => assert!(matches!(error, LspError::NotOffered { .. }) && name == "vtsls", "{error:?}"),
        }

        let broken = Arc::new(Text::new("export const other = 1;\n"));
        assert_eq!(server.diagnostics(&used.path).await.unwrap(), []);
        server.overlay(&greet.path, broken).await.unwrap();
        let problems = server.diagnostics(&used.path).await.unwrap();
        assert_eq!(problems[0].code.as_deref(), Some("TS2305"), "{problems:?}");
        server.drop_overlays().await;
        assert_eq!(server.diagnostics(&used.path).await.unwrap(), []);

        // Where the refactoring is a command, its edits come as a request of the server.
        if server.has_command("_typescript.applyRefactoring") {
            let extract = serde_json::json!({
                "file": greet.path.as_str(), "refactor": "Extract Symbol", "action": "constant_scope_0",
                "startLine": 2, "startOffset": 22, "endLine": 2, "endOffset": 27,
            });
            let done = server.execute_captured("_typescript.applyRefactoring", vec![extract]).await.unwrap();
            let edits = done.answers.into_iter().next().unwrap().whole().edits.remove(&greet.path).unwrap();
            let after = TextEdits::new(edits).unwrap().apply(project.disk.read(&greet.path).unwrap().as_str());
            assert!(after.contains("const newLocal = 1 + 2;\nexport const three = newLocal;"), "{after}");
        }

        let nowhere = project.place("src/main.ts", "'\u{2028}");
        let refused = server.prepare_rename(&nowhere).await;
        assert!(matches!(refused, Err(LspError::Refused { .. })), "{refused:?}");
        server.shutdown().await;
    });
}

#[test]
fn basedpyright() {
    python("basedpyright");
}

#[test]
fn pyright() {
    python("pyright");
}

fn python(name: &str) {
    block_on(async {
        let project = Real::start(
            name,
            &[
                ("pkg/__init__.py", ""),
                ("pkg/shape.py", "def area(side: int) -> int:\n    return side * side\n"),
                ("pkg/use.py", "from pkg.shape import area\nprint('😀', area(2))\n"),
            ],
        )
        .await;
        let server = &project.server;
        let area = project.place("pkg/shape.py", "area");
        assert_eq!(
            project.renamed(&area, "surface").await,
            "def surface(side: int) -> int:\n    return side * side\n---\n\
             from pkg.shape import surface\nprint('😀', surface(2))\n"
        );
        let place = project.place("pkg/use.py", "area(2)");
        assert_eq!(server.definition(&place).await.unwrap()[0].path, area.path);

        // A change on the disk, told: lines move.
        write(
            project.path("pkg/use.py").as_path(),
            "import os\nfrom pkg.shape import area\nprint(os.name, '😀', area(2))\n",
        );
        server.tell_changes(&[Change { path: project.path("pkg/use.py"), kind: ChangeKind::Changed }]).await;
        assert!(project.renamed(&area, "surface").await.contains("import os\nfrom pkg.shape import surface\n"));

        assert_eq!(server.diagnostics(&project.path("pkg/use.py")).await.unwrap(), []);
        server.overlay(&area.path, Arc::new(Text::new("def other() -> int:\n    return 1\n"))).await.unwrap();
        let problems = server.diagnostics(&project.path("pkg/use.py")).await.unwrap();
        assert_eq!(problems[0].code.as_deref(), Some("reportAttributeAccessIssue"), "{problems:?}");
        server.drop_overlays().await;
        assert_eq!(server.diagnostics(&project.path("pkg/use.py")).await.unwrap(), []);
        server.shutdown().await;
    });
}
