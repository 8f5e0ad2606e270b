//! A syntax tree laid out flat: every walk is a loop, however deep the text nests.

use std::num::NonZero;

use crate::text::Span;

use super::Language;
use super::grammar_names::GrammarNames;
use super::roles::{Role, Roles};

/// All nodes of one tree in the order of their beginnings, a parent before its children.
// Invariant: the first record is the root; `end` is one past the node's last descendant.
#[derive(Debug)]
pub struct Nodes {
    records: Vec<Record>,
    names: &'static GrammarNames,
}

/// Places and lengths are tree-sitter's own 32 bits wide.
#[derive(Debug)]
struct Record {
    start: u32,
    len: u32,
    parent: u32,
    end: u32,
    kind: u16,
    /// 0 where there is none.
    field: u16,
    nature: Nature,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    Named,
    Anonymous,
    Error,
    Missing,
}

/// One node of a tree; cheap to copy.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    nodes: &'t Nodes,
    index: u32,
}

impl Nodes {
    pub(super) fn of(language: Language, tree: &tree_sitter::Tree) -> Self {
        let names = language.names();
        let mut records: Vec<Record> = Vec::with_capacity(tree.root_node().descendant_count());
        let mut open: Vec<u32> = Vec::new();
        let mut cursor = tree.walk();
        loop {
            let index = records.len() as u32;
            let parent = open.last().copied();
            // A look for the field climbs through all that the grammar hides, which is deep in a long list.
            let field = parent.filter(|parent| names.has_fields(records[*parent as usize].kind));
            let field = field.and_then(|_| cursor.field_id());
            records.push(Record { field: field.map_or(0, NonZero::get), ..Record::of(&cursor, parent.unwrap_or(0)) });
            if cursor.goto_first_child() {
                open.push(index);
                continue;
            }
            records[index as usize].end = index + 1;
            while !cursor.goto_next_sibling() {
                let Some(parent) = open.pop() else { return Self { records, names } };
                records[parent as usize].end = records.len() as u32;
                cursor.goto_parent();
            }
        }
    }

    pub fn root(&self) -> Node<'_> {
        Node { nodes: self, index: 0 }
    }

    /// Returns every node, a parent before its children.
    pub fn iter(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.records.len() as u32).map(|index| Node { nodes: self, index })
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// A tree has a root, always.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the node with this [`Node::index`].
    pub fn get(&self, index: usize) -> Option<Node<'_>> {
        (index < self.records.len()).then_some(Node { nodes: self, index: index as u32 })
    }

    /// Returns the smallest node that spans `span`; of two that touch a place, the one that ends there.
    pub fn covering(&self, span: Span) -> Node<'_> {
        let before = if span.is_empty() { Span::new(span.start.saturating_sub(1), span.end) } else { span };
        let around = self.innermost(before);
        if !span.is_empty() {
            return around;
        }
        // All that begins at one place lies in one another.
        let begun = self.begun_until(span.start, around.next_index()).filter(|node| node.start() == span.start);
        begun.filter(|node| around.holds(*node)).unwrap_or(around)
    }

    /// Returns everything that lies in `span`, which is not empty; a parent before its children.
    pub fn within(&self, span: Span) -> impl Iterator<Item = Node<'_>> {
        self.innermost(span).walk_until(|_| false).filter(move |node| span.contains(node.span()))
    }

    /// Returns the smallest node that spans what is not empty.
    fn innermost(&self, span: Span) -> Node<'_> {
        let last = self.begun_until(span.start, self.len());
        let above = last.into_iter().flat_map(|node| std::iter::once(node).chain(node.ancestors()));
        above.filter(|node| !node.span().is_empty()).find(|node| node.span().contains(span)).unwrap_or(self.root())
    }

    /// Returns the last node, of those before the one with this number, that begins at `offset` or before it and is not
    /// empty.
    fn begun_until(&self, offset: usize, end: usize) -> Option<Node<'_>> {
        let begun = self.records[..end].partition_point(|record| record.start as usize <= offset);
        self.records[..begun].iter().rposition(|record| record.len > 0).and_then(|index| self.get(index))
    }
}

impl Record {
    fn of(cursor: &tree_sitter::TreeCursor<'_>, parent: u32) -> Self {
        let node = cursor.node();
        let nature = match () {
            () if node.is_error() => Nature::Error,
            () if node.is_missing() => Nature::Missing,
            () if node.is_named() => Nature::Named,
            () => Nature::Anonymous,
        };
        Self {
            start: node.start_byte() as u32,
            len: (node.end_byte() - node.start_byte()) as u32,
            parent,
            end: 0,
            kind: node.kind_id(),
            field: 0,
            nature,
        }
    }
}

impl<'t> Node<'t> {
    fn record(self) -> &'t Record {
        &self.nodes.records[self.index as usize]
    }

    /// Returns the node's number in the order of [`Nodes::iter`].
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// Returns the name that the grammar gives the node; an anonymous token's kind is its text.
    pub fn kind(self) -> &'static str {
        // tree-sitter's number for an error node lies beyond its table.
        self.nodes.names.kinds.get(usize::from(self.record().kind)).copied().unwrap_or("ERROR")
    }

    pub fn is(self, kind: &str) -> bool {
        self.kind() == kind && self.record().nature != Nature::Anonymous
    }

    pub fn is_any(self, kinds: &[&str]) -> bool {
        kinds.contains(&self.kind()) && self.record().nature != Nature::Anonymous
    }

    /// Returns what the node is to those who look at the shape of code.
    pub fn roles(self) -> Roles {
        self.nodes.names.roles.get(usize::from(self.record().kind)).copied().unwrap_or(Roles::NONE)
    }

    pub fn has(self, role: Role) -> bool {
        self.roles().has(role)
    }

    /// Returns the field by which the node hangs in its parent.
    pub fn field(self) -> Option<&'static str> {
        let field = self.record().field;
        (field > 0).then(|| self.nodes.names.fields.get(usize::from(field)).copied().unwrap_or_default())
    }

    pub fn span(self) -> Span {
        let record = self.record();
        let start = record.start as usize;
        Span { start, end: start + record.len as usize }
    }

    pub fn start(self) -> usize {
        self.record().start as usize
    }

    pub fn end(self) -> usize {
        self.span().end
    }

    pub fn text(self, text: &str) -> &str {
        self.span().of(text).unwrap_or_default()
    }

    pub fn is_named(self) -> bool {
        self.record().nature != Nature::Anonymous
    }

    /// Tells whether the parser could not make sense of what stands here.
    pub fn is_error(self) -> bool {
        matches!(self.record().nature, Nature::Error | Nature::Missing)
    }

    pub fn is_missing(self) -> bool {
        self.record().nature == Nature::Missing
    }

    pub fn is_leaf(self) -> bool {
        self.record().end == self.index + 1
    }

    pub fn parent(self) -> Option<Self> {
        (self.index > 0).then(|| self.at(self.record().parent))
    }

    /// Returns the parent, its parent, and so on up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    pub fn children(self) -> impl Iterator<Item = Self> {
        let end = self.record().end;
        let first = (self.index + 1 < end).then(|| self.at(self.index + 1));
        std::iter::successors(first, move |node| {
            let next = node.record().end;
            (next < end).then(|| node.at(next))
        })
    }

    /// Returns the children that are no punctuation and no keywords; comments are left out too.
    pub fn named_children(self) -> impl Iterator<Item = Self> {
        self.children().filter(|child| child.is_named() && !child.has(Role::Comment))
    }

    /// Returns the first child in this field.
    pub fn child(self, field: &str) -> Option<Self> {
        self.children().find(|child| child.field() == Some(field))
    }

    /// Returns all children in this field.
    pub fn children_in(self, field: &str) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.field() == Some(field))
    }

    /// Returns the first child of this kind; anonymous tokens count.
    pub fn child_of_kind(self, kind: &str) -> Option<Self> {
        self.children().find(|child| child.kind() == kind)
    }

    /// Returns everything below, a parent before its children.
    pub fn descendants(self) -> impl Iterator<Item = Self> {
        (self.index + 1..self.record().end).map(move |index| self.at(index))
    }

    /// Returns the node and everything below, without what lies below nodes that `stop` names.
    pub fn walk_until(self, stop: impl Fn(Self) -> bool) -> impl Iterator<Item = Self> {
        let end = self.record().end;
        let mut next = self.index;
        std::iter::from_fn(move || {
            let node = (next < end).then(|| self.at(next))?;
            next = if stop(node) { node.record().end } else { next + 1 };
            Some(node)
        })
    }

    /// Returns one past the [`Node::index`] of the last node below this one.
    pub fn next_index(self) -> usize {
        self.record().end as usize
    }

    /// Tells whether `other` lies below this node.
    pub fn holds(self, other: Self) -> bool {
        self.index < other.index && other.index < self.record().end
    }

    fn at(self, index: u32) -> Self {
        Self { nodes: self.nodes, index }
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && std::ptr::eq(self.nodes, other.nodes)
    }
}

impl Eq for Node<'_> {}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}..{}", self.kind(), self.start(), self.end())
    }
}
