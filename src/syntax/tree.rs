//! A parsed text, and the tokens in it.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::text::Span;

use super::{Family, Language, Node, Nodes, Prose, module_types, prose, python, variance, whole_words};

/// The syntax tree of one text. It does not hold the text: the functions that need it take it again.
pub struct Tree {
    language: Language,
    tree: tree_sitter::Tree,
    nodes: OnceLock<Nodes>,
}

impl Tree {
    /// Parses a text; one that breaks the grammar gives a tree with error nodes.
    pub fn parse(language: Language, text: &str) -> Self {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(language.grammar()).expect("every compiled-in grammar fits the compiled-in tree-sitter");
        let mut parse = |text: &str| {
            parser.parse(text, None).expect("a parser with a language and without a callback always answers")
        };
        let is_typed = matches!(language, Language::TypeScript | Language::Tsx);
        let modules = Some(text).filter(|_| is_typed).and_then(module_types::called);
        let text = modules.as_deref().unwrap_or(text);
        let mut tree = parse(text);
        let mut text = Cow::Borrowed(text);
        for reading in [named_using as fn(Language, &str) -> Option<String>, module_types::generic] {
            if !tree.root_node().has_error() {
                break;
            }
            if let Some(other) = reading(language, &text) {
                tree = parse(&other);
                text = Cow::Owned(other);
            }
        }
        let text = &*text;
        if tree.root_node().has_error() && is_typed {
            let starred = starred(text);
            let blanked = variance::blanked(starred.as_deref().unwrap_or(text));
            let parted = parted(blanked.as_deref().or(starred.as_deref()).unwrap_or(text));
            let mut others = [starred, blanked, parted].into_iter().flatten().map(|text| parse(&text));
            tree = others.find(|it| !it.root_node().has_error()).unwrap_or(tree);
        }
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

/// Returns a text of the same length in which `export type * from` (TypeScript 5.0) reads `export * from`, which the grammar
/// here knows. None where there is nothing of the kind.
fn starred(text: &str) -> Option<String> {
    const WORD: &str = "type";
    let mut starred = text.to_owned();
    for (at, _) in text.match_indices("export") {
        let behind = text[at + "export".len()..].trim_start();
        let rest = behind.strip_prefix(WORD).map(str::trim_start);
        if rest.is_some_and(|rest| rest.starts_with('*')) {
            let start = text.len() - behind.len();
            starred.replace_range(start..start + WORD.len(), &" ".repeat(WORD.len()));
        }
    }
    (starred != text).then_some(starred)
}

/// Returns a text of the same length in which a variable that is called `using` has another name: the grammar here takes
/// `using += (using ? "," : "")` for a declaration (ECMAScript's explicit resource management). None where there is nothing of
/// the kind.
fn named_using(language: Language, text: &str) -> Option<String> {
    const WORD: &str = "using";
    const NAME: &str = "usinG";
    if language.family() != Family::Script {
        return None;
    }
    let mut named = text.to_owned();
    for word in whole_words(text, WORD) {
        let behind = &text[word.end..];
        let next = behind.trim_start_matches([' ', '\t']);
        let is_declaring = next.len() < behind.len() && next.starts_with(|it: char| it.is_alphabetic() || it == '_');
        if !is_declaring {
            named.replace_range(word.start..word.end, NAME);
        }
    }
    (named != text).then_some(named)
}

/// Returns a text of the same length in which `;` stands before what begins a line with `<`: a signature that takes type
/// parameters ends the one above it, which the grammar here does not know. None where there is nothing of the kind.
fn parted(text: &str) -> Option<String> {
    let mut parted = text.as_bytes().to_vec();
    let (mut start, mut before) = (0, None);
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let ends = |last: u8| last.is_ascii_alphanumeric() || b">])}'\"`_$".contains(&last);
        // The blank before it gives way, so that no line becomes part of another.
        if line[indent..].starts_with('<') && line[..indent].ends_with([' ', '\t']) && before.is_some_and(ends) {
            parted[start + indent - 1] = b';';
        }
        before = line.trim_end().bytes().last().or(before);
        start += line.len();
    }
    (parted != text.as_bytes()).then(|| String::from_utf8(parted).ok()).flatten()
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
