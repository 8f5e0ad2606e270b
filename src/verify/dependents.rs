//! Which files a plan could break: those that it touches, and those whose text names what it takes away.

use std::collections::{BTreeMap, BTreeSet};

use super::ByLanguage;
use crate::plan::Plan;
use crate::session::Session;
use crate::syntax::Language;
use crate::text::AbsPath;

/// Returns the files to look at, by language, addressed before the plan; files of no language are left out.
pub(super) fn of(session: &Session, plan: &Plan) -> ByLanguage {
    let mut paths: BTreeSet<AbsPath> = plan.edits().keys().chain(plan.moves().keys()).cloned().collect();
    for word in words_taken(plan) {
        paths.extend(session.disk().files_mentioning(&word));
    }
    let mut groups = ByLanguage::new();
    for path in paths.into_iter().filter(|path| !plan.deletes().contains_key(path)) {
        if let Some(language) = Language::of_path(&path).filter(|language| *language != Language::Json) {
            groups.entry(language).or_default().push(path);
        }
    }
    groups
}

/// The words that a file's replaced stretches have more often than what replaces them, and the names of moved files. Code
/// that only goes elsewhere in its file takes none.
fn words_taken(plan: &Plan) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for file in plan.edits().values() {
        let mut lost: BTreeMap<&str, isize> = BTreeMap::new();
        for edit in &file.edits {
            for word in split(edit.span.of(file.before.as_str()).unwrap_or_default()) {
                *lost.entry(word).or_default() += 1;
            }
            for word in split(&edit.new_text) {
                *lost.entry(word).or_default() -= 1;
            }
        }
        words.extend(lost.into_iter().filter(|(_, count)| *count > 0).map(|(word, _)| word.to_owned()));
    }
    for (from, step) in plan.moves() {
        words.extend(
            [from.file_stem().to_owned()].into_iter().filter(|stem| *stem != step.to.file_stem() || !stem.is_empty()),
        );
    }
    words
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |word: &&str| word.chars().next().is_some_and(|first| !first.is_numeric());
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).filter(is_name)
}
