//! `add_declaration`, `add_method` and `add_field`: what was not there.

use std::sync::Arc;

use super::args::{AddArgs, FieldArgs, MethodArgs};
use super::draft::{DraftedJson, Written, drafted, parsed, written};
use crate::declarations::{FoundDeclaration, InsertionPlace, Misfit, NewField, Placing, declared_field, injected};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::syntax::{Language, Tree, entries};
use crate::text::Text;
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::explore::{View, target_of};
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ToolError, one_file};

pub(in crate::tools) const ADD_DECLARATION: Tool = Tool {
    name: "add_declaration",
    title: "Add a declaration",
    description: "Drafts a new function, class or constant beside another or at the end of a file, indented and spaced as \
        the file is. Nothing is written before save.",
    toolset: Toolset::Write,
    effect: Effect::Writes,
    input: || tidy(schema_of_input::<AddArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<DraftedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&add(context, parse(args)?).await?) }),
};

pub(in crate::tools) const ADD_METHOD: Tool = Tool {
    name: "add_method",
    title: "Add a method",
    description: "Drafts a new method of a class.",
    input: || tidy(schema_of_input::<MethodArgs>()),
    run: |context, args| Box::pin(async move { Answer::of(&add_method(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

pub(in crate::tools) const ADD_FIELD: Tool = Tool {
    name: "add_field",
    title: "Add a field",
    description: "Drafts a new field of a class, struct, interface, object type or contract.",
    input: || tidy(schema_of_input::<FieldArgs>()),
    run: |context, args| Box::pin(async move { Answer::of(&add_field(context, parse(args)?).await?) }),
    ..ADD_DECLARATION
};

async fn add(context: &Context, args: AddArgs) -> Result<DraftedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.path).await?;
    let _turn = view.project.drafting().turn().await;
    let disk = view.project.session().disk();
    let path = disk.contain(&disk.as_real(&view.project.root().join(&args.path)?))?;
    let name = view.name_of(&path);
    let Some(module) = view.index.module(&name) else {
        return add_module(context, &view, (&name, &args.source)).await;
    };
    let found = FoundDeclaration { module: Arc::clone(module), number: 0 };
    let place = match args.position.as_deref() {
        None | Some("end") => InsertionPlace::End,
        Some(position) => beside(&view, position, &name)?.1,
    };
    put(context, &view, (&found, place, &args.source)).await
}

async fn add_method(context: &Context, args: MethodArgs) -> Result<DraftedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.class_id).await?;
    let _turn = view.project.drafting().turn().await;
    let found = view.find(&args.class_id)?;
    let place = match args.position.as_deref() {
        None | Some("end") => InsertionPlace::Member(found.number),
        Some(position) => beside(&view, position, &found.module.path)?.1,
    };
    put(context, &view, (&found, place, &args.source)).await
}

async fn add_field(context: &Context, args: FieldArgs) -> Result<DraftedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.target_id).await?;
    let _turn = view.project.drafting().turn().await;
    let found = view.find(&args.target_id)?;
    let default = args.default.as_deref().map(str::trim).filter(|default| !default.is_empty());
    let field = NewField { name: args.name.trim(), type_name: args.type_name.trim(), default };
    let (parsed, module) = (parsed(&view, &found)?, &found.module);
    let changed = if args.injected {
        injected((&parsed, module), found.number, field)
    } else {
        declared_field((&parsed, module), found.number, field)
    };
    // The line is made here: nobody gave a source with lines.
    let changed = changed.map_err(|misfit| match misfit {
        Misfit::Syntax { .. } => {
            let owner = target_of(module, found.row());
            let source = field.declaration((&parsed, module), found.number).unwrap_or_default();
            ToolError::invalid(format!("`{source}` does not parse as a field of `{owner}`")).hint(
                "`name` is a plain name, `type` a type, `default` a value; edit_source changes a part of a declaration",
            )
        }
        other => other.into(),
    })?;
    drafted(context, &view, written(&view, &found, (changed, None))?).await
}

/// Reads `before:ID` or `after:ID`, which has to stand in the same file.
pub(super) fn beside(view: &View, position: &str, path: &str) -> Result<(FoundDeclaration, InsertionPlace), ToolError> {
    let wrong = || {
        ToolError::invalid(format!("`{position}` is not a position"))
            .hint("give before:ID, after:ID or end; a target does for an id")
    };
    let (way, id) = position.split_once(':').filter(|(way, _)| ["before", "after"].contains(way)).ok_or_else(wrong)?;
    let found = view.find(id)?;
    if found.module.path != path {
        let message = format!("`{id}` stands in `{}`, not in `{path}`", found.module.path);
        return Err(ToolError::invalid(message).hint("name a declaration of the same file"));
    }
    let place =
        if way == "before" { InsertionPlace::Before(found.number) } else { InsertionPlace::After(found.number) };
    Ok((found, place))
}

async fn put(
    context: &Context,
    view: &View,
    (found, place, source): (&FoundDeclaration, InsertionPlace, &str),
) -> Result<DraftedJson, ToolError> {
    let parsed = parsed(view, found)?;
    let changed = Placing::new(&parsed, &found.module).added(place, source)?;
    drafted(context, view, written(view, found, (changed, None))?).await
}

/// Begins a file that is not there yet.
async fn add_module(context: &Context, view: &View, (name, source): (&str, &str)) -> Result<DraftedJson, ToolError> {
    let path = view.project.root().join(name)?;
    let language = Language::of_path(&path).ok_or_else(|| {
        ToolError::invalid(format!("the language of `{name}` is not known"))
            .hint("the file's extension says its language: .py, .ts, .sol")
    })?;
    let disk = view.project.session().disk();
    if path.as_path().is_dir() || disk.read(&path).is_ok_and(|text| !text.as_str().is_empty()) {
        return Err(ToolError::invalid(format!("`{name}` holds nothing whose declarations are known")));
    }
    let text = format!("{}\n", source.trim());
    let tree = Tree::parse(language, &text);
    if let Some(error) = tree.nodes().iter().find(|node| node.is_error()) {
        let at = Text::new(text.as_str()).position(error.start());
        let (line, column) = at.map_or((1, 1), |at| (at.line + 1, at.character + 1));
        return Err(Misfit::Syntax { line, column }.into());
    }
    let first = entries(&tree, &text).into_iter().next().ok_or(Misfit::Nothing)?;
    let plan = match disk.read(&path) {
        Ok(empty) => one_file::changed(&path, empty, &text)?,
        Err(_) => one_file::created(&path, &text)?,
    };
    let place = Some((name.to_owned(), first.declaration.name_span.start, None));
    drafted(context, view, Written { plan, place, given: Some(path) }).await
}
