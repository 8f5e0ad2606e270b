//! Refactorings that are written here: one file each, from syntax trees and from what servers know.

mod code;
pub(super) mod magic_number;
