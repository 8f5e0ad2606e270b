//! What the integration tests share: a session on a project, and projects written from text.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use lspwright::lsp::{Config, ConfigSources, Environment, Guard, InstallPolicy, Trust};
use lspwright::session::{Options, Session, Settled};
use lspwright::text::AbsPath;
use lspwright::workspace::Dirs;

/// Options as the binary has them: servers are installed into the user's own cache, once for all tests.
pub(crate) fn options() -> Options {
    trusting(Trust::Nothing)
}

/// The same, for a user who trusts the project, or does not.
pub(crate) fn trusting(trust: Trust) -> Options {
    let environment = Environment::of_process();
    let sources = ConfigSources { environment: environment.clone(), trust, ..ConfigSources::default() };
    Options {
        config: Arc::new(Config::load(&sources).expect("the compiled-in servers.toml is right")),
        dirs: Dirs::of_user().expect("a home directory"),
        install: InstallPolicy::of(&environment),
        environment: Arc::new(environment),
        progress: Arc::new(lspwright::lsp::provision::Silent),
        guard: Guard::at(env!("CARGO_BIN_EXE_lspwright")),
        patience: None,
        settled: Settled::default(),
    }
}

/// Opens a session on a directory.
pub(crate) fn session(root: &Path) -> Session {
    let root = AbsPath::new(root).expect("a temporary directory's path is absolute");
    Session::open(&root, options()).expect("the directory is there")
}

/// Runs a test's future with the runtime that the binary has.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime can be built").block_on(future)
}

/// Writes a project into a temporary directory.
pub(crate) fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    dir
}

/// Writes a program that can be run at once.
///
/// Another process writes it: a test beside this one may start a program at that instant, whose process would hold the
/// file open for writing between its fork and its exec, and what is open for writing cannot be run (`ETXTBSY`).
pub(crate) fn program(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file has a directory")).expect("a directory");
    let mut writer = Command::new("sh");
    writer.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut writer = writer.spawn().expect("a shell");
    writer.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    assert!(writer.wait().expect("it ends").success(), "`{}` is not written", path.display());
}
