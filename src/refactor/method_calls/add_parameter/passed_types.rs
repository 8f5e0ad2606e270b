//! The type of a parameter that is added, as it shows from what calls pass for it.

use std::collections::BTreeMap;

use super::Values;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::is_constructor;
use crate::refactor::analysis::constructor_calls::Makers;
use crate::refactor::analysis::inferred_types::is_writable;
use crate::refactor::analysis::probed_types::{ProbeSide, Question, probed, united};
use crate::refactor::analysis::signatures::{Callee, ListOwner};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, statement_of};
use crate::session::Session;
use crate::syntax::{Family, Node, is_any_function};
use crate::text::AbsPath;

/// Returns the type that holds what calls pass, as the function's file can write it; nothing where that is not known. Calls in
/// functions that are part of a statement are left to those that are not.
pub(super) async fn of_passed(
    session: &Session,
    (code, function): ListOwner<'_>,
    values: &Values<'_>,
) -> Result<Option<String>, Refusal> {
    let (makers, callee);
    let calls: Vec<ListOwner<'_>> = if is_constructor(code, function) {
        makers = Makers::of_constructor(session, code, function).await?;
        makers.calls()?.into_iter().map(|(place, _)| place).collect()
    } else {
        callee = Callee::known(session, code, function).await?;
        callee.places_and_handed()?.calls
    };
    let mut by_file: BTreeMap<&AbsPath, (&Code, Vec<Question<'_>>)> = BTreeMap::new();
    for (user, call) in calls {
        let Some((statement, expression)) = statement_of(call).zip(values.at(session, user)) else { continue };
        // In a function inside the statement names may mean something else than before it.
        if call.ancestors().take_while(|it| *it != statement).any(binds) {
            continue;
        }
        let (_, questions) = by_file.entry(&user.path).or_insert_with(|| (user, Vec::new()));
        questions.push(Question { statement, side: ProbeSide::Before, expression });
    }
    let mut types = Vec::new();
    for (user, questions) in by_file.into_values() {
        types.extend(probed(session, user, &questions).await);
    }
    let names = ScopedNames::of(code);
    if types.is_empty() || code.family() == Family::Python {
        return Ok(united(code, &names, &types).filter(|_| !types.is_empty()));
    }
    let Some(mut types) = types.into_iter().collect::<Option<Vec<String>>>() else { return Ok(None) };
    types.sort();
    types.dedup();
    let said = types.join(" | ");
    Ok(Some(said).filter(|said| !types.contains(&"any".to_owned()) && is_writable(code, &names, said)))
}

fn binds(node: Node<'_>) -> bool {
    is_any_function(node) || node.kind().ends_with("_comprehension") || node.is("generator_expression")
}
