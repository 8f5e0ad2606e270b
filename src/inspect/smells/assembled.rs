//! Names that a program puts together as it runs: `getattr(self, "_print_" + kind)`.

use std::collections::BTreeSet;

use super::World;
use crate::inspect::view::View;

/// Returns the beginnings of names that stand in strings and go on with what is only known later.
pub(super) fn stems(view: &View<'_>) -> BTreeSet<String> {
    let spans = crate::syntax::stems(view.text);
    spans.into_iter().filter_map(|span| span.of(view.text)).map(str::to_owned).collect()
}

impl World<'_> {
    /// Tells whether a name may be one that the program puts together.
    pub(super) fn may_be_assembled(&self, name: &str) -> bool {
        let begins = |stem: &String| name.len() > stem.len() && name.starts_with(stem.as_str());
        self.facts.iter().any(|file| file.stems.iter().any(begins))
    }
}
