//! The numbers, beside what the languages' own tools say of the same functions.

use super::*;
use crate::syntax::{FunctionSite, Language, functions};

/// Returns the names of the functions with their numbers, in order.
fn measured(language: Language, text: &str) -> Vec<(String, u32, u32, u32)> {
    let tree = Tree::parse(language, text);
    let measured = measures(&tree, text);
    let row = |site: &FunctionSite| {
        let it = measured.of(tree.nodes().get(site.node)?)?;
        let name: Vec<&str> = site.owners.iter().chain([&site.name]).map(String::as_str).collect();
        Some((name.join("."), it.cyclomatic, it.cognitive, it.depth))
    };
    functions(&tree, text).iter().filter(|site| site.body.is_some()).filter_map(row).collect()
}

fn row(name: &str, cyclomatic: u32, cognitive: u32, depth: u32) -> (String, u32, u32, u32) {
    (name.to_owned(), cyclomatic, cognitive, depth)
}

const SCRIPT: &str = r#"function plain() {}
function every(a: any, b = 1, { c = 2, d }: any = {}, ...rest: any[]) {
  if (a && b || c) {
    for (const x of a) {
      while (x?.y) { if (x) continue; else if (b) break; else d(); }
    }
  } else if (!a) {
    a ??= b; a ||= c;
  } else {
    switch (a) { case 1: case 2: return; case 3: if (b) return; default: try { d(); } catch (e) { if (e) d(); } }
  }
  return a ? b ? 1 : 2 : c ?? 3;
}
const outer = (x: any) => {
  const inner = (y: any) => { if (y) return x && y && x || y && x; };
  label: for (;;) { do { if (x) continue label; } while (x); }
  return inner;
};
class A {
  field = (z?: any) => z && z.a?.();
  other = a ? 1 : 2;
  static { if (a) { b(); } }
  get value() { return this.field ? 1 : 0; }
  constructor(private readonly p: any, q: any = p || 1) { super(); if (p) { } else { if (q) { } } }
  over(a: any): void;
  over(a: any) { for (const k in a) if (k) for (let i = 0; i < 1 || k; i++) { } }
}
const jsx = (on: any) => on && !(on || (on && off && (on || off)));
"#;

/// As ESLint 9.39 (`complexity`) and eslint-plugin-sonarjs 4 (`cognitive-complexity`) count.
#[test]
fn typescript_is_measured_as_its_linters_do() {
    let expected = [
        row("plain", 1, 0, 0),
        row("every", 24, 30, 4),
        row("outer", 4, 7, 3),
        row("outer.inner", 6, 3, 1),
        row("A.field", 3, 1, 0),
        row("A.value", 2, 1, 0),
        row("A.constructor", 5, 4, 2),
        row("A.over", 5, 6, 3),
        row("jsx", 6, 2, 0),
    ];
    assert_eq!(measured(Language::TypeScript, SCRIPT), expected);
}

#[test]
fn what_jsx_shows_on_a_condition_costs_nothing() {
    let text = "const A = ({ a }) => <div>{a && <b />}{a && c}</div>;\n";
    assert_eq!(measured(Language::JavaScript, text), [row("A", 3, 1, 0)]);
}

const PYTHON: &str = r#"def plain(): pass
@decorated(1 if x else 2)
def every(a, b=1 if x else 2, *args, c, **kw):
    """Doc."""
    if a and b or c:
        for x in a:
            while x and not y:
                if x: continue
                elif b: break
                else: d()
            else:
                pass
    elif not a:
        assert a, "no"
    else:
        try:
            d()
        except E:
            if e: d()
        except (F, G):
            pass
        else:
            d()
        finally:
            d()
    with open(a) as f:
        pass
    return [x for x in a for y in x if x if y] if a else lambda q: q or 1
async def cases(x):
    def inner(y):
        return y if y else {z for z in y}
    match x:
        case 1 | 2 if x and x: return 1
        case [a, b]: return 2
        case None: return 5
        case Point(x=0): return 3
        case other: return 4
    async for y in x: pass
    try: pass
    except* E: pass
    else: pass
class C:
    x = 1 if y else 2
    def m(self, v, _w):
        class D:
            def n(self): return 1 if x else 2
        return v and v
    @staticmethod
    def s(self, a): return {a: b for a in b}
def catch_all(x):
    match x:
        case _: return 1
    for a in b:
        if a: pass
    else: pass
"#;

/// Cyclomatic complexity as radon 6 (`radon cc --show-closures`) counts.
#[test]
fn python_is_measured_as_radon_does() {
    let found = measured(Language::Python, PYTHON);
    let cyclomatic: Vec<(&str, u32)> = found.iter().map(|(name, number, _, _)| (name.as_str(), *number)).collect();
    let expected = [
        ("plain", 1),
        ("every", 22),
        ("cases", 7),
        ("cases.inner", 3),
        ("C.m", 2),
        ("C.m.D.n", 2),
        ("C.s", 2),
        ("catch_all", 4),
    ];
    assert_eq!(cyclomatic, expected);
}

/// By hand, from the definitions of gocyclo and of cognitive complexity.
#[test]
fn go_rust_java_and_solidity_are_measured() {
    let go = "package a\nfunc f(a, b int) int {\n\tif a > 1 && b > 1 || a < 0 {\n\t\treturn 1\n\t} else if b > 2 {\n\t\treturn 2\n\t} else {\n\t\tfor range b {\n\t\t\tswitch a {\n\t\t\tcase 1, 2:\n\t\t\tcase 3:\n\t\t\tdefault:\n\t\t\t}\n\t\t}\n\t}\n\tg := func() { if a > 1 { } }\n}\n";
    assert_eq!(measured(Language::Go, go), [row("f", 9, 12, 3)]);
    let rust = "fn f(a: u8) -> u8 {\n    if a > 1 && a < 3 { 1 } else if a == 9 { 2 } else { match a { 0 => 1, 1 | 2 => 2, _ => 3 } }\n}\n";
    assert_eq!(measured(Language::Rust, rust), [row("f", 6, 6, 2)]);
    let java = "class A {\n  int f(int a) {\n    outer: for (int i : b) { if (i == 1 && a > 1 || a < 0) continue outer; else a++; }\n    switch (a) { case 1: case 2: return 1; default: return a > 1 ? 2 : 3; }\n  }\n}\n";
    assert_eq!(measured(Language::Java, java), [row("A.f", 8, 10, 2)]);
    let solidity = "contract V {\n  function f(uint a) external {\n    if (a > 0 && t > 1) { t++; } else if (a == 1) { while (a > 0) a--; } else { do { a++; } while (a < 3); }\n  }\n}\n";
    assert_eq!(measured(Language::Solidity, solidity), [row("V.f", 6, 8, 2)]);
}

#[test]
fn a_deep_text_is_measured_without_a_deep_stack() {
    let text = format!("function f() {{ {}{} }}", "if (a) {".repeat(10_000), "}".repeat(10_000));
    let found = measured(Language::TypeScript, &text);
    assert_eq!((found[0].1, found[0].3), (10_001, 10_000));
}
