//! One of three servers that are asked what they can do hangs, dies or answers garbage.

use std::path::Path;

use super::{command, nothing_survives, run};
use crate::faces::{Project, Ran};

/// Lists or plans what three servers of Lua offer, one of them broken so.
fn asked(mode: &str, args: &[&str]) -> Ran {
    let project = Project::with(&[("a.lua", "local total = 1\nprint(total)\n")]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty.mjs");
    let limit = if mode == "acts-silent" { 1 } else { 120 };
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
    let mut command = command(&project, &[&["--project", ".", "actions", "a.lua:1:7"], args].concat());
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
