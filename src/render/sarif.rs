//! Problems in SARIF 2.1.0 (OASIS), which code hosts show beside the lines of a change.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::found::{code, source};
use crate::plan::{Problem, Severity};
use crate::text::{AbsPath, ContentHash};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// What relative paths count from; code hosts take it for the root of the repository.
const ROOT: &str = "%SRCROOT%";

/// Writes one run, with what could not be looked at as notifications: then the run was not successful.
pub fn sarif(problems: &[Problem], root: &AbsPath, missing: &[String]) -> Value {
    let mut rules: BTreeMap<String, usize> = problems.iter().map(|problem| (rule_id(problem), 0)).collect();
    for (index, at) in rules.values_mut().enumerate() {
        *at = index;
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut result = |problem: &Problem| {
        let known = format!("{} {} {}", rule_id(problem), uri(problem, root), problem.message);
        let nth = seen.entry(known.clone()).or_default();
        *nth += 1;
        let print = ContentHash::of(format!("{known} {nth}").as_bytes());
        json!({
            "ruleId": rule_id(problem),
            "ruleIndex": rules[&rule_id(problem)],
            "level": level(problem.severity),
            "message": {"text": problem.message},
            "locations": [{"physicalLocation": location(problem, root)}],
            "partialFingerprints": {"lspwright/v1": &print.as_str()[..16]},
        })
    };
    let results: Vec<Value> = problems.iter().map(&mut result).collect();
    let ids: Vec<Value> = rules.keys().map(|id| json!({"id": id})).collect();
    let notifications: Vec<Value> =
        missing.iter().map(|what| json!({"level": "warning", "message": {"text": what}})).collect();
    let driver = json!({
        "name": "lspwright", "version": env!("CARGO_PKG_VERSION"), "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": ids,
    });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": {ROOT: {"uri": format!("{}/", file_uri(root))}},
            "invocations": [{"executionSuccessful": missing.is_empty(), "toolExecutionNotifications": notifications}],
            "results": results,
        }],
    })
}

fn rule_id(problem: &Problem) -> String {
    format!("{}/{}", source(problem).to_lowercase(), code(problem))
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}

/// Lines and columns are 1-based, and an end lies behind the last character.
fn location(problem: &Problem, root: &AbsPath) -> Value {
    let mut place = json!({"artifactLocation": {"uri": uri(problem, root), "uriBaseId": ROOT}});
    if problem.path.relative_to(root).is_none() {
        place = json!({"artifactLocation": {"uri": file_uri(&problem.path)}});
    }
    if let Some(range) = problem.range {
        let (start, end) = (range.start, range.end);
        place["region"] = json!({
            "startLine": start.line + 1, "startColumn": start.character + 1,
            "endLine": end.line + 1, "endColumn": end.character + 1,
        });
    }
    place
}

fn uri(problem: &Problem, root: &AbsPath) -> String {
    let whole = file_uri(&problem.path);
    let below = whole.strip_prefix(&format!("{}/", file_uri(root))).map(str::to_owned);
    below.unwrap_or(whole)
}

fn file_uri(path: &AbsPath) -> String {
    url::Url::from_file_path(path.as_path()).expect("an AbsPath is absolute").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Position, Range};

    #[test]
    fn a_problem_has_a_rule_a_place_and_a_print_of_its_own() {
        let root = AbsPath::new("/p q").unwrap();
        let start = Position { line: 2, character: 4 };
        let problem = |severity| Problem {
            path: AbsPath::new("/p q/a b.py").unwrap(),
            range: Some(Range { start, end: Position { line: 2, character: 9 } }),
            severity,
            code: Some("F401".to_owned()),
            message: "unused".to_owned(),
            source: Some("Ruff".to_owned()),
        };
        let written = sarif(&[problem(Severity::Warning), problem(Severity::Hint)], &root, &[]);
        let run = &written["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"], json!([{"id": "ruff/F401"}]));
        assert_eq!(run["originalUriBaseIds"][ROOT]["uri"], "file:///p%20q/");
        let [first, second] = run["results"].as_array().unwrap().as_slice() else { panic!("{written}") };
        assert_eq!((&first["level"], &second["level"]), (&json!("warning"), &json!("note")));
        let place = &first["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b.py");
        assert_eq!(place["region"], json!({"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 10}));
        assert_ne!(first["partialFingerprints"], second["partialFingerprints"]);
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
        assert_eq!(
            sarif(&[], &root, &["ruff: gone".to_owned()])["runs"][0]["invocations"][0]["executionSuccessful"],
            false
        );
    }
}
