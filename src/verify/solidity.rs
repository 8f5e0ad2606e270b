//! Solidity by its compiler: what it says of the sources before a plan and after, and whether its bytecode changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use semver::Version;
use serde_json::{Value, json};

use super::compare::compare;
use super::compiled::{self, Compiled};
use super::outcome::CannotCheck;
use super::stack;
use crate::lsp::Solc;
use crate::lsp::embedded::{load_project, read_layout};
use crate::plan::{Interface, Level, Plan, Problem};
use crate::session::Session;
use crate::solidity::{CompilationUnit, Generation, Layout, Project, SourceId};
use crate::text::AbsPath;

/// How often what does without unreadable sources is compiled anew: the compiler stops at its first kind of errors.
const ROUNDS: usize = 4;

/// What the compiler says about a plan.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) problems: Vec<Problem>,
    /// Nothing where nothing could be compiled.
    pub(super) interface: Option<Interface>,
    /// Sources that the plan may affect, and that do not compile as they are, nor what imports them.
    pub(super) left_out: BTreeSet<SourceId>,
}

/// Tells whether a plan touches Solidity.
pub(super) fn concerns(plan: &Plan) -> bool {
    let mut paths =
        plan.edits().keys().chain(plan.moves().keys()).chain(plan.creates().keys()).chain(plan.deletes().keys());
    paths.any(|path| path.extension() == "sol")
}

/// Compiles what the plan touches and what imports it, before and after; to bytecode at [`Level::Project`] and where a
/// function comes to hold more on the stack, elsewhere as far as others see it.
pub(super) async fn check(session: &Session, plan: &Plan, level: Level) -> Result<Outcome, CannotCheck> {
    let (disk, of_task) = (session.disk().clone(), plan.clone());
    let prepared = tokio::task::spawn_blocking(move || {
        let mut before = load_project(&disk);
        // Where drafts are saved, they stand before what the plan was made of.
        for (path, edit) in of_task.edits() {
            let id = id_of(path);
            if before.contains(&id) {
                before.set(id, Arc::from(edit.before.as_str()));
            }
        }
        for path in of_task.creates().keys() {
            before.remove(&id_of(path));
        }
        let after = carried_out(&before, &of_task);
        let layout = read_layout(&disk);
        (layout, before, after)
    });
    let (layout, before, after) = prepared.await.map_err(|error| CannotCheck::Copy(error.to_string()))?;
    let touched: BTreeSet<SourceId> = touched(plan).map(|path| SourceId::new(path.as_str())).collect();
    let arrived: BTreeSet<SourceId> =
        touched.iter().map(|id| path_after(plan, id)).chain(plan.creates().keys().map(id_of)).collect();
    let wanted = layout.compiler();
    let generates = level == Level::Project || stack::grows(plan);
    let outputs = if generates { Outputs::Bytecode(layout.generation()) } else { Outputs::Interface };
    let mut asked = Asked { session, wanted: wanted.as_ref(), outputs };
    let roots = before.affected(&touched);
    let (mut old, deep) = asked.compiled((&before, &roots), BTreeSet::new()).await?;
    if deep == Stack::TooDeep {
        // As it is, the project is compiled with the optimiser.
        asked.outputs = Outputs::Bytecode(Generation { optimizes: true, ..layout.generation() });
        old = asked.compiled((&before, &roots), BTreeSet::new()).await?.0;
    }
    let unread = old.stopped.iter().map(|id| path_after(plan, id)).collect();
    let (new, _) = asked.compiled((&after, &after.affected(&arrived)), unread).await?;
    let problems = compare(plan, &old.problems, &new.problems);
    // What does not compile any more has no interface.
    let is_compiled = !old.contracts.is_empty() && problems.is_empty();
    let interface = is_compiled.then(|| compiled::interface(plan, &old, &new));
    // Below, the code was made for what the compiler says of it.
    let interface =
        interface.map(|it| if level == Level::Project { it } else { Interface { is_identical: None, ..it } });
    Ok(Outcome { problems, interface, left_out: new.stopped })
}

/// Compiles files as they stand, drafts included, with all that they need, to bytecode as the project has it. Returns what
/// was run, and what it found.
///
/// # Errors
/// Why the compiler could not be asked.
pub async fn as_it_stands(session: &Session, files: &[AbsPath]) -> Result<(String, Vec<Problem>), String> {
    let Loaded { project, layout, units, .. } = loaded(session, files).await?;
    let asked = Asked { session, wanted: None, outputs: Outputs::Bytecode(layout.generation()) };
    let (compiled, _) = asked.units(&project, &units).await.map_err(|error| error.to_string())?;
    let releases: Vec<String> = units.keys().map(|version| format!("solc {version}")).collect();
    Ok((releases.join(", "), compiled.problems))
}

/// Returns what the compiler finds in files, drafts included, and in what they need. Nothing is generated.
///
/// # Errors
/// Why the compiler could not be asked.
pub async fn findings(session: &Session, files: &[AbsPath]) -> Result<Vec<Problem>, String> {
    let Loaded { project, layout, wanted, .. } = loaded(session, files).await?;
    let release = layout.compiler();
    let asked = Asked { session, wanted: release.as_ref(), outputs: Outputs::Interface };
    let found = asked.compiled((&project, &wanted), BTreeSet::new()).await;
    found.map(|(compiled, _)| compiled.problems).map_err(|error| error.to_string())
}

/// A project as it stands, and some of its sources.
struct Loaded {
    project: Project,
    layout: Layout,
    wanted: BTreeSet<SourceId>,
    /// What a compiler has to be given to read those.
    units: BTreeMap<Version, CompilationUnit>,
}

async fn loaded(session: &Session, files: &[AbsPath]) -> Result<Loaded, String> {
    let disk = session.disk().clone();
    let loaded = tokio::task::spawn_blocking(move || (load_project(&disk), read_layout(&disk))).await;
    let (project, layout) = loaded.map_err(|error| error.to_string())?;
    let wanted: BTreeSet<SourceId> = files.iter().map(id_of).filter(|id| project.contains(id)).collect();
    let units = project.units(&wanted, layout.compiler().as_ref());
    let looked_at: BTreeSet<&SourceId> = units.values().flat_map(|unit| &unit.sources).collect();
    match wanted.iter().find(|id| !looked_at.contains(id)) {
        Some(left_out) => Err(format!("no release of the compiler fits what `{left_out}` and its imports ask for")),
        None => Ok(Loaded { project, layout, wanted, units }),
    }
}

fn touched(plan: &Plan) -> impl Iterator<Item = &AbsPath> {
    plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys())
}

fn id_of(path: &AbsPath) -> SourceId {
    SourceId::new(path.as_str())
}

fn path_after(plan: &Plan, id: &SourceId) -> SourceId {
    let after = AbsPath::new(id.as_str()).ok().and_then(|path| plan.path_after(&path));
    after.map_or_else(|| id.clone(), |path| id_of(&path))
}

/// Returns the sources as they are after a plan, wherever they come to lie.
fn carried_out(before: &Project, plan: &Plan) -> Project {
    let text_of = |id: &SourceId| {
        let path = AbsPath::new(id.as_str()).ok()?;
        let edited = plan.edits().get(&path).map(|file| Arc::from(file.after().as_str()));
        let text = edited.or_else(|| before.text(id).map(Arc::from))?;
        plan.path_after(&path).map(|after| (id_of(&after), text))
    };
    let mut sources: Vec<(SourceId, Arc<str>)> = before.ids().filter_map(text_of).collect();
    sources.extend(plan.creates().iter().map(|(path, text)| (id_of(path), Arc::from(text.as_str()))));
    Project::new(sources, before.imports().clone())
}

/// A compiler with what it is asked for.
struct Asked<'a> {
    session: &'a Session,
    /// The release that the project names.
    wanted: Option<&'a Version>,
    outputs: Outputs,
}

impl Asked<'_> {
    /// Compiles sources with what they import. Where one cannot be read, those that do without it are compiled once more by
    /// themselves; what is left out is among the stopped ones, with the `unread` ones that were known.
    async fn compiled(
        &self,
        (project, roots): (&Project, &BTreeSet<SourceId>),
        unread: BTreeSet<SourceId>,
    ) -> Result<(Compiled, Stack), CannotCheck> {
        let (mut all, mut left_out) = (Compiled::default(), project.affected(&unread));
        for _ in 0..ROUNDS {
            let readable: BTreeSet<SourceId> = roots.difference(&left_out).cloned().collect();
            let (found, stack) = self.units(project, &project.units(&readable, self.wanted)).await?;
            let more = project.affected(&found.stopped);
            all.problems.extend(found.problems);
            all.contracts = found.contracts;
            if more.is_subset(&left_out) {
                all.stopped = roots.intersection(&left_out).cloned().collect();
                return Ok((all, stack));
            }
            left_out.extend(more);
        }
        all.stopped = roots.clone();
        Ok((all, Stack::Suffices))
    }

    async fn units(
        &self,
        project: &Project,
        units: &BTreeMap<Version, CompilationUnit>,
    ) -> Result<(Compiled, Stack), CannotCheck> {
        let (mut all, mut stack) = (Compiled::default(), Stack::Suffices);
        for (version, unit) in units {
            let solc = self.session.solc(&version.to_string()).await?;
            let answer = run((self.session, &solc), input(project, unit, version, self.outputs)).await?;
            if compiled::is_too_deep(&answer) {
                stack = Stack::TooDeep;
            }
            compiled::read(&answer, project, &mut all);
        }
        Ok((all, stack))
    }
}

/// What the compiler is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outputs {
    /// What others see: no code is generated for it.
    Interface,
    Bytecode(Generation),
}

/// Whether the code generator ran out of stack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stack {
    Suffices,
    TooDeep,
}

/// Makes the compiler's standard JSON.
fn input(project: &Project, unit: &CompilationUnit, version: &Version, outputs: Outputs) -> Value {
    let mut wanted = vec!["abi", "evm.methodIdentifiers", "storageLayout"];
    let generation = match outputs {
        Outputs::Interface => Generation::default(),
        Outputs::Bytecode(generation) => {
            wanted.push("evm.bytecode.object");
            generation
        }
    };
    let mut settings = json!({"outputSelection": {"*": {"*": wanted}}});
    if generation.optimizes {
        settings["optimizer"] = json!({"enabled": true});
    }
    // The compilers before 0.8.13 refuse the word.
    if generation.via_ir && *version >= Version::new(0, 8, 13) {
        settings["viaIR"] = json!(true);
    }
    // The metadata's hash would tell every name.
    if *version >= Version::new(0, 6, 0) {
        settings["metadata"] = json!({"bytecodeHash": "none"});
    }
    Solc::input(project, unit, settings)
}

async fn run((session, solc): (&Session, &Solc), input: Value) -> Result<Value, CannotCheck> {
    let answer = solc.answer(&input, &session.options().guard).await;
    answer.map_err(|reason| CannotCheck::Command { command: "solc".to_owned(), reason })
}
