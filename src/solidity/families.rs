//! Which functions, getters and modifiers override each other, and which events and errors are declared again by an heir:
//! they share their name for good.

use std::collections::BTreeMap;

use super::model::{Definition, DefinitionId, DefinitionKind, Model, Visibility, ids};

/// Joins, along each linearised hierarchy, what has the same name and parameters; and a contract with the constructor
/// that bears its name.
pub(super) fn find(model: &mut Model) {
    let mut families = Families((0..model.definitions.len()).collect());
    let mut members: BTreeMap<DefinitionId, Vec<usize>> = BTreeMap::new();
    for (at, one) in model.definitions.iter().enumerate() {
        let Some(container) = one.container else { continue };
        if sort(one).is_some() {
            members.entry(container).or_default().push(at);
        }
        if one.kind == DefinitionKind::Constructor && !one.name.is_empty() {
            families.join(container.0 as usize, at);
        }
    }
    for bases in model.bases.values() {
        let mut first: BTreeMap<Key<'_>, usize> = BTreeMap::new();
        for at in bases.iter().filter_map(|base| members.get(base)).flatten() {
            let one = &model.definitions[*at];
            match first.get(&key(one)) {
                Some(other) => families.join(*other, *at),
                None => drop(first.insert(key(one), *at)),
            }
        }
    }
    let firsts: Vec<usize> = (0..model.definitions.len()).map(|at| families.first(at)).collect();
    let all: Vec<DefinitionId> = ids(0).take(model.definitions.len()).collect();
    model.families = firsts.into_iter().map(|first| all[first]).collect();
}

/// What can stand for each other along a hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Called,
    Modifier,
    Event,
    Error,
}

fn sort(one: &Definition) -> Option<Sort> {
    match one.kind {
        DefinitionKind::Function => (one.visibility != Some(Visibility::Private)).then_some(Sort::Called),
        DefinitionKind::StateVariable => (one.visibility == Some(Visibility::Public)).then_some(Sort::Called),
        DefinitionKind::Modifier => Some(Sort::Modifier),
        // Compilers before 0.6 let an heir repeat an event; others see one event all the same, by its topic.
        DefinitionKind::Event => Some(Sort::Event),
        DefinitionKind::Error => Some(Sort::Error),
        _ => None,
    }
}

/// What is the same for all of a family: its sort, its name and, unless it is a modifier, what it takes.
type Key<'m> = (Option<Sort>, &'m str, Option<&'m [String]>);

fn key(one: &Definition) -> Key<'_> {
    let parameters = if one.kind == DefinitionKind::Modifier { None } else { one.parameters.as_deref() };
    (sort(one), &one.name, parameters)
}

/// Disjoint sets; each is known by its smallest member.
struct Families(Vec<usize>);

impl Families {
    fn first(&mut self, at: usize) -> usize {
        let mut first = at;
        while self.0[first] != first {
            self.0[first] = self.0[self.0[first]];
            first = self.0[first];
        }
        first
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.0[one.max(other)] = one.min(other);
    }
}
