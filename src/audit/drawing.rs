//! Calls as a picture: functions in clusters, by contract or module, and what lies outside of the files last.

use std::collections::{BTreeMap, BTreeSet};

use super::callgraph::{Callgraph, Edge, Lead};
use crate::render::{Arrow, Cluster, Graph, Node};
use crate::syntax::{Family, Language};
use crate::text::counted;

/// What a language has by itself is called everywhere, and says nothing in a picture.
const BUILT_IN: &str = "builtin";
const OUTSIDE: &str = "outside of these files";

/// Draws what was found. Calls of built-in functions are counted in a note, and calls of one function by another are one
/// arrow; those that leave the contract, or whose function is not among the files, have a label.
pub fn drawing(found: &Callgraph) -> Graph {
    let mut board = Board::default();
    let mut arrows = BTreeSet::new();
    let (built_in, drawn): (Vec<&Edge>, Vec<&Edge>) = found.calls.iter().partition(|it| it.kind == BUILT_IN);
    for edge in drawn {
        let from = board.node(Some(&edge.file), &edge.caller);
        let to = board.node(edge.leads.file(), &edge.callee);
        let label = (!matches!(edge.leads, Lead::Inside(_))).then_some(edge.kind);
        arrows.insert((from, to, label));
    }
    let arrows = arrows.into_iter().map(|(from, to, label)| Arrow { from, to, label: label.map(str::to_owned) });
    Graph { arrows: arrows.collect(), clusters: board.clusters, notes: notes(found, built_in.len()) }
}

fn notes(found: &Callgraph, built_in: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if built_in > 0 {
        notes.push(format!("not drawn: {} of what the language has by itself", counted(built_in, "call")));
    }
    let open = found.gaps.unresolved.len() + found.gaps.problems.len();
    if open > 0 {
        let what = counted(open, "place");
        notes.push(format!("not complete: {what} could not be followed or read; `--output toon` lists them"));
    }
    notes
}

/// The clusters so far, and where each function stands.
#[derive(Default)]
struct Board {
    clusters: Vec<Cluster>,
    numbers: BTreeMap<String, usize>,
    nodes: BTreeMap<(usize, String), Node>,
}

impl Board {
    fn node(&mut self, file: Option<&str>, name: &str) -> Node {
        let (home, name) = match file {
            Some(file) => at_home(file, name),
            None => (OUTSIDE.to_owned(), name),
        };
        let cluster = *self.numbers.entry(home).or_insert_with_key(|home| {
            self.clusters.push(Cluster { name: home.clone(), nodes: Vec::new(), is_outside: file.is_none() });
            self.clusters.len() - 1
        });
        let nodes = &mut self.clusters[cluster].nodes;
        *self.nodes.entry((cluster, name.to_owned())).or_insert_with(|| {
            nodes.push(name.to_owned());
            Node { cluster, number: nodes.len() - 1 }
        })
    }
}

/// Returns the cluster of a function and its name there: a contract with its file, or a module.
fn at_home<'a>(file: &str, name: &'a str) -> (String, &'a str) {
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_contract = Language::of_extension(extension).is_some_and(|it| it.family() == Family::Solidity);
    match name.rsplit_once('.').filter(|_| is_contract) {
        Some((contract, name)) => (format!("{contract} ({file})"), name),
        None => (file.to_owned(), name),
    }
}

#[cfg(test)]
mod tests;
