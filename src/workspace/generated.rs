//! Files that this program generates for others to read: configurations and plugins of servers, in the cache.

use std::io::Write as _;

use super::open::read_text;
use crate::text::AbsPath;

/// Replaces a file whole, and leaves it alone where it says the same already: servers watch it. Returns whether it did.
pub fn write_if_changed(file: &AbsPath, text: &str) -> std::io::Result<bool> {
    if read_text(file.as_path()).is_ok_and(|old| old == text) {
        return Ok(false);
    }
    let dir = file.parent().unwrap_or_else(|| file.clone());
    std::fs::create_dir_all(dir.as_path())?;
    let mut staged = tempfile::NamedTempFile::new_in(dir.as_path())?;
    staged.write_all(text.as_bytes())?;
    staged.persist(file.as_path()).map(|_| true).map_err(|error| error.error)
}
