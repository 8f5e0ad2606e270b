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
//! Where it asks its object for more, it is passed that: `self.kind.charge(self, days)`. A function of a module becomes a method
//! of what it takes first, one that stands in another function becomes one of the module, or of the class around.

mod class;
mod function;
mod module;
mod nested;
mod passed_object;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks;
use crate::refactor::analysis::classes::{ClassHierarchy, MemberKind};
use crate::refactor::analysis::members::{Destination, MemberDeclarations, check_outermost};
use crate::refactor::analysis::moved_methods::MovedMethod;
use crate::refactor::refusal::{both, each};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    if let Some(found) = function::named(&code, request) {
        return function::plan(session, request, (&code, found)).await;
    }
    if let Some(found) = nested::Inner::named(&code, request) {
        return nested::plan(session, request, (&code, found)).await;
    }
    let group = MemberDeclarations::at(&code, blocks::place(&code, &request.target), Destination::Elsewhere)?;
    group.check_kind(MemberKind::Method, "it is not a method")?;
    let to = request.params.needed("to")?;
    let is_module = to == "module" || code.shown == to || code.shown.ends_with(&format!("/{to}"));
    if !is_module && is_file(session, to) {
        let reason = format!("`{to}` is a file: a method goes to a class, or to the `module` that it stands in");
        return Err(Refusal::NotPossible(reason));
    }
    // What is private by its name alone is so in a class alone.
    let name = match request.params.text("name") {
        _ if !is_module => group.name,
        "" => group.name.trim_start_matches('#'),
        given => given,
    };
    let types = if code.family() == Family::Python { group.check_type_parameters() } else { Ok(()) };
    let (method, _) =
        both(MovedMethod::of(&group), each([check_outermost(&group.class), group.check_bound_as(name), types]))?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    match is_module {
        true => module::plan(session, (&kin, &group), method.called(&group)?.function, name).await,
        false => class::plan(session, (&kin, &group), &method, to).await,
    }
}

/// Tells whether a path of a file is given, and not a class.
fn is_file(session: &Session, to: &str) -> bool {
    let path = session.root().join(to).ok().filter(|path| Language::of_path(path).is_some());
    path.is_some_and(|path| to.contains('/') || path.as_path().is_file())
}
