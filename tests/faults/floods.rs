//! Servers that say more than anybody can hold.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{command, faulty, nothing_survives};
use crate::faces::{Project, Ran};
use crate::support;

const LUA: &[(&str, &str)] = &[("a.lua", "local total = 1\nprint(total)\n")];
const RENAME: [&str; 5] = ["--project", ".", "rename", "a.lua:1:7", "sum"];

/// How much lspwright ever held, in megabytes, how long it took, and what it said.
struct Measured {
    most: u64,
    took: Duration,
    ran: Ran,
}

fn peak(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn measured(mut command: Command) -> Measured {
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = peak(&child).unwrap_or(0).max(most);
        std::thread::sleep(Duration::from_millis(5));
    }
    let took = begun.elapsed();
    Measured { most, took, ran: Ran::of(child.wait_with_output().unwrap()) }
}

fn renamed(mode: &str) -> Measured {
    let project = Project::with(LUA);
    let found = measured(faulty(&project, mode, &RENAME));
    nothing_survives(&project);
    found
}

#[test]
fn stderr_without_an_end_of_a_line_is_not_kept() {
    let found = renamed("floods-stderr");
    assert_eq!(found.ran.code, Some(0), "{:?}", found.ran);
    assert!(found.most < 200, "{} MB", found.most);
}

#[test]
fn a_notification_that_nobody_can_hold_is_passed_over() {
    let found = renamed("big-notification");
    assert_eq!(found.ran.code, Some(0), "{:?}", found.ran);
    assert!(found.most < 300, "{} MB", found.most);
    assert!(found.took < Duration::from_secs(60), "{:?}", found.took);
}

#[test]
fn an_answer_that_nobody_can_hold_fails_at_once() {
    for mode in ["big-answer", "big-answer-id-last"] {
        let found = renamed(mode);
        assert_eq!(found.ran.code, Some(3), "{:?}", found.ran);
        let said = &found.ran.stderr;
        assert!(said.contains("something unusable: it is of 200000"), "{said}");
        assert!(said.contains("bytes, more than the 67108864 that are taken"), "{said}");
        assert!(found.most < 300, "{} MB", found.most);
        assert!(found.took < Duration::from_secs(60), "{:?}", found.took);
    }
}

#[test]
fn noise_between_messages_is_passed_over() {
    let found = renamed("big-noise");
    assert_eq!(found.ran.code, Some(0), "{:?}", found.ran);
    assert!(found.most < 200, "{} MB", found.most);
}

#[test]
fn diagnostics_of_ever_other_files_are_forgotten() {
    let found = renamed("floods-diagnostics");
    assert_eq!(found.ran.code, Some(0), "{:?}", found.ran);
    assert!(found.most < 200, "{} MB", found.most);
}

#[test]
fn an_installer_that_says_too_much_is_cut() {
    let project = Project::with(LUA);
    let bin = project.outside().join("bin");
    let script = "#!/bin/sh\nhead -c 300000000 /dev/zero | tr '\\0' x >&2\necho >&2\necho no good >&2\nexit 3\n";
    support::program(&bin.join("npm"), script);
    let mut install = command(&project, &["servers", "install", "pyright"]);
    install.env("XDG_CACHE_HOME", project.outside().join("cache"));
    install.env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()));
    let found = measured(install);
    assert!(found.ran.stderr.contains("ended with 3") && found.ran.stderr.contains("no good"), "{:?}", found.ran.code);
    assert!(found.most < 200 && found.ran.stderr.len() < 10_000, "{} MB", found.most);
}
