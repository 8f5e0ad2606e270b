//! `rename` and `move`: a plan, printed or applied.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::args::{Checking, Common, Level, Move, Output, Rename, Writing};
use super::root;
use super::screen::Screen;
use super::written::write;
use crate::lsp::InstallPolicy;
use crate::plan::Status;
use crate::render::json::RenameJson;
use crate::render::{self, write_toon};
use crate::text::{AbsPath, Range};
use crate::tools::refactor::shown;
use crate::tools::{Context, Detail, ErrorKind, Objections, Planned, Setup, ToolError, Trust, plan, target};
use crate::verify::Check;

/// How projects are opened, as the command line says.
pub(super) fn setup(common: &Common) -> Setup {
    let trust = if common.trust_project { Trust::Project } else { Trust::Nothing };
    let setup = Setup::of(Arc::clone(&common.caller.environment), trust);
    if common.offline { Setup { install: InstallPolicy::Never, ..setup } } else { setup }
}

pub(super) async fn rename(common: &Common, args: Rename, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    // Named as seen from the current directory; otherwise the tool looks for it from the project's root.
    let (file, target) = target::seen_from(&args.target, &common.caller.dir()?).unzip();
    let request = plan::RenameArgs {
        project_root: Some(root::project(common, file.as_ref())?.as_str().to_owned()),
        file_path: None,
        line: None,
        character: None,
        target: Some(target.unwrap_or(args.target)),
        new_name: args.new_name,
        find_in_strings: args.in_strings,
        find_in_comments: args.in_comments,
        find_in_docs: args.in_docs,
        untyped: args.untyped,
        expect: args.expect,
        aliases: args.aliases.into(),
        verify: plan::Level::None,
        detail: Detail::Edits,
        force: args.writing.force,
    };
    working(common, screen, async |context| match plan::planned_rename(context, request).await {
        Err(error) if error.kind == ErrorKind::Refused && screen.output == Some(Output::Json) => {
            screen.failed_rename(error)
        }
        planned => Job { context, writing: &args.writing, shape: Shape::Rename, screen }.go_on(planned?).await,
    })
    .await
}

pub(super) async fn relocate(common: &Common, args: Move, screen: &Arc<Screen>) -> Result<ExitCode, ToolError> {
    let old = root::existing(common, &args.old)?;
    let new = root::destination(common, &args)?;
    let root = root::project(common, Some(&old))?;
    working(common, screen, async |context| {
        let project = context.project(root.as_str()).await?;
        let planned = plan::planned_move(context, project, (old, new)).await?;
        Job { context, writing: &args.writing, shape: Shape::Plan, screen }.go_on(planned).await
    })
    .await
}

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

/// Writes a place as compilers do, 1-based.
pub(super) fn place(path: &AbsPath, range: Option<Range>, root: &AbsPath) -> String {
    let path = path.relative_to(root).map_or_else(|| path.to_string(), |path| path.to_string());
    match range {
        Some(range) => format!("{path}:{}:{}: ", range.start.line + 1, range.start.character + 1),
        None => format!("{path}: "),
    }
}

/// Runs `work` with open projects, and closes them whatever happens; a signal cancels it.
pub(super) async fn working<T>(
    common: &Common,
    screen: &Arc<Screen>,
    work: impl AsyncFnOnce(&Context) -> Result<T, ToolError>,
) -> Result<T, ToolError> {
    let projects = Arc::new(common.caller.projects(setup(common)));
    let sink = Arc::clone(screen) as Arc<_>;
    let around = vec![common.caller.dir()?];
    let cancelled = CancellationToken::new();
    let desk = Arc::default();
    let context = Context {
        projects: Arc::clone(&projects),
        sink,
        around,
        command: None,
        desk,
        cancelled,
        entered: Arc::default(),
    };
    let outcome = tokio::select! {
        outcome = work(&context) => outcome,
        () = common.caller.gone() => Err(ToolError::cancelled()),
    };
    projects.close().await;
    outcome
}
