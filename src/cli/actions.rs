//! `problems`, `actions` and `fix`: what servers find, and what they can do about it.

use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;

use super::args::{Actions, Common, FixArgs, Output, Problems};
use super::baseline;
use super::job::{Job, Shape};
use super::root;
use super::screen::Screen;
use super::work::working;
use crate::plan::Severity;
use crate::render::{Baseline, NotLookedAtJson, sarif};
use crate::text::AbsPath;
use crate::tools::actions::{self, ActionArgs, ActionsArgs, Places, ProblemsArgs};
use crate::tools::{Detail, ToolError, plan, target};

pub(super) async fn problems(common: &Common, args: Problems, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let (root, paths) = places(common, &args.paths)?;
    let known = args.baseline.as_deref().map(|file| baseline::read("problems", file, &common.caller)).transpose()?;
    let asked = ProblemsArgs {
        project_root: Some(root.to_string()),
        paths,
        severity: args.severity.into(),
        source: args.source,
        rule: args.rule,
    };
    let places = if asked.rule.is_some() || args.places { Places::Listed } else { Places::Counted };
    let mut found = working(common, screen, async |context| actions::found(context, &asked).await).await?;
    let root = found.project.root().clone();
    if let Some(file) = &args.write_baseline {
        let keys = found.findings.problems.iter().map(|problem| problem.known_by(&root));
        baseline::write(&Baseline::of("problems", keys), file, screen)?;
    }
    let left_out =
        known.map_or(0, |known| known.subtract(&mut found.findings.problems, |problem| problem.known_by(&root)));
    let fails = |lowest: Severity| found.findings.problems.iter().any(|problem| problem.severity <= lowest);
    let code = u8::from(args.fail_on.is_some_and(|lowest| fails(actions::Lowest::from(lowest).into())));
    if screen.output == Some(Output::Sarif) {
        screen.print_json(&sarif(&found.findings.problems, &root, &found.gaps()))?;
    } else {
        let mut answer = found.answer(places);
        if screen.shows_tables() {
            // The remarks below say it.
            answer.summary.clear();
            answer.not_looked_at.clear();
        }
        show(&answer, screen)?;
    }
    found.gaps().iter().for_each(|gap| screen.remark(gap));
    screen.remark(&format!("{}{}", found.summary(), baseline::told(left_out)));
    Ok(ExitCode::from(code))
}

pub(super) async fn actions(common: &Common, args: Actions, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    // Named as seen from the current directory; otherwise the tool looks for it from the project's root.
    let (file, target) = target::seen_from(&args.target, &common.caller.dir()?).unzip();
    let project_root = Some(root::project(common, file.as_ref())?.to_string());
    let target = target.unwrap_or(args.target);
    let Some(action) = args.action else {
        let asked = ActionsArgs {
            project_root,
            target: Some(target),
            kinds: args.kind,
            preferred: args.preferred,
            ..ActionsArgs::default()
        };
        let mut listed = working(common, screen, async |context| actions::list(context, asked).await).await?;
        let untold = |gap: &NotLookedAtJson| format!("no answer: {}: {}", gap.what, gap.reason);
        let untold: Vec<String> = listed.unanswered.iter().map(untold).collect();
        if screen.shows_tables() {
            // The remarks below say it.
            listed.unanswered.clear();
        }
        let printed = show(&listed, screen)?;
        for gap in &untold {
            screen.remark(gap);
        }
        return Ok(printed);
    };
    let asked = ActionArgs { project_root, target, action, ..ActionArgs::default() };
    working(common, screen, async |context| {
        let planned = actions::planned_action(context, asked).await?;
        Job { context, writing: &args.writing, shape: Shape::Plan, screen }.go_on(planned).await
    })
    .await
}

pub(super) async fn fix(common: &Common, args: FixArgs, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let (root, paths) = places(common, &args.paths)?;
    let named = [
        (args.organize_imports, "organizeImports"),
        (args.add_missing_imports, "addMissingImports"),
        (args.remove_unused, "removeUnused"),
        (args.fix_all, "fixAll"),
    ];
    let named = named.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, name)| name.to_owned());
    let fixes = named.chain(args.rule).collect();
    let (verify, detail) = (plan::Level::None, Detail::Edits);
    let asked = actions::FixArgs { project_root: Some(root.to_string()), paths, fixes, verify, detail };
    working(common, screen, async |context| {
        let planned = actions::planned_fix(context, &asked).await?;
        let would_change = !planned.plan.is_empty();
        if !would_change {
            planned.remarks().iter().for_each(|remark| screen.remark(remark));
            screen.remark("nothing to change");
            return Ok(ExitCode::SUCCESS);
        }
        let code = Job { context, writing: &args.writing, shape: Shape::Plan, screen }.go_on(planned).await?;
        let is_told = args.exit_code && !args.writing.apply;
        Ok(if is_told { ExitCode::from(1) } else { code })
    })
    .await
}

/// Returns the project's root and the absolute paths that are looked at.
fn places(common: &Common, paths: &[String]) -> Result<(AbsPath, Vec<String>), ToolError> {
    let paths: Vec<AbsPath> = paths.iter().map(|path| root::existing(common, path)).collect::<Result<_, _>>()?;
    let root = root::project(common, paths.first())?;
    Ok((root, paths.iter().map(ToString::to_string).collect()))
}

fn show(answer: &impl Serialize, screen: &Screen) -> Result<ExitCode, ToolError> {
    screen.print_answer(answer, "a list has no diff and no patch, and only problems are written in SARIF")
}
