//! Who calls whom.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use serde::Serialize;

use super::error::AuditError;
use super::gaps::Gaps;
use super::program::{Body, Program, What};
use super::solidity::Analyst;
use super::sources::Sources;
use crate::audit::location::Location;
use crate::syntax::Family;

/// Where to begin, and how far to go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traversal {
    /// `Contract.function`, `Class.method` or a bare name; nothing is every function of the files.
    pub root: Option<String>,
    /// How many calls in a row are followed; nothing is all.
    pub depth: Option<usize>,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Edge {
    pub caller: String,
    pub callee: String,
    pub kind: &'static str,
    /// Where the call stands.
    pub file: String,
    #[serde(flatten)]
    pub location: Location,
    /// Where the callee is declared.
    #[serde(skip)]
    pub leads: Lead,
}

/// Where a call leads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lead {
    /// To a function of this file that runs in the same program or contract.
    Inside(String),
    /// To a function of this file, in another contract.
    Across(String),
    /// Out of what was read.
    Away,
}

impl Lead {
    /// Returns the file of the callee.
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::Inside(file) | Self::Across(file) => Some(file),
            Self::Away => None,
        }
    }
}

/// The calls of some files.
#[derive(Debug, Serialize)]
pub struct Callgraph {
    pub calls: Vec<Edge>,
    #[serde(flatten)]
    pub gaps: Gaps,
}

/// Finds the calls of the files of a request.
pub fn callgraph(sources: &Sources, reach: &Traversal) -> Result<Callgraph, AuditError> {
    let families: BTreeSet<Family> = sources.files.iter().map(|source| source.language.family()).collect();
    let mut edges = Vec::new();
    let programs: Vec<_> =
        sources.files.iter().filter(|it| it.language.family() != Family::Solidity).cloned().collect();
    let mut gaps = Gaps::of_files(sources, &programs).and(Gaps::skipping(sources));
    for family in families {
        let (found, open) = match family {
            Family::Solidity => contracts(sources),
            _ => program(sources, family),
        };
        edges.extend(found);
        gaps = gaps.and(open);
    }
    edges.sort();
    edges.dedup();
    let calls = match &reach.root {
        Some(root) => from_root(edges, root, reach.depth)?,
        None => edges,
    };
    Ok(Callgraph { calls, gaps })
}

fn contracts(sources: &Sources) -> (Vec<Edge>, Gaps) {
    let files: Vec<_> = sources.files.iter().filter(|it| it.language.family() == Family::Solidity).cloned().collect();
    let analyst = Analyst::new(sources, &files);
    let (edges, lost): (Vec<_>, Vec<_>) = files.iter().map(|source| analyst.edges(source)).unzip();
    let gaps = Gaps { unresolved: lost.concat(), problems: Vec::new() };
    (edges.concat(), analyst.gaps().and(gaps))
}

fn program(sources: &Sources, family: Family) -> (Vec<Edge>, Gaps) {
    let program = Program::new(sources, family);
    let (mut edges, mut gaps) = (Vec::new(), Gaps::default());
    for source in sources.files.iter().filter(|source| source.language.family() == family) {
        let unit = program.unit(source);
        for site in unit.sites.iter().filter(|site| site.body.is_some()) {
            let caller = whole_name(&site.owners, &site.name);
            let body = Body { program: &program, unit: Rc::clone(&unit), site: site.clone() };
            for event in body.events() {
                gaps.unresolved.extend(body.lost_call(&event));
                let called = match event.what {
                    What::Internal(id, kind) => program.unit_of(&id).and_then(|called| {
                        let site = called.sites.iter().find(|site| site.node == id.node)?;
                        let lead = Lead::Inside(called.source.name().to_owned());
                        Some((whole_name(&site.owners, &site.name), kind, lead))
                    }),
                    What::Outward { known, written, kind } => Some((known.unwrap_or(written), kind, Lead::Away)),
                    _ => None,
                };
                let Some((callee, kind, leads)) = called else { continue };
                let (caller, file) = (caller.clone(), source.name().to_owned());
                edges.push(Edge { caller, callee, kind, file, location: source.location(event.at), leads });
            }
        }
    }
    (edges, gaps)
}

/// Returns a function's name behind those of what it stands in.
fn whole_name(owners: &[String], name: &str) -> String {
    owners.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".")
}

/// Follows the calls from one function, nearest first.
fn from_root(edges: Vec<Edge>, root: &str, depth: Option<usize>) -> Result<Vec<Edge>, AuditError> {
    let is_root = |name: &str| name == root || name.rsplit('.').next() == Some(root);
    let roots: BTreeSet<String> = edges.iter().map(|edge| &edge.caller).filter(|name| is_root(name)).cloned().collect();
    if roots.is_empty() {
        let near: BTreeSet<&String> = edges.iter().map(|edge| &edge.caller).take(8).collect();
        let candidates = near.into_iter().cloned().collect();
        return Err(AuditError::FunctionNotFound {
            name: root.to_owned(),
            contract: None,
            file: "the named paths".to_owned(),
            candidates,
        });
    }
    let mut by_caller: BTreeMap<String, Vec<Edge>> = BTreeMap::new();
    for edge in edges {
        by_caller.entry(edge.caller.clone()).or_default().push(edge);
    }
    let mut open: VecDeque<(String, usize)> = roots.iter().map(|root| (root.clone(), 0)).collect();
    let mut seen: BTreeSet<String> = roots;
    let mut calls = Vec::new();
    while let Some((caller, far)) = open.pop_front() {
        if depth.is_some_and(|depth| far >= depth) {
            continue;
        }
        for edge in by_caller.remove(&caller).unwrap_or_default() {
            if seen.insert(edge.callee.clone()) {
                open.push_back((edge.callee.clone(), far + 1));
            }
            calls.push(edge);
        }
    }
    Ok(calls)
}
