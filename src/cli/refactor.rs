//! `refactor`: a refactoring of the catalog by its name.

use std::process::ExitCode;
use std::sync::Arc;

use serde_json::Value;

use super::args::{Common, Output, Refactor, Writing};
use super::job::{Job, Shape, check, remarks};
use super::root;
use super::screen::Screen;
use super::work::{setup, working};
use crate::refactor::catalog;
use crate::refactor::params::Kind;
use crate::text::AbsPath;
use crate::tools::refactor::{
    ListArgs, PreviewArgs, RefactoringStep, Words, carried_out, explained, list, names, offered, planned,
};
use crate::tools::{Context, ErrorKind, Planned, ToolError, target};

/// Set by programs that have lspwright as their backend and mean what they ask without `--dry-run`.
const APPLY: &str = "LSPWRIGHT_APPLY";

pub(super) async fn refactor(common: &Common, args: Refactor, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    if args.list {
        let wanted = ListArgs { language: args.language, category: args.category, ..ListArgs::default() };
        return listed(common, &wanted, screen);
    }
    if let (Some(target), None) = (&args.refactoring, &args.target) {
        return here(common, target, screen).await;
    }
    let wanted = wanted(common, &args)?;
    if args.explain {
        return obstacles(common, &wanted, args.target.as_deref().unwrap_or_default(), screen).await;
    }
    let names = names(&wanted.steps)?;
    let asked = args.by_name && !args.dry_run && common.caller.environment.get(APPLY) == Some("1");
    let writing = Writing { apply: args.writing.apply || asked, ..args.writing };
    working(common, screen, async |context| {
        let planned = planned(context, &wanted).await?;
        if writing.apply && screen.output == Some(Output::Toon) {
            return written(context, planned, &writing, (&names, screen)).await;
        }
        Job { context, writing: &writing, shape: Shape::Refactoring(names.clone()), screen }.go_on(planned).await
    })
    .await
}

/// Returns the tool's own arguments.
fn wanted(common: &Common, args: &Refactor) -> Result<PreviewArgs, ToolError> {
    let mut steps = match (&args.steps, &args.refactoring, &args.target) {
        (Some(path), ..) => steps(&common.caller.read(path)?, path)?,
        (None, Some(name), Some(target)) => {
            vec![RefactoringStep { refactoring: name.clone(), target: target.clone(), params: args.params.0.clone() }]
        }
        _ => Vec::new(),
    };
    let here = common.caller.dir()?;
    let seen: Vec<_> = steps.iter().map(|step| target::seen_from(&step.target, &here)).collect();
    let first = seen.iter().flatten().map(|(file, _)| file).next();
    let root = root::project(common, first)?;
    for (step, seen) in steps.iter_mut().zip(seen) {
        let base = if seen.is_some() { &here } else { &root };
        lead_paths(step, &here, (base, &root))?;
        step.target = seen.map_or_else(|| step.target.clone(), |(_, seen)| seen);
    }
    let project_root = Some(root.as_str().to_owned());
    Ok(PreviewArgs { project_root, steps, force: args.writing.force, ..PreviewArgs::default() })
}

/// Reads the paths in a step's parameters from the current directory, as its target is, or else from the root; `base` is where
/// a new file comes to be.
fn lead_paths(step: &mut RefactoringStep, here: &AbsPath, (base, root): (&AbsPath, &AbsPath)) -> Result<(), ToolError> {
    let Some(refactoring) = catalog::refactoring(&step.refactoring).filter(|_| here != root) else { return Ok(()) };
    for (name, value) in &mut step.params {
        let param = refactoring.params.iter().find(|param| param.name == name.replace('-', "_"));
        let (Some(param), Some(written)) = (param, value.as_str()) else { continue };
        let led = match param.kind {
            Kind::Target => target::seen_from(written, here).map(|(file, seen)| {
                let below = file.relative_to(root);
                below.map_or_else(|| seen.clone(), |below| seen.replacen(file.as_str(), below.as_str(), 1))
            }),
            Kind::Path => Some(root::led(written, here, (base, root))?),
            Kind::Name | Kind::Text | Kind::Flag | Kind::List => None,
        };
        *value = led.map_or_else(|| value.take(), Value::String);
    }
    Ok(())
}

fn steps(json: &str, path: &str) -> Result<Vec<RefactoringStep>, ToolError> {
    serde_json::from_str(json).map_err(|error| {
        ToolError::invalid(format!("`{path}` holds no steps: {error}"))
            .hint(r#"write [{"refactoring": "rename", "target": "src/a.py::total", "params": {"new_name": "sum"}}, …]"#)
    })
}

/// Carries a plan out and answers as the tool does.
async fn written(
    context: &Context,
    planned: Planned,
    writing: &Writing,
    (names, screen): (&str, &Screen),
) -> Result<ExitCode, ToolError> {
    let planned = planned.checked(context, &check(writing)?).await?;
    remarks(&planned, screen);
    screen.writing();
    let answer = carried_out(&planned, names, writing.objections())?;
    screen.print_rows(&answer)
}

/// Lists what stands in a refactoring's way.
async fn obstacles(
    common: &Common,
    wanted: &PreviewArgs,
    written: &str,
    screen: &Arc<Screen>,
) -> Result<ExitCode, ToolError> {
    working(common, screen, async |context| {
        let mut answer = explained(context, wanted).await?;
        answer.explained.target = written.to_owned();
        let printed = screen.print_rows(&answer)?;
        Ok(if answer.explained.is_possible { printed } else { ExitCode::from(ErrorKind::Refused.exit_code()) })
    })
    .await
}

/// Lists what could be done at a place.
async fn here(common: &Common, written: &str, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    if let Some(known) = catalog::refactoring(written) {
        let error = ToolError::invalid(format!("`{}` needs a target", known.name));
        return Err(error.hint(format!("lspwright refactor {} TARGET", known.name)));
    }
    let seen = target::seen_from(written, &common.caller.dir()?);
    let project_root = Some(root::project(common, seen.as_ref().map(|(file, _)| file))?.as_str().to_owned());
    let target = Some(seen.map_or_else(|| written.to_owned(), |(_, seen)| seen));
    let wanted = ListArgs { target, project_root, ..ListArgs::default() };
    working(common, screen, async |context| {
        let answer = offered(context, &wanted, (written, Words::Shell)).await?;
        screen.print_rows(&answer)
    })
    .await
}

fn listed(common: &Common, wanted: &ListArgs, screen: &Screen) -> Result<ExitCode, ToolError> {
    let answer = list(&setup(common), wanted)?;
    screen.print_rows(&answer)
}
