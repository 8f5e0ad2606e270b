//! The names of a text after edits, each beside the occurrence that it was before.

use std::collections::BTreeSet;

use crate::syntax::{Family, Tree, names::is_identifier};
use crate::text::{Span, TextEdit, TextEdits};

use super::graph::{Graph, Occurrence};
use super::graph_of::graph_of;
use super::resolve::{Resolution, Target, resolve};

/// What became of the occurrences of a graph.
#[derive(Debug)]
pub(super) struct Aligned {
    /// The new name of each occurrence; nothing where it is no occurrence any more.
    pub(super) names: Vec<Option<String>>,
    /// The occurrences that edits replace by a single name.
    pub(super) renamed: BTreeSet<usize>,
    reparsed: Option<Reparsed>,
}

#[derive(Debug)]
struct Reparsed {
    graph: Graph,
    names: Vec<String>,
    /// For each occurrence after the edits, the one before them.
    origin: Vec<Option<usize>>,
}

/// Lays edits over a graph. Edits that put one name in the place of another only rename; after any other
/// (`name` becomes `old: name`, `new as old`) the text is parsed again and matched with the old one by place.
pub(super) fn laid_over(tree: &Tree, before: &Graph, text: &str, edits: &TextEdits) -> Aligned {
    let is_script = tree.language().family() == Family::Script;
    let mut names: Vec<Option<String>> =
        before.occurrences.iter().map(|it| it.span.of(text).map(str::to_owned)).collect();
    for edit in edits {
        if !is_rename(edit, text, is_script) {
            return reparsed(tree, before, text, edits);
        }
        match touched(before, edit.span) {
            Touched::None => {}
            Touched::Whole(at) => names[at] = Some(edit.new_text.clone()),
            Touched::Part => return reparsed(tree, before, text, edits),
        }
    }
    Aligned { names, renamed: BTreeSet::new(), reparsed: None }
}

/// What the old occurrences mean after the edits, in numbers of old occurrences.
pub(super) struct Now {
    targets: Vec<Target>,
    /// For each old occurrence, its place in `targets`; nothing where it is no occurrence any more.
    pub(super) of: Vec<Option<usize>>,
}

impl Now {
    pub(super) fn target(&self, occurrence: usize) -> Option<&Target> {
        self.of[occurrence].map(|number| &self.targets[number])
    }
}

impl Aligned {
    pub(super) fn resolve(&self, before: &Graph, family: Family) -> Now {
        let Some(reparsed) = &self.reparsed else {
            let names: Vec<&str> = self.names.iter().map(|name| name.as_deref().unwrap_or_default()).collect();
            let Resolution { targets, of, .. } = resolve(before, &names, family);
            return Now { targets, of: of.into_iter().map(Some).collect() };
        };
        let names: Vec<&str> = reparsed.names.iter().map(String::as_str).collect();
        let now = resolve(&reparsed.graph, &names, family);
        let mut of = vec![None; self.names.len()];
        for (after, origin) in reparsed.origin.iter().enumerate() {
            if let Some(origin) = origin {
                of[*origin] = Some(now.of[after]);
            }
        }
        Now { targets: now.targets.iter().map(|target| reparsed.translated(target)).collect(), of }
    }
}

impl Reparsed {
    fn translated(&self, target: &Target) -> Target {
        let old = |all: &[usize]| {
            let mut old: Vec<usize> = all.iter().filter_map(|at| self.origin[*at]).collect();
            old.sort_unstable();
            old
        };
        match target {
            Target::Bound(all) => Target::Bound(old(all)),
            Target::Free(all) => Target::Free(old(all)),
        }
    }
}

/// In JSX, whether a tag names a component hangs on its first letter.
fn is_rename(edit: &TextEdit, text: &str, is_script: bool) -> bool {
    let old = edit.span.of(text).unwrap_or_default();
    let starts_small = |name: &str| name.starts_with(char::is_lowercase);
    is_identifier(old)
        && is_identifier(&edit.new_text)
        && !(is_script && starts_small(old) != starts_small(&edit.new_text))
}

enum Touched {
    None,
    Whole(usize),
    Part,
}

fn touched(graph: &Graph, span: Span) -> Touched {
    let at = graph.occurrences.partition_point(|it| it.span.end <= span.start);
    match graph.occurrences.get(at) {
        Some(it) if it.span == span => Touched::Whole(at),
        Some(it) if it.span.overlaps(span) => Touched::Part,
        _ => Touched::None,
    }
}

fn whole(graph: &Graph, span: Span) -> Option<usize> {
    match touched(graph, span) {
        Touched::Whole(at) => Some(at),
        _ => None,
    }
}

fn reparsed(tree: &Tree, before: &Graph, text: &str, edits: &TextEdits) -> Aligned {
    let new_text = edits.apply(text);
    let new_tree = Tree::parse(tree.language(), &new_text);
    let graph = graph_of(&new_tree, &new_text).unwrap_or_default();
    let mut names = vec![None; before.occurrences.len()];
    let mut origin = vec![None; graph.occurrences.len()];
    let mut shift = Shift::new(edits);
    let mut at = 0;
    while at < before.occurrences.len() {
        let first = at;
        let (old, new) = shift.region(before.occurrences[at].span);
        at += 1;
        while before.occurrences.get(at).is_some_and(|it| it.span.start < old.end) {
            at += 1;
        }
        let inside = inside(&graph.occurrences, new);
        for (old_at, new_at) in pairs(first..at, inside) {
            origin[new_at] = Some(old_at);
            names[old_at] = graph.occurrences[new_at].span.of(&new_text).map(str::to_owned);
        }
    }
    let all = graph.occurrences.iter().map(|it| it.span.of(&new_text).unwrap_or_default().to_owned()).collect();
    let renamed = edits.iter().filter(|edit| is_identifier(&edit.new_text)).filter_map(|edit| whole(before, edit.span));
    Aligned { names, renamed: renamed.collect(), reparsed: Some(Reparsed { graph, names: all, origin }) }
}

/// Returns the occurrences that lie wholly in a span.
fn inside(occurrences: &[Occurrence], span: Span) -> std::ops::Range<usize> {
    let start = occurrences.partition_point(|it| it.span.start < span.start);
    let end = occurrences.partition_point(|it| it.span.end <= span.end);
    start..end.max(start)
}

/// Pairs old with new occurrences of one stretch: in order where there are as many, and a single old one
/// with the last new one, because `old: new` and `new as old` look the last name up.
fn pairs(old: std::ops::Range<usize>, new: std::ops::Range<usize>) -> Vec<(usize, usize)> {
    match (old.len(), new.len()) {
        (old_count, new_count) if old_count == new_count => old.zip(new).collect(),
        (1, more) if more > 1 => vec![(old.start, new.end - 1)],
        _ => Vec::new(),
    }
}

/// Follows places through edits, from the front to the back.
struct Shift<'e> {
    edits: std::iter::Peekable<std::slice::Iter<'e, TextEdit>>,
    moved: isize,
}

impl<'e> Shift<'e> {
    fn new(edits: &'e TextEdits) -> Self {
        Self { edits: edits.iter().peekable(), moved: 0 }
    }

    /// Returns a span grown by the edits that touch it, and the stretch that this becomes. Spans have to
    /// be asked for in order.
    fn region(&mut self, span: Span) -> (Span, Span) {
        let is_before =
            |edit: &&TextEdit| edit.span.end < span.start || (edit.span.end == span.start && !edit.span.is_empty());
        while let Some(edit) = self.edits.next_if(|edit| is_before(edit)) {
            self.moved += growth(edit);
        }
        let mut old = span;
        let moved = self.moved;
        let is_touching =
            |edit: &&TextEdit, end: usize| edit.span.start < end || (edit.span.start == end && edit.span.is_empty());
        while let Some(edit) = self.edits.next_if(|edit| is_touching(edit, old.end)) {
            old = Span::new(old.start.min(edit.span.start), old.end.max(edit.span.end));
            self.moved += growth(edit);
        }
        let start = old.start.saturating_add_signed(moved);
        (old, Span::new(start, old.end.saturating_add_signed(self.moved)))
    }
}

fn growth(edit: &TextEdit) -> isize {
    edit.new_text.len().cast_signed() - edit.span.len().cast_signed()
}
