//! The calls of all functions of a file.

use super::effects::What;
use super::gaps::lost;
use super::select::functions;
use super::summary::Analyst;
use super::view::View;
use crate::audit::callgraph::{Edge, Lead};
use crate::audit::problems::Unresolved;
use crate::audit::sources::Source;
use crate::solidity::{DefinitionId, DefinitionKind, SourceId};

impl Analyst<'_> {
    /// Returns the calls of every function that a file declares, inside its own contract, and those without a target.
    pub(in crate::audit) fn edges(&self, source: &Source) -> (Vec<Edge>, Vec<Unresolved>) {
        let (mut edges, mut unresolved) = (Vec::new(), Vec::new());
        for chosen in functions(self, &SourceId::new(source.name())) {
            let view = View { analyst: self, chosen };
            let summary = self.summary(chosen.function, chosen.context);
            for event in &summary.effects.events {
                if let Some(name) = lost(&event.what) {
                    unresolved.extend(self.lost_call(chosen.function, event.at, name));
                }
                let file = |id| self.model.definition(id).file.to_string();
                let callees: Vec<(String, &'static str, Lead)> = match &event.what {
                    What::Internal(call) => {
                        let inside = |id: &DefinitionId| (self.named(*id), call.how, Lead::Inside(file(*id)));
                        call.functions.iter().map(inside).collect()
                    }
                    What::Outward(call) => {
                        let known =
                            call.function.filter(|id| self.model.definition(*id).kind != DefinitionKind::Parameter);
                        let lead = known.map_or(Lead::Away, |id| Lead::Across(file(id)));
                        vec![(known.map_or_else(|| call.written.clone(), |id| self.named(id)), call.kind, lead)]
                    }
                    _ => continue,
                };
                edges.extend(callees.into_iter().map(|(callee, kind, leads)| Edge {
                    caller: self.named(chosen.function),
                    callee,
                    kind,
                    file: source.name().to_owned(),
                    location: view.location(event.at),
                    leads,
                }));
            }
        }
        (edges, unresolved)
    }
}
