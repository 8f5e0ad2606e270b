//! New files of a plan in the lists of what a package hands out: one that is not among them is missing where the package is
//! installed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::python::{listed_packages, packed_by_name};
use super::script::published;
use crate::plan::Plan;
use crate::session::Session;
use crate::syntax::{Family, Language};
use crate::text::{AbsPath, RelPath, TextEdit};

/// The lists of setuptools.
const PYTHON: [&str; 3] = ["pyproject.toml", "setup.cfg", "setup.py"];

/// Lists what a plan creates where packages list their files, modules or packages one by one.
pub(crate) fn enlisted(session: &Session, plan: Plan) -> Plan {
    let mut lists: BTreeMap<AbsPath, Vec<TextEdit>> = BTreeMap::new();
    // A package that comes to be where its module goes.
    let moved = plan.moves().values().map(|it| &it.to).filter(|it| it.file_stem() == "__init__");
    for new in plan.creates().keys().chain(moved) {
        let found = match Language::of_path(new).map(Language::family) {
            Some(Family::Python) => in_python(session, &plan, new),
            Some(Family::Script) => in_script(session, &plan, new),
            _ => None,
        };
        let Some((list, edit)) = found else { continue };
        let edits = lists.entry(list).or_default();
        match edits.iter_mut().find(|it| it.span == edit.span) {
            Some(same) => same.new_text.push_str(&edit.new_text),
            None => edits.push(edit),
        }
    }
    let left_out = packed_by_name::left_out(session.disk(), plan.creates().keys());
    if lists.is_empty() && left_out.is_empty() {
        return plan;
    }
    let mut parts = plan.clone().into_parts();
    parts.warnings.extend(left_out);
    for (path, edits) in lists {
        let Ok(text) = session.disk().read(&path) else { continue };
        parts.edits.entry(path).or_insert_with(|| (Arc::clone(&text), Vec::new())).1.extend(edits);
    }
    Plan::new(parts).unwrap_or(plan)
}

/// Returns the directories above a file, the nearest first, up to the root.
fn above<'p>(session: &'p Session, path: &AbsPath) -> impl Iterator<Item = AbsPath> + use<'p> {
    let root = session.root();
    let directories = std::iter::successors(path.parent(), AbsPath::parent);
    directories.take_while(move |it| it == root || it.is_below(root))
}

fn in_script(session: &Session, plan: &Plan, new: &AbsPath) -> Option<(AbsPath, TextEdit)> {
    let disk = session.disk();
    let named = above(session, new).filter_map(|it| it.join("package.json").ok());
    let (list, text) = named.into_iter().find_map(|path| disk.read(&path).ok().map(|text| (path, text)))?;
    let package = list.parent()?;
    let others: Vec<RelPath> = plan.edits().keys().filter_map(|it| it.relative_to(&package)).collect();
    let edit = published::enlisted(text.as_str(), &others, &new.relative_to(&package)?)?;
    Some((list, edit))
}

fn in_python(session: &Session, plan: &Plan, new: &AbsPath) -> Option<(AbsPath, TextEdit)> {
    let disk = session.disk();
    let comes = |it: &AbsPath| plan.creates().contains_key(it) || plan.moves().values().any(|one| one.to == *it);
    let is_package =
        |directory: &AbsPath| directory.join("__init__.py").is_ok_and(|it| comes(&it) || disk.read(&it).is_ok());
    let mut packages: Vec<AbsPath> = above(session, new).take_while(is_package).collect();
    packages.reverse();
    let names: Vec<&str> = packages.iter().map(AbsPath::file_name).collect();
    let named = PYTHON.into_iter().flat_map(|name| above(session, new).filter_map(move |it| it.join(name).ok()));
    let lists = named.filter_map(|path| disk.read(&path).ok().map(|text| (path, text)));
    let beside = || plan.edits().keys().filter(|it| it.parent() == new.parent()).map(AbsPath::file_stem);
    lists.into_iter().find_map(|(list, text)| {
        let edit = match (new.file_stem(), names.is_empty()) {
            ("__init__", _) => listed_packages::enlisted(&list, text.as_str(), &names.join(".")),
            (module, true) => {
                beside().find_map(|other| listed_packages::enlisted_module(&list, text.as_str(), other, module))
            }
            _ => None,
        };
        edit.map(|edit| (list, edit))
    })
}
