//! Code of others that lies in the project, and that nobody there takes anything from: it cannot use what the project renames.

use std::collections::{BTreeMap, BTreeSet};

use super::proximity::{Nearness, WeighedPlaces};
use crate::plan::Parts;
use crate::refactor::moves::Importers;
use crate::session::Session;
use crate::syntax::Language;
use crate::text::{AbsPath, RelPath};

/// Directories of what others wrote.
const DIRECTORIES: [&str; 6] = ["_vendor", "_vendored", "site-packages", "third_party", "vendor", "vendored"];

/// What lies in such a directory and is imported by one name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    directory: String,
    name: String,
}

/// Takes out the uses in files of others that neither import what is renamed nor are named by code of the project.
pub(super) fn leave_out(session: &Session, parts: &Parts, found: &mut WeighedPlaces) {
    let is_use = |nearness: &Nearness| matches!(nearness, Nearness::Use | Nearness::Unasked);
    let of_others = |path: &AbsPath| Unit::of(session, path).filter(|_| !parts.edits.contains_key(path));
    let mut units: BTreeMap<AbsPath, Unit> = BTreeMap::new();
    for (_, path) in found.keys().filter(|(nearness, _)| is_use(nearness)) {
        units.extend(of_others(path).map(|unit| (path.clone(), unit)));
    }
    if units.is_empty() {
        return;
    }
    let importers = Importers::of(session);
    let reached: BTreeSet<&AbsPath> = importers.reached(parts.edits.keys()).into_iter().collect();
    let mut known: BTreeMap<Unit, bool> = BTreeMap::new();
    units.retain(|path, unit| {
        let is_named = *known.entry(unit.clone()).or_insert_with(|| is_named(session, unit));
        !is_named && !reached.contains(path)
    });
    found.retain(|(nearness, path), _| !is_use(nearness) || !units.contains_key(path));
}

/// Tells whether code of the project says the name, by whatever way it is led there; what others wrote may take it on.
fn is_named(session: &Session, unit: &Unit) -> bool {
    let (mut seen, mut open) = (BTreeSet::from([unit.clone()]), vec![unit.clone()]);
    while let Some(unit) = open.pop() {
        let is_code = |path: &AbsPath| Language::of_path(path).is_some_and(|it| Importers::knows(it.family()));
        for path in session.disk().files_mentioning(&unit.name).into_iter().filter(is_code) {
            let Some(other) = Unit::of(session, &path) else { return true };
            if seen.insert(other.clone()) {
                open.push(other);
            }
        }
    }
    false
}

impl Unit {
    fn of(session: &Session, path: &AbsPath) -> Option<Self> {
        path.relative_to(session.root()).and_then(|path| Self::at(&path))
    }

    /// Returns what a path leads into; the directory itself, where that is a package.
    fn at(path: &RelPath) -> Option<Self> {
        let parts: Vec<&str> = path.as_str().split('/').collect();
        let at = parts.iter().rposition(|part| DIRECTORIES.contains(part)).filter(|at| at + 1 < parts.len())?;
        let stem = parts[at + 1].split('.').next().unwrap_or_default();
        let name = if matches!(stem, "__init__" | "index") { parts[at] } else { stem };
        Some(Self { directory: parts[..=at].join("/"), name: name.to_owned() })
    }
}
