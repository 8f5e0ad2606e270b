//! What a directory holds, two levels deep.

use std::fs;
use std::path::Path;

use super::super::place::Place;
use crate::text::visible;
use crate::tools::{ErrorKind, ToolError};

/// How many entries are listed.
const MOST: usize = 500;
/// Levels below the directory.
const DEEP: usize = 2;

/// Lists a directory; what is hidden, and what packages were installed, is counted.
pub(super) fn list(place: &Place) -> Result<String, ToolError> {
    let mut list = List::default();
    list.below(place.path.as_path(), DEEP).map_err(|error| {
        ToolError::new(ErrorKind::Environment, format!("`{}` cannot be listed: {error}", place.name()))
    })?;
    let mut said =
        format!("{}\n{}", if place.name() == "." { "./".to_owned() } else { place.name() + "/" }, list.lines);
    if list.more > 0 {
        said += &format!("[{} more entries; view one of the directories]\n", list.more);
    }
    if list.left_out > 0 {
        said += &format!("[{} hidden entries and installed packages are not listed]\n", list.left_out);
    }
    Ok(said)
}

#[derive(Default)]
struct List {
    lines: String,
    listed: usize,
    more: usize,
    left_out: usize,
}

impl List {
    fn below(&mut self, dir: &Path, deep: usize) -> std::io::Result<()> {
        let mut entries: Vec<_> = fs::read_dir(dir)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') || matches!(name.as_str(), "node_modules" | "__pycache__") {
                self.left_out += 1;
                continue;
            }
            let kind = entry.file_type()?;
            let sign = if kind.is_dir() {
                "/"
            } else if kind.is_symlink() {
                "@"
            } else {
                ""
            };
            if self.listed == MOST {
                self.more += 1;
                continue;
            }
            self.listed += 1;
            self.lines += &format!("{}{}{sign}\n", "  ".repeat(DEEP + 1 - deep), visible(&name));
            if kind.is_dir() && deep > 1 {
                // One that may not be read is listed all the same.
                let _ = self.below(&entry.path(), deep - 1);
            }
        }
        Ok(())
    }
}
