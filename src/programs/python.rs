//! Python: which interpreter is the project's, and its tests by pytest or unittest.

use std::path::PathBuf;

use serde::Deserialize;

use super::ground::{NotRun, ProgramTree, TestSelection, before};
use super::report::{LAST_WORDS, Tested};
use crate::lsp::{Program, Ran};
use crate::plan::{Problem, Severity};
use crate::syntax::Language;
use crate::text::{AbsPath, Position, Range};
use crate::workspace::read_text;

/// An interpreter, and the environment that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Python {
    pub(super) program: String,
    environment: Option<PathBuf>,
}

const ENVIRONMENTS: [&str; 3] = [".venv", "venv", "env"];
/// Files that say that a directory holds a project of Python.
pub(super) const MANIFESTS: [&str; 4] = ["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini"];
const PLUGIN: &str = include_str!("reporters/lspwright_pytest.py");
const RUNNER: &str = include_str!("reporters/lspwright_unittest.py");
const REPORT: &str = "report.jsonl";

impl Python {
    /// Finds the environment of the project, then the one that is active, then the interpreter on `PATH`.
    pub(super) fn of(ground: &ProgramTree<'_>, dir: &AbsPath) -> Result<Self, NotRun> {
        let own = ground.above(dir).flat_map(|dir| {
            let named = ENVIRONMENTS.map(|name| dir.as_path().join(name));
            let others = std::fs::read_dir(dir.as_path()).into_iter().flatten().flatten().map(|entry| entry.path());
            named.into_iter().chain(others).collect::<Vec<PathBuf>>()
        });
        let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(|name| ground.environment.get(name));
        let mut all = own.filter(|dir| dir.join("pyvenv.cfg").is_file()).chain(active.map(PathBuf::from));
        let program = |dir: PathBuf| {
            let program = dir.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
            program.exists().then(|| Self { program: program.to_string_lossy().into_owned(), environment: Some(dir) })
        };
        if let Some(python) = all.find_map(program) {
            return Ok(python);
        }
        let on_path = ["python3", "python"].into_iter().find_map(|name| ground.environment.find_program(name));
        let found = on_path.map(|path| Self { program: path.to_string_lossy().into_owned(), environment: None });
        found.ok_or_else(|| {
            NotRun::new(
                "there is no Python: no environment in the project, none active, no `python3` on `PATH`",
                "install Python, or make an environment: `python3 -m venv .venv`",
            )
        })
    }

    /// Returns a program of it that finds the project's modules in the ground, before those that are installed.
    pub(super) fn program(&self, ground: &ProgramTree<'_>, words: &[&str]) -> Program {
        self.program_from(ground, None, words)
    }

    /// The same for modules that are looked for in a directory before all others.
    pub(super) fn program_from(&self, ground: &ProgramTree<'_>, from: Option<&AbsPath>, words: &[&str]) -> Program {
        let words = std::iter::once(self.program.as_str()).chain(words.iter().copied());
        let mut roots: Vec<PathBuf> = from.map(|dir| dir.as_path().to_owned()).into_iter().collect();
        roots.push(ground.scratch.clone());
        // What is installed so that it can be edited leads to the project, and not to the copy.
        if ground.original.is_some() {
            roots.extend(
                ["src", "lib", ""].map(|name| ground.root.as_path().join(name)).into_iter().filter(|it| it.is_dir()),
            );
        }
        let path = before(roots, ground.environment.get("PYTHONPATH"));
        let original = ground.original.as_ref().map(ToString::to_string).unwrap_or_default();
        let program = Program::new(words).with("PYTHONPATH", path).with("LSPWRIGHT_ORIGINAL", original);
        let program = program.with("LSPWRIGHT_REPORT", ground.scratch(REPORT)).with("PYTHONIOENCODING", "utf-8");
        match &self.environment {
            Some(dir) => {
                let bin = dir.join(if cfg!(windows) { "Scripts" } else { "bin" });
                let path = before([bin], ground.environment.get("PATH"));
                program.with("VIRTUAL_ENV", dir.to_string_lossy().into_owned()).with("PATH", path)
            }
            None => program,
        }
    }

    async fn has_pytest(&self, ground: &ProgramTree<'_>, dir: &AbsPath) -> Result<bool, NotRun> {
        let question = "import importlib.util, sys; sys.exit(0 if importlib.util.find_spec('pytest') else 9)";
        let ran = ground.run(self.program(ground, &["-c", question]), dir).await?;
        match ran.status.and_then(|status| status.code()) {
            Some(0) => Ok(true),
            Some(9) => Ok(false),
            _ => Err(NotRun::new(
                format!("`{}` does not run: {}", self.program, ran.last_words(LAST_WORDS)),
                "fix the environment, or make another one: `python3 -m venv .venv`",
            )),
        }
    }
}

/// Tells whether a file may hold tests, by its name.
pub(super) fn is_test(path: &AbsPath) -> bool {
    let name = path.file_name();
    Language::of_path(path) == Some(Language::Python) && (name.starts_with("test") || name.ends_with("_test.py"))
}

/// Runs the tests below a directory.
pub(super) async fn test(ground: &ProgramTree<'_>, dir: &AbsPath, wanted: &TestSelection) -> Result<Tested, NotRun> {
    let python = Python::of(ground, dir)?;
    let report = ground.fresh(REPORT);
    let path = wanted.path.as_ref().filter(|path| path.is_below(dir)).unwrap_or(dir);
    let filter = wanted.filter.as_deref().unwrap_or_default();
    let (command, ran) = if python.has_pytest(ground, dir).await? {
        ground.lay("lspwright_pytest.py", PLUGIN)?;
        let mut words = vec!["-m", "pytest", "-p", "lspwright_pytest"];
        // Without one, pytest looks where its settings say.
        words.extend((path != dir).then_some(path.as_str()));
        let command = format!("{} -m pytest in {}", python.program, ground.shown(dir));
        (command, ground.run(python.program(ground, &words).with("LSPWRIGHT_FILTER", filter), dir).await?)
    } else if wants_pytest(ground, dir) {
        let reason =
            format!("the tests in `{}` are written for pytest, and `{}` has none", ground.shown(dir), python.program);
        return Err(NotRun::new(
            reason,
            format!(
                "`{} -m pip install pytest` and what else the tests need, or make an \
            environment in the project: `python3 -m venv .venv`",
                python.program
            ),
        ));
    } else {
        let script = ground.lay("lspwright_unittest.py", RUNNER)?;
        let command = format!("{} -m unittest in {}", python.program, ground.shown(dir));
        let program = python.program(ground, &[&script, path.as_str()]).with("LSPWRIGHT_FILTER", filter);
        (command, ground.run(program, dir).await?)
    };
    let report = read_text(report.as_ref()).unwrap_or_default();
    let tested = Tested::read(command, &report, &ran);
    if tested.results.is_empty() { Err(none(ground, &tested, &ran)) } else { Ok(tested) }
}

fn none(ground: &ProgramTree<'_>, tested: &Tested, ran: &Ran) -> NotRun {
    match ran.status.and_then(|status| status.code()) {
        // What pytest says of a run that collected nothing; of unittest, since Python 3.12.
        Some(0 | 5) => NotRun::new(
            format!("`{}` found no test", tested.command),
            "name a file or a directory that holds tests, or another `filter` (`--filter`)",
        ),
        _ => ground.none(&tested.command, ran),
    }
}

/// Tells whether a test needs pytest: it takes it in, or is a function of its own, which unittest passes over.
fn wants_pytest(ground: &ProgramTree<'_>, dir: &AbsPath) -> bool {
    let says = |line: &str| {
        let taken_in = ["import pytest", "from pytest"].iter().any(|it| line.trim_start().starts_with(it));
        taken_in || ["def test_", "async def test_"].iter().any(|it| line.starts_with(it))
    };
    let is_written_so = |path: &AbsPath| read_text(path.as_path()).unwrap_or_default().lines().any(says);
    ground.below(dir).filter(|path| is_test(path)).any(is_written_so)
}

/// A row of our parser's report; places are counted from 1.
#[derive(Deserialize)]
struct Unparsed {
    file: String,
    line: u32,
    column: u32,
    message: String,
}

/// Reads what our parser says of a file that is no Python.
pub(super) fn problem(line: &str) -> Option<Problem> {
    let Unparsed { file, line, column, message } = serde_json::from_str(line).ok()?;
    let at = Position { line: line.saturating_sub(1), character: column.saturating_sub(1) };
    let (range, severity, source) = (Some(Range { start: at, end: at }), Severity::Error, Some("python".to_owned()));
    Some(Problem { path: AbsPath::new(&file).ok()?, range, severity, code: None, message, source })
}
