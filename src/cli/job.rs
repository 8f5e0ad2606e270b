//! What becomes of a plan: it is checked, shown and written, as the command line says.

use std::process::ExitCode;
use std::time::Duration;

use super::args::{Checking, Level, Output, Writing};
use super::screen::Screen;
use crate::plan::Status;
use crate::render::json::RenameJson;
use crate::render::{self, write_toon};
use crate::text::counted;
use crate::tools::refactor::shown;
use crate::tools::{Context, Objections, Planned, ToolError, plan};
use crate::verify::Check;
use crate::workspace::apply::Applied;

/// What a command answers with.
#[derive(PartialEq)]
pub(super) enum Shape {
    /// With `canRename`, as the tool.
    Rename,
    Plan,
    /// In TOON as the tool; the names.
    Refactoring(String),
}

/// What happens to a plan once it is made.
pub(super) struct Job<'a> {
    pub context: &'a Context,
    pub writing: &'a Writing,
    pub shape: Shape,
    pub screen: &'a Screen,
}

impl Job<'_> {
    /// Checks a plan, prints it, and writes it where that was asked for.
    pub(super) async fn go_on(&self, planned: Planned) -> Result<ExitCode, ToolError> {
        let planned = planned.checked(self.context, &check(self.writing)?).await?;
        // Who asked for a form of the plan gets it; otherwise the remarks say what is written.
        if !self.writing.apply || self.screen.output.is_some() {
            self.show(&planned)?;
        }
        remarks(&planned, self.screen);
        if !self.writing.apply {
            self.screen.remark(&format!("{}; nothing is written without --apply", planned.summary()));
            return Ok(verdict(&planned, self.writing.objections()));
        }
        self.screen.remark(&planned.summary());
        write(&planned, self.writing.objections(), self.screen)
    }

    fn show(&self, planned: &Planned) -> Result<ExitCode, ToolError> {
        let root = planned.project.root();
        if let (Shape::Refactoring(name), Some(Output::Toon)) = (&self.shape, self.screen.output) {
            return self.screen.print(&write_toon(&shown(planned, name)));
        }
        match self.screen.output.unwrap_or(Output::Diff) {
            Output::Json if self.shape == Shape::Rename => self.screen.print_json(&RenameJson::of(planned.to_json())),
            Output::Json => self.screen.print_json(&planned.to_json()),
            Output::Toon => self.screen.print(&render::toon(&planned.plan, planned.verification.as_ref(), root)),
            Output::Diff => self.screen.print_diff(&render::diff(&planned.plan, root)),
            Output::Patch => self.screen.print(&render::patch(&planned.plan, root)),
            Output::Html => self.screen.print(&page(planned, &with_apply(self.screen.words().to_vec()))),
            Output::Table | Output::Sarif | Output::Mermaid | Output::Dot | Output::Svg => {
                Err(ToolError::invalid("a plan has no such form").hint("--output diff, patch, json, toon or html"))
            }
        }
    }
}

/// The page that a person approves a plan from.
pub(super) fn page(planned: &Planned, apply: &str) -> String {
    let (verification, summary) = (planned.verification.as_ref(), planned.summary());
    let root = planned.project.root();
    render::page(&render::Review { plan: &planned.plan, verification, root, summary: &summary, apply })
}

/// The command that writes what this one shows.
fn with_apply(mut words: Vec<String>) -> String {
    while let Some(at) = words.iter().position(|word| word == "--output" || word == "-o") {
        words.drain(at..(at + 2).min(words.len()));
    }
    words.retain(|word| !word.starts_with("--output=") && !word.starts_with("-o"));
    let is_plain =
        |word: &String| !word.is_empty() && word.chars().all(|it| it.is_alphanumeric() || "-_./:=,#".contains(it));
    let quoted =
        |word: &String| if is_plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) };
    let words = words.iter().map(quoted).collect::<Vec<_>>().join(" ");
    format!("lspwright {words} --apply")
}

/// A plan exists; whether the check that was asked for speaks against it, the exit code tells.
fn verdict(planned: &Planned, objections: Objections) -> ExitCode {
    let in_doubt = |status| objections == Objections::Strict && status == Status::Possible;
    let speaks_against = |status| status == Status::Regressed || in_doubt(status);
    let is_refused = planned.verification.as_ref().is_some_and(|found| speaks_against(found.status));
    ExitCode::from(u8::from(is_refused))
}

/// How far a plan is checked: as asked, or before writing to the level that writing needs.
pub(super) fn check(writing: &Writing) -> Result<Check, ToolError> {
    let usual = if writing.apply { Level::Diagnostics } else { Level::None };
    asked(&writing.checking, writing.verify, usual)
}

/// The check at a level, or by the command that was given.
pub(super) fn asked(checking: &Checking, level: Option<Level>, usual: Level) -> Result<Check, ToolError> {
    let timeout = Some(Duration::from_secs(checking.check_timeout));
    let level = match (&checking.check, level) {
        (None, level) => level.unwrap_or(usual),
        (Some(_), None | Some(Level::Project)) => Level::Project,
        (Some(_), Some(_)) => {
            return Err(ToolError::invalid(
                "`--check` is a command for the level `project`, and another was asked for",
            )
            .hint("leave `--verify` out"));
        }
    };
    Ok(Check { command: checking.check.clone(), timeout, ..plan::Level::from(level).into() })
}

/// Says beside the plan what a reader of the plan alone could miss.
pub(super) fn remarks(planned: &Planned, screen: &Screen) {
    for chosen in planned.read_with() {
        screen.remark(&format!("read with {chosen}"));
    }
    for remark in planned.remarks() {
        screen.remark(&remark);
    }
}

/// Writes a plan, unless its check speaks against it.
pub(super) fn write(planned: &Planned, objections: Objections, screen: &Screen) -> Result<ExitCode, ToolError> {
    planned.heed(objections)?;
    screen.writing();
    report(&planned.project.apply(&planned.plan)?, "applied", screen)
}

pub(super) fn report(applied: &Applied, done: &str, screen: &Screen) -> Result<ExitCode, ToolError> {
    for recovered in &applied.recovered {
        screen.remark(&format!("recovered: {recovered}"));
    }
    for note in &applied.notes {
        screen.remark(&format!("note: {note}"));
    }
    screen.remark(&format!("{done}: plan {}, {}", applied.plan.as_str(), counted(applied.changed.len(), "file")));
    Ok(ExitCode::SUCCESS)
}
