//! The layout of a Solidity project as it lies on the disk.

use crate::solidity::{Layout, Tree};
use crate::text::AbsPath;
use crate::workspace::{Disk, read_text_of_project};

/// Reads a project's layout, its paths absolute.
pub fn read_layout(disk: &Disk) -> Layout {
    read(disk, &format!("{}/", disk.root()))
}

/// Reads a project's layout, its paths relative to the project's root.
pub fn read_relative_layout(disk: &Disk) -> Layout {
    read(disk, "")
}

/// Reads a layout whose paths begin with `prefix` where the project's root is meant.
fn read(disk: &Disk, prefix: &str) -> Layout {
    let root = disk.root();
    let real = |path: &str| root.join(path.strip_prefix(prefix)?).ok();
    let text = |path: &str| read_text_of_project(root, &real(path)?).ok();
    let directories = |path: &str| real(path).map(|path| below(&path)).unwrap_or_default();
    let files = disk.files();
    let configurations = files.iter().filter_map(|file| file.path.relative_to(root));
    let configurations = configurations.filter(|path| Layout::is_read_from(path.as_str()));
    let configurations: Vec<String> = configurations.map(|path| format!("{prefix}{path}")).collect();
    Layout::of(prefix, &configurations, &Tree { text: &text, directories: &directories })
}

/// Lists the directories right below one; what leads out of the project is looked at when it is read.
fn below(dir: &AbsPath) -> Vec<String> {
    let entries = std::fs::read_dir(dir.as_path()).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = directories.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
