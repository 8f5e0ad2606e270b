//! Hide Method, in Solidity.
//!
//! ```solidity
//! function sum() public view …   →   function sum() private view …
//! ```
//! It becomes `private` where only its own contract calls it, `internal` where others extend the contract that do, or
//! may.

use super::calls::Callee;
use super::project::Ground;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::solidity::{Definition, DefinitionKind, Mutability, Visibility, tokens};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let ground = Ground::of(session).await?;
    let id = ground.target(&code, &request.target, &[DefinitionKind::Function])?;
    let one = ground.definition(id);
    let refuse = |reason: &str| code.refuse(one.name_span.start, reason);
    let contract = ground.contract_of(id).ok_or_else(|| refuse("it is not a function of a contract"))?;
    check(&ground, one, contract).map_err(refuse)?;
    if let Some(other) = ground.model.family(id).into_iter().find(|other| *other != id) {
        let other = ground.definition(other);
        let reason = "it is declared here, too, where it has to stay public";
        return Err(ground.refuse(session, (&other.file, other.name_span.start), reason));
    }
    let mut is_inherited = one.is_virtual || ground.definition(contract).is_abstract;
    let callee = Callee::of(session, &ground, id)?;
    callee.check_texts(session, &ground).noted()?;
    for call in &callee.calls {
        let at = (&call.reference.file, call.reference.span.start);
        if ground.is_member(&call.reference) {
            return Err(ground.refuse(session, at, "it is called from outside here, or as if it were"));
        }
        let caller = call.reference.within.and_then(|within| ground.contract_of(within));
        is_inherited |= caller != Some(contract);
    }
    let word = word(&code, one).ok_or_else(|| refuse("its visibility is not found"))?;
    code.plan(vec![TextEdit::new(word, if is_inherited { "internal" } else { "private" })])
}

fn check(ground: &Ground, one: &Definition, contract: crate::solidity::DefinitionId) -> Result<(), &'static str> {
    match (ground.definition(contract).kind, one.visibility) {
        (DefinitionKind::Interface, _) => Err("all of an interface is public"),
        (DefinitionKind::Library, _) => Err("a library's functions are linked by whether they are public"),
        (_, Some(Visibility::Private | Visibility::Internal)) => Err("it is hidden already"),
        (_, None) => Err("its visibility is not written"),
        _ if one.is_override => Err("it overrides a function, which is public"),
        _ if one.mutability == Some(Mutability::Payable) => Err("it takes ether, which comes from outside"),
        _ if one.body.is_none() => Err("it has no body: derived contracts implement it"),
        _ => Ok(()),
    }
}

/// Returns where the visibility stands between the parameters and the body.
fn word(code: &Code, one: &Definition) -> Option<Span> {
    let list = super::calls::list_behind(code.text(), one.name_span.end)?;
    let head = Span::new(list.inside.end, one.body?.start);
    let text = head.of(code.text())?;
    let word = tokens(text).find(|token| matches!(token.of(text), "public" | "external"))?;
    Some(Span::new(head.start + word.span.start, head.start + word.span.end))
}
