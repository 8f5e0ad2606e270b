//! What members are called in the new class.

/// Returns a member's name without the marks of a private one: the old class has to say it.
pub(crate) fn bare(name: &str) -> &str {
    name.trim_start_matches(['_', '#'])
}
