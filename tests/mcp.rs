//! The MCP server as a client meets it: a real process, spoken to line by line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use crate::faces::marked;
use crate::faces::{Project, golden};

const DEADLINE: Duration = Duration::from_secs(120);
const MODERN: &str = "2026-07-28";
/// A contract, for which no server has to be fetched.
const VAULT: [(&str, &str); 2] = [
    ("foundry.toml", "[profile.default]\nsrc = \"src\"\n"),
    ("src/Vault.sol", "pragma solidity ^0.8.20;\n\ncontract Vault {\n    uint256 public held;\n}\n"),
];
/// How many tools there are where nobody asked for others, and there is no Solidity.
const USUAL: usize = 15;

/// A running server. Whatever it writes on stdout must be a message of the protocol.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Sent with every request since 2026-07-28.
    meta: Option<Value>,
    last: u64,
    notes: Vec<Value>,
}

impl Client {
    pub(crate) fn start(mut command: Command) -> Self {
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = streams.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map(Result::unwrap) {
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not the protocol: {line}"));
                assert_eq!(message["jsonrpc"], "2.0", "{line}");
                // The test may have ended before the server.
                let _ = sender.send(message);
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, messages, meta: None, last: 0, notes: Vec::new() }
    }

    /// Goes through the lifecycle that ended with 2025-11-25.
    pub(crate) fn initialize(&mut self, version: &str) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let answer = self.request("initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    /// Goes through the lifecycle that begins with 2026-07-28.
    fn discover(&mut self) -> Value {
        self.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }));
        self.request("server/discover", json!({}))
    }

    pub(crate) fn send(&mut self, message: &Value) {
        writeln!(self.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    pub(crate) fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        self.last += 1;
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        self.send(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        self.last
    }

    pub(crate) fn answer(&mut self, id: u64) -> Value {
        // It may have come while another was waited for.
        if let Some(at) = self.notes.iter().position(|note| note["id"] == id && note.get("method").is_none()) {
            return self.notes.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(DEADLINE).expect("an answer within the deadline");
            if message["id"] == id {
                return message;
            }
            self.notes.push(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    /// Kills the server where it stands.
    #[cfg(target_os = "linux")]
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends stdin, and returns the exit code with how long the server took.
    pub(crate) fn leave(mut self) -> (Option<i32>, Duration) {
        drop(self.stdin.take());
        let begun = Instant::now();
        let code = self.child.wait().unwrap().code();
        (code, begun.elapsed())
    }
}

/// The error of a result, in the form that every tool shares.
pub(crate) fn error(result: &Value) -> Value {
    assert_eq!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    serde_json::from_str::<Value>(text).unwrap()["error"].clone()
}

#[test]
fn both_lifecycles_are_served() {
    let project = Project::of("python-shop");
    for version in ["2025-06-18", "2025-11-25"] {
        let mut client = Client::start(project.command(&["serve"]));
        let result = client.initialize(version)["result"].clone();
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "lspwright");
        let resources = json!({"subscribe": true, "listChanged": true});
        let declared = json!({"completions": {}, "logging": {}, "prompts": {}, "resources": resources, "tools": {"listChanged": true}});
        assert_eq!(result["capabilities"], declared);
        assert_eq!(client.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().len(), USUAL);
        assert_eq!(client.leave().0, Some(0));
    }
    let mut client = Client::start(project.command(&["serve"]));
    let found = client.discover()["result"].clone();
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)), "{found}");
    let listed = client.request("tools/list", json!({}))["result"].clone();
    assert_eq!((listed["tools"].as_array().unwrap().len(), &listed["resultType"]), (USUAL, &json!("complete")));
    let root = project.root();
    let refused = client.call("planFileMove", json!({"projectRoot": root, "oldPath": "none.py", "newPath": "b.py"}));
    assert_eq!(error(&refused)["kind"], "invalid-arguments", "{refused}");
    assert_eq!(client.leave().0, Some(0));
}

#[test]
fn the_audit_tools_are_listed_where_there_is_solidity() {
    let names = |project: &Project, args: &[&str]| {
        let mut client = Client::start(project.command(args));
        client.initialize("2025-11-25");
        let listed = client.request("tools/list", json!({}))["result"]["tools"].clone();
        let named = listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned());
        named.collect::<Vec<String>>()
    };
    let python = Project::of("python-shop");
    assert!(!names(&python, &["serve"]).contains(&"entrypoints".to_owned()));
    assert_eq!(names(&python, &["serve", "--toolsets", "audit"]).len(), 5);
    let contracts = Project::with(&VAULT);
    let all = names(&contracts, &["serve"]);
    assert!(all.len() == USUAL + 5 && all.contains(&"entrypoints".to_owned()), "{all:?}");
    let mut client = Client::start(python.command(&["serve"]));
    client.initialize("2025-11-25");
    let unlisted = client.call("peek", json!({"paths": ["shop/tax.py"]}));
    assert!(!unlisted["isError"].as_bool().unwrap_or_default(), "who knows a tool can call it: {unlisted}");
}

#[test]
fn prompts_are_filled_in_and_arguments_completed() {
    let project = Project::of("python-shop");
    let mut client = Client::start(project.command(&["serve"]));
    client.initialize("2025-11-25");
    let listed = client.request("prompts/list", json!({}))["result"]["prompts"].clone();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|prompt| prompt["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["rename_everywhere", "clean_up_file", "audit_contract"]);
    let arguments = json!({"target": "shop/order.py::Order", "new_name": "Purchase"});
    let filled = client.request("prompts/get", json!({"name": "rename_everywhere", "arguments": arguments}));
    let text = filled["result"]["messages"][0]["content"]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("Rename `shop/order.py::Order` to `Purchase`") && !text.contains('{'), "{text}");
    let missing = client.request("prompts/get", json!({"name": "clean_up_file", "arguments": {}}));
    assert_eq!(missing["error"]["code"], -32602);
    let mut completed = |name: &str, value: &str| {
        let reference = json!({"type": "ref/prompt", "name": "rename_everywhere"});
        let params = json!({"ref": reference, "argument": {"name": name, "value": value}});
        client.request("completion/complete", params)["result"]["completion"]["values"].clone()
    };
    assert_eq!(completed("target", "shop/ord"), json!(["shop/order.py"]));
    let members = completed("target", "shop/order.py::Order::tot");
    assert_eq!(members[0], "shop/order.py::Order::total", "{members}");
    assert_eq!(completed("refactoring", "extract-m")[0], "extract-method");
    assert_eq!(completed("new_name", "a"), json!([]));
}

#[test]
fn a_client_hears_of_plans_and_of_what_becomes_of_them() {
    let project = Project::with(&VAULT);
    let mut client = Client::start(project.command(&["serve"]));
    client.initialize("2025-11-25");
    assert_eq!(client.request("resources/list", json!({}))["result"]["resources"], json!([]));
    let moved = json!({"oldPath": "src/Vault.sol", "newPath": "src/core/Vault.sol"});
    let plan = client.call("planFileMove", moved)["structuredContent"].clone();
    let uri = format!("lspwright://plans/{}", plan["planId"].as_str().unwrap());
    let listed = client.request("resources/list", json!({}))["result"]["resources"].clone();
    assert_eq!((&listed[0]["uri"], listed.as_array().unwrap().len()), (&json!(uri), 2), "{listed}");
    let unknown = client.request("resources/read", json!({"uri": "lspwright://plans/0"}))["error"].clone();
    assert!(unknown["message"].as_str().unwrap().contains("resources/list"), "{unknown}");
    assert_eq!(client.request("resources/subscribe", json!({"uri": uri}))["result"], json!({}));
    let applied = client.call("applyPlan", json!({"planId": plan["planId"], "verify": "none"}));
    assert!(!applied["isError"].as_bool().unwrap_or_default(), "{applied}");
    let has_heard = |client: &mut Client, method: &str| {
        let is_it = |note: &Value| note["method"] == method;
        while !client.notes.iter().any(is_it) {
            let note = client.messages.recv_timeout(DEADLINE).unwrap_or_else(|_| panic!("no {method}"));
            client.notes.push(note);
        }
    };
    has_heard(&mut client, "notifications/resources/list_changed");
    has_heard(&mut client, "notifications/resources/updated");
}

#[test]
fn the_list_of_tools_is_the_reference_and_costs_little() {
    let project = Project::of("python-shop");
    let mut client = Client::start(project.command(&["serve", "--toolsets", "plan,refactor,inspect,audit"]));
    client.initialize("2025-11-25");
    let listed = client.request("tools/list", json!({}))["result"].clone();
    golden("tools.json", &format!("{listed:#}\n"));
    // Titles and annotations are for the client, not for the model.
    let mut shown = listed["tools"].as_array().unwrap().clone();
    let audit = ["callgraph", "entrypoints", "function_insights", "metrics", "peek"];
    shown.retain(|tool| !audit.iter().any(|name| tool["name"] == *name));
    for tool in &mut shown {
        tool.as_object_mut().unwrap().retain(|key, _| key != "title" && key != "annotations");
    }
    assert_eq!(shown.len(), USUAL);
    // o200k makes a token of some 4.15 characters of them, counted: two and a half thousand tokens are allowed.
    let size = Value::from(shown).to_string().len();
    assert!(size < 10_000, "{size} characters");
    let writes = |tool: &&Value| tool["annotations"]["readOnlyHint"] == false;
    let writing: Vec<&Value> =
        listed["tools"].as_array().unwrap().iter().filter(writes).map(|tool| &tool["name"]).collect();
    assert_eq!(writing, ["apply_refactoring", "applyPlan", "undoPlan"]);
}

#[test]
fn a_project_given_at_the_start_need_not_be_named_again() {
    let project = Project::of("python-shop");
    let mut client = Client::start(project.command(&["serve", "--project", ".", "--read-only", "--toolsets", "plan"]));
    client.initialize("2025-11-25");
    let listed = client.request("tools/list", json!({}))["result"].clone();
    for tool in listed["tools"].as_array().unwrap() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "what writes is left out");
        assert!(!tool["inputSchema"]["required"].to_string().contains("projectRoot"), "{tool}");
    }
    let renamed = client.call("planRenameSymbol", json!({"target": "shop/order.py:12:7", "newName": "class"}));
    let expected = json!({"canRename": false, "reason": "`class` is a reserved word of Python; choose another name"});
    assert_eq!(renamed["structuredContent"], expected, "{renamed}");
}

#[test]
fn bad_calls_are_answered_with_what_to_do() {
    let project = Project::of("python-shop");
    let root = project.root();
    let mut client = Client::start(project.command(&["serve"]));
    client.initialize("2025-06-18");
    let unknown = client.request("tools/call", json!({"name": "planPicnic", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602);
    assert!(unknown["error"]["message"].as_str().unwrap().contains("planRenameSymbol"), "{unknown}");
    assert_eq!(client.request("skills/list", json!({}))["error"]["code"], -32601);
    let mut said = |tool: &str, arguments: Value| error(&client.call(tool, arguments));
    let missing = said("planRenameSymbol", json!({"projectRoot": root}));
    assert_eq!(
        (&missing["kind"], &missing["message"]),
        (&json!("invalid-arguments"), &json!("missing field `newName`"))
    );
    let misspelt = said("planRenameSymbol", json!({"projectRoot": root, "newName": "a", "find_in_strings": true}));
    assert!(misspelt["message"].as_str().unwrap().starts_with("unknown field `find_in_strings`"), "{misspelt}");
    let neither = said("planRenameSymbol", json!({"projectRoot": root, "newName": "a"}));
    assert!(neither["message"].as_str().unwrap().contains("or `target` alone"), "{neither}");
    let relative = said("planRenameSymbol", json!({"projectRoot": "none", "newName": "a", "target": "a.py:1:1"}));
    assert!(relative["message"].as_str().unwrap().contains("project/none"), "{relative}");
    let arguments =
        json!({"projectRoot": root, "filePath": "../outside.py", "line": 0, "character": 0, "newName": "a"});
    std::fs::write(root.join("../outside.py"), "x = 1\n").unwrap();
    assert_eq!(said("planRenameSymbol", arguments)["kind"], "outside-root");
    let beyond =
        json!({"projectRoot": root, "filePath": "shop/order.py", "line": 4000, "character": 0, "newName": "a"});
    let beyond = said("planRenameSymbol", beyond);
    assert_eq!(beyond["kind"], "invalid-arguments");
    assert!(beyond["hints"][0].as_str().unwrap().contains("0-based"), "{beyond}");
    let file = said("planDirectoryMove", json!({"projectRoot": root, "oldDir": "shop/order.py", "newDir": "a"}));
    assert_eq!(file["hints"], json!(["call planFileMove"]));
    let directory = said("planFileMove", json!({"projectRoot": root, "oldPath": "shop", "newPath": "a"}));
    assert_eq!(directory["hints"], json!(["call planDirectoryMove"]));
    assert_eq!(client.leave().0, Some(0));
}

/// Where the kernel tells which processes there are.
#[cfg(target_os = "linux")]
#[test]
fn every_tool_answers_and_servers_end_with_the_client() {
    let project = Project::of("python-shop");
    let (root, before) = (project.root(), project.files());
    let mark = format!("LSPWRIGHT_TEST_MARK={}", root.display());
    let mut command = project.command(&["serve"]);
    command.env("LSPWRIGHT_TEST_MARK", &root);
    let mut client = Client::start(command);
    client.initialize("2025-06-18");
    let arguments = json!({"projectRoot": root, "filePath": root.join("shop/order.py"), "line": 11, "character": 6, "newName": "Line"});
    let renamed = client.call("planRenameSymbol", arguments.clone());
    let plan = &renamed["structuredContent"];
    assert_eq!((&plan["canRename"], plan["edits"].as_array().unwrap().len()), (&json!(true), 3), "{renamed}");
    let text: Value = serde_json::from_str(renamed["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(&text, plan, "the text says what the structure says");
    assert_eq!(client.call("planRenameSymbol", arguments), renamed, "the same request gives the same answer");
    for target in ["shop/order.py::OrderLine", "shop/order.py#L12-L19", "shop/order.py:12:9"] {
        let named = client.call("planRenameSymbol", json!({"projectRoot": root, "target": target, "newName": "Line"}));
        assert_eq!(named, renamed, "{target}");
    }
    let calls = [
        ("planFileMove", json!({"projectRoot": root, "oldPath": "shop/tax.py", "newPath": "shop/duty.py"})),
        ("planDirectoryMove", json!({"projectRoot": root, "oldDir": "shop/catalog", "newDir": "shop/goods"})),
    ];
    for (tool, arguments) in calls {
        let planned = client.call(tool, arguments);
        assert!(!planned["structuredContent"]["fsMoves"].as_array().unwrap().is_empty(), "{planned}");
        assert!(!planned["structuredContent"]["edits"].as_array().unwrap().is_empty(), "{planned}");
    }
    assert_eq!(project.files(), before, "planning writes nothing");
    assert!(marked(&mark).len() > 1, "a language server runs");
    let (code, took) = client.leave();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(5), "{took:?}");
    gone(&mark);
}

#[test]
fn inspections_answer_in_toon_without_a_server() {
    let project = Project::of("python-shop");
    let root = project.root();
    let mut client = Client::start(project.command(&["serve", "--toolsets", "inspect"]));
    client.initialize("2025-11-25");
    let mut text = |tool: &str, arguments: Value, is_error: bool| {
        let result = client.call(tool, arguments);
        assert_eq!(result["isError"].as_bool().unwrap_or_default(), is_error, "{result}");
        assert_eq!(result["structuredContent"], Value::Null, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        toon_format::decode_default::<Value>(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    let found = text("inspect_structure", json!({"projectRoot": root, "path": "shop/order.py"}), false);
    assert_eq!(found["structure"]["language"], "python");
    assert_eq!(found["classes"][1]["name"], "shop/order.py::Order");
    let absolute = root.join("shop/order.py");
    let by_path = text("inspect_structure", json!({"path": absolute, "depth": "method"}), false);
    assert_eq!(by_path["classes"], found["classes"], "the project is found above an absolute path");
    let found = text("analyze_code", json!({"projectRoot": root, "path": ".", "limit": 3}), false);
    assert_eq!(
        (&found["analysis"]["backend_supported"], found["analysis"]["files"].as_u64()),
        (&json!(true), Some(16))
    );
    let unknown = text("analyze_code", json!({"projectRoot": root, "path": "README.md"}), false);
    assert_eq!(unknown["analysis"]["backend_supported"], false);
    let misspelt = text("analyze_code", json!({"projectRoot": root, "path": ".", "smells": ["long-methd"]}), true);
    assert_eq!(misspelt["error"]["type"], "invalid_arguments");
    assert!(misspelt["error"]["message"].as_str().unwrap().contains("there are complex-conditional"), "{misspelt}");
    let here = text("inspect_structure", json!({"path": "shop"}), false);
    assert_eq!(here["structure"]["language"], "python", "seen from where the client started the server");
}

/// Where the kernel tells which processes there are.
#[cfg(target_os = "linux")]
#[test]
fn a_call_can_be_cancelled_and_a_signal_ends_all() {
    let project = Project::of("python-shop");
    let root = project.root();
    let mark = format!("LSPWRIGHT_TEST_MARK={}", root.display());
    // A server that never answers: only cancelling ends the call within the test's patience.
    let config = "[[routes]]\nlanguages = [\"python\"]\nservers = [\"pyright\"]\n";
    std::fs::write(root.join("../servers.toml"), config).unwrap();
    let mut command = project.command(&["serve"]);
    command
        .env("LSPWRIGHT_TEST_MARK", &root)
        .env("LSPWRIGHT_CONFIG", root.join("../servers.toml").canonicalize().unwrap());
    command.env("LSPWRIGHT_PYRIGHT_COMMAND", "sleep 1000");
    let mut client = Client::start(command);
    client.initialize("2025-11-25");
    let arguments = json!({"projectRoot": root, "target": "shop/order.py:12:7", "newName": "Line"});
    let params = json!({"name": "planRenameSymbol", "arguments": arguments, "_meta": {"progressToken": "p"}});
    let id = client.begin("tools/call", params);
    while marked(&mark).len() < 2 {
        std::thread::yield_now();
    }
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let begun = Instant::now();
    let after = client.call("planFileMove", json!({"projectRoot": root, "oldPath": "none.py", "newPath": "b.py"}));
    assert_eq!(error(&after)["kind"], "invalid-arguments");
    assert!(begun.elapsed() < Duration::from_secs(10), "the cancelled call holds nothing up");
    assert!(
        client.notes.iter().all(|note| note["id"] != id || note["result"]["isError"] == true),
        "{:?}",
        client.notes
    );
    let terminated = Command::new("kill").arg(client.child.id().to_string()).status().unwrap();
    assert!(terminated.success());
    assert_eq!(client.child.wait().unwrap().code(), Some(0));
    gone(&mark);
}

/// Waits until no process carries the mark.
#[cfg(target_os = "linux")]
fn gone(mark: &str) {
    let begun = Instant::now();
    while !marked(mark).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(10), "left over: {:?}", marked(mark));
        std::thread::yield_now();
    }
}

const SHOP: &str = "def total(price, count):\n    return price * count * 1.2\n\n\nprint(total(2, 3))\n";

/// What a tool says, in JSON or in TOON.
fn said(client: &mut Client, tool: &str, arguments: Value, is_error: bool) -> Value {
    let result = client.call(tool, arguments);
    assert_eq!(result["isError"].as_bool().unwrap_or_default(), is_error, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap().to_owned();
    serde_json::from_str(&text).unwrap_or_else(|_| toon_format::decode_default::<Value>(&text).unwrap())
}

#[test]
fn strings_that_a_check_finds_to_be_a_renamed_key_follow() {
    let options = "{\"compilerOptions\": {\"strict\": true, \"allowJs\": true, \"checkJs\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\"}}\n";
    let model = "export interface User {\n  name: string;\n  age: number;\n}\n\nexport function many<T, K extends keyof T>(of: T, keys: K[]): T[K][] {\n  return keys.map((key) => of[key]);\n}\n";
    let used = "import { many, type User } from './model';\n\nconst user: User = { name: 'b', age: 1 };\nexport const all = many(user, ['name', 'age']);\nexport const said = 'name';\n";
    let documented =
        "/** @param {Pick<import('./model').User, 'name'>} user */\nexport const shown = (user) => user.name;\n";
    let files = [("tsconfig.json", options), ("model.ts", model), ("used.ts", used), ("documented.js", documented)];
    let project = Project::with(&files);
    let mut client = Client::start(project.command(&["serve", "--project", "."]));
    client.initialize("2025-11-25");
    let renamed = client
        .call("planRenameSymbol", json!({"target": "model.ts#User.name", "newName": "title", "verify": "diagnostics"}));
    let plan = &renamed["structuredContent"];
    assert_eq!((&plan["canRename"], &plan["verification"]["status"]), (&json!(true), &json!("clean")), "{renamed}");
    let applied = client.call("applyPlan", json!({"planId": plan["planId"]}));
    assert_ne!(applied["isError"], true, "{applied}");
    assert_eq!(project.text("used.ts"), used.replacen("name", "title", 2));
    assert_eq!(project.text("documented.js"), documented.replace("name", "title"));
}

#[test]
fn refactorings_are_previewed_applied_and_taken_back() {
    let project = Project::with(&[("shop.py", SHOP)]);
    let root = project.root();
    let mut client = Client::start(project.command(&["serve"]));
    client.initialize("2025-11-25");
    let mut said = |tool: &str, arguments: Value, is_error: bool| said(&mut client, tool, arguments, is_error);
    let all = said("list_refactorings", json!({"language": "python"}), false)["refactorings"].clone();
    assert_eq!(all.as_array().unwrap().len(), 96);
    let here = said("list_refactorings", json!({"projectRoot": root, "target": "shop.py::total"}), false);
    let rows = here["possible"].as_array().unwrap();
    let call = rows.iter().find(|row| row["name"] == "rename-method").unwrap()["call"].as_str().unwrap().to_owned();
    let call: Value = serde_json::from_str(&call).unwrap();
    assert_eq!(call["params"], json!({"new_name": "…"}), "{call}");
    assert!(rows.iter().all(|row| row["name"] != "collapse-hierarchy"), "{here}");
    let explained =
        json!({"projectRoot": root, "refactoring": "inline-temp", "target": "shop.py::total", "explain": true});
    let explained = said("preview_refactoring", explained, false);
    assert_eq!(
        (&explained["explained"]["is_possible"], &explained["obstacles"][0]["overruled_by"]),
        (&json!(false), &json!("no"))
    );
    let tax = |target: &str| json!({"refactoring": "replace-magic-number", "target": target, "params": {"name": "TAX", "value": 1.2}});
    let mut wanted = tax("shop.py::total");
    wanted["projectRoot"] = json!(root);
    let preview = said("preview_refactoring", wanted, false);
    assert_eq!((&preview["preview"]["status"], project.text("shop.py").as_str()), (&json!("success"), SHOP));
    let id = preview["preview"]["plan_id"].clone();
    let verified = said("verifyPlan", json!({"projectRoot": root, "planId": id}), false);
    assert_eq!(verified["verification"]["status"], "clean", "{verified}");
    let applied = said("apply_refactoring", json!({"projectRoot": root, "plan_id": id}), false);
    assert_eq!(applied["result"]["undo_id"], id, "{applied}");
    assert!(project.text("shop.py").contains("TAX = 1.2"));
    let again = said("apply_refactoring", json!({"projectRoot": root, "plan_id": id}), true);
    assert_eq!(again["error"]["type"], "stale", "{again}");
    said("undoPlan", json!({"projectRoot": root, "planId": id}), false);
    assert_eq!(project.text("shop.py"), SHOP);
    let rename = json!({"refactoring": "rename-method", "target": "shop.py::total", "params": {"new_name": "gross"}});
    let steps = json!({"projectRoot": root, "steps": [rename, tax("shop.py::gross")]});
    let steps = said("preview_refactoring", steps, false);
    assert_eq!(project.text("shop.py"), SHOP, "between steps nothing is written");
    said("applyPlan", json!({"projectRoot": root, "planId": steps["preview"]["plan_id"]}), false);
    let after = "TAX = 1.2\n\n\ndef gross(price, count):\n    return price * count * TAX\n\n\nprint(gross(2, 3))\n";
    assert_eq!(project.text("shop.py"), after);
    said("undoPlan", json!({"projectRoot": root}), false);
    assert_eq!(project.text("shop.py"), SHOP);
}

#[test]
fn bad_refactorings_are_told_what_to_do() {
    let project = Project::with(&[("shop.py", SHOP)]);
    let root = project.root();
    let mut client = Client::start(project.command(&["serve"]));
    client.initialize("2025-11-25");
    let missing = said(&mut client, "list_refactorings", json!({"language": "klingon"}), true);
    assert_eq!(missing["error"]["type"], "language_not_supported");
    let bad = "invalid_arguments";
    let cases = [
        ("extract-metod", "shop.py::total", json!({}), bad, "`extract-method`"),
        ("rename", "shop.py::total", json!({}), bad, "needs `new_name`"),
        ("rename", "shop.py::totl", json!({"new_name": "a"}), bad, "shop.py::total"),
        ("rename", "shop.py::total", json!({"new_name": "a b"}), bad, "not an identifier"),
        ("rename", "shop.py::total", json!({"name": "a"}), bad, "no parameter"),
        ("rename", "shop.py#L2-L40", json!({"new_name": "a"}), bad, "lines"),
        ("duplicate-observed-data", "shop.py::total", json!({}), "refused", "what counts as a view"),
    ];
    for (refactoring, target, params, kind, part) in cases {
        let arguments = json!({"projectRoot": root, "refactoring": refactoring, "target": target, "params": params});
        let error = said(&mut client, "preview_refactoring", arguments, true)["error"].clone();
        assert_eq!(error["type"], kind, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
    assert_eq!(project.text("shop.py"), SHOP);
}

#[test]
fn the_clients_roots_say_where_a_project_without_markers_begins() {
    let files = [("sub/a.py", "def total():\n    return 1\n"), ("main.py", "from sub.a import total\n\ntotal()\n")];
    let project = Project::with(&files);
    let mut client = Client::start(project.command(&["serve"]));
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {"roots": {"listChanged": true}},
        "clientInfo": {"name": "test", "version": "1"}});
    client.request("initialize", params);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let target = format!("{}::total", project.root().join("sub/a.py").display());
    let preview = json!({"refactoring": "rename", "target": target, "params": {"new_name": "amount"}});
    let changed = |client: &mut Client, roots: Option<Value>| {
        let id = client.begin("tools/call", json!({"name": "preview_refactoring", "arguments": preview}));
        loop {
            let message = client.messages.recv_timeout(DEADLINE).expect("an answer within the deadline");
            if message["method"] == "roots/list" {
                let roots = roots.as_ref().expect("the roots are asked for once");
                client.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}}));
            } else if message["id"] == id {
                let text = message["result"]["content"][0]["text"].as_str().unwrap().to_owned();
                break ["main.py,", "a.py,"].map(|row| text.contains(row));
            }
        }
    };
    let root = url::Url::from_file_path(project.root()).unwrap();
    assert_eq!(changed(&mut client, Some(json!([{"uri": "file:///elsewhere"}]))), [false, true]);
    assert_eq!(changed(&mut client, None), [false, true]);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
    // A notification and a request behind it are not heard in this order by all means.
    let roots = json!([{"uri": root.as_str()}]);
    let sees_all = (0..20).any(|_| changed(&mut client, Some(roots.clone())) == [true, true]);
    assert!(sees_all, "the roots are asked for again");
}

/// A client that can ask its user is asked which of several things is meant; another one is told them.
#[test]
fn who_names_several_things_is_asked_which() {
    let files = [("a.py", "def total():\n    return 1\n"), ("b.py", "def total():\n    return 2\n")];
    let arguments = json!({"refactoring": "rename", "target": "total", "params": {"new_name": "amount"}});
    let answered = |capabilities: Value, answer: Value| {
        let project = Project::with(&files);
        let mut client = Client::start(project.command(&["serve", "--project", "."]));
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}});
        client.request("initialize", params);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        let id = client.begin("tools/call", json!({"name": "preview_refactoring", "arguments": arguments}));
        let mut asked = None;
        loop {
            let message = client.messages.recv_timeout(DEADLINE).expect("an answer within the deadline");
            if message["method"] == "elicitation/create" {
                client.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": answer}));
                asked = Some(message["params"].clone());
            } else if message["id"] == id {
                break (asked, message["result"]["content"][0]["text"].as_str().unwrap().to_owned());
            }
        }
    };
    let meant = json!({"action": "accept", "content": {"meant": "b.py::total"}});
    let (asked, text) = answered(json!({"elicitation": {}}), meant.clone());
    let asked = asked.expect("the user is asked");
    assert_eq!(asked["requestedSchema"]["properties"]["meant"]["enum"], json!(["a.py::total", "b.py::total"]));
    assert!(asked["message"].as_str().unwrap().contains("`total` names 2 things"), "{asked}");
    assert!(text.contains("b.py,") && !text.contains("a.py,"), "{text}");
    for (capabilities, answer) in [
        (json!({"elicitation": {}}), json!({"action": "decline"})),
        (json!({"elicitation": {}}), json!({"action": "accept", "content": {"meant": "c.py::total"}})),
        (json!({}), meant),
    ] {
        let (asked, text) = answered(capabilities.clone(), answer);
        assert_eq!(asked.is_some(), capabilities != json!({}));
        assert!(text.contains("did you mean `a.py::total`?"), "{text}");
    }
}

/// Since 2026-07-28 the question is the call's answer, and the client calls again with what its user says.
#[test]
fn who_names_several_things_is_asked_by_the_answer() {
    let project = Project::with(&[("a.py", "def total():\n    return 1\n"), ("b.py", "def total():\n    return 2\n")]);
    let mut client = Client::start(project.command(&["serve", "--project", "."]));
    client.discover();
    let arguments = json!({"refactoring": "rename", "target": "total", "params": {"new_name": "amount"}});
    let call = json!({"name": "preview_refactoring", "arguments": arguments});
    let unasked = client.request("tools/call", call.clone())["result"].clone();
    assert!(unasked["content"][0]["text"].as_str().unwrap().contains("did you mean `a.py::total`?"), "{unasked}");

    client.meta.as_mut().unwrap()["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    let asked = client.request("tools/call", call.clone())["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let question = &asked["inputRequests"]["meant"];
    assert_eq!(question["method"], "elicitation/create", "{asked}");
    let offered = &question["params"]["requestedSchema"]["properties"]["meant"]["enum"];
    assert_eq!(*offered, json!(["a.py::total", "b.py::total"]));

    let mut said = |answer: Value| {
        let mut call = call.clone();
        call["inputResponses"] = json!({"meant": answer});
        client.request("tools/call", call)["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let chosen = said(json!({"action": "accept", "content": {"meant": "b.py::total"}}));
    assert!(chosen.contains("b.py,") && !chosen.contains("a.py,"), "{chosen}");
    for answer in [json!({"action": "cancel"}), json!({"action": "accept", "content": {"meant": "c.py::total"}})] {
        let text = said(answer);
        assert!(text.contains("did you mean `a.py::total`?"), "{text}");
    }
}
