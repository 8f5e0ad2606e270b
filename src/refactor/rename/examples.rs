//! Examples in documents that tests run as code (Python's `doctest`), which no server reads, and the cells of notebooks, which
//! are not changed.

use super::visibility::Reach;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::python::{cells_of, examples_of};
use crate::syntax::{DeclarationKind, Family, Language, Site, Tree, site, whole_words};
use crate::text::{AbsPath, Patchwork, Span};
use crate::workspace::Disk;

/// What stands in one file where tests run the examples of documents: `doctest.testfile`, `doctest.DocFileSuite`, pytest's
/// `--doctest-glob`, Sybil's parser.
const RUN_BY: [&str; 4] = ["doctest testfile", "doctest DocFileSuite", "doctest glob", "sybil DocTestParser"];
/// The files that say so: code and settings, not a document that speaks of it.
const SAID_IN: [&str; 4] = ["py", "toml", "ini", "cfg"];

/// Returns where the examples of a document use a name as code, if tests run them.
pub(super) fn uses(disk: &Disk, path: &AbsPath, name: &str, reach: Reach) -> Vec<Span> {
    let Ok(text) = disk.read(path) else { return Vec::new() };
    let used = used(&examples_of(text.as_str()), name, reach);
    if used.is_empty() || !are_run(disk, path) { Vec::new() } else { used }
}

/// Tells where examples use what a refactoring changes, in documents that tests run and in docstrings, those apart that go with
/// a stretch of a file.
pub(crate) fn told(session: &Session, name: &str, gone: Option<(&AbsPath, Span)>) -> Result<Vec<Warning>, Refusal> {
    let disk = session.disk();
    let mut warnings = Vec::new();
    for path in disk.files_mentioning(name) {
        let mut spans = match path.extension() {
            "py" => disk
                .read(&path)
                .map(|text| used(&examples_of(text.as_str()), name, Reach::Anywhere))
                .unwrap_or_default(),
            _ if Language::of_path(&path).is_some_and(|it| it.family() != Family::Data) => continue,
            _ => uses(disk, &path, name, Reach::Anywhere),
        };
        spans.retain(|span| !gone.is_some_and(|(file, all)| *file == path && all.contains(*span)));
        if !spans.is_empty() {
            let message = format!("`{name}` stands in examples here, which tests may run, and is not changed");
            let text = disk.read(&path)?;
            warnings.push(Warning::at_lines(WarningKind::PossibleUse, message, path, (&text, &spans)));
        }
    }
    Ok(warnings)
}

/// Tells whether a file is a notebook.
pub(super) fn is_notebook(path: &AbsPath) -> bool {
    path.extension() == "ipynb"
}

/// Returns where the cells of a notebook use a name.
pub(super) fn in_cells(disk: &Disk, path: &AbsPath, name: &str, reach: Reach) -> Vec<Span> {
    disk.read(path).map(|text| used(&cells_of(text.as_str()), name, reach)).unwrap_or_default()
}

fn used(made: &Patchwork, name: &str, reach: Reach) -> Vec<Span> {
    let code = made.text();
    let words = whole_words(code, name);
    if words.is_empty() || reach == Reach::Function {
        return Vec::new();
    }
    let tree = Tree::parse(Language::Python, code);
    let sites: Vec<(Span, Site)> = words.into_iter().map(|span| (span, site(&tree, code, span))).collect();
    // What the examples declare themselves is another thing; a member may override the one that is meant.
    let is_member = |site: &Site| {
        matches!(site, Site::Member | Site::Declaration(DeclarationKind::Method | DeclarationKind::Property))
    };
    let is_own = sites.iter().any(|(_, site)| matches!(site, Site::Declaration(_)) && !is_member(site));
    let is_use = |site: &Site| match site {
        Site::KeywordArgument => true,
        site if is_member(site) => reach == Reach::Anywhere,
        Site::String | Site::Comment | Site::Declaration(_) => false,
        _ => reach == Reach::Anywhere && !is_own,
    };
    sites.iter().filter(|(_, site)| is_use(site)).filter_map(|(span, _)| made.origin(*span)).collect()
}

fn are_run(disk: &Disk, path: &AbsPath) -> bool {
    // pytest takes these for tests where nothing else is said.
    let is_test = path.extension() == "txt" && path.file_stem().starts_with("test");
    let says = |words: &&str| disk.files_mentioning(words).iter().any(|file| SAID_IN.contains(&file.extension()));
    is_test || RUN_BY.iter().any(says)
}
