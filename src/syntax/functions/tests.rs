//! Functions and their ways through, in several languages.

use super::*;
use crate::syntax::{Language, measures};

fn told(language: Language, text: &str) -> Vec<String> {
    let tree = Tree::parse(language, text);
    let sites = functions(&tree, text);
    let measured = measures(&tree, text);
    let one = |site: &FunctionSite| {
        let owners: String = site.owners.iter().map(|owner| format!("{owner}.")).collect();
        let node = tree.nodes().get(site.node).unwrap();
        format!("{owners}{} {}", site.name, measured.of(node).unwrap().cyclomatic)
    };
    sites.iter().map(one).collect()
}

#[test]
fn python_counts_branches_loops_and_conditions() {
    let text = "class A:
    def f(self, x):
        if x and (x > 1 or x < 0):
            pass
        elif x:
            pass
        for y in [z for z in x if z]:
            while y:
                pass
        try:
            pass
        except ValueError:
            pass
        return 1 if x else 2
    def g(self):
        def inner():
            if 1: pass
        return inner
";
    assert_eq!(told(Language::Python, text), ["A.f 11", "A.g 1", "A.g.inner 2"]);
}

#[test]
fn scripts_name_functions_by_what_they_are_assigned_to() {
    let text = "export const a = async (x) => x ? 1 : x ?? 2;
class B { c = () => 1; d() { switch (x) { case 1: break; case 2: break; default: } } }
exports.e = function () { for (const x of y) if (x && y) z(() => x || y); };
const o = { f: () => 1, g() {} };";
    let expected = ["a 3", "B.c 1", "B.d 3", "e 4", "f 1", "g 1"];
    assert_eq!(told(Language::TypeScript, text), expected);
}

#[test]
fn contracts_count_assembly_too() {
    let text = "contract A { constructor() {} receive() external payable {}
function f(uint x) public { if (x > 1 && x < 2) {} for (;;) {} try this.f(1) {} catch {} 
assembly { if x {} switch x case 0 {} default {} for {} 1 {} {} } } modifier m() { _; } }";
    assert_eq!(told(Language::Solidity, text), ["A.constructor 1", "A.receive 1", "A.f 8", "A.m 1"]);
}
