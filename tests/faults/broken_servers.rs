//! Servers that answer wrongly, late or never, and environments without them.

use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;

use super::{command, faulty, mark, nothing_survives, places, run, wait_until};
use crate::faces::{Project, Ran, marked};

const LUA: &[(&str, &str)] = &[("a.lua", "local total = 1\nprint(total)\n"), ("../outside.lua", "total = 1\n")];
const RENAME: [&str; 5] = ["--project", ".", "rename", "a.lua:1:7", "sum"];

/// Asks for a rename of a server that is broken so; tells how that ended, once nothing was seen to be
/// written and nothing to be left.
fn refused(mode: &str) -> Ran {
    let project = Project::with(LUA);
    let before = project.files();
    let ran = run(faulty(&project, mode, &[&RENAME[..], &["--apply", "--verify", "none"]].concat()));
    assert_eq!(project.files(), before, "{mode}: {ran:?}");
    let outside = std::fs::read_to_string(project.outside().join("outside.lua")).unwrap();
    assert_eq!(outside, "total = 1\n", "{mode}: {ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains("\nhint: "), "{mode}: {ran:?}");
    assert_eq!(ran.stdout, "", "{mode}: {ran:?}");
    nothing_survives(&project);
    ran
}

fn check(mode: &str, code: i32, said: &str) {
    let ran = refused(mode);
    assert_eq!(ran.code, Some(code), "{mode}: {ran:?}");
    assert!(ran.stderr.contains(said), "{mode}: {ran:?}");
}

#[test]
fn an_honest_answer_of_the_same_server_is_taken() {
    let project = Project::with(LUA);
    let plan = run(faulty(&project, "honest", &[&RENAME[..], &["--output", "json"]].concat())).json();
    assert_eq!(places(&plan, &project.root()), ["a.lua:0:6", "a.lua:1:6"]);
    nothing_survives(&project);
}

#[test]
fn answers_that_make_no_plan_are_refused() {
    check("overlapping", 1, "two edits of the same place");
    check("outside", 1, "outside.lua`, which is outside the project");
    check("elsewhere", 1, "faulty found nothing to change for `total`, not even the name itself");
    check("empty", 1, "faulty found nothing to change for `total`");
    check("null", 1, "faulty would not rename `total`: it gave no reason");
}

#[test]
fn answers_that_cannot_be_read_are_the_servers_fault() {
    check("beyond", 3, "an edit of `");
    check("beyond", 3, "lies outside the text of 3 lines");
    check("garbage", 3, "answered `textDocument/rename` with something unusable");
}

#[test]
fn servers_that_never_answer_are_not_waited_for() {
    check("silent", 3, "did not answer `textDocument/rename` within 1 s");
    check("noise", 3, "it sent 1 malformed messages");
}

#[test]
fn a_server_that_dies_in_the_middle_is_told_with_its_last_words() {
    check("dies", 3, "server `faulty` died (exit status: 137); it wrote `asked to be dies`");
}

#[test]
fn without_node_the_way_to_mend_it_is_told() {
    let project = Project::with(&[("a.py", "total = 1\n")]);
    let mut rename = command(&project, &["--project", ".", "rename", "a.py:1:1", "amount", "--output", "json"]);
    let ran = run({
        rename.env("PATH", project.outside().join("nothing"));
        rename
    });
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let error = &ran.json()["error"];
    assert_eq!(error["kind"], "server-missing", "{ran:?}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("node") && !error["hints"].as_array().unwrap().is_empty(), "{ran:?}");
}

/// Kills lspwright as soon as `begun` processes work for it, and waits until they are gone.
fn killed_once(project: &Project, mut command: std::process::Command, begun: usize) {
    let mark = mark(project);
    let before = project.files();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the server runs", || marked(&mark).len() >= begun || child_ended(child.id()));
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9), "it had not ended by itself");
    nothing_survives(project);
    assert_eq!(project.files(), before);
}

pub(super) fn child_ended(pid: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    state.rsplit(") ").next().is_none_or(|rest| rest.starts_with('Z'))
}

#[test]
fn servers_go_when_lspwright_is_killed() {
    let python = Project::with(&[("a.py", "total = 1\n"), ("b.py", "from a import total\n")]);
    let rename = ["--project", ".", "rename", "a.py:1:1", "amount", "--apply"];
    // lspwright and the guard; then the server that the guard starts.
    killed_once(&python, command(&python, &rename), 2);
    killed_once(&python, command(&python, &rename), 3);
    // In the middle of a request, for this one never answers it.
    let lua = Project::with(LUA);
    killed_once(&lua, faulty(&lua, "silent", &RENAME), 3);
    // The journal is in order: the next one works.
    let ran = run(command(&python, &rename));
    assert_eq!((ran.code, python.text("b.py").as_str()), (Some(0), "from a import amount\n"), "{ran:?}");
    assert!(!ran.stderr.contains("recovered"), "{ran:?}");
    nothing_survives(&python);
}

/// typescript-language-server goes on without its tsserver, and answers every question with nothing.
#[test]
fn a_tsserver_that_runs_out_of_memory_is_no_empty_answer() {
    let project = Project::with(&[
        ("a.ts", "export const total = 1;\n"),
        ("b.ts", "import { total } from \"./a.js\";\ntotal;\n"),
    ]);
    let config = project.outside().join("small.toml");
    let options = "[servers.typescript-language-server.initialization-options]\nmaxTsServerMemory = 40\n";
    std::fs::write(&config, options).unwrap();
    let mut command = command(&project, &["--project", ".", "rename", "a.ts:1:14", "sum", "--apply"]);
    let ran = Ran::of(command.env("LSPWRIGHT_CONFIG", config).output().unwrap());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("died (tsserver ran out of memory; `maxTsServerMemory`"), "{ran:?}");
    assert!(project.text("b.ts").contains("total;"), "nothing was changed");
}
