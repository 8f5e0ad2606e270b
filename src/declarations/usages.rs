//! Who uses a declaration, and for what.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::index::{FoundDeclaration, Index};
use super::module::{DeclarationRow, Module};
use crate::lsp::Place;
use crate::plan::WarningKind;
use crate::refactor::rename::{Conflicts, RenameRequest, plan};
use crate::refactor::{Refusal, UseKind, Uses};
use crate::session::{Parsed, Session};
use crate::syntax::kinds::Role;
use crate::syntax::{Also, EntryKind, Family, Language, Node};
use crate::text::{AbsPath, Span, TextEdit};

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

impl Usages {
    /// Takes what is read for what is called.
    fn read_as_calls(&mut self) {
        for read in self.certain.iter_mut().chain(&mut self.possible).filter(|it| it.kind == UsageKind::Read) {
            read.kind = UsageKind::Call;
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
    let (Renamed { places, doubts, elsewhere }, limit) = match limit {
        // It would be refused for the same reason.
        Some(limit) => (Renamed::default(), Some(limit)),
        None => match renamed(session, &path, row).await {
            Ok(renamed) => (renamed, None),
            Err(refusal) if refusal.is_failure() => return Err(refusal),
            Err(refusal) => (Renamed::default(), Some(refusal)),
        },
    };
    all.left_out.extend(limit.iter().flat_map(Refusal::obstacles).map(ToString::to_string));
    all.left_out.extend(elsewhere);
    for (path, span) in places.into_iter().filter(|place| !known.contains(place)) {
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
    let possible = uses.possible(session).await?;
    let is_new = |(path, span, _): &&Doubt| {
        !possible.contains(&(path.clone(), *span)) && !known.contains(&(path.clone(), *span))
    };
    let doubts: Vec<&Doubt> = doubts.iter().filter(is_new).collect();
    all.left_out.extend(doubts.iter().map(|(path, _, told)| format!("{}: {told}", path.shown_from(session.root()))));
    let doubted = doubts.into_iter().map(|(path, span, _)| (path.clone(), *span));
    for (path, span) in possible.iter().cloned().chain(doubted) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let kind = generic(parsed.tree.nodes().covering(span), found);
        all.possible.extend(usage(session, index, (&path, span), kind));
    }
    if session.parsed(&path)?.is_some_and(|parsed| is_accessor(parsed.tree.nodes().covering(row.name_span), &parsed)) {
        all.read_as_calls();
    }
    all.certain.sort_by(|one, other| (&one.path, one.span).cmp(&(&other.path, other.span)));
    all.certain.dedup_by(|one, other| (&one.path, one.span) == (&other.path, other.span));
    Ok(all)
}

/// Tells whether a name is that of a function that is run where it is read.
fn is_accessor(name: Node<'_>, parsed: &Parsed) -> bool {
    let Some(function) = name.parent() else { return false };
    let decorated = function.parent().filter(|outer| outer.is("decorated_definition"));
    let mut decorators = decorated.into_iter().flat_map(|outer| outer.children()).filter(|it| it.is("decorator"));
    let is_property = |mark: Node<'_>| mark.text(parsed.text.as_str()).ends_with("property");
    function.is("method_definition") && function.children().any(|part| part.kind() == "get")
        || decorators.any(is_property)
}

/// What a rename knows of a declaration.
#[derive(Default)]
struct Renamed {
    /// Places in code: more than are references to a server, such as members of types that are taken for each other.
    places: Vec<(AbsPath, Span)>,
    /// Places that may mean it.
    doubts: Vec<Doubt>,
    /// Sentences on other files that name it.
    elsewhere: Vec<String>,
}

/// A place, and why it may mean a declaration.
type Doubt = (AbsPath, Span, String);

async fn renamed(session: &Session, path: &AbsPath, row: &DeclarationRow) -> Result<Renamed, Refusal> {
    let mut found = Renamed::default();
    if matches!(Language::of_path(path).map(Language::family), None | Some(Family::Solidity | Family::Data)) {
        return Ok(found);
    }
    let place = Place { path: path.clone(), offset: row.name_span.start };
    let wanted = RenameRequest::new(place, format!("{}{NOBODYS}", row.name()));
    let plan = plan(session, &RenameRequest { conflicts: Conflicts::Force, ..wanted }).await?;
    for (path, file) in plan.edits() {
        let text = file.before.as_str();
        let spans = file.edits.iter().map(|edit| edit.span).filter(|span| span.of(text) == Some(row.name()));
        let Some(parsed) = session.parsed(path)?.filter(|it| it.tree.language().family() != Family::Data) else {
            let line = |edit: &TextEdit| file.before.position(edit.span.start).map_or(0, |at| at.line + 1);
            let named = file
                .edits
                .iter()
                .map(|edit| format!("{}:{}: it is named here", path.shown_from(session.root()), line(edit)));
            found.elsewhere.extend(named);
            continue;
        };
        let in_code = spans.filter(|span| !is_prose(parsed.tree.nodes().covering(*span)));
        found.places.extend(in_code.map(|span| (path.clone(), span)));
    }
    let doubts = plan.warnings().iter().filter(|it| matches!(it.kind, WarningKind::PossibleUse | WarningKind::RunTime));
    for doubt in doubts {
        let Some((path, range)) = doubt.path.clone().zip(doubt.range) else { continue };
        let Some(span) = session.disk().read(&path)?.span(range) else { continue };
        found.doubts.push((path, span, doubt.message.clone()));
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
        UseKind::Read if names_element(node) && is_class(found) => UsageKind::Construct,
        UseKind::Read if names_element(node) => UsageKind::Call,
        UseKind::Call | UseKind::Decorator => UsageKind::Call,
        UseKind::Import | UseKind::Export => UsageKind::Import,
        UseKind::Definition | UseKind::Base => UsageKind::Impl,
        UseKind::Type => UsageKind::TypeRef,
        UseKind::Write | UseKind::Update | UseKind::Bind | UseKind::Delete | UseKind::Key => UsageKind::Write,
        _ if found.row().kind == EntryKind::Variant => UsageKind::EnumVariant,
        _ => UsageKind::Read,
    }
}

/// Tells whether a name is that of an element of JSX, which is made where it is opened.
fn names_element(node: Node<'_>) -> bool {
    let mut around = node.ancestors().take_while(|outer| outer.is("member_expression"));
    let element = around.by_ref().last().unwrap_or(node);
    element.parent().is_some_and(|it| it.is_any(&["jsx_opening_element", "jsx_self_closing_element"]))
        && element.field() == Some("name")
}

/// Tells what is done with a name in any language.
fn generic(node: Node<'_>, found: &FoundDeclaration) -> UsageKind {
    let ends = |outer: Node<'_>, fields: &[&str]| {
        fields.iter().any(|field| {
            outer.child(field).is_some_and(|part| part.span().contains(node.span()) && part.end() == node.end())
        })
    };
    // What is set in a mapping or a struct of a contract is set in its storage.
    let is_storage = |node: Node<'_>| found.module.language.family() == Family::Solidity && node.is("identifier");
    let within = |outer: Node<'_>, field| {
        let part = outer.child(field).filter(|part| part.span().contains(node.span()));
        part.is_some_and(|part| part.start() == node.start())
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
            "assignment_expression" | "augmented_assignment_expression" | "assignment"
                if ends(outer, &["left"]) || is_storage(node) && within(outer, "left") =>
            {
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
