//! What the model of contracts leaves open: imports, bases and calls that lead nowhere, and what could not be read.

use super::effects::What;
use super::imports::Finder;
use super::summary::{Analyst, Done};
use super::view::View;
use crate::audit::gaps::{Gaps, broken, lines_between};
use crate::audit::problems::{Problem, Unresolved};
use crate::audit::sources::Source;
use crate::solidity::{DefinitionId, FileFacts, SourceId, Target};

impl View<'_, '_> {
    /// Tells what is not known of a function: its calls and those of what it calls, and all that it was bound with.
    pub(super) fn gaps(&self) -> Gaps {
        let summary = self.analyst.summary(self.chosen.function, self.chosen.context);
        let own = summary
            .effects
            .events
            .iter()
            .filter_map(|event| Some((self.chosen.function, event.at, lost(&event.what)?)));
        let deep = summary.acts.iter().filter_map(|act| match (&act.done, act.via.last()) {
            (Done::Lost(name) | Done::Outward { written: name, kind: "unresolved", .. }, Some(function)) => {
                Some((*function, act.at, name.clone()))
            }
            _ => None,
        });
        let calls = own.chain(deep).filter_map(|(function, at, name)| self.analyst.lost_call(function, at, name));
        Gaps { unresolved: calls.collect(), problems: Vec::new() }.and(self.analyst.gaps())
    }
}

impl Analyst<'_> {
    /// Tells of a call that has no target.
    pub(super) fn lost_call(&self, function: DefinitionId, at: usize, name: String) -> Option<Unresolved> {
        let source = self.source(&self.model.definition(function).file)?;
        Some(Unresolved {
            file: source.name().to_owned(),
            location: source.location(at),
            kind: "call",
            name,
            reason: format!("in `{}`: no declaration of that name is known", self.named(function)),
        })
    }

    /// Tells what is not known of the sources that are bound together.
    pub(in crate::audit) fn gaps(&self) -> Gaps {
        let finder = Finder::new(self.sources);
        let mut gaps = Gaps::default();
        for (file, facts) in self.model.files() {
            let Some(source) = self.file(file) else { continue };
            let lost = facts.imports.iter().filter(|(_, target)| target.is_none());
            gaps.unresolved.extend(lost.map(|(import, _)| finder.row(&source, import.span.start, &import.path)));
            gaps.unresolved.extend(self.lost_bases(file, &source));
            gaps.problems.extend(facts.problems.iter().map(|problem| told(&source, facts, problem)));
            // What the binder understood may still not be read here.
            if facts.problems.is_empty() && self.is_read(file) {
                gaps.problems.extend(broken(&source));
            }
        }
        gaps.sorted()
    }

    fn lost_bases(&self, file: &SourceId, source: &Source) -> Vec<Unresolved> {
        let contracts = self.model.definitions_of(file).filter(|(id, _)| !self.model.linearised(*id).is_empty());
        let rows = contracts.flat_map(|(_, contract)| {
            let from = contract.name_span.end;
            let text = source.text().get(from..contract.span.end).unwrap_or_default();
            let until = from + text.find('{').unwrap_or(text.len());
            let head = self
                .model
                .references_of(file)
                .iter()
                .filter(move |one| from <= one.span.start && one.span.end <= until);
            let unknown = head.filter(|one| self.is_unknown(&one.target));
            unknown.map(move |one| Unresolved {
                file: source.name().to_owned(),
                location: source.location(one.span.start),
                kind: "base",
                name: self.model.name_of(one).to_owned(),
                reason: format!("what `{}` inherits from it is not known", contract.name),
            })
        });
        rows.collect()
    }

    /// Tells whether a name leads nowhere, be it through an import.
    fn is_unknown(&self, target: &Target) -> bool {
        match target {
            Target::Unknown => true,
            Target::BuiltIn(_) => false,
            Target::Definitions(ids) => ids.iter().all(|id| self.model.behind_imports(*id).is_empty()),
        }
    }
}

/// Returns how a call is written that has no target.
pub(super) fn lost(what: &What) -> Option<String> {
    match what {
        What::Lost(name) => Some(name.clone()),
        What::Outward(call) if call.kind == "unresolved" => Some(call.written.clone()),
        _ => None,
    }
}

fn told(source: &Source, facts: &FileFacts, problem: &crate::solidity::Problem) -> Problem {
    let is_whole = !facts.is_bound || problem.span.is_empty() && problem.span.start == 0;
    let line = source.location(problem.span.start).line;
    let last = source.location(problem.span.end.saturating_sub(1).max(problem.span.start)).line;
    Problem {
        file: source.name().to_owned(),
        line: (!is_whole).then_some(line),
        message: problem.message.clone(),
        skipped: if is_whole { "the file".to_owned() } else { lines_between(line, last) },
    }
}
