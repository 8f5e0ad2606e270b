//! The first value of a field that goes to an object which is held: when it comes about, and where it is said then.

mod said;

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind, end_of, usage};
use crate::refactor::analysis::delegate_field::{HeldObject, constructor};
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::field_initialization::is_fresh;
use crate::refactor::analysis::fields::Field;
use crate::refactor::moving_features::extract_class::{Init, init};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::syntax::{Family, Node};
use crate::text::Span;

pub(super) struct First<'a, 'c> {
    field: &'a Field<'c>,
    held: &'a HeldObject<'c>,
    to: &'a Class<'a>,
    origin: Origin<'c>,
    /// Nothing sees or changes the field between its first value and the held object.
    is_quiet: bool,
}

/// Where the value stands.
enum Origin<'c> {
    /// `rate = 3;` or `rate?: number;` in the class body of a script.
    Declared(Member<'c>),
    /// `self.rate = rate` in the constructor.
    Set(Init<'c>),
    /// `constructor(private rate: number)`.
    Given(Member<'c>),
}

impl<'a, 'c> First<'a, 'c> {
    pub(super) fn of(field: &'a Field<'c>, held: &'a HeldObject<'c>, to: &'a Class<'a>) -> Result<Self, Refusal> {
        let origin = Origin::of(field)?;
        let mut first = Self { field, held, to, origin, is_quiet: true };
        if first.is_before() || first.code().family() == Family::Script {
            first.check_quiet(Span::new(0, first.made_at()))?;
        }
        if let Origin::Set(init) = &first.origin {
            let between = Span::new(first.made_at(), init.statement.start());
            first.is_quiet = first.is_before() || first.check_quiet(between).is_ok();
        }
        match first.is_before() && !first.is_constant() {
            true => first.check_fixed().map(|()| first),
            false => Ok(first),
        }
    }

    fn code(&self) -> &'c Code {
        self.field.class.code
    }

    /// Tells whether a place is part of what gives the field its first value, or declares it.
    pub(super) fn takes(&self, span: Span) -> bool {
        let declared = self.field.members.iter().any(|it| it.kind == MemberKind::Field && it.name.span() == span);
        declared
            || match &self.origin {
                Origin::Declared(_) => false,
                Origin::Set(init) => init.target.span().contains(span),
                // The parameter itself stays.
                Origin::Given(_) => constructor(&self.field.class).is_some_and(|it| self.is_parameter(it, span)),
            }
    }

    fn is_parameter(&self, function: Node<'c>, span: Span) -> bool {
        let node = self.code().covering(span);
        function.span().contains(span)
            && !node.parent().is_some_and(|it| it.is("member_expression") && node.field() == Some("property"))
    }

    /// Returns where the held object has been made.
    fn made_at(&self) -> usize {
        match self.held.statement {
            Some(statement) => end_of(self.code(), statement),
            None => self.held.made.end(),
        }
    }

    /// Tells whether the field has its value before there is an object to hold it.
    fn is_before(&self) -> bool {
        match &self.origin {
            Origin::Declared(_) | Origin::Given(_) => true,
            Origin::Set(init) => self.held.statement.is_some() && init.statement.start() < self.made_at(),
        }
    }

    /// Tells whether the value is the same wherever it is said.
    fn is_constant(&self) -> bool {
        match &self.origin {
            Origin::Declared(_) => true,
            Origin::Set(init) => init.is_literal(self.code()),
            Origin::Given(_) => false,
        }
    }

    /// Refuses what could see or set the field in a stretch of its class's making.
    fn check_quiet(&self, stretch: Span) -> Result<(), Refusal> {
        let (code, class) = (self.code(), self.field.class);
        let function = constructor(&class);
        let body = function.and_then(|it| it.child("body"));
        let init = match &self.origin {
            Origin::Set(init) => Some(init.statement),
            _ => None,
        };
        let from = match code.family() {
            Family::Python => init.map_or(0, |it| it.start()),
            _ => 0,
        };
        let is_super = |node: &Node<'c>| node.text(code.text()).starts_with("super(");
        let statements = body.into_iter().flat_map(Node::named_children);
        let statements = statements.filter(|it| it.start() >= from && stretch.contains(Span::at(it.start())));
        let statements =
            statements.filter(|it| Some(*it) != init && !(is_super(it) && code.family() == Family::Script));
        let is_value =
            |it: &Member<'c>| it.kind == MemberKind::Field && !it.is_static && code.family() == Family::Script;
        let values = class.members().into_iter().filter(is_value).filter_map(|it| it.node.child("value"));
        for node in statements.chain(values) {
            let used = usage(code, node);
            let loud = used.members.iter().find(|it| !self.is_plain(**it));
            let ends = node.descendants().find(|it| it.is("return_statement"));
            if let Some(at) = used.whole.first().or(used.bound.first()).or(loud).copied().or(ends) {
                let reason =
                    format!("this could ask for `{}` before `{}` is there", self.field.name, self.held.field.name);
                return Err(code.refuse(at.start(), reason));
            }
        }
        Ok(())
    }

    /// Tells whether a member that the object is asked for is another field, read or set and not called.
    fn is_plain(&self, member: Node<'c>) -> bool {
        let name = member.text(self.code().text());
        let members = self.field.class.members_named(name);
        let is_field = !members.is_empty() && members.iter().all(|it| it.function().is_none());
        let is_called = member.parent().is_some_and(|it| it.field() == Some("function"));
        is_field && !is_called && name != self.field.name
    }

    /// Refuses a value that could be another one once the held object is there.
    fn check_fixed(&self) -> Result<(), Refusal> {
        let code = self.code();
        let names = ScopedNames::of(code);
        let value = match &self.origin {
            Origin::Set(init) => init.value,
            Origin::Given(member) => member.name,
            Origin::Declared(member) => member.name,
        };
        let is_fixed = names.within(value.span()).all(|name| name.is_free || names.writes(name.meaning).count() == 1);
        let is_known = matches!(self.origin, Origin::Given(_)) || reach(&names, code, value) == ExpressionReach::Local;
        match is_fixed && is_known {
            true => Ok(()),
            false => Err(code.refuse(value.start(), "the value would be made later, and may be another one then")),
        }
    }
}

impl<'c> Origin<'c> {
    fn of(field: &Field<'c>) -> Result<Self, Refusal> {
        let code = field.class.code;
        let refuse = |node: Node<'c>, reason: &str| Err(code.refuse(node.start(), reason));
        if let Some(member) = field.members.iter().find(|it| it.kind == MemberKind::Parameter) {
            return Ok(Self::Given(*member));
        }
        let is_script = code.family() == Family::Script;
        let valued = field
            .members
            .iter()
            .find(|it| is_script && it.kind == MemberKind::Field && it.node.child("value").is_some());
        if let Some(member) = valued {
            let value = member.node.child("value").filter(|it| is_fresh(*it));
            let is_plain = value.is_some_and(|it| ScopedNames::of(code).within(it.span()).next().is_none());
            return match is_plain {
                true => Ok(Self::Declared(*member)),
                false => refuse(member.name, "its value is not a constant: another object would have to make it"),
            };
        }
        let body = constructor(&field.class).and_then(|it| it.child("body"));
        match body.and_then(|body| init(code, (0, &field.members), body)).transpose()? {
            Some(init) => Ok(Self::Set(init)),
            // `rate?: number;`
            None if is_script
                && field.members.iter().all(|it| it.kind == MemberKind::Field || it.kind == MemberKind::Assigned) =>
            {
                let declared = field.members.iter().find(|it| it.kind == MemberKind::Field);
                declared.map_or_else(
                    || refuse(field.members[0].name, "it is declared nowhere"),
                    |it| Ok(Self::Declared(*it)),
                )
            }
            None => refuse(field.members[0].name, "the constructor does not set it in a statement of its own"),
        }
    }
}
