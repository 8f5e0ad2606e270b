//! `pretty_print`: a file or a declaration as the project's formatter would write it; nothing is written.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::PrettyArgs;
use super::run::not_run;
use super::stand::Stand;
use crate::declarations::{FoundDeclaration, Module, written_span};
use crate::lsp::Feature;
use crate::programs::{Formatted, formatted};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::{IndentWidth, Language, Tree};
use crate::text::{AbsPath, Text, TextEdits};
use crate::tools::answer::Form;
use crate::tools::call::{parse, to_json};
use crate::tools::explore::{View, cut};
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ErrorKind, ToolError};

pub(in crate::tools) const PRETTY_PRINT: Tool = Tool {
    name: "pretty_print",
    title: "Format",
    description: "A file or a declaration as the project's formatter would write it; nothing is written. Runs black, prettier \
        or biome where the project says so, else a language server formats.",
    toolset: Toolset::Build,
    effect: Effect::Runs,
    input: || tidy(schema_of_input::<PrettyArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<PrettyJson>())),
    run: |context, args| {
        Box::pin(async move { to_json(&pretty_print(context, parse(args)?).await?).map(Answer::Whole) })
    },
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Formatted")]
pub struct PrettyJson {
    pub path: String,
    /// Who formatted it.
    pub by: String,
    /// It is not as it stands.
    pub differs: bool,
    /// In the formatted file; first and last, 1-based.
    pub start_line: u32,
    pub end_line: u32,
    /// Where to go on: `from_line` of the next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_line: Option<u32>,
    pub source: String,
}

const TIMEOUT: u64 = 60;

/// Formats.
pub async fn pretty_print(context: &Context, args: PrettyArgs) -> Result<PrettyJson, ToolError> {
    let Some(place) = args.id.as_deref().or(args.path.as_deref()) else {
        return Err(ToolError::invalid("neither `id` nor `path` is given").hint("give the one that is to be formatted"));
    };
    let view = View::of(context, args.project_root.as_deref(), place).await?;
    let found = args.id.as_deref().map(|id| view.find(id)).transpose()?;
    let name = match (&found, &args.path) {
        (Some(found), _) => found.module.path.clone(),
        (None, Some(path)) => view.path(path)?,
        (None, None) => return Err(ToolError::invalid("neither `id` nor `path` is given")),
    };
    let session = view.project.session();
    let path = view.project.root().join(&name)?;
    let before = session.disk().read(&path)?;
    let stand = Stand::as_it_lies(Arc::clone(&view.project))?;
    let ground = stand.ground(context, TIMEOUT)?;
    let work = async {
        let _listening = view.project.listen(Arc::clone(&context.sink));
        let own = formatted(&ground, &path, before.as_str()).await.map_err(|why| not_run(&stand, &why))?;
        match own {
            Some(own) => Ok(own),
            None => by_server(session, &path, &before).await,
        }
    };
    let Formatted { text, by } = context.unless_cancelled(work).await?;
    let (source, first, differs) = match &found {
        Some(found) => declaration(session, found, (&path, &text))?,
        None => (text.clone(), 1, text != before.as_str()),
    };
    let shown = cut(name, (&source, first), args.from_line)?;
    let (start_line, end_line, next_line) = (shown.start_line, shown.end_line, shown.next_line);
    Ok(PrettyJson { path: shown.path, by, differs, start_line, end_line, next_line, source: shown.source })
}

/// Has a language server format a file.
async fn by_server(session: &Session, path: &AbsPath, before: &Arc<Text>) -> Result<Formatted, ToolError> {
    let language = Language::of_path(path).ok_or_else(|| {
        ToolError::new(ErrorKind::LanguageNotSupported, format!("the language of `{path}` is not known"))
    })?;
    let server = session.server(language, Feature::Formatting).await?;
    let step = IndentWidth::of(&Tree::parse(language, before.as_str()), before.as_str());
    let _turn = session.shared().await;
    let answer = server.formatting(path, step.unwrap_or(IndentWidth::USUAL)).await.map_err(SessionError::from)?;
    let by = server.name().to_string();
    let failed =
        |reason: String| ToolError::new(ErrorKind::ServerFailed, format!("{by} formats `{path}` so: {reason}"));
    let edits = answer.map(|answer| answer.edits_alone()).transpose().map_err(|error| failed(error.to_string()))?;
    let edits = edits.and_then(|(mut edits, _)| edits.remove(path)).unwrap_or_default();
    let edits = TextEdits::new(edits).map_err(|error| failed(error.to_string()))?;
    let text = edits.apply(before.as_str());
    Ok(Formatted { text, by })
}

/// Finds a declaration in the formatted text of its file: the text, its first line, and whether it is another one.
fn declaration(
    session: &Session,
    found: &FoundDeclaration,
    (path, text): (&AbsPath, &str),
) -> Result<(String, u32, bool), ToolError> {
    let (module, row) = (&found.module, found.row());
    let same = |other: &&crate::declarations::DeclarationRow| other.names == row.names && other.kind == row.kind;
    let number = module.rows[..found.number].iter().filter(same).count();
    let after = Text::new(text);
    let tree = Tree::parse(module.language, text);
    let formatted = Module::read(&module.path, module.language, (&tree, &after));
    let there = formatted.rows.iter().filter(same).nth(number).ok_or_else(|| {
        let gone = format!("`{}` is not found again in the formatted text", row.names.join("."));
        ToolError::new(ErrorKind::ServerFailed, gone).hint("format the whole file: give its `path`")
    })?;
    let after = Parsed::new(Arc::new(after), tree);
    let span = written_span(&after, there);
    let first = after.text.position(span.start).map_or(1, |at| at.line + 1);
    let source = after.text.as_str()[span.start..span.end].to_owned();
    let before = session.parsed(path)?;
    let before = before.map(|parsed| {
        let span = written_span(&parsed, row);
        parsed.text.as_str()[span.start..span.end].to_owned()
    });
    let differs = before.as_ref() != Some(&source);
    Ok((source, first, differs))
}
