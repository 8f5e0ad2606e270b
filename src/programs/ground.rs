//! Where programs of a project run, and with what.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::report::{LAST_WORDS, Tested};
use crate::lsp::{Environment, Guard, Program, Ran, RunError};
use crate::plan::Severity;
use crate::text::AbsPath;

/// The tree that programs run in: the project's own, or a copy of it.
pub struct ProgramTree<'a> {
    pub root: AbsPath,
    /// The project, where the tree is a copy of it.
    pub original: Option<AbsPath>,
    /// Its files, those that version control ignores left out. Sorted.
    pub files: Vec<AbsPath>,
    /// The user's, whole.
    pub environment: Environment,
    pub guard: &'a Guard,
    /// Where reports are written.
    pub scratch: PathBuf,
    /// How long one program may run.
    pub within: Duration,
}

/// What of a project's tests is asked for.
#[derive(Debug, Clone, Default)]
pub struct TestSelection {
    /// A file or a directory of the ground; nothing is all.
    pub path: Option<AbsPath>,
    /// A part of the tests' names.
    pub filter: Option<String>,
}

/// Why something was not run, and what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NotRun {
    pub reason: String,
    pub next: String,
}

impl NotRun {
    pub(super) fn new(reason: impl Into<String>, next: impl Into<String>) -> Self {
        Self { reason: reason.into(), next: next.into() }
    }
}

impl ProgramTree<'_> {
    /// Runs a program to its end, or to that of its time.
    pub(super) async fn run(&self, program: Program, dir: &AbsPath) -> Result<Ran, NotRun> {
        let program = program.at(dir.as_path()).within(&self.environment);
        program.run_until(self.guard, self.within).await.map_err(|error| match error {
            RunError::Missing(name) => NotRun::new(format!("there is no `{name}`"), format!("install `{name}`")),
            other => NotRun::new(other.to_string(), "try it in a shell"),
        })
    }

    /// Returns the file in `scratch` that is called so.
    pub(super) fn scratch(&self, name: &str) -> String {
        self.scratch.join(name).to_string_lossy().into_owned()
    }

    /// Says why a run told of no test.
    pub(super) fn none(&self, command: &str, ran: &Ran) -> NotRun {
        let Some(_) = ran.status else {
            let reason =
                format!("`{command}` did not end within {} s, and told of no test until then", self.within.as_secs());
            return NotRun::new(reason, "give a longer `timeout` (`--timeout`), a `path` or a `filter` (`--filter`)");
        };
        let said = ran.last_words(LAST_WORDS);
        let reason = format!("`{command}` ran no test: {}", if said.is_empty() { "it says nothing" } else { &said });
        NotRun::new(reason, "fix what it reports, or name another `path` or `filter` (`--filter`)")
    }

    /// Returns what a run told of: tests, or why they do not compile.
    pub(super) fn told(&self, tested: Tested, ran: &Ran) -> Result<Tested, NotRun> {
        let has_error = || tested.problems.iter().any(|problem| problem.severity == Severity::Error);
        match tested.results.is_empty() && !has_error() {
            true => Err(self.none(&tested.command, ran)),
            false => Ok(tested),
        }
    }

    /// Says why a program came to nothing.
    pub(super) fn unfinished(&self, command: &str, ran: &Ran) -> NotRun {
        let Some(status) = ran.status else {
            let reason = format!("`{command}` did not end within {} s", self.within.as_secs());
            return NotRun::new(reason, "give a longer `timeout` (`--timeout`)");
        };
        NotRun::new(format!("`{command}` ended with {status}: {}", ran.last_words(LAST_WORDS)), "fix what it reports")
    }

    /// Returns a file of `scratch` for a report, which is not there yet.
    pub(super) fn fresh(&self, name: &str) -> String {
        let file = self.scratch(name);
        let _ = std::fs::remove_file(&file);
        file
    }

    /// Writes a file of ours into `scratch`.
    pub(super) fn lay(&self, name: &str, text: &str) -> Result<String, NotRun> {
        let file = self.scratch(name);
        let written = std::fs::write(&file, text);
        written.map(|()| file.clone()).map_err(|error| {
            NotRun::new(
                format!("`{file}` cannot be written: {error}"),
                "free space in the directory for temporary files",
            )
        })
    }

    /// Names a directory as a reader of the project sees it.
    pub(super) fn shown(&self, path: &AbsPath) -> String {
        match path.relative_to(&self.root) {
            Some(path) if path.as_str().is_empty() => ".".to_owned(),
            Some(path) => path.to_string(),
            None => path.to_string(),
        }
    }

    /// Returns the files that lie directly in a directory or anywhere below it.
    pub(super) fn below<'g>(&'g self, dir: &'g AbsPath) -> impl Iterator<Item = &'g AbsPath> {
        self.files.iter().filter(move |file| file.is_below(dir))
    }

    /// Returns a directory and those above it, up to the root.
    pub(super) fn above(&self, dir: &AbsPath) -> impl Iterator<Item = AbsPath> {
        let root = self.root.clone();
        std::iter::successors(Some(dir.clone()), AbsPath::parent).take_while(move |dir| dir.is_below(&root))
    }
}

/// Puts directories before those of a variable that lists some.
pub(super) fn before(dirs: impl IntoIterator<Item = PathBuf>, old: Option<&str>) -> String {
    let old = old.map(|old| std::env::split_paths(old).collect::<Vec<PathBuf>>()).unwrap_or_default();
    let all: Vec<PathBuf> = dirs.into_iter().chain(old).collect();
    std::env::join_paths(all).map(|joined| joined.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Tells whether there is a file.
pub(super) fn has(dir: &AbsPath, name: &str) -> bool {
    Path::new(dir.as_str()).join(name).is_file()
}
