//! A project as declarations, as an agent meets it: over MCP, on a project of its own.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::faces::Project;
use crate::mcp::{Client, error};

const PYTHON: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"),
    ("shop/__init__.py", ""),
    (
        "shop/order.py",
        "\"\"\"Orders.\"\"\"\nfrom dataclasses import dataclass\n\nRATE = 3\n_cache = {}\n\n\nclass OrderError(ValueError):\n    \
         pass\n\n\n# What somebody wants.\n@dataclass\nclass Order:\n    \"\"\"An order.\n\n    Of one thing.\n    \"\"\"\n\n    \
         size: int = 1\n\n    def __init__(self, size: int, land=\"se\"):\n        self.size = size\n        self.land = land\n\n    \
         async def total(self, rate: int = RATE) -> int:\n        if rate < 0:\n            raise OrderError(rate)\n        \
         return self.size * rate\n\n    def _hidden(self):\n        def inner():\n            return 1\n        return inner()\n",
    ),
    (
        "shop/till.py",
        "from shop.order import Order, OrderError\n\n\ndef pay(order: Order) -> int:\n    return order.total(2)\n\n\ndef \
         twice(order):\n    return pay(order) + order.total(1)\n\n\ndef made():\n    try:\n        return pay(Order(3))\n    \
         except OrderError:\n        return 0\n",
    ),
];

const SCRIPT: &[(&str, &str)] = &[
    ("package.json", "{ \"name\": \"shop\", \"version\": \"1.0.0\" }\n"),
    (
        "tsconfig.json",
        "{ \"compilerOptions\": { \"strict\": true, \"target\": \"es2022\", \"module\": \"nodenext\" } }\n",
    ),
    (
        "src/user.ts",
        "export interface Named { name: string }\n\n/** Somebody. */\nexport class User implements Named {\n  #key = 1;\n  \
         constructor(readonly name: string, private age = 3) {}\n  greet(): string { return shout(this.name); }\n}\n\nconst shout \
         = (text: string): string => text.toUpperCase();\nexport enum Role { Admin, Guest = 4 }\nlet a = 1, b = 2;\nexport { a };\n",
    ),
    (
        "src/main.ts",
        "import { User, Role } from \"./user.js\";\n\nexport function main(): string {\n  const user = new User(\"x\");\n  return user.greet() + Role.Admin;\n}\n",
    ),
];

const CONTRACTS: &[(&str, &str)] = &[
    ("foundry.toml", "[profile.default]\nsrc = \"src\"\n"),
    (
        "src/Vault.sol",
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\nimport {Held} from \"./Held.sol\";\n\nerror Empty(uint256 \
         left);\n\ncontract Vault is Held {\n    event Out(address to);\n    mapping(address => uint256) public held;\n    uint256 \
         internal total;\n\n    constructor(uint256 first) {\n        total = first;\n    }\n\n    modifier some() {\n        \
         _;\n    }\n\n    /// Takes out.\n    function take(uint256 amount) external some returns (uint256) {\n        if (amount \
         > total) revert Empty(total);\n        total = total - amount;\n        emit Out(msg.sender);\n        return \
         left();\n    }\n\n    function left() public view returns (uint256) {\n        return total;\n    }\n}\n",
    ),
    (
        "src/Held.sol",
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\nlibrary Sums {\n    struct Sum { uint256 of; }\n    enum Kind { One, Two }\n}\n\nabstract contract Held {}\n",
    ),
];

pub(crate) fn begun(project: &Project, toolsets: &str) -> Client {
    let mut client = Client::start(project.command(&["serve", "--project", ".", "--toolsets", toolsets]));
    client.initialize("2025-11-25");
    client
}

fn with(files: &[(&str, &str)]) -> (Project, Client) {
    let project = Project::with(files);
    let client = begun(&project, "explore,plan");
    (project, client)
}

pub(crate) fn said(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let answer = client.call(tool, arguments);
    assert_ne!(answer["isError"], true, "{answer}");
    answer["structuredContent"].clone()
}

pub(crate) fn refused(client: &mut Client, tool: &str, arguments: Value) -> String {
    let error = error(&client.call(tool, arguments));
    let hints = error["hints"].as_array().unwrap().iter().map(|hint| hint.as_str().unwrap());
    std::iter::once(error["message"].as_str().unwrap()).chain(hints).collect::<Vec<_>>().join("\n")
}

/// What a file declares: `kind name`, public ones with a `+`, in what they stand in.
fn listed(client: &mut Client, path: &str) -> Vec<String> {
    let all = said(client, "list_declarations", json!({"path": path}))["declarations"].clone();
    let all = all.as_array().unwrap().clone();
    let name = |id: &Value| all.iter().find(|one| one["id"] == *id).map_or("", |one| one["name"].as_str().unwrap());
    let row = |one: &Value| {
        let mark = if one["is_pub"] == true { "+" } else { "" };
        let parent = if one["parent"].is_null() { String::new() } else { format!("{}.", name(&one["parent"])) };
        format!("{} {mark}{parent}{}", one["kind"].as_str().unwrap(), one["name"].as_str().unwrap())
    };
    all.iter().map(row).collect()
}

/// The ids of a file's declarations by their names.
pub(crate) fn ids(client: &mut Client, path: &str) -> BTreeMap<String, String> {
    let all = said(client, "list_declarations", json!({"path": path, "limit": 1000}))["declarations"].clone();
    let named = |one: &Value| (one["name"].as_str().unwrap().to_owned(), one["id"].as_str().unwrap().to_owned());
    all.as_array().unwrap().iter().map(named).collect()
}

#[test]
fn modules_and_declarations_of_python_are_listed_in_its_words() {
    let (_project, mut client) = with(PYTHON);
    let modules = said(&mut client, "list_modules", json!({}))["modules"].clone();
    let names: Vec<&str> = modules.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["shop", "shop.order", "shop.till"]);
    assert_eq!(
        listed(&mut client, "shop/order.py"),
        [
            "constant +RATE",
            "variable _cache",
            "class +OrderError",
            "class +Order",
            "field +Order.size",
            "method +Order.__init__",
            "field +Order.land",
            "method +Order.total",
            "method Order._hidden",
            "function _hidden.inner",
        ]
    );
    let errors = said(&mut client, "list_declarations", json!({"path": ".", "kind": "error"}))["declarations"].clone();
    assert_eq!(
        (&errors[0]["name"], &errors[0]["path"], errors.as_array().unwrap().len()),
        (&json!("OrderError"), &json!("shop/order.py"), 1)
    );
    let hidden = said(&mut client, "list_declarations", json!({"path": "shop/order.py", "visibility": "private"}));
    assert_eq!(hidden["declarations"].as_array().unwrap().len(), 3);
    assert!(
        refused(&mut client, "list_declarations", json!({"path": "shop", "kind": "klass"}))
            .contains("there are function, method")
    );
    assert!(refused(&mut client, "list_declarations", json!({"path": "shop/none.py"})).contains("does not exist"));
}

#[test]
fn declarations_of_scripts_are_listed_in_their_words() {
    let (_project, mut client) = with(SCRIPT);
    assert_eq!(
        listed(&mut client, "src/user.ts"),
        [
            "interface +Named",
            "field +Named.name",
            "class +User",
            "field User.#key",
            "method +User.constructor",
            "field +User.name",
            "field User.age",
            "method +User.greet",
            "function shout",
            "enum +Role",
            "variant +Role.Admin",
            "variant +Role.Guest",
            "variable +a",
            "variable b",
        ]
    );
}

#[test]
fn declarations_of_contracts_are_listed_in_their_words() {
    let (_project, mut client) = with(CONTRACTS);
    assert_eq!(
        listed(&mut client, "src/Vault.sol"),
        [
            "error +Empty",
            "contract +Vault",
            "event +Vault.Out",
            "field +Vault.held",
            "field Vault.total",
            "method +Vault.constructor",
            "modifier +Vault.some",
            "method +Vault.take",
            "method +Vault.left",
        ]
    );
    assert_eq!(
        listed(&mut client, "src/Held.sol"),
        [
            "library +Sums",
            "struct +Sums.Sum",
            "field +Sum.of",
            "enum +Sums.Kind",
            "variant +Kind.One",
            "variant +Kind.Two",
            "contract +Held"
        ]
    );
}

#[test]
fn a_declaration_is_found_read_and_looked_at() {
    let (project, mut client) = with(PYTHON);
    let found = said(&mut client, "find_declaration", json!({"name": "Order.total"}))["declarations"].clone();
    assert_eq!(found.as_array().unwrap().len(), 1);
    let id = found[0]["id"].as_str().unwrap().to_owned();
    assert_eq!((id.len(), &found[0]["target"]), (8, &json!("shop/order.py::Order::total")));
    let prefixed =
        said(&mut client, "find_declaration", json!({"name": "order", "match": "prefix"}))["declarations"].clone();
    let targets: Vec<&str> = prefixed.as_array().unwrap().iter().map(|one| one["target"].as_str().unwrap()).collect();
    assert_eq!(targets, ["shop/order.py::Order", "shop/order.py::OrderError"]);

    let source = said(&mut client, "get_source", json!({"id": id}));
    let text = "    async def total(self, rate: int = RATE) -> int:\n        if rate < 0:\n            raise OrderError(rate)\n        return self.size * rate";
    assert_eq!((source["source"].as_str().unwrap(), &source["startLine"]), (text, &json!(26)));
    let class = said(&mut client, "get_source", json!({"id": "shop/order.py::Order"}));
    assert!(
        class["source"].as_str().unwrap().starts_with("# What somebody wants.\n@dataclass\nclass Order:\n"),
        "{class}"
    );
    let file = said(&mut client, "get_source", json!({"path": "shop/till.py"}));
    assert_eq!(file["source"], project.text("shop/till.py"));

    let told = said(&mut client, "get_declaration", json!({"id": id}));
    assert_eq!(
        told["signature"],
        json!({"params": [{"name": "rate", "type": "int", "default": "RATE"}], "return_type": "int", "is_fallible": true, "is_async": true})
    );
    assert_eq!(told["error_set"], json!(["OrderError"]));
    let class = said(&mut client, "get_declaration", json!({"id": "shop/order.py::Order"}));
    assert_eq!(class["documentation"], "An order.\n\nOf one thing.");
    assert_eq!(class["bracket_deps"][1], json!({"name": "land", "default": "\"se\""}));
    let names =
        |key: &str| class[key].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!((names("fields"), names("methods")), (vec!["size", "land"], vec!["__init__", "total", "_hidden"]));
    let error = said(&mut client, "get_declaration", json!({"id": "OrderError"}));
    assert_eq!(error["impl_traits"], json!(["ValueError"]));
    assert!(refused(&mut client, "get_source", json!({"id": "00000000"})).contains("has the id"));
    assert!(
        refused(&mut client, "get_declaration", json!({"id": "shop/order.py::Order::total::rate"}))
            .contains("not a declaration of its own")
    );
}

#[test]
fn a_long_source_is_read_in_parts() {
    let (project, mut client) = with(PYTHON);
    let body: String = (0..1_000).map(|line| format!("    x{line} = {line} + 1000\n")).collect();
    project.write("shop/long.py", format!("def long():\n{body}"));
    let mut read = String::new();
    let mut from = Value::Null;
    loop {
        let part = said(&mut client, "get_source", json!({"path": "shop/long.py", "from_line": from}));
        read += part["source"].as_str().unwrap();
        from = part["nextLine"].clone();
        if from.is_null() {
            break;
        }
    }
    assert_eq!(read, project.text("shop/long.py"));
}

/// The rows of an answer: kind, module, line, function.
fn rows(answer: &Value, key: &str) -> Vec<String> {
    let row = |one: &Value| {
        let function = one["function_name"].as_str().unwrap_or("-");
        format!(
            "{} {}:{} {function}",
            one["usage_kind"].as_str().unwrap(),
            one["module"].as_str().unwrap(),
            one["line"]
        )
    };
    answer[key].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn uses_in_python_are_told_apart() {
    let (_project, mut client) = with(PYTHON);
    let total = said(&mut client, "usages_of", json!({"id": "shop/order.py::Order::total"}));
    assert_eq!(rows(&total, "usages"), ["call shop/till.py:5 pay"]);
    assert_eq!(rows(&total, "possible"), ["call shop/till.py:9 twice"]);
    let error = said(&mut client, "usages_of", json!({"id": "OrderError"}));
    assert_eq!(
        rows(&error, "usages"),
        ["raise shop/order.py:28 Order.total", "import shop/till.py:1 -", "read shop/till.py:15 made"]
    );
    let made = said(&mut client, "constructors_of", json!({"id": "shop/order.py::Order"}));
    assert_eq!(rows(&made, "usages"), ["construct shop/till.py:14 made"]);
    let callers = said(&mut client, "callers_of", json!({"id": "shop/till.py::pay"}));
    assert_eq!(rows(&callers, "usages"), ["call shop/till.py:9 twice", "call shop/till.py:14 made"]);
    let graph = said(&mut client, "call_graph", json!({"id": "shop/till.py::made"}));
    let calls = |graph: &Value| -> Vec<String> {
        let all = graph["calls"].as_array().unwrap().iter();
        let mut all: Vec<String> = all
            .map(|it| format!("{} {}", it["caller_name"].as_str().unwrap(), it["callee_name"].as_str().unwrap()))
            .collect();
        all.sort();
        all
    };
    assert_eq!(calls(&graph), ["Order.total OrderError", "made Order", "made pay", "pay total"]);
    let graph = said(&mut client, "call_graph", json!({"id": "shop/order.py::Order::total", "direction": "callers"}));
    assert_eq!(calls(&graph), ["made pay", "pay total", "twice pay"]);
}

/// Who runs whom, where in the code.
fn runs(client: &mut Client, arguments: Value) -> Vec<String> {
    let graph = said(client, "call_graph", arguments);
    let one = |it: &Value| {
        let caller = it["caller_name"].as_str().unwrap_or("-");
        format!("{caller} {} {}:{}", it["callee_name"].as_str().unwrap(), it["module"].as_str().unwrap(), it["line"])
    };
    graph["calls"].as_array().unwrap().iter().map(one).collect()
}

#[test]
fn what_is_run_without_its_name_is_in_the_graph() {
    let (_project, mut client) = with(&[
        ("pyproject.toml", "[project]\nname = \"m\"\nversion = \"1\"\n"),
        (
            "m.py",
            "class Base:\n    def run(self) -> int:\n        return 1\n\n    @property\n    def size(self) -> int:\n        return \
             helper()\n\n\nclass Heir(Base):\n    def run(self) -> int:\n        return helper()\n\n\nclass Lost(Exception):\n    \
             pass\n\n\ndef helper() -> int:\n    raise Lost(\"no\")\n\n\ndef go(b: Base) -> int:\n    return b.run() + b.size\n",
        ),
        ("use.py", "from m import Base, go\n\ngo(Base())\n"),
    ]);
    let mut from_go = runs(&mut client, json!({"id": "m.py::go", "depth": 1}));
    from_go.sort();
    assert_eq!(from_go, ["go run m.py:24", "go run m.py:24", "go size m.py:24"], "the override, too");
    assert_eq!(runs(&mut client, json!({"id": "m.py::go", "direction": "callers"})), ["- go use.py:3"]);
    let size = said(&mut client, "callers_of", json!({"id": "m.py::Base::size"}));
    assert_eq!(rows(&size, "usages"), ["call m.py:24 go"]);
    for tool in ["constructors_of", "callers_of"] {
        let lost = said(&mut client, tool, json!({"id": "m.py::Lost"}));
        assert_eq!(rows(&lost, "usages"), ["raise m.py:20 helper"], "{tool}");
    }
}

#[test]
fn what_a_rename_doubts_is_a_possible_use() {
    let (_project, mut client) = with(&[
        ("pyproject.toml", "[project]\nname = \"m\"\nversion = \"1\"\n\n[project.scripts]\nmm = \"m:pub\"\n"),
        (
            "m.py",
            "class K:\n    def part(self) -> int:\n        return 1\n\n    def stop(self) -> int:\n        return 2\n\n\ndef \
             pub() -> None:\n    pass\n\n\ndef some(k: object, name: str) -> None:\n    getattr(k, \"part\")()\n    getattr(K(), \
             \"st\" + name)()\n",
        ),
    ]);
    let part = said(&mut client, "usages_of", json!({"id": "m.py::K::part"}));
    assert_eq!((rows(&part, "usages"), rows(&part, "possible").len()), (Vec::new(), 1), "{part}");
    let stop = said(&mut client, "usages_of", json!({"id": "m.py::K::stop"}));
    assert_eq!(rows(&stop, "possible"), ["read m.py:15 some"], "{stop}");
    let entry = said(&mut client, "usages_of", json!({"id": "m.py::pub"}));
    assert_eq!(entry["left_out"], json!(["pyproject.toml:6: it is named here"]), "{entry}");
}

#[test]
fn elements_of_jsx_are_calls() {
    let (_project, mut client) = with(&[
        ("tsconfig.json", "{\"compilerOptions\": {\"jsx\": \"preserve\", \"strict\": true}}\n"),
        ("jsx.d.ts", "declare namespace JSX { interface Element {} interface IntrinsicElements { p: {} } }\n"),
        ("view.tsx", "export function View() {\n  return <p />;\n}\n\nexport const Page = () => <View />;\n"),
    ]);
    let view = said(&mut client, "callers_of", json!({"id": "view.tsx#View"}));
    assert_eq!(rows(&view, "usages"), ["call view.tsx:5 Page"]);
}

#[test]
fn uses_in_scripts_are_told_apart() {
    let (_project, mut client) = with(SCRIPT);
    let user = said(&mut client, "usages_of", json!({"id": "src/user.ts#User"}));
    assert_eq!(rows(&user, "usages"), ["import src/main.ts:1 -", "construct src/main.ts:4 main"]);
    let admin = said(&mut client, "usages_of", json!({"id": "src/user.ts#Role.Admin"}));
    assert_eq!(rows(&admin, "usages"), ["enum_variant src/main.ts:5 main"]);
    let name = said(&mut client, "usages_of", json!({"id": "src/user.ts#shout"}));
    assert_eq!(rows(&name, "usages"), ["call src/user.ts:7 User.greet"]);
}

#[test]
fn uses_in_contracts_are_told_apart() {
    let (_project, mut client) = with(CONTRACTS);
    let mut uses = |target: &str| rows(&said(&mut client, "usages_of", json!({"id": target})), "usages");
    assert_eq!(uses("src/Vault.sol:Empty"), ["raise src/Vault.sol:23 Vault.take"]);
    assert_eq!(uses("src/Vault.sol:Vault.left"), ["call src/Vault.sol:26 Vault.take"]);
    assert_eq!(uses("src/Vault.sol:Vault.some"), ["call src/Vault.sol:22 Vault.take"]);
    assert_eq!(uses("src/Held.sol:Held"), ["import src/Vault.sol:4 -", "impl src/Vault.sol:8 -"]);
    assert_eq!(
        uses("src/Vault.sol:Vault.total"),
        [
            "write src/Vault.sol:14 Vault.constructor",
            "read src/Vault.sol:23 Vault.take",
            "read src/Vault.sol:23 Vault.take",
            "write src/Vault.sol:24 Vault.take",
            "read src/Vault.sol:24 Vault.take",
            "read src/Vault.sol:30 Vault.left",
        ]
    );
}

#[test]
fn ids_outlive_edits_from_outside_and_restarts() {
    let (project, mut client) = with(PYTHON);
    let before = ids(&mut client, "shop/order.py");
    let text = project.text("shop/order.py");
    // A formatter, somebody who renames a method, one who adds a function above.
    let edited = text
        .replace("def total(self, rate: int = RATE)", "def sum_of(\n        self,\n        rate: int = RATE,\n    )");
    project.write("shop/order.py", format!("def new():\n    return 1\n\n\n{edited}"));
    let after = ids(&mut client, "shop/order.py");
    assert_eq!(after["sum_of"], before["total"]);
    assert_eq!(
        (&after["Order"], &after["inner"], &after["RATE"]),
        (&before["Order"], &before["inner"], &before["RATE"])
    );
    assert!(!before.values().any(|id| *id == after["new"]));
    drop(client);
    // Moved while nobody looked.
    std::fs::remove_file(project.root().join("shop/order.py")).unwrap();
    project.write("shop/orders/main.py", edited);
    let mut client = begun(&project, "explore,plan");
    let moved = ids(&mut client, "shop/orders/main.py");
    let same = |name: &str| assert_eq!(moved[name], after[name], "{name}");
    ["Order", "sum_of", "_hidden", "inner", "__init__", "size"].into_iter().for_each(same);
    let lost = refused(&mut client, "get_source", json!({"id": after["new"]}));
    assert!(lost.contains("was `new` of `shop/order.py`, which no longer exists"), "{lost}");
    // Deleted and brought back.
    std::fs::remove_file(project.root().join("shop/till.py")).unwrap();
    let till = json!({"name": "pay"});
    let pay = |client: &mut Client| said(client, "find_declaration", till.clone())["declarations"].clone();
    assert_eq!(pay(&mut client), json!([]));
    project.write("shop/till.py", PYTHON[3].1);
    assert_eq!(pay(&mut client)[0]["target"], "shop/till.py::pay");
}

#[test]
fn a_name_that_nothing_has_is_told_with_those_much_like_it() {
    let (_project, mut client) =
        with(&[("pyproject.toml", ""), ("net.py", "class Order:\n    pass\n\n\ndef total():\n    pass\n")]);
    for (written, meant) in [("Ordr", "net.py::Order"), ("order", "net.py::Order"), ("totl", "net.py::total")] {
        let told = refused(&mut client, "get_declaration", json!({"id": written}));
        assert!(told.contains(&format!("declares no `{written}`")) && told.contains(meant), "{told}");
    }
    assert!(!refused(&mut client, "get_declaration", json!({"id": "invoice"})).contains("did you mean"));
}

#[test]
fn an_id_stays_with_its_name_where_overloads_come_and_another_has_its_text() {
    let body = "    if path is None:\n        raise ValueError(\"missing path argument\")\n    elif size is None:\n        raise \
                ValueError(\"missing size argument\")\n    return path * size + len(str(path))\n";
    let head = "(path: int | None = None, size: int | None = None) -> int:\n";
    let files = [("pyproject.toml", ""), ("net.py", &*format!("def bind{head}{body}"))];
    let (project, mut client) = with(&files);
    let before = ids(&mut client, "net.py")["bind"].clone();
    let overloads = "@overload\ndef bind(path: int) -> int: ...\n@overload\ndef bind(path: None) -> int: ...\n";
    let bind = format!("def bind{head}    print(path)\n    return rebind(path, size)\n");
    let edited = format!("from typing import overload\n\n\ndef rebind{head}{body}\n\n{overloads}{bind}");
    project.write("net.py", edited);
    let listed = said(&mut client, "list_declarations", json!({"path": "net.py"}))["declarations"].clone();
    let of = |id: &String| listed.as_array().unwrap().iter().find(|row| row["id"] == id.as_str()).cloned().unwrap();
    assert_eq!(of(&before)["name"], "bind", "{listed}");
}

#[test]
fn ids_follow_a_rename_that_was_applied() {
    let (_project, mut client) = with(SCRIPT);
    let before = ids(&mut client, "src/user.ts");
    let plan = client.call("planRenameSymbol", json!({"target": "src/user.ts#Role.Admin", "newName": "Boss"}));
    let plan = plan["structuredContent"]["planId"].as_str().unwrap().to_owned();
    let applied = client.call("applyPlan", json!({"planId": plan}));
    assert_ne!(applied["isError"], true, "{applied}");
    assert_eq!(ids(&mut client, "src/user.ts")["Boss"], before["Admin"]);
}

#[test]
fn the_toolset_is_off_unless_asked_for_and_reads_only() {
    let project = Project::with(PYTHON);
    let tools = |args: &[&str]| {
        let mut client = Client::start(project.command(args));
        client.initialize("2025-11-25");
        client.request("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
    };
    assert!(!tools(&["serve"]).iter().any(|tool| tool["name"] == "list_modules"));
    let explore = tools(&["serve", "--toolsets", "explore", "--read-only"]);
    let names: Vec<&str> = explore.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let all = [
        "call_graph",
        "callers_of",
        "constructors_of",
        "error_set",
        "find_declaration",
        "get_declaration",
        "get_source",
        "list_declarations",
        "list_modules",
        "usages_of",
    ];
    assert_eq!(names, all);
    assert!(explore.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true));
}

#[test]
fn a_shell_sees_declarations_too() {
    let project = Project::with(PYTHON);
    let outline = project.run(&["outline", "shop/order.py", "--kind", "class", "--output", "json"]).json();
    assert_eq!(outline["declarations"][1]["name"], "Order");
    let found = project.run(&["find", "tot", "--match", "prefix"]).ok();
    assert!(found.contains("shop/order.py::Order::total"), "{found}");
    let shown = project.run(&["show", "shop/till.py::pay", "--output", "json"]).json();
    assert_eq!(shown["signature"]["return_type"], "int");
    let id = shown["id"].as_str().unwrap();
    let uses = project.run(&["uses", id, "--output", "json"]).json();
    assert_eq!(rows(&uses, "usages"), ["call shop/till.py:9 twice", "call shop/till.py:14 made"]);
    let callers = project.run(&["callers", "total", "--output", "json"]).json();
    assert_eq!(rows(&callers, "usages"), ["call shop/till.py:5 pay"]);
    let none = project.run(&["show", "shop/till.py::payed"]);
    assert_eq!((none.code, none.stderr.contains("did you mean `shop/till.py::pay`?")), (Some(2), true), "{none:?}");
}

#[test]
fn fixtures_are_used_where_tests_ask_for_them() {
    let tests = "import pytest\n\nfrom conftest import till\n\n\ndef test_paid(order):\n    assert order == 1\n\n\n@pytest.mark.usefixtures(\"order\")\ndef \
        test_other(till):\n    pass\n\n\nclass TestIt:\n    @pytest.fixture\n    def order(self, order):\n        return order\n\n\ndef other(order):\n    return order\n";
    let files = [
        ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"),
        (
            "conftest.py",
            "import pytest\n\n\n@pytest.fixture\ndef order():\n    return 1\n\n\n@pytest.fixture\ndef till(order):\n    return order\n",
        ),
        ("test_order.py", tests),
    ];
    let (_project, mut client) = with(&files);
    let used = said(&mut client, "usages_of", json!({"id": "conftest.py::order"}));
    let places: Vec<(&str, u64)> = used["usages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["module"].as_str().unwrap(), one["line"].as_u64().unwrap()))
        .collect();
    let plan = client.call("planRenameSymbol", json!({"target": "conftest.py::order", "newName": "bought"}));
    let mut renamed: Vec<(&str, u64)> = Vec::new();
    for file in plan["structuredContent"]["edits"].as_array().unwrap() {
        let name = file["filePath"].as_str().unwrap().rsplit('/').next().unwrap();
        let lines = file["textEdits"].as_array().unwrap().iter();
        renamed.extend(lines.map(|edit| (name, edit["range"]["start"]["line"].as_u64().unwrap() + 1)));
    }
    renamed.retain(|place| *place != ("conftest.py", 5));
    assert_eq!(places, renamed, "{used}");
    assert_eq!(places.len(), 8, "{used}");
}

#[test]
fn members_of_types_that_are_taken_for_each_other_are_uses() {
    let files = [
        ("tsconfig.json", "{\"compilerOptions\": {\"strict\": true}}"),
        (
            "run.ts",
            "export interface Runner {\n  run(): number;\n}\n\nexport class Job {\n  run(): number {\n    return 1;\n  }\n}\n\nexport function go(runner: Runner): \
             number {\n  return runner.run();\n}\n\nexport const one = go(new Job()) + new Job().run();\n",
        ),
    ];
    let (_project, mut client) = with(&files);
    let used = said(&mut client, "usages_of", json!({"id": "run.ts#Runner.run"}));
    let places: Vec<(u64, &str)> = used["usages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["usage_kind"].as_str().unwrap()))
        .collect();
    assert_eq!(places, [(6, "impl"), (12, "call"), (15, "call")], "{used}");
}

#[test]
fn uses_of_what_is_not_the_projects_alone_are_told_with_what_is_missing() {
    let files = [
        ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"),
        (
            "shelf.py",
            "class Shelf(dict):\n    def __init__(self, room: int):\n        super().__init__()\n        self.room = room\n\n    def get(self, key, \
             default=0):\n        return super().get(key, default)\n\n\nclass Deep(Shelf):\n    def get(self, key, default=1):\n        return \
             super().get(key, default)\n\n\ndef first(shelf: Shelf):\n    return shelf.get(1)\n\n\nshelf = Deep(3)\nprint(first(shelf), shelf.get(2))\n",
        ),
    ];
    let (_project, mut client) = with(&files);
    let mut used = |target: &str| {
        let used = said(&mut client, "usages_of", json!({"id": target}));
        let lines: Vec<u64> =
            used["usages"].as_array().unwrap().iter().map(|one| one["line"].as_u64().unwrap()).collect();
        (lines, used["left_out"].to_string())
    };
    let (lines, missing) = used("shelf.py::Shelf.get");
    assert_eq!(lines, [11, 12, 16, 20], "{missing}");
    assert!(missing.contains("`get` overrides `dict.get` of `"), "{missing}");
    let (lines, missing) = used("shelf.py::Shelf.__init__");
    assert!(lines.contains(&19) || lines.is_empty(), "{lines:?}");
    assert!(missing.contains("`__init__` is called by the language under that very name"), "{missing}");
    let (lines, missing) = used("shelf.py::first");
    assert_eq!((lines, missing.as_str()), (vec![20], "null"));
}
