//! A rename across files through every server that `servers.toml` names, as it is configured there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lspwright::lsp::{Answer, Edits, Place, ServerName, Trust};
use lspwright::session::Session;
use lspwright::text::AbsPath;
use serde_json::Value;

use crate::faces::{Project, Ran};
use crate::support;

/// A symbol of a fixture project. Every mention of it is to change, but for lines that say `stays`.
struct Case {
    server: &'static str,
    fixture: &'static str,
    /// The file that is asked in, at the symbol's first mention there.
    file: &'static str,
    old: &'static str,
    new: &'static str,
}

const PYTHON: (&str, &str) = ("python", "src/shapes/__init__.py");
const SCRIPT: (&str, &str) = ("script", "src/shapes.ts");

#[test]
fn basedpyright() {
    snake("basedpyright", PYTHON);
}

#[test]
fn pyright() {
    snake("pyright", PYTHON);
}

#[test]
fn ty() {
    snake("ty", PYTHON);
}

#[test]
fn pyrefly() {
    snake("pyrefly", PYTHON);
}

#[test]
fn jedi_language_server() {
    snake("jedi-language-server", PYTHON);
}

#[test]
fn typescript_language_server() {
    camel("typescript-language-server", SCRIPT);
}

#[test]
fn vtsls() {
    camel("vtsls", SCRIPT);
}

#[test]
fn rust_analyzer() {
    snake("rust-analyzer", ("rust", "src/shapes.rs"));
}

#[test]
fn clangd() {
    snake("clangd", ("c", "shapes.c"));
}

#[test]
fn bash_language_server() {
    snake("bash-language-server", ("bash", "shapes.sh"));
}

#[test]
fn nomicfoundation_solidity() {
    camel("nomicfoundation-solidity", ("solidity", "src/Shapes.sol"));
}

/// rust-analyzer answers with the moves alone, and with the edits when it is asked about these.
#[test]
fn a_module_of_rust_is_renamed_with_its_files() {
    let project = Project::with(&[
        ("Cargo.toml", "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/main.rs", "mod deep;\nfn main() {\n    deep::inner::ho();\n}\n"),
        ("src/deep.rs", "pub mod inner;\n"),
        ("src/deep/inner.rs", "pub fn ho() {}\n"),
    ]);
    let applied =
        project.run(&["--project", ".", "rename", "src/main.rs:1:5", "depth", "--apply", "--verify", "syntax"]);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert_eq!(project.text("src/main.rs"), "mod depth;\nfn main() {\n    depth::inner::ho();\n}\n");
    assert_eq!(
        (project.text("src/depth.rs"), project.text("src/depth/inner.rs")),
        ("pub mod inner;\n".into(), "pub fn ho() {}\n".into())
    );
    assert!(!project.root().join("src/deep").join("inner.rs").exists());
}

/// What a macro does with its arguments is not seen where it is not expanded; rust-analyzer says why that is so.
#[test]
fn what_rust_analyzer_could_not_read_is_told() {
    let project = Project::with(&[
        ("Cargo.toml", "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/main.rs", "mod deep;\nfn main() {\n    println!(\"{}\", deep::wide());\n}\n"),
        (
            "src/deep.rs",
            "pub fn wide() -> u32 {\n    1\n}\npub struct Own;\nimpl Own {\n    pub fn wide(&self) {}\n}\n",
        ),
    ]);
    let config = project.outside().join("servers.toml");
    let without = "[servers.rust-analyzer]\ninitialization-options = { cargo = { sysrootSrc = \"/none\" } }\n";
    std::fs::write(&config, without).unwrap();
    let renamed = |config: Option<&Path>| {
        let words = ["rename", "src/deep.rs::wide", "broad", "--verify", "diagnostics", "--output", "json"];
        let mut command = project.command(&words);
        config.map(|config| command.env("LSPWRIGHT_CONFIG", config));
        Ran::of(command.output().unwrap()).json()
    };
    let told = |plan: &Value, kind: &str| {
        let warnings = plan["warnings"].as_array().unwrap().iter().filter(|warning| warning["kind"] == kind);
        warnings.map(|warning| warning["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let whole = renamed(None);
    let reason = whole["verification"]["reason"].as_str().unwrap_or_default();
    assert_eq!(whole["verification"]["status"], "possible", "{whole}");
    assert!(reason.starts_with("rust-analyzer does not find all"), "{whole}");
    assert!(told(&whole, "possible-use").is_empty() && told(&whole, "partly-read").is_empty(), "{whole}");
    let partial = renamed(Some(&config));
    assert_eq!(partial["verification"]["status"], "possible", "{partial}");
    assert!(told(&partial, "possible-use")[0].ends_with("the server does not know this place (line 3)"), "{partial}");
    assert!(told(&partial, "partly-read")[0].contains("sysroot"), "{partial}");
    let mut check = project.command(&["check", "--output", "json"]);
    let checked = Ran::of(check.env("LSPWRIGHT_CONFIG", &config).output().unwrap());
    assert_eq!(checked.code, Some(3), "{checked:?}");
    assert!(checked.stdout.contains("could not read all of the project"), "{checked:?}");
}

/// Nothing says how the header is compiled: clangd takes it for C++, and its function for another one than that of C.
#[test]
fn a_function_of_c_is_one_with_what_its_header_declares() {
    let project = Project::with(&[
        ("shapes.h", "int area_of(int width, int height);\n"),
        ("shapes.c", "#include \"shapes.h\"\nint area_of(int width, int height) {\n  return width * height;\n}\n"),
        (
            "main.c",
            "#include \"shapes.h\"\nint main(void) {\n  return area_of(3, 4);\n}\n\
             #ifdef NOWHERE\nint other(void) { return area_of(1, 2); }\n#endif\n",
        ),
        ("own.c", "static int area_of(int side) { return side; }\nint own(void) { return area_of(2); }\n"),
    ]);
    let plans: Vec<Value> = ["shapes.h:1:5", "shapes.c:2:5", "main.c:3:10"]
        .iter()
        .map(|from| {
            let words = ["--project", ".", "rename", from, "size_of_it", "--verify", "diagnostics", "--output", "json"];
            project.run(&words).json()
        })
        .collect();
    for plan in &plans {
        assert_eq!(plan["edits"].as_array().unwrap().len(), 3, "{plan}");
        assert_eq!(plan["verification"]["status"], "possible", "{plan}");
        assert_eq!(plan["planId"], plans[0]["planId"], "{plan}");
        let warnings = plan["warnings"].as_array().unwrap();
        assert_eq!(warnings.len(), 1, "{plan}");
        assert!(warnings[0]["message"].as_str().unwrap().contains("(line 6)"), "{plan}");
    }
}

/// The user prefers a server that renames and knows nothing of moves.
#[test]
fn what_a_preferred_server_lacks_is_done_by_the_next() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/others/solidity");
    let project = Project::with(&[]);
    copy(&fixture, &project.root());
    let config = project.outside().join("servers.toml");
    let prefers = "[servers.nomicfoundation-solidity]\nenabled = true\n\
                   [[routes]]\nlanguages = [\"solidity\"]\nservers = [\"nomicfoundation-solidity\", \"solidity\"]\n";
    std::fs::write(&config, prefers).unwrap();
    let planned = |words: &[&str]| {
        let mut command = project.command(&[words, &["--output", "json", "--trust-project"]].concat());
        Ran::of(command.env("LSPWRIGHT_CONFIG", &config).output().unwrap()).json()
    };
    let renamed = planned(&["rename", "src/Shapes.sol:Shapes.areaOf", "sizeOfIt"]);
    assert_eq!(renamed["edits"].as_array().unwrap().len(), 2, "{renamed}");
    let moved = planned(&["move", "src/Shapes.sol", "src/plane/Shapes.sol"]);
    assert_eq!(moved["edits"][0]["textEdits"][0]["newText"], "./plane/Shapes.sol", "{moved}");
}

#[test]
#[ignore = "needs gopls, which lspwright does not install"]
fn gopls() {
    let case = Case { server: "gopls", fixture: "go", file: "shapes/shapes.go", old: "AreaOf", new: "SizeOf" };
    case.run();
}

#[test]
#[ignore = "builds the server from source, for minutes"]
fn emmylua_ls() {
    snake("emmylua_ls", ("lua", "shapes.lua"));
}

fn snake(server: &'static str, (fixture, file): (&'static str, &'static str)) {
    Case { server, fixture, file, old: "area_of", new: "size_of_it" }.run();
}

fn camel(server: &'static str, (fixture, file): (&'static str, &'static str)) {
    Case { server, fixture, file, old: "areaOf", new: "sizeOfIt" }.run();
}

impl Case {
    fn run(&self) {
        let project = tempfile::tempdir().unwrap();
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/others").join(self.fixture);
        let texts = copy(&fixture, project.path());
        let answer = support::block_on(self.ask(project.path(), texts.keys()));
        let (edits, _) = answer.edits_alone().unwrap();
        for (file, before) in &texts {
            let path = AbsPath::new(project.path()).unwrap().join(file).unwrap();
            let after = apply(before, &edits, &path);
            assert_eq!(after, self.expected(before), "{}: {}", self.server, file.display());
        }
        assert_eq!(
            everything(project.path()),
            texts.keys().cloned().collect(),
            "{} writes into the project",
            self.server
        );
    }

    async fn ask(&self, project: &Path, files: impl Iterator<Item = &PathBuf>) -> Answer {
        let trust = match self.server {
            "nomicfoundation-solidity" | "pyrefly" => Trust::Project,
            _ => Trust::Nothing,
        };
        let session = Session::open(&AbsPath::new(project).unwrap(), support::trusting(trust)).unwrap();
        session.refresh().await;
        let server = session.named_server(&ServerName::new(self.server)).await.unwrap();
        let sources = files.filter(|file| server.spec().extensions.contains_key(&extension(file)));
        let sources: Vec<AbsPath> = sources.map(|file| session.root().join(file).unwrap()).collect();
        session.cover(&server, &sources).await.unwrap();
        let path = session.root().join(self.file).unwrap();
        let offset = self.offset(session.disk().read(&path).unwrap().as_str());
        let answer = server.rename(&Place { path, offset }, self.new).await;
        session.close().await;
        answer.unwrap().unwrap()
    }

    fn offset(&self, text: &str) -> usize {
        let lines = text.split_inclusive('\n');
        let before: usize =
            lines.take_while(|line| !line.contains(self.old) || line.contains("stays")).map(str::len).sum();
        before + text[before..].find(self.old).unwrap()
    }

    fn expected(&self, before: &str) -> String {
        let line = |line: &str| match line.contains("stays") {
            true => line.to_owned(),
            false => line.replace(self.old, self.new),
        };
        before.split_inclusive('\n').map(line).collect()
    }
}

fn extension(file: &Path) -> String {
    file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_owned()
}

/// Copies a fixture, with its new place for `@ROOT@`, and returns its texts by relative path.
fn copy(from: &Path, to: &Path) -> BTreeMap<PathBuf, String> {
    let mut texts = BTreeMap::new();
    let mut dirs = vec![PathBuf::new()];
    while let Some(dir) = dirs.pop() {
        std::fs::create_dir_all(to.join(&dir)).unwrap();
        for entry in std::fs::read_dir(from.join(&dir)).unwrap() {
            let file = dir.join(entry.unwrap().file_name());
            if from.join(&file).is_dir() {
                dirs.push(file);
                continue;
            }
            let text = std::fs::read_to_string(from.join(&file)).unwrap();
            let text = text.replace("@ROOT@", to.to_str().unwrap());
            std::fs::write(to.join(&file), &text).unwrap();
            texts.insert(file, text);
        }
    }
    texts
}

/// Returns every file below a directory, by relative path.
fn everything(dir: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(inner) = dirs.pop() {
        for path in std::fs::read_dir(inner).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => dirs.push(path),
                false => drop(found.insert(path.strip_prefix(dir).unwrap().to_owned())),
            }
        }
    }
    found
}

fn apply(before: &str, edits: &Edits, path: &AbsPath) -> String {
    let mut after = before.to_owned();
    for edit in edits.get(path).into_iter().flatten().rev() {
        after.replace_range(edit.span.start..edit.span.end, &edit.new_text);
    }
    after
}
