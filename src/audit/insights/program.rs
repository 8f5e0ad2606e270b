//! What a function of a Python, TypeScript or JavaScript program does.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::rows::{
    AccessRow, Calls, ErrorRow, EventRow, Function, Insights, InternalRow, OrderRow, OutwardRow, ReachedCallRow,
    ReachedErrorRow, ReachedEventRow, ReachedRow, State, Transitive,
};
use super::select::Selector;
use crate::audit::error::AuditError;
use crate::audit::gaps::Gaps;
use crate::audit::program::{Body, Event, FunctionId, Place, Program, Unit, What};
use crate::audit::sources::{Source, Sources};
use crate::audit::written::{code_of, one_line};
use crate::syntax::{Family, FunctionSite};

/// Calls that go through more functions are not followed.
const DEEPEST: usize = 12;
/// A function that reaches more others is cut.
const MOST_REACHED: usize = 500;

/// Looks into the function that a selector names.
pub(super) fn insights(sources: &Sources, source: &Arc<Source>, selector: &Selector) -> Result<Insights, AuditError> {
    let program = Program::new(sources, source.language.family());
    let unit = program.unit(source);
    let site = choose(&unit, selector)?.clone();
    let body = Body { program: &program, unit: Rc::clone(&unit), site: site.clone() };
    let events = body.events();
    let view = View { program: &program, unit: &unit, site: &site };
    let calls = events.iter().filter_map(|event| body.lost_call(event)).collect();
    let own = Gaps::of_files(sources, std::slice::from_ref(source));
    let gaps = own.and(Gaps { unresolved: calls, problems: Vec::new() });
    Ok(Insights { function: view.function(&events), gaps: Gaps::skipping(sources).and(gaps) })
}

fn choose<'u>(unit: &'u Unit, selector: &Selector) -> Result<&'u FunctionSite, AuditError> {
    let shown = |site: &FunctionSite| {
        site.owners.iter().map(String::as_str).chain([site.name.as_str()]).collect::<Vec<_>>().join(".")
    };
    let owned = |site: &&FunctionSite| match &selector.contract {
        Some(class) => site.owners.last() == Some(class) || site.owners.join(".") == *class,
        None => true,
    };
    let named = |site: &&FunctionSite| site.name == selector.name || shown(site) == selector.name;
    let found: Vec<&FunctionSite> = unit.sites.iter().filter(owned).filter(named).collect();
    // Overloads and re-definitions: the one with a body, and of those the last.
    let with_body: Vec<&FunctionSite> = found.iter().copied().filter(|site| site.body.is_some()).collect();
    let is_one = |all: &[&FunctionSite]| all.windows(2).all(|pair| pair[0].owners == pair[1].owners);
    match (with_body.as_slice(), found.as_slice()) {
        ([.., last], _) if is_one(&with_body) => Ok(last),
        ([], [.., last]) if is_one(&found) => Ok(last),
        ([], []) => Err(selector.not_found(unit.sites.iter().take(8).map(shown).collect())),
        _ => {
            let outer = found.iter().find(|site| site.owners.is_empty() && selector.contract.is_none());
            outer.copied().ok_or_else(|| selector.ambiguous(found.iter().map(|site| shown(site)).collect()))
        }
    }
}

struct View<'a, 's> {
    program: &'a Program<'s>,
    unit: &'a Rc<Unit>,
    site: &'a FunctionSite,
}

impl View<'_, '_> {
    fn function(&self, events: &[Event]) -> Function {
        let is_method = self.site.owners.last().is_some_and(|owner| self.unit.class(owner).is_some());
        Function {
            file: self.unit.source.name().to_owned(),
            contract: (!self.site.owners.is_empty()).then(|| self.site.owners.join(".")),
            inherited_from: None,
            name: self.site.name.clone(),
            kind: if is_method { "method" } else { "function" },
            signature: self.signature(self.unit, self.site),
            location: Some(self.unit.source.location(self.site.at)),
            visibility: Some(self.visibility()),
            mutability: None,
            modifiers: self.decorators(),
            state: State {
                reads: self.accesses(events, |what| read(what)),
                writes: self.accesses(events, |what| written(what)),
            },
            calls: Calls { internal: self.internal(events), external: self.external(events) },
            events: self.emitted(events),
            errors: self.raised(events),
            transitive: self.reached(events),
            order: self.order(events),
        }
    }

    fn signature(&self, unit: &Unit, site: &FunctionSite) -> String {
        let head = site.head.of(unit.text()).unwrap_or_default();
        let node = unit.node(site.node).and_then(|node| node.child("parameters").or_else(|| node.child("parameter")));
        let parameters = node.map_or_else(|| one_line(head), |node| code_of(node, unit.text()));
        format!("{}{}", site.name, if parameters.starts_with('(') { parameters } else { format!("({parameters})") })
    }

    fn visibility(&self) -> &'static str {
        let name = self.site.name.as_str();
        let head = self.site.head.of(self.unit.text()).unwrap_or_default();
        let has = |word: &str| head.split_whitespace().take(3).any(|it| it == word);
        let is_exported = || {
            let start = self.site.span.start;
            let before = self.unit.text()[..start].rsplit('\n').next().unwrap_or_default();
            before.contains("export") || before.contains("exports.")
        };
        match self.unit.family() {
            Family::Python if name.starts_with('_') && !name.starts_with("__") => "private",
            Family::Python => "public",
            _ if name.starts_with('#') || has("private") => "private",
            _ if has("protected") => "protected",
            _ if !self.site.owners.is_empty() || is_exported() => "public",
            _ => "internal",
        }
    }

    fn decorators(&self) -> Vec<String> {
        let Some(node) = self.unit.node(self.site.node) else { return Vec::new() };
        crate::audit::entrypoints::decorators(node).map(|it| code_of(it, self.unit.text())).collect()
    }

    fn accesses<'e>(&self, events: &'e [Event], wanted: impl Fn(&'e What) -> Option<&'e Place>) -> Vec<AccessRow> {
        let mut seen = BTreeSet::new();
        let places = events.iter().filter_map(|event| Some((event, wanted(&event.what)?)));
        let new = places.filter(|(_, place)| seen.insert((*place).clone()));
        let mut rows: Vec<AccessRow> = new
            .map(|(event, place)| AccessRow {
                variable: place.variable.clone(),
                path: place.path.clone(),
                storage: place.storage,
                declared_in: place.declared_in.clone(),
                location: self.unit.source.location(event.at),
            })
            .collect();
        rows.sort_by_key(|row| row.location);
        rows
    }

    fn internal(&self, events: &[Event]) -> Vec<InternalRow> {
        let rows = events.iter().filter_map(|event| {
            let What::Internal(id, kind) = &event.what else { return None };
            let (unit, site) = self.found(id)?;
            Some(InternalRow {
                function: named(&site),
                signature: Some(self.signature(&unit, &site)),
                kind,
                file: Some(unit.source.name().to_owned()),
                location: self.unit.source.location(event.at),
            })
        });
        let mut rows: Vec<InternalRow> = rows.collect();
        rows.sort_by_key(|row| row.location);
        rows
    }

    fn external(&self, events: &[Event]) -> Vec<OutwardRow> {
        let rows = events.iter().filter_map(|event| {
            let What::Outward { written, known, kind } = &event.what else { return None };
            let location = self.unit.source.location(event.at);
            let function = known.clone();
            Some(OutwardRow { target: written.clone(), kind, function, mutability: None, tried: false, location })
        });
        let mut rows: Vec<OutwardRow> = rows.collect();
        rows.sort_by_key(|row| row.location);
        rows
    }

    fn emitted(&self, events: &[Event]) -> Vec<EventRow> {
        let rows = events.iter().filter_map(|event| match &event.what {
            What::Emit(name) => Some(EventRow { event: name.clone(), location: self.unit.source.location(event.at) }),
            _ => None,
        });
        rows.collect()
    }

    fn raised(&self, events: &[Event]) -> Vec<ErrorRow> {
        let kind = if self.unit.family() == Family::Python { "raise" } else { "throw" };
        let rows = events.iter().filter_map(|event| match &event.what {
            What::Raise(error) => {
                Some(ErrorRow { kind, error: error.clone(), location: self.unit.source.location(event.at) })
            }
            _ => None,
        });
        rows.collect()
    }

    fn found(&self, id: &FunctionId) -> Option<(Rc<Unit>, FunctionSite)> {
        let unit = self.program.unit_of(id)?;
        let site = unit.sites.iter().find(|site| site.node == id.node)?.clone();
        Some((unit, site))
    }

    /// Follows the calls inside the project, nearest first; what belongs to objects is told for the own class only.
    fn reached(&self, events: &[Event]) -> Transitive {
        let (mut reads, mut writes) = (BTreeMap::new(), BTreeMap::new());
        let mut reached = Transitive::default();
        let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
        let mut open: Vec<(FunctionId, Vec<String>)> = calls(events, &[]);
        while let Some((id, via)) = (!open.is_empty()).then(|| open.remove(0)) {
            if via.len() > DEEPEST || seen.len() > MOST_REACHED || !seen.insert(id.clone()) {
                continue;
            }
            let Some((unit, site)) = self.found(&id) else { continue };
            let via: Vec<String> = via.into_iter().chain([named(&site)]).collect();
            let events = Body { program: self.program, unit, site }.events();
            for event in &events {
                let (places, place) = match &event.what {
                    What::Read(place) => (&mut reads, place),
                    What::Write(place) => (&mut writes, place),
                    what => {
                        self.done(what, &via.join(" > "), &mut reached);
                        continue;
                    }
                };
                if matches!(place.storage, "attribute" | "global") {
                    places.entry(place.clone()).or_insert_with(|| via.join(" > "));
                }
            }
            open.extend(calls(&events, &via));
        }
        reached.calls.sort();
        reached.calls.dedup();
        reached.events.sort();
        reached.events.dedup();
        reached.errors.sort();
        reached.errors.dedup();
        Transitive { reads: rows(reads), writes: rows(writes), ..reached }
    }

    /// Notes what a called function does beside reading and writing.
    fn done(&self, what: &What, via: &str, reached: &mut Transitive) {
        let via = via.to_owned();
        match what {
            What::Outward { kind: "builtin", .. } => {}
            What::Outward { written, known, kind } => reached.calls.push(ReachedCallRow {
                target: written.clone(),
                kind,
                function: known.clone(),
                mutability: None,
                via,
            }),
            What::Emit(event) => reached.events.push(ReachedEventRow { event: event.clone(), via }),
            What::Raise(error) => {
                let kind = if self.unit.family() == Family::Python { "raise" } else { "throw" };
                reached.errors.push(ReachedErrorRow { kind, error: error.clone(), via });
            }
            What::Read(_) | What::Write(_) | What::Internal(..) => {}
        }
    }

    fn order(&self, events: &[Event]) -> Vec<OrderRow> {
        let mut has_left = false;
        let mut rows = Vec::new();
        for event in events {
            let (kind, what, is_write) = match &event.what {
                What::Outward { kind: "builtin", .. } => continue,
                What::Outward { written, .. } => {
                    has_left = true;
                    ("external_call", written.clone(), false)
                }
                What::Write(place) => ("state_write", place.path.clone(), true),
                _ => continue,
            };
            rows.push(OrderRow {
                step: rows.len() + 1,
                kind,
                what,
                via: None,
                write_after_external_call: is_write && has_left,
                location: self.unit.source.location(event.at),
            });
        }
        rows
    }
}

fn calls(events: &[Event], via: &[String]) -> Vec<(FunctionId, Vec<String>)> {
    let called = events.iter().filter_map(|event| match &event.what {
        What::Internal(id, _) => Some((id.clone(), via.to_vec())),
        _ => None,
    });
    called.collect()
}

fn rows(places: BTreeMap<Place, String>) -> Vec<ReachedRow> {
    let row = |(place, via): (Place, String)| ReachedRow {
        variable: place.variable,
        path: place.path,
        storage: place.storage,
        declared_in: place.declared_in,
        via,
    };
    places.into_iter().map(row).collect()
}

fn read(what: &What) -> Option<&Place> {
    if let What::Read(place) = what { Some(place) } else { None }
}

fn written(what: &What) -> Option<&Place> {
    if let What::Write(place) = what { Some(place) } else { None }
}

fn named(site: &FunctionSite) -> String {
    site.owners.iter().map(String::as_str).chain([site.name.as_str()]).collect::<Vec<_>>().join(".")
}
