//! How much of what is true is said, and how much of what is said is true.

use std::collections::{BTreeMap, BTreeSet};

/// Sets of what is true and what is said, by what they are about.
#[derive(Default)]
pub struct Figures(BTreeMap<&'static str, Figure>);

#[derive(Default)]
struct Figure {
    both: usize,
    missing: Vec<String>,
    wrong: Vec<String>,
}

/// What must not be missed at all; of the rest, one in fifty may be.
const COMPLETE: &[&str] =
    &["entrypoints that change state", "entrypoints, views and getters", "functions", "state writes"];

impl Figures {
    pub fn add(&mut self, what: &'static str, place: &str, truth: &BTreeSet<String>, said: &BTreeSet<String>) {
        let figure = self.0.entry(what).or_default();
        figure.both += truth.intersection(said).count();
        figure.missing.extend(truth.difference(said).map(|it| format!("{place}: {it}")));
        figure.wrong.extend(said.difference(truth).map(|it| format!("{place}: {it}")));
    }

    /// Prints all figures, and the first differences of each.
    pub fn print(&self, show: usize) {
        println!("| | in truth | precision | recall |\n|---|---|---|---|");
        for (what, figure) in &self.0 {
            println!("| {what} | {} | {:.4} | {:.4} |", figure.in_truth(), figure.precision(), figure.recall());
        }
        for (what, figure) in &self.0 {
            for it in figure.missing.iter().take(show) {
                println!("{what}: missing {it}");
            }
            for it in figure.wrong.iter().take(show) {
                println!("{what}: wrong {it}");
            }
        }
    }

    /// Fails where too much is missed.
    pub fn hold(&self) -> Result<(), String> {
        let floor = |what: &str| if COMPLETE.contains(&what) { 1.0 } else { 0.98 };
        let low = self.0.iter().filter(|(what, figure)| figure.recall() < floor(what));
        let low: Vec<&str> = low.map(|(what, _)| *what).collect();
        if low.is_empty() { Ok(()) } else { Err(format!("too much is missed: {}", low.join("; "))) }
    }
}

impl Figure {
    fn in_truth(&self) -> usize {
        self.both + self.missing.len()
    }

    fn precision(&self) -> f64 {
        share(self.both, self.both + self.wrong.len())
    }

    fn recall(&self) -> f64 {
        share(self.both, self.in_truth())
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}
