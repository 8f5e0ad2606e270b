//! The smells that are known already, so that only new ones count.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::analysis::Found;

/// Known findings by what they are known again by, and how many there are of each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: u32,
    smells: BTreeMap<String, usize>,
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
    pub fn of(found: &[Found]) -> Self {
        let mut smells: BTreeMap<String, usize> = BTreeMap::new();
        for one in found {
            *smells.entry(key(one)).or_default() += 1;
        }
        Self { version: VERSION, smells }
    }

    pub fn read(json: &str) -> Result<Self, BadBaseline> {
        let baseline: Self = serde_json::from_str(json).map_err(|error| BadBaseline::Json(error.to_string()))?;
        if baseline.version == VERSION { Ok(baseline) } else { Err(BadBaseline::Version(baseline.version)) }
    }

    /// Writes one finding a line, sorted, so that version control can merge it.
    pub fn write(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("names and numbers have a JSON form");
        format!("{json}\n")
    }

    pub fn len(&self) -> usize {
        self.smells.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.smells.is_empty()
    }

    /// Takes the known ones out of what was found, and returns how many those were.
    pub fn subtract(&self, found: &mut Vec<Found>) -> usize {
        let mut known = self.smells.clone();
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

fn key(found: &Found) -> String {
    format!("{} {}", found.smell.name, found.finding.anchor)
}
