//! One place that smells, and how badly.

/// One place that smells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A target that leads to it.
    pub location: String,
    pub line: u32,
    /// The same as long as the code is: paths and names, but no lines.
    pub anchor: String,
    pub severity: Severity,
    pub details: String,
    /// Where another refactoring mends it than the smell's own.
    pub refactoring: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Low,
    Medium,
    High,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == name)
    }

    /// A number far above its limit is worse than one just above it.
    pub(super) fn graded(value: u32, limit: u32) -> Self {
        if value > limit.saturating_mul(2) { Self::High } else { Self::Medium }
    }
}
