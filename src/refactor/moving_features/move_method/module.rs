//! A method becomes a function of its module, and every caller calls that: with the object, where the method uses it.

mod object;

use std::collections::BTreeMap;

use super::passed_object::this_parameter;
use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::ClassHierarchy;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{MemberDeclarations, own_parameter};
use crate::refactor::analysis::page_scripts::share_names;
use crate::refactor::analysis::parameters::put_first;
use crate::refactor::analysis::references::{Use as Reference, UseKind as Use, Uses};
use crate::refactor::analysis::type_parameters::TypeParameters;
use crate::refactor::doubts::in_doubt;
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::{both, each};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, is_class};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};
use object::Object;

pub(super) async fn plan(
    session: &Session,
    (kin, group): (&ClassHierarchy<'_>, &MemberDeclarations<'_>),
    function: Node<'_>,
    name: &str,
) -> Result<Plan, Refusal> {
    let code = group.code();
    let mut edits = Edits::default();
    let object = Object::of(kin, (group, function), &mut edits).await;
    let alone = each([check_alone(kin, group).await, group.check_order(&group.class, None)]);
    let (object, _) = both(object, alone)?;
    let passed = object.as_ref().filter(|it| it.is_passed());
    let extent = group.class.extent(&group.members[0])?;
    let uses = Uses::of(session, code, group.start()).await?;
    edits.warn(uses.its_own(session).await?);
    edits.warn(uses.in_examples(session, None)?);
    let mut left: BTreeMap<&AbsPath, (&Code, Vec<Span>)> = BTreeMap::new();
    let is_own = |user: &Code, span: Span| user.path == code.path && span == group.members[0].name.span();
    let (mut called, mut own) = (Vec::new(), Vec::new());
    for (user, one) in uses.iter().filter(|(user, one)| !is_own(user, one.span)) {
        let member = callee(group, (user, one), passed);
        let member = member.map_err(|reason| user.refuse(one.span.start, reason));
        let receiver = match &member {
            Ok(member) => names_class(kin, group, user, *member).await,
            Err(_) => Ok(Asked::Object),
        };
        let early = each([check_early(group, user, one.node(user)), check_free(user, name)]);
        let (member, asked) = match both(both(member, receiver), early).map(|(asked, _)| asked) {
            Ok(checked) => checked,
            Err(refusal) => {
                called.push(Err(refusal));
                continue;
            }
        };
        let edit = match passed.filter(|_| asked == Asked::Object) {
            Some(object) => object.passed((user, member), &uses, name),
            None if object.is_none() && asked == Asked::Class => {
                Err(user.refuse(member.start(), format!("`{}` is called through its class here", group.name)))
            }
            None => Ok(TextEdit::new(member.span(), name)),
        };
        called.push(edit.map(|edit| match user.path == code.path && extent.contains(edit.span) {
            true => own.push(edit),
            false => edits.add(user, [edit]),
        }));
        left.entry(&user.path).or_insert((user, Vec::new())).1.push(member.span());
    }
    each(called)?;
    for (user, spans) in left.values().filter(|(user, _)| user.path != code.path) {
        edits.import(user, import(session, code, user, name)?);
        required::leave(session, user, spans, &mut edits);
    }
    let others = left.values().filter(|(user, _)| user.path != code.path && !share_names(session, code, user)).count();
    check_free(code, name).noted()?;
    let export = others > 0 || group.class.statement().is("export_statement") && !is_kept(group);
    let statement = group.class.statement();
    own.extend(object.iter().flat_map(|object| object.renamed(&own)).collect::<Vec<_>>());
    let parameter = passed.and_then(Object::parameter);
    let text = written((group, function), (name, export), (own, parameter))?;
    edits.add(code, required::handed_out(code, name, 0).filter(|_| others > 0));
    edits.add(code, [below(code, statement, &text)]);
    edits.add(code, group.class.without(&group.members)?);
    edits.plan()
}

/// Puts a function below a statement, apart from it.
fn below(code: &Code, statement: Node<'_>, text: &str) -> TextEdit {
    let end = code.newline();
    let gap = if code.family() == Family::Python { end.repeat(2) } else { end.to_owned() };
    // The method itself may be the last thing of the class.
    let at = code.next_line(statement.end());
    let (before, behind) = if code.text()[..at].ends_with('\n') { ("", end) } else { (end, "") };
    TextEdit::new(Span::at(at), format!("{before}{gap}{text}{behind}"))
}

/// Tells whether a method is its class's, or its heirs', alone.
fn is_kept(group: &MemberDeclarations<'_>) -> bool {
    let words = ["private", "protected"];
    let is_marked = |word: &str| group.members.iter().any(|it| it.is_marked(group.code(), word));
    group.name.starts_with('#') || words.into_iter().any(is_marked)
}

/// What a method is called on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Object,
    /// The object, if any, is an argument.
    Class,
}

/// Refuses a method that stands for others of its name, or for which others stand.
async fn check_alone(kin: &ClassHierarchy<'_>, group: &MemberDeclarations<'_>) -> Result<(), Refusal> {
    let (above, unknown) = kin.declaring_member(&group.class, group.name).await?;
    let heirs = kin.heirs(&group.class).await?;
    if let Some(base) = unknown.first() {
        let reason = format!("`{base}`, from which `{}` inherits, cannot be resolved", group.class.name());
        in_doubt(group.code(), group.members[0].name.span(), reason)?;
    }
    match above.iter().chain(&heirs).find(|one| one.class().has(group.name)) {
        Some(one) => Err(group.refuse(format!("`{}` has a `{}`, too", one.class().name(), group.name))),
        None => Ok(()),
    }
}

/// Tells whether a method that is read is the bare function: nothing binds it to an object.
fn is_plain(group: &MemberDeclarations<'_>) -> bool {
    let code = group.code();
    match code.family() {
        Family::Python => group.members[0].decorators().any(|it| it.text(code.text()).ends_with("staticmethod")),
        _ => group.members[0].is_static,
    }
}

/// Returns what is called or read, the object included, where leaving the object out, or passing it, changes nothing.
fn callee<'c>(
    group: &MemberDeclarations<'_>,
    (code, one): (&'c Code, &Reference),
    passed: Option<&Object<'_>>,
) -> Result<Node<'c>, String> {
    let is_named = one.kind == Use::Call || one.kind == Use::Read && is_plain(group);
    let member = one.member(code).filter(|_| is_named);
    let member = member.ok_or_else(|| format!("it is not called here, but {}", one.kind.said()))?;
    let object = member.child("object").ok_or("it is called on nothing")?;
    let call = member.parent().unwrap_or(member);
    if member.children().chain(call.children()).any(|it| it.is("optional_chain")) {
        return Err("whether it is called here depends on its object".to_owned());
    }
    let names = ScopedNames::of(code);
    let is_bare = object.is_any(&["identifier", "this", "attribute", "member_expression"]);
    let is_above = object.text(code.text()).starts_with("super");
    if is_above || passed.is_none() && (!is_bare || reach(&names, code, object) == ExpressionReach::Acts) {
        return Err("leaving out the object that it is called on could change something".to_owned());
    }
    Ok(member)
}

/// Tells whether a method of an object is called by way of its class: the object is an argument there.
async fn names_class(
    kin: &ClassHierarchy<'_>,
    group: &MemberDeclarations<'_>,
    user: &Code,
    member: Node<'_>,
) -> Result<Asked, Refusal> {
    let object = member.child("object").unwrap_or(member);
    let is_static = group.members[0].is_static || user.family() != Family::Python;
    let is_class = !is_static && kin.names_class(user, object).await?;
    Ok(if is_class { Asked::Class } else { Asked::Object })
}

/// Refuses a call that runs before the function is there.
fn check_early(group: &MemberDeclarations<'_>, user: &Code, node: Node<'_>) -> Result<(), Refusal> {
    let is_inside = user.path == group.code().path && group.class.statement().span().contains(node.span());
    let is_early = is_inside && function_of(node).is_none() && user.family() == Family::Python;
    match is_early {
        true => Err(user.refuse(node.start(), format!("`{}` is called while its class is made", group.name))),
        false => Ok(()),
    }
}

/// Refuses a name that means something in a file; a member of a class is known by its class alone.
fn check_free(code: &Code, name: &str) -> Result<(), Refusal> {
    let names = ScopedNames::of(code);
    let spans = code.parsed().tree.identifiers_named(code.text(), name);
    let is_taken = |span: &Span| {
        let found = names.at(code.covering(*span));
        found.is_some_and(|it| it.is_free || it.is_binding && !required::home(code, it).is_some_and(is_class))
    };
    match spans.into_iter().find(is_taken) {
        Some(span) => Err(code.refuse(span.start, format!("`{name}` is already in use here: `name` gives another"))),
        None => Ok(()),
    }
}

/// Returns the import that a caller's file needs.
fn import(session: &Session, code: &Code, user: &Code, name: &str) -> Result<Option<String>, Refusal> {
    if required::leads_to(session, &code.path, &user.path) {
        let reason = format!("`{}` would have to import `{}`, which imports it", user.shown, code.shown);
        return Err(Refusal::NotPossible(reason));
    }
    Ok(required::line(session, code, user, name))
}

/// Writes the method as a function.
fn written(
    (group, function): (&MemberDeclarations<'_>, Node<'_>),
    (name, export): (&str, bool),
    (mut edits, object): (Vec<TextEdit>, Option<String>),
) -> Result<String, Refusal> {
    let code = group.code();
    let member = &group.members[0];
    let extent = group.class.extent(member)?;
    let is_python = code.family() == Family::Python;
    if is_python {
        let is_of_class = |mark: &Node<'_>| ["@staticmethod", "@classmethod"].contains(&mark.text(code.text()));
        for mark in member.decorators().filter(is_of_class) {
            let behind = member.decorators().map(Node::start).filter(|it| *it > mark.start()).min();
            edits.push(TextEdit::new(Span::new(mark.start(), behind.unwrap_or(function.start())), ""));
        }
        edits.push(TextEdit::new(member.name.span(), name));
        edits.extend(own_parameter(group, function).map(|own| match &object {
            Some(object) => TextEdit::new(own.span(), object),
            None => without_parameter(function, own),
        }));
    } else {
        let words: Vec<&str> = function.children().take_while(|it| *it != member.name).map(|it| it.kind()).collect();
        let is_async = if words.contains(&"async") { "async " } else { "" };
        let star = if words.contains(&"*") { "*" } else { "" };
        let export = if export { required::export_word(code) } else { "" };
        let head = format!("{export}{is_async}function{star} {name}");
        edits.push(TextEdit::new(Span::new(function.start(), member.name.end()), head));
        let given = object.as_deref().unwrap_or_default();
        edits.extend(TypeParameters::of_class(&group.class).listed_by(function, &[given])?);
        let list = function.child("parameters").filter(|_| object.is_some());
        match this_parameter(function) {
            Some(own) if object.is_some() => edits.push(TextEdit::new(own.span(), given)),
            Some(own) => edits.push(without_parameter(function, own)),
            None => edits.extend(list.map(|list| put_first(code, list, given))),
        }
    }
    edits.sort_by_key(|edit| edit.span);
    Ok(Layout::of(code).moved_with(extent, "", &edits))
}

/// Takes the first parameter away.
fn without_parameter(function: Node<'_>, own: Node<'_>) -> TextEdit {
    let list = function.child("parameters").into_iter().flat_map(Node::children);
    let next = list.filter(|it| it.is_named() && !it.kind().ends_with("comment")).nth(1);
    let end = next.map_or_else(|| function.child("parameters").map_or(own.end(), |list| list.end() - 1), Node::start);
    TextEdit::new(Span::new(own.start(), end), "")
}
