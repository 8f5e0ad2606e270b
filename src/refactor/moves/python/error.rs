//! Why a move of Python modules is not carried out.

use crate::refactor::refusal::{Obstacle, told};
use crate::text::AbsPath;

/// A move that would break the program, or whose meaning cannot be known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("`{path}` lies outside the project")]
    Outside { path: AbsPath },
    #[error("`{to}` lies inside `{from}`")]
    IntoItself { from: AbsPath, to: AbsPath },
    #[error("`{to}` is no Python file of the same kind as `{from}`")]
    NoModule { from: AbsPath, to: AbsPath },
    #[error("`{path}` makes its directory a package: move or rename the directory")]
    Init { path: AbsPath },
    #[error("`{name}` cannot be imported: {reason}")]
    BadName { name: String, reason: String },
    #[error("`{path}` exists")]
    Exists { path: AbsPath },
    #[error("`{new}` and `{other}` would be one module to Python: it would only find one of them")]
    Hidden { new: String, other: String },
    #[error("`{name}` at the top of an import root would hide Python's own module of that name")]
    ShadowsStandard { name: String },
    #[error("`{path}` imports a `{name}` from outside the project, and would find the moved module instead")]
    Captures { name: String, path: AbsPath },
    #[error("`{name}` is already the name of something else in `{path}`")]
    Taken { name: String, path: AbsPath },
    #[error("`{importer}` could not import `{module}`, which would lie at `{place}`: {reason}")]
    Unreachable { importer: AbsPath, module: String, place: String, reason: String },
    #[error("`{path}` would need the name `{name}` for a module, but uses it for something else")]
    NameClash { path: AbsPath, name: String },
    #[error(
        "after the move, importing `{module}` would fail: {cycle} import each other in a circle, and `{name}` is asked for before it exists"
    )]
    Circle { module: String, cycle: String, name: String },
    #[error(
        "the stub `{path}` makes `{name}` public by `{name} as {name}`, which no import under a new name can: rename it in the stub first"
    )]
    PublicInStub { path: AbsPath, name: String },
    #[error("an import in `{path}` would no longer mean what it meant: `{import}`")]
    Unsound { path: AbsPath, import: String },
    #[error("`{path}` cannot be read")]
    Unreadable { path: AbsPath },
    #[error("{}", told(.0))]
    Several(Vec<Refused>),
}

impl Obstacle for Refused {
    fn several(all: Vec<Self>) -> Self {
        Self::Several(all)
    }

    fn single(self) -> Result<Vec<Self>, Self> {
        match self {
            Self::Several(all) => Ok(all),
            Self::Unreadable { .. } => Err(self),
            one => Ok(vec![one]),
        }
    }
}
