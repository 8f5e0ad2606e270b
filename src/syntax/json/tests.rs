//! How texts change: in every layout, and by the values that they then hold.

use serde_json::{Value, json};

use super::*;

fn change(text: &str, dialect: Dialect, path: &str, operation: &Operation) -> Result<String, Refusal> {
    edited(text, dialect, &Query::parse(path).unwrap(), operation).map(|edited| edited.text)
}

fn set(text: &str, path: &str, value: Value) -> String {
    change(text, Dialect::Json, path, &Operation::Set(value)).unwrap()
}

fn add(text: &str, path: &str, value: Value) -> String {
    change(text, Dialect::Json, path, &Operation::Add(value)).unwrap()
}

fn remove(text: &str, path: &str) -> String {
    change(text, Dialect::Json, path, &Operation::Remove).unwrap()
}

fn refused(text: &str, path: &str, operation: &Operation) -> String {
    change(text, Dialect::Json, path, operation).unwrap_err().to_string()
}

const SETTINGS: &str = "{\r\n\t// why\r\n\t\"a\": 1.50, // one\r\n\t\"b\": [1, 2 /* two */, 3],\r\n\t\"c\": {\r\n\t\t\"d\": null,\r\n\t},\r\n}\r\n";

#[test]
fn one_value_changes_and_all_else_stays() {
    assert_eq!(set(SETTINGS, "$.a", json!("x")), SETTINGS.replace("1.50", "\"x\""));
    assert_eq!(set(SETTINGS, "$.b[1]", json!(7)), SETTINGS.replace("2 /*", "7 /*"));
    assert_eq!(set(SETTINGS, "$.b", json!([4])), SETTINGS.replace("[1, 2 /* two */, 3]", "[4]"));
    let spread = "{\r\n\t\t\t\"x\": 1\r\n\t\t}";
    assert_eq!(set(SETTINGS, "$.c.d", json!({"x": 1})), SETTINGS.replace("null", spread));
    assert_eq!(set("{\"a\":1,\"b\":[]}", "$.b", json!([{"c": 1}, 2])), "{\"a\":1,\"b\":[{\"c\":1},2]}");
    assert_eq!(set("[1,2,3]", "$[*]", json!(0)), "[0,0,0]");
}

#[test]
fn what_is_added_looks_like_its_neighbours() {
    let lined = "{\n    \"a\": 1\n}\n";
    assert_eq!(add(lined, "$.b", json!(2)), "{\n    \"a\": 1,\n    \"b\": 2\n}\n");
    assert_eq!(add(lined, "$.b", json!([1])), "{\n    \"a\": 1,\n    \"b\": [\n        1\n    ]\n}\n");
    assert_eq!(add("{\n  \"a\": 1 // one\n}\n", "$.b", json!(2)), "{\n  \"a\": 1, // one\n  \"b\": 2\n}\n");
    assert_eq!(
        add(SETTINGS, "$.c.e", json!(true)),
        SETTINGS.replace("\t\t\"d\": null,\r\n", "\t\t\"d\": null,\r\n\t\t\"e\": true,\r\n")
    );
    assert_eq!(add("[1, 2]", "$", json!(3)), "[1, 2, 3]");
    assert_eq!(add("[1, 2,]", "$", json!(3)), "[1, 2, 3,]");
    assert_eq!(add("[1,2]", "$[0]", json!(0)), "[0,1,2]");
    assert_eq!(add("{\"a\":[1]}", "$.a[1]", json!(2)), "{\"a\":[1,2]}");
    assert_eq!(add("{\"a\": [1, 2]}", "$.a", json!(3)), "{\"a\": [1, 2, 3]}");
    assert_eq!(add("{\"a\": [1, 2]}", "$.a[-1]", json!(3)), "{\"a\": [1, 3, 2]}");
    assert_eq!(
        add("[\n  1, // one\n  2\n]\n", "$[1]", json!(1.5)),
        "[\n  1, // one\n  1.5,\n  2\n]\n",
        "a remark stays with what it is about"
    );
    assert_eq!(add("[\n  // all\n  1\n]", "$[0]", json!(0)), "[\n  0,\n  // all\n  1\n]");
    assert_eq!(add("[\n  {\"a\": 1}\n]", "$", json!({"a": 2})), "[\n  {\"a\": 1},\n  {\"a\": 2}\n]");
    assert_eq!(add("{\n  \"a\": {}\n}", "$.a.b", json!(1)), "{\n  \"a\": {\n    \"b\": 1\n  }\n}");
    assert_eq!(add("{}", "$.a", json!(1)), "{\n  \"a\": 1\n}");
    assert_eq!(add("{\"a\": {}}", "$.a.b", json!(1)), "{\"a\": {\"b\": 1}}");
    assert_eq!(add("{\n  // none yet\n}", "$.a", json!(1)), "{\n  // none yet\n  \"a\": 1\n}");
    assert_eq!(add("{\"a\": [], \"b\": []}", "$.*", json!(1)), "{\"a\": [1], \"b\": [1]}");
}

#[test]
fn what_is_removed_takes_its_comma_and_its_line_along() {
    assert_eq!(remove("{\n  \"a\": 1, // one\n  \"b\": 2\n}\n", "$.a"), "{\n  \"b\": 2\n}\n");
    assert_eq!(remove("{\n  \"a\": 1, // one\n  \"b\": 2\n}\n", "$.b"), "{\n  \"a\": 1 // one\n}\n");
    assert_eq!(remove("{\n  \"a\": 1,\n  \"b\": 2,\n}\n", "$.b"), "{\n  \"a\": 1,\n}\n");
    assert_eq!(remove("{\n  // why\n  \"a\": 1\n}\n", "$.a"), "{\n  // why\n}\n");
    assert_eq!(remove("{\n  \"a\": 1\n}\n", "$.a"), "{}\n");
    assert_eq!(remove("[1, 2, 3]", "$[0]"), "[2, 3]");
    assert_eq!(remove("[1, 2, 3]", "$[1]"), "[1, 3]");
    assert_eq!(remove("[1, 2, 3]", "$[2]"), "[1, 2]");
    assert_eq!(remove("[1, 2, 3, ]", "$[2]"), "[1, 2, ]");
    assert_eq!(remove("[1,2,3]", "$[0,2]"), "[2]");
    assert_eq!(remove("[1,2,3]", "$[*]"), "[]");
    assert_eq!(remove("[1, 2,\n 3, 4]", "$[1]"), "[1,\n 3, 4]");
    assert_eq!(remove("[1, 2,\n 3, 4]", "$[2]"), "[1, 2,\n 4]");
    assert_eq!(remove("{\"a\": {\"a\": 1}, \"b\": 1}", "$..a"), "{\"b\": 1}");
    assert_eq!(remove(SETTINGS, "$.c.d"), SETTINGS.replace("{\r\n\t\t\"d\": null,\r\n\t}", "{}"));
}

#[test]
fn lines_are_an_array() {
    let text = "{\"a\": 1}\n\n{\"a\": 2}\n";
    let lines = |path: &str, operation: Operation| change(text, Dialect::Lines, path, &operation).unwrap();
    assert_eq!(lines("$[1].a", Operation::Set(json!([3, {}]))), "{\"a\": 1}\n\n{\"a\": [3, {}]}\n");
    assert_eq!(lines("$[0].b", Operation::Add(json!(1))), "{\"a\": 1, \"b\": 1}\n\n{\"a\": 2}\n");
    assert_eq!(lines("$", Operation::Add(json!({"a": 3}))), "{\"a\": 1}\n\n{\"a\": 2}\n{\"a\": 3}\n");
    assert_eq!(lines("$[1]", Operation::Add(json!(0))), "{\"a\": 1}\n\n0\n{\"a\": 2}\n");
    assert_eq!(lines("$[0]", Operation::Remove), "\n{\"a\": 2}\n");
    assert_eq!(change("1", Dialect::Lines, "$", &Operation::Add(json!(2))).unwrap(), "1\n2");
    assert_eq!(change("", Dialect::Lines, "$", &Operation::Add(json!(2))).unwrap(), "2\n");
    let broken = change("1\n{\n", Dialect::Lines, "$[0]", &Operation::Remove).unwrap_err().to_string();
    assert!(broken.starts_with("line 2: "), "{broken}");
}

#[test]
fn of_json5_is_read_what_the_library_knows() {
    let text = "{unquoted: 'single', hex: 0xFF, plus: +1, /* c */ list: [1,],}";
    let five = |path: &str, value: Value| change(text, Dialect::Json5, path, &Operation::Set(value)).unwrap();
    assert_eq!(five("$.unquoted", json!("x")), text.replace("'single'", "\"x\""));
    assert_eq!(five("$.hex", json!(1)), text.replace("0xFF", "1"));
    assert!(change(text, Dialect::Json, "$.hex", &Operation::Remove).is_err(), "in JSON that is a mistake");
    let shown = found(text, Dialect::Json5, &Query::parse("$['unquoted', 'hex', 'list']").unwrap()).unwrap();
    let shown: Vec<&str> = shown.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(shown, ["\"single\"", "255", "[\n  1\n]"]);
}

#[test]
fn values_are_shown_as_they_are_written() {
    let text = "{\"a\": 1.50, \"b\": {\"c\":  [1e3]}, \"a.b\": \"\\u00e9\"}";
    let shown = |path: &str| found(text, Dialect::Json, &Query::parse(path).unwrap()).unwrap();
    let one = |path: &str, value: &str| (path.to_owned(), value.to_owned());
    assert_eq!(shown("$.a"), [one("$['a']", "1.50")]);
    assert_eq!(shown("$.b"), [one("$['b']", "{\"c\":  [1e3]}")]);
    assert_eq!(shown("$['a.b', 'a']"), [one("$['a.b']", "\"\\u00e9\""), one("$['a']", "1.50")]);
    assert_eq!(shown("$..c[0]"), [one("$['b']['c'][0]", "1e3")]);
}

#[test]
fn refusals_name_what_is_there() {
    let text = "{\"a\": [1], \"b\": {\"c\": 1}, \"d\": 1, \"d\": 2}";
    let (add, remove, set) = (Operation::Add(json!(1)), Operation::Remove, Operation::Set(json!(1)));
    assert_eq!(refused(text, "$.x.y", &set), "nothing stands at `$.x.y`");
    let there = change(text, Dialect::Json, "$.b.x.y", &set).unwrap_err();
    assert_eq!(there, Refusal::Nowhere { path: "$.b.x.y".to_owned(), there: Some("`$.b` has c".to_owned()) });
    assert_eq!(refused(text, "$.b.c", &add), "`$['b']['c']` is there already");
    assert_eq!(refused(text, "$.b.c.d", &add), "`$['b']['c']` is a number, which takes no member");
    assert_eq!(refused(text, "$.b[0]", &add), "`$['b']` is an object, which takes no element");
    assert_eq!(refused(text, "$.a[3]", &add), "`$['a']` has 1 elements: nothing can be added at 3");
    assert_eq!(refused(text, "$.d", &set), "the name `d` stands twice in one object");
    assert_eq!(refused(text, "$", &remove), "the whole text cannot be removed");
    assert_eq!(refused("{\"a\": {\"a\": 1}}", "$..a", &set), "`$['a']` contains `$['a']['a']`, and both would be set");
    assert!(refused("{\"a\": 1,, }", "$.a", &set).contains("line 1"), "the place of the mistake is told");
    assert_eq!(refused("", "$", &set), "it holds no value");
    assert!(refused(&"[".repeat(100_000), "$", &set).contains("depth"), "no stack is used up");
}

#[test]
fn comments_and_trailing_commas_are_dropped_outside_strings() {
    let text =
        "\u{feff}{ // one\n \"a\": [1, 2, /* , */ ], \"b\": \"// \\\" /* ,]\", /* x */\n \"c\": {\"d\": 1,},\n}\n";
    assert_eq!(json_with_comments(text), Some(json!({ "a": [1, 2], "b": "// \" /* ,]", "c": { "d": 1 } })));
    assert_eq!(json_with_comments("[1,,2]"), None);
    assert_eq!(json_with_comments("{\"a\": \"open"), None);
    assert_eq!(json_with_comments("{} // end"), Some(json!({})));
}
