//! Cases as they are written: prose, a command, files, and what is expected.

use std::path::{Path, PathBuf};

/// One case.
pub(crate) struct Written {
    pub(crate) file: PathBuf,
    source: String,
    /// What stands behind `> `.
    pub(crate) command: String,
    pub(crate) files: Vec<(String, String)>,
    pub(crate) expected: String,
    /// Whether the last part is called `shown`: what comes out is told whole, as a page of the catalog shows it.
    pub(crate) is_shown: bool,
}

impl Written {
    /// Reads the cases of a folder below `tests/cases`, by name.
    pub(crate) fn all(folder: &str) -> Vec<Self> {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
        let mut files: Vec<PathBuf> = std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(Self::read).collect()
    }

    fn read(file: PathBuf) -> Self {
        let source = std::fs::read_to_string(&file).unwrap();
        let mut command = String::new();
        let mut files: Vec<(String, String)> = Vec::new();
        for line in source.split_inclusive('\n') {
            if let Some(name) = line.trim_end().strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --")) {
                files.push((name.to_owned(), String::new()));
            } else if let Some((_, text)) = files.last_mut() {
                text.push_str(line);
            } else if let Some(line) = line.strip_prefix("> ") {
                command = line.trim().to_owned();
            }
        }
        let (last, expected) = files.pop().expect("there is a last part");
        assert!(["expect", "shown"].contains(&last.as_str()), "{}: the last part is `expect`", file.display());
        Self { file, source, command, files, expected, is_shown: last == "shown" }
    }

    /// Returns what stands above the command: why the case is here.
    pub(crate) fn prose(&self) -> String {
        let lines = self.source.lines().take_while(|line| !line.starts_with("> "));
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Tells whether `CASE` asks for it; without it, all are asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        std::env::var("CASE").map_or(true, |name| self.file.to_string_lossy().contains(name.as_str()))
    }

    /// Compares what came out with what is expected, or writes it down where `UPDATE` says so.
    pub(crate) fn judge(&self, got: &str) -> Result<(), String> {
        if std::env::var_os("UPDATE").is_some() {
            self.update(got);
            return Ok(());
        }
        if got == self.expected {
            return Ok(());
        }
        Err(format!("--- expected\n{}--- got\n{got}", self.expected))
    }

    pub(crate) fn update(&self, got: &str) {
        let part = if self.is_shown { "-- shown --\n" } else { "-- expect --\n" };
        let head = self.source.split(part).next().unwrap();
        std::fs::write(&self.file, format!("{head}{part}{got}")).unwrap();
    }
}

/// Takes away all that lies in a directory.
pub(crate) fn clear(root: &Path) {
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
    }
}
