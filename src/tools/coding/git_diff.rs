//! `git_diff`: what changed below a path, by git itself, which runs nothing of the project.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::answer::Form;
use super::super::call::parse;
use super::super::excerpt;
use super::super::schema::tidy;
use super::super::tool::{Effect, Tool, Toolset};
use super::place::Place;
use crate::lsp::{Environment, Output, Program, RunError, Trust};
use crate::render::json::schema_of_input;
use crate::text::{quoted, quoted_end};
use crate::tools::{Answer, Context, ErrorKind, ToolError};

pub(in crate::tools) const GIT_DIFF: Tool = Tool {
    name: "git_diff",
    title: "Show what changed",
    description: "Shows as a diff what changed in a file or below a directory since a commit; since HEAD without one. Files \
        that git does not know are not in it.",
    toolset: Toolset::Coding,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<DiffArgs>()),
    form: Form::Text,
    run: |context, args| Box::pin(async move { diff(context, parse(args)?).await.map(Answer::Whole) }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DiffArgs {
    /// Comes with every call of a server that was started for one project.
    #[serde(rename = "projectRoot")]
    #[schemars(skip)]
    project_root: Option<String>,
    /// File or directory.
    path: String,
    /// A commit, branch or tag; HEAD.
    base_commit: Option<String>,
}

const PATIENCE: Duration = Duration::from_secs(120);
/// How much of a diff is taken from git, in bytes.
const MOST: usize = 1 << 20;

/// What a repository may have set up to run, switched off; a trusted project's is left alone.
const QUIET: &[&str] = &["-c", "core.fsmonitor=false", "-c", "diff.external=", "-c", "core.pager=cat"];
/// Nothing is fetched, written or asked.
const VARIABLES: [(&str, &str); 4] =
    [("GIT_NO_LAZY_FETCH", "1"), ("GIT_OPTIONAL_LOCKS", "0"), ("GIT_TERMINAL_PROMPT", "0"), ("LC_ALL", "C.UTF-8")];

/// Git, asked in one place.
struct Git<'a> {
    context: &'a Context,
    dir: std::path::PathBuf,
    environment: Environment,
    /// Goes before every command.
    settings: Vec<String>,
}

async fn diff(context: &Context, args: DiffArgs) -> Result<String, ToolError> {
    let place = Place::find(context, args.project_root.as_deref(), &args.path).await?;
    let mut git = Git::at(context, &place);
    git.told(&["rev-parse", "--git-dir"]).await?;
    git.silence_filters().await?;
    let base = args.base_commit.as_deref().unwrap_or("HEAD");
    let commit = git.commit(base).await?;
    let options = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
    let words: Vec<&str> = options.into_iter().chain([commit.as_str(), "--", place.path.as_str()]).collect();
    let said = git.told(&words).await?;
    let text = said.stdout.text();
    if text.is_empty() {
        return Ok(format!("nothing that git knows of changed in `{}` since {base}\n", place.name()));
    }
    let rest = |left: usize| format!("{left} more lines at least; name a directory or a file below");
    Ok(excerpt::lines(&text, excerpt::MOST, rest))
}

impl<'a> Git<'a> {
    fn at(context: &'a Context, place: &Place) -> Self {
        let setup = context.projects.setup();
        let environment = setup.environment.away_from(place.project.root()).for_servers(Trust::Nothing);
        // Where a file was deleted, its directory may be gone as well.
        let dirs = place.path.as_path().ancestors();
        let dir = dirs.into_iter().find(|dir| dir.is_dir()).unwrap_or(place.project.root().as_path()).to_owned();
        let settings = if setup.trust == Trust::Project { &[][..] } else { QUIET };
        Self { context, dir, environment, settings: settings.iter().map(ToString::to_string).collect() }
    }

    /// Runs git; nothing where it says that there is nothing.
    async fn run(&self, words: &[&str]) -> Result<Output, ToolError> {
        let words = ["git"].into_iter().chain(self.settings.iter().map(String::as_str)).chain(words.iter().copied());
        let program = Program::new(words).at(&self.dir).within(&self.environment).saying(MOST);
        let program = VARIABLES.iter().fold(program, |program, (name, value)| program.with(*name, *value));
        let guard = &self.context.projects.setup().guard;
        let ran = async {
            program.run(guard, PATIENCE).await.map_err(|error| match error {
                RunError::Missing(_) => {
                    ToolError::new(ErrorKind::Environment, "there is no `git` on `PATH`").hint("install git")
                }
                RunError::Late(_) => ToolError::new(ErrorKind::TimedOut, "git timed out").hint("name a smaller path"),
                other => ToolError::new(ErrorKind::Environment, format!("git cannot be run: {other}")),
            })
        };
        self.context.unless_cancelled(ran).await
    }

    /// Runs git, which has to go well.
    async fn told(&self, words: &[&str]) -> Result<Output, ToolError> {
        let output = self.run(words).await?;
        if output.status.success() {
            return Ok(output);
        }
        let why = quoted_end(&output.last_words(3));
        Err(ToolError::new(ErrorKind::Refused, format!("git refuses: {why}"))
            .hint("the path has to lie in a git repository"))
    }

    /// Returns the commit that a name means.
    async fn commit(&self, name: &str) -> Result<String, ToolError> {
        let wanted = format!("{name}^{{commit}}");
        let found = self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]).await?;
        let hash = found.stdout.text().trim().to_owned();
        if found.status.success() && !hash.is_empty() {
            return Ok(hash);
        }
        let message = format!("{} names no commit of this repository", quoted(name));
        let hint = if name == "HEAD" { "nothing was committed yet" } else { "give a commit, a branch or a tag" };
        Err(ToolError::new(ErrorKind::InvalidArguments, message).hint(hint))
    }

    /// Switches off the filters that the repository itself has set up: they are programs, and a diff would run them.
    async fn silence_filters(&mut self) -> Result<(), ToolError> {
        if self.settings.is_empty() {
            return Ok(());
        }
        let asked =
            ["config", "--null", "--show-scope", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$"];
        let said = self.run(&asked).await?.stdout.text();
        let mut words = said.split('\0');
        while let (Some(scope), Some(name)) = (words.next(), words.next()) {
            if matches!(scope, "local" | "worktree") {
                let required = name.rsplit_once('.').map_or(name, |(filter, _)| filter);
                self.settings.extend([
                    "-c".to_owned(),
                    format!("{name}="),
                    "-c".to_owned(),
                    format!("{required}.required=false"),
                ]);
            }
        }
        Ok(())
    }
}
