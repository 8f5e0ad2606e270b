//! Fields that move along a line of classes: when they get their values, and whether anybody sees the difference.

use std::collections::BTreeSet;

use super::classes::{Class, MemberKind, PLAIN, usage};
use super::data_classes;
use super::evaluation_order::{ExpressionReach, reach};
use super::inherited_members::is_exception;
use super::members::MemberDeclarations;
use super::override_conflicts::Family;
use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::is_class;
use crate::syntax::{Family as Languages, Node, is_any_function};

/// Refuses a field whose value could be another one, or be seen earlier, in a superclass.
pub(crate) fn check_pull(group: &MemberDeclarations<'_>, family: &Family) -> Result<(), Refusal> {
    if data_classes::mark(&group.class).is_some() {
        return data_classes::check_pull(group, family);
    }
    check_value(group)?;
    for standing in family.above() {
        let class = standing.class();
        match group.code().family() {
            Languages::Python => check_plain(group, &class)?,
            _ => check_constructor(group, &class)?,
        }
    }
    Ok(())
}

/// Refuses a field that would be another thing in a subclass.
pub(crate) fn check_push(group: &MemberDeclarations<'_>, family: &Family, to: &Class<'_>) -> Result<(), Refusal> {
    if data_classes::mark(&group.class).is_some() {
        return data_classes::check_push(group, family, to);
    }
    check_value(group)?;
    if group.code().family() == Languages::Python {
        check_plain(group, to)?;
        for standing in family.above() {
            check_plain(group, &standing.class())?;
        }
    }
    Ok(())
}

/// Refuses a value that does something, or that depends on when it is asked for.
pub(crate) fn check_value(group: &MemberDeclarations<'_>) -> Result<(), Refusal> {
    let code = group.code();
    let names = ScopedNames::of(code);
    for member in &group.members {
        let inner = member.node.named_children().next().filter(|it| it.is("assignment")).unwrap_or(member.node);
        let Some(value) = inner.child("right").or_else(|| inner.child("value")) else { continue };
        if is_any_function(value) && !value.is("function_expression") {
            continue;
        }
        if reach(&names, code, value) != ExpressionReach::Local && !is_fresh(value) {
            return Err(code.refuse(value.start(), "the value may be another one when it is made at another time"));
        }
    }
    check_own_decorators(group)
}

fn check_own_decorators(group: &MemberDeclarations<'_>) -> Result<(), Refusal> {
    let code = group.code();
    match group
        .class
        .changing_decorators()
        .next()
        .or_else(|| group.members.iter().find_map(|it| it.decorators().next()))
    {
        Some(mark) => Err(code.refuse(mark.start(), data_classes::reason(&group.class, mark))),
        None => Ok(()),
    }
}

/// An empty list, a list of literals: new each time, and the same.
pub(crate) fn is_fresh(value: Node<'_>) -> bool {
    let is_plain = |node: Node<'_>| {
        node.is_leaf() && !node.is_any(&["identifier", "shorthand_property_identifier"])
            || node.is_any(&[
                "string",
                "list",
                "dictionary",
                "set",
                "tuple",
                "array",
                "object",
                "pair",
                "unary_operator",
                "unary_expression",
            ])
    };
    value.walk_until(|node| node.is("string")).all(is_plain)
}

/// Refuses classes of Python whose fields are taken for something else.
fn check_plain(group: &MemberDeclarations<'_>, class: &Class<'_>) -> Result<(), Refusal> {
    let is_known = PLAIN.contains(&class.name());
    if class.has("__slots__") && !is_known {
        return Err(group.refuse(format!("`__slots__` of `{}` say which fields there can be", class.name())));
    }
    let is_library = class.code.path.extension() == "pyi";
    let is_plain = is_known || !is_library && class.changing_decorators().next().is_none();
    let has_metaclass = class.node.child("superclasses").is_some_and(|list| {
        list.named_children().any(|it| it.is("keyword_argument") && !it.text(class.code.text()).contains("ABCMeta"))
    });
    if is_plain && !has_metaclass {
        return Ok(());
    }
    Err(group.refuse(format!("what `{}` does to its subclasses' fields is not known", class.name())))
}

/// Refuses constructors above that could see the field before it had its value.
fn check_constructor(group: &MemberDeclarations<'_>, class: &Class<'_>) -> Result<(), Refusal> {
    let is_given = |member: &super::classes::Member<'_>| !member.is_static && member.node.child("value").is_some();
    if !group.members.iter().any(is_given) {
        return Ok(());
    }
    let constructors = class.members().into_iter().filter(|it| it.kind == super::classes::MemberKind::Constructor);
    for constructor in constructors {
        let Some(body) = constructor.node.child("body") else { continue };
        let this = body.walk_until(is_class).filter(|node| node.is("this"));
        let shown = this.map(|node| node.parent().unwrap_or(node)).find(|it| !is_other_field(class, *it, group.name));
        if let Some(node) = shown {
            return Err(class
                .code
                .refuse(node.start(), format!("the constructor may see `{}` before it has its value", group.name)));
        }
    }
    Ok(())
}

/// Tells whether an expression of a constructor only sets a field, or asks for one of another name.
fn is_other_field(class: &Class<'_>, member: Node<'_>, name: &str) -> bool {
    let Some(asked) = member.child("property").filter(|_| member.is("member_expression")) else { return false };
    let asked = asked.text(class.code.text());
    let found = class.members_named(asked);
    let is_field = !found.is_empty()
        && found.iter().all(|it| matches!(it.kind, MemberKind::Assigned | MemberKind::Field | MemberKind::Parameter));
    member.field() == Some("left") || member.field() != Some("function") && asked != name && is_field
}

/// Refuses a base class whose constructor could ask for the fields: it hands its object on, or calls a method of it that may.
pub(crate) fn check_base(class: &Class<'_>, is_own: bool, may_ask: impl Fn(&str) -> bool) -> Result<(), Refusal> {
    let code = class.code;
    if PLAIN.contains(&class.name()) || is_exception(class) {
        return Ok(());
    }
    if !is_own {
        let reason = format!("what `{}` does with its subclasses is not known", class.name());
        return Err(Refusal::NotPossible(reason));
    }
    for member in class.members().iter().filter(|it| it.kind == MemberKind::Constructor) {
        let used = usage(code, member.node);
        let calls = |it: &&Node<'_>| it.parent().is_some_and(|it| it.field() == Some("function"));
        let called = used.members.iter().find(|it| calls(it) && may_ask(it.text(code.text())));
        if let Some(node) = used.whole.first().or(called) {
            return Err(code.refuse(node.start(), "this may ask for the fields before they are there"));
        }
    }
    Ok(())
}

/// Tells whether a method of some classes, or one that it goes on to ask for, may ask for one of some members.
pub(crate) fn asks_for(classes: &[Class<'_>], method: &str, members: &[&str]) -> bool {
    let (mut open, mut seen) = (vec![method], BTreeSet::new());
    while let Some(name) = open.pop() {
        if !seen.insert(name) {
            continue;
        }
        for class in classes {
            for member in class.members_named(name).iter().filter(|it| it.kind == MemberKind::Method) {
                let used = usage(class.code, member.node);
                let asked: Vec<&str> = used.members.iter().map(|it| it.text(class.code.text())).collect();
                if !used.whole.is_empty() || asked.iter().any(|it| members.contains(it)) {
                    return true;
                }
                open.extend(asked);
            }
        }
    }
    false
}

/// Refuses a class of Python below that does something before the constructor that makes the new object, or without it.
pub(crate) fn check_heir(class: &Class<'_>) -> Result<(), Refusal> {
    let code = class.code;
    let all = class.members();
    for member in all.iter().filter(|it| it.kind == MemberKind::Constructor && code.family() == Languages::Python) {
        let statements = member.function().and_then(|it| it.child("body")).into_iter().flat_map(Node::named_children);
        let is_text = |it: &Node<'_>| it.named_children().next().is_some_and(|it| it.is("string"));
        let first = statements.into_iter().find(|it| !is_text(it)).map(|it| it.text(code.text()));
        if !first.is_some_and(|it| it.starts_with("super().__init__(")) {
            let reason = format!("the constructor of `{}` does not begin with that of its base", class.name());
            return Err(code.refuse(member.name.start(), reason));
        }
    }
    Ok(())
}
