//! A project's files before a move, and where the move takes them.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::json::Json;
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
    pub files: HashSet<RelPath>,
    pub dirs: HashSet<RelPath>,
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

    pub(super) fn json(&self, path: &RelPath) -> Option<Rc<Json>> {
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

    /// Returns the project files of one directory.
    pub(super) fn projects_in(&self, dir: &RelPath) -> &[RelPath] {
        self.projects.get(dir).map_or(&[], Vec::as_slice)
    }

    pub(super) fn disk(&self) -> &Disk {
        self.sources.disk()
    }

    pub(super) fn projects(&self) -> impl Iterator<Item = &RelPath> {
        self.projects.values().flatten()
    }
}

pub(super) fn is_project_file(name: &str) -> bool {
    (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json")
}
