//! What shows, without a walk, that a walk would find the same files.

use std::fs;
use std::path::{Path, PathBuf};

use super::stamp::Stamp;

/// Places beside the files themselves, each with its stamp, or none where nothing is there.
#[derive(Default)]
pub(super) struct Marks {
    /// Every directory: a file that comes or goes changes its directory.
    dirs: Vec<Mark>,
    /// What a watch over these directories does not tell of: ignore files above the root, git's index, files that are
    /// reached through other directories as well.
    others: Vec<Mark>,
}

pub(super) type Mark = (PathBuf, Option<Stamp>);

impl Marks {
    /// Notes how a directory stands now; to be called before it is looked into.
    pub(super) fn note_dir(&mut self, path: PathBuf) {
        self.dirs.push(mark(path));
    }

    /// Notes how something else stands now; to be called before it is looked into.
    pub(super) fn note(&mut self, path: PathBuf) {
        self.others.push(mark(path));
    }

    pub(super) fn append(&mut self, other: &mut Self) {
        self.dirs.append(&mut other.dirs);
        self.others.append(&mut other.others);
    }

    pub(super) fn dirs(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.dirs.iter().map(|(path, _)| path.as_path())
    }

    /// Tells whether every place stands as it was noted.
    pub(super) fn stand(&self) -> bool {
        self.dirs.iter().all(stands) && self.others_stand()
    }

    /// Tells whether all that no watch tells of stands as it was noted.
    pub(super) fn others_stand(&self) -> bool {
        self.others.iter().all(stands)
    }
}

pub(super) fn mark(path: PathBuf) -> Mark {
    let stamp = fs::symlink_metadata(&path).ok().map(|metadata| Stamp::new(&metadata));
    (path, stamp)
}

fn stands((path, noted): &Mark) -> bool {
    match (noted, fs::symlink_metadata(path)) {
        (Some(noted), Ok(metadata)) => noted.same(&Stamp::new(&metadata)),
        (noted, now) => noted.is_none() && now.is_err(),
    }
}
