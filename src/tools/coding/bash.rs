//! `bash`: one shell that stays, for each connection. Nothing that it runs is contained.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::answer::Form;
use super::super::call::{parse, to_json};
use super::super::schema::tidy;
use super::super::tool::{Effect, Tool, Toolset};
use super::place::base;
use crate::lsp::{End, Heard, RunError, Shell};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::tools::said::shown;
use crate::tools::{Answer, Context, ErrorKind, ToolError};

pub(in crate::tools) const BASH: Tool = Tool {
    name: "bash",
    title: "Run a command",
    description: "Runs a command in one bash that stays: directory, variables, functions and background jobs last. It begins \
        in the project; there is no terminal and no input.",
    toolset: Toolset::Coding,
    effect: Effect::Runs,
    input: || {
        let mut schema = tidy(schema_of_input::<BashArgs>());
        schema["required"] = json!(["command"]);
        schema
    },
    form: Form::Json(|| tidy(schema_of_output::<BashJson>())),
    run: |context, args| Box::pin(async move { to_json(&bash(context, parse(args)?).await?).map(Answer::Whole) }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BashArgs {
    /// Comes with every call of a server that was started for one project.
    #[serde(rename = "projectRoot")]
    #[schemars(skip)]
    project_root: Option<String>,
    /// May be left out with restart.
    #[serde(default)]
    command: String,
    /// Ends the shell with all that it runs, and starts another.
    #[serde(default)]
    restart: bool,
    /// Seconds; 120.
    timeout: Option<u64>,
}

/// What a command wrote, and how it ended.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Ran")]
struct BashJson {
    stdout: String,
    stderr: String,
    /// 128 and the signal's number after a signal; 124 where it was ended.
    exit_code: i32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    timed_out: bool,
    /// Something in the middle of an output is left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

const TIMEOUT: u64 = 120;
const LONGEST: u64 = 24 * 3600;
/// How much of an output is shown from its beginning and its end, in bytes.
const STDOUT: (usize, usize) = (7_000, 4_000);
const STDERR: (usize, usize) = (2_000, 3_000);
/// What `timeout` of the GNU core utilities says of what it ended.
const ENDED: i32 = 124;
/// What a shell says of a program that cannot be found.
const UNKNOWN: i32 = 127;

/// What programs do not ask for, and do not page, where nobody is there.
const QUIET: [(&str, &str); 5] =
    [("TERM", "dumb"), ("PAGER", "cat"), ("GIT_PAGER", "cat"), ("MANPAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0")];

async fn bash(context: &Context, args: BashArgs) -> Result<BashJson, ToolError> {
    let seconds = args.timeout.unwrap_or(TIMEOUT);
    if !(1..=LONGEST).contains(&seconds) {
        let bounds = format!("`timeout` is {seconds}; it is a number of seconds from 1 to {LONGEST}");
        return Err(ToolError::invalid(bounds));
    }
    if args.command.contains('\0') {
        return Err(ToolError::invalid("`command` has a NUL in it, which no shell takes"));
    }
    if args.command.trim().is_empty() && !args.restart {
        return Err(ToolError::invalid("`command` is empty").hint("give a command, or `restart: true`"));
    }
    // One command after the other; who waits can be called off, too.
    let mut kept = context.unless_cancelled(async { Ok(context.desk.shell.lock().await) }).await?;
    let mut notes = Vec::new();
    if args.restart
        && let Some(shell) = kept.take()
    {
        shell.end().await;
    }
    if kept.take_if(|shell| !shell.is_usable()).is_some() {
        notes.push("the shell had been killed: this is a new one, in the project".to_owned());
    }
    let mut shell = match kept.take() {
        Some(shell) => shell,
        None => started(context, args.project_root.as_deref()).await?,
    };
    if args.restart {
        notes.push("the shell was started anew".to_owned());
    }
    if args.command.trim().is_empty() {
        *kept = Some(shell);
        return Ok(BashJson {
            stdout: String::new(),
            stderr: told(&notes),
            exit_code: 0,
            timed_out: false,
            truncated: false,
        });
    }
    let heard = shell.run(&args.command, Duration::from_secs(seconds), context.cancelled.cancelled()).await;
    if shell.is_usable() {
        *kept = Some(shell);
    } else {
        shell.end().await;
    }
    if context.cancelled.is_cancelled() {
        return Err(ToolError::cancelled());
    }
    Ok(answer(&heard, seconds, notes))
}

async fn started(context: &Context, root: Option<&str>) -> Result<Shell, ToolError> {
    let setup = context.projects.setup();
    let mut dir = base(context, root)?;
    if root.is_some() {
        dir = context.projects.admitted(&dir)?.root().clone();
    }
    let mut environment = (*setup.environment).clone();
    environment.0.extend(QUIET.map(|(name, value)| (name.to_owned(), value.to_owned())));
    Shell::start(dir.as_path(), &environment, &setup.guard).await.map_err(|error| match error {
        RunError::Missing(_) => ToolError::new(ErrorKind::Environment, "there is no `bash` on `PATH`")
            .hint("install bash, or leave the toolset `coding` out"),
        other => ToolError::new(ErrorKind::Environment, format!("bash cannot be started in `{dir}`: {other}")),
    })
}

fn answer(heard: &Heard, seconds: u64, mut notes: Vec<String>) -> BashJson {
    let (stdout, cuts_out) = shown(&heard.stdout, STDOUT);
    let (stderr, cuts_errors) = shown(&heard.stderr, STDERR);
    let mut stderr = without_noise(stderr);
    let lost = "its directory, variables and jobs are lost: the next command gets a new one, in the project";
    let exit_code = match heard.end {
        End::Done(status) => status,
        End::BrokenOff => {
            notes.push(format!(
                "ended after {seconds} s with all that it had started; the shell lives on. Nothing can be typed here: run \
                 what waits for input without asking, what serves with `&`, or give a longer `timeout`"
            ));
            ENDED
        }
        End::Killed => {
            notes.push(format!("ended after {seconds} s, and with it the shell, which did not let go; {lost}"));
            ENDED
        }
        End::Left(status) => {
            // An interactive shell says so itself.
            stderr.truncate(stderr.strip_suffix("exit\n").unwrap_or(&stderr).len());
            notes.push(format!("the shell ended; {lost}"));
            status.unwrap_or(UNKNOWN)
        }
    };
    if !stderr.is_empty() && !stderr.ends_with('\n') && !notes.is_empty() {
        stderr.push('\n');
    }
    BashJson {
        stdout,
        stderr: stderr + &told(&notes),
        exit_code,
        timed_out: matches!(heard.end, End::BrokenOff | End::Killed),
        truncated: cuts_out || cuts_errors,
    }
}

/// Leaves out what bash says after a command was broken off, because it has no terminal to set right.
fn without_noise(stderr: String) -> String {
    const NOISE: &str = "] tcsetattr: Inappropriate ioctl for device";
    if !stderr.contains(NOISE) {
        return stderr;
    }
    let is_noise = |line: &&str| line.starts_with("bash: [") && line.trim_end().ends_with(NOISE);
    stderr.split_inclusive('\n').filter(|line| !is_noise(line)).collect()
}

/// What lspwright says itself, marked as such.
fn told(notes: &[String]) -> String {
    notes.iter().map(|note| format!("[lspwright: {note}]\n")).collect()
}
