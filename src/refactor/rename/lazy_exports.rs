//! Names that a module finds when it is asked for them, by its own `__getattr__` or by what it puts in its own place: strings
//! say which there are, and no server follows them (`from pkg import Thing` means anything).
//!
//! A table that says the module of each name (`{"Thing": ".impl"}`, `{"impl": ["Thing"]}`) is followed, and so is who takes
//! the name from there; all other strings are told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::forward_references::is_python;
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use super::subject::Subject;
use super::{Aliases, RenameRequest};
use crate::lsp::{Location, Place, Server};
use crate::refactor::Refusal;
use crate::refactor::moves::links::{Link, LinkedName, Links as _};
use crate::refactor::moves::python::{Modules, with_modules};
use crate::refactor::source_file::Code;
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::python::{finds_names, listed};
use crate::syntax::{Node, whole_words};
use crate::text::{AbsPath, Span, TextEdit};

/// Words without which no module finds names so.
const FINDING: [&str; 2] = ["__getattr__", "sys modules __name__"];

/// Renames the entries of tables, what is taken from there, and what is taken from those who take it.
pub(super) fn follow(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let (name, new_name) = (subject.name.as_str(), request.new_name.as_str());
    if request.aliases == Aliases::Keep || subject.is_local() {
        return Ok(());
    }
    let finders = listing(session, name)?;
    let mut givers = BTreeSet::new();
    while !finders.is_empty() {
        let modules = Renamed::of(session, gathered)?.modules;
        let mut found = Vec::new();
        for (path, parsed) in &finders {
            let is_meant = |(said, _): &(String, Span)| modules.iter().any(|module| is_named(path, said, module));
            let entries = entries(parsed, name).into_iter().filter(is_meant);
            found.extend(entries.map(|(_, span)| (path.clone(), span)));
        }
        givers.extend(found.iter().map(|(path, _)| path.clone()));
        let taken = taken(session, name, &givers)?;
        givers.extend(taken.iter().filter(|one| one.is_top).map(|one| one.path.clone()));
        found.extend(taken.into_iter().flat_map(|one| one.spans.into_iter().map(move |span| (one.path.clone(), span))));
        found.retain(|(path, span)| !gathered.has(path, *span));
        if found.is_empty() {
            break;
        }
        for (path, span) in found {
            gathered.add(path, TextEdit::new(span, new_name), new_name);
        }
    }
    Ok(())
}

/// Returns what is declared where the table of a package leads to that the name is taken from.
pub(super) async fn declared(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
) -> Result<Vec<Location>, Refusal> {
    let mut found = Vec::new();
    for (finder, parsed) in listing(session, &subject.name)? {
        let is_asked = |one: &Taken| one.path == subject.place.path && one.spans.contains(&subject.span);
        if !all_taken(session, &subject.name, &finder)?.iter().any(is_asked) {
            continue;
        }
        let entries = entries(&parsed, &subject.name);
        for path in session.disk().files_mentioning(&subject.name) {
            if !entries.iter().any(|(said, _)| is_named(&finder, said, &path)) {
                continue;
            }
            let Some(parsed) = session.parsed(&path)? else { continue };
            let named = parsed.tree.identifiers_named(parsed.text.as_str(), &subject.name);
            let Some(first) = named.first() else { continue };
            let place = Place { path, offset: first.start };
            found.extend(server.definition(&place).await.map_err(SessionError::from)?);
        }
    }
    Ok(found)
}

/// Returns where a name at the top of a module is taken by way of a package whose table leads there.
pub(crate) fn lazily_taken(session: &Session, place: &Place, name: &str) -> Result<Vec<Location>, Refusal> {
    let mut found = Vec::new();
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(found) };
    let span = Span::new(place.offset, place.offset + name.len());
    let declared = parsed.declarations();
    if !declared.iter().any(|one| one.name_span == span && one.path.len() == 1) {
        return Ok(found);
    }
    for (finder, parsed) in listing(session, name)? {
        if entries(&parsed, name).iter().any(|(said, _)| is_named(&finder, said, &place.path)) {
            for one in all_taken(session, name, &finder)? {
                let path = one.path;
                found.extend(one.spans.into_iter().map(|span| Location { path: path.clone(), span }));
            }
        }
    }
    Ok(found)
}

/// Notes the strings of such modules that say what is renamed, and the imports that ask them for it.
pub(super) fn note(session: &Session, name: &str, renamed: &Renamed, gathered: &mut Gathered) -> Result<(), Refusal> {
    if renamed.modules.is_empty() {
        return Ok(());
    }
    let names = renamed.module_names();
    let mut finders = BTreeSet::new();
    for path in finding(session) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let is_near = renamed.modules.contains(&path) || names.iter().any(|one| !whole_words(text, one).is_empty());
        if is_near && finds(&parsed) {
            let mut left = said(&parsed, name);
            left.retain(|span| !gathered.has(&path, *span));
            gathered.asked.unknown.extend(left.into_iter().map(|span| (path.clone(), span)));
            finders.insert(path);
        }
    }
    if !finders.is_empty() {
        let imported = taken(session, name, &finders)?.into_iter().filter_map(|one| Some((one.path, one.imported?)));
        let left: Vec<(AbsPath, Span)> = imported.filter(|(path, span)| !gathered.has(path, *span)).collect();
        gathered.asked.unknown.extend(left);
    }
    Ok(())
}

/// Tells whether a module finds names when it is asked for them.
pub(crate) fn finds(parsed: &Parsed) -> bool {
    finds_names(parsed.tree.nodes().root(), parsed.text.as_str())
}

fn finding(session: &Session) -> BTreeSet<AbsPath> {
    let files = FINDING.iter().flat_map(|word| session.disk().files_mentioning(word));
    files.filter(|path| path.extension() == "py").collect()
}

/// The modules with a table that says the name.
fn listing(session: &Session, name: &str) -> Result<Vec<(AbsPath, Arc<Parsed>)>, Refusal> {
    let mentioning: BTreeSet<AbsPath> = session.disk().files_mentioning(name).into_iter().collect();
    let mut found = Vec::new();
    for path in finding(session).intersection(&mentioning) {
        let Some(parsed) = session.parsed(path)? else { continue };
        if finds(&parsed) && !entries(&parsed, name).is_empty() {
            found.push((path.clone(), parsed));
        }
    }
    Ok(found)
}

/// The entries of tables with the name, each with the module that it is said to be of.
fn entries(parsed: &Parsed, name: &str) -> Vec<(String, Span)> {
    let text = parsed.text.as_str();
    let names = parsed.tree.nodes().iter().filter(|node| node.is("string_content") && node.text(text) == name);
    names.filter_map(|content| Some((listed(content, text)?.module.text(text).to_owned(), content.span()))).collect()
}

/// Tells whether a table of a package means a module by these words: relative to the package, or by its whole path.
fn is_named(package: &AbsPath, said: &str, module: &AbsPath) -> bool {
    let names = said.trim_start_matches('.');
    let dots = said.len() - names.len();
    let below = names.replace('.', "/");
    let stem = module.as_str().trim_end_matches(".py").trim_end_matches("/__init__");
    let base = std::iter::successors(package.parent(), AbsPath::parent).nth(dots.saturating_sub(1));
    let is_relative = base.is_some_and(|base| stem.strip_prefix(base.as_str()) == Some(&format!("/{below}")));
    let is_whole = dots == 0 && names.contains('.') && stem.ends_with(&format!("/{below}"));
    !names.is_empty() && (is_relative || is_whole)
}

/// Where a file takes the name from one of these modules.
pub(super) struct Taken {
    path: AbsPath,
    /// The name in an import; none where a member of the module is meant.
    imported: Option<Span>,
    /// All places in the file that mean it by the name.
    pub(super) spans: Vec<Span>,
    /// Others may take it from this file.
    is_top: bool,
}

/// What files take from a module, or from others that take it.
fn all_taken(session: &Session, name: &str, finder: &AbsPath) -> Result<Vec<Taken>, Refusal> {
    let mut givers = BTreeSet::from([finder.clone()]);
    loop {
        let found = taken(session, name, &givers)?;
        let known = givers.len();
        givers.extend(found.iter().filter(|one| one.is_top).map(|one| one.path.clone()));
        if givers.len() == known {
            return Ok(found);
        }
    }
}

fn taken(session: &Session, name: &str, from: &BTreeSet<AbsPath>) -> Result<Vec<Taken>, Refusal> {
    with_modules(session, &BTreeMap::new(), |modules| taken_among(session, (name, modules), from))
}

fn taken_among(
    session: &Session,
    (name, modules): (&str, &Modules<'_>),
    from: &BTreeSet<AbsPath>,
) -> Result<Vec<Taken>, Refusal> {
    let mut found = Vec::new();
    for path in session.disk().files_mentioning(name).into_iter().filter(is_python) {
        let code = Code::known(session, &path)?;
        let is_meant = |link: &Link| {
            link.taken == LinkedName::Name(name.to_owned())
                && link.module.as_ref().is_some_and(|module| from.contains(module))
        };
        for link in modules.of(&code).iter().filter(|link| is_meant(link)) {
            found.push(imported(&code, link, name));
        }
        for module in from {
            let ends = |span: Span| Span::new(span.end - name.len(), span.end);
            let spans: Vec<Span> = modules.members(&code, module, name).into_iter().map(ends).collect();
            found.push(Taken { path: path.clone(), imported: None, spans, is_top: false });
        }
    }
    Ok(found)
}

/// Returns what a file has by an import that takes the name, where it keeps it.
pub(super) fn imported(code: &Code, link: &Link, name: &str) -> Taken {
    let imported = Span::new(link.item.start, link.item.start + name.len());
    let mut spans = vec![imported];
    let mut is_top = false;
    if let Some(local) = link.local.filter(|local| local.of(code.text()) == Some(name)) {
        let names = code.parsed().names();
        let meaning = names.iter().find(|one| one.span == local).map(|one| one.meaning);
        spans.extend(names.iter().filter(|one| Some(one.meaning) == meaning).map(|one| one.span));
        let scopes = ["function_definition", "class_definition", "lambda"];
        is_top = !code.covering(local).ancestors().any(|outer| outer.is_any(&scopes));
    }
    spans.sort();
    spans.dedup();
    Taken { path: code.path.clone(), imported: Some(imported), spans, is_top }
}

/// The strings that are the name, or a list of names.
fn said(parsed: &Parsed, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let is_list = |content: &str| {
        content.chars().all(|one| one.is_alphanumeric() || one.is_whitespace() || matches!(one, '_' | ',' | '.' | ':'))
    };
    let contents = parsed.tree.nodes().iter().filter(|node| node.is("string_content") && is_list(node.text(text)));
    let words = |content: Node<'_>| {
        let at = content.start();
        whole_words(content.text(text), name).into_iter().map(move |word| Span::new(at + word.start, at + word.end))
    };
    contents.flat_map(words).collect()
}
