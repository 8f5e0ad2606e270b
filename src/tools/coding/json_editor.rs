//! `json_editor`: values of JSON files by JSONPath; what is not named stays byte for byte.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::super::answer::Form;
use super::super::call::parse;
use super::super::excerpt;
use super::super::one_file::changed;
use super::super::schema::tidy;
use super::super::tool::{Effect, Tool, Toolset};
use super::place::Place;
use super::written::{Findings, write};
use crate::render::json::schema_of_input;
use crate::syntax::json::{Dialect, Operation as Change, Query, Refusal, edited, found};
use crate::tools::{Answer, Context, ErrorKind, ToolError};

pub(in crate::tools) const JSON_EDITOR: Tool = Tool {
    name: "json_editor",
    title: "View or edit a JSON file",
    description: "Views or edits values of a JSON file by JSONPath; every other byte stays, comments too. set: values that are \
        there. add: a member by its path, an element before the one at an index, or as the last of an array. Edits can be \
        undone. JSON Lines are an array.",
    toolset: Toolset::Coding,
    effect: Effect::Writes,
    input: || tidy(schema_of_input::<JsonArgs>()),
    form: Form::Text,
    run: |context, args| Box::pin(async move { edit(context, parse(args)?).await.map(Answer::Whole) }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JsonArgs {
    /// Comes with every call of a server that was started for one project.
    #[serde(rename = "projectRoot")]
    #[schemars(skip)]
    project_root: Option<String>,
    operation: Operation,
    file_path: String,
    /// $.scripts.test, $.files[0], $..name
    json_path: String,
    /// Any JSON.
    #[serde(default, deserialize_with = "given")]
    value: Option<Value>,
    /// Also tell what the language servers newly find.
    #[serde(default)]
    check: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Operation {
    View,
    Set,
    Add,
    Remove,
}

/// Takes `null` for a value, too.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// How many places a message names.
const NAMED: usize = 5;

async fn edit(context: &Context, args: JsonArgs) -> Result<String, ToolError> {
    let place = Place::find(context, args.project_root.as_deref(), &args.file_path).await?;
    let text = place.project.session().disk().read(&place.path)?;
    let dialect = Dialect::of_path(&place.path);
    let query = Query::parse(&args.json_path).map_err(|error| {
        ToolError::invalid(error.to_string())
            .hint("paths begin with `$`: `$.name`, `$['a name']`, `$.list[0]`, `$..name`")
    })?;
    let (operation, done) = match (args.operation, args.value) {
        (Operation::View, _) => return view(&place, found(text.as_str(), dialect, &query)),
        (Operation::Remove, _) => (Change::Remove, "removed"),
        (Operation::Set, Some(value)) => (Change::Set(value), "set"),
        (Operation::Add, Some(value)) => (Change::Add(value), "added"),
        (Operation::Set | Operation::Add, None) => {
            return Err(
                ToolError::invalid("missing field `value`").hint("set and add take a `value`: any JSON, null included")
            );
        }
    };
    let edited = edited(text.as_str(), dialect, &query, &operation).map_err(|refusal| refused(&place, refusal))?;
    let named = excerpt::first(&edited.places, NAMED);
    let plan = changed(&place.path, text, &edited.text)?;
    if plan.is_empty() {
        return Ok(format!("{named} of `{}` is so already; nothing was written\n", place.name()));
    }
    let done = format!("{done} {named} in `{}`", place.name());
    write(context, &place, (plan, Findings::of(args.check)), &done).await
}

/// One value as it stands; of several each with its path.
fn view(place: &Place, found: Result<Vec<(String, String)>, Refusal>) -> Result<String, ToolError> {
    let found = found.map_err(|refusal| refused(place, refusal))?;
    let shown = match &found[..] {
        [(_, value)] => format!("{value}\n"),
        all => all.iter().map(|(path, value)| format!("{path}: {value}\n")).collect(),
    };
    Ok(excerpt::lines(&shown, excerpt::MOST, |left| format!("{left} more lines; a longer json_path shows less")))
}

fn refused(place: &Place, refusal: Refusal) -> ToolError {
    let name = place.name();
    let error = ToolError::new(ErrorKind::Refused, format!("in `{name}`: {refusal}"));
    match refusal {
        Refusal::Json(_) => error.hint("fix the file with file_editor first"),
        Refusal::Nowhere { there, .. } => {
            let error = there.iter().fold(error, |error, there| error.hint(there));
            error.hint("`add` makes what is not there, one member or element at a time")
        }
        Refusal::Taken { .. } => error.hint("`set` changes it"),
        Refusal::NoContainer { .. } => error.hint("`set` gives it another value"),
        Refusal::Beyond { .. } => error.hint("the path of the array itself adds behind the last element"),
        Refusal::Twice { .. } => error.hint("which of the two is meant cannot be said by a path: use file_editor"),
        Refusal::Nested { .. } => error.hint("name the places apart, one call for each"),
        Refusal::Root(_) => error.hint("use file_editor"),
        Refusal::TooMany { .. } => error.hint("name fewer places in one call"),
    }
}
