//! JSON configuration texts, comments and trailing commas borne, every value with its place.
//!
//! Read by the grammar, since a compiler goes on behind a mistake in them: `jsonc-parser` takes a text whole or not at all.

use crate::syntax::{Language, Tree};
use crate::text::Span;

/// A value of a JSON text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Json {
    /// The whole value, quotes and brackets included.
    pub span: Span,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Object(Vec<(Key, Json)>),
    Array(Vec<Json>),
    /// The decoded content.
    String(String),
    Bool(bool),
    /// Numbers and `null`.
    Other,
}

/// The name of an object's entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    pub span: Span,
    pub name: String,
}

impl Json {
    /// Reads a text; nothing where no value stands in it. What cannot be read is left out.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::read(&Tree::parse(Language::Json, text), text)
    }

    /// Reads the parsed `text`; nothing where no value stands in it.
    pub(super) fn read(tree: &Tree, text: &str) -> Option<Self> {
        let root = tree.root();
        let mut cursor = root.walk();
        root.named_children(&mut cursor).find_map(|node| value(node, text))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        self.entries().iter().find(|(key, _)| key.name == name).map(|(_, value)| value)
    }

    /// Returns the entries of an object; none for other values.
    pub(super) fn entries(&self) -> &[(Key, Json)] {
        if let Value::Object(entries) = &self.value { entries } else { &[] }
    }

    /// Returns the items of an array; none for other values.
    pub(super) fn items(&self) -> &[Json] {
        if let Value::Array(items) = &self.value { items } else { &[] }
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        if let Value::String(content) = &self.value { Some(content) } else { None }
    }

    pub(super) fn is_true(&self) -> bool {
        self.value == Value::Bool(true)
    }

    /// Returns every string below, this one included, keys excepted, in the order of the text.
    pub(super) fn strings(&self) -> Vec<(&Json, &str)> {
        match &self.value {
            Value::String(content) => vec![(self, content)],
            Value::Array(items) => items.iter().flat_map(Json::strings).collect(),
            Value::Object(entries) => entries.iter().flat_map(|(_, value)| value.strings()).collect(),
            Value::Bool(_) | Value::Other => Vec::new(),
        }
    }
}

/// Writes a string as JSON writes it.
pub(super) fn quoted(content: &str) -> String {
    serde_json::Value::from(content).to_string()
}

fn value(node: tree_sitter::Node<'_>, text: &str) -> Option<Json> {
    let span = Span::from(node.byte_range());
    let mut cursor = node.walk();
    let value = match node.kind() {
        "object" => Value::Object(node.named_children(&mut cursor).filter_map(|pair| entry(pair, text)).collect()),
        "array" => Value::Array(node.named_children(&mut cursor).filter_map(|item| value(item, text)).collect()),
        "string" => Value::String(serde_json::from_str(span.of(text)?).ok()?),
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "number" | "null" => Value::Other,
        _ => return None,
    };
    Some(Json { span, value })
}

fn entry(pair: tree_sitter::Node<'_>, text: &str) -> Option<(Key, Json)> {
    let key = pair.child_by_field_name("key")?;
    let span = Span::from(key.byte_range());
    let name = serde_json::from_str(span.of(text)?).ok()?;
    Some((Key { span, name }, value(pair.child_by_field_name("value")?, text)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(text: &str) -> Vec<String> {
        Json::parse(text).unwrap().strings().into_iter().map(|(_, content)| content.to_owned()).collect()
    }

    #[test]
    fn comments_and_trailing_commas_are_borne() {
        let text = "// head\n{ \"a\": [\"x\", /* y */ \"z\",], // end\n \"b\": { \"c\": \"d\", }, }\n";
        assert_eq!(strings(text), ["x", "z", "d"]);
    }

    #[test]
    fn a_string_keeps_its_place_and_is_decoded() {
        let text = r#"{"a": "x\u0041"}"#;
        let json = Json::parse(text).unwrap();
        let (place, content) = json.strings()[0];
        assert_eq!((place.span.of(text), content), (Some(r#""x\u0041""#), "xA"));
    }

    #[test]
    fn a_broken_entry_leaves_the_others() {
        assert_eq!(strings("{ \"a\": \"x\", \"b\": , \"c\": \"y\" }"), ["x", "y"]);
    }
}
