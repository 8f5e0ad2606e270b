//! Floor 5: from an intent to a plan.

pub mod moves;
