//! Others save while a plan is written: whatever they saved stands in its place afterwards, or is kept and named.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Fixture, Gate, Snapshot};
use crate::plan::{Parts, Plan};
use crate::text::TextEdit;
use crate::workspace::apply::hands::Hands;
use crate::workspace::apply::{ApplyError, apply, recover};

/// The ways in which editors save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    InPlace,
    ByRename,
}

fn save(path: &Path, text: &str, way: Way) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match way {
        Way::InPlace => fs::write(path, text).unwrap(),
        Way::ByRename => {
            let new = path.with_extension("saving");
            fs::write(&new, text).unwrap();
            fs::rename(new, path).unwrap();
        }
    }
}

impl Fixture {
    /// Every content below the project and the state directory, by path.
    fn everything(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = Snapshot::new();
        super::look(self.root.parent().unwrap().as_path(), self.root.parent().unwrap().as_path(), &mut found);
        found.into_iter().filter(|(_, (kind, ..))| *kind == 'f').map(|(path, (.., bytes))| (path, bytes)).collect()
    }

    fn stands_somewhere(&self, text: &str) -> bool {
        self.everything().values().any(|bytes| bytes == text.as_bytes())
    }
}

/// The files of a tree, but for one.
fn others<'a>(tree: &'a Snapshot, path: &str) -> BTreeMap<&'a String, &'a Vec<u8>> {
    let files = tree.iter().filter(|(name, (kind, ..))| *kind != 'd' && *name != path);
    files.map(|(name, (.., bytes))| (name, bytes)).collect()
}

/// Applies the plan with a save at each step in turn; returns how often the plan was taken back for it.
fn at_every_step(path: &str, way: Way, limit: impl Fn(Hands<'_>) -> Hands<'_>) -> usize {
    let (before, after) = Fixture::both_ends();
    let mut taken_back = 0;
    for stop in 0.. {
        let (fixture, at) = (Fixture::new(), AtomicUsize::new(0));
        let gate = || {
            if at.fetch_add(1, Ordering::SeqCst) == stop {
                save(fixture.path(path).as_path(), "mine", way);
            }
            Ok(())
        };
        let done = fixture.apply_by(&fixture.plan(), &limit(Hands::gated(&gate)));
        if at.load(Ordering::SeqCst) <= stop {
            return taken_back;
        }
        let (now, told) = (fixture.snapshot(), format!("step {stop}, {path}, {way:?}: {done:?}"));
        assert!(fixture.stands_somewhere("mine"), "{told}");
        assert!(now.keys().all(|name| !name.contains("lspwright")), "{told}: {:?}", now.keys());
        let moved = "src/neu/plain.bin";
        match done {
            Ok(()) => {
                let differs =
                    |name: &&String| after.get(*name).map(|file| &file.2) != now.get(*name).map(|file| &file.2);
                let all: Vec<&String> = after.keys().chain(now.keys()).filter(differs).collect();
                assert!(all.iter().all(|name| *name == path || *name == moved), "{told}: {all:?}");
            }
            Err(error) => {
                assert_eq!(others(&now, path), others(&before, path), "{told}");
                assert_eq!(now[path].2, b"mine", "{told}");
                if let ApplyError::Overtaken { path: named, .. } = &error {
                    assert_eq!(named, fixture.path(path).as_path());
                    taken_back += 1;
                }
            }
        }
        assert_eq!(recover(&fixture.root, &fixture.state).unwrap(), [], "{told}");
    }
    unreachable!("a run gets through in the end")
}

#[test]
fn a_save_at_any_step_is_kept_and_the_plan_taken_back() {
    for way in [Way::InPlace, Way::ByRename] {
        assert!(at_every_step("bom.py", way, |hands| hands) > 50);
    }
    for path in ["src/user.py", "old.py", "src/plain.bin", "chain/2", "ring/b"] {
        assert!(at_every_step(path, Way::ByRename, |hands| hands) > 20, "{path}");
    }
    at_every_step("fresh/new.py", Way::ByRename, |hands| hands);
}

#[test]
fn so_it_is_where_names_cannot_change_places() {
    for way in [Way::InPlace, Way::ByRename] {
        assert!(at_every_step("bom.py", way, |hands| hands.without_swaps()) > 50);
    }
}

#[test]
fn a_crash_or_a_failure_is_led_to_one_end_there_too() {
    let (before, after) = Fixture::both_ends();
    for then in [super::full as fn() -> std::io::Result<()>, super::crash] {
        for stop in 0.. {
            let (fixture, gate) = (Fixture::new(), Gate::new(stop, then));
            let pass = || gate.pass();
            let run = || fixture.apply_by(&fixture.plan(), &Hands::gated(&pass).without_swaps());
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
            recover(&fixture.root, &fixture.state).unwrap();
            let now = fixture.snapshot();
            assert!(now == before || now == after, "step {stop}: {now:?}");
            if gate.at.load(Ordering::SeqCst) <= stop {
                break;
            }
        }
    }
}

#[test]
fn the_error_says_where_the_other_text_is() {
    let (fixture, at) = (Fixture::new(), AtomicUsize::new(0));
    let staged = || {
        fs::read_dir(fixture.root.as_path())
            .unwrap()
            .any(|entry| entry.unwrap().file_name().to_str().unwrap().starts_with(".lspwright"))
    };
    let gate = || {
        if staged() && at.fetch_add(1, Ordering::SeqCst) == 30 {
            save(fixture.path("bom.py").as_path(), "mine", Way::ByRename);
        }
        Ok(())
    };
    let error = fixture.apply_by(&fixture.plan(), &Hands::gated(&gate)).unwrap_err();
    let ApplyError::Overtaken { conflicts, .. } = &error else { panic!("{error}") };
    let [kept] = conflicts[0].kept.as_slice() else { panic!("{conflicts:?}") };
    assert_eq!(fs::read_to_string(&kept.place).unwrap(), "\u{feff}y = 1\n");
    let told = error.to_string();
    let named = [fixture.path("bom.py").as_str().to_owned(), kept.place.display().to_string()];
    assert!(named.iter().all(|path| told.contains(path)), "{told}");
}

#[test]
fn a_second_save_while_the_plan_is_taken_back_is_kept_too() {
    for first in (30..80).step_by(3) {
        for second in (first + 1..first + 40).step_by(2) {
            let (fixture, at) = (Fixture::new(), AtomicUsize::new(0));
            let (path, replaced) = (fixture.path("bom.py"), Mutex::new(false));
            let gate = || {
                let step = at.fetch_add(1, Ordering::SeqCst);
                if step == first {
                    save(path.as_path(), "first", Way::ByRename);
                } else if step == second {
                    *replaced.lock().unwrap() = fs::read(path.as_path()).is_ok_and(|text| text == b"first");
                    save(path.as_path(), "second", Way::ByRename);
                }
                Ok(())
            };
            let done = fixture.apply_by(&fixture.plan(), &Hands::gated(&gate));
            if at.load(Ordering::SeqCst) <= second {
                break;
            }
            let told = format!("steps {first} and {second}: {done:?}");
            assert!(fixture.stands_somewhere("second"), "{told}");
            assert!(*replaced.lock().unwrap() || fixture.stands_somewhere("first"), "{told}");
        }
    }
}

#[test]
fn a_crash_after_a_save_keeps_it_as_well() {
    let (before, after) = Fixture::both_ends();
    let cases = (30..80).step_by(6).flat_map(|saved| (saved + 1..saved + 60).step_by(2).map(move |stop| (stop, saved)));
    for (stop, saved) in cases {
        let (fixture, at) = (Fixture::new(), AtomicUsize::new(0));
        let gate = || match at.fetch_add(1, Ordering::SeqCst) {
            step if step == saved => {
                save(fixture.path("bom.py").as_path(), "mine", Way::ByRename);
                Ok(())
            }
            step if step == stop => super::crash(),
            _ => Ok(()),
        };
        let run = || fixture.apply_by(&fixture.plan(), &Hands::gated(&gate));
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        if at.load(Ordering::SeqCst) <= saved {
            continue;
        }
        let recovered = recover(&fixture.root, &fixture.state).unwrap();
        let told = format!("steps {saved} and {stop}: {recovered:?}");
        assert!(fixture.stands_somewhere("mine"), "{told}");
        let now = fixture.snapshot();
        let [now, before, after] = [&now, &before, &after].map(|tree| others(tree, "bom.py"));
        assert!(now == before || now == after, "{told}: {now:?}");
        assert_eq!(recover(&fixture.root, &fixture.state).unwrap(), [], "{told}");
    }
}

const FILES: usize = 30;
const ROUNDS: usize = 150;

fn name(number: usize) -> String {
    format!("many/{number}.py")
}

/// Starts the other process: for each line that it is given it saves some files, and tells what and where.
fn saver(fixture: &Fixture) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "workspace::apply::tests::saved_meanwhile::saving", "--ignored", "--nocapture"]);
    command.env("SAVE_BELOW", fixture.root.as_str()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

#[test]
#[ignore = "the other process of the test below, which starts it"]
fn saving() {
    let root = std::path::PathBuf::from(std::env::var("SAVE_BELOW").unwrap());
    let mut seed = 1_usize;
    for round in std::io::stdin().lock().lines().map(Result::unwrap) {
        for turn in 0..6 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (seed >> 33) % FILES;
            let way = if (seed >> 50).is_multiple_of(2) { Way::InPlace } else { Way::ByRename };
            let text = format!("saved {round}-{turn};\n");
            save(&root.join(name(number)), &text, way);
            std::io::stdout().write_all(format!("\nsaved\t{number}\t{text}").as_bytes()).unwrap();
        }
        std::io::stdout().write_all(b"\nend\n").unwrap();
    }
}

#[test]
fn a_process_that_saves_all_the_time_loses_nothing() {
    let fixture = Fixture::new();
    for number in 0..FILES {
        fixture.write(&name(number), "start\n");
    }
    let mut child = saver(&fixture);
    let (mut go, mut told) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
    let (mut applied, mut overtaken) = (0, 0);
    let mut round = 0;
    // How often the two meet is the machine's to decide.
    while round < ROUNDS || overtaken == 0 && round < 20 * ROUNDS {
        let mut parts = Parts::default();
        for number in 0..FILES {
            fixture.edit(&mut parts, &name(number), vec![TextEdit::new(0..0, format!("plan {round}\n"))]);
        }
        let plan = Plan::new(parts).unwrap();
        writeln!(go, "{round}").unwrap();
        let done = apply(&plan, &fixture.root, &fixture.state);
        let mut last: BTreeMap<usize, String> = BTreeMap::new();
        for line in told.by_ref().map(Result::unwrap).take_while(|line| line != "end") {
            if let [_, number, text] = line.split('\t').collect::<Vec<_>>()[..] {
                last.insert(number.parse().unwrap(), text.to_owned());
            }
        }
        match &done {
            Ok(_) => applied += 1,
            Err(ApplyError::Overtaken { .. }) => overtaken += 1,
            Err(ApplyError::Stale { .. }) => {}
            Err(other) => panic!("round {round}: {other}"),
        }
        for (number, text) in last {
            let is_in_place = fixture.read(&name(number)).contains(&text);
            let is_kept = format!("{done:?}").contains("/kept/") && fixture.stands_somewhere(&format!("{text}\n"));
            assert!(is_in_place || is_kept, "round {round}: `{text}` of {number} is lost: {done:?}");
        }
        round += 1;
    }
    drop(go);
    assert!(child.wait().unwrap().success());
    assert!(overtaken > 0, "the saves never fell into the writing: {applied} plans were applied");
    assert!(fixture.snapshot().keys().all(|name| !name.contains("lspwright")));
}
