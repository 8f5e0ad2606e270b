//! A method that does not use its object becomes a function of its module, and every caller calls that.

use std::collections::BTreeMap;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::Kin;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{Reach, reach};
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::members::{Group, own_parameter};
use crate::refactor::analysis::references::{Kind as Use, Uses};
use crate::refactor::obstacles::Noted;
use crate::refactor::refusal::{both, each, refuse_all};
use crate::refactor::scopes::Names;
use crate::refactor::source_file::{Code, function_of, is_class};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span, TextEdit};

pub(super) async fn plan(
    session: &Session,
    (kin, group): (&Kin<'_>, &Group<'_>),
    function: Node<'_>,
    name: &str,
) -> Result<Plan, Refusal> {
    let code = group.code();
    let name = if name.is_empty() { group.name } else { name };
    each([check_unbound(group), check_alone(kin, group).await, group.check_order(&group.class, None)])?;
    let uses = Uses::of(session, code, group.start()).await?;
    let mut edits = Edits::default();
    edits.warn(uses.certain(session).await?);
    let mut left: BTreeMap<&AbsPath, (&Code, Vec<Span>)> = BTreeMap::new();
    let is_own = |user: &Code, span: Span| user.path == code.path && span == group.members[0].name.span();
    let mut called = Vec::new();
    for (user, one) in uses.iter().filter(|(user, one)| !is_own(user, one.span)) {
        let member = callee(user, one.kind, one.member(user)).map_err(|reason| user.refuse(one.span.start, reason));
        let receiver = match &member {
            Ok(member) => check_receiver(kin, group, user, *member).await,
            Err(_) => Ok(()),
        };
        let (member, _) = match both(member, each([receiver, check_early(group, user, one.node(user))])) {
            Ok(checked) => checked,
            Err(refusal) => {
                called.push(Err(refusal));
                continue;
            }
        };
        called.push(check_free(user, name));
        edits.add(user, [TextEdit::new(member.span(), name)]);
        left.entry(&user.path).or_insert((user, Vec::new())).1.push(member.span());
    }
    each(called)?;
    for (user, spans) in left.values().filter(|(user, _)| user.path != code.path) {
        edits.import(user, [import(session, code, user, name)?]);
        required::leave(session, user, spans, &mut edits);
    }
    let others = left.keys().filter(|path| ***path != code.path).count();
    check_free(code, name).noted()?;
    let export = others > 0 || group.class.statement().is("export_statement");
    let statement = group.class.statement();
    let (end, text) = (code.newline(), written(group, function, (name, export))?);
    let gap = if code.family() == Family::Python { end.repeat(3) } else { end.repeat(2) };
    edits.add(code, [TextEdit::new(Span::at(statement.end()), format!("{gap}{text}"))]);
    edits.add(code, group.class.without(&group.members)?);
    edits.plan()
}

/// Refuses a method that asks anything of its object.
fn check_unbound(group: &Group<'_>) -> Result<(), Refusal> {
    let usages = group.usages();
    let used = usages.iter().flat_map(|usage| usage.members.iter().chain(&usage.whole));
    let reason = format!("`{}` uses its object: no function of the module has one", group.name);
    refuse_all(used.map(|node| group.code().refuse(node.start(), &reason)))
}

/// Refuses a method that stands for others of its name, or for which others stand.
async fn check_alone(kin: &Kin<'_>, group: &Group<'_>) -> Result<(), Refusal> {
    let (above, unknown) = kin.ancestors(&group.class).await?;
    let heirs = kin.heirs(&group.class).await?;
    if let Some(base) = unknown.first() {
        return Err(
            group.refuse(format!("what `{base}` is, from which `{}` inherits, nobody can tell", group.class.name()))
        );
    }
    match above.iter().chain(&heirs).find(|one| one.class().has(group.name)) {
        Some(one) => Err(group.refuse(format!("`{}` has a `{}`, too", one.class().name(), group.name))),
        None => Ok(()),
    }
}

/// Returns what a call calls, the object included, where leaving the object out changes nothing.
fn callee<'c>(code: &'c Code, kind: Use, member: Option<Node<'c>>) -> Result<Node<'c>, String> {
    let member = member.filter(|_| kind == Use::Call);
    let member = member.ok_or_else(|| format!("it is not called here, but {}", kind.said()))?;
    let object = member.child("object").ok_or("it is called on nothing")?;
    if member.children().any(|it| it.is("optional_chain")) {
        return Err("whether it is called here hangs on its object".to_owned());
    }
    let names = Names::of(code);
    let is_bare = object.is_any(&["identifier", "this", "attribute", "member_expression"]);
    if !is_bare || object.text(code.text()) == "super" || reach(&names, code, object) == Reach::Acts {
        return Err("leaving out the object that it is called on could change something".to_owned());
    }
    Ok(member)
}

/// Refuses a method of an object that is called by way of its class: the object is an argument there.
async fn check_receiver(kin: &Kin<'_>, group: &Group<'_>, user: &Code, member: Node<'_>) -> Result<(), Refusal> {
    let object = member.child("object").unwrap_or(member);
    let is_static = group.members[0].is_static || user.family() != Family::Python;
    if is_static || !kin.names_class(user, object).await? {
        return Ok(());
    }
    Err(user.refuse(object.start(), format!("`{}` is called by way of its class here", group.name)))
}

/// Refuses a call that runs before the function is there.
fn check_early(group: &Group<'_>, user: &Code, node: Node<'_>) -> Result<(), Refusal> {
    let is_inside = user.path == group.code().path && group.class.statement().span().contains(node.span());
    let is_early = is_inside && function_of(node).is_none() && user.family() == Family::Python;
    match is_early {
        true => Err(user.refuse(node.start(), format!("`{}` is called while its class is made", group.name))),
        false => Ok(()),
    }
}

/// Refuses a name that means something in a file; a member of a class is known by its class alone.
fn check_free(code: &Code, name: &str) -> Result<(), Refusal> {
    let names = Names::of(code);
    let spans = code.parsed().tree.identifiers_named(code.text(), name);
    let is_taken = |span: &Span| {
        let found = names.at(code.covering(*span));
        found.is_some_and(|it| it.is_free || it.is_binding && !required::home(code, it).is_some_and(is_class))
    };
    match spans.into_iter().find(is_taken) {
        Some(span) => {
            Err(code.refuse(span.start, format!("`{name}` already means something here: `name` gives another")))
        }
        None => Ok(()),
    }
}

/// Returns the import that a caller's file needs.
fn import(session: &Session, code: &Code, user: &Code, name: &str) -> Result<String, Refusal> {
    if required::leads_to(session, &code.path, &user.path) {
        let reason = format!("`{}` would have to import `{}`, which imports it", user.shown, code.shown);
        return Err(Refusal::NotPossible(reason));
    }
    Ok(required::line(session, code, user, name))
}

/// Writes the method as a function.
fn written(group: &Group<'_>, function: Node<'_>, (name, export): (&str, bool)) -> Result<String, Refusal> {
    let code = group.code();
    let member = &group.members[0];
    let extent = group.class.extent(member)?;
    let is_python = code.family() == Family::Python;
    let mut edits = Vec::new();
    if is_python {
        for mark in member.decorators() {
            edits.push(TextEdit::new(Span::new(mark.start(), function.start()), ""));
        }
        edits.push(TextEdit::new(member.name.span(), name));
        edits.extend(own_parameter(group, function).map(|own| without_parameter(function, own)));
    } else {
        let words: Vec<&str> = function.children().take_while(|it| *it != member.name).map(|it| it.kind()).collect();
        let is_async = if words.contains(&"async") { "async " } else { "" };
        let star = if words.contains(&"*") { "*" } else { "" };
        let export = if export { "export " } else { "" };
        let head = format!("{export}{is_async}function{star} {name}");
        edits.push(TextEdit::new(Span::new(function.start(), member.name.end()), head));
    }
    Ok(Layout::of(code).moved_with(extent, "", &edits))
}

/// Takes the first parameter away.
fn without_parameter(function: Node<'_>, own: Node<'_>) -> TextEdit {
    let list = function.child("parameters").into_iter().flat_map(Node::children);
    let next = list.filter(|it| it.is_named() && !it.kind().ends_with("comment")).nth(1);
    let end = next.map_or_else(|| function.child("parameters").map_or(own.end(), |list| list.end() - 1), Node::start);
    TextEdit::new(Span::new(own.start(), end), "")
}
