//! What calls pass for a parameter that is added, by the files that they stand in.

use globset::{Glob, GlobMatcher, GlobSet};

use crate::refactor::Refusal;
use crate::refactor::request::Params;
use crate::refactor::source_file::Code;
use crate::session::Session;

/// The values, and who passes none.
pub(in crate::refactor::method_calls) struct Values<'r> {
    value: Option<&'r str>,
    /// Files whose calls pass another one.
    others: Vec<(GlobMatcher, &'r str)>,
    /// Files whose calls go on without it, and those whose calls alone do not.
    except: GlobSet,
    only: GlobSet,
}

impl<'r> Values<'r> {
    pub(in crate::refactor::method_calls) fn of(params: &'r Params) -> Result<Self, Refusal> {
        let read = |said: &'r String| {
            let (glob, value) = said.split_once('=').map(|(glob, value)| (glob.trim(), value.trim()))?;
            let glob = Glob::new(glob).ok().filter(|_| !value.is_empty())?;
            Some((glob.compile_matcher(), value))
        };
        let wrong = |said: &String| Refusal::NotPossible(format!("`value_in` has `glob=value`, not `{said}`"));
        let others = params.list("value_in").iter().map(|said| read(said).ok_or_else(|| wrong(said)));
        let (except, only) = (params.globs("except")?, params.globs("only")?);
        let found = Self { value: params.given("value"), others: others.collect::<Result<_, _>>()?, except, only };
        match found.value.is_none() && !found.only.is_empty() {
            true => Err(Refusal::NotPossible("`only` says which calls pass the `value`: give it".to_owned())),
            false => Ok(found),
        }
    }

    /// The same for all calls.
    pub(in crate::refactor::method_calls) fn everywhere(value: Option<&'r str>) -> Self {
        Self { value, others: Vec::new(), except: GlobSet::empty(), only: GlobSet::empty() }
    }

    /// Tells whether no call passes anything.
    pub(in crate::refactor::method_calls) fn is_none(&self) -> bool {
        self.value.is_none() && self.others.is_empty()
    }

    /// Tells whether some calls may be left to the default.
    pub(in crate::refactor::method_calls) fn leaves(&self) -> bool {
        !self.except.is_empty() || !self.only.is_empty() || self.value.is_none() && !self.others.is_empty()
    }

    pub(in crate::refactor::method_calls) fn all(&self) -> impl Iterator<Item = &'r str> {
        self.value.into_iter().chain(self.others.iter().map(|(_, value)| *value))
    }

    /// Returns what the calls of a file pass; nothing where they are left to the default.
    pub(in crate::refactor::method_calls) fn at(&self, session: &Session, code: &Code) -> Option<&'r str> {
        let path = code.path.relative_to(session.root())?;
        if self.except.is_match(path.as_str()) {
            return None;
        }
        let other = self.others.iter().find(|(glob, _)| glob.is_match(path.as_str()));
        let is_meant = self.only.is_empty() || self.only.is_match(path.as_str());
        other.map(|(_, value)| *value).or(self.value.filter(|_| is_meant))
    }
}
