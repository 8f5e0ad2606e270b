//! The coding tools as an agent meets them: over MCP, on a project of its own.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::faces::Project;
#[cfg(target_os = "linux")]
use crate::faces::marked;
use crate::mcp::{Client, error};

const FILES: &[(&str, &str)] = &[
    (
        "src/order.py",
        "class Order:\n    def total(self, rate):\n        return 3 * rate\n\n\ndef land():\n    return \"se\"\n",
    ),
    ("src/dos.py", "a = 1\r\nb = 2\r\n"),
    ("src/twice.py", "x = 1\ny = 2\nx = 1\n"),
    (
        "package.json",
        "{\n  // ours\n  \"name\": \"shop\",\n  \"scripts\": { \"test\": \"true\" },\n  \"files\": []\n}\n",
    ),
    ("log.jsonl", "{\"n\": 1}\n{\"n\": 2}\n"),
];

fn begun(project: &Project, more: &[&str]) -> Client {
    let args: Vec<&str> =
        ["serve", "--project", ".", "--toolsets", "plan,coding"].iter().chain(more).copied().collect();
    let mut client = Client::start(project.command(&args));
    client.initialize("2025-11-25");
    client
}

fn project() -> (Project, Client) {
    let project = Project::with(FILES);
    let client = begun(&project, &[]);
    (project, client)
}

/// The text of an answer that is none of an error.
fn text(answer: &Value) -> String {
    assert_ne!(answer["isError"], true, "{answer}");
    answer["content"][0]["text"].as_str().unwrap().to_owned()
}

fn said(client: &mut Client, tool: &str, arguments: Value) -> String {
    text(&client.call(tool, arguments))
}

/// The message and the hints of a refusal, in one line each.
fn refused(client: &mut Client, tool: &str, arguments: Value) -> String {
    let error = error(&client.call(tool, arguments));
    let hints = error["hints"].as_array().unwrap().iter().map(|hint| hint.as_str().unwrap());
    std::iter::once(error["message"].as_str().unwrap()).chain(hints).collect::<Vec<_>>().join("\n")
}

fn structure(answer: &Value) -> Value {
    assert_eq!(serde_json::from_str::<Value>(&text(answer)).unwrap(), answer["structuredContent"]);
    answer["structuredContent"].clone()
}

fn bash(client: &mut Client, command: &str) -> Value {
    structure(&client.call("bash", json!({"command": command})))
}

#[test]
fn the_toolset_is_off_unless_asked_for_and_what_writes_is_left_out() {
    let project = Project::with(FILES);
    let listed = |args: &[&str]| {
        let mut client = Client::start(project.command(args));
        client.initialize("2025-11-25");
        let tools = client.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone();
        let named = tools.into_iter().map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool));
        named.collect::<BTreeMap<String, Value>>()
    };
    let names = |tools: &BTreeMap<String, Value>| tools.keys().cloned().collect::<Vec<_>>();
    assert!(!names(&listed(&["serve"])).contains(&"bash".to_owned()), "it is off unless asked for");
    let tools = listed(&["serve", "--toolsets", "coding"]);
    let all = ["bash", "code_search", "file_editor", "git_diff", "json_editor", "sequential_thinking", "task_done"]
        .map(str::to_owned);
    assert_eq!(names(&tools), all);
    let reading = names(&listed(&["serve", "--toolsets", "coding", "--read-only"]));
    assert_eq!(reading, ["code_search", "git_diff", "sequential_thinking", "task_done"]);
    let hints = |tool: &str| {
        let told = &tools[tool]["annotations"];
        ["readOnlyHint", "destructiveHint", "openWorldHint"].map(|hint| told[hint].as_bool().unwrap())
    };
    assert_eq!(hints("bash"), [false, true, true]);
    assert_eq!(hints("file_editor"), [false, true, false]);
    assert_eq!(hints("json_editor"), [false, true, false]);
    for tool in ["code_search", "git_diff", "sequential_thinking", "task_done"] {
        assert_eq!(hints(tool), [true, false, false], "{tool}");
    }
    let inputs = |tool: &str| {
        let schema = &tools[tool]["inputSchema"];
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let optional = |name: &String| if required.contains(&json!(name)) { name.clone() } else { format!("{name}?") };
        properties.keys().map(optional).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(inputs("bash"), "command restart? timeout?");
    assert_eq!(
        inputs("file_editor"),
        "operation path content? old_string? new_string? line_number? view_range? check?"
    );
    assert_eq!(inputs("json_editor"), "operation file_path json_path value? check?");
    assert_eq!(inputs("code_search"), "command path identifier print_body?");
    assert_eq!(inputs("git_diff"), "path base_commit?");
    assert_eq!(
        inputs("sequential_thinking"),
        "thought thought_number total_thoughts next_thought_needed is_revision? revises_thought? branch_from_thought? \
         branch_id? needs_more_thoughts?"
    );
    assert_eq!(inputs("task_done"), "");
}

#[test]
fn a_file_is_viewed_edited_and_taken_back() {
    let (project, mut client) = project();
    let view =
        said(&mut client, "file_editor", json!({"operation": "view", "path": "src/order.py", "view_range": [2, 3]}));
    assert_eq!(view, "     2\t    def total(self, rate):\n     3\t        return 3 * rate\n");
    let listed = said(&mut client, "file_editor", json!({"operation": "view", "path": "."}));
    assert_eq!(listed, "./\n  log.jsonl\n  package.json\n  src/\n    dos.py\n    order.py\n    twice.py\n");
    let edit =
        json!({"operation": "replace", "path": "src/order.py", "old_string": "3 * rate", "new_string": "4 * rate"});
    let replaced = said(&mut client, "file_editor", edit);
    assert!(replaced.starts_with("replaced line 3 of `src/order.py` (plan "), "{replaced}");
    assert!(replaced.contains("     3\t        return 4 * rate\n"), "{replaced}");
    let plan = replaced.split("(plan ").nth(1).unwrap().split(';').next().unwrap().to_owned();
    let edit = json!({"operation": "insert", "path": "src/dos.py", "line_number": 1, "content": "c = 3\nd = 4"});
    said(&mut client, "file_editor", edit);
    assert_eq!(project.text("src/dos.py"), "a = 1\r\nc = 3\r\nd = 4\r\nb = 2\r\n");
    let edit = json!({"operation": "create", "path": "new/dir/file.txt", "content": "one\n"});
    assert!(said(&mut client, "file_editor", edit).starts_with("created `new/dir/file.txt`, 1 line (plan "));
    client.call("undoPlan", json!({}));
    assert!(!project.root().join("new/dir/file.txt").exists(), "the last edit was taken back");
    let undone = client.call("undoPlan", json!({"planId": plan}));
    assert_ne!(undone["isError"], true, "{undone}");
    assert_eq!(project.text("src/order.py"), FILES[0].1);
}

#[test]
fn edits_that_could_mean_something_else_are_refused() {
    let (project, mut client) = project();
    let before = project.files();
    let mut no = |arguments: Value| refused(&mut client, "file_editor", arguments);
    let edit =
        |path: &str, old: &str| json!({"operation": "replace", "path": path, "old_string": old, "new_string": "z"});
    assert_eq!(
        no(edit("src/twice.py", "x = 1")),
        "`old_string` stands 2 times in `src/twice.py`: it begins in lines 1, 3\ngive more of the lines around the one that is meant"
    );
    let missing = no(edit("src/order.py", "def total(self, rates):"));
    assert!(missing.starts_with("`old_string` does not stand in `src/order.py`\nthe nearest: line 2: "), "{missing}");
    let spaced = no(edit("src/order.py", "return 3*rate"));
    assert!(spaced.contains("line 3 differ only in white space"), "{spaced}");
    let taken = no(json!({"operation": "create", "path": "src/order.py", "content": ""}));
    assert!(taken.starts_with("`src/order.py` is there already\ncreate never overwrites"), "{taken}");
    assert!(no(json!({"operation": "create", "path": "../out.py", "content": ""})).contains("outside the project"));
    assert!(no(json!({"operation": "view", "path": "/etc/passwd"})).contains("outside"));
    assert!(no(json!({"operation": "create", "path": ".git/hooks/post-checkout", "content": "x"})).contains(".git"));
    assert!(no(json!({"operation": "view", "path": "src/none.py"})).contains("does not exist"));
    assert!(
        no(json!({"operation": "insert", "path": "src/dos.py", "line_number": 3, "content": "x"})).contains("2 lines")
    );
    assert!(
        no(json!({"operation": "insert", "path": "src/dos.py", "content": "x"}))
            .starts_with("missing field `line_number`")
    );
    assert!(
        no(json!({"operation": "view", "path": "src/dos.py", "view_range": [3, 4]})).contains("the file has 2 lines")
    );
    assert!(no(json!({"operation": "delete", "path": "src/dos.py"})).contains("unknown variant"));
    assert!(no(json!({"operation": "view", "path": "a", "filePath": "b"})).contains("unknown field"));
    std::fs::write(project.root().join("blob"), [0xff, 0]).unwrap();
    assert!(no(json!({"operation": "view", "path": "blob"})).contains("not valid UTF-8"));
    std::fs::remove_file(project.root().join("blob")).unwrap();
    assert_eq!(project.files(), before);
}

#[test]
fn a_long_file_is_shown_in_parts_that_say_so() {
    let (project, mut client) = project();
    let lines: String = (1..=5_000).map(|line| format!("line {line}\n")).collect();
    project.write("long.txt", lines + &"x".repeat(50_000));
    let view = said(&mut client, "file_editor", json!({"operation": "view", "path": "long.txt"}));
    assert!(view.len() < 17_000, "{}", view.len());
    let told = view.lines().last().unwrap();
    let from: i64 = told.split("view_range: [").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!(view.contains(&format!("{:>6}\tline {}\n", from - 1, from - 1)), "{told}");
    let rest =
        said(&mut client, "file_editor", json!({"operation": "view", "path": "long.txt", "view_range": [4_999, -1]}));
    assert!(rest.contains("more bytes in this line]") && rest.len() < 3_000, "{rest}");
}

#[test]
fn an_edit_can_tell_what_the_servers_find() {
    let (_project, mut client) = project();
    let edit = |old: &str, new: &str| json!({"operation": "replace", "path": "src/order.py", "old_string": old, "new_string": new, "check": true});
    let worse = said(&mut client, "file_editor", edit("3 * rate", "3 * rat"));
    assert!(worse.contains("the servers say: regressed") && worse.contains("rat"), "{worse}");
    let better = said(&mut client, "file_editor", edit("3 * rat", "3 * rate"));
    assert!(better.contains("the servers find nothing new"), "{better}");
}

#[test]
fn values_of_json_files_are_viewed_and_edited() {
    let (project, mut client) = project();
    let mut json_editor = |arguments: Value| said(&mut client, "json_editor", arguments);
    let at =
        |operation: &str, path: &str| json!({"operation": operation, "file_path": "package.json", "json_path": path});
    let with = |operation: &str, path: &str, value: Value| {
        let mut arguments = at(operation, path);
        arguments["value"] = value;
        arguments
    };
    assert_eq!(json_editor(at("view", "$.scripts")), "{ \"test\": \"true\" }\n");
    assert_eq!(json_editor(at("view", "$['name', 'files']")), "$['name']: \"shop\"\n$['files']: []\n");
    let set = json_editor(with("set", "$.scripts.test", json!("pytest")));
    assert!(set.starts_with("set $['scripts']['test'] in `package.json` (plan "), "{set}");
    json_editor(with("add", "$.files", json!("lib")));
    json_editor(with("add", "$.private", Value::Null));
    json_editor(at("remove", "$.name"));
    let expected = "{\n  // ours\n  \"scripts\": { \"test\": \"pytest\" },\n  \"files\": [\n    \"lib\"\n  ],\n  \"private\": null\n}\n";
    assert_eq!(project.text("package.json"), expected);
    let again = json_editor(with("set", "$.files[0]", json!("lib")));
    assert!(again.contains("is so already"), "{again}");
    let lines = json!({"operation": "set", "file_path": "log.jsonl", "json_path": "$[1].n", "value": 5});
    said(&mut client, "json_editor", lines);
    assert_eq!(project.text("log.jsonl"), "{\"n\": 1}\n{\"n\": 5}\n");
    client.call("undoPlan", json!({}));
    assert_eq!(project.text("log.jsonl"), FILES[4].1);
    let mut no = |arguments: Value| refused(&mut client, "json_editor", arguments);
    assert!(no(at("set", "$.files")).starts_with("missing field `value`"));
    assert!(no(at("view", "files")).contains("is no JSONPath"));
    let nowhere = no(with("set", "$.scripts.lint", json!(1)));
    assert!(nowhere.contains("nothing stands at `$.scripts.lint`\n`$.scripts` has test\n"), "{nowhere}");
    assert!(no(with("add", "$.scripts.test", json!(1))).ends_with("is there already\n`set` changes it"));
    let broken = json!({"operation": "view", "file_path": "src/order.py", "json_path": "$"});
    assert!(no(broken).contains("line 1"), "where the mistake stands is told");
    assert_eq!(project.text("package.json"), expected);
}

#[test]
fn declarations_are_found_by_name() {
    let (_project, mut client) = project();
    let mut search = |command: &str, identifier: &str| {
        structure(&client.call("code_search", json!({"command": command, "path": ".", "identifier": identifier})))
    };
    let body = "def total(self, rate):\n        return 3 * rate";
    let found = json!({"file": "src/order.py", "lines": [2, 3], "name": "Order.total",
        "signature": "def total(self, rate):", "body": body});
    assert_eq!(search("search_class_method", "Order.total"), json!({"matches": [found]}));
    assert_eq!(search("search_class", "Order")["matches"][0]["lines"], json!([1, 3]));
    assert_eq!(search("search_function", "land")["matches"][0]["signature"], "def land():");
    let none = search("search_function", "total");
    assert_eq!(
        none,
        json!({"matches": [], "notes": ["nothing is declared as `total`", "1 found by search_class_method"]})
    );
    let lean = json!({"command": "search_class", "path": "src/order.py", "identifier": "Order", "print_body": false});
    let lean = structure(&client.call("code_search", lean));
    assert_eq!(lean["matches"][0].get("body"), None);
    let unknown = json!({"command": "search_class", "path": "log.jsonl", "identifier": "Order"});
    assert!(refused(&mut client, "code_search", unknown).contains("language"));
}

fn git(project: &Project, args: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.org"]).args(args).current_dir(project.root());
    let ran = git.output().unwrap();
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn what_changed_is_shown_and_nothing_of_the_repository_runs() {
    let (project, mut client) = project();
    let mut no = |arguments: Value| refused(&mut client, "git_diff", arguments);
    assert!(no(json!({"path": "."})).starts_with("git refuses: "));
    git(&project, &["init", "-q"]);
    assert!(no(json!({"path": "."})).contains("nothing was committed yet"));
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "one"]);
    assert!(no(json!({"path": ".", "base_commit": "--output=x"})).contains("names no commit"));
    let diff = |client: &mut Client, arguments: Value| said(client, "git_diff", arguments);
    assert!(diff(&mut client, json!({"path": "."})).starts_with("nothing that git knows of changed"));
    git(&project, &["config", "core.fsmonitor", "touch ran-monitor; false"]);
    git(&project, &["config", "diff.external", "touch ran-diff"]);
    git(&project, &["config", "filter.f.clean", "touch ran-filter; cat"]);
    git(&project, &["config", "diff.t.textconv", "touch ran-textconv; cat"]);
    project.write(".gitattributes", "*.py filter=f diff=t\n");
    project.write("src/dos.py", "a = 1\r\nb = 5\r\n");
    std::fs::remove_file(project.root().join("src/twice.py")).unwrap();
    let all = diff(&mut client, json!({"path": "."}));
    assert!(all.contains("-b = 2\r\n+b = 5\r\n") && all.contains("deleted file"), "{all}");
    let one = diff(&mut client, json!({"path": "src/twice.py", "base_commit": "HEAD"}));
    assert!(one.contains("-x = 1") && !one.contains("dos.py"), "{one}");
    let ran = std::fs::read_dir(project.root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!ran.into_iter().any(|name| name.starts_with("ran-")), "nothing that the repository names was run");
    let lines: String = (0..5_000).map(|line| format!("v{line} = {line}\n")).collect();
    project.write("src/order.py", lines);
    let long = diff(&mut client, json!({"path": "src/order.py"}));
    assert!(long.len() < 17_000 && long.contains("more lines at least"), "{}", long.len());
}

#[test]
fn the_shell_stays_and_its_outputs_are_bounded() {
    let (project, mut client) = project();
    assert_eq!(
        bash(&mut client, "cd src; x=7; f() { echo \"f $x\"; }; pwd")["stdout"],
        format!("{}/src\n", project.root().display())
    );
    let ran = bash(&mut client, "f; basename $PWD; echo oh >&2; exit_code() { return 4; }; exit_code");
    assert_eq!(ran, json!({"stdout": "f 7\nsrc\n", "stderr": "oh\n", "exit_code": 4}));
    let long = bash(&mut client, "seq 1 1000000");
    assert_eq!(long["truncated"], true);
    let out = long["stdout"].as_str().unwrap();
    assert!(out.starts_with("1\n2\n") && out.ends_with("\n1000000\n") && out.len() < 12_000, "{}", out.len());
    assert!(out.contains("bytes are left out here]"), "{out}");
    let binary = bash(&mut client, "head -c 5000 /dev/zero");
    assert!(binary["stdout"].as_str().unwrap().contains("5000 bytes that are no text"), "{binary}");
    let restarted = structure(&client.call("bash", json!({"command": "pwd; echo \"[$x]\"", "restart": true})));
    assert_eq!(restarted["stdout"], format!("{}\n[]\n", project.root().display()));
    assert_eq!(restarted["stderr"], "[lspwright: the shell was started anew]\n");
    let left = bash(&mut client, "exit 3");
    assert_eq!(left["exit_code"], 3);
    assert!(left["stderr"].as_str().unwrap().starts_with("[lspwright: the shell ended; "), "{left}");
    assert_eq!(bash(&mut client, "echo again")["stdout"], "again\n");
    let mut no = |arguments: Value| refused(&mut client, "bash", arguments);
    assert!(no(json!({"command": " "})).contains("`command` is empty"));
    assert!(no(json!({"command": "a\u{0}b"})).contains("NUL"));
    assert!(no(json!({"command": "true", "timeout": 0})).contains("from 1 to 86400"));
}

#[test]
fn nobody_waits_for_a_terminal_and_a_deadline_is_kept() {
    let (_project, mut client) = project();
    let ran = bash(&mut client, "read -r answer; echo \"$?\"; cat; (: </dev/tty) && echo a terminal");
    assert_eq!(ran["stdout"], "1\n");
    let error = ran["stderr"].as_str().unwrap();
    assert!(error.contains("/dev/tty"), "{ran}");
    bash(&mut client, "y=1");
    let begun = Instant::now();
    let late = structure(&client.call("bash", json!({"command": "echo a; sleep 600; echo b", "timeout": 1})));
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert_eq!((&late["stdout"], &late["timed_out"], &late["exit_code"]), (&json!("a\n"), &json!(true), &json!(124)));
    let told = late["stderr"].as_str().unwrap();
    assert!(told.starts_with("[lspwright: ended after 1 s"), "{told}");
    if cfg!(target_os = "linux") {
        assert!(told.contains("the shell lives on"), "{told}");
        let next = json!({"stdout": "1\n", "stderr": "", "exit_code": 0});
        assert_eq!(bash(&mut client, "sleep 0.1; echo $y"), next);
    }
}

#[test]
fn a_call_that_is_called_off_ends_its_command() {
    let (project, mut client) = project();
    let id = client
        .begin("tools/call", json!({"name": "bash", "arguments": {"command": "touch begun; sleep 600; touch ended"}}));
    let begun = Instant::now();
    while !project.root().join("begun").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    assert_eq!(
        bash(&mut client, "ls")["stdout"],
        "begun\nlog.jsonl\npackage.json\nsrc\n",
        "the next one is not held up"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_behind_not_even_when_the_server_is_killed() {
    for end in ["leaves", "is killed"] {
        let project = Project::with(FILES);
        let mark = format!("LSPWRIGHT_TEST_MARK={}-{}", std::process::id(), end.len());
        let mut command = project.command(&["serve", "--toolsets", "coding"]);
        let (name, value) = mark.split_once('=').unwrap();
        command.env(name, value);
        let mut client = Client::start(command);
        client.initialize("2025-11-25");
        let jobs = "sleep 1000 & (setsid sleep 1000 &) ; nohup sleep 1000 >/dev/null 2>&1 & echo ok";
        assert_eq!(bash(&mut client, jobs)["stdout"], "ok\n");
        client.begin("tools/call", json!({"name": "bash", "arguments": {"command": "sleep 1000"}}));
        let begun = Instant::now();
        while marked(&mark).len() < 5 {
            let seen = "the server, the guard, the shell and its jobs";
            assert!(begun.elapsed() < Duration::from_secs(30), "{seen}: {:?}", marked(&mark));
            std::thread::sleep(Duration::from_millis(10));
        }
        match end {
            "leaves" => drop(client.leave()),
            _ => client.kill(),
        }
        let begun = Instant::now();
        while !marked(&mark).is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(30), "{end}: {:?}", marked(&mark));
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// The guard is not there to do it: what it leaves belongs to nobody.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_behind_when_the_guard_is_killed() {
    let (project, mut client) = project();
    let jobs = "(setsid sleep 1000 &) ; nohup sleep 1000 >/dev/null 2>&1 & echo $LSPWRIGHT_GROUP $PPID";
    let ran = bash(&mut client, jobs);
    let (group, guard) = ran["stdout"].as_str().unwrap().trim().split_once(' ').expect("both are known");
    let mark = format!("LSPWRIGHT_GROUP={group}");
    // What starts a job in the background may still be on its way out.
    let begun = Instant::now();
    while marked(&mark).len() != 4 {
        let seen = "the guard, the shell and its two jobs";
        assert!(begun.elapsed() < Duration::from_secs(30), "{seen}: {:?}", marked(&mark));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(std::process::Command::new("kill").args(["-KILL", guard]).status().unwrap().success());
    std::thread::sleep(Duration::from_millis(200));
    let next = bash(&mut client, "pwd");
    assert_eq!(next["stdout"], format!("{}\n", project.root().display()));
    assert_eq!(next["stderr"], "[lspwright: the shell had been killed: this is a new one, in the project]\n");
    let begun = Instant::now();
    while !marked(&mark).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", marked(&mark));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn thoughts_are_kept_for_a_connection() {
    let (_project, mut client) = project();
    let thought = |number: i64| json!({"thought": "so", "thought_number": number, "total_thoughts": 2, "next_thought_needed": true});
    let first = structure(&client.call("sequential_thinking", thought(1)));
    let expected = json!({"thought_number": 1, "total_thoughts": 2, "next_thought_needed": true, "branches": [],
        "thought_history_length": 1});
    assert_eq!(first, expected);
    let mut branch = thought(2);
    branch["branch_from_thought"] = json!(1);
    branch["branch_id"] = json!("b");
    assert_eq!(structure(&client.call("sequential_thinking", branch))["branches"], json!(["b"]));
    let mut bad = thought(3);
    bad["is_revision"] = json!(true);
    bad["revises_thought"] = json!(9);
    assert!(refused(&mut client, "sequential_thinking", bad).contains("the last one is 2"));
    assert_eq!(said(&mut client, "task_done", json!({})), "Task done.");
}
