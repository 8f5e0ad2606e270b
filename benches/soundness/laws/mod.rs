//! The laws that plans keep whatever they are for, tried on packages that nothing was tuned for.

mod case;
mod closure;
mod detour;
mod ground;
mod independence;
mod inverse;
mod ledger;
mod packages;
mod padding;
mod removal;

use std::process::ExitCode;
use std::time::Instant;

use crate::Options;
use crate::engine::Library;
use crate::packages::{Package, kept_in};
use crate::random::Random;
use case::Case;
use ground::Ground;
use ledger::{Entry, Ledger};

pub use packages::PACKAGES;

/// One law: what it says, and how a plan is held against it.
pub struct Law {
    pub name: &'static str,
    judge: fn(&mut Ground, &Case, &mut Random) -> Verdict,
}

/// What a law says of one plan.
pub enum Verdict {
    Held,
    /// With what was seen.
    Broken(String),
    /// What the law asks for was refused, with the reason: it can be neither kept nor broken.
    Refused(String),
    /// The engine gave no answer.
    Failed(String),
    /// The law says nothing of this plan, with the reason.
    Skipped(&'static str),
}

/// In this order: the first three look at the project as it is, the others at what it is after a plan.
const LAWS: &[Law] = &[closure::LAW, removal::LAW, padding::LAW, inverse::LAW, detour::LAW, independence::LAW];

/// Runs the laws that the options name and prints the table.
pub fn run(options: &Options) -> ExitCode {
    match tried(options) {
        Ok(ledger) => {
            println!("{}", ledger.table(options.places));
            if ledger.has_broken() { ExitCode::from(1) } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn tried(options: &Options) -> Result<Ledger, String> {
    let laws = named(&options.laws)?;
    let cache = kept_in(options.cache.clone())?;
    let is_chosen = |package: &&Package| {
        options.package.is_empty() && PACKAGES.iter().any(|one| one.name == package.name)
            || options.package.iter().any(|name| name == package.name)
    };
    let chosen: Vec<_> = PACKAGES.iter().chain(crate::packages::PACKAGES).filter(is_chosen).collect();
    let details = options.details.clone().unwrap_or_else(|| cache.join("laws.txt"));
    let mut ledger = Ledger::open(options.results.as_deref(), &details)?;
    println!("details: {}", details.display());
    let each = options.n.div_ceil(chosen.len().max(1));
    let numbers = options.trial.map_or(options.from..options.from + each, |number| number..number + 1);
    for package in chosen.into_iter().filter(|_| !numbers.is_empty()) {
        let mut bench = Bench { options, laws: &laws, package, ledger: &mut ledger };
        bench.package(&cache, numbers.clone())?;
    }
    Ok(ledger)
}

fn named(names: &[String]) -> Result<Vec<&'static Law>, String> {
    let is_known = |name: &&String| *name == "all" || LAWS.iter().any(|law| law.name == name.as_str());
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        return Err(format!("`{unknown}` is no law"));
    }
    let is_wanted = |law: &&Law| names.iter().any(|name| name == "all" || name == law.name);
    Ok(LAWS.iter().filter(is_wanted).collect())
}

struct Bench<'a> {
    options: &'a Options,
    laws: &'a [&'static Law],
    package: &'static Package,
    ledger: &'a mut Ledger,
}

impl Bench<'_> {
    fn package(&mut self, cache: &std::path::Path, numbers: std::ops::Range<usize>) -> Result<(), String> {
        let is_open = |number: &usize| !self.ledger.has(self.options.seed, self.package.name, *number);
        let open: Vec<usize> = numbers.filter(is_open).collect();
        if open.is_empty() {
            return Ok(());
        }
        let start = Instant::now();
        let pads = self.laws.iter().any(|law| law.name == padding::LAW.name);
        let mut ground = Ground::make(self.package, cache, pads)?;
        ground.places = self.options.places;
        println!("{} {}: ready after {:.1} s", self.package.name, self.package.version, start.elapsed().as_secs_f32());
        for number in open {
            self.trial(&mut ground, number)?;
        }
        ground.stand_on(None)
    }

    fn trial(&mut self, ground: &mut Ground, number: usize) -> Result<(), String> {
        let start = Instant::now();
        let seed = self.options.seed;
        let mut random = Random::new(seed.wrapping_mul(1_000_003) + number as u64, self.package.name);
        let Some(chosen) = ground.choices.chosen(number, &mut random) else { return Ok(()) };
        let head = ground.describe(&chosen);
        ground.stand_on(None)?;
        let mut entries = Vec::new();
        match Case::prepare(ground, chosen, (number, self.laws), &mut random) {
            Err(verdict) => entries.push(("plan", verdict)),
            Ok(case) => {
                entries.push(("plan", Verdict::Held));
                for law in self.laws {
                    // Each law has choices of its own, so that one asked for alone sees the same.
                    let mut random = Random::new(seed.wrapping_mul(1_000_003) + number as u64, law.name);
                    entries.push((law.name, (law.judge)(ground, &case, &mut random)));
                }
            }
        }
        let seconds = start.elapsed().as_secs_f32();
        let entry = Entry { seed, package: self.package, number, head: &head, seconds };
        self.ledger.add(&entry, &entries)
    }
}

/// Opens the engine on one root; others are opened as they are asked about.
fn library(root: &lspwright::text::AbsPath) -> Result<Library, String> {
    Library::open("none", root)
}
