//! Fields that stay, and that methods which go need: the new object is given their values, once and for all.
//!
//! ```python
//! class Page:                                    class Dialog:
//!     def __init__(self, view):                      def __init__(self, view):
//!         self.view = view                               self.element = None
//!         self.element = None              →             self.view = view
//!
//!     def close(self):                               def close(self):
//!         self.view.remove(self.element)                 self.view.remove(self.element)
//! ```

use super::first_values::init;
use super::member_names::bare;
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind, end_of, receiver};
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::references::{UseKind, Uses, kind};
use crate::refactor::doubts::doubt;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::Span;

/// A field that is given its value where an object is made, and no other one later.
pub(super) struct PassedField<'c> {
    pub field: Field<'c>,
    /// What the new object is given: the parameter that the field is set from, or the field itself.
    pub value: String,
    pub typed: Option<String>,
    /// The statement that the new object is made behind.
    behind: Option<Node<'c>>,
}

impl<'c> PassedField<'c> {
    /// Finds the field that a method which goes needs, and tells who may set it again; nothing where there is no such field.
    ///
    /// # Errors
    /// Where it has its value in another way, or is set again.
    pub(super) async fn of(
        session: &Session,
        (class, method): (&Class<'c>, &str),
        name: &str,
    ) -> Result<Option<(Self, Vec<Warning>)>, Refusal> {
        let code = class.code;
        let Some(field) = Field::named(*class, name).ok().flatten() else { return Ok(None) };
        let Some((value, behind)) = first_value(&field) else { return Ok(None) };
        let around = field.around(session).await?;
        let heir = around.below.iter().find(|heir| heir.class().has(name));
        if let Some(heir) = heir.map(|it| it.class()) {
            let reason = format!("`{}` has a `{name}` of its own, which `{method}` needs", heir.name());
            return Err(heir.code.refuse(heir.name.start(), reason));
        }
        let uses = Uses::of(session, code, field.members[0].name.start()).await?;
        let is_own =
            |user: &Code, span: Span| user.path == code.path && field.members.iter().any(|it| it.name.span() == span);
        let reason = format!("`{method}` needs `{name}`, which stays, and which may be set again here");
        if let Some((user, one)) = uses.iter().find(|(user, one)| sets(one.kind) && !is_own(user, one.span)) {
            return Err(user.refuse(one.span.start, reason));
        }
        let mut warnings =
            Vec::from_iter(set_by_name(class, name).map(|it| doubt(code, it.span(), &reason)).transpose()?);
        // Nobody means what is private by an object of unknown type.
        let is_private = name.starts_with('#') || field.members.iter().any(|it| it.is_closed(code));
        let possible = if is_private { Vec::new() } else { uses.possible(session).await? };
        for (path, span) in possible {
            let user = Code::known(session, &path)?;
            if sets(kind(&user, span)) {
                warnings.push(doubt(&user, span, &reason)?);
            }
        }
        // What the constructor works out may be of a narrower type than what it is passed.
        let is_exact = behind.is_none() || field.members.iter().any(|it| it.declared_type(code).is_some());
        let mut typed = field.written_type().filter(|_| is_exact).map(str::to_owned);
        let is_said = field.constructor().is_some_and(inferred_types::is_typed);
        if typed.is_none() && is_said && code.family() == Family::Python {
            typed = inferred_types::built_in(session, code, field.members[0].name).await;
        }
        Ok(Some((Self { field, value, typed, behind }, warnings)))
    }

    /// Returns where the new object can be made at the earliest; nothing where that makes no difference.
    pub(super) fn made_behind(&self) -> Option<usize> {
        let (code, statement) = (self.field.class.code, self.behind?);
        let end = end_of(code, statement);
        match code.family() {
            Family::Python => {
                let next = statement.parent()?.named_children().find(|it| it.start() >= statement.end());
                Some(next.filter(|it| !it.is("comment")).map_or(statement.parent()?.end(), Node::start))
            }
            _ => Some(end),
        }
    }

    /// Writes the parameter of the new constructor.
    pub(super) fn parameter(&self) -> Result<String, Refusal> {
        let (field, code) = (&self.field, self.field.class.code);
        let typed = match &self.typed {
            Some(written) => format!(": {written}"),
            None if code.is_typed_script() => {
                let reason = "write its type: the new constructor needs it";
                return Err(code.refuse(field.members[0].name.start(), reason));
            }
            None => String::new(),
        };
        Ok(format!("{}{typed}", bare(field.name)))
    }

    /// Writes the declaration of the field in the body of a script's class.
    pub(super) fn declaration(&self) -> Option<String> {
        let code = self.field.class.code;
        let is_needed = code.is_typed_script() || self.field.name.starts_with('#');
        let typed = self.typed.as_ref().map(|it| format!(": {it}")).filter(|_| code.is_typed_script());
        let private = if self.field.name.starts_with('#') || !code.is_typed_script() { "" } else { "private " };
        let is_fixed = |it: &Member<'_>| it.is_marked(code, "readonly");
        let fixed = if self.field.class.members().iter().any(is_fixed) { "readonly " } else { "" };
        is_needed.then(|| format!("{private}{fixed}{}{};", self.field.name, typed.unwrap_or_default()))
    }

    /// Writes the statement that sets the field in the new constructor.
    pub(super) fn set(&self, receiver: &str) -> String {
        let (name, family) = (self.field.name, self.field.class.code.family());
        format!("{receiver}.{name} = {}{}", bare(name), if family == Family::Python { "" } else { ";" })
    }
}

/// Returns where a class sets a field by its name, or may: `setattr(self, "rate", 1)`, `Object.assign(this, others)`.
fn set_by_name<'c>(class: &Class<'c>, name: &str) -> Option<Node<'c>> {
    const SETTERS: &[&str] = &["setattr", "Object.assign", "Object.defineProperty", "Reflect.set"];
    let text = class.code.text();
    class.node.descendants().find(|node| {
        let called = node.child("function").filter(|it| SETTERS.contains(&it.text(text)));
        let mut given = called.and_then(|_| node.child("arguments")).into_iter().flat_map(Node::named_children);
        let of_objects = called.is_some_and(|it| it.text(text) == "Object.assign");
        let named = given.nth(1).filter(|it| it.is("string") && !of_objects);
        let is_other = named.is_some_and(|it| it.text(text).trim_matches(['"', '\'']) != name);
        called.is_some() && !is_other || node.is_leaf() && node.text(text) == "__dict__"
    })
}

/// Returns what gives the value that a field has from the beginning, and the statement that has to come before that.
fn first_value<'c>(field: &Field<'c>) -> Option<(String, Option<Node<'c>>)> {
    let code = field.class.code;
    let own = |receiver: &str| format!("{receiver}.{}", field.name);
    let constructor = field.constructor();
    let set = Vec::from_iter(field.members.iter().filter(|it| it.kind == MemberKind::Assigned));
    if let Some(given) = field.members.iter().find(|it| it.kind == MemberKind::Parameter) {
        return set.is_empty().then(|| (given.name.text(code.text()).to_owned(), None));
    }
    if set.is_empty() {
        let valued =
            field.members.iter().any(|it| it.node.child("value").is_some() || it.node.is("expression_statement"));
        let is_static = code.family() == Family::Script && field.members.iter().any(|it| it.is_static);
        let receiver = constructor.and_then(|it| receiver(code, it)).unwrap_or("this");
        return (valued && !is_static).then(|| (own(receiver), None));
    }
    let constructor = constructor.filter(|_| set.len() == 1)?;
    let init = init(code, (0, &field.members), constructor.child("body")?)?.ok()?;
    let names = ScopedNames::of(code);
    let is_parameter = names.at(init.value).is_some_and(|name| {
        let mut writes = names.writes(name.meaning);
        let only = writes.next().filter(|_| writes.next().is_none());
        let list = constructor.child("parameters");
        only.is_some_and(|it| list.is_some_and(|list| list.span().contains(it.span)))
            && function_of(init.value) == Some(constructor)
    });
    match is_parameter {
        true => Some((init.value.text(code.text()).to_owned(), None)),
        false => Some((own(receiver(code, constructor).unwrap_or("this")), Some(init.statement))),
    }
}

/// Tells whether a use gives something a value.
fn sets(kind: UseKind) -> bool {
    matches!(kind, UseKind::Write | UseKind::Update | UseKind::Bind | UseKind::Delete)
}
