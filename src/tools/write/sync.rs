//! `sync_pt`: what was edited in readable views, drafted.

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::{RenameArgs, SyncArgs};
use super::change::{place, rename};
use super::draft::{DraftedJson, Written, drafted};
use super::views::{readable, write};
use crate::declarations::{
    Comparison, FoundDeclaration, Id, Merged, Module, Readable, SUFFIX, compared, merged, usages, viewed,
};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::text::AbsPath;
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::diagnostic::DiagnosticJson;
use crate::tools::explore::{View, target_of};
use crate::tools::schema::tidy;
use crate::tools::tool::{Tool, Toolset};
use crate::tools::write::add::ADD_DECLARATION;
use crate::tools::{Answer, Context, ErrorKind, ToolError, one_file};
use crate::workspace::read_text;

pub(in crate::tools) const SYNC_PT: Tool = Tool {
    name: "sync_pt",
    title: "Take over edited views",
    description: "Drafts what was edited in views of generate_pt: names (a whole rename), signatures, documentation, \
        declarations that are new or gone. What was done to the source meanwhile comes into the view.",
    toolset: Toolset::Build,
    input: || tidy(schema_of_input::<SyncArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<SyncedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&sync(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(title = "Synced")]
struct SyncedJson {
    /// Views of which all was taken over; they are written anew.
    synced: Vec<String>,
    new_declarations: Vec<SyncedOneJson>,
    updated_declarations: Vec<SyncedOneJson>,
    deleted_declarations: Vec<SyncedOneJson>,
    /// What is not taken over, and why; its views stay as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<String>,
    /// What the servers find with the drafts, and did not find before.
    diagnostics: Vec<DiagnosticJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    /// Every file that is not as it is on the disk; `save` writes them.
    dirty: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    diff: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SyncedOneJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    target: String,
    /// Where it was done: view or source.
    by: String,
    /// The parts that changed.
    #[serde(skip_serializing_if = "String::is_empty")]
    changed: String,
}

/// A view with the module that it is of.
struct Edited {
    file: AbsPath,
    name: String,
    path: String,
    readable: Readable,
}

async fn sync(context: &Context, args: SyncArgs) -> Result<SyncedJson, ToolError> {
    let first = View::of(context, args.project_root.as_deref(), ".").await?;
    let files = files(&first, &args.path)?;
    let mut done = SyncedJson::default();
    for file in files {
        let edited = read(&first, file)?;
        let left = done.left.len();
        sync_one(context, (&first, &edited), &mut done).await?;
        if done.left.len() == left {
            let view = again(context, &first).await?;
            match module(&view, &edited).and_then(|module| readable(&view, module))?.written() {
                Some(now) => write(&edited.file, &now)?,
                None => done
                    .left
                    .push(format!("the view of `{}` could not be read back, and is left as it is", edited.path)),
            }
            done.synced.push(edited.name);
        }
    }
    done.dirty = first.project.dirty();
    Ok(done)
}

async fn again(context: &Context, view: &View) -> Result<View, ToolError> {
    View::of(context, Some(view.project.root().as_str()), ".").await
}

/// Returns the views at a path, or below it.
fn files(view: &View, written: &str) -> Result<Vec<AbsPath>, ToolError> {
    let path = view.project.session().disk().as_real(&view.project.root().join(written)?);
    let mut found = Vec::new();
    if path.as_path().is_dir() {
        below(path.as_path(), &mut found);
        found.sort();
    } else if path.as_str().ends_with(SUFFIX) && path.as_path().is_file() {
        found.push(path);
    }
    if found.is_empty() {
        return Err(ToolError::invalid(format!("`{written}` is not a view, and holds none"))
            .hint("generate_pt writes views; their names end in `.pt`"));
    }
    Ok(found)
}

fn below(directory: &Path, found: &mut Vec<AbsPath>) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    for (kind, path) in entries.filter_map(|entry| Some((entry.file_type().ok()?, entry.path()))) {
        if kind.is_dir() {
            below(&path, found);
        } else if kind.is_file() && path.to_str().is_some_and(|path| path.ends_with(SUFFIX)) {
            found.extend(AbsPath::new(&path).ok());
        }
    }
}

fn read(view: &View, file: AbsPath) -> Result<Edited, ToolError> {
    let name = view.name_of(&file);
    let no =
        |why: String| ToolError::invalid(format!("`{name}` is not a view: {why}")).hint("generate_pt writes views");
    let text = read_text(file.as_path()).map_err(|error| no(error.to_string()))?;
    let path = viewed(&text).ok_or_else(|| no("its first line names no module".to_owned()))?.to_owned();
    let module = view.index.module(&path).ok_or_else(|| {
        ToolError::invalid(format!("`{name}` is a view of `{path}`, which is not in the project"))
            .hint("delete the view, or name the module in its first line")
    })?;
    let readable = Readable::read(&path, module.language, &text);
    if let Some((line, column)) = readable.error() {
        return Err(ToolError::new(
            ErrorKind::Refused,
            format!("`{name}` does not parse at line {line}, column {column}"),
        )
        .hint("nothing was taken over; fix the view and ask again"));
    }
    Ok(Edited { file, name, path, readable })
}

fn module<'v>(view: &'v View, edited: &Edited) -> Result<&'v Arc<Module>, ToolError> {
    view.index
        .module(&edited.path)
        .ok_or_else(|| ToolError::new(ErrorKind::Stale, format!("`{}` went meanwhile", edited.path)).hint("ask again"))
}

/// Takes over one view: first its names, by renames of their own, then everything else at once.
async fn sync_one(context: &Context, (view, edited): (&View, &Edited), done: &mut SyncedJson) -> Result<(), ToolError> {
    let view = again(context, view).await?;
    let mut wanted = compared(&readable(&view, module(&view, edited)?)?, &edited.readable);
    done.left.append(&mut wanted.left);
    for (id, new_name) in &wanted.renamed {
        let root = Some(view.project.root().to_string());
        let asked = RenameArgs { project_root: root, id: id.to_string(), new_name: new_name.clone() };
        match rename(context, asked).await {
            Ok(drafted) => {
                let was = drafted.old_name.clone().unwrap_or_default();
                done.updated_declarations.push(SyncedOneJson {
                    id: Some(id.to_string()),
                    target: drafted.target.clone().unwrap_or_default(),
                    by: "view".to_owned(),
                    changed: format!("name, was {was}"),
                });
                done.take(drafted);
            }
            Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
            Err(error) => done.left.push(format!("`{id}` is not renamed to `{new_name}`: {}", error.message)),
        }
    }
    take_rest(context, edited, (&view, wanted), done).await
}

/// Drafts what a view says beside names.
async fn take_rest(
    context: &Context,
    edited: &Edited,
    (before, mut wanted): (&View, Comparison),
    done: &mut SyncedJson,
) -> Result<(), ToolError> {
    let view = again(context, before).await?;
    let _turn = view.project.drafting().turn().await;
    let own = Arc::clone(module(&view, edited)?);
    keep_used(context, (&view, &own), &mut wanted.deleted, done).await?;
    let now = readable(&view, &own)?;
    let Merged { text, updated, added, deleted, mut left } = merged(&now, &edited.readable, &wanted);
    done.left.append(&mut left);
    let path = view.project.root().join(&own.path)?;
    let text_before = view.project.session().disk().read(&path)?;
    if text != text_before.as_str() {
        let plan = one_file::changed(&path, text_before, &text)?;
        let given = (!added.is_empty() || !updated.is_empty()).then_some(path);
        done.take(drafted(context, &view, Written { plan, place: None, given }).await?);
    }
    let after = again(context, &view).await?;
    let one = |id: Id, by: &str, changed: String| {
        let found = after.index.get(id);
        let target = found.map(|found| target_of(&found.module, found.row())).unwrap_or_default();
        SyncedOneJson { id: Some(id.to_string()), target, by: by.to_owned(), changed }
    };
    done.updated_declarations.extend(updated.into_iter().map(|(id, parts)| one(id, "view", parts)));
    let row = |names: &[String]| after.index.module(&own.path)?.rows.iter().find(|row| row.names == names);
    for id in added.iter().filter_map(|names| row(names)).map(|row| row.id) {
        done.new_declarations.push(one(id, "view", String::new()));
    }
    for id in deleted {
        let was = own.rows.iter().find(|row| row.id == id).map(|row| target_of(&own, row));
        let target = was.unwrap_or_default();
        let (id, by) = (Some(id.to_string()), "view".to_owned());
        done.deleted_declarations.push(SyncedOneJson { id, target, by, changed: String::new() });
    }
    let outside = wanted.outside;
    done.new_declarations.extend(outside.added.into_iter().map(|id| one(id, "source", String::new())));
    done.updated_declarations.extend(outside.updated.into_iter().map(|id| one(id, "source", String::new())));
    for (id, target) in outside.deleted {
        let (id, by) = (Some(id.to_string()), "source".to_owned());
        done.deleted_declarations.push(SyncedOneJson { id, target, by, changed: String::new() });
    }
    Ok(())
}

/// Leaves out of what is to be deleted what something else uses.
async fn keep_used(
    context: &Context,
    (view, own): (&View, &Arc<Module>),
    deleted: &mut Vec<Id>,
    done: &mut SyncedJson,
) -> Result<(), ToolError> {
    let going: Vec<_> = own.rows.iter().filter(|row| deleted.contains(&row.id)).map(|row| row.full_span).collect();
    for id in std::mem::take(deleted) {
        let Some(number) = own.rows.iter().position(|row| row.id == id) else { continue };
        let found = FoundDeclaration { module: Arc::clone(own), number };
        let work = async {
            let _listening = view.project.listen(Arc::clone(&context.sink));
            Ok(usages(view.project.session(), &view.index, &found).await?)
        };
        let name = found.row().names.join(".");
        match context.unless_cancelled(work).await {
            Ok(uses) => {
                let all = uses.certain.iter().chain(&uses.possible);
                let mut left = all.filter(|usage| {
                    usage.module.path != own.path || !going.iter().any(|span| span.contains(usage.span))
                });
                match left.next() {
                    None => deleted.push(id),
                    Some(usage) => done.left.push(format!(
                        "`{name}` is not deleted: it is used at {}, and in {} more places",
                        place(view, usage),
                        left.count()
                    )),
                }
            }
            Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
            Err(error) => done.left.push(format!("`{name}` is not deleted: {}", error.message)),
        }
    }
    Ok(())
}

impl SyncedJson {
    fn take(&mut self, drafted: DraftedJson) {
        self.diagnostics = drafted.diagnostics;
        self.remarks.extend(drafted.remarks);
        self.diff.push_str(&drafted.diff);
    }
}
