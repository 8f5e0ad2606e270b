//! How much lspwright adds to the servers that it asks: medians of paired runs beside a minimal client that
//! sends the same server the bare request, in the same minutes on the same machine.
//!
//! `cargo bench --bench speed -- --help` tells the options.
//!
//! `cargo bench --bench speed` runs lspwright's MCP server and a minimal client of the same language server in turn,
//! cold and warm, and prints medians and their ratio; then lspwright's own start and its memory on a plan of 50,000
//! edits.
//!
//! `cargo bench --bench speed -- --only shell --warm 60` asks for the same renames by commands of the shell, which the
//! daemon runs, and by calls of a warm MCP server in turn.
//!
//! `cargo bench --bench speed -- --only solidity` asks lspwright and the Solidity servers that npm has for the same
//! renames in OpenZeppelin's contracts: places, time and memory, first, warm, and right after an edit.
//!
//! `cargo bench --bench speed -- --only declarations --tree DIR` measures the index of declarations, and what it answers.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]
#![expect(unreachable_pub, reason = "a binary's modules have no outside")]

mod cases;
#[expect(dead_code, reason = "the soak's servers are left, none here")]
mod conversation;
mod declarations;
mod lspwright;
mod own;
#[path = "../soundness/packages.rs"]
#[expect(dead_code, reason = "the other benchmark's checkers are not needed here")]
mod packages;
mod raw;
mod refactor;
mod shell;
mod solidity;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Measures lspwright beside the raw servers.
#[derive(Parser)]
pub struct Options {
    /// How many warm requests per case.
    #[arg(long, default_value_t = 21)]
    warm: usize,
    /// How many cold starts per case.
    #[arg(long, default_value_t = 3)]
    cold: usize,
    /// Only cases whose name contains this; `own` for the figures without a server, `shell`,
    /// `refactorings`, `declarations`, or
    /// `solidity` for the embedded one.
    #[arg(long)]
    only: Option<String>,
    /// For `declarations`: another tree than django's package, such as that of its source distribution.
    #[arg(long)]
    tree: Option<PathBuf>,
    /// Where the packages are kept.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Cargo passes this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    match bench(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn bench(options: &Options) -> Result<(), String> {
    let cache = packages::kept_in(options.cache.clone())?;
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    println!("| case | edits (raw) | edits (lspwright) | raw, ms | lspwright, ms | ratio |\n|---|---|---|---|---|---|");
    for case in cases::CASES.iter().filter(|case| wanted(case.name)) {
        cases::measure(case, options, &cache)?;
    }
    if wanted("own") {
        own::measure(&cache)?;
    }
    if wanted("shell") {
        shell::measure(options, &cache)?;
    }
    if wanted("refactorings") {
        refactor::measure(options, &cache)?;
    }
    if wanted("declarations") {
        declarations::measure(options, &cache)?;
    }
    if wanted("solidity") {
        solidity::measure(options, &cache)?;
    }
    Ok(())
}

/// Returns the middle one of the times, in milliseconds.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
