//! Where a program asks whether there is a member, or lists all that there are: what a plan adds or takes away changes the answer,
//! and no checker sees that.

mod change;
mod python;
mod script;

use super::doubts::OF_OBJECTS;
use super::mentions::is_member;
use super::python_changes::Renamed;
use super::script_kin::renamed_classes;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::Family;
use crate::syntax::python::is_special_name;

pub(crate) use change::Change;

/// Tells where a program does something else from now on, because it finds a name, or finds it no more. Python and scripts.
///
/// # Errors
/// Where nobody could be asked whose names they are.
pub(crate) async fn told(session: &Session, family: Family, change: &Change) -> Result<Vec<Warning>, Refusal> {
    match family {
        Family::Python => python::told(session, change).await,
        Family::Script => script::told(session, change).await,
        _ => Ok(Vec::new()),
    }
}

/// What the object that is awaited is asked for (ECMAScript).
const AWAITED: &str = "then";

/// The same for the new name of what is renamed.
pub(super) async fn of_renamed(
    session: &Session,
    subject: &Subject,
    (gathered, name): (&Gathered, &str),
) -> Result<Vec<Warning>, Refusal> {
    let family = subject.language.family();
    let change = Change { instead_of: Some(subject.name.clone()), ..Change::of(name) };
    let change = match family {
        _ if subject.is_local() => return Ok(Vec::new()),
        Family::Python => {
            let Renamed { classes, modules, .. } = Renamed::of(session, gathered)?;
            Change { comes: classes, modules, ..change }
        }
        Family::Script if is_member(subject) => Change { comes: renamed_classes(session, gathered)?, ..change },
        _ => return Ok(Vec::new()),
    };
    let mut warnings = told(session, family, &change).await?;
    let is_looked_up = match family {
        Family::Python => is_special_name(name) && !change.comes.is_empty(),
        _ => OF_OBJECTS.contains(&name) || name == AWAITED,
    };
    if is_looked_up {
        let message = format!("the language itself asks objects whether they have any `{name}`");
        warnings.push(Warning::of_plan(WarningKind::RunTime, message));
    }
    Ok(warnings)
}
