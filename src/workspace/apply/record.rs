//! One transaction, as it is written down: what it is about to do, how far it came, and what takes it back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::Failure;
use super::hands::{Content, Hands, stands};
use super::script::Script;
use crate::plan::Plan;
use crate::text::AbsPath;

/// The file that makes a directory a transaction.
pub(super) const INTENT: &str = "intent.json";

/// One transaction.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) number: u64,
    pub(super) dir: PathBuf,
    pub(super) intent: Intent,
}

/// What a transaction is about to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Intent {
    pub(super) root: String,
    pub(super) plan: String,
    pub(super) undoes: Option<u64>,
    /// The hash of all that stands at the paths that the plan edits, moves or deletes.
    pub(super) before: Vec<(PathBuf, String)>,
    pub(super) script: Script,
    pub(super) inverse: Inverse,
}

/// The plan that takes a transaction back, but for the texts that the files hold anyway.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Inverse {
    /// Path, the hash of the text that the edits are addressed to, and the edits.
    pub(super) edits: Vec<(String, String, Vec<EditBack>)>,
    /// From, to, hash.
    pub(super) moves: Vec<(String, String, String)>,
    /// Path, whole text, mode.
    pub(super) creates: Vec<(String, String, Option<u32>)>,
    /// Path, hash.
    pub(super) deletes: Vec<(String, String)>,
}

/// Start, end, new text.
pub(super) type EditBack = (usize, usize, String);

/// How far a transaction came; each mark is an empty file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// All new texts lie beside their targets.
    Staged,
    /// All targets are as the plan has them: from here on there is only the way forward.
    Done,
    /// All that was done is taken back; only names of ours are left.
    Restored,
    /// Nothing of ours is left in the project.
    Finished,
    /// It was led back but for files that others had changed; nothing more can be done.
    Conflicted,
}

impl Mark {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Done => "done",
            Self::Restored => "restored",
            Self::Finished => "finished",
            Self::Conflicted => "conflicted",
        }
    }
}

/// Reads an entry, or says why it cannot be read.
pub(super) fn read(number: u64, dir: PathBuf) -> Result<Record, String> {
    let path = dir.join(INTENT);
    let kinds = [fs::symlink_metadata(&dir), fs::symlink_metadata(&path)].map(|data| data.map(|data| data.file_type()));
    let [Ok(directory), Ok(file)] = kinds else { return Err("it cannot be read".to_owned()) };
    if !directory.is_dir() || !file.is_file() {
        return Err("it is not a file in a directory".to_owned());
    }
    let bytes = fs::read(&path).map_err(|error| format!("it cannot be read: {error}"))?;
    let intent =
        serde_json::from_slice(&bytes).map_err(|error| format!("it was not written by this version: {error}"))?;
    Ok(Record { number, dir, intent })
}

/// Removes a record, the intent first: without it the rest means nothing.
pub(super) fn remove(dir: &Path) {
    if fs::remove_file(dir.join(INTENT)).is_ok() || !stands(&dir.join(INTENT)) {
        let _ = fs::remove_dir_all(dir);
    }
}

impl Record {
    pub(super) fn write(&self, hands: &Hands<'_>) -> Result<(), Failure> {
        let unwritable =
            |error| Failure { doing: "write down", path: self.dir.clone(), source: io::Error::other(error) };
        let bytes = serde_json::to_vec(&self.intent).map_err(unwritable)?;
        hands.make_private_dirs(&self.dir)?;
        let new = self.dir.join("intent.new");
        hands.write_new(&new, &Content { bytes, like: None, mode: Some(0o600) })?;
        hands.rename_new(&new, &self.dir.join(INTENT))?;
        hands.sync_dir(&self.dir)
    }

    pub(super) fn mark(&self, mark: Mark, hands: &Hands<'_>) -> Result<(), Failure> {
        hands.write_new(&self.dir.join(mark.name()), &Content { bytes: Vec::new(), like: None, mode: None })?;
        hands.sync_dir(&self.dir)
    }

    /// Takes a mark back that may have been made in part.
    pub(super) fn unmark(&self, mark: Mark, hands: &Hands<'_>) -> Result<(), Failure> {
        hands.remove(&self.dir.join(mark.name()))
    }

    pub(super) fn has(&self, mark: Mark) -> bool {
        stands(&self.dir.join(mark.name()))
    }

    pub(super) fn forget(&self) {
        remove(&self.dir);
    }
}

impl Inverse {
    pub(super) fn of(plan: &Plan, modes: &[(AbsPath, u32)]) -> Self {
        let inverse = plan.invert();
        let mode = |path: &AbsPath| modes.iter().find(|(known, _)| known == path).map(|(_, mode)| *mode);
        let text = |path: &AbsPath| path.as_str().to_owned();
        Self {
            edits: inverse
                .edits()
                .iter()
                .map(|(path, edit)| {
                    let edits = edit.edits.iter();
                    let edits = edits.map(|one| (one.span.start, one.span.end, one.new_text.clone())).collect();
                    (text(path), edit.before.hash().as_str().to_owned(), edits)
                })
                .collect(),
            moves: inverse
                .moves()
                .iter()
                .map(|(from, step)| (text(from), text(&step.to), step.before.as_str().to_owned()))
                .collect(),
            creates: inverse
                .creates()
                .iter()
                .map(|(path, new)| (text(path), String::from_utf8_lossy(&new.encode()).into_owned(), mode(path)))
                .collect(),
            deletes: inverse.deletes().iter().map(|(path, old)| (text(path), old.hash().as_str().to_owned())).collect(),
        }
    }
}
