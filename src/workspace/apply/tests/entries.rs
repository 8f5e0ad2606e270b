//! Entries of the journal that are planted, broken or of another version: they touch nothing and block nobody.

use std::fs;
use std::os::unix::fs::symlink;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Fixture, Gate, crash};
use crate::plan::{Parts, Plan};
use crate::text::{AbsPath, Text, TextEdit};
use crate::workspace::apply::hands::Hands;
use crate::workspace::apply::{ApplyError, Outcome, Recovered, apply, recover, undo};

const NUMBER: &str = "00000007";

impl Fixture {
    fn journal(&self) -> PathBuf {
        self.state.journal(&self.root).as_path().to_owned()
    }

    /// Plants an entry that was interrupted after staging.
    fn plant(&self, intent: &[u8], marks: &[&str]) {
        let dir = self.journal().join(NUMBER);
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("intent.json"), intent).unwrap();
        for mark in marks {
            fs::write(dir.join(mark), "").unwrap();
        }
    }

    /// The only thing that was told.
    fn told(&self) -> Recovered {
        let [told] = recover(&self.root, &self.state).unwrap().try_into().unwrap();
        assert_eq!(recover(&self.root, &self.state).unwrap(), [], "told once");
        told
    }

    fn edit_of_bom(&self, word: &str) -> Plan {
        let mut parts = Parts::default();
        self.edit(&mut parts, "bom.py", vec![TextEdit::new(0..1, word)]);
        Plan::new(parts).unwrap()
    }

    fn works(&self) {
        apply(&self.edit_of_bom("z"), &self.root, &self.state).unwrap();
        undo(&self.root, &self.state).unwrap();
    }
}

/// An entry whose one step takes a file back that lies at `aside`, staged at `temp`.
fn intent(root: &AbsPath, path: &str, [temp, aside]: [&str; 2]) -> Vec<u8> {
    let hash = "0".repeat(64);
    let script = json!({
        "dirs": [], "emptied": [],
        "staged": [{"temp": temp, "path": path, "before": null, "hash": hash}],
        "commits": [{"Replace": {"temp": temp, "path": path, "aside": aside, "hash": hash, "before": hash}}],
    });
    let inverse = json!({"edits": [], "moves": [], "creates": [], "deletes": []});
    let all: Value = json!({"root": root.as_str(), "plan": "planted", "undoes": null, "before": [[path, hash]], "script": script, "inverse": inverse});
    all.to_string().into_bytes()
}

#[test]
fn an_entry_that_cannot_be_read_is_set_aside_and_told() {
    for (bytes, marks) in
        [(&b"{\"plan\":"[..], &["staged"][..]), (b"\xff\xfe", &[]), (b"{\"later\": true}", &["staged"])]
    {
        let fixture = Fixture::new();
        let before = fixture.snapshot();
        fixture.plant(bytes, marks);
        let told = fixture.told();
        let Outcome::SetAside { place, .. } = &told.outcome else { panic!("{told:?}") };
        assert!(place.starts_with(fixture.journal().join("set-aside")), "{told}");
        assert_eq!(fs::read(place.join("intent.json")).unwrap(), bytes);
        assert!(told.to_string().contains(place.to_str().unwrap()), "{told}");
        assert_eq!(fixture.snapshot(), before);
        fixture.works();
    }
}

#[test]
fn a_pipe_in_place_of_an_entry_stops_nobody() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.journal().join(NUMBER)).unwrap();
    let pipe = fixture.journal().join(NUMBER).join("intent.json");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert!(matches!(fixture.told().outcome, Outcome::SetAside { .. }));
    fixture.works();
}

#[test]
fn a_planted_entry_touches_nothing() {
    let fixture = Fixture::new();
    let outside = fixture.root.join("../precious.py").unwrap();
    fs::write(outside.as_path(), "precious").unwrap();
    fs::create_dir_all(fixture.path(".git/hooks").as_path()).unwrap();
    fixture.write(".git/hooks/.lspwright-x-1", "hook");
    symlink("..", fixture.path("way_out").as_path()).unwrap();
    let before = fixture.snapshot();
    let path = |name: &str| fixture.path(name).as_str().to_owned();
    let (bom, temp, aside) = (path("bom.py"), path(".lspwright-x-1"), path(".lspwright-x-2"));
    let planted = [
        intent(&fixture.root, &bom, [outside.as_str(), &aside]),
        intent(&fixture.root, outside.as_str(), [&temp, &aside]),
        intent(
            &fixture.root,
            &path("way_out/precious.py"),
            [&path("way_out/.lspwright-1"), &path("way_out/.lspwright-2")],
        ),
        intent(&fixture.root, &bom, [&path("old.py"), &aside]),
        intent(&fixture.root, &bom, [&temp, &path("src/run.py")]),
        intent(
            &fixture.root,
            &path(".git/hooks/x"),
            [&path(".git/hooks/.lspwright-x-1"), &path(".git/hooks/.lspwright-2")],
        ),
        intent(&fixture.root.parent().unwrap(), &bom, [&temp, &aside]),
    ];
    for entry in planted {
        fixture.plant(&entry, &["staged"]);
        let told = fixture.told();
        assert!(matches!(told.outcome, Outcome::SetAside { .. }), "{told}");
        assert_eq!(fixture.snapshot(), before, "{told}");
        assert_eq!(fs::read_to_string(outside.as_path()).unwrap(), "precious");
    }
}

#[test]
fn an_unreadable_finished_entry_is_passed_over_by_an_undo() {
    let fixture = Fixture::new();
    apply(&fixture.edit_of_bom("z"), &fixture.root, &fixture.state).unwrap();
    fixture.plant(b"nonsense", &["staged", "done", "finished"]);
    let undone = undo(&fixture.root, &fixture.state).unwrap();
    assert!(matches!(undone.recovered[..], [Recovered { outcome: Outcome::SetAside { .. }, .. }]), "{undone:?}");
    assert_eq!(fixture.read("bom.py"), "\u{feff}x = 1\n");
}

#[test]
fn an_entry_whose_files_are_gone_is_told_and_not_half_taken_back() {
    let fixture = Fixture::new();
    let mut stop = 0;
    // The first step after which the old `old.py` stands aside.
    let dir = loop {
        let fixture = Fixture::new();
        let gate = Gate::new(stop, crash);
        let plan = fixture.plan();
        let _ = catch_unwind(AssertUnwindSafe(|| fixture.apply_by(&plan, &Hands::gated(&|| gate.pass()))));
        if !fixture.path("old.py").as_path().exists() {
            break fixture;
        }
        stop += 1;
    };
    drop(fixture);
    for name in fs::read_dir(dir.root.as_path()).unwrap().map(|entry| entry.unwrap().path()) {
        if fs::read(&name).is_ok_and(|text| text == b"old\n") {
            fs::remove_file(name).unwrap();
        }
    }
    let before = dir.snapshot();
    let told = dir.told();
    assert_eq!(told.outcome, Outcome::Stuck(vec![dir.path("old.py").as_path().to_owned()]), "{told}");
    assert_eq!(dir.snapshot(), before);
    dir.works();
}

#[test]
fn version_controls_own_files_are_never_touched() {
    let fixture = Fixture::new();
    fixture.write(".git/config", "x = 1\n");
    fixture.write(".GIT/x.py", "x = 1\n");
    symlink(".git", fixture.path("alias").as_path()).unwrap();
    let before = fixture.snapshot();
    let refused = |parts: Parts| {
        let refused = apply(&Plan::new(parts).unwrap(), &fixture.root, &fixture.state);
        assert!(matches!(refused, Err(ApplyError::VersionControl { .. })), "{refused:?}");
    };
    for path in [".git/config", "alias/config", ".GIT/x.py"] {
        let mut parts = Parts::default();
        fixture.edit(&mut parts, path, vec![TextEdit::new(0..1, "y")]);
        refused(parts);
        let mut parts = Parts::default();
        fixture.shift(&mut parts, path, "kept/x");
        refused(parts);
        let mut parts = Parts::default();
        parts.deletes.insert(fixture.path(path), fixture.text(path));
        refused(parts);
    }
    for path in [".git/hooks/post-commit", "alias/hooks/x", "src/.hg/hgrc", ".git. /x", "git~1/x", ".jj"] {
        let mut parts = Parts::default();
        parts.creates.insert(fixture.path(path), Text::new("x"));
        refused(parts);
        let mut parts = Parts::default();
        fixture.shift(&mut parts, "bom.py", path);
        refused(parts);
    }
    assert_eq!(fixture.snapshot(), before);
}
