//! The problems that are known already, so that only new ones count.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::plan::Problem;
use crate::text::AbsPath;

/// Known problems by what they are known again by, and how many there are of each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: u32,
    problems: BTreeMap<String, usize>,
}

const VERSION: u32 = 1;

/// Why a file is no baseline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadBaseline {
    #[error("it is not the JSON of a baseline: {0}")]
    Json(String),
    #[error("it is of version {0}, not {VERSION}")]
    Version(u32),
}

impl Baseline {
    pub fn of(found: &[Problem], root: &AbsPath) -> Self {
        let mut problems: BTreeMap<String, usize> = BTreeMap::new();
        for one in found {
            *problems.entry(key(one, root)).or_default() += 1;
        }
        Self { version: VERSION, problems }
    }

    pub fn read(json: &str) -> Result<Self, BadBaseline> {
        let baseline: Self = serde_json::from_str(json).map_err(|error| BadBaseline::Json(error.to_string()))?;
        if baseline.version == VERSION { Ok(baseline) } else { Err(BadBaseline::Version(baseline.version)) }
    }

    /// Writes one problem a line, sorted, so that version control can merge it.
    pub fn write(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("names and numbers have a JSON form");
        format!("{json}\n")
    }

    pub fn len(&self) -> usize {
        self.problems.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Takes the known ones out of what was found, and returns how many those were.
    pub fn subtract(&self, found: &mut Vec<Problem>, root: &AbsPath) -> usize {
        let mut known = self.problems.clone();
        let before = found.len();
        found.retain(|one| match known.get_mut(&key(one, root)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
        before - found.len()
    }
}

/// What a problem is known again by when the code around it has moved: no lines are in it.
fn key(problem: &Problem, root: &AbsPath) -> String {
    let path = problem.path.relative_to(root).map_or_else(|| problem.path.to_string(), |path| path.to_string());
    let (source, code) = (problem.source.as_deref().unwrap_or("-"), problem.code.as_deref().unwrap_or("-"));
    format!("{source} {code} {path}: {}", problem.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Severity;
    use crate::text::{Position, Range};

    fn problem(line: u32, message: &str) -> Problem {
        let position = Position { line, character: 0 };
        Problem {
            path: AbsPath::new("/p/a.py").unwrap(),
            range: Some(Range { start: position, end: position }),
            severity: Severity::Error,
            code: Some("F401".to_owned()),
            message: message.to_owned(),
            source: Some("Ruff".to_owned()),
        }
    }

    #[test]
    fn what_has_moved_is_known_and_one_more_of_it_is_new() {
        let root = AbsPath::new("/p").unwrap();
        let baseline = Baseline::of(&[problem(1, "unused"), problem(2, "other")], &root);
        assert_eq!(Baseline::read(&baseline.write()).unwrap(), baseline);
        let mut found = vec![problem(7, "unused"), problem(8, "unused")];
        assert_eq!(baseline.subtract(&mut found, &root), 1);
        assert_eq!(found, [problem(8, "unused")]);
        assert!(matches!(Baseline::read("{\"version\": 2, \"problems\": {}}"), Err(BadBaseline::Version(2))));
    }
}
