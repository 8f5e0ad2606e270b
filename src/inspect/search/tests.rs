//! Every language of the grammar, and what is not meant by a name.

use super::*;
use crate::text::AbsPath;

fn find(files: &[(&str, &str)], wanted: SearchQuery, name: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        std::fs::write(dir.path().join(path), text).unwrap();
    }
    let disk = Disk::open(&AbsPath::new(dir.path()).unwrap()).unwrap();
    let matches = search(&disk, ".", (wanted, name), &Watch::default()).unwrap();
    assert!(matches.left_out.is_empty());
    let told = |one: &Match| format!("{}:{}-{} {} | {}", one.file, one.lines[0], one.lines[1], one.name, one.signature);
    matches.found.iter().map(told).collect()
}

#[test]
fn functions_are_found_in_every_language() {
    let files = [
        ("a.py", "# total\n@cached\ndef total(a, b=1) -> int:\n    return a\n"),
        ("b.ts", "export const total = (a: number): number => {\n  return a;\n};\n"),
        ("c.js", "function total(a) { return a; }\n"),
        ("d.sol", "function total(uint a) pure returns (uint) { return a; }\n"),
        ("e.rs", "pub fn total(a: u32) -> u32 {\n    a\n}\n"),
        ("f.go", "package f\n\nfunc total(a int) int {\n\treturn a\n}\n"),
        ("g.c", "static int total(int a)\n{\n  return a;\n}\n"),
        ("h.cpp", "int total(int a) { return a; }\n"),
        ("i.sh", "total() {\n  echo \"$1\"\n}\n"),
        ("j.lua", "local function total(a)\n  return a\nend\n"),
        ("k.py", "x = total\n'total'\n"),
    ];
    let found = find(&files, SearchQuery::Function, "total");
    let expected = [
        "a.py:2-4 total | @cached\ndef total(a, b=1) -> int:",
        "b.ts:1-3 total | export const total = (a: number): number =>",
        "c.js:1-1 total | function total(a)",
        "d.sol:1-1 total | function total(uint a) pure returns (uint)",
        "e.rs:1-3 total | pub fn total(a: u32) -> u32",
        "f.go:3-5 total | func total(a int) int",
        "g.c:1-4 total | static int total(int a)",
        "h.cpp:1-1 total | int total(int a)",
        "i.sh:1-3 total | total()",
        "j.lua:1-3 total | local function total(a)",
    ];
    assert_eq!(found, expected);
}

#[test]
fn classes_and_their_methods_are_found() {
    let files = [
        ("a.py", "class Order(Base):\n    def total(self):\n        return 1\n\ndef total():\n    pass\n"),
        ("b.ts", "export class Order<T> extends Base {\n  total(): number { return 1; }\n}\n"),
        ("c.java", "public class Order {\n  int total() { return 1; }\n}\n"),
        (
            "d.rs",
            "pub struct Order {\n    a: u32,\n}\n\nimpl Order {\n    fn total(&self) -> u32 {\n        1\n    }\n}\n",
        ),
        ("e.sol", "contract Order is Base {\n  function total() public {}\n}\n"),
        ("f.go", "package f\n\ntype Order struct {\n\ta int\n}\n\nfunc (o *Order) total() int {\n\treturn 1\n}\n"),
    ];
    let classes = find(&files, SearchQuery::Class, "Order");
    let expected = [
        "a.py:1-3 Order | class Order(Base):",
        "b.ts:1-3 Order | export class Order<T> extends Base",
        "c.java:1-3 Order | public class Order",
        "d.rs:1-3 Order | pub struct Order",
        "e.sol:1-3 Order | contract Order is Base",
        "f.go:3-5 Order | type Order struct",
    ];
    assert_eq!(classes, expected);
    let methods = find(&files, SearchQuery::Method, "total");
    let expected = [
        "a.py:2-3 Order.total | def total(self):",
        "b.ts:2-2 Order.total | total(): number",
        "c.java:2-2 Order.total | int total()",
        "d.rs:6-8 Order.total | fn total(&self) -> u32",
        "e.sol:2-2 Order.total | function total() public",
        "f.go:7-9 Order.total | func (o *Order) total() int",
    ];
    assert_eq!(methods, expected);
    assert_eq!(find(&files, SearchQuery::Method, "Order.total"), methods);
    assert_eq!(find(&files, SearchQuery::Method, "Other.total"), [""; 0]);
    assert_eq!(find(&files, SearchQuery::Function, "total"), ["a.py:5-6 total | def total():"]);
}
