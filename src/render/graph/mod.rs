//! A graph that a person looks at: Mermaid, DOT, or SVG that is laid out already. Names in it are never markup.

mod layout;
mod svg;

use std::fmt::Write as _;

pub use svg::svg;

/// Nodes in clusters, and arrows between them.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Graph {
    pub clusters: Vec<Cluster>,
    pub arrows: Vec<Arrow>,
    /// What is not drawn, and other remarks on the whole, a line each.
    pub notes: Vec<String>,
}

/// What belongs together: a box with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    pub name: String,
    pub nodes: Vec<String>,
    /// It lies outside of what was looked at.
    pub is_outside: bool,
}

/// A node by its cluster and its number in it, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    pub cluster: usize,
    pub number: usize,
}

/// From one node to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    pub from: Node,
    pub to: Node,
    /// Nothing for an ordinary one; an arrow with a label is dashed.
    pub label: Option<String>,
}

impl Graph {
    fn name(&self, node: Node) -> &str {
        &self.clusters[node.cluster].nodes[node.number]
    }
}

impl Node {
    fn id(self) -> String {
        format!("n{}_{}", self.cluster, self.number)
    }
}

/// Writes a flowchart of Mermaid.
pub fn mermaid(graph: &Graph) -> String {
    let mut out = String::new();
    for note in &graph.notes {
        put(&mut out, &format!("%% {}\n", note.replace(['\n', '\r', '{', '}'], " ")));
    }
    put(&mut out, "flowchart LR\n");
    for (at, cluster) in graph.clusters.iter().enumerate() {
        put(&mut out, &format!("  subgraph c{at}[\"{}\"]\n", entities(&cluster.name)));
        for (number, name) in cluster.nodes.iter().enumerate() {
            put(&mut out, &format!("    {}[\"{}\"]\n", Node { cluster: at, number }.id(), entities(name)));
        }
        put(&mut out, "  end\n");
    }
    for Arrow { from, to, label } in &graph.arrows {
        let line = label.as_ref().map_or("-->".to_owned(), |label| format!("-. \"{}\" .->", entities(label)));
        put(&mut out, &format!("  {} {line} {}\n", from.id(), to.id()));
    }
    out
}

/// Writes a digraph in Graphviz's language.
pub fn dot(graph: &Graph) -> String {
    let mut out = String::new();
    for note in &graph.notes {
        put(&mut out, &format!("// {}\n", note.replace(['\n', '\r'], " ")));
    }
    put(&mut out, "digraph calls {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    for (at, cluster) in graph.clusters.iter().enumerate() {
        put(&mut out, &format!("  subgraph cluster_{at} {{\n    label={};\n", quoted(&cluster.name)));
        if cluster.is_outside {
            put(&mut out, "    style=dashed;\n");
        }
        for (number, name) in cluster.nodes.iter().enumerate() {
            put(&mut out, &format!("    {} [label={}];\n", Node { cluster: at, number }.id(), quoted(name)));
        }
        put(&mut out, "  }\n");
    }
    for Arrow { from, to, label } in &graph.arrows {
        let style = label.as_ref().map_or(String::new(), |it| format!(" [style=dashed, label={}]", quoted(it)));
        put(&mut out, &format!("  {} -> {}{style};\n", from.id(), to.id()));
    }
    put(&mut out, "}\n");
    out
}

fn put(out: &mut String, text: &str) {
    out.push_str(text);
}

/// Writes a text for the inside of Mermaid's quotes: whatever could be markup there as an entity, by its number.
fn entities(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, character| {
        if character.is_alphanumeric() || " _.$:/()-,".contains(character) {
            out.push(character);
        } else {
            write!(out, "#{};", u32::from(character)).expect("a String takes all that is written");
        }
        out
    })
}

/// Writes a string of DOT: only `"` and `\` mean something in it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " "))
}

#[cfg(test)]
mod tests;
