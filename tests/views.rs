//! Readable views of modules: written, edited, taken over, and never over what somebody else wrote.

use std::path::Path;
use std::sync::Arc;

use lspwright::declarations::{Module, Readable};
use lspwright::session::Parsed;
use lspwright::syntax::{Language, Tree};
use lspwright::text::Text;
use serde_json::{Value, json};

use crate::explore::{begun, ids, refused, said};
use crate::faces::Project;
use crate::mcp::Client;

const ORDER: &str = "\"\"\"Orders.\"\"\"\n\nRATE = 3\nPLACES = {\n    \"se\": 1,\n    \"dk\": 2,\n    \"no\": 3,\n}\n\n\nclass Order:\n    \"\"\"An \
                     order.\"\"\"\n\n    size: int = 0\n\n    def __init__(self, size: int) -> None:\n        self.size = size\n\n    # What it \
                     costs.\n    @property\n    def total(self) -> int:\n        \"\"\"Says it.\n\n        In full.\n        \"\"\"\n        if not \
                     self.size:\n            raise ValueError(\"nothing\")\n        return self.size * RATE\n\n\ndef land(\n    order: Order,\n) -> \
                     str:\n    return \"se\" * order.size\n\n\ndef unused() -> int:\n    return 1\n";
const TILL: &str =
    "from order import Order, land\n\n\ndef pay(order: Order) -> int:\n    return order.total + len(land(order))\n";

fn shop() -> (Project, Client) {
    let files =
        [("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"), ("order.py", ORDER), ("till.py", TILL)];
    let project = Project::with(&files);
    let client = begun(&project, "explore,write,build,plan");
    (project, client)
}

/// Edits a view; each text has to stand there.
fn edit(project: &Project, path: &str, edits: &[(&str, &str)]) {
    let mut text = project.text(path);
    for (old, new) in edits {
        assert_eq!(text.matches(old).count(), 1, "`{old}` in:\n{text}");
        text = text.replace(old, new);
    }
    project.write(path, text);
}

fn targets(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["target"].as_str().unwrap()).collect()
}

#[test]
fn a_view_has_signatures_documentation_errors_and_ids_and_no_bodies() {
    let (project, mut client) = shop();
    let id = ids(&mut client, "order.py");
    let made = said(&mut client, "generate_pt", json!({"path": "order.py", "into": "views"}));
    assert_eq!(made["generated"], json!([{"pluto_path": "order.py", "pt_path": "views/order.py.pt"}]), "{made}");
    let view = project.text("views/order.py.pt");
    let (view, base) = view.rsplit_once("\n# as written:").unwrap();
    assert_eq!(base.split_whitespace().count(), 8, "{base}");
    let named = |name: &str| id[name].clone();
    let expected = format!(
        "# lspwright view of order.py\n\n# [{}]\nRATE = 3\n\n# [{}] value not shown\nPLACES = ...\n\n# [{}]\nclass Order:\n    \"\"\"An \
         order.\"\"\"\n    # [{}]\n    size: int = 0\n\n    # [{}]\n    def __init__(self, size: int) -> None: ...\n\n    # [{}] raises ValueError\n    \
         # What it costs.\n    @property\n    def total(self) -> int:\n        \"\"\"Says it.\n\n        In full.\n        \"\"\"\n        ...\n\n# [{}]\n\
         def land(\n    order: Order,\n) -> str: ...\n\n# [{}]\ndef unused() -> int: ...\n",
        named("RATE"),
        named("PLACES"),
        named("Order"),
        named("size"),
        named("__init__"),
        named("total"),
        named("land"),
        named("unused"),
    );
    assert_eq!(view, expected);
    let nothing = said(&mut client, "sync_pt", json!({"path": "views"}));
    assert_eq!(nothing["synced"], json!(["views/order.py.pt"]), "{nothing}");
    let lists = ["new_declarations", "updated_declarations", "deleted_declarations", "dirty"].map(|it| &nothing[it]);
    assert!(lists.iter().all(|it| **it == json!([])), "{nothing}");
}

#[test]
fn what_is_edited_in_a_view_is_drafted() {
    let (project, mut client) = shop();
    let before = ids(&mut client, "order.py");
    said(&mut client, "generate_pt", json!({"into": "views"}));
    let edits = [
        ("def total(self)", "def cost(self)"),
        ("Says it.", "Says what it costs."),
        (
            "    order: Order,\n) -> str: ...",
            "    order: Order,\n    times: int = 1,\n) -> str:\n    \"\"\"Where it goes.\"\"\"\n    ...",
        ),
        ("    # What it costs.\n", ""),
        ("RATE = 3", "RATE = 4"),
        (
            "\n# [ID]\ndef unused() -> int: ...\n".replace("[ID]", &format!("[{}]", before["unused"])).leak(),
            "\ndef added(order: Order) -> int:\n    \"\"\"New.\"\"\"\n",
        ),
    ];
    edit(&project, "views/order.py.pt", &edits);
    let over = refused(&mut client, "generate_pt", json!({"into": "views"}));
    assert!(over.starts_with("`views/order.py.pt` was edited, and would be overwritten"), "{over}");
    let synced = said(&mut client, "sync_pt", json!({"path": "views/order.py.pt"}));
    assert_eq!(synced["synced"], json!(["views/order.py.pt"]), "{synced}");
    assert_eq!(synced["diagnostics"], json!([]), "{synced}");
    let updated = &synced["updated_declarations"];
    let total = "order.py::Order::cost";
    assert_eq!(targets(updated), [total, "order.py::RATE", total, "order.py::land"], "{synced}");
    assert_eq!(updated[0]["changed"], "name, was total");
    assert_eq!(updated[2]["changed"], "comment, documentation");
    assert_eq!(updated[3]["changed"], "signature, documentation");
    assert_eq!(targets(&synced["new_declarations"]), ["order.py::added"], "{synced}");
    assert_eq!(targets(&synced["deleted_declarations"]), ["order.py::unused"], "{synced}");
    assert_eq!(synced["dirty"], json!(["order.py", "till.py"]));
    assert_eq!(project.text("order.py"), ORDER, "nothing is written before it is saved");
    said(&mut client, "save", json!({}));
    let written = ORDER
        .replace("RATE = 3", "RATE = 4")
        .replace("    # What it costs.\n", "")
        .replace("def total", "def cost")
        .replace("Says it.", "Says what it costs.")
        .replace(
            "    order: Order,\n) -> str:\n",
            "    order: Order,\n    times: int = 1,\n) -> str:\n    \"\"\"Where it goes.\"\"\"\n",
        )
        .replace(
            "def unused() -> int:\n    return 1\n",
            "def added(order: Order) -> int:\n    \"\"\"New.\"\"\"\n    raise NotImplementedError\n",
        );
    assert_eq!(project.text("order.py"), written);
    assert_eq!(project.text("till.py"), TILL.replace("order.total", "order.cost"));
    let after = ids(&mut client, "order.py");
    assert_eq!((&after["cost"], &after["land"], &after["RATE"]), (&before["total"], &before["land"], &before["RATE"]));
    said(&mut client, "generate_pt", json!({"into": "views"}));
}

#[test]
fn what_cannot_be_taken_over_is_told_and_stays_in_the_view() {
    let (project, mut client) = shop();
    said(&mut client, "generate_pt", json!({"into": "views"}));
    let view = project.text("views/order.py.pt");
    let land = view.split("\n\n").find(|part| part.contains("def land(")).unwrap();
    let edits = [
        (land, "# It is gone."),
        ("def unused() -> int: ...", "def unused() -> int:\n    return 2"),
        ("RATE = 3", "RATE = 5"),
    ];
    edit(&project, "views/order.py.pt", &edits);
    // The source is edited by hand meanwhile.
    project.write(
        "order.py",
        ORDER.replace("RATE = 3", "RATE = 4").replace("size: int = 0\n", "size: int = 0\n    kind = 1\n"),
    );
    let synced = said(&mut client, "sync_pt", json!({"path": "views/order.py.pt"}));
    let left: Vec<&str> = synced["left"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(
        left,
        [
            "`RATE` changed in the view and in the module since the view was written",
            "the content of `unused` is not taken from a view: edit_source changes it",
            "`land` is not deleted: it is used at till.py:1, and in 1 more places"
        ],
        "{synced}"
    );
    assert_eq!((&synced["synced"], &synced["dirty"]), (&json!([]), &json!([])), "{synced}");
    assert_eq!(targets(&synced["new_declarations"]), ["order.py::Order::kind"]);
    assert_eq!(synced["new_declarations"][0]["by"], "source");
    project.write("views/order.py.pt", view.replace("-> int: ...", "-> int: ... ("));
    let error = refused(&mut client, "sync_pt", json!({"path": "views/order.py.pt"}));
    assert!(error.starts_with("`views/order.py.pt` does not parse at line "), "{error}");
}

#[test]
fn comments_before_the_first_statement_are_no_part_of_a_head() {
    let source = "class A:\n    # One.\n    one = 1\n\n    def f(self):  # noqa\n        # Two.\n        return 1\n\n\nclass B:\n    def g(self): return 2\n";
    let text = Text::new(source);
    let tree = Tree::parse(Language::Python, text.as_str());
    let module = Module::read("x.py", Language::Python, (&tree, &text));
    let view = Readable::of(&Parsed::new(Arc::new(text), tree), &module).written().unwrap();
    let lines: Vec<&str> = view.lines().filter(|line| !line.trim_start().starts_with("# [")).collect();
    let lines = lines.join("\n");
    assert!(lines.contains("class A:\n    # One.\n    one = 1\n"), "{view}");
    assert!(lines.contains("    def f(self):  # noqa\n        ...\n"), "{view}");
    assert!(lines.contains("class B:\n    def g(self): ...\n"), "{view}");
}

#[test]
fn what_is_copied_is_new_and_what_goes_elsewhere_is_told() {
    let (project, mut client) = shop();
    said(&mut client, "generate_pt", json!({"path": "order.py", "into": "views"}));
    let view = project.text("views/order.py.pt");
    let unused = view.split("\n\n").find(|part| part.contains("def unused")).unwrap();
    let copy = unused.replace("unused", "before");
    let id = ids(&mut client, "order.py")["total"].clone();
    let start = view.find(&format!("    # [{id}]")).unwrap();
    let end = start + view[start..].find("        ...\n").unwrap() + "        ...\n".len();
    let gone = format!("{}{}", &view[..start], &view[end..]);
    let edited = gone.replace(unused, &format!("{copy}\n\n{unused}\n\n# [{id}]\ndef total() -> int: ..."));
    project.write("views/order.py.pt", edited);
    let synced = said(&mut client, "sync_pt", json!({"path": "views"}));
    assert_eq!(targets(&synced["new_declarations"])[0], "order.py::before", "{synced}");
    let left = synced["left"].to_string();
    assert!(left.contains("`total` went to another owner in the view"), "{synced}");
    assert_eq!(synced["deleted_declarations"], json!([]), "{synced}");
    let source = said(&mut client, "get_source", json!({"path": "order.py"}))["source"].as_str().unwrap().to_owned();
    assert!(source.contains("return self.size * RATE") && source.contains("def unused()"), "{source}");
}

#[test]
fn a_source_edited_by_hand_comes_into_its_view() {
    let (project, mut client) = shop();
    let before = ids(&mut client, "order.py");
    said(&mut client, "generate_pt", json!({"into": "views"}));
    let source = ORDER.replace("def unused() -> int:\n    return 1\n", "def other(a: int) -> int:\n    return a\n");
    project.write("order.py", source.replace("def land(\n", "def land(\n    first: int,\n"));
    let synced = said(&mut client, "sync_pt", json!({"path": "views"}));
    assert_eq!(targets(&synced["updated_declarations"]), ["order.py::land"], "{synced}");
    assert_eq!(targets(&synced["new_declarations"]), ["order.py::other"], "{synced}");
    assert_eq!(targets(&synced["deleted_declarations"]), ["unused"], "{synced}");
    assert_eq!(synced["dirty"], json!([]));
    let view = project.text("views/order.py.pt");
    assert!(view.contains(&format!("# [{}]\ndef land(\n    first: int,\n", before["land"])), "{view}");
    assert!(view.contains("def other(a: int) -> int: ...") && !view.contains("unused"), "{view}");
}

#[test]
fn views_are_written_where_nothing_else_is() {
    let (project, mut client) = shop();
    project.write("views/order.py.pt", "mine");
    let error = refused(&mut client, "generate_pt", json!({"into": "views"}));
    assert!(error.starts_with("`views/order.py.pt` is not a view of `order.py`"), "{error}");
    assert_eq!(project.text("views/order.py.pt"), "mine");
    for (into, why) in
        [(".", "it is the project itself"), ("order.py", "it is a file"), ("../views", "not an absolute")]
    {
        let error = refused(&mut client, "generate_pt", json!({"into": into}));
        assert!(error.contains(why), "{error}");
    }
    let outside = project.outside().join("views");
    let made = said(&mut client, "generate_pt", json!({"into": outside}));
    let paths: Vec<&str> =
        made["generated"].as_array().unwrap().iter().map(|one| one["pt_path"].as_str().unwrap()).collect();
    assert_eq!(paths.len(), 2, "{made}");
    assert!(std::fs::read_to_string(outside.join("till.py.pt")).unwrap().starts_with("# lspwright view of till.py\n"));
    let path = outside.join("till.py.pt").to_str().unwrap().to_owned();
    assert_eq!(said(&mut client, "sync_pt", json!({"path": path}))["synced"], json!([path]));
    std::fs::write(outside.join("other.txt"), "x").unwrap();
    let error = refused(&mut client, "generate_pt", json!({"into": outside}));
    assert!(error.contains("holds other files than views"), "{error}");
    let none = refused(&mut client, "sync_pt", json!({"path": "order.py"}));
    assert!(none.starts_with("`order.py` is not a view, and holds none"), "{none}");
}

#[test]
fn scripts_and_contracts_have_views_and_other_languages_none() {
    let script = "/** A box. */\nexport class Box<T> extends Base {\n  #size = 1;\n  constructor(private readonly land: string) {\n    super();\n  }\n\n  /** \
        Says. */\n  say(word: string): string {\n    if (!word) throw new RangeError(\"none\");\n    return word;\n  }\n}\n\nclass Base {}\n\nexport const made = (box: \
        Box<string>): string => box.say(\"a\");\n\nexport interface Size {\n  width: number;\n}\n\nexport type Word = string | undefined;\n";
    let vault = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\nerror Empty();\n\n/// A vault.\ncontract Vault {\n    uint256 public total;\n\n    event \
        Paid(uint256 sum);\n\n    constructor(uint256 sum) {\n        total = sum;\n    }\n\n    /// Pays.\n    function pay(uint256 sum) external returns (uint256) {\n        \
        if (sum == 0) revert Empty();\n        emit Paid(sum);\n        return sum;\n    }\n}\n";
    let files = [
        ("tsconfig.json", "{\"compilerOptions\": {\"strict\": true}}"),
        ("foundry.toml", ""),
        ("box.ts", script),
        ("Vault.sol", vault),
        ("main.go", "package main\n\nfunc main() {}\n"),
    ];
    let project = Project::with(&files);
    let mut client = begun(&project, "explore,write,build,plan");
    let made = said(&mut client, "generate_pt", json!({"into": "views"}));
    assert_eq!(made["left_out"], json!(["main.go: there are no views of go"]), "{made}");
    let error = refused(&mut client, "generate_pt", json!({"path": "main.go", "into": "views"}));
    assert!(error.starts_with("no view can be written: main.go: there are no views of go"), "{error}");
    let view = project.text("views/box.ts.pt");
    assert!(view.contains("] raises RangeError\n  /** Says. */\n  say(word: string): string {}\n"), "{view}");
    edit(
        &project,
        "views/box.ts.pt",
        &[
            ("say(word: string): string {}", "tell(word: string, times?: number): string {}\n\n  more(): number {}"),
            ("width: number;", "width: number;\n  height: number;"),
            ("/** A box. */", "/** A box for one word. */"),
        ],
    );
    let synced = said(&mut client, "sync_pt", json!({"path": "views/box.ts.pt"}));
    assert_eq!(synced["synced"], json!(["views/box.ts.pt"]), "{synced}");
    edit(
        &project,
        "views/Vault.sol.pt",
        &[
            ("function pay(uint256 sum)", "function settle(uint256 sum, bool now_)"),
            ("/// Pays.", "/// Settles."),
            ("error Empty();", "error Empty();\n\nerror Late(uint256 by);"),
        ],
    );
    let synced = said(&mut client, "sync_pt", json!({"path": "views/Vault.sol.pt"}));
    assert_eq!(synced["synced"], json!(["views/Vault.sol.pt"]), "{synced}");
    said(&mut client, "save", json!({}));
    let written = script
        .replace("A box.", "A box for one word.")
        .replace("  say(word: string): string {", "  tell(word: string, times?: number): string {")
        .replace(
            "    return word;\n  }\n",
            "    return word;\n  }\n\n  more(): number {\n    throw new Error(\"more is not written\");\n  }\n",
        )
        .replace("box.say(", "box.tell(")
        .replace("width: number;\n", "width: number;\n  height: number;\n");
    assert_eq!(project.text("box.ts"), written);
    let written = vault
        .replace("error Empty();\n", "error Empty();\nerror Late(uint256 by);\n")
        .replace("/// Pays.", "/// Settles.")
        .replace("function pay(uint256 sum)", "function settle(uint256 sum, bool now_)");
    assert_eq!(project.text("Vault.sol"), written);
}

/// Every view can be read back, over the sources below a directory: `SOURCES=DIR cargo test --test all -- --ignored
/// views_of_real`.
#[test]
#[ignore = "needs a directory with sources"]
fn views_of_real_sources_are_read_back() {
    let dir = std::env::var("SOURCES").unwrap();
    let (mut files, mut none) = (0, Vec::new());
    for entry in ignore::WalkBuilder::new(dir).standard_filters(false).build().map(Result::unwrap) {
        let path: &Path = entry.path();
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let Some(language) = Language::of_extension(extension) else { continue };
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if !lspwright::declarations::has_view(language) || Tree::parse(language, &text).error_count() > 0 {
            continue;
        }
        let text = Text::new(text.as_str());
        let tree = Tree::parse(language, text.as_str());
        let module = Module::read("x", language, (&tree, &text));
        let parsed = Parsed::new(Arc::new(text), tree);
        let readable = Readable::of(&parsed, &module);
        files += 1;
        if readable.written().is_none() {
            none.push(path.display().to_string());
        }
    }
    let told = format!("{files} views, {} not: {none:#?}\n", none.len());
    std::io::Write::write_all(&mut std::io::stderr(), told.as_bytes()).unwrap();
}
