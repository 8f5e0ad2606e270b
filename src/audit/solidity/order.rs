//! External calls and state writes as they follow each other: a write behind a call is what auditors look for.

use std::rc::Rc;

use super::effects::{Event, Internal, What};
use super::refs::Base;
use super::summary::Summary;
use super::view::View;
use crate::audit::insights::OrderRow;
use crate::audit::location::Location;
use crate::solidity::{DefinitionId, DefinitionKind};
use crate::text::Span;

/// One step before it is known what came before.
struct Step {
    kind: &'static str,
    what: String,
    via: Option<String>,
    location: Location,
    /// Where it stands in the function itself.
    at: Option<usize>,
    leaves: bool,
    writes: bool,
    /// It writes behind a call of its own.
    is_suspect: bool,
}

/// Returns the steps of a function, those of its modifiers around its own.
pub(super) fn order(view: &View<'_, '_>, summary: &Rc<Summary>) -> Vec<OrderRow> {
    let mut before = Vec::new();
    let mut own = Vec::new();
    let mut after = Vec::new();
    for event in &summary.effects.events {
        match &event.what {
            What::Internal(call) if call.how == "modifier" => {
                for modifier in &call.functions {
                    let (head, tail) = around(view, *modifier);
                    before.extend(head);
                    after.splice(0..0, tail);
                }
            }
            _ => own.extend(step(view, event, view.chosen.function, None)),
        }
    }
    rows(before.into_iter().chain(own).chain(after).collect(), &summary.loops)
}

/// Returns the steps of a modifier before and behind the body that it wraps.
fn around(view: &View<'_, '_>, modifier: DefinitionId) -> (Vec<Step>, Vec<Step>) {
    let summary = view.analyst.summary(modifier, view.chosen.context);
    let name = view.analyst.named(modifier);
    let body_at = summary.effects.body_at.unwrap_or(summary.effects.events.len());
    let mut parts = (Vec::new(), Vec::new());
    for (at, event) in summary.effects.events.iter().enumerate() {
        let steps = step(view, event, modifier, Some(name.clone()));
        if at < body_at { parts.0.extend(steps) } else { parts.1.extend(steps) }
    }
    parts
}

fn step(view: &View<'_, '_>, event: &Event, function: DefinitionId, via: Option<String>) -> Option<Step> {
    let at = via.is_none().then_some(event.at);
    let location = view.location_in(function, event.at);
    let step = |kind, what, leaves, writes| Step { kind, what, via, location, at, leaves, writes, is_suspect: false };
    match &event.what {
        What::Outward(call) if call.is_static => Some(step("static_call", call.written.clone(), false, false)),
        What::Outward(call) => Some(step("external_call", call.written.clone(), true, false)),
        What::Write(place) => Some(step("state_write", view.analyst.shown(place), false, true)),
        What::Internal(call) => {
            let context = view.chosen.context;
            let summaries = call.functions.iter().map(|callee| {
                let own = view.analyst.model.definition(*callee).container;
                let runs = if own.is_some_and(|own| is_inherited(view, own)) { context } else { own };
                view.analyst.summary(*callee, runs)
            });
            let summaries: Vec<Rc<Summary>> = summaries.collect();
            let leaves = summaries.iter().any(|summary| summary.leaves);
            let written = written(view, call, &summaries);
            if !leaves && written.is_empty() {
                return None;
            }
            let mut effects = Vec::new();
            effects.extend((!written.is_empty()).then(|| format!("writes {}", written.join(", "))));
            effects.extend(leaves.then(|| "calls out".to_owned()));
            let what = format!("{}: {}", call.written, effects.join("; "));
            let both = leaves && !written.is_empty() && summaries.iter().any(|summary| writes_late(view, summary));
            Some(Step { is_suspect: both, ..step("internal_call", what, leaves, !written.is_empty()) })
        }
        _ => None,
    }
}

fn is_inherited(view: &View<'_, '_>, contract: DefinitionId) -> bool {
    view.chosen.context.is_some_and(|context| view.analyst.model.linearised(context).contains(&contract))
}

/// Returns the variables that a called function writes, pointers seen from the caller.
fn written(view: &View<'_, '_>, call: &Internal, summaries: &[Rc<Summary>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for summary in summaries {
        let own = summary.effects.events.iter().filter_map(|event| match &event.what {
            What::Write(place) => Some(place),
            _ => None,
        });
        for place in own.chain(summary.deep.iter().filter(|deep| deep.is_write).map(|deep| &deep.place)) {
            match &place.base {
                Base::Param(index, _) => {
                    let args = call.args.get(*index).into_iter().flatten();
                    names.extend(args.map(|arg| view.analyst.variable(arg)));
                }
                _ => names.push(view.analyst.variable(place)),
            }
        }
    }
    names.sort();
    names.dedup();
    names
}

/// Tells whether a called function writes behind a call of its own; where calls nest, it is taken to.
fn writes_late(view: &View<'_, '_>, summary: &Summary) -> bool {
    let mut left = false;
    for event in &summary.effects.events {
        match &event.what {
            What::Outward(call) => left |= !call.is_static,
            What::Write(_) if left => return true,
            What::Internal(call) => {
                let is_modifier =
                    |id: &DefinitionId| view.analyst.model.definition(*id).kind == DefinitionKind::Modifier;
                let inner = call.functions.iter().map(|callee| view.analyst.summary(*callee, view.chosen.context));
                let inner: Vec<Rc<Summary>> = inner.collect();
                let writes = inner.iter().any(|it| {
                    it.deep.iter().any(|deep| deep.is_write)
                        || it.effects.events.iter().any(|event| matches!(event.what, What::Write(_)))
                });
                if left && writes {
                    return true;
                }
                left |= inner.iter().any(|it| it.leaves) && !call.functions.iter().all(is_modifier);
            }
            _ => {}
        }
    }
    false
}

fn rows(steps: Vec<Step>, loops: &[Span]) -> Vec<OrderRow> {
    let together = |a: &Step, b: &Step| {
        let (Some(a), Some(b)) = (a.at, b.at) else { return false };
        loops.iter().any(|span| span.touches(a) && span.touches(b))
    };
    let is_late = |at: usize, step: &Step| {
        let has_left = steps[..at].iter().any(|other| other.leaves);
        // In a loop, what stands behind comes before, too.
        let comes_again = steps[at..].iter().any(|other| other.leaves && together(step, other));
        step.writes && (has_left || step.is_suspect || comes_again)
    };
    let late: Vec<bool> = steps.iter().enumerate().map(|(at, step)| is_late(at, step)).collect();
    let row = |(at, step): (usize, Step)| OrderRow {
        step: at + 1,
        kind: step.kind,
        what: step.what,
        via: step.via,
        write_after_external_call: late[at],
        location: step.location,
    };
    steps.into_iter().enumerate().map(row).collect()
}
