//! Floor 5: from an intent to a plan.

pub mod moves;
pub mod refusal;
pub mod rename;

pub use refusal::Refusal;
