//! Targets in every form, and what they lead to.

use super::*;

fn parsed(written: &str) -> Target {
    Target::parse(written).unwrap()
}

fn symbol(path: &str, names: &[&str]) -> Target {
    Target::Symbol { path: path.to_owned(), names: names.iter().map(|name| (*name).to_owned()).collect(), lines: None }
}

#[test]
fn every_language_s_own_form_is_read() {
    for (written, path, names) in [
        ("src/order.py::Order::total", "src/order.py", &["Order", "total"][..]),
        ("src/order.py::Order::total::price", "src/order.py", &["Order", "total", "price"]),
        ("src/order.ts#Order.total", "src/order.ts", &["Order", "total"]),
        ("src/order.ts#Order.#total", "src/order.ts", &["Order", "#total"]),
        ("src/order.ts::Order::#total", "src/order.ts", &["Order", "#total"]),
        ("contracts/V.sol:V.withdraw", "contracts/V.sol", &["V", "withdraw"]),
        ("Order.java:Order.total", "Order.java", &["Order", "total"]),
        ("order/order.go:Order.Total", "order/order.go", &["Order", "Total"]),
        ("lib/order.rb#Order#total", "lib/order.rb", &["Order", "total"]),
        ("lib/order.rb#Order.from_hash", "lib/order.rb", &["Order", "from_hash"]),
        ("C:\\a\\order.ts#Order.total", "C:\\a\\order.ts", &["Order", "total"]),
        ("C:\\a\\V.sol:V.f", "C:\\a\\V.sol", &["V", "f"]),
        ("a#b/order.ts#f", "a#b/order.ts", &["f"]),
    ] {
        assert_eq!(parsed(written), symbol(path, names), "{written}");
    }
}

#[test]
fn positions_lines_and_files_are_read() {
    let position = |path: &str, line, column| Target::Position { path: path.to_owned(), line, column };
    assert_eq!(parsed("src/a.py:3:7"), position("src/a.py", 3, 7));
    assert_eq!(parsed("src/a.py:3"), position("src/a.py", 3, 1));
    assert_eq!(parsed("C:\\a.py:3:7"), position("C:\\a.py", 3, 7));
    let lines = |first, last| Target::Lines { path: "a.py".to_owned(), first, last };
    assert_eq!(parsed("a.py#L10-L15"), lines(10, 15));
    assert_eq!(parsed("a.py#L10-15"), lines(10, 15));
    assert_eq!(parsed("a.py#L10"), lines(10, 10));
    assert_eq!(parsed("a.py:10-15"), lines(10, 15));
    assert_eq!(parsed("C:\\a.py:10-15"), Target::Lines { path: "C:\\a.py".to_owned(), first: 10, last: 15 });
    assert_eq!(Target::parse("a.py:9-3"), Err(BadTarget::Backwards("a.py:9-3".to_owned())));
    assert_eq!(Target::parse("a.py:0-3"), Err(BadTarget::Zero("a.py:0-3".to_owned())));
    let range = Target::Range { path: "src/a-b.py".to_owned(), from: (3, 7), to: (4, 1) };
    assert_eq!(parsed("src/a-b.py:3:7-4:1"), range);
    assert_eq!(parsed("src/a-4:1"), position("src/a-4", 1, 1));
    assert_eq!(parsed("C:\\a.py"), Target::File { path: "C:\\a.py".to_owned() });
    let both = Target::Symbol { path: "a.py".to_owned(), names: vec!["f".to_owned()], lines: Some((1, 2)) };
    assert_eq!(parsed("a.py::f#L1-L2"), both);
}

#[test]
fn a_symbol_whose_name_begins_with_l_is_no_line() {
    assert_eq!(parsed("a.ts#List"), symbol("a.ts", &["List"]));
    assert_eq!(parsed("a.ts#L"), symbol("a.ts", &["L"]));
}

#[test]
fn broken_targets_are_refused() {
    assert_eq!(Target::parse("::f"), Err(BadTarget::NoPath("::f".to_owned())));
    assert_eq!(Target::parse(""), Err(BadTarget::NoPath(String::new())));
    assert_eq!(Target::parse("a.py::f::"), Err(BadTarget::EmptyName("a.py::f::".to_owned())));
    assert_eq!(Target::parse("a.py:0:1"), Err(BadTarget::Zero("a.py:0:1".to_owned())));
    assert_eq!(Target::parse("a.py:3:7-3:6"), Err(BadTarget::Backwards("a.py:3:7-3:6".to_owned())));
    assert_eq!(Target::parse("a.py#L9-L3"), Err(BadTarget::Backwards("a.py#L9-L3".to_owned())));
}

fn resolved(language: Language, text: &str, names: &[&str], lines: Option<(u32, u32)>) -> Resolved {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    resolve(&Tree::parse(language, text), text, &names, lines)
}

const PYTHON: &str = "class Order:\n    def total(self):\n        price = 1\n        price = 2\n        return price\n\nclass Cart:\n    def total(self): ...\n";

#[test]
fn a_path_leads_to_its_name() {
    let find = |names: &[&str]| resolved(Language::Python, PYTHON, names, None);
    assert_eq!(find(&["Order", "total"]), Resolved::Found(Span::new(21, 26)));
    assert_eq!(find(&["Order", "total", "price"]), Resolved::Found(Span::new(42, 47)));
    assert_eq!(find(&["price"]), Resolved::Found(Span::new(42, 47)), "the end of one path is enough");
    assert_eq!(find(&["Order.total"]), Resolved::Found(Span::new(21, 26)), "a dot behind `::`");
    assert_eq!(find(&["Order.total", "price"]), Resolved::Found(Span::new(42, 47)));
}

#[test]
fn several_that_fit_come_back_as_targets_that_lead_to_one() {
    let several = ["::Order::total".to_owned(), "::Cart::total".to_owned()];
    assert_eq!(resolved(Language::Python, PYTHON, &["total"], None), Resolved::Ambiguous(several.to_vec()));
    assert!(matches!(resolved(Language::Python, PYTHON, &["total"], Some((2, 3))), Resolved::Found(_)));
    let text = "function f() {\n  { let a = 1; }\n  { let a = 2; }\n}\n";
    let Resolved::Ambiguous(found) = resolved(Language::TypeScript, text, &["f", "a"], None) else { panic!() };
    assert_eq!(found, ["#f.a#L2-L2", "#f.a#L3-L3"]);
    for candidate in &found {
        let Target::Symbol { names, lines, .. } = parsed(&format!("a.ts{candidate}")) else { panic!("{candidate}") };
        let found = resolve(&Tree::parse(Language::TypeScript, text), text, &names, lines);
        assert!(matches!(found, Resolved::Found(_)), "{candidate}");
    }
}

#[test]
fn what_is_declared_several_times_and_is_one_is_no_ambiguity() {
    let find = |text: &str, names: &[&str]| resolved(Language::TypeScript, text, names, None);
    assert_eq!(find("class A { get x() { return 1 } set x(v) {} }", &["A", "x"]), Resolved::Found(Span::new(14, 15)));
    assert_eq!(find("function f(): void;\nfunction f(a?: 1) {}\n", &["f"]), Resolved::Found(Span::new(9, 10)));
    assert_eq!(
        find("import { A } from 'm';\nfunction f() { class A {} }\n", &["f", "A"]),
        Resolved::Found(Span::new(44, 45))
    );
    let handed_out = "function pad() {}\nmodule.exports = { pad: pad, wrap: pad };\n";
    assert_eq!(find(handed_out, &["pad"]), Resolved::Found(Span::new(9, 12)), "not the key that hands it out");
    assert_eq!(find("class A { constructor(private z: T) {} }", &["A", "z"]), Resolved::Found(Span::new(30, 31)));
}

#[test]
fn a_name_that_is_missing_comes_with_the_nearest() {
    let missing = resolved(Language::Python, PYTHON, &["Order", "totl"], None);
    assert_eq!(missing, Resolved::Missing(vec!["::Cart::total".to_owned(), "::Order::total".to_owned()]));
    assert_eq!(resolved(Language::Python, PYTHON, &["zzzz"], None), Resolved::Missing(Vec::new()));
}

#[test]
fn a_member_that_is_assigned_has_a_path_too() {
    let text = "function Router() { this.routes = []; }\nRouter.prototype.find = function () { this.routes = 1; };\nexports.make = 1;\n";
    let find = |names: &[&str]| resolved(Language::JavaScript, text, names, None);
    let at = |name: &str| text.find(name).map(|start| Resolved::Found(Span::new(start, start + name.len())));
    assert_eq!(Some(find(&["Router", "find"])), at("find"));
    assert_eq!(Some(find(&["Router", "routes"])), at("routes"));
    assert_eq!(Some(find(&["make"])), at("make"));
    assert!(matches!(find(&["Other", "find"]), Resolved::Missing(_)));
}

#[test]
fn a_field_that_a_string_declares_has_a_path_too() {
    let text = "Pair = namedtuple('Pair', 'first, second')\nRow = TypedDict('Row', {'count': int})\nclass P(NamedTuple('P', [('left', int)])): ...\n";
    let find = |names: &[&str]| resolved(Language::Python, text, names, None);
    let at = |name: &str| text.find(name).map(|start| Resolved::Found(Span::new(start, start + name.len())));
    assert_eq!(Some(find(&["Pair", "second"])), at("second"));
    assert_eq!(Some(find(&["Row", "count"])), at("count"));
    assert_eq!(Some(find(&["P", "left"])), at("left"));
    assert!(matches!(find(&["Row", "first"]), Resolved::Missing(_)));
}

#[test]
fn a_parameter_of_overloads_is_one() {
    let text = "@overload\ndef load(a: int): ...\n@overload\ndef load(a: str): ...\ndef load(a): ...\n";
    assert_eq!(resolved(Language::Python, text, &["load", "a"], None), Resolved::Found(Span::new(19, 20)));
    let twice = "def f(a): ...\nclass C:\n    def f(self, a): ...\n";
    assert!(matches!(resolved(Language::Python, twice, &["f", "a"], None), Resolved::Found(_)));
}
