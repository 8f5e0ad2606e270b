//! What the names in a function lead to, as the language's server knows it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::class::{ErrorClass, Handler, Key};
use super::declared::{is_class, is_same, member, shapes, sourced, types_said, with_body};
use super::library::{self, Known};
use super::site::{Body, Call, Guard, Runs, Site, Takes, Thrown, What, Why};
use super::{joined, plain, python, script};
use crate::declarations::id::Id;
use crate::declarations::index::{FoundDeclaration, Index};
use crate::declarations::module::{DeclarationRow, Module};
use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::{ClassHierarchy, LocatedClass, Refusal};
use crate::session::{Parsed, Session, SessionError};
use crate::syntax::{Family, Language, functions, scopes};
use crate::text::AbsPath;

/// A function with what each place in it leads to.
#[derive(Debug)]
pub(super) struct Loaded {
    pub found: FoundDeclaration,
    pub runs: Runs,
    pub links: Vec<Link>,
    pub guards: Vec<Vec<Handler>>,
}

/// One place, and one thing that it may do.
#[derive(Debug)]
pub(super) struct Link {
    pub at: usize,
    pub guards: Vec<usize>,
    pub outcome: Outcome,
}

#[derive(Debug, Clone)]
pub(super) enum Outcome {
    Raises(ErrorClass),
    Runs { callee: FoundDeclaration, taken: Runs, then: Option<&'static str>, written: String },
    Unknown(Why, String),
}

/// What a name leads to.
enum Meaning {
    Function(FoundDeclaration),
    Class(FoundDeclaration),
    Value,
    /// A declaration outside the project, or nothing that has a name there.
    Outside(AbsPath, Option<DeclarationRow>),
}

/// Where the names of a text lead, by their beginnings.
type Leads = HashMap<usize, Vec<Location>>;

pub(super) struct Follower<'a> {
    session: &'a Session,
    index: &'a Index,
    language: Language,
    server: Arc<Server>,
    heirs: Option<Arc<Server>>,
    kin: ClassHierarchy<'a>,
    /// How many declarations have a name.
    named: HashMap<&'a str, usize>,
    outside: HashMap<AbsPath, Option<Arc<Module>>>,
    classes: HashMap<(AbsPath, usize), Option<ErrorClass>>,
    below: HashMap<Id, Vec<FoundDeclaration>>,
    names: HashMap<AbsPath, Arc<Vec<scopes::Name>>>,
    joined: Option<BTreeSet<String>>,
}

/// So many questions are asked at once.
const AT_ONCE: usize = 32;
/// What makes an object, in Python.
const MAKERS: &[&str] = &["__new__", "__init__", "__post_init__"];
const ENTERED: &[&str] = &["__enter__", "__exit__", "__aenter__", "__aexit__"];

impl<'a> Follower<'a> {
    pub(super) async fn new(session: &'a Session, index: &'a Index, language: Language) -> Result<Self, Refusal> {
        let server = session.server(language, Feature::References).await?;
        let heirs = match server.offers(Feature::Implementation) {
            true => Some(Arc::clone(&server)),
            false => session.server(language, Feature::Implementation).await.ok(),
        };
        let mut named: HashMap<&str, usize> = HashMap::new();
        let modules = index.modules("").filter(|module| module.language.family() == language.family());
        for row in modules.flat_map(|module| &module.rows) {
            *named.entry(row.name()).or_default() += 1;
        }
        let kin = ClassHierarchy::new(session, language).await?;
        let (outside, classes, below, names) = Default::default();
        let joined = None;
        Ok(Self { session, index, language, server, heirs, kin, named, outside, classes, below, names, joined })
    }

    /// Looks into what is asked about: of a class, into what makes its objects.
    pub(super) async fn root(&mut self, found: &FoundDeclaration) -> Result<Loaded, Refusal> {
        let row = found.row();
        if row.kind.is_callable() {
            return self.together(found).await;
        }
        if !is_class(row) {
            return Err(Refusal::NotPossible(format!("`{}` is neither a function nor a class", row.name())));
        }
        let mut loaded = match self.language.family() {
            Family::Script => self.load(found).await?,
            _ => Loaded { found: found.clone(), runs: Runs::AtOnce, links: Vec::new(), guards: Vec::new() },
        };
        for outcome in self.made(found, (row.name(), None)).await? {
            let is_itself = matches!(&outcome, Outcome::Runs { callee, .. } if callee.row().id == row.id);
            let link = Link { at: row.name_span.start, guards: Vec::new(), outcome };
            loaded.links.extend((!is_itself).then_some(link));
        }
        Ok(loaded)
    }

    /// Looks into all that a module declares under the name of a function: overloads and accessors are one to who asks.
    async fn together(&mut self, found: &FoundDeclaration) -> Result<Loaded, Refusal> {
        let mut all = with_body(found);
        if all.iter().any(|it| self.has_body(it)) {
            all.retain(|it| self.has_body(it));
        }
        let mut whole = Loaded { found: found.clone(), runs: Runs::AtOnce, links: Vec::new(), guards: Vec::new() };
        for one in all {
            let loaded = self.load(&one).await?;
            let before = whole.guards.len();
            whole.guards.extend(loaded.guards);
            whole.links.extend(loaded.links.into_iter().map(|mut link| {
                link.guards.iter_mut().for_each(|guard| *guard += before);
                link
            }));
            whole.runs = loaded.runs;
        }
        Ok(whole)
    }

    /// Looks into a function.
    pub(super) async fn load(&mut self, found: &FoundDeclaration) -> Result<Loaded, Refusal> {
        let path = self.path_of(found);
        let parsed = self.session.parsed(&path)?;
        let body = parsed.as_ref().and_then(|parsed| self.body(found, &path, parsed));
        let mut loaded = Loaded { found: found.clone(), runs: Runs::AtOnce, links: Vec::new(), guards: Vec::new() };
        let Some((body, parsed)) = body.zip(parsed) else {
            let outcome = Outcome::Unknown(Why::Abstract, found.row().name().to_owned());
            loaded.links.push(Link { at: found.row().name_span.start, guards: Vec::new(), outcome });
            return Ok(loaded);
        };
        loaded.runs = body.runs;
        for (at, written) in &body.wrappers {
            let outcome = Outcome::Unknown(Why::Wrapped, written.clone());
            loaded.links.push(Link { at: *at, guards: Vec::new(), outcome });
        }
        let leads = self.leads(&path, &self.asked(&body)).await?;
        for guard in &body.guards {
            loaded.guards.push(self.handlers(guard, &leads).await?);
        }
        for site in &body.sites {
            for outcome in self.outcomes(site, &leads, (&path, &parsed)).await? {
                loaded.links.push(Link { at: site.at, guards: site.guards.clone(), outcome });
            }
        }
        Ok(loaded)
    }

    fn path_of(&self, found: &FoundDeclaration) -> AbsPath {
        self.session.root().join(&found.module.path).expect("a path of the project joined to its root")
    }

    fn body(&mut self, found: &FoundDeclaration, path: &AbsPath, parsed: &Parsed) -> Option<Body> {
        let (tree, text, row) = (&parsed.tree, parsed.text.as_str(), found.row());
        if !row.kind.is_callable() {
            let name = tree.nodes().covering(row.name_span);
            return name.parent().map(|class| script::read_class(class, text));
        }
        let site = functions(tree, text).into_iter().find(|site| site.at == row.name_span.start)?;
        let node = tree.nodes().get(site.node).filter(|_| site.body.is_some())?;
        if self.language.family() == Family::Script {
            return Some(script::read(node, text));
        }
        let names = self.names.entry(path.clone()).or_insert_with(|| Arc::new(scopes::names(tree, text)));
        Some(python::read(node, &plain::Values::of(tree, text, names), text))
    }

    /// Returns the names that a server has to be asked about.
    fn asked(&self, body: &Body) -> BTreeSet<usize> {
        let named = |site: &Site| match &site.what {
            What::Raise(Thrown::Named(name, _) | Thrown::Value(name, _)) => Some(*name),
            What::Call(call) => Some(call.name),
            What::Member(name, written) => self.may_be_accessor(written).then_some(*name),
            _ => None,
        };
        let taken = body.guards.iter().flat_map(|guard| &guard.clauses).flat_map(|clause| match &clause.takes {
            Takes::All => Vec::new(),
            Takes::Classes(classes) => classes.iter().flatten().copied().collect(),
        });
        body.sites.iter().filter_map(named).chain(taken).collect()
    }

    /// Members of scripts' objects are values, but for accessors, which the project declares by this name.
    fn may_be_accessor(&self, written: &str) -> bool {
        let name = written.rsplit(['.', '?']).next().unwrap_or(written);
        self.language.family() == Family::Python || self.named.contains_key(name)
    }

    async fn leads(&self, path: &AbsPath, asked: &BTreeSet<usize>) -> Result<Leads, Refusal> {
        let _turn = self.session.shared().await;
        self.server.open(std::slice::from_ref(path)).await.map_err(SessionError::from)?;
        let asked: Vec<usize> = asked.iter().copied().collect();
        let mut leads = Leads::new();
        for some in asked.chunks(AT_ONCE) {
            let asking = some.iter().map(|offset| async {
                let place = Place { path: path.clone(), offset: *offset };
                self.server.definition(&place).await.map(|found| (*offset, found))
            });
            leads.extend(futures::future::try_join_all(asking).await.map_err(SessionError::from)?);
        }
        Ok(leads)
    }

    async fn handlers(&mut self, guard: &Guard, leads: &Leads) -> Result<Vec<Handler>, Refusal> {
        let mut handlers = Vec::new();
        for clause in &guard.clauses {
            let takes = match &clause.takes {
                Takes::All => None,
                Takes::Classes(names) => {
                    let mut classes = Vec::new();
                    for name in names {
                        let locations = name.and_then(|name| leads.get(&name)).map(Vec::as_slice).unwrap_or_default();
                        classes.push(self.class_of(locations).await?);
                    }
                    Some(classes)
                }
            };
            handlers.push(Handler { takes, passes_on: clause.passes_on });
        }
        Ok(handlers)
    }

    async fn outcomes(
        &mut self,
        site: &Site,
        leads: &Leads,
        (path, parsed): (&AbsPath, &Parsed),
    ) -> Result<Vec<Outcome>, Refusal> {
        let none = Vec::new();
        let at = |name: &usize| leads.get(name).unwrap_or(&none);
        match &site.what {
            What::Operation(kind) => Ok(vec![Outcome::Unknown(Why::Operation, (*kind).to_owned())]),
            What::Lost(why, written) => Ok(vec![Outcome::Unknown(*why, written.clone())]),
            What::Raise(Thrown::Known(name)) if self.language.family() == Family::Script => {
                Ok(vec![Outcome::Raises(ErrorClass::of_type(name))])
            }
            What::Raise(Thrown::Known(name)) => Ok(vec![Outcome::Raises(ErrorClass::built_in(name))]),
            What::Raise(Thrown::Named(name, written)) => self.raised(at(name), (path, parsed, *name), written).await,
            What::Raise(Thrown::Value(name, written)) => self.held(path, *name, written).await,
            What::Call(call) => self.called(call, at(&call.name)).await,
            What::Member(name, written) => self.member(written, leads.get(name).map(Vec::as_slice)).await,
        }
    }

    /// `raise Error(…)`, `raise Error`, `throw new Error(…)`
    async fn raised(
        &mut self,
        locations: &[Location],
        (path, parsed, name): (&AbsPath, &Parsed, usize),
        written: &str,
    ) -> Result<Vec<Outcome>, Refusal> {
        if self.language.family() == Family::Script {
            let text = parsed.text.as_str();
            let named = parsed.tree.identifier_at(text, name).and_then(|span| span.of(text)).unwrap_or(written);
            return Ok(vec![Outcome::Raises(ErrorClass::of_type(named))]);
        }
        let Some(class) = self.class_of(locations).await? else { return self.held(path, name, written).await };
        let mut outcomes = vec![Outcome::Raises(class)];
        // A class that is named alone is called.
        if !written.ends_with(')') {
            for location in locations {
                if let Meaning::Class(found) = self.meaning(location)? {
                    outcomes.extend(self.made(&found, (written, None)).await?);
                }
            }
        }
        Ok(outcomes)
    }

    /// Tells by its type what is raised by the name of a variable, or of a function that makes it.
    async fn held(&mut self, path: &AbsPath, offset: usize, written: &str) -> Result<Vec<Outcome>, Refusal> {
        let place = Place { path: path.clone(), offset };
        let (said, locations) = {
            let _turn = self.session.shared().await;
            let said = self.server.hover(&place).await.map_err(SessionError::from)?;
            (said, self.server.type_definition(&place).await.map_err(SessionError::from)?)
        };
        let Some(types) = said.as_deref().and_then(types_said) else {
            return Ok(vec![Outcome::Unknown(Why::Error, written.to_owned())]);
        };
        let mut known = Vec::new();
        for location in &locations {
            known.extend(self.class_of(std::slice::from_ref(location)).await?);
        }
        let named = |name: String| {
            let last = name.rsplit('.').next().unwrap_or(&name).to_owned();
            let class = known.iter().find(|class| class.name == last).cloned();
            Outcome::Raises(class.unwrap_or_else(|| ErrorClass::of_type(&last)))
        };
        Ok(types.into_iter().map(named).collect())
    }

    async fn called(&mut self, call: &Call, locations: &[Location]) -> Result<Vec<Outcome>, Refusal> {
        let unknown = |why| Outcome::Unknown(why, call.written.clone());
        if locations.is_empty() {
            return Ok(vec![unknown(Why::Unresolved)]);
        }
        let meanings = locations.iter().map(|it| self.meaning(it)).collect::<Result<Vec<_>, _>>()?;
        // A class of a script without a constructor leads to that of its base, too, which making it looks into.
        let is_script = self.language.family() == Family::Script;
        let is_made = is_script && meanings.iter().any(|it| matches!(it, Meaning::Class(_)));
        // Of a library both the stub and the source may be named: the stub says which it is.
        let stubs: Vec<(AbsPath, Option<DeclarationRow>)> = meanings
            .iter()
            .filter_map(|meaning| match meaning {
                Meaning::Outside(path, row) if path.extension() == "pyi" => Some((path.clone(), row.clone())),
                _ => None,
            })
            .collect();
        let mut outcomes = Vec::new();
        for meaning in meanings {
            match meaning {
                Meaning::Outside(..) if is_made => {}
                Meaning::Outside(path, row) if stubs.iter().any(|stub| is_same(stub, (&path, row.as_ref()))) => {}
                Meaning::Function(found) => outcomes.extend(self.run(&found, call).await?),
                Meaning::Class(found) => outcomes.extend(self.made(&found, (&call.written, call.then)).await?),
                Meaning::Value => outcomes.push(unknown(Why::Value)),
                Meaning::Outside(path, row) => match self.known(&path, row.as_ref(), call) {
                    Some(Known::Nothing) => {}
                    Some(Known::Raises(name)) => outcomes.push(Outcome::Raises(ErrorClass::built_in(name))),
                    None => outcomes.push(unknown(Why::Library)),
                },
            }
        }
        Ok(outcomes)
    }

    fn known(&self, path: &AbsPath, row: Option<&DeclarationRow>, call: &Call) -> Option<Known> {
        match self.language.family() {
            Family::Python => library::python(path, &row?.names, call),
            _ => library::script(path, &call.written, row.map(DeclarationRow::name)),
        }
    }

    /// Returns what a call of a function may run: it, what overrides it, and others that are declared by its name.
    async fn run(&mut self, found: &FoundDeclaration, call: &Call) -> Result<Vec<Outcome>, Refusal> {
        let mut all = with_body(found);
        let mut outcomes = Vec::new();
        if call.is_super {
            let may_lead_elsewhere = self.may_lead_elsewhere(found);
            outcomes.extend(may_lead_elsewhere.then(|| Outcome::Unknown(Why::Unresolved, call.written.clone())));
        } else {
            all.extend(self.overriding(found).await?);
        }
        // A declaration without a body is carried out by those that have one.
        if all.iter().any(|it| self.has_body(it)) {
            all.retain(|it| self.has_body(it));
        }
        let outcome =
            |callee| Outcome::Runs { callee, taken: call.taken, then: call.then, written: call.written.clone() };
        outcomes.extend(all.into_iter().map(outcome));
        Ok(outcomes)
    }

    /// Tells whether `super()` can lead beside the class that a method is found in: another class that has it is joined
    /// with that one.
    fn may_lead_elsewhere(&mut self, found: &FoundDeclaration) -> bool {
        let row = found.row();
        let Some(parent) = row.parent.filter(|_| self.language.family() == Family::Python) else { return false };
        if self.named.get(row.name()).is_none_or(|count| *count < 3) {
            return false;
        }
        let joined = self.joined.get_or_insert_with(|| joined::joined(self.session, self.index));
        joined.contains(found.module.rows[parent].name())
    }

    fn has_body(&self, found: &FoundDeclaration) -> bool {
        // What has none in Python is written as one that does nothing.
        if found.module.path.ends_with(".py") {
            return true;
        }
        let Ok(Some(parsed)) = self.session.parsed(&self.path_of(found)) else { return false };
        let sites = functions(&parsed.tree, parsed.text.as_str());
        sites.iter().any(|site| site.at == found.row().name_span.start && site.body.is_some())
    }

    /// Returns the methods of the project that override one, or carry it out.
    async fn overriding(&mut self, found: &FoundDeclaration) -> Result<Vec<FoundDeclaration>, Refusal> {
        let row = found.row();
        let is_method = row.parent.is_some_and(|parent| found.module.rows[parent].kind.has_members());
        if !is_method || MAKERS.contains(&row.name()) || self.named.get(row.name()).is_none_or(|count| *count < 2) {
            return Ok(Vec::new());
        }
        if let Some(known) = self.below.get(&row.id) {
            return Ok(known.clone());
        }
        let mut below = Vec::new();
        if let Some(server) = self.heirs.clone() {
            self.session.cover(&server, &self.session.disk().files_mentioning(row.name())).await?;
            let place = Place { path: self.path_of(found), offset: row.name_span.start };
            let locations = {
                let _turn = self.session.shared().await;
                server.implementation(&place).await.map_err(SessionError::from)?
            };
            for location in locations {
                if let Meaning::Function(other) = self.meaning(&location)? {
                    below.extend((other.row().id != row.id).then_some(other));
                }
            }
        }
        self.below.insert(row.id, below.clone());
        Ok(below)
    }

    /// Returns what is run where an object of a class is made.
    async fn made(
        &mut self,
        found: &FoundDeclaration,
        call: (&str, Option<&'static str>),
    ) -> Result<Vec<Outcome>, Refusal> {
        let (written, then) = call;
        let unknown = |why| Outcome::Unknown(why, written.to_owned());
        let place = Place { path: self.path_of(found), offset: found.row().name_span.start };
        let Some(own) = LocatedClass::at(self.session, &place.path, place.offset)? else {
            return Ok(vec![unknown(Why::Abstract)]);
        };
        let (above, lost) = self.kin.declaring(&own.class()).await?;
        let mut outcomes = Vec::new();
        let is_script = self.language.family() == Family::Script;
        // Built-in errors of scripts are no classes but variables.
        let is_known =
            |base: &String| is_script && library::is_script_error(base) && !self.named.contains_key(base.as_str());
        outcomes.extend((!lost.iter().all(is_known)).then(|| unknown(Why::Unresolved)));
        let mut classes = vec![found.clone()];
        let mut is_joined = own.class().bases().len() > 1;
        for standing in &above {
            let place = standing.place();
            match self.own(&place.path, place.offset) {
                Some(class) => {
                    is_joined |= standing.class().bases().len() > 1;
                    classes.push(class);
                }
                None if self.is_silent(&place.path, standing.class().name()) => {}
                None => outcomes.push(unknown(Why::Library)),
            }
        }
        if self.language.family() == Family::Script {
            outcomes.extend(made_in_script(&classes, written));
            return Ok(outcomes);
        }
        let is_shaped = above.iter().filter(|it| it.is_of(self.session)).chain([&own]).any(shapes);
        outcomes.extend(is_shaped.then(|| unknown(Why::Wrapped)));
        let mut names = MAKERS.to_vec();
        if then == Some("with") {
            names.extend(ENTERED);
        }
        for name in &names {
            let all = classes.iter().filter_map(|class| member(class, name));
            let run = all.take(if is_joined { usize::MAX } else { 1 });
            outcomes.extend(run.map(|callee| running(callee, written)));
        }
        let is_entered = ENTERED.iter().any(|name| classes.iter().any(|class| member(class, name).is_some()));
        if let Some(kind) = then.filter(|kind| *kind != "with" || !is_entered) {
            outcomes.push(Outcome::Unknown(Why::Operation, kind.to_owned()));
        }
        Ok(outcomes)
    }

    fn is_silent(&self, path: &AbsPath, name: &str) -> bool {
        match self.language.family() {
            Family::Python => library::is_silent_class(path, name),
            _ => library::script(path, name, None).is_some(),
        }
    }

    /// Returns what a member runs where it is read or set. Nothing was asked about one that is no accessor.
    async fn member(&mut self, written: &str, locations: Option<&[Location]>) -> Result<Vec<Outcome>, Refusal> {
        let Some(locations) = locations else { return Ok(Vec::new()) };
        let is_script = self.language.family() == Family::Script;
        let unknown = || Outcome::Unknown(Why::Operation, "attribute".to_owned());
        if locations.is_empty() {
            return Ok(if is_script { Vec::new() } else { vec![unknown()] });
        }
        let mut outcomes = Vec::new();
        for location in locations {
            match self.meaning(location)? {
                Meaning::Function(found) if self.is_accessor(&found)? => {
                    let others = self.overriding(&found).await?;
                    let all = with_body(&found).into_iter().chain(others);
                    outcomes.extend(all.map(|callee| running(callee, written)));
                }
                Meaning::Outside(path, Some(row)) if row.kind.is_callable() && self.is_property(&path, &row)? => {
                    outcomes.push(unknown());
                }
                Meaning::Outside(_, None) if !is_script => outcomes.push(unknown()),
                _ => {}
            }
        }
        Ok(outcomes)
    }

    /// Tells whether a function is run where its name is only read.
    fn is_accessor(&self, found: &FoundDeclaration) -> Result<bool, Refusal> {
        self.is_property(&self.path_of(found), found.row())
    }

    fn is_property(&self, path: &AbsPath, row: &DeclarationRow) -> Result<bool, Refusal> {
        const PLAIN: &[&str] =
            &["@staticmethod", "@classmethod", "@abstractmethod", "@abc.abstractmethod", "@overload"];
        let Some(parsed) = self.session.parsed(path)? else { return Ok(true) };
        let (nodes, text) = (parsed.tree.nodes(), parsed.text.as_str());
        let function = nodes.covering(row.name_span).parent();
        let Some(function) = function else { return Ok(true) };
        if self.language.family() == Family::Script {
            return Ok(function.children().any(|it| matches!(it.kind(), "get" | "set")));
        }
        let outer = function.parent().filter(|it| it.is("decorated_definition"));
        let mut decorators = outer.into_iter().flat_map(|it| it.children()).filter(|it| it.is("decorator"));
        let is_dunder = row.name().starts_with("__get");
        Ok(is_dunder || decorators.any(|it| !PLAIN.contains(&it.text(text))))
    }

    fn own(&self, path: &AbsPath, offset: usize) -> Option<FoundDeclaration> {
        let relative = path.relative_to(self.session.root())?;
        let module = self.index.module(relative.as_str())?;
        let (number, _) = module.at(offset)?;
        Some(FoundDeclaration { module: Arc::clone(module), number })
    }

    fn meaning(&mut self, location: &Location) -> Result<Meaning, Refusal> {
        let (path, offset) = (&location.path, location.span.start);
        if path.is_below(self.session.root())
            && path.relative_to(self.session.root()).is_some_and(|it| self.index.module(it.as_str()).is_some())
        {
            return Ok(match self.own(path, offset) {
                Some(found) if found.row().kind.is_callable() => Meaning::Function(sourced(self.index, found)),
                Some(found) if is_class(found.row()) => Meaning::Class(sourced(self.index, found)),
                _ => Meaning::Value,
            });
        }
        if !self.outside.contains_key(path) {
            let parsed = self.session.parsed(path)?;
            let module = parsed.map(|parsed| {
                Arc::new(Module::read(path.as_str(), parsed.tree.language(), (&parsed.tree, &parsed.text)))
            });
            self.outside.insert(path.clone(), module);
        }
        let module = self.outside.get(path).cloned().flatten();
        let row = module.and_then(|module| {
            let here = module.at(offset).map(|(_, row)| row);
            // A signature of scripts that has no name is known by what it stands in.
            let is_script = module.language.family() == Family::Script;
            let around = || module.around(offset, |row| is_script && row.kind.has_members());
            here.or_else(around).cloned()
        });
        Ok(Meaning::Outside(path.clone(), row))
    }

    /// Returns the class of errors that a name leads to, if it is one.
    async fn class_of(&mut self, locations: &[Location]) -> Result<Option<ErrorClass>, Refusal> {
        // Of a library both the stub and the source may be named.
        let source = locations.iter().find(|it| it.path.extension() != "pyi").or(locations.first());
        let Some(location) = source else { return Ok(None) };
        let key = (location.path.clone(), location.span.start);
        if let Some(known) = self.classes.get(&key) {
            return Ok(known.clone());
        }
        let class = match LocatedClass::at(self.session, &key.0, key.1)? {
            Some(standing) => {
                let (above, lost) = self.kin.declaring(&standing.class()).await?;
                let key_of = |it: &LocatedClass| Key::of(&it.place(), it.class().name());
                Some(ErrorClass {
                    name: standing.class().name().to_owned(),
                    key: key_of(&standing),
                    above: above.iter().map(key_of).collect(),
                    is_open: !lost.is_empty(),
                })
            }
            None => None,
        };
        self.classes.insert(key, class.clone());
        Ok(class)
    }
}

fn running(callee: FoundDeclaration, written: &str) -> Outcome {
    Outcome::Runs { callee, taken: Runs::AtOnce, then: None, written: written.to_owned() }
}

/// The fields of a class and of those above it, and the nearest constructor.
fn made_in_script(classes: &[FoundDeclaration], written: &str) -> Vec<Outcome> {
    let constructor = classes.iter().find_map(|class| member(class, "constructor"));
    classes.iter().cloned().chain(constructor).map(|callee| running(callee, written)).collect()
}
