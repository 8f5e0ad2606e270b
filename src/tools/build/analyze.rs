//! `analyze`: what the servers find in a file, and what each of its functions can raise.

use schemars::JsonSchema;
use serde::Serialize;

use super::args::{AnalyzeArgs, CheckArgs};
use super::check::{CHECK, CheckedJson, check};
use crate::declarations::FoundDeclaration;
use crate::render::json::{schema_of_input, schema_of_output};
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::explore::{View, errors_of, target_of};
use crate::tools::schema::tidy;
use crate::tools::tool::Tool;
use crate::tools::{Answer, Context, ErrorKind, ToolError};

pub(in crate::tools) const ANALYZE: Tool = Tool {
    name: "analyze",
    title: "Analyze a file",
    description: "What check finds in a file, and which errors each of its functions can raise.",
    input: || tidy(schema_of_input::<AnalyzeArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<AnalyzedJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&analyze(context, parse(args)?).await?) }),
    ..CHECK
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Analyzed")]
struct AnalyzedJson {
    #[serde(flatten)]
    checked: CheckedJson,
    stats: StatsJson,
    /// Functions that can raise something.
    raising: Vec<RaisingJson>,
    /// Why there are no error sets, or not of all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trouble: Vec<String>,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
struct StatsJson {
    functions_analyzed: usize,
    error_sets_computed: usize,
    /// Sets to which nothing else can belong.
    error_sets_complete: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RaisingJson {
    id: String,
    target: String,
    errors: Vec<String>,
    /// Nothing else can be raised.
    complete: bool,
}

async fn analyze(context: &Context, args: AnalyzeArgs) -> Result<AnalyzedJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.path).await?;
    let name = view.path(&args.path)?;
    let module = view.index.module(&name).cloned().ok_or_else(|| {
        ToolError::invalid(format!("the declarations of `{name}` are not known")).hint("name one source file")
    })?;
    let asked = CheckArgs { project_root: Some(view.project.root().to_string()), path: Some(name) };
    let checked = check(context, asked).await?;
    let (mut stats, mut raising, mut trouble) = (StatsJson::default(), Vec::new(), Vec::new());
    let callable = module.rows.iter().enumerate().filter(|(_, row)| row.kind.is_callable());
    for number in callable.map(|(number, _)| number) {
        let found = FoundDeclaration { module: std::sync::Arc::clone(&module), number };
        stats.functions_analyzed += 1;
        let set = match errors_of(context, &view, &found).await {
            Ok(set) => set,
            Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
            Err(error) => {
                trouble.push(error.message);
                continue;
            }
        };
        let is_complete = set.unknown.is_empty();
        stats.error_sets_computed += 1;
        stats.error_sets_complete += usize::from(is_complete);
        let mut errors: Vec<String> = set.errors.into_iter().map(|one| one.error).collect();
        errors.sort();
        errors.dedup();
        if !errors.is_empty() {
            let (id, target) = (found.row().id.to_string(), target_of(&found.module, found.row()));
            raising.push(RaisingJson { id, target, errors, complete: is_complete });
        }
    }
    trouble.dedup();
    Ok(AnalyzedJson { checked, stats, raising, trouble })
}
