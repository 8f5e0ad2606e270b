//! What an identifier can stand in, and what it can declare.

use crate::text::Span;

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
