//! JSONPath (RFC 9535): which values a query names, and where what it adds would go.

use serde_json::Value;
use serde_json_path::{JsonPath, PathElement};

use super::Step;

/// A query that was understood.
#[derive(Debug)]
pub struct Query<'p> {
    spelt: &'p str,
    path: JsonPath,
}

/// Why a query was not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPath {
    #[error("`{path}` is no JSONPath (RFC 9535): {why}")]
    Syntax { path: String, why: String },
    #[error("the JSONPath is longer than {LONGEST} bytes, or nests deeper than {DEEPEST} brackets")]
    TooLong,
}

/// Nobody writes a longer one; its parser and its search take a stack and time by what it says.
const LONGEST: usize = 2_000;
const DEEPEST: usize = 50;

/// The last step of a query, where it names one place whether or not something stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Last {
    Name(String),
    Index(i64),
}

impl<'p> Query<'p> {
    /// Reads a query.
    pub fn parse(spelt: &'p str) -> Result<Self, BadPath> {
        let mut depth = 0_usize;
        let nests = spelt.bytes().any(|byte| {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth > DEEPEST
        });
        if nests || spelt.len() > LONGEST {
            return Err(BadPath::TooLong);
        }
        let path = JsonPath::parse(spelt)
            .map_err(|error| BadPath::Syntax { path: spelt.to_owned(), why: error.message().to_owned() })?;
        Ok(Self { spelt, path })
    }

    pub(super) fn spelt(&self) -> &'p str {
        self.spelt
    }

    /// Returns the values that the query names, in its order, with the steps to them and their normalized paths.
    pub(super) fn locate<'v>(&self, value: &'v Value) -> Vec<(Vec<Step>, String, &'v Value)> {
        let located = self.path.query_located(value);
        let one = |node: &serde_json_path::LocatedNode<'v>| {
            let steps: Vec<Step> = node
                .location()
                .iter()
                .map(|element| match element {
                    PathElement::Name(name) => Step::Name((*name).to_owned()),
                    PathElement::Index(index) => Step::Index(*index),
                })
                .collect();
            let path = normalized(&steps);
            (steps, path, node.node())
        };
        located.iter().map(one).collect()
    }

    /// Splits off the last step; nothing where that may name several places.
    pub(super) fn split(&self) -> Option<(&'p str, Last)> {
        let start = last_segment(self.spelt)?;
        let (before, segment) = self.spelt.split_at(start);
        let last = match segment.strip_prefix('[') {
            Some(inside) => bracketed(inside.trim_end().strip_suffix(']')?.trim())?,
            None => {
                let name = segment.strip_prefix('.')?.trim();
                if name == "*" || name.starts_with(['.', '[']) || before.ends_with('.') {
                    return None;
                }
                Last::Name(name.to_owned())
            }
        };
        (!before.ends_with("..")).then_some((before, last))
    }
}

/// Writes steps as a normalized path (RFC 9535 § 2.7). That of serde_json_path 0.7.2 leaves names as they are, quotes
/// included, so that it could not be handed in again.
pub(super) fn normalized(steps: &[Step]) -> String {
    let mut path = String::from("$");
    for step in steps {
        match step {
            Step::Index(index) => path.push_str(&format!("[{index}]")),
            Step::Name(name) => {
                path.push_str("['");
                name.chars().for_each(|character| escape(character, &mut path));
                path.push_str("']");
            }
        }
    }
    path
}

fn escape(character: char, path: &mut String) {
    match character {
        '\u{8}' => path.push_str("\\b"),
        '\t' => path.push_str("\\t"),
        '\n' => path.push_str("\\n"),
        '\u{c}' => path.push_str("\\f"),
        '\r' => path.push_str("\\r"),
        '\'' => path.push_str("\\'"),
        '\\' => path.push_str("\\\\"),
        control if control < ' ' => path.push_str(&format!("\\u{:04x}", u32::from(control))),
        plain => path.push(plain),
    }
}

/// Returns where the last segment begins, outside of quotes and brackets.
fn last_segment(path: &str) -> Option<usize> {
    let (mut depth, mut quote, mut start) = (0_usize, None, None);
    let mut characters = path.char_indices();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => drop(characters.next()),
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '[' | '(') => {
                if depth == 0 {
                    start = Some(at);
                }
                depth += 1;
            }
            (None, ']' | ')') => depth = depth.saturating_sub(1),
            (None, '.') if depth == 0 => start = Some(at),
            (None, _) => {}
        }
    }
    start
}

fn bracketed(inside: &str) -> Option<Last> {
    if let Ok(index) = inside.parse() {
        return Some(Last::Index(index));
    }
    let quote = inside.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let inner = inside.strip_prefix(quote)?.strip_suffix(quote)?;
    if quote == '"' {
        return serde_json::from_str(inside).ok().map(Last::Name);
    }
    // As in JSON, but for which quote needs the backslash.
    let (mut json, mut characters) = (String::from("\""), inner.chars());
    while let Some(character) = characters.next() {
        match character {
            '\'' => return None,
            '"' => json.push_str("\\\""),
            '\\' => match characters.next()? {
                '\'' => json.push('\''),
                escaped => json.extend(['\\', escaped]),
            },
            plain => json.push(plain),
        }
    }
    json.push('"');
    serde_json::from_str(&json).ok().map(Last::Name)
}

#[cfg(test)]
mod tests {
    use super::{Last, Query};

    #[test]
    fn the_last_step_is_split_off_where_it_names_one_place() {
        let split = |path: &'static str| Query::parse(path).unwrap().split();
        let name = |name: &str| Last::Name(name.to_owned());
        assert_eq!(split("$.a.b"), Some(("$.a", name("b"))));
        assert_eq!(split("$.a['b.c']"), Some(("$.a", name("b.c"))));
        assert_eq!(split(r#"$.a["b]"]"#), Some(("$.a", name("b]"))));
        assert_eq!(split(r"$['it\'s \u00e9 \\']"), Some(("$", name("it's é \\"))));
        assert_eq!(split("$.a[0]"), Some(("$.a", Last::Index(0))));
        assert_eq!(split("$.a[-1]"), Some(("$.a", Last::Index(-1))));
        assert_eq!(split("$[?@.a=='x'].b"), Some(("$[?@.a=='x']", name("b"))));
        for several in ["$", "$.a[*]", "$.*", "$..b", "$..[0]", "$.a[0,1]", "$.a['x','y']", "$.a[1:2]", "$[?@.a]"] {
            assert_eq!(split(several), None, "{several}");
        }
    }

    #[test]
    fn a_path_without_end_is_refused() {
        for path in ["[".repeat(51), format!("$[?{}@.a{}]", "(".repeat(60), ")".repeat(60)), "$".repeat(2_001)] {
            assert_eq!(Query::parse(&path).unwrap_err(), super::BadPath::TooLong);
        }
    }
}
