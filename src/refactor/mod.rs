//! Floor 6: from an intent to a plan.

mod analysis;
mod backends;
mod beyond;
pub mod catalog;
mod commonjs;
mod composing_methods;
mod conditionals;
mod documents;
pub mod doubts;
mod generalization;
mod interface;
mod method_calls;
pub mod moves;
mod moving_features;
mod observed_variables;
mod obstacles;
mod organizing_data;
pub mod params;
pub mod refusal;
pub mod rename;
pub mod request;
mod scopes;
mod solidity;
mod source_file;
mod tsserver;

pub(crate) use analysis::classes::{ClassHierarchy, LocatedClass};
pub use analysis::imports::missing::{Missing, free_names, missing_imports};
pub(crate) use analysis::references::{UseKind, Uses};
pub use backends::renamed::renamed;
pub use refusal::Refusal;
pub use solidity::missing_imports::{MissingInSolidity, missing_in_solidity};
pub(crate) use tsserver::is_standard;
