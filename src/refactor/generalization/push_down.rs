//! Push Down Method and Push Down Field.
//!
//! ```python
//! class Party:                         class Party:
//!     def salary(self): ...                pass
//!                                  →
//! class Person(Party):                 class Person(Party):
//!     pass                                 def salary(self): ...
//! ```

mod instance;

use crate::lsp::Place;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, ClassHierarchy, LocatedClass, MemberKind, receiver};
use crate::refactor::analysis::constructor_calls::check_unmade;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::members::{Destination, MemberDeclarations, check_outermost};
use crate::refactor::analysis::override_conflicts::Family;
use crate::refactor::analysis::references::{UseKind as Use, Uses};
use crate::refactor::analysis::{blocks, data_classes, field_initialization};
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::{each, refuse_all};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::Node;
use crate::syntax::target::last_name;
use instance::Given;

pub(crate) const METHOD: Run = |session, request| Box::pin(plan(session, request, MemberKind::Method));
pub(crate) const FIELD: Run = |session, request| Box::pin(plan(session, request, MemberKind::Field));

async fn plan(session: &Session, request: &Request, kind: MemberKind) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let group = MemberDeclarations::at(&code, blocks::place(&code, &request.target), Destination::Elsewhere)?;
    let given = if kind == MemberKind::Field { Given::of(&group)? } else { None };
    if given.is_none() {
        group.check_kind(kind, "move the statement that sets it first")?;
        group.check_bound().noted()?;
    }
    check_outermost(&group.class).noted()?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let chosen = chosen(session, &kin, &group.class, request.params.text("to")).await?;
    let is_of_data = kind == MemberKind::Field && data_classes::mark(&group.class).is_some();
    let mut edits = Edits::default();
    let mut reached = Vec::new();
    let places: Vec<Place> = chosen.iter().map(LocatedClass::place).collect();
    for heir in &chosen {
        let to = heir.class();
        check_outermost(&to).noted()?;
        if to.has(group.name) {
            return Err(to.code.refuse(to.name.start(), format!("`{}` has a `{}` of its own", to.name(), group.name)));
        }
        let order = if to.code.path == code.path { group.check_order(&to, None) } else { Ok(()) };
        let family = Family::of(&kin, (&to, group.name), &group.class).await?;
        let fields =
            if kind == MemberKind::Field { field_initialization::check_push(&group, &family, &to) } else { Ok(()) };
        each([order, family.check_push(&group, &chosen), fields, check_private(&group, &[])])?;
        match &given {
            Some(given) => {
                for one in family.own().filter(|one| one.place() != heir.place()) {
                    instance::check_made(&one.class()).noted()?;
                }
                edits.add(to.code, [given.put_into(&to)?]);
            }
            None => {
                let put = if is_of_data { group.put_ahead(&to)? } else { group.put_into(&to)? };
                edits.add(to.code, [put]);
                group.carry(session, &to, &mut edits)?;
            }
        }
        reached.extend(family.own().cloned());
        if heir.place() == places[0] {
            family.take_override((group.name, &places), &mut edits);
        }
    }
    if is_of_data {
        check_unmade(session, &group.class).await.noted()?;
        check_left(&kin, &group, &reached).await.noted()?;
    }
    let uses = Uses::of(session, &code, group.start()).await?;
    edits.warn(uses.certain(session).await?);
    check_uses(&kin, &group, &uses, &reached).await.noted()?;
    match &given {
        Some(given) => edits.add(&code, [given.taken_out()]),
        None => edits.add(&code, group.class.without(&group.members)?),
    }
    required::leave(session, &code, &group.spans(), &mut edits);
    edits.plan()
}

/// Refuses other subclasses of a dataclass: their constructors would take one value less.
async fn check_left(
    kin: &ClassHierarchy<'_>,
    group: &MemberDeclarations<'_>,
    reached: &[LocatedClass],
) -> Result<(), Refusal> {
    let heirs = kin.heirs(&group.class).await?;
    let left = heirs.iter().filter(|heir| !reached.iter().any(|one| one.place() == heir.place()));
    refuse_all(left.map(|heir| {
        let class = heir.class();
        let reason = format!("the constructor of `{}` would not take `{}` any more", class.name(), group.name);
        heir.code.refuse(class.name.start(), reason)
    }))
}

/// Finds the subclasses that are named, separated by commas.
async fn chosen(
    session: &Session,
    kin: &ClassHierarchy<'_>,
    class: &Class<'_>,
    wanted: &str,
) -> Result<Vec<LocatedClass>, Refusal> {
    let heirs = kin.heirs(class).await?;
    let mut chosen = Vec::new();
    for name in wanted.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let last = last_name(name);
        let path = name.strip_suffix(last).unwrap_or_default().trim_end_matches(['.', ':', '#']);
        let is_meant = |heir: &&LocatedClass| heir.class().name() == last && heir.code.shown.ends_with(path);
        let mut found = heirs.iter().filter(is_meant);
        match (found.next(), found.next()) {
            (Some(heir), None) => {
                Code::read(session, &heir.code.path)?;
                chosen.push(heir.clone());
            }
            (Some(one), Some(_)) => {
                let reason = format!("several subclasses are called `{last}`: say `{}::{last}`", one.code.shown);
                return Err(class.code.refuse(class.name.start(), reason));
            }
            (None, _) => {
                let known: Vec<String> = heirs.iter().map(|heir| format!("`{}`", heir.class().name())).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let reason = format!("`{last}` is not a subclass of `{}`: its subclasses are {known}", class.name());
                return Err(class.code.refuse(class.name.start(), reason));
            }
        }
    }
    Ok(chosen)
}

/// Refuses members that ask for what only their own class may see, and what does not go with them.
pub(crate) fn check_private(group: &MemberDeclarations<'_>, along: &[&str]) -> Result<(), Refusal> {
    let check = |node: Node<'_>| {
        let name = node.text(group.code().text());
        let members = group.class.members_named(name);
        let is_private = members.iter().any(|member| member.is_marked(group.code(), "private"));
        match is_private && !along.contains(&name) {
            true => Err(group.code().refuse(node.start(), format!("`{name}` is private to `{}`", group.class.name()))),
            false => Ok(()),
        }
    };
    each(group.asked().into_iter().map(check)).map(drop)
}

/// Refuses uses by objects that would not have the member any more.
async fn check_uses(
    kin: &ClassHierarchy<'_>,
    group: &MemberDeclarations<'_>,
    uses: &Uses,
    reached: &[LocatedClass],
) -> Result<(), Refusal> {
    let mut lost = Vec::new();
    for (code, one) in uses.iter() {
        let is_own = code.path == group.code().path && group.members.iter().any(|it| it.node.span().contains(one.span));
        if is_own || one.kind == Use::Definition {
            continue;
        }
        let node = one.node(code);
        let object = one.member(code).and_then(|member| member.child("object"));
        if is_passed(code, node, reached) {
            continue;
        }
        let is_reached = match object {
            Some(object) => is_reached(kin, (code, object), (group, reached)).await?,
            None => false,
        };
        if !is_reached {
            let reason = format!("`{}` is used here, where it would not be available any more", group.name);
            lost.push(code.refuse(node.start(), reason));
        }
    }
    refuse_all(lost)
}

/// Tells whether the constructor of a class that gets the member is given it by its name.
fn is_passed(code: &Code, name: Node<'_>, reached: &[LocatedClass]) -> bool {
    let argument = name.parent().filter(|it| it.is("keyword_argument") && it.child("name") == Some(name));
    let call = argument.and_then(Node::parent).and_then(Node::parent).filter(|it| it.is("call"));
    let made = call.and_then(|call| call.child("function")).map(|it| last_name(it.text(code.text())));
    made.is_some_and(|made| reached.iter().any(|one| one.class().name() == made))
}

/// Tells whether an object is certainly of a class that gets the member, or has its own.
async fn is_reached(
    kin: &ClassHierarchy<'_>,
    (code, object): (&Code, Node<'_>),
    (group, reached): (&MemberDeclarations<'_>, &[LocatedClass]),
) -> Result<bool, Refusal> {
    let method = std::iter::successors(function_of(object), |outer| function_of(*outer)).last();
    let is_self = method.and_then(|method| receiver(code, method)) == Some(object.text(code.text()));
    let own = Class::around(code, object).filter(|_| is_self);
    let found = match own {
        Some(own) => vec![kin.itself(&own)?],
        None => kin.classes_of(code, object).await?,
    };
    let has_own = |class: &LocatedClass| class.place() != group.class.place() && class.class().has(group.name);
    let is_one = |class: &LocatedClass| reached.iter().any(|one| one.place() == class.place()) || has_own(class);
    Ok(!found.is_empty() && found.iter().all(is_one))
}
