//! `generate_pt`: modules as they read without bodies, in files of their own.

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::ViewsArgs;
use crate::declarations::{Module, Readable, SUFFIX, has_view, viewed};
use crate::inspect::language_name;
use crate::render::json::{schema_of_input, schema_of_output};
use crate::text::AbsPath;
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::explore::View;
use crate::tools::schema::tidy;
use crate::tools::tool::{Tool, Toolset};
use crate::tools::write::add::ADD_DECLARATION;
use crate::tools::{Answer, Context, ErrorKind, ToolError};
use crate::workspace::{read_text, write_if_changed};

pub(in crate::tools) const GENERATE_PT: Tool = Tool {
    name: "generate_pt",
    title: "Write readable views",
    description: "Writes each module as it reads without bodies (signatures, documentation, ids) into a directory: Python, \
        TypeScript, JavaScript, Solidity. sync_pt takes over what is edited there.",
    toolset: Toolset::Build,
    input: || tidy(schema_of_input::<ViewsArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<ViewsJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&generate(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Views")]
struct ViewsJson {
    generated: Vec<ViewJson>,
    /// Files that have no view, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ViewJson {
    /// Of the module.
    pluto_path: String,
    /// Of its view.
    pt_path: String,
}

async fn generate(context: &Context, args: ViewsArgs) -> Result<ViewsJson, ToolError> {
    let place = args.path.as_deref().unwrap_or(".");
    let view = View::of(context, args.project_root.as_deref(), place).await?;
    let below = view.path(place)?;
    let into = directory(&view, &args.into)?;
    let mut made = ViewsJson { generated: Vec::new(), left_out: Vec::new() };
    let mut files: Vec<(AbsPath, String)> = Vec::new();
    for module in view.index.modules(&below) {
        if !has_view(module.language) {
            let language = language_name(module.language);
            made.left_out.push(format!("{}: there are no views of {language}", module.path));
            continue;
        }
        let file = into.join(format!("{}{SUFFIX}", module.path))?;
        let Some(text) = readable(&view, module)?.written() else {
            made.left_out.push(format!("{}: its view could not be read back", module.path));
            continue;
        };
        refuse_others(&view, &file, module)?;
        made.generated.push(ViewJson { pluto_path: module.path.clone(), pt_path: view.name_of(&file) });
        files.push((file, text));
    }
    if made.generated.is_empty() {
        let why = made.left_out.first().cloned().unwrap_or_else(|| format!("`{below}` holds no source file"));
        return Err(ToolError::invalid(format!("no view can be written: {why}"))
            .hint("there are views of Python, TypeScript, JavaScript and Solidity"));
    }
    for (file, text) in files {
        write(&file, &text)?;
    }
    Ok(made)
}

pub(super) fn write(file: &AbsPath, text: &str) -> Result<(), ToolError> {
    write_if_changed(file, text).map(drop).map_err(|error| {
        ToolError::new(ErrorKind::Environment, format!("`{file}` cannot be written: {error}"))
            .hint("name another directory as `into`")
    })
}

/// Reads a module as its view shows it.
pub(super) fn readable(view: &View, module: &Arc<Module>) -> Result<Readable, ToolError> {
    let path = view.project.root().join(&module.path)?;
    let parsed = view.project.session().parsed(&path)?;
    let parsed = parsed.filter(|parsed| *parsed.text.hash() == module.hash).ok_or_else(|| {
        ToolError::new(ErrorKind::Stale, format!("`{}` changed meanwhile", module.path)).hint("ask again")
    })?;
    Ok(Readable::of(&parsed, module))
}

/// Returns the directory for views: one of the project, or one elsewhere that holds nothing else.
fn directory(view: &View, into: &str) -> Result<AbsPath, ToolError> {
    let disk = view.project.session().disk();
    let root = view.project.root();
    let path = disk.as_real(&root.join(into)?);
    let refused = |why: &str| {
        ToolError::invalid(format!("views are not written into `{into}`: {why}"))
            .hint("name a directory for them alone, such as `views`")
    };
    if path == *root {
        return Err(refused("it is the project itself"));
    }
    if path.as_path().is_file() {
        return Err(refused("it is a file"));
    }
    if path.is_below(root) {
        return Ok(disk.contain(&path)?);
    }
    match Path::new(into).is_absolute() {
        false => Err(refused("it is not in the project, and not an absolute path")),
        true if holds_views_alone(path.as_path(), 0) => Ok(path),
        true => Err(refused("it is not in the project, and holds other files than views")),
    }
}

/// A directory that holds more than this is none of ours.
const DEEPEST: usize = 64;

fn holds_views_alone(directory: &Path, depth: usize) -> bool {
    let Ok(entries) = std::fs::read_dir(directory) else { return !directory.exists() };
    let mut entries = entries.map(|entry| entry.ok().and_then(|entry| Some((entry.file_type().ok()?, entry.path()))));
    entries.all(|entry| match entry {
        Some((kind, path)) if kind.is_dir() => depth < DEEPEST && holds_views_alone(&path, depth + 1),
        Some((kind, path)) => kind.is_file() && is_view(&path),
        None => false,
    })
}

fn is_view(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.ends_with(SUFFIX))
        && read_text(path).is_ok_and(|text| viewed(&text).is_some())
}

/// Refuses to write over what is no view of this module, or was edited and not taken over.
fn refuse_others(view: &View, file: &AbsPath, module: &Module) -> Result<(), ToolError> {
    let name = view.name_of(file);
    if !file.as_path().exists() && !file.as_path().is_symlink() {
        return Ok(());
    }
    let text = if file.as_path().is_symlink() { None } else { read_text(file.as_path()).ok() };
    match text.as_deref().and_then(viewed) {
        Some(path) if path == module.path => {}
        _ => {
            return Err(ToolError::new(ErrorKind::Refused, format!("`{name}` is not a view of `{}`", module.path))
                .hint("name another directory as `into`"));
        }
    }
    let is_edited = text.is_some_and(|text| Readable::read(&module.path, module.language, &text).is_edited());
    if is_edited {
        return Err(ToolError::new(ErrorKind::Refused, format!("`{name}` was edited, and would be overwritten"))
            .hint(format!("sync_pt with path `{name}` takes over what was edited; or delete the file")));
    }
    Ok(())
}
