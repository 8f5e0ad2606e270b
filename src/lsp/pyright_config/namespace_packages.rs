//! Directories without an `__init__.py` that are packages all the same (PEP 420), told by what imports say.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::python::{ImportKind, Imported, imports, lex};
use crate::text::AbsPath;
use crate::workspace::{FileEntry, read_text_of_project};

/// So many files are asked whether a directory is a namespace package.
const READ: usize = 200;

/// How imports name the packages of a directory that has no `__init__.py`.
pub(super) enum Named {
    /// `import store`
    BySelf,
    /// `import acme.store`
    Within,
    Either,
}

/// What the files of a project import; each is read once.
pub(super) struct Imports<'a> {
    root: &'a AbsPath,
    python: Vec<&'a AbsPath>,
    read: BTreeMap<&'a AbsPath, BTreeSet<String>>,
}

impl<'a> Imports<'a> {
    pub(super) fn new(root: &'a AbsPath, files: &'a [FileEntry]) -> Self {
        let python = files.iter().map(|file| &file.path).filter(|path| path.file_name().ends_with(".py"));
        Self { root, python: python.collect(), read: BTreeMap::new() }
    }

    /// Tells how imports name the packages that lie in a directory: by a name that begins with its own, seen from an import root
    /// above, if it is a package itself. The files in it are asked first.
    pub(super) fn naming<'r>(
        &mut self,
        dir: &AbsPath,
        roots: impl Iterator<Item = &'r AbsPath>,
        packages: &[&str],
    ) -> Named {
        let below = roots.filter(|above| *above != dir).filter_map(|above| dir.relative_to(above));
        let names: BTreeSet<String> = below.map(|path| path.as_str().replace('/', ".")).collect();
        let (own, others): (Vec<_>, Vec<_>) = self.python.iter().copied().partition(|path| path.is_below(dir));
        let (mut is_within, mut is_bare) = (false, false);
        for path in own.into_iter().chain(others).take(READ) {
            for module in self.read.entry(path).or_insert_with(|| imported(self.root, path)).iter() {
                is_within |= names.iter().any(|name| leads_into(module, name, packages));
                is_bare |= packages.contains(&first_part(module));
            }
        }
        match (is_within, is_bare && !names.iter().any(|name| is_hidden(dir, first_part(name), packages))) {
            (true, true) => Named::Either,
            (true, false) => Named::Within,
            (false, _) => Named::BySelf,
        }
    }
}

/// Returns what a file imports, from where every import begins: modules, and what is taken from them (`acme.store.Store`).
fn imported(root: &AbsPath, path: &AbsPath) -> BTreeSet<String> {
    let text = read_text_of_project(root, path).unwrap_or_default();
    let mut found = BTreeSet::new();
    for import in imports(&text, &lex(&text)) {
        match import.kind {
            ImportKind::Modules(items) => found.extend(items.iter().map(|item| item.path.texts().join("."))),
            ImportKind::From(from) => {
                let Some(module) = from.module.filter(|_| from.level == 0) else { continue };
                let module = module.texts().join(".");
                if let Imported::Names(items) = from.imported {
                    found.extend(items.iter().map(|item| format!("{module}.{}", item.name.text)));
                }
                found.insert(module);
            }
        }
    }
    found
}

/// Tells whether a module lies in one of these packages, by the name of the directory that they lie in.
fn leads_into(module: &str, directory: &str, packages: &[&str]) -> bool {
    let inside = module.strip_prefix(directory).and_then(|rest| rest.strip_prefix('.'));
    inside.is_some_and(|inside| packages.contains(&first_part(inside)))
}

/// Tells whether a directory holds what would take the place of a package for whoever looks there: `acme/acme.py`.
fn is_hidden(dir: &AbsPath, package: &str, packages: &[&str]) -> bool {
    let module = dir.join(format!("{package}.py"));
    packages.contains(&package) || module.is_ok_and(|module| module.as_path().is_file())
}

fn first_part(module: &str) -> &str {
    module.split('.').next().unwrap_or_default()
}
