//! One kind of smell: its thresholds, and how it is found.

use super::facts::Facts;
use super::finding::Finding;
use crate::inspect::view::View;
use crate::syntax::whole_words;
use crate::text::AbsPath;
use crate::workspace::Disk;

/// One kind of smell.
pub struct Smell {
    pub name: &'static str,
    /// One sentence for people.
    pub about: &'static str,
    /// The refactoring of the catalog that mends it.
    pub refactoring: &'static str,
    pub limits: &'static [Limit],
    pub find: Find,
}

/// A threshold that the configuration can change.
pub struct Limit {
    pub name: &'static str,
    pub default: u32,
    pub about: &'static str,
}

/// How a smell is found.
pub enum Find {
    /// In each file by itself.
    InFile(fn(&View<'_>, &Limits<'_>) -> Vec<Finding>),
    /// Over all files: first each leaves its facts, then these are judged together.
    Across { note: fn(&View<'_>, &Limits<'_>, &mut Facts), judge: fn(&SmellContext<'_>, &Limits<'_>) -> Judgement },
}

/// All that is looked into, for those who judge.
pub struct SmellContext<'w> {
    pub disk: &'w Disk,
    pub facts: &'w [Facts],
}

impl SmellContext<'_> {
    /// Tells whether a name may be one that the program puts together.
    pub(super) fn may_be_assembled(&self, name: &str) -> bool {
        self.facts.iter().any(|file| file.stems.iter().any(|stem| stem.fits(name)))
    }

    /// Tells whether another file hands a function on by its name instead of calling it.
    pub(super) fn hands_on(&self, function: &str, own: &AbsPath) -> bool {
        let others = self.disk.files_mentioning(function);
        others.iter().filter(|other| *other != own).any(|other| {
            let Ok(text) = self.disk.read(other) else { return true };
            let text = text.as_str();
            whole_words(text, function).into_iter().any(|word| {
                let line = text[..word.start].rsplit('\n').next().unwrap_or_default().trim_start();
                let is_called = text[word.end..].trim_start().starts_with('(');
                let is_import = ["from ", "import ", "export "].iter().any(|it| line.starts_with(it));
                !is_called && !is_import
            })
        })
    }
}

/// What was found over all files, and what could not be told.
#[derive(Default)]
pub struct Judgement {
    pub findings: Vec<Finding>,
    pub notes: Vec<String>,
}

/// The thresholds of one smell, as configured.
pub struct Limits<'c> {
    pub smell: &'static Smell,
    pub values: &'c [(String, u32)],
}

impl Limits<'_> {
    /// Returns a threshold that the smell declares.
    pub fn get(&self, name: &str) -> u32 {
        let set = self.values.iter().find(|(limit, _)| limit == name).map(|(_, value)| *value);
        let default = || self.smell.limits.iter().find(|limit| limit.name == name).map(|limit| limit.default);
        set.or_else(default).expect("a smell asks for limits that it declares")
    }
}
