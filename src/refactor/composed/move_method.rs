//! Move Method: to another class, or to module level.
//!
//! ```python
//! class Account:                       class Account:
//!     def charge(self, days):              def charge(self, days):
//!         return self.kind.rate * days         return self.kind.charge(days)
//!                                  →
//! class Kind: ...                      class Kind:
//!                                          def charge(self, days):
//!                                              return self.rate * days
//! ```
//! Where it asks its object for more, it is passed that: `self.kind.charge(self, days)`.

mod class;
mod module;
mod source;

pub(super) use class::{Asked, delegated};

use super::blocks;
use super::classes::{Kin, Kind};
use super::code::Code;
use super::members::{Group, check_outermost};
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Run};
use crate::refactor::refusal::{both, each};
use crate::session::Session;
use crate::syntax::Node;

pub(in crate::refactor) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let group = Group::at(&code, blocks::place(&code, &request.target))?;
    group.check_kind(Kind::Method, "it is no method")?;
    let (method, _) = both(method(&group), each([check_outermost(&group.class), group.check_bound()]))?;
    let kin = Kin::new(session, request.target.language).await?;
    let to = request.params.text("to");
    let is_module = to == "module" || code.shown == to || code.shown.ends_with(&format!("/{to}"));
    match is_module {
        true => module::plan(session, (&kin, &group), method, request.params.text("name")).await,
        false => class::plan(session, (&kin, &group), method, to).await,
    }
}

/// Returns the function of a method that is one function and nothing else.
pub(super) fn method<'c>(group: &Group<'c>) -> Result<Node<'c>, Refusal> {
    let code = group.code();
    let [member] = group.members.as_slice() else {
        return Err(group.refuse(format!("`{}` is several declarations: accessors, overloads", group.name)));
    };
    let is_accessor = member.node.children().any(|word| matches!(word.kind(), "get" | "set"));
    let function = member.function().filter(|it| !is_accessor && it.child("body").is_some());
    let function = function.ok_or_else(|| group.refuse(format!("`{}` is no plain method", group.name)))?;
    let check = |mark: Node<'_>| match mark.text(code.text()) {
        "@staticmethod" | "@classmethod" => Ok(()),
        said => Err(code.refuse(mark.start(), format!("what `{said}` makes of the method is not known"))),
    };
    each(member.decorators().map(check))?;
    Ok(function)
}

/// Returns the receiver among the parameters of a method of Python; nothing for a static one.
pub(super) fn own_parameter<'c>(group: &Group<'c>, function: Node<'c>) -> Option<Node<'c>> {
    let is_python = group.code().family() == crate::syntax::Family::Python;
    let is_static = group.members[0].decorators().any(|mark| mark.text(group.code().text()) == "@staticmethod");
    function.child("parameters")?.named_children().next().filter(|_| is_python && !is_static)
}
