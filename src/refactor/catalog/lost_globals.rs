//! Names that modules of Python have before a plan and not after it: where a module asks itself for one, that is told.

use std::collections::BTreeSet;

use super::new_names::{Changed, ChangedFiles};
use crate::plan::{Warning, WarningKind};
use crate::refactor::moves::python::star_names::is_top;
use crate::refactor::rename::own_lookups::asks;
use crate::session::Parsed;
use crate::syntax::Family;
use crate::text::Span;

/// Words without which no module asks itself for a name.
const ASKING: [&str; 5] = ["__name__", "compile", "eval", "exec", "globals"];

/// Tells which modules ask themselves for a name that they lose.
pub(super) fn told(files: &ChangedFiles<'_>) -> Vec<Warning> {
    let mut found = Vec::new();
    for (path, Changed { before, after }) in files {
        let is_python = after.tree.language().family() == Family::Python;
        if !is_python || !ASKING.iter().any(|word| after.text.as_str().contains(word)) {
            continue;
        }
        let kept = bound(after);
        for name in bound(before).difference(&kept) {
            // What goes along with the name asks another module.
            if places(after, name).is_empty() {
                continue;
            }
            let message = format!("the module is asked for its `{name}` here, which it has no more");
            let spans = places(before, name);
            found.push(Warning::at_lines(WarningKind::RunTime, message, (*path).clone(), (&before.text, &spans)));
        }
    }
    found
}

/// Returns the names that a module has at its top, what it imports among them.
fn bound(parsed: &Parsed) -> BTreeSet<&str> {
    parsed.names().iter().filter(|it| is_top(it)).filter_map(|it| it.span.of(parsed.text.as_str())).collect()
}

fn places(parsed: &Parsed, name: &str) -> Vec<Span> {
    let asking = parsed.tree.nodes().iter().filter(|node| asks(*node, parsed.text.as_str(), name));
    asking.map(|node| node.span()).collect()
}
