//! A file in a language that is looked into.

use crate::syntax::Language;
use crate::text::AbsPath;

/// A file in a language that is looked into.
#[derive(Debug, Clone)]
pub struct SourceFile {
    pub path: AbsPath,
    /// Relative to the root.
    pub name: String,
    pub language: Language,
    pub bytes: u64,
}
