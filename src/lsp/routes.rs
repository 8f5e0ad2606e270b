//! Which servers answer which feature of which language, in order of preference.

use std::collections::BTreeMap;

use super::spec::{Feature, ServerName};

/// The routes of every language that some server serves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Routes {
    languages: BTreeMap<String, Preferences>,
}

/// The routes of one language.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Preferences {
    usual: Vec<ServerName>,
    features: BTreeMap<Feature, Vec<ServerName>>,
}

impl Routes {
    /// Returns the servers to ask, the preferred one first; none where nobody serves the language.
    pub fn get(&self, language: &str, feature: Feature) -> &[ServerName] {
        let Some(preferences) = self.languages.get(language) else { return &[] };
        preferences.features.get(&feature).unwrap_or(&preferences.usual)
    }

    /// Returns the LSP ids of the languages that have a route, in order.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.keys().map(String::as_str)
    }

    /// Sets who answers what `set` has not said otherwise.
    pub(super) fn set_usual(&mut self, language: &str, servers: Vec<ServerName>) {
        self.languages.entry(language.to_owned()).or_default().usual = servers;
    }

    pub(super) fn set(&mut self, language: &str, feature: Feature, servers: Vec<ServerName>) {
        self.languages.entry(language.to_owned()).or_default().features.insert(feature, servers);
    }

    pub(super) fn has_usual(&self, language: &str) -> bool {
        self.languages.get(language).is_some_and(|preferences| !preferences.usual.is_empty())
    }

    /// Drops the servers for which `keep` says no, from every route.
    pub(super) fn retain(&mut self, keep: impl Fn(&ServerName) -> bool) {
        for preferences in self.languages.values_mut() {
            preferences.usual.retain(&keep);
            for servers in preferences.features.values_mut() {
                servers.retain(&keep);
            }
        }
        self.languages.retain(|_, preferences| {
            !preferences.usual.is_empty() || preferences.features.values().any(|servers| !servers.is_empty())
        });
    }
}
