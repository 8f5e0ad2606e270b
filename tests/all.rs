//! All integration tests: one binary, one module per file.

mod cases;
mod provision;
mod support;
