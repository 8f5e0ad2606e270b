//! The classes around two classes of one line, and who of them would come to see another member.

use std::collections::BTreeSet;

use super::classes::{Class, ClassHierarchy, LocatedClass, Member, MemberKind, PLAIN};
use super::edits::Edits;
use super::equal_code::differing_in_member;
use super::indentation::Layout;
use super::members::MemberDeclarations;
use crate::lsp::Place;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::refusal::refuse_all;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::python::{ANSWERING, OF_ALL_OBJECTS};
use crate::syntax::target::last_name;
use crate::syntax::{Family as Languages, Node};
use crate::text::{Span, TextEdit};

/// Decorators of classes that leave methods alone.
const HARMLESS: &[&str] =
    &["dataclass", "define", "final", "frozen", "runtime_checkable", "s", "total_ordering", "unique"];

/// A class with one of its bases, and all that goes by them.
pub(crate) struct Family {
    /// The class itself and all below it, each with what is above it.
    below: Vec<Ancestry>,
    /// Everything else below the base.
    beside: Vec<Ancestry>,
    base: Place,
    /// Classes of libraries that may have a member that every object has: their stubs leave it out.
    silent: BTreeSet<Place>,
}

/// A class and all that is above it.
struct Ancestry {
    class: LocatedClass,
    above: Vec<LocatedClass>,
}

impl Family {
    /// Finds the family of a class with a member that goes to its base or comes from there; a base that leads nowhere refuses,
    /// for it may have one of that name.
    pub(crate) async fn of(
        kin: &ClassHierarchy<'_>,
        (class, name): (&Class<'_>, &str),
        base: &Class<'_>,
    ) -> Result<Self, Refusal> {
        let own = kin.itself(class)?;
        let mut below = vec![Ancestry::of(kin, own, name).await?];
        for heir in kin.heirs(class).await? {
            below.push(Ancestry::of(kin, heir, name).await?);
        }
        let mut beside = Vec::new();
        for heir in kin.heirs(base).await? {
            if !below.iter().any(|line| line.class.place() == heir.place()) {
                beside.push(Ancestry::of(kin, heir, name).await?);
            }
        }
        let mut family = Self { below, beside, base: base.place(), silent: BTreeSet::new() };
        if class.code.family() == Languages::Python && OF_ALL_OBJECTS.contains(&name) {
            family.silent = family.foreign(kin.declaring_member(base, name).await?.0, base);
        }
        family.check_plain(kin)?;
        Ok(family)
    }

    /// Returns the classes of libraries in which Python may look for a member before it looks in the base or above it.
    fn foreign(&self, above_base: Vec<LocatedClass>, base: &Class<'_>) -> BTreeSet<Place> {
        let own = &self.below[0];
        let first = own.class.class().bases().first().map(|it| last_name(it.text(own.class.code.text())));
        let behind = if first == Some(base.name()) { own.above.as_slice() } else { &[] };
        let behind: BTreeSet<Place> = above_base.iter().chain(behind).map(LocatedClass::place).collect();
        let foreign = self.above().filter(|one| one.code.is_outside() && !PLAIN.contains(&one.class().name()));
        foreign.map(LocatedClass::place).filter(|place| !behind.contains(place)).collect()
    }

    /// Tells whether a class has a member, or may have it.
    fn has(&self, one: &LocatedClass, name: &str) -> bool {
        one.class().has(name) || self.silent.contains(&one.place())
    }

    /// Refuses classes that something else than their text makes.
    fn check_plain(&self, kin: &ClassHierarchy<'_>) -> Result<(), Refusal> {
        let own = &self.below[0];
        let base = own.above.iter().find(|above| above.place() == self.base);
        let mut found = Vec::new();
        for standing in std::iter::once(&own.class).chain(base) {
            let class = standing.class();
            let text = class.code.text();
            for mark in class.decorators() {
                let named = mark.text(text).trim_start_matches('@').split('(').next().unwrap_or_default();
                let last = named.rsplit('.').next().unwrap_or_default().trim();
                if !HARMLESS.contains(&last) {
                    let reason = format!("what `@{named}` does with the members of `{}` is not known", class.name());
                    found.push(class.code.refuse(mark.start(), reason));
                }
            }
        }
        for standing in self.below.iter().chain(&self.beside).flat_map(|line| &line.above) {
            let class = standing.class();
            let asks = ANSWERING.into_iter().find(|it| class.has(it));
            if let Some(name) = asks.filter(|_| kin.is_own(standing)) {
                let reason = format!("`{}` answers for undeclared members, by `{name}`", class.name());
                found.push(class.code.refuse(class.name.start(), reason));
            }
        }
        refuse_all(found)
    }

    /// Refuses to move a member up to the base where any class would come to see another one.
    pub(crate) fn check_pull(&self, group: &MemberDeclarations<'_>) -> Result<(), Refusal> {
        self.check_pull_over(group, |_| false)
    }

    /// As [`Self::check_pull`], with classes whose member gives way to it.
    pub(crate) fn check_pull_over(
        &self,
        group: &MemberDeclarations<'_>,
        gives_way: impl Fn(&LocatedClass) -> bool,
    ) -> Result<(), Refusal> {
        let refuse = |one: &LocatedClass, heir: &LocatedClass| {
            let (class, heir) = (one.class(), heir.class());
            let reason = match one.place() == self.base {
                true => format!("`{}` has a `{}` of its own", class.name(), group.name),
                false => {
                    format!("`{}` has a `{}`, too, which {}", class.name(), group.name, seen_by(&heir, group.name))
                }
            };
            refuse_of(&class, &heir, reason)
        };
        let is_below =
            |one: &LocatedClass| self.below.iter().any(|line| line.class.place() == one.place()) || one.is_last();
        let below = self.below.iter().filter_map(|line| {
            let mut others = line.above.iter().filter(|one| !is_below(one) && !gives_way(one));
            others.find(|one| self.has(one, group.name)).map(|other| refuse(other, &line.class))
        });
        let is_beside = |one: &LocatedClass| self.beside.iter().any(|line| line.class.place() == one.place());
        let beside = self.beside.iter().filter_map(|line| {
            let mut others = line.above.iter().filter(|one| !is_below(one) && !is_beside(one) && !gives_way(one));
            others.find(|one| one.class().has(group.name)).map(|other| refuse(other, &line.class))
        });
        refuse_all(below.chain(beside))
    }

    /// Refuses to move a member of the base down where any other class would come to see another one.
    pub(crate) fn check_push(&self, group: &MemberDeclarations<'_>, chosen: &[LocatedClass]) -> Result<(), Refusal> {
        let is_in = |lines: &[Ancestry], one: &LocatedClass| lines.iter().any(|line| line.class.place() == one.place());
        let mut found = Vec::new();
        for line in self.below.iter().chain(&self.beside) {
            let is_below = is_in(&self.below, &line.class);
            let other = line.above.iter().find(|one| {
                let is_own = one.place() == self.base || is_in(&self.below, one);
                let is_hidden =
                    is_in(&self.beside, one) && !is_below || chosen.iter().any(|it| it.place() == one.place());
                !is_own && !is_hidden && self.has(one, group.name)
            });
            if let Some(other) = other {
                let (class, heir) = (other.class(), line.class.class());
                let seen = seen_by(&heir, group.name);
                let reason = format!("`{}` has a `{}`, too, which {seen}", class.name(), group.name);
                found.push(refuse_of(&class, &heir, reason));
            }
        }
        refuse_all(found)
    }

    /// Returns another class below the base that has no member of a name, and inherits none from beside it.
    pub(crate) fn without(&self, name: &str) -> Option<&LocatedClass> {
        let is_beside = |one: &LocatedClass| self.beside.iter().any(|line| line.class.place() == one.place());
        let has = |one: &LocatedClass| one.class().has(name);
        let lacks = |line: &&Ancestry| !has(&line.class) && !line.above.iter().any(|one| is_beside(one) && has(one));
        self.beside.iter().find(lacks).map(|line| &line.class)
    }

    /// Returns the class itself and all below it.
    pub(crate) fn own(&self) -> impl Iterator<Item = &LocatedClass> {
        self.below.iter().map(|line| &line.class)
    }

    /// Returns all below the base.
    pub(crate) fn all(&self) -> impl Iterator<Item = &LocatedClass> {
        self.below.iter().chain(&self.beside).map(|line| &line.class)
    }

    /// Refuses a member that asks its object for what the base does not know.
    pub(crate) async fn check_known(
        &self,
        kin: &ClassHierarchy<'_>,
        group: &MemberDeclarations<'_>,
        base: &Class<'_>,
    ) -> Result<(), Refusal> {
        let (above, _) = kin.ancestors(base).await?;
        let name = |node: &Node<'_>| node.text(group.code().text());
        let is_known = |node: &Node<'_>| {
            let name = name(node);
            base.has(name) || above.iter().any(|one| one.class().has(name)) || is_of_every_object(base.code, name)
        };
        let bases = || above.iter().map(LocatedClass::class).chain([*base]);
        if let Some(node) =
            group.asked().into_iter().find(|node| is_known(node) && redeclares(&group.class, bases(), name(node)))
        {
            let (class, name) = (group.class.name(), name(&node));
            let reason = format!("`{class}` declares `{name}` anew, which `{}` needs: pull it up first", group.name);
            return Err(group.code().refuse(node.start(), reason));
        }
        let (mut unknown, mut seen) = (group.asked(), BTreeSet::new());
        unknown.retain(|node| !is_known(node) && seen.insert(name(node)));
        refuse_all(unknown.iter().map(|node| {
            let (base, name) = (base.name(), name(node));
            let reason = format!("`{base}` does not know `{name}`, which `{}` needs: pull it up first", group.name);
            group.code().refuse(node.start(), reason)
        }))
    }

    /// Returns the other direct subclasses that have the very same member: they inherit it, too. Tells of those where the same
    /// text means something else.
    ///
    /// # Errors
    /// Refuses one whose file cannot be read.
    pub(crate) fn twins(
        &self,
        session: &Session,
        group: &MemberDeclarations<'_>,
    ) -> Result<(Vec<&LocatedClass>, Vec<Warning>), Refusal> {
        let is_twin =
            |twin: &&LocatedClass| differing_in_member(session, &group.class, &twin.class(), group.name).is_none();
        let (twins, others): (Vec<_>, Vec<_>) = self.alike(group).partition(is_twin);
        for twin in &twins {
            Code::read(session, &twin.code.path)?;
        }
        let told = others.into_iter().map(|twin| {
            let class = twin.class();
            let message = format!("the `{}` of `{}` reads the same, and stays", group.name, class.name());
            let place = class.members_named(group.name).first().map_or(class.name.span(), |it| it.name.span());
            let range = twin.code.parsed().text.range(place);
            Warning::at(WarningKind::FollowUp, message, twin.code.path.clone(), range)
        });
        Ok((twins, told.collect()))
    }

    /// Returns the other direct subclasses that have a member of the very same text.
    fn alike(&self, group: &MemberDeclarations<'_>) -> impl Iterator<Item = &LocatedClass> {
        let (own, name) = (said(&group.class, group.name), group.name.to_owned());
        let beside = self.beside.iter().filter(|line| line.above.first().is_some_and(|it| it.place() == self.base));
        beside.map(|line| &line.class).filter(move |twin| own.is_some() && said(&twin.class(), &name) == own)
    }

    /// Lets what comes to override a member say so, where scripts of the project have to, or do (TypeScript's
    /// `noImplicitOverride`); classes that lose theirs are `gone`.
    pub(crate) fn say_override(&self, session: &Session, (name, gone): (&str, &[Place]), edits: &mut Edits) {
        for line in self.below.iter().chain(&self.beside) {
            let class = line.class.class();
            if gone.contains(&class.place()) || !says_override(session, class.code) {
                continue;
            }
            let members = class.members_named(name).into_iter().filter(|it| it.kind != MemberKind::Assigned);
            let bare = members.filter(|it| it.node.child_of_kind("override_modifier").is_none());
            edits.add(class.code, bare.map(|it| TextEdit::new(Span::at(override_place(&it)), "override ")));
        }
    }

    /// Lets what overrides a member of the base no longer say so, where it goes down into other classes and nothing above declares it.
    pub(crate) fn take_override(&self, (name, chosen): (&str, &[Place]), edits: &mut Edits) {
        for line in self.below.iter().chain(&self.beside) {
            let declares = |one: &LocatedClass| one.place() != self.base && one.class().has(name);
            if line.above.iter().any(|one| declares(one) || chosen.contains(&one.place())) {
                continue;
            }
            let class = line.class.class();
            let marks =
                class.members_named(name).into_iter().filter_map(|it| it.node.child_of_kind("override_modifier"));
            let gone = |mark: Node<'_>| Span::new(mark.start(), class.code.next_word(mark.end()));
            edits.add(class.code, marks.map(|mark| TextEdit::new(gone(mark), "")));
        }
    }

    /// Tells whether another class of the family has the member, too, and keeps it; those of `gone` do not.
    pub(crate) fn is_overridden(&self, name: &str, gone: &[Place]) -> bool {
        let all = self.below.iter().chain(&self.beside).map(|line| line.class.class());
        all.into_iter().any(|class| !gone.contains(&class.place()) && class.has(name))
    }

    /// Returns everything above the class and those below it.
    pub(crate) fn above(&self) -> impl Iterator<Item = &LocatedClass> {
        self.below.iter().chain(&self.beside).flat_map(|line| &line.above)
    }
}

impl Ancestry {
    async fn of(kin: &ClassHierarchy<'_>, class: LocatedClass, name: &str) -> Result<Self, Refusal> {
        let (above, unknown) = kin.declaring_member(&class.class(), name).await?;
        match unknown.first() {
            Some(base) => {
                let own = class.class();
                let reason = format!("`{base}`, from which `{}` inherits, cannot be resolved", own.name());
                Err(own.code.refuse(own.name.start(), reason))
            }
            None => Ok(Self { class, above }),
        }
    }
}

/// Refuses for what a class has: there, or where the one below it stands that sees it, where a library has the class.
fn refuse_of(class: &Class<'_>, heir: &Class<'_>, reason: String) -> Refusal {
    let shown = if class.code.is_outside() { heir } else { class };
    shown.code.refuse(shown.name.start(), reason)
}

/// Says what a class does with a member of one above it.
fn seen_by(class: &Class<'_>, member: &str) -> String {
    let does = if class.has(member) { "overrides" } else { "inherits" };
    format!("`{}` {does}", class.name())
}

/// Tells whether a script marks what overrides something: it does so somewhere, or a setting of the project may ask for it.
fn says_override(session: &Session, code: &Code) -> bool {
    let is_asked = || session.disk().files_mentioning("noImplicitOverride").iter().any(|it| it.extension() == "json");
    code.is_typed_script() && (code.root().descendants().any(|it| it.is("override_modifier")) || is_asked())
}

/// Returns where `override` stands in a declaration: behind what says who sees it, before what else marks it.
fn override_place(member: &Member<'_>) -> usize {
    const AHEAD: &[&str] = &["decorator", "accessibility_modifier", "static", "declare", "abstract", "comment"];
    let first = member.node.children().find(|it| !it.is_any(AHEAD));
    first.map_or(member.name.start(), Node::start)
}

/// Returns the text of a member's declarations, without the comments around them.
pub(crate) fn said(class: &Class<'_>, name: &str) -> Option<Vec<String>> {
    let members = class.members_named(name);
    let layout = Layout::of(class.code);
    if class.code.family() != Languages::Python && members.iter().any(|it| it.decorators().next().is_some()) {
        return None;
    }
    let all: Option<Vec<String>> =
        members.iter().map(|it| class.extent(it).ok().map(|_| layout.moved(it.node.span(), ""))).collect();
    all.filter(|texts| !texts.is_empty())
}

/// Tells whether a class declares a field anew, with another type than those above it that have it.
pub(crate) fn redeclares<'c>(class: &Class<'_>, mut above: impl Iterator<Item = Class<'c>>, field: &str) -> bool {
    let own = said_type(class, field);
    own.is_some() && !above.any(|it| said_type(&it, field) == own)
}

/// Returns the type that a class writes for a field.
fn said_type<'c>(class: &Class<'c>, field: &str) -> Option<&'c str> {
    let members = class.members_named(field);
    let declared = members.iter().find(|it| it.kind == MemberKind::Field)?;
    declared.declared_type(class.code).map(|it| it.text(class.code.text()))
}

/// Tells whether every object has a member of this name, whatever it is of (ECMA-262, § 20.1.3, for scripts).
fn is_of_every_object(code: &Code, name: &str) -> bool {
    const OF_SCRIPTS: &[&str] = &[
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    ];
    let all = if code.family() == Languages::Python { OF_ALL_OBJECTS } else { OF_SCRIPTS };
    all.contains(&name)
}
