//! One refactoring that is asked for by its name.

use serde_json::{Map, Value};
use tokio::task::JoinError;

use super::args::RefactoringStep;
use super::params;
use crate::plan::Plan;
use crate::refactor::catalog::refactoring::Refactoring;
use crate::refactor::catalog::{self, Search};
use crate::refactor::request::Request;
use crate::session::Session;
use crate::syntax::target::distance;
use crate::tools::{ErrorKind, ToolError, target};

/// What a range of characters selects is this parameter.
const EXPRESSION: &str = "expression";

/// Finds a refactoring; where there is none of the name, the nearest ones are told.
pub fn named(name: &str) -> Result<&'static Refactoring, ToolError> {
    catalog::refactoring(name).ok_or_else(|| {
        let mut ranked: Vec<_> = catalog::catalog().map(|one| (distance(one.name, name), one.name)).collect();
        ranked.sort_unstable();
        let nearest: Vec<String> = ranked.iter().take(3).map(|(_, name)| format!("`{name}`")).collect();
        ToolError::invalid(format!("no refactoring is called `{name}`"))
            .hint(format!("did you mean {}?", nearest.join(", ")))
            .hint("list_refactorings (`lspwright refactor --list`) names all")
    })
}

/// Plans one step as the session sees the project; `target` may be another word for the step's own.
pub(super) async fn one(session: &Session, (target, step): (&str, &RefactoringStep)) -> Result<Plan, ToolError> {
    let refactoring = named(&step.refactoring)?;
    let request = request(session, refactoring, (target, &step.params))?;
    Ok(catalog::plan(session, refactoring, &request, Search::Quick).await?)
}

pub(super) fn broke(error: JoinError) -> ToolError {
    ToolError::new(ErrorKind::Internal, format!("the steps could not be planned: {error}"))
}

pub(super) fn request(
    session: &Session,
    refactoring: &Refactoring,
    (target, params): (&str, &Map<String, Value>),
) -> Result<Request, ToolError> {
    let mut params = params.clone();
    if refactoring.params.iter().any(|param| param.name == EXPRESSION)
        && let Some(selected) = target::expression(session, target)?
    {
        params.entry(EXPRESSION).or_insert(Value::String(selected));
    }
    let target = target::aim(session, target)?;
    let params = params::checked(refactoring, target.language, &params)?;
    Ok(Request { target, params })
}
