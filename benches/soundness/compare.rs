//! Compares a checker's findings before and after a plan.

use std::collections::BTreeMap;

use crate::checker::Problem;

/// What the plan is known to change in the checker's words.
pub struct Renaming {
    /// Words that stand for one another in messages: the old name and the new one.
    pub words: Vec<String>,
    /// Whether paths and module names in messages may have changed.
    pub is_move: bool,
    /// The path before, relative to the root, of a file that moved, by its path after.
    pub came_from: BTreeMap<String, String>,
}

/// Returns the problems that stand after the plan and did not before. Places do not count, and neither does
/// a problem of the same code in the same file that is only told in other words.
pub fn new_problems(before: &[Problem], after: &[Problem], renaming: &Renaming) -> Vec<Problem> {
    let mut known: BTreeMap<Key, usize> = BTreeMap::new();
    for problem in before {
        *known.entry(renaming.key(problem)).or_default() += 1;
    }
    let mut unknown = Vec::new();
    for problem in after {
        match known.get_mut(&renaming.key(problem)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => unknown.push(problem.clone()),
        }
    }
    // Code that goes to another file takes its findings along.
    unknown.retain(|problem| {
        let key = renaming.key(problem);
        let is_same = |one: &Key| one.code == key.code && one.words == key.words;
        let moved = known.iter_mut().find(|(one, count)| **count > 0 && is_same(one));
        moved.map(|(_, count)| *count -= 1).is_none()
    });
    let mut vanished: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (key, count) in known {
        *vanished.entry((key.file, key.code)).or_default() += count;
    }
    unknown.retain(|problem| {
        let key = renaming.key(problem);
        match vanished.get_mut(&(key.file, key.code)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        }
    });
    unknown
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    file: String,
    code: String,
    /// Sorted: the members of a union come in the order in which the checker met them.
    words: Vec<String>,
}

impl Renaming {
    fn key(&self, problem: &Problem) -> Key {
        let file = self.came_from.get(&problem.file).unwrap_or(&problem.file).clone();
        let is_word = |character: char| character.is_alphanumeric() || "_$#".contains(character);
        let is_path = |character: char| is_word(character) || "./@-".contains(character);
        let mut words: Vec<String> = if self.is_move {
            let is_plain = |word: &&str| !word.contains(['.', '/']) && !self.words.iter().any(|moved| moved == word);
            problem.message.split(|character| !is_path(character)).filter(is_plain).map(str::to_owned).collect()
        } else {
            let name = |word: &str| if self.words.iter().any(|one| one == word) { "·" } else { word }.to_owned();
            problem.message.split(|character| !is_word(character)).map(name).collect()
        };
        words.sort();
        Key { file, code: problem.code.clone(), words }
    }
}
