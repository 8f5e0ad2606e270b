//! The `lspwright` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    lspwright::cli::main()
}
