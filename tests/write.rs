//! A project written as declarations: in drafts, which nothing reaches the disk of before `save`.

use std::path::Path;

use lspwright::declarations::{InsertionPlace, Module, Placing};
use lspwright::session::Parsed;
use lspwright::syntax::{Language, Tree};
use lspwright::text::Text;
use serde_json::{Value, json};

use crate::explore::{begun, ids, refused, said};
use crate::faces::Project;
use crate::mcp::Client;

const PYTHON: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"),
    (
        "order.py",
        "RATE = 3\n\n\nclass Order:\n    \"\"\"An order.\"\"\"\n\n    def __init__(self, size: int) -> None:\n        self.size = \
         size\n\n    # What it costs.\n    def total(self) -> int:\n        return self.size * RATE\n\n\ndef land() -> str:\n    \
         return \"se\"\n",
    ),
    ("till.py", "from order import Order\n\n\ndef pay(order: Order) -> int:\n    return order.total()\n"),
];

fn with(files: &[(&str, &str)]) -> (Project, Client) {
    let project = Project::with(files);
    let client = begun(&project, "explore,write,plan");
    (project, client)
}

#[test]
fn drafts_compose_and_are_saved_and_taken_back_as_one() {
    let (project, mut client) = with(PYTHON);
    let before = project.files();
    let order = ids(&mut client, "order.py");
    let source = "def weight(self) -> int:\n    return self.size * 2";
    let added = said(&mut client, "add_method", json!({"class_id": order["Order"], "source": source}));
    assert_eq!((&added["diagnostics"], &added["dirty"]), (&json!([]), &json!(["order.py"])), "{added}");
    assert_eq!(added["target"], "order.py::Order::weight");
    let renamed = said(&mut client, "rename_declaration", json!({"id": order["total"], "new_name": "sum_of"}));
    assert_eq!((&renamed["id"], &renamed["references_updated"]), (&json!(order["total"]), &json!(1)), "{renamed}");
    assert_eq!(renamed["dirty"], json!(["order.py", "till.py"]));
    // What was drafted is seen by every other tool, and by the servers.
    let edited = json!({"id": "till.py::pay", "old": "order.sum_of()", "new": "order.sum_of() + order.weight()"});
    let edited = said(&mut client, "edit_source", edited);
    assert_eq!(edited["diagnostics"], json!([]), "{edited}");
    let used = said(&mut client, "usages_of", json!({"id": added["id"]}));
    assert_eq!((&used["usages"][0]["module"], &used["usages"][0]["line"]), (&json!("till.py"), &json!(5)), "{used}");
    let plan = client.call("planRenameSymbol", json!({"target": "order.py::Order::weight", "newName": "mass"}));
    assert_eq!(plan["structuredContent"]["canRename"], true, "{plan}");
    let plan = plan["structuredContent"]["planId"].clone();
    assert!(refused(&mut client, "applyPlan", json!({"planId": plan})).contains("has a draft that is not saved"));
    assert_eq!(project.files(), before, "nothing is written before it is saved");
    let saved = said(&mut client, "save", json!({}));
    assert_eq!((&saved["saved"], &saved["dirty"]), (&json!(["order.py", "till.py"]), &json!([])), "{saved}");
    assert!(saved["summary"].as_str().unwrap().starts_with("clean: "), "{saved}");
    assert_eq!(
        project.text("order.py"),
        PYTHON[1].1.replace("total", "sum_of").replace(
            "RATE\n\n\ndef land",
            "RATE\n\n    def weight(self) -> int:\n        return self.size * 2\n\n\ndef land"
        )
    );
    assert_eq!(project.text("till.py"), PYTHON[2].1.replace("order.total()", "order.sum_of() + order.weight()"));
    assert_eq!(ids(&mut client, "order.py")["sum_of"], order["total"]);
    let undone = client.call("undoPlan", json!({"planId": saved["plan_id"]}));
    assert_ne!(undone["isError"], true, "{undone}");
    assert_eq!(project.files(), before);
}

#[test]
fn a_module_that_is_drafted_after_those_who_import_it_is_known_to_them() {
    let options =
        "{\"compilerOptions\": {\"strict\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\"}}\n";
    let main = "import { made } from \"./made\";\nexport const twice: number = made() * 2;\n";
    let (_project, mut client) = with(&[("tsconfig.json", options), ("main.ts", main)]);
    let twice = client.call("planRenameSymbol", json!({"target": "main.ts#twice", "newName": "double"}));
    assert_eq!(twice["structuredContent"]["canRename"], true, "{twice}");
    let source = "export function made(): number {\n  return 1;\n}";
    let added = said(&mut client, "add_declaration", json!({"path": "made.ts", "source": source}));
    assert_eq!((&added["diagnostics"], &added["dirty"]), (&json!([]), &json!(["made.ts"])), "{added}");
    let renamed = said(&mut client, "rename_declaration", json!({"id": added["id"], "new_name": "one"}));
    assert_eq!(renamed["dirty"], json!(["made.ts", "main.ts"]), "{renamed}");
}

#[test]
fn members_are_put_where_they_are_meant_to_stand() {
    let script = "export class Box {\n  size = 1;\n\n  total(): number {\n    return this.size;\n  }\n}\n";
    let (project, mut client) = with(&[PYTHON[0], PYTHON[1], PYTHON[2], ("tsconfig.json", "{}"), ("box.ts", script)]);
    let order = ids(&mut client, "order.py");
    let field = said(&mut client, "add_field", json!({"target_id": order["Order"], "name": "kind", "type": "str"}));
    assert_eq!((&field["target"], &field["diagnostics"]), (&json!("order.py::Order::kind"), &json!([])), "{field}");
    let before = json!({"class_id": order["Order"], "source": "def first(self): ...", "position": format!("before:{}", order["total"])});
    said(&mut client, "add_method", before);
    let after = json!({"path": "order.py", "source": "LAST = 1", "position": "after:order.py::RATE"});
    assert_eq!(said(&mut client, "add_declaration", after)["target"], "order.py::LAST");
    let source = said(&mut client, "get_source", json!({"path": "order.py"}))["source"].as_str().unwrap().to_owned();
    assert!(source.starts_with("RATE = 3\nLAST = 1\n\n\nclass Order:\n    \"\"\"An order.\"\"\"\n"), "{source}");
    assert!(source.contains("An order.\"\"\"\n\n    kind: str\n\n    def __init__"), "{source}");
    assert!(source.contains("    def first(self): ...\n\n    # What it costs.\n    def total"), "{source}");
    said(&mut client, "add_field", json!({"target_id": "box.ts#Box", "name": "name", "type": "string | undefined"}));
    said(&mut client, "add_method", json!({"class_id": "box.ts#Box", "source": "more() {\n    return 1;\n}"}));
    let discarded = said(&mut client, "discard", json!({"path": "order.py"}));
    assert_eq!((&discarded["discarded"], &discarded["dirty"]), (&json!(["order.py"]), &json!(["box.ts"])));
    said(&mut client, "save", json!({}));
    let written = script
        .replace("  size = 1;\n", "  size = 1;\n  name: string | undefined;\n")
        .replace("size;\n  }\n", "size;\n  }\n\n  more() {\n    return 1;\n  }\n");
    assert_eq!((project.text("box.ts"), project.text("order.py")), (written, PYTHON[1].1.to_owned()));
    let elsewhere = json!({"path": "order.py", "source": "X = 1", "position": "after:box.ts#Box"});
    assert!(refused(&mut client, "add_declaration", elsewhere).contains("stands in `box.ts`, not in `order.py`"));
    let land = refused(&mut client, "add_method", json!({"class_id": order["land"], "source": "def x(self): ..."}));
    assert!(land.starts_with("`land` has no body that a member could be put into"), "{land}");
}

#[test]
fn a_parameter_that_callers_lack_is_told_in_every_language() {
    let base = "export class Order {\n  total(): number {\n    return 1;\n  }\n}\n";
    let made = "import { Order } from \"./base\";\n\nexport const made = (): Order => new Order();\n";
    let far = "import { made } from \"./made\";\n\nexport const sum = made().total();\n";
    let files = [("tsconfig.json", "{}"), ("base.ts", base), ("made.ts", made), ("far.ts", far)];
    let (_project, mut client) = with(&files);
    let source = "total(rate: number): number {\n  return rate;\n}";
    let drafted = said(&mut client, "replace_declaration", json!({"id": "base.ts#Order.total", "source": source}));
    assert_eq!(drafted["diagnostics"][0]["file"], "far.ts", "{drafted}");
    assert!(drafted["verification"].as_str().unwrap().starts_with("regressed"), "{drafted}");
    let go = json!({"id": "far.ts#sum", "old": "total()", "new": "total(2)"});
    said(&mut client, "edit_source", go);
    let alone = refused(&mut client, "save", json!({"path": "far.ts"}));
    assert!(alone.starts_with("the plan brings 1 new problem"), "what is not saved is not a part of it: {alone}");
    let saved = said(&mut client, "save", json!({}));
    assert!(saved["summary"].as_str().unwrap().starts_with("clean: "), "{saved}");
}

#[test]
fn what_a_draft_breaks_is_told_and_not_saved() {
    let (project, mut client) = with(PYTHON);
    let before = project.files();
    let source = "def total(self, rate: str) -> int:\n    return self.size * RATE";
    let drafted = said(&mut client, "replace_declaration", json!({"id": "order.py::Order::total", "source": source}));
    assert_eq!(drafted["diagnostics"][0]["file"], "till.py", "{drafted}");
    let error = refused(&mut client, "save", json!({}));
    assert!(error.starts_with("the plan brings 1 new problem"), "{error}");
    assert_eq!(project.files(), before);
    let discarded = said(&mut client, "discard", json!({}));
    assert_eq!((&discarded["discarded"], &discarded["dirty"]), (&json!(["order.py"]), &json!([])));
    let source = said(&mut client, "get_source", json!({"id": "order.py::Order::total"}));
    assert_eq!(source["source"], "    # What it costs.\n    def total(self) -> int:\n        return self.size * RATE");
    assert!(refused(&mut client, "save", json!({})).contains("there is no draft here"));
}

#[test]
fn a_source_that_does_not_fit_is_refused_with_its_place() {
    let (_project, mut client) = with(PYTHON);
    let mut no = |tool: &str, arguments: Value| refused(&mut client, tool, arguments);
    let land = |source: &str| json!({"id": "order.py::land", "source": source});
    let syntax = no("replace_declaration", land("def land() -> str:\n    x = (1\n    return \"se\"\n"));
    assert!(syntax.starts_with("the source does not parse at line "), "{syntax}");
    let several = no("replace_declaration", land("def land():\n    return 1\n\n\ndef other():\n    return 2\n"));
    assert!(several.starts_with("the source declares function `land`, function `other`"), "{several}");
    let other = no("replace_declaration", land("class land:\n    pass\n"));
    assert!(other.starts_with("the source is a class, and a function is meant"), "{other}");
    assert!(no("replace_declaration", land("1 + 1")).starts_with("the source declares nothing"));
    let twice = no("edit_source", json!({"id": "order.py::Order", "old": "size", "new": "s"}));
    assert!(twice.contains("and has to stand there once"), "{twice}");
    let used = no("delete_declaration", json!({"id": "order.py::Order::total", "safe": true}));
    assert!(used.contains("is used in 1 place\nused at till.py:5"), "{used}");
    assert!(
        no("add_declaration", json!({"path": "order.py", "source": "X = 1", "position": "beside:it"}))
            .contains("is not a position")
    );
}

#[test]
fn declarations_are_deleted_moved_and_begun_in_new_files() {
    let (project, mut client) = with(PYTHON);
    let order = ids(&mut client, "order.py");
    let deleted = said(&mut client, "delete_declaration", json!({"id": order["total"]}));
    assert_eq!(deleted["dangling_references"], json!(["till.py:5"]), "{deleted}");
    said(&mut client, "discard", json!({}));
    let added = said(&mut client, "add_declaration", json!({"path": "rates.py", "source": "BASE = 2\n"}));
    assert_eq!((&added["target"], &added["dirty"]), (&json!("rates.py::BASE"), &json!(["rates.py"])), "{added}");
    assert!(!project.root().join("rates.py").exists());
    let listed = said(&mut client, "list_modules", json!({}))["modules"].clone();
    assert_eq!((&listed[1]["path"], &listed[1]["dirty"]), (&json!("rates.py"), &json!(true)), "{listed}");
    let saved = said(&mut client, "save", json!({}));
    assert_eq!(project.text("rates.py"), "BASE = 2\n", "{saved}");
    let moved = said(&mut client, "move_declaration", json!({"id": order["land"], "to": "rates.py"}));
    assert_eq!((&moved["id"], &moved["target"]), (&json!(order["land"]), &json!("rates.py::land")), "{moved}");
    // The module begins in a copy of the project, which has the drafts.
    let moved = said(&mut client, "move_declaration", json!({"id": order["land"], "to": "places.py"}));
    assert_eq!((&moved["id"], &moved["target"]), (&json!(order["land"]), &json!("places.py::land")), "{moved}");
    said(&mut client, "save", json!({}));
    assert!(project.text("places.py").contains("def land() -> str:") && !project.text("order.py").contains("land"));
    assert!(!project.text("rates.py").contains("land"));
}

#[test]
fn what_cannot_stand_there_is_told_by_what_stands_in_the_way() {
    let (_project, mut client) = with(&[
        ("tsconfig.json", "{}\n"),
        ("a.ts", "export const one = 1, two = 2;\n"),
        ("Cargo.toml", "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/lib.rs", "pub struct Wrap(pub u32);\n"),
    ]);
    let shared =
        refused(&mut client, "replace_declaration", json!({"id": "a.ts#one", "source": "export const one = 3;"}));
    assert!(shared.starts_with("`one` is declared in one statement with others"), "{shared}");
    let tuple = refused(&mut client, "add_field", json!({"target_id": "src/lib.rs::Wrap", "name": "of", "type": "u8"}));
    assert!(tuple.starts_with("`of: u8,` does not parse as a field of `src/lib.rs::Wrap`"), "{tuple}");
}

#[test]
fn a_body_that_loses_all_it_has_stays_one() {
    let (project, mut client) = with(&[
        ("pyproject.toml", "[project]\nname = \"m\"\nversion = \"1\"\n"),
        ("m.py", "class Only:\n    def alone(self) -> int:\n        return 1\n\n\nif 1:\n    def f() -> None: ...\n"),
    ]);
    said(&mut client, "delete_declaration", json!({"id": "m.py::Only::alone"}));
    said(&mut client, "delete_declaration", json!({"id": "m.py::f"}));
    said(&mut client, "save", json!({}));
    assert_eq!(project.text("m.py"), "class Only:\n    pass\n\n\nif 1:\n    pass\n");
}

#[test]
fn a_declaration_keeps_its_id_where_another_comes_to_stand_in_front_of_it() {
    let (_project, mut client) = with(PYTHON);
    let rate = ids(&mut client, "order.py")["RATE"].clone();
    let added = said(
        &mut client,
        "add_declaration",
        json!({"path": "order.py", "source": "BASE = 2", "position": "before:order.py::RATE"}),
    );
    let now = ids(&mut client, "order.py");
    assert_eq!((&now["RATE"], &json!(now["BASE"])), (&rate, &added["id"]), "{added}");
}

#[test]
fn uses_that_are_left_are_told_where_the_draft_has_them() {
    let text = "def gone() -> int:\n    return 1\n\n\nprint(gone())\n";
    let (_project, mut client) = with(&[PYTHON[0], ("m.py", text)]);
    let deleted = said(&mut client, "delete_declaration", json!({"id": "m.py::gone"}));
    let found = (&deleted["dangling_references"], &deleted["diagnostics"][0]["line"]);
    assert_eq!(found, (&json!(["m.py:1"]), &json!(1)), "{deleted}");
}

#[test]
fn what_may_be_used_is_not_deleted_where_that_is_to_be_safe() {
    let (project, mut client) = with(&[
        ("pyproject.toml", "[project]\nname = \"m\"\nversion = \"1\"\n\n[project.scripts]\nmm = \"m:pub\"\n"),
        (
            "m.py",
            "class K:\n    def stop(self) -> int:\n        return 2\n\n\ndef pub() -> None:\n    pass\n\n\ndef some(name: str) -> \
             None:\n    getattr(K(), \"st\" + name)()\n",
        ),
    ]);
    let mut no = |id: &str| refused(&mut client, "delete_declaration", json!({"id": id, "safe": true}));
    assert!(
        no("m.py::K::stop").starts_with("`m.py::K::stop` is used in 1 place\nused at m.py:11"),
        "{}",
        no("m.py::K::stop")
    );
    let entry = no("m.py::pub");
    assert_eq!(entry, "`m.py::pub` may be used where no server sees it\npyproject.toml:6: it is named here");
    said(&mut client, "delete_declaration", json!({"id": "m.py::some", "safe": true}));
    assert!(project.text("m.py").contains("def some"), "a draft");
}

#[test]
fn what_changes_on_the_disk_under_a_draft_is_joined_or_told() {
    let (project, mut client) = with(PYTHON);
    let source = "def land() -> str:\n    return \"dk\"";
    said(&mut client, "replace_declaration", json!({"id": "order.py::land", "source": source}));
    project.write("order.py", PYTHON[1].1.replace("RATE = 3", "RATE = 4"));
    let now = said(&mut client, "get_source", json!({"path": "order.py"}));
    let both = PYTHON[1].1.replace("RATE = 3", "RATE = 4").replace("\"se\"", "\"dk\"");
    assert_eq!(now["source"], both);
    project.write("order.py", PYTHON[1].1.replace("\"se\"", "\"no\""));
    let told = refused(&mut client, "save", json!({}));
    assert!(told.contains("changed on the disk where its draft changes it, too"), "{told}");
    assert!(told.contains("\"no\"") && told.contains("\"dk\""), "{told}");
    assert_eq!(project.text("order.py"), PYTHON[1].1.replace("\"se\"", "\"no\""));
    std::fs::remove_file(project.root().join("order.py")).unwrap();
    let told = refused(&mut client, "save", json!({}));
    assert!(told.contains("on the disk: it is gone") && told.contains("\"dk\""), "{told}");
}

#[test]
fn drafts_outlive_a_crash() {
    let (project, mut client) = with(PYTHON);
    let source = "def land() -> str:\n    return \"dk\"";
    said(&mut client, "replace_declaration", json!({"id": "order.py::land", "source": source}));
    client.kill();
    let mut client = begun(&project, "explore,write,plan");
    let now = said(&mut client, "get_source", json!({"id": "order.py::land"}));
    assert_eq!(now["source"], source);
    said(&mut client, "save", json!({}));
    assert!(project.text("order.py").ends_with("def land() -> str:\n    return \"dk\"\n"));
}

/// One file in each language, with what is hard about it.
const FILES: &[(Language, &str)] = &[
    (Language::Python, PYTHON[1].1),
    (
        Language::Python,
        "# coding: utf-8\nimport os\nA = 1; B = 2\nC = {\n    'x': 1,\n}\n\n@cache\n@other(1)\ndef f(x):\n    text = \"\"\"one\n  two\nthree\"\"\"\n    \
         def inner():\n        return text\n    return inner\n\n\nclass P:\n\n    a: int = 1\n    b: int\n\n    @property\n    def v(self):\n        \
         return 1\n\n    @v.setter\n    def v(self, x):\n        pass\n\n    class In:\n        pass\nif __name__ == '__main__':\n    f(1)",
    ),
    (
        Language::Python,
        "class A:\r\n\tx = 1\r\n\r\n\tdef f(self):\r\n\t\treturn 1\r\n\r\n\tdef g(self):\r\n\t\treturn 2\r\n",
    ),
    (
        Language::TypeScript,
        "import { x } from \"y\";\n\n/** Doc. */\nexport class A {\n  #k = 1;\n  readonly n: string;\n\n  constructor(private a: number) {}\n\n  \
         /** Says. */\n  @log()\n  say(): string {\n    return `one\n  two ${this.n}`;\n  }\n\n  over(a: string): void;\n  over(a: number): void;\n  \
         over(a: unknown): void {}\n}\n\nexport const f = (a: number): number => {\n  return a;\n};\nconst a = 1;\nconst b = 2;\n\nexport interface I {\n  \
         a: string;\n  b(): void;\n}\n\nexport enum E {\n  One,\n  Two = 2,\n}\n\ntype T = string | number;\n",
    ),
    (
        Language::Tsx,
        "export function App({ name }: P) {\n  const inner = () => {\n    return <b>{name}</b>;\n  };\n\n  function other() {\n    return 1;\n  }\n\n  \
         return (\n    <div onClick={() => other()}>\n      {inner()}\n    </div>\n  );\n}\n\nexport const Two = () => <App name=\"x\" />;\n",
    ),
    (
        Language::JavaScript,
        "function a() {\n\treturn 1;\n}\nfunction b() {\n\treturn 2;\n}\nclass C {\n\tm() {}\n\tn() {}\n}\nmodule.exports = { a, b };",
    ),
    (
        Language::Solidity,
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n\n/// @title V\ncontract V {\n    uint256 public a;\n    uint256 internal b;\n\n    \
         event Out(address to);\n\n    error No();\n\n    enum K { One, Two }\n\n    struct S {\n        uint256 x;\n    }\n\n    constructor() {\n        \
         a = 1;\n    }\n\n    modifier m() {\n        _;\n    }\n\n    /// Takes.\n    function take(uint256 x) external m returns (uint256) {\n        \
         return x;\n    }\n\n    function take(address x) external returns (address) {\n        return x;\n    }\n}\n",
    ),
    (
        Language::Rust,
        "//! Doc.\n\nuse std::fmt;\n\n/// A.\n#[derive(Debug)]\npub struct A {\n    /// One.\n    pub x: u32,\n    y: u32,\n}\n\nimpl A {\n    /// New.\n    \
         pub fn new() -> Self {\n        Self { x: 1, y: 2 }\n    }\n\n    fn y(&self) -> u32 {\n        self.y\n    }\n}\n\npub enum E {\n    One,\n    \
         Two(u32),\n}\n\nconst C: u32 = 1;\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn it() {}\n}\n",
    ),
    (
        Language::Rust,
        "/*!\nWhat it is for.\n*/\npub mod a;\n\nmod b {\n    //! The inner one.\n    /// Says.\n    fn g() {}\n}\n",
    ),
    (
        Language::Go,
        "package a\n\nimport \"fmt\"\n\ntype A struct {\n\tX int\n\ty int\n}\n\n// Say says.\nfunc (a *A) Say() {\n\tfmt.Println(a.X)\n}\n\nfunc F() int {\n\treturn 1\n}\n\nconst C = 1\n",
    ),
    (
        Language::Java,
        "package a;\n\n/** Doc. */\npublic class A {\n    private int x = 1;\n\n    @Override\n    public String toString() {\n        return \"a\";\n    }\n\n    \
         void two() {}\n\n    enum E { ONE, TWO }\n}\n",
    ),
    (Language::Java, "package a;\n\nenum E {\n    /** First. */\n    ONE,\n    /** Second. */\n    TWO;\n}\n"),
];

fn read(language: Language, text: &str) -> (Parsed, Module) {
    let text = Text::new(text);
    let tree = Tree::parse(language, text.as_str());
    let module = Module::read("file", language, (&tree, &text));
    (Parsed::new(std::sync::Arc::new(text), tree), module)
}

/// Every declaration replaced by its own source; then something put in beside it, and taken out again.
fn check(language: Language, text: &str, name: &str) -> (usize, usize) {
    let (parsed, module) = read(language, text);
    let placing = Placing::new(&parsed, &module);
    let (mut replaced, mut paired) = (0, 0);
    for (number, row) in module.rows.iter().enumerate() {
        let span = lspwright::declarations::written_span(&parsed, row);
        let source = &text[span.start..span.end];
        match placing.replaced(&[number], source) {
            Ok(changed) => {
                assert_eq!(changed.text, text, "{name}: `{}` replaced by its own source", row.names.join("."));
            }
            Err(error) => panic!("{name}: `{}` replaced by its own source: {error}\n{source}", row.names.join(".")),
        }
        replaced += 1;
        let Some(own) = another(language, row.parent.is_some() && !is_outer(language, &module, row.parent)) else {
            continue;
        };
        for place in [InsertionPlace::After(number), InsertionPlace::Before(number)] {
            let Ok(added) = placing.added(place, own) else { continue };
            let (again, now) = read(language, &added.text);
            let Some(at) = now.rows.iter().position(|row| Some(row.name_span.start) == added.name_start) else {
                panic!("{name}: nothing at the place that was told\n{}", added.text)
            };
            match Placing::new(&again, &now).deleted(at) {
                Ok(back) => {
                    assert_eq!(back.text, text, "{name}: {place:?} `{}`, added:\n{}", row.names.join("."), added.text);
                }
                Err(error) => panic!("{name}: {place:?} `{}`: {error}\n{}", row.names.join("."), added.text),
            }
            paired += 1;
        }
    }
    (replaced, paired)
}

/// Something that can stand among functions, or among the members of a class.
fn another(language: Language, is_member: bool) -> Option<&'static str> {
    use Language::{Go, Java, JavaScript, Python, Rust, Solidity, Tsx, TypeScript};
    Some(match (language, is_member) {
        (Python, false) => "def zz(a):\n    b = a\n    return b\n",
        (Python, true) => "def zz(self):\n    return 1\n",
        (TypeScript | Tsx | JavaScript, false) => "function zz(a) {\n  return a;\n}",
        (TypeScript | Tsx | JavaScript, true) => "zz(a) {\n  return a;\n}",
        (Solidity, true) => "function zz() external {\n    zz();\n}",
        (Rust, _) => "/// Doc.\nfn zz() -> u32 {\n    1\n}",
        (Go, false) => "func zz() int {\n\treturn 1\n}",
        (Java, true) => "void zz() {\n    return;\n}",
        _ => return None,
    })
}

fn is_outer(language: Language, module: &Module, parent: Option<usize>) -> bool {
    let kind = parent.map(|parent| module.rows[parent].kind);
    !kind.is_some_and(|kind| kind.has_members()) && language != Language::Solidity
}

#[test]
fn a_source_put_back_and_a_neighbour_taken_out_leave_no_trace() {
    let (mut replaced, mut paired) = (0, 0);
    for (number, (language, text)) in FILES.iter().enumerate() {
        let name = format!("file {number} ({})", language.id());
        let (own, pairs) = check(*language, text, &name);
        (replaced, paired) = (replaced + own, paired + pairs);
        let dos = text.replace("\r\n", "\n").replace('\n', "\r\n");
        check(*language, &dos, &format!("{name}, CRLF"));
        check(*language, text.trim_end(), &format!("{name}, no final newline"));
    }
    assert!(replaced > 80 && paired > 80, "{replaced} and {paired}");
}

/// The same over the sources below a directory: `SOURCES=DIR cargo test --test all -- --ignored real_sources`.
#[test]
#[ignore = "needs a directory with sources"]
fn real_sources_are_left_as_they_are() {
    let dir = std::env::var("SOURCES").unwrap();
    let (mut files, mut replaced, mut paired) = (0, 0, 0);
    for entry in ignore::WalkBuilder::new(dir).standard_filters(false).build().map(Result::unwrap) {
        let path: &Path = entry.path();
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let Some(language) = Language::of_extension(extension).filter(|it| *it != Language::Json) else { continue };
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if text.len() > 60_000 || Tree::parse(language, &text).error_count() > 0 {
            continue;
        }
        let (own, pairs) = check(language, &text, &path.display().to_string());
        (files, replaced, paired) = (files + 1, replaced + own, paired + pairs);
    }
    let told = format!("{files} files, {replaced} replaced, {paired} added and deleted\n");
    std::io::Write::write_all(&mut std::io::stderr(), told.as_bytes()).unwrap();
}

#[test]
fn what_an_added_text_lacks_is_imported_where_one_thing_can_be_meant() {
    let files = [
        PYTHON[0],
        PYTHON[1],
        (
            "disk.py",
            "from pathlib import Path\n\nfrom order import land\n\n\ndef size(path: Path) -> int:\n    return len(land())\n",
        ),
        ("shelf.py", "class Shelf:\n    pass\n\n\nclass _Hidden:\n    pass\n"),
        ("attic.py", "class Shelf:\n    pass\n"),
        ("test_kit.py", "class Kit:\n    pass\n"),
        ("till.py", "\"\"\"A till.\"\"\"\n\nfrom order import RATE\n\n\ndef pay() -> int:\n    return RATE\n"),
    ];
    let (project, mut client) = with(&files);
    let source = "def paid(path: Path) -> Order:\n    return Order(len(land()) + len(path.name))";
    let drafted = said(&mut client, "add_declaration", json!({"path": "till.py", "source": source}));
    assert_eq!((&drafted["diagnostics"], &drafted["target"]), (&json!([]), &json!("till.py::paid")), "{drafted}");
    let lines = json!(["imported: from order import Order, land", "imported: from pathlib import Path"]);
    assert_eq!(drafted["remarks"], lines);
    // A name that has several meanings, none that is for others, or one in tests alone is left as it is.
    let source = "def shelf() -> None:\n    print(Shelf(), _Hidden(), Kit(), Nobody())";
    let drafted = said(&mut client, "add_declaration", json!({"path": "till.py", "source": source}));
    let told = json!(["`Shelf` is not imported: it can come from `attic.py` or `shelf.py`"]);
    assert_eq!((&drafted["remarks"], drafted["diagnostics"].as_array().unwrap().len()), (&told, 4), "{drafted}");
    said(&mut client, "delete_declaration", json!({"id": drafted["id"]}));
    let circle = json!({"id": "order.py::land", "old": "return \"se\"", "new": "return \"se\" * pay()"});
    let drafted = said(&mut client, "edit_source", circle);
    let told = json!(["`pay` is not imported: `till.py`, which has it, imports this file"]);
    assert_eq!(drafted["remarks"], told, "{drafted}");
    said(&mut client, "discard", json!({"path": "order.py"}));
    said(&mut client, "save", json!({}));
    let written = "\"\"\"A till.\"\"\"\n\nfrom pathlib import Path\n\nfrom order import Order, RATE, land\n\n\ndef pay() -> int:\n    return RATE\n\n\n\
        def paid(path: Path) -> Order:\n    return Order(len(land()) + len(path.name))\n";
    assert_eq!(project.text("till.py"), written);
}

#[test]
fn scripts_get_imports_as_their_neighbours_write_them() {
    let files = [
        (
            "tsconfig.json",
            r#"{"compilerOptions": {"strict": true, "allowJs": true, "module": "esnext", "moduleResolution": "bundler"}}"#,
        ),
        ("box.ts", "export interface Size {\n  width: number;\n}\n\nexport class Box {}\n\nconst own = 1;\n"),
        ("index.ts", "export { Box as Crate } from './box';\n"),
        ("use.ts", "import { Crate } from './index';\n\nexport const crate = new Crate();\n"),
        ("till.ts", "import { crate } from './use'\n\nexport const first = crate\n"),
        ("tool.mjs", "export function cut(text) {\n  return text;\n}\n"),
        ("saw.mjs", "export const saw = 1;\n"),
    ];
    let (project, mut client) = with(&files);
    let source = "export function made(size: Size): Crate {\n  console.log(size, own)\n  return new Crate()\n}";
    let drafted = said(&mut client, "add_declaration", json!({"path": "till.ts", "source": source}));
    assert_eq!(drafted["target"], "till.ts#made", "{drafted}");
    assert_eq!(drafted["diagnostics"].as_array().unwrap().len(), 1, "`own` is for its own file: {drafted}");
    let made = json!({"id": drafted["id"], "old": "size, own", "new": "size"});
    assert_eq!(said(&mut client, "edit_source", made)["diagnostics"], json!([]));
    let source = "export function sawn(text) {\n  console.log(cut(text));\n}";
    let drafted = said(&mut client, "add_declaration", json!({"path": "saw.mjs", "source": source}));
    assert_eq!(drafted["remarks"], json!(["imported: import { cut } from \"./tool.mjs\";"]), "{drafted}");
    said(&mut client, "save", json!({}));
    let head = "import { crate } from './use'\nimport type { Size } from './box'\nimport { Crate } from './index'\n";
    assert!(project.text("till.ts").starts_with(head), "{}", project.text("till.ts"));
    assert!(project.text("saw.mjs").starts_with("import { cut } from \"./tool.mjs\";\n\nexport const saw"));
}

#[test]
fn a_field_that_is_injected_is_taken_and_kept_by_the_constructor() {
    let python = "from dataclasses import dataclass\n\n\nclass Order:\n    def __init__(self, size: int, *tags: str, **more: int) -> None:\n        \
         self.size = size\n        print(tags)\n\n\nclass Till:\n    def __init__(\n        self,\n        size: int = 1,\n    ) -> None:\n        \
         pass\n\n\nclass Bare:\n    def land(self) -> str:\n        return \"se\"\n\n\n@dataclass(frozen=True)\nclass Row:\n    left: int\n    \
         right: int = 1\n\n\nclass Heir(Order):\n    pass\n";
    let script = "export class Box {\n  size: number;\n  constructor(size: number, ...rest: string[]) {\n    this.size = size;\n  }\n}\n\n\
        export class Bag {\n  constructor(private readonly size: number) {}\n}\n\nexport class Bare {\n  land = 1;\n\n  go() {\n    return 1;\n  }\n}\n";
    let files = [
        PYTHON[0],
        ("order.py", python),
        ("tsconfig.json", "{}"),
        ("box.ts", script),
        ("bag.js", "class Bag {\n  constructor() {\n  }\n}\n"),
    ];
    let (project, mut client) = with(&files);
    let mut add = |target: &str, name: &str, of: &str| {
        let drafted =
            said(&mut client, "add_field", json!({"target_id": target, "name": name, "type": of, "injected": true}));
        assert_eq!(drafted["diagnostics"], json!([]), "{drafted}");
        drafted["target"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(add("order.py::Order", "land", "str"), "order.py::Order::land");
    add("order.py::Till", "land", "str");
    add("order.py::Bare", "size", "int");
    assert_eq!(add("order.py::Row", "middle", "int"), "order.py::Row::middle");
    add("box.ts#Box", "land", "string");
    add("box.ts#Bag", "land", "string");
    add("box.ts#Bare", "size", "number");
    add("bag.js#Bag", "land", "string");
    let heir = json!({"target_id": "order.py::Heir", "name": "x", "type": "int", "injected": true});
    assert!(
        refused(&mut client, "add_field", heir).starts_with("`Heir` has the constructor of what it is derived from")
    );
    said(&mut client, "save", json!({}));
    let written = python
        .replace("*tags: str, **more", "*tags: str, land: str, **more")
        .replace("= size\n", "= size\n        self.land = land\n")
        .replace("size: int = 1,\n", "size: int = 1,\n        *, land: str,\n")
        .replace("None:\n        pass", "None:\n        self.land = land")
        .replace(
            "class Bare:\n",
            "class Bare:\n    def __init__(self, size: int) -> None:\n        self.size = size\n\n",
        )
        .replace("left: int\n", "left: int\n    middle: int\n");
    assert_eq!(project.text("order.py"), written);
    let written = script
        .replace("size: number;\n", "size: number;\n  land: string;\n")
        .replace("(size: number, ...rest", "(size: number, land: string, ...rest")
        .replace("= size;\n", "= size;\n    this.land = land;\n")
        .replace("(private readonly size: number)", "(private readonly size: number, private readonly land: string)")
        .replace(
            "land = 1;\n\n",
            "land = 1;\n  size: number;\n\n  constructor(size: number) {\n    this.size = size;\n  }\n\n",
        );
    assert_eq!(project.text("box.ts"), written);
    assert_eq!(
        project.text("bag.js"),
        "class Bag {\n  land;\n\n  constructor(land) {\n    this.land = land;\n  }\n}\n"
    );
}

#[test]
fn a_contract_takes_its_injected_field_when_it_is_deployed() {
    let vault = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\ncontract Vault {\n    uint256 total;\n\n    constructor(uint256 total_) {\n        \
         total = total_;\n    }\n}\n\ncontract Bare {\n    uint256 total;\n\n    function go() external {\n        total = 1;\n    }\n}\n";
    let (project, mut client) = with(&[("foundry.toml", ""), ("Vault.sol", vault)]);
    for contract in ["Vault", "Bare"] {
        let field =
            json!({"target_id": format!("Vault.sol::{contract}"), "name": "label", "type": "string", "injected": true});
        assert_eq!(said(&mut client, "add_field", field)["diagnostics"], json!([]));
    }
    said(&mut client, "save", json!({}));
    let written = vault
        .replace("uint256 total;\n", "uint256 total;\n    string label;\n")
        .replace("(uint256 total_)", "(uint256 total_, string memory label_)")
        .replace("= total_;\n", "= total_;\n        label = label_;\n")
        .replace(
            "    function go",
            "    constructor(string memory label_) {\n        label = label_;\n    }\n\n    function go",
        );
    assert_eq!(project.text("Vault.sol"), written);
}

#[test]
fn what_moves_stands_where_it_is_wanted() {
    let (project, mut client) = with(PYTHON);
    let moved = json!({"id": "order.py::land", "to": "till.py", "position": "before:till.py::pay"});
    let moved = said(&mut client, "move_declaration", moved);
    assert_eq!((&moved["target"], &moved["diagnostics"]), (&json!("till.py::land"), &json!([])), "{moved}");
    let elsewhere = json!({"id": "order.py::RATE", "to": "till.py", "position": "before:order.py::Order"});
    assert!(refused(&mut client, "move_declaration", elsewhere).contains("stands in `order.py`, not in `till.py`"));
    said(&mut client, "save", json!({}));
    let head = "from order import Order\n\n\ndef land() -> str:\n    return \"se\"\n\n\ndef pay(order: Order)";
    assert!(project.text("till.py").starts_with(head), "{}", project.text("till.py"));
}

#[test]
fn a_field_comes_into_the_slots_of_its_class_and_a_key_into_a_dictionary() {
    let python = "from typing import TypedDict\n\nNAMES = (\"a\",)\n\n\nclass Order:\n    __slots__ = (\"size\",)\n\n    def __init__(self, size: int) -> None:\n        \
         self.size = size\n\n\nclass Till:\n    __slots__ = [\n        'a',\n        'b',\n    ]\n\n\nclass Bare:\n    __slots__ = ()\n\n\nclass One:\n    \
         __slots__ = \"a\"\n\n\nclass Made:\n    __slots__ = NAMES\n\n\nclass Row(TypedDict):\n    left: int\n\n\nclass Long(Row, total=False):\n    \
         right: int\n";
    let (project, mut client) = with(&[PYTHON[0], ("order.py", python)]);
    let field = |target: &str, injected: bool| json!({"target_id": format!("order.py::{target}"), "name": if target == "Long" { "more" } else { "land" }, "type": "str", "injected": injected});
    for (target, injected) in
        [("Order", true), ("Till", false), ("Bare", true), ("One", false), ("Row", true), ("Long", true)]
    {
        let drafted = said(&mut client, "add_field", field(target, injected));
        assert_eq!(drafted["diagnostics"], json!([]), "{drafted}");
    }
    let made = refused(&mut client, "add_field", field("Made", true));
    assert!(made.starts_with("the `__slots__` of `Made` are put together from other values"), "{made}");
    said(&mut client, "save", json!({}));
    let written = python
        .replace("(\"size\",)", "(\"size\", \"land\")")
        .replace("self, size: int)", "self, size: int, land: str)")
        .replace("= size\n", "= size\n        self.land = land\n")
        .replace("        'b',\n    ]\n", "        'b',\n        'land',\n    ]\n\n    land: str\n")
        .replace(
            "__slots__ = ()\n",
            "__slots__ = (\"land\",)\n\n    def __init__(self, land: str) -> None:\n        self.land = land\n",
        )
        .replace("__slots__ = \"a\"\n", "__slots__ = (\"a\", \"land\")\n    land: str\n")
        .replace("left: int\n", "left: int\n    land: str\n")
        .replace("right: int\n", "right: int\n    more: str\n");
    assert_eq!(project.text("order.py"), written);
}

#[test]
fn contracts_get_imports_as_their_project_writes_them() {
    let head = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\n";
    let files = [
        ("foundry.toml", String::new()),
        (
            "src/Math.sol",
            format!(
                "{head}library Math {{\n    function half(uint256 a) internal pure returns (uint256) {{\n        return a / 2;\n    }}\n}}\n\nerror Odd(uint256 a);\n"
            ),
        ),
        ("src/IBox.sol", format!("{head}interface IBox {{}}\n")),
        ("src/old/Shelf.sol", format!("{head}contract Shelf {{}}\n")),
        ("src/Shelf.sol", format!("{head}contract Shelf {{}}\n")),
        ("test/Kit.t.sol", format!("{head}contract Kit {{}}\n")),
        (
            "src/Use.sol",
            format!(
                "{head}import {{Math as M}} from \"./Math.sol\";\n\ncontract Use {{\n    uint256 a = M.half(2);\n}}\n"
            ),
        ),
        (
            "src/Till.sol",
            format!("{head}import {{IBox}} from \"./IBox.sol\";\n\ncontract Till {{\n    IBox box;\n}}\n"),
        ),
        ("src/Plain.sol", format!("{head}import \"./IBox.sol\";\n\ncontract Plain {{\n    IBox box;\n}}\n")),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let (project, mut client) = with(&files);
    let source = "function half(uint256 a) external pure returns (uint256) {\n    if (a % 2 == 1) revert Odd(a);\n    return Math.half(a);\n}";
    let till = said(&mut client, "add_method", json!({"class_id": "src/Till.sol:Till", "source": source}));
    let told = "imported: import {Math, Odd} from \"./Math.sol\";";
    assert_eq!((&till["diagnostics"], &till["remarks"][0]), (&json!([]), &json!(told)), "{till}");
    let plain = said(&mut client, "add_method", json!({"class_id": "src/Plain.sol:Plain", "source": source}));
    let told = "imported: import \"./Math.sol\";";
    assert_eq!((&plain["diagnostics"], &plain["remarks"][0]), (&json!([]), &json!(told)), "{plain}");
    // One more name from where one comes already, and one that another file calls otherwise.
    let source = "function other() external pure {\n    revert Odd(M.half(1));\n}";
    let used = said(&mut client, "add_method", json!({"class_id": "src/Use.sol:Use", "source": source}));
    assert_eq!(used["diagnostics"], json!([]), "{used}");
    let two = json!({"path": "src/Till.sol", "source": "contract Two {\n    Shelf shelf;\n    Kit kit;\n}"});
    let two = said(&mut client, "add_declaration", two);
    assert_eq!(
        two["remarks"],
        json!(["`Shelf` is not imported: it can come from `src/Shelf.sol` or `src/old/Shelf.sol`"]),
        "{two}"
    );
    said(&mut client, "discard", json!({"path": "src/Till.sol"}));
    said(&mut client, "save", json!({}));
    assert!(
        project.text("src/Use.sol").contains("import {Math as M, Odd} from \"./Math.sol\";\n"),
        "{}",
        project.text("src/Use.sol")
    );
    assert!(project.text("src/Plain.sol").contains("import \"./IBox.sol\";\nimport \"./Math.sol\";\n\ncontract"));
}

#[test]
fn fields_are_written_as_their_file_writes_them_and_have_defaults() {
    let python = "from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    x: int\n    y: int = 0\n\n\nclass Till:\n    def __init__(self, size: int, *, open: bool = False) -> None:\n        self.size = size\n";
    let open = "export type Options = {\n  name: string\n}\n\nexport class Box {\n  private label = 'box'\n}\n";
    let commas = "export type Options = {\n  name: string,\n  size?: number,\n}\n\nexport interface Shape {\n  area: number;\n}\n";
    let files = [PYTHON[0], ("points.py", python), ("tsconfig.json", "{}"), ("open.ts", open), ("commas.ts", commas)];
    let (project, mut client) = with(&files);
    let asked = [
        json!({"target_id": "points.py::Point", "name": "z", "type": "int", "default": "1", "injected": true}),
        json!({"target_id": "points.py::Till", "name": "kind", "type": "str", "default": "\"a\"", "injected": true}),
        json!({"target_id": "points.py::Till", "name": "rate", "type": "float", "default": "1.0"}),
        json!({"target_id": "open.ts#Options", "name": "size?", "type": "number"}),
        json!({"target_id": "open.ts#Box", "name": "size", "type": "number", "default": "2"}),
        json!({"target_id": "commas.ts#Options", "name": "land?", "type": "string"}),
        json!({"target_id": "commas.ts#Shape", "name": "sides", "type": "number"}),
    ];
    for field in asked {
        let drafted = said(&mut client, "add_field", field);
        assert_eq!(drafted["diagnostics"], json!([]), "{drafted}");
    }
    let none = json!({"target_id": "commas.ts#Shape", "name": "more", "type": "number", "default": "2"});
    let none = refused(&mut client, "add_field", none);
    assert!(none.starts_with("a field of `Shape` has no default"), "{none}");
    said(&mut client, "save", json!({}));
    let python = python
        .replace("y: int = 0\n", "y: int = 0\n    z: int = 1\n")
        .replace("open: bool = False)", "open: bool = False, kind: str = \"a\")")
        .replace("= size\n", "= size\n        self.kind = kind\n")
        .replace("class Till:\n", "class Till:\n    rate: float = 1.0\n\n");
    assert_eq!(project.text("points.py"), python);
    let open =
        open.replace("string\n}", "string\n  size?: number\n}").replace("'box'\n", "'box'\n  size: number = 2\n");
    assert_eq!(project.text("open.ts"), open);
    let commas = commas
        .replace("number,\n}", "number,\n  land?: string,\n}")
        .replace("area: number;\n", "area: number;\n  sides: number;\n");
    assert_eq!(project.text("commas.ts"), commas);
}

#[test]
fn overloads_and_accessors_are_one_to_a_target_and_not_parted() {
    let python = "from typing import overload\n\n\nclass Box:\n    @property\n    def size(self) -> int:\n        return 1\n\n    @size.setter\n    def size(self, value: int) -> None:\n        pass\n\n    def last(self) -> None: ...\n\n\n@overload\ndef get(a: int) -> int: ...\n@overload\ndef get(a: str) -> str: ...\ndef get(a: int | str) -> int | str:\n    return a\n";
    let script = "export function get(a: string): string;\nexport function get(a: number): number;\nexport function get(a: any): any {\n  return a;\n}\n";
    let (project, mut client) = with(&[PYTHON[0], ("box.py", python), ("tsconfig.json", "{}"), ("get.ts", script)]);
    let added = json!({"path": "get.ts", "source": "export const more = 1;", "position": "after:get.ts#get"});
    said(&mut client, "add_declaration", added);
    let another = "export function get(a: boolean): boolean;";
    let another = json!({"path": "get.ts", "source": another, "position": "before:get.ts#get"});
    assert_eq!(said(&mut client, "add_declaration", another)["diagnostics"], json!([]));
    let method = json!({"class_id": "box.py::Box", "source": "def mid(self) -> None: ...", "position": "after:box.py::Box::size"});
    assert_eq!(said(&mut client, "add_method", method)["diagnostics"], json!([]));
    let read = said(&mut client, "get_source", json!({"id": "box.py::get"}));
    assert_eq!(read["source"], python[python.find("@overload").unwrap()..].trim_end(), "{read}");
    let edit = json!({"id": "box.py::get", "old": "    return a", "new": "    return a or a"});
    assert_eq!(said(&mut client, "edit_source", edit)["diagnostics"], json!([]));
    let deleted = said(&mut client, "delete_declaration", json!({"id": "box.py::Box::size", "safe": true}));
    assert_eq!((&deleted["dangling_references"], &deleted["diagnostics"]), (&json!([]), &json!([])), "{deleted}");
    said(&mut client, "save", json!({}));
    let script = script.replace(
        "export function get(a: string)",
        "export function get(a: boolean): boolean;\nexport function get(a: string)",
    );
    assert_eq!(project.text("get.ts"), format!("{script}\nexport const more = 1;\n"));
    let left = "class Box:\n    def mid(self) -> None: ...\n\n    def last(self) -> None: ...\n\n\n@overload";
    let text = project.text("box.py");
    assert!(text.contains(left) && text.ends_with("    return a or a\n"), "{text}");
    let whole = json!({"id": "get.ts#get", "source": "export function get<T>(a: T): T {\n  return a;\n}"});
    assert_eq!(said(&mut client, "replace_declaration", whole)["diagnostics"], json!([]));
    said(&mut client, "save", json!({}));
    assert_eq!(project.text("get.ts"), "export function get<T>(a: T): T {\n  return a;\n}\n\nexport const more = 1;\n");
}
