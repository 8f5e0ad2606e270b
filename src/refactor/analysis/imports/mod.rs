//! Imports: what code needs imported where it comes to stand, and how import statements change.

pub(crate) mod added_names;
mod configured_order;
mod joined_lines;
pub(crate) mod listed;
pub(crate) mod missing;
mod module_order;
mod name_order;
pub(crate) mod offers;
pub(crate) mod placement;
pub(crate) mod remarks;
pub(crate) mod required;
mod requires;
mod source_order;
pub(crate) mod statements;
pub(crate) mod typed;
pub(crate) mod types;
pub(crate) mod whole_exports;
