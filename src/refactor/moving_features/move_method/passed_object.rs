//! The object that a method belonged to, which the method is passed where it asks it for more than its new object.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, Member, MemberKind, usage};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::fields::held_as;
use crate::refactor::analysis::imports::types::see;
use crate::refactor::analysis::members::{MemberDeclarations, own_parameter};
use crate::refactor::analysis::opened_members::open_members;
use crate::refactor::analysis::parameters::{put_behind, put_first};
use crate::refactor::analysis::references::{UseKind as Use, Uses};
use crate::refactor::analysis::type_parameters::TypeParameters;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::TextEdit;

/// How the method comes to know it.
pub(super) struct Source<'c> {
    /// Where the method means it.
    pub uses: Vec<Node<'c>>,
    /// What it is called there.
    pub name: String,
    /// The parameter, with its type where the method has any.
    pub parameter: String,
}

impl<'c> Source<'c> {
    /// Looks for what a method asks its object, `field` left aside; nothing where that is all.
    pub(super) async fn of(
        session: &Session,
        kin: &ClassHierarchy<'_>,
        (group, function): (&MemberDeclarations<'c>, Node<'c>),
        field: Option<&str>,
        edits: &mut Edits,
    ) -> Result<Option<Self>, Refusal> {
        let code = group.code();
        let used = usage(code, group.members[0].node);
        let others: Vec<Node<'c>> = used.members.into_iter().filter(|it| Some(it.text(code.text())) != field).collect();
        let objects = others.iter().filter_map(|it| it.parent().and_then(|member| member.child("object")));
        let uses: Vec<Node<'c>> = objects.chain(used.whole).collect();
        if uses.is_empty() {
            return Ok(None);
        }
        let name = held_as(code, group.class.name());
        if code.mentions(function, &name) {
            return Err(group.refuse(format!("`{name}` is already in use in it")));
        }
        open_asked(kin, group, &others, edits).await?;
        if let Some(field) = field {
            check_kept(session, group, field).await?;
        }
        Ok(Some(Self { uses, parameter: name.clone(), name }))
    }

    /// Gives the parameter its type, as far as the other class's file can know it.
    pub(super) fn typed(
        self,
        session: &Session,
        (group, function): (&MemberDeclarations<'_>, Node<'_>),
        to: &Class<'_>,
        edits: &mut Edits,
    ) -> Result<Self, Refusal> {
        let (code, own) = (group.code(), group.class);
        let is_same = to.code.path == code.path;
        let types = ["typed_parameter", "typed_default_parameter", "type_annotation"];
        let is_typed = function.child("return_type").is_some()
            || function.child("parameters").is_some_and(|list| list.descendants().any(|it| it.is_any(&types)));
        let parameter = match code.family() {
            // What Python imports runs: the file of the class imports the other one already.
            Family::Python if !is_typed || !is_same => self.name.clone(),
            Family::Python => format!("{}: \"{}\"", self.name, own.name()),
            _ if !code.is_typed_script() => self.name.clone(),
            _ => {
                see(session, to.code, (code, own.name()), edits)?;
                format!("{}: {}", self.name, TypeParameters::of_class(&own).said(own.name()))
            }
        };
        Ok(Self { parameter, ..self })
    }

    /// Puts the parameter first in the list, behind the new object's own.
    pub(super) fn first(&self, group: &MemberDeclarations<'_>, function: Node<'_>) -> Option<TextEdit> {
        let list = function.child("parameters")?;
        if let Some(own) = own_parameter(group, function) {
            return Some(put_behind(group.code(), own, &self.parameter));
        }
        Some(put_first(group.code(), list, &self.parameter))
    }
}

/// Makes members public that only the class may ask for, and that the method asks for from elsewhere.
pub(super) async fn open_asked(
    kin: &ClassHierarchy<'_>,
    group: &MemberDeclarations<'_>,
    asked: &[Node<'_>],
    edits: &mut Edits,
) -> Result<(), Refusal> {
    let asked: Vec<Node<'_>> = asked.iter().copied().chain(asked_otherwise(group)).collect();
    let who = format!("`{}`", group.name);
    open_members(kin, &group.class, (&asked, &who), edits).await.map(drop)
}

/// Returns the members that a method takes out of its object, and those that one of a script asks its class for:
/// `Range.parse(text)`.
fn asked_otherwise<'c>(group: &MemberDeclarations<'c>) -> impl Iterator<Item = Node<'c>> {
    let (code, class, member) = (group.code(), group.class.name(), group.members[0].node);
    let is_of_class = move |it: &Node<'c>| it.child("object").is_some_and(|object| object.text(code.text()) == class);
    let of_class = member.descendants().filter(|it| it.is("member_expression")).filter(is_of_class);
    usage(code, member).taken_apart().into_iter().chain(of_class.filter_map(|it| it.child("property")))
}

/// Refuses a field that could be another object's before the method ends.
async fn check_kept(session: &Session, group: &MemberDeclarations<'_>, field: &str) -> Result<(), Refusal> {
    let code = group.code();
    let members = group.class.members_named(field);
    let Some(first) = members.first() else { return Ok(()) };
    let constructors: Vec<Member<'_>> =
        group.class.members().into_iter().filter(|it| it.kind == MemberKind::Constructor).collect();
    let uses = Uses::of(session, code, first.name.start()).await?;
    for (user, one) in uses.iter() {
        let is_set = matches!(one.kind, Use::Write | Use::Update | Use::Bind | Use::Delete);
        let is_made = user.path == code.path && constructors.iter().any(|it| it.node.span().contains(one.span));
        if is_set && !is_made {
            return Err(user.refuse(one.span.start, format!("`{field}` is set here, perhaps while the method runs")));
        }
    }
    Ok(())
}

/// Returns the parameter by which a function of a script says what its object is.
pub(super) fn this_parameter(function: Node<'_>) -> Option<Node<'_>> {
    let mut all = function.child("parameters")?.named_children();
    all.find(|it| it.child("pattern").is_some_and(|name| name.is("this")))
}
