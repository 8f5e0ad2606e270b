//! Inline Method: what a function does goes into its calls.
//!
//! ```python
//! def rating(self):                        def rating(self):
//!     return 2 if self.is_late() else 1        return 2 if (self.late > 5) else 1
//!                                      →
//! def is_late(self):
//!     return self.late > 5
//! ```
//! One expression goes anywhere; statements go before a call that is a statement, or the whole of what one assigns
//! or returns. What is passed stands where it was taken, or in a variable before the body.

mod body;
mod call_site;
mod declared_types;
mod expression;
mod inlined_function;
mod statements;
mod visible_names;

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{Call, Passing, Signature};
use crate::refactor::analysis::call_targets::of_called;
use crate::refactor::analysis::classes::{Class, Member, comments_above};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::required::MovedPieces;
use crate::refactor::analysis::imports::whole_exports::doubt_offered;
use crate::refactor::analysis::indentation::without_lines;
use crate::refactor::analysis::object_literals::{item_of_function, without_item};
use crate::refactor::analysis::signatures::Callee;
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, function_at, is_block};
use crate::session::Session;
use crate::syntax::{Node, is_any_function};
use crate::text::{AbsPath, Span, TextEdit};
use call_site::Rooms;
use inlined_function::Inlined;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// A file that calls the function, with what it loses, and what it comes to say.
struct User<'c> {
    code: &'c Code,
    gone: Vec<Span>,
    /// Of what is gone, the names of the function.
    lost: Vec<Span>,
    pieces: Vec<Span>,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let request = &of_called(session, request).await?;
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    let callee = Callee::of(session, &code, function).await?;
    let passing = Passing::bound_or_not(session, &callee).await?;
    let (signature, stubs) = passing.only_with_stubs((&code, function))?;
    signature.check_bare()?;
    let inlined = Inlined::of(signature)?;
    let mut edits = Edits::default();
    edits.warn(callee.warnings.iter().cloned());
    edits.warn(declared_types::doubted(signature, &inlined.body));
    edits.warn(passing.calls.iter().filter_map(|call| declared_types::lost(signature, &inlined.body, call)));
    let mut users: BTreeMap<&AbsPath, User<'_>> = BTreeMap::new();
    let mut rooms = Rooms::default();
    let placed = passing.calls.iter().map(|call| {
        check_apart(call, (signature, &passing)).noted()?;
        inlined.put_into(call, &mut rooms)
    });
    for (call, placed) in passing.calls.iter().zip(each(placed)?) {
        edits.add(call.code, placed.edits);
        let new = || User { code: call.code, gone: Vec::new(), lost: Vec::new(), pieces: vec![inlined.body.extent] };
        let user = users.entry(&call.code.path).or_insert_with(new);
        user.gone.push(call.callee().span());
        user.lost.push(call.callee().span());
        user.gone.extend(placed.gone);
        user.pieces.extend(placed.types);
    }
    if users.is_empty() {
        return Err(code.refuse(function.start(), "it is never called: `safe-delete` takes it away"));
    }
    callee.withdraw(session, signature.code, |path| users.contains_key(path), &mut edits).noted()?;
    edits.warn(doubt_offered(session, (signature.code, function), callee.name())?);
    let given = inlined.given();
    for user in users.values().filter(|user| user.code.path != signature.code.path) {
        inlined.check_seen_from(user.code, &user.gone, &user.pieces).noted()?;
        let carried = MovedPieces { from: signature.code, pieces: &user.pieces, to: user.code, given: &given };
        required::carry(session, &carried, &mut edits)?;
        required::leave_with(session, user.code, (&user.gone, &user.lost), &mut edits);
    }
    let gone = match users.get(&signature.code.path) {
        Some(user) => inlined.head(&user.pieces).into_iter().chain(user.gone.iter().copied()).collect(),
        None => vec![signature.function.span()],
    };
    required::leave(session, signature.code, &gone, &mut edits);
    edits.add(signature.code, removed(signature)?);
    for stub in stubs {
        required::leave(session, stub.code, &[stub.function.span()], &mut edits);
        edits.add(stub.code, removed(stub)?);
    }
    edits.plan()
}

/// Refuses a call inside the function itself, or inside another of its calls.
fn check_apart(call: &Call<'_>, (signature, passing): (&Signature<'_>, &Passing<'_>)) -> Result<(), Refusal> {
    let mut others = passing.calls.iter().filter(|it| it.code.path == call.code.path && it.node != call.node);
    let is_own = call.code.path == signature.code.path && signature.function.holds(call.node);
    if is_own || others.any(|it| it.node.holds(call.node)) {
        return Err(call.refuse("it is called inside itself, or inside another of its calls"));
    }
    Ok(())
}

/// Takes the declaration away.
fn removed(signature: &Signature<'_>) -> Result<Vec<TextEdit>, Refusal> {
    let (code, function) = (signature.code, signature.function);
    if let Some(class) = signature.class {
        return class.without(&members(&class, function)?);
    }
    if let Some(item) = item_of_function(function) {
        return Ok(without_item(code, item));
    }
    let holder = function.parent().filter(|it| it.is("variable_declarator")).and_then(Node::parent).unwrap_or(function);
    let statement = holder.parent().filter(|it| it.is("export_statement")).unwrap_or(holder);
    let declared = holder.named_children().filter(|it| it.is("variable_declarator")).count();
    let is_among_others =
        |block: Node<'_>| is_block(block) && (block.parent().is_none() || block.named_children().count() > 1);
    let is_alone = statement.parent().is_some_and(is_among_others) && declared < 2;
    if !is_alone || !crate::refactor::analysis::blocks::is_alone(code, statement) {
        return Err(code.refuse(statement.start(), "its declaration shares its place with something else"));
    }
    let start = comments_above(code, statement.start());
    Ok(vec![without_lines(code, Span::new(start, statement.end()))])
}

/// Returns the member that a function is, where nothing else hangs on it.
fn members<'c>(class: &Class<'c>, function: Node<'c>) -> Result<Vec<Member<'c>>, Refusal> {
    let all: Vec<_> =
        class.members().into_iter().filter(|it| it.node == function || it.function() == Some(function)).collect();
    match all.as_slice() {
        [_] if is_any_function(function) => Ok(all),
        _ => Err(class.code.refuse(function.start(), "it is declared in a way that cannot be taken away")),
    }
}
