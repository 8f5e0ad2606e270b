//! Floor 2: what Solidity sources declare and mean, bound by slang. Pure: the texts come from the caller.

mod bodies;
mod clashes;
mod docs;
mod engine;
mod extract;
mod families;
mod guard;
mod header;
mod imports;
mod layout;
mod lexer;
mod model;
mod moves;
mod project;
mod rename;
mod repair;
mod selector;
mod shape;
mod source_id;
mod unit;
mod version;

pub use bodies::bodies;
pub use guard::{Limit, check};
pub use header::{Header, Import};
pub use imports::{Directory, Imports, Remapping};
pub use layout::{Generation, Layout, Tree};
pub use lexer::{Token, TokenKind, tokens};
pub use model::{
    Definition, DefinitionId, DefinitionKind, FileFacts, Model, Mutability, Problem, Reference, Target, Visibility,
};
pub use moves::{import_path, moved};
pub use project::{CompilationUnit, Project};
pub use rename::{Renaming, Unrenamable, confirm, name_at, related, rename};
pub use selector::selector;
pub use source_id::SourceId;

#[cfg(test)]
mod tests;
