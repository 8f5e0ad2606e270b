//! What an import statement says, apart from how it is written.

use crate::text::AbsPath;

/// One import as a statement binds a name by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    pub module: Module,
    /// The name in the module; nothing for the module itself; `default` in scripts.
    pub item: Option<String>,
    /// The name that it gets.
    pub bound: String,
    pub is_type: bool,
}

/// A module as an import names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Module {
    /// Relative: the file's path, without an ending where none was written.
    File(AbsPath),
    Named(String),
}

/// Cuts a path's ending off.
pub(crate) fn stem(path: &AbsPath) -> AbsPath {
    let whole = path.as_str();
    let cut = whole.strip_suffix(path.extension()).and_then(|rest| rest.strip_suffix('.')).unwrap_or(whole);
    AbsPath::new(cut.strip_suffix(".d").unwrap_or(cut)).unwrap_or_else(|_| path.clone())
}
