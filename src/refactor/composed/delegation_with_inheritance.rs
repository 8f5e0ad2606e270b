//! Replace Delegation with Inheritance.
//!
//! ```python
//! class Employee:                          class Employee(Person):
//!     def __init__(self, name):                def __init__(self, name):
//!         self._person = Person(name)              super().__init__(name)
//!                                      →
//!     def last_name(self):
//!         return self._person.last_name()
//!
//!     def shown(self):                         def shown(self):
//!         return self._person.name                 return self.name
//! ```
//! The object that is held is made with the one that holds it and by nobody seen for itself: the two become one.

mod held;

use super::classes::{Class, Kin, Kind, Member};
use super::code::Code;
use super::edits::Edits;
use super::heritage::{Line, check_remade};
use super::hide_delegate::{Delegated, asked, called};
use super::members::check_outermost;
use super::uses::Uses;
use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Run};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::TextEdit;
use held::Held;

pub(in crate::refactor) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    check_outermost(&class)?;
    let kin = Kin::new(session, request.target.language).await?;
    let named = request.target.name.filter(|name| *name != class.name.span()).and_then(|name| name.of(code.text()));
    let held = Held::find(&class, request.params.given("delegate").or(named))?;
    let line = held.line(session, &kin).await?;
    line.check_complete()?;
    check_remade(&class)?;
    line.check_kinds(session, &kin).await?;
    let gone = forwarders(&held, &line);
    check_names(&kin, &held, &line, &gone).await?;
    let mut edits = Edits::default();
    redirect(session, &held, &gone, &mut edits).await?;
    let declared = held.field.members.iter().filter(|it| it.kind == Kind::Field);
    let taken: Vec<Member<'_>> = gone.iter().chain(declared).copied().collect();
    edits.add(&code, class.without(&taken)?);
    edits.add(&code, held.inherits()?);
    edits.warn(held.field.listed(session, &format!("fields of {}", line.base().name())));
    if code.family() == Family::Script {
        let doubt = "whether the types fit a check has to tell";
        edits.warn([Warning::of_plan(WarningKind::Unproven, doubt)]);
    }
    edits.plan()
}

/// Returns the members that do nothing but to ask the held object for what they are called themselves.
fn forwarders<'c>(held: &Held<'c>, line: &Line) -> Vec<Member<'c>> {
    let class = held.class;
    let all = class.members();
    let text = class.code.text();
    let is_forwarder = |member: &Member<'c>| {
        let name = member.name.text(text);
        let same = all.iter().filter(|it| it.name.text(text) == name);
        let mut same = same.into_iter().map(|it| forwards(held, it, line));
        same.all(|it| it.is_some())
    };
    all.iter().filter(|it| it.kind == Kind::Method && is_forwarder(it)).copied().collect()
}

fn forwards(held: &Held<'_>, member: &Member<'_>, line: &Line) -> Option<()> {
    let code = held.class.code;
    let text = code.text();
    let name = member.name.text(text);
    let (there, above) = line.members_named(name)?;
    let function = member.function()?;
    let asked = format!("{}.{}.{name}", super::classes::receiver(code, function)?, held.field.name);
    let is_text = |it: &Node<'_>| it.named_children().next().is_some_and(|it| it.is("string"));
    let mut statements = function.child("body")?.named_children().skip_while(is_text);
    let only = statements.next().filter(|_| statements.next().is_none())?;
    let expression = only.named_children().next()?;
    let marks: Vec<&str> = member.decorators().map(|it| it.text(text)).collect();
    let is_get = member.is_marked(code, "get") || marks == ["@property"];
    let is_set = member.is_marked(code, "set") || marks.len() == 1 && marks[0].ends_with(".setter");
    if is_set {
        let value = function.child("parameters")?.named_children().last()?;
        let value = value.child("pattern").or_else(|| value.named_children().next()).unwrap_or(value);
        let is_same =
            expression.child("left")?.text(text) == asked && expression.child("right")?.text(text) == value.text(text);
        return is_same.then_some(());
    }
    if is_get {
        return (only.is("return_statement") && expression.text(text) == asked).then_some(());
    }
    let [other] = above.as_slice() else { return None };
    let is_plain = marks.is_empty() && !member.is_static && other.kind == Kind::Method;
    let is_asked = expression.child("function").is_some_and(|it| it.text(text) == asked);
    let Delegated::Call { passed, .. } = called(code, there.code, other).ok()? else { return None };
    let arguments: Vec<&str> = expression.child("arguments")?.named_children().map(|it| it.text(text)).collect();
    let its = other.function()?;
    let is_alike = shape(code, member) == shape(there.code, other);
    let is_alike = is_alike && waits(function) == waits(its);
    (is_plain && is_asked && is_alike && arguments == passed).then_some(())
}

fn waits(function: Node<'_>) -> bool {
    function.children().any(|it| it.kind() == "async")
}

/// Returns the parameters of a method as callers see them: names and defaults.
fn shape(code: &Code, member: &Member<'_>) -> Vec<(String, String)> {
    let Some(function) = member.function() else { return Vec::new() };
    let is_static = member.decorators().any(|it| it.text(code.text()) == "@staticmethod");
    let skipped = usize::from(code.family() == Family::Python && !is_static);
    let list = function.child("parameters").into_iter().flat_map(Node::named_children).skip(skipped);
    list.map(|node| {
        let name = node.child("name").or_else(|| node.child("pattern"));
        let name = name.or_else(|| node.named_children().next().filter(|_| node.is("typed_parameter"))).unwrap_or(node);
        let value = node.child("value").map(|it| it.text(code.text())).unwrap_or_default();
        (name.text(code.text()).to_owned(), format!("{}{value}", u8::from(node.is("optional_parameter"))))
    })
    .collect()
}

/// Refuses members that would override those of the class that is held.
async fn check_names(kin: &Kin<'_>, held: &Held<'_>, line: &Line, gone: &[Member<'_>]) -> Result<(), Refusal> {
    let class = held.class;
    if line.classes.iter().any(|it| it.place() == class.place()) {
        return Err(class.code.refuse(class.name.start(), "it would extend itself"));
    }
    let heirs = kin.heirs(&class).await?;
    for one in std::iter::once(class).chain(heirs.iter().map(|it| it.class())) {
        for member in one.members().iter().filter(|it| it.kind != Kind::Constructor) {
            let name = member.name.text(one.code.text());
            let is_gone = one.place() == class.place() && gone.iter().any(|it| it.name == member.name);
            if !is_gone && name != held.field.name && line.members_named(name).is_some() {
                let reason = format!("`{name}` would override that of `{}`", line.base().name());
                return Err(one.code.refuse(member.name.start(), reason));
            }
        }
    }
    Ok(())
}

/// Lets everybody ask the object itself for what was asked of the one that it holds.
async fn redirect(session: &Session, held: &Held<'_>, gone: &[Member<'_>], edits: &mut Edits) -> Result<(), Refusal> {
    let code = held.class.code;
    let uses = Uses::of(session, code, held.field.members[0].name.start()).await?;
    edits.warn(uses.certain(session).await?);
    for (user, one) in uses.iter() {
        let is_here = user.path == code.path;
        let is_made = held.field.members.iter().any(|it| it.name.span() == one.span);
        if is_here && (is_made || gone.iter().any(|it| it.node.span().contains(one.span))) {
            continue;
        }
        let asked = asked(user, one).filter(|_| !one.is_printed(user)).ok_or_else(|| {
            user.refuse(one.span.start, format!("`{}` is more than asked for a member here", held.field.name))
        })?;
        let outer = asked.member.parent().unwrap_or(asked.member);
        let is_chained = outer.descendants().any(|it| it.is("optional_chain"));
        if is_chained || asked.member.text(user.text()).starts_with(['#']) {
            return Err(user.refuse(one.span.start, "it is not asked in a way that the object itself could answer"));
        }
        edits.add(user, [TextEdit::new(asked.between, "")]);
    }
    Ok(())
}
