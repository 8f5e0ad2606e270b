//! One wish to refactor: a place that was found, and parameters that were checked.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::Language;
use crate::syntax::target::LineRange;
use crate::text::{AbsPath, Span};

/// Carries one refactoring out as far as its plan, without writing anything.
pub type Run = for<'a> fn(&'a Session, &'a Request) -> BoxFuture<'a, Result<Plan, Refusal>>;

/// What a refactoring is carried out with.
#[derive(Debug, Clone)]
pub struct Request {
    pub target: Target,
    pub params: Params,
}

/// A place in the project, as far as the caller named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub path: AbsPath,
    /// The path as messages show it.
    pub shown: String,
    /// The target as it was named, its path from the root.
    pub written: String,
    pub language: Language,
    /// The name of the declaration that was named, that stands at the position, or that alone begins in the lines.
    pub name: Option<Span>,
    /// The lines that were named, or none.
    pub lines: Option<LineRange>,
    /// The position that was named, or none: bytes, 0-based.
    pub offset: Option<usize>,
}

/// Checked parameters by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Params(BTreeMap<&'static str, Given>);

/// The value of one parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    Text(String),
    Flag(bool),
    List(Vec<String>),
}

impl Target {
    /// Returns the place of the name that is meant: of the declaration, or at the position.
    pub fn place(&self) -> Option<usize> {
        self.name.map(|name| name.start).or(self.offset)
    }
}

impl Params {
    /// Takes what was checked against the catalog: required ones are there, each of its kind.
    pub fn new(checked: BTreeMap<&'static str, Given>) -> Self {
        Self(checked)
    }

    /// Returns these with one more, where that was not given.
    pub(super) fn or(&self, name: &'static str, text: &str) -> Self {
        let mut all = self.0.clone();
        all.entry(name).or_insert_with(|| Given::Text(text.to_owned()));
        Self(all)
    }

    /// Returns a text without which nothing can be planned.
    pub fn needed(&self, param: &'static str) -> Result<&str, Refusal> {
        self.given(param).filter(|text| !text.trim().is_empty()).ok_or_else(|| missing(param))
    }

    /// As [`Self::needed`], of a list.
    pub fn needed_list(&self, param: &'static str) -> Result<&[String], Refusal> {
        Some(self.list(param)).filter(|list| !list.is_empty()).ok_or_else(|| missing(param))
    }

    /// Returns a text; an empty one where an optional parameter was not given.
    pub fn text(&self, name: &str) -> &str {
        self.given(name).unwrap_or_default()
    }

    pub fn given(&self, name: &str) -> Option<&str> {
        match self.0.get(name) {
            Some(Given::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Writes all of them as a command line does.
    pub fn words(&self) -> Vec<String> {
        let value = |given: &Given| match given {
            Given::Text(text) => text.clone(),
            Given::Flag(flag) => flag.to_string(),
            Given::List(list) => list.join(","),
        };
        self.0.iter().flat_map(|(name, given)| [format!("--{name}"), value(given)]).collect()
    }

    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Given::Flag(true))
    }

    pub fn list(&self, name: &str) -> &[String] {
        match self.0.get(name) {
            Some(Given::List(list)) => list,
            _ => &[],
        }
    }

    /// Reads a list of globs.
    pub(super) fn globs(&self, name: &str) -> Result<GlobSet, Refusal> {
        let bad = |error: globset::Error| Refusal::NotPossible(error.to_string());
        let mut set = GlobSetBuilder::new();
        for glob in self.list(name) {
            set.add(Glob::new(glob).map_err(bad)?);
        }
        set.build().map_err(bad)
    }
}

fn missing(param: &'static str) -> Refusal {
    Refusal::Missing { param, reason: format!("`{param}` has to be given") }
}
