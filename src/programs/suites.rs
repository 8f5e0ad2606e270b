//! Which tests a project has, read off its files.

use super::ground::{NotRun, ProgramTree, TestSelection, has};
use super::report::Tested;
use super::{cargo, forge, go, python, script};
use crate::text::AbsPath;

/// Tests that run together: those of one language below one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    pub dir: AbsPath,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Python,
    Script,
    Cargo,
    Go,
    Forge,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Python, Self::Script, Self::Cargo, Self::Go, Self::Forge];

    /// Tells whether a directory is where tests of this kind are run.
    fn is_at(self, dir: &AbsPath) -> bool {
        match self {
            Self::Python => python::MANIFESTS.iter().any(|name| has(dir, name)),
            Self::Script => script::is_package(dir),
            Self::Cargo => has(dir, cargo::MANIFEST),
            Self::Go => has(dir, go::MANIFEST),
            Self::Forge => has(dir, forge::MANIFEST),
        }
    }

    fn has_tests(self, ground: &ProgramTree<'_>, dir: &AbsPath) -> bool {
        match self {
            Self::Python => ground.below(dir).any(python::is_test),
            Self::Script => script::has_tests(ground, dir),
            Self::Cargo => true,
            Self::Go => ground.below(dir).any(go::is_test),
            Self::Forge => ground.below(dir).any(forge::is_test),
        }
    }
}

impl Suite {
    /// Runs what is wanted of it.
    pub async fn run(&self, ground: &ProgramTree<'_>, wanted: &TestSelection) -> Result<Tested, NotRun> {
        match self.kind {
            Kind::Python => python::test(ground, &self.dir, wanted).await,
            Kind::Script => script::test(ground, &self.dir, wanted).await,
            Kind::Cargo => cargo::test(ground, &self.dir, wanted).await,
            Kind::Go => go::test(ground, &self.dir, wanted).await,
            Kind::Forge => forge::test(ground, &self.dir, wanted).await,
        }
    }
}

/// Finds the suites that hold what is wanted: those around the path, or else all of the project.
pub fn suites(ground: &ProgramTree<'_>, wanted: &TestSelection) -> Vec<Suite> {
    let path = wanted.path.as_ref().unwrap_or(&ground.root);
    let dir = if path.as_path().is_dir() { path.clone() } else { path.parent().unwrap_or_else(|| ground.root.clone()) };
    let mut found: Vec<Suite> = Kind::ALL.into_iter().flat_map(|kind| of_kind(ground, kind, (path, &dir))).collect();
    // A package without tests says so where nothing else is there.
    if found.is_empty() {
        let package = ground.above(&dir).find(|dir| Kind::Script.is_at(dir));
        found.extend(package.map(|dir| Suite { dir, kind: Kind::Script }));
    }
    found
}

fn of_kind(ground: &ProgramTree<'_>, kind: Kind, (path, dir): (&AbsPath, &AbsPath)) -> Vec<Suite> {
    let suite = |dir: AbsPath| Suite { dir, kind };
    if path != dir && !kind.reads(path) {
        return Vec::new();
    }
    // The one around it, then those below it.
    let around = ground.above(dir).find(|dir| kind.is_at(dir) && kind.has_tests(ground, dir));
    if let Some(around) = around {
        return vec![suite(around)];
    }
    let mut below: Vec<AbsPath> = ground.below(dir).filter_map(AbsPath::parent).collect();
    below.sort();
    below.dedup();
    let mut found: Vec<AbsPath> = Vec::new();
    for dir in below {
        let is_inside = found.iter().any(|outer| dir.is_below(outer));
        if !is_inside && kind.is_at(&dir) && kind.has_tests(ground, &dir) {
            found.push(dir);
        }
    }
    if found.is_empty() && kind == Kind::Python && ground.below(dir).any(python::is_test) {
        found.push(ground.root.clone());
    }
    found.into_iter().map(suite).collect()
}

impl Kind {
    /// Tells whether a file may be one of its tests.
    fn reads(self, path: &AbsPath) -> bool {
        use crate::syntax::{Family, Language};
        let Some(language) = Language::of_path(path) else { return false };
        match self {
            Self::Python => language == Language::Python,
            Self::Script => language.family() == Family::Script,
            Self::Cargo => language == Language::Rust,
            Self::Go => language == Language::Go,
            Self::Forge => language == Language::Solidity,
        }
    }
}
