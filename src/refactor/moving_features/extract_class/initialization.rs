//! How the fields that go get their first values, and when.

use super::extracted_members::Part;
use super::first_values::{Init, init};
use super::member_names::bare;
use super::passed_fields::PassedField;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind, comments_above, end_of, receiver, usage};
use crate::refactor::analysis::data_classes;
use crate::refactor::analysis::evaluation_order::{ExpressionReach, reach};
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::references::Use;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of};
use crate::session::Session;
use crate::syntax::python::docstring;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Language, Node};
use crate::text::{Span, TextEdit};

/// Why a field that stays cannot be passed.
const NO_VALUE: &str = "what the new object needs has no value yet where that would be made";

/// What the constructor does for the fields that go.
pub(super) struct Making<'c> {
    pub constructor: Option<Node<'c>>,
    /// `self.field = value`, in their order.
    pub inits: Vec<Init<'c>>,
    /// `constructor(private field: Type)`.
    pub given: Vec<Member<'c>>,
    /// Where the new object is made; nothing where its fields have their values by themselves.
    made_at: Option<usize>,
}

impl<'c> Making<'c> {
    pub(super) fn of(part: &Part<'c>) -> Result<Self, Refusal> {
        let code = part.class.code;
        let constructor = constructor(&part.class)?;
        let body = constructor.and_then(|it| it.child("body"));
        let (mut inits, mut given, mut is_first) = (Vec::new(), Vec::new(), false);
        for (at, field) in part.fields.iter().enumerate() {
            if let Some(member) = field.members.iter().find(|it| it.kind == MemberKind::Parameter) {
                given.push(*member);
                continue;
            }
            let init = body.and_then(|body| init(code, (at, &field.members), body)).transpose()?;
            let is_valued = field.shared().is_some() && body.is_some() && part.made_apart.is_none();
            let is_declared =
                code.family() == Family::Script && field.members.iter().any(|it| it.kind == MemberKind::Field);
            is_first |= is_valued;
            if init.is_none() && !is_declared && !is_valued && part.made_apart.is_none() {
                let mark = part.class.changing_decorators().next();
                let plain = || format!("the constructor does not set `{}` in a statement of its own", field.name);
                let reason = mark.map_or_else(plain, |mark| data_classes::reason(&part.class, mark));
                return Err(code.refuse(field.members[0].name.start(), reason));
            }
            inits.extend(init);
        }
        inits.sort_by_key(|it| it.statement.start());
        given.sort_by_key(|it| it.node.start());
        is_first |= !given.is_empty();
        let made_at = match inits.first() {
            _ if is_first && body.is_some() => constructor.and_then(|it| beginning(code, it)),
            first => first.map(|it| it.statement.start()),
        };
        if let Some(body) =
            body.filter(|it| is_first && code.family() == Family::Python && !part.class.begins_line(it.start()))
        {
            return Err(code.refuse(body.start(), "the constructor has no lines of its own"));
        }
        let made_at = part.made_at(constructor, made_at)?;
        let making = Self { constructor, inits, given, made_at };
        if let Some(body) = body {
            making.check_values(part, body)?;
            making.check_statements(part, body)?;
        }
        Ok(making)
    }

    /// Learns the types of the values that the new constructor takes.
    pub(super) async fn learn_types(&mut self, session: &Session, part: &Part<'c>) {
        let code = part.class.code;
        if code.parsed().tree.language() == Language::JavaScript {
            return;
        }
        let members = part.class.members();
        let says_types = members.iter().filter_map(|it| it.function()).any(inferred_types::is_typed)
            || members.iter().any(|it| it.kind == MemberKind::Field && it.node.child("type").is_some());
        for init in self.inits.iter_mut().filter(|it| !it.is_literal(code)) {
            let field = &part.fields[init.field];
            init.typed = field.written_type().map(str::to_owned);
            if init.typed.is_none() && says_types && code.family() == Family::Python {
                init.typed = inferred_types::built_in(session, code, field.members[0].name).await;
            }
        }
    }

    /// Tells whether a place is part of what makes the fields now.
    pub(super) fn takes(&self, span: Span) -> bool {
        let in_head = self.constructor.and_then(|it| it.child("parameters")).is_some_and(|it| it.span().contains(span));
        in_head && !self.given.is_empty() || self.inits.iter().any(|it| it.target.span().contains(span))
    }

    /// Refuses a use in the class that comes before the new object.
    pub(super) fn check_early(&self, part: &Part<'_>, one: &Use) -> Result<(), Refusal> {
        let (Some(made_at), code) = (self.made_at, part.class.code) else { return Ok(()) };
        let node = one.node(code);
        let in_constructor = self.constructor.is_some_and(|it| it.holds(node)) && one.span.start < made_at;
        let field = node.ancestors().find(|it| it.is_any(&["public_field_definition", "field_definition"]));
        let in_field = field.is_some_and(|it| function_of(node).is_none_or(|function| function.holds(it)));
        match in_constructor || in_field {
            true => Err(code.refuse(one.span.start, format!("`{}` is not there yet", part.delegate))),
            false => Ok(()),
        }
    }

    /// Refuses values that would be made at another time, or of what goes.
    fn check_values(&self, part: &Part<'c>, body: Node<'c>) -> Result<(), Refusal> {
        let code = part.class.code;
        let names = ScopedNames::of(code);
        let statements: Vec<Node<'c>> = body.named_children().collect();
        let made_at = self.made_at.unwrap_or_default();
        let first = statements.iter().position(|it| it.start() >= made_at).unwrap_or_default();
        for (count, init) in self.inits.iter().enumerate() {
            let refuse = |reason: &str| Err(code.refuse(init.value.start(), reason));
            let used = usage(code, init.value);
            if !used.whole.is_empty() || !used.bound.is_empty() || used.members.iter().any(|it| !part.keeps(*it)) {
                return refuse("the value needs more of its object than a field that stays");
            }
            let is_next = statements.get(first + count) == Some(&init.statement);
            if is_next || init.is_literal(code) {
                continue;
            }
            let mut used = names.within(init.value.span());
            let is_own = |write: &Name| function_of(code.covering(write.span)) == self.constructor;
            let is_between = |write: &Name| (made_at..init.value.end()).contains(&write.span.start);
            let is_fixed = used.all(|name| {
                let writes = Vec::from_iter(names.writes(name.meaning));
                name.is_free
                    || matches!(writes.as_slice(), [only] if only.span.start < made_at)
                    || writes.iter().all(|it| is_own(it) && !is_between(it))
            });
            if !is_fixed || reach(&names, code, init.value) != ExpressionReach::Local {
                return refuse("the value would be made earlier, and may be another one then");
            }
        }
        Ok(())
    }

    /// Refuses statements between the object's beginning and the last field that could see what is missing.
    fn check_statements(&self, part: &Part<'c>, body: Node<'c>) -> Result<(), Refusal> {
        let code = part.class.code;
        let made_at = self.made_at.unwrap_or_default();
        let last = self.inits.last().map_or(made_at, |it| it.statement.start());
        let others = body.named_children().take_while(|it| it.start() < last);
        for statement in others.filter(|it| !self.inits.iter().any(|init| init.statement == *it)) {
            let used = usage(code, statement);
            let is_plain = |node: &Node<'c>| node.parent().is_some_and(|it| it.field() == Some("left"));
            let asked = used.members.iter().find(|it| !is_plain(it) && !part.keeps(**it));
            let late = used.bound.first().filter(|it| it.start() > made_at);
            if let Some(node) = used.whole.first().or(asked).or(late) {
                return Err(code.refuse(node.start(), "the object is used before all fields that go have their values"));
            }
        }
        Ok(())
    }

    /// Returns what the new object is made of, as the old constructor says it.
    fn arguments<'p>(&self, part: &'p Part<'c>) -> Vec<&'p str> {
        let code = part.class.code;
        let given = self.given.iter().map(|it| it.name.text(code.text()));
        let valued = self.inits.iter().filter(|it| !it.is_literal(code)).map(|it| it.value.text(code.text()));
        given.chain(valued).chain(part.passed.iter().map(|it| it.value.as_str())).collect()
    }

    /// Makes the new object: `new Name(a, b)`.
    pub(super) fn call(&self, part: &Part<'c>) -> String {
        let new = if part.class.code.family() == Family::Python { "" } else { "new " };
        format!("{new}{}{}({})", part.name, part.types.1, self.arguments(part).join(", "))
    }

    /// Tells whether the constructor makes the new object.
    pub(super) fn is_in_constructor(&self) -> bool {
        self.made_at.is_some()
    }

    /// Returns the edits of the old constructor.
    pub(super) fn edits(&self, part: &Part<'c>) -> Result<Vec<TextEdit>, Refusal> {
        let code = part.class.code;
        let (Some(function), Some(made_at)) = (self.constructor, self.made_at) else { return Ok(Vec::new()) };
        let Some(body) = function.child("body") else { return Ok(Vec::new()) };
        let end = if code.family() == Family::Python { "" } else { ";" };
        let receiver = receiver(code, function).unwrap_or("this");
        let creation = format!("{receiver}.{} = {}{end}", part.delegate, self.call(part));
        let mut edits: Vec<TextEdit> = Vec::new();
        for member in &self.given {
            edits.push(TextEdit::new(Span::new(member.node.start(), member.name.start()), ""));
        }
        let replaced = self.inits.first().filter(|it| it.extent.contains(Span::at(made_at)));
        for (at, init) in self.inits.iter().enumerate() {
            let lines = Span::new(code.line_start(init.extent.start), code.next_line(init.extent.end));
            edits.push(match at == 0 && replaced.is_some() {
                true => TextEdit::new(init.extent, creation.as_str()),
                false => TextEdit::new(lines, ""),
            });
        }
        if replaced.is_some() {
            return Ok(edits);
        }
        if code.family() == Family::Python {
            let (newline, base) = (code.newline(), code.indent(body.start()));
            let text = match made_at == body.end() {
                true => format!("{newline}{base}{creation}"),
                false => format!("{creation}{newline}{base}"),
            };
            edits.push(TextEdit::new(Span::at(made_at), text));
        } else {
            let (newline, base) = (code.newline(), code.indent(body.start()).to_owned());
            let step = Layout::of(code).step().to_owned();
            let is_empty = body.named_children().next().is_none();
            let tail = if is_empty { format!("{newline}{base}") } else { String::new() };
            let text = format!("{newline}{base}{step}{creation}{tail}");
            edits.push(TextEdit::new(Span::at(made_at), text));
        }
        Ok(edits)
    }
}

impl<'c> Part<'c> {
    /// Returns where the new object is made once it is given values of fields that stay.
    fn made_at(&self, constructor: Option<Node<'c>>, early: Option<usize>) -> Result<Option<usize>, Refusal> {
        let code = self.class.code;
        let late = self.passed.iter().filter_map(PassedField::made_behind).max();
        let Some(first) = self.passed.first() else { return Ok(early) };
        let Some(constructor) = constructor else {
            let declared = self.fields.iter().flat_map(|it| &it.members).map(|it| it.node.start()).min();
            let is_later = |it: &&PassedField<'c>| Some(it.field.members[0].node.start()) > declared;
            let is_python = code.family() == Family::Python;
            return match self.passed.iter().find(is_later).or(is_python.then_some(first)) {
                Some(late) => Err(code.refuse(late.field.members[0].name.start(), NO_VALUE)),
                None => Ok(early),
            };
        };
        match (early, late) {
            (Some(early), Some(late)) if early < late => Err(code.refuse(early, NO_VALUE)),
            (Some(early), _) => Ok(Some(early)),
            (None, Some(late)) => Ok(Some(late)),
            (None, None) => Ok(beginning(code, constructor)),
        }
    }

    /// Tells whether a member that the object is asked for stays, and is a field or a method that does not see the object.
    fn keeps(&self, member: Node<'c>) -> bool {
        let name = member.text(self.class.code.text());
        let members = self.class.members_named(name);
        let is_field = !members.is_empty() && members.iter().all(|it| it.function().is_none() || it.is_static);
        is_field && !self.fields.iter().any(|it| it.name == name)
    }

    /// Returns the name of a field in the new class.
    pub(super) fn field(&self, at: usize) -> &'c str {
        bare(self.fields[at].name)
    }
}

/// Returns the one constructor of a class, if it has any.
fn constructor<'c>(class: &Class<'c>) -> Result<Option<Node<'c>>, Refusal> {
    let all = class.members();
    let built: Vec<&Member<'c>> = all.iter().filter(|it| it.kind == MemberKind::Constructor).collect();
    match built.as_slice() {
        [] => Ok(None),
        [one] if one.name.text(class.code.text()) != "__new__" => Ok(one.function()),
        [one, ..] => Err(class.code.refuse(one.name.start(), "its objects are made in more than one way")),
    }
}

/// Returns where the statements of a constructor begin that may use its object.
pub(crate) fn opening(code: &Code, body: Node<'_>) -> usize {
    let mut statements = body.named_children();
    let first = statements.next().filter(|it| it.text(code.text()).starts_with("super("));
    first.map_or(body.start() + 1, |it| end_of(code, it))
}

/// Returns where a constructor may make the new object at the earliest.
fn beginning(code: &Code, constructor: Node<'_>) -> Option<usize> {
    let body = constructor.child("body")?;
    Some(match code.family() {
        Family::Python => behind_docstring(code, constructor, body),
        _ => opening(code, body),
    })
}

/// Returns where the statements of a constructor of Python begin.
fn behind_docstring(code: &Code, constructor: Node<'_>, body: Node<'_>) -> usize {
    let from = docstring(constructor).map_or(body.start(), |it| it.end);
    let first = body.named_children().find(|it| it.start() >= from && !it.is("comment"));
    first.map_or(body.end(), |it| comments_above(code, it.start()))
}
