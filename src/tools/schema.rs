//! A generated schema, as strict clients take it.

use serde_json::{Map, Value};

/// Takes out of a generated schema what strict clients stumble over: formats of Rust's own integers,
/// `null` as a default, and lists of types where one of the two is `null`.
pub(super) fn tidy(mut schema: Value) -> Value {
    tidy_in_place(&mut schema);
    schema
}

fn tidy_in_place(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            tidy_map(map);
            map.values_mut().for_each(tidy_in_place);
        }
        Value::Array(list) => list.iter_mut().for_each(tidy_in_place),
        _ => {}
    }
}

fn tidy_map(map: &mut Map<String, Value>) {
    let is_own_format = |format: &Value| format.as_str().is_some_and(|name| name.starts_with("uint"));
    if map.get("format").is_some_and(is_own_format) {
        map.shift_remove("format");
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.shift_remove("default");
    }
    if let Some(Value::Array(types)) = map.get("type")
        && let [only] = types.iter().filter(|name| **name != "null").cloned().collect::<Vec<_>>().as_slice()
    {
        map.insert("type".to_owned(), only.clone());
    }
    if let Some(Value::Array(choices)) = map.get("anyOf")
        && let [only] = choices.iter().filter(|choice| choice["type"] != "null").cloned().collect::<Vec<_>>().as_slice()
        && let Value::Object(only) = only.clone()
    {
        map.shift_remove("anyOf");
        map.extend(only);
    }
}
