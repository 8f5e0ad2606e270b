//! What was begun, and how far it came: written before anything else changes, outside the project.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::error::{ApplyError, Failure, Outcome, Recovered};
use super::hands::{Content, Hands, stands};
use super::script::Script;
use super::validate::of_project;
use crate::plan::Plan;
use crate::text::AbsPath;
use crate::workspace::StateDir;

/// How many finished transactions are kept, to be taken back.
const KEPT: usize = 20;
/// How long another process may take to write a plan before this one gives up.
const PATIENCE: Duration = Duration::from_secs(10);
const INTENT: &str = "intent.json";

/// The transactions of one project: a directory each, named by their numbers.
pub(super) struct Journal {
    root: AbsPath,
    dir: PathBuf,
}

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

/// The entries of a journal that were asked for.
#[derive(Default)]
pub(super) struct Found {
    pub(super) records: Vec<Record>,
    /// What was done about those that are of no use.
    pub(super) set_aside: Vec<Recovered>,
}

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
    fn name(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Done => "done",
            Self::Restored => "restored",
            Self::Finished => "finished",
            Self::Conflicted => "conflicted",
        }
    }
}

impl Journal {
    /// Names the journal; nothing is created.
    pub(super) fn of(root: &AbsPath, state: &StateDir) -> Self {
        Self { root: root.clone(), dir: state.journal(root).as_path().to_owned() }
    }

    /// Waits until nobody else writes to the project; whoever holds the file may.
    pub(super) fn lock(&self) -> Result<File, ApplyError> {
        Hands::FREE.make_private_dirs(&self.dir)?;
        let path = self.dir.join("lock");
        let failed = |source| Failure { doing: "lock", path: path.clone(), source };
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(ApplyError::Busy { root: self.root.clone(), seconds: PATIENCE.as_secs() });
                }
                Err(TryLockError::Error(source)) => return Err(failed(source).into()),
            }
        }
    }

    /// Writes down what is about to happen; where that fails, nothing is.
    pub(super) fn begin(&self, number: u64, intent: Intent, hands: &Hands<'_>) -> Result<Record, Failure> {
        let record = Record { number, dir: self.entry(number), intent };
        match record.write(hands).and_then(|()| hands.sync_dir(&self.dir)) {
            Ok(()) => Ok(record),
            Err(failure) => {
                record.forget();
                Err(failure)
            }
        }
    }

    pub(super) fn next_number(&self) -> Result<u64, ApplyError> {
        Ok(self.numbers()?.last().map_or(1, |last| last + 1))
    }

    /// Returns the numbers of the transactions that still want to be led to an end, oldest first.
    pub(super) fn unfinished(&self) -> Result<Vec<u64>, ApplyError> {
        let mut numbers = self.numbers()?;
        // Without an intent nothing had begun.
        numbers.retain(|number| {
            let dir = self.entry(*number);
            let is_over = [Mark::Finished, Mark::Conflicted].iter().any(|mark| stands(&dir.join(mark.name())));
            !is_over && stands(&dir.join(INTENT))
        });
        Ok(numbers)
    }

    /// Returns the numbers of the transactions that were carried out, oldest first.
    pub(super) fn finished(&self) -> Result<Vec<u64>, ApplyError> {
        let mut numbers = self.numbers()?;
        numbers.retain(|number| stands(&self.entry(*number).join(Mark::Done.name())));
        Ok(numbers)
    }

    /// Reads transactions. One that cannot be read, or speaks of something else than this project, is moved away, so
    /// that it stands in nobody's way; only who holds the lock may do that.
    pub(super) fn read(&self, numbers: Vec<u64>) -> Found {
        let mut found = Found::default();
        for number in numbers {
            match read(number, self.entry(number)).and_then(|record| of_project(&record, &self.root).map(|()| record)) {
                Ok(record) => found.records.push(record),
                Err(reason) => found.set_aside.push(self.set_aside(number, reason)),
            }
        }
        found
    }

    fn set_aside(&self, number: u64, reason: String) -> Recovered {
        let dir = self.dir.join("set-aside");
        let places = (1..).map(|count| dir.join(format!("{number:08}-{count}")));
        let place = places.into_iter().find(|place| !stands(place)).expect("there are more numbers than entries");
        let moved =
            Hands::FREE.make_private_dirs(&dir).and_then(|()| Hands::FREE.rename_new(&self.entry(number), &place));
        let place = moved.map_or_else(|_| self.entry(number), |()| place);
        Recovered { plan: format!("{number:08}"), outcome: Outcome::SetAside { reason, place } }
    }

    fn entry(&self, number: u64) -> PathBuf {
        self.dir.join(format!("{number:08}"))
    }

    /// Forgets the oldest finished transactions. What cannot be removed is tried again next time.
    pub(super) fn prune(&self) {
        let Ok(numbers) = self.numbers() else { return };
        let surplus = numbers.len().saturating_sub(KEPT);
        for number in &numbers[..surplus] {
            let dir = self.entry(*number);
            let is_over = [Mark::Finished, Mark::Conflicted].iter().any(|mark| stands(&dir.join(mark.name())));
            if is_over || !stands(&dir.join(INTENT)) {
                remove(&dir);
            }
        }
    }

    fn numbers(&self) -> Result<Vec<u64>, ApplyError> {
        let failed = |source| Failure { doing: "read", path: self.dir.clone(), source };
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        // Longer ones are none of ours, and the next one has to be a number, too.
        let own = names.filter(|name| (8..=12).contains(&name.len()));
        let mut numbers: Vec<u64> = own.filter_map(|name| name.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// Reads an entry, or says why it cannot be read.
fn read(number: u64, dir: PathBuf) -> Result<Record, String> {
    let path = dir.join(INTENT);
    let kinds = [fs::symlink_metadata(&dir), fs::symlink_metadata(&path)].map(|data| data.map(|data| data.file_type()));
    let [Ok(directory), Ok(file)] = kinds else { return Err("it cannot be read".to_owned()) };
    if !directory.is_dir() || !file.is_file() {
        return Err("it is no file in a directory".to_owned());
    }
    let bytes = fs::read(&path).map_err(|error| format!("it cannot be read: {error}"))?;
    let intent = serde_json::from_slice(&bytes).map_err(|error| format!("it is none of this version's: {error}"))?;
    Ok(Record { number, dir, intent })
}

/// Removes a record, the intent first: without it the rest means nothing.
fn remove(dir: &Path) {
    if fs::remove_file(dir.join(INTENT)).is_ok() || !stands(&dir.join(INTENT)) {
        let _ = fs::remove_dir_all(dir);
    }
}

impl Record {
    fn write(&self, hands: &Hands<'_>) -> Result<(), Failure> {
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
