//! Applying, stopped at every single step: the tree is then as before or as after, never between.

mod entries;
mod kept;
mod saved_meanwhile;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::hands::Hands;
use super::{ApplyError, Job, Note, Outcome, Project, Version, apply, recover, undo};
use crate::plan::{Move, Parts, Plan};
use crate::text::{AbsPath, Text, TextEdit};
use crate::workspace::StateDir;
use crate::workspace::hash::hash_entry;

/// A project that a plan with every kind of change is made for.
struct Fixture {
    _dir: tempfile::TempDir,
    root: AbsPath,
    state: StateDir,
}

/// Kind, mode and content of everything below a directory.
type Snapshot = BTreeMap<String, (char, u32, Vec<u8>)>;

impl Fixture {
    fn new() -> Self {
        // In memory where there is such a place: these tests sync some ten thousand times.
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let dir = tempfile::tempdir_in(place).unwrap();
        let base = AbsPath::new(dir.path().canonicalize().unwrap()).unwrap();
        let fixture = Self {
            root: base.join("ein Projekt é").unwrap(),
            state: StateDir::new(base.join("state").unwrap()),
            _dir: dir,
        };
        for (path, content) in FILES {
            fixture.write(path, content);
        }
        fs::set_permissions(fixture.path("src/run.py").as_path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(fixture.path("src/user.py").as_path(), fs::Permissions::from_mode(0o640)).unwrap();
        fs::set_permissions(fixture.path("old.py").as_path(), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("src/run.py", fixture.path("link.py").as_path()).unwrap();
        symlink("../src/target.py", fixture.path("gone/link").as_path()).unwrap();
        fixture
    }

    fn path(&self, path: &str) -> AbsPath {
        self.root.join(path).unwrap()
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.as_path().parent().unwrap()).unwrap();
        fs::write(path.as_path(), content).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path).as_path()).unwrap()
    }

    fn text(&self, path: &str) -> Arc<Text> {
        Arc::new(Text::decode(fs::read(self.path(path).as_path()).unwrap()).unwrap())
    }

    fn edit(&self, parts: &mut Parts, path: &str, edits: Vec<TextEdit>) {
        parts.edits.insert(self.path(path), (self.text(path), edits));
    }

    fn shift(&self, parts: &mut Parts, from: &str, to: &str) {
        let before = hash_entry(self.path(from).as_path()).unwrap();
        parts.moves.insert(self.path(from), Move { to: self.path(to), before });
    }

    /// Edits (one through a link), moves (edited, plain, in a chain, in a circle, of a link), a creation
    /// in a new directory, a deletion, and a directory that loses all its files.
    fn plan(&self) -> Plan {
        let mut parts = Parts::default();
        self.edit(&mut parts, "link.py", vec![TextEdit::new(0..6, "import os, "), TextEdit::new(12..12, "!")]);
        self.edit(&mut parts, "bom.py", vec![TextEdit::new(0..1, "y")]);
        self.edit(&mut parts, "src/user.py", vec![TextEdit::new(0..4, "person")]);
        self.shift(&mut parts, "src/user.py", "src/neu/tief/person.py");
        self.shift(&mut parts, "src/plain.bin", "src/neu/plain.bin");
        self.shift(&mut parts, "chain/1", "chain/2");
        self.shift(&mut parts, "chain/2", "chain/3");
        self.shift(&mut parts, "ring/a", "ring/b");
        self.shift(&mut parts, "ring/b", "ring/c");
        self.shift(&mut parts, "ring/c", "ring/a");
        self.shift(&mut parts, "gone/deep/only.py", "kept/only.py");
        self.shift(&mut parts, "gone/link", "kept/link");
        parts.creates.insert(self.path("fresh/new.py"), Text::new("new\n"));
        parts.deletes.insert(self.path("old.py"), self.text("old.py"));
        Plan::new(parts).unwrap()
    }

    fn snapshot(&self) -> Snapshot {
        let mut found = Snapshot::new();
        look(self.root.as_path(), self.root.as_path(), &mut found);
        found
    }

    fn apply_by(&self, plan: &Plan, hands: &Hands<'_>) -> Result<(), ApplyError> {
        let job = Job { plan, undoes: None, modes: &[] };
        Project::open(&self.root, &self.state)?.carry_out(&job, hands).map(drop)
    }

    /// The trees before and after the plan.
    fn both_ends() -> (Snapshot, Snapshot) {
        let fixture = Self::new();
        let before = fixture.snapshot();
        apply(&fixture.plan(), &fixture.root, &fixture.state).unwrap();
        (before, fixture.snapshot())
    }
}

const FILES: &[(&str, &str)] = &[
    ("src/run.py", "import sys\r\nprint(1)\r\n\r\nend"),
    ("src/user.py", "user = 1\nno final newline"),
    ("src/plain.bin", "\u{0}\u{1}\rdata"),
    ("src/target.py", "t\n"),
    ("bom.py", "\u{feff}x = 1\n"),
    ("chain/1", "one"),
    ("chain/2", "two"),
    ("ring/a", "A"),
    ("ring/b", "B"),
    ("ring/c", "C"),
    ("gone/deep/only.py", "only\n"),
    ("kept/other.py", "other\n"),
    ("old.py", "old\n"),
];

fn look(root: &Path, dir: &Path, found: &mut Snapshot) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        let data = fs::symlink_metadata(&path).unwrap();
        let mode = data.permissions().mode() & 0o7777;
        if data.is_symlink() {
            found.insert(name, ('l', 0, fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()));
        } else if data.is_dir() {
            found.insert(name, ('d', mode, Vec::new()));
            look(root, &path, found);
        } else {
            found.insert(name, ('f', mode, fs::read(&path).unwrap()));
        }
    }
}

/// Counts steps; at the `stop`th something happens.
struct Gate {
    at: AtomicUsize,
    stop: usize,
    then: fn() -> io::Result<()>,
}

impl Gate {
    fn new(stop: usize, then: fn() -> io::Result<()>) -> Self {
        Self { at: AtomicUsize::new(0), stop, then }
    }

    fn pass(&self) -> io::Result<()> {
        if self.at.fetch_add(1, Ordering::SeqCst) == self.stop { (self.then)() } else { Ok(()) }
    }
}

fn full() -> io::Result<()> {
    Err(io::ErrorKind::StorageFull.into())
}

/// The end of the process, as far as the disk can tell: nothing after it is carried out.
fn crash() -> io::Result<()> {
    std::panic::resume_unwind(Box::new("crash"))
}

fn die() -> io::Result<()> {
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)?;
    Ok(())
}

/// Runs `act` with a gate that stops at each step in turn, until a run gets through.
fn at_every_step(then: fn() -> io::Result<()>, mut act: impl FnMut(usize, &Hands<'_>)) -> usize {
    for stop in 0.. {
        let gate = Gate::new(stop, then);
        act(stop, &Hands::gated(&|| gate.pass()));
        if gate.at.load(Ordering::SeqCst) <= stop {
            return stop;
        }
    }
    unreachable!("a run gets through in the end")
}

#[test]
fn the_whole_plan_arrives() {
    let fixture = Fixture::new();
    let applied = apply(&fixture.plan(), &fixture.root, &fixture.state).unwrap();
    assert_eq!(fixture.read("src/run.py"), "import os,  sys\r\n!print(1)\r\n\r\nend");
    assert_eq!(fixture.read("bom.py"), "\u{feff}y = 1\n");
    assert_eq!(fixture.read("src/neu/tief/person.py"), "person = 1\nno final newline");
    assert_eq!([fixture.read("chain/2"), fixture.read("chain/3")], ["one", "two"]);
    assert_eq!([fixture.read("ring/a"), fixture.read("ring/b"), fixture.read("ring/c")], ["C", "A", "B"]);
    assert_eq!(fixture.read("kept/link"), "t\n");
    assert_eq!(fixture.read("fresh/new.py"), "new\n");
    let after = fixture.snapshot();
    let (modes, gone) = (|path: &str| after[path].1, |path: &str| !after.contains_key(path));
    assert_eq!((modes("src/run.py"), modes("src/neu/tief/person.py")), (0o755, 0o640));
    assert!(gone("gone") && gone("old.py") && gone("src/user.py") && gone("chain/1"));
    assert!(after.keys().all(|path| !path.contains("lspwright")), "{:?}", after.keys());
    assert_eq!(after["link.py"].0, 'l');
    assert!(applied.changed.contains(&fixture.path("src/neu/tief/person.py")));
    assert_eq!((applied.notes, applied.recovered), (vec![], vec![]));
}

#[test]
fn a_failure_at_any_step_leaves_the_tree_as_it_was() {
    let (before, after) = Fixture::both_ends();
    let steps = at_every_step(full, |stop, hands| {
        let fixture = Fixture::new();
        match fixture.apply_by(&fixture.plan(), hands) {
            Err(ApplyError::Failed(_)) => assert_eq!(fixture.snapshot(), before, "step {stop}"),
            Err(other) => panic!("step {stop}: {other}"),
            // Only tidying up was left: the next run does it.
            Ok(()) => drop(recover(&fixture.root, &fixture.state).unwrap()),
        }
        let next = apply(&fixture.plan_if_before(&before), &fixture.root, &fixture.state).unwrap();
        assert_eq!(next.recovered, [], "step {stop}");
        assert_eq!(fixture.snapshot(), after, "step {stop}");
    });
    assert!(steps > 60, "only {steps} steps");
}

impl Fixture {
    /// The plan, or an empty one where it is carried out already.
    fn plan_if_before(&self, before: &Snapshot) -> Plan {
        if self.snapshot() == *before { self.plan() } else { Plan::default() }
    }
}

#[test]
fn a_crash_at_any_step_is_led_to_one_end() {
    let (before, after) = Fixture::both_ends();
    let seen = (Cell::new(0), Cell::new(0));
    at_every_step(crash, |stop, hands| {
        let fixture = Fixture::new();
        let ended = catch_unwind(AssertUnwindSafe(|| fixture.apply_by(&fixture.plan(), hands)));
        let recovered = recover(&fixture.root, &fixture.state).unwrap();
        let now = fixture.snapshot();
        if now == before {
            assert!(ended.is_err(), "step {stop}");
            assert!(recovered.iter().all(|one| one.outcome == Outcome::RolledBack), "step {stop}");
            seen.0.set(seen.0.get() + 1);
        } else {
            assert_eq!(now, after, "step {stop}");
            assert!(recovered.iter().all(|one| one.outcome == Outcome::Completed), "step {stop}");
            seen.1.set(seen.1.get() + 1);
        }
        assert_eq!(recover(&fixture.root, &fixture.state).unwrap(), [], "step {stop}");
    });
    assert!(seen.0.get() > 40 && seen.1.get() > 5, "{seen:?}");
}

#[test]
fn a_crash_while_leading_back_is_led_back_too() {
    let (before, after) = Fixture::both_ends();
    for first in (25..90).step_by(9) {
        at_every_step(crash, |second, hands| {
            let fixture = Fixture::new();
            let gate = Gate::new(first, crash);
            let plan = fixture.plan();
            let _ = catch_unwind(AssertUnwindSafe(|| fixture.apply_by(&plan, &Hands::gated(&|| gate.pass()))));
            let project = Project::open(&fixture.root, &fixture.state).unwrap();
            let _ = catch_unwind(AssertUnwindSafe(|| project.recover(hands).map(drop)));
            recover(&fixture.root, &fixture.state).unwrap();
            let now = fixture.snapshot();
            assert!(now == before || now == after, "steps {first} and {second}");
        });
    }
}

#[test]
fn undo_leads_back_byte_for_byte() {
    let fixture = Fixture::new();
    let before = fixture.snapshot();
    apply(&fixture.plan(), &fixture.root, &fixture.state).unwrap();
    undo(&fixture.root, &fixture.state).unwrap();
    assert_eq!(fixture.snapshot(), before);
    assert!(matches!(undo(&fixture.root, &fixture.state), Err(ApplyError::NothingToUndo)));
}

#[test]
fn undo_takes_back_one_plan_after_the_other() {
    let fixture = Fixture::new();
    let before = fixture.snapshot();
    for word in ["y", "z"] {
        let mut parts = Parts::default();
        fixture.edit(&mut parts, "bom.py", vec![TextEdit::new(0..1, word)]);
        apply(&Plan::new(parts).unwrap(), &fixture.root, &fixture.state).unwrap();
    }
    undo(&fixture.root, &fixture.state).unwrap();
    assert_eq!(fixture.read("bom.py"), "\u{feff}y = 1\n");
    undo(&fixture.root, &fixture.state).unwrap();
    assert_eq!(fixture.snapshot(), before);
}

#[test]
fn undo_is_refused_where_a_file_changed_since() {
    let fixture = Fixture::new();
    apply(&fixture.plan(), &fixture.root, &fixture.state).unwrap();
    fixture.write("bom.py", "mine\n");
    fs::remove_file(fixture.path("fresh/new.py").as_path()).unwrap();
    let now = fixture.snapshot();
    let Err(ApplyError::Stale { mut changed }) = undo(&fixture.root, &fixture.state) else { panic!("not refused") };
    changed.sort();
    assert_eq!(changed, [fixture.path("bom.py"), fixture.path("fresh/new.py")]);
    assert_eq!(fixture.snapshot(), now);
}

#[test]
fn a_stale_plan_is_refused_whole_and_every_changed_file_named() {
    let fixture = Fixture::new();
    let plan = fixture.plan();
    fixture.write("src/run.py", "changed");
    fixture.write("ring/b", "changed");
    fs::remove_file(fixture.path("old.py").as_path()).unwrap();
    let now = fixture.snapshot();
    let Err(ApplyError::Stale { changed }) = apply(&plan, &fixture.root, &fixture.state) else { panic!("taken") };
    assert_eq!(changed, [fixture.path("link.py"), fixture.path("old.py"), fixture.path("ring/b")]);
    assert_eq!(fixture.snapshot(), now);
}

#[test]
fn nothing_is_written_over() {
    let fixture = Fixture::new();
    let plan = fixture.plan();
    fixture.write("fresh/new.py", "somebody's");
    fixture.write("kept/only.py", "somebody's");
    let now = fixture.snapshot();
    let Err(ApplyError::TargetExists { mut paths }) = apply(&plan, &fixture.root, &fixture.state) else {
        panic!("taken")
    };
    paths.sort();
    assert_eq!(paths, [fixture.path("fresh/new.py"), fixture.path("kept/only.py")]);
    assert_eq!(fixture.snapshot(), now);
}

#[test]
fn a_target_below_a_file_is_refused() {
    let fixture = Fixture::new();
    let mut parts = Parts::default();
    fixture.shift(&mut parts, "old.py", "bom.py/old.py");
    let plan = Plan::new(parts).unwrap();
    assert!(matches!(apply(&plan, &fixture.root, &fixture.state), Err(ApplyError::BelowFile { .. })));
}

#[test]
fn what_leaves_the_root_is_refused() {
    let fixture = Fixture::new();
    let outside = fixture.root.join("../outside.py").unwrap();
    fs::write(outside.as_path(), "x").unwrap();
    symlink("../outside.py", fixture.path("way_out.py").as_path()).unwrap();
    symlink("..", fixture.path("dir_out").as_path()).unwrap();
    let text = Arc::new(Text::new("x"));
    let edited = |path: AbsPath| {
        let edit = (Arc::clone(&text), vec![TextEdit::new(0..1, "y")]);
        Plan::new(Parts { edits: BTreeMap::from([(path, edit)]), ..Parts::default() }).unwrap()
    };
    let created = |path: AbsPath| {
        Plan::new(Parts { creates: BTreeMap::from([(path, Text::new("y"))]), ..Parts::default() }).unwrap()
    };
    let plans = [
        edited(outside.clone()),
        edited(fixture.path("way_out.py")),
        edited(fixture.path("dir_out/outside.py")),
        created(fixture.root.join("../new.py").unwrap()),
        created(fixture.path("dir_out/new.py")),
    ];
    for plan in plans {
        assert!(matches!(apply(&plan, &fixture.root, &fixture.state), Err(ApplyError::Outside(_))), "{plan:?}");
    }
    assert_eq!(fs::read_to_string(outside.as_path()).unwrap(), "x");
}

#[test]
fn one_file_under_two_names_is_refused() {
    let fixture = Fixture::new();
    let mut parts = Parts::default();
    fixture.edit(&mut parts, "link.py", vec![TextEdit::new(0..6, "a")]);
    fixture.edit(&mut parts, "src/run.py", vec![TextEdit::new(0..6, "b")]);
    let plan = Plan::new(parts).unwrap();
    assert!(matches!(apply(&plan, &fixture.root, &fixture.state), Err(ApplyError::SameFile { .. })));
}

#[test]
fn a_read_only_file_is_moved_but_not_written() {
    let fixture = Fixture::new();
    fs::set_permissions(fixture.path("bom.py").as_path(), fs::Permissions::from_mode(0o444)).unwrap();
    let mut parts = Parts::default();
    fixture.edit(&mut parts, "bom.py", vec![TextEdit::new(0..1, "y")]);
    let plan = Plan::new(parts).unwrap();
    let Err(ApplyError::ReadOnly { paths }) = apply(&plan, &fixture.root, &fixture.state) else { panic!("written") };
    assert_eq!(paths, [fixture.path("bom.py")]);
    let mut parts = Parts::default();
    fixture.shift(&mut parts, "bom.py", "kept/bom.py");
    apply(&Plan::new(parts).unwrap(), &fixture.root, &fixture.state).unwrap();
    assert_eq!(fixture.snapshot()["kept/bom.py"].1, 0o444);
}

#[test]
fn hard_links_and_links_that_break_are_noted() {
    let fixture = Fixture::new();
    fs::hard_link(fixture.path("bom.py").as_path(), fixture.path("twin.py").as_path()).unwrap();
    let mut parts = Parts::default();
    fixture.edit(&mut parts, "bom.py", vec![TextEdit::new(0..1, "y")]);
    fixture.shift(&mut parts, "link.py", "fresh/link.py");
    let applied = apply(&Plan::new(parts).unwrap(), &fixture.root, &fixture.state).unwrap();
    let wanted = [Note::HardLinkCut(fixture.path("bom.py")), Note::LinkDangles(fixture.path("fresh/link.py"))];
    assert_eq!(applied.notes, wanted);
    assert_eq!(fixture.read("twin.py"), "\u{feff}x = 1\n");
}

#[test]
fn what_others_wrote_after_a_crash_is_kept() {
    let (before, _) = Fixture::both_ends();
    let stop = at_every_step(crash, |_, hands| {
        let fixture = Fixture::new();
        let _ = catch_unwind(AssertUnwindSafe(|| fixture.apply_by(&fixture.plan(), hands)));
        let done = fixture.read("bom.py").contains('y');
        fixture.write("bom.py", "mine\n");
        let recovered = recover(&fixture.root, &fixture.state).unwrap();
        assert_eq!(fixture.read("bom.py"), "mine\n");
        assert_eq!(recover(&fixture.root, &fixture.state).unwrap(), []);
        for one in recovered {
            let Outcome::Conflicted(conflicts) = one.outcome else { continue };
            assert_eq!(conflicts.len(), 1, "{conflicts:?}");
            assert_eq!(conflicts[0].path, fixture.path("bom.py").as_path());
            if done {
                let [kept] = conflicts[0].kept.as_slice() else { panic!("{conflicts:?}") };
                assert_eq!(kept.version, Version::BeforePlan);
                assert_eq!(fs::read(&kept.place).unwrap(), before["bom.py"].2);
            }
        }
        assert!(fixture.snapshot().keys().all(|path| !path.contains("lspwright")));
    });
    assert!(stop > 60);
}

#[test]
fn clients_that_write_at_once_take_turns() {
    let fixture = Fixture::new();
    let plans: Vec<Plan> = (0..8)
        .map(|number| {
            let new = BTreeMap::from([(fixture.path(&format!("many/{number}.py")), Text::new("x"))]);
            Plan::new(Parts { creates: new, ..Parts::default() }).unwrap()
        })
        .collect();
    std::thread::scope(|scope| {
        for plan in &plans {
            scope.spawn(|| apply(plan, &fixture.root, &fixture.state).unwrap());
        }
    });
    assert_eq!(fs::read_dir(fixture.path("many").as_path()).unwrap().count(), 8);
    assert_eq!(recover(&fixture.root, &fixture.state).unwrap(), []);
}

#[test]
fn many_files_are_staged_at_once_and_led_back_at_once() {
    let name = |number: usize| format!("many/{}/{number}.py", number % 20);
    for (stop, then) in
        [(40, full as fn() -> io::Result<()>), (90, full), (250, full), (40, crash), (90, crash), (250, crash)]
    {
        let fixture = Fixture::new();
        let mut parts = Parts::default();
        for number in 0..40 {
            fixture.write(&name(number), "old\n");
            fixture.edit(&mut parts, &name(number), vec![TextEdit::new(0..3, "new")]);
        }
        let (plan, before) = (Plan::new(parts).unwrap(), fixture.snapshot());
        let gate = Gate::new(stop, then);
        let ended = catch_unwind(AssertUnwindSafe(|| fixture.apply_by(&plan, &Hands::gated(&|| gate.pass()))));
        assert!(!matches!(ended, Ok(Ok(()))), "step {stop}");
        recover(&fixture.root, &fixture.state).unwrap();
        assert_eq!(fixture.snapshot(), before, "step {stop}");
        apply(&plan, &fixture.root, &fixture.state).unwrap();
        assert!((0..40).all(|number| fixture.read(&name(number)) == "new\n"));
    }
}

/// Runs the test `child` in a process of its own, by `shell`, on the fixture.
fn run_child(fixture: &Fixture, shell: &str, mode: &str) -> std::process::Output {
    child_command(fixture, shell, mode).output().unwrap()
}

fn child_command(fixture: &Fixture, shell: &str, mode: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(shell).arg(std::env::current_exe().unwrap());
    command.args(["--exact", "workspace::apply::tests::child", "--ignored", "--nocapture"]);
    command.env("CHILD_MODE", mode).env("CHILD_ROOT", fixture.root.as_str());
    command.env("CHILD_STATE", fixture.state.path().as_str());
    command
}

#[test]
#[ignore = "the other process of the tests below, which start it"]
fn child() {
    let path = |name: &str| AbsPath::new(std::env::var(name).unwrap()).unwrap();
    let fixture = Fixture {
        _dir: tempfile::tempdir().unwrap(),
        root: path("CHILD_ROOT"),
        state: StateDir::new(path("CHILD_STATE")),
    };
    let mode = std::env::var("CHILD_MODE").unwrap();
    if let Ok(stop) = mode.parse() {
        let gate = Gate::new(stop, die);
        let _ = fixture.apply_by(&fixture.plan(), &Hands::gated(&|| gate.pass()));
        return;
    }
    let mut parts = Parts::default();
    fixture.edit(&mut parts, "bom.py", vec![TextEdit::new(0..1, "y".repeat(400_000))]);
    fixture.edit(&mut parts, "kept/other.py", vec![TextEdit::new(0..1, "y")]);
    parts.creates.insert(fixture.path("a/new.py"), Text::new("new\n"));
    let done = apply(&Plan::new(parts).unwrap(), &fixture.root, &fixture.state);
    let Err(ApplyError::Failed(failure)) = done else { panic!("{done:?}") };
    assert_eq!(failure.doing, mode, "{failure}");
}

#[test]
fn a_killed_process_leaves_nothing_half_done() {
    let (before, after) = Fixture::both_ends();
    for stop in (0..120).step_by(8) {
        let fixture = Fixture::new();
        let output = run_child(&fixture, "exec \"$0\" \"$@\"", &stop.to_string());
        assert!(!output.status.success() || fixture.snapshot() == after, "step {stop}: {output:?}");
        let recovered = recover(&fixture.root, &fixture.state).unwrap();
        let now = fixture.snapshot();
        assert!(now == before || now == after, "step {stop}: {recovered:?}");
    }
}

#[test]
fn a_disk_that_takes_no_more_leaves_the_tree_as_it_was() {
    let fixture = Fixture::new();
    let before = fixture.snapshot();
    // The shell ignores the signal, and so does what it becomes: the write itself fails, half-way.
    let output = run_child(&fixture, "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\"", "write");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fixture.snapshot(), before);
    assert_eq!(recover(&fixture.root, &fixture.state).unwrap(), []);
}

#[test]
fn a_directory_that_takes_nothing_leaves_the_tree_as_it_was() {
    let fixture = Fixture::new();
    fs::set_permissions(fixture.path("kept").as_path(), fs::Permissions::from_mode(0o555)).unwrap();
    let before = fixture.snapshot();
    let mut command = child_command(&fixture, "exec \"$0\" \"$@\"", "create");
    if rustix::process::getuid().is_root() {
        // Root may write anywhere; the child is nobody.
        give_away(fixture.root.parent().unwrap().as_path());
        std::os::unix::process::CommandExt::uid(&mut command, NOBODY);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fixture.snapshot(), before);
    assert_eq!(recover(&fixture.root, &fixture.state).unwrap(), []);
}

const NOBODY: u32 = 65534;

fn give_away(path: &Path) {
    std::os::unix::fs::lchown(path, Some(NOBODY), None).unwrap();
    if path.symlink_metadata().unwrap().is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give_away(&entry.unwrap().path());
        }
    }
}
