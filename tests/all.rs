//! All integration tests: one binary, one module per file.

mod cases;
mod lsp_client;
mod lsp_real;
mod provision;
mod scripted;
mod support;
