//! Classes above and below a class, wherever they stand, as the language's server knows them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Class, PLAIN};
use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::Refusal;
use crate::refactor::analysis::default_exports::cover_importers;
use crate::refactor::rename::direct_heirs;
use crate::refactor::source_file::{Code, is_class};
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Language, Node};
use crate::text::{AbsPath, Span};

/// What knows classes' families.
pub(crate) struct ClassHierarchy<'a> {
    pub(super) session: &'a Session,
    language: Language,
    server: Arc<Server>,
}

/// A class in its own text, which need not be the target's and need not be the project's.
#[derive(Clone)]
pub(crate) struct LocatedClass {
    pub code: Arc<Code>,
    offset: usize,
}

/// What a base that is written leads to.
pub(crate) enum Above {
    Class(LocatedClass),
    /// One of a library whose stub says what its source does: what it does with its heirs is not known. As it is written.
    Library(LocatedClass, String),
    /// No class that could be found: an expression, a call, a name that nobody resolves, with the place of that name. As it
    /// is written.
    Unknown(String, Option<Place>),
}

/// Whether a library's classes count as known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Libraries<'n> {
    /// As far as a member of this name goes, where one is given.
    Known(Option<&'n str>),
    Unknown,
}

impl<'a> ClassHierarchy<'a> {
    pub(crate) async fn new(session: &'a Session, language: Language) -> Result<Self, Refusal> {
        let server = session.server(language, Feature::References).await?;
        Ok(Self { session, language, server })
    }

    /// Returns what each base of a class leads to, in their order. What only checkers ask about (`Generic[T]`) leads to nothing
    /// where no more than its stub is known.
    pub(crate) async fn above(&self, class: &Class<'_>) -> Result<Vec<Above>, Refusal> {
        let mut found = Vec::new();
        for base in class.bases() {
            let written = base.text(class.code.text()).to_owned();
            let place = last_name(base).map(|name| Place { path: class.code.path.clone(), offset: name.start() });
            let locations = match &place {
                Some(place) => self.definition(place).await?,
                None => Vec::new(),
            };
            if self.marks_types(&locations)? {
                continue;
            }
            let mut standings = self.classes_at(&locations)?;
            found.push(match standings.len() {
                1 => standings.pop().map_or(Above::Unknown(written, place), Above::Class),
                2 => self.described(standings, written),
                _ => Above::Unknown(written, place),
            });
        }
        Ok(found)
    }

    /// Tells a library's class by its stub and its source, which knows more members.
    fn described(&self, mut standings: Vec<LocatedClass>, written: String) -> Above {
        let is_stub = |it: &LocatedClass| it.code.path.extension() == "pyi";
        if standings.iter().any(|it| self.is_own(it)) || standings.iter().filter(|it| is_stub(it)).count() != 1 {
            return Above::Unknown(written, None);
        }
        standings.retain(|it| !is_stub(it));
        match standings.pop() {
            Some(source) if PLAIN.contains(&source.class().name()) => Above::Class(source),
            Some(source) if !shapes_heirs(&source.class()) => Above::Library(source, written),
            _ => Above::Unknown(written, None),
        }
    }

    /// Returns every class above, nearest first, each once, with what bases could not be found, or could do anything
    /// with their heirs.
    pub(crate) async fn ancestors(&self, class: &Class<'_>) -> Result<(Vec<LocatedClass>, Vec<String>), Refusal> {
        self.climbed(class, Libraries::Unknown).await
    }

    /// Does the same for those who ask no more than which members the classes have.
    pub(crate) async fn declaring(&self, class: &Class<'_>) -> Result<(Vec<LocatedClass>, Vec<String>), Refusal> {
        self.climbed(class, Libraries::Known(None)).await
    }

    /// Does the same for those who ask no more than whether the classes have a member of a name. A private name of a script is
    /// one of its own class alone.
    pub(crate) async fn declaring_member(
        &self,
        class: &Class<'_>,
        name: &str,
    ) -> Result<(Vec<LocatedClass>, Vec<String>), Refusal> {
        self.climbed(class, Libraries::Known(Some(name))).await
    }

    async fn climbed(
        &self,
        class: &Class<'_>,
        libraries: Libraries<'_>,
    ) -> Result<(Vec<LocatedClass>, Vec<String>), Refusal> {
        let (mut found, mut unknown): (Vec<LocatedClass>, Vec<String>) = Default::default();
        let mut open = self.above(class).await?;
        let mut seen = BTreeSet::from([class.place()]);
        while !open.is_empty() {
            let mut next = Vec::new();
            for above in open {
                match above {
                    Above::Unknown(_, place) if self.is_without(place.as_ref(), libraries).await? => {}
                    Above::Unknown(written, _) => unknown.push(written),
                    Above::Library(_, written) if libraries == Libraries::Unknown => unknown.push(written),
                    Above::Class(standing) | Above::Library(standing, _) if seen.insert(standing.place()) => {
                        next.extend(self.above(&standing.class()).await?);
                        found.push(standing);
                    }
                    _ => {}
                }
            }
            open = next;
        }
        Ok((found, unknown))
    }

    async fn is_without(&self, base: Option<&Place>, libraries: Libraries<'_>) -> Result<bool, Refusal> {
        match (libraries, base) {
            (Libraries::Known(Some(name)), _) if name.starts_with('#') => Ok(true),
            (Libraries::Known(Some(name)), Some(base)) => self.is_type_without(base, name).await,
            _ => Ok(false),
        }
    }

    /// Returns a class with its own text, to be kept beside others.
    pub(crate) fn itself(&self, class: &Class<'_>) -> Result<LocatedClass, Refusal> {
        let place = class.place();
        let standing = LocatedClass::at(self.session, &place.path, place.offset)?;
        standing.ok_or_else(|| class.code.refuse(place.offset, "the class changed meanwhile"))
    }

    pub(crate) fn is_own(&self, standing: &LocatedClass) -> bool {
        standing.is_of(self.session)
    }

    /// Returns the classes of the project that extend a class directly.
    pub(crate) async fn below(&self, class: &Class<'_>) -> Result<Vec<LocatedClass>, Refusal> {
        let mut found: Vec<LocatedClass> = Vec::new();
        let locations = match self.named_heirs(class)? {
            Some(named) => named,
            None => {
                for location in self.uses(class).await? {
                    found.extend(self.heir_at(&location)?);
                }
                // A class that is extended under another name is no reference by that name.
                self.implementations(class).await?
            }
        };
        for location in locations {
            let Some(heir) = LocatedClass::at(self.session, &location.path, location.span.start)? else { continue };
            let above = self.above(&heir.class()).await?;
            let extends = |above: &Above| matches!(above, Above::Class(base) if base.place() == class.place());
            found.extend(above.iter().any(extends).then_some(heir));
        }
        found.sort_by_key(LocatedClass::place);
        found.dedup_by_key(|heir| heir.place());
        Ok(found)
    }

    /// Returns the classes of Python that may extend a class directly, where its name alone tells them: a server goes through
    /// the whole project to find those of each class.
    fn named_heirs(&self, class: &Class<'_>) -> Result<Option<Vec<Location>>, Refusal> {
        let place = class.place();
        if class.code.family() != Family::Python || !place.path.is_below(self.session.root()) {
            return Ok(None);
        }
        let named = direct_heirs(self.session, class.name(), (&place.path, class.name.span()))?;
        Ok(named.map(|named| named.into_iter().map(|(path, span)| Location { path, span }).collect()))
    }

    /// Returns every class of the project below a class, each once.
    pub(crate) async fn heirs(&self, class: &Class<'_>) -> Result<Vec<LocatedClass>, Refusal> {
        let mut seen = BTreeSet::from([class.place()]);
        let mut found: Vec<LocatedClass> = Vec::new();
        let mut open = self.below(class).await?;
        while let Some(heir) = open.pop() {
            if seen.insert(heir.place()) {
                open.extend(self.below(&heir.class()).await?);
                found.push(heir);
            }
        }
        found.sort_by_key(LocatedClass::place);
        Ok(found)
    }

    /// Returns every use of a class's name that the server knows, its declaration among them.
    pub(crate) async fn uses(&self, class: &Class<'_>) -> Result<Vec<Location>, Refusal> {
        let mentioning = self.session.disk().files_mentioning(class.name());
        self.session.cover(&self.server, &mentioning).await?;
        cover_importers(self.session, &self.server, &class.place()).await?;
        let _turn = self.session.shared().await;
        Ok(self.server.references(&class.place()).await.map_err(SessionError::from)?)
    }

    async fn implementations(&self, class: &Class<'_>) -> Result<Vec<Location>, Refusal> {
        let knows = match self.server.offers(Feature::Implementation) {
            true => Arc::clone(&self.server),
            false => self.session.server(self.language, Feature::Implementation).await?,
        };
        let _turn = self.session.shared().await;
        let mut found = knows.implementation(&class.place()).await.map_err(SessionError::from)?;
        found.retain(|heir| heir.path.is_below(self.session.root()));
        Ok(found)
    }

    /// Returns the class that a name at a place means.
    pub(crate) async fn declared(&self, place: &Place) -> Result<Option<LocatedClass>, Refusal> {
        let mut found = self.classes_at(&self.definition(place).await?)?;
        Ok(if found.len() == 1 { found.pop() } else { None })
    }

    fn classes_at(&self, locations: &[Location]) -> Result<Vec<LocatedClass>, Refusal> {
        let mut found: Vec<LocatedClass> = Vec::new();
        for location in locations {
            found.extend(LocatedClass::at(self.session, &location.path, location.span.start)?);
        }
        found.dedup_by_key(|standing| standing.place());
        Ok(found)
    }

    /// Tells whether all that declares a base are special forms of `typing`, which are variables in its stub.
    fn marks_types(&self, locations: &[Location]) -> Result<bool, Refusal> {
        const STUBS: &[&str] = &["/typing.pyi", "/typing_extensions.pyi"];
        for location in locations {
            if !STUBS.iter().any(|end| location.path.as_str().ends_with(end)) {
                return Ok(false);
            }
            let code = Code::known(self.session, &location.path)?;
            if !matches!(code.covering(Span::at(location.span.start)).text(code.text()), "Generic" | "Protocol") {
                return Ok(false);
            }
        }
        Ok(!locations.is_empty())
    }

    /// Asks where what stands at a place is declared.
    pub(crate) async fn definition(&self, place: &Place) -> Result<Vec<Location>, Refusal> {
        let _turn = self.session.shared().await;
        Ok(self.server.definition(place).await.map_err(SessionError::from)?)
    }

    /// Tells whether an expression is a class itself.
    pub(crate) async fn names_class(&self, code: &Code, object: Node<'_>) -> Result<bool, Refusal> {
        let Some(name) = last_name(object) else { return Ok(false) };
        let place = Place { path: code.path.clone(), offset: name.start() };
        Ok(self.declared(&place).await?.is_some())
    }

    /// Returns the classes that an object can be of; none where nobody can tell.
    pub(crate) async fn classes_of(&self, code: &Code, object: Node<'_>) -> Result<Vec<LocatedClass>, Refusal> {
        let made = object
            .child("function")
            .or_else(|| object.child("constructor"))
            .filter(|_| object.is_any(&["call", "call_expression", "new_expression"]));
        let named = match object.kind() {
            "parenthesized_expression" => object.named_children().next(),
            _ => Some(made.unwrap_or(object)),
        };
        let Some(name) = named.and_then(last_name) else { return Ok(Vec::new()) };
        let place = Place { path: code.path.clone(), offset: name.start() };
        // The class itself stands for what it makes, and for its own members.
        if let Some(class) = self.declared(&place).await? {
            return Ok(vec![class]);
        }
        if made.is_some() {
            return Ok(Vec::new());
        }
        let locations = {
            let _turn = self.session.shared().await;
            self.server.type_definition(&place).await.map_err(SessionError::from)?
        };
        let mut found = Vec::new();
        for location in locations {
            let Some(class) = LocatedClass::at(self.session, &location.path, location.span.start)? else {
                return Ok(Vec::new());
            };
            found.push(class);
        }
        Ok(found)
    }

    /// Returns the class that a location makes an heir: it stands as the name of one of the class's bases.
    fn heir_at(&self, location: &Location) -> Result<Option<LocatedClass>, Refusal> {
        let code = Code::known(self.session, &location.path)?;
        let node = code.covering(location.span);
        let class = node.ancestors().find(|outer| is_class(*outer)).and_then(|it| Class::of(&code, it));
        let Some(class) = class else { return Ok(None) };
        let is_base = class.bases().iter().any(|base| base.span().contains(location.span));
        let is_outer = class.bases().iter().filter_map(|base| last_name(*base)).any(|name| name == node);
        let offset = class.name.start();
        Ok((is_base && is_outer).then(|| LocatedClass { code: Arc::new(code), offset }))
    }
}

impl LocatedClass {
    /// Returns the class whose name stands at an offset of a file.
    pub(crate) fn at(session: &Session, path: &AbsPath, offset: usize) -> Result<Option<Self>, Refusal> {
        let code = Code::known(session, path)?;
        let offset = Class::named_at(&code, offset).map(|class| class.name.start());
        Ok(offset.map(|offset| Self { code: Arc::new(code), offset }))
    }

    pub(crate) fn class(&self) -> Class<'_> {
        Class::named_at(&self.code, self.offset).expect("a class stood there when this was made")
    }

    pub(crate) fn place(&self) -> Place {
        Place { path: self.code.path.clone(), offset: self.offset }
    }

    /// Tells whether it is Python's `object`, in which the language looks last.
    pub(crate) fn is_last(&self) -> bool {
        self.class().name() == "object" && self.code.path.as_str().ends_with("/stdlib/builtins.pyi")
    }

    pub(crate) fn is_of(&self, session: &Session) -> bool {
        self.code.path.is_below(session.root())
    }
}

/// Tells whether a class of Python is asked when another one extends it, or when its objects are asked for anything.
fn shapes_heirs(class: &Class<'_>) -> bool {
    const ASKED: &[&str] = &["__init_subclass__", "__getattribute__", "__getattr__", "__setattr__", "__new__"];
    let list = class.node.child("superclasses").into_iter().flat_map(Node::named_children);
    let mut words = list.filter(|it| it.is("keyword_argument"));
    words.any(|it| !it.text(class.code.text()).ends_with("ABCMeta")) || ASKED.iter().any(|name| class.has(name))
}

/// Returns the part of a base to ask about: `C` of `module.C[int]`.
fn last_name(base: Node<'_>) -> Option<Node<'_>> {
    let mut named = base;
    while named.is("subscript") {
        named = named.child("value")?;
    }
    match named.kind() {
        "identifier" | "private_property_identifier" | "property_identifier" | "this" | "type_identifier" => {
            Some(named)
        }
        "attribute" => named.child("attribute"),
        "member_expression" => named.child("property"),
        _ => None,
    }
}
