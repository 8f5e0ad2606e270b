//! What a session stands on beside the project's own files: the configuration, the versions that the project chose, the
//! packages that are installed. Servers read all this when they start, and nobody tells them when it changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::options::Options;
use crate::lsp::provision::settled;
use crate::lsp::{Config, ServerSpec, pyright_config};
use crate::text::AbsPath;

/// As it was when it was looked at.
#[derive(Debug)]
pub struct Foundation {
    config: Config,
    versions: Vec<ServerSpec>,
    packages: Marks,
    libraries: Libraries,
    /// Where configuration and versions are read from: while these stand, nothing is read again.
    sources: Marks,
}

/// Files and directories with what tells cheaply that they have changed.
type Marks = Vec<(PathBuf, Option<Mark>)>;
type Mark = (SystemTime, u64);

/// The directories that hold one directory for each version of Python, with these as they were listed last: the system's
/// own holds hundreds of others.
#[derive(Debug, Default)]
struct Libraries(BTreeMap<PathBuf, (Option<Mark>, Vec<PathBuf>)>);

/// What package managers write when they have installed something.
const INSTALLED: [&str; 5] = [
    "node_modules/.package-lock.json",
    "node_modules/.modules.yaml",
    "node_modules/.yarn-state.yml",
    "node_modules",
    ".pnp.cjs",
];

/// Where the version of a tool is chosen.
const CHOOSES: [&str; 6] =
    ["package.json", "npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];

impl Foundation {
    /// Looks at what a session on `root` that is opened with `options` stands on.
    pub fn of(options: &Options, root: &AbsPath) -> Self {
        let options = options.clone().away_from(root);
        let mut libraries = Libraries::default();
        Self {
            versions: versions(&options.config, root),
            packages: packages(&options, root, &mut libraries),
            libraries,
            sources: sources(&options, root),
            config: Config::clone(&options.config),
        }
    }

    /// Tells whether a session opened with `options` now would stand on the same.
    ///
    /// # Errors
    /// Those of `options`, which is asked only where something may have changed.
    pub fn stands<E>(
        &mut self,
        root: &AbsPath,
        known: &Options,
        options: impl FnOnce() -> Result<Options, E>,
    ) -> Result<bool, E> {
        if packages(known, root, &mut self.libraries) != self.packages {
            return Ok(false);
        }
        let sources = sources(known, root);
        if sources == self.sources {
            return Ok(true);
        }
        let options = options()?.away_from(root);
        let is_same = *options.config == self.config && versions(&options.config, root) == self.versions;
        self.sources = sources;
        Ok(is_same)
    }
}

fn versions(config: &Config, root: &AbsPath) -> Vec<ServerSpec> {
    let chosen = config.servers().filter(|spec| spec.versions.is_some());
    chosen.map(|spec| settled(spec, root, config.trust())).collect()
}

fn sources(options: &Options, root: &AbsPath) -> Marks {
    let files = options.config.files().iter().map(|file| file.as_path().to_owned());
    marked(files.chain(CHOOSES.iter().map(|name| root.as_path().join(name))))
}

/// Marks the directories that packages are installed into: the project's, and those of the Python that is asked.
fn packages(options: &Options, root: &AbsPath, known: &mut Libraries) -> Marks {
    let python = options.python(root);
    let environment = pyright_config::environment_of(&python);
    let interpreter = pyright_config::interpreter(&python).and_then(|path| path.as_path().canonicalize().ok());
    let prefix = interpreter.as_deref().and_then(Path::parent).and_then(Path::parent).map(Path::to_owned);
    let environments: Vec<PathBuf> = environment.into_iter().chain(prefix).collect();
    let libraries = environments.iter().flat_map(|dir| [dir.join("lib"), dir.join("local/lib"), dir.join("Lib")]);
    let versions = libraries.flat_map(|lib| {
        let mut inside = known.versions(&lib);
        inside.push(lib);
        inside
    });
    let packages = versions.flat_map(|dir| [dir.join("site-packages"), dir.join("dist-packages")]);
    let installed = INSTALLED.iter().map(|name| root.as_path().join(name));
    marked(installed.chain(environments.clone()).chain(packages).collect::<Vec<_>>().into_iter())
}

impl Libraries {
    fn versions(&mut self, lib: &Path) -> Vec<PathBuf> {
        let now = mark(lib);
        if let Some((then, inside)) = self.0.get(lib)
            && *then == now
        {
            return inside.clone();
        }
        let inside = std::fs::read_dir(lib).into_iter().flatten().flatten().map(|entry| entry.path());
        let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python"));
        let mut inside: Vec<PathBuf> = inside.filter(named).collect();
        inside.sort();
        self.0.insert(lib.to_owned(), (now, inside.clone()));
        inside
    }
}

fn marked(paths: impl Iterator<Item = PathBuf>) -> Marks {
    paths.map(|path| (mark(&path), path)).map(|(mark, path)| (path, mark)).collect()
}

fn mark(path: &Path) -> Option<Mark> {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}
