//! What is kept between the views of one project: bound contracts, and the trees of what was read.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::session;
use crate::solidity::Project;
use crate::text::RelPath;
use crate::workspace::Disk;

/// The memory of one session. What changed on the disk since is read again; the rest costs nothing.
pub struct ModelCache {
    sources: session::Sources,
    /// Bound contracts by the files that they were bound for, the last one used last: what else is bound along could
    /// change what a name means.
    projects: Mutex<VecDeque<(Vec<RelPath>, Project)>>,
}

/// More projects are not kept: each has a thread, and every text that it reaches.
const MOST_PROJECTS: usize = 4;

impl ModelCache {
    pub fn new(sources: session::Sources) -> Self {
        Self { sources, projects: Mutex::default() }
    }

    pub(super) fn disk(&self) -> &Disk {
        self.sources.disk()
    }

    pub(super) fn sources(&self) -> &session::Sources {
        &self.sources
    }

    /// Works with the project that was bound for some files; with an empty one where none was, or another is at it.
    pub(super) fn with_project<T>(&self, mut files: Vec<RelPath>, work: impl FnOnce(&mut Project) -> T) -> T {
        files.sort();
        let known = {
            let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
            let at = projects.iter().position(|(of, _)| *of == files);
            at.and_then(|at| projects.remove(at)).map(|(_, project)| project)
        };
        // Not locked meanwhile: others look at other files.
        let mut project = known.unwrap_or_default();
        let done = work(&mut project);
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        projects.retain(|(of, _)| *of != files);
        projects.push_back((files, project));
        while projects.len() > MOST_PROJECTS {
            projects.pop_front();
        }
        done
    }
}
