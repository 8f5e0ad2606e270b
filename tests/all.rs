//! All integration tests: one binary, one module per file.

mod cases;
mod lsp_real;
mod provision;
mod support;
