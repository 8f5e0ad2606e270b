//! Which function of a contract is meant.

use super::summary::Analyst;
use super::view::{Chosen, View};
use crate::audit::error::AuditError;
use crate::audit::insights::Selector;
use crate::audit::sources::Source;
use crate::solidity::{DefinitionId, DefinitionKind, SourceId};

/// Finds the function that a selector names: in the contract, or among what it inherits.
pub(super) fn choose(analyst: &Analyst<'_>, source: &Source, selector: &Selector) -> Result<Chosen, AuditError> {
    let file = SourceId::new(source.name());
    let all = functions(analyst, &file);
    let own_name = |id: DefinitionId| {
        let named = analyst.named(id);
        named.rsplit('.').next().unwrap_or(&named).to_owned()
    };
    let mut found: Vec<Chosen> = match &selector.contract {
        None => all.iter().copied().filter(|one| own_name(one.function) == selector.name).collect(),
        Some(contract) => in_contract(analyst, &file, contract)
            .into_iter()
            .filter(|one| own_name(one.function) == selector.name)
            .collect(),
    };
    if found.is_empty() {
        if let Some(reason) = unread(analyst, &file).filter(|_| all.is_empty()) {
            return Err(AuditError::Skipped { file: source.name().to_owned(), reason });
        }
        let alike = |one: &&Chosen| own_name(one.function).eq_ignore_ascii_case(&selector.name);
        let near: Vec<&Chosen> = all.iter().filter(alike).collect();
        let near = if near.is_empty() { all.iter().take(8).collect() } else { near };
        return Err(selector.not_found(near.into_iter().map(|one| shown(analyst, *one)).collect()));
    }
    let candidates: Vec<String> = found.iter().map(|one| shown(analyst, *one)).collect();
    found.retain(|one| selector.fits(&signatures(analyst, *one)));
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(selector.not_found(candidates)),
        // Of what overrides each other the most derived runs.
        [first, rest @ ..]
            if selector.contract.is_some()
                && rest.iter().all(|one| analyst.overrides(one.function, first.function)) =>
        {
            Ok(*first)
        }
        several => Err(selector.ambiguous(several.iter().map(|one| shown(analyst, *one)).collect())),
    }
}

/// Returns why nothing is known of a file.
fn unread(analyst: &Analyst<'_>, file: &SourceId) -> Option<String> {
    let facts = analyst.model.files().get(file)?;
    facts.problems.first().map(|problem| problem.message.clone())
}

/// Returns a function's signature as the ABI has it, and as it is written.
fn signatures(analyst: &Analyst<'_>, chosen: Chosen) -> Vec<String> {
    let definition = analyst.model.definition(chosen.function);
    let abi = View { analyst, chosen }.signature(chosen.function);
    let read = analyst.read(&definition.file);
    let written = read.and_then(|read| {
        let mut functions = read.unit.members().flat_map(|members| &members.functions);
        let function =
            functions.find(|it| it.at == definition.name_span.start || it.span.start == definition.span.start)?;
        let types: Vec<String> = function.params.iter().map(|param| param.of.written()).collect();
        Some(format!("{}({})", definition.name, types.join(",")))
    });
    [abi].into_iter().chain(written).collect()
}

/// Writes a function with its contract and its types.
fn shown(analyst: &Analyst<'_>, chosen: Chosen) -> String {
    let signature = View { analyst, chosen }.signature(chosen.function);
    let contract = chosen.context.map(|context| format!("{}.", analyst.model.definition(context).name));
    format!("{}{signature}", contract.unwrap_or_default())
}

/// Returns the functions of a file, each in the contract that declares it.
pub(super) fn functions(analyst: &Analyst<'_>, file: &SourceId) -> Vec<Chosen> {
    let declared = analyst.model.definitions_of(file).filter(|(_, it)| is_function(it.kind));
    declared.map(|(function, it)| Chosen { function, context: it.container }).collect()
}

fn in_contract(analyst: &Analyst<'_>, file: &SourceId, name: &str) -> Vec<Chosen> {
    let is_contract =
        |kind| matches!(kind, DefinitionKind::Contract | DefinitionKind::Interface | DefinitionKind::Library);
    let contracts = analyst.model.definitions_of(file).filter(|(_, it)| is_contract(it.kind) && it.name == name);
    let mut found = Vec::new();
    for (contract, _) in contracts {
        let line = analyst.model.linearised(contract);
        let line = if line.is_empty() { vec![contract] } else { line.to_vec() };
        for base in line {
            let members = analyst.model.members(base).filter(|(_, it)| is_function(it.kind));
            let members = members.filter(|(_, it)| base == contract || it.kind != DefinitionKind::Constructor);
            found.extend(members.map(|(function, _)| Chosen { function, context: Some(contract) }));
        }
    }
    found
}

fn is_function(kind: DefinitionKind) -> bool {
    use DefinitionKind as Kind;
    matches!(kind, Kind::Function | Kind::Constructor | Kind::Receive | Kind::Fallback | Kind::Modifier)
}
