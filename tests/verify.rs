//! Checks of plans by the real servers: a whole plan is clean, and one that lacks any one edit is not.

use std::sync::Arc;

use lspwright::lsp::Place;
use lspwright::plan::{Level, Parts, Plan, Status};
use lspwright::refactor::moves::{Documents, plan_move};
use lspwright::refactor::rename::{self, RenameRequest};
use lspwright::session::Session;
use lspwright::text::AbsPath;
use lspwright::verify::{Check, PlanOrigin, verify};

use crate::support;

const PYTHON: &[(&str, &str)] = &[
    ("pyproject.toml", "[tool.pyright]\ninclude = [\"shop\"]\n"),
    ("shop/__init__.py", "from .shapes import Shape, total\n\n__all__ = [\"Shape\", \"total\"]\n"),
    (
        "shop/shapes.py",
        "class Shape:\n    def area(self) -> float:\n        return 0\n\n\nclass Square(Shape):\n    \
         def area(self) -> float:\n        return 4\n\n\ndef total(shapes: list[Shape]) -> float:\n    \
         return sum(shape.area() for shape in shapes)\n",
    ),
    ("use.py", "from shop import total\nfrom shop.shapes import Square\n\nprint(total([Square()]), Square().area())\n"),
];

const SCRIPT: &[(&str, &str)] = &[
    (
        "tsconfig.json",
        r#"{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" }, "include": ["src"] }"#,
    ),
    (
        "src/shapes.ts",
        "export interface Shape { area(): number }\nexport class Square implements Shape { area() { return 4; } }\nexport function total(shapes: Shape[]) { return shapes.map((shape) => shape.area()); }\n",
    ),
    ("src/index.ts", "export { Square, total } from \"./shapes\";\n"),
    ("src/main.ts", "import { Square, total } from \"./index\";\nexport const sum = total([new Square()]);\n"),
];

const SOLIDITY: &[(&str, &str)] = &[
    (
        "contracts/IBox.sol",
        "pragma solidity ^0.8.20;\n\ninterface IBox {\n    function weight() external view returns (uint256);\n}\n",
    ),
    (
        "contracts/Box.sol",
        "pragma solidity ^0.8.20;\n\nimport {IBox} from \"./IBox.sol\";\n\ncontract Box is IBox {\n    \
         uint256 internal _held;\n\n    function weight() public view override returns (uint256) {\n        \
         return _held;\n    }\n\n    function fill(uint256 more) external {\n        _held += more;\n    }\n}\n",
    ),
    (
        "contracts/Stack.sol",
        "pragma solidity ^0.8.20;\n\nimport {Box} from \"./Box.sol\";\nimport {IBox} from \"./IBox.sol\";\n\n\
         contract Stack {\n    function sum(Box box, IBox other) external view returns (uint256) {\n        \
         return box.weight() + other.weight();\n    }\n}\n",
    ),
];

#[test]
fn a_solidity_rename_that_lacks_an_edit_is_regressed() {
    check_rename(SOLIDITY, "contracts/IBox.sol", "weight()", "mass");
    check_rename(SOLIDITY, "contracts/Box.sol", "_held", "_content");
}

#[test]
fn a_solidity_move_that_lacks_an_edit_is_regressed() {
    check_move(SOLIDITY, "contracts/IBox.sol", "contracts/interfaces/IBox.sol");
}

#[test]
fn the_compiler_says_whether_bytecode_and_interface_stay() {
    let project = support::project(SOLIDITY);
    support::block_on(async {
        let session = support::session(project.path());
        let path = session.root().join("contracts/Box.sol").unwrap();
        let text = session.disk().read(&path).unwrap();
        let cases = [
            ("_held", "_content", true, &["the storage of `Box` has `_content` where it had `_held`"][..]),
            (
                "fill(",
                "stuff",
                false,
                &[
                    "`Box` loses `function fill(uint256), selector 0x3fda5389`",
                    "`Box` gains `function stuff(uint256), selector 0x87fcff0c`",
                ],
            ),
        ];
        for (at, new_name, is_identical, changes) in cases {
            let place = Place { path: path.clone(), offset: text.as_str().find(at).unwrap() };
            let plan = rename::plan(&session, &RenameRequest::new(place, new_name)).await.unwrap();
            let found = verify(&session, &plan, &asked(Level::Project)).await;
            assert_eq!(found.status, Status::Clean, "{found:?}");
            let interface = found.interface.expect("compiled to bytecode");
            let said: Vec<&str> = interface.changes.iter().map(|change| change.message.as_str()).collect();
            assert_eq!((interface.is_identical, said.as_slice()), (Some(is_identical), changes));
            let cheaper = verify(&session, &plan, &asked(Level::Diagnostics)).await.interface.expect("compiled");
            assert_eq!((cheaper.is_identical, cheaper.changes), (None, interface.changes), "without bytecode");
        }
        session.close().await;
    });
}

/// A compiler of the user's that finds fault with the new name, whatever is asked.
#[cfg(unix)]
#[test]
fn the_users_own_compiler_is_asked_where_it_is_the_release_that_is_wanted() {
    let project = support::project(SOLIDITY);
    let programs = tempfile::tempdir().unwrap();
    let program = programs.path().join("solc");
    let script = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Version: 0.8.28+commit.7893614a.Linux.g++'; exit; fi\n\
                  if grep -q heldByTest; then echo '{\"errors\": [{\"severity\": \"error\", \"message\": \"native\"}]}'; \
                  else echo '{}'; fi\n";
    support::program(&program, script);
    let found = |config: &'static str| {
        std::fs::write(project.path().join("foundry.toml"), config).unwrap();
        let mut options = support::options();
        let mut environment = lspwright::lsp::Environment::of_process();
        let path = format!("{}:{}", programs.path().display(), environment.get("PATH").unwrap_or_default());
        environment.0.insert("PATH".to_owned(), path);
        options.environment = Arc::new(environment);
        support::block_on(async {
            let session = Session::open(&AbsPath::new(project.path()).unwrap(), options).unwrap();
            let path = session.root().join("contracts/Box.sol").unwrap();
            let offset = session.disk().read(&path).unwrap().as_str().find("_held").unwrap();
            let place = Place { path, offset };
            let plan = rename::plan(&session, &RenameRequest::new(place, "heldByTest")).await.unwrap();
            let found = verify(&session, &plan, &asked(Level::Diagnostics)).await;
            session.close().await;
            found.new_problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>()
        })
    };
    assert_eq!(found("[profile.default]\nsolc = \"0.8.28\"\n"), ["native"]);
    assert!(found("[profile.default]\n").is_empty(), "another release is not asked");
}

#[test]
fn a_python_rename_that_lacks_an_edit_is_regressed() {
    check_rename(PYTHON, "shop/shapes.py", "total(", "reckon");
    check_rename(PYTHON, "shop/shapes.py", "area(self", "measure");
}

#[test]
fn a_script_rename_that_lacks_an_edit_is_regressed() {
    check_rename(SCRIPT, "src/shapes.ts", "total(", "reckon");
    check_rename(SCRIPT, "src/shapes.ts", "area():", "measure");
}

#[test]
fn a_python_move_that_lacks_an_edit_is_regressed() {
    check_move(PYTHON, "shop/shapes.py", "shop/forms/shapes.py");
}

#[test]
fn a_script_move_that_lacks_an_edit_is_regressed() {
    check_move(SCRIPT, "src/shapes.ts", "src/forms/shapes.ts");
}

fn check_rename(files: &[(&str, &str)], path: &str, at: &str, new_name: &str) {
    let project = support::project(files);
    support::block_on(async {
        let session = support::session(project.path());
        let path = session.root().join(path).unwrap();
        let offset = session.disk().read(&path).unwrap().as_str().find(at).unwrap();
        let plan = rename::plan(&session, &RenameRequest::new(Place { path, offset }, new_name)).await.unwrap();
        check(&session, &plan, &[Level::Diagnostics, Level::Project]).await;
        session.close().await;
    });
}

fn check_move(files: &[(&str, &str)], from: &str, to: &str) {
    let project = support::project(files);
    support::block_on(async {
        let session = support::session(project.path());
        let (from, to) = (session.root().join(from).unwrap(), session.root().join(to).unwrap());
        let plan = plan_move(&session, (&from, &to), Documents::Told).await.unwrap();
        check(&session, &plan, &[Level::Diagnostics]).await;
        session.close().await;
    });
}

/// A file that is changed by hand, the others that notice, and whether they do.
struct ByHand {
    path: &'static str,
    old: &'static str,
    new: &'static str,
    /// Where something is found then.
    notices: Option<&'static str>,
}

const fn noticed(path: &'static str, (old, new): (&'static str, &'static str), by: &'static str) -> ByHand {
    ByHand { path, old, new, notices: Some(by) }
}

const fn unnoticed(path: &'static str, (old, new): (&'static str, &'static str)) -> ByHand {
    ByHand { path, old, new, notices: None }
}

const PYTHON_BY_HAND: &[(&str, &str)] = &[
    ("pyproject.toml", "[tool.pyright]\ninclude = [\".\"]\n"),
    (
        "base.py",
        "from abc import ABC, abstractmethod\nfrom dataclasses import dataclass\nfrom typing import Literal, Protocol\n\nfrom other import \
         Ware\n\nMode = Literal[\"a\", \"b\"]\nRATE = 3\n\n\n@dataclass\nclass Line:\n    size: int\n\n\nclass Sized(Protocol):\n    \
         def size(self) -> int: ...\n\n\nclass Base(ABC):\n    @abstractmethod\n    def run(self) -> None: ...\n\n\nclass Order:\n    \
         def __init__(self, size: int) -> None:\n        self.size = size\n        self.kind = 1\n\n    # What it costs.\n    def \
         total(self) -> int:\n        return self.size * RATE\n\n    @property\n    def weight(self) -> int:\n        return 1\n\n\nclass \
         Plain:\n    pass\n\n\ndef land():\n    name = \"se\"\n    return name\n\n\ndef say(mode: Mode) -> None:\n    print(mode)\n\n\n\
         def weigh(of: Sized) -> int:\n    return of.size()\n\n\nprint(RATE)\n",
    ),
    ("other.py", "class Ware:\n    def __init__(self, a: int) -> None: ...\n"),
    ("third.py", "class Ware:\n    def __init__(self, a: str) -> None: ...\n"),
    ("mid.py", "from base import Order\n\n\ndef made() -> Order:\n    return Order(1)\n"),
    (
        "use.py",
        "from base import Base, Line, Order, Plain, Ware, land, say, weigh\nfrom mid import made\n\n\nclass Own(Base):\n    def run(self) -> \
         None:\n        pass\n\n\nclass Rod:\n    def size(self) -> int:\n        return 1\n\n\nclass Later(Plain):\n    def go(self, \
         a: int) -> int:\n        return a\n\n\nOwn()\nLine(1)\nOrder(1)\nPlain()\nWare(1)\nland().upper()\nsay(\"b\")\nweigh(Rod())\n",
    ),
    ("far.py", "from mid import made\n\nprint(made().total() + 1, made().weight + 1, made().kind + 1)\n"),
];

#[test]
fn what_a_python_file_changes_by_hand_is_looked_at_where_it_is_noticed() {
    check_by_hand(
        PYTHON_BY_HAND,
        &[
            noticed("base.py", ("total(self)", "total(self, rate: str)"), "far.py"),
            noticed(
                "base.py",
                ("total(self) -> int:\n        return ", "total(self) -> str:\n        return str"),
                "far.py",
            ),
            noticed("base.py", ("    @property\n", ""), "far.py"),
            noticed("base.py", ("self.kind = 1", "self.kind = \"\""), "far.py"),
            noticed("base.py", ("name = \"se\"", "name = 1"), "use.py"),
            noticed("base.py", ("def say(mode: Mode)", "def say(mode: Mode, loud: bool)"), "use.py"),
            noticed("base.py", ("[\"a\", \"b\"]", "[\"a\", \"c\"]"), "use.py"),
            noticed("base.py", ("    size: int\n", "    size: int\n    more: int\n"), "use.py"),
            noticed("base.py", ("-> int: ...\n", "-> int: ...\n\n    def more(self) -> int: ...\n"), "use.py"),
            noticed(
                "base.py",
                ("-> None: ...\n", "-> None: ...\n\n    @abstractmethod\n    def more(self) -> int: ...\n"),
                "use.py",
            ),
            noticed("base.py", ("    pass\n", "    def __init__(self, a: int) -> None: ...\n"), "use.py"),
            noticed("base.py", ("    pass\n", "    def go(self) -> int:\n        return 1\n"), "use.py"),
            noticed("base.py", ("from other", "from third"), "use.py"),
            unnoticed("base.py", ("return self.size * RATE", "both = self.size * RATE\n        return both")),
            unnoticed("base.py", ("# What it costs.", "# Its price.")),
            unnoticed("base.py", ("print(RATE)", "print(RATE, RATE)")),
        ],
    );
}

#[test]
fn results_that_nobody_declares_are_no_contract() {
    let files = [
        ("pyproject.toml", "[project]\nname = \"form\"\nversion = \"1\"\n"),
        ("field.py", "class Field:\n    pass\n"),
        (
            "form.py",
            "from field import Field\n\n\nclass Name(Field):\n    def shown(self):\n        return 1\n\n    \
             def told(self) -> int:\n        return 1\n\n    def taken(self, by):\n        return by\n",
        ),
    ];
    let project = support::project(&files);
    support::block_on(async {
        let session = support::session(project.path());
        let path = session.root().join("field.py").unwrap();
        let before = session.disk().read(&path).unwrap();
        let methods =
            [("shown(self)", Status::Clean), ("told(self)", Status::Regressed), ("taken(self)", Status::Regressed)];
        for (method, status) in methods {
            let written = format!("def {method}:\n        return \"a\"");
            let at = before.as_str().find("pass").unwrap();
            let edit = lspwright::text::TextEdit::new(at..at + "pass".len(), written);
            let edits = [(path.clone(), (Arc::clone(&before), vec![edit]))].into();
            let plan = Plan::new(Parts { edits, ..Parts::default() }).unwrap();
            let found = verify(&session, &plan, &asked(Level::Diagnostics)).await;
            assert_eq!(found.status, status, "{method}: {found:?}");
        }
        session.close().await;
    });
}

const SCRIPT_BY_HAND: &[(&str, &str)] = &[
    (
        "tsconfig.json",
        r#"{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" }, "include": ["src"] }"#,
    ),
    (
        "src/base.ts",
        "import { Ware } from \"./other\";\n\nexport { Ware };\nexport type Mode = \"a\" | \"b\";\nexport const box = { size: 1 };\n\nexport \
         abstract class Base {\n  abstract run(): void;\n}\n\nexport class Order {\n  size = 1;\n\n  // What it costs.\n  total(): number \
         {\n    return this.size * 3;\n  }\n}\n\nexport class Point {\n  x = 1;\n}\n\nexport enum Kind {\n  One,\n  Two,\n}\n\nexport \
         const land = () => {\n  return \"se\";\n};\n\nexport function say(mode: Mode): void {\n  console.log(mode);\n}\n\nconsole.log(box);\n",
    ),
    ("src/other.ts", "export class Ware {\n  constructor(public a: number) {}\n}\n"),
    ("src/third.ts", "export class Ware {\n  constructor(public a: string) {}\n}\n"),
    ("src/mid.ts", "import { Order } from \"./base\";\n\nexport function made(): Order {\n  return new Order();\n}\n"),
    (
        "src/use.ts",
        "import { Base, Kind, type Point, Ware, box, land, say } from \"./base\";\n\nclass Own extends Base {\n  run(): void {}\n}\n\nexport \
         const point: Point = { x: 1 };\nexport const all = [new Own(), new Ware(1), box.size + 1, land().trim(), Kind.Two];\nsay(\"b\");\n",
    ),
    ("src/far.ts", "import { made } from \"./mid\";\n\nexport const sum: number = made().total() + made().size;\n"),
];

#[test]
fn what_a_script_changes_by_hand_is_looked_at_where_it_is_noticed() {
    check_by_hand(
        SCRIPT_BY_HAND,
        &[
            noticed("src/base.ts", ("total()", "total(rate: string)"), "src/far.ts"),
            noticed("src/base.ts", ("size = 1;", "size = \"\";"), "src/far.ts"),
            noticed("src/base.ts", ("size: 1", "size: new Date()"), "src/use.ts"),
            noticed("src/base.ts", ("mode: Mode", "mode: Mode, loud: boolean"), "src/use.ts"),
            noticed("src/base.ts", (" | \"b\"", ""), "src/use.ts"),
            noticed("src/base.ts", ("return \"se\"", "return 1"), "src/use.ts"),
            noticed("src/base.ts", ("void;\n", "void;\n  abstract more(): void;\n"), "src/use.ts"),
            noticed(
                "src/base.ts",
                ("  x = 1;\n", "  x = 1;\n\n  far(): number {\n    return this.x;\n  }\n"),
                "src/use.ts",
            ),
            noticed("src/base.ts", ("  Two,\n", ""), "src/use.ts"),
            noticed("src/base.ts", ("./other", "./third"), "src/use.ts"),
            unnoticed("src/base.ts", ("return this.size * 3", "const both = this.size * 3;\n    return both")),
            unnoticed("src/base.ts", ("// What it costs.", "// Its price.")),
            unnoticed("src/base.ts", ("console.log(box)", "console.log(box, box)")),
        ],
    );
}

/// Asks about the narrowest edit, one of whole lines, and one of the whole file, which all say the same.
fn check_by_hand(files: &[(&str, &str)], changes: &[ByHand]) {
    let project = support::project(files);
    support::block_on(async {
        let session = support::session(project.path());
        let mut wrong = Vec::new();
        for ByHand { path, old, new, notices } in changes {
            let file = session.root().join(path).unwrap();
            let before = session.disk().read(&file).unwrap();
            let text = before.as_str();
            let start = text.find(old).unwrap();
            let after = format!("{}{new}{}", &text[..start], &text[start + old.len()..]);
            let narrow = lspwright::text::TextEdit::new(start..start + old.len(), *new);
            let whole = lspwright::text::TextEdit::new(0..text.len(), after.as_str());
            for edits in [vec![narrow], lspwright::plan::difference(text, &after), vec![whole]] {
                let told = format!("{path}: `{old}` becomes `{new}` by {edits:?}");
                let edits = [(file.clone(), (Arc::clone(&before), edits))].into();
                let plan = Plan::new(Parts { edits, ..Parts::default() }).unwrap();
                let found = verify(&session, &plan, &asked(Level::Diagnostics)).await;
                let by: Vec<&str> = found.new_problems.iter().map(|it| it.path.file_name()).collect();
                let is_right = match notices {
                    Some(notices) => found.status == Status::Regressed && by.iter().any(|name| notices.ends_with(name)),
                    None => (found.status, found.files_looked_at) == (Status::Clean, 1),
                };
                if !is_right {
                    wrong.push(format!("{told}: {found:?}"));
                }
            }
        }
        session.close().await;
        assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    });
}

/// The whole plan is clean at every level; without any one of its edits it is regressed at the first.
async fn check(session: &Session, plan: &Plan, levels: &[Level]) {
    for level in levels {
        let whole = verify(session, plan, &asked(*level)).await;
        assert_eq!(whole.status, Status::Clean, "{level:?} of the whole plan: {whole:?}");
    }
    let parsed = verify(session, plan, &asked(Level::Syntax)).await;
    assert_eq!(parsed.status, Status::Clean);
    for (path, index) in edits(plan) {
        let lacking = without(plan, &path, index);
        let found = verify(session, &lacking, &asked(levels[0])).await;
        assert_eq!(found.status, Status::Regressed, "without edit {index} of {path}: {found:?}");
    }
}

fn asked(level: Level) -> Check {
    Check { level, origin: PlanOrigin::Elsewhere, ..Check::default() }
}

fn edits(plan: &Plan) -> Vec<(AbsPath, usize)> {
    let of_file = |(path, file): (&AbsPath, &lspwright::plan::FileEdit)| {
        (0..file.edits.len()).map(|index| (path.clone(), index)).collect::<Vec<_>>()
    };
    plan.edits().iter().flat_map(of_file).collect()
}

fn without(plan: &Plan, path: &AbsPath, index: usize) -> Plan {
    let mut parts: Parts = plan.clone().into_parts();
    let (before, edits) = parts.edits.remove(path).unwrap();
    let mut edits = edits;
    edits.remove(index);
    parts.edits.insert(path.clone(), (Arc::clone(&before), edits));
    Plan::new(parts).unwrap()
}

#[test]
fn the_projects_own_command_is_run_in_both_copies() {
    let project = support::project(&[("a.py", "def one(): return 1\nassert one() == 1\n")]);
    support::block_on(async {
        let session = support::session(project.path());
        let path = session.root().join("a.py").unwrap();
        let before = session.disk().read(&path).unwrap();
        let broken = Parts {
            edits: [(path.clone(), (before, vec![lspwright::text::TextEdit::new(4..7, "two")]))].into(),
            ..Parts::default()
        };
        let broken = Plan::new(broken).unwrap();
        let by = |command: &str| Check { level: Level::Project, command: Some(command.to_owned()), ..Check::default() };
        let fails = verify(&session, &broken, &by("python3 a.py")).await;
        assert_eq!(fails.status, Status::Regressed, "{fails:?}");
        let passes = verify(&session, &Plan::default(), &by("python3 a.py")).await;
        assert_eq!(passes.status, Status::Clean, "{passes:?}");
        let proves_nothing = verify(&session, &broken, &by("false")).await;
        assert_eq!(proves_nothing.status, Status::Unverified, "{proves_nothing:?}");
        session.close().await;
    });
}

#[test]
fn a_check_finds_nothing_that_only_an_earlier_plan_would_have_brought() {
    // Whoever looks at `use.py` looks at the call in `kit.py`, with the parameter's name of that moment.
    let files = [
        ("pyproject.toml", "[project]\nname = \"kit\"\nversion = \"1\"\n"),
        (
            "core.py",
            "class Machine:\n    def __init__(self, model: object = None, auto: bool = True) -> None:\n        \
             self.auto = auto\n\n    def find(self, name: str) -> str:\n        return name\n",
        ),
        (
            "kit.py",
            "from core import Machine\n\n\nclass Stuff:\n    def __init__(self, machine_cls=Machine, more={}):\n        \
             kwargs = {\"model\": \"x\"}\n        kwargs.update(more)\n        self.machine = machine_cls(**kwargs)\n        \
             name = \"x\"\n        print(name)\n",
        ),
        ("use.py", "from kit import Stuff\n\n\ndef go():\n    return Stuff().machine.auto\n"),
    ];
    let project = crate::faces::Project::with(&files);
    let mut client = crate::mcp::Client::start(project.command(&["serve"]));
    client.initialize("2025-11-25");
    for (target, name) in [("core.py::Machine::__init__::auto", "zz"), ("core.py::Machine::find::name", "other")] {
        let asked = serde_json::json!({"target": target, "newName": name, "verify": "diagnostics"});
        let plan = client.call("planRenameSymbol", asked);
        assert_eq!(plan["structuredContent"]["verification"]["status"], "clean", "{plan}");
    }
    // What stands on the disk is found as it is, too: one argument does not fit.
    let found = client.call("listProblems", serde_json::json!({"paths": ["kit.py"], "severity": "error"}));
    let rules = &found["structuredContent"]["rules"];
    assert_eq!((&rules[0]["problems"], rules.as_array().map(Vec::len)), (&serde_json::json!(1), Some(1)), "{found}");
}

#[test]
fn a_move_brings_nothing_that_hangs_on_what_else_is_open() {
    // No project holds `tools` and `examples`: what `run.js` refers to is known in `loose.ts` while both are open.
    let files = [
        ("package.json", "{ \"name\": \"loose\", \"private\": true }\n"),
        (
            "tsconfig.json",
            "{ \"compilerOptions\": { \"strict\": true, \"types\": [] }, \"files\": [\"src/shapes.d.ts\"] }\n",
        ),
        ("src/shapes.d.ts", "export declare const size: number;\n"),
        ("src/shapes.js", "exports.size = 1;\n"),
        ("tools/types.d.ts", "declare function helper(): number;\n"),
        ("tools/run.js", "/// <reference path=\"./types.d.ts\" />\nconst sum = helper();\nconsole.log(sum);\n"),
        ("examples/loose.ts", "import { size } from \"../src/shapes\";\nconsole.log(size, helper());\n"),
    ];
    let project = crate::faces::Project::with(&files);
    let mut client = crate::mcp::Client::start(project.command(&["serve"]));
    client.initialize("2025-11-25");
    client.call("planRenameSymbol", serde_json::json!({"target": "tools/run.js::sum", "newName": "total"}));
    let asked = serde_json::json!({"oldDir": "src", "newDir": "lib", "verify": "diagnostics"});
    let plan = client.call("planDirectoryMove", asked);
    assert_eq!(plan["structuredContent"]["verification"]["status"], "clean", "{plan}");
}
