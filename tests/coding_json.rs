//! JSON files of the world, changed at random: what is not meant stays byte for byte. And JSONPath as its suite has it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use lspwright::syntax::json::{Dialect, Operation, Query, edited, found};
use serde_json::{Value, json};

/// Installs packages with many `package.json` and `tsconfig.json`, once, and lists these.
fn files() -> &'static [PathBuf] {
    static FILES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FILES.get_or_init(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("json-express-4.21.2");
        let options = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
        let packages = ["express@4.21.2", "@vue/tsconfig@0.7.0", "gts@6.0.2"];
        let installed = Command::new("npm").args(options).arg(&directory).args(packages).status().unwrap();
        assert!(installed.success(), "the packages can be installed");
        let walk = ignore::WalkBuilder::new(&directory).standard_filters(false).build().map(Result::unwrap);
        let is_meant = |path: &Path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name == "package.json" || name.starts_with("tsconfig") && name.ends_with(".json")
        };
        let mut files: Vec<PathBuf> = walk.map(|entry| entry.path().to_owned()).filter(|path| is_meant(path)).collect();
        files.sort();
        files
    })
}

/// Numbers without an order that anybody sees, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// What the text says to a reader of JSON.
fn value(text: &str) -> Value {
    let whole = found(text, Dialect::Json, &Query::parse("$").unwrap()).unwrap();
    serde_json::from_str(&whole[0].1).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Removes the value of a normalized path.
fn without(mut whole: Value, path: &str) -> Value {
    let mut steps = steps(path);
    let last = steps.pop().unwrap();
    let holder = steps.iter().fold(&mut whole, |value, step| match step {
        Ok(index) => &mut value[*index],
        Err(name) => &mut value[name.as_str()],
    });
    match (holder, last) {
        (Value::Array(values), Ok(index)) => drop(values.remove(index)),
        (Value::Object(map), Err(name)) => drop(map.shift_remove(&name)),
        _ => panic!("{path}"),
    }
    whole
}

fn with(mut whole: Value, path: &str, new: &Value) -> Value {
    let place = steps(path).into_iter().fold(&mut whole, |value, step| match step {
        Ok(index) => &mut value[index],
        Err(name) => &mut value[name],
    });
    *place = new.clone();
    whole
}

/// Reads a normalized path (RFC 9535 § 2.7): indices and names.
fn steps(path: &str) -> Vec<Result<usize, String>> {
    let mut steps = Vec::new();
    let mut rest = path.strip_prefix('$').unwrap();
    while let Some(inside) = rest.strip_prefix('[') {
        if let Some(name) = inside.strip_prefix('\'') {
            let (mut end, mut is_escaped) = (0, false);
            for (at, character) in name.char_indices() {
                if character == '\'' && !is_escaped {
                    end = at;
                    break;
                }
                is_escaped = character == '\\' && !is_escaped;
            }
            steps.push(Err(name[..end].replace("\\'", "'").replace("\\\\", "\\")));
            rest = &name[end + 2..];
        } else {
            let (index, behind) = inside.split_once(']').unwrap();
            steps.push(Ok(index.parse().unwrap()));
            rest = behind;
        }
    }
    steps
}

#[test]
fn a_thousand_random_changes_leave_all_else_as_it_was() {
    let files = files();
    assert!(files.len() > 50 && files.iter().any(|path| std::fs::read_to_string(path).unwrap().contains("/* ")));
    let mut random = Random(9535);
    let (mut sets, mut removals) = (0, 0);
    let values =
        [json!(null), json!("näh \"q\""), json!(-1.5e3), json!([]), json!([1, [2]]), json!({"a": {"b": [true]}})];
    while sets + removals < 1_000 {
        let path = &files[random.below(files.len())];
        let text = std::fs::read_to_string(path).unwrap();
        let places = found(&text, Dialect::Json, &Query::parse("$..*").unwrap()).unwrap();
        let whole = value(&text);
        let (place, _) = &places[random.below(places.len())];
        let query = Query::parse(place).unwrap();
        let context = || format!("{} {place}", path.display());
        if random.below(2) == 0 {
            let new = &values[random.below(values.len())];
            let after = edited(&text, Dialect::Json, &query, &Operation::Set(new.clone())).unwrap().text;
            assert_eq!(value(&after), with(whole, place, new), "{}", context());
            let old = found(&text, Dialect::Json, &query).unwrap().remove(0).1;
            let new = found(&after, Dialect::Json, &query).unwrap().remove(0).1;
            // The values, as they are written, are all that differs.
            let start = text.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count();
            let end =
                text[start..].bytes().rev().zip(after[start..].bytes().rev()).take_while(|(one, other)| one == other);
            let (end, differs) = (end.count(), |whole: &str, end: usize| whole[start..whole.len() - end].to_owned());
            // Where there are comments, what is shown is not what is written.
            if text.contains(&old) {
                assert!(old.contains(&differs(&text, end)), "{}\n{old}\n{after}", context());
            }
            assert!(new.contains(&differs(&after, end)), "{}\n{new}\n{after}", context());
            sets += 1;
        } else {
            let after = edited(&text, Dialect::Json, &query, &Operation::Remove).unwrap().text;
            assert_eq!(value(&after), without(whole.clone(), place), "{}", context());
            // Nothing is written that was not there, in the order in which it was.
            let mut left = text.chars();
            assert!(after.chars().all(|wanted| left.any(|there| there == wanted)), "{}\n{after}", context());
            // What stays is written as it was.
            let kept = found(&after, Dialect::Json, &Query::parse("$..*").unwrap()).unwrap_or_default();
            let is_leaf = |(_, shown): &&(String, String)| !shown.starts_with(['{', '[']);
            let leaves: Vec<&str> = places.iter().filter(is_leaf).map(|(_, shown)| shown.as_str()).collect();
            assert!(kept.iter().filter(is_leaf).all(|(_, shown)| leaves.contains(&shown.as_str())), "{}", context());
            let (lines, before) =
                (after.matches("//").count() + after.matches("/*").count(), text.matches("//").count());
            assert!(lines <= before + text.matches("/*").count());
            removals += 1;
        }
    }
    assert!(sets > 400 && removals > 400, "{sets} {removals}");
}

#[test]
fn what_is_added_and_removed_again_leaves_no_trace() {
    let mut random = Random(20);
    for _ in 0..500 {
        let path = &files()[random.below(files().len())];
        let text = std::fs::read_to_string(path).unwrap();
        let containers = found(&text, Dialect::Json, &Query::parse("$..[?@.*]").unwrap()).unwrap_or_default();
        let all = containers.into_iter().map(|(place, _)| place).chain(["$".to_owned()]).collect::<Vec<_>>();
        let place = &all[random.below(all.len())];
        let holder = steps(place).into_iter().fold(value(&text), |value, step| match step {
            Ok(index) => value[index].clone(),
            Err(name) => value[name].clone(),
        });
        let new = match &holder {
            Value::Array(values) => format!("{place}[{}]", random.below(values.len() + 1)),
            _ => format!("{place}['a new one']"),
        };
        let query = Query::parse(&new).unwrap();
        let added = edited(&text, Dialect::Json, &query, &Operation::Add(json!({"x": [1, {}]}))).unwrap().text;
        let removed = edited(&added, Dialect::Json, &query, &Operation::Remove).unwrap().text;
        assert_eq!(removed, text, "{} {new}\n{added}", path.display());
    }
}

/// The suite is fetched by whoever wants to see it pass: `JSONPATH_SUITE=…/cts.json`, from the repository
/// `jsonpath-standard/jsonpath-compliance-test-suite`.
#[test]
#[ignore = "needs the compliance suite (JSONPATH_SUITE)"]
fn the_compliance_suite_passes() {
    let suite = std::env::var_os("JSONPATH_SUITE").expect("the path of cts.json");
    let suite: Value = serde_json::from_str(&std::fs::read_to_string(suite).unwrap()).unwrap();
    let cases = suite["tests"].as_array().unwrap();
    let failed: Vec<&str> =
        cases.iter().filter(|case| !passes(case)).map(|case| case["name"].as_str().unwrap()).collect();
    assert!(failed.is_empty(), "{} of {} pass; not {failed:#?}", cases.len() - failed.len(), cases.len());
}

fn passes(case: &Value) -> bool {
    let query = Query::parse(case["selector"].as_str().unwrap());
    let Ok(query) = query else { return case["invalid_selector"] == true };
    if case["invalid_selector"] == true {
        return false;
    }
    let text = case["document"].to_string();
    let shown = found(&text, Dialect::Json, &query).unwrap_or_default();
    let got: Vec<Value> = shown.iter().map(|(_, value)| serde_json::from_str(value).unwrap()).collect();
    let paths: Vec<&str> = shown.iter().map(|(path, _)| path.as_str()).collect();
    let is_one_of = |got: Value, one: &Value, several: &Value| match several.as_array() {
        Some(several) => several.contains(&got),
        None => one.is_null() || *one == got,
    };
    is_one_of(json!(got), &case["result"], &case["results"])
        && is_one_of(json!(paths), &case["result_paths"], &case["results_paths"])
}
