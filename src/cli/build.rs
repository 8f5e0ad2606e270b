//! `check`, `test`, `run`, `compile` and `pretty-print`: whether the project holds as it stands, drafts included.

use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Check, Common, Compile, Pretty, Run, Test};
use super::root;
use super::screen::Screen;
use super::work::working;
use crate::tools::build::{self, CheckArgs, CompileArgs, PrettyArgs, RunArgs, TestArgs, TestedJson};
use crate::tools::target::seen_from;
use crate::tools::{DiagnosticJson, ToolError};

const NO_PLAN: &str = "nothing is changed here: there is no diff and no patch";

pub(super) async fn check(common: &Common, args: Check, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    screen.wants_answer(NO_PLAN)?;
    let path = args.path.as_deref().map(|path| root::existing(common, path)).transpose()?;
    let project_root = Some(root::project(common, path.as_ref())?.to_string());
    let asked = CheckArgs { project_root, path: path.map(|path| path.to_string()) };
    let checked = working(common, screen, async |context| build::check(context, asked).await).await?;
    for gap in &checked.not_looked_at {
        screen.remark(&format!("not looked at: {}: {}", gap.what, gap.reason));
    }
    for path in &checked.dirty {
        screen.remark(&format!("looked at the draft of {path}"));
    }
    screen.remark(&checked.summary);
    match screen.output {
        None => screen.print(&lines(&checked.diagnostics))?,
        Some(_) => screen.print_answer(&checked, NO_PLAN)?,
    };
    let has_errors = checked.diagnostics.iter().any(|it| it.severity == "error");
    Ok(ExitCode::from(match (has_errors, checked.not_looked_at.is_empty()) {
        (true, _) => 1,
        (false, true) => 0,
        (false, false) => 3,
    }))
}

/// Writes findings as compilers do.
fn lines(diagnostics: &[DiagnosticJson]) -> String {
    diagnostics.iter().map(|it| it.line() + "\n").collect()
}

pub(super) async fn test(common: &Common, args: Test, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    screen.wants_answer(NO_PLAN)?;
    let path = args.path.as_deref().map(|path| root::existing(common, path)).transpose()?;
    let project_root = Some(root::project(common, path.as_ref())?.to_string());
    let path = path.map(|path| path.to_string());
    let asked = TestArgs { project_root, path, filter: args.filter, limit: Some(usize::MAX), timeout: args.timeout };
    let tested = working(common, screen, async |context| build::test(context, asked).await).await?;
    for command in &tested.ran {
        screen.remark(&format!("ran {command}"));
    }
    for path in &tested.dirty {
        screen.remark(&format!("tested the draft of {path}"));
    }
    match screen.output {
        None => screen.print(&report(&tested))?,
        Some(_) => screen.print_answer(&tested, NO_PLAN)?,
    };
    for trouble in &tested.trouble {
        screen.remark(trouble);
    }
    Ok(ExitCode::from(match (tested.success, tested.failed) {
        (true, _) => 0,
        (false, 0) if tested.diagnostics.is_empty() => 3,
        (false, _) => 1,
    }))
}

/// Writes what failed, and how many tests there were.
fn report(tested: &TestedJson) -> String {
    let failed = tested.results.iter().filter(|result| !result.passed && !result.skipped);
    let failed = failed.map(|result| {
        let place = match (&result.file, result.line) {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            (Some(file), None) => format!(" ({file})"),
            (None, _) => String::new(),
        };
        let output = result.output.as_deref().unwrap_or_default().trim_end();
        format!("failed: {}{place}\n{output}\n\n", result.name)
    });
    let errors = tested.diagnostics.iter().filter(|it| it.severity == "error").map(|it| it.line() + "\n");
    let counts = format!("{} passed, {} failed, {} skipped\n", tested.passed, tested.failed, tested.skipped);
    errors.chain(failed).chain([counts]).collect()
}

pub(super) async fn run(common: &Common, args: Run, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    screen.wants_answer(NO_PLAN)?;
    let path = root::existing(common, &args.path)?;
    let project_root = Some(root::project(common, Some(&path))?.to_string());
    let stdin = args.stdin.as_deref().map(|file| common.caller.read(file)).transpose()?;
    let asked = RunArgs { project_root, path: path.to_string(), args: args.args, timeout: args.timeout, stdin };
    let ran = working(common, screen, async |context| build::run(context, asked).await).await?;
    screen.remark(&format!("ran {}", ran.ran));
    for path in &ran.dirty {
        screen.remark(&format!("ran with the draft of {path}"));
    }
    match screen.output {
        None => {
            screen.print(&ran.stdout)?;
            screen.print_beside(&ran.stderr);
        }
        Some(_) => drop(screen.print_answer(&ran, NO_PLAN)?),
    }
    if ran.timed_out {
        screen.remark("it timed out, and was ended with all that it had started (`--timeout`)");
    }
    Ok(ExitCode::from(u8::from(!ran.success)))
}

pub(super) async fn compile(common: &Common, args: Compile, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    screen.wants_answer(NO_PLAN)?;
    let path = args.path.as_deref().map(|path| root::existing(common, path)).transpose()?;
    let project_root = Some(root::project(common, path.as_ref())?.to_string());
    let output = args.to.map(|dir| common.caller.dir()?.join(dir).map_err(ToolError::from)).transpose()?;
    let (path, output) = (path.map(|path| path.to_string()), output.map(|path| path.to_string()));
    let asked = CompileArgs { project_root, path, output, timeout: args.timeout };
    let compiled = working(common, screen, async |context| build::compile(context, asked).await).await?;
    for command in &compiled.ran {
        screen.remark(&format!("ran {command}"));
    }
    for path in &compiled.dirty {
        screen.remark(&format!("compiled the draft of {path}"));
    }
    match screen.output {
        None => screen.print(&lines(&compiled.diagnostics))?,
        Some(_) => screen.print_answer(&compiled, NO_PLAN)?,
    };
    for trouble in &compiled.trouble {
        screen.remark(trouble);
    }
    let has_errors = compiled.diagnostics.iter().any(|it| it.severity == "error");
    Ok(ExitCode::from(match (compiled.success, has_errors) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 3,
    }))
}

pub(super) async fn pretty_print(common: &Common, args: Pretty, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    screen.wants_answer(NO_PLAN)?;
    let near = root::existing(common, &args.target)?;
    let is_file = near.as_path().is_file();
    let seen = seen_from(&args.target, &common.caller.dir()?);
    let place = if is_file { Some(&near) } else { seen.as_ref().map(|(path, _)| path) };
    let project_root = Some(root::project(common, place)?.to_string());
    let target = seen.as_ref().map_or_else(|| args.target.clone(), |(_, target)| target.clone());
    let (path, id) = if is_file { (Some(near.to_string()), None) } else { (None, Some(target)) };
    let mut asked = PrettyArgs { project_root, path, id, from_line: None };
    working(common, screen, async |context| {
        loop {
            let page = build::pretty_print(context, asked.clone()).await?;
            match screen.output {
                None => screen.print(&page.source)?,
                Some(_) => return screen.print_answer(&page, NO_PLAN),
            };
            let Some(next) = page.next_line else { return Ok(ExitCode::SUCCESS) };
            asked.from_line = Some(next);
        }
    })
    .await
}
