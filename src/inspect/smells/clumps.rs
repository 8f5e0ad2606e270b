//! `data-clump`: the same values handed on together, again and again.

use std::collections::{BTreeMap, BTreeSet};

use super::declarations::overrides;
use super::facts::{Facts, Signature};
use super::finding::{Finding, Severity};
use super::smell::{Find, Judgement, Limit, Limits, Smell, SmellContext};
use crate::inspect::params::ParameterKind;
use crate::inspect::view::View;

pub(super) const DATA_CLUMP: Smell = Smell {
    name: "data-clump",
    about: "Parameters of the same names and types that several functions take together.",
    refactoring: "introduce-parameter-object",
    limits: &[
        Limit { name: "parameters", default: 4, about: "parameters that go together" },
        Limit { name: "functions", default: 3, about: "functions of different names that take them" },
    ],
    find: Find::Across { note, judge },
};

fn note(view: &View<'_>, limits: &Limits<'_>, facts: &mut Facts) {
    if view.is_test() {
        return;
    }
    for function in view.outline.functions.iter().filter(|it| !it.path.is_empty() && it.body().is_some()) {
        let plain = function.parameters.iter().filter(|it| it.kind != ParameterKind::Receiver);
        let names = plain.filter_map(|it| {
            let annotation = it.annotation.map(|it| it.text(view.text)).unwrap_or_default();
            Some(format!("{} {annotation}", it.name?.text(view.text)).trim_end().to_owned())
        });
        let parameters: BTreeSet<String> = names.collect();
        if parameters.len() as u32 >= limits.get("parameters") && !overrides(function.node, view.text) {
            let spot = view.of_function(function);
            facts.signatures.push(Signature { name: function.name().to_owned(), parameters, spot });
        }
    }
}

fn judge(world: &SmellContext<'_>, limits: &Limits<'_>) -> Judgement {
    let (most, functions) = (limits.get("parameters") as usize, limits.get("functions") as usize);
    let all: Vec<&Signature> = world.facts.iter().flat_map(|file| &file.signatures).collect();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut findings = Vec::new();
    for (clump, members) in clumps(&all, most) {
        let free: Vec<usize> = members.into_iter().filter(|at| !taken.contains(at)).collect();
        let names: BTreeSet<&str> = free.iter().map(|at| all[*at].name.as_str()).collect();
        if names.len() < functions {
            continue;
        }
        taken.extend(&free);
        findings.push(finding(&clump, &free, &all));
    }
    Judgement { findings, notes: Vec::new() }
}

/// Returns the sets of parameters that two functions share, with all that have them; those of most functions first.
fn clumps(all: &[&Signature], least: usize) -> Vec<(BTreeSet<String>, Vec<usize>)> {
    let mut by_parameter: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, signature) in all.iter().enumerate() {
        for parameter in &signature.parameters {
            by_parameter.entry(parameter).or_default().push(at);
        }
    }
    let mut shared: BTreeSet<BTreeSet<String>> = BTreeSet::new();
    for (at, signature) in all.iter().enumerate() {
        let mut beside: BTreeMap<usize, usize> = BTreeMap::new();
        for other in signature.parameters.iter().flat_map(|it| &by_parameter[it.as_str()]).filter(|it| **it > at) {
            *beside.entry(*other).or_default() += 1;
        }
        for other in beside.into_iter().filter(|(_, count)| *count >= least).map(|(other, _)| other) {
            shared.insert(signature.parameters.intersection(&all[other].parameters).cloned().collect());
        }
    }
    let members = |clump: &BTreeSet<String>| {
        let first = clump.iter().min_by_key(|it| by_parameter[it.as_str()].len()).expect("a clump is not empty");
        by_parameter[first.as_str()].iter().copied().filter(|at| clump.is_subset(&all[*at].parameters)).collect()
    };
    let mut found: Vec<(BTreeSet<String>, Vec<usize>)> =
        shared.into_iter().map(|clump| (members(&clump), clump)).map(|(members, clump)| (clump, members)).collect();
    found.sort_by_key(|(clump, members)| std::cmp::Reverse((clump.len() * members.len(), clump.len())));
    found
}

/// How many of the functions are named.
const NAMED: usize = 6;

fn finding(clump: &BTreeSet<String>, members: &[usize], all: &[&Signature]) -> Finding {
    let names: Vec<&str> = clump.iter().map(|it| it.split(' ').next().unwrap_or_default()).collect();
    let others: Vec<&str> = members.iter().skip(1).take(NAMED).map(|at| all[*at].spot.location()).collect();
    let more = members.len().saturating_sub(NAMED + 1);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let details = format!(
        "{} are parameters of {} functions; also of {}{more}",
        names.join(", "),
        members.len(),
        others.join(", ")
    );
    all[members[0]].spot.clone().finding(Severity::Low, &names.join(","), details)
}
