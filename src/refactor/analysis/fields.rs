//! A field of a class, with what has to hold before accessors can stand in its place.

use std::collections::BTreeSet;

use super::classes::{Class, ClassHierarchy, LocatedClass, Member, MemberKind, PLAIN};
use super::data_classes;
use super::references::{Use, UseKind};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::doubts::in_doubt;
use crate::refactor::request::Target;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::{listed_in, with_slot};
use crate::syntax::target::last_name;
use crate::syntax::{Family, Language, Node, check_name};
use crate::text::{AbsPath, Span, TextEdit};

/// A field with every declaration of it in its class.
pub(crate) struct Field<'c> {
    pub class: Class<'c>,
    pub name: &'c str,
    pub members: Vec<Member<'c>>,
}

/// The classes around one.
pub(crate) struct Around {
    pub above: Vec<LocatedClass>,
    pub below: Vec<LocatedClass>,
    /// What those below extend besides.
    pub beside: Vec<LocatedClass>,
}

impl Around {
    /// Returns a class, of these and the one that they are around, that has a member of this name.
    pub(crate) fn having<'a>(&'a self, class: &Class<'a>, name: &str) -> Option<Class<'a>> {
        std::iter::once(*class).chain(self.classes()).find(|class| class.has(name))
    }

    pub(crate) fn classes(&self) -> impl Iterator<Item = Class<'_>> {
        self.above.iter().chain(&self.below).chain(&self.beside).map(LocatedClass::class)
    }

    /// Tells whether an object that is asked is a class, as far as its words tell: the one around which these are, or one
    /// below.
    pub(crate) fn is_class(&self, class: &Class<'_>, code: &Code, object: Node<'_>) -> bool {
        let said = last_name(object.text(code.text()));
        let is_type = object.child("function").is_some_and(|function| function.text(code.text()) == "type");
        let mut names = self.below.iter().map(LocatedClass::class).chain([*class]).map(|it| it.name().to_owned());
        is_type || ["cls", "__class__"].contains(&said) || names.any(|name| said == name)
    }

    /// Says why no accessor of a field can serve a use, whatever it does.
    pub(crate) fn unserved(&self, field: &Field<'_>, (code, one): (&Code, &Use)) -> Option<&'static str> {
        let is_own = || {
            let classes = self.below.iter().map(LocatedClass::class).chain([field.class]);
            classes.filter(|class| class.code.path == code.path).any(|class| class.node.span().contains(one.span))
        };
        match one.kind {
            UseKind::Delete => Some("it is deleted here, and no accessor does that"),
            UseKind::Definition if !is_own() => Some("it is declared here, too"),
            UseKind::Key if field.class.code.family() == Family::Script => {
                Some("an object of another type has it here")
            }
            _ => None,
        }
    }
}

/// What would see that a field is kept under another name.
const LISTING: [&[&str]; 2] = [
    &["__dict__", "vars(", "asdict(", "pickle.", "__getstate__", "copy_reg"],
    &[
        "JSON.stringify",
        "Object.assign",
        "Object.entries",
        "Object.keys",
        "Object.values",
        "structuredClone",
        "toEqual",
        "deepEqual",
        "hasOwn",
    ],
];
/// Methods of Python that stand between an object and its attributes.
const BETWEEN: &[&str] = &["__getattr__", "__getattribute__", "__setattr__", "__delattr__"];

impl<'c> Field<'c> {
    /// Finds the field that the target names.
    pub(crate) fn of(code: &'c Code, target: &Target) -> Result<Self, Refusal> {
        let unnamed = || Refusal::NotPossible(format!("the target names no field of `{}`", code.shown));
        let offset = target.place().ok_or_else(unnamed)?;
        let name = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
        let class = Class::around(code, name).ok_or_else(unnamed)?;
        Self::named(class, name.text(code.text()))?.ok_or_else(unnamed)
    }

    /// Finds a field of a class by its name; nothing where it has no member of it.
    pub(crate) fn named(class: Class<'c>, name: &str) -> Result<Option<Self>, Refusal> {
        let code = class.code;
        let members = class.members_named(name);
        let other = members
            .iter()
            .find(|it| matches!(it.kind, MemberKind::Method | MemberKind::Constructor | MemberKind::Other));
        match other.or(members.iter().find(|it| it.kind != MemberKind::Assigned && it.decorators().next().is_some())) {
            Some(member) => Err(code.refuse(member.name.start(), format!("`{name}` is more than a field"))),
            None => Ok(members.first().map(|it| it.name.text(code.text())).map(|name| Self { class, name, members })),
        }
    }

    /// Returns the classes around, which all have to be known, and none of which may have a part in the field but by
    /// setting it.
    pub(crate) async fn around(&self, session: &Session) -> Result<Around, Refusal> {
        let code = self.class.code;
        let kin = ClassHierarchy::new(session, code.parsed().tree.language()).await?;
        let above = self.known(&kin, &self.class).await?;
        let below = kin.heirs(&self.class).await?;
        let mut beside: Vec<LocatedClass> = Vec::new();
        for heir in below.iter().filter(|it| it.class().bases().len() > 1) {
            let others = self.known(&kin, &heir.class()).await?;
            let is_other = |it: &LocatedClass| {
                it.place() != self.class.place() && !above.iter().chain(&below).any(|known| known.place() == it.place())
            };
            beside.extend(others.into_iter().filter(is_other));
        }
        if let Some(base) = above.iter().chain(&beside).find(|it| it.class().has(self.name)) {
            let name = base.class().name().to_owned();
            return Err(code.refuse(self.class.name.start(), format!("`{name}` has a `{}`, too", self.name)));
        }
        // What an heir sets in a method is no field of its own where fields are declared, or where names are shared.
        let declares = code.parsed().tree.language() == Language::JavaScript;
        for heir in &below {
            let class = heir.class();
            let others = class.members_named(self.name);
            let slots = class.members_named("__slots__").into_iter().find(|it| !leaves_out(&class, it, self.name));
            let other = others.iter().find(|it| declares || it.kind != MemberKind::Assigned).or(slots.as_ref());
            if let Some(other) = other {
                let reason = format!("`{}` has a `{}` of its own", class.name(), self.name);
                return Err(heir.code.refuse(other.name.start(), reason));
            }
        }
        Ok(Around { above, below, beside })
    }

    /// Returns the classes above one; that one of them is not known is a doubt.
    async fn known(&self, kin: &ClassHierarchy<'_>, class: &Class<'_>) -> Result<Vec<LocatedClass>, Refusal> {
        let (above, unknown) = kin.declaring_member(class, self.name).await?;
        let is_generic = |base: &&String| ["Generic", "Protocol", "object"].iter().any(|it| base.starts_with(it));
        if let Some(base) = unknown.iter().find(|base| !is_generic(base)) {
            let reason = format!("`{base}` cannot be resolved, and may have a member `{}`", self.name);
            in_doubt(class.code, class.name.span(), reason)?;
        }
        Ok(above.into_iter().filter(|it| it.class().name() != "object").collect())
    }

    /// Refuses what would stand between an object and accessors, and classes whose fields others read off the text.
    pub(crate) fn check_plain(&self, around: &Around) -> Result<(), Refusal> {
        self.check_unslotted().and_then(|()| self.check_open(around)).and_then(|()| self.check_unshared())
    }

    /// Does the same of a field whose slot goes along, where `__slots__` name it.
    pub(crate) fn check_plain_but_slot(&self, around: &Around) -> Result<(), Refusal> {
        self.slot().and_then(|_| self.check_open(around)).and_then(|()| self.check_unshared())
    }

    /// Refuses a class whose `__slots__` name its fields.
    pub(crate) fn check_unslotted(&self) -> Result<(), Refusal> {
        let class = self.class;
        match class.code.family() == Family::Python && class.has("__slots__") {
            true => Err(class.code.refuse(class.name.start(), "its `__slots__` name the fields")),
            false => Ok(()),
        }
    }

    /// Refuses a field that its class has a value for, which objects share until they are given another.
    pub(crate) fn check_unshared(&self) -> Result<(), Refusal> {
        match self.shared() {
            Some((member, _)) => {
                let reason = format!("`{}` is a variable of the class, too", self.name);
                Err(self.class.code.refuse(member.name.start(), reason))
            }
            None => Ok(()),
        }
    }

    /// Returns the declaration of Python that gives the class itself a value for the field, and that value.
    pub(crate) fn shared(&self) -> Option<(&Member<'c>, Node<'c>)> {
        let declared = self.members.iter().filter(|it| it.kind == MemberKind::Field);
        let mut valued = declared.filter_map(|it| Some((it, value_of(it)?)));
        valued.next().filter(|_| self.class.code.family() == Family::Python)
    }

    /// Does the same where `__slots__` and values of the class are seen to.
    pub(crate) fn check_open(&self, around: &Around) -> Result<(), Refusal> {
        let code = self.class.code;
        if let Some(mark) = self.class.changing_decorators().next() {
            return Err(code.refuse(mark.start(), data_classes::reason(&self.class, mark)));
        }
        self.check_between(around)
    }

    /// Refuses what would stand between an object and its fields, and a base that reads them off the text.
    pub(crate) fn check_between(&self, around: &Around) -> Result<(), Refusal> {
        let code = self.class.code;
        if code.family() == Family::Script {
            return Ok(());
        }
        for class in std::iter::once(self.class).chain(around.classes()) {
            if let Some(name) = BETWEEN.iter().find(|name| class.has(name)) {
                let reason = format!("`{name}` of `{}` stands between objects and their fields", class.name());
                return Err(class.code.refuse(class.name.start(), reason));
            }
        }
        let is_listed = self.members.iter().all(|it| it.kind == MemberKind::Field);
        let reads = |it: &&LocatedClass| it.code.is_outside() && !PLAIN.contains(&it.class().name());
        if let Some(base) = around.above.iter().find(reads).filter(|_| is_listed) {
            let reason = format!("what `{}` makes of the fields that a class lists is not known", base.class().name());
            return Err(code.refuse(self.members[0].name.start(), reason));
        }
        Ok(())
    }

    /// Returns where `__slots__` of the class spell the field; refuses those that are not written out.
    pub(crate) fn slot(&self) -> Result<Option<Span>, Refusal> {
        let class = self.class;
        let members = class.members_named("__slots__");
        let Some(member) = members.first() else { return Ok(None) };
        match slots(&class, self.name).as_slice() {
            [one] if is_written_out(member) && members.len() == 1 => Ok(Some(*one)),
            _ => {
                let reason = format!("its `__slots__` do not spell `{}` once, in a plain list", self.name);
                Err(class.code.refuse(class.name.start(), reason))
            }
        }
    }

    /// Refuses a new member's name that one of the classes knows.
    pub(crate) fn check_free(&self, around: &Around, name: &str) -> Result<(), Refusal> {
        for class in std::iter::once(self.class).chain(around.classes()) {
            let places = class.code.parsed().tree.identifiers_named(class.code.text(), name);
            let is_member = |span: &Span| {
                let node = class.code.covering(*span);
                class.node.holds(node) && matches!(node.field(), Some("attribute" | "property"))
            };
            if class.has(name) || places.iter().any(is_member) || !slots(&class, name).is_empty() {
                let reason = format!("`{}` knows a `{name}` already", class.name());
                let shown = if class.code.is_outside() { self.class } else { class };
                return Err(shown.code.refuse(shown.name.start(), reason));
            }
        }
        Ok(())
    }

    /// Returns the constructor's body, or the constructor.
    pub(crate) fn constructor(&self) -> Option<Node<'c>> {
        self.class.constructor()
    }

    /// Tells of code that lists the fields of objects, in files that know the class. What is private by its name no code lists.
    pub(crate) fn listed(&self, session: &Session, new: &str) -> Vec<Warning> {
        if self.name.starts_with('#') {
            return Vec::new();
        }
        listing(session, &self.class, |word| format!("what `{word}` lists is kept as `{new}`, not as `{}`", self.name))
    }

    /// Returns the type that the program writes for the field, or for the parameter that it is set from.
    pub(crate) fn written_type(&self) -> Option<&'c str> {
        let written = self.type_node()?.text(self.class.code.text());
        Some(written.trim_start_matches(':').trim())
    }

    /// Returns where that type stands.
    pub(crate) fn type_node(&self) -> Option<Node<'c>> {
        let text = self.class.code.text();
        let declared = self.members.iter().find_map(|member| member.declared_type(self.class.code));
        let set_from = || {
            let constructor = self.constructor()?;
            let assigned =
                self.members.iter().find(|it| it.kind == MemberKind::Assigned && constructor.holds(it.node))?;
            let value = assigned.node.parent()?.child("right").filter(|it| it.is("identifier"))?;
            let params = constructor.child("parameters")?;
            let own = params.named_children().find(|param| {
                let name =
                    param.child("name").or_else(|| param.child("pattern")).or_else(|| param.named_children().next());
                name.is_some_and(|name| name.text(text) == value.text(text))
            });
            own?.child("type")
        };
        declared.or_else(set_from)
    }
}

/// Tells of code that lists the fields of objects, in files that know a class.
pub(crate) fn listing(session: &Session, class: &Class<'_>, said: impl Fn(&str) -> String) -> Vec<Warning> {
    let family = class.code.family();
    let words = LISTING[usize::from(family == Family::Script)];
    let known = lineage(session, class);
    let files: BTreeSet<AbsPath> = known.iter().flat_map(|name| session.disk().files_mentioning(name)).collect();
    let mut found = Vec::new();
    for path in files.into_iter().filter(|path| Language::of_path(path).is_some_and(|it| it.family() == family)) {
        let Ok(text) = session.disk().read(&path) else { continue };
        let Some((word, at)) = words.iter().find_map(|word| Some((word, text.as_str().find(word)?))) else {
            continue;
        };
        let message = said(word.trim_end_matches('('));
        found.push(Warning::at(WarningKind::RunTime, message, path, text.range(Span::at(at))));
    }
    found
}

/// Returns what a class and those of the project above it are called, as far as their names tell: an object of it comes
/// where one of those is asked for.
fn lineage(session: &Session, class: &Class<'_>) -> BTreeSet<String> {
    let last = |code: &Code, base: Node<'_>| base.text(code.text()).rsplit('.').next().unwrap_or_default().to_owned();
    let mut known = BTreeSet::from([class.name().to_owned()]);
    let mut open: Vec<String> = class.bases().into_iter().map(|base| last(class.code, base)).collect();
    let is_code = |path: &AbsPath| Language::of_path(path).is_some_and(|it| it.family() == class.code.family());
    while let Some(name) = open.pop() {
        for path in session.disk().files_mentioning(&format!("class {name}")).into_iter().filter(is_code) {
            let Ok(code) = Code::known(session, &path) else { continue };
            let all = code.root().descendants().filter_map(|node| Class::of(&code, node));
            for above in all.filter(|it| it.name() == name) {
                if known.insert(name.clone()) {
                    open.extend(above.bases().into_iter().map(|base| last(&code, base)));
                }
            }
        }
    }
    known
}

/// Lists a field that is new among the `__slots__` of its class; nothing where it has none, or has that one.
///
/// # Errors
/// Refuses slots that are not written out.
pub(crate) fn slotted(class: &Class<'_>, name: &str) -> Result<Option<TextEdit>, Refusal> {
    let code = class.code;
    let Some(member) = class.members_named("__slots__").into_iter().last() else { return Ok(None) };
    let refuse =
        || code.refuse(member.name.start(), format!("what the `__slots__` of `{}` hold is not known", class.name()));
    let value = value_of(&member).ok_or_else(refuse)?;
    with_slot(code.text(), value, name).map_err(|_| refuse())
}

/// Returns where `__slots__` of a class spell a name.
fn slots(class: &Class<'_>, name: &str) -> Vec<Span> {
    if class.code.family() != Family::Python {
        return Vec::new();
    }
    let listed = listed_in(&class.code.parsed().tree, class.code.text(), "__slots__").into_iter();
    listed.filter(|(entry, span)| entry == name && class.body.span().contains(*span)).map(|(_, span)| span).collect()
}

/// Returns the string by which `__slots__` of a class name a field, in a plain list and once.
pub(crate) fn slot_of<'c>(class: &Class<'c>, name: &str) -> Option<Node<'c>> {
    let members = class.members_named("__slots__");
    let is_plain = members.len() == 1 && is_written_out(&members[0]);
    match slots(class, name).as_slice() {
        [one] if is_plain => class.code.covering(*one).ancestors().find(|it| it.is("string")),
        _ => None,
    }
}

/// Tells whether `__slots__` are strings in a plain list.
fn is_written_out(member: &Member<'_>) -> bool {
    let list = value_of(member).filter(|it| it.is_any(&["expression_list", "list", "set", "tuple"]));
    list.is_some_and(|it| it.named_children().all(|entry| entry.is_any(&["string", "comment"])))
}

/// Tells whether `__slots__` of a class surely do not list a name: `__slots__ = ()`.
fn leaves_out(class: &Class<'_>, member: &Member<'_>, name: &str) -> bool {
    is_written_out(member) && slots(class, name).is_empty()
}

fn value_of<'c>(member: &Member<'c>) -> Option<Node<'c>> {
    member.name.parent()?.child("right")
}

/// Names a variable, or a field, after the class that it holds an object of: `telephone_number`, `telephoneNumber`.
pub(crate) fn held_as(code: &Code, class: &str) -> String {
    let is_python = code.family() == Family::Python;
    let (mut name, mut was_small) = (String::new(), false);
    for letter in class.trim_start_matches('_').chars() {
        if letter.is_uppercase() && was_small && is_python {
            name.push('_');
        }
        match letter.is_uppercase() && (is_python || name.is_empty()) {
            true => name.extend(letter.to_lowercase()),
            false => name.push(letter),
        }
        was_small = !letter.is_uppercase();
    }
    // `Throw`, `Import`: in small letters a word of the language.
    if check_name(code.parsed().tree.language(), &name).is_err() {
        name.push('_');
    }
    name
}
