//! The bounds of `lspwright serve`: lines that are no messages, and calls that are for other projects.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::faces::Project;
use crate::mcp::Client;

/// Writes bytes to a server's stdin, ends it, and returns what the server said, line by line.
fn said(bytes: &[u8]) -> Vec<Value> {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    let mut command = project.command(&["serve"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = bytes.to_owned();
    let writing = std::thread::spawn(move || stdin.write_all(&bytes).unwrap());
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let said = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    writing.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    said
}

const BEGIN: &str = r#"{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":"after","method":"ping"}"#;

#[test]
fn what_is_no_message_is_answered_as_json_rpc_prescribes() {
    let wrong_params = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}"#;
    let cases: [(&[u8], i64, Value); 15] = [
        (b"plum", -32700, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,", -32700, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, Value::Null),
        (b"\xff\xfe", -32700, Value::Null),
        (b"Content-Length: 12", -32700, Value::Null),
        (b"7", -32600, Value::Null),
        (b"{}", -32600, Value::Null),
        (br#"{"id":3,"method":"ping"}"#, -32600, json!(3)),
        (br#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#, -32600, json!("x")),
        (br#"{"jsonrpc":"2.0","id":4,"method":9}"#, -32600, json!(4)),
        (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, Value::Null),
        (br#"[{"jsonrpc":"2.0","id":5,"method":"ping"}]"#, -32600, Value::Null),
        (wrong_params.as_bytes(), -32602, json!(7)),
        (br#"{"jsonrpc":"2.0","id":8,"method":"tools/call"}"#, -32602, json!(8)),
        (br#"{"jsonrpc":"2.0","id":9,"method":"plums/eat"}"#, -32601, json!(9)),
    ];
    for (line, code, id) in cases {
        let said = said(&[BEGIN.as_bytes(), line, b"\n", PING.as_bytes(), b"\n"].concat());
        let line = String::from_utf8_lossy(line);
        assert_eq!(said.len(), 3, "{line}: {said:?}");
        let answer = said.iter().find(|answer| answer.get("error").is_some()).unwrap();
        assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(code), Some(&id)), "{line}: {answer}");
        assert_eq!(answer["jsonrpc"], "2.0");
        assert!(
            said.iter().any(|answer| answer["id"] == "after" && answer.get("result").is_some()),
            "{line}: {said:?}"
        );
    }
}

#[test]
fn what_may_not_be_answered_is_not() {
    let unasked = [
        "",
        r#"{"jsonrpc":"2.0","method":"notifications/plums"}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":5}}"#,
        r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":98,"error":{"code":1,"message":"no"}}"#,
    ];
    for line in unasked {
        let said = said(format!("{BEGIN}{line}\n{PING}\n").as_bytes());
        let ids: Vec<&Value> = said.iter().map(|answer| &answer["id"]).collect();
        assert_eq!(ids, ["begin", "after"], "{line}: {said:?}");
    }
}

#[test]
fn a_line_without_bounds_is_answered_and_the_next_one_heard() {
    let long = "x".repeat((64 << 20) + 10);
    let said = said(format!("{BEGIN}\"{long}\"\n{PING}\n").as_bytes());
    let answer = said.iter().find(|answer| answer.get("error").is_some()).unwrap();
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &Value::Null), "{answer}");
    assert!(said.iter().any(|answer| answer["id"] == "after"), "{said:?}");
}

#[test]
fn before_the_beginning_too() {
    let said = said(format!("plum\n{BEGIN}{PING}\n").as_bytes());
    assert_eq!(said[0]["error"]["code"], -32700, "{said:?}");
    assert!(said.iter().any(|answer| answer["id"] == "after"), "{said:?}");
}

/// Fails unless a call is refused as one for another project.
#[track_caller]
fn elsewhere(client: &mut Client, tool: &str, arguments: Value) {
    let refused = client.call(tool, arguments.clone());
    let text = refused["content"][0]["text"].as_str().unwrap_or_default();
    assert_eq!(refused["isError"], true, "{tool} {arguments}: {refused}");
    assert!(text.contains("outside-root") || text.contains("outside_root"), "{tool} {arguments}: {text}");
    assert!(text.contains("outside"), "{tool} {arguments}: {text}");
}

#[cfg(unix)]
#[test]
fn a_server_for_a_project_is_for_no_other() {
    let project = Project::with(&[("a.py", "x = 1\n"), ("inner/b.py", "y = 1\n"), ("../other/c.py", "z = 1\n")]);
    let (root, other) = (project.root(), project.outside().join("other"));
    std::os::unix::fs::symlink(&other, root.join("link")).unwrap();
    let mut client = Client::start(project.command(&["serve", "--project", "."]));
    client.initialize("2025-11-25");
    let missing = project.outside().join("missing");
    for place in [other.clone(), root.join("../other"), root.join("link"), project.outside(), missing, "/".into()] {
        let calls = [
            ("planRenameSymbol", json!({"target": "c.py::z", "newName": "w"})),
            ("planFileMove", json!({"oldPath": "c.py", "newPath": "d.py"})),
            ("planDirectoryMove", json!({"oldDir": "sub", "newDir": "sup"})),
            ("applyPlan", json!({"plan": {"edits": []}, "force": true})),
            ("verifyPlan", json!({"plan": {"edits": []}})),
            ("undoPlan", json!({})),
            ("list_refactorings", json!({})),
            ("preview_refactoring", json!({"refactoring": "rename", "target": "c.py::z", "params": {"new_name": "w"}})),
            ("apply_refactoring", json!({"plan_id": "x"})),
            ("inspect_structure", json!({"path": "c.py"})),
            ("analyze_code", json!({"path": "c.py"})),
        ];
        for (tool, mut arguments) in calls {
            arguments["projectRoot"] = json!(place);
            elsewhere(&mut client, tool, arguments);
        }
    }
    for tool in ["planFileMove", "planDirectoryMove"] {
        // Whether it is there is nobody's business.
        let from = ["/etc", "../missing"].map(|path| json!({"oldPath": path, "newPath": "b.py"}));
        for mut arguments in from {
            if tool == "planDirectoryMove" {
                arguments = json!({"oldDir": arguments["oldPath"], "newDir": "b"});
            }
            elsewhere(&mut client, tool, arguments);
        }
    }
    // Within the project, targets that lead out of it.
    for target in [other.join("c.py").to_str().unwrap(), "../other/c.py", "link/c.py"] {
        elsewhere(&mut client, "planRenameSymbol", json!({"target": format!("{target}:1:1"), "newName": "w"}));
        elsewhere(&mut client, "inspect_structure", json!({"path": target}));
        elsewhere(&mut client, "planFileMove", json!({"oldPath": target, "newPath": "d.py"}));
        elsewhere(&mut client, "planFileMove", json!({"oldPath": "a.py", "newPath": format!("{target}x")}));
        let plan = json!({"edits": [], "basis": [{"filePath": target, "sha256": "0".repeat(64)}]});
        elsewhere(&mut client, "applyPlan", json!({"plan": plan, "force": true}));
        let plan = json!({"edits": [], "fsMoves": [{"from": "a.py", "to": format!("{target}x")}]});
        elsewhere(&mut client, "applyPlan", json!({"plan": plan, "verify": "none"}));
    }
    let inner = client.call("inspect_structure", json!({"projectRoot": root.join("inner"), "path": "b.py"}));
    assert_eq!(inner["isError"], false, "{inner}");
    let own = client.call("inspect_structure", json!({"path": "a.py"}));
    assert_eq!(own["isError"], false, "{own}");
}
