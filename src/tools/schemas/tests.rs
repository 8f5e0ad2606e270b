//! What the published schemas hold, and what they do not.

use serde_json::json;

use super::*;

#[test]
fn every_name_has_a_schema_of_an_object() {
    for named in schemas() {
        let schema = schema(&named.name).unwrap();
        assert_eq!(schema["type"], "object", "{}", named.name);
    }
    assert!(schema("planRenameSymbol.neither").is_none());
    assert!(schema("nothing").is_none());
}

#[test]
fn no_schema_has_what_strict_clients_stumble_over() {
    fn look(name: &str, value: &Value) {
        if let Value::Object(map) = value {
            assert!(!map.get("type").is_some_and(Value::is_array), "{name}: {value}");
            assert!(
                !map.get("format").is_some_and(|format| format.as_str().unwrap_or("").starts_with("uint")),
                "{name}"
            );
            assert!(!map.contains_key("anyOf"), "{name}: {value}");
            assert!(map.get("default") != Some(&Value::Null), "{name}: {value}");
        }
        match value {
            Value::Object(map) => map.values().for_each(|value| look(name, value)),
            Value::Array(list) => list.iter().for_each(|value| look(name, value)),
            _ => {}
        }
    }
    for named in schemas() {
        look(&named.name, &schema(&named.name).unwrap());
    }
}

#[test]
fn the_inputs_are_the_published_ones() {
    let keys = |name: &str| {
        let schema = schema(name).unwrap();
        let keys: Vec<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        (keys, schema["required"].clone(), schema["additionalProperties"].clone())
    };
    let (rename, required, more) = keys("planRenameSymbol.input");
    let expected = [
        "projectRoot",
        "filePath",
        "line",
        "character",
        "target",
        "newName",
        "findInStrings",
        "findInComments",
        "findInDocs",
        "untyped",
        "expect",
        "aliases",
        "verify",
        "detail",
        "force",
        "limit",
        "cursor",
    ];
    assert_eq!(
        (rename.iter().map(String::as_str).collect(), required, more),
        (expected.to_vec(), json!(["newName"]), json!(false))
    );
    let (file, required, _) = keys("planFileMove.input");
    assert_eq!(file, ["projectRoot", "oldPath", "newPath", "findInDocs", "verify", "detail", "limit", "cursor"]);
    assert_eq!(required, json!(["oldPath", "newPath"]));
    let (directory, required, _) = keys("planDirectoryMove.input");
    assert_eq!(directory, ["projectRoot", "oldDir", "newDir", "findInDocs", "verify", "detail", "limit", "cursor"]);
    assert_eq!(required, json!(["oldDir", "newDir"]));
}
