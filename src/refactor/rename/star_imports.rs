//! Names of a Python module that others have by `from module import *`, where a server does not follow them.
//!
//! Seen with basedpyright 1.40: where star imports go in a circle (a package takes all of its module, which takes all of the
//! package), it leaves the names that come by them open, and a rename leaves their uses without a word.

use std::collections::{BTreeMap, BTreeSet};

use super::forward_references::is_python;
use super::lazy_exports::imported;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::{Location, Place};
use crate::refactor::Refusal;
use crate::refactor::moves::links::{Link, LinkedName};
use crate::refactor::moves::python::star_gifts::may_be_taken_whole;
use crate::refactor::moves::python::star_names::{StarNames, is_top, top};
use crate::refactor::moves::python::with_modules;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::dunder_all;
use crate::syntax::scopes::Name;
use crate::text::{AbsPath, Span, TextEdit};

/// Renames what modules have of one another by star imports, what is taken from them by name, and what they list as public.
pub(super) fn follow(
    session: &Session,
    (name, new_name): (&str, &str),
    places: &BTreeSet<Place>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let mut homes = BTreeSet::new();
    for place in places {
        let parsed = session.parsed(&place.path)?;
        let is_it = |it: &Name| it.span.start == place.offset && is_top(it);
        if parsed.is_some_and(|parsed| parsed.names().iter().any(is_it)) && is_python(&place.path) {
            homes.insert(&place.path);
        }
    }
    if !homes.iter().any(|home| may_be_taken_whole(session, home)) {
        return Ok(());
    }
    let found = with_modules(session, &BTreeMap::new(), |links| {
        let stars = &StarNames { session, links, name };
        let mut found = Vec::new();
        for path in session.disk().files_mentioning(name).into_iter().filter(is_python) {
            let code = Code::known(session, &path)?;
            let spans = left(stars, &code, gathered)?.into_iter().filter(|(_, origin)| homes.contains(origin));
            found.extend(spans.map(|(span, _)| (path.clone(), span)));
        }
        Ok::<_, Refusal>(found)
    })?;
    for (path, span) in found {
        if !gathered.has(&path, span) {
            gathered.add(path, TextEdit::new(span, new_name), new_name);
        }
    }
    Ok(())
}

/// Returns where a name is declared that a module has by a star import, or takes from one that has it so: `found` is what the
/// server takes for its declaration, nothing but imports or strings.
pub(super) fn declared(session: &Session, subject: &Subject, found: &[Location]) -> Result<BTreeSet<Place>, Refusal> {
    let name = subject.name.as_str();
    let mut asked = vec![(Code::known(session, &subject.place.path)?, subject.span)];
    for location in found {
        // What nothing is known of, the server leads to a class of Python's own.
        if !is_python(&location.path) {
            continue;
        }
        let code = Code::known(session, &location.path)?;
        let node = code.covering(location.span);
        let is_item = node.ancestors().any(|it| it.is("import_from_statement"));
        let is_said = location.span.of(code.text()) == Some(name);
        if is_said && !is_item && !node.is("string_content") {
            return Ok(BTreeSet::new());
        }
        asked.extend((is_said && is_item).then_some((code, location.span)));
    }
    with_modules(session, &BTreeMap::new(), |links| {
        let stars = &StarNames { session, links, name };
        let mut places = BTreeSet::new();
        for (code, span) in &asked {
            let Some(origin) = origin(stars, code, *span)? else { continue };
            let bound = top(Code::known(session, &origin)?.parsed(), name);
            places.extend(bound.into_iter().map(|span| Place { path: origin.clone(), offset: span.start }));
        }
        Ok(places)
    })
}

/// Returns the module that binds what a place means, if that comes by star imports.
fn origin(stars: &StarNames<'_>, code: &Code, span: Span) -> Result<Option<AbsPath>, Refusal> {
    let names = code.parsed().names();
    if names.iter().any(|it| it.span == span && it.is_free) {
        return Ok(stars.given(code, &mut BTreeSet::new())?.map(|gift| gift.origin));
    }
    let meaning = names.iter().find(|it| it.span == span).map(|it| it.meaning);
    let bound: Vec<Span> =
        names.iter().filter(|it| it.is_binding && Some(it.meaning) == meaning).map(|it| it.span).collect();
    let means = |link: &Link| match &link.taken {
        LinkedName::Name(_) => link.item.contains(span) || bound.iter().any(|it| link.item.contains(*it)),
        LinkedName::Module => link.module.as_ref().is_some_and(|it| members(stars, code, it).contains(&span)),
        _ => false,
    };
    let links = stars.links.of(code);
    let Some(module) = links.iter().find(|link| means(link)).and_then(|link| link.module.as_ref()) else {
        return Ok(None);
    };
    Ok(stars.origin(module, &mut BTreeSet::new())?.filter(|origin| origin != module))
}

/// Returns where a file has the name from another module and it is not renamed yet, with the module that binds it.
fn left(stars: &StarNames<'_>, code: &Code, gathered: &Gathered) -> Result<Vec<(Span, AbsPath)>, Refusal> {
    let (parsed, name, mut found) = (code.parsed(), stars.name, Vec::new());
    let is_left = |span: &Span| !gathered.has(&code.path, *span);
    if has_star(code) && top(parsed, name).is_empty() {
        let free = parsed.names().iter().filter(|it| it.is_free && it.span.of(code.text()) == Some(name));
        let listed = dunder_all(&parsed.tree, code.text()).into_iter().filter(|(entry, _)| entry == name);
        let spans: Vec<Span> = free.map(|it| it.span).chain(listed.map(|(_, span)| span)).filter(is_left).collect();
        let gift = if spans.is_empty() { None } else { stars.given(code, &mut BTreeSet::new())? };
        found.extend(gift.into_iter().flat_map(|gift| spans.iter().map(move |span| (*span, gift.origin.clone()))));
    }
    for link in stars.links.of(code) {
        let Some(module) = &link.module else { continue };
        let spans = match &link.taken {
            LinkedName::Name(taken) if taken == name => imported(code, &link, name).spans,
            LinkedName::Module => members(stars, code, module),
            _ => continue,
        };
        let spans: Vec<Span> = spans.into_iter().filter(is_left).collect();
        let origin = if spans.is_empty() { None } else { stars.origin(module, &mut BTreeSet::new())? };
        // What a module binds itself, the server finds.
        let origin = origin.filter(|origin| origin != module);
        found.extend(origin.into_iter().flat_map(|origin| spans.iter().map(move |span| (*span, origin.clone()))));
    }
    Ok(found)
}

fn members(stars: &StarNames<'_>, code: &Code, module: &AbsPath) -> Vec<Span> {
    let name = |span: Span| Span::new(span.end - stars.name.len(), span.end);
    stars.links.members(code, module, stars.name).into_iter().map(name).collect()
}

fn has_star(code: &Code) -> bool {
    code.text().contains("import *")
}
