//! What can be called in contracts from outside.

use std::collections::BTreeSet;

use super::rows::{ContractRow, Entrypoints};
use crate::audit::gaps::{Gaps, broken};
use crate::audit::solidity::{ContractId, Home, MemberId, World, getter_signature, signature};
use crate::audit::sources::Sources;
use crate::syntax::contracts::{ContractKind, Function, FunctionKind, Mutability, Visibility};

/// Which functions are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Views {
    /// Those that can change the state.
    #[default]
    LeaveOut,
    /// `view`, `pure` and the getters of public variables, too.
    Include,
}

pub(super) fn list(sources: &Sources, views: Views) -> Entrypoints {
    let world = World::load(sources);
    let named = world.contracts().filter(|id| id.file < sources.files.len());
    let rows = named.flat_map(|id| Lister { world: &world, contract: id, views }.rows()).collect();
    // What is inherited comes from other files, too.
    let problems = world.files.iter().flat_map(|file| broken(&file.source)).collect();
    let gaps = Gaps { unresolved: world.unresolved(sources), problems };
    Entrypoints::Contracts { rows, gaps: Gaps::skipping(sources).and(gaps) }
}

struct Lister<'w> {
    world: &'w World,
    contract: ContractId,
    views: Views,
}

impl Lister<'_> {
    /// Lists a contract's own functions, then those of its bases that none nearer has replaced.
    fn rows(&self) -> Vec<ContractRow> {
        let mut seen = BTreeSet::new();
        let mut rows = Vec::new();
        for id in self.world.line(self.contract) {
            let home = Home::of(*id);
            let members = self.world.members(home);
            for index in 0..members.functions.len() {
                rows.extend(self.function(MemberId { home, index }, &mut seen));
            }
            for index in 0..members.variables.len() {
                rows.extend(self.getter(MemberId { home, index }, &mut seen));
            }
        }
        rows
    }

    fn function(&self, id: MemberId, seen: &mut BTreeSet<String>) -> Option<ContractRow> {
        let function = self.world.function(id);
        let is_callable = matches!(function.visibility, Visibility::Public | Visibility::External)
            && matches!(function.kind, FunctionKind::Function | FunctionKind::Receive | FunctionKind::Fallback);
        // What an inheriting contract replaces is replaced whatever it can do.
        let signature = self.shown_signature(id, function);
        if !is_callable || !seen.insert(signature.clone()) || !self.is_wanted(function.mutability) {
            return None;
        }
        Some(ContractRow {
            kind: function.kind.as_str(),
            name: function.name.clone(),
            signature,
            visibility: function.visibility.as_str(),
            mutability: function.mutability.as_str(),
            modifiers: Self::modifiers(function),
            ..self.row(id, function.at)
        })
    }

    fn getter(&self, id: MemberId, seen: &mut BTreeSet<String>) -> Option<ContractRow> {
        let variable = self.world.variable(id);
        if variable.visibility != Visibility::Public || self.kind() == ContractKind::Library && variable.value.is_none()
        {
            return None;
        }
        let signature = getter_signature(self.world, id);
        let is_new = seen.insert(signature.clone());
        (is_new && self.views == Views::Include).then(|| ContractRow {
            kind: "getter",
            name: variable.name.clone(),
            signature,
            visibility: Visibility::Public.as_str(),
            mutability: Mutability::View.as_str(),
            ..self.row(id, variable.at)
        })
    }

    fn row(&self, id: MemberId, at: usize) -> ContractRow {
        let source = self.world.source(id.home);
        let is_inherited = id.home != Home::of(self.contract);
        let from = self.world.contract_name(id.home).filter(|_| is_inherited);
        ContractRow {
            file: source.name().to_owned(),
            contract: self.world.contract(self.contract).name.clone(),
            contract_kind: self.kind().as_str(),
            inherited_from: from.map(str::to_owned),
            location: source.location(at),
            kind: "",
            name: String::new(),
            signature: String::new(),
            visibility: "",
            mutability: "",
            modifiers: String::new(),
        }
    }

    /// Fallbacks are told apart by their keyword alone.
    fn shown_signature(&self, id: MemberId, function: &Function) -> String {
        match function.kind {
            FunctionKind::Receive | FunctionKind::Fallback => format!("{}()", function.name),
            _ => signature(self.world, id),
        }
    }

    /// Writes the modifiers with their arguments.
    fn modifiers(function: &Function) -> String {
        function.modifiers.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn is_wanted(&self, mutability: Mutability) -> bool {
        self.views == Views::Include || mutability.is_changing()
    }

    fn kind(&self) -> ContractKind {
        self.world.contract(self.contract).kind
    }
}
