//! Moves of TypeScript and JavaScript files: what their importers, they themselves and the configurations need.

mod analysis;
mod compiled;
mod configs;
mod coverage;
mod glob;
mod importing;
mod imports;
mod joined_paths;
mod json;
mod links;
mod listing;
mod named_paths;
mod package;
pub(crate) mod page_links;
mod paths;
mod project_files;
pub(super) mod published;
mod required;
mod resolve;
mod respecify;
mod server;
mod specifier_endings;
mod specifiers;
pub(crate) mod star_exports;
mod told_paths;
mod tsconfig;

pub(super) use importing::{Imports, resolver};
pub use imports::Obstacle;
pub(crate) use links::{Modules, Project, is_bare};
pub(super) use server::changes;

#[cfg(test)]
mod tests;
