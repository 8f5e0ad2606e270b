//! The tools for what servers find, and for what they can do about it.

mod args;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::answer::Form;
use super::call::parse;
use super::detail::{self, Asked};
use super::schema::tidy;
use super::tool::{Effect, Tool, Toolset};
use super::{Answer, Context, Planned, Project, ToolError, target};
use crate::actions::{self, Aim, Findings, Fix, Missing, Offer};
use crate::plan::{Plan, Problem, Severity, Warning, WarningKind};
use crate::render::json::{PlanJson, ProblemJson, schema_of_input, schema_of_output};
use crate::render::{ActionJson, ActionsJson, NotLookedAtJson, ProblemsJson, rules};
use crate::syntax::Language;
use crate::syntax::target::Target;
use crate::text::{AbsPath, counted, one_line};
use crate::verify::solidity_findings;

pub use args::{ActionArgs, ActionsArgs, FixArgs, Lowest, ProblemsArgs};

pub(super) const PROBLEMS: Tool = Tool {
    name: "listProblems",
    title: "List problems",
    description: "What compilers and linters find, counted by rule.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ProblemsArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<ProblemsJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&problems(context, parse(args)?).await?) }),
};

pub(super) const LIST: Tool = Tool {
    name: "listCodeActions",
    title: "List code actions",
    description: "What language servers can do at a place: fixes, imports, refactorings.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ActionsArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<ActionsJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&list(context, parse(args)?).await?) }),
};

pub(super) const PLAN: Tool = Tool {
    name: "planCodeAction",
    title: "Plan a code action",
    description: "Plans one of them; writes nothing.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ActionArgs>()),
    form: Form::Json(detail::output::<PlanJson>),
    run: |context, args| Box::pin(async move { plan(context, parse(args)?).await }),
};

pub(super) const FIX: Tool = Tool {
    name: "planFix",
    title: "Plan fixes",
    description: "Plans fixes of many places as one; what stays is told.",
    toolset: Toolset::Plan,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<FixArgs>()),
    form: Form::Json(detail::output::<PlanJson>),
    run: |context, args| Box::pin(async move { fix(context, parse(args)?).await }),
};

/// What was found, of the severity and the source that were asked for.
pub struct FoundProblems {
    pub project: Arc<Project>,
    pub findings: Findings,
    /// Servers that were asked, and do not find all that a compiler would.
    pub partly: Vec<Missing>,
}

/// Whether the places of what was found are asked for, or how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    Counted,
    Listed,
}

/// Lists what servers find.
pub async fn problems(context: &Context, args: ProblemsArgs) -> Result<ProblemsJson, ToolError> {
    let places = if args.rule.is_some() { Places::Listed } else { Places::Counted };
    Ok(found(context, &args).await?.answer(places))
}

/// Asks the servers.
pub async fn found(context: &Context, args: &ProblemsArgs) -> Result<FoundProblems, ToolError> {
    let place = args.paths.first().map_or(".", String::as_str);
    let project = context.project_of(args.project_root.as_deref(), place).await?;
    let files = files(&project, &args.paths).await?;
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        let mut findings = actions::find(project.session(), &files, args.severity.into()).await;
        compile_solidity(&project, &files, &mut findings).await;
        if let Some(source) = &args.source {
            findings.problems.retain(|problem| is_by(problem, source));
        }
        if let Some(rule) = &args.rule {
            findings.problems.retain(|problem| problem.code.as_ref().is_some_and(|code| code == rule));
        }
        Ok((findings, partly(&project, &files).await))
    };
    let (findings, partly) = context.unless_cancelled(work).await?;
    Ok(FoundProblems { project, findings, partly })
}

/// Names the servers whose findings prove little, with what they were asked about.
async fn partly(project: &Project, files: &[AbsPath]) -> Vec<Missing> {
    let mut found = Vec::new();
    let languages: BTreeSet<Language> = files.iter().filter_map(Language::of_path).collect();
    for language in languages {
        if let Some(judge) = project.session().partial_judge(language).await {
            let files = files.iter().filter(|path| Language::of_path(path) == Some(language)).cloned().collect();
            let reason = "it does not find all that a compiler would: `compile` asks that one";
            found.push(Missing { files, ..Missing::of(judge.as_str(), &reason) });
        }
    }
    found
}

/// The code of the error that an import leads nowhere (solc, `SourceNotFound`).
const NOT_FOUND: &str = "6275";

/// Adds what the compiler of Solidity finds: the server that plans are made with finds errors of syntax.
async fn compile_solidity(project: &Project, files: &[AbsPath], findings: &mut Findings) {
    let contracts: Vec<AbsPath> = files.iter().filter(|path| path.extension() == "sol").cloned().collect();
    if contracts.is_empty() {
        return;
    }
    match solidity_findings(project.session(), &contracts).await {
        Ok(found) => {
            // The server says what it does not find, too.
            findings.problems.extend(found.into_iter().filter(|one| one.code.as_deref() != Some(NOT_FOUND)));
            findings.problems.sort();
        }
        Err(reason) => findings.missing.push(Missing { files: contracts, ..Missing::of("solc", &reason) }),
    }
}

impl FoundProblems {
    /// Writes the rules, and the places where they are asked for.
    pub fn answer(&self, places: Places) -> ProblemsJson {
        let problems = &self.findings.problems;
        ProblemsJson {
            summary: self.summary(),
            project_root: self.project.root().to_string(),
            files_looked_at: self.findings.files,
            rules: rules(problems),
            problems: problems.iter().filter(|_| places == Places::Listed).map(ProblemJson::from).collect(),
            not_looked_at: self.not_looked_at(),
        }
    }

    /// What was not looked at, with the files.
    pub(super) fn not_looked_at(&self) -> Vec<NotLookedAtJson> {
        not_looked_at(&self.findings.missing)
    }

    /// What was not looked at, or not by all that there is.
    pub(super) fn not_looked_at_whole(&self) -> Vec<NotLookedAtJson> {
        not_looked_at(&[&*self.findings.missing, &*self.partly].concat())
    }

    /// What was found in one line, and that not all was looked at where it was not.
    pub fn summary(&self) -> String {
        let found = &self.findings;
        let of = |severity| found.problems.iter().filter(|problem| problem.severity == severity).count();
        let all = [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint];
        // Nobody counts informations.
        let named = |it: Severity| match it {
            Severity::Information => format!("{} {}", of(it), it.as_str()),
            _ => counted(of(it), it.as_str()),
        };
        let counts: Vec<String> = all.into_iter().map(named).collect();
        let gaps = if found.missing.is_empty() { "" } else { "; not all was looked at" };
        let (problems, files) = (counted(found.problems.len(), "problem"), counted(found.files, "file"));
        format!("{problems} in {files}: {}{gaps}", counts.join(", "))
    }

    /// What was not looked at, a line for each.
    pub fn gaps(&self) -> Vec<String> {
        let root = self.project.root();
        self.findings.missing.iter().map(|missing| format!("not looked at: {}", missing.told(root))).collect()
    }
}

fn is_by(problem: &Problem, source: &str) -> bool {
    problem.source.as_ref().is_some_and(|by| by.eq_ignore_ascii_case(source))
}

/// Lists what can be done at a place.
pub async fn list(context: &Context, args: ActionsArgs) -> Result<ActionsJson, ToolError> {
    let project = project_of(context, &args).await?;
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        let (aim, target) = aim(&project, &args)?;
        Ok((actions::offers(project.session(), &aim).await?, target))
    };
    let (offers, target) = context.unless_cancelled(work).await?;
    let wanted = offers.all.iter().filter(|offer| offer.action.is_preferred || !args.preferred);
    Ok(ActionsJson {
        project_root: project.root().to_string(),
        target,
        actions: wanted.map(row).collect(),
        unanswered: not_looked_at(&offers.missing),
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
pub async fn plan(context: &Context, args: ActionArgs) -> Result<Answer, ToolError> {
    let (level, detail) = (args.verify, args.detail);
    let planned = planned_action(context, args).await?.checked(context, &level.into()).await?;
    planned.remember();
    planned.handed_out(Asked::Move, detail)
}

/// Plans an action, without a check.
pub async fn planned_action(context: &Context, args: ActionArgs) -> Result<Planned, ToolError> {
    let wanted = args.action.clone();
    let place = ActionsArgs { project_root: args.project_root, target: Some(args.target), ..ActionsArgs::default() };
    let project = project_of(context, &place).await?;
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        let (aim, _) = aim(&project, &place)?;
        Ok(actions::plan(project.session(), &aim, &wanted).await?)
    };
    let plan = context.unless_cancelled(work).await?;
    Planned::made(project, plan)
}

/// Plans fixes.
pub async fn fix(context: &Context, args: FixArgs) -> Result<Answer, ToolError> {
    let planned = planned_fix(context, &args).await?.checked(context, &args.verify.into()).await?;
    planned.remember();
    planned.handed_out(Asked::Move, args.detail)
}

/// Plans fixes, without a check. What stays, and who was not asked, is told in the plan's warnings.
pub async fn planned_fix(context: &Context, args: &FixArgs) -> Result<Planned, ToolError> {
    if args.fixes.is_empty() {
        return Err(ToolError::invalid("no fixes are named")
            .hint("organizeImports, addMissingImports, removeUnused, fixAll, or the code of a rule")
            .hint("listProblems (`lspwright problems`) tells the rules"));
    }
    let place = args.paths.first().map_or(".", String::as_str);
    let project = context.project_of(args.project_root.as_deref(), place).await?;
    let files = files(&project, &args.paths).await?;
    let fixes: Vec<Fix> = args.fixes.iter().map(|name| Fix::named(name)).collect();
    let work = async {
        let _listening = project.listen(Arc::clone(&context.sink));
        Ok(actions::mend(project.session(), &files, &fixes).await?)
    };
    let mended = context.unless_cancelled(work).await?;
    let plan = with_missing(mended.plan, &mended.missing, project.root());
    Planned::made(project, plan)
}

/// Warns of what was not looked at.
fn with_missing(plan: Plan, missing: &[Missing], root: &AbsPath) -> Plan {
    let mut warnings = plan.warnings().to_vec();
    let told = missing.iter().map(|missing| format!("not looked at: {}", missing.told(root)));
    warnings.extend(told.map(|told| Warning::of_plan(WarningKind::FollowUp, told)));
    plan.with_warnings(warnings)
}

/// Opens the project of the place that is meant.
async fn project_of(context: &Context, args: &ActionsArgs) -> Result<Arc<Project>, ToolError> {
    let target = args.target.as_deref().and_then(|target| Target::parse(target).ok());
    let place = target.as_ref().map(Target::path).or(args.file_path.as_deref()).unwrap_or(".");
    context.project_of(args.project_root.as_deref(), place).await
}

/// Returns the place that is meant, and the target by which it is named.
fn aim(project: &Project, args: &ActionsArgs) -> Result<(Aim, String), ToolError> {
    let place = target::stretch(project.session(), args)?;
    let mut kinds = args.kinds.clone();
    if kinds.is_empty() && place.is_whole {
        // What servers do to whole files they offer only where it is asked for.
        kinds = ["quickfix", "source"].map(str::to_owned).to_vec();
    }
    Ok((Aim { path: place.path, span: place.span, kinds }, place.target))
}

/// Returns the files at and below some paths, which must be there.
async fn files(project: &Project, paths: &[String]) -> Result<Vec<AbsPath>, ToolError> {
    // What came since the last question is among them.
    project.session().refresh().await;
    let disk = project.session().disk();
    let inside = |path: &String| {
        let path = disk.contain(&project.root().join(path)?)?;
        // A draft stands before what is on the disk, and may be of a file that is not there yet.
        let is_there = match disk.draft(&path) {
            Some(draft) => draft.text.is_some(),
            None => path.as_path().symlink_metadata().is_ok(),
        };
        match is_there {
            true => Ok(path),
            false => Err(ToolError::invalid(format!("`{path}` does not exist"))
                .hint("paths are absolute, or relative to the project root")),
        }
    };
    let paths: Vec<AbsPath> = paths.iter().map(inside).collect::<Result<_, ToolError>>()?;
    disk.look()?;
    Ok(actions::files_below(project.session(), &paths))
}

fn not_looked_at(missing: &[Missing]) -> Vec<NotLookedAtJson> {
    let row = |missing: &Missing| NotLookedAtJson {
        what: missing.server.clone(),
        reason: one_line(&missing.reason).into_owned(),
        files: missing.files.iter().map(ToString::to_string).collect(),
    };
    missing.iter().map(row).collect()
}
