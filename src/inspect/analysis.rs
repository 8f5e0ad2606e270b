//! `analyze_code`: the smells below a path.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::inspect::config::{Config, ConfigError};
use crate::inspect::error::InspectError;
use crate::inspect::outline::outline;
use crate::inspect::smells::{Facts, Find, Finding, Severity, Smell, SmellContext, knows};
use crate::inspect::source_file::SourceFile;
use crate::inspect::survey::{Survey, Watch, language_name, parsed};
use crate::inspect::view::View;
use crate::render::{AnalysisAnswer, AnalysisHead, LeftOutRow, SmellRow};
use crate::syntax::Family;
use crate::text::Text;
use crate::workspace::Disk;

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub path: String,
    /// The names of the smells; all that are switched on, where there are none.
    pub smells: Vec<String>,
    pub config: Config,
}

/// What was found.
pub struct Analysis {
    pub path: String,
    pub language: String,
    /// The files that were looked into, and how many lines each has.
    pub sizes: Vec<(String, u32)>,
    /// The worst first, then by place.
    pub found: Vec<SmellFinding>,
    pub left_out: Vec<LeftOutRow>,
    pub notes: Vec<String>,
    pub is_supported: bool,
}

/// A finding with the smell that it is one of.
pub struct SmellFinding {
    pub smell: &'static Smell,
    pub finding: Finding,
}

impl SmellFinding {
    /// Returns what it is known again by when the code around it has moved: no lines are in it.
    pub fn known_by(&self) -> String {
        format!("{} {}", self.smell.name, self.finding.anchor)
    }
}

/// What is kept of one file.
struct Sniffed {
    size: (String, u32),
    found: Vec<SmellFinding>,
    facts: Facts,
}

/// Looks for smells in a file, or below a directory.
pub fn analyze(disk: &Disk, request: &Request, watch: &Watch) -> Result<Analysis, InspectError> {
    let chosen = request.config.chosen(&request.smells)?;
    let mut survey = match Survey::new(disk, &request.path) {
        Err(InspectError::UnknownLanguage { path }) => return Ok(unsupported(path)),
        survey => survey?,
    };
    survey.files.retain(|file| !request.config.excludes(&file.name));
    let config = &request.config;
    let results = survey.map(watch, |file, text| sniff(file, text, &chosen, config))?;
    let mut found = Vec::new();
    let mut facts = Vec::new();
    let mut sizes = Vec::new();
    for result in results {
        match result {
            Ok(sniffed) => {
                sizes.push(sniffed.size);
                found.extend(sniffed.found);
                facts.push(sniffed.facts);
            }
            Err(row) => survey.left_out.push(row),
        }
    }
    let world = SmellContext { disk, facts: &facts };
    let mut notes = unknown(&chosen, &survey);
    for (smell, judge) in chosen.iter().filter_map(|smell| Some((*smell, judge_of(smell)?))) {
        if watch.is_stopped() {
            return Err(InspectError::Stopped);
        }
        let judgement = judge(&world, &config.limits(smell));
        found.extend(judgement.findings.into_iter().map(|finding| SmellFinding { smell, finding }));
        notes.extend(judgement.notes);
    }
    for one in &mut found {
        one.finding.severity = config.severity(one.smell).unwrap_or(one.finding.severity);
    }
    found.sort_by(|a, b| order(a).cmp(&order(b)));
    let (path, language) = (survey.path.clone(), survey.languages());
    Ok(Analysis { path, language, sizes, found, left_out: survey.left_out, notes, is_supported: true })
}

/// Tells which smells were not looked for in which languages.
fn unknown(chosen: &[&'static Smell], survey: &Survey) -> Vec<String> {
    let languages: BTreeMap<&str, Family> =
        survey.files.iter().map(|file| (language_name(file.language), file.language.family())).collect();
    let mut notes = Vec::new();
    for (name, family) in languages {
        let skipped: Vec<&str> = chosen.iter().filter(|smell| !knows(smell, family)).map(|smell| smell.name).collect();
        if !skipped.is_empty() {
            notes.push(format!("not looked for in {name}, which has no such classes: {}", skipped.join(", ")));
        }
    }
    notes
}

type Judge = fn(&SmellContext<'_>, &super::smells::Limits<'_>) -> super::smells::Judgement;

fn judge_of(smell: &Smell) -> Option<Judge> {
    match smell.find {
        Find::Across { judge, .. } => Some(judge),
        Find::InFile(_) => None,
    }
}

fn order(found: &SmellFinding) -> (std::cmp::Reverse<Severity>, &str, u32, &str, &str) {
    let finding = &found.finding;
    let file = finding.location.split(['#', ':']).next().unwrap_or_default();
    (std::cmp::Reverse(finding.severity), file, finding.line, found.smell.name, &finding.location)
}

fn unsupported(path: String) -> Analysis {
    let (language, notes) = (String::new(), vec!["the language of this file is not looked into".to_owned()]);
    Analysis { path, language, sizes: Vec::new(), found: Vec::new(), left_out: Vec::new(), notes, is_supported: false }
}

fn sniff(
    file: &SourceFile,
    source: &Arc<Text>,
    chosen: &[&'static Smell],
    config: &Config,
) -> Result<Sniffed, LeftOutRow> {
    let text = source.as_str();
    if let Some(reason) = not_written(text) {
        return Err(LeftOutRow { path: file.name.clone(), reason: reason.to_owned() });
    }
    let tree = parsed(file, source)?;
    let outline = outline(&tree, text);
    let view = View::new(file, &tree, text, &outline);
    let mut facts = Facts::of(&view);
    let mut found = Vec::new();
    for smell in chosen.iter().filter(|smell| knows(smell, view.family())) {
        let limits = config.limits(smell);
        match smell.find {
            Find::InFile(find) => {
                found.extend(find(&view, &limits).into_iter().map(|finding| SmellFinding { smell, finding }));
            }
            Find::Across { note, .. } => note(&view, &limits, &mut facts),
        }
    }
    Ok(Sniffed { size: (file.name.clone(), outline.lines), found, facts })
}

/// Where a file says that a program wrote it.
const HEAD: usize = 1500;
/// Longer lines than this are for machines.
const LONG_LINE: usize = 3000;

/// Tells why nobody wrote this text by hand.
fn not_written(text: &str) -> Option<&'static str> {
    let head = &text[..text.floor_char_boundary(HEAD)];
    let marks = ["@generated", "DO NOT EDIT", "Do not edit this file", "autogenerated", "Code generated by"];
    if marks.iter().any(|mark| head.contains(mark)) {
        return Some("it says that it is generated");
    }
    text.lines().any(|line| line.len() > LONG_LINE).then_some("it is minified: its lines are too long to be read")
}

impl Analysis {
    pub fn lines(&self) -> u64 {
        self.sizes.iter().map(|(_, lines)| u64::from(*lines)).sum()
    }

    /// Writes at most `limit` findings, and says how many there are of each kind where that is not all.
    pub fn answer(self, limit: usize) -> AnalysisAnswer {
        let (files, lines) = (self.sizes.len(), self.lines());
        let mut notes = self.notes;
        if self.found.len() > limit {
            notes.push(format!("the {limit} worst of {}: {}", self.found.len(), totals(&self.found)));
        }
        let row = |one: SmellFinding| SmellRow {
            r#type: one.smell.name,
            location: one.finding.location,
            severity: one.finding.severity.as_str(),
            suggested_refactoring: one.finding.refactoring.unwrap_or(one.smell.refactoring),
            details: one.finding.details,
        };
        let head = AnalysisHead {
            path: self.path,
            language: self.language,
            backend_supported: self.is_supported,
            files,
            lines,
        };
        let smells = self.found.into_iter().take(limit).map(row).collect();
        AnalysisAnswer { analysis: head, smells, left_out: shortened(self.left_out, &mut notes), notes }
    }
}

/// How many files that were left out are named.
const LEFT_OUT: usize = 50;

fn shortened(mut left_out: Vec<LeftOutRow>, notes: &mut Vec<String>) -> Vec<LeftOutRow> {
    if left_out.len() > LEFT_OUT {
        notes.push(format!("{} files were left out; the first {LEFT_OUT} are named", left_out.len()));
        left_out.truncate(LEFT_OUT);
    }
    left_out
}

fn totals(found: &[SmellFinding]) -> String {
    let of = |smell: &Smell| found.iter().filter(|one| one.smell.name == smell.name).count();
    let counts = super::smells::SMELLS.iter().map(|smell| (smell.name, of(smell))).filter(|(_, count)| *count > 0);
    counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

impl From<ConfigError> for InspectError {
    fn from(error: ConfigError) -> Self {
        Self::Config { file: None, error }
    }
}
