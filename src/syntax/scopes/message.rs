//! What a conflict is about, in one sentence.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::DeclarationKind;
use crate::text::Span;

use super::align::{Aligned, Now};
use super::conflict::{Conflict, line_of};
use super::graph::{Graph, Role, ScopeKind};
use super::resolve::{Resolution, Target};

/// The same names before and after the edits.
pub(super) struct Comparison<'t> {
    pub(super) text: &'t str,
    pub(super) names: &'t [&'t str],
    pub(super) before: &'t Graph,
    pub(super) after: &'t Aligned,
    pub(super) then: Resolution,
    pub(super) now: Now,
    /// The stretches that the grammar could not read.
    pub(super) errors: &'t [Span],
}

impl Comparison<'_> {
    /// Returns one conflict for each pair of things that the edits mix up, the first place of each.
    pub(super) fn conflicts(&self) -> Vec<Conflict> {
        let mut compared = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        // Bindings first: that two share a name explains more than that a use is taken for another.
        let (bindings, uses): (Vec<_>, Vec<_>) =
            (0..self.names.len()).partition(|at| self.before.occurrences[*at].is_binding());
        for at in bindings.into_iter().chain(uses) {
            let (Some(number), Some(now)) = (self.now.of[at], self.now.target(at)) else { continue };
            let then = self.then.target(at);
            if *compared.entry((self.then.number(at), number)).or_insert_with(|| self.is_same(then, now)) {
                continue;
            }
            let other = self.newcomer(then, now);
            if !self.is_certain(at, other) {
                continue;
            }
            let (mine, theirs) = (self.then.symbols[at], other.map(|other| self.then.symbols[other]));
            if seen.insert((theirs.map_or(mine, |it| it.min(mine)), theirs.map(|it| it.max(mine)))) {
                found.push(self.conflict(at, other));
            }
        }
        found.extend(self.vanished());
        found.sort();
        found
    }

    fn is_certain(&self, at: usize, other: Option<usize>) -> bool {
        let is_read = |at: usize| !self.errors.iter().any(|error| error.contains(self.span(at)));
        let is_bound = |at: usize| matches!(self.then.target(at), Target::Bound(_));
        self.errors.is_empty()
            || other.is_some_and(|other| is_read(at) && is_read(other) && (is_bound(at) || is_bound(other)))
    }

    /// A name in the place of a name that is looked up no more: a component's tag that now reads as an element.
    fn vanished(&self) -> Option<Conflict> {
        let at = (0..self.names.len()).find(|at| self.now.of[*at].is_none() && self.after.renamed.contains(at))?;
        let message =
            format!("`{}` here (line {}) would be read as an element of the page", self.names[at], self.line(at));
        Some(Conflict { span: self.span(at), message })
    }

    /// Occurrences that the edits took away count on neither side.
    fn is_same(&self, then: &Target, now: &Target) -> bool {
        let ((Target::Bound(then), Target::Bound(now)) | (Target::Free(then), Target::Free(now))) = (then, now) else {
            return false;
        };
        then == now || then.iter().filter(|at| self.now.of[**at].is_some()).eq(now.iter())
    }

    /// Returns an occurrence that belongs to what the name means now, and did not belong to it before.
    fn newcomer(&self, then: &Target, now: &Target) -> Option<usize> {
        let old: &[usize] = match (then, now) {
            (Target::Bound(old), Target::Bound(_)) | (Target::Free(old), Target::Free(_)) => old,
            _ => &[],
        };
        let (Target::Bound(new) | Target::Free(new)) = now;
        match (then, now) {
            (Target::Bound(_), Target::Free(_)) => None,
            _ => new.iter().copied().find(|at| old.binary_search(at).is_err()),
        }
    }

    fn conflict(&self, at: usize, other: Option<usize>) -> Conflict {
        let Some(other) = other else { return self.loss(at) };
        let mine = &self.before.occurrences[at];
        let new_name = self.after.names[at].as_deref().unwrap_or_default();
        let is_free =
            matches!(self.then.target(at), Target::Free(_)) && matches!(self.now.target(at), Some(Target::Free(_)));
        match (self.is_edited(at), self.is_edited(other)) {
            _ if is_free => {
                let place = if self.is_edited(at) { other } else { at };
                let message = format!("`{new_name}` has another meaning here already (line {})", self.line(place));
                Conflict { span: self.span(place), message }
            }
            // Two bindings of one scope: the one that had the name stays the place of the conflict.
            (edited, _) if mine.is_binding() => {
                let place = if edited && !self.is_edited(other) { other } else { at };
                let message = format!("`{new_name}` is already {} here (line {})", self.noun(place), self.line(place));
                Conflict { span: self.span(place), message }
            }
            (true, _) => {
                let (noun, line) = (self.noun(other), self.line(other));
                let message = format!(
                    "`{}` of line {} would be taken for {noun} that is already called `{new_name}` (line {line})",
                    self.names[at],
                    self.line(at),
                );
                Conflict { span: self.span(other), message }
            }
            (false, _) => {
                let message = format!(
                    "`{new_name}` here (line {}) would come to mean the renamed `{}` of line {}",
                    self.line(at),
                    self.names[other],
                    self.line(other),
                );
                Conflict { span: self.span(at), message }
            }
        }
    }

    /// A use whose binding went elsewhere.
    fn loss(&self, at: usize) -> Conflict {
        let name = self.names[at];
        let bound = match self.then.target(at) {
            Target::Bound(bindings) => bindings.first().copied(),
            Target::Free(_) => None,
        };
        let message = match bound {
            Some(bound) if bound != at => format!(
                "`{name}` here (line {}) would no longer mean {} of line {}",
                self.line(at),
                self.noun(bound),
                self.line(bound),
            ),
            _ => format!("`{name}` here (line {}) would be left without what it names", self.line(at)),
        };
        Conflict { span: self.span(at), message }
    }

    fn is_edited(&self, at: usize) -> bool {
        self.after.names[at].as_deref() != Some(self.names[at])
    }

    fn span(&self, at: usize) -> Span {
        self.before.occurrences[at].span
    }

    /// Counted from 1.
    fn line(&self, at: usize) -> usize {
        line_of(self.text, self.span(at).start)
    }

    fn noun(&self, at: usize) -> &'static str {
        let occurrence = &self.before.occurrences[at];
        let Role::Binding { kind, .. } = occurrence.role else { return "a name" };
        let is_module = self.before.kind(occurrence.scope) == ScopeKind::Module;
        match kind {
            DeclarationKind::Class => "a class",
            DeclarationKind::Interface => "an interface",
            DeclarationKind::Enum => "an enum",
            DeclarationKind::EnumMember => "an enum member",
            DeclarationKind::TypeAlias => "a type",
            DeclarationKind::TypeParameter => "a type parameter",
            DeclarationKind::Namespace | DeclarationKind::Module => "a namespace",
            DeclarationKind::Function => "a function",
            DeclarationKind::Method => "a method",
            DeclarationKind::Property => "a class attribute",
            DeclarationKind::Parameter => "a parameter",
            DeclarationKind::Import | DeclarationKind::ImportAlias => "an import",
            DeclarationKind::Variable | DeclarationKind::Constant if is_module => "a variable of the module",
            _ => "a local variable",
        }
    }
}
