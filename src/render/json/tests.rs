//! The public JSON: its exact shape, and the way back.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::plan::{Level, Move, Parts, WarningKind};
use crate::render::{ReadPlanError, Source, WrittenPlan, toon};
use crate::text::{ContentHash, Text};

type Disk = BTreeMap<AbsPath, Vec<u8>>;

fn root() -> AbsPath {
    AbsPath::new("/p").unwrap()
}

fn at(name: &str) -> AbsPath {
    root().join(name).unwrap()
}

fn read(json: &str, disk: &Disk) -> Result<Plan, ReadPlanError> {
    let bytes = |path: &AbsPath| disk.get(path).cloned().ok_or_else(|| format!("there is no file `{path}`"));
    let text = |path: &AbsPath| Text::decode(bytes(path)?).map(Arc::new).map_err(|error| error.to_string());
    let hash = |path: &AbsPath| bytes(path).map(|bytes| ContentHash::of(&bytes));
    WrittenPlan::parse(json)?.read(&Source { root: &root(), text: &text, hash: &hash })
}

fn disk_before(plan: &Plan, moved: &[(&str, &[u8])]) -> Disk {
    let edited = plan.edits().iter().map(|(path, edit)| (path.clone(), edit.before.encode()));
    let deleted = plan.deletes().iter().map(|(path, text)| (path.clone(), text.encode()));
    let moved = moved.iter().map(|(name, bytes)| (at(name), bytes.to_vec()));
    moved.chain(edited).chain(deleted).collect()
}

/// One of everything.
fn sample() -> (Plan, Disk) {
    let before = Arc::new(Text::decode("\u{feff}let 🦀x = 1;\r\nx;\n".as_bytes().to_vec()).unwrap());
    let edits = vec![TextEdit::new(8..9, "total"), TextEdit::new(16..17, "total")];
    let parts = Parts {
        edits: [(at("a.ts"), (before.clone(), edits))].into(),
        moves: [
            (at("a.ts"), Move { to: at("b/a.ts"), before: before.hash().clone() }),
            (at("logo.png"), Move { to: at("b/logo.png"), before: ContentHash::of(&[0, 255]) }),
        ]
        .into(),
        creates: [(at("new.py"), Text::new("x = 1\n")), (at("empty.py"), Text::new(""))].into(),
        deletes: [(at("old.py"), Arc::new(Text::new("gone")))].into(),
        warnings: vec![Warning::at(
            WarningKind::Mentioned,
            "`x` stands here",
            at("README.md"),
            before.range((0..3).into()),
        )],
    };
    let plan = Plan::new(parts).unwrap();
    let disk = disk_before(&plan, &[("logo.png", &[0, 255])]);
    (plan, disk)
}

#[test]
fn the_shape_is_the_published_one() {
    let (plan, _) = sample();
    let verification = Verification::compared(Level::Diagnostics, Vec::new()).over(3, 0);
    let hash = |bytes: &[u8]| ContentHash::of(bytes).as_str().to_owned();
    let range = |line, start, end| json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}});
    let expected = json!({
        "planId": plan.id().as_str(),
        "verification": {"level": "diagnostics", "status": "clean", "filesLookedAt": 3, "filesLeftOut": 0, "newProblems": []},
        "warningCounts": [{"kind": "mentioned-not-changed", "places": 1, "files": 1}],
        "warnings": [{"kind": "mentioned-not-changed", "message": "`x` stands here", "filePath": "/p/README.md", "range": range(0, 0, 3)}],
        "edits": [
            {"filePath": "/p/a.ts", "textEdits": [
                {"range": range(0, 6, 7), "newText": "total"},
                {"range": range(1, 0, 1), "newText": "total"},
            ]},
            {"filePath": "/p/new.py", "textEdits": [{"range": range(0, 0, 0), "newText": "x = 1\n"}]},
        ],
        "fsMoves": [{"from": "/p/a.ts", "to": "/p/b/a.ts"}, {"from": "/p/logo.png", "to": "/p/b/logo.png"}],
        "fsCreates": ["/p/empty.py", "/p/new.py"],
        "fsDeletes": ["/p/old.py"],
        "basis": [
            {"filePath": "/p/a.ts", "sha256": hash("\u{feff}let 🦀x = 1;\r\nx;\n".as_bytes())},
            {"filePath": "/p/logo.png", "sha256": hash(&[0, 255])},
            {"filePath": "/p/old.py", "sha256": hash(b"gone")},
        ],
    });
    let written = serde_json::to_string_pretty(&super::plan(&plan, Some(&verification))).unwrap();
    assert_eq!(written, serde_json::to_string_pretty(&expected).unwrap(), "keys and their order");
}

#[test]
fn an_empty_plan_has_its_four_keys() {
    let written = serde_json::to_value(super::plan(&Plan::default(), None)).unwrap();
    let keys: Vec<&String> = written.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["planId", "edits", "fsMoves", "basis"]);
}

#[test]
fn what_is_written_is_read_back() {
    let (plan, disk) = sample();
    let json = serde_json::to_string(&super::plan(&plan, None)).unwrap();
    assert_eq!(read(&json, &disk).unwrap(), plan);
    let answer = RenameJson { can_rename: true, reason: None, plan: Some(super::plan(&plan, None)) };
    let json = serde_json::to_string(&answer).unwrap();
    assert_eq!(read(&json, &disk).unwrap(), plan, "a rename's answer is a plan too");
}

#[test]
fn every_changed_file_is_named() {
    let (plan, mut disk) = sample();
    let json = serde_json::to_string(&super::plan(&plan, None)).unwrap();
    disk.insert(at("a.ts"), b"other".to_vec());
    disk.remove(&at("logo.png"));
    let error = read(&json, &disk).unwrap_err();
    assert_eq!(error, ReadPlanError::Stale { paths: vec![at("a.ts"), at("logo.png")] });
    assert_eq!(error.to_string(), "changed since the plan was made: `/p/a.ts`, `/p/logo.png`");
}

#[test]
fn a_plan_by_hand_needs_only_edits_and_takes_relative_paths_and_unknown_keys() {
    let disk: Disk = [(at("a.py"), b"x = 1\n".to_vec())].into();
    let json = r#"{"author": "me", "edits": [{"filePath": "a.py", "note": 1, "textEdits": [
        {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}, "newText": "y"}]}]}"#;
    let plan = read(json, &disk).unwrap();
    assert_eq!(plan.text_after(&at("a.py")).unwrap().as_str(), "y = 1\n");
}

#[test]
fn what_is_no_plan_is_refused_with_its_reason() {
    let disk: Disk = [(at("a.py"), b"x = 1\n".to_vec())].into();
    let edit = |start: (u32, u32), end: (u32, u32)| {
        let range =
            json!({"start": {"line": start.0, "character": start.1}, "end": {"line": end.0, "character": end.1}});
        json!({"filePath": "a.py", "textEdits": [{"range": range, "newText": "y"}]})
    };
    let said = |json: Value| read(&json.to_string(), &disk).unwrap_err().to_string();
    assert_eq!(said(json!({"edits": [edit((0, 0), (7, 1))]})), "`/p/a.py` has no place 7:1 (0-based, UTF-16)");
    assert_eq!(said(json!({"edits": [edit((0, 3), (0, 1))]})), "`/p/a.py` has no place 0:1 (0-based, UTF-16)");
    assert_eq!(
        said(json!({"edits": [edit((0, 0), (0, 1)), edit((0, 2), (0, 3))]})),
        "`/p/a.py` stands in the plan's `edits` twice"
    );
    assert_eq!(said(json!({"fsMoves": [{"from": "b.py", "to": "c.py"}]})), "there is no file `/p/b.py`");
    assert_eq!(
        said(json!({"canRename": false, "reason": "`class` is a keyword"})),
        "this is the answer that there is no plan: `class` is a keyword"
    );
    assert!(said(json!([])).starts_with("this is not a plan: "), "{}", said(json!([])));
    let disk: Disk = [(at("a.py"), b"x = 1\n".to_vec()), (at("b.py"), Vec::new())].into();
    for basis in [json!([]), json!([{"filePath": "b.py", "sha256": ContentHash::of(b"").as_str()}])] {
        let error = read(&json!({"edits": [edit((0, 0), (0, 1))], "basis": basis}).to_string(), &disk).unwrap_err();
        assert_eq!(error, ReadPlanError::NoBasis { path: at("a.py") });
    }
}

#[test]
fn toon_rows_are_uniform() {
    let (plan, _) = sample();
    let toon = toon(&plan, None, &root());
    let expected = format!(
        r#"root: /p
planId: {}
warningCounts[1]{{kind,places,files}}:
  mentioned-not-changed,1,1
warnings[1]{{kind,file,line,character,message}}:
  mentioned-not-changed,README.md,0,0,`x` stands here
edits[3]{{file,startLine,startCharacter,endLine,endCharacter,newText}}:
  a.ts,0,6,0,7,total
  a.ts,1,0,1,1,total
  new.py,0,0,0,0,"x = 1\n"
fsMoves[2]{{from,to}}:
  a.ts,b/a.ts
  logo.png,b/logo.png
fsCreates[2]: empty.py,new.py
fsDeletes[1]: old.py
"#,
        quoted_where_numeric(plan.id().as_str())
    );
    assert_eq!(toon, expected);
}

#[test]
fn a_long_table_is_one_table() {
    let before = Arc::new(Text::new("x\n".repeat(1_203)));
    let edits = (0..1_203).map(|line| TextEdit::new(line * 2..line * 2 + 1, format!("y, {line}"))).collect();
    let plan = Plan::new(Parts { edits: [(at("a.py"), (before, edits))].into(), ..Parts::default() }).unwrap();
    let read: Value = toon_format::decode_default(&toon(&plan, None, &root())).unwrap();
    let rows = read["edits"].as_array().unwrap();
    assert_eq!(rows.len(), 1_203);
    for (line, row) in rows.iter().enumerate() {
        assert_eq!((row["startLine"].as_u64(), &row["newText"]), (Some(line as u64), &json!(format!("y, {line}"))));
    }
}

/// TOON quotes a string that reads like a number.
fn quoted_where_numeric(id: &str) -> String {
    toon_format::encode_default(&id).unwrap()
}

#[test]
fn the_schemas_name_every_key() {
    let plan = schema();
    assert_eq!(plan["required"], json!(["planId", "edits", "fsMoves", "basis"]));
    let rename = schema_of_output::<RenameJson>();
    assert_eq!(rename["type"], "object");
    assert_eq!(rename["required"], json!(["canRename"]));
    for key in [
        "edits",
        "fsMoves",
        "fsCreates",
        "fsDeletes",
        "planId",
        "basis",
        "verification",
        "warnings",
        "warningCounts",
        "reason",
    ] {
        assert!(rename["properties"].get(key).is_some(), "{key}");
    }
}

proptest! {
    #[test]
    fn any_text_and_edits_come_back(content in "(\u{feff})?[a\u{e9}\u{1f980}\r\n\u{2028}]{0,40}", cuts in prop::collection::vec(0_usize..80, 0..6)) {
        let before = Arc::new(Text::decode(content.into_bytes()).unwrap());
        let text = before.as_str();
        // A place between \r and \n exists in bytes, but not in lines and characters.
        let is_place = |cut: &usize| text.is_char_boundary(*cut) && before.position(*cut).and_then(|at| before.offset(at)) == Some(*cut);
        let mut cuts: Vec<usize> = cuts.into_iter().filter(is_place).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let edits = cuts.chunks(2).filter(|pair| pair.len() == 2).map(|pair| TextEdit::new(pair[0]..pair[1], "new")).collect();
        let plan = Plan::new(Parts { edits: [(at("a.py"), (before, edits))].into(), ..Parts::default() }).unwrap();
        let json = serde_json::to_string(&super::plan(&plan, None)).unwrap();
        prop_assert_eq!(read(&json, &disk_before(&plan, &[])).unwrap(), plan);
    }
}
