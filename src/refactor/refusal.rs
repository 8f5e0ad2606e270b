//! Why no plan is given.

use crate::lsp::{FileOperation, Server};
use crate::plan::PlanError;
use crate::session::SessionError;
use crate::text::{AbsPath, Position};
use crate::workspace::{OutsideRoot, ReadError};

/// A place in a file as a message names it: position 0-based, UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    pub path: AbsPath,
    pub position: Position,
}

/// One thing that stands in the way of a new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    pub at: At,
    pub message: String,
}

/// Why an intent does not become a plan.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("`{path}` has no {what}")]
    NoSuchPlace { path: AbsPath, what: String },
    #[error("no name stands at {at}: {found}")]
    NoName { at: At, found: String },
    #[error("`{found}` stands at {at}, not `{expected}`")]
    NotExpected { at: At, expected: String, found: String },
    #[error("`{target}` is ambiguous")]
    Ambiguous { target: String, candidates: Vec<String> },
    #[error("`{target}` was not found")]
    NotFound { target: String, candidates: Vec<String> },
    #[error("{0}")]
    BadName(String),
    #[error("`{0}` already has that name")]
    SameName(String),
    #[error("{at} names a module: a module is renamed by moving its file")]
    ModuleName { at: At },
    #[error("`{name}` is declared outside the project, in `{path}`")]
    DeclaredOutside { name: String, path: String },
    #[error("`{name}` is imported from `{module}`, which is not in the project")]
    Unresolved { name: String, module: String },
    #[error("`{name}` overrides `{class}.{name}` of `{path}`, which is outside the project")]
    OverridesOutside { name: String, class: String, path: String },
    #[error("`{name}` goes together with {member} of `{path}`, which is outside the project{at}")]
    RelatedOutside { name: String, member: String, path: String, at: String },
    #[error("`{name}` is called by the language under that very name")]
    Reserved { name: String },
    #[error("`{new_name}` is already taken: {}", list(clashes))]
    Taken { new_name: String, clashes: Vec<Clash> },
    #[error("{server} would not rename `{name}`: {reason}")]
    ServerRefused { server: String, name: String, reason: String },
    #[error("{server} found nothing to change for `{name}`, not even the name itself")]
    NothingFound { server: String, name: String },
    #[error("{server}'s answer would change `{path}`, which is outside the project")]
    EditsOutside { server: String, path: String },
    #[error("{server}'s answer cannot be carried out whole: {operation}")]
    NotCarriedOut { server: String, operation: FileOperation },
    #[error("{server}'s answer does not hold together: {problem}")]
    BadAnswer { server: String, problem: String },
    /// For want of a parameter: nothing else was found to stand in the way so far.
    #[error("{reason}")]
    Missing { param: &'static str, reason: String },
    #[error("{0}")]
    CannotMove(String),
    #[error("{0}")]
    NotPossible(String),
    /// One that stands at a line: `src/order.py:12`.
    #[error("{place}: {reason}")]
    Stands { place: String, reason: String },
    /// One that the caller may overrule.
    #[error("{place}: {reason}")]
    Doubt { place: String, reason: String },
    /// A doubt, for want of a type.
    #[error("{place}: {reason}")]
    Untyped { place: String, reason: String },
    #[error("`{refactoring}` is not available for {language}: {why}")]
    Unavailable { refactoring: &'static str, language: &'static str, why: &'static str },
    #[error("`{refactoring}` would leave `{path}` with code that does not parse")]
    BadResult { refactoring: &'static str, path: AbsPath },
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Outside(#[from] OutsideRoot),
    #[error("the edits do not hold together: {0}")]
    Plan(#[from] PlanError),
    #[error("{}", told(.0))]
    Several(Vec<Refusal>),
}

/// So many obstacles are told; the rest is counted.
const TOLD: usize = 10;

/// How a refusal is overruled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overruled {
    /// By `force`, with a warning.
    Force,
    /// By giving the parameter.
    Given(&'static str),
    Never,
}

impl Refusal {
    /// Returns the single obstacles.
    pub fn obstacles(&self) -> Vec<&Self> {
        match self {
            Self::Several(all) => all.iter().collect(),
            one => vec![one],
        }
    }

    /// Tells whether a server or a file failed, which says nothing of what was asked.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Session(_) | Self::Read(_))
    }

    /// Returns the line that it is about, and the reason.
    pub fn parted(&self) -> (Option<&str>, String) {
        match self {
            Self::Stands { place, reason } | Self::Doubt { place, reason } | Self::Untyped { place, reason } => {
                (Some(place), reason.clone())
            }
            other => (None, other.to_string()),
        }
    }

    pub fn overruled(&self) -> Overruled {
        match self {
            Self::Doubt { .. } | Self::Untyped { .. } => Overruled::Force,
            Self::Missing { param, .. } => Overruled::Given(param),
            _ => Overruled::Never,
        }
    }

    /// For an answer that does more to files than is carried out.
    pub(super) fn not_carried_out(server: &Server, operation: FileOperation) -> Self {
        Self::NotCarriedOut { server: server.name().to_string(), operation }
    }
}

/// A reason to refuse, of which there may be several at once.
pub(super) trait Obstacle: Sized + std::fmt::Display {
    fn several(all: Vec<Self>) -> Self;

    /// Returns the single reasons.
    ///
    /// # Errors
    /// What is no reason, but kept a check from being made.
    fn single(self) -> Result<Vec<Self>, Self>;
}

impl Obstacle for Refusal {
    fn several(all: Vec<Self>) -> Self {
        Self::Several(all)
    }

    fn single(self) -> Result<Vec<Self>, Self> {
        match self {
            Self::Several(all) => Ok(all),
            Self::Session(_) | Self::Read(_) => Err(self),
            one => Ok(vec![one]),
        }
    }
}

/// Takes the outcomes of checks that do not hang on each other: where some refuse, all their reasons are told.
///
/// # Errors
/// The one reason, or all of them; before those whatever kept a check from being made.
pub(super) fn each<T, E: Obstacle>(checks: impl IntoIterator<Item = Result<T, E>>) -> Result<Vec<T>, E> {
    let (mut passed, mut refused) = (Vec::new(), Vec::new());
    for check in checks {
        match check.map_err(E::single) {
            Ok(value) => passed.push(value),
            Err(reasons) => refused.extend(reasons?),
        }
    }
    refuse_all(refused).map(|()| passed)
}

/// Refuses for all of some reasons, if there are any.
pub(super) fn refuse_all<E: Obstacle>(reasons: impl IntoIterator<Item = E>) -> Result<(), E> {
    let mut said = std::collections::BTreeSet::new();
    let mut reasons: Vec<E> = reasons.into_iter().filter(|reason| said.insert(reason.to_string())).collect();
    match (reasons.pop(), reasons.is_empty()) {
        (None, _) => Ok(()),
        (Some(only), true) => Err(only),
        (Some(last), false) => {
            reasons.push(last);
            Err(E::several(reasons))
        }
    }
}

/// As [`each`], for two checks of different outcomes.
pub(super) fn both<A, B, E: Obstacle>(one: Result<A, E>, other: Result<B, E>) -> Result<(A, B), E> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(only), Ok(_)) | (Ok(_), Err(only)) => Err(only),
        (Err(one), Err(other)) => {
            let mut reasons = one.single()?;
            reasons.extend(other.single()?);
            Err(refuse_all(reasons).expect_err("each of the two gave a reason"))
        }
    }
}

impl At {
    /// Writes the place as seen from a directory.
    pub(crate) fn below(&self, root: &AbsPath) -> String {
        let path = self.path.shown_from(root);
        format!("{path}:{}:{}", self.position.line + 1, self.position.character + 1)
    }
}

impl std::fmt::Display for At {
    /// Writes the place as compilers do, 1-based.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.path, self.position.line + 1, self.position.character + 1)
    }
}

fn list(clashes: &[Clash]) -> String {
    listed(clashes.iter().map(|clash| format!("{} ({})", clash.message, clash.at)))
}

/// Words several reasons as one.
pub(super) fn told(reasons: &[impl std::fmt::Display]) -> String {
    format!("{} things stand in the way: {}", reasons.len(), listed(reasons.iter().map(ToString::to_string)))
}

/// Joins the first obstacles to one sentence, and counts the rest.
pub(super) fn listed(obstacles: impl ExactSizeIterator<Item = String>) -> String {
    let more = obstacles.len().saturating_sub(TOLD);
    let shown: Vec<String> = obstacles.take(TOLD).collect();
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    shown.join("; ") + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_obstacle_is_told_up_to_ten() {
        let check = |number: usize| match number {
            0 => Ok(number),
            _ => Err(Refusal::NotPossible(format!("no {number}"))),
        };
        assert_eq!(each([check(0), check(0)]).unwrap(), [0, 0]);
        assert_eq!(each([check(0), check(1), check(1)]).unwrap_err().to_string(), "no 1");
        let nested = each([check(2), each([check(3), check(4)]).map(|_| 0)]).unwrap_err();
        assert_eq!(nested.to_string(), "3 things stand in the way: no 2; no 3; no 4");
        let many = each((1..=12).map(check)).unwrap_err().to_string();
        assert!(many.starts_with("12 things stand in the way: no 1; no 2; "), "{many}");
        assert!(many.ends_with("no 10; and 2 more"), "{many}");
        let both = both(check(5), check(6)).unwrap_err().to_string();
        assert_eq!(both, "2 things stand in the way: no 5; no 6");
    }
}
