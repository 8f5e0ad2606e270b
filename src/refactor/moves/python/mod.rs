//! What has to change in Python code when modules and packages move.
//!
//! The way there: [`moves`] says what goes where, [`world`] what every import means before and after,
//! [`statements`] rewrites imports, [`chains`] the uses of what they bind, [`strings`] finds the names
//! in strings and documents, and [`proof`] checks that everything still means what it meant.

mod assembled;
mod checks;
mod cycles;
mod document_examples;
mod dotted_names;
mod edits;
mod entry_points;
mod error;
mod import_roots;
mod importing;
mod links;
pub(super) mod listed_packages;
mod listed_submodules;
mod loaded_names;
mod loading;
mod missing_packages;
mod moves;
mod namespaces;
mod naming;
pub(crate) mod packed_by_name;
mod place;
mod plan;
mod project_modules;
mod proof;
mod reexports;
mod scopes;
mod setting_paths;
mod source;
pub(crate) mod star_gifts;
pub(crate) mod star_names;
mod statements;
mod stdlib;
mod strings;
mod tree;

use std::sync::Arc;

use super::{Changes, Relocation};
use crate::text::{AbsPath, Text};

pub use error::Refused;
pub(super) use importing::Resolver;
pub(crate) use links::{Modules, with_modules};
pub(crate) use stdlib::is_stdlib;
pub(crate) use strings::SETTINGS;
pub(super) use strings::is_bounded;
pub use tree::ModuleTree;

/// Plans the edits that keep every import of the moved modules, and every import in them, right.
///
/// `read` gives the text of a file, `mentioning` the files that hold a word.
///
/// # Errors
/// Where no edits can keep the program as it is; nothing is left out silently.
pub fn changes(
    relocation: &Relocation,
    tree: &ModuleTree,
    read: &dyn Fn(&AbsPath) -> Option<Arc<Text>>,
    mentioning: &dyn Fn(&str) -> Vec<AbsPath>,
) -> Result<Changes, Refused> {
    plan::changes(relocation, tree, &plan::Project { read, mentioning })
}

#[cfg(test)]
mod tests;
