//! What goes into the new class, and whether it can.

use super::member_names::bare;
use super::passed_fields::PassedField;
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Class, Member, MemberKind, receiver, usage};
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::field_initialization::{asks_for, check_base, check_heir};
use crate::refactor::analysis::fields::{Around, Field, held_as};
use crate::refactor::analysis::inherited_members::check_remade;
use crate::refactor::analysis::members::{Destination, MemberDeclarations, check_unused};
use crate::refactor::analysis::moved_methods::MovedMethod;
use crate::refactor::analysis::references::Uses;
use crate::refactor::analysis::signatures::is_literal;
use crate::refactor::analysis::type_parameters::{TypeParameters, check_variables};
use crate::refactor::analysis::{class_variables, data_classes};
use crate::refactor::request::Request;
use crate::session::Session;
use crate::syntax::{Family, Node, check_name, whole_words};
use crate::text::{Span, TextEdit};

/// Members of a class that come to be another one's.
pub(super) struct Part<'c> {
    pub class: Class<'c>,
    pub name: &'c str,
    /// The field that holds the new object.
    pub delegate: String,
    pub fields: Vec<Field<'c>>,
    pub methods: Vec<MemberDeclarations<'c>>,
    /// What the methods need of what stays.
    pub passed: Vec<PassedField<'c>>,
    /// What the new class lists of the old one's type parameters, and how the old one passes them on; empty where it needs
    /// none.
    pub types: (String, String),
    /// Where `__slots__` name the fields that go.
    pub slots: Vec<Span>,
    /// What makes each of the fields, where the class is a dataclass whose constructor takes nothing for them: `field`.
    pub made_apart: Option<Node<'c>>,
    /// How the methods that go ask other objects of the old class for the fields.
    asked: Vec<TextEdit>,
}

impl<'c> Part<'c> {
    pub(super) fn of(class: &Class<'c>, request: &'c Request) -> Result<Self, Refusal> {
        let (code, name) = (class.code, request.params.text("name"));
        check_unused(code, name)?;
        let mut fields: Vec<Field<'c>> = Vec::new();
        for wanted in request.params.needed_list("fields")? {
            let missing = || code.refuse(class.name.start(), format!("`{}` has no field `{wanted}`", class.name()));
            fields.push(Field::named(*class, wanted)?.ok_or_else(missing)?);
        }
        let mut methods: Vec<MemberDeclarations<'c>> = Vec::new();
        for wanted in request.params.list("methods") {
            let members = class.members();
            let found = members.iter().map(|it| it.name.text(code.text())).find(|it| it == wanted);
            methods.push(MemberDeclarations::named(*class, found.unwrap_or_default(), Destination::Elsewhere)?);
        }
        let delegate = match request.params.given("delegate") {
            Some(given) => given.to_owned(),
            None => {
                let begins = |sign: char| fields.iter().all(|it| it.name.starts_with(sign));
                let sign = match code.family() {
                    Family::Python | Family::Script if begins('_') => "_",
                    Family::Script if begins('#') => "#",
                    _ => "",
                };
                format!("{sign}{}", held_as(code, name))
            }
        };
        let slots = fields.iter().filter_map(|it| it.slot().ok().flatten()).collect();
        let made: Option<Vec<Node<'c>>> =
            fields.iter().map(|it| data_classes::made_apart(class, &it.members)).collect();
        let made_apart = made.and_then(|all| all.first().copied());
        let (types, asked, passed) = Default::default();
        let part = Self { class: *class, name, delegate, fields, methods, passed, types, slots, made_apart, asked };
        part.check_names()?;
        Ok(part)
    }

    /// Finds the fields that stay and that the methods need, and tells who may set them again.
    pub(super) async fn pass_needed(&mut self, session: &Session) -> Result<Vec<Warning>, Refusal> {
        let code = self.class.code;
        let mut warnings = Vec::new();
        if self.made_apart.is_some() || !self.slots.is_empty() {
            return Ok(warnings);
        }
        let used = self
            .methods
            .iter()
            .flat_map(|group| usage(code, group.members[0].node).members.into_iter().map(|it| (group.name, it)));
        for (method, node) in used.collect::<Vec<_>>() {
            let name = node.text(code.text());
            let is_passed = self.passed.iter().any(|it| it.field.name == name);
            if is_passed || self.names().any(|own| bare(own) == bare(name)) {
                continue;
            }
            if let Some((passed, told)) = PassedField::of(session, (&self.class, method), name).await? {
                self.passed.push(passed);
                warnings.extend(told);
            }
        }
        Ok(warnings)
    }

    /// Takes what members that go say of the class's type parameters into the new one; `typed` are the types of its
    /// constructor's parameters.
    pub(super) fn pass_types(&mut self, typed: &[&str]) -> Result<(), Refusal> {
        let code = self.class.code;
        let fields = self.fields.iter().flat_map(|it| &it.members).map(|it| match it.kind {
            MemberKind::Assigned => it.node.parent().unwrap_or(it.node),
            _ => it.node,
        });
        let passed = self.passed.iter().filter_map(|it| it.typed.as_deref());
        let typed = &Vec::from_iter(typed.iter().copied().chain(passed));
        let members: Vec<Node<'c>> = fields.chain(self.methods.iter().map(|it| it.members[0].node)).collect();
        self.types = TypeParameters::of_class(&self.class).passed(&members, typed);
        let is_said = |name: &str| {
            let in_type = typed.iter().any(|it| !whole_words(it, name).is_empty());
            in_type || members.iter().any(|it| code.mentions(*it, name))
        };
        check_variables(&self.class, is_said)
    }

    fn names(&self) -> impl Iterator<Item = &'c str> {
        self.fields.iter().map(|it| it.name).chain(self.methods.iter().map(|it| it.name))
    }

    fn check_names(&self) -> Result<(), Refusal> {
        let code = self.class.code;
        let at = self.class.name.start();
        let mut seen: Vec<&str> = Vec::new();
        for name in self.names() {
            if name.starts_with("__") {
                return Err(code.refuse(at, format!("`{name}` cannot be used in another class")));
            }
            check_name(code.parsed().tree.language(), bare(name)).map_err(|bad| Refusal::BadName(bad.to_string()))?;
            if seen.contains(&bare(name)) {
                return Err(code.refuse(at, format!("`{}` would be there twice", bare(name))));
            }
            seen.push(bare(name));
        }
        match self.fields.is_empty() {
            true => Err(code.refuse(at, "no field is named")),
            false => Ok(()),
        }
    }

    /// Tells whether something stands in what goes.
    pub(super) fn takes(&self, span: Span) -> bool {
        let code = self.class.code;
        let in_method = self.methods.iter().flat_map(|it| &it.members).any(|member| {
            let object = code.covering(span).parent().and_then(|it| it.child("object"));
            let own = member.function().and_then(|function| receiver(code, function));
            member.node.span().contains(span) && object.map(|it| it.text(code.text())) == own
        });
        let declared = self.fields.iter().flat_map(|it| &it.members).filter(|it| it.kind != MemberKind::Assigned);
        in_method || declared.into_iter().any(|it| it.name.span() == span) || self.slots.contains(&span)
    }

    /// Refuses methods that need more than what goes along.
    pub(super) fn check_methods(&self) -> Result<(), Refusal> {
        let code = self.class.code;
        for group in &self.methods {
            group.check_kind(MemberKind::Method, "it is not a method")?;
            MovedMethod::of(group)?;
            group.check_bound_as(bare(group.name))?;
            group.check_order(&self.class, None)?;
            let member = group.members[0];
            if member.is_static {
                return Err(group.refuse(format!("`{}` is not an ordinary method of an object", group.name)));
            }
            let used = usage(code, member.node);
            if let Some(node) = used.whole.first() {
                return Err(code.refuse(node.start(), format!("`{}` uses its object as a whole", group.name)));
            }
            let passed = self.passed.iter().map(|it| it.field.name);
            let known = Vec::from_iter(self.names().chain(passed));
            if let Some(node) = used.members.iter().find(|it| !known.contains(&it.text(code.text()))) {
                let reason = format!("`{}` needs `{}`, which stays", group.name, node.text(code.text()));
                return Err(code.refuse(node.start(), reason));
            }
        }
        Ok(())
    }

    /// Takes the edits of other objects along with the methods that ask them: `other.count` is `other.counter.count`.
    pub(super) fn take_asked(&mut self, edits: &mut Edits) -> Result<(), Refusal> {
        let code = self.class.code;
        let spans: Vec<Span> = self.methods.iter().flat_map(|it| &it.members).map(|it| it.node.span()).collect();
        self.asked = edits.taken(code, &spans);
        let is_closed = self.delegate.starts_with('#') || !self.modifier().is_empty();
        match self.asked.first().filter(|_| is_closed) {
            Some(one) => {
                let reason =
                    format!("another object is asked here, whose `{}` the new class may not see", self.delegate);
                Err(code.refuse(one.span.start, reason))
            }
            None => Ok(()),
        }
    }

    /// Refuses classes around that would not see what they saw.
    pub(super) async fn check_around(&self, session: &Session) -> Result<(), Refusal> {
        let code = self.class.code;
        for (at, field) in self.fields.iter().enumerate() {
            let around = field.around(session).await?;
            self.check_value(session, (field, &around)).await?;
            if at > 0 {
                continue;
            }
            // The name of a field that goes is free for what takes its place.
            if code.family() == Family::Python || !self.fields.iter().any(|it| it.name == self.delegate) {
                field.check_free(&around, &self.delegate)?;
            }
            let classes: Vec<Class<'_>> = around.classes().chain([self.class]).collect();
            classes.iter().try_for_each(check_remade)?;
            for group in &self.methods {
                if let Some(other) = around.classes().find(|class| class.has(group.name)) {
                    return Err(group.refuse(format!("`{}` has a `{}`, too", other.name(), group.name)));
                }
            }
            let fields = self.fields.iter().map(|it| it.name);
            let going: Vec<&str> = fields.chain(self.methods.iter().map(|it| it.name)).collect();
            for standing in &around.above {
                let may_ask = |method: &str| asks_for(&classes, method, &going);
                check_base(&standing.class(), standing.is_of(session), may_ask)?;
            }
            around.below.iter().try_for_each(|heir| check_heir(&heir.class()))?;
        }
        match self.class.changing_decorators().next().filter(|_| self.made_apart.is_none()) {
            Some(mark) => Err(code.refuse(mark.start(), "what this does to the fields is not known")),
            None => Ok(()),
        }
    }

    /// Refuses a value that the class has for a field, where it is not as good for the new class.
    async fn check_value(&self, session: &Session, (field, around): (&Field<'c>, &Around)) -> Result<(), Refusal> {
        if self.made_apart.is_some() {
            return field.check_unslotted().and_then(|()| field.check_between(around));
        }
        let Some((member, value)) = field.shared() else { return field.check_plain_but_slot(around) };
        let code = self.class.code;
        field.check_unslotted()?;
        field.check_open(around)?;
        if !is_literal(value) {
            return Err(code.refuse(value.start(), format!("all objects share this value of `{}`", field.name)));
        }
        let uses = Uses::of(session, code, member.name.start()).await?;
        class_variables::check(session, field, around, &uses).await
    }

    /// Tells whether nobody asks the old class for a method that only the class itself could: all who did go along.
    pub(super) fn is_idle(&self, group: &MemberDeclarations<'c>) -> bool {
        let code = self.class.code;
        let is_own = |it: &Member<'c>| it.is_marked(code, "private") || group.name.starts_with('#');
        let goes = |node: &Node<'c>| self.methods.iter().flat_map(|it| &it.members).any(|it| it.node.holds(*node));
        let is_said = |it: &Node<'c>| it.text(code.text()).trim_matches(['"', '\'', '`']) == group.name;
        let mut said = self.class.body.descendants().filter(|it| it.is_leaf() && is_said(it));
        code.family() == Family::Script && group.members.iter().all(is_own) && said.all(|it| goes(&it))
    }

    /// Returns how a method that goes calls its own members in the new class.
    pub(super) fn renamed(&self, group: &MemberDeclarations<'c>) -> Vec<TextEdit> {
        let code = self.class.code;
        let mut edits = vec![TextEdit::new(group.members[0].name.span(), bare(group.name))];
        let asked = usage(code, group.members[0].node).members;
        let own = asked.iter().filter(|it| self.names().any(|name| name == it.text(code.text())));
        edits.extend(own.map(|it| TextEdit::new(it.span(), bare(it.text(code.text())))));
        edits.retain(|edit| edit.span.of(code.text()) != Some(edit.new_text.as_str()));
        let span = group.members[0].node.span();
        edits.extend(self.asked.iter().filter(|edit| span.contains(edit.span)).cloned());
        edits.sort_by_key(|edit| edit.span);
        edits
    }

    /// Tells whether the class alone asks for the new object.
    pub(super) fn is_private(&self) -> bool {
        self.delegate.starts_with('#') || self.modifier() == "private "
    }

    /// Returns the words in front of the field that holds the new object. No other is ever set there.
    pub(super) fn marks(&self) -> String {
        let code = self.class.code;
        let is_fixed = self.class.members().iter().any(|it| it.is_marked(code, "readonly"));
        format!("{}{}", self.modifier(), if is_fixed { "readonly " } else { "" })
    }

    /// Returns the word that says who may ask for the new object: whoever could ask for one of the fields.
    pub(super) fn modifier(&self) -> &'static str {
        let is_marked = |field: &Field<'_>, word: &str| {
            let declared = field.members.iter().find(|it| matches!(it.kind, MemberKind::Field | MemberKind::Parameter));
            declared.is_some_and(|it| it.is_marked(self.class.code, word))
        };
        let is_closed = |field: &Field<'_>| is_marked(field, "private") || is_marked(field, "protected");
        match () {
            () if self.delegate.starts_with('#') => "",
            () if self.fields.iter().all(|field| is_marked(field, "private")) => "private ",
            () if self.fields.iter().all(is_closed) => "protected ",
            () => "",
        }
    }
}
