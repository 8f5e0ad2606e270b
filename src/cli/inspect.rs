//! `inspect` and `smells`: what is there to be seen in code.

use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;

use super::args::{Common, Inspect, Output, Smells};
use super::baseline;
use super::root;
use super::screen::Screen;
use super::work::working;
use crate::inspect::{Analysis, Severity, SmellFinding};
use crate::render::{Baseline, smells_page};
use crate::tools::{ToolError, inspect};

pub(super) async fn inspect(common: &Common, args: Inspect, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let (root, path) = place(common, &args.path)?;
    let args = inspect::StructureArgs { project_root: Some(root), path, depth: args.depth.into() };
    let answer = working(common, screen, async |context| inspect::inspect_structure(context, args).await).await?;
    show(&answer, screen)
}

pub(super) async fn smells(common: &Common, args: Smells, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let (root, path) = place(common, &args.path)?;
    let here = common.caller.dir()?;
    let config = args.config.as_ref().map(|config| here.join(config)).transpose()?;
    let config = config.as_ref().map(|config| config.as_str());
    let known = args.baseline.as_deref().map(|file| baseline::read("smells", file, &common.caller)).transpose()?;
    let asked = inspect::AnalyzeArgs { project_root: Some(root), path, smells: args.smell };
    let mut analysis =
        working(common, screen, async |context| inspect::analyze_code(context, asked, config).await).await?;
    if let Some(file) = &args.write_baseline {
        baseline::write(&Baseline::of("smells", analysis.found.iter().map(SmellFinding::known_by)), file, screen)?;
    }
    let left_out = known.map_or(0, |known| known.subtract(&mut analysis.found, SmellFinding::known_by));
    let fails = |lowest: Severity| analysis.found.iter().any(|one| one.finding.severity >= lowest);
    let code = u8::from(args.fail_on.is_some_and(|lowest| fails(lowest.into())));
    let summary = summary(&analysis, left_out);
    let limit = args.limit.unwrap_or(usize::MAX);
    if screen.output == Some(Output::Html) {
        let sizes = std::mem::take(&mut analysis.sizes);
        screen.print(&smells_page(&summary, &sizes, &analysis.answer(limit)))?;
    } else {
        show(&analysis.answer(limit), screen)?;
    }
    screen.remark(&summary);
    Ok(ExitCode::from(code))
}

fn summary(analysis: &Analysis, left_out: usize) -> String {
    let of = |severity| analysis.found.iter().filter(|one| one.finding.severity == severity).count();
    let counts = [Severity::High, Severity::Medium, Severity::Low].map(|it| format!("{} {}", of(it), it.as_str()));
    let known = baseline::told(left_out);
    let (smells, lines) = (analysis.found.len(), analysis.lines());
    format!("{smells} smells in {} files, {lines} lines: {}{known}", analysis.sizes.len(), counts.join(", "))
}

/// Returns the project's root and the absolute path that is looked at.
fn place(common: &Common, path: &str) -> Result<(String, String), ToolError> {
    let path = root::existing(common, path)?;
    let root = root::project(common, Some(&path))?;
    Ok((root.as_str().to_owned(), path.as_str().to_owned()))
}

fn show(answer: &impl Serialize, screen: &Screen) -> Result<ExitCode, ToolError> {
    screen.print_answer(answer, "an inspection changes nothing: it has no diff and no patch")
}
