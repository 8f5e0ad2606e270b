//! The two copies of a package: the one that a session looks at, and the one that plans are applied to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lspwright::plan::Plan;
use lspwright::text::AbsPath;

/// A package's copies. Plans are computed on the first, which never changes, and applied to the second.
pub struct Copies {
    pub planned: AbsPath,
    pub applied: AbsPath,
}

/// What the application of a plan did to the second copy, by paths in it.
#[derive(Default)]
pub struct Touched {
    pub changed: BTreeSet<PathBuf>,
    pub created: BTreeSet<PathBuf>,
    pub deleted: BTreeSet<PathBuf>,
    /// Where a file that the plan moves lay before, by its path after.
    pub came_from: BTreeMap<PathBuf, PathBuf>,
}

impl Copies {
    pub fn make(pristine: &Path, into: &Path) -> Result<Self, String> {
        let (planned, applied) = (into.join("planned"), into.join("applied"));
        for copy in [&planned, &applied] {
            let _ = fs::remove_dir_all(copy);
            copy_tree(pristine, copy).map_err(|error| format!("{}: {error}", copy.display()))?;
        }
        let absolute = |path: &Path| AbsPath::new(path).map_err(|error| error.to_string());
        Ok(Self { planned: absolute(&planned)?, applied: absolute(&applied)? })
    }

    /// Returns where a file of the first copy lies in the second.
    pub fn in_applied(&self, path: &AbsPath) -> PathBuf {
        let inner = path.as_path().strip_prefix(self.planned.as_path()).expect("a plan stays inside its root");
        self.applied.as_path().join(inner)
    }

    /// Applies a plan to the second copy, in the order that a plan's consumers are told.
    pub fn apply(&self, plan: &Plan) -> std::io::Result<Touched> {
        let mut touched = Touched::default();
        for (path, edit) in plan.edits() {
            let path = self.in_applied(path);
            fs::write(&path, edit.after().encode())?;
            touched.changed.insert(path);
        }
        for (path, text) in plan.creates() {
            let path = self.in_applied(path);
            fs::create_dir_all(path.parent().expect("a file lies in a directory"))?;
            fs::write(&path, text.encode())?;
            touched.created.insert(path);
        }
        for (from, step) in plan.moves() {
            let (from, to) = (self.in_applied(from), self.in_applied(&step.to));
            fs::create_dir_all(to.parent().expect("a file lies in a directory"))?;
            fs::rename(&from, &to)?;
            remove_empty_above(&from);
            touched.changed.remove(&from);
            touched.deleted.insert(from.clone());
            touched.created.insert(to.clone());
            touched.came_from.insert(to, from);
        }
        for path in plan.deletes().keys() {
            let path = self.in_applied(path);
            fs::remove_file(&path)?;
            touched.deleted.insert(path);
        }
        Ok(touched)
    }

    /// Makes the second copy what it was.
    pub fn restore(&self, touched: &Touched) -> std::io::Result<()> {
        for path in &touched.created {
            fs::remove_file(path)?;
            remove_empty_above(path);
        }
        for path in touched.changed.iter().chain(&touched.deleted) {
            let inner = path.strip_prefix(self.applied.as_path()).expect("it was touched in the second copy");
            fs::create_dir_all(path.parent().expect("a file lies in a directory"))?;
            fs::copy(self.planned.as_path().join(inner), path)?;
        }
        Ok(())
    }
}

/// Returns the files below a directory whose ending is one of `extensions`, sorted.
pub fn files_below(directory: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if path.is_dir() {
                open.push(path);
            } else if extensions.contains(&extension) && !path.to_string_lossy().ends_with(".d.ts") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else if entry.path().is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn remove_empty_above(path: &Path) {
    for directory in path.ancestors().skip(1) {
        if fs::remove_dir(directory).is_err() {
            return;
        }
    }
}
