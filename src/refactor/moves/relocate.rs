//! Which files a wished move takes where, and whether it can be made at all.

use std::collections::BTreeMap;

use super::Relocation;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::refusal::refuse_all;
use crate::text::AbsPath;
use crate::workspace::{Disk, EntryKind, TreeEntry};

/// Checks the two paths against the disk and lists every file that moves: ignored and hidden ones too, links as links.
pub(super) fn relocate(disk: &Disk, from: &AbsPath, to: &AbsPath) -> Result<Relocation, Refusal> {
    let (from, to) = (disk.contain_entry(from)?, disk.contain_entry(to)?);
    let no = |reason: String| Err(Refusal::CannotMove(reason));
    let Ok(found) = std::fs::symlink_metadata(from.as_path()) else { return no(format!("`{from}` does not exist")) };
    if from == to {
        return no(format!("`{from}` already lies there"));
    }
    if from == *disk.root() {
        return no(format!("`{from}` is the project itself"));
    }
    if to.is_below(&from) {
        return no(format!("`{to}` lies inside `{from}`, which moves"));
    }
    if to.as_path().symlink_metadata().is_ok() && !is_same_entry(&from, &to) {
        return no(format!("`{to}` exists"));
    }
    if let Some(file) = file_above(&to).filter(|file| *file != from) {
        return no(format!("`{file}` is a file: nothing can lie below it"));
    }
    if !found.is_dir() {
        return Ok(of_file(from, to));
    }
    let entries = disk.everything_below(&from).map_err(|error| Refusal::CannotMove(error.to_string()))?;
    if entries.is_empty() {
        return no(format!("`{from}` holds no files"));
    }
    let others = entries.iter().filter(|entry| entry.kind == EntryKind::Other);
    let reason = |other: &TreeEntry| Refusal::CannotMove(format!("`{}` is neither a file nor a link", other.path));
    refuse_all(others.map(reason))?;
    Ok(Relocation::of_directory(from, to, entries.into_iter().map(|entry| entry.path)))
}

/// Files that say what another one beside them holds: the two endings.
const DESCRIBED_BY: [(&str, &str); 4] = [(".py", ".pyi"), (".js", ".d.ts"), (".mjs", ".d.mts"), (".cjs", ".d.cts")];

/// A module's stub or declaration file goes where the module goes, whichever of them is named.
fn of_file(from: AbsPath, to: AbsPath) -> Relocation {
    let (from, to) = described(&from, &to).unwrap_or((from, to));
    let mut relocation = Relocation::of_file(from.clone(), to.clone());
    for (ending, stub) in DESCRIBED_BY {
        let beside = |path: &AbsPath| AbsPath::new(format!("{}{stub}", path.as_str().strip_suffix(ending)?)).ok();
        let (Some(stub), Some(target)) = (beside(&from), beside(&to)) else { continue };
        if stub.as_path().is_file() && !target.as_path().exists() {
            relocation.files.insert(stub, target);
        }
    }
    relocation
}

/// Returns the module beside a stub or declaration file, with where it goes.
fn described(from: &AbsPath, to: &AbsPath) -> Option<(AbsPath, AbsPath)> {
    let beside = |path: &AbsPath, (ending, stub): (&str, &str)| {
        AbsPath::new(format!("{}{ending}", path.as_str().strip_suffix(stub)?)).ok()
    };
    let pairs = DESCRIBED_BY.into_iter().filter_map(|pair| Some((beside(from, pair)?, beside(to, pair)?)));
    pairs.into_iter().find(|(module, target)| module.as_path().is_file() && !target.as_path().exists())
}

/// Tells whether two names are one entry: on file systems that do not tell `A` from `a`.
fn is_same_entry(from: &AbsPath, to: &AbsPath) -> bool {
    let differ_in_case = from != to && from.as_str().to_lowercase() == to.as_str().to_lowercase();
    let real = |path: &AbsPath| path.as_path().canonicalize().ok();
    differ_in_case && real(from).is_some() && real(from) == real(to)
}

fn file_above(path: &AbsPath) -> Option<AbsPath> {
    std::iter::successors(path.parent(), AbsPath::parent)
        .find(|above| above.as_path().exists())
        .filter(|above| above.as_path().is_file())
}

/// Lists the moved links whose relative target would not be where they lead after the move.
pub(super) fn link_warnings(relocation: &Relocation) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (from, to) in &relocation.files {
        let Ok(target) = std::fs::read_link(from.as_path()) else { continue };
        let lead = |link: &AbsPath| link.parent().and_then(|dir| dir.join(&target).ok());
        let (Some(before), Some(after)) = (lead(from), lead(to)) else { continue };
        let expected = before.rebased(&relocation.from, &relocation.to).unwrap_or(before);
        if after != expected && target.is_relative() {
            let message = format!("the link leads to `{}`, and will not after the move", target.display());
            warnings.push(Warning::at(WarningKind::FollowUp, message, from.clone(), None));
        }
    }
    warnings
}

/// Returns the moved files by what comes of them, in the house's words for languages.
pub(super) fn by_language(relocation: &Relocation) -> BTreeMap<crate::syntax::Language, Vec<AbsPath>> {
    let mut found: BTreeMap<_, Vec<AbsPath>> = BTreeMap::new();
    let own = relocation
        .files
        .keys()
        .filter(|path| !path.as_path().components().any(|part| part.as_os_str() == "node_modules"));
    for path in own {
        if let Some(language) = crate::syntax::Language::of_path(path) {
            found.entry(language).or_default().push(path.clone());
        }
    }
    found
}
