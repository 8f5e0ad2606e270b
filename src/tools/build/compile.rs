//! `compile`: what the project's compilers say when they go through all of it.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::CompileArgs;
use super::stand::Stand;
use crate::plan::{Problem, Severity};
use crate::programs::{Compiled, NotRun, compilations};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::syntax::Language;
use crate::text::AbsPath;
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::diagnostic::DiagnosticJson;
use crate::tools::said::shown;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ToolError};
use crate::verify::solidity_as_it_stands;

pub(in crate::tools) const COMPILE: Tool = Tool {
    name: "compile",
    title: "Compile",
    description: "Compiles the project or a part of it (cargo, its own tsc, solc; Python is parsed), unsaved drafts included: \
        this runs its compilers and build scripts.",
    toolset: Toolset::Build,
    effect: Effect::Runs,
    input: || tidy(schema_of_input::<CompileArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<CompiledJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&compile(context, parse(args)?).await?) }),
};

#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(title = "Compiled")]
pub struct CompiledJson {
    /// All was compiled, without an error.
    pub success: bool,
    /// What was run, and where.
    pub ran: Vec<String>,
    /// Of the last compiler that found errors, else 0.
    pub exit_code: Option<i32>,
    /// What was not compiled, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trouble: Vec<String>,
    /// Files whose drafts were compiled in the place of what is on the disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dirty: Vec<String>,
    /// Errors first.
    pub diagnostics: Vec<DiagnosticJson>,
    /// What they wrote beside what is read as diagnostics.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

const TIMEOUT: u64 = 300;
/// How much of an output is shown from its beginning and its end, in bytes.
const STDERR: (usize, usize) = (1_000, 2_000);

/// Compiles.
pub async fn compile(context: &Context, args: CompileArgs) -> Result<CompiledJson, ToolError> {
    let stand = Stand::of(context, args.project_root.as_deref(), args.path.as_deref()).await?;
    let ground = stand.ground(context, args.timeout.unwrap_or(TIMEOUT))?;
    let path = args.path.as_deref().map_or_else(|| Ok(ground.root.clone()), |path| stand.find(path))?;
    let output = args.output.as_deref().map(|dir| output(&stand, dir)).transpose()?;
    let found = compilations(&ground, &path);
    let contracts: Vec<AbsPath> = contracts(&stand, &path);
    if found.is_empty() && contracts.is_empty() {
        return Err(ToolError::invalid(format!("nothing in `{}` is compiled", stand.home(&path))).hint(
            "Rust (Cargo.toml), TypeScript (tsconfig.json), Solidity and Python are; `check` asks language servers",
        ));
    }
    if output.is_some() && !contracts.is_empty() && found.is_empty() {
        return Err(ToolError::invalid("what Solidity is compiled to is not written")
            .hint("leave `output` (`--to`) out; `forge build --out` writes it"));
    }
    let work = async {
        let _listening = stand.project.listen(Arc::clone(&context.sink));
        let mut all = Vec::new();
        for one in &found {
            context.sink.note(&format!("compiling {}", stand.home(&one.dir)));
            all.push(one.run(&ground, &path, output.as_ref()).await);
        }
        let solidity = match contracts.is_empty() {
            true => None,
            false => Some(solidity_as_it_stands(stand.project.session(), &contracts).await),
        };
        Ok((all, solidity))
    };
    let (mut all, solidity) = context.unless_cancelled(work).await?;
    if output.is_some() && !contracts.is_empty() {
        let (reason, next) = ("what Solidity is compiled to is not written", "`forge build --out` writes it");
        all.push(Err(NotRun { reason: reason.to_owned(), next: next.to_owned() }));
    }
    answer(&stand, all, solidity)
}

/// Returns where the result is put: a directory, or none yet.
fn output(stand: &Stand, dir: &str) -> Result<AbsPath, ToolError> {
    let path = stand.project.root().join(dir)?;
    match path.as_path().metadata() {
        Ok(found) if !found.is_dir() => {
            Err(ToolError::invalid(format!("`{path}` is not a directory")).hint("`output` (`--to`) names a directory"))
        }
        _ => Ok(path),
    }
}

/// Lists the contracts that are meant, where they lie in the project.
fn contracts(stand: &Stand, path: &AbsPath) -> Vec<AbsPath> {
    let files = stand.project.session().disk().files();
    let path = stand.home(path);
    let is_meant = |file: &&AbsPath| file.is_below(&path) && Language::of_path(file) == Some(Language::Solidity);
    files.iter().map(|entry| &entry.path).filter(is_meant).cloned().collect()
}

fn answer(
    stand: &Stand,
    all: Vec<Result<Compiled, NotRun>>,
    solidity: Option<Result<(String, Vec<Problem>), String>>,
) -> Result<CompiledJson, ToolError> {
    let mut json = CompiledJson { dirty: stand.dirty.clone(), exit_code: Some(0), ..CompiledJson::default() };
    let mut problems: Vec<Problem> = Vec::new();
    let mut not_run: Vec<NotRun> = Vec::new();
    for compiled in all {
        match compiled {
            Ok(compiled) => {
                json.ran.push(stand.told(&compiled.command));
                if !compiled.ran.status.is_some_and(|status| status.success()) {
                    json.exit_code = compiled.ran.status.and_then(|status| status.code());
                    json.stderr = stand.told(&shown(&compiled.ran.stderr, STDERR).0);
                }
                let home = compiled.problems.into_iter();
                problems.extend(home.map(|problem| Problem { path: stand.home(&problem.path), ..problem }));
            }
            Err(why) => not_run.push(why),
        }
    }
    match solidity {
        Some(Ok((command, found))) => {
            json.ran.push(command);
            if !found.is_empty() {
                json.exit_code = Some(1);
            }
            problems.extend(found);
        }
        Some(Err(reason)) => {
            not_run.push(NotRun { reason, next: "`lspwright doctor` tells what is missing".to_owned() });
        }
        None => {}
    }
    if json.ran.is_empty()
        && let Some(first) = not_run.first()
    {
        return Err(not_run[1..].iter().fold(super::run::not_run(stand, first), |error: ToolError, why| {
            error.hint(stand.told(&format!("{}; {}", why.reason, why.next)))
        }));
    }
    json.trouble = not_run.iter().map(|why| stand.told(&format!("{}; {}", why.reason, why.next))).collect();
    problems.sort_by(|one, other| (one.severity, one).cmp(&(other.severity, other)));
    problems.dedup();
    let is_error = |problem: &Problem| problem.severity == Severity::Error;
    json.success = json.trouble.is_empty() && !problems.iter().any(is_error);
    json.diagnostics = problems.iter().map(|problem| DiagnosticJson::of(problem, stand.project.root())).collect();
    Ok(json)
}
