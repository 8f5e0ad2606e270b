//! A name that comes or goes, and what is told of those who ask for it.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::rename::python_changes::Standpoints;
use crate::session::Session;
use crate::text::{AbsPath, Span};

/// A name that members of classes, or globals of modules, have after a plan and have not before, or the other way round.
#[derive(Debug)]
pub(crate) struct Change {
    pub name: String,
    /// The name in whose place it comes: who asks for either, or lists all, has been told of that one.
    pub instead_of: Option<String>,
    /// It is one of objects alone: what lists what a class or a module has does not name it.
    pub is_field: bool,
    /// The classes that get it, as they stand before, and those that lose it: by their definitions in Python, by their names in scripts.
    /// In scripts that are none where objects of no class get it.
    pub comes: Standpoints,
    pub leaves: Standpoints,
    pub modules: BTreeSet<AbsPath>,
}

/// How a program learns of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// It asks for this one, or for one that has a part of it.
    Asked,
    /// It goes through all that there are.
    Listed,
}

/// Where that is done.
pub(super) type Places = BTreeMap<(AbsPath, Form), Vec<Span>>;

/// Whether objects get the name or lose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    New,
    Gone,
}

impl Change {
    /// A change of a name for nobody yet.
    pub(crate) fn of(name: &str) -> Self {
        let (comes, leaves, modules) = (Standpoints::new(), Standpoints::new(), BTreeSet::new());
        Self { name: name.to_owned(), instead_of: None, is_field: false, comes, leaves, modules }
    }

    /// Tells of places, file by file.
    pub(super) fn warnings(
        &self,
        session: &Session,
        outcome: Outcome,
        places: Places,
    ) -> Result<Vec<Warning>, Refusal> {
        let name = &self.name;
        let (asked, listed) = match outcome {
            Outcome::New => ("which there may be from now on", "is one of them from now on"),
            Outcome::Gone => ("which there may be no more", "is none of them any more"),
        };
        let mut warnings = Vec::new();
        for ((path, form), spans) in places {
            let message = match form {
                Form::Asked => format!("it is asked here whether there is any `{name}`, {asked}"),
                Form::Listed => format!("all names are listed here, and `{name}` {listed}"),
            };
            let text = session.disk().read(&path)?;
            warnings.push(Warning::at_lines(WarningKind::RunTime, message, path, (&text, &spans)));
        }
        Ok(warnings)
    }
}
