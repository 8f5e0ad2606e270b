//! The exception that comes in the place of a code.

/// What is raised, and for what.
pub(super) struct Raised<'r> {
    /// The code that was returned, as it is written.
    pub code: &'r str,
    /// The class.
    pub name: &'r str,
    pub message: &'r str,
}
