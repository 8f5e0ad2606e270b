//! The tree that programs of a project run in: its own, or a copy that has its drafts.

use std::sync::Arc;
use std::time::Duration;

use crate::programs::ProgramTree;
use crate::text::AbsPath;
use crate::tools::{Context, ErrorKind, Project, ToolError};
use crate::workspace::{Purpose, ShadowCopy};

/// A project as it stands, with its drafts carried out where it has some.
pub(super) struct Stand {
    pub(super) project: Arc<Project>,
    /// Gone when this is dropped.
    copy: Option<ShadowCopy>,
    scratch: tempfile::TempDir,
    pub(super) dirty: Vec<String>,
}

const LONGEST: u64 = 24 * 3600;

impl Stand {
    /// Opens the project of a path, and copies it where it has drafts.
    pub(super) async fn of(context: &Context, root: Option<&str>, path: Option<&str>) -> Result<Self, ToolError> {
        let project = context.project_of(root, path.unwrap_or(".")).await?;
        project.session().refresh().await;
        project.session().disk().is_whole()?;
        let dirty = project.dirty();
        let copy = match dirty.is_empty() {
            true => None,
            false => Some(copied(&project).await?),
        };
        Ok(Self { project, copy, scratch: scratch()?, dirty })
    }

    /// Takes the project as it lies: for what is handed its texts.
    pub(super) fn as_it_lies(project: Arc<Project>) -> Result<Self, ToolError> {
        let dirty = project.dirty();
        Ok(Self { project, copy: None, scratch: scratch()?, dirty })
    }

    /// Says where programs run, and with what.
    pub(super) fn ground<'c>(&self, context: &'c Context, seconds: u64) -> Result<ProgramTree<'c>, ToolError> {
        if !(1..=LONGEST).contains(&seconds) {
            let bounds = format!("`timeout` is {seconds}; it is a number of seconds from 1 to {LONGEST}");
            return Err(ToolError::invalid(bounds));
        }
        let setup = context.projects.setup();
        let files = self.project.session().disk().files();
        let scratch = self.scratch.path().canonicalize().unwrap_or_else(|_| self.scratch.path().to_owned());
        Ok(ProgramTree {
            root: self.copy.as_ref().map_or_else(|| self.project.root().clone(), |copy| copy.root().clone()),
            original: self.copy.as_ref().map(|_| self.project.root().clone()),
            files: files.iter().map(|file| self.there(&file.path)).collect(),
            environment: (*setup.environment).clone(),
            guard: &setup.guard,
            scratch,
            within: Duration::from_secs(seconds),
        })
    }

    /// Returns where a path that a caller names lies in the tree; it has to be there.
    pub(super) fn find(&self, path: &str) -> Result<AbsPath, ToolError> {
        let disk = self.project.session().disk();
        let path = disk.contain(&disk.as_real(&self.project.root().join(path)?))?;
        let there = self.there(&path);
        if there.as_path().exists() {
            return Ok(there);
        }
        Err(ToolError::invalid(format!("`{path}` does not exist"))
            .hint("paths are absolute, or relative to the project root"))
    }

    fn there(&self, path: &AbsPath) -> AbsPath {
        self.copy.as_ref().map_or_else(|| path.clone(), |copy| copy.copy_of(path))
    }

    /// Returns where a path of the tree lies in the project.
    pub(super) fn home(&self, path: &AbsPath) -> AbsPath {
        self.copy.as_ref().map_or_else(|| path.clone(), |copy| copy.original_of(path))
    }

    /// Names the project where a text names the tree.
    pub(super) fn told(&self, text: &str) -> String {
        match &self.copy {
            Some(copy) => text.replace(copy.root().as_str(), self.project.root().as_str()),
            None => text.to_owned(),
        }
    }
}

fn scratch() -> Result<tempfile::TempDir, ToolError> {
    tempfile::tempdir().map_err(|error| {
        ToolError::new(ErrorKind::Environment, format!("the report cannot be written: {error}"))
            .hint("free space in the directory for temporary files (`TMPDIR`)")
    })
}

async fn copied(project: &Arc<Project>) -> Result<ShadowCopy, ToolError> {
    let disk = project.session().disk().clone();
    let made = tokio::task::spawn_blocking(move || ShadowCopy::new(&disk, Purpose::Running)).await;
    let made = made.map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))?;
    made.map_err(|error| {
        let message = format!("the project has drafts, and the copy that has them cannot be made: {error}");
        ToolError::new(ErrorKind::Environment, message).hint("`save` or `discard` the drafts; then nothing is copied")
    })
}
