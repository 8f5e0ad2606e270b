//! The sections of settings.

use serde_json::{Value, json};

use super::section;

#[test]
fn sections_are_found_by_dots_and_by_whole_keys() {
    let settings = json!({"python": {"analysis": {"mode": "all"}}, "js/ts": {"on": true}, "a.b": {"c": 1}});
    assert_eq!(section(&settings, "python.analysis.mode"), "all");
    assert_eq!(section(&settings, "python.analysis"), json!({"mode": "all"}));
    assert_eq!(section(&settings, "js/ts"), json!({"on": true}));
    assert_eq!(section(&settings, "a.b.c"), 1);
    assert_eq!(section(&settings, ""), settings);
    assert_eq!(section(&settings, "python.analysis.mode.deeper"), Value::Null);
    assert_eq!(section(&settings, "pyright"), Value::Null);
    assert_eq!(section(&Value::Null, "python"), Value::Null);
}
