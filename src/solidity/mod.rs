//! Floor 2: what Solidity sources declare and mean, bound by slang. Pure: the texts come from the caller.
//!
//! A `Project` holds sources by name and gives out a `Model`: definitions, references, linearised bases, override
//! families, all owned values. slang's trees are counted references and its recursion is deep, so both live on a
//! thread with a large stack (`engine`). Sources are read in the newest version that they and all that they import
//! allow; those of one version are one `unit`, parsed once each and bound together; after a change only the changed
//! source is parsed, and only its units are bound. A source that does not parse is blanked where it does not
//! (`repair`); one that is too big or nested too deep is refused before slang sees it (`guard`).
//!
//! The typed binder of slang is used, not its public graph: it is some thirty times as fast, tells overloads apart by
//! the types of arguments, and knows linearisations. It is outside slang's promise of stability, so the version is
//! exact.

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
mod loaded;
mod model;
mod moves;
mod project;
mod rename;
mod renaming;
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
pub use rename::{confirm, name_at, related, rename};
pub use renaming::{Renaming, Unrenamable};
pub use selector::selector;
pub use source_id::SourceId;

#[cfg(test)]
mod tests;
