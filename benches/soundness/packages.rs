//! The packages that are tried, pinned, and how their sources come onto this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One package of a registry that ships its sources.
pub struct Package {
    pub name: &'static str,
    pub version: &'static str,
    pub language: Family,
    /// Where declarations are chosen, relative to the package's root.
    pub sources: &'static [&'static str],
    /// What a build put into the archive, or what no compiler of this language reads: left out.
    pub left_out: &'static [&'static str],
    /// Files that a repository has and its archive lacks.
    pub added: &'static [(&'static str, &'static str)],
    /// The release of Solidity's compiler that it is checked with; empty for other languages.
    pub compiler: &'static str,
    /// What its own tests need, pinned by pip's or npm's rules; empty where it ships none that run by themselves.
    pub tests_need: &'static [&'static str],
    /// Further archives and where they are unpacked: the members of a workspace, whose own version is empty then, or
    /// what the package imports.
    pub parts: &'static [(&'static str, &'static str, &'static str)],
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    Python,
    TypeScript,
    JavaScript,
    Solidity,
}

pub const PACKAGES: &[Package] = &[
    python("flask", "3.1.2", &["src/flask"]).tested(&["flask==3.1.2", "asgiref==3.9.1", "python-dotenv==1.1.1"]),
    python("click", "8.3.1", &["src/click"]).tested(&["click==8.3.1"]),
    python("rich", "14.2.0", &["rich"]),
    python("requests", "2.32.5", &["src/requests"]),
    python("networkx", "3.5", &["networkx"]),
    python("jinja2", "3.1.6", &["src/jinja2"]).tested(&["jinja2==3.1.6", "trio==0.31.0"]),
    python("attrs", "25.4.0", &["src/attr", "src/attrs"]).tested(&[
        "attrs==25.4.0",
        "hypothesis==6.140.2",
        "cloudpickle==3.1.1",
    ]),
    python("django", "5.2.8", &["django"]),
    typescript("rxjs", "7.8.2", &["src"], &[]),
    typescript("viem", "2.38.0", &["."], &[("tsconfig.json", EVERYTHING)]),
    typescript("zod", "4.1.12", &["src"], &[("tsconfig.json", SOURCES)]).tested(&["vitest@3.2.4"]),
    typescript("@reduxjs/toolkit", "2.9.2", &["src"], &[("tsconfig.json", TOOLKIT)]),
    typescript("@trpc/server", "11.7.1", &["src"], &[("tsconfig.json", SOURCES)]),
    typescript("@tanstack/query-core", "5.90.7", &["src"], &[("tsconfig.json", SOURCES)]),
    javascript("lodash", "4.17.21", &["."], &["lodash.js", "lodash.min.js", "core.js", "core.min.js", "fp"]),
    javascript("express", "5.1.0", &["lib"], &[]),
    javascript("eslint", "9.39.1", &["lib"], &[]),
    solidity("@openzeppelin/contracts", "5.4.0", "0.8.36", &["build"]),
    solidity("solady", "0.1.26", "0.8.36", &["js"]),
    solidity("openzeppelin-solidity", "1.12.0", "0.4.26", &["build"]),
];

/// The packages that refactorings are tried on where none is named: nothing was tuned for them.
pub const REFACTORED: &[Package] = &[
    python("urllib3", "2.8.0", &["src/urllib3"]),
    python("paramiko", "5.1.0", &["paramiko"]),
    python("scrapy", "2.19.0", &["scrapy"]),
    python("mkdocs", "1.6.1", &["mkdocs"]).tested(&["mkdocs==1.6.1", "babel==2.17.0"]),
    python("dateparser", "1.5.0", &["dateparser"]),
    typescript("bson", "7.3.4", &["src"], &[("tsconfig.json", SOURCES)]),
    typescript("minisearch", "7.2.0", &["src"], &[("tsconfig.json", SOURCES)]),
    typescript("@noble/ciphers", "2.4.0", &["src"], &[("tsconfig.json", SOURCES)]),
    javascript("knex", "3.3.0", &["lib"], &[]),
    javascript("ws", "8.23.0", &["lib"], &[]),
];

const EVERYTHING: &str = r#"{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true,
    "lib": ["es2022", "dom"], "types": []
  }
}
"#;
const SOURCES: &str = r#"{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true,
    "lib": ["es2022", "dom"], "types": []
  },
  "include": ["src"]
}
"#;
const TOOLKIT: &str = r#"{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true,
    "lib": ["es2022", "dom"], "jsx": "react", "types": [],
    "paths": { "@internal/*": ["./src/*"], "@reduxjs/toolkit": ["./src/index.ts"] }
  },
  "include": ["src"]
}
"#;

pub const fn python(name: &'static str, version: &'static str, sources: &'static [&'static str]) -> Package {
    Package {
        name,
        version,
        language: Family::Python,
        sources,
        left_out: &["docs", "examples"],
        added: &[],
        compiler: "",
        tests_need: &[],
        parts: &[],
    }
}

pub const fn typescript(
    name: &'static str,
    version: &'static str,
    sources: &'static [&'static str],
    added: &'static [(&'static str, &'static str)],
) -> Package {
    let left_out = &["dist", "build", "_cjs", "_esm", "_types"];
    let language = Family::TypeScript;
    Package { name, version, language, sources, left_out, added, compiler: "", tests_need: &[], parts: &[] }
}

pub const fn javascript(
    name: &'static str,
    version: &'static str,
    sources: &'static [&'static str],
    left_out: &'static [&'static str],
) -> Package {
    let language = Family::JavaScript;
    Package { name, version, language, sources, left_out, added: &[], compiler: "", tests_need: &[], parts: &[] }
}

pub const fn solidity(
    name: &'static str,
    version: &'static str,
    compiler: &'static str,
    left_out: &'static [&'static str],
) -> Package {
    let language = Family::Solidity;
    Package { name, version, language, sources: &["."], left_out, added: &[], compiler, tests_need: &[], parts: &[] }
}

impl Family {
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
            Self::JavaScript => "JavaScript",
            Self::Solidity => "Solidity",
        }
    }

    /// The endings of the files in which declarations are chosen.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["py"],
            Self::TypeScript => &["ts", "tsx"],
            Self::JavaScript => &["js"],
            Self::Solidity => &["sol"],
        }
    }
}

/// Returns the directory that packages are kept in, made where it is not there: the given one, or the user's own.
pub fn kept_in(given: Option<PathBuf>) -> Result<PathBuf, String> {
    let cache = given.or_else(default_cache).ok_or("no home directory: say `--cache DIR`")?;
    fs::create_dir_all(&cache).map_err(|error| format!("{}: {error}", cache.display()))?;
    Ok(cache)
}

fn default_cache() -> Option<PathBuf> {
    let given = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = given.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(cache.join("lspwright-bench"))
}

/// The checkers, pinned.
pub struct Tools {
    cache: PathBuf,
    /// TypeScript's compiler as a module of Node.js.
    pub typescript: PathBuf,
    /// basedpyright's server as a program of Node.js.
    pub basedpyright: PathBuf,
}

impl Tools {
    pub fn fetch(cache: &Path) -> Result<Self, String> {
        let typescript = cache.join("typescript-6.0.3");
        once(&typescript, |into| npm_pack("typescript", "6.0.3", into))?;
        let basedpyright = cache.join("basedpyright-1.40.2");
        once(&basedpyright, |into| {
            let pip = ["-m", "pip", "install", "--quiet", "--target"];
            run(Command::new("python3").args(pip).arg(into).arg("basedpyright==1.40.2"))
        })?;
        Ok(Self {
            cache: cache.to_path_buf(),
            typescript: typescript.join("lib/typescript.js"),
            basedpyright: basedpyright.join("basedpyright/langserver.index.js"),
        })
    }
}

impl Tools {
    /// Returns a directory with what a package's tests import.
    pub fn test_environment(&self, package: &Package) -> Result<PathBuf, String> {
        let environment = self.cache.join(format!("tests-of-{}-{}", package.name, package.version));
        once(&environment, |into| {
            if package.language != Family::Python {
                let npm = ["install", "--silent", "--no-save", "--prefix"];
                return run(Command::new("npm").args(npm).arg(into).args(package.tests_need));
            }
            let pip = ["-m", "pip", "install", "--quiet", "--target"];
            run(Command::new("python3").args(pip).arg(into).arg("pytest==8.4.2").args(package.tests_need))
        })?;
        Ok(environment)
    }

    /// Returns a release of Solidity's compiler as a module of Node.js.
    pub fn solc(&self, version: &str) -> Result<PathBuf, String> {
        let solc = self.cache.join(format!("solc-{version}"));
        once(&solc, |into| npm_pack("solc", version, into))?;
        Ok(solc.join("soljson.js"))
    }
}

impl Package {
    const fn tested(mut self, needs: &'static [&'static str]) -> Self {
        self.tests_need = needs;
        self
    }

    /// Declarations are chosen below `sources` alone.
    pub const fn in_sources(mut self, sources: &'static [&'static str]) -> Self {
        self.sources = sources;
        self
    }

    pub const fn with_files(mut self, added: &'static [(&'static str, &'static str)]) -> Self {
        self.added = added;
        self
    }

    pub const fn with_parts(mut self, parts: &'static [(&'static str, &'static str, &'static str)]) -> Self {
        self.parts = parts;
        self
    }

    /// Fetches and unpacks the package, unless that was done before, and returns its pristine tree.
    pub fn fetch(&self, cache: &Path) -> Result<PathBuf, String> {
        let tree = cache.join(format!("{}-{}", self.name.replace('/', "-"), self.version));
        once(&tree, |into| {
            let own = Some((self.name, self.version, ".")).filter(|(_, version, _)| !version.is_empty());
            for (name, version, directory) in own.iter().chain(self.parts) {
                let directory = into.join(directory);
                fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
                self.unpack(name, version, &directory)?;
            }
            self.added.iter().try_for_each(|(name, text)| {
                fs::write(into.join(name), text).map_err(|error| format!("writing {name}: {error}"))
            })
        })?;
        Ok(tree)
    }

    fn unpack(&self, name: &str, version: &str, into: &Path) -> Result<(), String> {
        match self.language {
            Family::Python => pip_download(name, version, into)?,
            Family::TypeScript | Family::JavaScript | Family::Solidity => npm_pack(name, version, into)?,
        }
        for left_out in self.left_out {
            let path = into.join(left_out);
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.or_else(|error| if path.exists() { Err(error.to_string()) } else { Ok(()) })?;
        }
        Ok(())
    }
}

/// Fills `directory` under another name first, so that a broken download never looks finished.
pub fn once(directory: &Path, fill: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    if directory.exists() {
        return Ok(());
    }
    let partial = directory.with_extension("partial");
    let _ = fs::remove_dir_all(&partial);
    fs::create_dir_all(&partial).map_err(|error| format!("{}: {error}", partial.display()))?;
    fill(&partial)?;
    fs::rename(&partial, directory).map_err(|error| format!("{}: {error}", directory.display()))
}

fn pip_download(name: &str, version: &str, into: &Path) -> Result<(), String> {
    let archives = tempfile::tempdir().map_err(|error| error.to_string())?;
    let options = ["-m", "pip", "download", "--quiet", "--no-binary", ":all:", "--no-deps", "--dest"];
    run(Command::new("python3").args(options).arg(archives.path()).arg(format!("{name}=={version}")))?;
    unpack(archives.path(), into)
}

fn npm_pack(name: &str, version: &str, into: &Path) -> Result<(), String> {
    let archives = tempfile::tempdir().map_err(|error| error.to_string())?;
    let command = ["pack", "--silent", "--pack-destination"];
    run(Command::new("npm").args(command).arg(archives.path()).arg(format!("{name}@{version}")))?;
    unpack(archives.path(), into)
}

fn unpack(archives: &Path, into: &Path) -> Result<(), String> {
    let mut found = fs::read_dir(archives).map_err(|error| error.to_string())?.flatten();
    let archive = found.next().ok_or("the download left no archive")?.path();
    run(Command::new("tar").arg("xzf").arg(archive).args(["--strip-components", "1", "-C"]).arg(into))
}

pub fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("{command:?}: {stderr}")) }
}
