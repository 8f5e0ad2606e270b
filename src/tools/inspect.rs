//! The inspection tools: views of code, by its syntax alone. Nothing is written and no server is started.

mod args;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::answer::{Answer, Form};
use super::call::parse;
use super::schema::tidy;
use super::tool::{Effect, Tool, Toolset};
use super::{Context, Counted, ErrorKind, ToolError};
use crate::inspect::{Analysis, Config, InspectError, Request, Watch, analyze, structure};
use crate::render::StructureAnswer;
use crate::render::json::schema_of_input;
use crate::text::AbsPath;
use crate::workspace::{Disk, read_text, read_text_of_project};

pub use args::{AnalyzeArgs, Depth, StructureArgs};

pub(super) const INSPECT_STRUCTURE: Tool = Tool {
    name: "inspect_structure",
    title: "Inspect the structure of code",
    description: "Lists classes, methods, files: sizes, and names to be used as targets.",
    toolset: Toolset::Inspect,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<StructureArgs>()),
    form: Form::Toon,
    run: |context, args| Box::pin(async move { Answer::of(&inspect_structure(context, parse(args)?).await?) }),
};

pub(super) const ANALYZE_CODE: Tool = Tool {
    name: "analyze_code",
    title: "Find code smells",
    description: "Finds code smells, the worst first, and the refactoring that fixes each; locations are targets.",
    toolset: Toolset::Inspect,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<AnalyzeArgs>()),
    form: Form::Toon,
    run: |context, args| {
        Box::pin(async move { Answer::of(&analyze_code(context, parse(args)?, None).await?.answer(usize::MAX)) })
    },
};

/// Looks for smells in a file, or below a directory; with the settings of `config`, a file's path, or else
/// with those of the project.
pub async fn analyze_code(context: &Context, args: AnalyzeArgs, config: Option<&str>) -> Result<Analysis, ToolError> {
    let project = context.project_of(args.project_root.as_deref(), &args.path).await?;
    let config = configured(context, project.root(), config)?;
    let request = Request { path: args.path.clone(), smells: args.smells, config };
    let place = (Some(project.root().as_str().to_owned()), args.path);
    looking(context, place, move |disk, _, watch| analyze(disk, &request, watch)).await
}

/// What a project says of smells, below its root; it is laid over what the user says.
const PROJECT_CONFIG: &str = ".lspwright/smells.toml";
const USER_CONFIG: &str = "smells.toml";

fn configured(context: &Context, root: &AbsPath, named: Option<&str>) -> Result<Config, ToolError> {
    let user = context.projects.setup().dirs()?.config.join(USER_CONFIG)?;
    let own = named.map_or_else(|| root.join(PROJECT_CONFIG), AbsPath::new)?;
    let of_user = read_text(user.as_path());
    let of_project = if named.is_some() { read_text(own.as_path()) } else { read_text_of_project(root, &own) };
    let mut config = Config::default();
    for (path, read) in [(user, of_user), (own, of_project)] {
        let text = match read {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && named != Some(path.as_str()) => continue,
            Err(error) => return Err(ToolError::invalid(format!("`{path}` cannot be read: {error}"))),
        };
        let file = Some(path.to_string());
        config = config.with(&text).map_err(|error| InspectError::Config { file, error })?;
    }
    Ok(config)
}

/// Tells what stands in a file, or below a directory.
pub async fn inspect_structure(context: &Context, args: StructureArgs) -> Result<StructureAnswer, ToolError> {
    let depth = args.depth.into();
    looking(context, (args.project_root, args.path), move |disk, path, watch| structure(disk, path, depth, watch)).await
}

/// Runs `look` beside the runtime, on the project that the path belongs to, until it is done or cancelled.
async fn looking<T: Send + 'static>(
    context: &Context,
    (root, path): (Option<String>, String),
    look: impl FnOnce(&Disk, &str, &Watch) -> Result<T, InspectError> + Send + 'static,
) -> Result<T, ToolError> {
    let project = context.project_of(root.as_deref(), &path).await?;
    let sink = Arc::clone(&context.sink);
    let progress = move |done, of| sink.count(&format!("looked into {done} of {of} files"), Counted { done, of });
    let watch = Arc::new(Watch { progress: Box::new(progress), ..Watch::default() });
    let _stop = Stop::of(&watch);
    let work = tokio::task::spawn_blocking(move || look(project.session().disk(), &path, &watch));
    let work = async {
        let done = work.await.map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))?;
        Ok(done?)
    };
    context.unless_cancelled(work).await
}

/// Stops the threads when nobody waits for them any more.
pub(super) struct Stop(Arc<Watch>);

impl Stop {
    pub(super) fn of(watch: &Arc<Watch>) -> Self {
        Self(Arc::clone(watch))
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }
}
