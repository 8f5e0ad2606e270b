//! All integration tests: one binary, one module per file.

#![allow(clippy::unwrap_used, reason = "where a test cannot go on, it has failed")]

mod actions;
mod affected;
mod audit;
mod audit_gaps;
mod book;
#[cfg(unix)]
mod build;
#[cfg(unix)]
mod build_runners;
mod cases;
mod catalog_client;
mod checkout;
mod cli;
#[cfg(unix)]
mod coding;
mod coding_json;
#[cfg(unix)]
mod copies;
#[cfg(target_os = "linux")]
mod daemon;
mod embedded;
mod errors;
mod every_action;
mod explore;
mod faces;
#[cfg(target_os = "linux")]
mod faults;
mod fits;
#[cfg(unix)]
mod http;
mod inspect;
#[cfg(unix)]
mod kept_checks;
mod licences;
mod lsp_actions;
mod lsp_answers;
mod lsp_client;
mod lsp_edits;
mod lsp_process;
mod lsp_real;
mod mcp;
mod moves_script;
mod other_servers;
mod packaging;
mod provision;
mod pyright_bounds;
mod refactorings;
mod scripted;
mod serve;
mod server_offers;
mod solidity_model;
mod solidity_plans;
mod steps;
mod support;
#[cfg(unix)]
mod terminal;
mod tidy;
#[cfg(unix)]
mod trust;
mod verify;
mod views;
#[cfg(unix)]
mod workspace;
mod write;
mod written;
