//! `find_declaration`: by name, in the whole project.

use schemars::JsonSchema;
use serde::Serialize;

use super::args::{FindArgs, Match};
use super::view::{View, Wanted, target_of};
use crate::render::json::{schema_of_input, schema_of_output};
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ToolError};

pub(in crate::tools) const FIND_DECLARATION: Tool = Tool {
    name: "find_declaration",
    title: "Find declarations",
    description: "Declarations of the whole project by name.",
    toolset: Toolset::Explore,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<FindArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<FoundJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&find_declaration(context, parse(args)?).await?) }),
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Found")]
pub struct FoundJson {
    pub declarations: Vec<FoundRow>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FoundRow {
    pub id: String,
    pub kind: String,
    pub is_pub: bool,
    pub target: String,
    /// Of the first line, 1-based.
    pub line: u32,
}

/// Finds declarations by their names, those of the very name first.
pub async fn find_declaration(context: &Context, args: FindArgs) -> Result<FoundJson, ToolError> {
    let steps: Vec<String> =
        args.name.split(['.', '#', ':', '/']).filter(|it| !it.is_empty()).map(str::to_owned).collect();
    let Some((name, outer)) = steps.split_last() else {
        return Err(ToolError::invalid("`name` is empty").hint("give a name: `total`, `Order.total`"));
    };
    let wanted = Wanted::of(args.kind.as_deref())?;
    let view = View::of(context, args.project_root.as_deref(), ".").await?;
    let lower = name.to_lowercase();
    let fits = |own: &str| match args.matching {
        Match::Exact => own == name,
        Match::Prefix => {
            let mut letters = own.chars().flat_map(char::to_lowercase);
            lower.chars().all(|letter| letters.next() == Some(letter))
        }
        Match::Substring => own.to_lowercase().contains(&lower),
    };
    let mut found = Vec::new();
    for module in view.index.modules("") {
        for row in module.rows.iter().filter(|row| wanted.takes(row)) {
            let Some((own, owners)) = row.names.split_last() else { continue };
            if fits(own) && owners.ends_with(outer) {
                let line = row.lines.0;
                let rank = (own != name, !row.is_public, own.len());
                let (id, kind) = (row.id.to_string(), row.kind.as_str().to_owned());
                let target = target_of(module, row);
                found.push((rank, FoundRow { id, kind, is_pub: row.is_public, target, line }));
            }
        }
    }
    found.sort_by(|one, other| (&one.0, &one.1.target, one.1.line).cmp(&(&other.0, &other.1.target, other.1.line)));
    Ok(FoundJson { declarations: found.into_iter().map(|(_, row)| row).collect() })
}
