//! JSON with the place of every value, comments and all, so that one value can change and every other byte stays.
//!
//! What is read: JSON, with comments and trailing commas as editors' own files have them (JSONC), of JSON5 what
//! `jsonc-parser` knows, and JSON Lines, which is an array of its lines here.

mod change;
mod layout;
mod operation;
mod path;

pub use operation::{Edited, Operation, Refusal, edited, found};
pub use path::{BadPath, Query};

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Number, Value};

use crate::text::{AbsPath, Span};

/// What a text is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// With comments and trailing commas.
    Json,
    Json5,
    /// A value in each line.
    Lines,
}

impl Dialect {
    /// Returns the dialect of a file by its extension.
    pub fn of_path(path: &AbsPath) -> Self {
        match path.extension().to_ascii_lowercase().as_str() {
            "json5" => Self::Json5,
            "jsonl" | "ndjson" => Self::Lines,
            _ => Self::Json,
        }
    }

    fn options(self) -> ParseOptions {
        let is_loose = self == Self::Json5;
        ParseOptions {
            allow_comments: self != Self::Lines,
            allow_trailing_commas: self != Self::Lines,
            allow_missing_commas: false,
            allow_loose_object_property_names: is_loose,
            allow_single_quoted_strings: is_loose,
            allow_hexadecimal_numbers: is_loose,
            allow_unary_plus_numbers: is_loose,
        }
    }
}

/// Why a text is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadJson {
    #[error("{0}")]
    Syntax(String),
    #[error("line {line}: {why}")]
    Line { line: usize, why: String },
    #[error("it holds no value")]
    Empty,
}

/// A text with its value, and where each part of it stands.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    text: &'t str,
    dialect: Dialect,
    value: Value,
    root: Node,
}

/// A value's place. Strings and numbers are leaves.
#[derive(Debug)]
struct Node {
    span: Span,
    items: Items,
}

#[derive(Debug)]
enum Items {
    None,
    Array(Vec<Node>),
    Object(Vec<Member>),
}

#[derive(Debug)]
struct Member {
    name: String,
    /// From the name to the value.
    span: Span,
    name_end: usize,
    node: Node,
}

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Name(String),
    Index(usize),
}

impl<'t> Document<'t> {
    fn parse(text: &'t str, dialect: Dialect) -> Result<Self, BadJson> {
        let (value, root) = match dialect {
            Dialect::Lines => lines(text)?,
            _ => one(text, 0, dialect)?,
        };
        Ok(Self { text, dialect, value, root })
    }

    /// Finds what stands behind some steps. Of a name that an object has twice the last one counts, as for JSON.parse.
    fn node(&self, steps: &[Step]) -> Option<&Node> {
        steps.iter().try_fold(&self.root, |node, step| node.child(step))
    }

    /// Returns a name on the way that its object has twice.
    fn ambiguous<'s>(&self, steps: &'s [Step]) -> Option<&'s str> {
        let mut node = &self.root;
        for step in steps {
            if let (Items::Object(members), Step::Name(name)) = (&node.items, step)
                && members.iter().filter(|member| member.name == *name).count() > 1
            {
                return Some(name);
            }
            node = node.child(step)?;
        }
        None
    }
}

/// Reads JSON as configuration files have it, with comments, trailing commas and a byte order mark; nothing where it is not
/// that.
pub fn json_with_comments(text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    one(text, 0, Dialect::Json).map(|(value, _)| value).ok()
}

impl Node {
    fn child(&self, step: &Step) -> Option<&Self> {
        match (&self.items, step) {
            (Items::Array(nodes), Step::Index(index)) => nodes.get(*index),
            (Items::Object(members), Step::Name(name)) => {
                members.iter().rfind(|member| member.name == *name).map(|member| &member.node)
            }
            _ => None,
        }
    }

    /// Returns the places of its members or elements, in order.
    fn spans(&self) -> Vec<Span> {
        match &self.items {
            Items::None => Vec::new(),
            Items::Array(nodes) => nodes.iter().map(|node| node.span).collect(),
            Items::Object(members) => members.iter().map(|member| member.span).collect(),
        }
    }

    /// Returns the values that it holds.
    fn nodes(&self) -> Vec<&Node> {
        match &self.items {
            Items::None => Vec::new(),
            Items::Array(nodes) => nodes.iter().collect(),
            Items::Object(members) => members.iter().map(|member| &member.node).collect(),
        }
    }
}

/// Reads one value, whose text begins at `base` of the whole.
fn one(text: &str, base: usize, dialect: Dialect) -> Result<(Value, Node), BadJson> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &dialect.options());
    let parsed = parsed.map_err(|error| BadJson::Syntax(error.to_string()))?;
    let root = parsed.value.ok_or(BadJson::Empty)?;
    Ok((value(&root)?, node(&root, base)))
}

fn lines(text: &str) -> Result<(Value, Node), BadJson> {
    let (mut values, mut nodes, mut start) = (Vec::new(), Vec::new(), 0);
    for (at, line) in text.split_inclusive('\n').enumerate() {
        if !line.trim().is_empty() {
            let (value, node) = one(line, start, Dialect::Lines)
                .map_err(|error| BadJson::Line { line: at + 1, why: error.to_string() })?;
            values.push(value);
            nodes.push(node);
        }
        start += line.len();
    }
    Ok((Value::Array(values), Node { span: Span::new(0, text.len()), items: Items::Array(nodes) }))
}

fn value(parsed: &ast::Value<'_>) -> Result<Value, BadJson> {
    Ok(match parsed {
        ast::Value::StringLit(string) => Value::String(string.value.clone().into_owned()),
        ast::Value::NumberLit(number) => Value::Number(self::number(number.value)?),
        ast::Value::BooleanLit(boolean) => Value::Bool(boolean.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(array) => Value::Array(array.elements.iter().map(value).collect::<Result<_, _>>()?),
        ast::Value::Object(object) => {
            let mut map = Map::new();
            for property in &object.properties {
                map.insert(property.name.as_str().to_owned(), value(&property.value)?);
            }
            Value::Object(map)
        }
    })
}

/// Reads a number, also one of JSON5's: `+1`, `0xFF`.
fn number(spelt: &str) -> Result<Number, BadJson> {
    let bare = spelt.strip_prefix('+').unwrap_or(spelt);
    let (sign, digits) = bare.strip_prefix('-').map_or((1, bare), |digits| (-1, digits));
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let read = match hexadecimal {
        Some(digits) => i64::from_str_radix(digits, 16).ok().map(|value| Number::from(sign * value)),
        None => serde_json::from_str(bare).ok(),
    };
    read.ok_or_else(|| BadJson::Syntax(format!("`{spelt}` is not a readable number")))
}

fn node(parsed: &ast::Value<'_>, base: usize) -> Node {
    let span = |range: &jsonc_parser::common::Range| Span::new(base + range.start, base + range.end);
    match parsed {
        ast::Value::StringLit(it) => Node { span: span(&it.range), items: Items::None },
        ast::Value::NumberLit(it) => Node { span: span(&it.range), items: Items::None },
        ast::Value::BooleanLit(it) => Node { span: span(&it.range), items: Items::None },
        ast::Value::NullKeyword(it) => Node { span: span(&it.range), items: Items::None },
        ast::Value::Array(array) => {
            let nodes = array.elements.iter().map(|element| node(element, base)).collect();
            Node { span: span(&array.range), items: Items::Array(nodes) }
        }
        ast::Value::Object(object) => {
            let member = |property: &ast::ObjectProp<'_>| Member {
                name: property.name.as_str().to_owned(),
                span: span(&property.range),
                name_end: base + name_range(&property.name).end,
                node: node(&property.value, base),
            };
            Node { span: span(&object.range), items: Items::Object(object.properties.iter().map(member).collect()) }
        }
    }
}

fn name_range<'a>(name: &'a ast::ObjectPropName<'_>) -> &'a jsonc_parser::common::Range {
    match name {
        ast::ObjectPropName::String(string) => &string.range,
        ast::ObjectPropName::Word(word) => &word.range,
    }
}

#[cfg(test)]
mod tests;
