//! Who uses a declaration, and for what.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::index::{FoundDeclaration, Index};
use super::module::{DeclarationRow, Module};
use crate::lsp::Place;
use crate::refactor::rename::{Conflicts, RenameRequest, plan};
use crate::refactor::{Refusal, UseKind, Uses};
use crate::session::Session;
use crate::syntax::kinds::Role;
use crate::syntax::{Also, EntryKind, Family, Language, Node};
use crate::text::{AbsPath, Span};

/// One place that means a declaration.
#[derive(Debug, Clone)]
pub struct Usage {
    pub module: Arc<Module>,
    pub path: AbsPath,
    pub span: Span,
    pub kind: UsageKind,
    /// The number of the function that the place is in.
    pub function: Option<usize>,
}

/// What a place does with a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UsageKind {
    Call,
    Construct,
    EnumVariant,
    Raise,
    /// It is extended, implemented or overridden.
    Impl,
    TypeRef,
    Import,
    Write,
    Read,
}

/// All places of a declaration, its own name apart.
#[derive(Debug, Clone, Default)]
pub struct Usages {
    pub certain: Vec<Usage>,
    /// Members of objects of unknown type that have the name.
    pub possible: Vec<Usage>,
    /// Why these are not all: what it belongs to outside the project, or what would not be told.
    pub left_out: Vec<String>,
}

impl UsageKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Construct => "construct",
            Self::EnumVariant => "enum_variant",
            Self::Raise => "raise",
            Self::Impl => "impl",
            Self::TypeRef => "type_ref",
            Self::Import => "import",
            Self::Write => "write",
            Self::Read => "read",
        }
    }
}

/// Finds every place that means a declaration: in every project that mentions the name, through re-exports, overriding
/// and overridden members included.
pub async fn usages(session: &Session, index: &Index, found: &FoundDeclaration) -> Result<Usages, Refusal> {
    let path = session.root().join(&found.module.path).expect("a path of the project joined to its root");
    let row = found.row();
    let (uses, limit) = Uses::at(session, &path, row.name_span.start).await?;
    let mut all = Usages::default();
    for (code, one) in uses.iter() {
        if code.path == path && one.span == row.name_span {
            continue;
        }
        let node = code.covering(one.span);
        let kind = match code.family() {
            Family::Python | Family::Script => known(one.kind, node, found),
            _ => generic(node, found),
        };
        all.certain.extend(usage(session, index, (&code.path, one.span), kind));
    }
    let known: BTreeSet<(AbsPath, Span)> =
        uses.iter().map(|(code, one)| (code.path.clone(), one.span)).chain([(path.clone(), row.name_span)]).collect();
    let (renamed, limit) = match limit {
        // It would be refused for the same reason.
        Some(limit) => (Vec::new(), Some(limit)),
        None => match renamed(session, &path, row).await {
            Ok(renamed) => (renamed, None),
            Err(refusal) if refusal.is_failure() => return Err(refusal),
            Err(refusal) => (Vec::new(), Some(refusal)),
        },
    };
    all.left_out.extend(limit.iter().flat_map(Refusal::obstacles).map(ToString::to_string));
    for (path, span) in renamed.into_iter().filter(|place| !known.contains(place)) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let is_declared = || {
            let name = path.relative_to(session.root());
            let module = name.and_then(|name| index.module(name.as_str()));
            module.is_some_and(|module| module.rows.iter().any(|row| row.name_span == span))
        };
        let kind = match is_declared() {
            true => UsageKind::Impl,
            false => generic(parsed.tree.nodes().covering(span), found),
        };
        all.certain.extend(usage(session, index, (&path, span), kind));
    }
    for (path, span) in uses.possible(session).await? {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let kind = generic(parsed.tree.nodes().covering(span), found);
        all.possible.extend(usage(session, index, (&path, span), kind));
    }
    all.certain.sort_by(|one, other| (&one.path, one.span).cmp(&(&other.path, other.span)));
    all.certain.dedup_by(|one, other| (&one.path, one.span) == (&other.path, other.span));
    Ok(all)
}

/// Returns the places in code that a rename changes: more than are references to a server, such as members of types that
/// are taken for each other.
async fn renamed(session: &Session, path: &AbsPath, row: &DeclarationRow) -> Result<Vec<(AbsPath, Span)>, Refusal> {
    let family = Language::of_path(path).map(Language::family);
    if !matches!(family, Some(Family::Python | Family::Script)) {
        return Ok(Vec::new());
    }
    let place = Place { path: path.clone(), offset: row.name_span.start };
    let wanted = RenameRequest::new(place, format!("{}{NOBODYS}", row.name()));
    let plan = plan(session, &RenameRequest { conflicts: Conflicts::Force, ..wanted }).await?;
    let mut found = Vec::new();
    for (path, file) in plan.edits() {
        let Some(parsed) = session.parsed(path)? else { continue };
        let text = parsed.text.as_str();
        let spans = file.edits.iter().map(|edit| edit.span).filter(|span| span.of(text) == Some(row.name()));
        let in_code = spans.filter(|span| !is_prose(parsed.tree.nodes().covering(*span)));
        found.extend(in_code.map(|span| (path.clone(), span)));
    }
    Ok(found)
}

/// Behind a name, it makes one that nobody has.
const NOBODYS: &str = "Zq0x";

/// Tells whether a place stands in a comment, or in the documentation of something.
fn is_prose(node: Node<'_>) -> bool {
    let is_documentation =
        |it: &Node<'_>| it.is("string") && it.parent().is_some_and(|it| it.is("expression_statement"));
    std::iter::once(node).chain(node.ancestors()).any(|it| it.has(Role::Comment) || is_documentation(&it))
}

fn usage(session: &Session, index: &Index, (path, span): (&AbsPath, Span), kind: UsageKind) -> Option<Usage> {
    let relative = path.relative_to(session.root())?;
    let module = Arc::clone(index.module(relative.as_str())?);
    let function = module.around(span.start, |row| row.kind.is_callable() && row.name_span != span);
    let function = function.and_then(|row| module.rows.iter().position(|other| other.id == row.id));
    Some(Usage { module, path: path.clone(), span, kind, function })
}

fn is_class(found: &FoundDeclaration) -> bool {
    use EntryKind::{Class, Contract, Struct};
    matches!(found.row().kind, Class | Contract | Struct)
}

/// Puts what is done with a name of Python or a script into the words of usages.
fn known(kind: UseKind, node: Node<'_>, found: &FoundDeclaration) -> UsageKind {
    let is_raised = || {
        let up = node.ancestors().take(4).take_while(|outer| !outer.is_any(&["arguments", "argument_list", "block"]));
        found.row().also == Also::Error && up.into_iter().any(|it| it.is_any(&["raise_statement", "throw_statement"]))
    };
    match kind {
        UseKind::Call | UseKind::New | UseKind::Read if is_raised() => UsageKind::Raise,
        UseKind::New => UsageKind::Construct,
        UseKind::Call if is_class(found) => UsageKind::Construct,
        UseKind::Call | UseKind::Decorator => UsageKind::Call,
        UseKind::Import | UseKind::Export => UsageKind::Import,
        UseKind::Definition | UseKind::Base => UsageKind::Impl,
        UseKind::Type => UsageKind::TypeRef,
        UseKind::Write | UseKind::Update | UseKind::Bind | UseKind::Delete | UseKind::Key => UsageKind::Write,
        _ if found.row().kind == EntryKind::Variant => UsageKind::EnumVariant,
        _ => UsageKind::Read,
    }
}

/// Tells what is done with a name in any language.
fn generic(node: Node<'_>, found: &FoundDeclaration) -> UsageKind {
    let ends = |outer: Node<'_>, fields: &[&str]| {
        fields.iter().any(|field| {
            outer.child(field).is_some_and(|part| part.span().contains(node.span()) && part.end() == node.end())
        })
    };
    let mut usual = match () {
        () if node.is("type_identifier") => UsageKind::TypeRef,
        () if found.row().kind == EntryKind::Variant => UsageKind::EnumVariant,
        () => UsageKind::Read,
    };
    for outer in node.ancestors().take(8) {
        match outer.kind() {
            "import_directive" | "use_declaration" | "import_declaration" | "import_spec" => return UsageKind::Import,
            "inheritance_specifier"
            | "superclass"
            | "super_interfaces"
            | "extends_interfaces"
            | "override_specifier" => {
                return UsageKind::Impl;
            }
            "impl_item" if ends(outer, &["trait"]) => return UsageKind::Impl,
            "new_expression" | "object_creation_expression" | "struct_expression" if ends(outer, &["name", "type"]) => {
                return UsageKind::Construct;
            }
            "revert_statement" | "throw_statement" | "raise_statement" if found.row().also == Also::Error => {
                return UsageKind::Raise;
            }
            "emit_statement" | "modifier_invocation" => return UsageKind::Call,
            "call_expression" | "call" | "method_invocation" | "macro_invocation"
                if ends(outer, &["function", "name", "macro"]) =>
            {
                // What it is called for may be a `revert`.
                usual = if is_class(found) { UsageKind::Construct } else { UsageKind::Call };
                if found.row().also != Also::Error {
                    return usual;
                }
            }
            "assignment_expression" | "augmented_assignment_expression" | "assignment" if ends(outer, &["left"]) => {
                return UsageKind::Write;
            }
            "update_expression" => return UsageKind::Write,
            "type_name" | "user_defined_type" | "generic_type" | "type_arguments" | "type_annotation" => {
                usual = UsageKind::TypeRef;
            }
            kind if kind.ends_with("statement") || kind.ends_with("body") || kind.ends_with("block") => return usual,
            _ => {}
        }
    }
    usual
}
