//! How large and how branched the code is: per function, per file and in all.

use serde::Serialize;

use super::gaps::Gaps;
use super::sources::{Source, Sources, in_parallel};
use crate::syntax::{FunctionSite, Measures, functions, measures};
use crate::text::Span;

/// The measures of some files.
#[derive(Debug, Serialize)]
pub struct Metrics {
    totals: Totals,
    files: Vec<FileRow>,
    functions: Vec<FunctionRow>,
    #[serde(flatten)]
    gaps: Gaps,
}

#[derive(Debug, Serialize)]
struct Totals {
    files: usize,
    #[serde(flatten)]
    lines: Lines,
    comment_share: f64,
    functions: usize,
    complexity: u32,
    highest_complexity: u32,
    cognitive: u32,
    review_hours: f64,
}

/// Lines by what stands on them; one with code and a comment counts as both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Lines {
    lines: usize,
    code: usize,
    comment: usize,
    blank: usize,
}

#[derive(Debug, Serialize)]
struct FileRow {
    file: String,
    language: &'static str,
    #[serde(flatten)]
    lines: Lines,
    comment_share: f64,
    functions: usize,
    /// The sum of its functions', those without a name included.
    complexity: u32,
    cognitive: u32,
    review_hours: f64,
}

#[derive(Debug, Serialize)]
struct FunctionRow {
    file: String,
    owner: Option<String>,
    name: String,
    line: u32,
    code: usize,
    comment_share: f64,
    complexity: u32,
    cognitive: u32,
}

/// A reviewer's minutes for a line of code, and for a point of cognitive complexity: some 250 lines a day where the
/// code is as branched as contracts are.
const MINUTES_PER_LINE: f64 = 1.0;
const MINUTES_PER_POINT: f64 = 3.0;

/// Measures the files of a request.
pub fn metrics(sources: &Sources) -> Metrics {
    let measured = in_parallel(&sources.files, |source| measure(source));
    let mut answer =
        Metrics { totals: Totals::default(), files: Vec::new(), functions: Vec::new(), gaps: Gaps::of(sources) };
    let mut lines = Lines::default();
    for (file, functions) in measured {
        lines = lines.and(file.lines);
        answer.totals.complexity += file.complexity;
        answer.totals.cognitive += file.cognitive;
        answer.files.push(file);
        answer.functions.extend(functions);
    }
    let highest = answer.functions.iter().map(|function| function.complexity).max();
    answer.totals = Totals {
        files: answer.files.len(),
        lines,
        comment_share: lines.comment_share(),
        functions: answer.functions.len(),
        highest_complexity: highest.unwrap_or(0),
        review_hours: review_hours(lines.code, answer.totals.cognitive),
        ..answer.totals
    };
    answer
}

impl Default for Totals {
    fn default() -> Self {
        let lines = Lines::default();
        Self {
            files: 0,
            lines,
            comment_share: 0.0,
            functions: 0,
            complexity: 0,
            highest_complexity: 0,
            cognitive: 0,
            review_hours: 0.0,
        }
    }
}

impl Lines {
    fn and(self, other: Self) -> Self {
        Self {
            lines: self.lines + other.lines,
            code: self.code + other.code,
            comment: self.comment + other.comment,
            blank: self.blank + other.blank,
        }
    }

    /// Returns the share of comments among the lines that are not blank, two digits.
    fn comment_share(self) -> f64 {
        let written = self.lines - self.blank;
        if written == 0 { 0.0 } else { (self.comment as f64 / written as f64 * 100.0).round() / 100.0 }
    }
}

/// Estimates how long one reviewer reads, in hours, one digit.
fn review_hours(code: usize, cognitive: u32) -> f64 {
    let minutes = code as f64 * MINUTES_PER_LINE + f64::from(cognitive) * MINUTES_PER_POINT;
    (minutes / 6.0).round() / 10.0
}

fn measure(source: &Source) -> (FileRow, Vec<FunctionRow>) {
    let (tree, text) = (source.tree(), source.text());
    let marks = Marks::of(source);
    let sites = functions(tree, text);
    let measured = measures(tree, text);
    // A lambda is a part of the function that it stands in.
    let row = |site: &FunctionSite| {
        let measures = tree.nodes().get(site.node).and_then(|node| measured.of(node))?;
        let lines = marks.between(source, site.span);
        Some(FunctionRow {
            file: source.name().to_owned(),
            owner: (!site.owners.is_empty()).then(|| site.owners.join(".")),
            name: site.name.clone(),
            line: source.location(site.at).line,
            code: lines.code,
            comment_share: lines.comment_share(),
            complexity: measures.cyclomatic,
            cognitive: measures.cognitive,
        })
    };
    let rows: Vec<FunctionRow> = sites.iter().filter(|site| site.body.is_some()).filter_map(row).collect();
    // A script has functions without a name, too.
    let has_body =
        |(index, _): &(usize, Measures)| tree.nodes().get(*index).is_some_and(|it| it.child("body").is_some());
    let lines = marks.in_all();
    let all: Vec<Measures> = measured.iter().filter(has_body).map(|(_, measures)| measures).collect();
    let cognitive = all.iter().map(|measures| measures.cognitive).sum();
    let file = FileRow {
        file: source.name().to_owned(),
        language: source.language.id(),
        lines,
        comment_share: lines.comment_share(),
        functions: rows.len(),
        complexity: all.iter().map(|measures| measures.cyclomatic).sum(),
        cognitive,
        review_hours: review_hours(lines.code, cognitive),
    };
    (file, rows)
}

/// What stands on each line, and where the lines begin.
struct Marks {
    marks: Vec<Mark>,
    starts: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
struct Mark {
    code: bool,
    comment: bool,
}

impl Marks {
    fn of(source: &Source) -> Self {
        let text = source.text();
        let starts: Vec<usize> = text
            .split_inclusive('\n')
            .scan(0, |at, line| {
                let start = *at;
                *at += line.len();
                Some(start)
            })
            .collect();
        let mut all = Self { marks: vec![Mark::default(); starts.len()], starts };
        for node in source.tree().nodes().iter().filter(|node| node.is_leaf() && !node.span().is_empty()) {
            let is_comment = node.kind().ends_with("comment");
            let (first, last) = all.lines_of(text, node.span());
            for mark in all.marks.iter_mut().take(last + 1).skip(first) {
                mark.code |= !is_comment;
                mark.comment |= is_comment;
            }
        }
        all
    }

    fn in_all(&self) -> Lines {
        count(&self.marks)
    }

    fn between(&self, source: &Source, span: Span) -> Lines {
        let (first, last) = self.lines_of(source.text(), span);
        count(self.marks.get(first..(last + 1).min(self.marks.len())).unwrap_or_default())
    }

    /// Returns the first and the last line that a stretch touches, 0-based; white space at its end is not in it.
    fn lines_of(&self, text: &str, span: Span) -> (usize, usize) {
        let end = span.of(text).map_or(span.end, |text| span.start + text.trim_end().len());
        let line = |offset: usize| self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        (line(span.start), line(end.saturating_sub(1).max(span.start)))
    }
}

fn count(marks: &[Mark]) -> Lines {
    Lines {
        lines: marks.len(),
        code: marks.iter().filter(|mark| mark.code).count(),
        comment: marks.iter().filter(|mark| mark.comment).count(),
        blank: marks.iter().filter(|mark| !mark.code && !mark.comment).count(),
    }
}
