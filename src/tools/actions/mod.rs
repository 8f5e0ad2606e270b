//! The tools for what servers find, and for what they can do about it.

mod args;

use std::sync::Arc;

use super::call::{parse, to_json};
use super::schema::tidy;
use super::table::{Effect, Form, Tool, Toolset};
use super::{Context, Planned, Project, ToolError, target};
use crate::actions::{self, Aim, Findings, Fix, Missing, Offer, Unread};
use crate::plan::{Plan, Problem, Severity, Warning, WarningKind};
use crate::render::json::{PlanJson, ProblemJson, schema_of_input, schema_of_output};
use crate::render::{ActionJson, ActionsJson, NotLookedAtJson, ProblemsJson, rules};
use crate::text::{AbsPath, one_line};

pub use args::{ActionArgs, ActionsArgs, FixArgs, Lowest, ProblemsArgs};

pub(super) const PROBLEMS: Tool = Tool {
    name: "listProblems",
    title: "List problems",
    description: "What compilers and linters find, counted by rule.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ProblemsArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<ProblemsJson>())),
    run: |context, args| Box::pin(async move { to_json(&problems(context, parse(args)?).await?) }),
};

pub(super) const LIST: Tool = Tool {
    name: "listCodeActions",
    title: "List code actions",
    description: "What language servers can do at a place: fixes, imports, refactorings.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ActionsArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<ActionsJson>())),
    run: |context, args| Box::pin(async move { to_json(&list(context, parse(args)?).await?) }),
};

pub(super) const PLAN: Tool = Tool {
    name: "planCodeAction",
    title: "Plan a code action",
    description: "Plans one of listCodeActions; changes nothing.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ActionArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<PlanJson>())),
    run: |context, args| Box::pin(async move { to_json(&plan(context, parse(args)?).await?) }),
};

pub(super) const FIX: Tool = Tool {
    name: "planFix",
    title: "Plan fixes",
    description: "Plans fixes of many places as one; what stays is told.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<FixArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<PlanJson>())),
    run: |context, args| Box::pin(async move { to_json(&fix(context, parse(args)?).await?) }),
};

/// How many places an agent is told of unless it asks for more.
const LIMIT: usize = 50;

/// What was found, of the severity and the source that were asked for.
pub struct Found {
    pub project: Arc<Project>,
    pub findings: Findings,
}

/// Lists what servers find.
pub async fn problems(context: &Context, args: ProblemsArgs) -> Result<ProblemsJson, ToolError> {
    let found = found(context, &args).await?;
    let places = args.rule.as_ref().map(|_| args.limit.unwrap_or(LIMIT)).or(args.limit);
    Ok(found.answer(places.unwrap_or_default()))
}

/// Asks the servers.
pub async fn found(context: &Context, args: &ProblemsArgs) -> Result<Found, ToolError> {
    let project = context.project(&args.project_root).await?;
    let files = files(&project, &args.paths)?;
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        let mut findings = actions::find(project.session(), &files).await;
        let lowest = Severity::from(args.severity);
        findings.problems.retain(|problem| problem.severity <= lowest);
        if let Some(source) = &args.source {
            findings.problems.retain(|problem| is_by(problem, source));
        }
        if let Some(rule) = &args.rule {
            findings.problems.retain(|problem| problem.code.as_ref().is_some_and(|code| code == rule));
        }
        Ok(findings)
    };
    let findings = context.unless_cancelled(work).await?;
    Ok(Found { project, findings })
}

impl Found {
    /// Writes the rules, and so many places.
    pub fn answer(&self, places: usize) -> ProblemsJson {
        let problems = &self.findings.problems;
        ProblemsJson {
            summary: self.summary(),
            project_root: self.project.root().to_string(),
            files_looked_at: self.findings.files,
            rules: rules(problems),
            problems: problems.iter().take(places).map(ProblemJson::from).collect(),
            problems_omitted: if places == 0 { 0 } else { problems.len().saturating_sub(places) },
            not_looked_at: not_looked_at(&self.findings.missing, &self.findings.unread),
        }
    }

    /// What was found in one line, and that not all was looked at where it was not.
    pub fn summary(&self) -> String {
        let found = &self.findings;
        let of = |severity| found.problems.iter().filter(|problem| problem.severity == severity).count();
        let all = [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint];
        let counts: Vec<String> = all.into_iter().map(|it| format!("{} {}", of(it), it.as_str())).collect();
        let gaps = found.missing.len() + found.unread.len();
        let gaps = if gaps > 0 { format!("; not looked at: {gaps}") } else { String::new() };
        format!("{} problems in {} files: {}{gaps}", found.problems.len(), found.files, counts.join(", "))
    }

    /// What was not looked at, a line for each.
    pub fn gaps(&self) -> Vec<String> {
        let all = not_looked_at(&self.findings.missing, &self.findings.unread);
        all.into_iter().map(|gap| format!("not looked at: {}: {}", gap.what, gap.reason)).collect()
    }
}

fn is_by(problem: &Problem, source: &str) -> bool {
    problem.source.as_ref().is_some_and(|by| by.eq_ignore_ascii_case(source))
}

/// Lists what can be done at a place.
pub async fn list(context: &Context, args: ActionsArgs) -> Result<ActionsJson, ToolError> {
    let project = context.project(&args.project_root).await?;
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        let aim = aim(&project, &args)?;
        Ok(actions::offers(project.session(), &aim).await?)
    };
    let offers = context.unless_cancelled(work).await?;
    let wanted = offers.all.iter().filter(|offer| offer.action.is_preferred || !args.preferred);
    Ok(ActionsJson {
        project_root: project.root().to_string(),
        actions: wanted.map(row).collect(),
        unanswered: not_looked_at(&offers.missing, &[]),
    })
}

fn row(offer: &Offer) -> ActionJson {
    let names = std::iter::once(offer.server.name().to_string()).chain(offer.also.clone());
    let shown = |words: &str| one_line(words).into_owned();
    ActionJson {
        action: offer.id.clone(),
        title: shown(&offer.action.title),
        kind: shown(&offer.action.kind),
        server: names.collect::<Vec<_>>().join(" "),
        preferred: offer.action.is_preferred,
        fixes: shown(&offer.action.fixes.join(" ")),
        suppresses: offer.is_suppression,
        disabled: shown(offer.action.disabled.as_deref().unwrap_or_default()),
    }
}

/// Plans an action.
pub async fn plan(context: &Context, args: ActionArgs) -> Result<PlanJson, ToolError> {
    let check = args.verify.into();
    let planned = planned_action(context, args).await?.checked(context, &check).await?;
    planned.remember();
    Ok(planned.to_json())
}

/// Plans an action, without a check.
pub async fn planned_action(context: &Context, args: ActionArgs) -> Result<Planned, ToolError> {
    let project = context.project(&args.project_root).await?;
    let wanted = args.action.clone();
    let place = ActionsArgs {
        project_root: args.project_root,
        target: args.target,
        file_path: args.file_path,
        line: args.line,
        character: args.character,
        end_line: args.end_line,
        end_character: args.end_character,
        kinds: args.kinds,
        preferred: false,
    };
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        let aim = aim(&project, &place)?;
        Ok(actions::plan(project.session(), &aim, &wanted).await?)
    };
    let plan = context.unless_cancelled(work).await?;
    Planned::made(project, plan)
}

/// Plans fixes.
pub async fn fix(context: &Context, args: FixArgs) -> Result<PlanJson, ToolError> {
    let check = args.verify.into();
    let planned = planned_fix(context, &args).await?.checked(context, &check).await?;
    planned.remember();
    Ok(planned.to_json())
}

/// Plans fixes, without a check. What stays, and who was not asked, is told in the plan's warnings.
pub async fn planned_fix(context: &Context, args: &FixArgs) -> Result<Planned, ToolError> {
    if args.fixes.is_empty() {
        return Err(ToolError::invalid("no fixes are named")
            .hint("organizeImports, addMissingImports, removeUnused, fixAll, or the code of a rule")
            .hint("listProblems (`lspwright problems`) tells the rules"));
    }
    let project = context.project(&args.project_root).await?;
    let files = files(&project, &args.paths)?;
    let fixes: Vec<Fix> = args.fixes.iter().map(|name| Fix::named(name)).collect();
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        Ok(actions::mend(project.session(), &files, &fixes).await?)
    };
    let mended = context.unless_cancelled(work).await?;
    Planned::made(project, with_missing(mended.plan, &mended.missing))
}

/// Warns of servers that could not be asked.
fn with_missing(plan: Plan, missing: &[Missing]) -> Plan {
    let mut warnings = plan.warnings().to_vec();
    warnings.extend(
        missing.iter().map(|one| {
            Warning::of_plan(WarningKind::FollowUp, format!("{} gave no answer: {}", one.server, one.reason))
        }),
    );
    plan.with_warnings(warnings)
}

fn aim(project: &Project, args: &ActionsArgs) -> Result<Aim, ToolError> {
    let place = target::stretch(project.session(), args)?;
    let mut kinds = args.kinds.clone();
    if kinds.is_empty() && place.is_whole {
        // What servers do to whole files they offer only where it is asked for.
        kinds = ["quickfix", "source"].map(str::to_owned).to_vec();
    }
    Ok(Aim { path: place.path, span: place.span, kinds })
}

/// Returns the files at and below some paths, which must be there.
fn files(project: &Project, paths: &[String]) -> Result<Vec<AbsPath>, ToolError> {
    let disk = project.session().disk();
    let inside = |path: &String| {
        let path = disk.contain(&project.root().join(path)?)?;
        match path.as_path().symlink_metadata() {
            Ok(_) => Ok(path),
            Err(_) => Err(ToolError::invalid(format!("`{path}` does not exist"))
                .hint("paths are absolute, or relative to the project root")),
        }
    };
    let paths: Vec<AbsPath> = paths.iter().map(inside).collect::<Result<_, ToolError>>()?;
    disk.look()?;
    Ok(actions::files_below(project.session(), &paths))
}

fn not_looked_at(missing: &[Missing], unread: &[Unread]) -> Vec<NotLookedAtJson> {
    let shown = |words: &str| one_line(words).into_owned();
    let servers = missing.iter().map(|one| NotLookedAtJson { what: one.server.clone(), reason: shown(&one.reason) });
    let files = unread.iter().map(|one| NotLookedAtJson { what: one.path.to_string(), reason: shown(&one.reason) });
    servers.chain(files).collect()
}
