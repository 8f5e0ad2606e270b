//! Solidity as an auditor reads it: what is inherited, what is called, what is written.

mod body;
mod code;
mod edges;
mod effects;
mod gaps;
mod imports;
mod insight;
mod order;
mod project;
mod refs;
mod reverts;
mod select;
mod summary;
mod types;
mod view;
mod world;

use super::written::one_line;

pub(super) use imports::Finder;
pub(super) use insight::{every_insight, insights};
pub(super) use reverts::reverts;
pub(super) use summary::Analyst;
pub(super) use types::{getter_signature, signature};
pub(super) use world::{ContractId, Home, MemberId, World};
