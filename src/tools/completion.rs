//! Words that complete what somebody begins to write: files, declarations in them, names of refactorings.

use std::collections::BTreeSet;

use super::{Context, refactor};
use crate::refactor::catalog;
use crate::session::Session;
use crate::syntax::shown;
use crate::syntax::{Language, Tree, declarations};

/// Returns what an argument of that name may be, the likeliest first, at most `most`.
pub async fn complete(context: &Context, argument: &str, begun: &str, most: usize) -> Vec<String> {
    let found = match argument {
        "refactoring" => starting(catalog::catalog().map(|one| one.name.to_owned()), begun),
        "category" => starting(refactor::categories().map(str::to_owned), begun),
        "language" => starting(Language::ALL.into_iter().map(|one| one.id().to_owned()), begun),
        "target" | "path" => match context.project_of(None, ".").await {
            Ok(project) => places(project.session(), argument, begun),
            Err(_) => Vec::new(),
        },
        _ => Vec::new(),
    };
    found.into_iter().take(most).collect()
}

/// Sorts out what begins as is written, and behind it what holds it elsewhere.
fn starting(all: impl Iterator<Item = String>, begun: &str) -> Vec<String> {
    let begun = begun.to_lowercase();
    let fits = all.filter(|one| one.to_lowercase().contains(&begun));
    let (mut first, others): (Vec<String>, Vec<String>) = fits.partition(|one| one.to_lowercase().starts_with(&begun));
    first.extend(others);
    first
}

fn places(session: &Session, argument: &str, begun: &str) -> Vec<String> {
    let file = begun.find(['#', ':']).map(|end| &begun[..end]).filter(|_| argument == "target");
    if let Some(found) = file.and_then(|file| declared(session, file)) {
        return starting(found.into_iter(), begun);
    }
    let root = session.root();
    let files = session.disk().files();
    let known = files.iter().filter(|file| file.language().is_some());
    starting(known.filter_map(|file| file.path.relative_to(root)).map(|path| path.to_string()), begun)
}

/// Returns what a file declares, as targets.
fn declared(session: &Session, file: &str) -> Option<BTreeSet<String>> {
    let path = session.disk().contain(&session.root().join(file).ok()?).ok()?;
    let text = session.disk().read(&path).ok()?;
    let language = Language::of_path(&path)?;
    let tree = Tree::parse(language, text.as_str());
    let all = declarations(&tree, text.as_str());
    Some(all.iter().map(|one| format!("{file}{}", shown(&one.path, language))).collect())
}
