//! Renames in Python: from the declaration, for every member of an override family, in stubs too.
//!
//! Seen with pyright 1.1.414 and basedpyright 1.40: a rename of a method changes its own declaration and
//! the calls typed as that class; overriding methods and the implementers of a protocol keep the old name,
//! and no diagnostic tells. A stub beside a module is a second declaration.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::alternatives::{self, Alternatives};
use super::hierarchy::Hierarchy;
use super::probed_uses::ProbedUses;
use super::probes::Form;
use super::server_edits::Gathered;
use super::subject::Subject;
use super::{
    Aliases, RenameRequest, class_arguments, constructors, dispatched, documented, fixtures, forward_references,
    forwarded_arguments, heir_constructors, indirect_arguments, indirect_references, kept_reexports, lazy_exports,
    plain, probes, public, reflection, repeated_names, slots, star_imports, string_declared_fields, stubs, unions,
    unpacked_arguments, unresolved_bases,
};
use crate::lsp::{Answer, Location, LspError, Place, Server};
use crate::refactor::Refusal;
use crate::session::{Session, SessionError};
use crate::syntax::Site;
use crate::syntax::python::has_special_form;
use crate::text::{AbsPath, Span};

/// Asks for every declaration that must go by one name, and joins the answers.
pub(super) async fn gather(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
    request: &RenameRequest,
) -> Result<Gathered, Refusal> {
    // A request that was cut short leaves what it laid over.
    server.drop_overlays().await;
    if let Some(gathered) = repeated_names::module_alias(session, server, subject, request).await? {
        return Ok(gathered);
    }
    // The second question goes out with the first, for the answer is mostly that this is the declaration.
    let (starts, early) = tokio::join!(declarations(session, server, subject), early(server, subject, request));
    let mut starts = starts?;
    let is_late = forward_references::read(session, server, (&subject.name, &starts)).await? > 0;
    let mut asked_for = Vec::new();
    for start in &starts {
        asked_for.extend(fixtures::declared(session, start, &subject.name)?);
    }
    starts.extend(apart(session, asked_for.iter().cloned().collect())?.1);
    starts.extend(class_arguments::joined(session, &starts, &subject.name)?);
    let hierarchy = Hierarchy::new(session, server, &subject.name);
    let names = (subject.name.as_str(), request.new_name.as_str());
    let early = early.filter(|_| !is_late);
    let alternatives = Alternatives::new(session, &subject.name);
    let known = (&hierarchy, &alternatives);
    let (places, mut gathered) = gather_family(known, (subject, &request.new_name), starts, early).await?;
    alternatives.follow(server, &request.new_name, &places, &mut gathered).await?;
    alternatives.tell(&mut gathered)?;
    let doubt = hierarchy.doubt(&places)?;
    gathered.warnings.extend(unresolved_bases::told(&hierarchy, &places).await?);
    let (in_strings, places) = apart(session, places)?;
    string_declared_fields::follow(session, server, names, &in_strings, &mut gathered).await?;
    constructors::follow(&hierarchy, &request.new_name, &places, &mut gathered).await?;
    class_arguments::follow(&hierarchy, &request.new_name, &places, &mut gathered).await?;
    indirect_arguments::follow(&hierarchy, &request.new_name, &places, &mut gathered).await?;
    heir_constructors::tell(&hierarchy, &request.new_name, &places, &mut gathered).await?;
    fixtures::follow(session, server, request, &asked_for, &mut gathered).await?;
    lazy_exports::follow(session, (subject, request), &mut gathered)?;
    repeated_names::names_in_calls(session, &subject.name, &request.new_name, &mut gathered)?;
    slots::follow(session, &subject.name, &request.new_name, &mut gathered)?;
    star_imports::follow(session, names, &places, &mut gathered)?;
    public::follow(session, &subject.name, &request.new_name, &mut gathered)?;
    documented::follow(session, &subject.name, &request.new_name, &mut gathered)?;
    // Every text that is laid over, and taken away again, costs the server the types that it knows: that comes last.
    reflection::follow(&hierarchy, (subject, request), &mut gathered).await?;
    indirect_references::follow(session, server, (subject, request), &mut gathered).await?;
    gathered.doubts.extend(doubt);
    if has_special_form(&subject.name) {
        gathered
            .doubts
            .push(format!("a library may look `{0}` up: names of the form `__x__` are not free", subject.name));
    }
    if !gathered.has(&subject.place.path, subject.span) {
        if let Some(why) = alternatives.why_kept()? {
            return Err(why);
        }
        return Err(nothing(server, subject).await);
    }
    alternatives::collapse(session, &request.new_name, &mut gathered)?;
    if request.aliases == Aliases::Keep {
        kept_reexports::stop_at_reexports(session, server, subject, request, &mut gathered).await?;
    }
    Ok(gathered)
}

/// Asks for all declarations that go by one name, and for those that their uses lead to.
async fn gather_family(
    (hierarchy, alternatives): (&Hierarchy<'_>, &Alternatives<'_>),
    asked: (&Subject, &str),
    mut starts: BTreeSet<Place>,
    mut early: Option<Renamed>,
) -> Result<(BTreeSet<Place>, Gathered), Refusal> {
    let mut family = BTreeSet::new();
    let mut gathered = Gathered::by(hierarchy.server.name().as_str());
    let (mut known, mut given) = (BTreeSet::new(), ProbedUses::default());
    while !starts.is_empty() {
        let mut more = closed(hierarchy, alternatives, &starts).await?;
        more.retain(|place| !family.contains(place));
        let (_, to_ask) = apart(hierarchy.session, more.clone())?;
        ask_all(hierarchy.server, asked, &to_ask, early.take(), &mut gathered).await?;
        family.extend(more);
        let joined = unions::joined(hierarchy, &family, &gathered, &mut known).await?;
        gathered.warnings.extend(joined.warnings);
        starts = joined.members;
        if is_seen_by_tests(hierarchy.session, asked.0, &family)? {
            let joined = given.follow(hierarchy, &family, asked.1, &mut gathered).await?;
            gathered.warnings.extend(joined.warnings);
            starts.extend(joined.members);
        }
    }
    given.note_others(&mut gathered);
    Ok((family, gathered))
}

/// Tells whether others can name it: a member, a global, a parameter.
fn is_seen_by_tests(session: &Session, subject: &Subject, family: &BTreeSet<Place>) -> Result<bool, Refusal> {
    for place in family.iter().filter(|_| subject.is_local()) {
        let Some(parsed) = session.parsed(&place.path)? else { continue };
        let name = parsed.tree.nodes().covering(Span::new(place.offset, place.offset + subject.name.len()));
        if fixtures::function_of_parameter(name).is_some() {
            return Ok(true);
        }
    }
    Ok(!subject.is_local())
}

/// Returns the declarations that go by one name with these: overrides, overloads, stubs, alternatives, and what belongs to those: where
/// there is a stub, heirs are heirs of its class alone.
async fn closed(
    hierarchy: &Hierarchy<'_>,
    alternatives: &Alternatives<'_>,
    starts: &BTreeSet<Place>,
) -> Result<BTreeSet<Place>, Refusal> {
    let (mut places, mut open) = (BTreeSet::new(), starts.clone());
    let mut asked = BTreeSet::new();
    while !open.is_empty() {
        places.extend(hierarchy.family(&open).await?);
        for place in places.clone() {
            places.extend(repeated_names::overloads(hierarchy.session, &place, hierarchy.name)?);
        }
        open.clear();
        for place in places.iter().filter(|place| asked.insert((*place).clone())) {
            open.extend(stubs::twin(hierarchy.session, place, hierarchy.name)?);
            open.extend(stubs::given_as(hierarchy, place).await?);
            open.extend(alternatives.of(place)?);
            open.extend(constructors::twins(hierarchy, place).await?);
            open.extend(dispatched::beside(hierarchy, place).await?);
            open.extend(unpacked_arguments::twins(hierarchy, place).await?);
        }
        open.retain(|place| !places.contains(place));
        places.extend(open.iter().cloned());
    }
    Ok(places)
}

/// Takes the places in strings from the others.
fn apart(session: &Session, places: BTreeSet<Place>) -> Result<(BTreeSet<Place>, BTreeSet<Place>), Refusal> {
    let (mut in_strings, mut others) = (BTreeSet::new(), BTreeSet::new());
    for place in places {
        let side = if string_declared_fields::is_spelled(session, &place)? { &mut in_strings } else { &mut others };
        side.insert(place);
    }
    Ok((in_strings, others))
}

/// Asks for the rename of a name that seems to be declared where it was asked for.
async fn early(server: &Arc<Server>, subject: &Subject, request: &RenameRequest) -> Option<Renamed> {
    match subject.site {
        Site::Declaration(_) => Some(server.rename(&subject.place, &request.new_name).await),
        _ => None,
    }
}

/// A server's answer to one rename.
type Renamed = Result<Option<Answer>, LspError>;

/// Joins the answers to one rename for each declaration; `early` is the one for the subject's own place.
async fn ask_all(
    server: &Arc<Server>,
    (subject, new_name): (&Subject, &str),
    places: &BTreeSet<Place>,
    mut early: Option<Renamed>,
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    for place in places {
        let known = if *place == subject.place { early.take() } else { None };
        let answer = match known {
            Some(answer) => answer,
            None => server.rename(place, new_name).await,
        };
        match answer {
            Ok(Some(answer)) => gathered.absorb(answer, new_name)?,
            Ok(None) => {}
            Err(LspError::Refused { message, .. }) => {
                return Err(plain::refused(server, subject, server.quoted(&message)));
            }
            Err(error) => return Err(SessionError::from(error).into()),
        }
    }
    Ok(())
}

async fn nothing(server: &Arc<Server>, subject: &Subject) -> Refusal {
    match plain::unwilling(server, subject).await {
        Some(reason) => plain::refused(server, subject, reason),
        None => Refusal::NothingFound { server: server.name().to_string(), name: subject.name.clone() },
    }
}

/// Goes from a use to the declarations that bear the name; an alias of another name is its own declaration.
async fn declarations(session: &Session, server: &Arc<Server>, subject: &Subject) -> Result<BTreeSet<Place>, Refusal> {
    let asked = BTreeSet::from([subject.place.clone()]);
    // `import x as x` gives no other name: it says that the name is public here (Python's typing documentation).
    let says_same = |imported: Span| imported.of(subject.file.text.as_str()) == Some(subject.name.as_str());
    let is_alias = matches!(subject.site, Site::ImportAlias { imported, .. } if !says_same(imported));
    if is_alias || string_declared_fields::is_spelled(session, &subject.place)? {
        return Ok(asked);
    }
    if let Some(parameter) = constructors::parameter(session, server, subject).await? {
        return Ok(BTreeSet::from([parameter]));
    }
    let taking = class_arguments::parameters(session, server, subject).await?;
    if !taking.is_empty() {
        return Ok(taking);
    }
    let found = match subject.site {
        Site::KeywordArgument => {
            let forms = [Form::Copied, Form::Key, Form::Member];
            probes::at(session, server, (&subject.place, &subject.file), (&subject.name, &forms)).await?
        }
        _ => Vec::new(),
    };
    let found =
        if found.is_empty() { server.definition(&subject.place).await.map_err(SessionError::from)? } else { found };
    let mut inside = declared_inside(session, &found, &subject.name)?;
    let lazy = lazy_exports::declared(session, server, subject).await?;
    inside.extend(declared_inside(session, &lazy, &subject.name)?);
    if inside.is_empty() && subject.site == Site::KeywordArgument {
        let of = (&subject.place, &*subject.file);
        let built = probes::at(session, server, of, (&subject.name, &[Form::Built])).await?;
        inside = declared_inside(session, &built, &subject.name)?;
    }
    if inside.is_empty() && matches!(subject.site, Site::Member | Site::KeywordArgument) {
        let of = (&subject.place, &*subject.file);
        let given = probes::at(session, server, of, (&subject.name, &[Form::Given, Form::Filled])).await?;
        inside = declared_inside(session, &given, &subject.name)?;
    }
    if inside.is_empty() && subject.site == Site::KeywordArgument {
        let is_inside = |place: &Place| place.path.is_below(session.root());
        let taken = forwarded_arguments::parameters(session, &found, &subject.name)?;
        let asked = std::slice::from_ref(&subject.place);
        let hierarchy = Hierarchy::new(session, server, &subject.name);
        let called = indirect_arguments::taken(&hierarchy, asked).await?;
        inside = taken.into_iter().chain(called.into_iter().flatten()).filter(is_inside).collect();
    }
    let given = star_imports::declared(session, subject, &found)?;
    if !given.is_empty() {
        return Ok(given);
    }
    if !inside.is_empty() {
        return Ok(inside);
    }
    undeclared(session, server, subject, &found).await
}

/// Returns what stands for a declaration where the project has none that the server knows.
async fn undeclared(
    session: &Session,
    server: &Arc<Server>,
    subject: &Subject,
    found: &[Location],
) -> Result<BTreeSet<Place>, Refusal> {
    let alternatives = Alternatives::new(session, &subject.name);
    let beside = if is_unresolved(subject, found) {
        alternatives.imported(&subject.place, subject.span)?
    } else {
        alternatives.instead(server, &subject.place).await?
    };
    if !beside.is_empty() {
        return Ok(beside);
    }
    match foreign(session, found, &subject.name) {
        Some(path) => Err(Refusal::DeclaredOutside { name: subject.name.clone(), path: path.to_string() }),
        None if is_unresolved(subject, found) => Err(unresolved(subject)),
        None => Ok(BTreeSet::from([subject.place.clone()])),
    }
}

/// Returns where the name stands in what is declared in the project.
fn declared_inside(session: &Session, found: &[Location], name: &str) -> Result<BTreeSet<Place>, Refusal> {
    let mut inside = BTreeSet::new();
    for location in found.iter().filter(|location| location.path.is_below(session.root())) {
        let text = session.disk().read(&location.path)?;
        inside.extend(repeated_names::declared_in(location, text.as_str(), name));
    }
    Ok(inside)
}

/// Returns the file outside the project that declares the name, where all of its declarations are outside.
fn foreign(session: &Session, found: &[Location], name: &str) -> Option<AbsPath> {
    let root = session.root();
    let location = found.iter().find(|location| !location.path.is_below(root))?;
    let text = session.disk().read_outside(&location.path).ok()?;
    (location.span.of(text.as_str()) == Some(name)).then(|| location.path.clone())
}

/// An imported name that leads nowhere belongs to a module that is not installed here.
fn is_unresolved(subject: &Subject, found: &[Location]) -> bool {
    found.is_empty() && matches!(subject.site, Site::ImportSpecifier { .. } | Site::ImportedName { .. })
}

fn unresolved(subject: &Subject) -> Refusal {
    let module = match subject.site {
        Site::ImportSpecifier { module } | Site::ImportedName { module, .. } => module,
        _ => None,
    };
    let module = module.and_then(|span| span.of(subject.file.text.as_str())).unwrap_or("a module");
    Refusal::Unresolved { name: subject.name.clone(), module: module.to_owned() }
}
