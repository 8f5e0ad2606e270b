//! How a Solidity project is laid out: its remappings, and which of its directories hold libraries.

use crate::solidity::{Imports, Remapping};
use crate::text::AbsPath;
use crate::workspace::read_text_of_project;

/// What `remappings.txt`, `foundry.toml` and the directories say.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    root: String,
    /// Directories of libraries, absolute, with a `/` behind.
    libraries: Vec<String>,
    remappings: Vec<Remapping>,
    /// Where paths without a dot are looked for.
    directories: Vec<String>,
    /// The compiler's version, where the configuration names one.
    compiler: Option<semver::Version>,
}

/// The files that a layout is read from.
const SOURCES: &[&str] = &["remappings.txt", "foundry.toml"];

impl Layout {
    /// Reads the layout of the project at `root`. What cannot be read says nothing.
    pub fn read(root: &AbsPath) -> Self {
        let read = |name: &str| read_text_of_project(root, &root.join(name).ok()?).ok();
        let file = |name: &str| read(name).unwrap_or_default();
        let foundry: toml::Table = file("foundry.toml").parse().unwrap_or_default();
        let profile = foundry.get("profile").and_then(|profiles| profiles.get("default"));
        let listed = |key: &str| -> Vec<String> {
            let values = profile.and_then(|profile| profile.get(key)).and_then(toml::Value::as_array);
            values.into_iter().flatten().filter_map(|value| value.as_str().map(str::to_owned)).collect()
        };
        let root = format!("{root}/");
        let mut libraries = listed("libs");
        if libraries.is_empty() && !foundry.is_empty() {
            libraries.push("lib".to_owned());
        }
        let libraries: Vec<String> =
            libraries.iter().map(|name| format!("{root}{}/", name.trim_matches('/'))).collect();
        let written = file("remappings.txt");
        let lines = written.lines().map(str::to_owned).chain(listed("remappings"));
        let mut remappings: Vec<Remapping> =
            lines.filter_map(|line| Remapping::parse(&line)).map(|one| below(&root, one)).collect();
        let known = |prefix: &str| remappings.iter().any(|one| one.prefix == prefix);
        let guessed: Vec<Remapping> =
            libraries.iter().flat_map(|dir| guessed(dir)).filter(|one| !known(&one.prefix)).collect();
        remappings.extend(guessed);
        let directories = vec![root.clone(), format!("{root}node_modules/")];
        let of_foundry = ["solc", "solc_version"].into_iter().find_map(|key| profile?.get(key)?.as_str());
        let compiler = of_foundry.and_then(|version| version.parse().ok()).or_else(|| {
            let configs = ["hardhat.config.ts", "hardhat.config.js", "hardhat.config.cjs"];
            configs.into_iter().find_map(|name| version_named(&file(name)))
        });
        Self { root, libraries, remappings, directories, compiler }
    }

    pub fn imports(&self) -> Imports {
        Imports { remappings: self.remappings.clone(), directories: self.directories.clone() }
    }

    /// Returns the version of the compiler that the project is configured for.
    pub fn compiler(&self) -> Option<semver::Version> {
        self.compiler.clone()
    }

    /// Tells whether a file is a dependency's: nothing in it is ever changed.
    pub fn is_library(&self, file: &str) -> bool {
        let Some(below) = file.strip_prefix(&self.root) else { return !self.root.is_empty() };
        below.split('/').any(|part| part == "node_modules") || self.libraries.iter().any(|dir| file.starts_with(dir))
    }

    /// Tells whether a layout depends on a file.
    pub fn is_read_from(file: &str) -> bool {
        SOURCES.contains(&file.rsplit('/').next().unwrap_or_default())
    }
}

/// Makes a remapping's own paths absolute.
fn below(root: &str, one: Remapping) -> Remapping {
    let absolute = |path: String| if path.starts_with('/') { path } else { format!("{root}{path}") };
    let context = if one.context.is_empty() { one.context } else { absolute(one.context) };
    Remapping { context, prefix: one.prefix, target: absolute(one.target) }
}

/// Returns the remappings that Foundry finds by itself: `name/` leads to a library's `src` or `contracts`.
fn guessed(libraries: &str) -> Vec<Remapping> {
    let entries = std::fs::read_dir(libraries).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    let guess = |name: String| {
        let dir = format!("{libraries}{name}/");
        let inner = ["src/", "contracts/", ""]
            .into_iter()
            .find(|inner| std::path::Path::new(&format!("{dir}{inner}")).is_dir());
        Remapping {
            context: String::new(),
            prefix: format!("{name}/"),
            target: format!("{dir}{}", inner.unwrap_or_default()),
        }
    };
    names.into_iter().map(guess).collect()
}

/// Finds the one version that Hardhat's configuration, which is a program, names as a literal.
fn version_named(config: &str) -> Option<semver::Version> {
    let literals = config.split(['"', '\'', '`']);
    let mut versions = literals.skip(1).step_by(2).filter_map(|literal| literal.parse::<semver::Version>().ok());
    let first = versions.find(|version| version.major == 0)?;
    versions.all(|version| version.major > 0 || version == first).then_some(first)
}
