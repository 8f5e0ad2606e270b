//! The refactoring tools: what there is, a plan by name, and the plan carried out.

mod args;
mod explain;
mod params;
mod possible;
mod step;
mod steps;

use std::sync::Arc;

use super::answer::{Answer, Form};
use super::call::parse;
use super::schema::tidy;
use super::tool::{Effect, Tool, Toolset};
use super::{Context, ErrorKind, Objections, Planned, Setup, ToolError};
use crate::lsp::{Config, Refactorer};
use crate::refactor::catalog;
use crate::refactor::catalog::refactoring::{Backend, Category, Refactoring};
use crate::refactor::params::Param;
use crate::render::json::schema_of_input;
use crate::render::{
    CatalogAnswer, CatalogRow, PreviewAnswer, PreviewHead, ResultAnswer, ResultHead, changes, files_changed,
};
use crate::syntax::target::Target;
use crate::syntax::{Family, Language};
use crate::text::AbsPath;
use crate::workspace::named_root;

pub use args::{ApplyArgs, ListArgs, PreviewArgs, RefactoringStep};
pub use explain::explained;
pub use possible::{Words, offered};
pub use step::named;

pub(super) const LIST: Tool = Tool {
    name: "list_refactorings",
    title: "List the refactorings",
    description: "Names the refactorings with their params, or with a target what could be done there.",
    toolset: Toolset::Refactor,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ListArgs>()),
    form: Form::Toon,
    run: |context, args| {
        Box::pin(async move {
            let args: ListArgs = parse(args)?;
            if let Some(target) = &args.target {
                return Answer::of(&offered(context, &args, (target, Words::Tool)).await?);
            }
            let root = args.project_root.as_deref();
            let root =
                root.map_or_else(|| context.root_around("."), |root| Ok(named_root(root, context.around.first())?));
            let root = root.ok().or_else(|| context.around.first().cloned());
            let args = ListArgs { project_root: root.map(|root| root.to_string()), ..args };
            context.projects.admitted(&root_of(&args)?)?;
            Answer::of(&list(context.projects.setup(), &args)?)
        })
    },
};

pub(super) const PREVIEW: Tool = Tool {
    name: "preview_refactoring",
    title: "Preview a refactoring",
    description: "Shows a refactoring's diffs, or with explain all that stands in its way; writes nothing.",
    toolset: Toolset::Refactor,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<PreviewArgs>()),
    form: Form::Toon,
    run: |context, args| {
        Box::pin(async move {
            let args: PreviewArgs = parse(args)?;
            if args.explain { Answer::of(&explained(context, &args).await?) } else { preview(context, args).await }
        })
    },
};

pub(super) const APPLY: Tool = Tool {
    name: "apply_refactoring",
    title: "Apply a refactoring",
    description: "Writes a preview by its plan_id, or a refactoring: checked first, all or nothing.",
    toolset: Toolset::Refactor,
    effect: Effect::Writes,
    input: || tidy(schema_of_input::<ApplyArgs>()),
    form: Form::Toon,
    run: |context, args| Box::pin(async move { Answer::of(&apply(context, parse(args)?).await?) }),
};

/// Lists the catalog.
pub fn list(setup: &Setup, args: &ListArgs) -> Result<CatalogAnswer, ToolError> {
    let language = args.language.as_deref().map(language).transpose()?;
    let config = setup.config(&root_of(args)?)?;
    let category = args.category.as_deref().map(category).transpose()?;
    let wanted = |one: &&Refactoring| category.is_none_or(|category| one.category == category);
    Ok(CatalogAnswer {
        refactorings: catalog::catalog().filter(wanted).map(|one| row(one, language, &config)).collect(),
    })
}

/// The project whose configuration holds.
fn root_of(args: &ListArgs) -> Result<AbsPath, ToolError> {
    let here = || std::env::current_dir().map_err(|error| ToolError::invalid(error.to_string()));
    Ok(AbsPath::new(args.project_root.as_ref().map_or_else(here, |root| Ok(root.into()))?)?)
}

fn row(refactoring: &'static Refactoring, language: Option<Language>, config: &Config) -> CatalogRow {
    let params = refactoring.params.iter().map(Param::shown);
    CatalogRow {
        name: refactoring.name,
        category: refactoring.category.as_str(),
        params: std::iter::once("target".to_owned()).chain(params).collect::<Vec<_>>().join(","),
        description: refactoring.description,
        available: match language {
            Some(language) => available(refactoring, language, config),
            None => available_anywhere(refactoring),
        },
    }
}

/// Who carries a refactoring out, in the order in which they are asked; the user's own programs by their names.
fn available(refactoring: &Refactoring, language: Language, config: &Config) -> String {
    let (preferred, others): (Vec<_>, Vec<_>) =
        config.refactorers(refactoring.name, language.id()).partition(|(_, program)| program.prefer);
    let named = |(name, _): (&str, &Refactorer)| format!("{} {name}", Backend::Command.as_str());
    let own = refactoring.availability(language.family());
    let built_in = own.iter().flatten().map(|backend| backend.as_str().to_owned());
    let all: Vec<String> =
        preferred.into_iter().map(named).chain(built_in).chain(others.into_iter().map(named)).collect();
    match own {
        Err(why) if all.is_empty() => format!("no: {why}"),
        _ => all.join(", then "),
    }
}

/// The languages that one refactoring or another is there for.
const LANGUAGES: &[(&str, Family)] = &[
    ("python", Family::Python),
    ("typescript", Family::Script),
    ("solidity", Family::Solidity),
    ("rust", Family::Rust),
    ("go", Family::Go),
    ("cpp", Family::C),
];

fn available_anywhere(refactoring: &Refactoring) -> String {
    let there = LANGUAGES.iter().filter(|(_, family)| refactoring.availability(*family).is_ok());
    let there: Vec<&str> = there.map(|(name, _)| *name).collect();
    match refactoring.availability(Family::Python) {
        Err(why) if there.is_empty() => format!("no: {why}"),
        _ => there.join(" "),
    }
}

/// Finds a language by its LSP id.
pub fn language(name: &str) -> Result<Language, ToolError> {
    Language::of_id(&name.to_ascii_lowercase()).ok_or_else(|| {
        let known: Vec<&str> = Language::ALL.into_iter().map(Language::id).collect();
        ToolError::new(ErrorKind::LanguageNotSupported, format!("no language is called `{name}`"))
            .hint(format!("there are {}", known.join(", ")))
    })
}

fn category(name: &str) -> Result<Category, ToolError> {
    Category::ALL.into_iter().find(|category| category.as_str() == name).ok_or_else(|| {
        let known = Category::ALL.map(Category::as_str).join(", ");
        ToolError::invalid(format!("no category is called `{name}`")).hint(format!("there are {known}"))
    })
}

/// Returns the names of the categories.
pub(super) fn categories() -> impl Iterator<Item = &'static str> {
    Category::ALL.into_iter().map(Category::as_str)
}

/// Plans a refactoring and shows it.
pub async fn preview(context: &Context, args: PreviewArgs) -> Result<Answer, ToolError> {
    let (check, detail) = (args.verify.into(), args.detail);
    let refactorings = names(&args.wanted()?)?;
    let planned = planned(context, &args).await?.checked(context, &check).await?;
    planned.remember();
    planned.shown(&shown(&planned, &refactorings), detail)
}

/// The answer of a preview.
pub fn shown(planned: &Planned, refactoring: &str) -> PreviewAnswer {
    let changes = changes(&planned.plan, planned.project.root());
    let head = PreviewHead {
        summary: planned.summary(),
        refactoring: refactoring.to_owned(),
        status: "success",
        files_affected: changes.len(),
        plan_id: planned.plan.id().as_str().to_owned(),
        verification: planned.verdict(),
    };
    PreviewAnswer { preview: head, remarks: planned.remarks(), changes }
}

/// Carries a refactoring out, or a plan that was previewed.
pub async fn apply(context: &Context, args: ApplyArgs) -> Result<ResultAnswer, ToolError> {
    let (refactorings, planned) = match &args.plan_id {
        Some(id) => ("plan".to_owned(), recalled(context, &args, id).await?),
        None => {
            let wanted = args.preview();
            (names(&wanted.wanted()?)?, self::planned(context, &wanted).await?)
        }
    };
    let planned = planned.checked(context, &args.verify.into()).await?;
    carried_out(&planned, &refactorings, args.objections())
}

/// Writes a plan that was checked, unless the check speaks against it.
pub fn carried_out(planned: &Planned, refactoring: &str, objections: Objections) -> Result<ResultAnswer, ToolError> {
    planned.heed(objections)?;
    let files = files_changed(&planned.plan, planned.project.root());
    let applied = planned.project.apply(&planned.plan)?;
    let head = ResultHead {
        summary: planned.summary(),
        refactoring: refactoring.to_owned(),
        status: "success",
        files_modified: files.len(),
        undo_id: applied.plan.as_str().to_owned(),
        verification: planned.verdict(),
    };
    Ok(ResultAnswer { result: head, remarks: planned.remarks(), files })
}

async fn recalled(context: &Context, args: &ApplyArgs, id: &str) -> Result<Planned, ToolError> {
    if args.refactoring.is_some() || args.target.is_some() || !args.steps.is_empty() {
        return Err(ToolError::invalid("give a plan_id, or a refactoring with its target, not both"));
    }
    Planned::recalled(context.project_with(args.project_root.as_deref(), Some(id)).await?, id)
}

/// Plans what is asked for, without a check. What the plan cannot prove by itself is proven here, or refused.
pub async fn planned(context: &Context, args: &PreviewArgs) -> Result<Planned, ToolError> {
    let steps = args.wanted()?;
    names(&steps)?;
    let path = Target::parse(&steps[0].target)?.path().to_owned();
    let project = context.project_of(args.project_root.as_deref(), &path).await?;
    let listening = project.listen(Arc::clone(&context.sink));
    let plan = match steps.as_slice() {
        [step] => {
            let work = step::one(project.session(), (&step.target, step));
            context.unless_cancelled(args.doubts().within(work)).await?
        }
        several => steps::plan(context, &project, several, args.doubts()).await?,
    };
    drop(listening);
    Planned::made(project, plan)?.proven(context).await
}

/// Returns the names of the refactorings, as answers have them.
pub fn names(steps: &[RefactoringStep]) -> Result<String, ToolError> {
    let names: Result<Vec<&str>, ToolError> = steps.iter().map(|step| Ok(named(&step.refactoring)?.name)).collect();
    Ok(names?.join(" + "))
}
