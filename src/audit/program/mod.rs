//! Programs in Python, TypeScript and JavaScript: what a file imports, and where that leads.

mod attributes;
mod body;
mod imports;
mod lost;
mod modules;
mod project;
mod unit;

pub(super) use body::{Body, Event, Place, What};
pub(super) use imports::{Bound, bound_names};
pub(super) use lost::lost_imports;
pub(super) use project::{FunctionId, Program};
pub(super) use unit::Unit;
