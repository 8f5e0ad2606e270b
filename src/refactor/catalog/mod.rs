//! The catalog: every refactoring that can be asked for by name, with its parameters and who carries it out.

mod beyond;
mod calls;
mod composing;
mod conditionals;
mod data;
mod generalization;
mod moving;
mod params;
mod request;
#[cfg(test)]
mod tests;

use futures::future::BoxFuture;

use crate::plan::Plan;
use crate::refactor::backends::command;
use crate::refactor::{Refusal, interface};
use crate::session::Session;
use crate::syntax::{Family, Language, Tree};

pub use params::{Kind, Param};
pub use request::{Given, Params, Request, Target};

/// One refactoring. Its first parameter, the target, goes without saying.
pub struct Refactoring {
    pub name: &'static str,
    pub category: Category,
    pub description: &'static str,
    /// What a programmer sees before it is worth asking for; empty where nobody can carry it out yet.
    pub when: &'static str,
    /// Others that are worth a look at the same place, by their names.
    pub related: &'static [&'static str],
    pub params: &'static [Param],
    /// Who can carry it out, the preferred first.
    pub ways: &'static [Way],
    /// Why nobody can, in languages where it was looked into.
    pub gaps: &'static [(Family, &'static str)],
}

/// One way to carry a refactoring out.
pub struct Way {
    pub families: &'static [Family],
    pub backend: Backend,
    pub run: Run,
}

/// Plans, without writing anything.
pub type Run = for<'a> fn(&'a Session, &'a Request) -> BoxFuture<'a, Result<Plan, Refusal>>;

/// Who carries a refactoring out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// The language's server: its rename, its code actions.
    Server,
    /// The Python library of that name.
    Rope,
    /// A program that writes in place, run on a copy.
    Command,
    /// Written here, from syntax trees and what servers know.
    Composed,
}

/// The chapters of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    Composing,
    Moving,
    Conditionals,
    Calls,
    Generalization,
    Data,
    /// Not in the first edition.
    Beyond,
}

/// The chapters in Fowler's order.
const CATALOG: [&[Refactoring]; 7] = [
    composing::ENTRIES,
    moving::ENTRIES,
    conditionals::ENTRIES,
    calls::ENTRIES,
    generalization::ENTRIES,
    data::ENTRIES,
    beyond::ENTRIES,
];

const ALIASES: &[(&str, &str)] = &[("replace-magic-number", "replace-magic-number-with-symbolic-constant")];

/// Why there is no plan where nobody has begun on one.
const NOT_BUILT: &str = "not built yet";

const PYTHON: &[Family] = &[Family::Python];
const SCRIPT: &[Family] = &[Family::Script];
const SOLIDITY: &[Family] = &[Family::Solidity];
const PROGRAMS: &[Family] = &[Family::Python, Family::Script];
const NAMEABLE: &[Family] = &[
    Family::Python,
    Family::Script,
    Family::Solidity,
    Family::Rust,
    Family::Go,
    Family::Java,
    Family::C,
    Family::Shell,
    Family::Lua,
];

/// Returns every refactoring, in Fowler's order.
pub fn catalog() -> impl Iterator<Item = &'static Refactoring> {
    CATALOG.into_iter().flatten()
}

/// Finds a refactoring by its name or another name of it.
pub fn refactoring(name: &str) -> Option<&'static Refactoring> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    catalog().find(|refactoring| refactoring.name == name)
}

/// Plans a refactoring: by the first way that is open. The next one is tried only where a server or a library
/// is missing or fails; a refusal stands. A result that breaks the grammar of its language is refused, too.
///
/// # Errors
/// Every reason for which there is no complete and right plan.
pub async fn plan(session: &Session, refactoring: &Refactoring, request: &Request) -> Result<Plan, Refusal> {
    let language = request.target.language;
    let config = &session.options().config;
    let programs = config.refactorers(refactoring.name, language.id());
    let (preferred, others): (Vec<_>, Vec<_>) = programs.partition(|(_, program)| program.prefer);
    if let Some(program) = preferred.first() {
        return sound(session, refactoring, command::plan(session, *program, refactoring, request).await?).await;
    }
    let mut ways = refactoring.ways_in(language.family()).peekable();
    while let Some(way) = ways.next() {
        if way.backend != Backend::Server {
            // A server is told of changes while it thinks; what reads the disk itself has to know before.
            session.refresh().await;
        }
        match (way.run)(session, request).await {
            Err(Refusal::Session(_)) if ways.peek().is_some() => {}
            Ok(plan) => return sound(session, refactoring, plan).await,
            refused => return refused,
        }
    }
    if let Some(program) = others.first() {
        return sound(session, refactoring, command::plan(session, *program, refactoring, request).await?).await;
    }
    let why = refactoring.gap(language.family()).unwrap_or(NOT_BUILT);
    Err(Refusal::Unavailable { refactoring: refactoring.name, language: language.id(), why })
}

/// Refuses plans that change nothing, and those that leave a text that no longer parses; tells what others will see
/// differently.
async fn sound(session: &Session, refactoring: &Refactoring, plan: Plan) -> Result<Plan, Refusal> {
    if plan.is_empty() {
        return Err(Refusal::NotPossible(format!("`{}` has nothing to change here", refactoring.name)));
    }
    for (path, edit) in plan.edits() {
        let Some(language) = Language::of_path(path) else { continue };
        let errors = |text: &str| Tree::parse(language, text).error_count();
        if errors(edit.after().as_str()) > errors(edit.before.as_str()) {
            return Err(Refusal::BadResult { refactoring: refactoring.name, path: path.clone() });
        }
    }
    Ok(interface::told(session, plan).await)
}

impl Refactoring {
    const fn new(category: Category, name: &'static str, description: &'static str) -> Self {
        Self { name, category, description, when: "", related: &[], params: &[], ways: &[], gaps: &[] }
    }

    const fn when(self, when: &'static str) -> Self {
        Self { when, ..self }
    }

    const fn related(self, related: &'static [&'static str]) -> Self {
        Self { related, ..self }
    }

    const fn with(self, params: &'static [Param]) -> Self {
        Self { params, ..self }
    }

    const fn by(self, ways: &'static [Way]) -> Self {
        Self { ways, ..self }
    }

    const fn not(self, gaps: &'static [(Family, &'static str)]) -> Self {
        Self { gaps, ..self }
    }

    fn ways_in(&self, family: Family) -> impl Iterator<Item = &'static Way> {
        self.ways.iter().filter(move |way| way.families.contains(&family))
    }

    fn gap(&self, family: Family) -> Option<&'static str> {
        self.gaps.iter().find(|(other, _)| *other == family).map(|(_, why)| *why)
    }

    /// Returns who carries it out in a language, the preferred first, or why nobody does.
    pub fn availability(&self, family: Family) -> Result<Vec<Backend>, &'static str> {
        let backends: Vec<Backend> = self.ways_in(family).map(|way| way.backend).collect();
        if backends.is_empty() { Err(self.gap(family).unwrap_or(NOT_BUILT)) } else { Ok(backends) }
    }
}

impl Way {
    const fn composed(families: &'static [Family], run: Run) -> Self {
        Self { families, backend: Backend::Composed, run }
    }

    const fn rope(run: Run) -> Self {
        Self { families: PYTHON, backend: Backend::Rope, run }
    }

    const fn server(families: &'static [Family], run: Run) -> Self {
        Self { families, backend: Backend::Server, run }
    }
}

impl Backend {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Rope => "rope",
            Self::Command => "command",
            Self::Composed => "composed",
        }
    }
}

impl Category {
    pub const ALL: [Self; 7] = [
        Self::Composing,
        Self::Moving,
        Self::Conditionals,
        Self::Calls,
        Self::Generalization,
        Self::Data,
        Self::Beyond,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Composing => "composing_methods",
            Self::Moving => "moving_features",
            Self::Conditionals => "simplifying_conditionals",
            Self::Calls => "simplifying_method_calls",
            Self::Generalization => "dealing_with_generalization",
            Self::Data => "organizing_data",
            Self::Beyond => "beyond_the_first_edition",
        }
    }
}
