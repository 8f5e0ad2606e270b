//! Members that are held to one name by types alone: a value of the one's type is taken for one of the other's.
//!
//! TypeScript needs no word for that (`go(new Job())`, where a `Runner` is expected), and tsserver's rename follows
//! none of it (seen with TypeScript 6.0): it changes a declaration, what that one names as its base, and their uses.
//! Our plugin in tsserver (`lsp/provision/tsserver_plugin.js`) tells which declarations of a name belong together.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::declaration_files;
use super::server_edits::Gathered;
use crate::lsp::{LspError, Place, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::Importers;
use crate::refactor::refusal::At;
use crate::refactor::tsserver::{OneBased, is_outside, one_based, within};
use crate::session::{Session, SessionError};
use crate::syntax::{DeclarationKind, Site, is_parameter_property, site};
use crate::text::{AbsPath, Position, Span, TextEdit};

/// So many declarations that come along are told one by one.
const TOLD: usize = 8;
/// A server that is behind the disk is asked so often, with so long between.
const MOST_TIMES: usize = 20;
const CATCHING_UP: Duration = Duration::from_millis(100);

/// All declarations of one member's name, and which of them belong together.
#[derive(Debug, Default)]
pub(super) struct Related {
    declarations: Vec<Declared>,
    relations: Vec<Relation>,
    spelled: Vec<Spelled>,
    /// Not everything was compared.
    pub is_partial: bool,
    /// The declarations that were known to belong together when this was asked, by index.
    known: BTreeSet<usize>,
}

#[derive(Debug)]
struct Declared {
    path: AbsPath,
    /// Empty where it is not the project's: no text of others is read for it.
    span: Span,
    /// The class, interface, type or variable that has it, where that has a name.
    owner: Option<String>,
    is_foreign: bool,
    /// Where to ask for a property that is declared as `{ name }`, which names a variable, too.
    used_at: Option<Place>,
    is_shorthand: bool,
    /// The projects that hold its file, by their order in the answer.
    projects: BTreeSet<usize>,
}

/// A string, or a use that no search for references finds, which spells the name of a declaration.
#[derive(Debug)]
struct Spelled {
    path: AbsPath,
    span: Span,
    of: usize,
    is_shorthand: bool,
}

#[derive(Debug)]
struct Relation {
    between: [usize; 2],
    /// What takes the one for the other.
    at: At,
}

/// What is still to be done for the declarations that belong together.
#[derive(Debug, Default)]
pub(super) struct Further {
    /// Where to ask for a rename.
    pub places: Vec<Place>,
    /// The declarations that come along.
    pub joined: Vec<Place>,
}

#[derive(Deserialize)]
struct Response {
    body: Body,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    declarations: Vec<WireDeclaration>,
    relations: Vec<WireRelation>,
    spelled: Vec<WireSpelled>,
    meant: Vec<usize>,
    is_partial: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireSpelled {
    #[serde(flatten)]
    place: WirePlace,
    of: usize,
    is_shorthand: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireDeclaration {
    #[serde(flatten)]
    place: WirePlace,
    is_foreign: bool,
    is_shorthand: bool,
    projects: BTreeSet<usize>,
    owner: Option<String>,
    #[serde(rename = "use")]
    used_at: Option<WirePlace>,
}

#[derive(Deserialize)]
struct WireRelation {
    one: usize,
    other: usize,
    at: WirePlace,
}

#[derive(Deserialize)]
struct WirePlace {
    file: String,
    #[serde(flatten)]
    start: OneBased,
}

impl Related {
    /// Asks which declarations of that name belong together with those that are changed, or with one another; nothing
    /// where the server has no such plugin.
    pub(super) async fn ask(
        session: &Session,
        server: &Arc<Server>,
        name: &str,
        gathered: &Gathered,
    ) -> Result<Option<Self>, Refusal> {
        cover_importers(session, server, gathered).await?;
        let (twins, are_all) = declaration_files::pairs(session, name);
        let both: Vec<AbsPath> =
            twins.iter().flat_map(|(script, declaration)| [script, declaration]).cloned().collect();
        session.cover(server, &both).await?;
        let twins: Vec<Value> = twins
            .iter()
            .map(|(script, declaration)| json!({ "script": script.as_str(), "declaration": declaration.as_str() }))
            .collect();
        let arguments = json!({ "name": name, "found": changed(session, gathered)?, "twins": twins });
        let Some((related, _)) = Self::answered(session, server, name, arguments).await? else { return Ok(None) };
        let is_partial = related.is_partial || !are_all;
        Ok(Some(Self { known: related.family(gathered), is_partial, ..related }))
    }

    /// Returns the declaration that a use asks for, where only its type's keys lead there (`Record<keyof Job, number>`).
    pub(super) async fn meant(
        session: &Session,
        server: &Arc<Server>,
        name: &str,
        place: &Place,
    ) -> Result<Option<Place>, Refusal> {
        let text = session.disk().read(&place.path)?;
        let Some((line, offset)) = one_based(&text, place.offset) else { return Ok(None) };
        let at = json!({ "file": place.path.as_str(), "line": line, "offset": offset });
        let answer = Self::answered(session, server, name, json!({ "name": name, "at": at })).await?;
        let Some((related, meant)) = answer else { return Ok(None) };
        let mut declared = meant.into_iter().filter_map(|index| related.declarations.get(index));
        Ok(declared.find(|one| !one.is_foreign).map(Declared::place))
    }

    /// Asks the plugin; a server that has not yet seen what lies on the disk is asked again.
    async fn answered(
        session: &Session,
        server: &Arc<Server>,
        name: &str,
        arguments: Value,
    ) -> Result<Option<(Self, Vec<usize>)>, Refusal> {
        for _ in 0..MOST_TIMES {
            let command = vec![Value::from("lspwright.relatedMembers"), arguments.clone()];
            let body: Body = match server.execute_as("typescript.tsserverRequest", command).await {
                Ok(Response { body }) => body,
                Err(LspError::Refused { .. } | LspError::BadAnswer { .. }) => return Ok(None),
                Err(error) => return Err(SessionError::from(error).into()),
            };
            let meant = body.meant.clone();
            if let Some(related) = Self::read(session, body, name) {
                return Ok(Some((related, meant)));
            }
            tokio::time::sleep(CATCHING_UP).await;
        }
        let problem = format!("it has declarations of `{name}` where there are none");
        Err(Refusal::BadAnswer { server: server.name().to_string(), problem })
    }

    /// Reads an answer; nothing where it is about other texts than those on the disk.
    fn read(session: &Session, body: Body, name: &str) -> Option<Self> {
        let read = |one| Declared::read(session, one, name);
        let declarations: Vec<Declared> = body.declarations.into_iter().map(read).collect::<Option<_>>()?;
        let relation = |one: WireRelation| {
            let (between, at) = ([one.one, one.other], one.at.at()?);
            between.iter().all(|index| *index < declarations.len()).then_some(Relation { between, at })
        };
        let relations = body.relations.into_iter().map(relation).collect::<Option<_>>()?;
        let spelled = |one: WireSpelled| {
            let (path, span) = (AbsPath::new(&one.place.file).ok()?, one.place.named(session, name)?);
            (one.of < declarations.len()).then_some(Spelled { path, span, of: one.of, is_shorthand: one.is_shorthand })
        };
        let spelled = body.spelled.into_iter().map(spelled).collect::<Option<_>>()?;
        Some(Self { declarations, relations, spelled, is_partial: body.is_partial, known: BTreeSet::new() })
    }

    /// Tells whether what is changed by now belongs to what was known when this was asked.
    pub(super) fn knows(&self, gathered: &Gathered) -> bool {
        self.family(gathered).is_subset(&self.known)
    }

    /// Refuses where a declaration that belongs to the changed ones is not the project's.
    pub(super) fn held(&self, name: &str, gathered: &Gathered) -> Option<Refusal> {
        let family = self.family(gathered);
        family.into_iter().find(|index| self.declarations[*index].is_foreign).map(|index| self.outside(index, name))
    }

    /// Returns where to ask on, so that all that belongs to the changed declarations is changed, in every project.
    /// What cannot be asked for is changed here.
    ///
    /// # Errors
    /// Where a declaration that belongs to them is not the project's.
    pub(super) fn further(
        &self,
        (name, new_name): (&str, &str),
        asked: &BTreeSet<Place>,
        gathered: &mut Gathered,
    ) -> Result<Further, Refusal> {
        if let Some(refusal) = self.held(name, gathered) {
            return Err(refusal);
        }
        let family = self.family(gathered);
        let known = family.iter().map(|index| &self.declarations[*index]);
        let mut searched: BTreeSet<usize> =
            known.filter(|one| asked.contains(&one.place())).flat_map(|one| one.projects.iter().copied()).collect();
        let mut further = Further::default();
        for one in self.spelled.iter().filter(|one| family.contains(&one.of)) {
            if gathered.has(&one.path, one.span) {
                continue;
            }
            let text = if one.is_shorthand { format!("{new_name}: {name}") } else { new_name.to_owned() };
            gathered.add(one.path.clone(), TextEdit::new(one.span, text), new_name);
        }
        for index in family {
            let one = &self.declarations[index];
            let is_changed = gathered.has(&one.path, one.span);
            // A project is searched for a declaration only if it holds the file that was asked about.
            if is_changed && one.projects.is_subset(&searched) {
                continue;
            }
            searched.extend(&one.projects);
            let place = if one.is_shorthand { one.used_at.clone() } else { Some(one.place()) };
            match place {
                Some(place) if !asked.contains(&place) => further.places.push(place),
                None if !is_changed => {
                    let edit = TextEdit::new(one.span, format!("{new_name}: {name}"));
                    gathered.add(one.path.clone(), edit, new_name);
                }
                _ => continue,
            }
            if !is_changed {
                further.joined.push(one.place());
            }
        }
        Ok(further)
    }

    /// Says which declarations come along, and why.
    pub(super) fn told(&self, session: &Session, name: &str, joined: &[Place]) -> Result<Vec<Warning>, Refusal> {
        let mut warnings = Vec::new();
        let indices = joined.iter().filter_map(|place| self.declarations.iter().position(|one| one.place() == *place));
        for index in indices.take(TOLD) {
            let one = &self.declarations[index];
            let because = self.reason(index).map(|at| format!(": {} takes both for one", at.below(session.root())));
            let message = format!("{} is renamed, too{}", self.shown(index, name), because.unwrap_or_default());
            let range = session.disk().read(&one.path)?.range(one.span);
            warnings.push(Warning::at(WarningKind::Joined, message, one.path.clone(), range));
        }
        if joined.len() > TOLD {
            let message = format!("{} further declarations of `{name}` are renamed, too", joined.len() - TOLD);
            warnings.push(Warning::of_plan(WarningKind::Joined, message));
        }
        Ok(warnings)
    }

    /// The changed declarations, and all that hang together with them.
    fn family(&self, gathered: &Gathered) -> BTreeSet<usize> {
        let is_changed = |index: &usize| {
            let one = &self.declarations[*index];
            !one.is_foreign && gathered.has(&one.path, one.span)
        };
        let mut open: Vec<usize> = (0..self.declarations.len()).filter(is_changed).collect();
        let mut family: BTreeSet<usize> = open.iter().copied().collect();
        while let Some(index) = open.pop() {
            let near = self.relations.iter().filter(|relation| relation.between.contains(&index));
            open.extend(near.flat_map(|relation| relation.between).filter(|next| family.insert(*next)));
        }
        family
    }

    fn outside(&self, index: usize, name: &str) -> Refusal {
        let (member, path) = (self.shown(index, name), self.declarations[index].path.to_string());
        let at = self.reason(index).map(|at| format!(": {at} takes both for one")).unwrap_or_default();
        Refusal::RelatedOutside { name: name.to_owned(), member, path, at }
    }

    fn shown(&self, index: usize, name: &str) -> String {
        match &self.declarations[index].owner {
            Some(owner) => format!("`{owner}.{name}`"),
            None => format!("`{name}`"),
        }
    }

    fn reason(&self, index: usize) -> Option<&At> {
        self.relations.iter().find(|relation| relation.between.contains(&index)).map(|relation| &relation.at)
    }
}

impl Declared {
    /// Reads a declaration; nothing where the name does not stand there.
    fn read(session: &Session, wire: WireDeclaration, name: &str) -> Option<Self> {
        let path = AbsPath::new(&wire.place.file).ok()?;
        let is_foreign = wire.is_foreign || is_outside(session.root(), &path);
        let span = if is_foreign { Span::new(0, 0) } else { wire.place.named(session, name)? };
        let used_at = match wire.used_at {
            Some(used) => {
                let offset = used.named(session, name)?.start;
                Some(Place { path: AbsPath::new(&used.file).ok()?, offset })
            }
            None => None,
        };
        let (owner, is_shorthand, projects) = (wire.owner, wire.is_shorthand, wire.projects);
        Some(Self { path, span, owner, is_foreign, used_at, is_shorthand, projects })
    }

    fn place(&self) -> Place {
        Place { path: self.path.clone(), offset: self.span.start }
    }
}

impl WirePlace {
    fn at(&self) -> Option<At> {
        let position = Position { line: self.start.line.checked_sub(1)?, character: self.start.offset.checked_sub(1)? };
        Some(At { path: AbsPath::new(&self.file).ok()?, position })
    }

    /// Returns the span of the name, if it stands there.
    fn named(&self, session: &Session, name: &str) -> Option<Span> {
        let path = AbsPath::new(&self.file).ok().filter(|path| path.is_below(session.root()))?;
        let text = session.disk().read(&path).ok()?;
        let start = within(&text, &self.start)?;
        let span = Span::new(start, start + name.len());
        (span.of(text.as_str()) == Some(name)).then_some(span)
    }
}

/// The changed places as tsserver counts them.
pub(super) fn changed(session: &Session, gathered: &Gathered) -> Result<Vec<Value>, Refusal> {
    let mut changed = Vec::new();
    for path in gathered.paths() {
        let text = session.disk().read(path)?;
        let edits = gathered.edits_of(path);
        let places = edits.iter().filter_map(|edit| one_based(&text, edit.span.start));
        changed.extend(places.map(|(line, offset)| json!({ "file": path.as_str(), "line": line, "offset": offset })));
    }
    Ok(changed)
}

/// Tells whether what is declared or used at a place may be a member whose owner's type others are taken for.
pub(super) fn may_be_member(session: &Session, place: &Place, length: usize) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
    let span = Span::new(place.offset, place.offset + length);
    Ok(match site(&parsed.tree, parsed.text.as_str(), span) {
        Site::Declaration(DeclarationKind::Method | DeclarationKind::Property) | Site::Member => true,
        // `constructor(private name: string)` declares a property.
        Site::Declaration(DeclarationKind::Parameter) => {
            parsed.tree.nodes().covering(span).parent().is_some_and(is_parameter_property)
        }
        Site::String => true,
        _ => false,
    })
}

/// Tells whether what the name at a place stands for may be spelled as a key: a member's, or that of an enumeration
/// (`keyof typeof Color`).
pub(super) fn may_be_key(session: &Session, place: &Place, length: usize) -> Result<bool, Refusal> {
    let Some(parsed) = session.parsed(&place.path)? else { return Ok(false) };
    let site = site(&parsed.tree, parsed.text.as_str(), Span::new(place.offset, place.offset + length));
    Ok(site == Site::Declaration(DeclarationKind::EnumMember) || may_be_member(session, place, length)?)
}

/// Loads every file that a changed declaration may come to, whatever project it belongs to: where one type is taken for
/// another, the name itself need not stand, and a server that watches the disk may not have heard of the file yet.
pub(super) async fn cover_importers(
    session: &Session,
    server: &Arc<Server>,
    gathered: &Gathered,
) -> Result<(), Refusal> {
    let importers = Importers::of(session);
    let reached =
        importers.reached_by_values(gathered.paths()).into_iter().filter(|path| server.spec().speaks_of(path));
    let wanted: Vec<AbsPath> = reached.cloned().collect();
    Ok(session.cover_typed(server, &wanted).await?)
}
