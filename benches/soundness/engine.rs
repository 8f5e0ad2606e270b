//! Who answers the trials: the library, or one of two stand-ins that show whether the benchmark can see.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lspwright::lsp::Guard;
use lspwright::plan::{Level, Move, Parts, Plan, Problem, Status, Verification};
use lspwright::text::{AbsPath, ContentHash, Span, Text, TextEdit};
use lspwright::tools::{Context, ErrorKind, Planned, Projects, Setup, Sink, ToolError, Trust, plan, refactor};
use lspwright::verify::{Check, PlanOrigin};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::recipes::Attempt;
use crate::trials::Trial;
use crate::{Engine, Options};

/// What was answered.
pub enum Answer {
    Plan(Box<Plan>),
    Refused(String),
    /// A plan, and what the library's own verification found wrong with it.
    Flagged(Box<Plan>, Vec<String>),
    /// Not an answer: the engine itself failed.
    Failed(String),
}

/// Renames only the place that was asked for, moves only the files: nearly every plan is unsound, and the
/// benchmark has to say so.
pub fn careless(trial: &Trial) -> Result<Plan, String> {
    let mut parts = Parts::default();
    match trial {
        Trial::Rename { path, offset, old, new, .. } => {
            let path = AbsPath::new(path).map_err(|error| error.to_string())?;
            let bytes = std::fs::read(path.as_path()).map_err(|error| error.to_string())?;
            let text = Text::decode(bytes).map_err(|error| error.to_string())?;
            let edit = TextEdit::new(Span::new(*offset, offset + old.len()), new.clone());
            parts.edits = BTreeMap::from([(path, (text.into(), vec![edit]))]);
        }
        Trial::Refactor(_) => return Err("the careless engine knows no refactorings".to_owned()),
        Trial::Move { from, to, .. } => {
            let files = if from.is_dir() {
                crate::tree::files_below(from, &["py", "ts", "tsx", "js", "sol"])
            } else {
                vec![from.clone()]
            };
            for file in files {
                let target =
                    if from.is_dir() { to.join(file.strip_prefix(from).expect("it lies below")) } else { to.clone() };
                let before = ContentHash::of(&std::fs::read(&file).map_err(|error| error.to_string())?);
                let absolute = |path| AbsPath::new(path).map_err(|error| error.to_string());
                parts.moves.insert(absolute(file)?, Move { to: absolute(target)?, before });
            }
        }
    }
    Plan::new(parts).map_err(|error| error.to_string())
}

/// The engine of one package's trials.
pub enum Planner {
    Nothing,
    Careless,
    Library(Box<Library>),
}

/// lspwright with one project open, used as its faces use it.
pub struct Library {
    runtime: tokio::runtime::Runtime,
    context: Context,
    root: AbsPath,
    level: Level,
}

impl Planner {
    pub fn open(options: &Options, root: &AbsPath) -> Result<Self, String> {
        match options.engine {
            Engine::Nothing => Ok(Self::Nothing),
            Engine::Careless => Ok(Self::Careless),
            Engine::Library => Ok(Self::Library(Box::new(Library::open(&options.verify, root)?))),
        }
    }

    /// Tells whether the answers are meant to do what was asked.
    pub fn is_real(&self) -> bool {
        matches!(self, Self::Library(_))
    }

    pub fn plan(&self, trial: &Trial) -> Answer {
        let plan = match self {
            Self::Nothing => Ok(Plan::default()),
            Self::Careless => careless(trial),
            Self::Library(library) => return library.plan(trial),
        };
        plan.map_or_else(Answer::Failed, |plan| Answer::Plan(Box::new(plan)))
    }
}

impl Library {
    pub fn open(level: &str, root: &AbsPath) -> Result<Self, String> {
        let known = Level::ALL.into_iter().find(|one| one.as_str() == level);
        let guard = Guard::at(env!("CARGO_BIN_EXE_lspwright"));
        let projects = Arc::new(Projects::new(Setup { guard, ..Setup::of_process(Trust::Nothing) }));
        let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
        let context = Context {
            projects,
            sink: Arc::new(Silent),
            around: Vec::new(),
            command: None,
            desk: Arc::default(),
            cancelled: CancellationToken::new(),
            entered: Arc::default(),
        };
        let level = known.ok_or_else(|| format!("`{level}` is no level"))?;
        Ok(Self { runtime, context, root: root.clone(), level })
    }

    fn plan(&self, trial: &Trial) -> Answer {
        match self.runtime.block_on(self.ask(trial)) {
            Ok(planned) => answer(planned),
            Err(error) if is_refusal(trial, &error) => Answer::Refused(said(&error)),
            Err(error) => Answer::Failed(said(&error)),
        }
    }

    /// Asks for a rename in another project that is open as well, without a check.
    pub fn rename(&self, root: &AbsPath, (path, offset): (&Path, usize), names: (&str, &str)) -> Answer {
        let work = async {
            let args = rename_args(root, (path, offset), names)?;
            plan::planned_rename(&self.context, args).await
        };
        match self.runtime.block_on(work) {
            Ok(planned) => Answer::Plan(Box::new(planned.plan)),
            Err(error) if error.kind == ErrorKind::Refused => Answer::Refused(said(&error)),
            Err(error) => Answer::Failed(said(&error)),
        }
    }

    /// Checks a plan as one that somebody else has made.
    pub fn verify(&self, plan: Plan) -> Result<Verification, String> {
        let work = async {
            let project = self.context.project(self.root.as_str()).await?;
            let check = Check { level: Level::Diagnostics, origin: PlanOrigin::Elsewhere, ..Check::default() };
            Planned::unchecked(project, plan).checked(&self.context, &check).await
        };
        let planned = self.runtime.block_on(work).map_err(|error: ToolError| said(&error))?;
        planned.verification.ok_or_else(|| "the check gave no answer".to_owned())
    }

    async fn ask(&self, trial: &Trial) -> Result<Planned, ToolError> {
        let planned = match trial {
            Trial::Rename { path, offset, old, new, .. } => {
                let args = rename_args(&self.root, (path, *offset), (old, new))?;
                plan::planned_rename(&self.context, args).await?
            }
            Trial::Move { from, to, .. } => {
                let project = self.context.project(self.root.as_str()).await?;
                let ends = (AbsPath::new(from)?, AbsPath::new(to)?);
                plan::planned_move(&self.context, project, ends, plan::Documents::Told).await?
            }
            Trial::Refactor(attempt) => refactor::planned(&self.context, &self.refactor_args(attempt)?).await?,
        };
        planned.checked(&self.context, &Check { level: self.level, ..Check::default() }).await
    }

    fn refactor_args(&self, attempt: &Attempt) -> Result<refactor::PreviewArgs, ToolError> {
        let args = json!({
            "projectRoot": self.root.as_str(), "refactoring": attempt.name, "target": attempt.target,
            "params": attempt.params,
        });
        serde_json::from_value(args).map_err(|error| ToolError::invalid(error.to_string()))
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        self.runtime.block_on(self.context.projects.close());
    }
}

fn rename_args(
    root: &AbsPath,
    (path, offset): (&Path, usize),
    (old, new): (&str, &str),
) -> Result<plan::RenameArgs, ToolError> {
    let text =
        Text::decode(std::fs::read(path).unwrap_or_default()).map_err(|error| ToolError::invalid(error.to_string()))?;
    let position = text.position(offset).ok_or_else(|| ToolError::invalid("the place is outside the text"))?;
    let args = json!({
        "projectRoot": root.as_str(), "filePath": path, "line": position.line, "character": position.character,
        "newName": new, "expect": old,
    });
    serde_json::from_value(args).map_err(|error| ToolError::invalid(error.to_string()))
}

/// Hears what servers tell while they work, and says nothing.
struct Silent;

impl Sink for Silent {
    fn note(&self, _note: &str) {}
}

fn answer(planned: Planned) -> Answer {
    let plan = Box::new(planned.plan);
    match planned.verification {
        Some(found) if found.status == Status::Regressed => {
            let tell = |problem: &Problem| format!("{} {}", problem.path, problem.message);
            Answer::Flagged(plan, found.new_problems.iter().map(tell).collect())
        }
        _ => Answer::Plan(plan),
    }
}

/// A place chosen at random can be none that a refactoring is for, or have no name of its own.
fn is_refusal(trial: &Trial, error: &ToolError) -> bool {
    let is_misaimed = matches!(trial, Trial::Refactor(_)) && error.kind == ErrorKind::InvalidArguments;
    error.kind == ErrorKind::Refused || is_misaimed
}

fn said(error: &ToolError) -> String {
    format!("{:?}: {}", error.kind, error.message)
}
