//! Names that come to modules of Python by `from module import *` once another module has them, and hide what was meant there.

use std::collections::BTreeSet;

use super::star_names::{StarNames, top};
use super::with_modules;
use crate::refactor::Refusal;
use crate::refactor::moves::links::{LinkedName, NewName};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Language;
use crate::syntax::scopes::Name;
use crate::text::{AbsPath, Span};

/// Finds where the name means something else already that it would hide: used by a module that takes all of its home, or given by
/// such a one to others.
pub(crate) fn hidden(session: &Session, new: &NewName<'_>) -> Result<Option<(AbsPath, Span)>, Refusal> {
    if !may_be_taken_whole(session, new.home) {
        return Ok(None);
    }
    let mut takers = session.disk().files_mentioning("import");
    takers.retain(|path| path != new.home && takes_whole(session, path));
    with_modules(session, &Default::default(), |links| {
        let stars = &StarNames { session, links, name: new.name };
        for path in takers {
            let code = Code::known(session, &path)?;
            if !top(code.parsed(), new.name).is_empty() {
                continue;
            }
            if let Some(span) = hidden_in(stars, new, &code)? {
                return Ok(Some((path, span)));
            }
        }
        Ok(None)
    })
}

/// Does so in one module.
fn hidden_in(stars: &StarNames<'_>, new: &NewName<'_>, code: &Code) -> Result<Option<Span>, Refusal> {
    let given = stars.given(code, &mut BTreeSet::new())?;
    let means_it = |it: &Name| it.is_free && it.span.of(code.text()) == Some(new.name);
    let place = match given {
        Some(gift) if (new.leaves)(&gift.origin) || gift.origin == *new.home => None,
        Some(gift) => Some(gift.link.item),
        None => code.parsed().names().iter().find(|it| means_it(it)).map(|it| it.span),
    };
    let Some(place) = place else { return Ok(None) };
    Ok(comes_to(stars, new.home, code, &mut BTreeSet::new())?.then_some(place))
}

/// Tells whether a module has all of another one, and nobody gives it the name behind that.
fn comes_to(
    stars: &StarNames<'_>,
    home: &AbsPath,
    code: &Code,
    asked: &mut BTreeSet<AbsPath>,
) -> Result<bool, Refusal> {
    if !asked.insert(code.path.clone()) {
        return Ok(false);
    }
    let all = stars.links.of(code).into_iter().rev().filter(|link| link.taken == LinkedName::Star);
    for module in all.filter_map(|link| link.module) {
        if module == *home {
            return Ok(true);
        }
        if !stars.is_public(&module)? {
            continue;
        }
        let other = Code::known(stars.session, &module)?;
        if !top(other.parsed(), stars.name).is_empty() {
            return Ok(false);
        }
        if comes_to(stars, home, &other, asked)? {
            return Ok(true);
        }
        if stars.given(&other, &mut BTreeSet::new())?.is_some() {
            return Ok(false);
        }
    }
    Ok(false)
}

/// Tells whether a module of the project may take all of another one: such a module names that, or stands in its package.
pub(crate) fn may_be_taken_whole(session: &Session, home: &AbsPath) -> bool {
    let (disk, stem) = (session.disk(), home.file_stem());
    let naming: Vec<AbsPath> = match (stem, home.parent()) {
        ("__init__", Some(package)) => {
            let inside = disk.files_mentioning("import").into_iter().filter(|path| path.is_below(&package));
            disk.files_mentioning(package.file_stem()).into_iter().chain(inside).collect()
        }
        _ => disk.files_mentioning(stem),
    };
    naming.iter().any(|path| takes_whole(session, path))
}

/// Tells whether a file has a star import, by its words: most are not parsed for that.
fn takes_whole(session: &Session, path: &AbsPath) -> bool {
    let is_python = Language::of_path(path) == Some(Language::Python);
    is_python && session.disk().read(path).is_ok_and(|text| text.as_str().contains("import *"))
}
