//! Checks of plans by the real servers: a whole plan is clean, and one that lacks any one edit is not.

use std::sync::Arc;

use lspwright::lsp::Place;
use lspwright::plan::{Level, Parts, Plan, Status};
use lspwright::refactor::moves::plan_move;
use lspwright::refactor::rename::{self, RenameRequest};
use lspwright::session::Session;
use lspwright::text::AbsPath;
use lspwright::verify::{Check, Origin, verify};

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
    use std::os::unix::fs::PermissionsExt as _;
    let project = support::project(SOLIDITY);
    let programs = tempfile::tempdir().unwrap();
    let program = programs.path().join("solc");
    let script = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Version: 0.8.28+commit.7893614a.Linux.g++'; exit; fi\n\
                  if grep -q heldByTest; then echo '{\"errors\": [{\"severity\": \"error\", \"message\": \"native\"}]}'; \
                  else echo '{}'; fi\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
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
        let plan = plan_move(&session, &from, &to).await.unwrap();
        check(&session, &plan, &[Level::Diagnostics]).await;
        session.close().await;
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
    Check { level, origin: Origin::Elsewhere, ..Check::default() }
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
