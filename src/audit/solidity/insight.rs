//! The rows of what a function of a contract does.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::effects::{Event, What};
use super::order::order;
use super::refs::{Base, Ref};
use super::select::{choose, functions as functions_of};
use super::summary::{Act, Analyst, Done, Summary};
use super::view::View;
use crate::audit::error::AuditError;
use crate::audit::gaps::Gaps;
use crate::audit::insights::{
    AccessRow, Calls, ErrorRow, EventRow, Function, Insights, InternalRow, OutwardRow, ReachedCallRow, ReachedErrorRow,
    ReachedEventRow, ReachedRow, Selector, State, Transitive,
};
use crate::audit::sources::{Source, Sources};
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Mutability, SourceId, Visibility};

/// Looks into the function that a selector names.
pub(in crate::audit) fn insights(
    sources: &Sources,
    source: &Arc<Source>,
    selector: &Selector,
) -> Result<Insights, AuditError> {
    let analyst = Analyst::new(sources, std::slice::from_ref(source));
    let chosen = choose(&analyst, source, selector)?;
    let view = View { analyst: &analyst, chosen };
    Ok(Insights { function: view.function(), gaps: Gaps::skipping(sources).and(view.gaps()) })
}

/// Looks into every function that the named files declare.
pub(in crate::audit) fn every_insight(sources: &Sources) -> Vec<Function> {
    let analyst = Analyst::new(sources, &sources.files);
    let mut functions = Vec::new();
    for source in &sources.files {
        let chosen = functions_of(&analyst, &SourceId::new(source.name()));
        functions.extend(chosen.into_iter().map(|chosen| View { analyst: &analyst, chosen }.function()));
    }
    functions
}

impl View<'_, '_> {
    fn function(&self) -> Function {
        let summary = self.analyst.summary(self.chosen.function, self.chosen.context);
        let definition = self.definition();
        let container = self.container().map(|it| it.name.clone());
        let contract = self.chosen.context.map(|id| self.analyst.model.definition(id).name.clone());
        Function {
            file: definition.file.to_string(),
            inherited_from: container.clone().filter(|_| contract != container),
            contract: contract.or(container),
            name: self.own_name(),
            kind: kind(definition.kind),
            signature: self.signature(self.chosen.function),
            location: Some(self.location(definition.name_span.start)),
            visibility: Some(visibility(definition, self.container())),
            mutability: Some(mutability(definition.mutability)),
            modifiers: self.modifiers(),
            state: State {
                reads: self.accesses(&summary, Wanted::Reads),
                writes: self.accesses(&summary, Wanted::Writes),
            },
            calls: Calls { internal: self.internal(&summary), external: self.external(&summary) },
            events: self.events(&summary),
            errors: self.errors(&summary),
            transitive: self.transitive(&summary),
            order: order(self, &summary),
        }
    }

    fn own_name(&self) -> String {
        let named = self.analyst.named(self.chosen.function);
        named.rsplit('.').next().unwrap_or(&named).to_owned()
    }

    fn container(&self) -> Option<&Definition> {
        self.definition().container.map(|id| self.analyst.model.definition(id))
    }

    fn modifiers(&self) -> Vec<String> {
        let definition = self.definition();
        let Some(read) = self.analyst.read(&definition.file) else { return Vec::new() };
        let mut functions = read.unit.members().flat_map(|members| &members.functions);
        let function =
            functions.find(|it| it.at == definition.name_span.start || it.span.start == definition.span.start);
        function.map(|it| it.modifiers.iter().map(|modifier| modifier.text.clone()).collect()).unwrap_or_default()
    }

    fn accesses(&self, summary: &Rc<Summary>, wanted: Wanted) -> Vec<AccessRow> {
        let mut seen = BTreeSet::new();
        let places = summary.effects.events.iter().filter_map(|event| Some((event, wanted.of(event)?)));
        let new = places.filter(|(_, place)| seen.insert((*place).clone()));
        new.map(|(event, place)| AccessRow {
            variable: self.analyst.variable(place),
            path: self.analyst.shown(place),
            storage: self.storage(place),
            declared_in: self.declared_in(place),
            location: self.location(event.at),
        })
        .collect()
    }

    fn reached(&self, summary: &Rc<Summary>, wanted: Wanted) -> Vec<ReachedRow> {
        let rows =
            summary.deep.iter().filter(|deep| deep.is_write == (wanted == Wanted::Writes)).map(|deep| ReachedRow {
                variable: self.analyst.variable(&deep.place),
                path: self.analyst.shown(&deep.place),
                storage: self.storage(&deep.place),
                declared_in: self.declared_in(&deep.place),
                via: deep.via.iter().map(|id| self.analyst.named(*id)).collect::<Vec<_>>().join(" > "),
            });
        let mut rows: Vec<ReachedRow> = rows.collect();
        rows.sort();
        rows
    }

    /// Lists what is done through calls inside the contract.
    fn transitive(&self, summary: &Rc<Summary>) -> Transitive {
        let mut reached = Transitive {
            reads: self.reached(summary, Wanted::Reads),
            writes: self.reached(summary, Wanted::Writes),
            ..Transitive::default()
        };
        for Act { done, via, .. } in &summary.acts {
            let via = via.iter().map(|id| self.analyst.named(*id)).collect::<Vec<_>>().join(" > ");
            match done {
                Done::Outward { written, kind, function } => reached.calls.push(ReachedCallRow {
                    target: written.clone(),
                    kind,
                    function: self.called(*function),
                    mutability: self.mutability_of(*function),
                    via,
                }),
                Done::Emit(name, id) => reached.events.push(ReachedEventRow { event: self.event(name, *id), via }),
                Done::Revert(kind, error) => {
                    reached.errors.push(ReachedErrorRow { kind, error: error.clone(), via });
                }
                Done::Lost(_) => {}
            }
        }
        reached.calls.sort();
        reached.events.sort();
        reached.errors.sort();
        reached
    }

    fn storage(&self, place: &Ref) -> &'static str {
        match &place.base {
            Base::Variable(id) => {
                let definition = self.analyst.model.definition(*id);
                match definition.mutability {
                    _ if definition.kind == DefinitionKind::Constant => "constant",
                    Some(Mutability::Constant) => "constant",
                    Some(Mutability::Immutable) => "immutable",
                    Some(Mutability::Transient) => "transient",
                    _ => "state",
                }
            }
            Base::Param(..) => "parameter",
            Base::Slot(_) => "slot",
        }
    }

    fn declared_in(&self, place: &Ref) -> Option<String> {
        let Base::Variable(id) = &place.base else { return None };
        let container = self.analyst.model.definition(*id).container?;
        Some(self.analyst.model.definition(container).name.clone())
    }

    fn internal(&self, summary: &Rc<Summary>) -> Vec<InternalRow> {
        let mut rows = Vec::new();
        for event in &summary.effects.events {
            let What::Internal(call) = &event.what else { continue };
            for function in &call.functions {
                rows.push(InternalRow {
                    function: self.analyst.named(*function),
                    signature: Some(self.signature(*function)),
                    kind: call.how,
                    file: Some(self.analyst.model.definition(*function).file.to_string()),
                    location: self.location(event.at),
                });
            }
        }
        rows
    }

    fn external(&self, summary: &Rc<Summary>) -> Vec<OutwardRow> {
        let rows = summary.effects.events.iter().filter_map(|event| {
            let What::Outward(call) = &event.what else { return None };
            Some(OutwardRow {
                target: call.written.clone(),
                kind: call.kind,
                function: self.called(call.function),
                mutability: self.mutability_of(call.function),
                tried: call.is_tried,
                location: self.location(event.at),
            })
        });
        rows.collect()
    }

    /// Writes what a call outside leads to, where that is known.
    fn called(&self, function: Option<DefinitionId>) -> Option<String> {
        let id = function?;
        if self.analyst.model.definition(id).kind == DefinitionKind::Contract {
            return Some(self.analyst.named(id));
        }
        let named = format!("{}.{}", self.container_name(id), self.signature(id));
        Some(named.trim_start_matches('.').to_owned())
    }

    fn mutability_of(&self, function: Option<DefinitionId>) -> Option<&'static str> {
        let called = self.analyst.model.definition(function?);
        (called.kind == DefinitionKind::Function).then(|| mutability(called.mutability))
    }

    fn event(&self, name: &str, id: Option<DefinitionId>) -> String {
        id.map_or_else(|| name.to_owned(), |id| self.signature(id))
    }

    fn container_name(&self, id: DefinitionId) -> String {
        let container = self.analyst.model.definition(id).container;
        container.map(|id| self.analyst.model.definition(id).name.clone()).unwrap_or_default()
    }

    fn events(&self, summary: &Rc<Summary>) -> Vec<EventRow> {
        let rows = summary.effects.events.iter().filter_map(|event| match &event.what {
            What::Emit(name, id) => Some(EventRow { event: self.event(name, *id), location: self.location(event.at) }),
            _ => None,
        });
        rows.collect()
    }

    fn errors(&self, summary: &Rc<Summary>) -> Vec<ErrorRow> {
        let rows = summary.effects.events.iter().filter_map(|event| match &event.what {
            What::Revert(kind, error) => {
                Some(ErrorRow { kind, error: error.clone(), location: self.location(event.at) })
            }
            _ => None,
        });
        rows.collect()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Reads,
    Writes,
}

impl Wanted {
    fn of(self, event: &Event) -> Option<&Ref> {
        match (&event.what, self) {
            (What::Read(place), Self::Reads) | (What::Write(place), Self::Writes) => Some(place),
            _ => None,
        }
    }
}

fn kind(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Constructor => "constructor",
        DefinitionKind::Receive => "receive",
        DefinitionKind::Fallback => "fallback",
        DefinitionKind::Modifier => "modifier",
        _ => "function",
    }
}

fn visibility(definition: &Definition, container: Option<&Definition>) -> &'static str {
    match definition.visibility {
        Some(Visibility::External) => "external",
        Some(Visibility::Internal) => "internal",
        Some(Visibility::Private) => "private",
        Some(Visibility::Public) => "public",
        None if container.is_none() || definition.kind == DefinitionKind::Modifier => "internal",
        // Nobody but a heir can construct an abstract contract.
        None if definition.kind == DefinitionKind::Constructor && container.is_some_and(|it| it.is_abstract) => {
            "internal"
        }
        None => "public",
    }
}

fn mutability(mutability: Option<Mutability>) -> &'static str {
    match mutability {
        Some(Mutability::Pure) => "pure",
        Some(Mutability::View | Mutability::Constant) => "view",
        Some(Mutability::Payable) => "payable",
        _ => "nonpayable",
    }
}
