//! The packages that are damaged, pinned, and how their sources come onto this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::packages::{Package, once, python, run, typescript};

/// A language that packages are damaged in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Python,
    TypeScript,
    Rust,
}

/// One package, and where it is damaged.
pub struct Subject {
    pub name: &'static str,
    pub language: Language,
    from: Registry,
    /// Relative to the package's root.
    pub sources: &'static str,
}

enum Registry {
    /// PyPI or npm.
    Package(Package),
    /// crates.io, with the version.
    Crate(&'static str),
}

const PROJECT: &str = r#"{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true,
    "allowImportingTsExtensions": true, "lib": ["es2023", "dom"], "types": []
  },
  "include": ["src"]
}
"#;
const TSCONFIG: &[(&str, &str)] = &[("tsconfig.json", PROJECT)];

pub const SUBJECTS: &[Subject] = &[
    of(python("boltons", "26.2.0", &["boltons"]), Language::Python, "boltons"),
    of(python("httpcore", "1.0.9", &["httpcore"]), Language::Python, "httpcore"),
    of(python("starlette", "1.10.0", &["starlette"]), Language::Python, "starlette"),
    of(typescript("redux", "5.0.1", &["src"], TSCONFIG), Language::TypeScript, "src"),
    of(typescript("@noble/hashes", "2.4.0", &["src"], TSCONFIG), Language::TypeScript, "src"),
    of(typescript("@tanstack/table-core", "8.21.3", &["src"], TSCONFIG), Language::TypeScript, "src"),
    Subject { name: "regex-syntax", language: Language::Rust, from: Registry::Crate("0.8.11"), sources: "src" },
];

const fn of(package: Package, language: Language, sources: &'static str) -> Subject {
    Subject { name: package.name, language, from: Registry::Package(package), sources }
}

impl Subject {
    /// Fetches and unpacks the package, unless that was done before, and returns its pristine tree.
    pub fn fetch(&self, cache: &Path) -> Result<PathBuf, String> {
        match &self.from {
            Registry::Package(package) => package.fetch(cache),
            Registry::Crate(version) => vendored(self.name, version, cache),
        }
    }
}

impl Language {
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["py"],
            Self::TypeScript => &["ts", "tsx"],
            Self::Rust => &["rs"],
        }
    }
}

/// Lets cargo fetch a crate, as a dependency of one that holds nothing.
fn vendored(name: &str, version: &str, cache: &Path) -> Result<PathBuf, String> {
    let tree = cache.join(format!("{name}-{version}"));
    once(&tree, |into| {
        let around = tempfile::tempdir().map_err(|error| error.to_string())?;
        let manifest = format!(
            "[package]\nname = \"around\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[dependencies]\n{name} = \"={version}\"\n"
        );
        let write = |name: &str, text: &str| fs::write(around.path().join(name), text).map_err(|it| it.to_string());
        write("Cargo.toml", &manifest)?;
        fs::create_dir(around.path().join("src")).map_err(|error| error.to_string())?;
        write("src/lib.rs", "")?;
        run(Command::new("cargo").args(["vendor", "--quiet", "crates"]).current_dir(around.path()))?;
        let from = around.path().join("crates").join(name);
        crate::tree::copy_tree(&from, into).map_err(|error| error.to_string())
    })?;
    Ok(tree)
}
