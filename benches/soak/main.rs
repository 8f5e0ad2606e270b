//! `bash` for hours, with kills at random: what is left behind, what it costs to keep, and whether every call is answered.
//!
//! `cargo bench --bench soak -- --minutes 120` runs two MCP servers in turn. The *steady* one lives to the end; its
//! shell, its guard and what they run are killed at random in the middle of commands. The *mortal* one is killed
//! itself, or its client leaves, at random. After each end of a server, and at the end, nothing of what it had started
//! may be there. Every ten minutes a line tells the calls and kills so far, and the steady server's memory, descriptors
//! and children, read right after it was given a new shell. The exit code is 1 where a process was left, a call went
//! unanswered or a shell answered wrongly. Linux only: processes are found by `/proc`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]
#![expect(unreachable_pub, reason = "a binary's modules have no outside")]

#[path = "../speed/conversation.rs"]
#[expect(dead_code, reason = "a language server's half is not needed here")]
mod conversation;
mod marked;
#[path = "../soundness/random.rs"]
#[expect(dead_code, reason = "nothing is picked here")]
mod random;
mod servant;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;

use marked::Figures;
use random::Random;
use servant::{Counts, Servant};

/// Runs commands by `bash` over MCP, and kills what runs them.
#[derive(Parser)]
struct Options {
    /// How long, in minutes.
    #[arg(long, default_value_t = 120)]
    minutes: u64,
    /// Chooses commands, victims and moments.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seconds lie between two lines of figures.
    #[arg(long, default_value_t = 600)]
    every: u64,
    /// Cargo passes this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    match soak(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// Returns whether nothing went wrong.
fn soak(options: &Options) -> Result<bool, String> {
    let begun = Instant::now();
    let mut random = Random::new(options.seed, "soak");
    let mut counts = Counts::default();
    let mut steady = Servant::start("steady", 0)?;
    let mut mortal = Servant::start("mortal", 0)?;
    println!(
        "| minutes | calls | broken off | kills | servers ended | left behind | memory KiB | descriptors | children |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut next = Duration::ZERO;
    while begun.elapsed() < Duration::from_secs(options.minutes * 60) {
        if begun.elapsed() >= next {
            let figures = steady.figures(&mut counts);
            line(begun, &counts, &figures);
            next += Duration::from_secs(options.every);
        }
        for _ in 0..20 {
            steady.act(&mut random, &mut counts);
        }
        for _ in 0..random.below(10) {
            mortal.act(&mut random, &mut counts);
        }
        mortal.end(&mut random, &mut counts);
        mortal = Servant::start("mortal", counts.servers)?;
    }
    let figures = steady.figures(&mut counts);
    line(begun, &counts, &figures);
    steady.end(&mut random, &mut counts);
    mortal.end(&mut random, &mut counts);
    for problem in &counts.problems {
        println!("\n{problem}");
    }
    println!(
        "\n{} calls, {} kills, {} servers ended, {} problems",
        counts.calls,
        counts.kills,
        counts.servers,
        counts.problems.len()
    );
    Ok(counts.problems.is_empty())
}

fn line(begun: Instant, counts: &Counts, figures: &Figures) {
    let minutes = begun.elapsed().as_secs_f64() / 60.0;
    let Figures { memory, descriptors, children } = figures;
    let Counts { calls, late, kills, servers, left, .. } = counts;
    println!(
        "| {minutes:.0} | {calls} | {late} | {kills} | {servers} | {left} | {memory} | {descriptors} | {children} |"
    );
}
