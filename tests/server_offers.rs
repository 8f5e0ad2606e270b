//! Refactorings of the catalog that the servers of Rust, C++ and Go carry out, asked for by their names.

use serde_json::{Value, json};

use crate::faces::Project;
use crate::mcp::Client;

/// A refactoring with its target and parameters, and lines that its diff or its refusal holds.
type Asked = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const RUST: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
    ("src/deep.rs", "pub fn deep() -> u32 {\n    4\n}\n"),
    (
        "src/main.rs",
        "\
mod deep;

mod inner {
    pub fn three() -> u32 {
        3
    }
}

struct Circle {
    radius: u32,
    sizes: Vec<(u32, u32)>,
}

impl Circle {
    fn area(&self) -> u32 {
        let doubled = self.radius * 2;
        let sum: u32 = self.sizes[0].0;
        stringify!(sum + doubled);
        sum + doubled * 3
    }
}

trait Named {
    fn name(&self) -> &str;
    fn short(&self) -> &str;
}

impl Named for Circle {
    fn name(&self) -> &str {
        \"circle\"
    }
}

fn total(amount: u32) -> u32 {
    let rate = 3;
    if amount == 1 {
        amount + rate
    } else {
        amount * rate
    }
}

fn hidden() -> u32 {
    let told = 1;
    stringify!(total(told));
    told
}

fn early(amount: Option<u32>) {
    if let Some(amount) = amount {
        deep::deep();
        simple(amount);
    }
}

fn simple(amount: u32) -> u32 {
    amount + 1
}

fn main() {
    early(Some(total(2) + inner::three()));
}
",
    ),
];

const IN_RUST: &[Asked] = &[
    (
        "extract-function",
        "src/main.rs#L17-L17",
        &[("name", "first")],
        &["+        let sum = self.first();", "+    fn first(&self) -> u32 {"],
    ),
    ("extract-method", "src/main.rs#L17-L17", &[("name", "first")], &["+    fn first(&self) -> u32 {"]),
    (
        "extract-function",
        "src/main.rs#L17-L18",
        &[("name", "first")],
        &["`doubled` is used in a macro, and `first` is not passed it"],
    ),
    ("extract-function", "src/main.rs#L17-L17", &[("name", "three")], &["the file says `three` already"]),
    ("extract-function", "src/main.rs#L17-L17", &[("name", "fn")], &["`fn` is a reserved word of Rust"]),
    (
        "introduce-explaining-variable",
        "src/main.rs::total",
        &[("name", "product"), ("expression", "amount * rate")],
        &["+        let product = amount * rate;", "+        product"],
    ),
    (
        "introduce-explaining-variable",
        "src/main.rs:61:16",
        &[("name", "all")],
        &["+    let all = total(2) + inner::three();", "+    early(Some(all));"],
    ),
    (
        "introduce-explaining-variable",
        "src/main.rs::total",
        &[("name", "all"), ("expression", "no - where")],
        &["no `no - where` stands in what the target names"],
    ),
    ("inline-temp", "src/main.rs:35:9", &[], &["-    let rate = 3;", "+        amount * 3"]),
    (
        "inline-temp",
        "src/main.rs:44:9",
        &[],
        &["`told` stays in `stringify!(total(told));`, where the server did not put what it stands for"],
    ),
    ("inline-method", "src/main.rs::simple", &[], &["-fn simple(amount: u32) -> u32 {", "+        amount + 1;"]),
    (
        "inline-method",
        "src/main.rs::total",
        &[],
        &["`total` stays in `stringify!(total(told));`, where the server did not put what it stands for"],
    ),
    ("invert-if", "src/main.rs#L36-L40", &[], &["+    if amount != 1 {"]),
    ("invert-if", "src/main.rs:60:4", &[], &["no `if` stands here"]),
    (
        "replace-nested-conditional-with-guard-clauses",
        "src/main.rs:50:5",
        &[],
        &["+    let Some(amount) = amount else { return };"],
    ),
    (
        "extract-interface",
        "src/main.rs:14:1",
        &[("name", "Measured")],
        &["+trait Measured {", "+impl Measured for Circle {"],
    ),
    ("implement-interface", "src/main.rs:28:6", &[], &["+    fn short(&self) -> &str {"]),
    (
        "extract-type",
        "src/main.rs:11:12",
        &[("name", "Sizes")],
        &["+type Sizes = Vec<(u32, u32)>;", "+    sizes: Sizes,"],
    ),
    ("move-to-new-file", "src/main.rs::inner", &[], &["src/inner.rs", "+mod inner;"]),
    ("convert-module-to-package", "src/deep.rs", &[], &["src/deep/mod.rs"]),
    ("move-method", "src/main.rs::Circle::area", &[("to", "module")], &["not built yet"]),
];

const CPP: &[(&str, &str)] = &[(
    "main.cpp",
    "\
int total(int amount) {
  int rate = 3;
  if (amount == 1) {
    return amount + rate;
  }
  int first = amount * rate;
  return first + amount * 7;
}
",
)];

const IN_CPP: &[Asked] = &[
    (
        "extract-function",
        "main.cpp#L4-L4",
        &[("name", "sum")],
        &["+int sum(int &amount, int &rate) { return amount + rate; }", "+    return sum(amount, rate);"],
    ),
    (
        "extract-function",
        "main.cpp#L6-L6",
        &[("name", "sum")],
        &["the server of cpp does not offer `Extract to function` here"],
    ),
    (
        "introduce-explaining-variable",
        "main.cpp::total",
        &[("name", "weeks"), ("expression", "amount * 7")],
        &["+  auto weeks = amount * 7;", "+  return first + weeks;"],
    ),
    ("invert-if", "main.cpp:3:3", &[], &["not built yet"]),
];

const GO: &[(&str, &str)] = &[
    ("go.mod", "module example.com/shop\n\ngo 1.24\n"),
    (
        "main.go",
        "\
package main

import \"strings\"

type Shape interface {
	Area() int
	Name() string
}

type Circle struct {
	Radius int
}

func (c Circle) Area() int {
	return c.Radius * 3
}

var _ Shape = Circle{}

func total(amount int) int {
	if amount == 1 {
		return amount
	} else {
		amount++
	}
	return amount * 2
}

func main() {
	x := Circle{total(2 + 3*4)}
	text := \"a\" + \"b\"
	_ = strings.ToUpper(text)
	_ = x
}
",
    ),
];

const IN_GO: &[Asked] = &[
    ("extract-function", "main.go#L31-L32", &[("name", "shout")], &["+\tshout()", "+func shout() {"]),
    (
        "extract-method",
        "main.go#L15-L15",
        &[("name", "tripled")],
        &["+\treturn c.tripled()", "+func (c Circle) tripled() int {"],
    ),
    (
        "introduce-explaining-variable",
        "main.go:30:20",
        &[("name", "amount2")],
        &["+\tamount2 := 2 + 3*4", "+\tx := Circle{total(amount2)}"],
    ),
    ("invert-if", "main.go#L21-L25", &[], &["+\tif amount != 1 {"]),
    ("implement-interface", "main.go:18:15", &[], &["+func (c Circle) Name() string {"]),
    ("inline-method", "main.go:30:14", &[], &["only the call at the target is inlined"]),
];

fn ask(files: &[(&str, &str)], asked: &[Asked]) {
    let project = Project::with(files);
    let before = project.files();
    let mut client = Client::start(project.command(&["serve", "--project", "."]));
    client.initialize("2025-11-25");
    for (name, target, params, said) in asked {
        let params: serde_json::Map<String, Value> =
            params.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
        let answer =
            client.call("preview_refactoring", json!({"refactoring": name, "target": target, "params": params}));
        let text = answer["content"][0]["text"].as_str().unwrap();
        for line in *said {
            // TOON writes lines of text in quotes.
            let written = line.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t");
            assert!(text.contains(&written), "{name} {target}: {line}\n{text}");
        }
    }
    assert_eq!(project.files(), before, "planning writes nothing");
}

#[test]
fn of_rust() {
    ask(RUST, IN_RUST);
}

#[test]
fn of_cpp() {
    ask(CPP, IN_CPP);
}

#[test]
#[ignore = "needs gopls, which lspwright does not install"]
fn of_go() {
    ask(GO, IN_GO);
}
