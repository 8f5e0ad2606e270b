//! Names that a program puts together as it runs: `getattr(self, "_print_" + kind)`.

use std::collections::BTreeSet;

use super::World;
use crate::inspect::view::View;

/// Shorter beginnings than this would fit any name.
const SHORTEST: usize = 3;

/// Returns the beginnings of names that stand in strings and go on with what is only known later.
pub(super) fn stems(view: &View<'_>) -> BTreeSet<String> {
    let contents = view.tree.nodes().iter().filter(|node| node.is_any(&["string_content", "string_fragment"]));
    contents.filter_map(|node| stem(node.text(view.text))).map(str::to_owned).collect()
}

fn stem(content: &str) -> Option<&str> {
    let end = content.find(|character: char| character != '_' && !character.is_alphanumeric()).unwrap_or(content.len());
    let (word, rest) = content.split_at(end);
    let goes_on = rest.is_empty() || rest.starts_with(['%', '{']);
    (goes_on && word.len() >= SHORTEST && word.ends_with('_') && !word.ends_with("__")).then_some(word)
}

impl World<'_> {
    /// Tells whether a name may be one that the program puts together.
    pub(super) fn may_be_assembled(&self, name: &str) -> bool {
        let begins = |stem: &String| name.len() > stem.len() && name.starts_with(stem.as_str());
        self.facts.iter().any(|file| file.stems.iter().any(begins))
    }
}
