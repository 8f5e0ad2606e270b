//! With what a contract's function can revert.

use super::error::AuditError;
use super::solidity;
use super::sources::Sources;

/// With what a function can revert, and what is not known of that.
#[derive(Debug, Default)]
pub struct Reverts {
    /// Those that the fewest calls lead to first.
    pub errors: Vec<Revert>,
    pub unknown: Vec<Unfollowed>,
    /// How many functions were looked into.
    pub functions: usize,
}

/// An error with which one function reverts.
#[derive(Debug)]
pub struct Revert {
    pub error: String,
    pub by: RevertingFunction,
    /// Counted from 1.
    pub lines: Vec<u32>,
    /// The functions through which it comes, the one that was asked about first.
    pub path: Vec<String>,
}

/// What may revert with anything.
#[derive(Debug)]
pub struct Unfollowed {
    pub why: Unknown,
    pub written: String,
    pub by: RevertingFunction,
    pub lines: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevertingFunction {
    pub file: String,
    /// Where its name or its keyword stands, in bytes.
    pub at: usize,
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// Nothing of that name is known.
    Unresolved,
    /// What a variable of a function's type holds.
    Value,
    /// It has no body.
    Abstract,
    /// It reverts with data that assembly made.
    Error,
    /// It leaves the contract.
    External,
    /// What the compiler checks by itself.
    Operation,
}

/// Finds with what a function can revert that is declared at a place, as it runs in the contract that declares it; of
/// a contract, with what it can revert when it is deployed.
pub fn reverts(sources: &Sources, at: usize) -> Result<Reverts, AuditError> {
    solidity::reverts(sources, at)
}
