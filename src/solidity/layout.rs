//! How a Solidity project is laid out: its remappings, and which of its directories hold libraries. Pure: what the
//! disk holds is asked of the caller, so that every part of the program resolves imports alike.

use super::{Directory, Imports, Remapping};

/// What `remappings.txt`, `foundry.toml` and the directories say.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    root: String,
    /// Directories of libraries, with a `/` behind.
    libraries: Vec<String>,
    imports: Imports,
    /// The compiler's version, where the configuration names one.
    compiler: Option<semver::Version>,
    generation: Generation,
}

/// How the project has its code generated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Generation {
    pub optimizes: bool,
    /// By way of Yul, which needs less of the stack.
    pub via_ir: bool,
}

/// What a layout is read from; paths begin with the layout's root.
pub struct Tree<'t> {
    /// Returns a file's text; what cannot be read says nothing.
    pub text: &'t dyn Fn(&str) -> Option<String>,
    /// Returns the names of the directories right below one, sorted.
    pub directories: &'t dyn Fn(&str) -> Vec<String>,
}

/// The files that a layout is read from.
const SOURCES: &[&str] =
    &["remappings.txt", "foundry.toml", "hardhat.config.ts", "hardhat.config.js", "hardhat.config.cjs"];
/// Libraries of libraries are looked for so deep.
const DEEPEST: usize = 3;

impl Layout {
    /// Reads the layout of the project at `root`, which is empty or ends with `/`; `configurations` are the paths of
    /// all files in it that a layout is read from: a package of its own may lie in any directory.
    pub fn of(root: &str, configurations: &[String], tree: &Tree<'_>) -> Self {
        let mut layout = Self { root: root.to_owned(), ..Self::default() };
        layout.take(root, tree, Place::Root);
        let mut packages: Vec<&str> = configurations.iter().map(|path| directory(path)).collect();
        packages.sort_by_key(|package| (package.len(), *package));
        packages.dedup();
        for package in packages.into_iter().filter(|package| *package != root && package.starts_with(root)) {
            if !layout.is_library(package) {
                layout.take(package, tree, Place::Inner);
            }
        }
        layout
    }

    pub fn imports(&self) -> Imports {
        self.imports.clone()
    }

    /// Returns the version of the compiler that the project is configured for.
    pub fn compiler(&self) -> Option<semver::Version> {
        self.compiler.clone()
    }

    /// Returns how the project has its code generated.
    pub fn generation(&self) -> Generation {
        self.generation
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

    /// Reads what a package says of its own sources.
    fn take(&mut self, package: &str, tree: &Tree<'_>, place: Place) {
        let said = Said::read(package, tree);
        let context = if place == Place::Root { String::new() } else { package.to_owned() };
        // Of two that map the same the compiler takes the last.
        for one in said.remappings.into_iter().rev().map(|one| one.within(&context)) {
            self.add(&one.context, &one.prefix, vec![one.target]);
        }
        let libraries: Vec<String> = said.libraries;
        for dir in &libraries {
            self.guess((&context, dir), tree, 0);
        }
        self.libraries.extend(libraries);
        for inner in ["", "node_modules/", "lib/", "src/", "contracts/"] {
            self.imports.directories.push(Directory { context: context.clone(), path: format!("{package}{inner}") });
        }
        if place == Place::Root {
            (self.compiler, self.generation) = (said.compiler, said.generation);
        }
    }

    /// Adds what Foundry finds by itself: `name/` leads to a library's `src` or `contracts` or to itself, and what
    /// a library maps, or holds as libraries of its own, is mapped where nobody nearer does.
    fn guess(&mut self, (context, libraries): (&str, &str), tree: &Tree<'_>, depth: usize) {
        let names = (tree.directories)(libraries);
        for name in &names {
            let dir = format!("{libraries}{name}/");
            let there = (tree.directories)(&dir);
            let inner = ["src", "contracts"].into_iter().filter(|inner| there.iter().any(|it| it == inner));
            let targets = inner.map(|inner| format!("{dir}{inner}/")).chain([dir.clone()]);
            let prefix = format!("{name}/");
            self.add(context, &prefix, targets.collect());
        }
        if depth == DEEPEST {
            return;
        }
        for name in names {
            let said = Said::read(&format!("{libraries}{name}/"), tree);
            for one in said.remappings {
                self.add(context, &one.prefix, vec![one.target]);
            }
            for inner in said.libraries {
                self.guess((context, &inner), tree, depth + 1);
            }
        }
    }

    /// Maps a prefix where nobody has done so; several targets are tried in turn.
    fn add(&mut self, context: &str, prefix: &str, targets: Vec<String>) {
        let is_known = |one: &Remapping| one.prefix == prefix && one.context == context;
        if !self.imports.remappings.iter().any(is_known) {
            let one = |target| Remapping { context: context.to_owned(), prefix: prefix.to_owned(), target };
            self.imports.remappings.extend(targets.into_iter().map(one));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Inner,
}

/// What the configuration of one package says.
struct Said {
    remappings: Vec<Remapping>,
    libraries: Vec<String>,
    compiler: Option<semver::Version>,
    generation: Generation,
}

impl Said {
    fn read(package: &str, tree: &Tree<'_>) -> Self {
        let file = |name: &str| (tree.text)(&format!("{package}{name}")).unwrap_or_default();
        let foundry: toml::Table = file("foundry.toml").parse().unwrap_or_default();
        let profile = foundry.get("profile").and_then(|profiles| profiles.get("default"));
        let listed = |key: &str| -> Vec<String> {
            let values = profile.and_then(|profile| profile.get(key)).and_then(toml::Value::as_array);
            values.into_iter().flatten().filter_map(|value| value.as_str().map(str::to_owned)).collect()
        };
        let is_set = |key: &str| profile.and_then(|it| it.get(key)).and_then(toml::Value::as_bool) == Some(true);
        let mapped = file("remappings.txt");
        let lines = mapped.lines().map(str::to_owned).chain(listed("remappings"));
        let remappings = lines.filter_map(|line| Remapping::parse(&line)).map(|one| below(package, one)).collect();
        let mut libraries = listed("libs");
        // Foundry's own default; whoever has `lib` beside `remappings.txt` alone means the same.
        if libraries.is_empty() && (!foundry.is_empty() || !mapped.is_empty() || is_foundry(package, tree)) {
            libraries.push("lib".to_owned());
        }
        let libraries = libraries.iter().filter(|name| name.trim_matches('/') != "node_modules");
        let libraries = libraries.map(|name| format!("{package}{}/", name.trim_matches('/'))).collect();
        let config = ["hardhat.config.ts", "hardhat.config.js", "hardhat.config.cjs"].map(file).concat();
        let of_foundry = ["solc", "solc_version"].into_iter().find_map(|key| profile?.get(key)?.as_str());
        let compiler = of_foundry.and_then(|version| version.parse().ok()).or_else(|| version_named(&config));
        let generation = Generation {
            optimizes: is_set("optimizer") || optimizes(&config),
            via_ir: is_set("via_ir") || is_true(&config, "viaIR"),
        };
        Self { remappings, libraries, compiler, generation }
    }
}

/// Tells whether a package has a `foundry.toml`, be it empty.
fn is_foundry(package: &str, tree: &Tree<'_>) -> bool {
    (tree.text)(&format!("{package}foundry.toml")).is_some()
}

/// Makes a remapping's own paths begin with the package.
fn below(package: &str, one: Remapping) -> Remapping {
    let absolute = |path: String| if path.starts_with('/') { path } else { format!("{package}{path}") };
    let context = if one.context.is_empty() { one.context } else { absolute(one.context) };
    Remapping { context, prefix: one.prefix, target: absolute(one.target) }
}

/// Returns what stands before the last component of a path, with its `/`.
fn directory(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

/// Tells whether Hardhat's configuration, which is a program, turns the optimiser on in so many words.
fn optimizes(config: &str) -> bool {
    let settings = config.split("optimizer").skip(1).map(|rest| rest.split('}').next().unwrap_or_default());
    settings.into_iter().any(|settings| is_true(settings, "enabled"))
}

/// Tells whether a program's text says `key: true`.
fn is_true(text: &str, key: &str) -> bool {
    let values = text.split(key).skip(1).filter_map(|rest| rest.trim_start().strip_prefix(':'));
    values.into_iter().any(|value| value.trim_start().starts_with("true"))
}

/// Finds the one version that Hardhat's configuration, which is a program, names as a literal.
fn version_named(config: &str) -> Option<semver::Version> {
    let literals = config.split(['"', '\'', '`']);
    let mut versions = literals.skip(1).step_by(2).filter_map(|literal| literal.parse::<semver::Version>().ok());
    let first = versions.find(|version| version.major == 0)?;
    versions.all(|version| version.major > 0 || version == first).then_some(first)
}
