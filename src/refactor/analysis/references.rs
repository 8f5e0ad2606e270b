//! All places that mean one declaration: found through the language's server, told apart by syntax.
//!
//! What the server finds is complete where types are known. Where they are not, [`Uses::doubts`] names the places
//! that nobody can tell, so that a refactoring which has to change every place can refuse.

mod doubts;
mod handed_modules;
mod kinds;
mod unions;
mod untyped_calls;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::default_exports::cover_importers;
use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::refusal::refuse_all;
use crate::refactor::rename::{Beyond, ThroughFixtures};
use crate::refactor::source_file::Code;
use crate::refactor::{Refusal, commonjs, rename};
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Node, Site, site, whole_words};
use crate::text::{AbsPath, Span};

pub(crate) use kinds::{UseKind, kind};

/// The places of one declaration, file by file.
pub(crate) struct Uses {
    pub name: String,
    pub files: BTreeMap<AbsPath, InFile>,
    server: Arc<Server>,
    /// Places of the name that mean something else by way of a fixture, which the server does not tell.
    others: BTreeSet<(AbsPath, Span)>,
    /// Where it is used without a name: `require("./pad")(text)`.
    unnamed: BTreeSet<Location>,
    /// Where a stub or a declaration file declares it once more; or what the program runs, if it is declared there.
    pub twins: BTreeSet<Place>,
}

/// Those in one file.
pub(crate) struct InFile {
    pub code: Code,
    /// In the order of the text.
    pub uses: Vec<Use>,
}

/// One place: the identifier, or what is spelled in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Use {
    pub span: Span,
    pub kind: UseKind,
}

impl Uses {
    /// As [`Self::of`], by the place alone, and in the project alone where what is meant goes on outside: with the reason
    /// why that is not all.
    pub(crate) async fn at(
        session: &Session,
        path: &AbsPath,
        offset: usize,
    ) -> Result<(Self, Option<Refusal>), Refusal> {
        let code = Code::read(session, path)?;
        match Self::with_twins(session, &code, offset).await {
            Ok(uses) => Ok((uses, None)),
            Err(refusal) if refusal.is_failure() => Err(refusal),
            Err(refusal) => {
                let inside = Self::inside(session, &code, offset).await;
                inside.map(|uses| (uses, Some(refusal)))
            }
        }
    }

    /// As [`Self::with_twins`], in the project alone, where what is meant may go on outside.
    pub(crate) async fn inside(session: &Session, code: &Code, offset: usize) -> Result<Self, Refusal> {
        Self::searched(session, code, offset, Beyond::LeftOut).await
    }

    /// Finds every place that means what the identifier at `offset` means, overriding and overridden members and
    /// aliases of imports included.
    ///
    /// # Errors
    /// Refuses where some of them are outside the project, or the language's own, and where it is declared in a stub or a
    /// declaration file, too.
    pub(crate) async fn of(session: &Session, code: &Code, offset: usize) -> Result<Self, Refusal> {
        let uses = Self::with_twins(session, code, offset).await?;
        let refuse = |twin: &Place| {
            let Some(file) = uses.files.get(&twin.path) else { return code.refuse(offset, "it is declared twice") };
            let name = &uses.name;
            file.code.refuse(twin.offset, format!("`{name}` is declared here, too, which would have to change with it"))
        };
        refuse_all(uses.twins.iter().map(refuse))?;
        Ok(uses)
    }

    /// As [`Self::of`], for who changes what stubs and declaration files declare, too.
    pub(crate) async fn with_twins(session: &Session, code: &Code, offset: usize) -> Result<Self, Refusal> {
        Self::searched(session, code, offset, Beyond::Refused).await
    }

    async fn searched(session: &Session, code: &Code, offset: usize, beyond: Beyond) -> Result<Self, Refusal> {
        let tree = &code.parsed().tree;
        let span = tree.identifier_at(code.text(), offset);
        let span = span.ok_or_else(|| code.refuse(offset, "no name stands here"))?;
        let name = span.of(code.text()).unwrap_or_default().to_owned();
        let server = session.server(tree.language(), Feature::References).await?;
        let place = Place { path: code.path.clone(), offset: span.start };
        session.cover(&server, &rename::files_that_may_mean(session, &place, &name)?).await?;
        let search = Search { session, server: &server, name: &name, beyond };
        let turn = session.shared().await;
        let (mut found, twins) = search.everywhere(place, code.family()).await?;
        let mut unnamed = BTreeSet::new();
        if code.family() == Family::Script {
            search.commonjs(&mut found, &mut unnamed).await?;
            let known = found.iter().map(|it| (it.path.clone(), it.span)).collect();
            found.extend(rename::namespace_members(session, &server, &name, &known).await?);
        }
        drop(turn);
        let through = match code.family() {
            Family::Python => rename::through_fixtures(session, &server, &name, &found).await?,
            _ => ThroughFixtures::default(),
        };
        found.extend(through.found);
        if code.family() == Family::Script {
            search.leave_mistaken_out(&mut found)?;
        }
        let files = search.sorted(found)?;
        Ok(Self { name, files, server, others: through.others, unnamed, twins })
    }

    /// Adds what takes the thing by a way that no server follows: a package's table that leads to it, or the name of the
    /// project's own package, of which only what it is compiled to is known.
    pub(crate) fn with_takers(mut self, session: &Session) -> Result<Self, Refusal> {
        let known: BTreeSet<(AbsPath, usize)> =
            self.iter().map(|(code, one)| (code.path.clone(), one.span.start)).collect();
        let declared = self.iter().filter(|(_, one)| one.kind == UseKind::Definition);
        let declared: Vec<Place> =
            declared.map(|(code, one)| Place { path: code.path.clone(), offset: one.span.start }).collect();
        let mut found = rename::taken_by_package_name(session, &self.name, &|place| {
            known.contains(&(place.path.clone(), place.offset))
        })?;
        for place in &declared {
            found.extend(rename::lazily_taken(session, place, &self.name)?);
        }
        found.retain(|it| !known.contains(&(it.path.clone(), it.span.start)));
        for Location { path, span } in found {
            self.add(session, (path, span), kinds::kind)?;
        }
        Ok(self)
    }

    /// Adds calls that no server takes for uses, each by what it calls.
    pub(crate) fn add_calls(&mut self, session: &Session, called: Vec<(AbsPath, Span)>) -> Result<(), Refusal> {
        called.into_iter().try_for_each(|place| self.add(session, place, |_, _| UseKind::Call))
    }

    fn add(
        &mut self,
        session: &Session,
        (path, span): (AbsPath, Span),
        kind: impl FnOnce(&Code, Span) -> UseKind,
    ) -> Result<(), Refusal> {
        if !self.files.contains_key(&path) {
            let code = Code::read(session, &path)?;
            self.files.insert(path.clone(), InFile { code, uses: Vec::new() });
        }
        let file = self.files.get_mut(&path).expect("it was put in just now");
        file.uses.push(Use { span, kind: kind(&file.code, span) });
        file.uses.sort_by_key(|one| one.span);
        file.uses.dedup();
        Ok(())
    }

    /// Returns every place with the file that it is in.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Code, &Use)> {
        self.files.values().flat_map(|file| file.uses.iter().map(move |one| (&file.code, one)))
    }
}

impl Use {
    /// Returns the identifier.
    pub(crate) fn node<'c>(&self, code: &'c Code) -> Node<'c> {
        code.covering(self.span)
    }

    /// Returns the assignment whose whole target a [`UseKind::Write`] is, with what is assigned.
    pub(crate) fn assignment<'c>(&self, code: &'c Code) -> Option<(Node<'c>, Node<'c>)> {
        let target = self.member(code).unwrap_or_else(|| self.node(code));
        let assignment = target.parent().filter(|outer| outer.is_any(&["assignment", "assignment_expression"]))?;
        let value = assignment.child("right")?;
        (assignment.child("left") == Some(target)).then_some((assignment, value))
    }

    /// Tells whether a string of Python shows what is written here, too: `f"{object.name=}"`.
    pub(crate) fn is_printed(&self, code: &Code) -> bool {
        let outer = self.node(code).ancestors().find(|it| it.is("interpolation"));
        outer.is_some_and(|it| it.children().any(|child| child.kind() == "="))
    }

    /// Returns `object.name`, where the place is a member of something.
    pub(crate) fn member<'c>(&self, code: &'c Code) -> Option<Node<'c>> {
        let node = self.node(code);
        let member = node.parent().filter(|outer| outer.is_any(&["attribute", "member_expression"]))?;
        matches!(node.field(), Some("attribute" | "property")).then_some(member)
    }
}

/// One search for places.
struct Search<'a> {
    session: &'a Session,
    server: &'a Arc<Server>,
    name: &'a str,
    beyond: Beyond,
}

impl Search<'_> {
    /// Returns the places, and those twins of the declarations that the server does not take for the same.
    async fn everywhere(&self, place: Place, family: Family) -> Result<(BTreeSet<Location>, BTreeSet<Place>), Refusal> {
        let mut open: Vec<Place> = Vec::new();
        let mut found = BTreeSet::new();
        let mut twins = BTreeSet::new();
        for start in self.declarations(place).await? {
            match family {
                Family::Python => {
                    twins.extend(rename::stub_twins(self.session, &start, self.name)?);
                    let (places, strings) = rename::askers(self.session, &start, self.name)?;
                    open.extend(places);
                    found.extend(strings);
                    open.extend(rename::kin(self.session, self.server, &start, self.name, self.beyond).await?);
                }
                _ => {
                    cover_importers(self.session, self.server, &start).await?;
                    open.push(start);
                }
            }
        }
        self.follow(open, &mut found).await?;
        if family == Family::Script {
            self.follow_published(&mut found, &mut twins).await?;
            return Ok((found, twins));
        }
        twins.retain(|twin| !is_among(&found, twin));
        self.follow(twins.iter().cloned().collect(), &mut found).await?;
        Ok((found, twins))
    }

    /// Adds what declaration files say of what scripts declare or hand out, and the other way round.
    async fn follow_published(
        &self,
        found: &mut BTreeSet<Location>,
        twins: &mut BTreeSet<Place>,
    ) -> Result<(), Refusal> {
        loop {
            let mut further = self.published(found)?;
            further.retain(|twin| !is_among(found, twin) && !twins.contains(twin));
            if further.is_empty() {
                return Ok(());
            }
            twins.extend(further.iter().cloned());
            self.follow(further, found).await?;
        }
    }

    /// Returns the twins of what is declared, or handed out elsewhere than it is declared: `module.exports = { total }`.
    fn published(&self, found: &BTreeSet<Location>) -> Result<Vec<Place>, Refusal> {
        let mut files: BTreeMap<&AbsPath, BTreeSet<usize>> = BTreeMap::new();
        for location in found {
            files.entry(&location.path).or_default().insert(location.span.start);
        }
        let mut twins = Vec::new();
        for (path, places) in files {
            twins.extend(rename::published_twins(self.session, (path, &places), self.name)?);
        }
        Ok(twins)
    }

    /// Adds the references of places, and of those that are the same thing by another name.
    async fn follow(&self, mut open: Vec<Place>, found: &mut BTreeSet<Location>) -> Result<(), Refusal> {
        let mut asked = BTreeSet::new();
        while let Some(place) = open.pop() {
            if !asked.insert(place.clone()) {
                continue;
            }
            let locations = self.server.references(&place).await.map_err(SessionError::from)?;
            for location in locations {
                if let Some(place) = self.alias(&location)? {
                    self.cover_other(&place).await?;
                    open.push(place);
                }
                found.insert(location);
            }
        }
        Ok(())
    }

    /// Completes what tsserver 6.0 leaves out of CommonJS: those who take a module that is the thing itself, and the members
    /// of that name that lead to where it is handed out.
    async fn commonjs(&self, found: &mut BTreeSet<Location>, unnamed: &mut BTreeSet<Location>) -> Result<(), Refusal> {
        let mut seen: BTreeSet<AbsPath> = BTreeSet::new();
        loop {
            let mut further = BTreeSet::new();
            for module in self.whole_modules(found)? {
                further.extend(self.takers(module, &mut seen, unnamed)?);
            }
            further.extend(self.members_of_exports(found).await?);
            further.retain(|location| !found.contains(location));
            if further.is_empty() {
                return Ok(());
            }
            let places: Vec<Place> =
                further.iter().map(|it| Place { path: it.path.clone(), offset: it.span.start }).collect();
            for place in &places {
                self.cover_other(place).await?;
            }
            found.extend(further);
            self.follow(places, found).await?;
        }
    }

    /// Returns the names that a module goes on by, and the modules that are the same by that.
    fn takers(
        &self,
        module: AbsPath,
        seen: &mut BTreeSet<AbsPath>,
        unnamed: &mut BTreeSet<Location>,
    ) -> Result<Vec<Location>, Refusal> {
        let (mut names, mut open) = (Vec::new(), vec![module]);
        while let Some(module) = open.pop() {
            if !seen.insert(module.clone()) {
                continue;
            }
            let taken = handed_modules::taken(self.session, &module)?;
            names.extend(taken.names);
            open.extend(taken.modules);
            unnamed.extend(taken.unnamed);
        }
        Ok(names)
    }

    /// Returns the modules that are nothing but the thing.
    fn whole_modules(&self, found: &BTreeSet<Location>) -> Result<BTreeSet<AbsPath>, Refusal> {
        let mut modules = BTreeSet::new();
        for location in self.in_exporters(found) {
            let code = Code::known(self.session, &location.path)?;
            if handed_modules::is_all(&code, code.covering(name_in(&code, location.span))) {
                modules.insert(location.path.clone());
            }
        }
        Ok(modules)
    }

    /// Returns what was found in files that hand something out by `exports`.
    fn in_exporters<'f>(&self, found: &'f BTreeSet<Location>) -> Vec<&'f Location> {
        let handing_out = self.session.disk().files_mentioning("exports");
        found.iter().filter(|location| handing_out.binary_search(&location.path).is_ok()).collect()
    }

    /// Returns the members, of whatever name the thing is handed out by, that lead to where it is handed out.
    async fn members_of_exports(&self, found: &BTreeSet<Location>) -> Result<Vec<Location>, Refusal> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for location in self.in_exporters(found) {
            let code = Code::known(self.session, &location.path)?;
            let span = name_in(&code, location.span);
            names.extend(commonjs::exported_as(&code, code.covering(span)).map(str::to_owned));
        }
        let mut members = Vec::new();
        for name in &names {
            let open = self.untold_members(name, found)?;
            let places = open.iter().map(|it| Place { path: it.path.clone(), offset: it.span.start }).collect();
            // `exports.last = tax.rate` leads to `rate`: whatever is said there.
            let meanings = rename::meanings(self.server, "", places).await?;
            let is_meant = |leads: &[Location]| leads.iter().any(|to| found.contains(to));
            members.extend(open.into_iter().zip(meanings).filter(|(_, leads)| is_meant(leads)).map(|(place, _)| place));
        }
        Ok(members)
    }

    /// Returns the members of a name, in files that `require` something, that were not found.
    fn untold_members(&self, name: &str, found: &BTreeSet<Location>) -> Result<Vec<Location>, Refusal> {
        let mut open = Vec::new();
        let requiring = self.session.disk().files_mentioning(&format!("require {name}"));
        for path in requiring.into_iter().filter(|path| self.server.spec().speaks_of(path)) {
            let code = Code::known(self.session, &path)?;
            let is_asked = |at: &Span| {
                matches!(site(&code.parsed().tree, code.text(), *at), Site::Member | Site::ShorthandPattern)
            };
            let all = whole_words(code.text(), name).into_iter().filter(is_asked);
            let all = all.map(|span| Location { path: path.clone(), span });
            open.extend(all.filter(|location| !found.contains(location)));
        }
        Ok(open)
    }

    /// Loads the files that know the thing by the name at a place, where that is another one.
    async fn cover_other(&self, place: &Place) -> Result<(), Refusal> {
        let Some(parsed) = self.session.parsed(&place.path)? else { return Ok(()) };
        let span = parsed.tree.identifier_at(parsed.text.as_str(), place.offset);
        let name = span.and_then(|span| span.of(parsed.text.as_str())).filter(|name| *name != self.name);
        let Some(name) = name else { return Ok(()) };
        self.session.cover(self.server, &self.session.disk().files_mentioning(name)).await?;
        Ok(())
    }

    /// Goes from a use to the declarations that bear the name.
    async fn declarations(&self, place: Place) -> Result<Vec<Place>, Refusal> {
        let locations = self.server.definition(&place).await.map_err(SessionError::from)?;
        let is_inside = |location: &&Location| location.path.is_below(self.session.root());
        if let Some(outside) = locations.first().filter(|_| !locations.iter().any(|it| is_inside(&it))) {
            return Err(Refusal::DeclaredOutside { name: self.name.to_owned(), path: outside.path.to_string() });
        }
        let mut found = Vec::new();
        for location in locations.iter().filter(is_inside) {
            let text = self.session.disk().read(&location.path)?;
            if location.span.of(text.as_str()) == Some(self.name) {
                found.push(Place { path: location.path.clone(), offset: location.span.start });
            }
        }
        Ok(if found.is_empty() { vec![place] } else { found })
    }

    /// Returns the other name that an import gives what it imports: pyright 1.1.414 does not follow it by itself. Nor does
    /// tsserver 6.0 what `module.exports` and `require` make of a name.
    fn alias(&self, location: &Location) -> Result<Option<Place>, Refusal> {
        let Some(parsed) = self.session.parsed(&location.path)? else { return Ok(None) };
        let code = Code::known(self.session, &location.path)?;
        if let Some(next) = commonjs::next(&code, code.covering(name_in(&code, location.span))) {
            return Ok(Some(Place { path: location.path.clone(), offset: next.start }));
        }
        match site(&parsed.tree, parsed.text.as_str(), location.span) {
            Site::ImportedName { alias, .. } => Ok(Some(Place { path: location.path.clone(), offset: alias.start })),
            _ => Ok(None),
        }
    }

    /// Leaves out what tsserver takes for uses of a name that a value is made of which a module hands out by another one.
    fn leave_mistaken_out(&self, found: &mut BTreeSet<Location>) -> Result<(), Refusal> {
        let mistaken = commonjs::mistaken_keys(self.session, found.iter().map(|it| &it.path), self.name)?;
        if mistaken.is_empty() {
            return Ok(());
        }
        let mut kept = BTreeSet::new();
        for location in found.iter() {
            let code = Code::known(self.session, &location.path)?;
            let said = name_in(&code, location.span).of(code.text()).unwrap_or_default();
            if said == self.name || !mistaken.contains(said) {
                kept.insert(location.clone());
            }
        }
        *found = kept;
        Ok(())
    }

    fn sorted(&self, found: BTreeSet<Location>) -> Result<BTreeMap<AbsPath, InFile>, Refusal> {
        let mut files: BTreeMap<AbsPath, InFile> = BTreeMap::new();
        let is_foreign = |path: &AbsPath| {
            path.as_path().components().any(|part| part.as_os_str() == "node_modules")
                || !path.is_below(self.session.root())
        };
        let foreign = found.iter().filter(|location| is_foreign(&location.path)).map(|location| {
            let message = format!("`{}` is also known outside the project, in `{}`", self.name, location.path);
            Refusal::NotPossible(message)
        });
        if self.beyond == Beyond::Refused {
            refuse_all(foreign)?;
        }
        for Location { path, span } in found.iter().filter(|location| !is_foreign(&location.path)).cloned() {
            if !files.contains_key(&path) {
                let code = Code::read(self.session, &path)?;
                files.insert(path.clone(), InFile { code, uses: Vec::new() });
            }
            let file = files.get_mut(&path).expect("it was put in just now");
            let span = name_in(&file.code, span);
            file.uses.push(Use { span, kind: kinds::kind(&file.code, span) });
        }
        Ok(files)
    }
}

fn is_among(found: &BTreeSet<Location>, place: &Place) -> bool {
    found.iter().any(|it| it.path == place.path && it.span.start == place.offset)
}

/// Servers point at strings with or without their quotes.
fn name_in(code: &Code, span: Span) -> Span {
    let text = span.of(code.text()).unwrap_or_default();
    let is_quoted = text.len() > 2 && text.starts_with(['"', '\'', '`']) && text.ends_with(['"', '\'', '`']);
    if is_quoted { Span::new(span.start + 1, span.end - 1) } else { span }
}
