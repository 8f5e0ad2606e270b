//! All integration tests: one binary, one module per file.

mod provision;
