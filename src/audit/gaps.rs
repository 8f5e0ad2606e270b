//! What a view could not see: it is a part of every answer, so that an empty list is never a guess.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use crate::audit::problems::{Problem, Unresolved};
use crate::audit::program::lost_imports;
use crate::audit::solidity::Finder;
use crate::audit::sources::{Source, Sources, in_parallel};
use crate::syntax::{Family, Node};
use crate::text::Span;

/// What leads nowhere, and what could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Gaps {
    pub unresolved: Vec<Unresolved>,
    pub problems: Vec<Problem>,
}

/// More places where a file breaks its grammar are counted, not listed.
const MOST_PLACES: usize = 20;
/// As the compilers say it of what has no better name.
const SYNTAX_ERROR: &str = "syntax error";

impl Gaps {
    /// Tells what the named files leave open by themselves, and which of them were not read.
    pub(super) fn of(sources: &Sources) -> Self {
        Self::skipping(sources).and(Self::of_files(sources, &sources.files))
    }

    /// Tells what some files leave open by themselves: where they break their grammar, and imports that lead nowhere.
    pub(super) fn of_files(sources: &Sources, files: &[Arc<Source>]) -> Self {
        let problems = in_parallel(files, |source| broken(source)).concat();
        let mut unresolved = lost_imports(sources, files);
        if files.iter().any(|source| source.language.family() == Family::Solidity) {
            let finder = Finder::new(sources);
            let contracts = files.iter().filter(|source| source.language.family() == Family::Solidity);
            unresolved.extend(contracts.flat_map(|source| finder.lost(source)));
        }
        Self { unresolved, problems }.sorted()
    }

    /// Begins with what was named and not read, or is in a language that the view does not know.
    pub(super) fn skipping(sources: &Sources) -> Self {
        Self { unresolved: Vec::new(), problems: skipped(sources) }
    }

    pub(super) fn and(mut self, other: Self) -> Self {
        self.unresolved.extend(other.unresolved);
        self.problems.extend(other.problems);
        self.sorted()
    }

    pub(super) fn sorted(mut self) -> Self {
        self.unresolved.sort();
        self.unresolved.dedup();
        self.problems.sort();
        self.problems.dedup();
        self
    }
}

fn skipped(sources: &Sources) -> Vec<Problem> {
    let whole = sources.skipped.iter().map(|one| Problem {
        file: one.file.clone(),
        line: None,
        message: one.reason.clone(),
        skipped: "the file".to_owned(),
    });
    whole.chain(sources.left_out.iter().cloned()).collect()
}

/// Lists where a file breaks its grammar, outermost places only.
pub(super) fn broken(source: &Source) -> Vec<Problem> {
    if source.tree().error_count() == 0 {
        return Vec::new();
    }
    let mut found: Vec<Problem> = Vec::new();
    let (mut until, mut lines) = (0, BTreeSet::new());
    let mut more = 0_usize;
    for node in source.tree().nodes().iter().filter(|node| node.is_error()) {
        // An error in an error is told by the outer one; of those on one line the first.
        let span = lost_in(node);
        let line = source.location(span.start).line;
        if node.start() < until || !lines.insert(line) {
            continue;
        }
        until = node.end();
        if found.len() == MOST_PLACES {
            more += 1;
            continue;
        }
        found.push(problem(source, node, span));
    }
    if let Some(last) = found.last_mut().filter(|_| more > 0) {
        last.message = format!("{}; {more} more places like this one follow", last.message);
    }
    found
}

/// Returns what of a stretch that breaks the grammar belongs to nothing: what is whole in it is read.
fn lost_in(node: Node<'_>) -> Span {
    let is_whole = |child: &Node<'_>| !child.is_leaf() && !child.descendants().any(Node::is_error);
    let mut lost = node.children().filter(|child| !is_whole(child)).map(Node::span);
    let Some(first) = lost.next() else { return node.span() };
    Span::new(first.start, lost.last().unwrap_or(first).end)
}

fn problem(source: &Source, node: Node<'_>, span: Span) -> Problem {
    let line = source.location(span.start).line;
    let last = source.location(span.end.saturating_sub(1).max(span.start)).line;
    let message = match node.is_missing() {
        true => format!("{SYNTAX_ERROR}: `{}` is missing", node.kind()),
        false => SYNTAX_ERROR.to_owned(),
    };
    Problem { file: source.name().to_owned(), line: Some(line), message, skipped: lines_between(line, last) }
}

/// Writes a stretch of lines, 1-based.
pub(super) fn lines_between(first: u32, last: u32) -> String {
    if first >= last { format!("line {first}") } else { format!("lines {first}-{last}") }
}
