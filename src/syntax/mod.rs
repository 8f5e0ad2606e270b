//! Floor 1: what a text says, by its language. Pure; wrong code is not an error here.

mod assigned;
pub mod contracts;
mod declarations;
mod doc_links;
mod functions;
mod grammar_names;
mod indentation;
pub mod json;
pub mod kinds;
mod language;
mod measures;
mod module_types;
mod names;
mod naming;
mod node;
mod pattern;
mod prose;
pub mod python;
mod readings;
mod roles;
pub mod scopes;
mod site;
mod stems;
pub mod target;
#[cfg(test)]
mod tests;
mod tree;
mod variance;
mod words;

pub use assigned::assigned;
pub use declarations::{
    Also, Declaration, Entry, EntryKind, bases, body_of, declarations, declared_node, entries, head,
    is_parameter_property, with_comments,
};
pub use doc_links::{DocLink, doc_links};
pub use functions::{FunctionSite, functions, is_any_function, is_async};
pub use indentation::{IndentWidth, indent_step};
pub use language::{Family, Language, is_test};
pub use measures::{Measured, Measures, measures};
pub use names::{BadName, check_name};
pub use naming::{Naming, Places, shown};
pub use node::{Node, Nodes};
pub use pattern::{CodePattern, Hole, Occurrence, holes};
pub use prose::Prose;
pub use site::{DeclarationKind, Site, site};
pub use stems::{ATTRIBUTE_ACCESS, Stem, asks_by_made_name, stems};
pub use tree::Tree;
pub use variance::without_variance;
pub use words::whole_words;
