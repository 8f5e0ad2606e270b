//! `run`: a file of the project as a program.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::args::RunArgs;
use super::stand::Stand;
use crate::lsp::Ran;
use crate::plan::Problem;
use crate::programs::{NotRun, start, trace};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::render::tokens;
use crate::tools::answer::Form;
use crate::tools::call::{parse, to_json};
use crate::tools::diagnostic::DiagnosticJson;
use crate::tools::said::shown;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ErrorKind, ToolError};

pub(in crate::tools) const RUN: Tool = Tool {
    name: "run",
    title: "Run a program",
    description: "Runs a file of the project (or a directory with `__main__.py`, `Cargo.toml`) as a program, unsaved drafts \
        included: this executes the project's code.",
    toolset: Toolset::Build,
    effect: Effect::Runs,
    input: || tidy(schema_of_input::<RunArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<RanJson>())),
    run: |context, args| Box::pin(async move { to_json(&run(context, parse(args)?).await?).map(Answer::Whole) }),
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Ran")]
pub struct RanJson {
    /// It ended by itself, with 0.
    pub success: bool,
    /// Nothing where a signal or its deadline ended it.
    pub exit_code: Option<i32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub timed_out: bool,
    /// Something in the middle of an output is left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// What was run, and where.
    pub ran: String,
    /// Files whose drafts were run in the place of what is on the disk, in a copy of the project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dirty: Vec<String>,
    /// Where in the project the error was that ended it, as its trace says.
    pub diagnostics: Vec<DiagnosticJson>,
    pub stdout: String,
    pub stderr: String,
}

const TIMEOUT: u64 = 30;
/// How much of an output is shown from its beginning and its end, in bytes.
const STDOUT: (usize, usize) = (3_000, 3_000);
const STDERR: (usize, usize) = (1_000, 2_000);

/// What both may cost, in tokens, beside what else is told.
const ROOM: usize = 4_000;

/// Runs a program.
pub async fn run(context: &Context, args: RunArgs) -> Result<RanJson, ToolError> {
    if args.args.iter().any(|arg| arg.contains('\0')) {
        return Err(ToolError::invalid("one of `args` has a NUL in it, which no program takes"));
    }
    let stand = Stand::of(context, args.project_root.as_deref(), Some(&args.path)).await?;
    let ground = stand.ground(context, args.timeout.unwrap_or(TIMEOUT))?;
    let path = stand.find(&args.path)?;
    let work = async {
        let started = start(&ground, &path, &args.args).await;
        let started = started.map_err(|why| not_run(&stand, &why))?;
        let command = format!("{} in {}", started.command, stand.home(&started.dir));
        let ran = started.run(&ground, args.stdin.unwrap_or_default().into_bytes()).await;
        Ok((command, ran.map_err(|why| not_run(&stand, &why))?))
    };
    let (command, ran) = context.unless_cancelled(work).await?;
    Ok(answer(&stand, &ground.root, command, &ran))
}

pub(super) fn not_run(stand: &Stand, why: &NotRun) -> ToolError {
    ToolError::new(ErrorKind::Environment, stand.told(&why.reason)).hint(stand.told(&why.next))
}

/// Shows as much of both outputs as there is room for: what is mostly numbers costs twice as much as prose.
fn fitted(ran: &Ran) -> [(String, bool); 2] {
    let mut part = 8;
    loop {
        let of = |(head, tail): (usize, usize)| (head * part / 8, tail * part / 8);
        let both = [shown(&ran.stdout, of(STDOUT)), shown(&ran.stderr, of(STDERR))];
        // As they are written in JSON: the end of a line is two characters there.
        let cost: usize = both.iter().map(|(text, _)| tokens(&Value::from(text.as_str()).to_string())).sum();
        if cost <= ROOM || part == 1 {
            return both;
        }
        part -= 1;
    }
}

fn answer(stand: &Stand, root: &crate::text::AbsPath, command: String, ran: &Ran) -> RanJson {
    let [(stdout, cuts_out), (stderr, cuts_errors)] = fitted(ran);
    let success = ran.status.is_some_and(|status| status.success());
    let found = if success { None } else { trace(&ran.stderr.text(), root) };
    let found = found.map(|problem| Problem { path: stand.home(&problem.path), ..problem });
    RanJson {
        success,
        exit_code: ran.status.and_then(|status| status.code()),
        timed_out: ran.status.is_none(),
        truncated: cuts_out || cuts_errors,
        ran: stand.told(&command),
        dirty: stand.dirty.clone(),
        diagnostics: found.iter().map(|problem| DiagnosticJson::of(problem, stand.project.root())).collect(),
        stdout: stand.told(&stdout),
        stderr: stand.told(&stderr),
    }
}
