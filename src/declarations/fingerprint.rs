//! What tells that a declaration is the same one, though its text or its place changed.

use super::id::{hashed, mixed};
use crate::syntax::kinds::Role;
use crate::syntax::{Declaration, Node, Tree};

/// So many parts of a sketch.
pub(super) const PARTS: usize = 16;

/// A declaration's text without its name, its comments and its white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Fingerprint {
    pub(super) hash: u64,
    /// How many tokens it has.
    pub(super) size: u32,
    /// The least hash of each kind of runs of three tokens (one-permutation MinHash).
    sketch: [u16; PARTS],
}

impl Fingerprint {
    pub(super) fn of(tree: &Tree, text: &str, declaration: &Declaration) -> Self {
        let name = &declaration.name;
        let mut whole = 0;
        let mut size = 0;
        let mut sketch = [u16::MAX; PARTS];
        let mut last = [0_u64; 2];
        for token in tokens(tree, declaration) {
            let word = token.text(text);
            let hash = if word == name { 1 } else { hashed(word.bytes()) };
            whole = mixed(whole ^ hash).wrapping_add(hash);
            size += 1;
            let run = mixed(last[0].wrapping_mul(31).wrapping_add(last[1]).wrapping_mul(31).wrapping_add(hash));
            let part = &mut sketch[run as usize % PARTS];
            *part = (*part).min((run >> 48) as u16);
            last = [last[1], hash];
        }
        Self { hash: whole, size, sketch }
    }

    /// Estimates the share of runs that both have, of those that one of them has.
    pub(super) fn likeness(&self, other: &Self) -> f32 {
        let is_empty = |pair: &(&u16, &u16)| *pair.0 == u16::MAX && *pair.1 == u16::MAX;
        let pairs = || self.sketch.iter().zip(&other.sketch).filter(|pair| !is_empty(pair));
        let same = pairs().filter(|(own, other)| own == other).count();
        let all = pairs().count();
        if all == 0 { 0.0 } else { same as f32 / all as f32 }
    }
}

fn tokens<'t>(tree: &'t Tree, declaration: &Declaration) -> impl Iterator<Item = Node<'t>> {
    let (whole, _) = crate::syntax::declared_node(tree, declaration);
    let inside = std::iter::once(whole).chain(whole.descendants());
    inside.filter(|node| node.is_leaf() && !node.has(Role::Comment))
}
