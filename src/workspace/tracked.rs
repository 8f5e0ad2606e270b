//! Which files git tracks: those it never ignores, whatever its ignore files say.
//!
//! Read from the index (gitformat-index(5), versions 2 to 4) of repositories with SHA-1 names; without
//! one that can be read nothing is tracked.

use std::path::{Path, PathBuf};

use super::open::{read, read_text};

/// Times, device, inode, mode, owners, size, name of the content; the flags stand behind them.
const FIXED: usize = 60;
const MODE: usize = 24;
const EXTENDED: u16 = 0x4000;
/// The upper half of the mode of files that are neither links nor repositories.
const REGULAR: u16 = 0o10;

/// The repository that a project lies in.
pub(super) struct Repository {
    /// The top of its work tree.
    pub(super) top: PathBuf,
    dir: PathBuf,
}

impl Repository {
    pub(super) fn around(root: &Path) -> Option<Self> {
        let top = root.ancestors().find(|dir| dir.join(".git").exists())?;
        Some(Self { top: top.to_owned(), dir: git_dir(top)? })
    }

    pub(super) fn index(&self) -> PathBuf {
        self.dir.join("index")
    }

    /// Returns the ignore file that is the repository's own.
    pub(super) fn exclude(&self) -> PathBuf {
        self.dir.join("info/exclude")
    }

    /// Returns the tracked files, relative to the top.
    pub(super) fn tracked(&self) -> Option<Vec<String>> {
        entries(&read(&self.index()).ok()?)
    }
}

/// Finds the repository's own directory; a worktree's `.git` is a file that names it.
fn git_dir(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let pointer = read_text(&git).ok()?;
    Some(top.join(pointer.strip_prefix("gitdir:")?.trim()))
}

/// Reads the names of the regular files; nothing where the index is not understood.
fn entries(index: &[u8]) -> Option<Vec<String>> {
    let version = number(index, 4)?;
    if !index.starts_with(b"DIRC") || !(2..=4).contains(&version) {
        return None;
    }
    let mut names = Vec::new();
    let (mut at, mut name) = (12, Vec::new());
    for _ in 0..number(index, 8)? {
        let flags = u16::from_be_bytes(index.get(at + FIXED..at + FIXED + 2)?.try_into().ok()?);
        let mut name_at = at + FIXED + if flags & EXTENDED == 0 { 2 } else { 4 };
        if version == 4 {
            let dropped = strip_length(index, &mut name_at)?;
            name.truncate(name.len().checked_sub(dropped)?);
        } else {
            name.clear();
        }
        let length = index.get(name_at..)?.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(&index[name_at..name_at + length]);
        let is_regular = number(index, at + MODE)? >> 12 == u32::from(REGULAR);
        names.extend(std::str::from_utf8(&name).ok().filter(|_| is_regular).map(str::to_owned));
        let end = name_at + length + 1;
        // Before version 4 an entry is padded to a multiple of eight bytes.
        at = if version == 4 { end } else { at + (end - at).next_multiple_of(8) };
    }
    Some(names)
}

fn number(index: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().ok()?))
}

/// Reads how many bytes of the last name are dropped (version 4; the encoding of pack offsets).
fn strip_length(index: &[u8], at: &mut usize) -> Option<usize> {
    let mut value = 0_usize;
    loop {
        let byte = *index.get(*at)?;
        *at += 1;
        value = value.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        if byte & 128 == 0 {
            return Some(value);
        }
        value += 1;
    }
}
