//! Which of several imports of one name takes it from where it is declared, where all of them lead there.

use std::sync::Arc;

use crate::lsp::{Action, Feature, Location, LspError, Place, Server};
use crate::syntax::is_test;
use crate::text::{AbsPath, Span, Text, TextEdit, TextEdits};

/// Of more candidates than this, none is tried.
const MOST: usize = 8;
/// Modules that go by the name of their directory.
const OF_DIRECTORIES: &[&str] = &["__init__", "index"];

/// Something that is found in a file, and the imports that would mend it.
pub(super) struct Candidates {
    /// The name that is missed.
    pub(super) name: Span,
    pub(super) all: Vec<(Action, Vec<TextEdit>)>,
}

/// Lays each import over the file and asks what the name means then. Where it is the same declaration of the project each
/// time, the import of the module that declares it is returned: the others take it from a module that only hands it on.
pub(super) async fn declaring(
    server: &Server,
    (path, text): (&AbsPath, &Arc<Text>),
    candidates: &Candidates,
    root: &AbsPath,
) -> Result<Option<Vec<TextEdit>>, LspError> {
    if candidates.all.len() > MOST || !server.offers(Feature::Definition) {
        return Ok(None);
    }
    let holds_tests = |path: &AbsPath| path.relative_to(root).is_some_and(|path| is_test(path.as_str()));
    let is_tested = |place: &Location| !holds_tests(path) && holds_tests(&place.path);
    let mut meant: Option<Vec<Location>> = None;
    for (_, edits) in &candidates.all {
        let means = meaning(server, (path, text), candidates.name, edits).await;
        server.overlay(path, Arc::clone(text)).await?;
        let Some(means) = means? else { return Ok(None) };
        // No program takes anything from its tests.
        if means.iter().all(is_tested) {
            continue;
        }
        if meant.get_or_insert_with(|| means.clone()) != &means {
            return Ok(None);
        }
    }
    let home = meant.as_deref().and_then(<[Location]>::first).map(|it| &it.path);
    let Some(home) = home.filter(|home| home.is_below(root) && *home != path) else { return Ok(None) };
    let is_from = |(action, _): &&(Action, Vec<TextEdit>)| module(&action.title).is_some_and(|it| names(it, home));
    let mut from = candidates.all.iter().filter(is_from);
    Ok(from.next().filter(|_| from.next().is_none()).map(|(_, edits)| edits.clone()))
}

/// What a name means once a text is edited, if it then means anything.
async fn meaning(
    server: &Server,
    (path, text): (&AbsPath, &Arc<Text>),
    name: Span,
    edits: &[TextEdit],
) -> Result<Option<Vec<Location>>, LspError> {
    let Ok(checked) = TextEdits::new(edits.to_vec()) else { return Ok(None) };
    let before = edits.iter().filter(|edit| edit.span.end <= name.start);
    let (gone, come) =
        before.fold((0, 0), |(gone, come), edit| (gone + edit.span.end - edit.span.start, come + edit.new_text.len()));
    let after = Arc::new(text.with_content(checked.apply(text.as_str())));
    server.overlay(path, after).await?;
    let place = Place { path: path.clone(), offset: name.start + come - gone };
    let mut found = server.definition(&place).await?;
    found.sort();
    Ok(Some(found).filter(|found| !found.is_empty()))
}

/// The module that an import is from, as the titles of such actions say it: `from .models import Order`, `Add import from "./order"`.
fn module(title: &str) -> Option<&str> {
    if let Some((_, rest)) = title.split_once("from ")
        && let Some((module, _)) = rest.split_once(" import ")
    {
        return Some(module);
    }
    title.split('"').skip(1).step_by(2).last()
}

/// Tells whether a module's last word is the name of a file, or of its directory where the file stands for that.
fn names(module: &str, file: &AbsPath) -> bool {
    let stem = |name: &str| name.rsplit_once('.').map_or(name.to_owned(), |(stem, _)| stem.to_owned());
    let mut above = file.as_str().rsplit('/');
    let own = above.next().map(stem).unwrap_or_default();
    let wanted = if OF_DIRECTORIES.contains(&own.as_str()) { above.next().unwrap_or_default().to_owned() } else { own };
    let is_path = module.contains('/');
    let last = if is_path { module.rsplit('/').next() } else { module.rsplit('.').next() };
    let last = last.unwrap_or_default();
    !last.is_empty() && (last == wanted || is_path && stem(last) == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_known_by_the_titles_of_their_imports() {
        assert_eq!(module("from .._models import URL"), Some(".._models"));
        assert_eq!(module("Insert import: `from shop.order import Order`"), Some("shop.order"));
        assert_eq!(module("Add import from \"./utils/kindOf\""), Some("./utils/kindOf"));
        assert_eq!(module("import os"), None);
    }

    #[test]
    fn modules_are_called_like_their_files_or_directories() {
        let file = |path: &str| AbsPath::new(std::path::Path::new(path)).unwrap();
        assert!(names(".._models", &file("/p/shop/_models.py")));
        assert!(names("./order.js", &file("/p/src/order.ts")));
        assert!(names("./order.types", &file("/p/src/order.types.ts")));
        assert!(names("shop.order", &file("/p/shop/order/__init__.py")));
        assert!(!names(".", &file("/p/src/order.ts")));
        assert!(!names("shop", &file("/p/shop/order.py")));
    }
}
