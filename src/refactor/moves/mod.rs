//! Moves of files and directories: what every language has to change when they happen.
//!
//! All files that move are one `Relocation`. `python` rewrites imports by a resolver of its own, since no server does
//! it completely, in the examples of docstrings too, which it reads as code behind their module
//! (`syntax/python/doctest`); `script` asks the server once, then checks every import specifier with a resolver of
//! its own and rewrites path strings in JSON project files; other languages take what their server says to
//! `workspace/willRenameFiles`.

pub(crate) mod documented;
mod importers;
pub(crate) mod links;
mod mentions;
pub(crate) mod new_files;
mod plan;
pub(crate) mod platform_twins;
pub mod python;
mod relocate;
pub mod script;
mod server_moves;

use std::collections::BTreeMap;

use crate::plan::Warning;
use crate::text::{AbsPath, Text, TextEdit};

pub use documented::Documents;
pub use importers::Importers;
pub(crate) use mentions::still_written;
pub use plan::plan_move;

/// A move of one file, of a directory, or of several files at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relocation {
    pub from: AbsPath,
    pub to: AbsPath,
    /// Every file that moves, with where it goes; those that come along with `from` included.
    pub files: BTreeMap<AbsPath, AbsPath>,
    /// Whether `from` is a directory.
    pub is_dir: bool,
}

/// What one language has to change for a relocation, addressed to paths and texts before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    pub edits: BTreeMap<AbsPath, Vec<TextEdit>>,
    /// New files, at their paths after the move.
    pub creates: BTreeMap<AbsPath, Text>,
    pub warnings: Vec<Warning>,
    /// The names of modules in dots, before and after.
    pub names: Vec<(String, String)>,
}

impl Relocation {
    /// One file that becomes another.
    pub fn of_file(from: AbsPath, to: AbsPath) -> Self {
        let files = BTreeMap::from([(from.clone(), to.clone())]);
        Self { from, to, files, is_dir: false }
    }

    /// A directory with `files`, every file below it.
    pub fn of_directory(from: AbsPath, to: AbsPath, files: impl IntoIterator<Item = AbsPath>) -> Self {
        let rebased = |file: AbsPath| file.rebased(&from, &to).map(|target| (file, target));
        let files = files.into_iter().filter_map(rebased).collect();
        Self { from, to, files, is_dir: true }
    }

    /// Returns where a file lies after the move: its own place where it stays.
    pub fn after(&self, file: &AbsPath) -> AbsPath {
        self.files.get(file).unwrap_or(file).clone()
    }
}

impl Changes {
    /// Adds what another language found.
    pub fn merge(&mut self, other: Self) {
        for (path, edits) in other.edits {
            self.edits.entry(path).or_default().extend(edits);
        }
        self.creates.extend(other.creates);
        self.warnings.extend(other.warnings);
        self.names.extend(other.names);
    }
}
