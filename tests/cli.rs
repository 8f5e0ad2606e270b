//! The command line as a user meets it: the binary, its words, its exit codes.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use lspwright::text::ContentHash;

use crate::faces::{Project, Ran, golden};

#[test]
fn the_help_is_the_reference() {
    let project = Project::of("python-shop");
    let mut help = String::new();
    add_help(&project, &[], &mut help);
    golden("help.txt", &help);
}

/// Adds the help of a command, then that of each command below it.
fn add_help(project: &Project, words: &[&str], help: &mut String) {
    let line = [words, &["--help"]].concat();
    let shown = project.run(&line).ok();
    *help += &format!("$ lspwright {}\n{shown}\n", line.join(" "));
    let listed = shown.split_once("\nCommands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
    // What does not begin in the third column is the rest of a description.
    let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for name in names.filter(|name| !["", "help"].contains(name)) {
        add_help(project, &[words, &[name]].concat(), help);
    }
}

#[test]
fn misuse_ends_with_2() {
    let project = Project::of("python-shop");
    let misused = |args: &[&str], said: &str| {
        let ran = project.run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{args:?}: {ran:?}");
    };
    misused(&[], "Usage: lspwright");
    misused(&["rename"], "required arguments were not provided");
    misused(&["rename", "shop/order.py:22:7", "Basket", "--output", "yaml"], "invalid value 'yaml'");
    misused(&["rename", "shop/odrer.py:22:7", "Basket"], "does not exist");
    misused(&["rename", "shop/order.py", "basket.py"], "hint: to rename the file, move it");
    misused(&["rename", "shop/order.py::Ordr", "Basket"], "hint: did you mean `shop/order.py::Order`?");
    misused(&["rename", "shop/order.py#L10", "Basket"], "names nothing that is declared");
    misused(&["rename", "shop/order.py#L12-L22", "Basket"], "hint: did you mean `shop/order.py::OrderLine`?");
    misused(&["move", "shop/odrer.py", "shop/basket.py"], "does not exist");
    misused(&["rename", "shop/order.py:2222:7", "Basket"], "lines, not 2222");
    misused(&["rename", "shop/order.py:22:777", "Basket"], "line 22 of");
    misused(&["rename", "/etc/hostname:1:1", "Basket", "--project", "."], "outside the project");
    misused(&["schema", "plum"], "hint: there are plan, error,");
    misused(&["serve", "--toolsets", "plan,plum"], "no toolset is called `plum`");
    misused(&["apply", "nowhere.json"], "`nowhere.json` cannot be read");
    misused(&["init", "plum"], "hint: there are claude, codex,");
    misused(&["init", "claude", "--user"], "hint: for all projects: `claude mcp add");
    misused(&["servers", "install", "plum"], "no server is called `plum`");
}

#[test]
fn a_client_is_configured_and_the_entry_taken_out_again() {
    let project = Project::of("python-shop");
    let configuration = project.root().join(".mcp.json");
    let shown = project.run(&["--project", ".", "init", "claude"]).ok();
    assert!(shown.contains("+    \"lspwright\": {") && !configuration.exists(), "{shown}");
    project.run(&["--project", ".", "init", "claude", "--apply"]).ok();
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&configuration).unwrap()).unwrap();
    assert_eq!(written["mcpServers"]["lspwright"], json!({ "command": "lspwright", "args": ["serve"] }));
    let again = project.run(&["--project", ".", "init", "claude", "--apply"]);
    assert!(again.code == Some(0) && again.stderr.contains("configured so already"), "{again:?}");
    project.run(&["--project", ".", "init", "claude", "--remove", "--apply"]).ok();
    assert!(!configuration.exists());
}

#[test]
fn a_plan_is_a_page_that_says_how_it_is_applied() {
    let project = Project::of("python-shop");
    let rename = ["--project", ".", "rename", "shop/tax.py::tax_rate", "rate_of", "--output"];
    let page = project.run(&[&rename[..], &["html"]].concat()).ok();
    assert!(page.starts_with("<!doctype html>") && page.contains("<span class=\"x\">rate_of</span>"), "{page}");
    assert!(page.contains("lspwright --project . rename shop/tax.py::tax_rate rate_of --apply"), "{page}");
    assert!(page.contains("<strong>unchecked</strong>") && page.contains("mentioned-not-changed"), "{page}");
    let plan = project.run(&[&rename[..], &["json"]].concat()).ok();
    std::fs::write(project.root().join("plan.json"), plan).unwrap();
    let page = project.run(&["--project", ".", "review", "plan.json"]).ok();
    assert!(page.contains("<strong>clean</strong>") && page.contains("lspwright apply plan.json"), "{page}");
}

#[test]
fn shells_learn_the_commands() {
    let project = Project::of("python-shop");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = project.run(&["completions", shell]).ok();
        assert!(script.contains("lspwright") && script.contains("rename"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let project = Project::of("python-shop");
    let page = project.run(&["manual"]).ok();
    assert!(page.starts_with(".ie") && page.contains(".TH lspwright 1") && page.contains("Renames a symbol"), "{page}");
    project.run(&["manual", "pages"]).ok();
    for name in ["lspwright.1", "lspwright-rename.1", "lspwright-daemon-status.1"] {
        let page = std::fs::read_to_string(project.root().join("pages").join(name)).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}: {page}");
    }
}

#[test]
fn a_refused_rename_ends_with_1_and_says_what_next() {
    let project = Project::of("python-shop");
    let ran = project.run(&["--project", ".", "rename", "shop/order.py:22:7", "class"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    assert_eq!(ran.stderr, "error: `class` is a reserved word of Python\nhint: choose another name\n");
    let ran = project.run(&["--project", ".", "rename", "shop/order.py:22:7", "class", "--output", "json"]);
    let expected = json!({"canRename": false, "reason": "`class` is a reserved word of Python; choose another name"});
    assert_eq!((ran.code, ran.json()), (Some(1), expected), "{ran:?}");
}

#[test]
fn a_server_that_cannot_start_ends_with_3() {
    let project = Project::of("python-shop");
    let args = ["--project", ".", "rename", "shop/order.py:22:7", "Basket", "--output", "json"];
    let mut command = project.command(&args);
    command.env("LSPWRIGHT_CONFIG", project.root().join("none.toml"));
    std::fs::write(project.root().join("none.toml"), "[[routes]]\nlanguages = [\"python\"]\nservers = [\"pyright\"]\n")
        .unwrap();
    let ran = Ran::of(command.env("LSPWRIGHT_PYRIGHT_COMMAND", "/nowhere/pyright --stdio").output().unwrap());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(ran.json()["error"]["kind"], "server-missing", "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains("\nhint: "), "{ran:?}");
}

#[test]
fn offline_says_what_to_install() {
    let project = Project::of("python-shop");
    let args = ["--project", ".", "--offline", "rename", "shop/order.py:22:7", "Basket"];
    let ran = Ran::of(project.command(&args).env("XDG_CACHE_HOME", project.root().join("cache")).output().unwrap());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("lspwright servers install basedpyright"), "{ran:?}");
}

#[test]
fn steps_are_one_plan_that_is_taken_back_by_its_id() {
    let project =
        Project::with(&[("a.py", "def total(prices):\n    return sum(prices) * 119 / 100\n"), ("b.py", "x = 1\n")]);
    let before = project.files();
    project.write(
        "../steps.json",
        r#"[{"refactoring": "rename", "target": "a.py::total", "params": {"new_name": "gross"}},
            {"refactoring": "replace-magic-number", "target": "a.py::gross", "params": {"name": "RATE", "value": "119"}}]"#,
    );
    let refactor = ["--project", ".", "refactor", "--steps", "../steps.json", "--apply", "--verify", "syntax"];
    let applied = project.run(&refactor);
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert_eq!(project.text("a.py"), "RATE = 119\n\n\ndef gross(prices):\n    return sum(prices) * RATE / 100\n");
    let last = applied.stderr.lines().last().unwrap();
    let id = last.strip_prefix("applied: plan ").and_then(|rest| rest.split(',').next()).unwrap();
    let later = project.run(&["--project", ".", "rename", "b.py::x", "y", "--apply", "--verify", "syntax"]);
    assert_eq!(later.code, Some(0), "{later:?}");

    let unknown = project.run(&["undo", "no-such-plan", "--project", "."]);
    assert!(unknown.code == Some(1) && unknown.stderr.contains("no-such-plan"), "{unknown:?}");
    assert_eq!(project.run(&["undo", id, "--project", "."]).code, Some(0));
    assert_eq!(project.text("b.py"), "y = 1\n");
    assert_eq!(project.run(&["undo", "--project", "."]).code, Some(0));
    assert_eq!(project.files(), before);

    project.write("../steps.json", "[{}]");
    let bad = project.run(&refactor);
    assert!(bad.code == Some(2) && bad.stderr.contains("hint: write [{"), "{bad:?}");
}

/// Programs that write in place: an editor of streams, and lspwright itself, called as the catalog's clients call it.
#[test]
fn other_programs_work_on_a_copy() {
    let project = Project::with(&[("a.py", "def find(all):\n    first = all[0]\n    return first\n")]);
    project.write("../empty.toml", "");
    let empty = project.outside().join("empty.toml");
    let (own, config) = (env!("CARGO_BIN_EXE_lspwright"), project.outside().join("servers.toml"));
    let toml = format!(
        "[refactorers.stream]\ncommand = [\"sed\", \"-i\", \"s/all.0./max(all)/\", \"{{path}}\"]\n\
         languages = [\"python\"]\nrefactorings = [\"duplicate-observed-data\"]\n\
         [refactorers.other]\ncommand = [{own:?}]\nlanguages = [\"python\"]\nrefactorings = [\"inline-temp\"]\n\
         prefer = true\nenv = {{ LSPWRIGHT_APPLY = \"1\", LSPWRIGHT_CONFIG = {empty:?} }}\n"
    );
    std::fs::write(&config, toml).unwrap();
    let run = |args: &[&str]| {
        let mut command = project.command(&[&["--project", "."], args].concat());
        Ran::of(command.env("LSPWRIGHT_CONFIG", &config).output().unwrap())
    };
    let before = project.files();
    let list = run(&["refactor", "--list", "--language", "python"]).ok();
    assert!(list.contains("command other, then composed") && list.contains(",command stream"), "{list}");
    let streamed = run(&["refactor", "duplicate-observed-data", "a.py::find"]);
    assert!(streamed.stdout.contains("+    first = max(all)"), "{streamed:?}");
    let inlined = run(&["refactor", "inline-temp", "a.py:2:5"]);
    assert!(inlined.stdout.contains("+    return all[0]"), "{inlined:?}");
    let refused = run(&["refactor", "inline-temp", "a.py::find"]);
    assert!(refused.code == Some(1) && refused.stderr.contains("`other` failed: exit status: 1"), "{refused:?}");
    assert_eq!(project.files(), before, "nothing is written but in copies");
}

#[test]
fn what_could_be_done_and_what_the_text_rules_out_is_told_without_a_server() {
    let project = Project::of("python-shop");
    let nowhere = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let mut command = project.command(&[&["--project", ".", "refactor"], args].concat());
        Ran::of(command.env("XDG_CACHE_HOME", nowhere.path()).env("LSPWRIGHT_INSTALL", "never").output().unwrap())
    };
    let total = "shop/order.py::Order::total";
    let here = run(&[total]).ok();
    assert!(here.contains(&format!("lspwright refactor rename-method {total} --new-name NEW_NAME")), "{here}");
    let refused = run(&["inline-temp", total]);
    assert!(
        refused.code == Some(1) && refused.stderr.contains("not a variable that an assignment declares"),
        "{refused:?}"
    );
    let explained = run(&["inline-temp", total, "--explain"]);
    assert_eq!(explained.code, Some(1), "{explained:?}");
    assert!(explained.stdout.contains("obstacles[1]{place,reason,overruled_by}"), "{explained:?}");
    let nameless = run(&["rename"]);
    assert!(nameless.code == Some(2) && nameless.stderr.contains("`rename` needs a target"), "{nameless:?}");
}

#[test]
fn a_rename_is_planned_piped_applied_and_taken_back() {
    let project = Project::of("python-shop");
    let before = project.files();
    let rename = ["--project", ".", "rename", "shop/order.py::OrderLine", "Line", "--expect", "OrderLine"];
    let with = |more: &[&'static str]| [&rename[..], more].concat();

    let diff = project.run(&rename);
    assert!(diff.stderr.contains("nothing is written without --apply"), "{diff:?}");
    golden("rename.diff", &diff.ok());
    assert_eq!(project.run(&with(&["--quiet"])).stderr, "");
    let toon = project.run(&with(&["--output", "toon"])).ok();
    golden("rename.toon", &without_id(&toon.replace(project.root().to_str().unwrap(), "/project")));
    assert_eq!(project.files(), before, "planning writes nothing");

    let json = project.run(&with(&["--output", "json"])).ok();
    assert_eq!(json, project.run(&with(&["--output", "json"])).ok(), "the same request gives the same bytes");
    let patch = project.run(&with(&["--output", "patch"])).ok();
    piped(&mut project.command(&["apply", "-", "--project", ".", "--verify", "syntax"]), &json);
    let applied = project.files();
    assert!(project.text("shop/order.py").contains("class Line:") && applied != before);

    let undone = project.run(&["undo", "--project", "."]);
    assert!(undone.stderr.starts_with("undone: plan "), "{undone:?}");
    assert_eq!(project.files(), before);
    let mut git = std::process::Command::new("git");
    git.args(["apply", "-"])
        .current_dir(project.root())
        .env("GIT_CEILING_DIRECTORIES", project.root().parent().unwrap());
    piped(&mut git, &patch);
    assert_eq!(project.files(), applied, "the patch and the plan lead to the same files");

    std::fs::write(project.root().join("shop/order.py"), "other = 1\n").unwrap();
    let plan = project.root().join("../plan.json");
    std::fs::write(&plan, &json).unwrap();
    let stale = project.run(&["apply", plan.to_str().unwrap(), "--project", "."]);
    assert_eq!(stale.code, Some(1), "{stale:?}");
    assert!(
        stale.stderr.contains("changed since the plan was made") && stale.stderr.contains("shop/__init__.py"),
        "{stale:?}"
    );
    assert_eq!(project.text("shop/order.py"), "other = 1\n");
}

#[test]
fn apply_writes_after_a_check() {
    let project = Project::of("python-shop");
    let ran = project.run(&["--project", ".", "rename", "shop/order.py:12:7", "Line", "--apply"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stderr.starts_with("clean: ") && ran.stderr.contains("\napplied: plan "), "{ran:?}");
    assert!(project.text("shop/order.py").contains("class Line:"));
}

#[test]
fn a_plan_that_breaks_something_is_told_and_not_applied() {
    let project = Project::of("python-shop");
    let args = ["--project", ".", "rename", "shop/order.py:12:7", "Line", "--output", "json"];
    let mut plan: Value = serde_json::from_str(&project.run(&args).ok()).unwrap();
    plan["edits"].as_array_mut().unwrap().remove(0);
    let plan = plan.to_string();
    let before = project.files();
    let checked = piped_with(&mut project.command(&["verify", "-", "--project", "."]), &plan);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert!(checked.stdout.ends_with("regressed at level diagnostics\n"), "{checked:?}");
    let refused = piped_with(&mut project.command(&["apply", "-", "--project", "."]), &plan);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("error: the plan brings ")
            && refused.stderr.contains("hint: `--force` applies it all the same"),
        "{refused:?}"
    );
    assert_eq!(project.files(), before);
    let forced = piped_with(&mut project.command(&["apply", "-", "--project", ".", "--force"]), &plan);
    assert_eq!(forced.code, Some(0), "{forced:?}");
    assert_ne!(project.files(), before);
}

#[test]
fn the_help_of_a_refactoring_names_its_own_parameters() {
    let project = Project::with(&[("pyproject.toml", "")]);
    let own = project.run(&["refactor", "move-symbol", "--help"]).stdout;
    assert!(own.contains("lspwright refactor move-symbol TARGET --to"), "{own}");
    assert!(own.contains("--reexport") && own.contains("--apply") && !own.contains("--expression"), "{own}");
    let all = project.run(&["refactor", "--help"]).stdout;
    assert!(all.contains("--reexport") && all.contains("--expression") && all.contains("[NAME]"), "{all}");
}

#[test]
fn a_plan_that_does_not_fit_the_files_is_told_so_and_not_checked() {
    let project = Project::with(&[("pyproject.toml", ""), ("a.py", "x = 1\n"), ("b.py", "y = 1\n"), ("pkg/c.py", "")]);
    let basis = |path: &str, text: &str| json!({"filePath": path, "sha256": ContentHash::of(text.as_bytes()).as_str()});
    let told = |plan: Value| {
        let said = ["apply", "verify"].map(|command| {
            let ran = piped_with(&mut project.command(&[command, "-", "--project", "."]), &plan.to_string());
            (ran.code, ran.stderr.replace(&format!("{}/", project.root().display()), ""))
        });
        assert_eq!(said[0], said[1], "{plan}");
        said[0].clone()
    };
    let files = project.files();
    let (code, taken) = told(json!({"fsMoves": [{"from": "a.py", "to": "b.py"}], "basis": [basis("a.py", "x = 1\n")]}));
    assert_eq!((code, taken.lines().next()), (Some(1), Some("error: already there: `b.py`")), "{taken}");
    assert!(!taken.contains("--force") && !taken.contains("doctor"), "{taken}");
    let (code, taken) = told(json!({"fsCreates": ["b.py"], "basis": []}));
    assert_eq!((code, taken.lines().next()), (Some(1), Some("error: already there: `b.py`")), "{taken}");
    for plan in [json!({"fsDeletes": ["pkg"]}), json!({"fsMoves": [{"from": "pkg", "to": "other"}]})] {
        let (code, directory) = told(plan);
        let first = "error: `pkg` cannot be read: it is a directory, not a file";
        assert_eq!((code, directory.lines().next()), (Some(2), Some(first)), "{directory}");
    }
    let (code, unnamed) = told(json!({"fsDeletes": ["a.py"], "basis": []}));
    let first = "error: the plan touches `a.py` without having it in its `basis`";
    assert_eq!((code, unnamed.lines().next()), (Some(2), Some(first)), "{unnamed}");
    assert_eq!(project.files(), files);
}

#[test]
fn a_reader_that_leaves_early_is_no_fault() {
    let project = Project::of("python-shop");
    let mut child = project.command(&["schema", "plan"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn schemas_are_printed_by_name() {
    let project = Project::of("python-shop");
    let names = project.run(&["schema"]).ok();
    for name in names.lines().map(|line| line.split_whitespace().next().unwrap()) {
        let schema = project.run(&["schema", name]).json();
        assert_eq!(schema["type"], "object", "{name}");
    }
    assert_eq!(names.lines().count(), 98, "{names}");
}

#[test]
fn a_bare_name_is_enough_where_one_thing_is_called_so() {
    let vault = "pragma solidity ^0.8.20;\n\ncontract Vault {\n    uint256 public held;\n    function pay(uint256 amount) \
                 external { held = amount; }\n    function take(uint256 amount) external { held -= amount; }\n}\n";
    let bank = "pragma solidity ^0.8.20;\n\ncontract Bank {\n    function pay() external {}\n}\n";
    let project = Project::with(&[("foundry.toml", "[profile.default]\n"), ("Vault.sol", vault), ("Bank.sol", bank)]);
    let plan = project.run(&["rename", "held", "kept", "--output", "json"]).json();
    assert_eq!(plan["edits"][0]["textEdits"].as_array().unwrap().len(), 3, "{plan}");
    let several = project.run(&["rename", "pay", "give"]);
    assert_eq!(several.code, Some(2));
    assert!(several.stderr.contains("did you mean `Bank.sol:Bank.pay`?"), "{several:?}");
    let none = project.run(&["rename", "amount", "sum"]);
    assert!(
        none.code == Some(2) && none.stderr.contains("declares no `amount`"),
        "a function's own name is not enough: {none:?}"
    );
}

#[test]
fn doctor_and_servers_tell_what_is_there() {
    let project = Project::of("python-shop");
    let doctor = project.run(&["doctor", "--output", "json", "--project", "."]).json();
    let python = doctor["languages"].as_array().unwrap().iter().find(|one| one["language"] == "python").unwrap();
    assert_eq!(python["features"]["rename"], "basedpyright", "{python}");
    let report = project.run(&["doctor"]).ok();
    assert!(report.contains("languages (who answers what)") && !report.contains("gopls"), "{report}");
    assert!(report.ends_with("verdict: ready for python (basedpyright)\n"), "{report}");
    assert_eq!(doctor["verdict"], serde_json::json!({"ready": ["python (basedpyright)"], "missing": []}));
    let go = Project::with(&[("go.mod", "module a\n"), ("main.go", "package main\n")]);
    let mut without = go.command(&["doctor"]);
    let without = Ran::of(without.env("LSPWRIGHT_GOPLS_COMMAND", "/nowhere/gopls").output().unwrap());
    assert!(without.code == Some(3) && without.stdout.contains("verdict: missing: go ("), "{without:?}");
    let mut command = project.command(&["servers", "list", "--output", "json"]);
    let ran = Ran::of(command.env("LSPWRIGHT_PYRIGHT_ENABLED", "false").output().unwrap()).json();
    let pyright = ran.as_array().unwrap().iter().find(|server| server["name"] == "pyright").unwrap();
    assert_eq!(pyright["state"], "disabled");
}

/// A plan's id follows its absolute paths, which differ from run to run.
fn without_id(toon: &str) -> String {
    toon.split_inclusive('\n').filter(|line| !line.starts_with("planId: ")).collect()
}

fn piped(command: &mut std::process::Command, input: &str) {
    let ran = piped_with(command, input);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn piped_with(command: &mut std::process::Command, input: &str) -> Ran {
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = streams.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
fn the_run_of_the_readme() {
    let project = Project::of("python-shop");
    let ran = project.run(&["rename", "--project", ".", "shop/pricing.py::Priced::price_of", "cost_of"]);
    let (root, remarks) = (project.root(), ran.stderr.clone());
    let said = ran.ok() + &remarks.replace(root.to_str().unwrap(), "~/python-shop");
    let said: Vec<String> = said.lines().map(crate::book::runs::with_fixed_ids).collect();
    golden(
        "readme.txt",
        &format!("$ lspwright rename shop/pricing.py::Priced::price_of cost_of\n{}\n", said.join("\n")),
    );
}
