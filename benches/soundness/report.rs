//! Counts outcomes, prints the tables, and writes down what does not count as sound.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, create_dir_all};
use std::io::Write;
use std::path::Path;

use crate::declarations::Kind;
use crate::packages::Family;

/// What became of one trial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The plan was applied and the checker found nothing new.
    Sound,
    /// No plan, with a reason.
    Refused,
    /// No plan for a name that was chosen because it is taken.
    RefusedTaken,
    /// Tests fail, and the plan names code whose mentions it does not change.
    Told,
    /// The plan breaks something, and the library's own verification says so.
    Flagged,
    /// The plan was sound, and the library's own verification calls it regressed.
    FalseAlarm,
    /// The plan breaks something, and nobody says so.
    Unsound,
    /// The engine or the checker failed.
    Failed,
}

impl Outcome {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Refused => "refused",
            Self::RefusedTaken => "refused (name taken)",
            Self::Told => "told",
            Self::Flagged => "flagged",
            Self::FalseAlarm => "false alarm",
            Self::Unsound => "UNSOUND",
            Self::Failed => "FAILED",
        }
    }
}

/// The outcomes so far, and the file of the details.
pub struct Report {
    counts: BTreeMap<(Family, Kind, Outcome), usize>,
    details: File,
}

const COLUMNS: [Outcome; 8] = [
    Outcome::Sound,
    Outcome::Refused,
    Outcome::RefusedTaken,
    Outcome::Told,
    Outcome::Flagged,
    Outcome::FalseAlarm,
    Outcome::Unsound,
    Outcome::Failed,
];

impl Report {
    pub fn new(details: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", details.display());
        create_dir_all(details.parent().unwrap_or(Path::new("."))).map_err(failed)?;
        let details = File::create(details).map_err(failed)?;
        Ok(Self { counts: BTreeMap::new(), details })
    }

    pub fn count(&mut self, family: Family, kind: Kind, outcome: Outcome) {
        *self.counts.entry((family, kind, outcome)).or_default() += 1;
    }

    /// Writes one trial's story: a line that says how to ask again, then what was seen.
    pub fn tell(&mut self, story: &str) {
        writeln!(self.details, "{story}\n").expect("the file of the details can be written");
    }

    pub fn has_unsound(&self) -> bool {
        self.counts.keys().any(|(_, _, outcome)| matches!(outcome, Outcome::Unsound | Outcome::Failed))
    }

    /// Returns the tables as Markdown.
    pub fn tables(&self) -> String {
        let mut written = String::new();
        for family in [Family::Python, Family::TypeScript, Family::JavaScript, Family::Solidity] {
            let mut kinds: Vec<Kind> = self.counts.keys().filter(|key| key.0 == family).map(|key| key.1).collect();
            kinds.dedup();
            if kinds.is_empty() {
                continue;
            }
            let heads: Vec<_> = COLUMNS.iter().map(|outcome| outcome.name()).collect();
            written += &format!(
                "\n| {} | tried | {} |\n|---|{}\n",
                family.name(),
                heads.join(" | "),
                "---|".repeat(heads.len() + 1)
            );
            for kind in &kinds {
                written += &self.row(kind.name(), |key| key.0 == family && key.1 == *kind);
            }
            let sort = |kind: Kind| match kind {
                Kind::Module | Kind::Directory => "moves",
                Kind::Refactoring(_) => "refactorings",
                _ => "renames",
            };
            let sorts: BTreeSet<&str> = kinds.iter().map(|kind| sort(*kind)).collect();
            for one in sorts {
                written += &self.row(&format!("**{one}**"), |key| key.0 == family && sort(key.1) == one);
            }
        }
        written + "\n" + &self.row("**all**", |_| true)
    }

    fn row(&self, name: &str, is_counted: impl Fn(&(Family, Kind, Outcome)) -> bool) -> String {
        let sum = |outcome: Option<Outcome>| -> usize {
            let counted =
                self.counts.iter().filter(|(key, _)| is_counted(key) && outcome.is_none_or(|one| one == key.2));
            counted.map(|(_, count)| count).sum()
        };
        let cells: Vec<_> = COLUMNS.iter().map(|outcome| sum(Some(*outcome)).to_string()).collect();
        format!("| {name} | {} | {} |\n", sum(None), cells.join(" | "))
    }
}
