//! What was begun, and how far it came: written before anything else changes, outside the project.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::error::{ApplyError, Failure, Outcome, Recovered};
use super::hands::{Hands, stands};
use super::record::{INTENT, Intent, Mark, Record, read, remove};
use super::validate::of_project;
use crate::text::AbsPath;
use crate::workspace::StateDir;

/// How many finished transactions are kept, to be taken back.
const KEPT: usize = 20;
/// How long another process may take to write a plan before this one gives up.
const PATIENCE: Duration = Duration::from_secs(10);

/// The transactions of one project: a directory each, named by their numbers.
pub(super) struct Journal {
    root: AbsPath,
    dir: PathBuf,
}

/// The entries of a journal that were asked for.
#[derive(Default)]
pub(super) struct Found {
    pub(super) records: Vec<Record>,
    /// What was done about those that are of no use.
    pub(super) set_aside: Vec<Recovered>,
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
