//! What the Solidity compiler answers, read and compared.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::compare::renames;
use crate::plan::{Interface, InterfaceChange, Plan, Problem, Severity};
use crate::solidity::{Project, SourceId};
use crate::text::{AbsPath, Span, Text};

/// The findings and the contracts of one compilation.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    pub(super) problems: Vec<Problem>,
    /// The sources with errors behind which the compiler does not look at anything else.
    pub(super) stopped: BTreeSet<SourceId>,
    /// By file and name.
    pub(super) contracts: BTreeMap<(String, String), Contract>,
}

/// What a contract is to the outside.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Contract {
    /// Without what only tells of names: metadata, and the places of libraries; nothing where none was asked for.
    bytecode: Option<String>,
    /// Functions, events and errors with their types.
    abi: BTreeSet<String>,
    /// Where each variable lies, and as what.
    storage: Vec<String>,
    /// What the variables are called, in the same order.
    labels: Vec<String>,
}

/// Errors of what is done for all sources before the types of any are looked at: one of them hides those of all others.
const STOPPING: &[&str] = &["DeclarationError", "DocstringParsingError", "ParserError", "SyntaxError"];

/// Tells whether the code generator ran out of stack, which the optimiser can help.
pub(super) fn is_too_deep(answer: &Value) -> bool {
    let errors = answer["errors"].as_array().into_iter().flatten();
    errors.into_iter().any(|error| error["message"].as_str().is_some_and(|text| text.contains("tack too deep")))
}

pub(super) fn read(answer: &Value, project: &Project, all: &mut Compiled) {
    let errors = || answer["errors"].as_array().into_iter().flatten();
    all.problems.extend(errors().filter_map(|error| problem(error, project)));
    let stopping = errors().filter(|error| error["type"].as_str().is_some_and(|kind| STOPPING.contains(&kind)));
    all.stopped.extend(stopping.filter_map(|error| error["sourceLocation"]["file"].as_str()).map(SourceId::new));
    for (file, contracts) in answer["contracts"].as_object().into_iter().flatten() {
        for (name, contract) in contracts.as_object().into_iter().flatten() {
            all.contracts.insert((file.clone(), name.clone()), Contract::read(contract));
        }
    }
}

/// Reads an error; the compiler's warnings are about style, and shadowing is looked at when a rename is planned.
fn problem(error: &Value, project: &Project) -> Option<Problem> {
    if error["severity"] != "error" {
        return None;
    }
    let place = &error["sourceLocation"];
    let file = place["file"].as_str().unwrap_or_default();
    let text = project.text(&SourceId::new(file)).map(Text::new);
    let offset = |key: &str| place[key].as_u64().and_then(|at| usize::try_from(at).ok());
    let span = offset("start").zip(offset("end")).map(|(start, end)| Span::new(start, end));
    Some(Problem {
        path: AbsPath::new(file).or_else(|_| AbsPath::new("/")).ok()?,
        range: text.zip(span).and_then(|(text, span)| text.range(span)),
        severity: Severity::Error,
        code: error["errorCode"].as_str().map(str::to_owned),
        message: error["message"].as_str().unwrap_or_default().to_owned(),
        source: Some("solc".to_owned()),
    })
}

impl Contract {
    fn read(contract: &Value) -> Self {
        let selectors = &contract["evm"]["methodIdentifiers"];
        let abi = contract["abi"].as_array().into_iter().flatten().map(|entry| signature(entry, selectors)).collect();
        let laid_out = || contract["storageLayout"]["storage"].as_array().into_iter().flatten();
        let labels = laid_out().filter_map(|one| one["label"].as_str().map(str::to_owned)).collect();
        let types = &contract["storageLayout"]["types"];
        let variable = |one: &Value| {
            let of_type = &types[one["type"].as_str().unwrap_or_default()];
            format!("{}+{}: {} {}", one["slot"], one["offset"], of_type["encoding"], of_type["numberOfBytes"])
        };
        let bytecode = contract["evm"]["bytecode"]["object"].as_str().map(bare);
        Self { bytecode, abi, storage: laid_out().map(variable).collect(), labels }
    }

    /// Tells what others see differently, in words.
    fn changes(&self, after: &Self, name: &str) -> Vec<String> {
        let gone = self.abi.difference(&after.abi).map(|entry| format!("`{name}` loses `{entry}`"));
        let come = after.abi.difference(&self.abi).map(|entry| format!("`{name}` gains `{entry}`"));
        let laid_out =
            (self.storage != after.storage).then(|| format!("the storage of `{name}` is laid out differently"));
        let pairs = self.labels.iter().zip(&after.labels).filter(|(old, new)| old != new && laid_out.is_none());
        let labels = pairs.map(|(old, new)| format!("the storage of `{name}` has `{new}` where it had `{old}`"));
        let labels: Vec<String> = labels.collect();
        gone.chain(come).chain(laid_out).chain(labels).collect()
    }
}

/// Writes an entry of the ABI; a function with its selector.
fn signature(entry: &Value, selectors: &Value) -> String {
    let kind = entry["type"].as_str().unwrap_or_default();
    let name = entry["name"].as_str().unwrap_or_default();
    let types: Vec<String> = entry["inputs"].as_array().into_iter().flatten().map(canonical).collect();
    let signature = format!("{name}({})", types.join(","));
    let selector = selectors[&signature].as_str().map(|selector| format!(", selector 0x{selector}"));
    format!("{kind} {signature}{}", selector.unwrap_or_default())
}

/// Writes a type as selectors are computed of it: structs by their members (Solidity's ABI specification).
fn canonical(input: &Value) -> String {
    let written = input["type"].as_str().unwrap_or_default();
    let Some(suffix) = written.strip_prefix("tuple") else { return written.to_owned() };
    let members: Vec<String> = input["components"].as_array().into_iter().flatten().map(canonical).collect();
    format!("({}){suffix}", members.join(","))
}

/// Masks the hashes of metadata (before 0.6 they cannot be left out) and the names of libraries to be linked.
fn bare(bytecode: &str) -> String {
    const HASHES: [&str; 2] = ["a165627a7a72305820", "a265627a7a72305820"];
    let mut bare = bytecode.to_owned();
    for mark in HASHES.iter().chain(&["a265627a7a72315820"]) {
        let mut from = 0;
        while let Some(at) = bare[from..].find(mark).map(|at| from + at + mark.len()) {
            let end = (at + 64).min(bare.len());
            bare.replace_range(at..end, &"0".repeat(end - at));
            from = end;
        }
    }
    while let Some(at) = bare.find('_') {
        let end = (at + 40).min(bare.len());
        bare.replace_range(at..end, &"0".repeat(end - at));
    }
    bare
}

/// Compares what both compilations gave for each contract, under its names before and after.
pub(super) fn interface(plan: &Plan, old: &Compiled, new: &Compiled) -> Interface {
    let renames = renames(plan);
    let mut interface = Interface::default();
    for ((file, name), before) in &old.contracts {
        let Ok(path) = AbsPath::new(file) else { continue };
        let moved = plan.path_after(&path).map_or_else(|| file.clone(), |path| path.to_string());
        let after = new
            .contracts
            .get(&(moved.clone(), name.clone()))
            .or_else(|| new.contracts.get(&(moved, renames.get(name)?.clone())))
            .or_else(|| elsewhere(old, new, name));
        if let Some(bytecode) = &before.bytecode {
            let is_same = after.is_some_and(|it| it.bytecode.as_ref() == Some(bytecode));
            interface.is_identical = Some(is_same && interface.is_identical != Some(false));
        }
        let messages = after.map_or_else(|| vec![format!("`{name}` no longer exists")], |it| before.changes(it, name));
        interface.changes.extend(messages.into_iter().map(|message| InterfaceChange { path: path.clone(), message }));
    }
    interface
}

/// Returns the one contract of a name that came into being, where it was moved to another file.
fn elsewhere<'c>(old: &Compiled, new: &'c Compiled, name: &str) -> Option<&'c Contract> {
    let mut come = new.contracts.iter().filter(|(key, _)| key.1 == name && !old.contracts.contains_key(key));
    let first = come.next().map(|(_, contract)| contract);
    first.filter(|_| come.next().is_none())
}
