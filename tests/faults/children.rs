//! Programs that lspwright runs: none of them outlives it, and none is waited for without end.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{command, faulty, mark, nothing_survives, run, wait_until};
use crate::faces::{Project, Ran, marked};
use crate::support;

const LUA: &[(&str, &str)] = &[("a.lua", "local total = 1\nprint(total)\n")];
const RENAME: [&str; 5] = ["--project", ".", "rename", "a.lua:1:7", "sum"];
/// Sleeps in its own group, in another session, and in another session whose father has died.
const SLEEPS: &str = "sleep 1000 & setsid sleep 1000 & setsid sh -c 'sleep 1000 & sleep 1000 & exit' & echo begun > \"$LSPWRIGHT_TEST_BEGUN\"; wait";

/// Puts a program on the path that a command looks for others on.
fn put(project: &Project, name: &str, script: &str) -> std::path::PathBuf {
    let bin = project.outside().join("bin");
    support::program(&bin.join(name), &format!("#!/bin/sh\n{script}\n"));
    bin
}

fn with_path(command: &mut Command, bin: &std::path::Path) {
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    command.env("PATH", path);
}

/// Starts a command, sends it a signal once a program of its own has begun, and waits until nothing is left.
fn stopped_by(project: &Project, mut command: Command, signal: Signal) {
    let begun = project.outside().join("begun");
    std::fs::remove_file(&begun).ok();
    command.env("LSPWRIGHT_TEST_BEGUN", &begun);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = child.id();
    wait_until("the program runs", || begun.exists() || super::broken_servers::child_ended(pid));
    assert!(begun.exists(), "{:?}", Ran::of(child.wait_with_output().unwrap()));
    let mark = mark(project);
    wait_until("all of it runs", || marked(&mark).len() >= 6);
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
    let begun = Instant::now();
    child.wait().unwrap();
    nothing_survives(project);
    assert!(begun.elapsed() < Duration::from_secs(200), "it was not for the program to end");
}

const SIGNALS: [Signal; 3] = [Signal::KILL, Signal::TERM, Signal::INT];

fn checked(project: &Project, line: &str, more: &[&str]) -> Command {
    let project_check = ["--verify", "project", "--check", line];
    faulty(project, "honest", &[&RENAME[..], &project_check, more].concat())
}

#[test]
fn a_check_goes_when_lspwright_is_stopped() {
    for signal in SIGNALS {
        let project = Project::with(LUA);
        stopped_by(&project, checked(&project, SLEEPS, &[]), signal);
    }
}

/// Whoever started lspwright may not have noticed yet that it is gone: a guard ends its own group, and never that one.
#[test]
fn the_group_of_a_killed_lspwright_stays() {
    use std::os::unix::process::CommandExt as _;
    let project = Project::with(LUA);
    let mut neighbour = Command::new("sleep").arg("1000").process_group(0).spawn().unwrap();
    let begun = project.outside().join("begun");
    let mut check = checked(&project, SLEEPS, &[]);
    check.env("LSPWRIGHT_TEST_BEGUN", &begun).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = check.process_group(i32::try_from(neighbour.id()).unwrap()).spawn().unwrap();
    wait_until("the program runs", || begun.exists());
    // Killed and not waited for, it stays as a zombie of its group.
    child.kill().unwrap();
    nothing_survives(&project);
    assert!(neighbour.try_wait().unwrap().is_none(), "the group was killed");
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
    child.wait().unwrap();
}

#[test]
fn an_installer_goes_when_lspwright_is_stopped() {
    for signal in SIGNALS {
        let project = Project::with(LUA);
        let mut install = command(&project, &["servers", "install", "pyright"]);
        with_path(&mut install, &put(&project, "npm", SLEEPS));
        install.env("XDG_CACHE_HOME", project.outside().join("cache"));
        stopped_by(&project, install, signal);
    }
}

#[test]
fn a_compiler_goes_when_lspwright_is_stopped() {
    let source = "// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\ncontract A { uint total; }\n";
    let solc = format!("[ \"$1\" = --version ] && echo 'Version: 0.8.28+commit' && exit; {SLEEPS}");
    let project = Project::with(&[("a.sol", source)]);
    let mut rename = command(&project, &["--project", ".", "rename", "a.sol:3:19", "sum", "--verify", "diagnostics"]);
    with_path(&mut rename, &put(&project, "solc", &solc));
    rename.env("HOME", project.outside());
    stopped_by(&project, rename, Signal::KILL);
}

#[test]
fn what_a_server_left_behind_goes_when_it_dies() {
    let project = Project::with(LUA);
    let ran = run(faulty(&project, "daemons", &RENAME));
    assert!(ran.stderr.contains("died (exit status: 137); it wrote `asked to be daemons`"), "{ran:?}");
    nothing_survives(&project);
}

#[test]
fn a_check_that_takes_too_long_is_ended() {
    let project = Project::with(LUA);
    let line = format!("LSPWRIGHT_TEST_BEGUN=/dev/null; {SLEEPS}");
    let before = Instant::now();
    let ran = run(checked(&project, &line, &["--check-timeout", "1", "--output", "json"]));
    assert!(before.elapsed() < Duration::from_secs(60), "{ran:?}");
    let found = &ran.json()["verification"];
    assert_eq!(found["status"], "unverified", "{ran:?}");
    let reason = found["reason"].as_str().unwrap();
    assert!(reason.ends_with("did not end within 1 s, and was killed with all that it had started"), "{reason}");
    nothing_survives(&project);
}

#[test]
fn a_check_that_leaves_something_behind_is_not_waited_for() {
    let project = Project::with(LUA);
    let ran = run(checked(&project, "setsid sleep 1000 & sleep 1000 & true", &["--output", "json"]));
    assert_eq!(ran.json()["verification"]["status"], "clean", "{ran:?}");
    nothing_survives(&project);
}

#[test]
fn a_check_that_says_too_much_is_cut() {
    let project = Project::with(LUA);
    let line = "head -c 300000000 /dev/zero | tr '\\0' x; echo; echo no good; exit 3";
    let ran = run(checked(&project, line, &["--output", "json"]));
    let reason = ran.json()["verification"]["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("fails without the plan, too") && reason.ends_with("no good`"), "{reason}");
}
