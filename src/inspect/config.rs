//! Which smells are looked for, and from which size on: `smells.toml`.
//!
//! ```toml
//! exclude = ["src/generated/**"]
//!
//! [long-method]
//! lines = 60
//!
//! [magic-number]
//! enabled = false
//! ```

use std::collections::BTreeMap;

use globset::{Glob, GlobSet, GlobSetBuilder};
use toml::Value;

use crate::inspect::smells::{Limits, SMELLS, Severity, Smell, smell};

/// What was configured; without any file, the defaults.
#[derive(Debug, Clone, Default)]
pub struct Config {
    exclude: GlobSet,
    smells: BTreeMap<String, Entry>,
}

#[derive(Debug, Clone, Default)]
struct Entry {
    is_off: bool,
    severity: Option<Severity>,
    limits: Vec<(String, u32)>,
}

/// Why a `smells.toml` says nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("it is not TOML: {0}")]
    Toml(String),
    #[error("no smell is called `{name}`; there are {}", names())]
    UnknownSmell { name: String },
    #[error("`{smell}` has no setting `{name}`; there are {known}")]
    UnknownSetting { smell: &'static str, name: String, known: String },
    #[error("`{name}` is to be {wanted}")]
    WrongValue { name: String, wanted: &'static str },
}

fn names() -> String {
    SMELLS.iter().map(|smell| smell.name).collect::<Vec<_>>().join(", ")
}

impl Config {
    /// Reads a file's text, laid over `self`: what it leaves out stays.
    pub fn with(mut self, text: &str) -> Result<Self, ConfigError> {
        let table: toml::Table =
            text.parse().map_err(|error: toml::de::Error| ConfigError::Toml(error.message().to_owned()))?;
        for (name, value) in table {
            match (name.as_str(), value) {
                ("exclude", value) => self.exclude = globs(value)?,
                (_, Value::Table(settings)) => {
                    let smell = smell(&name).ok_or(ConfigError::UnknownSmell { name: name.clone() })?;
                    self.smells.entry(name).or_default().read(smell, settings)?;
                }
                (_, _) if smell(&name).is_some() => {
                    return Err(ConfigError::WrongValue { name, wanted: "a table" });
                }
                (_, _) => return Err(ConfigError::UnknownSmell { name }),
            }
        }
        Ok(self)
    }

    /// Tells whether a file, by its path from the root, is left out.
    pub fn excludes(&self, path: &str) -> bool {
        self.exclude.is_match(path)
    }

    /// Returns the smells that are looked for: those asked for, or all that are not switched off.
    pub fn chosen(&self, asked: &[String]) -> Result<Vec<&'static Smell>, ConfigError> {
        if asked.is_empty() {
            return Ok(SMELLS
                .iter()
                .filter(|smell| !self.smells.get(smell.name).is_some_and(|it| it.is_off))
                .collect());
        }
        let one = |name: &String| smell(name).ok_or_else(|| ConfigError::UnknownSmell { name: name.clone() });
        asked.iter().map(one).collect()
    }

    pub fn limits(&self, smell: &'static Smell) -> Limits<'_> {
        Limits { smell, values: self.smells.get(smell.name).map(|it| it.limits.as_slice()).unwrap_or_default() }
    }

    /// Returns the severity that all findings of a smell are to have.
    pub fn severity(&self, smell: &Smell) -> Option<Severity> {
        self.smells.get(smell.name).and_then(|it| it.severity)
    }
}

impl Entry {
    fn read(&mut self, smell: &'static Smell, settings: toml::Table) -> Result<(), ConfigError> {
        for (name, value) in settings {
            let full = || format!("{}.{name}", smell.name);
            let wrong = |wanted| ConfigError::WrongValue { name: full(), wanted };
            match name.as_str() {
                "enabled" => self.is_off = !value.as_bool().ok_or_else(|| wrong("true or false"))?,
                "severity" => {
                    let severity = value.as_str().and_then(Severity::named);
                    self.severity = Some(severity.ok_or_else(|| wrong("low, medium or high"))?);
                }
                limit if smell.limits.iter().any(|it| it.name == limit) => {
                    let number = value.as_integer().and_then(|it| u32::try_from(it).ok());
                    let number = number.ok_or_else(|| wrong("a whole number, not below zero"))?;
                    self.limits.retain(|(other, _)| *other != name);
                    self.limits.push((name, number));
                }
                _ => {
                    let own = smell.limits.iter().map(|it| it.name);
                    let known = ["enabled", "severity"].into_iter().chain(own).collect::<Vec<_>>().join(", ");
                    return Err(ConfigError::UnknownSetting { smell: smell.name, name, known });
                }
            }
        }
        Ok(())
    }
}

fn globs(value: Value) -> Result<GlobSet, ConfigError> {
    let wrong = || ConfigError::WrongValue { name: "exclude".to_owned(), wanted: "a list of globs" };
    let mut set = GlobSetBuilder::new();
    for pattern in value.as_array().ok_or_else(wrong)? {
        let glob = pattern.as_str().and_then(|pattern| Glob::new(pattern).ok()).ok_or_else(wrong)?;
        set.add(glob);
    }
    set.build().map_err(|_| wrong())
}

#[cfg(test)]
mod tests;
