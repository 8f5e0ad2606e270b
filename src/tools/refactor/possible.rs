//! What could be done at a place, from its grammar alone.

use serde_json::{Map, Value, json};

use super::args::ListArgs;
use super::category;
use crate::refactor::catalog::{Possible, possible};
use crate::refactor::params::{Kind, Param, option};
use crate::render::{PossibleAnswer, PossibleRow};
use crate::syntax::target::Target;
use crate::tools::{Context, ToolError, target};

/// In whose words a row says how its refactoring is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// A line for a shell.
    Shell,
    /// The arguments of `preview_refactoring`.
    Tool,
}

/// Lists what nothing in the texts speaks against at `args.target`; `written` is how the caller names that.
///
/// # Errors
/// Those of a target, and of a category that nobody knows.
pub async fn offered(
    context: &Context,
    args: &ListArgs,
    (written, words): (&str, Words),
) -> Result<PossibleAnswer, ToolError> {
    let wanted = args.target.as_deref().unwrap_or_default();
    let category = args.category.as_deref().map(category).transpose()?;
    let project = context.project_of(args.project_root.as_deref(), Target::parse(wanted)?.path()).await?;
    let aim = target::aim(project.session(), wanted)?;
    let found = context.unless_cancelled(async { Ok(possible(project.session(), &aim).await) }).await?;
    let found = found.iter().filter(|one| category.is_none_or(|category| one.refactoring.category == category));
    let row = |one: &Possible| PossibleRow {
        name: one.refactoring.name,
        description: one.refactoring.description,
        call: match words {
            Words::Shell => line(one, written),
            Words::Tool => arguments(one, written).to_string(),
        },
    };
    Ok(PossibleAnswer { target: written.to_owned(), possible: found.map(row).collect() })
}

fn line(one: &Possible, target: &str) -> String {
    let given = one.params.iter().map(|param| format!(" --{} {}", option(param.name), placeholder(param)));
    format!("lspwright refactor {} {}{}", one.refactoring.name, word(target), given.collect::<String>())
}

/// Says what is to be given, as usages do.
fn placeholder(param: &Param) -> String {
    let name = param.name.to_uppercase();
    if param.kind == Kind::List { format!("{name},…") } else { name }
}

/// Writes a word as a shell takes it for one.
fn word(text: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || "_./:#@%+=,-~".contains(it);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

fn arguments(one: &Possible, target: &str) -> Value {
    let given: Map<String, Value> = one
        .params
        .iter()
        .map(|param| (param.name.to_owned(), if param.kind == Kind::List { json!(["…"]) } else { json!("…") }))
        .collect();
    json!({"refactoring": one.refactoring.name, "target": target, "params": given})
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_target_is_one_word_for_a_shell() {
        assert_eq!(word("src/a.ts#Order.total"), "src/a.ts#Order.total");
        assert_eq!(word("src/a b.ts#$it's"), r"'src/a b.ts#$it'\''s'");
    }
}
