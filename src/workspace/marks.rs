//! What shows, without a walk, that a walk would find the same files.

use std::fs;
use std::path::PathBuf;

use super::stamp::Stamp;

/// Places beside the files themselves, each with its stamp, or none where nothing is there: every directory
/// (a file that comes or goes changes its directory), ignore files above the root, git's index.
#[derive(Default)]
pub(super) struct Marks(Vec<(PathBuf, Option<Stamp>)>);

impl Marks {
    /// Notes how a place stands now; to be called before it is looked into.
    pub(super) fn note(&mut self, path: PathBuf) {
        let stamp = fs::symlink_metadata(&path).ok().map(|metadata| Stamp::new(&metadata));
        self.0.push((path, stamp));
    }

    pub(super) fn append(&mut self, other: &mut Self) {
        self.0.append(&mut other.0);
    }

    /// Tells whether every place stands as it was noted.
    pub(super) fn stand(&self) -> bool {
        self.0.iter().all(|(path, noted)| match (noted, fs::symlink_metadata(path)) {
            (Some(noted), Ok(metadata)) => noted.same(&Stamp::new(&metadata)),
            (noted, now) => noted.is_none() && now.is_err(),
        })
    }
}
