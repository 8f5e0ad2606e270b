//! What an export becomes, and what others ask for then.

use crate::refactor::moves::links::{Link, LinkedName};
use crate::refactor::source_file::Code;

/// What an export becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The default gets a name.
    Named,
    /// What has a name becomes the default.
    Default,
}

/// What is turned.
pub(super) struct Asked<'a> {
    pub home: &'a Code,
    /// The name that it has when it is no default.
    pub name: &'a str,
    pub turn: Turn,
}

impl Asked<'_> {
    /// Returns what others ask the module for today, and what they ask for then.
    pub(super) fn keys(&self) -> (&str, &str) {
        match self.turn {
            Turn::Named => ("default", self.name),
            Turn::Default => (self.name, "default"),
        }
    }

    /// Tells whether it is what a link takes.
    pub(super) fn is_it(&self, link: &Link) -> bool {
        let taken = match self.turn {
            Turn::Named => link.taken == LinkedName::Default,
            Turn::Default => link.taken == LinkedName::Name(self.name.to_owned()),
        };
        taken && self.takes(link)
    }

    /// Tells whether a link takes anything of the module.
    pub(super) fn takes(&self, link: &Link) -> bool {
        link.module.as_ref() == Some(&self.home.path)
    }
}
