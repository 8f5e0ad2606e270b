//! Comments of scripts that say which parameter an argument is for: `draw(shape, /* isFilled */ true)`.

use std::sync::Arc;

use super::RenameRequest;
use super::definition_queries::locations;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{DeclarationKind, Family, Node, Site, is_any_function, site};
use crate::text::{AbsPath, Span, TextEdit};

/// A function, by the place of its name, and the number of a parameter of it that is renamed.
struct Renamed {
    path: AbsPath,
    name: Span,
    number: usize,
}

/// A comment before the argument with a number, and the name of what is called there.
struct Said {
    path: AbsPath,
    name: Span,
    number: usize,
    called: usize,
}

/// Renames the parameters that such comments name.
///
/// # Errors
/// Those of reading, and of the server.
pub(super) async fn follow(
    session: &Session,
    server: &Arc<Server>,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let mut renamed = Vec::new();
    for path in gathered.paths() {
        let Some(parsed) = session.parsed(path)? else { continue };
        let spans = gathered.edits_of(path).into_iter().map(|edit| edit.span);
        renamed.extend(spans.filter_map(|span| of_parameter(path, &parsed, span)));
    }
    if renamed.is_empty() {
        return Ok(());
    }
    let mut said = Vec::new();
    for path in session.disk().files_mentioning(&subject.name) {
        let parsed = session.parsed(&path)?.filter(|it| it.tree.language().family() == Family::Script);
        said.extend(parsed.into_iter().flat_map(|parsed| comments(&path, &parsed, &subject.name)));
    }
    said.retain(|one| renamed.iter().any(|it| it.number == one.number) && !gathered.has(&one.path, one.name));
    if said.is_empty() {
        return Ok(());
    }
    session.cover(server, &Vec::from_iter(said.iter().map(|one| one.path.clone()))).await?;
    let places = said.iter().map(|one| Place { path: one.path.clone(), offset: one.called }).collect();
    let leads = locations(server, Feature::Definition, places).await?;
    for (one, leads) in said.into_iter().zip(leads) {
        let is_it = |it: &Renamed, lead: &Location| {
            it.number == one.number && it.path == lead.path && it.name.start == lead.span.start
        };
        if leads.iter().any(|lead| renamed.iter().any(|it| is_it(it, lead))) {
            gathered.add(one.path, TextEdit::new(one.name, request.new_name.clone()), &request.new_name);
        }
    }
    Ok(())
}

/// Returns the function, by its name, that a place declares a parameter of.
fn of_parameter(path: &AbsPath, parsed: &Parsed, span: Span) -> Option<Renamed> {
    let tree = &parsed.tree;
    let is_one = site(tree, parsed.text.as_str(), span) == Site::Declaration(DeclarationKind::Parameter);
    let name = Some(tree.nodes().covering(span)).filter(|_| is_one)?;
    let function = name.ancestors().find(|it| is_any_function(*it))?;
    let list = function.child("parameters")?;
    let is_object = |it: &Node<'_>| it.child("pattern").is_some_and(|it| it.is("this"));
    let mut items = list.named_children().filter(|it| !it.is("comment") && !is_object(it));
    let number = items.position(|it| it.span().contains(span))?;
    let own =
        function.child("name").or_else(|| function.parent().filter(|it| it.is("variable_declarator"))?.child("name"));
    Some(Renamed { path: path.clone(), name: own?.span(), number })
}

/// Returns the comments that say a name before an argument: `/* size */`, `/*size=*/`.
fn comments(path: &AbsPath, parsed: &Parsed, name: &str) -> Vec<Said> {
    let text = parsed.text.as_str();
    let read = |comment: Node<'_>| {
        let inner = comment.text(text).strip_prefix("/*")?.strip_suffix("*/")?;
        let word = inner.trim().trim_end_matches(['=', ':']).trim_end();
        let list = comment.parent().filter(|it| word == name && it.is("arguments"))?;
        let before = list.named_children().filter(|it| !it.is("comment") && it.end() <= comment.start()).count();
        let call = list.parent()?;
        let called = call.child("function").or_else(|| call.child("constructor"))?;
        let called = called.child("property").unwrap_or(called).start();
        let start = comment.start() + 2 + inner.find(name)?;
        Some(Said { path: path.clone(), name: Span::new(start, start + name.len()), number: before, called })
    };
    let all = parsed.tree.nodes().iter().filter(|node| node.is("comment"));
    all.filter_map(read).collect()
}
