//! A project's virtual environment, read from its layout and its `pyvenv.cfg`; nothing of it is ever run here.

use std::path::{Path, PathBuf};

use super::roots;
use crate::lsp::Environment;
use crate::lsp::environment::IN_PROJECT;
use crate::text::AbsPath;
use crate::workspace::read_text;

/// Where packages are installed, and for which Python.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Installed {
    pub(super) dir: AbsPath,
    /// Such as `3.11`.
    pub(super) version: Option<String>,
    /// The packages of the interpreter that it was made with, where it lets them be seen.
    pub(super) outer: Vec<AbsPath>,
}

/// Finds the environments in a project's root, the usual ones first.
pub(super) fn directories(root: &AbsPath) -> impl Iterator<Item = AbsPath> + use<> {
    let usual = [".venv", "venv", "env"].map(|name| root.join(name).ok());
    let entries = std::fs::read_dir(root.as_path()).into_iter().flatten().flatten();
    // A file is none: that is known without asking for anything in it.
    let mut others: Vec<AbsPath> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_file()))
        .filter_map(|entry| AbsPath::new(entry.path()).ok())
        .filter(|dir| roots::is_environment(dir.as_path()))
        .collect();
    others.sort();
    usual.into_iter().flatten().chain(others)
}

/// Reads the first environment of the project that has packages: of those in its root, then the active one, if that
/// lies elsewhere inside the project.
pub(super) fn find(root: &AbsPath, environment: &Environment) -> Option<Installed> {
    let active = environment.get(IN_PROJECT).and_then(|dir| AbsPath::new(dir).ok());
    directories(root).chain(active).find_map(|dir| read(dir, environment))
}

fn read(dir: AbsPath, environment: &Environment) -> Option<Installed> {
    let layout = layout(dir.as_path())?;
    let told = read_text(&dir.as_path().join("pyvenv.cfg")).unwrap_or_default();
    let says = |key: &str| {
        let mut pairs = told.lines().filter_map(|line| line.split_once('='));
        pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case(key)).map(|(_, value)| value.trim().to_owned())
    };
    let version = ["version", "version_info"].iter().find_map(|key| minor(&says(key)?)).or(layout);
    let sees_outer = says("include-system-site-packages").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let outer = match (says("home"), &version) {
        (Some(home), Some(version)) if sees_outer => outer(Path::new(&home), version, environment),
        _ => Vec::new(),
    };
    Some(Installed { dir, version, outer })
}

/// Tells whether packages can be installed in a directory; the version is in the layout, but on Windows.
fn layout(dir: &Path) -> Option<Option<String>> {
    if dir.join("Lib/site-packages").is_dir() {
        return Some(None);
    }
    let libraries = ["lib", "lib64"].into_iter().filter_map(|lib| std::fs::read_dir(dir.join(lib)).ok());
    let mut versions: Vec<String> = libraries
        .flatten()
        .flatten()
        .filter(|entry| entry.path().join("site-packages").is_dir())
        .filter_map(|entry| minor(entry.file_name().to_str()?.strip_prefix("python")?))
        .collect();
    versions.sort();
    Some(Some(versions.pop()?))
}

/// Returns `3.11` of `3.11`, `3.11.7` and `3.11.7.final.0`.
fn minor(version: &str) -> Option<String> {
    let mut parts = version.split('.').map(str::parse::<u16>);
    let (Some(Ok(major)), Some(Ok(minor))) = (parts.next(), parts.next()) else { return None };
    Some(format!("{major}.{minor}"))
}

/// Returns where the interpreter in `home` keeps packages. `home` is the project's word: it counts only where the
/// user's own `PATH` leads there too.
fn outer(home: &Path, version: &str, environment: &Environment) -> Vec<AbsPath> {
    let real = |path: &Path| path.canonicalize().ok();
    let Some(home) = real(home) else { return Vec::new() };
    if !std::env::split_paths(environment.get("PATH").unwrap_or_default()).any(|dir| real(&dir).as_ref() == Some(&home))
    {
        return Vec::new();
    }
    let base = home.parent().unwrap_or(&home);
    let kept = [
        home.join("Lib/site-packages"),
        base.join(format!("local/lib/python{version}/dist-packages")),
        base.join(format!("lib/python{version}/site-packages")),
        base.join("lib/python3/dist-packages"),
    ];
    let there: Vec<PathBuf> = kept.into_iter().filter(|dir| dir.is_dir()).collect();
    there.iter().filter_map(|dir| AbsPath::new(dir).ok()).collect()
}
