//! How a text is laid out, so that what is new in it looks like what is there.

use serde_json::Value;

use super::{Dialect, Document, Items, Node};

/// The customs of one text.
#[derive(Debug)]
pub(super) struct Layout {
    /// One step of indentation.
    unit: String,
    pub(super) newline: &'static str,
    colon: String,
    /// Containers stand in lines of their own.
    pub(super) is_spread: bool,
}

/// How a container is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Inline,
    /// One item per line, with the closing bracket below this indentation.
    Spread,
}

impl Layout {
    pub(super) fn of(document: &Document<'_>) -> Self {
        let text = document.text;
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let is_spread =
            document.dialect != Dialect::Lines && text[document.root.span.start..].trim_end().contains('\n');
        Self {
            unit: unit(text, &document.root).unwrap_or_else(|| "  ".to_owned()),
            newline,
            colon: colon(text, &document.root).unwrap_or_else(|| ": ".to_owned()),
            is_spread: is_spread || (document.dialect != Dialect::Lines && document.root.spans().is_empty()),
        }
    }

    /// Writes a value that begins in a line of this indentation.
    pub(super) fn written(&self, value: &Value, indent: &str, style: Style) -> String {
        let mut text = String::new();
        self.write(value, (style == Style::Spread).then(|| indent.to_owned()).as_deref(), &mut text);
        text
    }

    /// Writes a member of an object.
    pub(super) fn member(&self, name: &str, value: &Value, indent: &str, style: Style) -> String {
        [&quoted(name), self.colon.as_str(), &self.written(value, indent, style)].concat()
    }

    pub(super) fn comma(&self) -> &'static str {
        if self.colon.ends_with(' ') { ", " } else { "," }
    }

    pub(super) fn deeper(&self, indent: &str) -> String {
        [indent, &self.unit].concat()
    }

    fn write(&self, value: &Value, indent: Option<&str>, text: &mut String) {
        let items: Vec<(Option<&String>, &Value)> = match value {
            Value::Array(values) => values.iter().map(|value| (None, value)).collect(),
            Value::Object(map) => map.iter().map(|(name, value)| (Some(name), value)).collect(),
            _ => return text.push_str(&value.to_string()),
        };
        let (open, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
        let inner = indent.map(|indent| self.deeper(indent));
        text.push(open);
        for (at, (name, item)) in items.iter().enumerate() {
            match &inner {
                Some(inner) => text.extend([if at > 0 { "," } else { "" }, self.newline, inner]),
                None if at > 0 => text.push_str(self.comma()),
                None => {}
            }
            if let Some(name) = name {
                text.push_str(&quoted(name));
                text.push_str(&self.colon);
            }
            self.write(item, inner.as_deref(), text);
        }
        if let Some(indent) = indent.filter(|_| !items.is_empty()) {
            text.extend([self.newline, indent]);
        }
        text.push(close);
    }
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

/// Returns how much deeper the first item stands that has a line of its own.
fn unit(text: &str, node: &Node) -> Option<String> {
    for inner in node.nodes().iter().zip(node.spans()) {
        let (inner, span) = inner;
        if starts_line(text, span.start) {
            let (outer, own) = (indent(text, node.span.start), indent(text, span.start));
            return own.strip_prefix(outer).filter(|unit| !unit.is_empty()).map(str::to_owned);
        }
        if let Some(unit) = unit(text, inner) {
            return Some(unit);
        }
    }
    None
}

/// Returns what stands between the first name and its value.
fn colon(text: &str, node: &Node) -> Option<String> {
    if let Items::Object(members) = &node.items
        && let Some(first) = members.first()
    {
        let between = &text[first.name_end..first.node.span.start];
        let is_plain = between.len() <= 3 && between.trim_matches(' ') == ":";
        return is_plain.then(|| between.to_owned());
    }
    node.nodes().into_iter().find_map(|inner| colon(text, inner))
}

/// Returns the white space that the line of an offset begins with.
pub(super) fn indent(text: &str, offset: usize) -> &str {
    let line = &text[line_start(text, offset)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

pub(super) fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |end| end + 1)
}

/// Tells whether nothing stands before an offset in its line.
pub(super) fn starts_line(text: &str, offset: usize) -> bool {
    offset > 0 && text[..offset].contains('\n') && text[line_start(text, offset)..offset].trim().is_empty()
}
