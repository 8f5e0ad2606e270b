//! Submodules that a package lists in `__all__` without importing them.

use super::edits::{FileEdits, Origin};
use super::error::Refused;
use super::naming::{Naming, Style};
use super::project_modules::Named;
use super::source::Source;
use crate::syntax::python::dunder_all;

/// Gives the entries that name a submodule its new name; for one that leaves, the package imports it.
pub(super) fn rename_entries(source: &Source, naming: &Naming<'_>, edits: &mut FileEdits) -> Result<(), Refused> {
    for (entry, span) in dunder_all(source.tree(), source.str()) {
        let child = source.place.join(&entry);
        let is_bound = source.names().scopes[0].bound.contains_key(&entry);
        if is_bound
            || !naming.before.exists(&child)
            || naming.moves.after(&child).name() == entry && !leaves(source, naming, &entry)
        {
            continue;
        }
        if !leaves(source, naming, &entry) {
            edits.replace(span, naming.moves.after(&child).name());
            continue;
        }
        let named = Named { place: child.clone(), root: None, found: 0 };
        let origin: Origin = naming.parent_origin(source, &named, Style::Relative { level: 1 })?;
        let statement = origin.statement(naming.moves.after(&child).name(), Some(&entry));
        match source.imports.iter().find(|import| import.begins_line) {
            Some(first) => edits.add_before(first, statement),
            None => return Err(Refused::Unsound { path: source.path.clone(), import: format!("__all__: {entry}") }),
        }
    }
    Ok(())
}

fn leaves(source: &Source, naming: &Naming<'_>, entry: &str) -> bool {
    let after = naming.moves.after(&source.place.join(entry));
    after.parent() != Some(naming.moves.after(&source.place))
}
