//! What became of every trial: kept in a file, so that a run can be split and taken up again, and told in one table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{LAWS, Verdict};
use crate::packages::{Family, Package};

/// One outcome, a line of the file.
#[derive(Serialize, Deserialize)]
struct Row {
    seed: u64,
    package: String,
    language: String,
    trial: usize,
    law: String,
    outcome: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reason: String,
}

/// A trial as the ledger is told of it.
pub struct Entry<'a> {
    pub seed: u64,
    pub package: &'a Package,
    pub number: usize,
    /// The rename, as a command.
    pub head: &'a str,
    pub seconds: f32,
}

pub struct Ledger {
    rows: Vec<Row>,
    done: BTreeSet<(u64, String, usize)>,
    results: Option<File>,
    details: File,
}

impl Ledger {
    pub fn open(results: Option<&Path>, details: &Path) -> Result<Self, String> {
        let append = |path: &Path| {
            let opened = OpenOptions::new().create(true).append(true).open(path);
            opened.map_err(|error| format!("{}: {error}", path.display()))
        };
        let kept = results.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        // A line that was cut off by the end of a run is tried again.
        let rows: Vec<Row> = kept.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let done = rows.iter().map(|row| (row.seed, row.package.clone(), row.trial)).collect();
        Ok(Self { rows, done, results: results.map(append).transpose()?, details: append(details)? })
    }

    pub fn has(&self, seed: u64, package: &str, trial: usize) -> bool {
        self.done.contains(&(seed, package.to_owned(), trial))
    }

    /// Takes in what became of one trial; what is not as it should be is written down with the way to see it again.
    pub fn add(&mut self, entry: &Entry<'_>, verdicts: &[(&'static str, Verdict)]) -> Result<(), String> {
        let mut written = String::new();
        let mut told = Vec::new();
        for (law, verdict) in verdicts {
            let (outcome, reason) = match verdict {
                Verdict::Held => ("held", ""),
                Verdict::Broken(reason) => ("broken", reason.as_str()),
                Verdict::Refused(reason) => ("refused", reason.as_str()),
                Verdict::Failed(reason) => ("failed", reason.as_str()),
                Verdict::Skipped(reason) => ("skipped", *reason),
            };
            if !matches!(outcome, "held" | "skipped") {
                self.tell(entry, law, (outcome, reason))?;
            }
            told.push(format!("{law} {}", if outcome == "broken" { "BROKEN" } else { outcome }));
            let row = Row {
                seed: entry.seed,
                package: entry.package.name.to_owned(),
                language: language(entry.package.language).to_owned(),
                trial: entry.number,
                law: (*law).to_owned(),
                outcome: outcome.to_owned(),
                reason: reason.to_owned(),
            };
            written += &serde_json::to_string(&row).map_err(|error| error.to_string())?;
            written.push('\n');
            self.rows.push(row);
        }
        println!(
            "{:6.1} s  {} #{} {}: {}",
            entry.seconds,
            entry.package.name,
            entry.number,
            entry.head,
            told.join(", ")
        );
        let kept = self.results.as_mut().map_or(Ok(()), |file| file.write_all(written.as_bytes()));
        kept.map_err(|error| format!("the results cannot be written: {error}"))
    }

    fn tell(&mut self, entry: &Entry<'_>, law: &str, (outcome, reason): (&str, &str)) -> Result<(), String> {
        let Entry { seed, package, number, head, .. } = entry;
        let asked = if law == "plan" { "closure" } else { law };
        let again = format!(
            "cargo bench --bench soundness -- --laws {asked} --package {} --seed {seed} --trial {number}",
            package.name
        );
        let story = format!("{law} {outcome}: {} #{number} {head}\n{again}\n{reason}\n", package.name);
        writeln!(self.details, "{story}").map_err(|error| format!("the details cannot be written: {error}"))
    }

    pub fn has_broken(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.outcome.as_str(), "broken" | "failed"))
    }

    /// Returns the table as Markdown, with the reasons for which laws were not asked.
    pub fn table(&self, places: usize) -> String {
        let mut written = format!("closure: asked from at most {places} places of each plan\n\n");
        written += "| law | language | trials | held | broken | refused | failed | skipped |\n|---|---|---|---|---|---|---|---|\n";
        let languages: BTreeSet<&str> = self.rows.iter().map(|row| row.language.as_str()).collect();
        for law in ["plan"].into_iter().chain(LAWS.iter().map(|law| law.name)) {
            for one in &languages {
                let rows: Vec<_> = self.rows.iter().filter(|row| row.law == law && row.language == *one).collect();
                if rows.is_empty() {
                    continue;
                }
                let count = |outcome: &str| rows.iter().filter(|row| row.outcome == outcome).count().to_string();
                let cells = ["held", "broken", "refused", "failed", "skipped"].map(count).join(" | ");
                written += &format!("| {law} | {one} | {} | {cells} |\n", rows.len());
            }
        }
        written + "\n" + &self.skipped()
    }

    fn skipped(&self) -> String {
        let mut reasons: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.outcome == "skipped") {
            *reasons.entry((&row.law, &row.reason)).or_default() += 1;
        }
        reasons.into_iter().map(|((law, reason), count)| format!("{law} skipped, {reason}: {count}\n")).collect()
    }
}

/// JavaScript is one language with TypeScript here: the same server, the same laws.
fn language(family: Family) -> &'static str {
    match family {
        Family::TypeScript | Family::JavaScript => "TypeScript and JavaScript",
        other => other.name(),
    }
}
