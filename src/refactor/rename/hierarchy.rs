//! Classes, their bases and their heirs: what must keep one name, and what already has it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::RenameRequest;
use super::class_variables::named_values;
use super::forward_references::is_python;
use super::server_edits::Gathered;
use super::subject::{Subject, at};
use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::Refusal;
use crate::refactor::refusal::{Clash, each};
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::python::{AttributeKind, Class, Method, has_special_form, is_special_name};
use crate::text::{AbsPath, Span};
use crate::workspace::locked;

/// So many names are followed from a base to its class.
const LONGEST_WAY: usize = 16;

pub(super) const CONSTRUCTORS: [&str; 2] = ["__init__", "__new__"];
pub(super) const CALL: &str = "__call__";

/// Answers about the class hierarchy around one name.
pub(super) struct Hierarchy<'a> {
    pub session: &'a Session,
    pub server: &'a Arc<Server>,
    pub name: &'a str,
    beyond: Beyond,
    /// The bases of classes that were asked for, by file and name's place.
    known: Mutex<BTreeMap<Standpoint, Vec<LocatedClass>>>,
    /// The next heirs of classes that were asked for; nothing where their names do not tell them.
    pub(super) next_heirs: Mutex<BTreeMap<Standpoint, Option<Vec<LocatedClass>>>>,
}

/// What is done where a family goes on where no plan leads: into a library's classes, into the language's own calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// The family is refused: it cannot be changed whole.
    Refused,
    /// Its part in the project is told: for questions.
    LeftOut,
}

/// Where a class has its name.
pub(super) type Standpoint = (AbsPath, Span);

/// A class where it stands.
#[derive(Clone)]
pub(super) struct LocatedClass {
    pub path: AbsPath,
    pub class: Arc<Class>,
}

/// What a declaration is to the class around it.
enum Role {
    Member,
    /// Of a method whose name stands here.
    Parameter {
        method: Place,
    },
    Alone,
}

impl<'a> Hierarchy<'a> {
    pub(super) fn new(session: &'a Session, server: &'a Arc<Server>, name: &'a str) -> Self {
        Self { session, server, name, beyond: Beyond::Refused, known: Mutex::default(), next_heirs: Mutex::default() }
    }

    /// Returns every declaration that must bear the same name as one of `starts`: what they override, what
    /// overrides them, what an heir has beside them, the protocols they implement and those that implement them.
    pub(super) async fn family(&self, starts: &BTreeSet<Place>) -> Result<BTreeSet<Place>, Refusal> {
        let mut family = BTreeSet::new();
        for start in starts {
            match self.role(start)? {
                Role::Alone => {
                    family.insert(start.clone());
                }
                Role::Member => family.extend(self.members(start, self.name).await?),
                Role::Parameter { method } => {
                    family.insert(start.clone());
                    family.extend(self.parameters(&method).await?);
                }
            }
        }
        Ok(family)
    }

    fn role(&self, start: &Place) -> Result<Role, Refusal> {
        let Some(parsed) = self.session.parsed(&start.path)? else { return Ok(Role::Alone) };
        let bound = bound_with(&parsed, start.offset);
        for class in parsed.classes() {
            if has_member_at(class, start.offset) {
                return self.member_role();
            }
            // A parameter that is assigned again is still the parameter.
            let takes = |method: &&Method| method.params.iter().any(|parameter| bound.contains(&parameter.span.start));
            if let Some(method) = class.methods.iter().find(takes).filter(|method| has_family(&method.name)) {
                let method = Place { path: start.path.clone(), offset: method.name_span.start };
                return Ok(Role::Parameter { method });
            }
        }
        Ok(Role::Alone)
    }

    fn member_role(&self) -> Result<Role, Refusal> {
        if is_special_name(self.name) && self.beyond == Beyond::Refused {
            return Err(Refusal::Reserved { name: self.name.to_owned() });
        }
        // Names with two leading underscores alone are mangled with their class's name: no override shares them.
        let is_mangled = self.name.starts_with("__") && !has_special_form(self.name);
        Ok(if is_mangled { Role::Alone } else { Role::Member })
    }

    /// Walks the members of one name up through the bases and down through the heirs, to a fixed point. What is below a
    /// protocol is asked for when it is needed.
    async fn members(&self, start: &Place, name: &str) -> Result<BTreeSet<Place>, Refusal> {
        let mut family = BTreeSet::new();
        let mut covered = BTreeSet::new();
        let mut open = vec![start.clone()];
        let mut protocols: Vec<(Place, Option<Vec<Place>>)> =
            self.protocols(name)?.into_iter().map(|it| (it, None)).collect();
        while !open.is_empty() {
            while let Some(place) = open.pop() {
                if !family.insert(place.clone()) {
                    continue;
                }
                open.extend(self.above(&place, name).await?);
                open.extend(self.beside(&place, name).await?);
                if covered.insert(place.clone()) {
                    let below = self.below(&place, name).await?;
                    covered.extend(below.iter().cloned());
                    open.extend(below);
                }
            }
            protocols.retain(|(protocol, _)| !family.contains(protocol));
            for (protocol, below) in &mut protocols {
                if below.is_none() {
                    *below = Some(self.below(protocol, name).await?);
                }
                if below.iter().flatten().any(|place| family.contains(place)) {
                    open.push(protocol.clone());
                }
            }
        }
        Ok(family)
    }

    /// The same-named parameters of every method that overrides or is overridden by `method`, under this
    /// name or under another that a class gives it (`other = method`).
    async fn parameters(&self, method: &Place) -> Result<BTreeSet<Place>, Refusal> {
        let mut methods = BTreeSet::new();
        let mut open = vec![method.clone()];
        while let Some(one) = open.pop() {
            let Some(name) = self.name_at(&one)?.filter(|_| !methods.contains(&one)) else { continue };
            let family = self.members(&one, &name).await?;
            for place in &family {
                open.extend(self.also_called(place, &name)?);
            }
            methods.extend(family);
        }
        let mut found = BTreeSet::new();
        for place in methods {
            let Some(parsed) = self.session.parsed(&place.path)? else { continue };
            let methods = parsed.classes().iter().flat_map(|class| &class.methods);
            let same = methods.filter(|method| method.name_span.start == place.offset);
            let parameters = same.flat_map(|method| &method.params).filter(|parameter| parameter.name == self.name);
            found.extend(parameters.map(|one| Place { path: place.path.clone(), offset: one.span.start }));
        }
        Ok(found)
    }

    fn name_at(&self, place: &Place) -> Result<Option<String>, Refusal> {
        let Some(parsed) = self.session.parsed(&place.path)? else { return Ok(None) };
        let text = parsed.text.as_str();
        let span = parsed.tree.identifier_at(text, place.offset);
        Ok(span.and_then(|span| span.of(text)).map(str::to_owned))
    }

    /// The members of the same class that are one with the member at `place`, by assignment.
    fn also_called(&self, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
        let Some(owner) = self.owner(place)? else { return Ok(Vec::new()) };
        let class = &owner.class;
        let named = class.aliases.iter().filter(|alias| alias.of == name).map(|alias| alias.name_span);
        let originals = class.aliases.iter().filter(|alias| alias.name_span.start == place.offset);
        let meant = originals.filter_map(|alias| class.member(&alias.of));
        Ok(named.chain(meant).map(|span| Place { path: place.path.clone(), offset: span.start }).collect())
    }

    /// The members of that name in the classes above.
    async fn above(&self, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
        match self.owner(place)? {
            Some(owner) => self.inherited_from(&owner, name).await,
            None => Ok(Vec::new()),
        }
    }

    /// The members of that name that heirs have from further bases, too: one of them hides the others there.
    async fn beside(&self, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
        let Some(owner) = self.owner(place)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for heir in self.heirs(&owner).await?.into_iter().filter(|heir| heir.class.bases.len() > 1) {
            found.extend(self.inherited_from(&heir, name).await?);
        }
        Ok(found)
    }

    /// The members of that name that the ancestors of a class declare.
    async fn inherited_from(&self, class: &LocatedClass, name: &str) -> Result<Vec<Place>, Refusal> {
        // Of a library's class both the stub and the source may be named.
        let mut outside = BTreeSet::new();
        let named = self.ancestors(class).await?.into_iter().filter_map(|base| {
            let span = base.class.member(name)?;
            if base.path.is_below(self.session.root()) {
                return Some(Ok(Place { path: base.path, offset: span.start }));
            }
            let refusal = self.outside(&base, name)?;
            outside.insert(base.class.name.clone()).then_some(Err(refusal))
        });
        each(named)
    }

    /// Refuses a member of a class that is not the project's, unless such are left out.
    fn outside(&self, base: &LocatedClass, name: &str) -> Option<Refusal> {
        let (name, class, path) = (name.to_owned(), base.class.name.clone(), base.path.to_string());
        // What a library is called with is its own matter: `type.__call__` takes anything.
        (self.beyond == Beyond::Refused && name != CALL).then_some(Refusal::OverridesOutside { name, class, path })
    }

    /// The members of that name in heirs and implementers, as a server that knows implementations says.
    async fn below(&self, place: &Place, name: &str) -> Result<Vec<Place>, Refusal> {
        let owner = self.owner(place)?;
        if let Some(owner) = owner.as_ref().filter(|owner| !owner.class.is_protocol) {
            let heirs = self.heirs(owner).await?.into_iter();
            let named = heirs.filter_map(|heir| {
                let span = heir.class.member(name)?;
                Some(Place { path: heir.path, offset: span.start })
            });
            return Ok(named.collect());
        }
        let locations = self.implementations(place).await?;
        let mut found = Vec::new();
        for location in locations.into_iter().filter(|location| location.path.is_below(self.session.root())) {
            let text = self.session.disk().read(&location.path)?;
            if location.span.of(text.as_str()) != Some(name) {
                continue;
            }
            let below = Place { path: location.path, offset: location.span.start };
            if self.is_kin(owner.as_ref(), self.owner(&below)?.as_ref()).await? {
                found.push(below);
            }
        }
        if let Some(protocol) = owner.filter(|owner| owner.class.is_protocol) {
            found.extend(self.inherited(&protocol, name).await?);
        }
        Ok(found)
    }

    /// The members of that name by which classes implement a protocol and that they have inherited.
    async fn inherited(&self, protocol: &LocatedClass, name: &str) -> Result<Vec<Place>, Refusal> {
        let mut found = Vec::new();
        for heir in self.heirs(protocol).await? {
            if heir.class.member(name).is_some() {
                continue;
            }
            let line = self.ancestors(&heir).await?;
            let Some((base, span)) = line.iter().find_map(|base| Some((base, base.class.member(name)?))) else {
                continue;
            };
            if !base.path.is_below(self.session.root()) {
                match self.outside(base, name) {
                    Some(refusal) => return Err(refusal),
                    None => continue,
                }
            }
            found.push(Place { path: base.path.clone(), offset: span.start });
        }
        Ok(found)
    }

    /// Says why a family may be more than is known: a protocol asks for the member, and something of that name is in no
    /// class that is known to satisfy it. Whether it is taken for the protocol, a check has to tell.
    pub(super) fn doubt(&self, family: &BTreeSet<Place>) -> Result<Option<String>, Refusal> {
        let is_member = |place: &Place| Ok::<_, Refusal>(self.owner(place)?.is_some());
        let mut members = family.iter().map(is_member);
        if self.protocols(self.name)?.is_empty() || !members.any(|is_member| matches!(is_member, Ok(true))) {
            return Ok(None);
        }
        for path in self.session.disk().files_mentioning(self.name) {
            if !is_python(&path) {
                continue;
            }
            let Some(parsed) = self.session.parsed(&path)? else { continue };
            let declared = parsed.declarations();
            let known = |offset: usize| family.contains(&Place { path: path.clone(), offset });
            let other = declared.iter().find(|one| one.name == self.name && !known(one.name_span.start));
            if let Some(other) = other {
                let at = at(&path, &parsed.text, other.name_span.start);
                let at = at.below(self.session.root());
                return Ok(Some(format!("a protocol asks for `{}`, which is declared at {at}, too", self.name)));
            }
        }
        Ok(None)
    }

    /// Tells whether a class that a server calls an implementation of another one is that: its heir, or, of a
    /// protocol, one that has all of its members. Seen with basedpyright 1.40: classes count as one where their
    /// modules go by one name from two import roots.
    pub(super) async fn is_kin(
        &self,
        above: Option<&LocatedClass>,
        below: Option<&LocatedClass>,
    ) -> Result<bool, Refusal> {
        let (Some(above), Some(below)) = (above, below) else { return Ok(true) };
        if above.place() == below.place() {
            return Ok(true);
        }
        let line = self.ancestors(below).await?;
        if line.iter().any(|one| one.place() == above.place()) {
            return Ok(true);
        }
        let has = |name: &str| line.iter().chain([below]).any(|one| one.class.member(name).is_some());
        Ok(above.class.is_protocol && above.class.members().all(|(name, _)| has(name)))
    }

    pub(super) async fn implementations(&self, place: &Place) -> Result<Vec<Location>, Refusal> {
        if self.server.offers(Feature::Implementation) {
            return Ok(self.server.implementation(place).await.map_err(SessionError::from)?);
        }
        let other = self.session.server(crate::syntax::Language::Python, Feature::Implementation).await?;
        Ok(other.implementation(place).await.map_err(SessionError::from)?)
    }

    /// The members of that name in protocols: a class implements one without naming it.
    fn protocols(&self, name: &str) -> Result<Vec<Place>, Refusal> {
        let mut found = Vec::new();
        for path in self.session.disk().files_mentioning(&format!("Protocol {name}")) {
            let Some(parsed) = self.session.parsed(&path)? else { continue };
            let classes = parsed.classes().iter().filter(|class| class.is_protocol);
            let members = classes.filter_map(|class| class.member(name));
            found.extend(members.map(|span| Place { path: path.clone(), offset: span.start }));
        }
        Ok(found)
    }

    /// Tells whether a class of the project has a member of that name that is not of the family, where that is one of
    /// members.
    pub(super) fn is_member_elsewhere(&self, family: &BTreeSet<Place>) -> Result<bool, Refusal> {
        let is_member = |place: &Place| Ok::<_, Refusal>(self.owner(place)?.is_some());
        if !each(family.iter().map(is_member))?.contains(&true) {
            return Ok(false);
        }
        for path in self.session.disk().files_mentioning(self.name) {
            if !is_python(&path) {
                continue;
            }
            let Some(parsed) = self.session.parsed(&path)? else { continue };
            let mut spans = parsed.classes().iter().filter_map(|class| class.member(self.name));
            if spans.any(|span| !family.contains(&Place { path: path.clone(), offset: span.start })) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the class that has a member at a place.
    pub(super) fn owner(&self, place: &Place) -> Result<Option<LocatedClass>, Refusal> {
        self.class_that(&place.path, |class| has_member_at(class, place.offset))
    }

    /// Every class above, nearest first, wherever it is declared; bases that lead nowhere are passed over.
    pub(super) async fn ancestors(&self, class: &LocatedClass) -> Result<Vec<LocatedClass>, Refusal> {
        let mut seen = BTreeSet::from([class.place()]);
        let mut open = vec![class.clone()];
        let mut found = Vec::new();
        while let Some(one) = open.pop() {
            for above in self.bases(&one).await? {
                if seen.insert(above.place()) {
                    found.push(above.clone());
                    open.push(above);
                }
            }
        }
        Ok(found)
    }

    async fn bases(&self, class: &LocatedClass) -> Result<Vec<LocatedClass>, Refusal> {
        let known = locked(&self.known).get(&class.place()).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let mut found = Vec::new();
        for base in &class.class.bases {
            let place = Place { path: class.path.clone(), offset: base.name_span.start };
            found.extend(self.classes_named(place).await?);
        }
        locked(&self.known).insert(class.place(), found.clone());
        Ok(found)
    }

    /// The classes that a name at a place means, by way of variables, too.
    async fn classes_named(&self, place: Place) -> Result<Vec<LocatedClass>, Refusal> {
        let (mut found, mut seen, mut open) = (Vec::new(), BTreeSet::new(), vec![place]);
        while let Some(place) = open.pop().filter(|_| seen.len() < LONGEST_WAY) {
            if !seen.insert(place.clone()) {
                continue;
            }
            for location in self.server.definition(&place).await.map_err(SessionError::from)? {
                match self.class_at(&location)? {
                    Some(class) => found.push(class),
                    None => open.extend(named_values(self.session, &location)?),
                }
            }
        }
        Ok(found)
    }

    /// Tells whether a base of a class leads to no class that is known.
    pub(super) async fn has_unknown_base(&self, class: &LocatedClass) -> Result<bool, Refusal> {
        Ok(self.bases(class).await?.len() < class.class.bases.len())
    }

    /// Returns the class whose name stands where an answer leads.
    pub(super) fn class_at(&self, location: &Location) -> Result<Option<LocatedClass>, Refusal> {
        self.class_that(&location.path, |class| class.name_span.touches(location.span.start))
    }

    /// Returns the class whose definition stands there.
    pub(super) fn class_of(&self, (path, span): (&AbsPath, Span)) -> Result<Option<LocatedClass>, Refusal> {
        self.class_that(path, |class| class.full_span == span)
    }

    fn class_that(&self, path: &AbsPath, is_it: impl Fn(&Class) -> bool) -> Result<Option<LocatedClass>, Refusal> {
        let Some(parsed) = self.session.parsed(path)? else { return Ok(None) };
        let class = parsed.classes().iter().find(|class| is_it(class));
        Ok(class.map(|class| LocatedClass::new(path, class)))
    }

    /// The classes that a constructor with a parameter at `place` builds: its own, and the heirs that have
    /// no other one. None where the parameter is that of another method.
    pub(super) async fn built_by(&self, place: &Place) -> Result<Vec<LocatedClass>, Refusal> {
        let Some(owner) = self.constructed_with(place)? else { return Ok(Vec::new()) };
        let mut built = self.heirs(&owner).await?;
        built.retain(|heir| CONSTRUCTORS.iter().all(|name| heir.class.member(name).is_none()));
        built.push(owner);
        Ok(built)
    }

    /// The class whose constructor has a parameter at `place`.
    pub(super) fn constructed_with(&self, place: &Place) -> Result<Option<LocatedClass>, Refusal> {
        let builds = |method: &Method| {
            CONSTRUCTORS.contains(&method.name.as_str())
                && method.params.iter().any(|parameter| parameter.span.start == place.offset)
        };
        self.class_that(&place.path, |class| class.methods.iter().any(builds))
    }

    /// The class whose constructor has a parameter at `place`, or that is built with the field there.
    pub(super) fn built_with(&self, place: &Place) -> Result<Option<LocatedClass>, Refusal> {
        if let Some(class) = self.constructed_with(place)? {
            return Ok(Some(class));
        }
        let is_field = |class: &Class| {
            let is_written = class.methods.iter().any(|method| CONSTRUCTORS.contains(&method.name.as_str()));
            let mut places = class.attributes.iter().flat_map(|attribute| &attribute.places);
            !is_written && places.any(|(kind, span)| *kind == AttributeKind::Class && span.start == place.offset)
        };
        self.class_that(&place.path, is_field)
    }

    /// The parameter of this name of the constructor by which the class whose name stands at `place` is built.
    pub(super) async fn constructor_parameter(&self, place: &Place) -> Result<Option<Place>, Refusal> {
        let own = self.class_that(&place.path, |class| class.name_span.start == place.offset)?;
        let Some(own) = own else { return Ok(None) };
        let above = self.ancestors(&own).await?;
        let constructs = |method: &&Method| CONSTRUCTORS.contains(&method.name.as_str());
        let mut line = [own].into_iter().chain(above);
        let Some(owner) = line.find(|one| one.class.methods.iter().any(|method| constructs(&method))) else {
            return Ok(None);
        };
        let parameters = owner.class.methods.iter().filter(constructs).flat_map(|method| &method.params);
        let named = parameters.filter(|parameter| parameter.name == self.name).map(|parameter| parameter.span.start);
        Ok(named.map(|offset| Place { path: owner.path.clone(), offset }).next())
    }
}

impl LocatedClass {
    pub(super) fn new(path: &AbsPath, class: &Class) -> Self {
        Self { path: path.clone(), class: Arc::new(class.clone()) }
    }

    pub(super) fn place(&self) -> Standpoint {
        (self.path.clone(), self.class.name_span)
    }
}

/// Returns every declaration of a member that belongs together with the one at a place, as a rename would take it:
/// besides what overrides and is overridden, the attributes that heirs set anew.
pub(crate) async fn kin(
    session: &Session,
    server: &Arc<Server>,
    place: &Place,
    name: &str,
    beyond: Beyond,
) -> Result<BTreeSet<Place>, Refusal> {
    // Who changes what objects are called with leaves its name.
    let beyond = if name == CALL { Beyond::LeftOut } else { beyond };
    let hierarchy = Hierarchy { beyond, ..Hierarchy::new(session, server, name) };
    let mut known = BTreeSet::new();
    let mut open = BTreeSet::from([place.clone()]);
    while !open.is_empty() {
        let family = hierarchy.family(&open).await?;
        known.extend(open);
        open = BTreeSet::new();
        for one in &family {
            let Some(owner) = hierarchy.owner(one)? else { continue };
            for heir in hierarchy.heirs(&owner).await? {
                let Some(span) = heir.class.member(name) else { continue };
                open.insert(Place { path: heir.path.clone(), offset: span.start });
            }
        }
        open.extend(family);
        open.retain(|one| !known.contains(one));
    }
    Ok(known)
}

/// Finds classes above or below a renamed member's class that have a member of the new name: it would
/// override or be overridden by accident. Of the project's classes only those can have one that stand in the `holders` of the new
/// name; libraries have it without its ever being said here.
pub(super) async fn taken_members(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &Gathered,
    holders: &[AbsPath],
) -> Result<Vec<Clash>, Refusal> {
    let server = session.server(subject.language, Feature::Rename).await?;
    let hierarchy = Hierarchy::new(session, &server, &subject.name);
    let mut around: BTreeMap<(AbsPath, Span), LocatedClass> = BTreeMap::new();
    for path in gathered.paths() {
        let is_renamed = |class: &Class| class.members().any(|(_, span)| gathered.has(path, span));
        let Some(parsed) = session.parsed(path)? else { continue };
        for class in parsed.classes().iter().filter(|class| is_renamed(class)) {
            let owner = LocatedClass::new(path, class);
            let mut related = hierarchy.ancestors(&owner).await?;
            if !holders.is_empty() {
                related.extend(hierarchy.heirs(&owner).await?);
            }
            around.extend(related.into_iter().map(|one| ((one.path.clone(), one.class.name_span), one)));
        }
    }
    let mut clashes = Vec::new();
    for one in around.values() {
        let Some(span) = one.class.member(&request.new_name) else { continue };
        let message = format!("`{}` already has a member `{}`", one.class.name, request.new_name);
        let text = session.disk().read_named(&one.path)?;
        clashes.push(Clash { at: at(&one.path, &text, span.start), message });
    }
    Ok(clashes)
}

/// Tells whether what overrides a method takes what that takes: of the names with a meaning, what objects are called with.
fn has_family(method: &str) -> bool {
    !is_special_name(method) || method == CALL
}

/// The offsets at which the name at `offset` is bound, its own among them.
fn bound_with(parsed: &Parsed, offset: usize) -> BTreeSet<usize> {
    let names = parsed.names();
    let own = names.iter().find(|name| name.span.start == offset).map(|name| name.meaning);
    let same = names.iter().filter(|name| name.is_binding && Some(name.meaning) == own);
    same.map(|name| name.span.start).chain([offset]).collect()
}

fn has_member_at(class: &Class, offset: usize) -> bool {
    class.members().any(|(_, span)| span.start == offset)
}
