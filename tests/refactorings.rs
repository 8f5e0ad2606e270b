//! Refactorings told as text files, each a small program: it is run before and after, and must say the same.
//!
//! ```text
//! Why this case is here.
//!
//! > extract-function main.py#L3-L4 --name total
//! -- main.py --
//! print("…")
//! -- expect --
//! a diff without context, or `refused: …`
//! ```
//! Words with blanks stand in double quotes, in which `\"` is a quote and `\n` ends a line. A plan that comes out has to
//! be clean by the servers' diagnostics, to be applied to the files, and to leave `main` with the output that it had.
//! Contracts are compiled instead, and it is told whether their code stays the same. Where the last part is called
//! `shown`, the diff has its context: this is the example on the refactoring's page in `docs/catalog` (`tests/book.rs`).
//! `--force` at the end goes on in spite of doubts. `CASE=name` runs one case, `UPDATE=1` writes what came out into the files.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;

use lspwright::lsp::provision::installed_at;
use lspwright::lsp::{Guard, ServerName, Solc};
use lspwright::plan::{Level, Status, WarningKind};
use lspwright::refactor::catalog::refactoring::Category;
use lspwright::session::Session;
use lspwright::solidity::{Imports, Project, SourceId};
use lspwright::syntax::Family;
use lspwright::text::AbsPath;
use lspwright::tools::refactor::{ListArgs, PreviewArgs, Words, named, offered, planned};
use lspwright::tools::{Context, Planned, Projects, Setup, Sink, ToolError, Trust};
use lspwright::verify::Check;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::support;
use crate::written::{Written, clear};

/// Makes a test for each chapter of the catalog, so that they run side by side.
macro_rules! chapters {
    ($language:ident) => {
        mod $language {
            use lspwright::refactor::catalog::refactoring::Category;

            #[test]
            fn composing_methods() {
                super::run(stringify!($language), Category::Composing);
            }

            #[test]
            fn moving_features() {
                super::run(stringify!($language), Category::Moving);
            }

            #[test]
            fn conditionals() {
                super::run(stringify!($language), Category::Conditionals);
            }

            #[test]
            fn method_calls() {
                super::run(stringify!($language), Category::Calls);
            }

            #[test]
            fn generalization() {
                super::run(stringify!($language), Category::Generalization);
            }

            #[test]
            fn organizing_data() {
                super::run(stringify!($language), Category::Data);
            }

            #[test]
            fn beyond() {
                super::run(stringify!($language), Category::Beyond);
            }
        }
    };
}

chapters!(python);
chapters!(typescript);
chapters!(solidity);

struct Case {
    written: Written,
    command: Vec<String>,
}

struct Quiet;

impl Sink for Quiet {
    fn note(&self, _note: &str) {}
}

/// Runs every case of a language and a chapter in one session, the project rewritten between them as an editor would.
fn run(language: &str, chapter: Category) {
    let written = Written::all(&format!("refactor/{language}")).into_iter().filter(Written::is_wanted).map(Case::new);
    let cases: Vec<Case> = written.filter(|case| named(&case.command[0]).unwrap().category == chapter).collect();
    let project = tempfile::tempdir().unwrap();
    // tsserver watches nothing right below the places where home directories lie, and would not hear of new files.
    let root = project.path().canonicalize().unwrap().join("home/project");
    std::fs::create_dir_all(&root).unwrap();
    let failures = support::block_on(async {
        let setup = Setup { guard: Guard::at(env!("CARGO_BIN_EXE_lspwright")), ..Setup::of_process(Trust::Nothing) };
        let projects = Arc::new(Projects::new(setup));
        let context = Context {
            projects: Arc::clone(&projects),
            sink: Arc::new(Quiet),
            around: Vec::new(),
            command: None,
            desk: Arc::default(),
            cancelled: CancellationToken::new(),
            entered: Arc::default(),
        };
        let programs = match language {
            "python" => Programs::Of(Family::Python, RefCell::default()),
            "typescript" => Programs::Of(Family::Script, RefCell::default()),
            _ => Programs::Contracts,
        };
        let mut failures = String::new();
        for case in &cases {
            if let Err(failure) = case.run(&context, &root, &programs).await {
                writeln!(failures, "{}:\n{failure}", case.written.file.display()).unwrap();
            }
        }
        projects.close().await;
        failures
    });
    assert!(failures.is_empty(), "{failures}");
}

impl Case {
    fn new(written: Written) -> Self {
        let command = words(&written.command);
        Self { written, command }
    }

    async fn run(&self, context: &Context, root: &Path, programs: &Programs) -> Result<(), String> {
        self.write(root);
        let got = match planned(context, &self.args(root)).await {
            Ok(plan) => {
                self.check_offered(context, root).await?;
                self.carried_out(context, plan, root, programs).await?
            }
            Err(error) => refused(&error, root),
        };
        self.written.judge(&got)
    }

    /// What is carried out is among what could be done at its place.
    async fn check_offered(&self, context: &Context, root: &Path) -> Result<(), String> {
        let (name, target) = (named(&self.command[0]).unwrap().name, self.command[1].clone());
        let project_root = Some(root.to_str().unwrap().to_owned());
        let wanted = ListArgs { target: Some(target.clone()), project_root, ..ListArgs::default() };
        let answer = offered(context, &wanted, (&target, Words::Shell)).await.map_err(|error| error.to_string())?;
        let names: Vec<&str> = answer.possible.iter().map(|row| row.name).collect();
        if names.contains(&name) { Ok(()) } else { Err(format!("`{name}` is not offered there, but {names:?}")) }
    }

    /// Checks a plan, applies it and runs the program before and after; returns the plan as it is expected.
    async fn carried_out(
        &self,
        context: &Context,
        planned: Planned,
        root: &Path,
        programs: &Programs,
    ) -> Result<String, String> {
        let shown = shown(&planned, &self.written);
        if matches!(programs, Programs::Contracts) {
            let before = contracts(root).await;
            planned.project.apply(&planned.plan).map_err(|error| error.to_string())?;
            return compared(&planned, &before, &contracts(root).await, shown);
        }
        let check = Check { level: Level::Diagnostics, ..Check::default() };
        let planned = planned.checked(context, &check).await.map_err(|error| error.to_string())?;
        let found = planned.verification.as_ref().expect("the plan was checked");
        if !matches!(found.status, Status::Clean | Status::Possible) {
            let reason = found.reason.as_deref().unwrap_or_default();
            return Err(format!("{reason}{}\n{shown}", planned.remarks().join("\n")));
        }
        let before = programs.output(root);
        assert!(!before.is_empty(), "{}: the program says nothing", self.written.file.display());
        planned.project.apply(&planned.plan).map_err(|error| error.to_string())?;
        let after = programs.output(root);
        if before == after { Ok(shown) } else { Err(format!("before:\n{before}\nafter:\n{after}\n{shown}")) }
    }

    /// Writes the case's files and takes away all others.
    fn write(&self, root: &Path) {
        clear(root);
        for (name, text) in &self.written.files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text.replace("\\r\n", "\r\n")).unwrap();
        }
    }

    fn args(&self, root: &Path) -> PreviewArgs {
        let mut params = Map::new();
        let force = self.command.last().is_some_and(|word| word == "--force");
        for pair in self.command[2..self.command.len() - usize::from(force)].chunks(2) {
            let value = pair.get(1).cloned().unwrap_or_else(|| "true".to_owned());
            params.insert(pair[0].trim_start_matches("--").to_owned(), Value::String(value));
        }
        PreviewArgs {
            project_root: Some(root.to_str().unwrap().to_owned()),
            refactoring: Some(self.command[0].clone()),
            target: Some(self.command[1].clone()),
            params,
            steps: Vec::new(),
            verify: Default::default(),
            detail: Default::default(),
            force,
            explain: false,
        }
    }
}

/// Splits a command at its blanks as a shell does, but not inside quotes.
pub(crate) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut begun) = (Vec::new(), String::new(), None, false);
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\'' if quoted.is_none_or(|quote| quote == character) => {
                (quoted, begun) = (quoted.xor(Some(character)), true);
            }
            '\\' if quoted != Some('\'') => word.push(match characters.next() {
                Some('n') => '\n',
                other => other.unwrap_or('\\'),
            }),
            ' ' if quoted.is_none() => {
                words.extend((begun || !word.is_empty()).then(|| std::mem::take(&mut word)));
                begun = false;
            }
            _ => word.push(character),
        }
    }
    words.extend((begun || !word.is_empty()).then_some(word));
    words
}

/// What runs the programs of cases: of each, `main` and all that it imports.
enum Programs {
    /// The process starts with the first program, when servers have been installed.
    Of(Family, RefCell<Option<Runner>>),
    /// These are compiled and compared.
    Contracts,
}

impl Programs {
    /// Runs the program of a directory and returns all that it says.
    fn output(&self, root: &Path) -> String {
        let Self::Of(family, runner) = self else { unreachable!("contracts say nothing") };
        runner.borrow_mut().get_or_insert_with(|| Runner::start(*family)).output(root)
    }
}

/// A process that has interpreter and compiler loaded, and runs one program after the other.
struct Runner {
    process: Child,
    said: BufReader<ChildStdout>,
}

impl Runner {
    fn start(family: Family) -> Self {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refactor");
        let mut command = match family {
            Family::Python => {
                let mut python = Command::new("python3");
                python.arg(own.join("run.py"));
                python
            }
            _ => {
                let options = support::options();
                let name = ServerName::new("typescript-language-server");
                let server = options.config.server(&name).expect("the server for TypeScript is known");
                let installed = installed_at(server, &options.dirs).expect("its installation has a place");
                let mut node = Command::new("node");
                node.arg(own.join("run.mjs")).arg(installed.as_path().join("node_modules/typescript"));
                node
            }
        };
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(process.stdout.take().unwrap());
        Self { process, said }
    }

    fn output(&mut self, root: &Path) -> String {
        writeln!(self.process.stdin.as_ref().unwrap(), "{}", root.display()).unwrap();
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        let ran: Value = serde_json::from_str(&line).expect("the runner of programs answers");
        let text = |key: &str| ran[key].as_str().unwrap().to_owned();
        assert!(ran["ok"] == true, "{}{}", text("stdout"), text("stderr"));
        text("stdout")
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What each contract is compiled to: how it is called from outside, and its optimised code.
type Contracts = BTreeMap<String, (Value, Value)>;

/// Compiles all sources, through the compiler's intermediate language, so that what only reads differently is the same.
async fn contracts(root: &Path) -> Contracts {
    let mut sources = BTreeMap::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        if path.extension().is_some_and(|extension| extension == "sol") {
            let text = Arc::from(std::fs::read_to_string(path).unwrap());
            sources.insert(SourceId::new(name.to_str().unwrap()), text);
        }
    }
    let project = Project::new(sources, Imports::default());
    let all: BTreeSet<SourceId> = project.ids().cloned().collect();
    let root = AbsPath::new(root.to_str().unwrap()).unwrap();
    let session = Session::open(&root, support::options()).unwrap();
    let mut contracts = Contracts::new();
    for (version, unit) in project.units(&all, None) {
        let settings = json!({
            "viaIR": true,
            "optimizer": {"enabled": true},
            "metadata": {"bytecodeHash": "none", "appendCBOR": false},
            "outputSelection": {"*": {"*": ["abi", "evm.bytecode.object"]}},
        });
        let solc = session.solc(&version.to_string()).await.unwrap();
        let answer = solc.answer(&Solc::input(&project, &unit, settings), &session.options().guard).await.unwrap();
        let errors = answer["errors"].as_array().into_iter().flatten();
        let errors: Vec<&Value> = errors.filter(|error| error["severity"] == "error").collect();
        assert!(errors.is_empty(), "{errors:?}");
        for (name, contract) in answer["contracts"]
            .as_object()
            .into_iter()
            .flatten()
            .flat_map(|(_, all)| all.as_object().into_iter().flatten())
        {
            let compiled = (contract["abi"].clone(), contract["evm"]["bytecode"]["object"].clone());
            contracts.insert(name.clone(), compiled);
        }
    }
    contracts
}

/// Says of each contract whether it is called as before, and whether its code is what it was.
fn compared(planned: &Planned, before: &Contracts, after: &Contracts, mut shown: String) -> Result<String, String> {
    let warned = planned.plan.warnings().iter().any(|warning| warning.kind == WarningKind::InterfaceChanged);
    for (name, (abi, code)) in before {
        let Some((new_abi, new_code)) = after.get(name) else { return Err(format!("`{name}` is gone\n{shown}")) };
        if abi != new_abi && !warned {
            return Err(format!("`{name}` is called otherwise, and nobody says so\n{shown}"));
        }
        let called = if abi == new_abi { "as before" } else { "otherwise" };
        let compiled = if code == new_code { "the same" } else { "other" };
        writeln!(shown, "{name}: called {called}, {compiled} code").unwrap();
    }
    Ok(shown)
}

/// A plan as a case expects it: its diff, without context unless a page shows it, and its warnings.
fn shown(planned: &Planned, case: &Written) -> String {
    let diff = lspwright::render::diff(&planned.plan, planned.project.root());
    let lines = diff.lines().filter(|line| case.is_shown || !line.starts_with(' '));
    let mut shown: String = lines.map(|line| format!("{line}\n")).collect();
    for warning in planned.plan.warnings() {
        writeln!(shown, "warning {}: {}", warning.kind.as_str(), warning.message).unwrap();
    }
    shown
}

fn refused(error: &ToolError, root: &Path) -> String {
    format!("refused: {}\n", error.message.replace(&format!("{}/", root.display()), ""))
}
