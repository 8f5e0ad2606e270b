//! The hash of what stands at a path.

use std::io::{self, Read as _};
use std::path::Path;

use super::open::open;
use crate::text::{ContentHash, ContentHasher};

const CHUNK: usize = 64 * 1024;

/// Hashes a file's bytes, or the path that a link holds; refuses what is neither.
pub(super) fn hash_entry(path: &Path) -> io::Result<ContentHash> {
    let kind = std::fs::symlink_metadata(path)?.file_type();
    if kind.is_symlink() {
        let target = std::fs::read_link(path)?;
        return Ok(ContentHash::of(target.as_os_str().as_encoded_bytes()));
    }
    let (mut file, _) = open(path)?;
    let mut hasher = ContentHasher::default();
    let mut chunk = vec![0; CHUNK];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hasher.finish()),
            read => hasher.update(&chunk[..read]),
        }
    }
}
