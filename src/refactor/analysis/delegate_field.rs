//! The field that holds an object of another class, and the place where that is made.

use super::classes::{Class, ClassHierarchy, Member, MemberKind, receiver, usage};
use super::delegated_access::asked;
use super::delegation::{Delegated, called};
use super::edits::Edits;
use super::fields::Field;
use super::imports::required;
use super::inherited_members::Lineage;
use super::parameters::listed;
use super::references::Uses;
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node, is_async};
use crate::text::TextEdit;

/// A field that is given a new object once, when the one that has it is made.
pub(crate) struct HeldObject<'c> {
    pub class: Class<'c>,
    pub field: Field<'c>,
    /// `Person(name)`, `new Person(name)`.
    pub made: Node<'c>,
    /// The statement of the constructor; nothing where the field has its value by its declaration.
    pub statement: Option<Node<'c>>,
}

impl<'c> HeldObject<'c> {
    /// Finds the field by its name, or the only one that there is.
    pub(crate) fn find(class: &Class<'c>, name: Option<&str>) -> Result<Self, Refusal> {
        let code = class.code;
        let refuse = |reason: String| Err(code.refuse(class.name.start(), reason));
        if !class.bases().is_empty()
            || class.node.child("superclasses").is_some_and(|it| it.named_children().count() > 0)
        {
            return refuse(format!("`{}` extends something already", class.name()));
        }
        if class.has("__slots__") {
            return refuse("its `__slots__` name the fields".to_owned());
        }
        if class.changing_decorators().next().is_some() {
            return refuse("what makes the class something else is not known".to_owned());
        }
        if let Some(name) = name {
            let missing = || code.refuse(class.name.start(), format!("`{}` has no field `{name}`", class.name()));
            return Self::of(class, Field::named(*class, name)?.ok_or_else(missing)?);
        }
        let mut found = Self::all(class);
        match found.len() {
            1 => Ok(found.remove(0)),
            count => refuse(format!("{count} fields hold an object that is made with its own: name one by `delegate`")),
        }
    }

    fn of(class: &Class<'c>, field: Field<'c>) -> Result<Self, Refusal> {
        let code = class.code;
        let at = field.members[0].name.start();
        let refuse = |reason: &str| Err(code.refuse(at, reason));
        let assigned: Vec<Node<'c>> =
            field.members.iter().filter(|it| it.kind == MemberKind::Assigned).map(|it| it.node).collect();
        let valued =
            field.members.iter().find_map(|it| it.node.child("value").filter(|_| it.kind == MemberKind::Field));
        let (value, statement) = match (assigned.as_slice(), valued) {
            ([], Some(value)) if code.family() == Family::Script => (Some(value), None),
            ([one], None) => {
                let assignment = one.parent();
                (assignment.and_then(|it| it.child("right")), assignment.and_then(Node::parent))
            }
            _ => return refuse("the field is not given its value at one place"),
        };
        let made = value.filter(|it| it.is_any(&["call", "new_expression"]) && class_name(*it).is_some());
        let Some(made) = made else { return refuse("the field is not given a new object of a class") };
        if statement.is_some_and(|it| !is_of_constructor(class, it)) {
            return refuse("the object that it holds is not made by a statement of the constructor");
        }
        if field.members.iter().any(|it| it.is_static || it.decorators().next().is_some())
            && code.family() == Family::Script
        {
            return refuse("it is not an ordinary field of an object");
        }
        Ok(Self { class: *class, field, made, statement })
    }

    /// Returns what is known of the class that is held; refuses one that is not there when the other is declared.
    pub(crate) async fn line(&self, session: &Session, kin: &ClassHierarchy<'_>) -> Result<Lineage, Refusal> {
        let code = self.class.code;
        let refuse = |reason: String| Err(code.refuse(self.made.start(), reason));
        let name = class_name(self.made).unwrap_or(self.made);
        let declared = kin.declared(&Place { path: code.path.clone(), offset: name.start() }).await?;
        let Some(standing) = declared else {
            return refuse("the class of the object that is made here cannot be determined".to_owned());
        };
        let names = ScopedNames::of(code);
        let meaning = names.at(name).map(|it| it.meaning);
        let bindings: Vec<_> = meaning
            .into_iter()
            .flat_map(|it| names.of_meaning(it).collect::<Vec<_>>())
            .filter(|it| it.is_binding)
            .collect();
        let is_known = |it: &crate::syntax::scopes::Name| {
            required::home(code, *it).is_none() && it.span.start < self.class.statement().start()
        };
        if !matches!(bindings.as_slice(), [one] if is_known(one)) {
            return refuse(format!("`{}` is not known yet where the class is declared", name.text(code.text())));
        }
        let there = standing.place().path;
        if there != code.path && required::leads_to(session, &there, &code.path) {
            return refuse(format!("the module of `{}` imports this one", name.text(code.text())));
        }
        let used = usage(code, self.made);
        let is_script = code.family() == Family::Script;
        if let Some(node) = used.whole.first().or(used.members.first().filter(|_| is_script)) {
            return Err(code.refuse(node.start(), "the object is needed to make the one that it holds"));
        }
        Lineage::of(kin, standing).await
    }

    /// Finds the only field that is given a new object of a class of the file.
    pub(crate) fn making(class: &Class<'c>, made: &Class<'c>) -> Result<Self, Refusal> {
        let text = class.code.text();
        let mut found = Self::all(class);
        found.retain(|held| class_name(held.made).is_some_and(|it| it.text(text) == made.name()));
        match found.len() {
            1 => Ok(found.remove(0)),
            0 => Err(Self::none_made(class, made)),
            count => {
                let reason = format!(
                    "{count} fields of `{}` each hold an object of `{}` that it makes",
                    class.name(),
                    made.name()
                );
                Err(class.code.refuse(class.name.start(), reason))
            }
        }
    }

    /// Refuses a class that makes no object of the other one: its callers may pass it one.
    fn none_made(class: &Class<'c>, made: &Class<'c>) -> Refusal {
        let (code, text) = (class.code, class.code.text());
        let taken = constructor(class).into_iter().flat_map(listed);
        let is_of = |it: &Node<'c>| {
            let typed = it.child("type");
            typed.is_some_and(|it| it.descendants().any(|one| one.is_leaf() && one.text(text) == made.name()))
        };
        match taken.into_iter().find(is_of) {
            Some(parameter) => {
                let reason =
                    format!("`{}` does not make its object of `{}`: callers pass it", class.name(), made.name());
                code.refuse(parameter.start(), reason)
            }
            None => {
                let reason =
                    format!("no field of `{}` is given an object of `{}` made here", class.name(), made.name());
                code.refuse(class.name.start(), reason)
            }
        }
    }

    /// Returns every field that is given a new object once.
    pub(crate) fn all(class: &Class<'c>) -> Vec<Self> {
        let mut names: Vec<&str> = class.members().iter().map(|it| it.name.text(class.code.text())).collect();
        names.sort_unstable();
        names.dedup();
        let fields = names.iter().filter_map(|name| Field::named(*class, name).ok().flatten());
        fields.filter_map(|field| Self::of(class, field).ok()).collect()
    }

    /// Returns the members that do nothing but to ask the held object for what they are called themselves.
    pub(crate) fn forwarders(&self, line: &Lineage) -> Vec<Member<'c>> {
        let text = self.class.code.text();
        let all = self.class.members();
        let is_forwarder = |member: &Member<'c>| {
            let name = member.name.text(text);
            let mut same = all.iter().filter(|it| it.name.text(text) == name);
            same.all(|it| self.forwards(it, line).is_some())
        };
        all.iter().filter(|it| it.kind == MemberKind::Method && is_forwarder(it)).copied().collect()
    }

    fn forwards(&self, member: &Member<'_>, line: &Lineage) -> Option<()> {
        let code = self.class.code;
        let text = code.text();
        let name = member.name.text(text);
        let (there, above) = line.members_named(name)?;
        let function = member.function()?;
        let asked = format!("{}.{}.{name}", receiver(code, function)?, self.field.name);
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
            let is_same = expression.child("left")?.text(text) == asked
                && expression.child("right")?.text(text) == value.text(text);
            return is_same.then_some(());
        }
        if is_get {
            return (only.is("return_statement") && expression.text(text) == asked).then_some(());
        }
        let [other] = above.as_slice() else { return None };
        let is_plain = marks.is_empty() && !member.is_static && other.kind == MemberKind::Method;
        let is_asked = expression.child("function").is_some_and(|it| it.text(text) == asked);
        let Delegated::Call { passed, .. } = called(code, there.code, other).ok()? else { return None };
        let arguments: Vec<&str> = expression.child("arguments")?.named_children().map(|it| it.text(text)).collect();
        let its = other.function()?;
        let is_alike = shape(code, member) == shape(there.code, other);
        let is_alike = is_alike && is_async(function) == is_async(its);
        let gives = its.descendants().any(|it| it.is("return_statement") && it.named_children().next().is_some());
        let is_alike = is_alike && (only.is("return_statement") || !gives);
        (is_plain && is_asked && is_alike && arguments == passed).then_some(())
    }

    /// Refuses members that would override those of the class that is self.
    pub(crate) async fn check_names(
        &self,
        kin: &ClassHierarchy<'_>,
        line: &Lineage,
        gone: &[Member<'_>],
    ) -> Result<(), Refusal> {
        let class = self.class;
        if line.classes.iter().any(|it| it.place() == class.place()) {
            return Err(class.code.refuse(class.name.start(), "it would extend itself"));
        }
        let heirs = kin.heirs(&class).await?;
        for one in std::iter::once(class).chain(heirs.iter().map(|it| it.class())) {
            for member in one.members().iter().filter(|it| it.kind != MemberKind::Constructor) {
                let name = member.name.text(one.code.text());
                let is_gone = one.place() == class.place() && gone.iter().any(|it| it.name == member.name);
                if !is_gone && name != self.field.name && line.members_named(name).is_some() {
                    let reason = format!("`{name}` would override that of `{}`", line.base().name());
                    return Err(one.code.refuse(member.name.start(), reason));
                }
            }
        }
        Ok(())
    }

    /// Lets everybody ask the object itself for what was asked of the one that it holds.
    pub(crate) async fn redirect(
        &self,
        session: &Session,
        gone: &[Member<'_>],
        edits: &mut Edits,
    ) -> Result<(), Refusal> {
        let code = self.class.code;
        let uses = Uses::of(session, code, self.field.members[0].name.start()).await?;
        edits.warn(uses.its_own(session).await?);
        for (user, one) in uses.iter() {
            let is_here = user.path == code.path;
            let is_made = self.field.members.iter().any(|it| it.name.span() == one.span);
            if is_here && (is_made || gone.iter().any(|it| it.node.span().contains(one.span))) {
                continue;
            }
            let asked = asked(user, one).filter(|_| !one.is_printed(user)).ok_or_else(|| {
                user.refuse(one.span.start, format!("`{}` is more than asked for a member here", self.field.name))
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
}

/// Returns the name of the class that an expression makes an object of.
pub(crate) fn class_name(made: Node<'_>) -> Option<Node<'_>> {
    let callee = made.child("function").or_else(|| made.child("constructor"))?;
    let is_plain = made.child("type_arguments").is_none() && callee.is("identifier");
    Some(callee).filter(|_| is_plain)
}

/// Returns the only constructor of a class.
pub(crate) fn constructor<'c>(class: &Class<'c>) -> Option<Node<'c>> {
    let all = class.members();
    let built: Vec<Node<'c>> =
        all.iter().filter(|it| it.kind == MemberKind::Constructor).filter_map(|it| it.function()).collect();
    match built.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

fn is_of_constructor(class: &Class<'_>, statement: Node<'_>) -> bool {
    let body = constructor(class).and_then(|it| it.child("body"));
    statement.is("expression_statement") && body.is_some() && statement.parent() == body && !is_new(class.code, class)
}

fn is_new(code: &Code, class: &Class<'_>) -> bool {
    class.members().iter().any(|it| it.name.text(code.text()) == "__new__")
}

/// Returns the parameters of a method as callers see them: names and defaults.
fn shape(code: &Code, member: &Member<'_>) -> Vec<(String, String)> {
    let Some(function) = member.function() else { return Vec::new() };
    let is_static = member.decorators().any(|it| it.text(code.text()) == "@staticmethod");
    let skipped = usize::from(code.family() == Family::Python && !is_static);
    let list = listed(function).skip(skipped);
    list.map(|node| {
        let name = node.child("name").or_else(|| node.child("pattern"));
        let name = name.or_else(|| node.named_children().next().filter(|_| node.is("typed_parameter"))).unwrap_or(node);
        let value = node.child("value").map(|it| it.text(code.text())).unwrap_or_default();
        (name.text(code.text()).to_owned(), format!("{}{value}", u8::from(node.is("optional_parameter"))))
    })
    .collect()
}
