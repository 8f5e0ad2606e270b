//! `get_source` and `get_declaration`: one file, one declaration.

use schemars::JsonSchema;
use serde::Serialize;

use super::args::{OneArgs, SourceArgs};
use super::view::{View, meant, target_of};
use crate::declarations::{DeclarationRow, Detail, FoundDeclaration, detail, written_span};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::render::tokens;
use crate::text::Span;
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ToolError};

pub(in crate::tools) const GET_SOURCE: Tool = Tool {
    name: "get_source",
    title: "Read source",
    description: "The text of a declaration, with its decorators and the comments above it, or of a file.",
    toolset: Toolset::Explore,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<SourceArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<SourceJson>())),
    run: |context, args| Box::pin(async move { whole(&get_source(context, parse(args)?).await?) }),
};

pub(in crate::tools) const GET_DECLARATION: Tool = Tool {
    name: "get_declaration",
    title: "Look at a declaration",
    description: "A declaration with its source, documentation, signature and members.",
    toolset: Toolset::Explore,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<OneArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<OneJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&get_declaration(context, parse(args)?).await?) }),
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Source")]
pub struct SourceJson {
    pub path: String,
    /// First and last, 1-based.
    pub start_line: u32,
    pub end_line: u32,
    /// Where to go on: `from_line` of the next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_line: Option<u32>,
    pub source: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Declaration")]
pub struct OneJson {
    pub id: String,
    pub name: String,
    pub kind: String,
    pub is_pub: bool,
    pub module: String,
    pub target: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<SignatureJson>,
    /// What its own body raises, as it is written, caught or not; the tool error_set follows calls and handlers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub error_set: Vec<String>,
    /// Classes, interfaces and contracts that it names in its head.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub impl_traits: Vec<String>,
    /// What its constructor is handed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bracket_deps: Vec<ParamJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<MemberJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<MemberJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<MemberJson>,
    /// 1-based.
    pub lines: [u32; 2],
    /// Where it is too long, its beginning: get_source reads on.
    pub source: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SignatureJson {
    pub params: Vec<ParamJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_type: Option<String>,
    /// It raises, throws or reverts in its own body, or its type says that it may fail.
    pub is_fallible: bool,
    pub is_async: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ParamJson {
    pub name: String,
    /// As it is written.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct MemberJson {
    pub id: String,
    pub name: String,
}

/// So much of a text is handed out at once, in bytes, and in tokens, which many short lines cost more of.
const MOST: usize = 12_000;
const ROOM: usize = 4_500;
/// The same beside what else is told of a declaration.
const BESIDE: usize = 6_000;

/// A text is cut by lines already, and never by the room of an answer.
fn whole(source: &SourceJson) -> Result<Answer, ToolError> {
    crate::tools::call::to_json(source).map(Answer::Whole)
}

/// Reads the text of a declaration or of a file.
pub async fn get_source(context: &Context, args: SourceArgs) -> Result<SourceJson, ToolError> {
    let root = args.project_root.as_deref();
    if let Some(id) = &args.id {
        let view = View::of(context, root, id).await?;
        let found = view.find(id)?;
        let (source, line) = source_of(&view, (&found, id))?;
        return cut(found.module.path.clone(), (&source, line), args.from_line);
    }
    let Some(path) = &args.path else {
        return Err(ToolError::invalid("neither `id` nor `path` is given").hint("give the one that is to be read"));
    };
    let view = View::of(context, root, path).await?;
    let name = view.path(path)?;
    let text = view.project.session().disk().read(&view.project.root().join(&name)?)?;
    cut(name, (text.as_str(), 1), args.from_line)
}

/// Returns the text of a declaration as it is written, and the line that it begins in.
fn source_of(view: &View, (found, written): (&FoundDeclaration, &str)) -> Result<(String, u32), ToolError> {
    let path = view.project.root().join(&found.module.path)?;
    let parsed = view.project.session().parsed(&path)?;
    let parsed = parsed.ok_or_else(|| ToolError::invalid(format!("the language of `{path}` is not known")))?;
    let text = parsed.text.as_str();
    let numbers = meant(found, written, text);
    let row = |number: Option<&usize>| number.map_or(found.row(), |number| &found.module.rows[*number]);
    let span = Span::new(written_span(&parsed, row(numbers.first())).start, row(numbers.last()).full_span.end);
    let line = parsed.text.position(span.start).map_or(1, |it| it.line + 1);
    Ok((text[span.start..span.end].to_owned(), line))
}

/// Cuts a text that begins in line `first` of its file behind the last line that there is room for.
pub(in crate::tools) fn cut(
    path: String,
    (source, first): (&str, u32),
    from: Option<u32>,
) -> Result<SourceJson, ToolError> {
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let last = first + (lines.len() as u32).max(1) - 1;
    let from = from.unwrap_or(first);
    if from < first || from > last {
        return Err(ToolError::invalid(format!("`from_line` is {from}, and the text has the lines {first} to {last}"))
            .hint("leave `from_line` out to begin at the beginning"));
    }
    let (mut room, mut bytes) = (ROOM, MOST);
    let shown = lines.iter().skip((from - first) as usize).take_while(|line| {
        // The end of a line is written as two characters.
        let cost = tokens(line) + 1;
        let fits = line.len() <= bytes && cost <= room;
        (room, bytes) = (room.saturating_sub(cost), bytes.saturating_sub(line.len()));
        fits
    });
    let shown: Vec<&str> = shown.copied().collect();
    if shown.is_empty() && !lines.is_empty() {
        let line = lines[(from - first) as usize];
        let source = format!("{}…", &line[..line.floor_char_boundary(MOST)]);
        let next_line = (from < last).then_some(from + 1);
        return Ok(SourceJson { path, start_line: from, end_line: from, next_line, source });
    }
    let end = from + (shown.len() as u32).max(1) - 1;
    let next_line = (end < last).then_some(end + 1);
    Ok(SourceJson { path, start_line: from, end_line: end, next_line, source: shown.concat() })
}

/// Reads what a declaration says of itself.
pub async fn get_declaration(context: &Context, args: OneArgs) -> Result<OneJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.id).await?;
    let found = view.find(&args.id)?;
    told(&view, (&found, &args.id))
}

fn told(view: &View, (found, written): (&FoundDeclaration, &str)) -> Result<OneJson, ToolError> {
    let (module, row) = (&found.module, found.row());
    let path = view.project.root().join(&module.path)?;
    let parsed = view.project.session().parsed(&path)?;
    let parsed = parsed.ok_or_else(|| ToolError::invalid(format!("the language of `{path}` is not known")))?;
    let Detail { documentation, params, return_type, is_async, is_fallible, raised, bases } = detail(&parsed, row);
    let signature = row.kind.is_callable().then(|| SignatureJson {
        params: params.iter().map(param).collect(),
        return_type,
        is_fallible,
        is_async,
    });
    let members = |fits: fn(&DeclarationRow) -> bool| -> Vec<MemberJson> {
        let all = module.members(found.number).filter(|row| fits(row));
        all.map(|row| MemberJson { id: row.id.to_string(), name: row.name().to_owned() }).collect()
    };
    let constructor = module.members(found.number).find(|row| matches!(row.name(), "__init__" | "constructor"));
    let handed = constructor.map(|row| detail(&parsed, row).params).unwrap_or_default();
    let (source, _) = source_of(view, (found, written))?;
    Ok(OneJson {
        id: row.id.to_string(),
        name: row.name().to_owned(),
        kind: row.kind.as_str().to_owned(),
        is_pub: row.is_public,
        module: module.path.clone(),
        target: target_of(module, row),
        parent: row.parent.map(|parent| module.rows[parent].id.to_string()),
        documentation,
        signature,
        error_set: raised,
        impl_traits: bases,
        bracket_deps: handed.iter().map(param).collect(),
        fields: members(|row| matches!(row.kind.as_str(), "field" | "constant" | "variable")),
        methods: members(|row| row.kind.is_callable()),
        variants: members(|row| row.kind.as_str() == "variant"),
        lines: [row.lines.0, row.lines.1],
        source: if source.len() > BESIDE {
            format!("{}…", &source[..source.floor_char_boundary(BESIDE)])
        } else {
            source
        },
    })
}

fn param(param: &crate::declarations::Param) -> ParamJson {
    ParamJson { name: param.name.clone(), type_name: param.type_name.clone(), default: param.default.clone() }
}
