//! Replace Inheritance with Delegation.
//!
//! ```python
//! class Stack(Row):                    class Stack:
//!     def push(self, one):                 def __init__(self):
//!         self.add(one)                        self._row = Row()
//!                                  →
//!                                          def push(self, one):
//!                                              self._row.add(one)
//!
//!                                          def first(self):
//!                                              return self._row.first()
//! ```
//! All that others could ask the class for they still can: it hands on what it had from its superclass.

mod constructor;
mod forwarding;

use crate::plan::{Plan, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Above, Class, ClassHierarchy, Member, MemberKind, Slot, receiver, usage};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::fields::held_as;
use crate::refactor::analysis::inherited_members::{Inherited, Lineage, check_remade};
use crate::refactor::analysis::members::check_outermost;
use crate::refactor::analysis::references::Uses;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::python::has_special_form;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// A class that comes to hold what it extends.
struct Swap<'c> {
    class: Class<'c>,
    line: &'c Lineage,
    inherited: Vec<Inherited>,
    /// The field that holds it.
    delegate: String,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let class = Class::at(&code, &request.target)?;
    check_outermost(&class).noted()?;
    class.check_extends()?;
    let kin = ClassHierarchy::new(session, request.target.language).await?;
    let line = line(&kin, &class).await?;
    let delegate = match (request.params.given("delegate"), code.family()) {
        (Some(given), _) => given.to_owned(),
        (None, Family::Python) => format!("_{}", held_as(&code, line.base().name())),
        (None, _) => held_as(&code, line.base().name()),
    };
    let swap = Swap { class, inherited: line.inherited(), line: &line, delegate };
    swap.check_own().noted()?;
    line.check_kinds(session, &kin).await?;
    swap.check_named(session, &kin).await.noted()?;
    let asked = swap.asked()?;
    swap.check_private(session, &asked).await.noted()?;
    let mut edits = Edits::default();
    edits.add(&code, swap.left());
    let (own, made) = swap.constructor(&asked)?;
    edits.add(&code, own);
    let parts: Vec<(Slot, Vec<String>)> = made.into_iter().chain([(Slot::Method, swap.forwarding()?)]).collect();
    edits.add(&code, class.with_each(&parts));
    edits.add(&code, asked);
    let doubt = "only a check can tell whether its objects are used as instances of the superclass";
    edits.warn([Warning::of_plan(WarningKind::Unproven, doubt)]);
    edits.plan()
}

/// Finds the one class that the class extends, which nobody extends in turn.
async fn line(kin: &ClassHierarchy<'_>, class: &Class<'_>) -> Result<Lineage, Refusal> {
    let refuse = |reason: String| Err(class.code.refuse(class.name.start(), reason));
    let [base] = class.bases()[..] else {
        return refuse(format!("`{}` does not extend one class", class.name()));
    };
    let is_plain = base.is_any(&["identifier", "attribute", "member_expression"]);
    if let Some(heir) = kin.heirs(class).await?.first() {
        return refuse(format!("`{}` extends it, and would lose what it inherits", heir.class().name()));
    }
    let above = kin.above(class).await?.into_iter().next();
    match above {
        Some(Above::Class(standing)) if is_plain => {
            if let Some(name) = asked_by_language(&standing.class()).filter(|_| !kin.is_own(&standing)) {
                let (base, reason) = (base.text(class.code.text()), "which no method hands on: keep the superclass");
                return refuse(format!("Python itself asks objects of `{base}` for `{name}` and its like, {reason}"));
            }
            Lineage::of(kin, standing).await
        }
        Some(Above::Library(_, base)) => {
            refuse(format!("`{base}` is a library's class, and what it asks its subclasses for is not known"))
        }
        _ => refuse(format!("`{}` cannot be resolved", base.text(class.code.text()))),
    }
}

/// Returns the first method of a class of Python that the language calls, beside those of every object.
fn asked_by_language<'c>(class: &Class<'c>) -> Option<&'c str> {
    const OF_EVERY_OBJECT: &[&str] = &[
        "__init__",
        "__new__",
        "__repr__",
        "__str__",
        "__init_subclass__",
        "__class_getitem__",
        "__slots__",
        "__doc__",
    ];
    let names = class.members().into_iter().filter(|it| it.kind == MemberKind::Method);
    let mut names = names.map(|it| it.name.text(class.code.text()));
    names.find(|name| has_special_form(name) && !OF_EVERY_OBJECT.contains(name))
}

impl<'c> Swap<'c> {
    fn code(&self) -> &'c Code {
        self.class.code
    }

    /// Returns what the class has from its superclass by a name; a field that it only sets is the superclass's.
    fn above(&self, name: &str) -> Option<&Inherited> {
        let is_own = self.class.members_named(name).iter().any(|it| it.kind != MemberKind::Assigned);
        self.inherited.iter().find(|it| it.name == name && !is_own)
    }

    /// Refuses members that the superclass would no longer find.
    fn check_own(&self) -> Result<(), Refusal> {
        let code = self.code();
        if let Some(mark) = self.class.changing_decorators().next() {
            return Err(code.refuse(mark.start(), "what this does to the class is not known"));
        }
        self.line.check_complete()?;
        check_remade(&self.class)?;
        let is_taken = self.class.has(&self.delegate) || self.line.members_named(&self.delegate).is_some();
        if is_taken || self.class.has("__slots__") || self.class.has("__getattr__") {
            let reason = format!("`{}` cannot have a field `{}`", self.class.name(), self.delegate);
            return Err(code.refuse(self.class.name.start(), reason));
        }
        for member in self.class.members() {
            let name = member.name.text(code.text());
            let Some(above) = self.inherited.iter().find(|it| it.name == name) else { continue };
            match member.kind {
                MemberKind::Assigned | MemberKind::Constructor => {}
                MemberKind::Method if !above.is_field => self.line.check_unasked(name)?,
                _ => return Err(code.refuse(member.name.start(), format!("the superclass has a `{name}`, too"))),
            }
            if let Some(mark) = member.decorators().find(|it| it.text(code.text()).ends_with("override")) {
                return Err(code.refuse(mark.start(), "it would override nothing any more: take the mark away first"));
            }
        }
        Ok(())
    }

    /// Refuses where members of the superclass are asked for by the name of the class.
    async fn check_named(&self, session: &Session, kin: &ClassHierarchy<'_>) -> Result<(), Refusal> {
        for location in kin.uses(&self.class).await? {
            let user = Code::known(session, &location.path)?;
            let node = user.covering(location.span);
            let outer = node.parent().filter(|_| node.field() == Some("object"));
            let Some(member) = outer.and_then(|it| it.child("attribute").or_else(|| it.child("property"))) else {
                continue;
            };
            if !self.class.has(member.text(user.text())) {
                return Err(user.refuse(member.start(), "the class itself is asked for what it inherits"));
            }
        }
        Ok(())
    }

    /// Lets the class ask its new field for what it had by itself.
    fn asked(&self) -> Result<Vec<TextEdit>, Refusal> {
        let all = self.class.members();
        let mut edits = Vec::new();
        for member in all.iter().filter(|it| !matches!(it.kind, MemberKind::Assigned | MemberKind::Parameter)) {
            let used = usage(self.code(), member.node);
            for node in used.members {
                edits.extend(self.asked_by(member, node)?);
            }
            for node in used.bound {
                edits.extend(self.asked_above(member, node)?);
            }
        }
        edits.sort();
        edits.dedup();
        Ok(edits)
    }

    /// Lets `self.name` ask the field, where the name comes from above.
    fn asked_by(&self, member: &Member<'c>, node: Node<'c>) -> Result<Option<TextEdit>, Refusal> {
        let code = self.code();
        let name = node.text(code.text());
        if member.is_static && !self.class.has(name) {
            return Err(code.refuse(node.start(), "the class itself is asked for what it inherits"));
        }
        let Some(above) = self.above(name) else { return Ok(None) };
        let is_early = member.kind == MemberKind::Field && function_of(node).is_none_or(|it| it.holds(member.node));
        if is_early || above.is_private && code.family() == Family::Script {
            return Err(code.refuse(node.start(), format!("`{name}` cannot be asked for from here")));
        }
        Ok(Some(TextEdit::new(Span::at(node.start()), format!("{}.", self.delegate))))
    }

    /// Lets `super().name` ask the field; the call of the superclass's constructor is another matter.
    fn asked_above(&self, member: &Member<'c>, node: Node<'c>) -> Result<Option<TextEdit>, Refusal> {
        let code = self.code();
        let refuse = || Err(code.refuse(node.start(), "the superclass is meant here in another way"));
        let object = match code.family() {
            Family::Python => node.parent().filter(|it| it.is("call") && it.child("function") == Some(node)),
            _ => Some(node),
        };
        let has_arguments =
            object.and_then(|it| it.child("arguments")).is_some_and(|it| it.named_children().count() > 0);
        let Some(object) = object.filter(|_| !has_arguments && !member.is_static) else { return refuse() };
        if self.super_call().is_some_and(|call| call.holds(object)) {
            return Ok(None);
        }
        let asked = object.parent().filter(|it| it.child("object") == Some(object));
        let name = asked.and_then(|it| it.child("attribute").or_else(|| it.child("property")));
        let above = name.and_then(|name| self.inherited.iter().find(|it| it.name == name.text(code.text())));
        if above.is_none_or(|it| it.is_private && code.family() == Family::Script) {
            return refuse();
        }
        let receiver = member.function().and_then(|it| receiver(code, it)).unwrap_or("this");
        Ok(Some(TextEdit::new(object.span(), format!("{receiver}.{}", self.delegate))))
    }

    /// Refuses where somebody asks an object for what is not handed on.
    async fn check_private(&self, session: &Session, asked: &[TextEdit]) -> Result<(), Refusal> {
        for above in self.inherited.iter().filter(|it| it.is_private && !it.name.starts_with("__")) {
            let there = Code::known(session, &above.place.path)?;
            let uses = Uses::of(session, &there, above.place.offset).await?;
            for (user, one) in uses.iter() {
                let is_above = self.line.classes.iter().any(|it| {
                    let class = it.class();
                    class.code.path == user.path && class.node.span().contains(one.span)
                });
                let is_asked = user.path == self.code().path && asked.iter().any(|it| it.span.start == one.span.start);
                let is_super = one.member(user).and_then(|it| it.child("object")).is_some_and(|object| {
                    user.path == self.code().path && asked.iter().any(|it| it.span == object.span())
                });
                if !is_above && !is_asked && !is_super {
                    let reason = format!("`{}` is private, and asked for here", above.name);
                    return Err(user.refuse(one.span.start, reason));
                }
            }
        }
        Ok(())
    }

    /// Takes the superclass away, and the words that mark what overrides it.
    fn left(&self) -> Vec<TextEdit> {
        let code = self.code();
        let mut edits = Vec::new();
        if let Some(list) = self.class.node.child("superclasses") {
            edits.push(TextEdit::new(list.span(), ""));
        } else if let Some(heritage) = self.class.node.child_of_kind("class_heritage") {
            let clause = heritage.child_of_kind("extends_clause").unwrap_or(heritage);
            let before = code.text()[..clause.start()].trim_end().len();
            edits.push(TextEdit::new(Span::new(before, clause.end()), ""));
        }
        for member in self.class.members() {
            let mut words = member.node.children().take_while(|it| it.start() < member.name.start());
            let Some(word) = words.find(|it| it.text(code.text()) == "override") else { continue };
            edits.push(TextEdit::new(Span::new(word.start(), code.next_word(word.end())), ""));
        }
        edits
    }
}
