//! Findings that are known already, so that only new ones count: a file that version control can merge.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Known findings of one kind by what they are known again by when the code around them has moved, and how many there
/// are of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    kind: &'static str,
    known: BTreeMap<String, usize>,
}

/// The file: beside the version the findings, under the name of their kind.
#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    #[serde(flatten)]
    kinds: BTreeMap<String, BTreeMap<String, usize>>,
}

const VERSION: u32 = 1;

/// Why a file is no baseline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadBaseline {
    #[error("it is not the JSON of a baseline: {0}")]
    Json(String),
    #[error("it is of version {0}, not {VERSION}")]
    Version(u32),
    #[error("it lists no {0}, or more than them")]
    Kind(&'static str),
}

impl Baseline {
    /// Lists findings by their keys.
    pub fn of(kind: &'static str, keys: impl Iterator<Item = String>) -> Self {
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for key in keys {
            *known.entry(key).or_default() += 1;
        }
        Self { kind, known }
    }

    pub fn read(kind: &'static str, json: &str) -> Result<Self, BadBaseline> {
        let mut file: File = serde_json::from_str(json).map_err(|error| BadBaseline::Json(error.to_string()))?;
        if file.version != VERSION {
            return Err(BadBaseline::Version(file.version));
        }
        let known = file.kinds.remove(kind).filter(|_| file.kinds.is_empty());
        known.map(|known| Self { kind, known }).ok_or(BadBaseline::Kind(kind))
    }

    /// Writes one finding a line, sorted.
    pub fn write(&self) -> String {
        let kinds = BTreeMap::from([(self.kind.to_owned(), self.known.clone())]);
        let json = serde_json::to_string_pretty(&File { version: VERSION, kinds });
        format!("{}\n", json.expect("names and numbers have a JSON form"))
    }

    pub fn kind(&self) -> &'static str {
        self.kind
    }

    pub fn len(&self) -> usize {
        self.known.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Takes the known ones out of what was found, and returns how many those were.
    pub fn subtract<T>(&self, found: &mut Vec<T>, key: impl Fn(&T) -> String) -> usize {
        let mut known = self.known.clone();
        let before = found.len();
        found.retain(|one| match known.get_mut(&key(one)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
        before - found.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_taken_out_as_often_as_it_is_known() {
        let baseline = Baseline::of("smells", ["a", "b"].map(str::to_owned).into_iter());
        assert_eq!(baseline.write(), "{\n  \"version\": 1,\n  \"smells\": {\n    \"a\": 1,\n    \"b\": 1\n  }\n}\n");
        assert_eq!(Baseline::read("smells", &baseline.write()).unwrap(), baseline);
        let mut found = vec!["a", "a", "c"];
        assert_eq!(baseline.subtract(&mut found, |one| (*one).to_owned()), 1);
        assert_eq!(found, ["a", "c"]);
    }

    #[test]
    fn a_file_of_another_kind_or_version_is_refused() {
        let read = |json: &str| Baseline::read("problems", json).unwrap_err();
        assert_eq!(read(r#"{"version": 2, "problems": {}}"#), BadBaseline::Version(2));
        assert_eq!(read(r#"{"version": 1, "smells": {}}"#), BadBaseline::Kind("problems"));
        assert_eq!(read(r#"{"version": 1, "problems": {}, "smells": {}}"#), BadBaseline::Kind("problems"));
        assert!(matches!(read("[]"), BadBaseline::Json(_)));
    }
}
