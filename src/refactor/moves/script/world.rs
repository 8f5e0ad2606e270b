//! What lies where in a project, before a move or after it.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::json::Json;
use super::package::Package;
use super::tsconfig::TsConfig;
use crate::refactor::moves::Relocation;
use crate::session::{Parsed, Sources};
use crate::text::{AbsPath, RelPath, Text};
use crate::workspace::Disk;

/// Where the files of one move go, by paths from the project's root.
#[derive(Debug, Clone)]
pub(super) struct Moved {
    pub from: RelPath,
    pub to: RelPath,
    /// Every file that moves.
    pub files: BTreeMap<RelPath, RelPath>,
    back: HashMap<RelPath, RelPath>,
}

impl Moved {
    /// Reads a relocation; nothing where it leaves the project.
    pub(super) fn new(relocation: &Relocation, root: &AbsPath) -> Option<Self> {
        let pairs = relocation.files.iter().map(|(from, to)| Some((from.relative_to(root)?, to.relative_to(root)?)));
        let files: BTreeMap<RelPath, RelPath> = pairs.collect::<Option<_>>()?;
        let back = files.iter().map(|(from, to)| (to.clone(), from.clone())).collect();
        Some(Self { from: relocation.from.relative_to(root)?, to: relocation.to.relative_to(root)?, files, back })
    }

    /// The move of no file.
    pub(super) fn nothing() -> Self {
        let (files, back) = (BTreeMap::new(), HashMap::new());
        Self { from: RelPath::root(), to: RelPath::root(), files, back }
    }

    /// Returns where a file or directory lies after the move.
    pub(super) fn after(&self, path: &RelPath) -> RelPath {
        let moved = self.files.get(path).cloned();
        moved.or_else(|| path.rebased(&self.from, &self.to)).unwrap_or_else(|| path.clone())
    }

    /// Returns what lies at `path` after the move, by its path before; nothing where the move empties the place.
    pub(super) fn before(&self, path: &RelPath) -> Option<RelPath> {
        if let Some(before) = self.back.get(path).cloned().or_else(|| path.rebased(&self.to, &self.from)) {
            return Some(before);
        }
        (!self.takes(path)).then(|| path.clone())
    }

    /// Tells whether the move takes a file or directory along.
    pub(super) fn takes(&self, path: &RelPath) -> bool {
        path.is_below(&self.from) || self.files.contains_key(path)
    }
}

/// A project's files as they are listed before the move.
pub(super) struct Listing {
    sources: Sources,
    files: HashSet<RelPath>,
    dirs: HashSet<RelPath>,
    /// Every `package.json`.
    packages: Vec<RelPath>,
    /// Every `tsconfig*.json` and `jsconfig*.json`, by the directory that it lies in.
    projects: BTreeMap<RelPath, Vec<RelPath>>,
    /// What JSON files hold: both worlds ask for the same few.
    values: RefCell<HashMap<RelPath, Option<Rc<Json>>>>,
}

impl Listing {
    /// Lists the files of the disk's last walk, and those that move though the walk leaves them out.
    pub(super) fn new(sources: &Sources, moved: &Moved) -> Self {
        let (walked, root) = (sources.disk().files(), sources.disk().root());
        let listed = walked.iter().filter_map(|entry| entry.path.relative_to(root));
        let files: HashSet<RelPath> = listed.chain(moved.files.keys().cloned()).collect();
        let mut listing = Self {
            sources: sources.clone(),
            dirs: HashSet::new(),
            packages: Vec::new(),
            projects: BTreeMap::new(),
            files: HashSet::new(),
            values: RefCell::default(),
        };
        let mut sorted: Vec<&RelPath> = files.iter().collect();
        sorted.sort();
        for file in sorted {
            listing.note(file);
        }
        listing.files = files;
        listing
    }

    fn note(&mut self, file: &RelPath) {
        let mut dir = file.parent();
        if file.file_name() == "package.json" {
            self.packages.push(file.clone());
        }
        if is_project_file(file.file_name()) {
            self.projects.entry(dir.clone().unwrap_or_else(RelPath::root)).or_default().push(file.clone());
        }
        while let Some(new) = dir.filter(|dir| !self.dirs.contains(dir)) {
            dir = new.parent();
            self.dirs.insert(new);
        }
    }

    pub(super) fn text(&self, path: &RelPath) -> Option<Arc<Text>> {
        self.sources.disk().read(&self.absolute(path)).ok()
    }

    pub(super) fn parse(&self, path: &RelPath, text: &Arc<Text>) -> Option<Arc<Parsed>> {
        self.sources.parse(&self.absolute(path), text)
    }

    fn json(&self, path: &RelPath) -> Option<Rc<Json>> {
        if let Some(known) = self.values.borrow().get(path) {
            return known.clone();
        }
        let parsed = self.text(path).and_then(|text| self.parse(path, &text));
        let json = parsed.and_then(|parsed| Json::read(&parsed.tree, parsed.text.as_str())).map(Rc::new);
        self.values.borrow_mut().insert(path.clone(), json.clone());
        json
    }

    pub(super) fn absolute(&self, path: &RelPath) -> AbsPath {
        self.sources.disk().root().join_rel(path)
    }

    pub(super) fn packages(&self) -> &[RelPath] {
        &self.packages
    }

    pub(super) fn projects(&self) -> impl Iterator<Item = &RelPath> {
        self.projects.values().flatten()
    }
}

fn is_project_file(name: &str) -> bool {
    (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json")
}

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
        let read = TsConfig::read(self, path).map(Rc::new);
        self.projects.borrow_mut().insert(path.clone(), read.clone());
        read
    }

    /// Returns the project files of one directory: `tsconfig.json` and `jsconfig.json` first.
    pub(super) fn projects_in(&self, dir: &RelPath) -> Vec<RelPath> {
        let Some(origin) = self.origin(dir) else { return Vec::new() };
        let mut found: Vec<RelPath> = self
            .listing
            .projects
            .get(&origin)
            .into_iter()
            .flatten()
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
            let dirs = self.listing.packages.iter().filter_map(|path| self.here(path).parent());
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
            .map(|dir| installed_in(self.listing.sources.disk(), &self.listing.absolute(&dir), name))
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
