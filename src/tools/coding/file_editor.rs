//! `file_editor`: looks at a file or a directory, and edits files by plans.

mod listing;
mod nearest;
mod replace;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::answer::Form;
use super::super::call::parse;
use super::super::excerpt;
use super::super::one_file::{changed, created};
use super::super::schema::tidy;
use super::super::tool::{Effect, Tool, Toolset};
use super::place::Place;
use super::written::{Findings, write};
use crate::render::json::schema_of_input;
use crate::text::counted;
use crate::tools::{Answer, Context, ErrorKind, ToolError};

pub(in crate::tools) const FILE_EDITOR: Tool = Tool {
    name: "file_editor",
    title: "View or edit a file",
    description: "view: a file's lines, numbered, or a directory two levels deep. create: a new file. replace: old_string, \
        which stands once in the file, becomes new_string. insert: content as lines behind line_number. Edits can be undone.",
    toolset: Toolset::Coding,
    effect: Effect::Writes,
    input: || tidy(schema_of_input::<EditArgs>()),
    form: Form::Text,
    run: |context, args| Box::pin(async move { edit(context, parse(args)?).await.map(Answer::Whole) }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EditArgs {
    /// Comes with every call of a server that was started for one project.
    #[serde(rename = "projectRoot")]
    #[schemars(skip)]
    project_root: Option<String>,
    operation: Operation,
    path: String,
    /// Of create and insert.
    content: Option<String>,
    old_string: Option<String>,
    new_string: Option<String>,
    /// 1-based; 0 is the beginning.
    line_number: Option<usize>,
    /// First and last line, 1-based; -1 is the end.
    view_range: Option<[i64; 2]>,
    /// Also tell what the language servers newly find.
    #[serde(default)]
    check: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Operation {
    View,
    Create,
    Replace,
    Insert,
}

/// Nobody reads the end of a longer line.
const LONGEST_LINE: usize = 2_000;

async fn edit(context: &Context, args: EditArgs) -> Result<String, ToolError> {
    let place = Place::find(context, args.project_root.as_deref(), &args.path).await?;
    let findings = Findings::of(args.check);
    match args.operation {
        Operation::View => view(&place, args.view_range),
        Operation::Create => create(context, &place, given("content", args.content)?, findings).await,
        Operation::Replace => {
            let (old, new) = (given("old_string", args.old_string)?, given("new_string", args.new_string)?);
            replace(context, &place, (&old, &new), findings).await
        }
        Operation::Insert => {
            let line = args.line_number.ok_or_else(|| missing("line_number"))?;
            insert(context, &place, (line, &given("content", args.content)?), findings).await
        }
    }
}

fn given(name: &str, value: Option<String>) -> Result<String, ToolError> {
    value.ok_or_else(|| missing(name))
}

fn missing(name: &str) -> ToolError {
    ToolError::invalid(format!("missing field `{name}`"))
        .hint("view takes `view_range`; create `content`; replace `old_string` and `new_string`; insert `line_number` and `content`")
}

fn view(place: &Place, range: Option<[i64; 2]>) -> Result<String, ToolError> {
    if place.path.as_path().is_dir() {
        if range.is_some() {
            return Err(ToolError::invalid(format!("`{}` is a directory, which has no lines", place.name()))
                .hint("leave `view_range` out"));
        }
        return listing::list(place);
    }
    let text = place.project.session().disk().read(&place.path)?;
    let lines: Vec<&str> = text.as_str().lines().collect();
    let (first, last) = match range {
        Some(range) => lines_of(range, lines.len())?,
        None => (1, lines.len()),
    };
    if lines.is_empty() {
        return Ok(format!("[`{}` is empty]\n", place.name()));
    }
    let numbered = lines.iter().enumerate().take(last).skip(first - 1);
    let shown: String =
        numbered.map(|(at, line)| format!("{:>6}\t{}\n", at + 1, excerpt::line(line, LONGEST_LINE))).collect();
    let cut = |left: usize| format!("{left} more lines; view_range: [{}, {last}] shows them", last + 1 - left);
    Ok(excerpt::lines(&shown, excerpt::MOST, cut))
}

/// Returns the first and the last line that a range means, 1-based.
fn lines_of([first, last]: [i64; 2], count: usize) -> Result<(usize, usize), ToolError> {
    let refused = || {
        ToolError::invalid(format!("`view_range` is [{first}, {last}], and the file has {count} lines"))
            .hint("give the first and the last line, 1-based; -1 is the last one")
    };
    let start = usize::try_from(first).ok().filter(|start| (1..=count).contains(start)).ok_or_else(refused)?;
    let end = if last == -1 { count } else { usize::try_from(last).map_err(|_| refused())? };
    if end < start {
        return Err(refused());
    }
    Ok((start, end.min(count)))
}

async fn create(context: &Context, place: &Place, content: String, findings: Findings) -> Result<String, ToolError> {
    if place.path.as_path().symlink_metadata().is_ok() {
        return Err(ToolError::new(ErrorKind::Refused, format!("`{}` is there already", place.name()))
            .hint("create never overwrites: `replace` and `insert` change a file, or choose another path"));
    }
    let plan = created(&place.path, &content)?;
    let done = format!("created `{}`, {}", place.name(), counted(content.lines().count(), "line"));
    write(context, place, (plan, findings), &done).await
}

async fn replace(
    context: &Context,
    place: &Place,
    (old, new): (&str, &str),
    findings: Findings,
) -> Result<String, ToolError> {
    let text = place.project.session().disk().read(&place.path)?;
    let replaced =
        replace::replaced(text.as_str(), old, new).map_err(|refusal| refused(place, text.as_str(), old, &refusal))?;
    let done = format!("replaced line {} of `{}`", replaced.line, place.name());
    let plan = changed(&place.path, text, &replaced.text)?;
    write(context, place, (plan, findings), &done).await
}

/// Words why a text is not replaced: with all places, or with the nearest lines.
fn refused(place: &Place, text: &str, old: &str, refusal: &replace::Refusal) -> ToolError {
    let name = place.name();
    let refuse = |why: String| ToolError::new(ErrorKind::Refused, why);
    match refusal {
        replace::Refusal::Empty => ToolError::invalid("`old_string` is empty").hint("`insert` adds lines"),
        replace::Refusal::Same => {
            ToolError::invalid("`old_string` and `new_string` are the same: nothing would change")
        }
        replace::Refusal::Several(lines) => {
            let shown = excerpt::first(lines, 20);
            refuse(format!("`old_string` stands {} times in `{name}`: it begins in lines {shown}", lines.len()))
                .hint("give more of the lines around the one that is meant")
        }
        replace::Refusal::Missing => {
            let error = refuse(format!("`old_string` does not stand in `{name}`"));
            let near = nearest::nearest(text, old);
            let error = near.iter().fold(error, |error, near| error.hint(near.told(text)));
            error.hint("copy the lines as `view` shows them, without the numbers and the tab before them")
        }
    }
}

async fn insert(
    context: &Context,
    place: &Place,
    (line, content): (usize, &str),
    findings: Findings,
) -> Result<String, ToolError> {
    if content.is_empty() {
        return Err(ToolError::invalid("`content` is empty: nothing would change"));
    }
    let text = place.project.session().disk().read(&place.path)?;
    let count = text.as_str().lines().count();
    let after = replace::inserted(text.as_str(), line, content).ok_or_else(|| {
        ToolError::invalid(format!("`line_number` is {line}, and `{}` has {count} lines", place.name()))
            .hint("content is put behind the line of that number; 0 is the beginning")
    })?;
    let lines = counted(content.lines().count(), "line");
    let done = format!("inserted {lines} behind line {line} of `{}`", place.name());
    let plan = changed(&place.path, text, &after)?;
    write(context, place, (plan, findings), &done).await
}
