//! The name of a source: its path from the project's root.

use std::fmt;
use std::sync::Arc;

/// The name of a source: a path with `/`, absolute or relative to whatever the caller counts from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(Arc<str>);

impl SourceId {
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns what stands before the last component, with its `/`; empty where there is nothing.
    pub fn directory(&self) -> &str {
        self.0.rfind('/').map_or("", |at| &self.0[..=at])
    }
}

impl fmt::Display for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}
