//! Where a module or package lies: its path without an extension, from the project's root.

use std::fmt;

/// `src/pkg/mod`: a module's file without its extension, a package's or any other directory; empty for
/// the project's root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(super) struct Place(String);

impl Place {
    pub(super) fn root() -> Self {
        Self::default()
    }

    /// Takes a path relative to the project's root.
    pub(super) fn of(path: &str) -> Self {
        Self(path.to_owned())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn join(&self, name: &str) -> Self {
        if self.0.is_empty() { Self(name.to_owned()) } else { Self(format!("{}/{name}", self.0)) }
    }

    /// Joins the parts of a dotted name.
    pub(super) fn join_all<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Self {
        names.into_iter().fold(self.clone(), |place, name| place.join(name))
    }

    pub(super) fn parent(&self) -> Option<Self> {
        if self.0.is_empty() {
            return None;
        }
        Some(Self(self.0.rsplit_once('/').map_or_else(String::new, |(parent, _)| parent.to_owned())))
    }

    pub(super) fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    pub(super) fn depth(&self) -> usize {
        if self.0.is_empty() { 0 } else { self.0.split('/').count() }
    }

    /// Returns the names that lead from `base` here; nothing where this place is not below it.
    pub(super) fn names_below(&self, base: &Place) -> Option<Vec<&str>> {
        let rest = if base.0.is_empty() { &self.0 } else { self.0.strip_prefix(base.0.as_str())? };
        if rest.is_empty() {
            return Some(Vec::new());
        }
        let rest = if base.0.is_empty() { rest } else { rest.strip_prefix('/')? };
        Some(rest.split('/').collect())
    }

    pub(super) fn is_below(&self, base: &Place) -> bool {
        self.names_below(base).is_some()
    }

    /// Returns this place and the directories around it, the innermost first, the project's root last.
    pub(super) fn upwards(&self) -> impl Iterator<Item = Place> {
        std::iter::successors(Some(self.clone()), Place::parent)
    }

    /// Returns the innermost directory that both lie in or are.
    pub(super) fn common(&self, other: &Place) -> Place {
        self.upwards().find(|up| other.is_below(up)).unwrap_or_default()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "." } else { &self.0 })
    }
}
