//! The catalog: every refactoring that can be asked for by name, with its parameters and who carries it out.
//!
//! `catalog` is one table in Fowler's order, a file for each of his chapters: name, parameters, and the ways to carry
//! it out, each for some families of languages (`catalog/refactoring.rs`). A way is a function from a `Request` (a
//! target that was found, parameters that were checked) to a `Plan`; `catalog::plan` takes the first one that is
//! open, and refuses results that are empty or do not parse. What every plan is asked then, whoever made it, has files of its own:
//! names that would hide others (`new_names`), names that the program asks for (`existence_checks`), or a module itself for one
//! that it loses (`lost_globals`), modules that nobody loads any more (`lost_loads`). The tools find the target
//! (`tools/target.rs`) and check parameters against the table (`tools/refactor/params.rs`), so that no refactoring does.

mod beyond;
mod composing_methods;
mod conditionals;
mod existence_checks;
mod generalization;
mod lost_globals;
mod lost_loads;
mod method_calls;
mod moving_features;
mod new_names;
mod organizing_data;
pub mod refactoring;
#[cfg(test)]
mod tests;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::analysis::brace_spacing::spaced;
use crate::refactor::analysis::line_length::fitted;
use crate::refactor::analysis::script_declarations::declared_by_var;
use crate::refactor::analysis::script_quotes::quoted;
use crate::refactor::analysis::script_semicolons::unended;
use crate::refactor::backends::command;
use crate::refactor::doubts::{Doubts, telling};
use crate::refactor::moves::new_files;
use crate::refactor::obstacles::gathered;
use crate::refactor::params::{Kind, Param};
use crate::refactor::request::{Given, Params, Request, Target};
use crate::refactor::{Refusal, interface, observed_variables};
use crate::session::Session;
use crate::syntax::{Language, Tree};
use refactoring::{Backend, Implementation, NOT_BUILT, Refactoring};

/// The chapters in Fowler's order.
const CATALOG: [&[Refactoring]; 7] = [
    composing_methods::ENTRIES,
    moving_features::ENTRIES,
    conditionals::ENTRIES,
    method_calls::ENTRIES,
    generalization::ENTRIES,
    organizing_data::ENTRIES,
    beyond::ENTRIES,
];

/// Other names: those of Fowler's second edition, and what editors call them.
const ALIASES: &[(&str, &str)] = &[
    ("change-function-declaration", "change-signature"),
    ("consolidate-conditional", "consolidate-conditional-expression"),
    ("consolidate-duplicate-fragments", "consolidate-duplicate-conditional-fragments"),
    ("convert-to-f-string", "convert-to-template-string"),
    ("extract-constant", "replace-magic-number-with-symbolic-constant"),
    ("extract-type-alias", "extract-type"),
    ("extract-variable", "introduce-explaining-variable"),
    ("guard-clauses", "replace-nested-conditional-with-guard-clauses"),
    ("inline-function", "inline-method"),
    ("inline-variable", "inline-temp"),
    ("introduce-special-case", "introduce-null-object"),
    ("introduce-variable", "introduce-explaining-variable"),
    ("merge-if", "join-if"),
    ("merge-modules", "merge-module"),
    ("merge-nested-if", "join-if"),
    ("move-class", "move-symbol"),
    ("move-function", "move-symbol"),
    ("move-symbols", "move-symbol"),
    ("move-to-module", "move-symbol"),
    ("parameterize-function", "parameterize-method"),
    ("remove-dead-code", "safe-delete"),
    ("remove-flag-argument", "replace-parameter-with-explicit-methods"),
    ("rename-class", "rename"),
    ("rename-field", "rename"),
    ("rename-function", "rename"),
    ("rename-parameter", "rename"),
    ("rename-symbol", "rename"),
    ("rename-variable", "rename"),
    ("replace-conditional-with-guard-clauses", "replace-nested-conditional-with-guard-clauses"),
    ("replace-constructor-with-factory", "replace-constructor-with-factory-function"),
    ("replace-function-with-command", "replace-method-with-method-object"),
    ("replace-magic-literal", "replace-magic-number-with-symbolic-constant"),
    ("replace-magic-number", "replace-magic-number-with-symbolic-constant"),
    ("replace-parameter-with-query", "replace-parameter-with-method-call"),
    ("replace-primitive-with-object", "replace-data-value-with-object"),
    ("replace-superclass-with-delegate", "replace-inheritance-with-delegation"),
    ("split-module", "move-symbol"),
    ("split-variable", "split-temporary-variable"),
    ("use-function", "replace-inline-code-with-function-call"),
];

/// Returns every refactoring, in Fowler's order.
pub fn catalog() -> impl Iterator<Item = &'static Refactoring> {
    CATALOG.into_iter().flatten()
}

/// Finds a refactoring by its name or another name of it.
pub fn refactoring(name: &str) -> Option<&'static Refactoring> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    catalog().find(|refactoring| refactoring.name == name)
}

/// How far obstacles are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// All that the text tells, at once; where it tells of none, all that servers do.
    Quick,
    /// All.
    Whole,
}

/// Plans a refactoring: by the first way that is open. The next one is tried only where a server or a library
/// is missing or fails; a refusal stands. A result that breaks the grammar of its language is refused, too.
///
/// # Errors
/// Every reason for which there is no complete and right plan.
pub async fn plan(
    session: &Session,
    refactoring: &Refactoring,
    request: &Request,
    search: Search,
) -> Result<Plan, Refusal> {
    let language = request.target.language;
    let config = &session.options().config;
    let programs = config.refactorers(refactoring.name, language.id());
    let (preferred, others): (Vec<_>, Vec<_>) = programs.partition(|(_, program)| program.prefer);
    if let Some(program) = preferred.first() {
        return sound(session, refactoring, command::plan(session, *program, refactoring.name, request).await?).await;
    }
    let mut ways = refactoring.ways_in(language.family()).peekable();
    while let Some(way) = ways.next() {
        if way.backend != Backend::Server {
            // A server is told of changes while it thinks; what reads the disk itself has to know before.
            session.refresh().await;
            if let Some(known) = untold(session, way, request, search).await {
                return sound(session, refactoring, known?).await;
            }
        }
        match gathered(telling((way.run)(session, request))).await {
            Err(Refusal::Session(_)) if ways.peek().is_some() => {}
            Ok(plan) => return sound(session, refactoring, plan).await,
            refused => return refused,
        }
    }
    if let Some(program) = others.first() {
        return sound(session, refactoring, command::plan(session, *program, refactoring.name, request).await?).await;
    }
    let why = refactoring.gap(language.family()).unwrap_or(NOT_BUILT);
    Err(Refusal::Unavailable { refactoring: refactoring.name, language: language.id(), why })
}

/// Plans as far as the texts lead, before any server is started for it; returns what came of it where that is all, or where it
/// is reason enough to refuse.
async fn untold(
    session: &Session,
    way: &Implementation,
    request: &Request,
    search: Search,
) -> Option<Result<Plan, Refusal>> {
    let still = session.without_servers();
    let planned = gathered(telling((way.run)(&still, request))).await;
    match still.missed() {
        0 => Some(planned),
        // It ended at its first question: all that was noted stood before that.
        1 if search == Search::Quick => planned.err().filter(|it| !matches!(it, Refusal::Session(_))).map(Err),
        _ => None,
    }
}

/// What stands at a place as far as its grammar tells.
pub struct Possible {
    pub refactoring: &'static Refactoring,
    /// What has to be given beside the target.
    pub params: Vec<&'static Param>,
}

/// Returns what nothing in the texts speaks against at a target. Each refactoring is begun as if it were asked for, in a
/// session where nobody asks a server, and goes as far as it comes: to a plan, to its first question, or to a parameter
/// that it needs. What refuses before that is not possible.
pub async fn possible(session: &Session, target: &Target) -> Vec<Possible> {
    let mut found = Vec::new();
    for refactoring in catalog() {
        found.extend(begun(session, refactoring, target).await);
    }
    found
}

/// Stands for a name that nobody has thought of yet: no program has it.
const UNNAMED: &str = "yetToBeNamed_lspwright";

async fn begun(session: &Session, refactoring: &'static Refactoring, target: &Target) -> Option<Possible> {
    let named = refactoring.params.iter().filter(|param| param.is_required);
    let mut params: Vec<&'static Param> = named.collect();
    let names = params.iter().filter(|param| param.kind == Kind::Name);
    let given = names.map(|param| (param.name, Given::Text(UNNAMED.to_owned()))).collect();
    let request = Request { target: target.clone(), params: Params::new(given) };
    if session.options().config.refactorers(refactoring.name, target.language.id()).next().is_some() {
        // A program of the user's: what it can do, nobody but it knows.
        return Some(Possible { refactoring, params });
    }
    for way in refactoring.ways_in(target.language.family()) {
        let still = session.without_servers();
        // Who lists what is possible may still overrule a doubt.
        let planned = Doubts::Warn.within(gathered((way.run)(&still, &request))).await;
        if let Err(Refusal::Missing { param, .. }) = &planned {
            params.extend(refactoring.params.iter().filter(|it| it.name == *param && !it.is_required));
        } else if still.missed() == 0 && !planned.is_ok_and(|plan| !plan.is_empty()) {
            continue;
        }
        return Some(Possible { refactoring, params });
    }
    None
}

/// Refuses plans that change nothing, and those that leave a text that no longer parses; tells what others will see
/// differently.
async fn sound(session: &Session, refactoring: &Refactoring, plan: Plan) -> Result<Plan, Refusal> {
    if plan.is_empty() {
        return Err(Refusal::NotPossible(format!("`{}` has nothing to change here", refactoring.name)));
    }
    let files = new_names::changed(session, &plan);
    new_names::check(session, &plan, &files)?;
    // What is asked here is large, and whoever plans would hold it on the stack.
    let asked = Box::pin(existence_checks::told(session, &files)).await?;
    let lost = lost_loads::told(session, &plan, &files)?;
    let own = lost_globals::told(&files);
    let warnings = plan.warnings().iter().cloned().chain(asked).chain(lost).chain(own).collect();
    let plan = new_files::enlisted(session, still_mentioned(plan.with_warnings(warnings)));
    let plan = declared_by_var(quoted(session, plan));
    let plan = fitted(session, unended(session, spaced(session, plan)));
    for (path, edit) in plan.edits() {
        let Some(language) = Language::of_path(path) else { continue };
        let errors = |text: &str| Tree::parse(language, text).fault_count(text);
        if errors(edit.after().as_str()) > errors(edit.before.as_str()) {
            return Err(Refusal::BadResult { refactoring: refactoring.name, path: path.clone() });
        }
    }
    Ok(interface::told(session, observed_variables::told(session, plan)).await)
}

/// Leaves mentions aside that the plan changes after all.
fn still_mentioned(plan: Plan) -> Plan {
    let is_changed = |warning: &Warning| {
        let place = warning.path.as_ref().zip(warning.range);
        let edited = place.and_then(|(path, range)| Some((plan.edits().get(path)?, range)));
        edited.is_some_and(|(edit, range)| {
            let spans = edit.edits.iter().filter_map(|it| edit.before.range(it.span));
            spans.into_iter().any(|it| it.start <= range.start && range.end <= it.end)
        })
    };
    let is_left =
        |warning: &&Warning| warning.kind != WarningKind::Mentioned || warning.count.places > 1 || !is_changed(warning);
    let left: Vec<Warning> = plan.warnings().iter().filter(is_left).cloned().collect();
    if left.len() == plan.warnings().len() { plan } else { plan.with_warnings(left) }
}
