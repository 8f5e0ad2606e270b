//! Inline Class.
//!
//! ```python
//! class Telephone:                         class Person:
//!     def __init__(self, area):                def __init__(self, area):
//!         self.area = area                         self.area = area
//!                                      →
//! class Person:                            print(ann.area)
//!     def __init__(self, area):
//!         self.telephone = Telephone(area)
//!
//! print(ann.telephone.area)
//! ```
//! One class alone makes objects of the other one, each with its own, and hands none of them on.

mod joined_constructor;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, Member, MemberKind, Slot, lines};
use crate::refactor::analysis::delegate_field::HeldObject;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::whole_exports::doubt_offered;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inherited_members::{Lineage, check_remade};
use crate::refactor::analysis::members::{Destination, MemberDeclarations, check_outermost};
use crate::refactor::analysis::references::Uses;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Family;
use crate::syntax::target::last_name;
use crate::text::TextEdit;
use joined_constructor::unfolded;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    let wanted = request.params.needed("into")?;
    let name = last_name(wanted);
    let into = Class::called(&code, name).filter(|it| it.node != class.node);
    let into = into.ok_or_else(|| {
        let reason = format!("`{name}` is no other class of this file: move one of them to where the other is first");
        code.refuse(class.name.start(), reason)
    })?;
    check_outermost(&class).noted()?;
    check_outermost(&into).noted()?;
    check_remade(&into).noted()?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let held = HeldObject::making(&into, &class)?;
    let line = Lineage::of(&kin, kin.itself(&class)?).await?;
    check_alone(session, &kin, (&class, &held), &line).await.noted()?;
    let offered = doubt_offered(session, (&code, class.statement()), class.name())?;
    let gone = held.forwarders(&line);
    held.check_names(&kin, &line, &gone).await.noted()?;
    check_above(&kin, &into, &line).await.noted()?;
    let mut edits = Edits::default();
    edits.warn(offered);
    held.redirect(session, &gone, &mut edits).await?;
    let unfolded = unfolded(&class, &held)?;
    edits.add(&code, unfolded.edits);
    edits.add(&code, moved(&class, &held, &gone, unfolded.fields)?);
    edits.add(&code, [TextEdit::new(lines(&class), "")]);
    edits.warn(held.field.listed(session, &format!("fields of {}", into.name())));
    if code.family() == Family::Script {
        let doubt = "only a check can tell whether the types fit";
        edits.warn([Warning::of_plan(WarningKind::Unproven, doubt)]);
    }
    edits.plan()
}

/// Refuses a class that anybody else knows, and one that is more than its members.
async fn check_alone(
    session: &Session,
    kin: &ClassHierarchy<'_>,
    (class, held): (&Class<'_>, &HeldObject<'_>),
    line: &Lineage,
) -> Result<(), Refusal> {
    let code = class.code;
    line.check_complete()?;
    if !class.bases().is_empty() || class.node.child_of_kind("class_heritage").is_some() {
        return Err(code.refuse(class.name.start(), format!("`{}` extends something", class.name())));
    }
    if let Some(heir) = kin.heirs(class).await?.first() {
        return Err(code.refuse(class.name.start(), format!("`{}` extends it", heir.class().name())));
    }
    if let Some(mark) = held.class.changing_decorators().next() {
        return Err(code.refuse(mark.start(), "what this does to the class is not known"));
    }
    let is_member = |node| class.members().iter().any(|member| member.node == node);
    let is_text = |node: &crate::syntax::Node<'_>| node.named_children().next().is_some_and(|it| it.is("string"));
    let mut loose = class.body.named_children().filter(|it| !is_text(it) && !it.is("pass_statement"));
    if let Some(node) = loose.find(|node| !is_member(*node)) {
        return Err(code.refuse(node.start(), "this is not a member that could go"));
    }
    let uses = Uses::of(session, code, class.name.start()).await?;
    for (user, one) in uses.iter() {
        let is_here = user.path == code.path;
        let is_made = held.statement.is_some_and(|it| it.span().contains(one.span))
            || held.field.members.iter().any(|it| it.kind == MemberKind::Field && it.node.span().contains(one.span));
        if !is_here || !is_made && one.span != class.name.span() {
            let reason = format!("`{}` is {} here, too", class.name(), one.kind.said());
            return Err(user.refuse(one.span.start, reason));
        }
    }
    Ok(())
}

/// Refuses members that would override what the other class inherits.
async fn check_above(kin: &ClassHierarchy<'_>, into: &Class<'_>, line: &Lineage) -> Result<(), Refusal> {
    let (above, unknown) = kin.ancestors(into).await?;
    let at = into.name.start();
    if let Some(base) = unknown.first() {
        let reason = format!("`{base}`, from which `{}` inherits, cannot be resolved", into.name());
        return Err(into.code.refuse(at, reason));
    }
    for own in line.inherited() {
        if let Some(other) = above.iter().find(|it| it.class().has(&own.name)) {
            let reason = format!("`{}` has a `{}`, too", other.class().name(), own.name);
            return Err(into.code.refuse(at, reason));
        }
    }
    Ok(())
}

/// Puts the members of the class into the other one, where there was one that only asked for it.
fn moved(
    class: &Class<'_>,
    held: &HeldObject<'_>,
    gone: &[Member<'_>],
    mut fields: Vec<String>,
) -> Result<Vec<TextEdit>, Refusal> {
    let (code, into) = (class.code, held.class);
    let (end, indent, layout) = (code.newline(), into.indent(), Layout::of(code));
    let (mut edits, mut methods) = (Vec::new(), Vec::new());
    let mut left: Vec<Member<'_>> = gone.to_vec();
    for member in class.members() {
        let is_declared = matches!(member.kind, MemberKind::Field | MemberKind::Method);
        if !is_declared {
            continue;
        }
        let name = member.name.text(code.text());
        MemberDeclarations::named(*class, name, Destination::Elsewhere)?.check_order(&into, None)?;
        let text = layout.moved(class.extent(&member)?, &indent);
        let place = left.iter().position(|it| it.name.text(code.text()) == name);
        match (member.kind, place) {
            (MemberKind::Field, _) => fields.push(text),
            (_, Some(at)) => edits.push(TextEdit::new(into.extent(&left.remove(at))?, text)),
            (_, None) => methods.push(text),
        }
    }
    let declared = held.field.members.iter().find(|it| it.kind == MemberKind::Field);
    match declared {
        Some(member) if !fields.is_empty() => {
            edits.push(TextEdit::new(into.extent(member)?, fields.join(&format!("{end}{indent}"))));
        }
        Some(member) => left.push(*member),
        None if !fields.is_empty() => edits.push(into.with(Slot::Field, &fields)),
        None => {}
    }
    edits.extend(into.without(&left)?);
    if !methods.is_empty() {
        edits.push(into.with(Slot::Method, &methods));
    }
    Ok(edits)
}
