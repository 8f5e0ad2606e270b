//! Floor 2: what Solidity sources declare and mean, bound by slang. Pure: the texts come from the caller.

mod engine;
mod extract;
mod families;
mod guard;
mod header;
mod imports;
mod lexer;
mod model;
mod project;
mod repair;
mod shape;
mod unit;
mod version;

pub use guard::{Limit, check};
pub use header::{Header, Import};
pub use imports::{Imports, Remapping};
pub use lexer::{Token, TokenKind, tokens};
pub use model::{
    Definition, DefinitionId, DefinitionKind, FileFacts, Model, Mutability, Problem, Reference, Target, Visibility,
};
pub use project::{Project, SourceId};

#[cfg(test)]
mod tests;
