//! What the tests of the two faces share: the binary, a project to work on, and golden files.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// A copy of a fixture, and a state directory beside it, so that no test sees another's journal.
pub(crate) struct Project {
    dir: tempfile::TempDir,
    name: &'static str,
}

impl Project {
    pub(crate) fn of(fixture: &str) -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap(), name: "project" };
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(fixture);
        copy(&from, &project.root());
        project
    }

    /// A project of these files, in a directory of that name.
    pub(crate) fn named(name: &'static str, files: &[(&str, &str)]) -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap(), name };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        Self::named("project", files)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.outside().join(self.name)
    }

    /// The directory around the project.
    pub(crate) fn outside(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap()
    }

    /// The binary, started in the project; servers come from the user's own cache.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_lspwright"));
        command.args(args);
        command
    }

    /// Any program, started in the project, with what the binary needs should it be started from there.
    pub(crate) fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.root()).env("XDG_STATE_HOME", self.dir.path().join("state"));
        command.env("XDG_CONFIG_HOME", self.dir.path().join("config")).env_remove("LSPWRIGHT_CONFIG");
        // What programs of the project build is theirs.
        command.env_remove("CARGO_TARGET_DIR").env("LSPWRIGHT_DAEMON", "never");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).stdin(std::process::Stdio::null()).output().unwrap())
    }

    /// All files with their bytes.
    pub(crate) fn files(&self) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
        let walk = ignore::WalkBuilder::new(self.root()).standard_filters(false).build().map(Result::unwrap);
        let files = walk.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
        files.map(|entry| (entry.path().to_owned(), std::fs::read(entry.path()).unwrap())).collect()
    }
}

/// How a run of the binary ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The stdout of a run that went well.
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Compares with a golden file; `UPDATE=1` writes it instead.
pub(crate) fn golden(name: &str, got: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, got).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(got, expected, "tests/golden/{name} says otherwise; UPDATE=1 rewrites it");
}

/// Processes that carry this mark in their environment, as the kernel tells.
#[cfg(target_os = "linux")]
pub(crate) fn marked(mark: &str) -> Vec<u32> {
    let processes =
        std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let has_mark = |pid: &u32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.windows(mark.len()).any(|window| window == mark.as_bytes())
    };
    processes.filter(has_mark).collect()
}

/// Reads TOON with the npm package of the format's authors, fetched once.
pub(crate) fn decoded(toon: &str) -> serde_json::Value {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    let directory = PACKAGE.get_or_init(|| installed("toon-4.4.0", "@toon-format/toon@4.4.0"));
    told_by("tests/toon.mjs", directory, toon)
}

/// Returns what the published schema finds wrong in SARIF.
pub(crate) fn wrong_in_sarif(text: &str) -> serde_json::Value {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    let directory = PACKAGE.get_or_init(|| installed("jest-sarif-1.0.0-beta.0", "@microsoft/jest-sarif@1.0.0-beta.0"));
    told_by("tests/sarif.mjs", directory, text)
}

/// Installs an npm package into a directory of its own.
fn installed(directory: &str, package: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(directory);
    let options = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
    let installed = Command::new("npm").args(options).arg(&directory).arg(package).status().unwrap();
    assert!(installed.success(), "`{package}` can be installed");
    directory
}

/// Lets a script with an installed package read a text, and returns what it says.
fn told_by(script: &str, directory: &Path, text: &str) -> serde_json::Value {
    let mut node = Command::new("node");
    node.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script)).arg(directory);
    let mut child = node.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(0), "{}\n{text}", ran.stderr);
    ran.json()
}
