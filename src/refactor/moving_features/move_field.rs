//! Move Field: a value of a class goes to another class, one of each object to the object that it holds.
//!
//! ```python
//! class Account:                       class Account: ...
//!     RATE = 3
//!                                      class Kind:
//! class Kind: ...                  →       RATE = 3
//!
//! print(Account.RATE)                  print(MemberKind.RATE)
//!
//! self.kind = MemberKind()                   self.kind = MemberKind()
//! self.rate = rate                 →   self.kind.rate = rate
//! print(account.rate)                  print(account.kind.rate)
//! ```
//! A field that each object has for itself goes only where each has an object of its own, made by its constructor:
//! elsewhere no text tells which one would hold the value, and for how many.

mod initial_value;
mod instance;

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, Member, MemberKind, given_class};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::members::{Destination, MemberDeclarations, check_outermost};
use crate::refactor::analysis::references::{UseKind as Use, Uses};
use crate::refactor::analysis::{blocks, field_initialization};
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let group = MemberDeclarations::at(&code, blocks::place(&code, &request.target), Destination::Elsewhere)?;
    if group.is_all(MemberKind::Method) {
        return Err(group.refuse(format!("`{}` is not a field", group.name)));
    }
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let goal = given_class(session, &kin, &code, request.params.needed("to")?).await?;
    let to = goal.class();
    if goal.place() == group.class.place() {
        return Err(group.refuse(format!("`{}` has it already: `to` names another class", to.name())));
    }
    check_outermost(&group.class).noted()?;
    check_outermost(&to).noted()?;
    let is_set =
        |member: &Member<'_>| matches!(member.kind, MemberKind::Assigned | MemberKind::Parameter) || !member.is_static;
    if !group.is_all(MemberKind::Method) && group.members.iter().any(is_set) {
        return instance::plan(session, (&kin, request.params.given("delegate")), &group, &to).await;
    }
    group.check_kind(MemberKind::Field, "each object has its own")?;
    group.check_bound().noted()?;
    field_initialization::check_value(&group).noted()?;
    if to.code.path == code.path {
        group.check_order(&to, None).noted()?;
    }
    check_lines(&kin, &group, &to).await.noted()?;
    let mut edits = Edits::default();
    redirect(session, (&group, &to), &mut edits).await?;
    edits.add(&code, group.class.without(&group.members)?);
    edits.add(to.code, [group.put_into(&to)?]);
    group.carry(session, &to, &mut edits)?;
    edits.plan()
}

/// Refuses where another class of either line has the name.
async fn check_lines(kin: &ClassHierarchy<'_>, group: &MemberDeclarations<'_>, to: &Class<'_>) -> Result<(), Refusal> {
    for class in [&group.class, to] {
        let own = kin.itself(class)?;
        let (above, unknown) = kin.declaring_member(class, group.name).await?;
        if let Some(base) = unknown.first() {
            let reason = format!("`{base}`, from which `{}` inherits, cannot be resolved", class.name());
            in_doubt(group.code(), group.members[0].name.span(), reason)?;
        }
        let heirs = kin.heirs(class).await?;
        let is_own = |one: &crate::refactor::analysis::classes::LocatedClass| one.place() == group.class.place();
        let other = above.iter().chain(&heirs).chain([&own]).find(|one| !is_own(one) && one.class().has(group.name));
        if let Some(one) = other {
            return Err(group.refuse(format!("`{}` has a `{}`, too", one.class().name(), group.name)));
        }
        if let Some(mark) = class.changing_decorators().next() {
            return Err(class.code.refuse(mark.start(), "what this does to the fields is not known"));
        }
    }
    Ok(())
}

/// Lets every use of the field ask the other class.
async fn redirect(
    session: &Session,
    (group, to): (&MemberDeclarations<'_>, &Class<'_>),
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let code = group.code();
    let uses = Uses::of(session, code, group.start()).await?;
    edits.warn(uses.its_own(session).await?);
    // What goes to another class of the file goes on to need what it needed.
    let gone = if to.code.path == code.path { Vec::new() } else { group.spans() };
    let mut left: BTreeMap<&AbsPath, (&Code, Vec<Span>)> = BTreeMap::new();
    for (user, one) in uses.iter() {
        if user.path == code.path && group.members.iter().any(|it| it.name.span() == one.span) {
            continue;
        }
        let object = one.member(user).and_then(|member| member.child("object"));
        let object = object.filter(|_| matches!(one.kind, Use::Read | Use::Call | Use::Type));
        let said = one.kind.said();
        let object =
            object.ok_or_else(|| user.refuse(one.span.start, format!("it is {said} here, not read from its class")))?;
        check_object(user, object)?;
        edits.add(user, [TextEdit::new(object.span(), to.name())]);
        left.entry(&user.path).or_insert((user, Vec::new())).1.push(object.span());
    }
    for (user, spans) in left.values() {
        introduce(session, user, to, edits)?;
        let own = if user.path == code.path { gone.clone() } else { Vec::new() };
        required::leave(session, user, &[spans.clone(), own].concat(), edits);
    }
    if !left.contains_key(&code.path) {
        required::leave(session, code, &gone, edits);
    }
    Ok(())
}

/// Makes a class known in a file.
fn introduce(session: &Session, user: &Code, to: &Class<'_>, edits: &mut Edits) -> Result<(), Refusal> {
    if knows(session, user, to) {
        return Ok(());
    }
    let refuse = |reason: String| Err(Refusal::NotPossible(format!("{}: {reason}", user.shown)));
    if user.mentions(user.root(), to.name()) {
        return refuse(format!("`{}` refers to something else here", to.name()));
    }
    if required::leads_to(session, &to.code.path, &user.path) {
        return refuse(format!("it would have to import `{}`, which imports it", to.code.shown));
    }
    let Some(line) = required::line(session, to.code, user, to.name()) else { return Ok(()) };
    edits.import(user, [line]);
    if user.family() != Family::Python {
        edits.add(to.code, required::export(to.code, to.name())?);
    }
    Ok(())
}

/// Tells whether a class is known in a file by its own name already.
fn knows(session: &Session, user: &Code, to: &Class<'_>) -> bool {
    let names = ScopedNames::of(user);
    let spans = user.parsed().tree.identifiers_named(user.text(), to.name());
    let mut bindings = spans.into_iter().filter_map(|span| names.at(user.covering(span))).filter(|it| it.is_binding);
    let is_here = user.path == to.code.path;
    bindings.any(|it| is_here && it.span == to.name.span() || !is_here && required::imports(session, user, it, to.code))
}

/// Refuses objects that do something when they are asked for.
fn check_object(user: &Code, object: Node<'_>) -> Result<(), Refusal> {
    let is_bare =
        object.is_any(&["identifier", "this", "attribute", "member_expression"]) && object.text(user.text()) != "super";
    if is_bare && reach(&ScopedNames::of(user), user, object) != ExpressionReach::Acts {
        return Ok(());
    }
    Err(user.refuse(object.start(), "leaving out the object that it is read from could change something"))
}
