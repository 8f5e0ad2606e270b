//! Renames that keep what names mean, and those that do not.

use crate::syntax::{Language, Tree};
use crate::text::TextEdit;

use super::{conflicts, member_conflicts, names};

/// Marks: every `‹old›` is an edit of `old`; `‹old|text›` replaces `old` by that text instead.
fn marked(source: &str, new: &str) -> (String, Vec<TextEdit>) {
    let mut text = String::new();
    let mut edits = Vec::new();
    for (at, part) in source.split('‹').enumerate() {
        let Some((inside, rest)) = part.split_once('›').filter(|_| at > 0) else {
            text.push_str(part);
            continue;
        };
        let (old, replacement) = inside.split_once('|').unwrap_or((inside, new));
        let start = text.len();
        text.push_str(old);
        edits.push(TextEdit::new(start..text.len(), replacement));
        text.push_str(rest);
    }
    (text, edits)
}

fn messages(language: Language, source: &str, new: &str) -> Vec<String> {
    let (text, edits) = marked(source, new);
    let tree = Tree::parse(language, &text);
    assert_eq!(tree.error_count(), 0, "{text}");
    conflicts(&tree, &text, &edits).into_iter().map(|conflict| conflict.message).collect()
}

fn python(source: &str, new: &str) -> Vec<String> {
    messages(Language::Python, source, new)
}

fn typescript(source: &str, new: &str) -> Vec<String> {
    messages(Language::TypeScript, source, new)
}

fn members(language: Language, source: &str, new: &str) -> Vec<String> {
    let (text, edits) = marked(source, new);
    let tree = Tree::parse(language, &text);
    assert_eq!(tree.error_count(), 0, "{text}");
    member_conflicts(&tree, &text, &edits).into_iter().map(|conflict| conflict.message).collect()
}

const FINE: [String; 0] = [];

#[test]
fn a_name_taken_in_the_same_scope_is_the_place_of_the_conflict() {
    let source = "def f():\n    total = 1\n    ‹price› = 2\n    return total + ‹price›\n";
    assert_eq!(python(source, "total"), ["`total` is already a local variable here (line 2)"]);
    assert_eq!(python(source, "cost"), FINE);
    let (text, edits) = marked(source, "total");
    let found = conflicts(&Tree::parse(Language::Python, &text), &text, &edits);
    assert_eq!(found[0].span.of(&text), Some("total"));
    assert_eq!(found[0].span.start, text.find("total").unwrap());
}

#[test]
fn parameters_imports_functions_and_classes_are_taken_too() {
    assert_eq!(python("def f(a, ‹b›): return ‹b›\n", "a"), ["`a` is already a parameter here (line 1)"]);
    assert_eq!(python("import os\n‹x› = 1\n", "os"), ["`os` is already an import here (line 1)"]);
    assert_eq!(python("def g(): ...\ndef ‹f›(): ...\n", "g"), ["`g` is already a function here (line 1)"]);
    assert_eq!(python("class A: ...\nclass ‹B›: ...\n", "A"), ["`A` is already a class here (line 1)"]);
}

#[test]
fn a_renamed_use_is_not_caught_by_an_inner_binding() {
    let source = "‹x› = 1\ndef f():\n    y = 2\n    return ‹x› + y\n";
    assert_eq!(python(source, "y").len(), 1);
    assert!(python(source, "y")[0].contains("would be taken for a local variable"), "{:?}", python(source, "y"));
    let source = "const ‹x› = 1;\nfunction f(y: number) { return ‹x› + y; }\n";
    assert_eq!(typescript(source, "y").len(), 1);
    assert_eq!(typescript(source, "z"), FINE);
}

#[test]
fn a_renamed_binding_does_not_catch_outer_or_built_in_names() {
    let source = "def f():\n    ‹x› = 1\n    return len(‹x›)\n";
    assert_eq!(python(source, "len"), ["`len` here (line 3) would come to mean the renamed `x` of line 2"]);
    assert_eq!(python(source, "max"), FINE);
    let source = "function f() { const ‹x› = 1; return console.log(‹x›); }\n";
    assert_eq!(typescript(source, "console").len(), 1);
}

#[test]
fn a_use_that_the_edits_forget_is_a_conflict() {
    let found = python("‹x› = 1\nprint(x)\n", "y");
    assert_eq!(found, ["`x` here (line 2) would no longer mean a variable of the module of line 1"]);
    assert_eq!(typescript("const ‹x› = 1;\nf(x);\n", "y").len(), 1);
}

#[test]
fn class_bodies_are_invisible_to_their_methods() {
    let source = "class A:\n    y = 1\n    def f(self):\n        return ‹x›\n‹x› = 2\n";
    assert_eq!(python(source, "y"), FINE);
    let source = "class A:\n    y = 1\n    z = ‹x›\n‹x› = 2\n";
    assert_eq!(python(source, "y").len(), 1);
}

#[test]
fn a_class_body_that_names_a_field_like_its_type_reads_the_outer_name_first() {
    let source = "from datetime import ‹date|date as day›\nclass A:\n    date: ‹date› = 1\n";
    assert_eq!(python(source, "day"), FINE);
    let source = "from datetime import date\nclass A:\n    ‹date›: date = 1\n    def f(self): return date\n";
    assert_eq!(python(source, "day"), FINE);
}

#[test]
fn global_and_nonlocal_reach_outwards() {
    let source = "‹x› = 0\ndef f():\n    global ‹x›\n    ‹x› = 1\n    y = 2\n";
    assert_eq!(python(source, "z"), FINE);
    assert_eq!(python(source, "y").len(), 1);
    let source = "def f():\n    ‹x› = 0\n    def g():\n        nonlocal ‹x›\n        ‹x› += 1\n    return g, ‹x›\n";
    assert_eq!(python(source, "z"), FINE);
    assert_eq!(python(source, "g").len(), 1);
}

#[test]
fn comprehensions_lambdas_walruses_and_patterns_bind() {
    let source = "‹x› = [1]\nz = [y for y in ‹x› if y]\n";
    assert_eq!(python(source, "y"), FINE, "the first iterable is evaluated outside");
    let source = "‹x› = [1]\nz = [y + ‹x› for y in w]\n";
    assert_eq!(python(source, "y").len(), 1);
    let source = "def f(w):\n    ‹x› = 1\n    return [(y := v) for v in w], ‹x›\n";
    assert_eq!(python(source, "y").len(), 1, "a walrus binds in the function");
    let source = "‹x› = 1\nf = lambda y: y + ‹x›\n";
    assert_eq!(python(source, "y").len(), 1);
    let source = "‹x› = 1\nf = lambda y=‹x›: y\n";
    assert_eq!(python(source, "y"), FINE, "a default is evaluated outside");
    let source = "def f(p):\n    ‹x› = 1\n    match p:\n        case [a, *rest]: return ‹x›\n        case {'k': v, **more}: ...\n        case P(q=w) as whole: ...\n";
    for taken in ["a", "rest", "v", "more", "w", "whole", "p"] {
        assert_eq!(python(source, taken).len(), 1, "{taken}");
    }
    assert_eq!(python(source, "q"), FINE, "a pattern's keyword is not a name");
    assert_eq!(python("try: ...\nexcept E as e: ...\n‹x› = 1\n", "e").len(), 1);
}

#[test]
fn type_parameters_have_a_scope_of_their_own() {
    assert_eq!(python("def f[T](‹x›: T) -> T: return ‹x›\n", "y"), FINE);
    assert_eq!(python("type A[‹T›] = list[‹T›]\nx: A\n", "U"), FINE);
    assert_eq!(python("class ‹X›: ...\ndef f[T](x: T, y: ‹X›): ...\n", "T").len(), 1);
}

#[test]
fn an_import_that_keeps_its_outer_name_is_followed() {
    assert_eq!(python("from m import ‹a|a as c›\nprint(‹a›, b)\n", "c"), FINE);
    assert_eq!(python("from m import ‹a|a as b›\nprint(‹a›, b)\n", "b").len(), 1);
    let source =
        "import { ‹a|a as c› } from 'm';\nexport { ‹a|c as a› };\nconst x = { ‹a|a: c› };\nconst { ‹b|b› } = x;\n";
    assert_eq!(typescript(source, "c"), FINE);
    let source = "const { ‹a|a: c› } = x;\nconst c = 1;\nuse(‹a›);\n";
    assert_eq!(typescript(source, "c"), ["`c` is already a variable of the module here (line 2)"]);
}

#[test]
fn an_insertion_before_a_shorthand_counts_as_its_expansion() {
    let (text, mut edits) = marked("const a = 1;\nconst x = { a };\n", "");
    edits.push(TextEdit::new(6..7, "b"));
    let tree = Tree::parse(Language::TypeScript, &text);
    let place = text.rfind('a').unwrap();
    edits.push(TextEdit::new(place + 1..place + 1, ": b"));
    assert_eq!(conflicts(&tree, &text, &edits), []);
}

#[test]
fn types_and_values_are_looked_up_apart() {
    let source = "interface ‹A› { x: number }\nconst b = 1;\nlet c: ‹A›;\n";
    assert_eq!(typescript(source, "b"), FINE);
    assert_eq!(typescript("interface ‹A› {}\nclass B {}\nlet c: ‹A›;\n", "B").len(), 1);
    assert_eq!(typescript("type ‹A› = 1;\ninterface B {}\n", "B").len(), 1);
    assert_eq!(typescript("import { B } from 'm';\ntype ‹A› = 1;\n", "B").len(), 1);
}

#[test]
fn script_scopes_hoist_nest_and_shadow() {
    assert_eq!(typescript("function f() { { var ‹a› = 1; } const b = 2; }\n", "b").len(), 1, "var is hoisted");
    assert_eq!(typescript("function f() { { let ‹a› = 1; } const b = 2; }\n", "b"), FINE);
    assert_eq!(typescript("function f() { const b = 2; { let ‹a› = 1; g(b, ‹a›); } }\n", "b").len(), 1);
    assert_eq!(
        typescript("function f(p: number) { const ‹a› = 1; }\n", "p"),
        ["`p` is already a parameter here (line 1)"]
    );
    assert_eq!(typescript("try {} catch (e) { const ‹a› = 1; }\n", "e").len(), 1);
    assert_eq!(typescript("for (const i of x) { f(‹a›); }\nconst ‹a› = 1;\n", "i").len(), 1);
    assert_eq!(typescript("const x = function g() { return ‹a›; };\nconst ‹a› = 1;\n", "g").len(), 1);
    assert_eq!(typescript("const x = function g() {};\nconst ‹a› = 1;\n", "g"), FINE);
    assert_eq!(typescript("a: while (1) { break a; }\nconst ‹b› = 1;\n", "a"), FINE, "labels are apart");
    assert_eq!(typescript("enum E { A, B = A }\nconst ‹x› = 1;\n", "A"), FINE);
    assert_eq!(typescript("enum E { A = ‹x›, B }\nconst ‹x› = 1;\n", "B").len(), 1);
    assert_eq!(typescript("namespace N { export const a = ‹b›; }\nconst ‹b› = 1;\n", "a").len(), 1);
    assert_eq!(typescript("type F = X extends (q: infer ‹U›) => any ? ‹U› : never;\n", "V"), FINE);
}

#[test]
fn a_parameter_s_default_does_not_see_the_body() {
    let source = "function f(a = ‹x›()) { const y = a; return y; }\nfunction ‹x›() {}\n";
    assert_eq!(typescript(source, "y"), FINE);
}

#[test]
fn a_component_whose_tag_becomes_an_element_is_a_conflict() {
    let (text, edits) = marked("const ‹Box› = f();\nconst x = <‹Box›/>;\n", "box");
    let tree = Tree::parse(Language::Tsx, &text);
    assert_eq!(conflicts(&tree, &text, &edits).len(), 1);
}

#[test]
fn members_of_one_class_do_not_come_to_share_a_name() {
    let ts = |source, new| members(Language::TypeScript, source, new);
    assert_eq!(ts("class A { a = 1; ‹b› = 2; }", "a"), ["`a` is already a property beside `b` (line 1)"]);
    assert_eq!(ts("class A { a() {} ‹b›() {} }", "a"), ["`a` is already a method beside `b` (line 1)"]);
    assert_eq!(ts("class A { static a = 1; ‹b› = 2; }", "a"), FINE);
    assert_eq!(ts("class A { get ‹b›() { return 1 } set ‹b›(x) {} }", "a"), FINE);
    assert_eq!(ts("interface A { ‹f›(x: number): void; ‹f›(x: string): void }", "g"), FINE);
    assert_eq!(ts("interface A { a: 1; ‹b›: 2 }", "a").len(), 1);
    assert_eq!(ts("const x = { a: 1, ‹b›: 2, c };", "a").len(), 1);
    assert_eq!(ts("const x = { a: 1, ‹b|a: b› };", "").len(), 1);
    assert_eq!(ts("enum E { A, ‹B› }", "A").len(), 1);
    assert_eq!(ts("class A { constructor(private a: number) {} ‹b› = 1 }", "a").len(), 1);
    assert_eq!(ts("class A { #a = 1; ‹b› = 1 }", "a"), FINE);
}

#[test]
fn attributes_and_methods_of_a_python_class_share_one_name_space() {
    let py = |source, new| members(Language::Python, source, new);
    let source = "class A:\n    def __init__(self):\n        self.‹x› = 1\n        self.y = 2\n    def f(self): ...\n";
    assert_eq!(py(source, "y"), ["`y` is already a property beside `x` (line 4)"]);
    assert_eq!(py(source, "f"), ["`f` is already a method beside `x` (line 5)"]);
    assert_eq!(py(source, "z"), FINE);
    let source = "class A:\n    @property\n    def ‹x›(self): ...\n    @‹x›.setter\n    def ‹x›(self, v): ...\n";
    assert_eq!(py(source, "z"), FINE);
    let source = "class A:\n    x: int\n    def __init__(self): self.‹y› = 1\nclass B:\n    def y(self): ...\n";
    assert_eq!(py(source, "x").len(), 1);
}

#[test]
fn what_the_grammar_cannot_read_is_not_judged() {
    let text = "interface I<out T> { f(): T }\nconst a = 1;\nconst b = a;\ntype = = ;\n";
    let tree = Tree::parse(Language::TypeScript, text);
    assert!(tree.error_count() > 0);
    let edit = |name: &str, new: &str| -> Vec<TextEdit> {
        tree.identifiers_named(text, name).into_iter().map(|span| TextEdit::new(span, new)).collect()
    };
    assert_eq!(conflicts(&tree, text, &edit("T", "U")), []);
    assert_eq!(conflicts(&tree, text, &edit("a", "b")).len(), 1, "what is read well is judged");
}

#[test]
fn identity_and_edits_outside_of_names_are_no_conflict() {
    assert_eq!(python("‹x|x› = 1\nprint(x)  # ‹x›\n", "y"), FINE);
    assert_eq!(python("x = '‹x›'\n", "y"), FINE);
}

#[test]
fn ten_thousand_levels_are_no_matter() {
    let deep = format!("x = {}1{}\n", "(".repeat(10_000), ")".repeat(10_000));
    let blocks = format!("function f() {}{}", "{ let a = 1; ".repeat(10_000), "}".repeat(10_001));
    for (language, text) in [(Language::Python, deep), (Language::JavaScript, blocks)] {
        let tree = Tree::parse(language, &text);
        assert!(!names(&tree, &text).is_empty());
    }
}
