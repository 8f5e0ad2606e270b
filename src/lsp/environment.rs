//! The environment variables that lspwright reads, as data, and the programs that they lead to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Environment variables by name; those that are not UTF-8 are left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment(pub BTreeMap<String, String>);

impl Environment {
    /// Takes the variables of this process.
    pub fn of_process() -> Self {
        Self(
            std::env::vars_os()
                .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
        )
    }

    /// Returns a variable that is set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Finds a program as a shell would: a path as it stands, a bare name on `PATH`.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(name);
        if path.components().count() > 1 {
            return self.with_suffixes(path).find(|file| is_program(file));
        }
        let directories = self.get("PATH").unwrap_or_default();
        std::env::split_paths(directories)
            .filter(|directory| directory.is_absolute())
            .find_map(|directory| self.with_suffixes(&directory.join(name)).find(|file| is_program(file)))
    }

    /// Returns the file names under which Windows runs a program (`PATHEXT`), elsewhere the name itself.
    fn with_suffixes(&self, path: &Path) -> impl Iterator<Item = PathBuf> + use<> {
        let mut candidates = vec![path.to_owned()];
        if cfg!(windows) {
            let suffixes = self.get("PATHEXT").unwrap_or(".COM;.EXE;.BAT;.CMD");
            candidates.extend(suffixes.split(';').map(|suffix| {
                let mut name = path.as_os_str().to_owned();
                name.push(suffix);
                PathBuf::from(name)
            }));
        }
        candidates.into_iter()
    }
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}
