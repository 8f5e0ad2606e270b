//! The `lspwright` binary.

fn main() {}
