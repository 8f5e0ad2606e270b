//! Floor 6: what is there to be seen in code: its structure and its smells. Nothing is changed.
//!
//! No server is asked: everything comes from the flat syntax tree (`syntax/node.rs`), in one pass over its nodes, so
//! no text is too deep. `survey` finds the files and works on them on all cores, the largest first; a tree lives only
//! while its file is worked on.
//!
//! - `syntax/kinds.rs` is the one list of what the grammars call functions, branches, loops: a grammar's words get
//!   their roles once, and a node's are looked up by its number. `syntax/measures.rs` counts with it, for `metrics`
//!   too, as each language's own linters do (its tests hold the numbers that radon, ESLint and eslint-plugin-sonarjs
//!   gave).
//! - `outline` is what a text consists of. Every name in it is a target by `syntax/naming.rs`, the way back of
//!   `syntax/target.rs`: names, with lines where several are called the same, or else a place.
//! - `smells/` has one file for each smell and one table, `SMELLS`, which the tool, the help, the configuration and
//!   the tests walk. A smell is found in each file (`Find::InFile`), or each file leaves `Facts`, small enough to
//!   keep for thousands of files, and these are judged together (`Find::Across`).
//! - What is private is dead if its name stands nowhere: in its file by the text, elsewhere by the index of words.
//!   Both can only take dead code for living, not the other way round.
//! - `smells/assembled.rs` knows beginnings of names that strings hold (`"_print_" + kind`): what may be called by
//!   such a name is not dead, and does not decide on its parameters. Smells that a language cannot have are told in
//!   the notes.
//! - A finding's `anchor` has no lines in it: by it a baseline (`render/baseline.rs`) knows a smell again when the code
//!   has moved.

mod analysis;
mod config;
mod error;
mod outline;
mod params;
mod search;
mod smells;
mod source_file;
mod structure;
mod survey;
mod view;

pub use analysis::{Analysis, Request, SmellFinding, analyze};
pub use config::{Config, ConfigError};
pub use error::InspectError;
pub use outline::{Class, Function, Outline, outline};
pub use params::{Parameter, ParameterKind};
pub use search::{Match, Matches, SearchQuery, search};
pub use smells::{Finding, Limit, SMELLS, Severity, Smell};
pub use source_file::SourceFile;
pub use structure::{Depth, count, structure};
pub use survey::{LANGUAGES, Survey, SurveyKind, Watch, language_name, parse};
