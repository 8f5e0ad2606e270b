//! What is broken in a package, chosen at random.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::names::{Import, imports, uses};
use crate::random::Random;
use crate::subjects::{Language, Subject};
use crate::tree::files_below;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    DeletedImport,
    MisspeltName,
    UnusedImport,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::DeletedImport, Self::MisspeltName, Self::UnusedImport];

    pub fn name(self) -> &'static str {
        match self {
            Self::DeletedImport => "deleted imports",
            Self::MisspeltName => "misspelt names",
            Self::UnusedImport => "unused imports",
        }
    }

    /// What is asked for to mend it.
    pub fn fixes(self, language: Language) -> &'static [&'static str] {
        match (self, language) {
            (Self::DeletedImport, _) => &["addMissingImports"],
            (Self::MisspeltName, Language::Python) => &["reportUndefinedVariable", "F821", "unknown-name"],
            (Self::MisspeltName, Language::TypeScript) => &["TS2304", "TS2551", "TS2552", "TS2724"],
            (Self::MisspeltName, Language::Rust) => &["E0425", "E0412", "E0433", "unresolved-ident"],
            (Self::UnusedImport, _) => &["removeUnused"],
        }
    }
}

/// One thing that was broken.
pub struct Damage {
    pub file: PathBuf,
    /// As the file calls it, after the damage.
    pub name: String,
    /// What stood there, or where it was imported from.
    pub was: String,
}

/// A change of one text.
struct Change {
    place: Range<usize>,
    with: String,
}

/// Breaks so many things in the files of a tree, and returns what was broken.
pub fn damage(subject: &Subject, root: &Path, (kind, n): (Kind, usize), random: &mut Random) -> Vec<Damage> {
    let files = files_below(&root.join(subject.sources), subject.language.extensions());
    let texts: BTreeMap<PathBuf, String> =
        files.iter().filter_map(|file| Some((file.clone(), fs::read_to_string(file).ok()?))).collect();
    let mut all: Vec<(Damage, Change)> = texts
        .iter()
        .flat_map(|(file, text)| match kind {
            Kind::DeletedImport => deleted(subject.language, file, text),
            Kind::MisspeltName => misspelt(subject.language, file, text),
            Kind::UnusedImport => added(subject.language, file, text),
        })
        .collect();
    let (mut chosen, mut changes): (Vec<Damage>, BTreeMap<PathBuf, Vec<Change>>) = Default::default();
    let mut seen: BTreeSet<(PathBuf, String)> = BTreeSet::new();
    while chosen.len() < n && !all.is_empty() {
        let (damage, change) = all.swap_remove(random.below(all.len()));
        let of_file = changes.entry(damage.file.clone()).or_default();
        // Neighbours of a list share a comma.
        let is_apart = |it: &Change| it.place.end + 1 < change.place.start || change.place.end + 1 < it.place.start;
        let is_alone = kind != Kind::UnusedImport || of_file.len() < 3;
        let may_be = is_alone && (kind == Kind::UnusedImport || of_file.iter().all(is_apart));
        if may_be && seen.insert((damage.file.clone(), damage.was.clone())) {
            of_file.push(change);
            chosen.push(damage);
        }
    }
    for (file, mut changes) in changes {
        let mut text = texts[&file].clone();
        changes.sort_by_key(|change| std::cmp::Reverse(change.place.start));
        for change in changes {
            text.replace_range(change.place, &change.with);
        }
        fs::write(&file, text).expect("the copy can be written");
    }
    chosen
}

/// Imports of names that are used in the file.
fn deleted(language: Language, file: &Path, text: &str) -> Vec<(Damage, Change)> {
    let used: BTreeSet<String> = uses(language, text).into_iter().map(|it| it.name).collect();
    let is_wanted = |import: &Import| used.contains(&import.name) && !import.source.starts_with("__future__::");
    let one = |import: Import| {
        let damage = Damage { file: file.to_owned(), name: import.name, was: import.source };
        (damage, Change { place: import.cut, with: String::new() })
    };
    imports(language, text).into_iter().filter(is_wanted).map(one).collect()
}

/// Uses of names of some length that stand earlier in the file, too, with two letters the wrong way round.
fn misspelt(language: Language, file: &Path, text: &str) -> Vec<(Damage, Change)> {
    let one = |name: String, place: Range<usize>| {
        let wrong = swapped(&name)?;
        let is_new = !text.contains(&wrong) && text[..place.start].contains(&name);
        let damage = Damage { file: file.to_owned(), name: wrong.clone(), was: name };
        is_new.then_some((damage, Change { place, with: wrong }))
    };
    uses(language, text).into_iter().filter_map(|it| one(it.name, it.place)).collect()
}

fn swapped(name: &str) -> Option<String> {
    let mut letters: Vec<char> = name.chars().collect();
    let middle = (letters.len() / 2..letters.len()).find(|at| *at > 1 && letters[*at - 1] != letters[*at])?;
    letters.swap(middle - 1, middle);
    (letters.len() > 4).then(|| letters.into_iter().collect())
}

/// Imports of what the file does not mention, behind those that are there.
fn added(language: Language, file: &Path, text: &str) -> Vec<(Damage, Change)> {
    const PYTHON: &[(&str, &str)] = &[
        ("mimetypes", "import mimetypes\n"),
        ("fractions", "import fractions\n"),
        ("glob", "import glob\n"),
        ("OrderedDict", "from collections import OrderedDict\n"),
        ("chdir", "from contextlib import chdir\n"),
        ("lru", "from functools import lru_cache as lru\n"),
    ];
    const SCRIPT: &[(&str, &str)] = &[
        ("unusedDefault", "import unusedDefault from './index';\n"),
        ("unusedSpace", "import * as unusedSpace from './index';\n"),
        ("unusedType", "import type { Whatever as unusedType } from './index';\n"),
        ("unusedNamed", "import { something as unusedNamed } from \"./index\";\n"),
    ];
    const RUST: &[(&str, &str)] = &[
        ("BinaryHeap", "use alloc::collections::BinaryHeap;\n"),
        ("Wrapping", "use core::num::Wrapping;\n"),
        ("Duration", "use core::time::Duration;\n"),
    ];
    let known = match language {
        Language::Python => PYTHON,
        Language::TypeScript => SCRIPT,
        Language::Rust => RUST,
    };
    let Some(last) = imports(language, text).into_iter().map(|it| it.cut.start).max() else { return Vec::new() };
    let start = text[..last].rfind('\n').map_or(0, |at| at + 1);
    // Inside a list no statement can stand.
    let is_statement = ["import ", "from ", "use "].iter().any(|word| text[start..].starts_with(word));
    let fresh = known.iter().filter(|(name, _)| is_statement && !text.contains(name));
    let one = |(name, line): &(&str, &str)| {
        let damage = Damage { file: file.to_owned(), name: (*name).to_owned(), was: (*name).to_owned() };
        (damage, Change { place: start..start, with: (*line).to_owned() })
    };
    fresh.map(one).collect()
}
