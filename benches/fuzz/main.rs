//! Damaged sources by the thousand, given to what reads them: the Solidity bindings, the audit views, inspections.
//!
//! `cargo bench --bench fuzz -- --minutes 5 --seed 1`. Every text comes from a seed: a case is run again with
//! `--only`. A case that ends the process is left in the file that is named at the start.
//!
//! `cargo bench --bench fuzz -- --minutes 5` damages the sources of real packages by a seeded generator and gives
//! them to the Solidity bindings and to every audit view (`checks.rs` says what must hold: nothing panics, spans lie
//! in their texts, a rename replaces the old name and nothing else, a renewed model says what a new one says, every
//! answer is TOON), and to the inspections (`inspections.rs`). `--target inspect` gives it sources of every language
//! as often, this repository's own among them, and `--also DIR` those below a directory: Go and Java are on no
//! registry that the others come from. A failed case is run again by its `--seed` and `--only`; one that ends the
//! process stands in the file that is named at the start.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]
#![expect(unreachable_pub, reason = "a binary's modules have no outside")]

mod checks;
mod inspections;
mod mutations;
#[path = "../soundness/packages.rs"]
#[expect(dead_code, reason = "the other benchmark's checkers are not needed here")]
mod packages;
#[path = "../soundness/random.rs"]
#[expect(dead_code, reason = "chances are not taken here")]
mod random;
mod seeds;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;

use random::Random;
use seeds::{Mix, Seeds, Texts};

/// Gives damaged sources to the bindings and the views.
#[derive(Parser)]
struct Options {
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Runs this case alone, and prints its texts.
    #[arg(long)]
    only: Option<u64>,
    /// What is given the sources: `solidity` (with the audit views) or `inspect`; all, unless it is said.
    #[arg(long)]
    target: Option<String>,
    /// More sources: those below this directory, in any language that is inspected.
    #[arg(long)]
    also: Vec<PathBuf>,
    /// Where the packages are kept.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Cargo passes this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

type Check = fn(&Texts, &Texts, &mut Random) -> Result<(), String>;

/// What is given the damaged sources, and the step to others.
const TARGETS: &[(&str, Check)] = &[("solidity", checks::check), ("inspect", |first, _, _| inspections::check(first))];

/// What takes longer is told.
const SLOW: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    match fuzz(&Options::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// Returns how many cases failed.
fn fuzz(options: &Options) -> Result<usize, String> {
    let cache = packages::kept_in(options.cache.clone())?;
    let wanted = |name: &str| options.target.as_ref().is_none_or(|target| target == name);
    let targets: Vec<Check> = TARGETS.iter().filter(|(name, _)| wanted(name)).map(|(_, check)| *check).collect();
    let seeds = Seeds::read(&cache, &options.also, if wanted("solidity") { Mix::Solidity } else { Mix::Even })?;
    quiet();
    let current = std::env::temp_dir().join(format!("lspwright-fuzz-{}", std::process::id()));
    println!("{} groups of sources; the case at work: {}", seeds.count(), current.display());
    let until = Instant::now() + Duration::from_secs_f64(options.minutes * 60.0);
    let (mut run, mut failed, mut slowest) = (0_u64, 0, (Duration::ZERO, 0));
    for case in options.only.map_or(0..u64::MAX, |only| only..only + 1) {
        if options.only.is_none() && Instant::now() > until {
            break;
        }
        let mut random = Random::new(options.seed, &format!("case {case}"));
        let (first, second) = seeds.damaged(&mut random);
        if options.only.is_some() {
            for (path, text) in &first {
                println!("== {path}\n{text}");
            }
        }
        std::fs::write(&current, format!("--seed {} --only {case}\n", options.seed)).map_err(|it| it.to_string())?;
        let begun = Instant::now();
        let outcome =
            catch_unwind(AssertUnwindSafe(|| targets.iter().try_for_each(|check| check(&first, &second, &mut random))));
        let took = begun.elapsed();
        run += 1;
        slowest = slowest.max((took, case));
        let problem = match outcome {
            Ok(Ok(())) => (took > SLOW).then(|| format!("took {} s", took.as_secs())),
            Ok(Err(problem)) => Some(problem),
            Err(_) => Some("panicked".to_owned()),
        };
        if let Some(problem) = problem {
            failed += 1;
            println!("--seed {} --only {case}: {problem}", options.seed);
        }
    }
    let _ = std::fs::remove_file(current);
    println!(
        "{run} cases in {:.1} minutes, {failed} failed; the slowest took {} ms (case {})",
        options.minutes,
        slowest.0.as_millis(),
        slowest.1
    );
    Ok(failed)
}

/// Leaves unsaid what the bindings catch by themselves: panics of the parser on its own thread.
fn quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some("solidity") {
            usual(panic);
        }
    }));
}
