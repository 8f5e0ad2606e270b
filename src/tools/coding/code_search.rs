//! `code_search`: declarations by their names, without a language server.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::answer::Form;
use super::super::call::{parse, to_json};
use super::super::excerpt;
use super::super::schema::tidy;
use super::super::tool::{Effect, Tool, Toolset};
use super::place::Place;
use crate::inspect::{Match, Matches, SearchQuery, Watch, search};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::text::quoted;
use crate::tools::{Answer, Context, ErrorKind, ToolError};

pub(in crate::tools) const CODE_SEARCH: Tool = Tool {
    name: "code_search",
    title: "Find a declaration",
    description: "Finds functions, classes or methods by name (`total`, `Order.total`) in a file or below a directory, by \
        syntax: text in comments and strings is not matched.",
    toolset: Toolset::Coding,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<SearchArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<MatchesJson>())),
    run: |context, args| Box::pin(async move { to_json(&look(context, parse(args)?).await?).map(Answer::Whole) }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchArgs {
    /// Comes with every call of a server that was started for one project.
    #[serde(rename = "projectRoot")]
    #[schemars(skip)]
    project_root: Option<String>,
    command: Command,
    /// File or directory.
    path: String,
    identifier: String,
    /// True by default.
    print_body: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
#[expect(clippy::enum_variant_names, reason = "the words of the tool's input")]
enum Command {
    SearchFunction,
    SearchClass,
    SearchClassMethod,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Matches")]
struct MatchesJson {
    matches: Vec<MatchJson>,
    /// What is not among them: other declarations of the name, files that could not be looked into.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct MatchJson {
    file: String,
    /// First and last, 1-based.
    lines: [u32; 2],
    name: String,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
}

/// How many matches are told of, and how much a signature may take.
const MOST: usize = 100;
const SIGNATURE: usize = 600;

async fn look(context: &Context, args: SearchArgs) -> Result<MatchesJson, ToolError> {
    let identifier = args.identifier.trim().to_owned();
    if identifier.is_empty() {
        return Err(ToolError::invalid("`identifier` is empty").hint("give a name: `total`, `Order.total`"));
    }
    let place = Place::find(context, args.project_root.as_deref(), &args.path).await?;
    let wanted = match args.command {
        Command::SearchFunction => SearchQuery::Function,
        Command::SearchClass => SearchQuery::Class,
        Command::SearchClassMethod => SearchQuery::Method,
    };
    let name = identifier.clone();
    let (disk, path) = (place.project.session().disk().clone(), place.path.clone());
    let watch = Arc::new(Watch::default());
    let _stop = crate::tools::inspect::Stop::of(&watch);
    let work = tokio::task::spawn_blocking(move || search(&disk, path.as_str(), (wanted, &name), &watch));
    let work = async {
        let done = work.await.map_err(|error| ToolError::new(ErrorKind::Internal, error.to_string()))?;
        Ok(done?)
    };
    let found = context.unless_cancelled(work).await?;
    Ok(answer(found, &identifier, args.print_body.unwrap_or(true)))
}

fn answer(found: Matches, identifier: &str, with_bodies: bool) -> MatchesJson {
    let mut notes = Vec::new();
    let count = found.found.len();
    if count == 0 {
        notes.push(format!("nothing is declared as {}", quoted(identifier)));
    }
    for (wanted, number) in &found.others {
        notes.push(format!("{number} found by {}", command(*wanted)));
    }
    if count > MOST {
        notes.push(format!("{} more matches are not listed; name a smaller path", count - MOST));
    }
    let mut room = excerpt::MOST;
    let mut without_body = 0;
    let matches = found.found.into_iter().take(MOST).map(|one| {
        let shown = shown(one, with_bodies && room > 0);
        let cost = shown.signature.len() + shown.body.as_ref().map_or(0, String::len);
        room = room.saturating_sub(cost);
        without_body += usize::from(with_bodies && shown.body.is_none());
        shown
    });
    let matches: Vec<MatchJson> = matches.collect();
    if without_body > 0 {
        notes.push(format!("{without_body} bodies are left out: too much for one answer; file_editor views them"));
    }
    notes.extend(found.left_out.into_iter().take(10).map(|row| format!("not looked into: {row}")));
    MatchesJson { matches, notes }
}

fn shown(one: Match, has_room: bool) -> MatchJson {
    let rest = |left: usize| format!("{left} more lines; file_editor views them");
    let body = has_room.then(|| excerpt::lines(&one.body, excerpt::MOST / 2, rest));
    let signature = excerpt::line(&one.signature, SIGNATURE);
    MatchJson { file: one.file, lines: one.lines, name: one.name, signature, body }
}

fn command(wanted: SearchQuery) -> &'static str {
    match wanted {
        SearchQuery::Function => "search_function",
        SearchQuery::Class => "search_class",
        SearchQuery::Method => "search_class_method",
    }
}
