//! An answer for people: values line by line, rows of one kind as an aligned table.

use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;
use serde_json::{Map, Value};

/// Columns that would be narrower than this are not read: rows of many values stand one value below the other then.
const NARROWEST: usize = 10;
/// What stands between two columns.
const GAP: u16 = 2;

/// Writes an answer for a terminal of so many columns; nothing is wrapped where their number is not known.
pub fn tables(answer: &impl Serialize, columns: Option<u16>) -> String {
    let mut page = Page { columns: columns.map(usize::from), text: String::new() };
    // What is no JSON is no answer.
    if let Ok(Value::Object(fields)) = serde_json::to_value(answer) {
        page.fields(&fields, 0);
    }
    page.text
}

struct Page {
    columns: Option<usize>,
    text: String,
}

impl Page {
    fn fields(&mut self, fields: &Map<String, Value>, indent: usize) {
        for (key, value) in fields {
            let label = label(key);
            match value {
                Value::Object(inner) => {
                    self.line(indent, &format!("{label}:"));
                    self.fields(inner, indent + GAP as usize);
                }
                Value::Array(items) if items.iter().any(Value::is_object) => {
                    let rows: Vec<&Map<String, Value>> = items.iter().filter_map(Value::as_object).collect();
                    self.line(indent, &format!("{label}: {}", rows.len()));
                    self.rows(&rows, indent + GAP as usize);
                }
                Value::Array(items) if items.is_empty() => self.line(indent, &format!("{label}: none")),
                _ => {
                    let text = text(value);
                    if !text.is_empty() {
                        self.line(indent, &format!("{label}: {text}"));
                    }
                }
            }
        }
    }

    fn rows(&mut self, rows: &[&Map<String, Value>], indent: usize) {
        let mut keys: Vec<&str> = Vec::new();
        for key in rows.iter().flat_map(|row| row.keys()) {
            if !keys.contains(&key.as_str()) {
                keys.push(key);
            }
        }
        keys.retain(|key| rows.iter().any(|row| row.get(*key).is_some_and(|value| !text(value).is_empty())));
        let room = self.columns.map(|columns| columns.saturating_sub(indent));
        if room.is_some_and(|room| room < keys.len() * (NARROWEST + GAP as usize)) {
            return self.blocks(rows, indent);
        }
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(keys.iter().map(|key| label(key).to_uppercase()));
        if let Some(room) = room {
            let room = u16::try_from(room).unwrap_or(u16::MAX);
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(room);
        }
        let cell = |row: &Map<String, Value>, key: &str| row.get(key).map(text).unwrap_or_default();
        table.add_rows(rows.iter().map(|row| keys.iter().map(|key| cell(row, key)).collect::<Vec<_>>()));
        for column in table.column_iter_mut() {
            column.set_padding((0, GAP));
        }
        for line in table.lines() {
            self.line(indent, line.trim_end());
        }
    }

    /// Writes rows with one value below the other.
    fn blocks(&mut self, rows: &[&Map<String, Value>], indent: usize) {
        for row in rows {
            let values = row.iter().map(|(key, value)| (label(key), text(value))).filter(|(_, text)| !text.is_empty());
            for (at, (label, text)) in values.enumerate() {
                let mark = if at == 0 { "- " } else { "  " };
                self.line(indent, &format!("{mark}{label}: {text}"));
            }
        }
    }

    fn line(&mut self, indent: usize, line: &str) {
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// Writes a key in words: `files_looked_at` and `filesLookedAt` are "files looked at".
fn label(key: &str) -> String {
    let mut words = String::new();
    for character in key.chars() {
        match character {
            '_' => words.push(' '),
            _ if character.is_uppercase() => {
                words.push(' ');
                words.extend(character.to_lowercase());
            }
            _ => words.push(character),
        }
    }
    words
}

/// Writes a value in one cell.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(is) => (if *is { "yes" } else { "no" }).to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let between = if items.iter().any(Value::is_object) { "; " } else { ", " };
            items.iter().map(text).collect::<Vec<_>>().join(between)
        }
        Value::Object(fields) => {
            let told = fields.iter().map(|(key, value)| (label(key), text(value))).filter(|(_, text)| !text.is_empty());
            told.map(|(label, text)| format!("{label} {text}")).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_aligned_and_wrapped() {
        let answer = json!({
            "filesLookedAt": 2,
            "left": [],
            "rules": [
                { "rule": "F401", "is_new": true, "example": "`os` is imported and not used anywhere", "note": null },
                { "rule": "reportCallIssue", "is_new": false, "example": "one argument is missing", "note": "" },
            ],
        });
        let whole = "\
files looked at: 2
left: none
rules: 2
  RULE             IS NEW  EXAMPLE
  F401             yes     `os` is imported and not used anywhere
  reportCallIssue  no      one argument is missing
";
        assert_eq!(tables(&answer, None), whole);
        let narrow = tables(&answer, Some(50));
        assert!(narrow.lines().all(|line| line.len() <= 50), "{narrow}");
        assert!(narrow.lines().count() > whole.lines().count(), "{narrow}");
    }

    #[test]
    fn rows_of_many_values_stand_below_each_other() {
        let answer = json!({ "uses": [{ "module": "a.py", "line": 3, "span": [4, 9], "path": [{ "name": "f" }] }] });
        assert_eq!(
            tables(&answer, Some(40)),
            "uses: 1\n  - module: a.py\n    line: 3\n    span: 4, 9\n    path: name f\n"
        );
    }
}
