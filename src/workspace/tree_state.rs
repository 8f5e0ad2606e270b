//! Whether everything below a root, ignored or not, stands as it stood.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::stamp::{Stamp, TICK};
use super::version_control::is_version_controls;
use crate::text::{AbsPath, ContentHash};

/// Of a larger tree nothing is said.
const MOST: usize = 300_000;

/// How all that lies below a root stands: files, directories and links, those of version control apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeState {
    hash: ContentHash,
    /// When anything changed last, in nanoseconds since 1970.
    latest: u128,
}

impl TreeState {
    /// Looks at everything below `root`; nothing where it cannot all be looked at.
    pub fn of(root: &AbsPath) -> Option<Self> {
        let mut seen: Vec<(String, Stamp)> = Vec::new();
        let mut open = vec![root.as_path().to_owned()];
        seen.push((String::new(), Stamp::new(&fs::symlink_metadata(root.as_path()).ok()?)));
        while let Some(dir) = open.pop() {
            for item in fs::read_dir(&dir).ok()? {
                let item = item.ok()?;
                if is_version_controls(Path::new(&item.file_name())) {
                    continue;
                }
                let (path, metadata) = (item.path(), item.metadata().ok()?);
                seen.push((path.to_str()?.to_owned(), Stamp::new(&metadata)));
                if metadata.is_dir() {
                    open.push(path);
                }
            }
            if seen.len() > MOST {
                return None;
            }
        }
        seen.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let latest = seen.iter().map(|(_, stamp)| stamp.last_change()).max().unwrap_or_default();
        let written: String =
            seen.iter().map(|(path, stamp)| format!("{}:{path} {:?}\n", path.len(), stamp.parts())).collect();
        Some(Self { hash: ContentHash::of(written.as_bytes()), latest })
    }

    /// Tells whether nothing has changed since a moment, nor so shortly before that the clock would not show it.
    pub fn is_since(&self, moment: SystemTime) -> bool {
        let moment = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
        self.latest < moment.saturating_sub(TICK).as_nanos()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_ignored_counts_and_version_control_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(".gitignore", "lib\n");
        write("lib/a.py", "x = 1\n");
        write(".git/index", "1");
        let before = TreeState::of(&root).unwrap();
        write(".git/index", "22");
        assert_eq!(TreeState::of(&root).unwrap(), before);
        assert!(!before.is_since(SystemTime::now() - Duration::from_secs(60)));
        assert!(before.is_since(SystemTime::now() + Duration::from_secs(60)));
        write("lib/a.py", "x = 10\n");
        assert_ne!(TreeState::of(&root).unwrap(), before);
    }
}
