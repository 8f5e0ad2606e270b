//! Chooses what to rename, what to move and what to refactor.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::declarations::{Declaration, Kind, declarations};
use crate::packages::{Family, Package};
use crate::random::Random;
use crate::recipes::{Attempt, Recipes};
use crate::tree::files_below;

/// One thing to ask for; paths are absolute, in the first copy.
#[derive(Clone)]
pub enum Trial {
    Rename { kind: Kind, path: PathBuf, offset: usize, old: String, new: String, is_taken: bool },
    Move { kind: Kind, from: PathBuf, to: PathBuf },
    Refactor(Attempt),
}

/// A declaration with names that it can be given.
#[derive(Clone)]
pub struct Chosen {
    pub kind: Kind,
    pub path: PathBuf,
    /// Bytes, 0-based.
    pub offset: usize,
    pub old: String,
    /// Two names that stand nowhere in the sources.
    pub fresh: [String; 2],
    /// A name that is declared in the same file and scope.
    pub taken: Option<String>,
}

/// Everything that can be chosen in one package.
pub struct Choices {
    family: Family,
    root: PathBuf,
    renames: Vec<(PathBuf, Declaration)>,
    modules: Vec<PathBuf>,
    directories: Vec<PathBuf>,
    recipes: Recipes,
    /// Every word of the sources, so that a fresh name is one that stands nowhere.
    words: BTreeSet<String>,
}

/// One trial in so many is a move; one rename in so many asks for a name that is taken.
const MOVE_EVERY: usize = 6;
const TAKEN_PERCENT: usize = 10;

impl Trial {
    pub fn kind(&self) -> Kind {
        match self {
            Self::Rename { kind, .. } | Self::Move { kind, .. } => *kind,
            Self::Refactor(attempt) => Kind::Refactoring(attempt.name),
        }
    }
}

impl Choices {
    pub fn read(package: &Package, root: &Path) -> Self {
        let extensions = package.language.extensions();
        let mut modules = Vec::new();
        for source in package.sources {
            let directory = if *source == "." { root.to_path_buf() } else { root.join(source) };
            modules.extend(files_below(&directory, extensions));
        }
        let is_top = |directory: &Path| {
            root.starts_with(directory) || package.sources.iter().any(|source| root.join(source) == directory)
        };
        let around = |path: &PathBuf| path.ancestors().skip(1).map(Path::to_path_buf).collect::<Vec<_>>();
        let below: BTreeSet<PathBuf> =
            modules.iter().flat_map(around).filter(|path| !is_top(path) && path.starts_with(root)).collect();
        let directories = below
            .into_iter()
            .filter(|path| package.sources.iter().any(|source| *source == "." || path.starts_with(root.join(source))))
            .collect();
        let mut renames = Vec::new();
        let mut words = BTreeSet::new();
        for path in &modules {
            let Ok(text) = fs::read_to_string(path) else { continue };
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let text = text.trim_start_matches('\u{feff}');
            renames.extend(declarations(extension, text).into_iter().map(|found| (path.clone(), found)));
            words.extend(
                text.split(|character: char| !character.is_alphanumeric() && character != '_').map(str::to_owned),
            );
        }
        let recipes = Recipes::read(package.language, root, &modules);
        Self { family: package.language, root: root.to_path_buf(), renames, modules, directories, recipes, words }
    }

    /// Returns the trial of that number; nothing where the package has nothing of its kind.
    pub fn trial(&self, number: usize, random: &mut Random) -> Option<Trial> {
        if number % MOVE_EVERY == MOVE_EVERY - 1 {
            let is_directory = (number / MOVE_EVERY) % 2 == 1;
            let of_directory = is_directory.then(|| self.directory_move(number, random)).flatten();
            return of_directory.or_else(|| self.module_move(number, random));
        }
        let first = number - number / MOVE_EVERY;
        (first..first + Kind::RENAMED.len())
            .find_map(|turn| self.rename(Kind::RENAMED[turn % Kind::RENAMED.len()], random))
    }

    pub fn rename_only(&self, number: usize, random: &mut Random) -> Option<Trial> {
        (number..number + Kind::RENAMED.len())
            .find_map(|turn| self.rename(Kind::RENAMED[turn % Kind::RENAMED.len()], random))
    }

    pub fn move_only(&self, number: usize, random: &mut Random) -> Option<Trial> {
        self.trial(number * MOVE_EVERY + MOVE_EVERY - 1, random)
    }

    pub fn refactoring(&self, number: usize, random: &mut Random) -> Option<Trial> {
        self.recipes.attempt(number, random).map(Trial::Refactor)
    }

    /// Returns the declaration of that number, the kinds by turns.
    pub fn chosen(&self, number: usize, random: &mut Random) -> Option<Chosen> {
        (number..number + Kind::RENAMED.len())
            .find_map(|turn| self.declaration(Kind::RENAMED[turn % Kind::RENAMED.len()], random))
    }

    fn declaration(&self, kind: Kind, random: &mut Random) -> Option<Chosen> {
        let of_kind: Vec<_> = self.renames.iter().filter(|(_, declaration)| declaration.kind == kind).collect();
        let (path, declaration) = random.pick(&of_kind)?;
        let taken = random.percent(TAKEN_PERCENT).then(|| self.taken_name(path, declaration, random)).flatten();
        let first = self.fresh_name(&declaration.name, random);
        let mut second = first.clone();
        while second == first {
            second = self.fresh_name(&declaration.name, random);
        }
        let (path, offset, old) = (path.clone(), declaration.offset, declaration.name.clone());
        Some(Chosen { kind, path, offset, old, fresh: [first, second], taken })
    }

    /// Returns the names that most functions and methods go by.
    pub fn common_names(&self, most: usize) -> Vec<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, declaration) in &self.renames {
            let is_called = matches!(declaration.kind, Kind::Method | Kind::Function);
            if is_called && !declaration.name.starts_with('#') {
                *counts.entry(&declaration.name).or_default() += 1;
            }
        }
        let mut names: Vec<_> = counts.into_iter().collect();
        names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        names.into_iter().take(most).map(|(name, _)| name.to_owned()).collect()
    }

    fn rename(&self, kind: Kind, random: &mut Random) -> Option<Trial> {
        let of_kind: Vec<_> = self.renames.iter().filter(|(_, declaration)| declaration.kind == kind).collect();
        let (path, declaration) = random.pick(&of_kind)?;
        let taken = random.percent(TAKEN_PERCENT).then(|| self.taken_name(path, declaration, random)).flatten();
        let is_taken = taken.is_some();
        let new = taken.unwrap_or_else(|| self.fresh_name(&declaration.name, random));
        let (path, offset, old) = (path.clone(), declaration.offset, declaration.name.clone());
        Some(Trial::Rename { kind, path, offset, old, new, is_taken })
    }

    /// Returns a name that is declared in the same file and scope.
    fn taken_name(&self, path: &Path, declaration: &Declaration, random: &mut Random) -> Option<String> {
        let is_near = |(other, found): &&(PathBuf, Declaration)| {
            other == path && found.owner == declaration.owner && found.name != declaration.name
        };
        let near: Vec<_> = self.renames.iter().filter(is_near).collect();
        random.pick(&near).map(|(_, found)| found.name.clone())
    }

    /// Returns a name of the same style that stands nowhere in the sources.
    fn fresh_name(&self, old: &str, random: &mut Random) -> String {
        let is_upper = old.chars().any(char::is_uppercase) && !old.chars().any(char::is_lowercase);
        let is_snake = old.contains('_') || self.family == Family::Python && !old.contains(char::is_uppercase);
        loop {
            let number = random.below(100);
            let new = match (is_upper, is_snake) {
                (true, _) => format!("{old}_ZQ{number}"),
                (false, true) => format!("{old}_zq{number}"),
                (false, false) => format!("{old}Zq{number}"),
            };
            if !self.words.contains(new.trim_start_matches('#')) {
                return new;
            }
        }
    }

    fn module_move(&self, number: usize, random: &mut Random) -> Option<Trial> {
        let is_plain = |path: &&PathBuf| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("__"));
        let plain: Vec<_> = self.modules.iter().filter(is_plain).collect();
        let from = (*random.pick(&plain)?).clone();
        let (name, directory) = (from.file_name()?, from.parent()?);
        let to = match random.below(100) {
            0..45 => directory.join(self.fresh_file(&from, number)?),
            45..85 => self.other_home(&from, random).unwrap_or(directory.join(self.fresh_file(&from, number)?)),
            _ => directory.join(format!("zq{number}")).join(name),
        };
        Some(Trial::Move { kind: Kind::Module, from, to })
    }

    fn directory_move(&self, number: usize, random: &mut Random) -> Option<Trial> {
        let from = random.pick(&self.directories)?.clone();
        let sibling = from.with_file_name(format!("{}_zq{number}", from.file_name()?.to_string_lossy()));
        let to = if random.percent(60) { sibling } else { self.other_home(&from, random).unwrap_or(sibling) };
        Some(Trial::Move { kind: Kind::Directory, from, to })
    }

    /// Returns a free place of the same name in another directory of the sources.
    fn other_home(&self, from: &Path, random: &mut Random) -> Option<PathBuf> {
        let name = from.file_name()?;
        let is_home = |home: &&PathBuf| {
            let is_package = self.family != Family::Python || home.join("__init__.py").exists();
            is_package && !home.starts_with(from) && from.parent() != Some(home.as_path()) && !home.join(name).exists()
        };
        let homes: Vec<_> = self.directories.iter().filter(is_home).collect();
        random.pick(&homes).map(|home| home.join(name))
    }

    fn fresh_file(&self, from: &Path, number: usize) -> Option<String> {
        let name = from.file_name()?.to_string_lossy().into_owned();
        let (stem, ending) = name.split_once('.')?;
        let mark = if self.family == Family::Python { "_zq" } else { "Zq" };
        Some(format!("{stem}{mark}{number}.{ending}"))
    }

    /// Returns a path as the reports write it.
    pub fn relative<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}
