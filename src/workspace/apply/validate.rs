//! Whether an entry of the journal may be acted upon: one that a crash, another version or a shared directory left
//! there may say anything.

use std::path::Path;

use super::places::refuse_place;
use super::record::{Intent, Record};
use super::script::{Commit, Script};
use crate::text::{AbsPath, ContentHash};

/// Refuses an entry that is another project's, names a place where no plan may touch anything, or would take files of
/// the project for our own.
pub(super) fn of_project(record: &Record, root: &AbsPath) -> Result<(), String> {
    let intent = &record.intent;
    if intent.root != root.as_str() {
        return Err(format!("it is for the project `{}`", intent.root));
    }
    for path in places(intent) {
        let path = AbsPath::new(path).map_err(|error| error.to_string())?;
        refuse_place(&path, root).map_err(|error| error.to_string())?;
    }
    own_names(intent).try_for_each(|(own, beside)| refuse_name(own, beside))?;
    let hashes =
        intent.before.iter().map(|(_, hash)| hash).chain(intent.script.staged.iter().map(|staged| &staged.hash));
    let is_hash = |hash: &&String| ContentHash::parse(hash).is_some();
    hashes.into_iter().find(|hash| !is_hash(hash)).map_or(Ok(()), |hash| Err(format!("`{hash}` is not a hash")))
}

/// Every path that the entry names.
fn places(intent: &Intent) -> impl Iterator<Item = &Path> {
    let Intent { script, inverse, .. } = intent;
    let staged = script.staged.iter().flat_map(|staged| [&staged.temp, &staged.path].into_iter().chain(&staged.before));
    let commits = script.commits.iter().flat_map(every_name);
    let dirs = script.dirs.iter().chain(&script.emptied);
    let own = intent.before.iter().map(|(path, _)| path).chain(staged).chain(commits).chain(dirs);
    let edits = inverse.edits.iter().map(|(path, _, _)| path);
    let moves = inverse.moves.iter().flat_map(|(from, to, _)| [from, to]);
    let creates = inverse.creates.iter().map(|(path, _, _)| path);
    let deletes = inverse.deletes.iter().map(|(path, _)| path);
    let inverse = edits.chain(moves).chain(creates).chain(deletes);
    own.map(|path| path.as_path()).chain(inverse.map(Path::new))
}

fn every_name(commit: &Commit) -> impl Iterator<Item = &std::path::PathBuf> {
    let aside = match commit {
        Commit::SetAside { aside, .. } | Commit::Replace { aside, .. } => Some(aside),
        Commit::Rename { .. } | Commit::Place { .. } => None,
    };
    commit.paths().chain(aside)
}

/// The names that are removed without a question, each with a path that it has to stand beside.
fn own_names(intent: &Intent) -> impl Iterator<Item = (&Path, &Path)> {
    let staged = intent.script.staged.iter().map(|staged| (staged.temp.as_path(), staged.path.as_path()));
    let commits = intent.script.commits.iter().filter_map(|commit| match commit {
        Commit::SetAside { path, aside, .. } | Commit::Replace { path, aside, .. } => {
            Some((aside.as_path(), path.as_path()))
        }
        Commit::Rename { .. } | Commit::Place { .. } => None,
    });
    let replaced = intent.script.commits.iter().filter_map(|commit| match commit {
        Commit::Replace { temp, path, .. } | Commit::Place { temp, path, .. } => Some((temp.as_path(), path.as_path())),
        _ => None,
    });
    staged.chain(commits).chain(replaced)
}

fn refuse_name(own: &Path, beside: &Path) -> Result<(), String> {
    let name = own.file_name().unwrap_or_default().as_encoded_bytes();
    let is_own = name.starts_with(Script::OWN.as_bytes()) && own.parent() == beside.parent();
    if is_own { Ok(()) } else { Err(format!("it takes `{}` for a file of lspwright's", own.display())) }
}
