//! Complete, checked edit plans from real language servers.
//!
//! The floors, from the ground up; a file names only floors below its own (`tests/tidy.rs` checks it):
//! 0 [`text`]; 1 [`plan`], [`syntax`]; 2 [`workspace`], [`render`], [`solidity`]; 3 [`lsp`]; 4 [`session`];
//! 5 [`actions`], [`programs`]; 6 [`refactor`], [`inspect`], [`audit`]; 7 [`verify`], [`declarations`]; 8 [`tools`];
//! 9 [`mcp`], [`daemon`]; 10 [`cli`].

pub mod actions;
pub mod audit;
pub mod cli;
pub mod daemon;
pub mod declarations;
pub mod inspect;
pub mod lsp;
pub mod mcp;
pub mod plan;
pub mod programs;
pub mod refactor;
pub mod render;
pub mod session;
pub mod solidity;
pub mod syntax;
pub mod text;
pub mod tools;
pub mod verify;
pub mod workspace;
