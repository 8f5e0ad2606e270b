//! Breaks real packages at random and lets the servers' fixes mend them: imports are deleted, names misspelt, imports added
//! that nobody needs.
//!
//! `cargo bench --bench fixes -- --help` tells the options.
//!
//! `cargo bench --bench fixes` fetches pinned packages from their registries (`subjects.rs` is the list), breaks a copy of
//! each in so many places of one kind (`damage.rs`; a seeded generator chooses), and plans fixes, each plan
//! checked, and applied unless the check speaks against it, until nothing changes (`trial.rs`). A damage is mended as it
//! was, or in another way with nothing new found; it is caught where the check refused the plan of its file, wrong where
//! an accepted plan leaves something in the file that was not found before the damage, and else left. What no server finds is
//! counted for itself.
//!
//! With `--beside` code actions at random places are planned instead, and compared with what the bare server answers a
//! client that asks for them (`beside.rs`): the same bytes, and medians of the times, warm.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]
#![expect(unreachable_pub, reason = "a binary's modules have no outside")]

mod beside;
#[path = "../speed/conversation.rs"]
#[expect(dead_code, reason = "the other benchmarks use the rest")]
mod conversation;
mod damage;
mod names;
#[path = "../soundness/packages.rs"]
#[expect(dead_code, reason = "the other benchmark's checkers are not needed here")]
mod packages;
#[path = "../soundness/random.rs"]
#[expect(dead_code, reason = "the other benchmark uses the rest")]
mod random;
#[path = "../speed/raw.rs"]
#[expect(dead_code, reason = "the other benchmark uses the rest")]
mod raw;
mod subjects;
#[path = "../soundness/tree.rs"]
#[expect(dead_code, reason = "the other benchmark uses the rest")]
mod tree;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use lspwright::tools::Trust;

use damage::Kind;
use subjects::{SUBJECTS, Subject};

/// Breaks real packages at random and lets the servers' fixes mend them.
#[derive(Parser)]
pub struct Options {
    /// How many places of each kind are broken in each package.
    #[arg(long, default_value_t = 30)]
    n: usize,
    /// What the random choices start from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these packages.
    #[arg(long)]
    package: Vec<String>,
    /// Only kinds of damage whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Leaves servers out that run what a project says.
    #[arg(long)]
    untrusted: bool,
    /// Compares so many actions of each package with the bare server's, instead of breaking anything.
    #[arg(long)]
    beside: Option<usize>,
    /// Where the packages are kept.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Cargo passes this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    match bench(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// Prints a table; tells whether nothing is wrong.
fn bench(options: &Options) -> Result<bool, String> {
    let cache = packages::kept_in(options.cache.clone())?;
    let is_named = |name: &str| options.package.is_empty() || options.package.iter().any(|one| one == name);
    let subjects: Vec<&Subject> = SUBJECTS.iter().filter(|subject| is_named(subject.name)).collect();
    match options.beside {
        Some(n) => beside(options, &subjects, (&cache, n)),
        None => broken(options, &subjects, &cache),
    }
}

fn broken(options: &Options, subjects: &[&Subject], cache: &Path) -> Result<bool, String> {
    let mut details = Vec::new();
    let mut is_sound = true;
    println!(
        "| package | damage | places | as before | otherwise | caught | wrong | left | nobody finds it | new findings |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for subject in subjects {
        let mut ground = trial::ground(subject, cache, options.trust())?;
        for kind in Kind::ALL {
            if options.only.as_ref().is_some_and(|only| !kind.name().contains(only.as_str())) {
                continue;
            }
            let begin = Instant::now();
            let it = ground.run(kind, options.n, options.seed)?;
            let counts = [it.made, it.restored, it.otherwise, it.caught, it.wrong, it.left, it.unnoticed, it.new]
                .map(|it| it.to_string());
            println!("| {} | {} | {} |", subject.name, kind.name(), counts.join(" | "));
            eprintln!("{} {}: {:.0} s", subject.name, kind.name(), begin.elapsed().as_secs_f64());
            is_sound &= it.wrong == 0;
            details.extend(it.details);
        }
    }
    written(&cache.join("fixes.txt"), &details)?;
    Ok(is_sound)
}

fn beside(options: &Options, subjects: &[&Subject], (cache, n): (&Path, usize)) -> Result<bool, String> {
    let (mut details, mut is_same) = (Vec::new(), true);
    println!(
        "| package | actions | the same bytes | refused | different | list, ms: bare / lspwright | plan, ms: bare / lspwright |"
    );
    println!("|---|---|---|---|---|---|---|");
    for subject in subjects {
        let mut ground = trial::ground(subject, cache, Trust::Nothing)?;
        let it = beside::compare(&mut ground, n, options.seed)?;
        let all = it.same + it.refused.len() + it.different.len();
        let (lists, plans) = (medians(&it.lists), medians(&it.plans));
        println!(
            "| {} | {all} | {} | {} | {} | {lists} | {plans} |",
            subject.name,
            it.same,
            it.refused.len(),
            it.different.len()
        );
        is_same &= it.different.is_empty();
        details.extend(it.different);
        details.extend(it.refused);
    }
    written(&cache.join("beside.txt"), &details)?;
    Ok(is_same)
}

/// The middle ones of paired times, and their ratio.
fn medians(times: &[(f64, f64)]) -> String {
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let bare = median(times.iter().map(|it| it.0).collect());
    let own = median(times.iter().map(|it| it.1).collect());
    format!("{bare:.1} / {own:.1} ({:.2})", own / bare)
}

fn written(file: &Path, details: &[String]) -> Result<(), String> {
    fs::write(file, details.join("\n")).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("details: {}", file.display());
    Ok(())
}

impl Options {
    fn trust(&self) -> Trust {
        if self.untrusted { Trust::Nothing } else { Trust::Project }
    }
}
