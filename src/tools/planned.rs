//! A plan on its way: made or read, checked, and carried out.

use std::sync::Arc;

use super::error::{ErrorKind, ToolError};
use super::{Context, Project};
use crate::plan::{Level, Plan, Status, Verification, Warning, WarningKind};
use crate::render::json::{self, PlanJson};
use crate::render::{Source, WrittenPlan};
use crate::syntax::Language;
use crate::text::{AbsPath, Range, one_line};
use crate::verify::{Check, verify};
use crate::workspace::apply::{refuse_place, refuse_places};

/// A plan with what a check of it found.
pub struct Planned {
    pub project: Arc<Project>,
    pub plan: Plan,
    pub verification: Option<Verification>,
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

impl Objections {
    /// Overrules them where the caller insists.
    pub fn unless(forced: bool) -> Self {
        if forced { Self::Overrule } else { Self::Heed }
    }

    /// Heeds mere doubts, too, where the caller is strict and does not insist.
    #[must_use]
    pub fn or_strict(self, strict: bool) -> Self {
        if strict && self == Self::Heed { Self::Strict } else { self }
    }
}

impl Planned {
    /// Takes a plan that was made just now; refused where it touches what no plan may touch, or was made of a part of the
    /// project's files. What its servers lack on a project that is not trusted is told with the first one.
    pub(super) fn made(project: Arc<Project>, plan: Plan) -> Result<Self, ToolError> {
        refuse_places(&plan, project.root())?;
        project.session().disk().is_whole()?;
        let mut warnings = plan.warnings().to_vec();
        for (server, lack) in project.session().untold() {
            let message = format!("{server}: {lack} (`--trust-project` where you trust this project)");
            warnings.push(Warning::of_plan(WarningKind::NotTrusted, message));
        }
        Ok(Self { project, plan: plan.with_warnings(warnings), verification: None })
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
        Ok(Self { project, plan, verification: None })
    }

    /// Takes one of the plans that the project made lately.
    pub fn recalled(project: Arc<Project>, id: &str) -> Result<Self, ToolError> {
        let plan = project.recall(id).ok_or_else(|| {
            ToolError::new(ErrorKind::Stale, format!("no plan `{id}` is kept for this project"))
                .hint("the last 32 plans are kept, as long as the server runs: make it again")
        })?;
        Ok(Self { project, plan, verification: None })
    }

    /// Checks the plan; `none` leaves it unchecked, and what an earlier check could not look at is nobody's question.
    pub async fn checked(self, context: &Context, check: &Check) -> Result<Self, ToolError> {
        if check.level == Level::None {
            let verification = self.verification.filter(|found| found.status != Status::Unverified);
            return Ok(Self { verification, ..self });
        }
        let work = async {
            let _listening = self.project.listen(Arc::clone(&context.sink));
            Ok(verify(self.project.session(), &self.plan, check).await)
        };
        let verification = context.unless_cancelled(work).await?;
        let plan = warned(self.plan, &verification);
        Ok(Self { plan, verification: Some(verification), ..self })
    }

    /// Checks a plan of which nothing proves that it is whole; a clean check is the proof, new problems are
    /// the reason to refuse it.
    pub async fn proven(self, context: &Context) -> Result<Self, ToolError> {
        let is_unproven = |warning: &Warning| warning.kind == WarningKind::Unproven;
        if !self.plan.warnings().iter().any(is_unproven) {
            return Ok(self);
        }
        let planned = self.checked(context, &Check { level: Level::Diagnostics, ..Check::default() }).await?;
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
        let problems = self.verification.iter().flat_map(|found| &found.new_problems);
        let first = problems.map(|problem| format!(": {} in `{}`", problem.quoted(), problem.path)).next();
        let message = format!("not every place that must change can be known{}", first.unwrap_or_default());
        ToolError::new(ErrorKind::Refused, message)
            .hint("rename the declaration that gives these objects their type, or give them one first")
            .hint("`force` gives the plan all the same")
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

    /// Warnings and new problems, each in one line, places 1-based.
    pub fn remarks(&self) -> Vec<String> {
        let root = self.project.root();
        let place = |path: Option<&AbsPath>, range: Option<Range>| {
            let path = path.map(|path| path.relative_to(root).map_or_else(|| path.to_string(), |it| it.to_string()));
            let line = range.map(|range| format!(":{}:{}", range.start.line + 1, range.start.character + 1));
            path.map(|path| format!("{path}{}: ", line.unwrap_or_default())).unwrap_or_default()
        };
        let warnings = self.plan.warnings().iter().map(|warning| {
            let place = place(warning.path.as_ref(), warning.range);
            format!("{}: {place}{}", warning.kind.as_str(), warning.message)
        });
        let problems = self.verification.iter().flat_map(|found| &found.new_problems).map(|problem| {
            format!(
                "new {}: {}{}",
                problem.severity.as_str(),
                place(Some(&problem.path), problem.range),
                problem.quoted()
            )
        });
        warnings.chain(problems).map(|remark| one_line(&remark).into_owned()).collect()
    }

    pub fn to_json(&self) -> PlanJson {
        let project_root = Some(self.project.root().to_string());
        PlanJson { project_root, ..json::plan(&self.plan, self.verification.as_ref()) }
    }
}

fn regressed(found: &Verification) -> ToolError {
    let count = found.new_problems.len();
    let first = found.new_problems.first();
    let first = first.map(|problem| format!(", first {} in `{}`", problem.quoted(), problem.path)).unwrap_or_default();
    ToolError::new(ErrorKind::Regressed, format!("the plan brings {count} new problems{first}"))
        .hint("nothing was changed; look at `verification.newProblems` (`--output json`)")
        .hint("`force` (`--force`) applies it all the same")
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
        .hint("nothing was changed; `lspwright doctor` tells which checkers are there and how to mend them")
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
