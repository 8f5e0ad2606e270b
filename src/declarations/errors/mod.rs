//! What a function can raise, by itself and through what it calls.
//!
//! `python` and `script` read one function: what it raises and calls, which handlers stand around each place. `follow`
//! asks the language's server where the names lead, `solve` lets errors go up until nothing new comes. The rule is that
//! nothing is left out without a word: what raises is followed, or known to raise nothing (`plain`, `library`), or it is
//! told. Contracts are read from the compiler's point of view, by `audit`.

mod class;
mod declared;
mod follow;
mod joined;
mod library;
mod plain;
mod python;
mod script;
mod site;
mod solve;

pub use site::Why;

use super::id::Id;
use super::index::{FoundDeclaration, Index};
use super::module::DeclarationRow;
use crate::audit;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{Family, Language};

/// What a function can raise, and what could not be followed.
#[derive(Debug, Default)]
pub struct ErrorSet {
    /// Those that the fewest calls lead to first.
    pub errors: Vec<Raised>,
    /// The same; operations of the language are last.
    pub unknown: Vec<Unfollowed>,
    /// How many functions were looked into.
    pub functions: usize,
}

/// An error that one function raises.
#[derive(Debug)]
pub struct Raised {
    pub error: String,
    pub by: Function,
    /// Where it is raised, counted from 1.
    pub lines: Vec<u32>,
    /// The functions through which it comes, the one that was asked about first.
    pub path: Vec<String>,
}

/// What may raise anything.
#[derive(Debug)]
pub struct Unfollowed {
    pub why: Why,
    pub written: String,
    pub by: Function,
    pub lines: Vec<u32>,
}

/// A function as an answer names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Nothing where it is not the project's.
    pub id: Option<Id>,
    pub name: String,
    pub module: String,
}

/// Finds what a function of Python or a script can raise, or what is raised where an object of a class is made.
pub async fn error_set(session: &Session, index: &Index, found: &FoundDeclaration) -> Result<ErrorSet, Refusal> {
    let language = found.module.language;
    if !matches!(language.family(), Family::Python | Family::Script) {
        let known = "Python, TypeScript, JavaScript and Solidity";
        let reason = format!("what functions raise is told for {known}, not for {}", language.id());
        return Err(Refusal::NotPossible(reason));
    }
    let mut follower = follow::Follower::new(session, index, language).await?;
    let memory = session.kept::<solve::Memory>(|_, _| solve::Memory::default());
    let solved = solve::solved(&mut follower, &memory, found).await?;
    let mut set = ErrorSet { functions: solved.functions, ..ErrorSet::default() };
    for one in solved.errors {
        let lines = lines(session, &one.function, &one.at)?;
        let path = one.path.iter().map(|it| it.row().names.join(".")).collect();
        set.errors.push(Raised { error: one.error, by: Function::of(&one.function), lines, path });
    }
    for one in solved.unknown {
        let lines = lines(session, &one.function, &one.at)?;
        set.unknown.push(Unfollowed { why: one.why, written: one.written, by: Function::of(&one.function), lines });
    }
    Ok(set)
}

/// What functions of Python and scripts run without calling it by its name alone: what overrides it, and what is run where a
/// property is read.
#[derive(Default)]
pub(super) struct Running<'a>(Option<follow::Follower<'a>>);

impl<'a> Running<'a> {
    pub(super) async fn new(session: &'a Session, index: &'a Index, language: Language) -> Result<Self, Refusal> {
        Ok(Self(match language.family() {
            Family::Python | Family::Script => Some(follow::Follower::new(session, index, language).await?),
            _ => None,
        }))
    }

    /// Returns the functions that one runs, each with the offset of the place that runs it; what makes objects is left out.
    pub(super) async fn of(&mut self, found: &FoundDeclaration) -> Result<Vec<(usize, FoundDeclaration)>, Refusal> {
        const MAKERS: &[&str] = &["__init__", "__new__", "__post_init__", "constructor"];
        let Some(follower) = self.0.as_mut().filter(|_| found.row().kind.is_callable()) else { return Ok(Vec::new()) };
        let runs = |link: follow::Link| match link.outcome {
            follow::Outcome::Runs { callee, .. } => Some((link.at, callee)),
            _ => None,
        };
        let all = follower.load(found).await?.links.into_iter().filter_map(runs);
        let is_plain = |row: &DeclarationRow| row.kind.is_callable() && !MAKERS.contains(&row.name());
        Ok(all.filter(|(_, callee)| is_plain(callee.row())).collect())
    }
}

/// Puts what is known of a contract's function into the same words.
pub fn error_set_of_contract(index: &Index, reverts: audit::Reverts) -> ErrorSet {
    let errors = reverts.errors.into_iter().map(|one| Raised {
        error: one.error,
        by: Function::at(index, &one.by),
        lines: one.lines,
        path: one.path,
    });
    let unknown = reverts.unknown.into_iter().map(|one| Unfollowed {
        why: why(one.why),
        written: one.written,
        by: Function::at(index, &one.by),
        lines: one.lines,
    });
    ErrorSet { errors: errors.collect(), unknown: unknown.collect(), functions: reverts.functions }
}

fn why(why: audit::Unknown) -> Why {
    match why {
        audit::Unknown::Unresolved => Why::Unresolved,
        audit::Unknown::Value => Why::Value,
        audit::Unknown::Abstract => Why::Abstract,
        audit::Unknown::Error => Why::Error,
        audit::Unknown::External => Why::External,
        audit::Unknown::Operation => Why::Operation,
    }
}

impl Function {
    fn of(found: &FoundDeclaration) -> Self {
        let row = found.row();
        Self { id: Some(row.id), name: row.names.join("."), module: found.module.path.clone() }
    }

    fn at(index: &Index, by: &audit::RevertingFunction) -> Self {
        let module = index.module(&by.file);
        let row = module.and_then(|module| module.around(by.at, |row| row.kind.is_callable()));
        Self { id: row.map(|row| row.id), name: by.name.clone(), module: by.file.clone() }
    }
}

fn lines(session: &Session, function: &FoundDeclaration, offsets: &[usize]) -> Result<Vec<u32>, Refusal> {
    let path = session.root().join(&function.module.path).expect("a path of the project joined to its root");
    let text = session.disk().read(&path)?;
    let mut lines: Vec<u32> = offsets.iter().filter_map(|at| text.position(*at)).map(|it| it.line + 1).collect();
    lines.sort_unstable();
    lines.dedup();
    Ok(lines)
}
