//! Who gave no answer, why, and what was not looked at for that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::text::{AbsPath, one_line};

/// A server that was to be asked, and gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// Its name, or that of a language that has none.
    pub server: String,
    pub reason: String,
    /// What it was asked about.
    pub files: Vec<AbsPath>,
    pub why: WhyMissing,
}

/// What would have to be otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WhyMissing {
    /// The project is not trusted.
    Untrusted,
    Failed,
}

/// So many files are named in a sentence.
const NAMED: usize = 3;

impl Missing {
    pub fn of(server: &str, error: &impl fmt::Display) -> Self {
        Self { server: server.to_owned(), reason: error.to_string(), files: Vec::new(), why: WhyMissing::Failed }
    }

    /// Makes one of those that have the same reason.
    pub(super) fn joined(all: Vec<Self>) -> Vec<Self> {
        let mut files: BTreeMap<Self, BTreeSet<AbsPath>> = BTreeMap::new();
        for mut one in all {
            let more = std::mem::take(&mut one.files);
            files.entry(one).or_default().extend(more);
        }
        files.into_iter().map(|(one, files)| Self { files: files.into_iter().collect(), ..one }).collect()
    }

    /// Says it in one line, the files as they are seen from the root.
    pub fn told(&self, root: &AbsPath) -> String {
        let shown = |path: &AbsPath| path.shown_from(root);
        let mut named: Vec<String> = self.files.iter().take(NAMED).map(shown).collect();
        let more = self.files.len() - named.len();
        named.extend((more > 0).then(|| format!("{more} more")));
        let files = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
        one_line(&format!("{}: {}{files}", self.server, self.reason)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::Missing;
    use crate::text::AbsPath;

    #[test]
    fn those_of_one_reason_are_one_and_name_the_first_files() {
        let path = |name: &str| AbsPath::new(format!("/p/{name}")).unwrap();
        let missing = |reason: &str, file: &str| Missing { files: vec![path(file)], ..Missing::of("toy", &reason) };
        let all = ["d", "c", "b", "a", "a"].map(|file| missing("mute", file)).to_vec();
        let [one, other] = Missing::joined([all, vec![missing("dead", "a")]].concat()).try_into().unwrap();
        assert_eq!(one.told(&path("")), "toy: dead (a)");
        assert_eq!(other.told(&path("")), "toy: mute (a, b, c, 1 more)");
    }
}
