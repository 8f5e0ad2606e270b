//! Collapse Hierarchy: a subclass goes into its superclass.
//!
//! ```python
//! class Employee:                      class Employee:
//!     def name(self): ...                  def name(self): ...
//!                                  →
//! class Salesman(Employee):                def quota(self): ...
//!     def quota(self): ...
//!
//! Salesman().quota()                   Employee().quota()
//! ```

mod merged_constructor;

use super::chosen_superclass::superclass;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, Member, MemberKind, Slot, lines, usage};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::field_initialization;
use crate::refactor::analysis::imports::listed::delisted;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::whole_exports::doubt_offered;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{MemberDeclarations, check_outermost};
use crate::refactor::analysis::references::{Use as Reference, UseKind as Use, Uses};
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::dunder_all;
use crate::syntax::{Family, Node};
use crate::text::TextEdit;
use merged_constructor::Merged;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    class.check_extends()?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let base = superclass(session, &kin, &class, request.params.text("to")).await?;
    let to = base.class();
    check_outermost(&class).noted()?;
    check_outermost(&to).noted()?;
    let groups = groups(&class)?;
    check_pair(&class, &to).noted()?;
    match groups.is_empty() {
        true => check_unasked(session, &class).await.noted()?,
        false => check_only(session, &kin, (&class, &to)).await.noted()?,
    }
    let mut edits = Edits::default();
    edits.warn(doubt_offered(session, (&code, class.statement()), class.name())?);
    let mut new: Vec<&MemberDeclarations<'_>> = Vec::new();
    for group in &groups {
        check_group(group, &to).noted()?;
        match to.members_named(group.name).as_slice() {
            [] => new.push(group),
            // Nobody asked for what the superclass had under that name: no object was of it alone.
            [first, rest @ ..] => {
                let text = written(group, &to)?.join(&format!("{}{}", code.newline().repeat(2), to.indent()));
                edits.add(&code, [TextEdit::new(to.extent(first)?, text)]);
                edits.add(&code, to.without(rest)?);
            }
        }
    }
    let mut parts = [(Slot::Field, Vec::new()), (Slot::Method, Vec::new())];
    for group in new {
        let at = usize::from(!group.is_all(MemberKind::Field));
        parts[at].1.extend(written(group, &to)?);
    }
    edits.add(&code, to.with_each(&parts));
    edits.add(&code, [TextEdit::new(lines(&class), "")]);
    rename(session, (&class, &to), &mut edits).await?;
    edits.plan()
}

/// Refuses two classes that are not a plain pair.
fn check_pair(class: &Class<'_>, to: &Class<'_>) -> Result<(), Refusal> {
    let code = class.code;
    let refuse = |reason: String| Err(code.refuse(class.name.start(), reason));
    if to.code.path != code.path {
        return refuse(format!("`{}` stands in another file: move one of them first", to.name()));
    }
    let bases = class.node.child("superclasses").map_or(1, |list| list.named_children().count());
    let has_more = class.node.child("type_parameters").is_some() || to.node.child("type_parameters").is_some();
    let implements = class.node.child_of_kind("class_heritage").and_then(|it| it.child_of_kind("implements_clause"));
    if bases > 1
        || has_more
        || implements.is_some()
        || class.changing_decorators().chain(to.changing_decorators()).next().is_some()
    {
        return refuse(format!("`{}` is more than a subclass of `{}`", class.name(), to.name()));
    }
    Ok(())
}

/// Refuses where something asks for the class of an object: objects of the superclass are then of it, too.
async fn check_unasked(session: &Session, class: &Class<'_>) -> Result<(), Refusal> {
    let uses = Uses::of(session, class.code, class.name.start()).await?;
    match uses.iter().find(|(_, one)| one.kind == Use::Read) {
        Some((user, one)) => {
            let reason = format!("what is asked here of `{}` is asked of its superclass, too, then", class.name());
            Err(user.refuse(one.span.start, reason))
        }
        None => Ok(()),
    }
}

/// Refuses where an object could be of the superclass and not of the subclass.
async fn check_only(
    session: &Session,
    kin: &ClassHierarchy<'_>,
    (class, to): (&Class<'_>, &Class<'_>),
) -> Result<(), Refusal> {
    let code = class.code;
    let refuse = |reason: String| Err(code.refuse(class.name.start(), reason));
    if let Some(other) = kin.below(to).await?.iter().find(|heir| heir.place() != class.place()) {
        return refuse(format!("`{}` is a subclass of `{}`, too", other.class().name(), to.name()));
    }
    let uses = Uses::of(session, code, to.name.start()).await?;
    for (user, one) in uses.iter() {
        if is_entry(user, one) {
            continue;
        }
        if matches!(one.kind, Use::Call | Use::New | Use::Read | Use::Update | Use::Write | Use::Bind | Use::Text) {
            return Err(user
                .refuse(one.span.start, format!("a `{}` that is no `{}` may be made here", to.name(), class.name())));
        }
    }
    Ok(())
}

/// Tells whether a text is an entry of `__all__`.
fn is_entry(user: &Code, one: &Reference) -> bool {
    one.kind == Use::Text && dunder_all(&user.parsed().tree, user.text()).iter().any(|(_, span)| *span == one.span)
}

/// Returns the members of the subclass, name by name.
fn groups<'c>(class: &Class<'c>) -> Result<Vec<MemberDeclarations<'c>>, Refusal> {
    let code = class.code;
    let all = class.members();
    let is_loose = |node: &Node<'c>| {
        let is_docstring = node.named_children().next().is_some_and(|it| it.is("string"));
        !is_docstring
            && !node.is_any(&["pass_statement", "decorator"])
            && !all.iter().any(|member| member.node == *node)
    };
    if let Some(node) = class.body.named_children().find(is_loose) {
        return Err(code.refuse(node.start(), "this is not a member that could go"));
    }
    let mut groups: Vec<MemberDeclarations<'c>> = Vec::new();
    for member in &all {
        let name = member.name.text(code.text());
        if matches!(member.kind, MemberKind::Assigned | MemberKind::Parameter)
            || groups.iter().any(|group| group.name == name)
        {
            continue;
        }
        let same = |it: &&Member<'c>| {
            it.name.text(code.text()) == name && !matches!(it.kind, MemberKind::Assigned | MemberKind::Parameter)
        };
        let members: Vec<Member<'c>> = all.iter().filter(same).copied().collect();
        groups.push(MemberDeclarations { class: *class, name, members });
    }
    Ok(groups)
}

/// Refuses members that would be something else in the superclass.
fn check_group(group: &MemberDeclarations<'_>, to: &Class<'_>) -> Result<(), Refusal> {
    let code = group.code();
    group.check_bound_names(to)?;
    for member in &group.members {
        if member.kind == MemberKind::Other {
            return Err(group.refuse(format!("`{}` is declared together with something else", group.name)));
        }
        let merged = Merged::of(code, member, to)?;
        let is_own = |node: &&Node<'_>| merged.as_ref().is_some_and(|it| it.statement.span().contains(node.span()));
        if let Some(node) = usage(code, member.node).bound.iter().find(|it| !is_own(it)) {
            return Err(code.refuse(node.start(), format!("it asks `{}` for what would be itself then", to.name())));
        }
    }
    if group.members.iter().any(|it| it.kind == MemberKind::Field) {
        field_initialization::check_value(group)?;
    }
    let is_field = |members: &[Member<'_>]| {
        members.iter().any(|it| it.kind != MemberKind::Method && it.kind != MemberKind::Constructor)
    };
    let old = to.members_named(group.name);
    match !old.is_empty() && (is_field(&old) || is_field(&group.members)) {
        true => Err(group.refuse(format!("`{}` has a `{}`, too", to.name(), group.name))),
        false => Ok(()),
    }
}

/// Writes members for the superclass; a constructor does what it had the one of the superclass do.
fn written(group: &MemberDeclarations<'_>, to: &Class<'_>) -> Result<Vec<String>, Refusal> {
    let [member] = group.members.as_slice() else { return group.written(&to.indent()) };
    match Merged::of(group.code(), member, to)? {
        Some(merged) => {
            let extent = group.class.extent(member)?;
            Ok(vec![Layout::of(group.code()).moved_with(extent, &to.indent(), &merged.edits()?)])
        }
        None => group.written(&to.indent()),
    }
}

/// Lets everybody who means the subclass mean the superclass.
async fn rename(session: &Session, (class, to): (&Class<'_>, &Class<'_>), edits: &mut Edits) -> Result<(), Refusal> {
    let uses = Uses::of(session, class.code, class.name.start()).await?;
    let gone = lines(class);
    for (user, one) in uses.iter() {
        let is_here = user.path == class.code.path;
        if is_here && gone.contains(one.span) {
            let is_inside = class.body.span().contains(one.span) || one.kind != Use::Definition;
            if is_inside {
                return Err(user.refuse(one.span.start, format!("`{}` names itself here", class.name())));
            }
            continue;
        }
        if is_entry(user, one) {
            let is_there = dunder_all(&user.parsed().tree, user.text()).iter().any(|(name, _)| name == to.name());
            match is_there {
                true => edits.add(user, delisted(user, &[class.name()])?),
                false => edits.add(user, [TextEdit::new(one.span, to.name())]),
            }
            continue;
        }
        let is_plain =
            matches!(one.kind, Use::Import | Use::Export | Use::Base | Use::Call | Use::New | Use::Read | Use::Type);
        let node = one.node(user);
        let is_aliased = node.parent().is_some_and(|it| it.child("alias").is_some());
        if !is_plain || is_aliased || one.span.of(user.text()) != Some(class.name()) {
            return Err(user.refuse(one.span.start, format!("`{}` is {} here", class.name(), one.kind.said())));
        }
        if !is_here && user.mentions(user.root(), to.name()) {
            let reason = format!("`{}` is already in use in this file, where `{}` is used", to.name(), class.name());
            return Err(user.refuse(one.span.start, reason));
        }
        edits.add(user, [TextEdit::new(one.span, to.name())]);
    }
    if class.code.family() != Family::Python {
        let is_exported = |class: &Class<'_>| class.statement().is("export_statement");
        if is_exported(class) && !is_exported(to) {
            edits.add(to.code, required::export(to.code, to.name())?);
        }
    }
    Ok(())
}
