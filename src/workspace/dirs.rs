//! Where the program keeps what is its own: never inside a user's project.

use etcetera::BaseStrategy;

use super::generated::write_if_changed;
use crate::text::{AbsPath, ContentHash, PathError};

const OWN: &str = "lspwright";
/// So many plans have files.
const MOST_PLANS: usize = 64;

/// The program's own directories (XDG Base Directory Specification 0.8; the native ones on Windows).
/// None of them need exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dirs {
    /// What can be fetched again: installed servers.
    pub cache: AbsPath,
    /// What outlives a run: the journal of applied plans.
    pub state: StateDir,
    /// What the user wrote.
    pub config: AbsPath,
}

/// The directory of the journals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateDir(AbsPath);

/// Why the program's own directories are not known.
#[derive(Debug, thiserror::Error)]
pub enum DirsError {
    #[error("the user's home directory is not known: neither `HOME` nor the XDG variables are set")]
    NoHome,
    #[error(transparent)]
    Path(#[from] PathError),
}

impl Dirs {
    /// Finds the directories of the current user; `XDG_CACHE_HOME`, `XDG_STATE_HOME` and
    /// `XDG_CONFIG_HOME` are honoured where they are absolute.
    pub fn of_user() -> Result<Self, DirsError> {
        let base = etcetera::choose_base_strategy().map_err(|_| DirsError::NoHome)?;
        let state = base.state_dir().unwrap_or_else(|| base.data_dir().join("state"));
        Ok(Self {
            cache: AbsPath::new(base.cache_dir().join(OWN))?,
            state: StateDir(AbsPath::new(state.join(OWN))?),
            config: AbsPath::new(base.config_dir().join(OWN))?,
        })
    }

    /// Puts all three below one directory, for tests and for one-off runs.
    pub fn below(base: &AbsPath) -> Result<Self, PathError> {
        Ok(Self { cache: base.join("cache")?, state: StateDir(base.join("state")?), config: base.join("config")? })
    }
}

impl StateDir {
    pub fn new(path: AbsPath) -> Self {
        Self(path)
    }

    pub fn path(&self) -> &AbsPath {
        &self.0
    }

    /// Writes a plan where others can read it by its id, and returns where; the oldest such files go. Nothing where the
    /// directory cannot be written: a plan is to be had without it, too.
    pub fn write_plan(&self, id: &str, json: &str) -> Option<AbsPath> {
        let dir = self.0.join("plans").ok()?;
        let file = dir.join(format!("{id}.json")).ok()?;
        write_if_changed(&file, json).ok()?;
        let entries = std::fs::read_dir(dir.as_path()).ok()?.filter_map(Result::ok);
        let dated = entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())));
        let mut plans: Vec<_> = dated.filter(|(_, path)| path != file.as_path()).collect();
        plans.sort_unstable();
        for (_, path) in plans.iter().take((plans.len() + 1).saturating_sub(MOST_PLANS)) {
            // What stays does no harm.
            let _ = std::fs::remove_file(path);
        }
        Some(file)
    }

    /// Returns the directory that holds the journal of the project at `root`.
    pub fn journal(&self, root: &AbsPath) -> AbsPath {
        self.of_project("journal", root, "")
    }

    /// Returns the file that holds the ids of the declarations of the project at `root`.
    pub fn declarations(&self, root: &AbsPath) -> AbsPath {
        self.of_project("declarations", root, ".json")
    }

    /// Returns the file that holds the drafts of the project at `root`.
    pub fn drafts(&self, root: &AbsPath) -> AbsPath {
        self.of_project("drafts", root, ".json")
    }

    fn of_project(&self, what: &str, root: &AbsPath, ending: &str) -> AbsPath {
        let project = ContentHash::of(root.as_str().as_bytes());
        let name = format!("{what}/{}{ending}", &project.as_str()[..16]);
        self.0.join(name).expect("a name joined to a UTF-8 path is one")
    }
}
