//! With what a function of a contract can revert, by itself and through all that it calls.

use std::collections::{BTreeMap, VecDeque};

use super::effects::{Internal, Outward, What};
use super::summary::Analyst;
use crate::audit::error::AuditError;
use crate::audit::reverts::{Revert, RevertingFunction, Reverts, Unfollowed, Unknown};
use crate::audit::sources::Sources;
use crate::solidity::{DefinitionId, DefinitionKind, SourceId, Target};
use crate::syntax::Node;

/// A function, and the contract that runs.
type Key = (DefinitionId, Option<DefinitionId>);

/// Finds with what the function or the contract at a place of the only named file can revert.
pub(in crate::audit) fn reverts(sources: &Sources, at: usize) -> Result<Reverts, AuditError> {
    let analyst = Analyst::new(sources, &sources.files);
    let file = sources.files.first().map(|source| source.name().to_owned()).unwrap_or_default();
    let mut walk = Walk { analyst: &analyst, found: Reverts::default(), from: BTreeMap::new(), open: VecDeque::new() };
    let is_here = |id: &DefinitionId| {
        let it = analyst.model.definition(*id);
        it.name_span.start == at || it.span.start == at
    };
    let named = SourceId::new(file.as_str());
    let mut all = analyst.model.definitions_of(&named).map(|(id, _)| id).filter(is_here);
    let Some(root) = all.find(|id| is_run(analyst.model.definition(*id).kind)) else {
        return Err(AuditError::FunctionNotFound {
            name: "of that kind".to_owned(),
            contract: None,
            file,
            candidates: Vec::new(),
        });
    };
    walk.begin(root);
    while let Some(key) = walk.open.pop_front() {
        walk.function(key);
    }
    walk.found.functions = walk.from.len();
    walk.found.unknown.sort_by_key(|one| one.why == Unknown::Operation);
    Ok(walk.found)
}

fn is_run(kind: DefinitionKind) -> bool {
    use DefinitionKind as Kind;
    matches!(
        kind,
        Kind::Function | Kind::Constructor | Kind::Receive | Kind::Fallback | Kind::Modifier | Kind::Contract
    )
}

struct Walk<'a, 's> {
    analyst: &'a Analyst<'s>,
    found: Reverts,
    /// Who first called each function.
    from: BTreeMap<Key, Option<Key>>,
    open: VecDeque<Key>,
}

impl Walk<'_, '_> {
    fn begin(&mut self, root: DefinitionId) {
        let definition = self.analyst.model.definition(root);
        let home = definition.container;
        match definition.kind {
            DefinitionKind::Contract => self.deploy(root, None),
            DefinitionKind::Constructor => {
                self.enter((root, home), None);
                if let Some(contract) = home {
                    self.deploy(contract, None);
                }
            }
            _ => self.enter((root, home), None),
        }
    }

    /// Enters the constructors of a contract and of all that it inherits from.
    fn deploy(&mut self, contract: DefinitionId, from: Option<Key>) {
        let line = self.analyst.model.linearised(contract);
        let line = if line.is_empty() { vec![contract] } else { line.to_vec() };
        for base in line {
            let members = self.analyst.model.members(base).filter(|(_, it)| it.kind == DefinitionKind::Constructor);
            let constructors: Vec<DefinitionId> = members.map(|(id, _)| id).collect();
            for id in constructors {
                self.enter((id, Some(contract)), from);
            }
            self.fields(base, (contract, from));
        }
    }

    fn enter(&mut self, key: Key, from: Option<Key>) {
        if let std::collections::btree_map::Entry::Vacant(place) = self.from.entry(key) {
            place.insert(from);
            self.open.push_back(key);
        }
    }

    fn function(&mut self, key: Key) {
        let definition = self.analyst.model.definition(key.0);
        if definition.body.is_none() {
            let name = definition.name.clone();
            return self.unknown(key, definition.name_span.start, (Unknown::Abstract, name));
        }
        let summary = self.analyst.summary(key.0, key.1);
        for event in &summary.effects.events {
            match &event.what {
                What::Revert(kind, text) => self.error(key, event.at, named(kind, text)),
                What::Lost(written) => self.unknown(key, event.at, (Unknown::Unresolved, written.clone())),
                What::Internal(call) => self.internal(key, event.at, call),
                What::Outward(call) => self.outward(key, event.at, call),
                What::Read(_) | What::Write(_) | What::Emit(..) => {}
            }
        }
        self.operations(key);
    }

    fn internal(&mut self, key: Key, at: usize, call: &Internal) {
        if call.how == "function_pointer" {
            return self.unknown(key, at, (Unknown::Value, call.written.clone()));
        }
        for callee in &call.functions {
            if is_run(self.analyst.model.definition(*callee).kind) {
                self.enter((*callee, self.analyst.context_of(*callee, key.1)), Some(key));
            }
        }
    }

    fn outward(&mut self, key: Key, at: usize, call: &Outward) {
        // A call of an address returns whether it failed.
        const QUIET: &[&str] = &[
            "call",
            "delegatecall",
            "staticcall",
            "callcode",
            "send",
            "create",
            "create2",
            "selfdestruct",
            "suicide",
            "library",
        ];
        if QUIET.contains(&call.kind) {
            return;
        }
        if call.is_tried && self.is_all_caught(key.0, at) {
            return self.unknown(key, at, (Unknown::Operation, "decoding".to_owned()));
        }
        match (call.kind, call.function) {
            ("new", Some(contract)) => self.deploy(contract, Some(key)),
            ("this", Some(function)) if is_run(self.analyst.model.definition(function).kind) => {
                self.enter((self.analyst.running(function, key.1), key.1), Some(key));
                self.unknown(key, at, (Unknown::Operation, "decoding".to_owned()));
            }
            ("unresolved", _) => self.unknown(key, at, (Unknown::Unresolved, call.written.clone())),
            _ => self.unknown(key, at, (Unknown::External, call.written.clone())),
        }
    }

    /// Tells whether the `try` around a call has a `catch` for whatever comes.
    fn is_all_caught(&self, function: DefinitionId, at: usize) -> bool {
        let Some(source) = self.analyst.source(&self.analyst.model.definition(function).file) else { return false };
        let text = source.text();
        let node = source.tree().nodes().covering(crate::text::Span::new(at, at + 1));
        let Some(tried) = node.ancestors().find(|outer| outer.is("try_statement")) else { return false };
        let mut catches = tried.children().filter(|it| it.is("catch_clause"));
        catches.any(|catch| {
            let behind = catch.text(text).trim_start_matches("catch").trim_start();
            behind.starts_with(['{', '('])
        })
    }

    fn error(&mut self, key: Key, at: usize, error: String) {
        let by = self.by(key.0);
        let line = self.line(key.0, at);
        if let Some(known) = self.found.errors.iter_mut().find(|it| it.error == error && it.by == by) {
            return add(&mut known.lines, line);
        }
        let path = self.path(key);
        self.found.errors.push(Revert { error, by, lines: vec![line], path });
    }

    fn unknown(&mut self, key: Key, at: usize, (why, written): (Unknown, String)) {
        let by = self.by(key.0);
        let line = self.line(key.0, at);
        let is_it = |it: &&mut Unfollowed| it.why == why && it.written == written && it.by == by;
        match self.found.unknown.iter_mut().find(is_it) {
            Some(known) => add(&mut known.lines, line),
            None => self.found.unknown.push(Unfollowed { why, written, by, lines: vec![line] }),
        }
    }

    fn by(&self, function: DefinitionId) -> RevertingFunction {
        let definition = self.analyst.model.definition(function);
        let (file, at) = (definition.file.to_string(), definition.name_span.start);
        RevertingFunction { file, at, name: self.analyst.named(function) }
    }

    fn line(&self, function: DefinitionId, at: usize) -> u32 {
        let source = self.analyst.source(&self.analyst.model.definition(function).file);
        source.map_or(1, |source| source.location(at).line)
    }

    fn path(&self, key: Key) -> Vec<String> {
        let way = std::iter::successors(Some(key), |key| self.from.get(key).copied().flatten());
        let mut path: Vec<String> = way.map(|(function, _)| self.analyst.named(function)).collect();
        path.reverse();
        path
    }

    /// Tells what the compiler checks by itself, and what assembly reverts with.
    fn operations(&mut self, key: Key) {
        let definition = self.analyst.model.definition(key.0);
        let Some(source) = self.analyst.source(&definition.file) else { return };
        let node = source.tree().nodes().covering(definition.span);
        let inside = node.walk_until(|_| false).filter(|it| definition.span.contains(it.span()));
        let file = definition.file.clone();
        let found: Vec<_> =
            inside.filter_map(|it| Some((it.start(), self.operation(it, &file, source.text())?))).collect();
        for (at, what) in found {
            self.unknown(key, at, what);
        }
    }

    fn operation(&self, node: Node<'_>, file: &SourceId, text: &str) -> Option<(Unknown, String)> {
        let is = |kind: &str| Some((Unknown::Operation, kind.to_owned()));
        let called = || node.child("function").map(|it| it.text(text).trim().to_owned()).unwrap_or_default();
        match node.kind() {
            "binary_expression" => match node.child("operator")?.kind() {
                "/" | "%" => is("division"),
                "+" | "-" | "*" | "**" if !is_unchecked(node) => is("arithmetic"),
                _ => None,
            },
            "augmented_assignment_expression" => match node.children().find(|it| it.kind().ends_with('='))?.kind() {
                "/=" | "%=" => is("division"),
                "+=" | "-=" | "*=" if !is_unchecked(node) => is("arithmetic"),
                _ => None,
            },
            "update_expression" if !is_unchecked(node) => is("arithmetic"),
            "unary_expression" if node.child("operator")?.kind() == "-" && !is_unchecked(node) => is("arithmetic"),
            "array_access" if !self.is_mapping(node, file) => is("index"),
            "slice_access" => is("index"),
            "call_expression" => match called() {
                written if written.starts_with("abi.decode") => is("decoding"),
                written if written.ends_with(".pop") => is("pop"),
                _ if self.is_enum(node.child("function")?, file) => is("conversion"),
                _ => None,
            },
            "yul_function_call" if matches!(called().as_str(), "revert" | "invalid") => {
                Some((Unknown::Error, node.text(text).split_whitespace().collect::<Vec<_>>().join(" ")))
            }
            _ => None,
        }
    }

    /// Tells whether an index is a mapping's key: none is out of its bounds.
    fn is_mapping(&self, access: Node<'_>, file: &SourceId) -> bool {
        // The grammar lets an index take in what stands before its operand: what counts is where that ends.
        let mut base = access.child("base");
        while let Some(inner) = base.and_then(|base| {
            let all = std::iter::once(base).chain(base.descendants());
            all.filter(|it| it.is("array_access") && it.end() == base.end()).find_map(|it| it.child("base"))
        }) {
            base = Some(inner);
        }
        let name = base.and_then(|base| {
            let leaves = std::iter::once(base).chain(base.descendants());
            leaves.filter(|it| it.is("identifier") && it.is_leaf() && it.end() == base.end()).last()
        });
        let Some(name) = name else { return false };
        let reference = self.analyst.model.reference_at(file, name.start());
        let ids = reference.map(|it| it.target.definitions()).unwrap_or_default();
        let is_mapping = |id: &DefinitionId| {
            let definition = self.analyst.model.definition(*id);
            let text = self.analyst.model.text(&definition.file).unwrap_or_default();
            let written = definition.type_span.and_then(|span| span.of(text)).unwrap_or_default();
            written.starts_with("mapping") && !written.contains('[')
        };
        !ids.is_empty() && ids.iter().all(is_mapping)
    }

    fn is_enum(&self, callee: Node<'_>, file: &SourceId) -> bool {
        let last = std::iter::once(callee).chain(callee.descendants()).filter(|it| it.is("identifier")).last();
        let reference = last.and_then(|name| self.analyst.model.reference_at(file, name.start()));
        let Some(Target::Definitions(ids)) = reference.map(|it| &it.target) else { return false };
        let means = |id: &DefinitionId| self.analyst.model.behind_imports(*id);
        ids.iter().flat_map(means).any(|id| self.analyst.model.definition(id).kind == DefinitionKind::Enum)
    }

    /// Tells what is called for the values of a contract's variables.
    fn fields(&mut self, contract: DefinitionId, (running, from): (DefinitionId, Option<Key>)) {
        let definition = self.analyst.model.definition(contract);
        let Some(source) = self.analyst.source(&definition.file) else { return };
        let node = source.tree().nodes().covering(definition.span);
        let variables = node.descendants().filter(|it| it.is("state_variable_declaration"));
        let values = variables.filter_map(|it| it.child("value"));
        let calls = |it: &Node<'_>| it.descendants().any(|it| it.is("call_expression"));
        let found: Vec<(usize, String)> =
            values.filter(calls).map(|it| (it.start(), it.text(source.text()).to_owned())).collect();
        for (at, written) in found {
            self.unknown(from.unwrap_or((contract, Some(running))), at, (Unknown::Value, written));
        }
    }
}

fn add(lines: &mut Vec<u32>, line: u32) {
    lines.push(line);
    lines.sort_unstable();
    lines.dedup();
}

fn is_unchecked(node: Node<'_>) -> bool {
    node.ancestors().any(|outer| outer.is("block_statement") && outer.child_of_kind("unchecked").is_some())
}

/// Writes an error as callers see it.
fn named(kind: &str, text: &str) -> String {
    match kind {
        "error" => text.to_owned(),
        "assert" => "Panic(0x01)".to_owned(),
        _ if text.is_empty() => "revert()".to_owned(),
        _ => format!("Error({text})"),
    }
}
