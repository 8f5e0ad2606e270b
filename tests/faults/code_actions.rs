//! One of three servers that are asked what they can do hangs, dies or answers garbage.

use std::path::Path;

use super::{command, nothing_survives, run};
use crate::faces::{Project, Ran};

/// Lists or plans what three servers of Lua offer, one of them broken so.
fn asked(mode: &str, args: &[&str]) -> Ran {
    among_three(mode, &[&["actions", "a.lua:1:7"], args].concat())
}

/// Runs a command that asks three servers of Lua, one of them broken so.
fn among_three(mode: &str, args: &[&str]) -> Ran {
    let project = Project::with(&[("a.lua", "local total = 1\nprint(total)\n")]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty.mjs");
    let limit = if mode == "acts-silent" || mode == "acts-mute" { 1 } else { 120 };
    let server = |name: &str, mode: &str, limit: u32| {
        format!(
            "[servers.{name}]\ncommand = [\"node\", {script:?}, \"{mode}\"]\nlanguages = {{ lua = [\"lua\"] }}\n\
             timeouts = {{ start = 120, request = {limit}, project = 120 }}\n"
        )
    };
    let servers = [server("one", "acts", 120), server("broken", mode, limit), server("two", "acts", 120)].concat();
    let route = "[[routes]]\nlanguages = [\"lua\"]\nservers = [\"one\"]\nfeatures = { codeAction = [\"broken\", \"one\", \"two\"] }\n";
    let file = project.outside().join("servers.toml");
    std::fs::write(&file, servers + route).unwrap();
    let before = project.files();
    let mut command = command(&project, &[&["--project", "."], args].concat());
    command.env("LSPWRIGHT_CONFIG", file);
    let ran = run(command);
    assert_eq!(project.files(), before, "{ran:?}");
    nothing_survives(&project);
    ran
}

#[test]
fn the_others_actions_come_and_the_missing_server_is_named() {
    let said = [
        ("acts-silent", "did not answer `textDocument/codeAction` within 1 s"),
        ("acts-dies", "server `broken` died"),
        ("acts-garbage", "answered `textDocument/codeAction` with something unusable"),
    ];
    for (mode, reason) in said {
        let ran = asked(mode, &["--output", "json"]);
        let answer = ran.json();
        let actions = answer["actions"].as_array().unwrap();
        assert_eq!(actions.len(), 1, "the same edit of two servers is one action: {answer}");
        assert_eq!((&actions[0]["title"], &actions[0]["server"]), (&"sum up".into(), &"one two".into()), "{answer}");
        let missing = &answer["unanswered"][0];
        assert_eq!(missing["what"], "broken", "{answer}");
        assert!(missing["reason"].as_str().unwrap().contains(reason), "{mode}: {answer}");
        assert!(ran.stderr.contains("no answer: broken"), "{ran:?}");
        let id = actions[0]["action"].as_str().unwrap();
        for wanted in [id, "sum up"] {
            let planned = asked(mode, &[wanted, "--output", "diff"]).ok();
            assert!(planned.contains("+local sum = 1"), "{planned}");
        }
    }
}

#[test]
fn an_action_that_nobody_offers_is_refused_with_those_there_are_and_those_who_are_missing() {
    let ran = asked("acts-garbage", &["multiply"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("no action there is `multiply`; broken gave no answer: "), "{ran:?}");
    assert!(ran.stderr.contains("hint: there is `sum up`"), "{ran:?}");
}

#[test]
fn who_says_nothing_of_a_file_is_named_with_the_file() {
    let listed = asked("acts-mute", &["--output", "json"]).json();
    assert_eq!(
        listed["actions"][0]["server"], "broken one two",
        "it may have something to offer all the same: {listed}"
    );
    let problems = among_three("acts-mute", &["problems", "--output", "json"]);
    let found = problems.json();
    assert_eq!((&found["filesLookedAt"], &found["rules"]), (&1.into(), &serde_json::json!([])), "{found}");
    for gap in [&listed["unanswered"][0], &found["notLookedAt"][0]] {
        assert_eq!((&gap["what"], &gap["reason"]), (&"broken".into(), &REASON.into()), "{gap}");
        assert!(gap["files"][0].as_str().unwrap().ends_with("a.lua"), "{gap}");
    }
    const REASON: &str = "server `broken` has not said within 1 s what it finds";
    let told = format!("not looked at: broken: {REASON} (a.lua)");
    assert!(problems.stderr.contains(&told) && problems.stderr.contains("not all was looked at"), "{problems:?}");
    for fix in [&["--rule", "first"][..], &["--fix-all"], &["--remove-unused"]] {
        let fixed = among_three("acts-mute", &[&["fix"], fix].concat());
        assert!(fixed.stderr.contains(&told), "{fix:?}: {fixed:?}");
    }
}

#[test]
fn fixes_of_the_others_are_made_and_the_missing_server_is_named() {
    for mode in ["acts-silent", "acts-dies", "acts-garbage"] {
        let fixed = among_three(mode, &["fix", "--fix-all", "--output", "diff"]);
        assert_eq!(fixed.code, Some(0), "{fixed:?}");
        assert!(fixed.stdout.contains("+local product = 1"), "{mode}: {fixed:?}");
        assert!(fixed.stderr.contains("not looked at: broken: server `broken` "), "{mode}: {fixed:?}");
        assert!(fixed.stderr.contains("(a.lua)"), "{mode}: {fixed:?}");
    }
}
