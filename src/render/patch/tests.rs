//! What git makes of the patches: every random plan, applied by the real `git apply`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::plan::Parts;
use crate::text::{ContentHash, Text, TextEdit};

const NAMES: [&str; 8] =
    ["a.py", "with space.ts", "dir/ümlaut.py", "quo\"te.js", "tab\there", "back\\slash", "日本/語 x.ts", "b/c/d.sol"];
const TARGETS: [&str; 6] = ["moved/a.py", "moved here/b c.ts", "größe/x", "z.js", "deep/er/y", "new\"q"];
const PIECES: [&str; 14] =
    ["x = 1", "\n", "\n", "\r\n", "\r", "\u{2028}", "é", "🦀", "", " ", "\t", "-- a", "+++ b", "\\ No newline"];

fn text() -> impl Strategy<Value = String> {
    let bom = prop::bool::weighted(0.1);
    let pieces = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60);
    (bom, pieces).prop_map(|(bom, pieces)| if bom { format!("\u{feff}{}", pieces.concat()) } else { pieces.concat() })
}

#[derive(Debug, Clone)]
enum Fate {
    Stay,
    Move(&'static str),
    Delete,
}

#[derive(Debug, Clone)]
struct Case {
    content: String,
    wishes: Vec<(prop::sample::Index, prop::sample::Index, String)>,
    fate: Fate,
}

fn case() -> impl Strategy<Value = Case> {
    let fate = prop_oneof![
        4 => Just(Fate::Stay),
        4 => prop::sample::select(&TARGETS[..]).prop_map(Fate::Move),
        1 => Just(Fate::Delete),
    ];
    let new_text = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..4).prop_map(|pieces| pieces.concat());
    let wish = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), new_text);
    (text(), prop::collection::vec(wish, 0..5), fate).prop_map(|(content, wishes, fate)| Case { content, wishes, fate })
}

fn edits(text: &Text, case: &Case) -> Vec<TextEdit> {
    let places: Vec<usize> = (0..=text.as_str().len()).filter(|at| text.as_str().is_char_boundary(*at)).collect();
    let mut edits: Vec<TextEdit> = Vec::new();
    for (one, other, new_text) in &case.wishes {
        let edit = TextEdit::new(*one.get(&places)..*other.get(&places), new_text.clone());
        let edit =
            TextEdit { span: crate::text::Span::new(edit.span.start, edit.span.end.min(edit.span.start + 9)), ..edit };
        let apart = edits.iter().all(|seen| edit.span.end < seen.span.start || seen.span.end < edit.span.start);
        if apart && edit.span.of(text.as_str()).is_some() {
            edits.push(edit);
        }
    }
    edits
}

type Files = BTreeMap<String, Vec<u8>>;

/// Builds the plan over `files` at `root`, and the files that should stand after it.
fn plan_of(cases: Vec<(&'static str, Case)>, created: Vec<String>, root: &AbsPath) -> (Files, Plan, Files) {
    let (mut before, mut after, mut parts) = (Files::new(), Files::new(), Parts::default());
    let mut targets = BTreeSet::new();
    for (name, case) in cases {
        let path = root.join(name).unwrap();
        let text = Arc::new(Text::decode(case.content.clone().into_bytes()).unwrap());
        before.insert(name.to_owned(), text.encode());
        let edits = edits(&text, &case);
        let changed = text.with_content(crate::text::TextEdits::new(edits.clone()).unwrap().apply(text.as_str()));
        match case.fate {
            Fate::Delete => {
                parts.deletes.insert(path, text);
                continue;
            }
            Fate::Move(to) if targets.insert(to) => {
                let step = Move { to: root.join(to).unwrap(), before: text.hash().clone() };
                parts.moves.insert(path.clone(), step);
                after.insert(to.to_owned(), changed.encode());
            }
            _ => {
                after.insert(name.to_owned(), changed.encode());
            }
        }
        parts.edits.insert(path, (text, edits));
    }
    for (number, content) in created.into_iter().enumerate() {
        let name = format!("new {number}.txt");
        let text = Text::decode(content.into_bytes()).unwrap();
        after.insert(name.clone(), text.encode());
        parts.creates.insert(root.join(&name).unwrap(), text);
    }
    (before, Plan::new(parts).unwrap(), after)
}

fn write(root: &Path, files: &Files) {
    for (name, bytes) in files {
        std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        std::fs::write(root.join(name), bytes).unwrap();
    }
}

fn read(root: &Path) -> Files {
    let walk = ignore::WalkBuilder::new(root).standard_filters(false).build();
    let files = walk.map(Result::unwrap).filter(|entry| entry.file_type().is_some_and(|kind| !kind.is_dir()));
    files
        .map(|entry| {
            let name = entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect()
}

fn git_apply(root: &Path, patch: &str, flags: &[&str]) -> Result<(), String> {
    let mut git = Command::new("git");
    git.args(["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn"]).args(flags).arg("-").current_dir(root);
    git.env("GIT_CEILING_DIRECTORIES", root.parent().unwrap()).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let mut child = git.stdin(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), patch.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if done.status.success() { Ok(()) } else { Err(said) }
}

fn tree() -> (tempfile::TempDir, AbsPath) {
    let dir = tempfile::tempdir().unwrap();
    let root = AbsPath::new(dir.path().canonicalize().unwrap()).unwrap();
    (dir, root)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    #[test]
    fn git_applies_every_plan(
        cases in prop::collection::vec(case(), 1..NAMES.len()),
        created in prop::collection::vec(text(), 0..2),
    ) {
        let (_dir, root) = tree();
        let cases = NAMES.into_iter().zip(cases).collect();
        let (before, plan, after) = plan_of(cases, created, &root);
        write(root.as_path(), &before);
        let patch = patch(&plan, &root);
        if plan.is_empty() {
            prop_assert_eq!(&patch, "");
            return Ok(());
        }
        for flags in [&["--check"][..], &[]] {
            let outcome = git_apply(root.as_path(), &patch, flags);
            prop_assert!(outcome.is_ok(), "{:?}\n{}", outcome, patch);
        }
        prop_assert_eq!(read(root.as_path()), after, "{}", patch);
    }
}

#[test]
fn a_binary_file_and_a_link_move_and_swaps_are_possible() {
    let (_dir, root) = tree();
    let binary = vec![0, 159, 146, 150, 10, 0];
    let files: Files =
        [("a.bin".to_owned(), binary.clone()), ("one".to_owned(), b"1".to_vec()), ("two".to_owned(), b"2\n".to_vec())]
            .into();
    write(root.as_path(), &files);
    let step = |from: &str, to: &str| {
        let before = ContentHash::of(&files[from]);
        (root.join(from).unwrap(), Move { to: root.join(to).unwrap(), before })
    };
    let moves = [step("a.bin", "x/b.bin"), step("one", "two"), step("two", "one")];
    let plan = Plan::new(Parts { moves: moves.into(), ..Parts::default() }).unwrap();
    git_apply(root.as_path(), &patch(&plan, &root), &[]).unwrap();
    let expected: Files =
        [("x/b.bin".to_owned(), binary), ("one".to_owned(), b"2\n".to_vec()), ("two".to_owned(), b"1".to_vec())].into();
    assert_eq!(read(root.as_path()), expected);
}

#[test]
fn a_deleted_file_keeps_its_mode_in_the_patch() {
    use std::os::unix::fs::PermissionsExt;
    let (_dir, root) = tree();
    write(root.as_path(), &[("run.sh".to_owned(), b"true\n".to_vec())].into());
    let path = root.join("run.sh").unwrap();
    std::fs::set_permissions(path.as_path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let plan =
        Plan::new(Parts { deletes: [(path, Arc::new(Text::new("true\n")))].into(), ..Parts::default() }).unwrap();
    let expected =
        "diff --git a/run.sh b/run.sh\ndeleted file mode 100755\n--- a/run.sh\n+++ /dev/null\n@@ -1 +0,0 @@\n-true\n";
    assert_eq!(patch(&plan, &root), expected);
}

#[test]
fn one_changed_line_stands_in_its_context() {
    let root = AbsPath::new("/p").unwrap();
    let text = Arc::new(Text::new("1\n2\n3\n4\n5\n6\n7\n8\n9\n"));
    let edits = vec![TextEdit::new(8..9, "five")];
    let plan =
        Plan::new(Parts { edits: [(root.join("a b").unwrap(), (text, edits))].into(), ..Parts::default() }).unwrap();
    let expected =
        "diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
    assert_eq!(patch(&plan, &root), expected);
}
