//! Remove Setting Method.
//!
//! ```python
//! class Account:                       class Account:
//!     def __init__(self, id):              def __init__(self, id):
//!         self.set_id(id)         →            self._id = id
//!
//!     def set_id(self, id):
//!         self._id = id
//! ```

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, receiver};
use crate::refactor::analysis::references::{Use, UseKind, Uses};
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What sets a field, and does nothing else perhaps.
struct Setter<'c> {
    class: Class<'c>,
    member: Member<'c>,
    function: Node<'c>,
    made_by: MadeBy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MadeBy {
    /// `@name.setter`, `set name(value)`.
    Accessor,
    Method,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let setter = find(&code, request)?;
    let uses = Uses::of(session, &code, setter.member.name.start()).await?;
    let mut edits = setter.class.without(&[setter.member])?;
    for (file, one) in uses.iter() {
        edits.extend(setter.followed(file, one)?);
    }
    let sets = |kind: UseKind| matches!(kind, UseKind::Write | UseKind::Update | UseKind::Bind);
    let warnings = uses.certain_of(session, |kind| setter.made_by == MadeBy::Method || sets(kind)).await?;
    Ok(code.plan(edits)?.with_warnings(warnings))
}

fn find<'c>(code: &'c Code, request: &Request) -> Result<Setter<'c>, Refusal> {
    let unnamed = || Refusal::NotPossible(format!("the target names no method of `{}`", code.shown));
    let offset = request.target.place().ok_or_else(unnamed)?;
    let named = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
    let none = || code.refuse(named.start(), "what is named there sets no field");
    let class = Class::around(code, named).ok_or_else(none)?;
    let name = named.text(code.text());
    let members = class.members_named(name);
    let is_accessor = |member: &&Member<'c>| match code.family() {
        Family::Python => member.decorators().any(|it| it.text(code.text()) == format!("@{name}.setter")),
        _ => member.node.children().any(|it| it.kind() == "set" && it.end() <= member.name.start()),
    };
    let accessor = members.iter().find(is_accessor).copied();
    let made_by = if accessor.is_some() { MadeBy::Accessor } else { MadeBy::Method };
    let member = match (accessor, members.as_slice()) {
        (Some(accessor), _) => accessor,
        (None, [only]) => *only,
        _ => return Err(code.refuse(named.start(), format!("`{name}` has no setter, or is declared more than once"))),
    };
    let function = member.function().ok_or_else(none)?;
    let setter = Setter { class, member, function, made_by };
    if made_by == MadeBy::Method && setter.storage().is_none() {
        return Err(none());
    }
    Ok(setter)
}

impl<'c> Setter<'c> {
    /// Returns the field that it sets to its parameter, where it does nothing else.
    fn storage(&self) -> Option<Node<'c>> {
        let code = self.class.code;
        let mut statements = self.function.child("body")?.named_children();
        let only = statements.next().filter(|_| statements.next().is_none())?;
        let assignment =
            only.named_children().next().filter(|it| it.is_any(&["assignment", "assignment_expression"]))?;
        let (left, right) = (assignment.child("left")?, assignment.child("right")?);
        let object = left.child("object")?.text(code.text());
        let field = left.child("attribute").or_else(|| left.child("property"))?;
        let parameters: Vec<Node<'c>> = self.function.child("parameters")?.named_children().collect();
        let last = parameters.last()?;
        let name = last.child("name").or_else(|| last.child("pattern"));
        let name =
            name.or_else(|| last.named_children().next().filter(|_| last.is("typed_parameter"))).unwrap_or(*last);
        let count = if code.family() == Family::Python { 2 } else { 1 };
        let is_plain = parameters.len() == count && last.child("value").is_none();
        let fits = Some(object) == receiver(code, self.function) && right.text(code.text()) == name.text(code.text());
        (is_plain && fits && right.is("identifier")).then_some(field)
    }

    /// Returns what becomes of a use: the constructor sets the field itself, nobody else may set it.
    fn followed(&self, file: &Code, one: &Use) -> Result<Option<TextEdit>, Refusal> {
        let code = self.class.code;
        let is_here = file.path == code.path;
        let is_own = is_here && self.class.node.span().contains(one.span);
        if is_here && self.member.node.span().contains(one.span) {
            return Ok(None);
        }
        let sets = match self.made_by {
            MadeBy::Accessor => matches!(one.kind, UseKind::Write | UseKind::Update | UseKind::Bind | UseKind::Delete),
            MadeBy::Method => true,
        };
        let overrides = matches!(one.kind, UseKind::Definition | UseKind::Decorator);
        if !sets && (is_own || !overrides) {
            return Ok(None);
        }
        let refused = || {
            let name = self.member.name.text(code.text());
            file.refuse(one.span.start, format!("`{name}` is {} here, so the field is not fixed", one.kind.said()))
        };
        let in_constructor = function_of(one.node(file)).and_then(|function| function.child("name"));
        let in_constructor =
            in_constructor.is_some_and(|it| matches!(it.text(file.text()), "__init__" | "constructor"));
        match self.set_directly(file, one).filter(|_| is_own && in_constructor) {
            Some(edit) => Ok(Some(edit)),
            None => Err(refused()),
        }
    }

    fn set_directly(&self, file: &Code, one: &Use) -> Option<TextEdit> {
        let storage = self.storage()?.text(self.class.code.text());
        let member = one.member(file)?;
        let object = member.child("object")?;
        let is_own = Some(object.text(file.text())) == receiver(file, function_of(member)?);
        match self.made_by {
            MadeBy::Accessor if one.kind == UseKind::Write => is_own.then(|| TextEdit::new(one.span, storage)),
            MadeBy::Accessor => None,
            MadeBy::Method => {
                let call = member.parent().filter(|it| it.is_any(&["call", "call_expression"]))?;
                let statement = call.parent().filter(|it| it.is("expression_statement"))?;
                let mut arguments = call.child("arguments")?.named_children();
                let value = arguments.next().filter(|_| arguments.next().is_none())?;
                let is_plain = !value.is_any(&["keyword_argument", "list_splat", "dictionary_splat", "spread_element"]);
                let written = format!("{}.{storage} = {}", object.text(file.text()), value.text(file.text()));
                (is_own && is_plain && statement.is_named()).then(|| TextEdit::new(call.span(), written))
            }
        }
    }
}
