//! What is done with a name where it stands.

use crate::refactor::source_file::Code;
use crate::syntax::python::stands_for_type;
use crate::syntax::{DeclarationKind, Family, Node, Site, site};
use crate::text::Span;

/// What is done with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UseKind {
    /// It is declared: not through an object.
    Definition,
    Import,
    Export,
    /// A class is extended.
    Base,
    Call,
    /// `new Name()`.
    New,
    Read,
    /// It is all that an assignment sets: `name = …`, `object.name = …`.
    Write,
    /// Its value is made of the old one: `+=`, `++`.
    Update,
    /// It is given a value in another way: by a pattern, a loop, a `with`.
    Bind,
    Delete,
    /// The name of an argument, or of an attribute in a pattern of Python.
    Keyword,
    /// The key of an object literal, or a short property in one.
    Key,
    /// Taken out of an object by a pattern: `{ name } = object`.
    Pattern,
    Decorator,
    /// In a type, where no value is.
    Type,
    /// In a string or a comment.
    Text,
}

impl UseKind {
    /// Says what is done there, for messages: `… is read`.
    pub(crate) fn said(self) -> &'static str {
        match self {
            Self::Definition => "declared",
            Self::Import => "imported",
            Self::Export => "exported",
            Self::Base => "extended",
            Self::Call => "called",
            Self::New => "made by `new`",
            Self::Read => "read",
            Self::Write | Self::Update => "set",
            Self::Bind => "set by a pattern",
            Self::Delete => "deleted",
            Self::Keyword => "named as an argument",
            Self::Key => "a key",
            Self::Pattern => "taken out by a pattern",
            Self::Decorator => "a decorator",
            Self::Type => "used as a type",
            Self::Text => "spelled in a text",
        }
    }
}

const TYPES: &[&str] = &["type_annotation", "type_arguments", "type_query", "type_predicate", "asserts"];
/// What can stand between a name and the assignment that gives it a value with others.
const PATTERNS: &[&str] = &[
    "array",
    "array_pattern",
    "as_pattern_target",
    "assignment_pattern",
    "expression_list",
    "list",
    "list_pattern",
    "list_splat",
    "list_splat_pattern",
    "non_null_expression",
    "object",
    "object_pattern",
    "pair",
    "pair_pattern",
    "parenthesized_expression",
    "pattern_list",
    "rest_pattern",
    "spread_element",
    "tuple",
    "tuple_pattern",
];

/// Tells what is done with the name at a span.
pub(crate) fn kind(code: &Code, span: Span) -> UseKind {
    let node = code.covering(span);
    let is_attribute = matches!(node.field(), Some("attribute" | "property"))
        && node.parent().is_some_and(|outer| outer.is_any(&["attribute", "member_expression"]));
    match site(&code.parsed().tree, code.text(), span) {
        Site::ImportSpecifier { .. }
        | Site::ImportedName { .. }
        | Site::ImportAlias { .. }
        | Site::DefaultImport { .. }
        | Site::NamespaceImport { .. }
        | Site::ModuleSpecifier { .. } => UseKind::Import,
        Site::ExportSpecifier { .. } | Site::ExportedName { .. } | Site::ExportAlias { .. } => UseKind::Export,
        Site::ShorthandProperty => UseKind::Key,
        Site::ShorthandPattern => UseKind::Pattern,
        Site::KeywordArgument => UseKind::Keyword,
        Site::String | Site::Comment => UseKind::Text,
        Site::Declaration(DeclarationKind::Property) if node.parent().is_some_and(|outer| outer.is("pair")) => {
            UseKind::Key
        }
        Site::Declaration(_) if !is_attribute => UseKind::Definition,
        Site::Member if node.parent().is_some_and(|outer| outer.is("pair_pattern")) => UseKind::Pattern,
        Site::Member if node.parent().is_some_and(|outer| outer.kind().starts_with("jsx_")) => UseKind::Key,
        _ => done(code, if is_attribute { node.parent().unwrap_or(node) } else { node }),
    }
}

/// Tells what is done with the value of an expression, a name or `object.name`.
fn done(code: &Code, expression: Node<'_>) -> UseKind {
    let Some(outer) = expression.parent() else { return UseKind::Read };
    match (outer.kind(), expression.field()) {
        ("assignment" | "assignment_expression", Some("left")) => UseKind::Write,
        ("augmented_assignment" | "augmented_assignment_expression", Some("left")) => UseKind::Update,
        ("update_expression", _) => UseKind::Update,
        ("delete_statement", _) => UseKind::Delete,
        ("unary_expression", _) if outer.text(code.text()).starts_with("delete") => UseKind::Delete,
        ("call" | "call_expression", Some("function")) => UseKind::Call,
        ("new_expression", Some("constructor")) => UseKind::New,
        ("decorator", _) => UseKind::Decorator,
        ("export_statement", Some("value")) if expression.is("identifier") => UseKind::Export,
        // `export { default as Order } from "./order"`
        ("export_specifier", _) => UseKind::Export,
        ("import_specifier", _) => UseKind::Import,
        ("extends_clause" | "class_heritage" | "extends_type_clause" | "implements_clause", _) => UseKind::Base,
        ("argument_list", _) if outer.field() == Some("superclasses") => UseKind::Base,
        _ if expression.is("type_identifier") || is_type(code, expression) => UseKind::Type,
        _ if is_bound(expression) => UseKind::Bind,
        _ => UseKind::Read,
    }
}

fn is_type(code: &Code, expression: Node<'_>) -> bool {
    match code.family() {
        Family::Python => stands_for_type(expression, code.text()),
        _ => {
            expression.ancestors().take_while(|outer| !outer.kind().ends_with("_statement")).any(|it| it.is_any(TYPES))
        }
    }
}

/// Tells whether a pattern, a loop or a `with` around an expression gives it its value.
fn is_bound(expression: Node<'_>) -> bool {
    let mut inner = expression;
    for outer in expression.ancestors() {
        match (outer.kind(), inner.field()) {
            ("assignment" | "assignment_expression", Some("left")) => return true,
            ("for_statement" | "for_in_statement" | "for_in_clause", Some("left")) => return true,
            ("as_pattern", Some("alias")) | ("named_expression", Some("name")) => return true,
            ("pair", field) if field != Some("value") => return false,
            ("delete_statement", _) => return true,
            (kind, _) if PATTERNS.contains(&kind) => inner = outer,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests;
