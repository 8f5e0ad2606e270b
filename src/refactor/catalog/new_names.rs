//! Names that a plan gives to modules of Python: those who take all of such a module have them, too.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::moves::python::star_gifts::{NewName, hidden};
use crate::refactor::moves::python::star_names::{is_given, is_top};
use crate::refactor::source_file::Code;
use crate::session::{Parsed, Session};
use crate::syntax::{Language, Tree};
use crate::text::{AbsPath, Span, Text};

/// Refuses a plan by which a name means something else where it comes by `from module import *`.
pub(super) fn check(session: &Session, plan: &Plan) -> Result<(), Refusal> {
    let mut changed: BTreeMap<&AbsPath, (BTreeSet<String>, Parsed)> = BTreeMap::new();
    for (path, edit) in plan.edits() {
        if Language::of_path(path) == Some(Language::Python) {
            let before = parsed(Arc::clone(&edit.before));
            changed.insert(path, (bound(&before), parsed(Arc::new(edit.after()))));
        }
    }
    for (home, (before, after)) in &changed {
        for name in bound(after).difference(before).filter(|name| is_given(after, name)) {
            let leaves = |path: &AbsPath| changed.get(path).is_some_and(|(_, after)| !bound(after).contains(name));
            if let Some((path, span)) = hidden(session, &NewName { home, name, leaves: &leaves })? {
                let reason = format!("`{name}` has another meaning here already, and would come by `import *`");
                return Err(Code::known(session, &path)?.refuse(span.start, reason));
            }
        }
    }
    Ok(())
}

fn parsed(text: Arc<Text>) -> Parsed {
    let tree = Tree::parse(Language::Python, text.as_str());
    Parsed::new(text, tree)
}

/// Returns what a module declares at its top; what it imports means the same wherever it comes from.
fn bound(parsed: &Parsed) -> BTreeSet<String> {
    let is_imported = |span: Span| {
        let around = parsed.tree.nodes().covering(span).ancestors();
        around.into_iter().any(|it| it.is_any(&["import_statement", "import_from_statement"]))
    };
    let tops = parsed.names().iter().filter(|it| is_top(it) && !is_imported(it.span));
    tops.filter_map(|it| it.span.of(parsed.text.as_str())).map(str::to_owned).collect()
}
