//! Where a daemon is found: one per user, program and surroundings, so that no caller ever meets one of another kind.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::text::ContentHash;
use crate::workspace::{read_text, runtime_dir};

/// What a path of a socket may take (`sun_path` has 104 bytes on macOS, 108 on Linux, one of them for the end).
const LONGEST: usize = 103;

/// Variables by which the directories of a user are found, and by which lspwright itself is told what to do: the daemon
/// has those of the caller who started it.
const FAMILIES: [&str; 6] = ["HOME", "LSPWRIGHT_", "TEMP", "TMP", "USERPROFILE", "XDG_"];
/// Of these nothing depends on.
const PASSING: [&str; 4] = ["LSPWRIGHT_DAEMON", "LSPWRIGHT_GROUP", "LSPWRIGHT_LOG", "XDG_SESSION_ID"];

/// The places of a daemon's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The program that it is started from.
    pub program: PathBuf,
    pub socket: PathBuf,
    /// Held as long as a daemon is there.
    pub lock: PathBuf,
}

impl Address {
    /// Finds the address of the daemon that is for this process.
    ///
    /// # Errors
    /// Where there is no directory that is the user's alone, or its path is too long for a socket.
    pub fn of_process() -> io::Result<Self> {
        Self::of(std::env::current_exe()?)
    }

    /// Returns the sockets of all daemons of the user, whatever they are for.
    pub(super) fn all_sockets(&self) -> Vec<PathBuf> {
        let beside = self.socket.parent().and_then(|dir| std::fs::read_dir(dir).ok());
        let named = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "sock");
        beside.into_iter().flatten().flatten().map(|entry| entry.path()).filter(named).collect()
    }

    /// The same for another program; as it is now.
    pub(super) fn of(program: PathBuf) -> io::Result<Self> {
        let dir = runtime_dir()?;
        let named = format!("daemon-{}", &surroundings(&program)?.as_str()[..16]);
        let socket = dir.join(format!("{named}.sock"));
        if socket.as_os_str().len() > LONGEST {
            return Err(io::Error::other(format!("`{}` is too long a path for a socket", socket.display())));
        }
        Ok(Self { program, socket, lock: dir.join(format!("{named}.lock")) })
    }
}

/// Hashes what has to be alike: the program's file, how the file system is seen and written, the user's directories.
fn surroundings(program: &Path) -> io::Result<ContentHash> {
    let file = identity(&std::fs::metadata(program)?);
    // A container or a changed root sees other files under the same paths.
    let mounts = std::fs::read_link("/proc/self/ns/mnt").unwrap_or_default();
    let root = identity(&std::fs::metadata("/")?);
    // What a plan creates has the permissions that the caller's files have.
    let status = read_text(Path::new("/proc/self/status")).unwrap_or_default();
    let umask = status.lines().find(|line| line.starts_with("Umask:")).unwrap_or_default();
    let counts = |name: &str| FAMILIES.iter().any(|family| name.starts_with(family)) && !PASSING.contains(&name);
    let mut variables: Vec<String> = std::env::vars_os()
        .map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy()))
        .filter(|line| counts(line.split('=').next().unwrap_or_default()))
        .collect();
    variables.sort();
    let kind = format!("{}\n{file}\n{}\n{root}\n{umask}", program.display(), mounts.display());
    let all = format!("{kind}\n{}", variables.join("\n"));
    Ok(ContentHash::of(all.as_bytes()))
}

fn identity(file: &Metadata) -> String {
    format!("{} {} {} {} {}", file.dev(), file.ino(), file.size(), file.mtime(), file.mtime_nsec())
}
