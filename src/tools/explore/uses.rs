//! `usages_of`, `callers_of` and `constructors_of`: who uses a declaration, and for what.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::OneArgs;
use super::view::{View, target_of};
use crate::declarations::{Usage, UsageKind, Usages, usages};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::text::{Encoding, Position};
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ToolError};

pub(in crate::tools) const USAGES_OF: Tool = Tool {
    name: "usages_of",
    title: "Find uses",
    description: "Every use of a declaration, overriding members and re-exports included; possible: on objects of unknown \
        type.",
    toolset: Toolset::Explore,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<OneArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<UsagesJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&usages_of(context, parse(args)?).await?) }),
};

pub(in crate::tools) const CALLERS_OF: Tool = Tool {
    name: "callers_of",
    title: "Find callers",
    description: "The calls of a function, each with the function that it is in.",
    run: |context, args| Box::pin(async move { Answer::of(&callers_of(context, parse(args)?).await?) }),
    ..USAGES_OF
};

pub(in crate::tools) const CONSTRUCTORS_OF: Tool = Tool {
    name: "constructors_of",
    title: "Find where objects are made",
    description: "The places that make objects of a class, struct or contract.",
    run: |context, args| Box::pin(async move { Answer::of(&constructors_of(context, parse(args)?).await?) }),
    ..USAGES_OF
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Usages")]
pub struct UsagesJson {
    pub id: String,
    pub target: String,
    pub usages: Vec<UsageJson>,
    /// Members of objects of unknown type: they may mean it.
    pub possible: Vec<UsageJson>,
    /// Why these may not be all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct UsageJson {
    /// Of the function that the place is in; nothing outside of functions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_name: Option<String>,
    pub module: String,
    pub usage_kind: String,
    /// 1-based.
    pub line: u32,
    /// First and last column, 1-based, in characters.
    pub span: [u32; 2],
    pub source_snippet: String,
}

/// A longer line is cut.
const LONGEST_LINE: usize = 160;

/// Finds every use of a declaration.
pub async fn usages_of(context: &Context, args: OneArgs) -> Result<UsagesJson, ToolError> {
    used(context, args, |_| true).await
}

/// Finds the calls of a function.
pub async fn callers_of(context: &Context, args: OneArgs) -> Result<UsagesJson, ToolError> {
    // To raise an error is to make it.
    used(context, args, |kind| matches!(kind, UsageKind::Call | UsageKind::Construct | UsageKind::Raise)).await
}

/// Finds the places that make objects.
pub async fn constructors_of(context: &Context, args: OneArgs) -> Result<UsagesJson, ToolError> {
    used(context, args, |kind| matches!(kind, UsageKind::Construct | UsageKind::Raise)).await
}

async fn used(context: &Context, args: OneArgs, wanted: impl Fn(UsageKind) -> bool) -> Result<UsagesJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.id).await?;
    let found = view.find(&args.id)?;
    let work = async {
        let _listening = view.project.listen(Arc::clone(&context.sink));
        Ok(usages(view.project.session(), &view.index, &found).await?)
    };
    let Usages { certain, possible, left_out } = context.unless_cancelled(work).await?;
    let told = |all: Vec<Usage>| -> Result<Vec<UsageJson>, ToolError> {
        all.iter().filter(|usage| wanted(usage.kind)).map(|usage| row(&view, usage)).collect()
    };
    Ok(UsagesJson {
        id: found.row().id.to_string(),
        target: target_of(&found.module, found.row()),
        usages: told(certain)?,
        possible: told(possible)?,
        left_out,
    })
}

fn row(view: &View, usage: &Usage) -> Result<UsageJson, ToolError> {
    let text = view.project.session().disk().read(&usage.path)?;
    let place = |offset| {
        text.lines().position(text.as_str(), offset, Encoding::Utf32).unwrap_or(Position { line: 0, character: 0 })
    };
    let (start, end) = (place(usage.span.start), place(usage.span.end));
    let line = text.lines().line(text.as_str(), start.line).and_then(|line| text.as_str().get(line));
    let function = usage.function.map(|number| &usage.module.rows[number]);
    Ok(UsageJson {
        function_id: function.map(|row| row.id.to_string()),
        function_name: function.map(|row| row.names.join(".")),
        module: usage.module.path.clone(),
        usage_kind: usage.kind.as_str().to_owned(),
        line: start.line + 1,
        span: [start.character + 1, end.character],
        source_snippet: shortened(line.unwrap_or_default().trim()),
    })
}

fn shortened(line: &str) -> String {
    match line.len() > LONGEST_LINE {
        true => format!("{}…", &line[..line.floor_char_boundary(LONGEST_LINE)]),
        false => line.to_owned(),
    }
}
