//! The tools that read a project as declarations. Nothing is written.

mod args;
mod errors;
mod find;
mod graph;
mod list;
mod one;
mod uses;
mod view;

pub(super) use errors::{ERROR_SET, errors_of};
pub(super) use find::FIND_DECLARATION;
pub(super) use graph::CALL_GRAPH;
pub(super) use list::{LIST_DECLARATIONS, LIST_MODULES};
pub(super) use one::{GET_DECLARATION, GET_SOURCE, cut};
pub(super) use uses::{CALLERS_OF, CONSTRUCTORS_OF, USAGES_OF};

pub use args::{FindArgs, GraphArgs, ListArgs, Match, ModulesArgs, OneArgs, SourceArgs, Visibility};
pub use errors::error_set;
pub use find::find_declaration;
pub use list::{list_declarations, list_modules};
pub use one::{get_declaration, get_source};
pub use uses::{callers_of, constructors_of, usages_of};
pub(super) use view::{View, meant, target_of};
