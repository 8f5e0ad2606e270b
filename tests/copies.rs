//! Copies of projects: what they cost, what they hold, and what becomes of those of a killed process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use lspwright::plan::{Parts, Plan};
use lspwright::text::{AbsPath, TextEdit};
use lspwright::workspace::{Disk, Purpose, ShadowCopy, ShadowError};
use serde_json::json;

use crate::faces::{Project, Ran};

const GIBIBYTE: u64 = 1 << 30;

fn disk(project: &Project) -> Disk {
    Disk::open(&AbsPath::new(project.root()).unwrap()).unwrap()
}

/// Makes a file that claims to be so long, and takes no place.
fn sparse(project: &Project, path: &str, bytes: u64) -> PathBuf {
    let path = project.root().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::File::create(&path).unwrap().set_len(bytes).unwrap();
    path
}

fn blocks(path: &Path) -> u64 {
    std::os::unix::fs::MetadataExt::blocks(&fs::symlink_metadata(path).unwrap())
}

#[test]
fn a_big_file_that_the_plan_leaves_alone_costs_nothing() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    let big = sparse(&project, "data/big.bin", 3 * GIBIBYTE);
    let read = ShadowCopy::new(&disk(&project), Purpose::Reading).unwrap();
    let there = read.root().as_path().join("data/big.bin");
    assert_eq!(fs::metadata(&there).unwrap().len(), 3 * GIBIBYTE);
    assert!(blocks(&there) <= 8);
    drop(read);
    assert_eq!(fs::metadata(&big).unwrap().len(), 3 * GIBIBYTE, "links are removed, not followed");
    let run = ShadowCopy::new(&disk(&project), Purpose::Running).unwrap();
    let there = run.root().as_path().join("data/big.bin");
    assert!(!there.is_symlink());
    // A command may write in place.
    fs::write(&there, "written by a command").unwrap();
    assert_eq!(fs::metadata(&big).unwrap().len(), 3 * GIBIBYTE);
    assert_eq!(fs::read(run.root().as_path().join("a.py")).unwrap(), b"x = 1\n");
}

#[test]
fn a_big_file_that_the_plan_edits_is_copied() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    project.write("big.py", format!("x = 1\n{}", "#".repeat(17 << 20)));
    let (disk, path) = (disk(&project), AbsPath::new(project.root().join("big.py")).unwrap());
    let edit = (disk.read(&path).unwrap(), vec![TextEdit::new(0..1, "y")]);
    let plan = Plan::new(Parts { edits: [(path.clone(), edit)].into(), ..Parts::default() }).unwrap();
    for purpose in [Purpose::Reading, Purpose::Running] {
        let copy = ShadowCopy::with_plan(&disk, &plan, purpose).unwrap();
        let there = copy.root().as_path().join("big.py");
        assert!(!there.is_symlink() && fs::read_to_string(there).unwrap().starts_with("y = 1\n"));
    }
    assert!(fs::read_to_string(path.as_path()).unwrap().starts_with("x = 1\n"));
}

#[test]
fn what_costs_too_much_is_refused_with_the_reason() {
    let project = Project::with(&[("a.txt", "one\n")]);
    for number in 0..140 {
        sparse(&project, &format!("data/{number}.bin"), 16 << 20);
    }
    let refused = ShadowCopy::new(&disk(&project), Purpose::Running);
    assert!(matches!(refused, Err(ShadowError::TooBig { .. })), "{:?}", refused.err());
    let file = project.outside().join("plan.json");
    let edit =
        json!({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}, "newText": "two"});
    fs::write(&file, json!({"edits": [{"filePath": "a.txt", "textEdits": [edit]}]}).to_string()).unwrap();
    let args = ["--project", ".", "verify", file.to_str().unwrap(), "--level", "project", "--check", "true"];
    let ran = project.run(&args);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("unverified") && ran.stdout.contains("too big for a copy"), "{ran:?}");
}

#[test]
fn pipes_and_sockets_are_left_out() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    let fifo = project.root().join("pipe.py");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(project.root().join("socket")).unwrap();
    let copy = ShadowCopy::new(&disk(&project), Purpose::Running).unwrap();
    let mut names: Vec<_> =
        fs::read_dir(copy.root().as_path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.py"]);
}

#[test]
fn nothing_stays_among_the_temporary_files() {
    for (fixture, target) in [("ts-app", "src/models/user.ts#User"), ("python-shop", "shop/order.py::Order")] {
        let project = Project::of(fixture);
        let temp = project.outside().join("tmp");
        fs::create_dir(&temp).unwrap();
        let args = ["--no-daemon", "rename", target, "Renamed", "--verify", "project", "--output", "json"];
        let ran = Ran::of(project.command(&args).env("TMPDIR", &temp).output().unwrap());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let left: Vec<PathBuf> = below(&temp).into_iter().filter(|path| path.parent() != Some(&temp)).collect();
        assert_eq!((left, below(&temp).len()), (Vec::new(), 1), "its own directory, and nothing in it");
    }
}

/// Everything that lies in a directory and below, links not followed.
fn below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            found.extend(below(&path));
        }
        found.push(path);
    }
    found
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "not within the deadline: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn copies_of_a_killed_process_are_swept_and_those_of_a_living_one_are_not() {
    let project = Project::with(&[("a.txt", "one\n"), ("keep/precious.txt", "precious\n")]);
    std::os::unix::fs::symlink(project.root().join("keep"), project.root().join("link")).unwrap();
    let temp = project.outside().join("tmp");
    fs::create_dir(&temp).unwrap();
    let file = project.outside().join("plan.json");
    let edit =
        json!({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}, "newText": "two"});
    fs::write(&file, json!({"edits": [{"filePath": "a.txt", "textEdits": [edit]}]}).to_string()).unwrap();
    let start = |mark: &str| {
        // The second line keeps the check going until the test lets it end.
        let check = format!("touch {mark}.$$; until test -e {}; do sleep 0.05; done", temp.join("end").display());
        let args = ["--project", ".", "verify", file.to_str().unwrap(), "--level", "project", "--check", &check];
        let child = project.command(&args).env("TMPDIR", &temp).stdin(Stdio::null()).spawn().unwrap();
        wait_until("the check runs", || {
            let is_mark = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == mark);
            below(&temp).iter().any(is_mark)
        });
        child
    };
    let copies = || below(&temp).iter().filter(|path| path.ends_with("keep/precious.txt")).count();
    let mut killed = start("killed");
    assert_eq!(copies(), 2);
    let mut living = start("living");
    // Its own start swept nothing: the first one lived.
    assert_eq!(copies(), 4);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let next = || Ran::of(project.command(&["--project", ".", "undo"]).env("TMPDIR", &temp).output().unwrap());
    wait_until("the copies of the dead are gone", || {
        let ran = next();
        assert_eq!(ran.code, Some(1), "{ran:?}");
        copies() == 2
    });
    fs::write(temp.join("end"), "").unwrap();
    assert!(living.wait().unwrap().success());
    assert_eq!(copies(), 0);
    assert_eq!(project.text("keep/precious.txt"), "precious\n");
}

#[test]
fn a_directory_for_copies_that_others_can_write_to_is_not_used() {
    let project = Project::with(&[("a.txt", "one\n")]);
    let temp = project.outside().join("tmp");
    let home = temp.join(format!("lspwright-{}", rustix::process::geteuid().as_raw()));
    fs::create_dir_all(&home).unwrap();
    fs::set_permissions(&home, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let file = project.outside().join("plan.json");
    fs::write(&file, json!({"edits": [], "fsDeletes": ["a.txt"]}).to_string()).unwrap();
    let args = ["--project", ".", "verify", file.to_str().unwrap(), "--level", "project", "--check", "true"];
    let ran = Ran::of(project.command(&args).env("TMPDIR", &temp).output().unwrap());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stdout.contains(home.to_str().unwrap()), "{ran:?}");
}
