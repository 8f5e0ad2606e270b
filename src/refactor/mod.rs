//! Floor 5: from an intent to a plan.

mod backends;
pub mod catalog;
mod composed;
mod interface;
pub mod moves;
pub mod refusal;
pub mod rename;

pub use refusal::Refusal;
