//! The sources that are damaged: small files of real packages, each with what it imports directly.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::mutations::damage;
use crate::packages::{Family, PACKAGES};
use crate::random::Random;

/// Texts by path.
pub type Texts = Vec<(String, String)>;

/// Groups of files that belong together; the first of each is damaged.
pub struct Seeds {
    groups: Vec<Texts>,
    mix: Mix,
}

/// Which sources are chosen how often.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mix {
    /// Mostly Solidity.
    Solidity,
    /// Every language as often.
    Even,
}

/// What is read below the directories that are named.
const EXTENSIONS: &[&str] = &["py", "ts", "tsx", "js", "sol", "rs", "go", "java"];

const LARGEST: usize = 24 << 10;
const MOST_IMPORTS: usize = 6;
/// One case in so many is not Solidity.
const OTHERS: usize = 4;

impl Seeds {
    /// Reads the pinned packages, which are fetched unless they are there.
    pub fn read(cache: &Path, also: &[PathBuf], mix: Mix) -> Result<Self, String> {
        let mut groups = Vec::new();
        let wanted = PACKAGES.iter().filter(|one| matches!(one.language, Family::Solidity) || is_small(one.name));
        for package in wanted {
            let root = package.fetch(cache)?;
            let mut files = BTreeMap::new();
            read_below(&root, &root, package.language.extensions(), &mut files);
            let grouped = files.iter().filter(|(_, text)| text.len() < LARGEST);
            groups.extend(grouped.map(|(path, text)| group(path, text, &files)));
        }
        let own = [Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        for root in own.iter().filter(|_| mix == Mix::Even).chain(also) {
            let mut files = BTreeMap::new();
            read_below(root, root, EXTENSIONS, &mut files);
            let small = files.into_iter().filter(|(_, text)| text.len() < LARGEST);
            groups.extend(small.map(|file| vec![file]));
        }
        // Solidity first, so that it can be chosen more often.
        groups.sort_by_key(|group| !group[0].0.ends_with(".sol"));
        if groups.is_empty() { Err("no sources".to_owned()) } else { Ok(Self { groups, mix }) }
    }

    pub fn count(&self) -> usize {
        self.groups.len()
    }

    /// Returns a damaged group, and the same with another damage.
    pub fn damaged(&self, random: &mut Random) -> (Texts, Texts) {
        let choice = self.choice(random);
        let group = choice[random.below(choice.len())];
        let other = &choice[random.below(choice.len())][0].1;
        let mut first = group.clone();
        for _ in 0..=random.below(4) {
            let at = if random.below(4) == 0 { random.below(first.len()) } else { 0 };
            first[at].1 = damage(&first[at].1, other, random);
        }
        let mut second = first.clone();
        let at = random.below(second.len());
        second[at].1 = damage(&group[at].1, other, random);
        (first, second)
    }
}

impl Seeds {
    /// Returns the groups that one is chosen from.
    fn choice(&self, random: &mut Random) -> Vec<&Texts> {
        let extension = |group: &Texts| group[0].0.rsplit('.').next().unwrap_or_default().to_owned();
        let wanted = match self.mix {
            Mix::Solidity if random.below(OTHERS) == 0 => return self.groups.iter().collect(),
            Mix::Solidity => "sol".to_owned(),
            Mix::Even => {
                let known: BTreeSet<String> = self.groups.iter().map(extension).collect();
                known.iter().nth(random.below(known.len())).cloned().unwrap_or_default()
            }
        };
        self.groups.iter().filter(|group| extension(group) == wanted).collect()
    }
}

fn is_small(package: &str) -> bool {
    matches!(package, "flask" | "express" | "zod")
}

fn read_below(root: &Path, dir: &Path, extensions: &[&str], files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_below(root, &path, extensions, files);
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_wanted = extensions.iter().any(|known| known.trim_start_matches('.') == extension);
        let name = path.strip_prefix(root).ok().and_then(Path::to_str);
        if let (true, Some(name), Ok(text)) = (is_wanted, name, std::fs::read_to_string(&path)) {
            files.insert(name.to_owned(), text);
        }
    }
}

/// Puts a file together with those that it imports by a relative path.
fn group(path: &str, text: &str, files: &BTreeMap<String, String>) -> Texts {
    let mut group = vec![(path.to_owned(), text.to_owned())];
    let quoted = text.lines().filter(|line| line.starts_with("import")).filter_map(|line| line.split('"').nth(1));
    for import in quoted.take(MOST_IMPORTS) {
        let mut parts: Vec<&str> = path.split('/').collect();
        parts.pop();
        for part in import.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let found = files.get_key_value(&parts.join("/"));
        group.extend(found.map(|(path, text)| (path.clone(), text.clone())));
    }
    group
}
