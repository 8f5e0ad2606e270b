//! The modules and packages of a project, and the directories from which they are imported.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::import_roots;
use super::place::Place;
use super::stdlib::is_stdlib;
use crate::syntax::check_name;
use crate::text::{AbsPath, Text};

/// Every Python module of a project, as it lies on the disk or as it will.
#[derive(Debug, Clone)]
pub struct ModuleTree {
    root: AbsPath,
    entries: BTreeMap<Place, Entry>,
    /// Directories from which anybody may import.
    roots: BTreeSet<Place>,
    /// Directories that settings name as such, whether they hold modules or not.
    hinted: BTreeSet<Place>,
    /// Directories without `__init__` that are known to be packages all the same.
    namespaces: BTreeSet<Place>,
    /// The last names of all places.
    names: BTreeSet<String>,
}

/// What lies at a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The extension of the package's `__init__`.
    pub(super) package: Option<Extension>,
    /// The extension of the module's file.
    pub(super) module: Option<Extension>,
    /// Whether Python files lie somewhere below.
    pub(super) holds: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Package,
    Module,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extension {
    Py,
    Pyi,
    /// A module that is not written in Python.
    Binary,
}

impl ModuleTree {
    /// Takes a project's files (those of other languages are looked through for hints, or passed over);
    /// `read` gives the texts of `pyproject.toml` and its like.
    pub fn new<'a>(
        root: &AbsPath,
        files: impl IntoIterator<Item = &'a AbsPath>,
        read: &dyn Fn(&AbsPath) -> Option<Arc<Text>>,
    ) -> Self {
        let mut tree = Self {
            root: root.clone(),
            entries: BTreeMap::new(),
            roots: BTreeSet::from([Place::root()]),
            hinted: BTreeSet::new(),
            namespaces: BTreeSet::new(),
            names: BTreeSet::new(),
        };
        let mut settings = Vec::new();
        for file in files {
            if import_roots::is_settings(file.file_name()) {
                settings.push(file);
            }
            tree.add(file);
        }
        for file in settings {
            tree.add_hints(file, read);
        }
        tree
    }

    fn add(&mut self, file: &AbsPath) {
        let Some((place, extension)) = self.module_at(file) else { return };
        let (place, is_init) = match place.name() {
            "__init__" => (place.parent().unwrap_or_default(), true),
            _ => (place, false),
        };
        self.put(place, extension, if is_init { Kind::Package } else { Kind::Module });
    }

    fn put(&mut self, place: Place, extension: Extension, kind: Kind) {
        self.names.insert(place.name().to_owned());
        let entry = self.entries.entry(place.clone()).or_default();
        let slot = if kind == Kind::Package { &mut entry.package } else { &mut entry.module };
        *slot = Some(slot.map_or(extension, |before| before.min(extension)));
        let above = if kind == Kind::Package { Some(place) } else { place.parent() };
        for up in above.iter().flat_map(Place::upwards) {
            let entry = self.entries.entry(up.clone()).or_default();
            if std::mem::replace(&mut entry.holds, true) {
                break;
            }
            self.names.insert(up.name().to_owned());
        }
    }

    fn add_hints(&mut self, file: &AbsPath, read: &dyn Fn(&AbsPath) -> Option<Arc<Text>>) {
        let Some(base) = file.parent().and_then(|parent| self.place_of(&parent)) else { return };
        let text = read(file);
        let named = text.as_ref().map(|text| import_roots::roots(file.file_name(), text.as_str())).unwrap_or_default();
        let usual = ["src", "lib", "python"].map(str::to_owned);
        for hint in named.into_iter().chain(usual) {
            let parts = hint.split('/').filter(|part| !part.is_empty() && *part != ".");
            let place = base.join_all(parts);
            self.hinted.insert(place);
        }
        self.roots.insert(base);
        self.follow_hints();
    }

    fn follow_hints(&mut self) {
        let is_root = |place: &&Place| self.entry(place).is_some_and(|entry| entry.holds && entry.package.is_none());
        let roots: Vec<Place> = self.hinted.iter().filter(is_root).cloned().collect();
        self.roots.extend(roots);
    }

    pub fn root(&self) -> &AbsPath {
        &self.root
    }

    /// Returns the tree with every place where `after` says, a module of which `is_packaged` holds as a package, and with
    /// packages at the places of `created`.
    pub(super) fn moved(
        &self,
        after: impl Fn(&Place) -> Place,
        is_packaged: impl Fn(&Place) -> bool,
        created: &BTreeSet<Place>,
    ) -> Self {
        let mut tree = Self {
            root: self.root.clone(),
            entries: BTreeMap::new(),
            roots: self.roots.iter().map(&after).chain([Place::root()]).collect(),
            hinted: self.hinted.clone(),
            namespaces: self.namespaces.iter().map(&after).collect(),
            names: BTreeSet::new(),
        };
        for (place, entry) in &self.entries {
            let target = after(place);
            if let Some(extension) = entry.module {
                let kind = if is_packaged(&target) { Kind::Package } else { Kind::Module };
                tree.put(target.clone(), extension, kind);
            }
            if let Some(extension) = entry.package {
                tree.put(target, extension, Kind::Package);
            }
        }
        for place in created {
            tree.put(place.clone(), Extension::Py, Kind::Package);
        }
        tree.follow_hints();
        tree
    }

    /// Says that a directory without `__init__` is a package.
    pub(super) fn add_namespace(&mut self, place: Place) {
        self.namespaces.insert(place);
    }

    /// Returns a file's or directory's path from the project's root.
    pub(super) fn place_of(&self, path: &AbsPath) -> Option<Place> {
        path.relative_to(&self.root).map(|path| Place::of(path.as_str()))
    }

    /// Returns the place of a module's file (a package's `__init__` is a place of its own), and its kind.
    pub(super) fn module_at(&self, file: &AbsPath) -> Option<(Place, Extension)> {
        let (stem, extension) = split_name(file.file_name())?;
        let parent = self.place_of(&file.parent()?)?;
        Some((parent.join(stem), extension))
    }

    pub(super) fn entry(&self, place: &Place) -> Option<Entry> {
        self.entries.get(place).copied()
    }

    /// Tells whether a module, a package or a directory with modules lies at a place.
    pub(super) fn exists(&self, place: &Place) -> bool {
        self.entries.contains_key(place)
    }

    /// Tells whether a place is a package with an `__init__`.
    pub(super) fn is_package(&self, place: &Place) -> bool {
        self.entry(place).is_some_and(|entry| entry.package.is_some())
    }

    /// Tells whether a place is a file's or a package's, not merely a directory's.
    pub(super) fn is_solid(&self, place: &Place) -> bool {
        self.entry(place).is_some_and(|entry| entry.package.is_some() || entry.module.is_some())
    }

    /// Returns the files that may hold a module's text, the one that runs first.
    pub(super) fn files_of(&self, place: &Place) -> Vec<AbsPath> {
        let Some(entry) = self.entry(place) else { return Vec::new() };
        let stem = if entry.package.is_some() { place.join("__init__") } else { place.clone() };
        ["py", "pyi"]
            .iter()
            .filter_map(|extension| self.root.join(format!("{}.{extension}", stem.as_str())).ok())
            .collect()
    }

    /// Returns the modules and packages below a directory, itself included.
    pub(super) fn modules_below(&self, directory: &Place) -> Vec<Place> {
        let below = self.entries.range(directory.clone()..).map(|(place, _)| place);
        below.filter(|place| place.is_below(directory) && self.is_solid(place)).cloned().collect()
    }

    pub(super) fn is_root(&self, place: &Place) -> bool {
        self.roots.contains(place)
    }

    pub(super) fn is_namespace(&self, place: &Place) -> bool {
        self.namespaces.contains(place)
    }

    /// Returns the directory that holds a place's outermost package: where its dotted name begins.
    pub(super) fn root_of(&self, place: &Place) -> Place {
        let mut at = place.parent().unwrap_or_default();
        loop {
            let is_end = at == Place::root() || self.is_root(&at) && !self.is_package(&at);
            let is_inside = self.is_package(&at) || self.is_namespace(&at) || self.lies_in_package(&at);
            if is_end || !is_inside {
                return at;
            }
            at = at.parent().unwrap_or_default();
        }
    }

    /// Tells whether a directory lies in a package, however deep, and no import root between.
    fn lies_in_package(&self, place: &Place) -> bool {
        let above = place.upwards().skip(1).take_while(|up| *up != Place::root() && !self.is_root(up));
        above.into_iter().any(|up| self.is_package(&up))
    }

    /// Returns the dotted name by which a place is imported from a root.
    pub(super) fn dotted(&self, place: &Place, root: &Place) -> Option<String> {
        let names = place.names_below(root)?;
        let is_importable = !names.is_empty() && names.iter().all(|name| is_identifier(name));
        is_importable.then(|| names.join("."))
    }

    /// Tells whether any module or directory has this name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns the root below which a dotted name is found, and how many of its parts are found there.
    /// `roots` are those of the importing file's directory, its own first.
    pub(super) fn root_for(&self, names: &[&str], roots: &[Place]) -> Option<(Place, usize)> {
        let own_only = names.first().is_some_and(|name| is_stdlib(name));
        let roots = if own_only { &roots[..1] } else { roots };
        let mut best: Option<((usize, bool), &Place)> = None;
        for root in roots {
            let reached = self.reach(root, names);
            if reached.0 > 0 && best.as_ref().is_none_or(|(before, _)| reached > *before) {
                best = Some((reached, root));
            }
        }
        best.map(|((count, _), root)| (root.clone(), count))
    }

    /// Returns how many parts of a dotted name exist below a root, and whether the first is solid.
    fn reach(&self, root: &Place, names: &[&str]) -> (usize, bool) {
        let mut at = root.clone();
        let mut is_solid = false;
        for (count, name) in names.iter().enumerate() {
            at = at.join(name);
            if !self.exists(&at) {
                return (count, is_solid);
            }
            is_solid |= count == 0 && self.is_solid(&at);
        }
        (names.len(), is_solid)
    }

    /// Returns the directory that Python puts first on its path when it runs a file of `from`.
    fn script_root(&self, from: &Place) -> Place {
        from.upwards().find(|up| !self.is_package(up)).unwrap_or_default()
    }

    /// Returns the roots that a file in `from` can import from, in the order in which they are asked:
    /// its own, the project's (the nearest first), then the directories around it.
    pub(super) fn roots_for(&self, from: &Place) -> Vec<Place> {
        let own = self.script_root(from);
        let mut roots: Vec<Place> = self.roots.iter().filter(|root| **root != own).cloned().collect();
        roots.sort_by_key(|root| std::cmp::Reverse((root.common(from).depth(), usize::from(from.is_below(root)))));
        let around: Vec<Place> =
            from.upwards().filter(|up| *up != own && !self.is_root(up) && !self.is_package(up)).collect();
        [own].into_iter().chain(roots).chain(around).collect()
    }

    /// Tells whether files in `from` can import from a root.
    pub(super) fn reaches(&self, from: &Place, root: &Place) -> bool {
        self.is_root(root) || from.is_below(root)
    }
}

/// Returns a Python file's stem and kind; nothing for other files.
fn split_name(name: &str) -> Option<(&str, Extension)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let kind = match extension {
        "py" => Extension::Py,
        "pyi" => Extension::Pyi,
        "pyx" | "so" | "pyd" => Extension::Binary,
        _ => return None,
    };
    let stem = if kind == Extension::Binary { stem.split('.').next()? } else { stem };
    (!stem.is_empty()).then_some((stem, kind))
}

/// Tells whether a word can stand in an import statement.
pub(super) fn is_identifier(name: &str) -> bool {
    check_name(crate::syntax::Language::Python, name).is_ok()
}
