//! Which declaration of today is which one of yesterday.
//!
//! First by place and names; then members by their owners; then by what the text says: the same text elsewhere or under
//! another name, and a text that is much like one that is there no more. What could be one of several is none of them: a
//! lost id is told, a wrong one is not noticed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use super::fingerprint::Fingerprint;
use super::id::{Id, hashed};
use super::module::{Gone, Module};
use crate::syntax::EntryKind;

/// A declaration as it was.
#[derive(Debug, Clone)]
pub(super) struct Former {
    pub(super) id: Id,
    pub(super) parent: Option<Id>,
    pub(super) path: String,
    pub(super) names: Vec<String>,
    pub(super) kind: EntryKind,
    pub(super) print: Fingerprint,
}

/// Where a declaration is known to stand now: its module, and where its name begins.
pub(super) type Known = HashMap<(String, usize), Id>;

/// Below these counts of tokens, texts are alike by chance.
const SAME_NAMED_TEXT: u32 = 6;
const SAME_TEXT: u32 = 12;
const LIKE_TEXT: u32 = 24;
/// How much alike a declaration of the same name in another file, or of another name in the same place, has to be.
const MOVED: f32 = 0.6;
const RENAMED: f32 = 0.65;
/// How much more than the second best.
const MARGIN: f32 = 0.15;

/// Gives every row of `fresh` its id, and returns what is there no more.
pub(super) fn assign(
    former: Vec<Former>,
    gone: &[Gone],
    fresh: &mut [Module],
    (known, taken): (&Known, &HashSet<Id>),
) -> Vec<Gone> {
    let mut matching = Matching::new(former, fresh);
    matching.by_knowledge(known);
    matching.by_names();
    matching.by_owner();
    matching.by_same_text();
    matching.by_owner();
    matching.by_like_text();
    matching.by_owner();
    let Matching { former, new, .. } = matching;
    let found: Vec<Option<Id>> = new.iter().map(|one| one.id).collect();
    let places: Vec<(usize, usize)> = new.iter().map(|one| one.place).collect();
    for (place, id) in places.iter().zip(&found) {
        if let Some(id) = id {
            fresh[place.0].rows[place.1].id = *id;
        }
    }
    let mut used: HashSet<Id> = taken.iter().copied().chain(found.iter().flatten().copied()).collect();
    let unborn = places.iter().zip(&found).filter(|(_, id)| id.is_none()).map(|(place, _)| *place);
    give_birth(fresh, unborn, gone, &mut used);
    let lost = former.into_iter().filter(|one| !used.contains(&one.id));
    lost.map(|one| Gone { id: one.id, path: one.path, names: one.names, kind: one.kind }).collect()
}

/// Gives ids to rows that nothing of before is: what was there before and went has its old one again.
fn give_birth(
    fresh: &mut [Module],
    unborn: impl Iterator<Item = (usize, usize)>,
    gone: &[Gone],
    used: &mut HashSet<Id>,
) {
    let former: HashMap<(&str, &[String], EntryKind), Id> =
        gone.iter().map(|one| ((one.path.as_str(), one.names.as_slice(), one.kind), one.id)).collect();
    let reserved: HashSet<Id> = gone.iter().map(|one| one.id).collect();
    let mut ordinals: HashMap<u64, u64> = HashMap::new();
    for (module, number) in unborn {
        let Module { path, rows, .. } = &mut fresh[module];
        let row = &mut rows[number];
        let back = former.get(&(path.as_str(), row.names.as_slice(), row.kind)).filter(|id| !used.contains(id));
        let parts = [path.as_str(), row.kind.as_str()].into_iter().chain(row.names.iter().map(String::as_str));
        let of = hashed(parts.flat_map(|part| part.bytes().chain([0])));
        let ordinal = ordinals.entry(of).or_default();
        let attempts = (*ordinal * 16..).map(|attempt| Id::born(of, attempt));
        *ordinal += 1;
        let mut free = attempts.filter(|id| !used.contains(id) && !reserved.contains(id));
        row.id = back.copied().or_else(|| free.next()).expect("ids have no end");
        used.insert(row.id);
    }
}

/// What is matched, and what is not yet.
struct Matching {
    former: Vec<Former>,
    is_found: Vec<bool>,
    new: Vec<New>,
}

/// A row as it is now.
struct New {
    place: (usize, usize),
    /// The number of its owner among the new.
    parent: Option<usize>,
    path: String,
    names: Vec<String>,
    name_start: usize,
    kind: EntryKind,
    print: Fingerprint,
    id: Option<Id>,
}

/// Those of before and those of now that could be the same.
type Candidates = (Vec<usize>, Vec<usize>);

impl Matching {
    fn new(former: Vec<Former>, fresh: &[Module]) -> Self {
        let mut new: Vec<New> = Vec::new();
        for (module, it) in fresh.iter().enumerate() {
            let first = new.len();
            new.extend(it.rows.iter().enumerate().map(|(number, row)| New {
                place: (module, number),
                parent: row.parent.map(|parent| first + parent),
                path: it.path.clone(),
                names: row.names.clone(),
                name_start: row.name_span.start,
                kind: row.kind,
                print: row.print,
                id: None,
            }));
        }
        let is_found = vec![false; former.len()];
        Self { former, is_found, new }
    }

    fn take(&mut self, former: usize, new: usize) {
        self.is_found[former] = true;
        self.new[new].id = Some(self.former[former].id);
    }

    fn by_knowledge(&mut self, known: &Known) {
        if known.is_empty() {
            return;
        }
        let numbers: HashMap<Id, usize> = self.former.iter().enumerate().map(|(at, one)| (one.id, at)).collect();
        for at in 0..self.new.len() {
            let key = (self.new[at].path.clone(), self.new[at].name_start);
            let former = known.get(&key).and_then(|id| numbers.get(id)).copied();
            if let Some(former) =
                former.filter(|former| !self.is_found[*former] && alike(self.former[*former].kind, self.new[at].kind))
            {
                self.take(former, at);
            }
        }
    }

    /// The same names in the same file: of the same kind, then of a kind that is near.
    fn by_names(&mut self) {
        self.grouped(
            |one| Some((one.path.clone(), one.names.clone(), one.kind.as_str())),
            |one| Some((one.path.clone(), one.names.clone(), one.kind.as_str())),
        );
        self.grouped(
            |one| Some((one.path.clone(), one.names.clone(), family(one.kind))),
            |one| Some((one.path.clone(), one.names.clone(), family(one.kind))),
        );
    }

    /// The same name and kind in an owner that is the same.
    fn by_owner(&mut self) {
        // Once more for what is found in what was found.
        for _ in 0..4 {
            let owners: Vec<Option<Id>> =
                self.new.iter().map(|one| one.parent.and_then(|at| self.new[at].id)).collect();
            let ids: HashMap<(usize, usize), Option<Id>> =
                self.new.iter().zip(owners).map(|(one, owner)| (one.place, owner)).collect();
            let before = self.is_found.iter().filter(|found| **found).count();
            self.grouped(
                |one| Some((one.parent?, one.names.last()?.clone(), one.kind)),
                |one| Some(((*ids.get(&one.place)?)?, one.names.last()?.clone(), one.kind)),
            );
            if self.is_found.iter().filter(|found| **found).count() == before {
                return;
            }
        }
    }

    /// The same text, name apart: moved or renamed. The same name decides where several have it.
    fn by_same_text(&mut self) {
        let named = |print: &Fingerprint| print.size >= SAME_NAMED_TEXT;
        let enough = |print: &Fingerprint| print.size >= SAME_TEXT;
        self.unique(
            |one| named(&one.print).then(|| (one.print.hash, one.kind, one.names.last().cloned())),
            |one| named(&one.print).then(|| (one.print.hash, one.kind, one.names.last().cloned())),
        );
        self.unique(
            |one| enough(&one.print).then_some((one.print.hash, one.kind)),
            |one| enough(&one.print).then_some((one.print.hash, one.kind)),
        );
    }

    /// A text that is much like another: of the same name in another file, or of another name in the same place.
    fn by_like_text(&mut self) {
        let mut named: HashMap<(String, EntryKind), Candidates> = HashMap::new();
        let mut placed: HashMap<(String, Vec<String>, EntryKind), Candidates> = HashMap::new();
        for (at, one) in self.former.iter().enumerate().filter(|(at, _)| !self.is_found[*at]) {
            let Some((name, outer)) = one.names.split_last().filter(|_| one.print.size >= LIKE_TEXT) else { continue };
            named.entry((name.clone(), one.kind)).or_default().0.push(at);
            placed.entry((one.path.clone(), outer.to_vec(), one.kind)).or_default().0.push(at);
        }
        for (at, one) in self.new.iter().enumerate().filter(|(_, one)| one.id.is_none()) {
            let Some((name, outer)) = one.names.split_last().filter(|_| one.print.size >= LIKE_TEXT) else { continue };
            named.entry((name.clone(), one.kind)).or_default().1.push(at);
            placed.entry((one.path.clone(), outer.to_vec(), one.kind)).or_default().1.push(at);
        }
        let named: BTreeMap<_, _> = named.into_iter().collect();
        for (former, new) in named.into_values() {
            self.nearest(&former, &new, MOVED);
        }
        let placed: BTreeMap<_, _> = placed.into_iter().collect();
        for (former, new) in placed.into_values() {
            self.nearest(&former, &new, RENAMED);
        }
    }

    /// Matches those that are each other's nearest, by a margin.
    fn nearest(&mut self, former: &[usize], new: &[usize], least: f32) {
        // So many that nobody could tell them apart.
        if former.len() * new.len() > 10_000 {
            return;
        }
        let likeness = |own: usize, other: usize| self.former[own].print.likeness(&self.new[other].print);
        let best = |of: &dyn Fn(usize) -> f32, among: &[usize]| {
            let mut ranked: Vec<(f32, usize)> = among.iter().map(|at| (of(*at), *at)).collect();
            ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
            let second = ranked.get(1).map_or(0.0, |it| it.0);
            ranked.first().filter(|it| it.0 >= least && it.0 - second >= MARGIN).map(|it| it.1)
        };
        let mut pairs = Vec::new();
        for own in former.iter().filter(|at| !self.is_found[**at]) {
            let open: Vec<usize> = new.iter().copied().filter(|at| self.new[*at].id.is_none()).collect();
            let Some(other) = best(&|at| likeness(*own, at), &open) else { continue };
            if best(&|at| likeness(at, other), former) == Some(*own) {
                pairs.push((*own, other));
            }
        }
        for (own, other) in pairs {
            if self.new[other].id.is_none() {
                self.take(own, other);
            }
        }
    }

    /// Matches what has the same key: one with one; of several, those of the same text, and the others in their order where
    /// there are as many, or else those that are most alike: overloads came or went, and the name is the same.
    fn grouped<K: Eq + Hash>(&mut self, former: impl Fn(&Former) -> Option<K>, new: impl Fn(&New) -> Option<K>) {
        for (mut old, mut now) in self.groups(former, new) {
            if old.len() > 1 || now.len() > 1 {
                for own in std::mem::take(&mut old) {
                    let same = now.iter().position(|at| self.new[*at].print.hash == self.former[own].print.hash);
                    match same {
                        Some(found) => self.take(own, now.remove(found)),
                        None => old.push(own),
                    }
                }
            }
            if old.len() == now.len() {
                old.into_iter().zip(now).for_each(|(own, at)| self.take(own, at));
            } else {
                self.most_alike(&old, &now);
            }
        }
    }

    /// Matches those that are most alike first, until one side has no more.
    fn most_alike(&mut self, old: &[usize], now: &[usize]) {
        let likeness = |own: usize, at: usize| self.former[own].print.likeness(&self.new[at].print);
        let all = old.iter().flat_map(|own| now.iter().map(move |at| (*own, *at)));
        let mut pairs: Vec<(f32, (usize, usize))> = all.map(|(own, at)| (likeness(own, at), (own, at))).collect();
        pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
        for (_, (own, at)) in pairs {
            if !self.is_found[own] && self.new[at].id.is_none() {
                self.take(own, at);
            }
        }
    }

    /// Matches what has the same key where it is the only one on both sides.
    fn unique<K: Eq + Hash>(&mut self, former: impl Fn(&Former) -> Option<K>, new: impl Fn(&New) -> Option<K>) {
        for (old, now) in self.groups(former, new) {
            if let ([own], [at]) = (old.as_slice(), now.as_slice()) {
                self.take(*own, *at);
            }
        }
    }

    fn groups<K: Eq + Hash>(
        &self,
        former: impl Fn(&Former) -> Option<K>,
        new: impl Fn(&New) -> Option<K>,
    ) -> Vec<(Vec<usize>, Vec<usize>)> {
        let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        let mut numbers: HashMap<K, usize> = HashMap::new();
        for (at, one) in self.former.iter().enumerate().filter(|(at, _)| !self.is_found[*at]) {
            let Some(key) = former(one) else { continue };
            let number = *numbers.entry(key).or_insert(groups.len());
            if number == groups.len() {
                groups.push(Default::default());
            }
            groups[number].0.push(at);
        }
        for (at, one) in self.new.iter().enumerate().filter(|(_, one)| one.id.is_none()) {
            let number = new(one).and_then(|key| numbers.get(&key));
            if let Some(number) = number {
                groups[*number].1.push(at);
            }
        }
        groups.retain(|(old, now)| !old.is_empty() && !now.is_empty());
        groups
    }
}

/// Tells whether a declaration can have become one of the other kind.
pub(super) fn alike(one: EntryKind, other: EntryKind) -> bool {
    family(one) == family(other)
}

fn family(kind: EntryKind) -> &'static str {
    match kind {
        it if it.is_callable() => "callable",
        it if it.has_members() => "holder",
        EntryKind::Field | EntryKind::Variable | EntryKind::Constant | EntryKind::Variant => "value",
        it => it.as_str(),
    }
}
