//! Names that a plan gives to modules: those who have all of such a module have them, too.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::moves::links::NewName;
use crate::refactor::moves::python::star_gifts;
use crate::refactor::moves::python::star_names::{is_given, is_top};
use crate::refactor::moves::script::star_exports;
use crate::refactor::source_file::Code;
use crate::session::{Parsed, Session};
use crate::syntax::{Family, Language, Tree};
use crate::text::{AbsPath, Span};

/// A file before a plan and after it.
pub(super) struct Changed {
    pub before: Arc<Parsed>,
    pub after: Arc<Parsed>,
}

/// Files by their paths before the plan.
pub(super) type ChangedFiles<'p> = BTreeMap<&'p AbsPath, Changed>;

/// Reads the files that a plan edits whose language has modules that give away names.
pub(super) fn changed<'p>(session: &Session, plan: &'p Plan) -> ChangedFiles<'p> {
    let mut changed = ChangedFiles::new();
    for (path, edit) in plan.edits() {
        let Some(language) = Language::of_path(path).filter(|it| HAVING.contains(&it.family())) else { continue };
        let Some(before) = session.sources().parse(path, &edit.before) else { continue };
        let after = Arc::new(edit.after());
        let tree = Tree::parse(language, after.as_str());
        changed.insert(path, Changed { before, after: Arc::new(Parsed::new(after, tree)) });
    }
    changed
}

/// Refuses a plan by which a name means something else where it comes by `from module import *`, or nothing by `export *`.
pub(super) fn check(session: &Session, plan: &Plan, files: &ChangedFiles<'_>) -> Result<(), Refusal> {
    let names = |it: &Changed| (said(&it.before), said(&it.after));
    let changed: BTreeMap<&AbsPath, (BTreeSet<String>, BTreeSet<String>)> =
        files.iter().map(|(path, it)| (*path, names(it))).collect();
    for (home, (before, after)) in &changed {
        let parsed = &files[home].after;
        for name in after.difference(before) {
            let leaves = |path: &AbsPath| {
                let goes = plan.deletes().contains_key(path) || plan.moves().contains_key(path);
                goes || changed.get(path).is_some_and(|(_, after)| !after.contains(name))
            };
            let new = NewName { home, name, leaves: &leaves };
            let (found, by) = match parsed.tree.language().family() {
                Family::Python if !is_given(parsed, name) => continue,
                Family::Python => (star_gifts::hidden(session, &new)?, "import *"),
                _ => (star_exports::hidden(session, &new)?, "export *"),
            };
            if let Some((path, span)) = found {
                let reason = format!("`{name}` has another meaning here already, and would come by `{by}`");
                return Err(Code::known(session, &path)?.refuse(span.start, reason));
            }
        }
    }
    Ok(())
}

/// The languages whose modules can have all of another one.
const HAVING: [Family; 2] = [Family::Python, Family::Script];

/// Returns what a module of Python declares at its top, or one of a script exports; what it imports means the same wherever it comes
/// from.
pub(super) fn said(parsed: &Parsed) -> BTreeSet<String> {
    let root = parsed.tree.nodes().root();
    let is_imported = |span: Span| {
        let around = parsed.tree.nodes().covering(span).ancestors();
        around.into_iter().any(|it| it.is_any(&["import_statement", "import_from_statement"]))
    };
    let spans: Vec<Span> = match parsed.tree.language().family() {
        Family::Python => {
            parsed.names().iter().filter(|it| is_top(it) && !is_imported(it.span)).map(|it| it.span).collect()
        }
        _ => star_exports::exported(root).collect(),
    };
    spans.into_iter().filter_map(|it| it.of(parsed.text.as_str())).map(str::to_owned).collect()
}
