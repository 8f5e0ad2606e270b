//! What of a project is compiled, by which compiler, and what that finds.

use super::cargo;
use super::ground::{NotRun, ProgramTree, has};
use super::python::{self, Python};
use super::tsc::tsc;
use crate::lsp::{Program, Ran};
use crate::plan::{Problem, Severity};
use crate::syntax::{Family, Language};
use crate::text::AbsPath;

/// A compiler at a place, of which the ground is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compilation {
    pub by: Compiler,
    /// Where it is run.
    pub dir: AbsPath,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    Cargo,
    Tsc,
    /// Python has none: its own parser says whether it could run.
    Python,
}

/// What a compiler came to.
#[derive(Debug)]
pub struct Compiled {
    pub command: String,
    pub problems: Vec<Problem>,
    pub ran: Ran,
}

const PARSER: &str = include_str!("reporters/lspwright_compile.py");
const CONFIGS: [&str; 1] = ["tsconfig.json"];

/// Finds the compilers that a file, or what lies around or below a directory, is compiled by.
pub fn compilations(ground: &ProgramTree<'_>, path: &AbsPath) -> Vec<Compilation> {
    let is_dir = path.as_path().is_dir();
    let reads = |language: Language| ground.below(path).any(|file| Language::of_path(file) == Some(language));
    let script =
        || ground.below(path).any(|file| Language::of_path(file).is_some_and(|it| it.family() == Family::Script));
    let mut found = Vec::new();
    if reads(Language::Rust) {
        found.extend(
            at(ground, path, &[cargo::MANIFEST]).into_iter().map(|dir| Compilation { by: Compiler::Cargo, dir }),
        );
    }
    if script() {
        found.extend(at(ground, path, &CONFIGS).into_iter().map(|dir| Compilation { by: Compiler::Tsc, dir }));
    }
    if reads(Language::Python) {
        let dir = if is_dir { path.clone() } else { path.parent().unwrap_or_else(|| ground.root.clone()) };
        found.push(Compilation { by: Compiler::Python, dir });
    }
    found
}

/// Returns the directory around a path that has one of these files, or the outermost ones below it.
fn at(ground: &ProgramTree<'_>, path: &AbsPath, names: &[&str]) -> Vec<AbsPath> {
    let is_it = |dir: &AbsPath| names.iter().any(|name| has(dir, name));
    if let Some(dir) = ground.above(path).find(is_it) {
        return vec![dir];
    }
    let mut all: Vec<AbsPath> = ground.below(path).filter_map(AbsPath::parent).filter(is_it).collect();
    all.sort();
    all.dedup();
    let outer = all.clone();
    all.retain(|dir| !outer.iter().any(|other| other != dir && dir.is_below(other)));
    all
}

impl Compilation {
    /// Compiles; what comes of it is written into `output`, if that is given.
    pub async fn run(
        &self,
        ground: &ProgramTree<'_>,
        path: &AbsPath,
        output: Option<&AbsPath>,
    ) -> Result<Compiled, NotRun> {
        match self.by {
            Compiler::Cargo => self.cargo(ground, output).await,
            Compiler::Tsc => self.tsc(ground, output).await,
            Compiler::Python => self.python(ground, path, output).await,
        }
    }

    async fn cargo(&self, ground: &ProgramTree<'_>, output: Option<&AbsPath>) -> Result<Compiled, NotRun> {
        let mut words = vec!["cargo", "build", "--message-format=json"];
        words.extend(output.iter().flat_map(|dir| ["--target-dir", dir.as_str()]));
        let ran = ground.run(Program::new(words).with("CARGO_TERM_COLOR", "never"), &self.dir).await?;
        let problems = cargo::problems(&ran.stdout.text(), &self.dir);
        self.compiled(ground, "cargo build", (ran, problems))
    }

    async fn tsc(&self, ground: &ProgramTree<'_>, output: Option<&AbsPath>) -> Result<Compiled, NotRun> {
        let own = ground
            .above(&self.dir)
            .map(|dir| dir.as_path().join("node_modules/typescript/bin/tsc"))
            .find(|it| it.is_file());
        let own = own.ok_or_else(|| {
            NotRun::new(
                format!("`{}` is compiled by TypeScript, which is not installed", ground.shown(&self.dir)),
                "install what the project needs, such as by `npm install`; `check` needs nothing of it",
            )
        })?;
        let compiler = own.to_string_lossy().into_owned();
        let mut words = vec!["node", &compiler, "--project", ".", "--pretty", "false"];
        match output {
            Some(dir) => words.extend(["--noEmit", "false", "--outDir", dir.as_str()]),
            None => words.push("--noEmit"),
        }
        let ran = ground.run(Program::new(words), &self.dir).await?;
        let problems = tsc(&ran.stdout.text(), &self.dir);
        self.compiled(ground, "tsc", (ran, problems))
    }

    async fn python(
        &self,
        ground: &ProgramTree<'_>,
        path: &AbsPath,
        output: Option<&AbsPath>,
    ) -> Result<Compiled, NotRun> {
        if output.is_some() {
            return Err(NotRun::new("nothing is written where Python is compiled", "leave `output` (`--to`) out"));
        }
        let files = ground.below(path).filter(|file| Language::of_path(file) == Some(Language::Python));
        let files: Vec<&str> = files.map(AbsPath::as_str).collect();
        let python = Python::of(ground, &self.dir)?;
        let script = ground.lay("lspwright_compile.py", PARSER)?;
        let asked = serde_json::to_string(&files).unwrap_or_default();
        let ran = ground.run(python.program(ground, &["-I", &script]).asked(asked), &self.dir).await?;
        let problems = ran.stdout.text().lines().filter_map(python::problem).collect();
        self.compiled(ground, &format!("{} (its parser)", python.program), (ran, problems))
    }

    /// A compiler that failed and found nothing has not looked.
    fn compiled(
        &self,
        ground: &ProgramTree<'_>,
        name: &str,
        (ran, problems): (Ran, Vec<Problem>),
    ) -> Result<Compiled, NotRun> {
        let command = format!("{name} in {}", ground.shown(&self.dir));
        let has_errors = problems.iter().any(|problem: &Problem| problem.severity == Severity::Error);
        match ran.status {
            Some(status) if status.success() || has_errors => Ok(Compiled { command, problems, ran }),
            _ => Err(ground.unfinished(&command, &ran)),
        }
    }
}
