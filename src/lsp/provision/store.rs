//! The installed servers below the cache directory: one directory per install specification,
//! put in place whole or not at all.

use std::fs;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::host::{Host, InstallPolicy, ProvisionError, disk};
use super::installers;
use super::progress::InstallStep;
use crate::lsp::config::pin;
use crate::lsp::spec::{Install, ServerName, ServerSpec};
use crate::text::{AbsPath, ContentHash};
use crate::workspace::Dirs;

/// Written last into a directory that is complete.
const MARKER: &str = ".lspwright-complete";

/// How often a lock that another process holds is tried again.
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// Returns the directory into which a server is installed, whether it is or not; nothing where
/// lspwright installs nothing of its own for it.
pub fn installed_at(spec: &ServerSpec, dirs: &Dirs) -> Option<AbsPath> {
    match spec.install.as_ref()? {
        Install::Rustup(_) | Install::Hint(_) => None,
        install => dirs.cache.join("servers").and_then(|dir| dir.join(key(spec, install))).ok(),
    }
}

pub fn is_installed(spec: &ServerSpec, dirs: &Dirs) -> bool {
    installed_at(spec, dirs).is_some_and(|dir| is_complete(dir.as_path()))
}

/// Where a server lies, or what there is to be done for it to lie there.
pub(super) enum Found {
    Installed(AbsPath),
    Missing(Work),
}

/// Looks for an installed server; where there is none, prepares its installation.
pub(super) fn find(spec: &ServerSpec, install: &Install, host: &Host<'_>) -> Result<Found, ProvisionError> {
    let no_install = || ProvisionError::NoInstall { server: spec.name.clone() };
    let dir = installed_at(spec, host.dirs).ok_or_else(no_install)?;
    if is_complete(dir.as_path()) {
        return Ok(Found::Installed(dir));
    }
    if host.policy == InstallPolicy::Never {
        return Err(forbidden(spec, install));
    }
    let command = installers::prepare(spec, install, host)?;
    let servers = dir.parent().ok_or_else(no_install)?;
    fs::create_dir_all(servers.as_path()).map_err(disk("create", servers.as_path()))?;
    Ok(Found::Missing(Work { server: spec.name.clone(), megabytes: spec.install_megabytes, dir, command }))
}

/// One installation, on its own.
pub(super) struct Work {
    pub(super) server: ServerName,
    /// How much there is to be installed, where that is known.
    pub(super) megabytes: Option<u64>,
    pub(super) dir: AbsPath,
    command: installers::Command,
}

impl Work {
    /// Installs, unless another process has done so meanwhile.
    pub(super) async fn done(&self, host: &Host<'_>) -> Result<(), ProvisionError> {
        let dir = self.dir.as_path();
        let servers = dir.parent().unwrap_or(dir);
        let _lock = lock(&self.server, dir, host).await?;
        if is_complete(dir) {
            return Ok(());
        }
        sweep(servers, dir)?;
        let begun = Instant::now();
        let installed = self.stage(host).await;
        let step = match &installed {
            Ok(()) => InstallStep::Done { took: begun.elapsed() },
            Err(_) => InstallStep::Failed,
        };
        host.progress.step(&self.server, step);
        installed
    }

    /// Installs into a directory beside the final one, marks it complete, and renames it into place.
    async fn stage(&self, host: &Host<'_>) -> Result<(), ProvisionError> {
        let dir = self.dir.as_path();
        let parent = dir.parent().unwrap_or(dir);
        let staging = tempfile::Builder::new().prefix(&staging_prefix(dir)).tempdir_in(parent);
        let staging = staging.map_err(disk("create a directory in", parent))?;
        {
            let run = self.command.run(staging.path(), host);
            tokio::pin!(run);
            loop {
                match timeout(LOOK, &mut run).await {
                    Ok(ended) => break ended?,
                    Err(_) => self.tell_size(staging.path(), host).await,
                }
            }
        }
        mark(staging.path()).map_err(disk("write to", staging.path()))?;
        fs::rename(staging.path(), dir).map_err(disk("put in place", dir))?;
        // What was renamed is no longer there to be cleaned up.
        let _gone = staging.keep();
        Ok(())
    }

    async fn tell_size(&self, staging: &Path, host: &Host<'_>) {
        let staging = staging.to_owned();
        let size = tokio::task::spawn_blocking(move || size_of(&staging)).await.unwrap_or_default();
        host.progress.step(&self.server, InstallStep::Size { megabytes: size >> 20, of: self.megabytes });
    }
}

/// How often it is looked how far an installation is.
const LOOK: Duration = Duration::from_secs(1);

/// Sums the files below a directory up; what goes while it is looked at counts nothing.
fn size_of(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok);
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => size_of(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

pub(super) fn forbidden(spec: &ServerSpec, install: &Install) -> ProvisionError {
    let command = installers::shown(install).unwrap_or_default();
    ProvisionError::Forbidden { server: spec.name.clone(), command }
}

fn mark(dir: &Path) -> std::io::Result<()> {
    let mut marker = File::create(dir.join(MARKER))?;
    marker.write_all(b"This directory is complete.\n")?;
    marker.sync_all()
}

/// Takes the lock of one server's directory; it is released when the file is closed, also by a crash.
async fn lock(server: &ServerName, dir: &Path, host: &Host<'_>) -> Result<File, ProvisionError> {
    let path = dir.with_file_name(format!(".{}.lock", name_of(dir)));
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(disk("open", &path))?;
    let mut told = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(source)) => return Err(ProvisionError::Disk { action: "lock", path, source }),
            Err(TryLockError::WouldBlock) => {
                if !told {
                    host.progress.step(server, InstallStep::Waiting);
                    told = true;
                }
                tokio::time::sleep(LOCK_PAUSE).await;
            }
        }
    }
}

/// Removes what interrupted installations of this server left; the lock is held.
fn sweep(servers: &Path, dir: &Path) -> Result<(), ProvisionError> {
    let prefix = staging_prefix(dir);
    let entries = fs::read_dir(servers).map_err(disk("read", servers))?;
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if name_of(&path).starts_with(&prefix) || path == dir {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Removes a directory; one into which an orphaned installer still writes may need a second try,
/// and does no harm if it stays.
fn remove(path: &Path) -> Result<(), ProvisionError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == ErrorKind::NotFound || error.kind() == ErrorKind::DirectoryNotEmpty => Ok(()),
        other => other.map_err(disk("remove", path)),
    }
}

fn is_complete(dir: &Path) -> bool {
    dir.join(MARKER).is_file()
}

fn staging_prefix(dir: &Path) -> String {
    format!(".{}.part-", name_of(dir))
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Names a server's directory by everything that decides what is in it.
fn key(spec: &ServerSpec, install: &Install) -> String {
    let (kind, packages, mark) = match install {
        Install::Npm(packages) => ("npm", packages.as_slice(), "@"),
        Install::Pypi(packages) => ("pypi", packages.as_slice(), "=="),
        Install::Cargo(packages) => ("cargo", packages.as_slice(), "@"),
        Install::Rustup(component) | Install::Hint(component) => ("", std::slice::from_ref(component), "@"),
    };
    let version = packages.first().and_then(|package| pin(package, mark)).unwrap_or("0");
    let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    let all =
        format!("{kind}\n{}\n{platform}\n{}", packages.join("\n"), installers::lock_of(install).unwrap_or_default());
    format!("{}-{version}-{}", spec.name, &ContentHash::of(all.as_bytes()).as_str()[..12])
}
