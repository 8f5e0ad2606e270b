//! The daemon: the same answers as without it, from warm servers; and the same again where it fails.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::explore::{begun, said};
use crate::faces::{Project, Ran};
use crate::mcp::Client;

/// A project whose commands share a daemon that nobody else has.
struct Shared {
    project: Project,
    runtime: tempfile::TempDir,
}

impl Shared {
    fn of(fixture: &str) -> Self {
        Self::around(Project::of(fixture))
    }

    fn around(project: Project) -> Self {
        Self { project, runtime: tempfile::tempdir().unwrap() }
    }

    /// The binary, as a user without settings of his own starts it.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.project.command(args);
        command.env_remove("LSPWRIGHT_DAEMON").env_remove("CI").env("XDG_RUNTIME_DIR", self.runtime.path());
        command.stdin(Stdio::null());
        command
    }

    /// An MCP client whose server starts as a user's does.
    fn client(&self, args: &[&str]) -> Client {
        let mut client = Client::start(self.command(&[&["serve", "--project", "."], args].concat()));
        client.initialize("2025-11-25");
        client
    }

    fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().unwrap())
    }

    /// What the daemon is at; nothing where there is none.
    fn status(&self) -> Option<Value> {
        let ran = self.run(&["daemon", "status", "--output", "json"]);
        serde_json::from_str(&ran.stdout).ok()
    }

    fn pid(&self) -> u64 {
        self.status().expect("a daemon")["pid"].as_u64().unwrap()
    }

    fn signal(&self, signal: &str, pid: u64) {
        assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
    }

    fn sockets(&self) -> Vec<PathBuf> {
        let dir = std::fs::read_dir(self.runtime.path().join("lspwright")).into_iter().flatten().flatten();
        dir.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|it| it == "sock")).collect()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.run(&["daemon", "stop"]);
    }
}

const RENAME: [&str; 3] = ["rename", "shop/order.py::Order", "Basket"];

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_out_is_told_with_and_without_it() {
    let shared = Shared::of("python-shop");
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    for switch in [&[][..], &["--no-daemon"]] {
        let mut command = shared.command(&[&["outline", "shop/order.py"], switch].concat());
        let ran = Ran::of(command.stdout(full()).stderr(Stdio::piped()).output().unwrap());
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.starts_with("error: stdout cannot be written: "), "{ran:?}");
    }
    shared.pid();
}

#[test]
fn every_command_says_the_same_with_and_without_it() {
    let shared = Shared::of("python-shop");
    std::fs::write(
        shared.project.outside().join("plan.json"),
        shared.run(&["rename", "shop/order.py::Order", "Basket", "--output", "json", "--no-daemon"]).stdout,
    )
    .unwrap();
    let lines: [&[&str]; 16] = [
        &RENAME,
        &["rename", "shop/order.py::Order", "Basket", "--output", "json", "--verify", "diagnostics"],
        &["rename", "shop/order.py::Order", "class"],
        &["rename", "shop/order.py::Nobody", "Basket"],
        &["move", "shop/order.py", "shop/basket.py", "--output", "patch"],
        &["verify", "../plan.json"],
        &["refactor", "shop/order.py::Order", "--output", "json"],
        &["problems", "--output", "json"],
        &["outline", "shop/order.py"],
        &["find", "Order", "--output", "json"],
        &["uses", "shop/order.py::Order"],
        &["callers", "shop/order.py::Order::total"],
        &["smells", "shop"],
        &["inspect", "shop"],
        &["metrics", "shop"],
        &["peek", "shop/nowhere.py"],
    ];
    for line in lines {
        let (with, without) = (shared.run(line), shared.run(&[line, &["--no-daemon"]].concat()));
        assert_eq!((with.code, &with.stdout), (without.code, &without.stdout), "{line:?}\n{}", with.stderr);
        let remarks = |ran: &Ran| {
            let steps = ["starting", "indexing", "reading", "loading"];
            let lines = ran.stderr.lines().filter(|line| !steps.iter().any(|step| line.contains(step)));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(remarks(&with), remarks(&without), "{line:?}");
    }
    let status = shared.status().expect("a daemon was started by itself");
    assert_eq!(status["projects"].as_array().unwrap().len(), 1, "{status}");
    assert_eq!(shared.sockets().len(), 1);
}

#[test]
fn stdin_and_writing_work_through_it() {
    let shared = Shared::of("python-shop");
    let before = shared.project.files();
    let plan = shared.run(&[&RENAME[..], &["--output", "json"]].concat()).ok();
    let mut verify = shared
        .command(&["verify", "-", "--output", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut verify.stdin.take().unwrap(), plan.as_bytes()).unwrap();
    let verified: Value = serde_json::from_slice(&verify.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(verified["verification"]["status"], "clean", "{verified}");
    let applied = shared.run(&[&RENAME[..], &["--apply"]].concat());
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert!(shared.project.text("shop/order.py").contains("class Basket"));
    shared.run(&["rename", "shop/order.py::Basket", "Order"]).ok();
    assert_eq!(shared.run(&["undo"]).code, Some(0));
    assert_eq!(shared.project.files(), before);
    // What was undone is seen by the servers that were told of it.
    let again = shared.run(&[&RENAME[..], &["--output", "json"]].concat()).ok();
    assert_eq!(again, plan);
}

#[test]
fn drafts_of_others_are_seen_as_they_come_and_go() {
    let shared = Shared::around(Project::with(&[
        ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"),
        ("order.py", "def total() -> int:\n    return 1\n"),
        ("till.py", "from order import total\n"),
    ]));
    let rename = ["rename", "order.py::total", "amount", "--output", "json"];
    let edited = |ran: Ran| {
        let files = ran.json()["edits"].as_array().unwrap().clone();
        files.iter().map(|file| file["textEdits"].as_array().unwrap().len()).sum::<usize>()
    };
    assert_eq!(edited(shared.run(&rename)), 2);
    let mut client = begun(&shared.project, "explore,write");
    said(&mut client, "add_declaration", json!({"path": "till.py", "source": "def pay() -> int:\n    return total()"}));
    assert_eq!(edited(shared.run(&rename)), 3, "the draft uses it");
    let refused = shared.run(&[&rename[..], &["--apply"]].concat());
    assert!(refused.stderr.contains("has a draft that is not saved"), "{refused:?}");
    said(&mut client, "discard", json!({}));
    assert_eq!(edited(shared.run(&rename)), 2);
}

#[test]
fn callers_who_differ_share_no_servers() {
    let shared = Shared::of("python-shop");
    shared.run(&RENAME).ok();
    let environment = shared.project.outside().join("other");
    assert!(
        Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&environment).status().unwrap().success()
    );
    Ran::of(shared.command(&RENAME).env("VIRTUAL_ENV", &environment).output().unwrap()).ok();
    let projects = |status: Option<Value>| status.unwrap()["projects"].as_array().unwrap().len();
    assert_eq!(projects(shared.status()), 2, "an environment of its own, servers of its own");
    Ran::of(shared.command(&RENAME).env("WHATEVER", "1").output().unwrap()).ok();
    assert_eq!(projects(shared.status()), 2, "what no server sees makes no difference");
    // Trust is a caller's, too.
    shared.run(&[&RENAME[..], &["--trust-project"]].concat()).ok();
    assert_eq!(projects(shared.status()), 3);
}

#[test]
fn what_the_servers_stand_on_is_looked_at_again() {
    let shared = Shared::of("python-shop");
    shared.run(&RENAME).ok();
    let config = shared.project.outside().join("config/lspwright/servers.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "[servers.basedpyright]\ncommand = [\"/nowhere/server\"]\n").unwrap();
    let (with, without) = (shared.run(&RENAME), shared.run(&[&RENAME[..], &["--no-daemon"]].concat()));
    assert_eq!(
        (with.code, &with.stderr),
        (without.code, &without.stderr),
        "a configuration that changed holds at once"
    );
    assert_ne!(with.code, Some(0));
    std::fs::remove_file(&config).unwrap();
    shared.run(&RENAME).ok();
}

#[test]
fn a_daemon_that_is_lost_is_done_without() {
    let shared = Shared::of("python-shop");
    let expected = shared.run(&[&RENAME[..], &["--no-daemon"]].concat()).ok();
    assert_eq!(shared.run(&RENAME).ok(), expected);
    // Killed while it is at it.
    let pid = shared.pid();
    shared.signal("-STOP", pid);
    let waiting = spawned(&mut shared.command(&RENAME));
    shared.signal("-KILL", pid);
    assert_eq!(Ran::of(waiting.wait_with_output().unwrap()).ok(), expected);
    // What it has left behind keeps no other from being started.
    assert_eq!(shared.run(&RENAME).ok(), expected);
    let next = shared.pid();
    assert_ne!(next, pid);
    // One that hangs is waited for no longer than it takes to be sure.
    shared.signal("-STOP", next);
    assert_eq!(shared.run(&RENAME).ok(), expected);
    shared.signal("-CONT", next);
    assert_eq!(shared.run(&RENAME).ok(), expected);
    assert_eq!(shared.pid(), next);
}

#[test]
fn a_caller_that_is_killed_leaves_nothing_running() {
    let shared = Shared::of("python-shop");
    shared.run(&RENAME).ok();
    let mut waiting =
        spawned(&mut shared.command(&["rename", "shop/order.py::Order", "Basket", "--verify", "diagnostics"]));
    let is_running = |wanted: u64| shared.status().unwrap()["running"] == wanted;
    within(Duration::from_secs(20), || is_running(1) || waiting.try_wait().unwrap().is_some());
    waiting.kill().unwrap();
    waiting.wait().unwrap();
    within(Duration::from_secs(20), || is_running(0));
    shared.run(&RENAME).ok();
    // One that is interrupted says so, as it does without the daemon.
    let (daemon, checked) = (shared.pid(), ["rename", "shop/order.py::Order", "Basket", "--verify", "diagnostics"]);
    shared.signal("-STOP", daemon);
    let waiting = spawned(&mut shared.command(&checked));
    let listens = |pid: u32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim().to_owned();
        u64::from_str_radix(&caught, 16).unwrap_or(0) & (1 << 1) != 0
    };
    within(Duration::from_secs(20), || listens(waiting.id()));
    shared.signal("-INT", waiting.id().into());
    shared.signal("-CONT", daemon);
    let ran = Ran::of(waiting.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(130), ""), "{ran:?}");
}

#[test]
fn it_stays_out_where_it_is_not_wanted() {
    let shared = Shared::of("python-shop");
    let outline = ["outline", "shop/order.py"];
    Ran::of(shared.command(&outline).env("CI", "true").output().unwrap()).ok();
    Ran::of(shared.command(&outline).env("LSPWRIGHT_DAEMON", "never").output().unwrap()).ok();
    shared.run(&["outline", "shop/order.py", "--no-daemon"]).ok();
    shared.run(&["doctor"]);
    assert_eq!(shared.sockets(), Vec::<PathBuf>::new());
    assert_eq!(shared.run(&["daemon", "status"]).ok(), "no daemon is running\n");
    assert_eq!(shared.run(&["daemon", "stop"]).ok(), "no daemon is running\n");
    // Where it cannot be started a command runs all the same.
    std::fs::remove_dir_all(shared.runtime.path().join("lspwright")).unwrap();
    std::fs::write(shared.runtime.path().join("lspwright"), "a file").unwrap();
    shared.run(&outline).ok();
}

#[test]
fn another_build_of_the_program_has_a_daemon_of_its_own() {
    let shared = Shared::around(Project::with(&[("a.py", "def total():\n    return 1\n")]));
    let program = shared.project.outside().join("lspwright");
    let install = || {
        let _ = std::fs::remove_file(&program);
        std::fs::copy(env!("CARGO_BIN_EXE_lspwright"), &program).unwrap();
    };
    let run = |args: &[&str]| {
        let like = shared.command(args);
        let mut command = Command::new(&program);
        command.args(args).current_dir(shared.project.root()).stdin(Stdio::null());
        command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
        for (name, _) in like.get_envs().filter(|(_, value)| value.is_none()) {
            command.env_remove(name);
        }
        Ran::of(command.output().unwrap())
    };
    let pid = || run(&["daemon", "status", "--output", "json"]).json()["pid"].as_u64().unwrap();
    install();
    run(&["outline", "a.py"]).ok();
    let old = pid();
    install();
    run(&["outline", "a.py"]).ok();
    assert_ne!(pid(), old, "an upgrade is not answered by what was there before");
    run(&["daemon", "stop"]).ok();
    shared.signal("-TERM", old);
}

#[test]
fn two_hundred_calls_at_once_are_all_answered() {
    let shared = Shared::of("python-shop");
    let expected = shared.run(&["outline", "shop/order.py"]).ok();
    let calls: Vec<Child> = (0..200).map(|_| spawned(&mut shared.command(&["outline", "shop/order.py"]))).collect();
    for call in calls {
        assert_eq!(Ran::of(call.wait_with_output().unwrap()).ok(), expected);
    }
    assert_eq!(shared.sockets().len(), 1);
}

fn renamed(client: &mut Client) -> Value {
    said(client, "planRenameSymbol", json!({"target": "shop/order.py::Order", "newName": "Basket"}))
}

#[test]
fn clients_and_the_shell_share_one_set_of_servers() {
    let shared = Shared::of("python-shop");
    let expected = shared.run(&[&RENAME[..], &["--output", "json"]].concat()).json();
    let (mut one, mut other) = (shared.client(&[]), shared.client(&["--read-only"]));
    for client in [&mut one, &mut other] {
        assert_eq!(renamed(client)["edits"], expected["edits"]);
    }
    let projects = shared.status().expect("a daemon")["projects"].as_array().unwrap().len();
    assert_eq!(projects, 1, "the same servers answer all three");
    // What a client may do is its own.
    let apply = json!({"name": "applyPlan", "arguments": {"planId": expected["planId"]}});
    assert!(other.request("tools/call", apply)["error"].to_string().contains("no tool `applyPlan`"));
    drop(one);
    assert_eq!(renamed(&mut other)["edits"], expected["edits"], "one that leaves takes nothing with it");
}

#[test]
fn a_conversation_outlives_its_daemon() {
    let shared = Shared::of("python-shop");
    let mut client = shared.client(&[]);
    let expected = renamed(&mut client);
    let first = shared.pid();
    shared.signal("-KILL", first);
    assert_eq!(renamed(&mut client), expected);
    let next = shared.pid();
    assert_ne!(next, first, "another one is started for what comes next");
    // Lost in the middle of a call.
    shared.signal("-STOP", next);
    let call =
        json!({"name": "planRenameSymbol", "arguments": {"target": "shop/order.py::Order", "newName": "Basket"}});
    let asked = client.begin("tools/call", call);
    shared.signal("-KILL", next);
    assert_eq!(client.answer(asked)["result"]["structuredContent"], expected);
    // One that hangs is done without.
    let last = shared.pid();
    shared.signal("-STOP", last);
    assert_eq!(renamed(&mut client), expected);
    shared.signal("-CONT", last);
}

#[test]
fn what_runs_programs_of_the_project_does_so_where_it_was_started() {
    let shared = Shared::of("python-shop");
    for args in [&["--toolsets", "plan,build"][..], &["--toolsets", "coding"], &["--allow-commands"], &["--no-daemon"]]
    {
        shared.client(args);
    }
    assert_eq!(shared.sockets(), Vec::<PathBuf>::new());
}

fn spawned(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Looks until something is so.
fn within(patience: Duration, is_so: impl FnMut() -> bool) {
    let (late, mut is_so) = (Instant::now() + patience, is_so);
    while !is_so() {
        assert!(Instant::now() < late, "it is not so after {patience:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
