//! `replace_declaration`, `edit_source`, `delete_declaration`, `rename_declaration` and `move_declaration`.

use std::sync::Arc;

use serde_json::json;

use super::add::beside;
use super::args::{DeleteArgs, EditArgs, MoveArgs, RenameArgs, ReplaceArgs};
use super::draft::{DraftedJson, Place, Written, drafted, parsed, written};
use crate::declarations::{
    DeclarationRow, FoundDeclaration, InsertionPlace as Beside, Module, Placing, Usage, deleted_all, usages,
    written_span,
};
use crate::plan::Plan;
use crate::render::json::{schema_of_input, schema_of_output};
use crate::syntax::{Language, Tree, entries};
use crate::text::{Span, Text, counted};
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::explore::{View, meant, target_of};
use crate::tools::one_file::with_text;
use crate::tools::schema::tidy;
use crate::tools::tool::Tool;
use crate::tools::write::add::ADD_DECLARATION;
use crate::tools::{Answer, Context, ErrorKind, ToolError, plan, refactor};

pub(in crate::tools) const REPLACE_DECLARATION: Tool = Tool {
    name: "replace_declaration",
    title: "Replace a declaration",
    description: "Drafts another source for a declaration; it keeps its id, and the comments above it unless the source \
        begins with its own.",
    input: || tidy(schema_of_input::<ReplaceArgs>()),
    run: |context, args| Box::pin(async move { Answer::of(&replace(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

pub(in crate::tools) const EDIT_SOURCE: Tool = Tool {
    name: "edit_source",
    title: "Edit a declaration",
    description: "Drafts another text for a piece of a declaration that stands in it once.",
    input: || tidy(schema_of_input::<EditArgs>()),
    run: |context, args| Box::pin(async move { Answer::of(&edit(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

pub(in crate::tools) const DELETE_DECLARATION: Tool = Tool {
    name: "delete_declaration",
    title: "Delete a declaration",
    description: "Drafts a file without a declaration, and lists the uses that are left.",
    input: || tidy(schema_of_input::<DeleteArgs>()),
    run: |context, args| Box::pin(async move { Answer::of(&delete(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

pub(in crate::tools) const RENAME_DECLARATION: Tool = Tool {
    name: "rename_declaration",
    title: "Rename a declaration",
    description: "Drafts the rename of a declaration with every use in the project.",
    input: || tidy(schema_of_input::<RenameArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<DraftedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&rename(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

pub(in crate::tools) const MOVE_DECLARATION: Tool = Tool {
    name: "move_declaration",
    title: "Move a declaration",
    description: "Drafts the move of a function, class or constant to another module, with every import.",
    input: || tidy(schema_of_input::<MoveArgs>()),
    run: |context, args| Box::pin(async move { Answer::of(&relocate(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

async fn replace(context: &Context, args: ReplaceArgs) -> Result<DraftedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.id).await?;
    let _turn = view.project.drafting().turn().await;
    let found = view.find(&args.id)?;
    let parsed = parsed(&view, &found)?;
    let changed =
        Placing::new(&parsed, &found.module).replaced(&meant(&found, &args.id, parsed.text.as_str()), &args.source)?;
    drafted(context, &view, written(&view, &found, (changed, Some(found.row().id)))?).await
}

async fn edit(context: &Context, args: EditArgs) -> Result<DraftedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.id).await?;
    let _turn = view.project.drafting().turn().await;
    let found = view.find(&args.id)?;
    let (old, new) = (args.old.as_str(), args.new.as_str());
    let parsed = parsed(&view, &found)?;
    let edited =
        Placing::new(&parsed, &found.module).edited(&meant(&found, &args.id, parsed.text.as_str()), (old, new))?;
    let changed = edited.map_err(|count| {
        let target = target_of(&found.module, found.row());
        let message = format!("`old` stands {count} times in `{target}`, and has to stand there once");
        ToolError::new(ErrorKind::Refused, message)
            .hint("copy it as get_source shows it, with as much around it as tells it apart")
    })?;
    drafted(context, &view, written(&view, &found, (changed, Some(found.row().id)))?).await
}

async fn delete(context: &Context, args: DeleteArgs) -> Result<DraftedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.id).await?;
    let _turn = view.project.drafting().turn().await;
    let found = view.find(&args.id)?;
    let target = target_of(&found.module, found.row());
    let work = async {
        let _listening = view.project.listen(Arc::clone(&context.sink));
        Ok(usages(view.project.session(), &view.index, &found).await?)
    };
    let used = context.unless_cancelled(work).await;
    let uses = match used {
        Ok(uses) => Some(uses),
        Err(error) if args.safe => return Err(error),
        Err(_) => None,
    };
    let parsed = parsed(&view, &found)?;
    let all = meant(&found, &args.id, parsed.text.as_str());
    let own: Vec<Span> = all.iter().map(|number| found.module.rows[*number].full_span).collect();
    let is_own = |usage: &Usage| own.iter().any(|own| own.contains(usage.span));
    let is_left = |usage: &&Usage| usage.module.path != found.module.path || !is_own(usage);
    let left = uses
        .as_ref()
        .map(|uses| -> Vec<&Usage> { uses.certain.iter().chain(&uses.possible).filter(is_left).collect() });
    let unseen = uses.as_ref().map(|uses| uses.left_out.as_slice()).unwrap_or_default();
    if let Some(left) = left.as_ref().filter(|left| args.safe && !(left.is_empty() && unseen.is_empty())) {
        let said = match left.len() {
            0 => format!("`{target}` may be used where no server sees it"),
            count => format!("`{target}` is used in {}", counted(count, "place")),
        };
        let error = left
            .iter()
            .take(10)
            .map(|usage| place(&view, usage))
            .fold(ToolError::new(ErrorKind::Refused, said), |error, place| error.hint(format!("used at {place}")));
        return Err(unseen.iter().take(10).fold(error, |error, told| error.hint(told)));
    }
    let changed = deleted_all((&parsed, &found.module), &all)?;
    let written = written(&view, &found, (changed, None))?;
    let left = left.map(|left| left.into_iter().map(|usage| place_after(&view, usage, &written.plan)).collect());
    let drafted = drafted(context, &view, Written { given: None, ..written }).await?;
    Ok(DraftedJson { deleted: Some(target), dangling_references: left, ..drafted })
}

pub(super) fn place(view: &View, usage: &Usage) -> String {
    let text = view.project.session().disk().read(&usage.path).ok();
    let line = text.and_then(|text| text.position(usage.span.start)).map_or(0, |at| at.line + 1);
    format!("{}:{line}", usage.module.path)
}

/// Tells where a use stands once a plan is carried out, as findings on the draft do.
fn place_after(view: &View, usage: &Usage, plan: &Plan) -> String {
    let Some(edit) = plan.edits().get(&usage.path) else { return place(view, usage) };
    let line = edit.after().position(edit.edits.map_offset(usage.span.start)).map_or(0, |at| at.line + 1);
    format!("{}:{line}", usage.module.path)
}

pub(super) async fn rename(context: &Context, args: RenameArgs) -> Result<DraftedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.id).await?;
    let _turn = view.project.drafting().turn().await;
    let found = view.find(&args.id)?;
    let parsed = parsed(&view, &found)?;
    let at = parsed.text.position(found.row().name_span.start);
    let wanted = json!({
        "projectRoot": view.project.root().as_str(),
        "filePath": found.module.path,
        "line": at.map(|at| at.line),
        "character": at.map(|at| at.character),
        "newName": args.new_name,
        "expect": found.row().name(),
    });
    let plan = plan::planned_rename(context, parse(wanted)?).await?.plan;
    let count = edits(&plan);
    let place = followed(&view, &found, &plan);
    let drafted = drafted(context, &view, Written { plan, place, given: None }).await?;
    Ok(DraftedJson {
        old_name: Some(found.row().name().to_owned()),
        new_name: Some(args.new_name),
        references_updated: Some(count.saturating_sub(1)),
        ..drafted
    })
}

async fn relocate(context: &Context, args: MoveArgs) -> Result<DraftedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.id).await?;
    let _turn = view.project.drafting().turn().await;
    let found = view.find(&args.id)?;
    let root = view.project.root();
    let row = found.row();
    let parsed = parsed(&view, &found)?;
    let at = parsed.text.lines().position(parsed.text.as_str(), row.name_span.start, crate::text::Encoding::Utf32);
    let (line, column) = at.map_or((1, 1), |at| (at.line + 1, at.character + 1));
    let target = format!("{}:{line}:{column}", root.join(&found.module.path)?);
    let to = view.name_of(&root.join(&args.to)?);
    let wanted =
        json!({"projectRoot": root.as_str(), "refactoring": "move-symbol", "target": target, "params": {"to": to}});
    let position = args.position.as_deref().filter(|position| *position != "end");
    let position = position.map(|position| beside(&view, position, &to)).transpose()?;
    let planned = refactor::planned(context, &parse(wanted)?).await?;
    let plan = match position {
        None => planned.plan,
        Some(position) => positioned(&view, planned.plan, (&to, row, position))?,
    };
    let place = arrived(&view, &plan, (&to, row));
    drafted(context, &view, Written { plan, place, given: None }).await
}

/// Puts what a plan brings into a module beside another declaration of it.
fn positioned(
    view: &View,
    plan: Plan,
    (to, row, (beside, place)): (&str, &DeclarationRow, (FoundDeclaration, Beside)),
) -> Result<Plan, ToolError> {
    let internal = || ToolError::new(ErrorKind::Internal, format!("`{}` is not found in `{to}`", row.name()));
    let path = view.project.root().join(to)?;
    let read = |text: Text| {
        let parsed = view.project.session().sources().parse(&path, &Arc::new(text)).ok_or_else(internal)?;
        let module = Module::read(to, beside.module.language, (&parsed.tree, &parsed.text));
        Ok::<_, ToolError>((parsed, module))
    };
    let (parsed, module) = read(plan.text_after(&path).ok_or_else(internal)?)?;
    let own = module.number_of(row).ok_or_else(internal)?;
    let source = written_span(&parsed, &module.rows[own]).of(parsed.text.as_str()).unwrap_or_default().to_owned();
    let without = Placing::new(&parsed, &module).deleted(own)?.text;
    let (parsed, module) = read(Text::new(without))?;
    let at = module.number_of(beside.row()).ok_or_else(internal)?;
    let place = if matches!(place, Beside::Before(_)) { Beside::Before(at) } else { Beside::After(at) };
    let changed = Placing::new(&parsed, &module).added(place, &source)?;
    with_text(plan, &path, changed.text)
}

/// Returns where a declaration stands in the module that it moved to.
fn arrived(view: &View, plan: &Plan, (to, row): (&str, &DeclarationRow)) -> Option<Place> {
    let path = view.project.root().join(to).ok()?;
    let text = plan.text_after(&path)?;
    let tree = Tree::parse(Language::of_path(&path)?, text.as_str());
    let all = entries(&tree, text.as_str()).into_iter();
    let mut same = all.filter(|it| it.declaration.path == row.names && it.kind == row.kind);
    Some((to.to_owned(), same.next()?.declaration.name_span.start, Some(row.id)))
}

fn edits(plan: &Plan) -> usize {
    plan.edits().values().map(|file| file.edits.len()).sum()
}

/// Returns where a declaration stands after a plan that renames it.
fn followed(view: &View, found: &FoundDeclaration, plan: &Plan) -> Option<Place> {
    let path = view.project.root().join(&found.module.path).ok()?;
    let start = found.row().name_span.start;
    let start = plan.edits().get(&path).map_or(start, |edit| edit.edits.map_offset(start));
    Some((found.module.path.clone(), start, Some(found.row().id)))
}
