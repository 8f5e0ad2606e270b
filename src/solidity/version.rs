//! Which version of the language a source is read in.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;
use slang_solidity::utils::LanguageFacts;

use crate::solidity::source_id::SourceId;

/// A set of the compiler's versions.
// Invariant: bit `n` stands for the `n`th of all versions, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Versions(u128);

const ALL: &[Version] = LanguageFacts::ALL_VERSIONS;
const _: () = assert!(ALL.len() <= u128::BITS as usize, "a set of versions is one number");

impl Versions {
    /// Returns the versions that satisfy some pragmas; all of them where there are none, or where none fits.
    pub(super) fn allowed(pragmas: &str) -> Self {
        if pragmas.is_empty() {
            return Self(u128::MAX);
        }
        let bit = |version: &Version| ALL.binary_search(version).map_or(0, |at| 1 << at);
        let bits = LanguageFacts::infer_language_versions(pragmas).map(bit).fold(0, |bits, bit| bits | bit);
        if bits == 0 { Self(u128::MAX) } else { Self(bits) }
    }

    fn holds(self, version: &Version) -> bool {
        ALL.binary_search(version).is_ok_and(|at| self.0 >> at & 1 == 1)
    }

    fn newest(self) -> Option<&'static Version> {
        ALL.iter().enumerate().rev().find(|(at, _)| self.0 >> at & 1 == 1).map(|(_, version)| version)
    }
}

/// Chooses for each root the wanted version, or else the newest, that it and everything it imports agree on; returns
/// the sources that each version has to read: the roots that chose it, with their imports.
pub(super) fn units<'a>(
    roots: impl Iterator<Item = &'a SourceId>,
    allowed: &'a BTreeMap<SourceId, Versions>,
    imports: &'a BTreeMap<SourceId, Vec<SourceId>>,
    wanted: Option<&Version>,
) -> BTreeMap<Version, BTreeSet<SourceId>> {
    let mut units: BTreeMap<Version, BTreeSet<SourceId>> = BTreeMap::new();
    for source in roots {
        let Some(own) = allowed.get(source) else { continue };
        let reached = closure(source, imports);
        let shared = reached.iter().filter_map(|id| allowed.get(*id)).fold(u128::MAX, |bits, one| bits & one.0);
        let shared = Versions(shared & own.0);
        let wanted = wanted.filter(|wanted| shared.holds(wanted));
        let version = wanted.or(shared.newest()).or(own.newest()).cloned();
        let version = version.unwrap_or(LanguageFacts::LATEST_VERSION);
        units.entry(version).or_default().extend(reached.into_iter().cloned());
    }
    units
}

/// Returns a source with all that it imports, directly or not.
fn closure<'a>(source: &'a SourceId, imports: &'a BTreeMap<SourceId, Vec<SourceId>>) -> BTreeSet<&'a SourceId> {
    let mut reached = BTreeSet::new();
    let mut open = vec![source];
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(imports.get(next).into_iter().flatten());
        }
    }
    reached
}
