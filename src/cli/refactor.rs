//! `refactor`: a refactoring of the catalog by its name; and the words by which other programs call it.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value};

use super::args::{Common, Output, Writing};
use super::plans::{Job, Shape, check, remarks, setup, working};
use super::root;
use super::screen::Screen;
use crate::refactor::catalog;
use crate::refactor::params::{Kind, Param};
use crate::tools::refactor::{
    ListArgs, PreviewArgs, Step, Words, carried_out, explained, list, names, offered, planned,
};
use crate::tools::{Context, ErrorKind, Planned, ToolError, target};

#[derive(Debug, Args)]
pub(super) struct Refactor {
    /// Its name in the catalog (`--list` shows them); without it, what could be done at TARGET is listed
    #[arg(value_name = "NAME", required_unless_present_any = ["list", "steps"])]
    pub refactoring: Option<String>,
    /// What to refactor; see below
    pub target: Option<String>,
    /// Several as one plan: a file (- for stdin) with a JSON array of {refactoring, target, params}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["refactoring", "target", "list"])]
    pub steps: Option<String>,
    /// List the catalog: names, parameters, and who can carry them out
    #[arg(long)]
    pub list: bool,
    /// With --list: for this language
    #[arg(long, value_name = "ID", requires = "list")]
    pub language: Option<String>,
    /// With --list: of this category
    #[arg(long, value_name = "NAME", requires = "list")]
    pub category: Option<String>,
    /// List all that stands in its way, and what overrules it; nothing is planned
    #[arg(long, requires = "target", conflicts_with_all = ["steps", "list"])]
    pub explain: bool,
    #[command(flatten)]
    pub params: Params,
    #[command(flatten)]
    pub writing: Writing,
    /// As another program's backend
    #[arg(long, hide = true)]
    pub by_name: bool,
    #[arg(long, hide = true, conflicts_with = "apply")]
    pub dry_run: bool,
}

/// The parameters of all refactorings; which ones fit is for the tool to say.
#[derive(Debug, Default)]
pub(super) struct Params(Map<String, Value>);

/// Set by programs that have lspwright as their backend and mean what they ask without `--dry-run`.
const APPLY: &str = "LSPWRIGHT_APPLY";

/// Rewrites the calls of catalog clients, `lspwright NAME TARGET …` and `lspwright --list-refactorings`, and the
/// hyphens in the names of parameters.
pub(super) fn spelled_out(mut args: Vec<OsString>) -> Vec<OsString> {
    let first = args.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    if first == "--list-refactorings" {
        args.splice(1..2, ["refactor", "--list"].map(OsString::from));
    } else if first != "rename" && catalog::refactoring(&first).is_some() {
        args.splice(1..2, ["refactor", &first, "--by-name"].map(OsString::from));
    } else if first != "refactor" {
        return args;
    }
    args.into_iter().map(underscored).collect()
}

fn underscored(word: OsString) -> OsString {
    let Some(rest) = word.to_str().and_then(|word| word.strip_prefix("--")) else { return word };
    let (name, value) = rest.split_once('=').map_or((rest, None), |(name, value)| (name, Some(value)));
    let spelled = name.replace('-', "_");
    if !distinct().iter().any(|param| param.name == spelled) {
        return word;
    }
    match value {
        Some(value) => format!("--{spelled}={value}").into(),
        None => format!("--{spelled}").into(),
    }
}

/// Returns each parameter of the catalog once.
fn distinct() -> Vec<&'static Param> {
    let mut found: Vec<&'static Param> = Vec::new();
    for param in catalog::catalog().flat_map(|refactoring| refactoring.params) {
        if !found.iter().any(|known| known.name == param.name) {
            found.push(param);
        }
    }
    found
}

impl Args for Params {
    fn augment_args(command: Command) -> Command {
        distinct().into_iter().fold(command, |command, param| {
            let arg = Arg::new(param.name).long(param.name).help(param.description).help_heading("Parameters");
            command.arg(match param.kind {
                Kind::Flag => arg.num_args(0..=1).require_equals(true).default_missing_value("true"),
                Kind::List => arg.action(ArgAction::Append).value_name("NAME,…"),
                Kind::Name | Kind::Text => arg.allow_hyphen_values(true),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Params {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut params = Self::default();
        params.update_from_arg_matches(matches)?;
        Ok(params)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for param in distinct() {
            let Some(given) = matches.get_many::<String>(param.name) else { continue };
            let joined = given.cloned().collect::<Vec<_>>().join(",");
            self.0.insert(param.name.to_owned(), Value::String(joined));
        }
        Ok(())
    }
}

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
            vec![Step { refactoring: name.clone(), target: target.clone(), params: args.params.0.clone() }]
        }
        _ => Vec::new(),
    };
    let (here, mut first) = (common.caller.dir()?, None);
    for step in &mut steps {
        if let Some((file, seen)) = target::seen_from(&step.target, &here) {
            first.get_or_insert(file);
            step.target = seen;
        }
    }
    let project_root = Some(root::project(common, first.as_ref())?.as_str().to_owned());
    Ok(PreviewArgs { project_root, steps, force: args.writing.force, ..PreviewArgs::default() })
}

fn steps(json: &str, path: &str) -> Result<Vec<Step>, ToolError> {
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
