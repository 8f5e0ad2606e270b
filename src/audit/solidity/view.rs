//! One function of a contract, as its answers see it.

use super::summary::Analyst;
use crate::audit::location::Location;
use crate::solidity::{Definition, DefinitionId};

/// A function, and the contract that runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Chosen {
    pub function: DefinitionId,
    pub context: Option<DefinitionId>,
}

/// One function as an answer shows it.
pub(super) struct View<'a, 's> {
    pub analyst: &'a Analyst<'s>,
    pub chosen: Chosen,
}

impl View<'_, '_> {
    pub(super) fn definition(&self) -> &Definition {
        self.analyst.model.definition(self.chosen.function)
    }

    pub(super) fn location(&self, at: usize) -> Location {
        self.location_in(self.chosen.function, at)
    }

    pub(super) fn location_in(&self, function: DefinitionId, at: usize) -> Location {
        let source = self.analyst.source(&self.analyst.model.definition(function).file);
        source.map_or(Location { line: 1, column: 1 }, |source| source.location(at))
    }

    pub(super) fn signature(&self, id: DefinitionId) -> String {
        let definition = self.analyst.model.definition(id);
        let of_abi = definition.signature.as_deref().and_then(|signature| Some(&signature[signature.find('(')?..]));
        let types = of_abi.map_or_else(
            || format!("({})", definition.parameters.as_deref().unwrap_or_default().join(",")),
            str::to_owned,
        );
        let named = self.analyst.named(id);
        format!("{}{types}", named.rsplit('.').next().unwrap_or(&named))
    }
}
