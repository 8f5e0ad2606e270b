//! What Python's servers leave of a declaration: the name that a call repeats, and aliases of modules.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::RenameRequest;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::{Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::{Node, Site, site, whole_words};
use crate::text::{Span, TextEdit};

/// Calls whose first argument has to be the name of what they are assigned to (Python's typing and enum
/// documentation; checkers report another one).
const NAMING: [&str; 11] = [
    "TypeVar",
    "ParamSpec",
    "TypeVarTuple",
    "NewType",
    "TypeAliasType",
    "NamedTuple",
    "namedtuple",
    "TypedDict",
    "Enum",
    "IntEnum",
    "make_dataclass",
];

/// Returns where the name stands in a definition: servers name the whole parameter, `*keys: str = None`, and the whole
/// string of fields, `"x y"`.
pub(super) fn declared_in(location: &Location, text: &str, name: &str) -> Option<Place> {
    let whole = location.span.of(text)?;
    let at = |offset: usize| Place { path: location.path.clone(), offset: location.span.start + offset };
    if whole.starts_with(['"', '\'']) {
        let is_field = |one: char| one.is_alphanumeric() || matches!(one, '_' | ',' | ' ' | '"' | '\'' | '\n');
        let words = whole_words(whole, name);
        return words.first().filter(|_| words.len() == 1 && whole.chars().all(is_field)).map(|word| at(word.start));
    }
    let own = whole.trim_start_matches('*').trim_start();
    let is_name = own.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '=', ' ', '\t']));
    is_name.then(|| at(whole.len() - own.len()))
}

/// Adds the strings of `Name = TypeVar("Name")` and its kin wherever the name is renamed.
pub(super) fn names_in_calls(
    session: &Session,
    name: &str,
    new_name: &str,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    for path in gathered.paths().cloned().collect::<Vec<_>>() {
        let text = session.disk().read(&path)?;
        let spells = ["\"", "'"].iter().any(|quote| text.as_str().contains(&format!("{quote}{name}{quote}")));
        if !spells && !text.as_str().contains("cast(") {
            continue;
        }
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        for edit in gathered.edits_of(&path) {
            let left = parsed.tree.nodes().covering(edit.span);
            if let Some(span) = named_string(left, text).filter(|span| span.of(text) == Some(name)) {
                gathered.add(path.clone(), TextEdit::new(span, new_name), new_name);
            }
        }
        for span in in_type_strings(&parsed, name, gathered.edits_of(&path)) {
            gathered.add(path.clone(), TextEdit::new(span, new_name), new_name);
        }
    }
    Ok(())
}

/// The name in the types that `cast("…", value)` and `Alias: TypeAlias = Union["…", …]` spell as strings, where the file
/// binds what is renamed. Seen with pyright 1.1.414: it renames in every other forward reference, not in these.
fn in_type_strings(parsed: &Parsed, name: &str, edits: Vec<TextEdit>) -> Vec<Span> {
    let text = parsed.text.as_str();
    if !text.contains("cast(") && !text.contains("TypeAlias") {
        return Vec::new();
    }
    let names = parsed.names();
    let edited: BTreeSet<Span> = edits.into_iter().map(|edit| edit.span).collect();
    let is_edited = |span: Span| edited.contains(&span);
    if !names.iter().any(|name| name.is_binding && is_edited(name.span)) {
        return Vec::new();
    }
    let types =
        parsed.tree.nodes().iter().filter_map(|node| cast_type(node, text).or_else(|| aliased_type(node, text)));
    let strings = types.flat_map(|written| written.walk_until(|_| false).filter(|node| node.is("string")));
    strings.flat_map(|string| super::prose::words(text, string.span(), name)).filter(|span| !is_edited(*span)).collect()
}

/// The type that a call of `cast` gives to a value.
fn cast_type<'t>(node: Node<'t>, text: &str) -> Option<Node<'t>> {
    let callee = node.child("function").filter(|_| node.is("call"))?.text(text);
    (callee == "cast" || callee.ends_with(".cast")).then(|| first_argument(node))?
}

/// The type that an assignment gives a name, where it says so.
fn aliased_type<'t>(node: Node<'t>, text: &str) -> Option<Node<'t>> {
    let said = node.child("type").filter(|_| node.is("assignment"))?.text(text);
    (said == "TypeAlias" || said.ends_with(".TypeAlias")).then(|| node.child("right"))?
}

/// The content of the first argument, where `left` is assigned from a call that names it.
fn named_string(left: Node<'_>, text: &str) -> Option<Span> {
    let assignment = left.parent().filter(|parent| parent.is("assignment"))?;
    let call = assignment.child("right").filter(|right| right.is("call"))?;
    let callee = call.child("function")?.text(text);
    if !NAMING.contains(&callee.rsplit('.').next()?) {
        return None;
    }
    first_argument(call)?.children().find(|child| child.is("string_content")).map(Node::span)
}

fn first_argument(call: Node<'_>) -> Option<Node<'_>> {
    call.child("arguments")?.children().find(|child| child.is_named())
}

/// The same parameter in the other signatures of an overloaded function. Seen with pyright 1.1.414: a rename
/// changes that of one signature.
pub(super) fn overloads(session: &Session, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(Vec::new()) };
    let text = parsed.text.as_str();
    let here = parsed.tree.nodes().covering(Span::new(place.offset, place.offset + name.len()));
    let Some(function) = super::fixtures::function_of_parameter(here) else { return Ok(Vec::new()) };
    let called = |function: Node<'_>| function.child("name").map(|own| own.text(text));
    let mut found = Vec::new();
    let same_scope = |other: Node<'_>| block_of(other).map(Node::index) == block_of(function).map(Node::index);
    let functions = parsed.tree.nodes().iter().filter(|node| node.is("function_definition"));
    let signatures: Vec<_> =
        functions.filter(|other| called(*other) == called(function) && same_scope(*other)).collect();
    if !signatures.iter().any(|signature| super::fixtures::is_decorated(*signature, "overload", text)) {
        return Ok(found);
    }
    for signature in signatures.into_iter().filter(|signature| signature.index() != function.index()) {
        let parameters = signature.child("parameters").into_iter().flat_map(Node::descendants);
        let own = parameters.filter(|node| node.is("identifier") && node.text(text) == name);
        let is_name = |node: &Node<'_>| {
            node.parent().is_some_and(|parent| {
                parent.is_any(&["parameters", "typed_parameter"])
                    || parent.child("name").is_some_and(|own| own.span() == node.span())
            })
        };
        found.extend(own.filter(is_name).map(|node| Place { path: place.path.clone(), offset: node.start() }));
    }
    Ok(found)
}

fn block_of(function: Node<'_>) -> Option<Node<'_>> {
    function.ancestors().find(|node| !node.is("decorated_definition"))
}

/// Renames the local name of an imported module (`import json as codec`): its file's own, by its scopes.
/// Seen with pyright and basedpyright: they will not, for a module is a file to them.
pub(super) async fn module_alias(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
    request: &RenameRequest,
) -> Result<Option<Gathered>, Refusal> {
    let text = subject.file.text.as_str();
    let names = subject.file.names();
    let Some(own) = names.iter().find(|name| name.span == subject.span && !name.is_free) else { return Ok(None) };
    let same: Vec<_> = names.iter().filter(|name| name.meaning == own.meaning).collect();
    let is_alias = |span: Span| match site(&subject.file.tree, text, span) {
        Site::ImportAlias { imported, .. } => imported.of(text).is_some_and(|imported| imported != subject.name),
        _ => false,
    };
    if !same.iter().filter(|name| name.is_binding).all(|name| is_alias(name.span)) {
        return Ok(None);
    }
    if server.rename(&subject.place, &request.new_name).await.map_err(SessionError::from)?.is_some() {
        return Ok(None);
    }
    imported_elsewhere(session, server, subject).await?;
    let mut gathered = Gathered::by(server.name().as_str());
    for name in same {
        let edit = TextEdit::new(name.span, request.new_name.clone());
        gathered.add(subject.place.path.clone(), edit, &request.new_name);
    }
    Ok(Some(gathered))
}

/// Refuses where another file imports the alias from this one: no server says which do.
async fn imported_elsewhere(session: &Session, server: &Arc<Server>, subject: &Subject) -> Result<(), Refusal> {
    for path in session.disk().files_mentioning(&subject.name) {
        let Some(parsed) = session.parsed(&path)?.filter(|_| path != subject.place.path) else { continue };
        let text = parsed.text.as_str();
        for span in parsed.tree.identifiers_named(text, &subject.name) {
            let here = site(&parsed.tree, text, span);
            if matches!(here, Site::ImportSpecifier { .. } | Site::ImportedName { .. }) {
                let at = super::subject::at(&path, &parsed.text, span.start);
                let reason = format!("it is the alias of a module, and {at} may import it from here");
                return Err(super::plain::refused(server, subject, reason));
            }
        }
    }
    Ok(())
}
