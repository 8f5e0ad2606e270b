//! Renames in TypeScript and JavaScript, through tsserver's own request.
//!
//! Its `rename` says in one answer whether, what kind of thing and with which prefix and suffix, and
//! needs no file open but one of each project. It stops at re-exports (`new as old`); the walk here goes
//! on from there. Seen with TypeScript 5.9 and 6.0.

use crate::refactor::tsserver::{OneBased, in_dependencies, is_outside, one_based, within};
use std::collections::BTreeSet;
use std::sync::Arc;

use futures::StreamExt as _;
use futures::stream::FuturesOrdered;
use serde::Deserialize;
use serde_json::{Value, json};

use super::commonjs_exports::{self, Exports};
use super::server_edits::Gathered;
use super::structural_types::{Related, may_be_key, may_be_member};
use super::subject::Subject;
use super::{
    Aliases, RenameRequest, alias_specifiers, argument_comments, computed_keys, declaration_files, doc_links, doubts,
    file_bindings, instance_members, jsdoc, namespace_members, own_imports, plain, platform_twins, prototype_chains,
    unknown_bases,
};
use crate::lsp::{Location, Place, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::commonjs::{export_key, exported_value, given_names, required_member};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Node, Site, site, whole_words};
use crate::text::{AbsPath, Span, Text, TextEdit, quoted};

/// How tsserver calls parameters.
const PARAMETER: &str = "parameter";
/// Imports and re-exports are followed this many steps to a declaration.
const HOPS: usize = 16;

/// Renames from the declaration, through every re-export unless told to keep them.
pub(super) async fn gather(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
    request: &RenameRequest,
) -> Result<Gathered, Refusal> {
    let walk = Walk { session, server, subject, request };
    walk.cover().await?;
    let start = walk.declaration().await?;
    let mut gathered = Gathered::by(server.name().as_str());
    let mut exports = Exports::new(session, server, &subject.name, request);
    let mut related = None;
    let mut asked = BTreeSet::new();
    let (mut places, mut joined) = (vec![start.clone()], Vec::new());
    while !places.is_empty() {
        while !places.is_empty() {
            places.retain(|place| asked.insert(place.clone()));
            // Asked all at once: the server goes on to the next while an answer is taken in.
            let mut answers: FuturesOrdered<_> = places.drain(..).map(|place| walk.rename_at(place)).collect();
            while let Some(answer) = answers.next().await {
                match walk.take_in(answer?, &mut gathered) {
                    Err(refusal @ Refusal::DeclaredOutside { .. }) => {
                        return Err(walk.held(&start, &gathered).await?.unwrap_or(refusal));
                    }
                    further => places.extend(further?),
                }
            }
        }
        places.extend(walk.beyond_rename(&mut exports, &mut gathered).await?);
        places.retain(|place| !asked.contains(place));
        if !places.is_empty() {
            continue;
        }
        if !related.as_ref().is_some_and(|related: &Related| related.knows(&gathered)) {
            related = walk.related(&start, &gathered).await?;
        }
        if let Some(related) = &related {
            let further = related.further((&subject.name, &request.new_name), &asked, &mut gathered)?;
            places = further.places;
            joined.extend(further.joined);
        }
    }
    walk.namespace_members(&mut gathered).await?;
    jsdoc::follow(session, (subject, request), &mut gathered)?;
    jsdoc::follow_types(session, (subject, request), &mut gathered)?;
    argument_comments::follow(session, server, (subject, request), &mut gathered).await?;
    own_imports::follow(session, (subject, request), &mut gathered)?;
    gathered.warnings.extend(platform_twins::of_declarations(session, &gathered)?);
    doc_links::follow(session, (subject, request), &start, &mut gathered)?;
    alias_specifiers::collapse(session, &mut gathered)?;
    let told = [
        declaration_files::told(session, subject, request, &gathered)?,
        declaration_files::mixed_in(session, subject, &gathered)?,
        unknown_bases::told(session, server, &subject.name, &gathered).await?,
    ];
    gathered.warnings.extend(told.into_iter().flatten());
    gathered.doubts = walk.doubts(&start, related.as_ref(), &gathered)?;
    gathered.warnings.extend(walk.asked_for(&start).await?);
    let names = [subject.name.as_str(), request.new_name.as_str()];
    let asked = computed_keys::tell(session, (server, related.is_some()), (names, &start), &mut gathered).await?;
    gathered.warnings.extend(asked);
    if let Some(related) = &related {
        gathered.warnings.extend(related.told(session, &subject.name, &joined)?);
    }
    Ok(gathered)
}

struct Walk<'a> {
    session: &'a Session,
    server: &'a Arc<Server>,
    subject: &'a Subject,
    request: &'a RenameRequest,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    body: Option<RenameBody>,
}

/// tsserver's answer to `rename` (its protocol.ts, RenameResponseBody); positions are 1-based.
#[derive(Deserialize)]
struct RenameBody {
    info: RenameInfo,
    #[serde(default)]
    locs: Vec<SpanGroup>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RenameInfo {
    can_rename: bool,
    /// What is renamed (TypeScript's ScriptElementKind).
    #[serde(default)]
    kind: String,
    #[serde(default)]
    localized_error_message: Option<String>,
}

#[derive(Deserialize)]
struct SpanGroup {
    file: String,
    locs: Vec<RenameSpan>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RenameSpan {
    start: OneBased,
    end: OneBased,
    #[serde(default)]
    prefix_text: String,
    #[serde(default)]
    suffix_text: String,
}

impl RenameSpan {
    /// Nothing where the text has no such place.
    fn span(&self, text: &Text) -> Option<Span> {
        Some(Span::new(within(text, &self.start)?, within(text, &self.end)?))
    }
}

impl Walk<'_> {
    /// Loads every project, and every file outside them all, whose text mentions the name; the file alone where no other can
    /// mean it.
    async fn cover(&self) -> Result<(), Refusal> {
        let files = file_bindings::files_that_may_mean(self.session, &self.subject.place, &self.subject.name)?;
        self.session.cover(self.server, &files).await?;
        Ok(())
    }

    /// Asks which declarations belong together with a member's, and which strings spell it, where it is one.
    async fn related(&self, start: &Place, gathered: &Gathered) -> Result<Option<Related>, Refusal> {
        if !may_be_key(self.session, start, self.subject.name.len())? {
            return Ok(None);
        }
        Related::ask(self.session, self.server, &self.subject.name, gathered).await
    }

    /// Says which member of a library holds the name, where types do.
    async fn held(&self, start: &Place, gathered: &Gathered) -> Result<Option<Refusal>, Refusal> {
        let related = self.related(start, gathered).await?;
        Ok(related.and_then(|related| related.held(&self.subject.name, gathered)))
    }

    /// Says why it is not sure that the whole family of a member is known.
    fn doubts(&self, start: &Place, related: Option<&Related>, gathered: &Gathered) -> Result<Vec<String>, Refusal> {
        if !may_be_member(self.session, start, self.subject.name.len())? {
            return Ok(Vec::new());
        }
        let name = &self.subject.name;
        let mut doubts = doubts::of_script(self.session, name, gathered);
        match related {
            None => doubts.push(format!("more than one type may declare `{name}`")),
            Some(related) if related.is_partial => {
                doubts.push(format!("not all types that could declare `{name}` were compared"));
            }
            Some(_) => {}
        }
        Ok(doubts)
    }

    /// Says that a member may be asked for by what no file shows.
    async fn asked_for(&self, start: &Place) -> Result<Option<Warning>, Refusal> {
        let name = &self.subject.name;
        let is_member = may_be_member(self.session, start, name.len())?;
        if !is_member || !doubts::is_asked_for(self.session, self.server, (name, start)).await? {
            return Ok(None);
        }
        let message = format!("`{name}` is asked for by JavaScript or a browser itself, which no type tells");
        let range = self.session.disk().read(&start.path)?.range(Span::new(start.offset, start.offset + name.len()));
        Ok(Some(Warning::at(WarningKind::PossibleUse, message, start.path.clone(), range)))
    }

    /// Follows imports and re-exports from the asked place to the declaration.
    async fn declaration(&self) -> Result<Place, Refusal> {
        commonjs_exports::check_given(self.session, self.subject)?;
        if let Some(declared) = prototype_chains::declared(self.session, self.server, self.subject).await? {
            return Ok(declared);
        }
        let found = self.declared(self.subject.place.clone(), self.subject.site.clone()).await;
        commonjs_exports::own_or(self.session, self.subject, found)
    }

    /// As [`Walk::declaration`], for a place where a module hands on what another one declares.
    async fn handed_on(&self, place: Place) -> Result<Place, Refusal> {
        let Some(parsed) = self.session.parsed(&place.path)? else { return Ok(place) };
        let span = self.name_at(&place);
        let node = parsed.tree.nodes().covering(span);
        let statement = node.ancestors().find(|it| it.is("export_statement"));
        if statement.is_none_or(|it| it.child("source").is_none()) {
            return Ok(place);
        }
        self.declared(place, site(&parsed.tree, parsed.text.as_str(), span)).await
    }

    async fn declared(&self, mut place: Place, mut here: Site) -> Result<Place, Refusal> {
        for _ in 0..HOPS {
            let text = self.session.disk().read(&place.path)?;
            if let Some(other) = self.same_in_commonjs(&place)? {
                (place, here) = other;
                continue;
            }
            let goes_on = self.is_key(&place)?
                || self.is_required(&place)?
                || self.is_default_handed_on(&place.path, &text, place.offset)?;
            if stays(&here) && !goes_on {
                return Ok(place);
            }
            let locations = self.server.definition(&place).await.map_err(SessionError::from)?;
            let is_elsewhere = |it: &Location| it.path != place.path || !it.span.touches(place.offset);
            if !locations.iter().any(is_elsewhere)
                && let Some(place) = own_imports::declared(self.session, self.subject, &place)?
            {
                return Ok(place);
            }
            // `{ name }` names a variable, too, and both are told; what is used here is the property, unless a module hands it
            // out so.
            if here == Site::Member && self.leads_to_shorthand(&locations)? {
                return Ok(place);
            }
            if here == Site::Member && locations.is_empty() {
                let meant = Related::meant(self.session, self.server, &self.subject.name, &place).await?;
                return Ok(meant.unwrap_or(place));
            }
            match self.next_hop(&place, &here, &locations)? {
                Some((next, site)) => (place, here) = (next, site),
                None => return Ok(place),
            }
        }
        Ok(place)
    }

    fn leads_to_shorthand(&self, locations: &[Location]) -> Result<bool, Refusal> {
        for location in locations.iter().filter(|location| location.path.is_below(self.session.root())) {
            if let Some((place, Site::ShorthandProperty)) = self.same_name(location)?
                && !self.is_handed_out(&place)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes from the key by which a module of CommonJS hands a name out to what it stands for, from a variable to the member
    /// of a module that is its value, where both have the same name; from a use to such a variable, and to the outermost name
    /// of those that a statement gives one value.
    fn same_in_commonjs(&self, place: &Place) -> Result<Option<(Place, Site)>, Refusal> {
        let Some(code) = self.commonjs(place)? else { return Ok(None) };
        let (text, own) = (code.text(), self.name_at(place));
        let name = code.covering(own);
        let value = is_export_key(&code, own).then(|| exported_value(&code, own).map(Node::span)).flatten();
        let other = value.or_else(|| required_member(&code, name)).or_else(|| variable_of_member(&code, name));
        let is_same = |other: &Span| other.of(text) == Some(&self.subject.name);
        let other = other.or_else(|| given_names(&code, name).into_iter().find(is_same));
        let other = other.filter(|other| *other != own && is_same(other));
        let other = other.map(|span| (span, site(&code.parsed().tree, text, span)));
        Ok(other.map(|(span, site)| (Place { path: place.path.clone(), offset: span.start }, site)))
    }

    /// Tells whether the name stands there by which a module of CommonJS hands it out, and is not to be kept.
    fn is_handed_out(&self, place: &Place) -> Result<bool, Refusal> {
        Ok(self.commonjs(place)?.is_some_and(|code| is_export_key(&code, self.name_at(place))))
    }

    /// Tells whether a variable stands there that has its name from what `require` returns.
    fn is_required(&self, place: &Place) -> Result<bool, Refusal> {
        let code = self.commonjs(place)?;
        Ok(code.is_some_and(|code| required_member(&code, code.covering(self.name_at(place))).is_some()))
    }

    /// Returns the script of a place, where names are followed through what modules of CommonJS hand out.
    fn commonjs(&self, place: &Place) -> Result<Option<Code>, Refusal> {
        if self.request.aliases == Aliases::Keep {
            return Ok(None);
        }
        Code::known(self.session, &place.path).map(|code| Some(code).filter(|code| code.family() == Family::Script))
    }

    fn name_at(&self, place: &Place) -> Span {
        Span::new(place.offset, place.offset + self.subject.name.len())
    }

    /// Tells whether the key of an object literal stands there: it is declared by its object's type, too.
    fn is_key(&self, place: &Place) -> Result<bool, Refusal> {
        let Some(parsed) = self.session.parsed(&place.path)? else { return Ok(false) };
        let span = self.name_at(place);
        let parent = parsed.tree.nodes().covering(span).parent();
        Ok(parent.is_some_and(|parent| {
            let is_method = parent.is("method_definition") && parent.parent().is_some_and(|owner| owner.is("object"));
            is_method || parent.is("pair") && parent.child("key").is_some_and(|key| key.span() == span)
        }))
    }

    /// Chooses the definition to go on from: one that bears the same name elsewhere in the project.
    fn next_hop(&self, from: &Place, site: &Site, found: &[Location]) -> Result<Option<(Place, Site)>, Refusal> {
        let root = self.session.disk().root();
        let elsewhere = |location: &&Location| location.path != from.path || !location.span.touches(from.offset);
        let mut outside = None;
        for location in found.iter().filter(elsewhere) {
            if is_outside(root, &location.path) {
                outside = Some(location.path.to_string());
                continue;
            }
            if let Some(next) = self.same_name(location)? {
                return Ok(Some(next));
            }
            return Ok(None);
        }
        match outside {
            Some(path) if !matches!(site, Site::DefaultImport { .. }) => {
                Err(Refusal::DeclaredOutside { name: self.subject.name.clone(), path })
            }
            None => self.end_of_trail(from, site),
            Some(_) => Ok(None),
        }
    }

    /// Where no definition leads on: fine for a name of the file's own, not for one that is imported.
    fn end_of_trail(&self, from: &Place, site: &Site) -> Result<Option<(Place, Site)>, Refusal> {
        let (Site::ImportSpecifier { module } | Site::ImportedName { module, .. }) = site else { return Ok(None) };
        let text = self.session.disk().read(&from.path)?;
        let module = module.and_then(|span| span.of(text.as_str())).unwrap_or("a module");
        Err(Refusal::Unresolved { name: self.subject.name.clone(), module: module.to_owned() })
    }

    fn same_name(&self, location: &Location) -> Result<Option<(Place, Site)>, Refusal> {
        let Some(parsed) = self.session.parsed(&location.path)? else { return Ok(None) };
        let text = parsed.text.as_str();
        if location.span.of(text) != Some(self.subject.name.as_str()) {
            return Ok(None);
        }
        let place = Place { path: location.path.clone(), offset: location.span.start };
        Ok(Some((place, site(&parsed.tree, text, location.span))))
    }

    /// Takes one symbol's places in, and returns the re-exports to go on from.
    ///
    /// # Errors
    /// Where a library has the name, too: after all that is the project's was taken in.
    fn take_in(&self, body: RenameBody, gathered: &mut Gathered) -> Result<Vec<Place>, Refusal> {
        if !body.info.can_rename {
            let said = body.info.localized_error_message;
            let reason = said.map_or_else(|| "it gave no reason".to_owned(), |said| quoted(&said));
            return Err(plain::refused(self.server, self.subject, reason));
        }
        let (mut further, mut outside) = (Vec::new(), None);
        for group in body.locs {
            let path = AbsPath::new(&group.file).map_err(|error| self.bad(error.to_string()))?;
            let group = if body.info.kind == PARAMETER { self.without_strays(&path, group)? } else { group };
            if group.locs.is_empty() {
                continue;
            }
            if in_dependencies(&path) {
                outside = outside.or(Some(group.file));
                continue;
            }
            if !path.is_below(self.session.disk().root()) {
                return Err(Refusal::EditsOutside { server: self.server.name().to_string(), path: group.file });
            }
            further.extend(self.take(&path, &group.locs, gathered)?);
        }
        match outside {
            Some(path) => Err(Refusal::DeclaredOutside { name: self.subject.name.clone(), path }),
            None => Ok(further),
        }
    }

    /// Leaves out what documents the parameters of other functions.
    fn without_strays(&self, path: &AbsPath, mut group: SpanGroup) -> Result<SpanGroup, Refusal> {
        let Some(parsed) = self.session.parsed(path)? else { return Ok(group) };
        let places: Vec<Span> = group.locs.iter().filter_map(|one| one.span(&parsed.text)).collect();
        let strays = jsdoc::strays(&parsed, &places);
        group.locs.retain(|one| one.span(&parsed.text).is_none_or(|span| !strays.contains(&span)));
        Ok(group)
    }

    async fn rename_at(&self, place: Place) -> Result<RenameBody, Refusal> {
        let text = self.session.disk().read(&place.path)?;
        let (line, offset) =
            one_based(&text, place.offset).ok_or_else(|| self.bad(format!("no position in `{}`", place.path)))?;
        let arguments = json!({
            "file": place.path.as_str(),
            "line": line,
            "offset": offset,
            "findInStrings": false,
            "findInComments": false,
        });
        let command = vec![Value::from("rename"), arguments];
        let answer = self.server.execute_as("typescript.tsserverRequest", command).await;
        let Response { body } = answer.map_err(SessionError::from)?;
        body.ok_or_else(|| self.bad("its answer to `rename` is empty".to_owned()))
    }

    fn take(&self, path: &AbsPath, spans: &[RenameSpan], gathered: &mut Gathered) -> Result<Vec<Place>, Refusal> {
        let text = self.session.disk().read(path)?;
        let mut further = Vec::new();
        for one in spans {
            let span = one.span(&text).ok_or_else(|| self.bad(format!("a place outside `{path}`")))?;
            let start = span.start;
            let is_through = self.request.aliases == Aliases::Through;
            if self.is_default_handed_on(path, &text, start)? {
                // tsserver renames what `default` is handed on as, and none of those who import it.
                if !is_through {
                    continue;
                }
                further.push(Place { path: path.clone(), offset: start });
            }
            let place = Place { path: path.clone(), offset: start };
            let is_taken = || Ok::<_, Refusal>(one.suffix_text.starts_with(':') && self.is_required(&place)?);
            let goes_through = is_through && (is_reexport(&one.suffix_text) || is_taken()?);
            let suffix = if goes_through { "" } else { &one.suffix_text };
            let new_text = format!("{}{}{suffix}", one.prefix_text, self.request.new_name);
            if goes_through {
                further.push(place);
            }
            gathered.add(path.clone(), TextEdit::new(span, new_text), &self.request.new_name);
        }
        Ok(further)
    }

    /// Returns where the same goes on that no rename of tsserver's leads to.
    async fn beyond_rename(&self, exports: &mut Exports<'_>, gathered: &mut Gathered) -> Result<Vec<Place>, Refusal> {
        let mut places = self.through_exports(exports, gathered).await?;
        places.extend(instance_members::others(self.session, &self.subject.name, gathered)?);
        let names = (self.subject.name.as_str(), self.request.new_name.as_str());
        places.extend(prototype_chains::overrides(self.session, self.server, names.0, gathered).await?);
        prototype_chains::asked(self.session, self.server, names, gathered).await?;
        for twin in declaration_files::twins(self.session, self.subject, self.request, gathered)? {
            places.push(self.handed_on(twin).await?);
        }
        places.extend(self.handed_on_defaults(gathered).await?);
        Ok(places)
    }

    /// Renames what modules of CommonJS hand out, and where they are asked for it. Returns where that goes on.
    async fn through_exports(&self, exports: &mut Exports<'_>, gathered: &mut Gathered) -> Result<Vec<Place>, Refusal> {
        let mut further = exports.other_names(gathered)?;
        for asked in exports.asked(gathered).await? {
            if self.asks_for_renamed(&asked, gathered).await? {
                further.extend(exports.take(asked, gathered)?);
            } else {
                exports.leave(&asked);
            }
        }
        Ok(further)
    }

    /// Tells whether a member is not another one that has a renamed value: `const own = { load: lib.load }; own.load()`.
    /// By its definition it is the function.
    async fn asks_for_renamed(&self, asked: &Location, gathered: &Gathered) -> Result<bool, Refusal> {
        let place = Place { path: asked.path.clone(), offset: asked.span.start };
        let Some(parsed) = self.session.parsed(&asked.path)? else { return Ok(false) };
        if site(&parsed.tree, parsed.text.as_str(), asked.span) != Site::Member {
            return Ok(true);
        }
        let mut is_known = true;
        for group in self.rename_at(place).await?.locs {
            let path = AbsPath::new(&group.file).map_err(|error| self.bad(error.to_string()))?;
            let text = self.session.disk().read(&path)?;
            let spans = group.locs.iter().filter_map(|one| one.span(&text));
            for span in spans.filter(|span| path != asked.path || *span != asked.span) {
                if gathered.has(&path, span) {
                    return Ok(true);
                }
                is_known = false;
            }
        }
        Ok(is_known)
    }

    /// Finds where a renamed default is handed on under its name. tsserver (6.0) leaves these aside where the statement that
    /// exports it declares it, too: `export default class Shop {}`.
    async fn handed_on_defaults(&self, gathered: &Gathered) -> Result<Vec<Place>, Refusal> {
        let mut found = Vec::new();
        if self.request.aliases == Aliases::Keep {
            return Ok(found);
        }
        let handing = self.session.disk().files_mentioning(&format!("export default as {}", self.subject.name));
        for path in handing.into_iter().filter(|path| self.server.spec().speaks_of(path)) {
            let text = self.session.disk().read(&path)?;
            for span in whole_words(text.as_str(), &self.subject.name) {
                if gathered.has(&path, span) || !self.is_default_handed_on(&path, &text, span.start)? {
                    continue;
                }
                let place = Place { path: path.clone(), offset: span.start };
                let leads = self.server.definition(&place).await.map_err(SessionError::from)?;
                found.extend(leads.iter().any(|it| gathered.has(&it.path, it.span)).then_some(place));
            }
        }
        Ok(found)
    }

    /// Tells whether the name in `export { default as name } from "…"` stands there.
    fn is_default_handed_on(&self, path: &AbsPath, text: &Text, at: usize) -> Result<bool, Refusal> {
        let before = text.as_str()[..at].trim_end();
        if !before.strip_suffix("as").is_some_and(|before| before.trim_end().ends_with("default")) {
            return Ok(false);
        }
        let Some(parsed) = self.session.parsed(path)? else { return Ok(false) };
        let span = Span::new(at, at + self.subject.name.len());
        Ok(matches!(site(&parsed.tree, parsed.text.as_str(), span), Site::ExportAlias { .. }))
    }

    /// Completes what tsserver leaves out of modules that are handed on as values.
    async fn namespace_members(&self, gathered: &mut Gathered) -> Result<(), Refusal> {
        if self.request.aliases != Aliases::Through {
            return Ok(());
        }
        let (name, new_name) = (self.subject.name.as_str(), self.request.new_name.as_str());
        let edits = |path: &AbsPath| gathered.edits_of(path).into_iter().filter(|edit| edit.new_text == new_name);
        let known = gathered.paths().flat_map(|path| edits(path).map(|edit| (path.clone(), edit.span))).collect();
        for Location { path, span } in namespace_members::left_out(self.session, self.server, name, &known).await? {
            if !gathered.has(&path, span) {
                gathered.add(path, TextEdit::new(span, new_name), new_name);
            }
        }
        Ok(())
    }

    fn bad(&self, problem: String) -> Refusal {
        Refusal::BadAnswer { server: self.server.name().to_string(), problem }
    }
}

/// Tells whether a name stands for itself here, so that the rename can start at it.
fn stays(site: &Site) -> bool {
    matches!(
        site,
        Site::Declaration(_)
            | Site::ShorthandPattern
            | Site::NamespaceImport { .. }
            | Site::ImportAlias { .. }
            | Site::ExportAlias { .. }
    )
}

/// Returns the variable that a name is a use of, if it has its name from what `require` returns.
fn variable_of_member(code: &Code, used: Node<'_>) -> Option<Span> {
    let is_used = site(&code.parsed().tree, code.text(), used.span()) == Site::Plain && code.text().contains("require");
    let names = is_used.then(|| ScopedNames::of(code))?;
    let mut same = names.of_meaning(names.at(used)?.meaning);
    same.find(|one| required_member(code, code.covering(one.span)).is_some()).map(|one| one.span)
}

fn is_export_key(code: &Code, name: Span) -> bool {
    export_key(code, code.covering(name)) == Some(name)
}

fn is_reexport(suffix: &str) -> bool {
    suffix.starts_with(" as ")
}
