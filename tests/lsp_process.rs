//! Servers as processes: missing, crashing, killed, mute, and what is left of them when lspwright is gone.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lspwright::lsp::{Environment, Guard, Launch, LspError, Place, Server, ServerSpec, Trust};
use lspwright::text::AbsPath;
use lspwright::workspace::Disk;

use crate::support::block_on;

const DEADLINE: Duration = Duration::from_secs(20);
/// Tells the test below, run as a process of its own, where to note its server's processes.
const HOLDER: &str = "LSPWRIGHT_TEST_HOLDER";

fn guard() -> Guard {
    Guard::at(env!("CARGO_BIN_EXE_lspwright"))
}

fn variables() -> Vec<(OsString, OsString)> {
    let given = Environment::of_process().for_servers(Trust::Nothing).0.into_iter();
    given.map(|(name, value)| (name.into(), value.into())).collect()
}

fn launch(mode: &str, dir: &Path) -> Launch {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/child.mjs");
    Launch { program: "node".into(), args: vec![script.into(), mode.into(), dir.into()], env: variables() }
}

async fn start(mode: &str, dir: &Path, guard: &Guard) -> Result<Arc<Server>, LspError> {
    std::fs::write(dir.join("a.toy"), "one").unwrap();
    let disk = Disk::open(&AbsPath::new(dir).unwrap()).unwrap();
    let mut spec = ServerSpec::named("child");
    spec.timeouts.start = if mode == "mute" { Duration::from_millis(1500) } else { DEADLINE };
    spec.timeouts.shutdown = Duration::from_millis(300);
    Server::start(&spec, launch(mode, dir), &disk, guard).await
}

fn place(dir: &Path) -> Place {
    let path = AbsPath::new(dir.canonicalize().unwrap().join("a.toy")).unwrap();
    Place { path, offset: 0 }
}

fn pids(dir: &Path) -> Vec<u32> {
    let pids = std::fs::read_to_string(dir.join("pids")).unwrap_or_default();
    pids.lines().map(|pid| pid.parse().unwrap()).collect()
}

/// Tells whether a process is there and no zombie.
fn lives(pid: u32) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap();
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// Waits until `holds`, and fails with `what` if it does not in time.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < DEADLINE, "in time: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_missing_server_is_said_to_be_missing() {
    block_on(async {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk::open(&AbsPath::new(dir.path()).unwrap()).unwrap();
        for program in ["no-such-language-server", "/no/such/language-server"] {
            let launch = Launch { program: program.into(), args: Vec::new(), env: variables() };
            let error = Server::start(&ServerSpec::named("absent"), launch, &disk, &guard()).await.err().unwrap();
            assert!(matches!(&error, LspError::Missing { .. }), "{error:?}");
            assert!(error.to_string().contains(&format!("`{program}` is not there")), "{error}");
        }
    });
}

#[test]
fn a_server_that_crashes_at_the_start_is_quoted() {
    block_on(async {
        let dir = tempfile::tempdir().unwrap();
        for guard in [guard(), Guard::none()] {
            let error = start("crashes", dir.path(), &guard).await.err().unwrap();
            let LspError::StartFailed { reason, stderr, .. } = &error else { panic!("{error:?}") };
            assert!(reason.contains("exit status: 3"), "{reason}");
            assert!(stderr.ends_with("line 499\ncannot find the licence"), "{stderr}");
            assert_eq!(stderr.lines().count(), 200, "the last lines alone are kept");
        }
    });
}

#[test]
fn a_server_that_does_not_answer_at_the_start_is_killed() {
    block_on(async {
        let dir = tempfile::tempdir().unwrap();
        let error = start("mute", dir.path(), &guard()).await.err().unwrap();
        assert!(error.to_string().contains("did not answer `initialize` within 1.5 s"), "{error}");
        wait_until("the server is gone", || !pids(dir.path()).into_iter().any(lives));
        assert_eq!(pids(dir.path()).len(), 1);
    });
}

/// Returns how a server died, and whether it stays dead.
fn death(error: LspError) -> (String, String, bool) {
    let LspError::Died { status, stderr, too_often, .. } = error else { panic!("{error:?}") };
    (status, stderr, too_often.is_some())
}

#[test]
fn a_server_killed_in_the_middle_of_a_request_is_restarted() {
    block_on(async {
        for (mode, status) in [("dies", "exit status: 137"), ("closes", "it closed its output")] {
            let dir = tempfile::tempdir().unwrap();
            let server = start(mode, dir.path(), &guard()).await.unwrap();
            let at = place(dir.path());
            let begun = Instant::now();
            let error = server.rename(&at, "x").await.unwrap_err();
            assert!(begun.elapsed() < Duration::from_secs(5), "a death is noticed at once");
            assert_eq!(death(error), (status.to_owned(), "about to fall over".to_owned(), false));

            assert_eq!(server.definition(&at).await.unwrap(), [], "it has been restarted");
            assert_eq!(pids(dir.path()).len(), 2);
            drop(server);
            wait_until("both are gone", || !pids(dir.path()).into_iter().any(lives));
        }
    });
}

#[test]
fn a_server_that_dies_again_and_again_is_let_rest() {
    block_on(async {
        let dir = tempfile::tempdir().unwrap();
        let server = start("dies", dir.path(), &guard()).await.unwrap();
        let at = place(dir.path());
        let mut stays = Vec::new();
        for _ in 0..4 {
            stays.push(death(server.rename(&at, "x").await.unwrap_err()).2);
        }
        assert_eq!(stays, [false, false, false, true]);
        let error = server.definition(&at).await.unwrap_err();
        assert!(error.to_string().contains("died again after 3 restarts within 10 min"), "{error}");
        assert!(error.to_string().contains("it is not started again for 59"), "{error}");
        assert_eq!(pids(dir.path()).len(), 4, "it stays dead");
        wait_until("all are gone", || !pids(dir.path()).into_iter().any(lives));
    });
}

#[test]
fn what_a_server_started_goes_with_it() {
    block_on(async {
        for guard in [guard(), Guard::none()] {
            for mode in ["forks", "lingers"] {
                let dir = tempfile::tempdir().unwrap();
                let server = start(mode, dir.path(), &guard).await.unwrap();
                assert_eq!(pids(dir.path()).len(), 2);
                assert!(pids(dir.path()).into_iter().all(lives));
                server.shutdown().await;
                wait_until("all are gone after `shutdown`", || !pids(dir.path()).into_iter().any(lives));
                let after = server.definition(&place(dir.path())).await;
                assert!(matches!(after, Err(LspError::ShutDown { .. })), "{after:?}");
            }
            let dir = tempfile::tempdir().unwrap();
            drop(start("forks", dir.path(), &guard).await.unwrap());
            assert_eq!(pids(dir.path()).len(), 2);
            wait_until("all are gone after a drop", || !pids(dir.path()).into_iter().any(lives));
        }
    });
}

/// Run by the next test as a process of its own, which that test kills.
#[test]
#[ignore = "half of `no_orphan_outlives_a_kill`"]
fn holds_a_server() {
    let Some(dir) = std::env::var_os(HOLDER) else { return };
    block_on(async {
        let _server = start("forks", dir.as_ref(), &guard()).await.unwrap();
        std::fs::write(Path::new(&dir).join("started"), "").unwrap();
        std::future::pending::<()>().await;
    });
}

#[test]
fn no_orphan_outlives_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let mut holder = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "lsp_process::holds_a_server", "--ignored"])
        .env(HOLDER, dir.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the server has started", || dir.path().join("started").exists());
    let pids = pids(dir.path());
    assert_eq!(pids.len(), 2);
    assert!(pids.iter().copied().all(lives));
    holder.kill().unwrap();
    holder.wait().unwrap();
    wait_until("the server and its child are gone", || !pids.iter().copied().any(lives));
}

#[test]
fn the_guard_passes_on_how_the_command_ended() {
    let run = |script: &str| {
        let pid = std::process::id().to_string();
        let args = ["guard", &pid, "--", "sh", "-c", script];
        Command::new(env!("CARGO_BIN_EXE_lspwright")).args(args).stdin(Stdio::null()).output().unwrap()
    };
    assert_eq!(run("exit 7").status.code(), Some(7));
    assert_eq!(run("kill -9 $$").status.code(), Some(128 + 9));
    assert_eq!(run("echo out; echo err >&2").stdout, b"out\n");
    let missing = Command::new(env!("CARGO_BIN_EXE_lspwright"))
        .args(["guard", &std::process::id().to_string(), "--", "/no/such/program"])
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(127));
    let misused = Command::new(env!("CARGO_BIN_EXE_lspwright")).args(["guard", "sh"]).output().unwrap();
    assert_eq!(misused.status.code(), Some(2));
}
