//! The laws of plans.
