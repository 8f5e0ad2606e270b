//! Remove Parameter, in scripts.
//!
//! ```ts
//! price(count: number, rate: number)       price(count: number)
//! order.price(2, 1);                   →   order.price(2);
//! ```

use super::code::{Code, function_at};
use super::signature::{Callee, Place, Places, arguments, gathered, is_literal, parameters, pattern, removed};
use crate::plan::{Parts, Plan};
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Run};
use crate::session::Session;
use crate::syntax::Node;
use crate::text::TextEdit;

pub(in crate::refactor) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    let name = request.params.text("name");
    let own = parameters((&code, function));
    let at = own.iter().position(|parameter| pattern(*parameter).text(code.text()) == name);
    let at = at.ok_or_else(|| code.refuse(function.start(), format!("the function has no parameter `{name}`")))?;
    let callee = Callee::of(session, &code, function).await?;
    let Places { signatures, calls } = callee.places()?;
    let mut edits = Vec::new();
    for place in &signatures {
        edits.extend(from_signature(*place, at)?.map(|edit| (place.0, edit)));
    }
    for (code, call) in &calls {
        let passed = arguments(*call);
        if let Some(spread) = passed.iter().take(at + 1).find(|argument| argument.is("spread_element")) {
            return Err(code.refuse(spread.start(), "which arguments are passed here no text tells"));
        }
        let Some(argument) = passed.get(at) else { continue };
        if !is_idle(*argument) {
            return Err(code.refuse(argument.start(), "the argument may do something that is needed"));
        }
        edits.push((*code, removed(&passed, at)));
    }
    let edits = gathered(edits);
    Ok(Plan::new(Parts { edits, warnings: callee.warnings.clone(), ..Parts::default() })?)
}

/// Takes the parameter out of one signature; one that takes fewer has none.
fn from_signature(place: Place<'_>, at: usize) -> Result<Option<TextEdit>, Refusal> {
    let (code, function) = place;
    let all = parameters(place);
    let Some(parameter) = all.get(at) else { return Ok(None) };
    let bound = pattern(*parameter);
    if !bound.is("identifier") {
        return Err(code.refuse(parameter.start(), "the parameter is a pattern"));
    }
    let name = bound.text(code.text());
    let is_other = |node: &Node<'_>| node.is_any(&["identifier", "shorthand_property_identifier"]) && *node != bound;
    let used = function
        .descendants()
        .filter(is_other)
        .find(|node| [name, "arguments", "eval"].contains(&node.text(code.text())));
    if let Some(used) = used {
        return Err(code.refuse(used.start(), format!("`{}` may use the parameter", used.text(code.text()))));
    }
    let default = parameter.child("value").or_else(|| parameter.child("right"));
    if default.is_some_and(|default| !is_literal(default)) {
        return Err(code.refuse(parameter.start(), "the parameter's default may do something"));
    }
    Ok(Some(removed(&all, at)))
}

/// Tells whether an argument that is not evaluated is not missed.
fn is_idle(argument: Node<'_>) -> bool {
    is_literal(argument) || argument.is_any(&["identifier", "this", "arrow_function", "function_expression"])
}
