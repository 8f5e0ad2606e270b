//! Dataclasses of Python: their fields are what the constructor that they are given takes, in their order, and what two
//! objects are compared by. Fields that lead may go to a class above: then the order stays.

use super::classes::{Class, Member, MemberKind, PLAIN};
use super::evaluation_order::{ExpressionReach, reach};
use super::members::MemberDeclarations;
use super::override_conflicts::Family;
use crate::refactor::Refusal;
use crate::refactor::refusal::each;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::target::last_name;
use crate::syntax::{self, Node};

/// Returns the only decorator of a class, which makes it a dataclass.
pub(crate) fn mark<'c>(class: &Class<'c>) -> Option<&'c str> {
    let mut marks = class.decorators().map(|it| it.text(class.code.text()));
    let mark = marks.next().filter(|_| class.code.family() == syntax::Family::Python && marks.next().is_none())?;
    let called = mark.trim_start_matches('@').split('(').next().unwrap_or_default().trim();
    matches!(called, "dataclass" | "dataclasses.dataclass").then_some(mark)
}

/// Returns what makes a field of a dataclass that the constructor takes nothing for: `field(init=False)`. Classes apart whose
/// objects are compared by all fields in their order, or cannot be changed.
pub(crate) fn made_apart<'c>(class: &Class<'c>, members: &[Member<'c>]) -> Option<Node<'c>> {
    const WHOLE: &[&str] = &["frozen", "order", "unsafe_hash"];
    let text = class.code.text();
    mark(class).filter(|mark| !WHOLE.iter().any(|word| mark.contains(word)))?;
    let declared = members.iter().find(|it| it.kind == MemberKind::Field)?;
    let value = declared.name.parent().and_then(|it| it.child("right"))?;
    let function = value.child("function").filter(|_| is_told(class.code, value))?;
    let is_left_out = |it: &Node<'_>| {
        let said = |name: &str| it.child(name).map(|it| it.text(text));
        it.is("keyword_argument") && said("name") == Some("init") && said("value") == Some("False")
    };
    let mut given = value.child("arguments").into_iter().flat_map(Node::named_children);
    given.any(|it| is_left_out(&it)).then_some(function)
}

/// Tells whether a value tells `@dataclass` of a field: `field(default=1)`.
fn is_told(code: &Code, value: Node<'_>) -> bool {
    let function = value.child("function").filter(|_| value.is("call"));
    function.is_some_and(|it| matches!(it.text(code.text()), "field" | "dataclasses.field"))
}

/// Says why a field of a class that something decorates cannot become something else, or go.
pub(crate) fn reason(class: &Class<'_>, mark: Node<'_>) -> String {
    let said = mark.text(class.code.text()).lines().next().unwrap_or_default();
    match self::mark(class) {
        Some(_) => format!("`{said}` makes a constructor and comparisons of the fields, and would make others"),
        None => format!("what `{said}` does to the fields is not known"),
    }
}

/// Refuses a field that would make another constructor if it went to a class above: there it comes last.
pub(crate) fn check_pull(group: &MemberDeclarations<'_>, family: &Family) -> Result<(), Refusal> {
    check_leads(&group.class, &[group.name])?;
    check_default(group)?;
    let own = mark(&group.class);
    let above = family.above().map(|one| {
        let class = one.class();
        match PLAIN.contains(&class.name()) || mark(&class) == own && !has_marker(&class) {
            true => Ok(()),
            false => Err(group.refuse(format!("`{}` is not made a dataclass in the same way", class.name()))),
        }
    });
    each(above)?;
    let heirs = family.all().filter(|one| one.class().has(group.name)).map(|one| {
        let class = one.class();
        let is_single = class.bases().iter().filter(|it| !PLAIN.contains(&it.text(class.code.text()))).count() == 1;
        let refuse = || class.code.refuse(class.name.start(), "the order of its fields depends on several classes");
        check_leads(&class, &[group.name])?;
        if is_single { Ok(()) } else { Err(refuse()) }
    });
    each(heirs)?;
    match family.without(group.name) {
        Some(other) => {
            let other = other.class();
            let reason = format!("the constructor of `{}` would take `{}`, too", other.name(), group.name);
            Err(other.code.refuse(other.name.start(), reason))
        }
        None => Ok(()),
    }
}

/// Refuses a field that would make another constructor of a subclass if it went there: there it comes first.
pub(crate) fn check_push(group: &MemberDeclarations<'_>, family: &Family, to: &Class<'_>) -> Result<(), Refusal> {
    check_default(group)?;
    let class = &group.class;
    let refuse = |reason: String| Err(to.code.refuse(to.name.start(), reason));
    if let Some((last, _)) = fields(class).pop().filter(|(last, _)| *last != group.name) {
        let reason = format!("the constructor of `{}` would take its parameters in another order", to.name());
        return Err(group.refuse(format!("{reason}: `{last}` stands behind `{}`", group.name)));
    }
    let is_same = mark(class) == mark(to) && !has_marker(class) && !has_marker(to);
    if !is_same || class.constructor().is_some() || to.constructor().is_some() {
        return refuse(format!("`{}` is not made a dataclass in the same way", to.name()));
    }
    let bases = to.bases();
    let is_next = matches!(bases[..], [base] if last_name(base.text(to.code.text())) == class.name());
    let several = family.own().find(|one| one.class().bases().len() > 1);
    match several {
        Some(one) => {
            Err(one.code.refuse(one.class().name.start(), "the order of its fields depends on several classes"))
        }
        None if !is_next => refuse(format!("`{}` does not extend `{}` itself", to.name(), class.name())),
        None => Ok(()),
    }
}

/// Refuses fields of a dataclass that are not those that stand first.
pub(crate) fn check_leads(class: &Class<'_>, names: &[&str]) -> Result<(), Refusal> {
    let all = fields(class);
    match all.iter().take(names.len()).find(|(name, _)| !names.contains(name)) {
        None if all.len() >= names.len() => Ok(()),
        None => Err(class.code.refuse(class.name.start(), "not all of that are fields of the dataclass")),
        Some((first, _)) => {
            let reason = format!("the constructor of `{}` would take its parameters in another order", class.name());
            let at = all.iter().find(|(name, _)| names.contains(name)).map_or(class.name.start(), |(_, it)| it.start());
            Err(class.code.refuse(at, format!("{reason}: `{first}` stands first")))
        }
    }
}

/// Refuses a default that could be another one in another class.
pub(crate) fn check_default(group: &MemberDeclarations<'_>) -> Result<(), Refusal> {
    let code = group.code();
    let names = ScopedNames::of(code);
    for member in &group.members {
        let Some(value) = member.name.parent().and_then(|it| it.child("right")) else { continue };
        let is_told = is_told(code, value);
        let given = value.child("arguments").filter(|_| is_told).into_iter().flat_map(Node::named_children);
        let parts: Vec<Node<'_>> =
            if is_told { given.filter_map(|it| it.child("value")).collect() } else { vec![value] };
        let is_open = |part: &&Node<'_>| {
            !part.is_any(&["lambda", "identifier"]) && reach(&names, code, **part) != ExpressionReach::Local
        };
        if let Some(part) = parts.iter().find(is_open) {
            return Err(code.refuse(part.start(), "the value may be another one when it is made at another time"));
        }
    }
    Ok(())
}

/// Returns the fields of a dataclass that its own body declares, in their order.
fn fields<'c>(class: &Class<'c>) -> Vec<(&'c str, Node<'c>)> {
    let text = class.code.text();
    let of = |name: Node<'c>| name.parent().and_then(|it| it.child("type"));
    let all = class.members().into_iter().filter(|it| it.kind == MemberKind::Field);
    let typed = all.filter(|it| of(it.name).is_some_and(|it| !it.text(text).contains("ClassVar")));
    typed.map(|it| (it.name.text(text), it.name)).collect()
}

/// Tells whether a dataclass says that what follows is passed by name.
fn has_marker(class: &Class<'_>) -> bool {
    let of = |name: Node<'_>| name.parent().and_then(|it| it.child("type")).map_or("", |it| it.text(class.code.text()));
    fields(class).into_iter().any(|(_, name)| of(name).contains("KW_ONLY"))
}
