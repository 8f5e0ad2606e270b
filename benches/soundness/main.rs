//! Tries renames, moves and refactorings at randomly chosen places of real packages: each plan is applied to a copy,
//! and the language's own checker, and the package's tests if wanted, say whether the program is worse off. With `--laws`
//! plans are compared with each other instead: from other places, there and back, one after the other.
//!
//! `cargo bench --bench soundness -- --help` tells the options.
//!
//! `cargo bench --bench soundness` fetches pinned packages from their registries (`packages.rs` is the list), chooses
//! declarations of every kind with a seeded generator, plans their renames and moves, applies each plan to a second
//! copy and asks the language's own compiler for what is new: findings are compared as multisets, by file (followed
//! through the plan's moves), code and message with the two names read as one. It looks at the files that the plan
//! touches and at those that mention one of the names; `--whole` looks at all. With `--tests` the package's own tests
//! run as well, before any plan and after each: what fails after a plan and did not before makes it unsound, or told,
//! where the plan's warnings name code that mentions the name and is not changed, or say that such names are put
//! together at run time. `--package`, `--only`, `--seed` and `--trial` ask a single trial again, and every one that
//! is not sound is written down with what was seen. `--only refactorings` goes through the catalog by turns
//! (`recipes.rs` says at which places each is asked for, and with what; `spots.rs` finds the places): each is asked
//! for at one random place after the other until there is a plan. Two stand-ins for the engine keep the benchmark
//! honest: with `--engine nothing` every trial has to come out sound, with `--engine careless` nearly none.
//!
//! With `--laws` the same benchmark compares plans with each other (`laws/`, a file for each law and one table):
//! `Ground` is a package's copy with a warm session, which is put through a plan and back by writing texts; `Case` is
//! a declaration with the plans that the laws compare; `Ledger` keeps the outcomes, so that a run can be split
//! (`--from`) and taken up again (`--results`). docs/soundness.md says what the laws assert and what came of them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]
#![expect(unreachable_pub, reason = "a binary's modules have no outside")]

mod checker;
mod compare;
mod declarations;
mod engine;
mod laws;
mod packages;
mod random;
mod recipes;
mod report;
mod run;
mod spots;
mod suite;
mod tree;
mod trials;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use packages::{PACKAGES, Package, REFACTORED};
use report::Report;

/// Tries renames, moves and refactorings on packages of the registries and counts how many plans are sound.
#[derive(Parser)]
pub struct Options {
    /// How many trials, over all packages.
    #[arg(long, default_value_t = 420)]
    n: usize,
    /// What the random choices start from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these packages.
    #[arg(long)]
    package: Vec<String>,
    /// Only trials of this sort; refactorings are not tried otherwise.
    #[arg(long)]
    only: Option<Sort>,
    /// Only the trial of this number in each package, and what it changed.
    #[arg(long)]
    trial: Option<usize>,
    /// The library's own verification, laid over each plan: none, syntax, diagnostics or project.
    #[arg(long, default_value = "none")]
    verify: String,
    /// Checks every file after each plan, not only those that it touches or that mention one of the names.
    #[arg(long)]
    whole: bool,
    /// Runs the package's own tests after each plan, too; only packages that ship tests are tried.
    #[arg(long)]
    tests: bool,
    /// Looks whether plans keep these laws, instead of checking them: some of closure, removal, padding, inverse, detour,
    /// independence, or all; on packages of their own unless some are named.
    #[arg(long, value_delimiter = ',')]
    laws: Vec<String>,
    /// Closure: so many places of each plan are asked from, at most.
    #[arg(long, default_value_t = 4)]
    places: usize,
    /// Laws: the number of the first trial in each package, so that a run can be split.
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// Laws: outcomes are added to this file, one line of JSON each, and what stands there is not tried again; the table
    /// is that of the whole file.
    #[arg(long)]
    results: Option<PathBuf>,
    /// Who plans.
    #[arg(long, default_value = "library")]
    engine: Engine,
    /// Where the packages and checkers are kept.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Where refused, flagged and unsound trials are written down; beside the packages where not given.
    #[arg(long)]
    details: Option<PathBuf>,
    /// Cargo passes this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    Renames,
    Moves,
    /// By turns all of the catalog, each asked for until there is a plan.
    Refactorings,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// lspwright.
    Library,
    /// Changes nothing: every plan has to come out sound.
    Nothing,
    /// Changes only the declaration: nearly every plan has to come out unsound.
    Careless,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if !options.laws.is_empty() {
        return laws::run(&options);
    }
    match bench(&options) {
        Ok(report) => {
            println!("{}", report.tables());
            if report.has_unsound() { ExitCode::from(1) } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn bench(options: &Options) -> Result<Report, String> {
    let cache = packages::kept_in(options.cache.clone())?;
    let tools = packages::Tools::fetch(&cache)?;
    let named = |package: &&Package| options.package.iter().any(|name| name == package.name);
    let usual = if options.only == Some(Sort::Refactorings) { REFACTORED } else { PACKAGES };
    let known = [PACKAGES, REFACTORED, laws::PACKAGES].into_iter().flatten().filter(named);
    let chosen: Vec<_> = if options.package.is_empty() { usual.iter().collect() } else { known.collect() };
    let chosen: Vec<_> =
        chosen.into_iter().filter(|package| !options.tests || !package.tests_need.is_empty()).collect();
    let details = options.details.clone().unwrap_or_else(|| cache.join("details.txt"));
    let mut report = Report::new(&details)?;
    println!("details: {}", details.display());
    let each = options.n.div_ceil(chosen.len().max(1));
    let bench = run::Bench { options, tools: &tools, cache: &cache, trials: each };
    for package in chosen {
        bench.package(package, &mut report)?;
    }
    Ok(report)
}
