//! A parsed text, and the tokens in it.

use std::sync::OnceLock;

use crate::text::Span;

use super::{Language, Node, Nodes, Prose, prose, python, readings};

/// The syntax tree of one text. It does not hold the text: the functions that need it take it again.
pub struct Tree {
    language: Language,
    tree: tree_sitter::Tree,
    nodes: OnceLock<Nodes>,
}

impl Tree {
    /// Parses a text; one that breaks the grammar gives a tree with error nodes.
    pub fn parse(language: Language, text: &str) -> Self {
        let (tree, _) = readings::read(language, text);
        Self { language, tree, nodes: OnceLock::new() }
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns tree-sitter's own root node, for its queries and cursors.
    pub fn root(&self) -> tree_sitter::Node<'_> {
        self.tree.root_node()
    }

    /// Returns the tree laid out flat; made at the first call.
    pub fn nodes(&self) -> &Nodes {
        self.nodes.get_or_init(|| Nodes::of(self.language, &self.tree))
    }

    /// Returns the identifier that touches an offset; where two touch, the one that begins there.
    pub fn identifier_at(&self, text: &str, offset: usize) -> Option<Span> {
        self.touching(offset)
            .find(|node| node.is_named() && node.is_leaf() && is_identifier_kind(node.kind(), self.language))
            .map(Node::span)
            .filter(|span| span.of(text).is_some_and(|name| !name.is_empty()))
    }

    /// Returns the kind and place of the token at an offset, white space excluded: the grammar's word
    /// for it (`identifier`, `comment`, …), or the token's own text where it is a keyword or punctuation.
    pub fn token_at(&self, text: &str, offset: usize) -> Option<(String, Span)> {
        let node = self.touching(offset).find(|node| node.is_leaf())?;
        node.span().of(text).map(|_| (node.kind().to_owned(), node.span()))
    }

    /// Returns every identifier token that reads `name`, in order.
    pub fn identifiers_named(&self, text: &str, name: &str) -> Vec<Span> {
        if name.is_empty() {
            return Vec::new();
        }
        memchr::memmem::find_iter(text.as_bytes(), name.as_bytes())
            .map(|start| Span::new(start, start + name.len()))
            .filter(|span| self.identifier_at(text, span.start) == Some(*span))
            .collect()
    }

    /// Returns the contents of string literals and the comments, in order, without what is code again
    /// inside them (interpolations, template substitutions).
    pub fn prose(&self) -> Vec<(Prose, Span)> {
        prose::of(self.nodes())
    }

    /// Counts the places where the text breaks the grammar.
    pub fn error_count(&self) -> usize {
        if !self.tree.root_node().has_error() {
            return 0;
        }
        self.nodes().iter().filter(|node| node.is_error()).count()
    }

    /// Counts the places where the text breaks the rules of its language as far as a text shows them, where the grammar here
    /// lets some pass.
    pub fn fault_count(&self, text: &str) -> usize {
        let broken = match self.language {
            Language::Python => python::broken_lines(self.nodes(), text),
            _ => 0,
        };
        self.error_count() + broken
    }

    /// The smallest nodes behind and before an offset.
    fn touching(&self, offset: usize) -> impl Iterator<Item = Node<'_>> {
        let starts = std::iter::once(offset).chain(offset.checked_sub(1));
        starts.map(|start| self.nodes().covering(Span::new(start, start + 1)))
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree({:?}, {} nodes)", self.language, self.tree.root_node().descendant_count())
    }
}

/// Tells whether leaves of this kind are names that a program gives or uses.
pub(super) fn is_identifier_kind(kind: &str, language: Language) -> bool {
    match language {
        Language::Bash => matches!(kind, "variable_name" | "word"),
        Language::Json => false,
        Language::Solidity => kind.ends_with("identifier") || kind == "enum_value",
        _ => kind.ends_with("identifier") || kind.starts_with("shorthand_") || kind == "label_name",
    }
}
