//! Paths that a script puts together from where it lies and pieces that are written out: `join(__dirname, "lib", "x.js")`.

use crate::syntax::{Node, Tree};
use crate::text::Span;

/// How a script says where it lies.
pub(super) const DIRECTORIES: &[&str] = &["__dirname", "import.meta.dirname"];

/// One path.
pub(super) struct JoinedPath {
    /// `__dirname`
    pub place: Span,
    /// The contents of the strings, in their order.
    pub pieces: Vec<Span>,
    /// From the first string to the last, quotes included.
    pub written: Span,
    /// Whether a module is loaded from there: `require(join(…))`.
    pub is_loaded: bool,
}

/// Finds those of a script.
pub(super) fn joined_paths(tree: &Tree, text: &str) -> Vec<JoinedPath> {
    let nodes = tree.nodes();
    let calls = nodes.iter().filter(|it| it.is("call_expression"));
    calls.filter_map(|call| joined(call, text)).collect()
}

fn joined(call: Node<'_>, text: &str) -> Option<JoinedPath> {
    const JOINING: &[&str] = &["join", "path.join", "path.resolve", "resolve"];
    let called =
        |call: Node<'_>, names: &[&str]| call.child("function").is_some_and(|it| names.contains(&it.text(text)));
    let arguments: Vec<Node<'_>> = call.child("arguments")?.named_children().collect();
    let [place, strings @ ..] = arguments.as_slice() else { return None };
    let (first, last) = (strings.first()?, strings.last()?);
    if !called(call, JOINING) || !DIRECTORIES.contains(&place.text(text)) {
        return None;
    }
    let content = |string: &Node<'_>| {
        let mut parts = string.named_children().filter(|_| string.is("string"));
        let only = parts.next().filter(|it| it.is("string_fragment"))?;
        let is_path = !only.text(text).starts_with('/');
        (parts.next().is_none() && is_path).then(|| only.span())
    };
    let pieces = strings.iter().map(content).collect::<Option<Vec<Span>>>()?;
    let outer = call.parent().filter(|it| it.is("arguments")).and_then(Node::parent);
    let is_loaded = outer.is_some_and(|outer| called(outer, &["require", "require.resolve"]));
    Some(JoinedPath { place: place.span(), pieces, written: Span::new(first.start(), last.end()), is_loaded })
}

impl JoinedPath {
    /// Returns the path as a whole, from the directory of the file.
    pub(super) fn said(&self, text: &str) -> String {
        let pieces = self.pieces.iter().filter_map(|it| it.of(text));
        pieces.collect::<Vec<_>>().join("/")
    }

    /// Writes another path in the way of this one: a piece for each directory, or one for all.
    pub(super) fn respelled(&self, text: &str, path: &str) -> String {
        let quote = &text[self.written.start..=self.written.start];
        let is_parted =
            self.pieces.len() > 1 && !self.pieces.iter().any(|it| it.of(text).is_some_and(|it| it.contains('/')));
        match is_parted {
            true => path.split('/').map(|it| format!("{quote}{it}{quote}")).collect::<Vec<_>>().join(", "),
            false => format!("{quote}{path}{quote}"),
        }
    }
}
