//! A plan on its way: made or read, checked, and carried out.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::SystemTime;

use super::checks::{Asked, Checked};
use super::error::{ErrorKind, ToolError};
use super::{Context, Project, Projects, excerpt, spelled_keys};
use crate::plan::{Digest, Level, Plan, Problem, Status, Verification, Warning, WarningKind};
use crate::render::json::{self, PlanJson};
use crate::render::{Source, WrittenPlan};
use crate::syntax::Language;
use crate::text::{AbsPath, Range, counted, one_line, quoted};
use crate::verify::{Check, verify};
use crate::workspace::Unread;
use crate::workspace::apply::{refuse_place, refuse_places, refuse_unfit};

/// More new problems than this are counted: beside a plan, and in the reason why it is refused.
const SHOWN_PROBLEMS: usize = 20;
const TOLD_PROBLEMS: usize = 10;

/// So often strings follow what a check of a rename finds, and it is checked again.
const MOST_LED: usize = 2;

/// A plan with what a check of it found.
pub struct Planned {
    pub project: Arc<Project>,
    pub plan: Plan,
    pub verification: Option<Verification>,
    /// How the verification came about, where it was a check here.
    checked: Option<Checked>,
}

/// What comes of a check that speaks against a plan, or could not look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Objections {
    #[default]
    Heed,
    /// Uses that may have to change speak against it, too.
    Strict,
    Overrule,
}

/// What a caller said of objections.
#[derive(Debug, Clone, Copy)]
pub struct ObjectionPolicy {
    pub strict: bool,
    pub force: bool,
}

impl Objections {
    /// Heeds mere doubts, too, where the caller is strict; who insists overrules everything.
    pub fn of(said: ObjectionPolicy) -> Self {
        match said {
            ObjectionPolicy { force: true, .. } => Self::Overrule,
            ObjectionPolicy { strict: true, .. } => Self::Strict,
            ObjectionPolicy { .. } => Self::Heed,
        }
    }
}

impl Planned {
    /// Takes a plan of which nobody has asked anything yet.
    pub fn unchecked(project: Arc<Project>, plan: Plan) -> Self {
        Self { project, plan, verification: None, checked: None }
    }

    /// Takes a plan that was made just now; refused where it touches what no plan may touch, or was made of a part of the
    /// project's files. What its servers lack on a project that is not trusted is told with the first one, what they could not read
    /// with each.
    pub(super) fn made(project: Arc<Project>, plan: Plan) -> Result<Self, ToolError> {
        refuse_places(&plan, project.root())?;
        project.session().disk().is_whole()?;
        let mut warnings = plan.warnings().to_vec();
        for (server, lack) in project.session().untold() {
            let message = format!("{server}: {lack} (start lspwright with `--trust-project` if you trust the project)");
            warnings.push(Warning::of_plan(WarningKind::NotTrusted, message));
        }
        for (server, words) in project.session().complaints(plan.edits().keys()) {
            let message = format!("{server} says that it could not read all of the project: {words}");
            warnings.push(Warning::of_plan(WarningKind::PartlyRead, message));
        }
        warnings.extend(unread(&project, &plan));
        Ok(Self::unchecked(project, plan.with_warnings(warnings)))
    }

    /// Reads a plan from its JSON; refused where the files have changed since it was made.
    pub fn read(project: Arc<Project>, json: &str) -> Result<Self, ToolError> {
        let disk = project.session().disk();
        let text = |path: &_| disk.read(path).map_err(|error| error.to_string());
        let hash = |path: &_| disk.hash(path).map_err(|error| error.to_string());
        let written = WrittenPlan::parse(json)?;
        // Before anything is compared: what may not be looked at has not changed either.
        written.paths(disk.root())?.iter().try_for_each(|path| refuse_place(path, disk.root()))?;
        let plan = written.read(&Source { root: disk.root(), text: &text, hash: &hash })?;
        refuse_places(&plan, project.root())?;
        Ok(Self::unchecked(project, plan))
    }

    /// Takes one of the plans that the project made lately.
    pub fn recalled(project: Arc<Project>, id: &str) -> Result<Self, ToolError> {
        let plan = project.recall(id).ok_or_else(|| {
            ToolError::new(ErrorKind::Stale, format!("no plan `{id}` is kept for this project"))
                .hint("the last 32 plans are kept, as long as the server runs: make it again")
        })?;
        Ok(Self::unchecked(project, plan))
    }

    /// Takes all plans that open projects keep, the latest of each last.
    pub async fn kept(projects: &Projects) -> Vec<Self> {
        projects.plans().await.into_iter().map(|(project, plan)| Self::unchecked(project, plan)).collect()
    }

    /// Checks the plan, by the caller's command where one was given; `none` leaves it unchecked, and what an earlier check
    /// could not look at is nobody's question.
    pub async fn checked(self, context: &Context, check: &Check) -> Result<Self, ToolError> {
        let by_command = context.command.as_ref().map(|command| Check {
            level: Level::Project,
            command: Some(command.line.clone()),
            timeout: command.timeout,
            ..*check
        });
        let check = by_command.as_ref().unwrap_or(check);
        if check.level == Level::None {
            let verification = self.verification.filter(|found| found.status != Status::Unverified);
            return Ok(Self { verification, ..self });
        }
        self.looked_at(context, check).await
    }

    /// Checks the plan, unless this very check was made and all that it looked at stands, or a stronger one has just found
    /// nothing.
    async fn looked_at(self, context: &Context, check: &Check) -> Result<Self, ToolError> {
        let asked = Asked::of(&self.plan, check);
        if self.checked.as_ref().is_some_and(|known| known.answers(&asked)) {
            return Ok(self);
        }
        let root = self.project.root();
        // What a check found with other drafts says nothing.
        let is_drafted = !self.project.session().disk().drafts().is_empty();
        if !is_drafted {
            // What does not fit the files has no result that could be checked.
            refuse_unfit(&self.plan, root)?;
        }
        let recalled = if is_drafted { None } else { self.project.checks().recall(root, &asked).await };
        let checked = match recalled {
            Some(known) => known,
            None => {
                let begun = SystemTime::now();
                let work = async {
                    let _listening = self.project.listen(Arc::clone(&context.sink));
                    Ok(verify(self.project.session(), &self.plan, check).await)
                };
                Checked { asked, begun, found: context.unless_cancelled(work).await? }
            }
        };
        let plan = warned(self.plan, &checked.found);
        Ok(Self { plan, verification: Some(checked.found.clone()), checked: Some(checked), ..self })
    }

    /// Keeps the plan, to be named by its id, and what its check found, for as long as the files stand.
    pub(super) fn remember(&self) {
        self.project.remember(&self.plan);
        self.remember_check();
    }

    /// Keeps what the check found. One that looked at the plan alone is made again as fast.
    pub(super) fn remember_check(&self) {
        let is_drafted = !self.project.session().disk().drafts().is_empty();
        let checked = self.checked.as_ref().filter(|_| !is_drafted);
        if let Some(checked) = checked.filter(|checked| checked.found.level >= Level::Diagnostics) {
            self.project.checks().keep(self.project.root(), checked.clone());
        }
    }

    /// Checks a plan of which nothing proves that it is whole; a clean check is the proof, new problems are
    /// the reason to refuse it.
    pub async fn proven(self, context: &Context) -> Result<Self, ToolError> {
        if !self.plan.warnings().iter().any(is_unproven) {
            return Ok(self);
        }
        self.looked_at(context, &proving()).await?.judged()
    }

    /// The same of a rename. Strings that a check finds to be the old name follow, where that is all it finds.
    pub async fn proven_rename(self, context: &Context, names: [&str; 2]) -> Result<Self, ToolError> {
        if !self.plan.warnings().iter().any(is_unproven) {
            return Ok(self);
        }
        let first = self.looked_at(context, &proving()).await?;
        let mut latest = None;
        for _ in 0..MOST_LED {
            let last = latest.as_ref().unwrap_or(&first);
            let Some(problems) = last.regression() else { break };
            let Some(plan) = spelled_keys::followed(&last.project, &last.plan, (problems, names))? else { break };
            latest = Some(Self::made(Arc::clone(&first.project), plan)?.looked_at(context, &proving()).await?);
        }
        latest.filter(|led| led.regression().is_none()).unwrap_or(first).judged()
    }

    /// Returns what a check found that was not there before, where it speaks against the plan.
    fn regression(&self) -> Option<&[Problem]> {
        let found = self.verification.as_ref().filter(|found| found.status == Status::Regressed)?;
        Some(&found.new_problems)
    }

    fn judged(self) -> Result<Self, ToolError> {
        let planned = self;
        match planned.verification.as_ref().map(|found| found.status) {
            Some(Status::Regressed) => Err(planned.unsound()),
            // Without types the check of JavaScript proves little: there the doubt stays.
            Some(Status::Clean) if !planned.touches_javascript() => {
                let kept = planned.plan.warnings().iter().filter(|warning| !is_unproven(warning)).cloned().collect();
                Ok(Self { plan: planned.plan.with_warnings(kept), ..planned })
            }
            _ => Ok(planned),
        }
    }

    fn touches_javascript(&self) -> bool {
        let mut languages = self.plan.edits().keys().filter_map(Language::of_path);
        languages.any(|language| language == Language::JavaScript)
    }

    fn unsound(&self) -> ToolError {
        let problems = self.verification.as_ref().map(new_problems).unwrap_or_default();
        ToolError::new(
            ErrorKind::Refused,
            format!("a check has to prove this plan, and it finds new problems: {problems}"),
        )
        .hint("what stands there relies on the name, and no server changes it: declare its type, or change it first")
    }

    /// Fails where the check found problems that were not there before, or could not look for them.
    pub fn heed(&self, objections: Objections) -> Result<(), ToolError> {
        let Some(found) = self.verification.as_ref().filter(|_| objections != Objections::Overrule) else {
            return Ok(());
        };
        match found.status {
            Status::Possible if objections == Objections::Strict => Err(doubtful(found)),
            Status::Clean | Status::Possible => Ok(()),
            Status::Regressed => Err(regressed(found)),
            Status::Unverified => Err(unverified(found)),
        }
    }

    /// The outcome of the check in one word, with the reason where there is one.
    pub fn verdict(&self) -> String {
        match &self.verification {
            None => "none".to_owned(),
            Some(found) => {
                let reason = found.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
                format!("{} ({}){reason}", found.status.as_str(), found.level.as_str())
            }
        }
    }

    /// The outcome in one line: the check's status first, then what changes where.
    pub fn summary(&self) -> String {
        let found = self.verification.as_ref();
        let status = found.map_or_else(|| "unchecked".to_owned(), lead);
        let (id, root) = (self.plan.id(), self.project.root());
        let looked = found.map_or(0, |found| found.files_looked_at);
        let looked = if looked > 0 { format!(" ({} looked at)", counted(looked, "file")) } else { String::new() };
        let changes = format!("{status}: {}, plan {} for {root}{looked}", changes(&self.plan), id.as_str());
        let problems = found.map_or(0, |found| found.new_problems.len());
        let problems = (problems > 0).then(|| counted(problems, "new problem"));
        let reason = found.and_then(|found| found.reason.clone());
        std::iter::once(changes).chain(problems).chain(reason).collect::<Vec<_>>().join("; ")
    }

    /// Warnings and new problems, each in one line, places 1-based; of both, what is left out is counted.
    pub fn remarks(&self) -> Vec<String> {
        let root = self.project.root();
        let place = |path: Option<&AbsPath>, range: Option<Range>| {
            let path = path.map(|path| path.shown_from(root));
            let line = range.map(|range| format!(":{}:{}", range.start.line + 1, range.start.character + 1));
            path.map(|path| format!("{path}{}: ", line.unwrap_or_default())).unwrap_or_default()
        };
        let told = Digest::of(self.plan.warnings());
        let warnings = told.listed.iter().map(|warning| {
            let place = place(warning.path.as_ref(), warning.range);
            format!("{}: {place}{}", warning.kind.as_str(), warning.message)
        });
        let total = told.total.iter().map(|total| format!("{}: {total}", Digest::NOT_LISTED));
        let found = self.verification.iter();
        let problems = found.clone().flat_map(|found| &found.new_problems).take(SHOWN_PROBLEMS).map(|problem| {
            format!(
                "new {}: {}{}",
                problem.severity.as_str(),
                place(Some(&problem.path), problem.range),
                problem.quoted()
            )
        });
        let rest: usize = found.clone().map(|found| found.new_problems.len().saturating_sub(SHOWN_PROBLEMS)).sum();
        let rest = (rest > 0).then(|| format!("new problems: {rest} more are not listed"));
        let bytecode = found.filter_map(|found| found.interface.as_ref()?.bytecode());
        let bytecode = bytecode.map(|bytecode| format!("bytecode: {bytecode}"));
        let all = warnings.chain(total).chain(problems).chain(rest).chain(bytecode);
        all.map(|remark| one_line(&remark).into_owned()).collect()
    }

    /// The versions that the project chose for the servers which read what the plan edits.
    pub fn read_with(&self) -> Vec<String> {
        self.project.session().chosen(self.plan.edits().keys())
    }

    pub fn to_json(&self) -> PlanJson {
        let project_root = Some(self.project.root().to_string());
        let read_with = self.read_with();
        let plan = json::plan(&self.plan, self.verification.as_ref());
        PlanJson { summary: self.summary(), project_root, read_with, ..plan }
    }
}

/// The check that proves a plan.
fn proving() -> Check {
    Check { level: Level::Diagnostics, ..Check::default() }
}

fn is_unproven(warning: &Warning) -> bool {
    warning.kind == WarningKind::Unproven
}

/// The status of a check, with its level where that is not the usual one.
fn lead(found: &Verification) -> String {
    match found.level {
        Level::Diagnostics => found.status.as_str().to_owned(),
        level => format!("{} ({})", found.status.as_str(), level.as_str()),
    }
}

/// Counts what a plan changes.
fn changes(plan: &Plan) -> String {
    let edits: usize = plan.edits().values().map(|file| file.edits.len()).sum();
    let edited = format!("{} in {}", counted(edits, "edit"), counted(plan.edits().len(), "file"));
    let others = [(plan.moves().len(), "move"), (plan.creates().len(), "new file"), (plan.deletes().len(), "deletion")];
    let others = others.into_iter().filter(|(number, _)| *number > 0).map(|(number, what)| counted(number, what));
    let others: Vec<String> = others.collect();
    let edited = Some(edited).filter(|_| edits > 0 || others.is_empty());
    edited.into_iter().chain(others).collect::<Vec<_>>().join(", ")
}

fn regressed(found: &Verification) -> ToolError {
    let count = counted(found.new_problems.len(), "new problem");
    ToolError::new(ErrorKind::Regressed, format!("the plan brings {count}: {}", new_problems(found)))
        .hint("nothing was changed; verifyPlan (`lspwright verify --output json`) lists them with their places")
        .hint("`force` (`--force`) applies it all the same")
}

/// Tells the first new problems, and counts the rest.
fn new_problems(found: &Verification) -> String {
    let told = found.new_problems.iter().take(TOLD_PROBLEMS);
    let mut told: Vec<String> = told
        .map(|problem| {
            let line = problem.range.map(|range| format!(":{}", range.start.line + 1)).unwrap_or_default();
            format!("{} in `{}{line}`", problem.quoted(), problem.path)
        })
        .collect();
    let more = found.new_problems.len().saturating_sub(TOLD_PROBLEMS);
    told.extend((more > 0).then(|| format!("and {more} more")));
    told.join("; ")
}

fn doubtful(found: &Verification) -> ToolError {
    let reason = found.reason.as_deref().unwrap_or("uses may have to change");
    ToolError::new(ErrorKind::Refused, format!("the plan is not proven whole: {reason}"))
        .hint("nothing was changed; look at the plan's `possible-use` warnings")
        .hint("without `strict` (`--strict`) the plan is applied with these warnings")
}

fn unverified(found: &Verification) -> ToolError {
    let reason = found.reason.as_deref().unwrap_or("no reason is known");
    ToolError::new(ErrorKind::Unverified, format!("the plan could not be checked: {reason}"))
        .hint("nothing was changed; `lspwright doctor` lists the checkers and how to fix what they lack")
        .hint("`verify` (`--verify`) `syntax` checks that the files still parse, `none` nothing at all")
        .hint("`force` (`--force`) applies the plan unchecked")
}

/// Warns of what others will see differently as the compiler says it, in the place of what was said without one.
fn warned(plan: Plan, found: &Verification) -> Plan {
    if found.interface.is_none() {
        return plan;
    }
    let kept = plan.warnings().iter().filter(|warning| warning.kind != WarningKind::InterfaceChanged).cloned();
    let changes = found.interface.iter().flat_map(|interface| &interface.changes);
    let new = changes
        .map(|change| Warning::at(WarningKind::InterfaceChanged, change.message.clone(), change.path.clone(), None));
    let warnings = kept.chain(new).collect();
    plan.with_warnings(warnings)
}

/// Tells what could not be read, by the project's files alone: a file in a language that the plan changes, or a directory.
fn unread(project: &Project, plan: &Plan) -> Option<Warning> {
    /// So many are named.
    const NAMED: usize = 3;
    let family = |path: &AbsPath| Language::of_path(path).map(Language::family);
    let families: BTreeSet<_> = plan.edits().keys().chain(plan.moves().keys()).filter_map(family).collect();
    let is_alike = |one: &Unread| {
        let extension = one.path.rsplit('.').next().unwrap_or_default();
        one.is_dir || Language::of_extension(extension).is_some_and(|it| families.contains(&it.family()))
    };
    let unread: Vec<Unread> = project.session().disk().unread().into_iter().filter(is_alike).collect();
    let first = unread.first()?;
    let root = format!("{}/", project.root());
    let shown = |one: &Unread| quoted(one.path.strip_prefix(&root).unwrap_or(&one.path));
    let named = excerpt::first(&unread.iter().map(shown).collect::<Vec<String>>(), NAMED);
    let message = format!("what stands in {named} could not be read, and may be a use: {}", first.reason);
    Some(Warning::of_plan(WarningKind::PartlyRead, message))
}
