//! Inspections beside the tools that people use, on the same trees in the same run: what is counted in every
//! function, where code is repeated, what is never used, and how long it takes.
//!
//! `cargo bench --bench smells` fetches pinned packages and tools from their registries into its cache.
//!
//! `cargo bench --bench smells` looks into pinned packages beside pinned tools, on the same trees in the same run:
//! what is counted in every function (`functions.rs`; differences that a rule of a tool explains are named by it, the
//! others are *unexplained*), where code is repeated, what is never used (`places.rs`), and times as ratios, with
//! those of a tree of 1,533 Python files (`times.rs`). `eslint.mjs` listens to ESLint's rules. Packages and tools are
//! fetched once; `--only` takes a part of a package's name, `--show` says how many differences are printed.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]
#![expect(unreachable_pub, reason = "a binary's modules have no outside")]

mod functions;
#[path = "../soundness/packages.rs"]
#[expect(dead_code, reason = "the other benchmark's checkers are not needed here")]
mod packages;
mod places;
mod times;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use lspwright::text::AbsPath;
use lspwright::workspace::Disk;

use packages::{Family, PACKAGES, Package, python};
use tools::{Toolbox, Tools};

/// Compares inspections with radon, ruff, vulture, ESLint, eslint-plugin-sonarjs, jscpd and knip.
#[derive(Parser)]
pub struct Options {
    /// Only packages whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// How many differences are printed per package and number.
    #[arg(long, default_value_t = 5)]
    show: usize,
    /// Where packages and tools are kept.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Cargo passes this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The packages of real size that are compared.
const COMPARED: &[&str] = &["rich", "networkx", "django", "rxjs", "viem", "eslint"];

/// A tree of 1,533 Python files: for the time alone.
const LARGEST: Package = python("sympy", "1.14.0", &["sympy"]);

fn main() -> ExitCode {
    match bench(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// One package as it lies in the cache.
pub struct Subject {
    pub name: &'static str,
    pub language: Family,
    pub disk: Disk,
    pub root: PathBuf,
    /// Relative to the root.
    pub sources: &'static str,
}

fn bench(options: &Options) -> Result<(), String> {
    let cache = packages::kept_in(options.cache.clone())?;
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    let toolbox = Toolbox::fetch(&cache)?;
    let compared = PACKAGES.iter().filter(|package| COMPARED.contains(&package.name) && wanted(package.name));
    let mut agreement = functions::Agreement::default();
    let mut sightings = Vec::new();
    let mut clock = times::Clock::default();
    for package in compared {
        let subject = Subject::open(package, &cache)?;
        let tools = toolbox.run(&subject)?;
        functions::compare(&subject, &tools, &mut agreement)?;
        sightings.push(places::compare(&subject, &tools)?);
        clock.add(&subject, &tools)?;
    }
    agreement.print(options.show);
    places::print(&sightings, options.show);
    if wanted(LARGEST.name) {
        clock.add(&Subject::open(&LARGEST, &cache)?, &Tools::default())?;
    }
    clock.print();
    Ok(())
}

impl Subject {
    fn open(package: &'static Package, cache: &Path) -> Result<Self, String> {
        let root = package.fetch(cache)?;
        let path = AbsPath::new(root.clone()).map_err(|error| error.to_string())?;
        let disk = Disk::open(&path).map_err(|error| error.to_string())?;
        let sources = package.sources.first().copied().unwrap_or(".");
        Ok(Self { name: package.name, language: package.language, disk, root, sources })
    }
}
