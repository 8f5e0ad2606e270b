//! What an identifier stands in.

pub(super) mod python;
pub(super) mod script;

use crate::text::Span;

use super::{Family, Node, Tree, prose};

/// The place of a token in the syntax around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Site {
    /// A name in an import list that keeps its name here: `import { name }`, `from m import name`.
    ImportSpecifier {
        module: Option<Span>,
    },
    /// The outer name of an aliased import: `import { name as alias }`, `from m import name as alias`.
    ImportedName {
        alias: Span,
        module: Option<Span>,
    },
    /// The local name of an aliased import, also of `import a.b as alias`.
    ImportAlias {
        imported: Span,
        module: Option<Span>,
    },
    /// `import name from "…"`, `import name = require("…")`.
    DefaultImport {
        module: Option<Span>,
    },
    /// `import * as name from "…"`.
    NamespaceImport {
        module: Option<Span>,
    },
    /// A name in an export list that keeps its name: `export { name }`; `from` tells of `export { name } from "…"`.
    ExportSpecifier {
        module: Option<Span>,
    },
    /// The inner name of an aliased export: `export { name as alias }`.
    ExportedName {
        alias: Span,
        module: Option<Span>,
    },
    /// The outer name of an aliased export, also of `export * as alias from "…"`.
    ExportAlias {
        exported: Option<Span>,
        module: Option<Span>,
    },
    /// A string that names a module, or one part of a dotted module name in a Python import.
    ModuleSpecifier {
        whole: Span,
    },
    /// `{ name }` where a value is made: a property and a reference at once.
    ShorthandProperty,
    /// `{ name }` where a value is taken apart: a property and a new variable at once.
    ShorthandPattern,
    /// The name of an argument given by name.
    KeywordArgument,
    /// Where something gets its name.
    Declaration(DeclarationKind),
    /// A member of something else: `object.name`.
    Member,
    /// A use of a name.
    Plain,
    String,
    Comment,
    Keyword,
    /// Punctuation, a number, white space.
    Other,
}

/// What a declaration declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeclarationKind {
    Class,
    Interface,
    Enum,
    EnumMember,
    TypeAlias,
    TypeParameter,
    Namespace,
    Function,
    Method,
    Constructor,
    Property,
    Parameter,
    Variable,
    Constant,
    Label,
    /// A name that an import brings in unchanged.
    Import,
    ImportAlias,
    Module,
    Struct,
    Trait,
    Event,
    Error,
    Modifier,
    Macro,
}

/// Tells what the token at `span` stands in.
pub fn site(tree: &Tree, text: &str, span: Span) -> Site {
    let Some(token) = token(tree, span) else { return Site::Other };
    if let Some(site) = of_prose(tree, token, text) {
        return site;
    }
    if !token.is_named() || is_word_node(token) {
        let is_word = token.text(text).starts_with(char::is_alphabetic);
        return if is_word { Site::Keyword } else { Site::Other };
    }
    if !super::tree::is_identifier_kind(token.kind(), tree.language()) {
        return Site::Other;
    }
    match tree.language().family() {
        Family::Python => python::in_text(token, text),
        Family::Script => script::of(token, text),
        _ => super::declarations::site_of(tree, token),
    }
}

/// Returns the innermost node at the span.
fn token(tree: &Tree, span: Span) -> Option<Node<'_>> {
    let wide = if span.is_empty() { Span::new(span.start, span.start + 1) } else { span };
    let node = tree.nodes().covering(wide);
    (node.parent().is_some()).then_some(node)
}

fn of_prose(tree: &Tree, token: Node<'_>, text: &str) -> Option<Site> {
    let literal = std::iter::once(token).chain(token.ancestors().take(3)).find(|node| {
        let is_code = node.is_any(&["interpolation", "template_substitution", "template_type"]);
        is_code || node.is_named() && (prose::is_comment(node.kind()) || prose::is_literal(node.kind()))
    })?;
    if prose::is_comment(literal.kind()) {
        return Some(Site::Comment);
    }
    if !prose::is_literal(literal.kind())
        || (literal != token && super::tree::is_identifier_kind(token.kind(), tree.language()))
    {
        return None;
    }
    Some(match script::module_specifier(literal, text) {
        Some(whole) if tree.language().family() == Family::Script => Site::ModuleSpecifier { whole },
        _ => Site::String,
    })
}

/// Named nodes that are one fixed word.
fn is_word_node(token: Node<'_>) -> bool {
    token.is_leaf()
        && token.is_any(&[
            "this",
            "super",
            "true",
            "false",
            "null",
            "none",
            "undefined",
            "predefined_type",
            "this_type",
        ])
}
