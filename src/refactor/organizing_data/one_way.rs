//! Change Bidirectional Association to Unidirectional.
//!
//! ```python
//! class Order:                                  class Order:
//!     def __init__(self, customer):                 def __init__(self, customer):
//!         self.customer = customer                      self.customer = customer
//!         customer.orders.append(self)      →
//!
//! class Customer:                               class Customer:
//!     def __init__(self, name):                     def __init__(self, name):
//!         self.name = name                              self.name = name
//!         self.orders = []
//! ```
//! What keeps the way back goes with it; whoever goes that way stands in the way.

use std::collections::BTreeSet;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind as Made};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::references::{InFile, Use, UseKind, Uses};
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, is_block, statement_of};
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// Methods that put something into a collection, or take it out.
const KEEPS: &[&str] =
    &["add", "append", "appendleft", "clear", "delete", "discard", "insert", "push", "remove", "set", "unshift"];

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let field = Field::of(&code, &request.target)?;
    field.around(session).await?;
    if let Some(one) = field.members.iter().find(|it| it.kind == Made::Parameter) {
        return Err(code.refuse(one.name.start(), "the constructor takes it: `remove-parameter` takes it out"));
    }
    let uses = Uses::of(session, &code, field.members[0].name.start()).await?;
    let mut edits = Edits::default();
    edits.warn(uses.its_own(session).await?);
    for gone in each(uses.files.values().map(|file| Gone::of(&field, file)))? {
        edits.add(gone.code, gone.edits()?);
        let mut spans: Vec<Span> = gone.statements.iter().map(|it| it.span()).collect();
        if gone.code.path == code.path {
            spans.extend(field.members.iter().filter(|it| it.kind == Made::Field).map(|it| it.node.span()));
        }
        required::leave(session, gone.code, &spans, &mut edits);
    }
    let declared: Vec<Member<'_>> = field.members.iter().filter(|it| it.kind == Made::Field).copied().collect();
    if !declared.is_empty() {
        edits.add(&code, field.class.without(&declared)?);
    }
    edits.plan()
}

/// The statements of a file that go.
struct Gone<'c> {
    code: &'c Code,
    names: ScopedNames<'c>,
    all: BTreeSet<usize>,
    statements: Vec<Node<'c>>,
}

impl<'c> Gone<'c> {
    fn of(field: &Field<'_>, file: &'c InFile) -> Result<Self, Refusal> {
        let code = &file.code;
        let mut gone = Self { code, names: ScopedNames::of(code), all: BTreeSet::new(), statements: Vec::new() };
        let is_declared = |one: &Use| {
            let is_here = code.path == field.class.code.path;
            is_here && field.members.iter().any(|it| it.kind == Made::Field && it.name.span() == one.span)
        };
        let mut open: Vec<&Use> = Vec::new();
        for one in file.uses.iter().filter(|one| !is_declared(one)) {
            match gone.keeping(one) {
                Some(statement) => gone.take(statement),
                None => open.push(one),
            }
        }
        gone.empty();
        let is_left = |one: &&Use| !gone.statements.iter().any(|it| it.span().contains(one.span));
        let read = open.into_iter().filter(is_left).map(|one| {
            let name = one.span.of(code.text()).unwrap_or_default();
            let reason =
                format!("`{name}` is {} here: who needs the way back has to find it otherwise first", one.kind.said());
            Err(code.refuse(one.span.start, reason))
        });
        each::<(), _>(read)?;
        Ok(gone)
    }

    fn take(&mut self, statement: Node<'c>) {
        if self.all.insert(statement.index()) {
            self.statements.push(statement);
        }
    }

    /// Returns the statement that does nothing but keep the way back.
    fn keeping(&self, one: &Use) -> Option<Node<'c>> {
        let member = one.member(self.code)?;
        let statement = statement_of(member).filter(|it| it.is("expression_statement"))?;
        let inner = statement.named_children().next()?;
        let is_quiet = |it: Node<'_>| reach(&self.names, self.code, it) != ExpressionReach::Acts;
        if one.kind == UseKind::Write {
            let (assignment, value) = one.assignment(self.code)?;
            let object = member.child("object")?;
            return (assignment == inner && self.is_idle(value) && is_quiet(object)).then_some(statement);
        }
        let method = member.parent().filter(|it| it.is_any(&["attribute", "member_expression"]))?;
        let name = method.child("attribute").or_else(|| method.child("property"))?;
        let call = method.parent().filter(|it| it.child("function") == Some(method) && *it == inner)?;
        let is_kept = KEEPS.contains(&name.text(self.code.text())) && method.child("object") == Some(member);
        let is_plain = call.child("arguments").is_some_and(|it| it.named_children().all(is_quiet));
        (is_kept && is_plain && is_quiet(member)).then_some(statement)
    }

    /// Tells whether a value does nothing when it is made: an empty collection, or what is known.
    fn is_idle(&self, value: Node<'_>) -> bool {
        let made = value.child("function").or_else(|| value.child("constructor")).map(|it| it.text(self.code.text()));
        let is_empty = value.child("arguments").is_none_or(|it| it.named_children().next().is_none());
        matches!(made, Some("list" | "set" | "dict" | "Set" | "Map" | "Array" | "WeakSet")) && is_empty
            || reach(&self.names, self.code, value) != ExpressionReach::Acts
    }

    /// Takes the conditionals and loops along that do nothing any more.
    fn empty(&mut self) {
        loop {
            let around = self.statements.iter().filter_map(|it| it.parent()?.parent());
            let emptied = around.filter(|it| !self.all.contains(&it.index())).find(|it| self.is_emptied(*it));
            match emptied {
                Some(emptied) => self.take(emptied),
                None => return,
            }
        }
    }

    fn is_emptied(&self, outer: Node<'c>) -> bool {
        let head = outer.child("condition").or_else(|| outer.child("right"));
        let body = outer.child("consequence").or_else(|| outer.child("body"));
        let (Some(head), Some(body)) = (head, body) else { return false };
        let is_one = outer.is_any(&["if_statement", "for_statement", "for_in_statement"])
            && outer.child("alternative").is_none();
        let is_bare = body.named_children().all(|it| it.kind().ends_with("comment") || self.all.contains(&it.index()));
        is_one
            && is_block(body)
            && is_bare
            && reach(&self.names, self.code, head) != ExpressionReach::Acts
            && outer.parent().is_some_and(is_block)
    }

    fn edits(&self) -> Result<Vec<TextEdit>, Refusal> {
        let code = self.code;
        let is_outermost = |it: &&Node<'c>| !self.statements.iter().any(|outer| outer.holds(**it));
        let mut edits = Vec::new();
        for statement in self.statements.iter().filter(is_outermost) {
            let block = statement.parent().unwrap_or(*statement);
            let said: Vec<Node<'c>> = block.named_children().collect();
            if said.iter().all(|it| self.all.contains(&it.index())) && block.parent().is_some() {
                let filler = if code.family() == Family::Python { "pass" } else { "{}" };
                // The first one stands for all.
                let is_first = said.first() == Some(statement);
                edits.extend(is_first.then(|| TextEdit::new(block.span(), filler)));
                continue;
            }
            let start = code.line_start(statement.start());
            let end = code.next_line(statement.end());
            let lines = Span::new(start, end);
            let rest = format!("{}{}", &code.text()[start..statement.start()], &code.text()[statement.end()..end]);
            let is_alone = rest.trim().is_empty() || rest.trim().starts_with(['#', '/']);
            if !is_alone {
                return Err(code.refuse(statement.start(), "the statement shares its line with something else"));
            }
            edits.push(TextEdit::new(lines, ""));
        }
        Ok(edits)
    }
}
