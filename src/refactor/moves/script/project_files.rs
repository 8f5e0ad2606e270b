//! What lies where in a project, before a move or after it.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::json::Json;
use super::listing::{Listing, Moved, is_project_file};
use super::package::Package;
use super::specifiers::{extension, split_name};
use super::tsconfig::TsConfig;
use crate::text::{AbsPath, RelPath};
use crate::workspace::Disk;

/// The project at one moment: before the move, or after it with its configurations rewritten.
pub(super) struct World<'a> {
    pub listing: &'a Listing,
    moved: Option<&'a Moved>,
    /// New texts, by their paths before the move.
    rewritten: BTreeMap<RelPath, String>,
    projects: RefCell<HashMap<RelPath, Option<Rc<TsConfig>>>>,
    owners: RefCell<HashMap<RelPath, Option<Rc<TsConfig>>>>,
    packages: RefCell<HashMap<RelPath, Option<Rc<Package>>>>,
    names: RefCell<Option<Rc<BTreeMap<String, RelPath>>>>,
    installed: RefCell<HashMap<(RelPath, String), Installed>>,
    /// What paths without endings stand for: the same few are asked for again and again.
    loaded: RefCell<HashMap<RelPath, Option<RelPath>>>,
}

/// What `node_modules` holds under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Installed {
    Nothing,
    /// A link to this directory of the project, by its path before the move.
    Link(RelPath),
    /// A package that is no part of the project.
    Elsewhere,
}

impl<'a> World<'a> {
    pub(super) fn before(listing: &'a Listing) -> Self {
        Self::new(listing, None, BTreeMap::new())
    }

    pub(super) fn after(listing: &'a Listing, moved: &'a Moved, rewritten: BTreeMap<RelPath, String>) -> Self {
        Self::new(listing, Some(moved), rewritten)
    }

    fn new(listing: &'a Listing, moved: Option<&'a Moved>, rewritten: BTreeMap<RelPath, String>) -> Self {
        Self {
            listing,
            moved,
            rewritten,
            projects: RefCell::default(),
            owners: RefCell::default(),
            packages: RefCell::default(),
            names: RefCell::default(),
            installed: RefCell::default(),
            loaded: RefCell::default(),
        }
    }

    /// Returns the path before the move of what lies at `path` in this world.
    fn origin(&self, path: &RelPath) -> Option<RelPath> {
        self.moved.map_or_else(|| Some(path.clone()), |moved| moved.before(path))
    }

    fn here(&self, origin: &RelPath) -> RelPath {
        self.moved.map_or_else(|| origin.clone(), |moved| moved.after(origin))
    }

    pub(super) fn is_file(&self, path: &RelPath) -> bool {
        match self.moved {
            None => self.listing.files.contains(path),
            Some(moved) => moved.before(path).is_some_and(|origin| self.listing.files.contains(&origin)),
        }
    }

    pub(super) fn is_dir(&self, path: &RelPath) -> bool {
        let listed = self.origin(path).is_some_and(|origin| self.listing.dirs.contains(&origin));
        listed || self.moved.is_some_and(|moved| moved.to.parent().is_some_and(|parent| parent.is_below(path)))
    }

    pub(super) fn read(&self, path: &RelPath) -> Option<String> {
        let origin = self.origin(path)?;
        if let Some(text) = self.rewritten.get(&origin) {
            return Some(text.clone());
        }
        self.listing.files.contains(&origin).then(|| self.listing.text(&origin))?.map(|text| text.as_str().to_owned())
    }

    /// Returns what a JSON file holds.
    pub(super) fn json(&self, path: &RelPath) -> Option<Rc<Json>> {
        let origin = self.origin(path)?;
        match self.rewritten.get(&origin) {
            Some(text) => Json::parse(text).map(Rc::new),
            None => self.listing.files.contains(&origin).then(|| self.listing.json(&origin))?,
        }
    }

    /// Returns a project file as read, with what it extends.
    pub(super) fn project(&self, path: &RelPath) -> Option<Rc<TsConfig>> {
        if let Some(known) = self.projects.borrow().get(path) {
            return known.clone();
        }
        // Set before reading: a project that extends itself ends here.
        self.projects.borrow_mut().insert(path.clone(), None);
        let read = self.json(path).and_then(|json| {
            let dir = path.parent()?;
            let base = self.extended(path, &json);
            Some(Rc::new(TsConfig::read(&json, path, base, |named| self.referenced(&dir, named))?))
        });
        self.projects.borrow_mut().insert(path.clone(), read.clone());
        read
    }

    /// Returns what the project extends; later ones win. A package's configuration says nothing of this project's files.
    fn extended(&self, path: &RelPath, json: &Json) -> TsConfig {
        let Some(extends) = json.get("extends") else { return TsConfig::default() };
        let wanted = extends.as_str().into_iter().chain(extends.items().iter().filter_map(Json::as_str));
        let mut base = TsConfig::default();
        for name in wanted {
            let Some(found) = self.named_by_extends(path, name).and_then(|path| self.project(&path)) else { continue };
            base = if base.path.as_str().is_empty() { TsConfig::clone(&found) } else { base.overlaid(&found) };
        }
        base
    }

    /// Returns the file of this project that `extends` names.
    fn named_by_extends(&self, path: &RelPath, name: &str) -> Option<RelPath> {
        let in_package = || {
            let (package, rest) = split_name(name)?;
            self.package_named(package)?.join(rest)
        };
        let found = if name.starts_with('.') { path.parent()?.join(name)? } else { in_package()? };
        let candidates = [Some(found.clone()), Some(found.with_suffix(".json")), found.join("tsconfig.json")];
        candidates.into_iter().flatten().find(|path| self.is_file(path))
    }

    /// Returns the project file that an entry of `references` names: a file, or the `tsconfig.json` of a directory.
    fn referenced(&self, dir: &RelPath, path: &str) -> Option<RelPath> {
        let named = dir.join(path)?;
        if self.is_file(&named) { Some(named) } else { named.join("tsconfig.json") }
    }

    /// Returns the project files of one directory: `tsconfig.json` and `jsconfig.json` first.
    pub(super) fn projects_in(&self, dir: &RelPath) -> Vec<RelPath> {
        let Some(origin) = self.origin(dir) else { return Vec::new() };
        let mut found: Vec<RelPath> = self
            .listing
            .projects_in(&origin)
            .iter()
            .filter_map(|path| {
                let here = self.here(path);
                (here.parent().as_ref() == Some(dir)).then_some(here)
            })
            .collect();
        if let Some(moved) = self.moved.filter(|moved| moved.to.parent().as_ref() == Some(dir)) {
            found.extend(is_project_file(moved.to.file_name()).then(|| moved.to.clone()));
        }
        found.sort_by_key(|path| (!matches!(path.file_name(), "tsconfig.json" | "jsconfig.json"), path.clone()));
        found
    }

    /// Returns the project that a file belongs to; where none includes it, the nearest one above it.
    pub(super) fn owner(&self, file: &RelPath) -> Option<Rc<TsConfig>> {
        if let Some(known) = self.owners.borrow().get(file) {
            return known.clone();
        }
        let owner = self.find_owner(file);
        self.owners.borrow_mut().insert(file.clone(), owner.clone());
        owner
    }

    fn find_owner(&self, file: &RelPath) -> Option<Rc<TsConfig>> {
        let mut nearest = None;
        for dir in std::iter::successors(file.parent(), RelPath::parent) {
            let paths = self.projects_in(&dir);
            let projects = paths.iter().flat_map(|path| self.with_references(path));
            let asked: Vec<Rc<TsConfig>> = projects.filter(|project| project.is_asked()).collect();
            if let Some(owner) = asked.iter().find(|project| project.covers(file)) {
                return Some(Rc::clone(owner));
            }
            nearest = nearest.or(asked.into_iter().next());
        }
        nearest
    }

    fn with_references(&self, path: &RelPath) -> Vec<Rc<TsConfig>> {
        let mut found: Vec<Rc<TsConfig>> = Vec::new();
        let mut open = vec![path.clone()];
        while let Some(next) = open.pop() {
            if found.iter().any(|project| project.path == next) {
                continue;
            }
            let Some(project) = self.project(&next) else { continue };
            open.extend(project.references.iter().cloned());
            found.push(project);
        }
        found
    }

    /// Tells whether relative specifiers of a file need their endings: by the project's settings, or since Node.js reads the
    /// file as it is (Node.js, Mandatory file extensions).
    pub(super) fn needs_endings(&self, importer: &RelPath) -> bool {
        let is_read_by_node = match extension(importer) {
            "mjs" => true,
            "js" => self.package_around(importer).is_some_and(|package| package.is_module()),
            _ => false,
        };
        is_read_by_node || self.owner(importer).is_some_and(|project| project.needs_endings)
    }

    /// Returns the package whose `package.json` stands nearest above a file or directory.
    pub(super) fn package_around(&self, path: &RelPath) -> Option<Rc<Package>> {
        std::iter::successors(path.parent(), RelPath::parent).find_map(|dir| self.package(&dir))
    }

    /// Returns the nearest package around that has a name: one without only sets how files below it are read.
    pub(super) fn named_package_around(&self, path: &RelPath) -> Option<Rc<Package>> {
        let around = std::iter::successors(path.parent(), RelPath::parent).filter_map(|dir| self.package(&dir));
        around.into_iter().find(|package| package.name.is_some())
    }

    /// Returns the package whose `package.json` lies in `dir`.
    pub(super) fn package(&self, dir: &RelPath) -> Option<Rc<Package>> {
        if let Some(known) = self.packages.borrow().get(dir) {
            return known.clone();
        }
        let path = dir.join("package.json")?;
        let package = self.json(&path).map(|json| Rc::new(Package::new(dir, json)));
        self.packages.borrow_mut().insert(dir.clone(), package.clone());
        package
    }

    /// Returns the directory of the project's own package with this name.
    pub(super) fn package_named(&self, name: &str) -> Option<RelPath> {
        let known = self.names.borrow().clone();
        let names = known.unwrap_or_else(|| {
            let dirs = self.listing.packages().iter().filter_map(|path| self.here(path).parent());
            let named = dirs.filter_map(|dir| Some((self.package(&dir)?.name.clone()?, dir)));
            let names: Rc<BTreeMap<String, RelPath>> = Rc::new(named.collect());
            *self.names.borrow_mut() = Some(Rc::clone(&names));
            names
        });
        names.get(name).cloned()
    }

    /// Tells what a file of this world finds in `node_modules` under a package's name.
    pub(super) fn installed(&self, file: &RelPath, name: &str) -> Installed {
        let origin = self.origin(file).unwrap_or_else(|| file.clone());
        let dir = origin.parent().unwrap_or_else(RelPath::root);
        let key = (dir.clone(), name.to_owned());
        if let Some(known) = self.installed.borrow().get(&key) {
            return known.clone();
        }
        let found = std::iter::successors(Some(dir), RelPath::parent)
            .map(|dir| installed_in(self.listing.disk(), &self.listing.absolute(&dir), name))
            .find(|found| *found != Installed::Nothing)
            .unwrap_or(Installed::Nothing);
        self.installed.borrow_mut().insert(key, found.clone());
        found
    }

    /// Returns what a path was found to stand for, or finds it.
    pub(super) fn remembered(&self, path: &RelPath, find: impl Fn() -> Option<RelPath>) -> Option<RelPath> {
        if let Some(known) = self.loaded.borrow().get(path) {
            return known.clone();
        }
        let found = find();
        self.loaded.borrow_mut().insert(path.clone(), found.clone());
        found
    }

    /// Returns where a directory before the move lies in this world.
    pub(super) fn relocated(&self, origin: &RelPath) -> RelPath {
        self.here(origin)
    }
}

fn installed_in(disk: &Disk, dir: &AbsPath, name: &str) -> Installed {
    let place = dir.as_path().join("node_modules").join(name);
    let Ok(found) = std::fs::symlink_metadata(&place) else { return Installed::Nothing };
    if !found.is_symlink() {
        return Installed::Elsewhere;
    }
    let inside = AbsPath::new(&place).ok().and_then(|place| disk.contain(&place).ok());
    let inside = inside.and_then(|target| target.relative_to(disk.root()));
    inside.filter(|path| !path.as_str().contains("node_modules")).map_or(Installed::Elsewhere, Installed::Link)
}
