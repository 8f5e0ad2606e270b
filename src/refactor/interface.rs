//! What others will see differently of contracts: signatures, selectors, and the names of their storage, told as the
//! plan is made. No compiler is asked: only what the compiler would lay out anew is left to a check.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::lsp::embedded::{complete, read_layout, read_source};
use crate::plan::{FileEdit, Plan, Warning, WarningKind};
use crate::session::Session;
use crate::solidity::{Model, Project, SourceId, bodies, selector};
use crate::syntax::contracts::{Contract, ContractKind, Function, FunctionKind, Param, Storage, Unit, Visibility};
use crate::syntax::{Language, Tree};
use crate::text::{AbsPath, Span};
use crate::workspace::Disk;

/// Adds warnings of what others see differently after a plan.
pub(super) async fn told(session: &Session, plan: Plan) -> Plan {
    let is_told = plan.warnings().iter().any(|warning| warning.kind == WarningKind::InterfaceChanged);
    let versions = Versions::of(&plan);
    if is_told || versions.before == versions.after {
        return plan;
    }
    let disk = session.disk().clone();
    let looked = tokio::task::spawn_blocking(move || {
        let mut project = Project::new([], read_layout(&disk).imports());
        let before = seen(&disk, &mut project, &versions.before);
        (before, seen(&disk, &mut project, &versions.after))
    });
    let Ok((before, after)) = looked.await else { return plan };
    let new = changes(&plan, &before, &after);
    let warnings = plan.warnings().iter().cloned().chain(new).collect();
    plan.with_warnings(warnings)
}

/// The texts that a plan changes, with an outline of what others see of them.
#[derive(Default)]
struct Versions {
    before: Outlines,
    after: Outlines,
}

/// By the path before the plan, or after it.
type Outlines = BTreeMap<AbsPath, Outline>;

struct Outline {
    text: Arc<str>,
    /// What others see, as it is written.
    words: BTreeSet<String>,
}

impl PartialEq for Outline {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Versions {
    fn of(plan: &Plan) -> Self {
        let mut versions = Self::default();
        let is_contract = |path: &&AbsPath| path.extension() == "sol";
        for (path, edit) in plan.edits().iter().filter(|(path, edit)| is_contract(path) && reaches_out(edit)) {
            versions.before.insert(path.clone(), Outline::of(edit.before.as_str()));
            versions.after.insert(path.clone(), Outline::of(edit.after().as_str()));
        }
        for (path, text) in plan.creates().iter().filter(|(path, _)| is_contract(path)) {
            versions.after.insert(path.clone(), Outline::of(text.as_str()));
        }
        versions
    }
}

/// Tells whether a file is edited anywhere but in the bodies of functions: only that can be seen from outside.
fn reaches_out(edit: &FileEdit) -> bool {
    let bodies = bodies(edit.before.as_str());
    let is_inside = |span: Span| {
        let before = bodies.partition_point(|body| body.start < span.start);
        before > 0 && span.end < bodies[before - 1].end
    };
    edit.edits.iter().any(|edit| !is_inside(edit.span))
}

impl Outline {
    fn of(text: &str) -> Self {
        let unit = Unit::of(&Tree::parse(Language::Solidity, text), text);
        let words = unit.contracts.iter().flat_map(|contract| {
            let types = |params: &[Param]| params.iter().map(|it| it.of.written()).collect::<Vec<_>>().join(",");
            let functions = contract.members.functions.iter().filter(|it| is_open(it));
            let functions = functions.map(|it| format!("{}({})", it.name, types(&it.params)));
            let signed = contract.members.events.iter().chain(&contract.members.errors);
            let signed = signed.map(|it| format!("{}({})", it.name, types(&it.params)));
            let variables = contract.members.variables.iter().enumerate();
            let variables =
                variables.map(|(at, it)| format!("{at} {} {} {:?}", it.name, it.of.written(), it.visibility));
            let own = functions.chain(signed).chain(variables).chain([String::new()]);
            own.map(|word| format!("{}.{word}", contract.name)).collect::<Vec<_>>()
        });
        // A struct's members are a part of the signatures that take it.
        let all = unit.contracts.iter().flat_map(|it| &it.members.types).chain(&unit.free.types);
        let types = all.map(|it| format!("{} {:?}", it.name, it.shape));
        Self { text: Arc::from(text), words: words.chain(types).collect() }
    }
}

fn is_open(function: &Function) -> bool {
    function.kind == FunctionKind::Function && matches!(function.visibility, Visibility::Public | Visibility::External)
}

/// A contract as others see it.
#[derive(Debug, Default)]
struct Seen {
    file: Option<AbsPath>,
    /// Functions, getters, events and errors.
    entries: BTreeSet<String>,
    /// Name and type of each variable in the storage, in order.
    storage: Vec<(String, String)>,
}

/// Reads what others see of the contracts that some texts declare, bound with all that they import.
fn seen(disk: &Disk, project: &mut Project, texts: &Outlines) -> BTreeMap<String, Seen> {
    for (path, outline) in texts {
        project.set(SourceId::new(path.as_str()), Arc::clone(&outline.text));
    }
    complete(project, |id| read_source(disk, id));
    let model = project.model();
    let mut all: BTreeMap<String, Seen> = BTreeMap::new();
    for (path, outline) in texts {
        let tree = Tree::parse(Language::Solidity, &outline.text);
        for contract in &Unit::of(&tree, &outline.text).contracts {
            let seen = all.entry(contract.name.clone()).or_default();
            seen.file.get_or_insert_with(|| path.clone());
            seen.take(contract, &model, &SourceId::new(path.as_str()));
        }
    }
    all
}

impl Seen {
    fn take(&mut self, contract: &Contract, model: &Model, file: &SourceId) {
        let abi = |at: usize| model.definition(model.definition_named_at(file, at)?).signature.clone();
        let written = |name: &str, params: &[Param]| {
            let types: Vec<String> = params.iter().map(|it| it.of.written()).collect();
            format!("{name}({})", types.join(","))
        };
        // A library's are linked by name as well, but what is internal to it is nobody else's.
        for function in contract.members.functions.iter().filter(|it| is_open(it)) {
            let signature = abi(function.at).unwrap_or_else(|| written(&function.name, &function.params));
            self.entries.insert(called("function", &signature));
        }
        for (kind, signed) in [("event", &contract.members.events), ("error", &contract.members.errors)] {
            for one in signed {
                let signature = abi(one.at).unwrap_or_else(|| written(&one.name, &one.params));
                self.entries.insert(format!("{kind} {signature}"));
            }
        }
        for variable in &contract.members.variables {
            if variable.visibility == Visibility::Public && contract.kind != ContractKind::Library {
                let signature = abi(variable.at).unwrap_or_else(|| format!("{}()", variable.name));
                self.entries.insert(called("function", &signature));
            }
            if matches!(variable.storage, Storage::State | Storage::Transient) {
                self.storage.push((variable.name.clone(), variable.of.written()));
            }
        }
    }
}

/// Writes an entry as a compiler's ABI has it, with its selector.
fn called(kind: &str, signature: &str) -> String {
    format!("{kind} {signature}, selector {}", selector(signature))
}

fn changes(plan: &Plan, before: &BTreeMap<String, Seen>, after: &BTreeMap<String, Seen>) -> Vec<Warning> {
    let gone: Vec<&String> = before.keys().filter(|name| !after.contains_key(*name)).collect();
    let come: Vec<&String> = after.keys().filter(|name| !before.contains_key(*name)).collect();
    let mut warnings = Vec::new();
    for (name, old) in before {
        // One that has gone where one has come has another name now.
        let renamed = (gone.as_slice() == [name] && come.len() == 1).then(|| after.get(come[0])).flatten();
        let Some(new) = after.get(name).or(renamed) else { continue };
        let file = old.file.clone().filter(|path| plan.edits().contains_key(path));
        let warning = |message: String| match &file {
            Some(file) => Warning::at(WarningKind::InterfaceChanged, message, file.clone(), None),
            None => Warning::of_plan(WarningKind::InterfaceChanged, message),
        };
        let lost = old.entries.difference(&new.entries).map(|entry| format!("`{name}` loses `{entry}`"));
        let gained = new.entries.difference(&old.entries).map(|entry| format!("`{name}` gains `{entry}`"));
        warnings.extend(lost.chain(gained).chain(stored(name, old, new)).map(warning));
    }
    warnings
}

/// Tells what becomes of the variables of a contract's storage.
fn stored(name: &str, old: &Seen, new: &Seen) -> Vec<String> {
    if old.storage.len() != new.storage.len() {
        return vec![format!("the storage of `{name}` is laid out otherwise")];
    }
    let pairs = old.storage.iter().zip(&new.storage);
    let renamed = pairs.filter(|((before, _), (after, _))| before != after);
    renamed
        .map(|((before, _), (after, _))| format!("the storage of `{name}` has `{after}` where it had `{before}`"))
        .collect()
}
