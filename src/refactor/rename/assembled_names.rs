//! Names that a Python program puts together (`getattr(self, f"visit_{kind}")`, `getattr(self, "visit_" + "name")`), told
//! where the renamed one may be among them: no server knows, and no checker sees.

use std::collections::{BTreeMap, BTreeSet};

use super::hierarchy::Hierarchy;
use super::python_changes::Renamed;
use super::receivers::{Owners, asked};
use super::server_edits::Gathered;
use super::subject::Subject;
use super::{descriptor_names, dynamic_attributes, passed_names};
use crate::lsp::Feature;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Session, Sources};
use crate::syntax::python::{folded, is_of_one_text, may_add_up_to};
use crate::syntax::{Family, Language, Node, Stem};
use crate::text::{AbsPath, Span, line_list};

/// What a text can be that is made of others.
const ADDED_UP: [&str; 4] = ["string", "concatenated_string", "binary_operator", "call"];
/// What asks for members by their names, or lists them.
const LISTING: [&str; 3] = ["getattr", "dir", "getmembers"];
/// Shorter parts of a name are words of every file.
const SHORTEST_PART: usize = 2;

/// A name that may be put together, what is known of it, and where that stands.
pub(super) struct Assembled {
    member: String,
    known: Known,
    places: Vec<(AbsPath, Span)>,
}

/// What can be read of a name that is put together.
enum Known {
    Ends(Stem),
    All,
    /// It is chosen by a part of it.
    Part,
}

/// Finds the beginnings and the ends that the renamed name has, and the names that it is a part of. To be done while a
/// server thinks.
pub(super) async fn find(session: &Session, subject: &Subject) -> Vec<Assembled> {
    if subject.language.family() != Family::Python || subject.is_local() {
        return Vec::new();
    }
    named(session, &subject.name).await
}

/// Leaves out the places where somebody is asked who has no such member.
pub(super) async fn meant(
    session: &Session,
    subject: &Subject,
    gathered: &Gathered,
    mut found: Vec<Assembled>,
) -> Result<Vec<Assembled>, Refusal> {
    if found.is_empty() {
        return Ok(found);
    }
    let server = session.server(subject.language, Feature::Rename).await?;
    let hierarchy = Hierarchy::new(session, &server, &subject.name);
    let renamed = Owners::of_renamed(&hierarchy, &Renamed::of(session, gathered)?).await?;
    for one in &mut found {
        match one.member == subject.name {
            true => one.leave_unasked(&hierarchy, &renamed).await?,
            false => one.leave_unasked(&hierarchy, &Owners::named(&hierarchy, &one.member).await?).await?,
        }
    }
    leave_others(session, &mut found)?;
    Ok(found)
}

impl Assembled {
    /// Leaves out the places where somebody is asked who is none of the owners.
    async fn leave_unasked(&mut self, hierarchy: &Hierarchy<'_>, owners: &Owners) -> Result<(), Refusal> {
        let mut kept = Vec::new();
        for (path, span) in self.places.drain(..) {
            if owners.may_be_asked(hierarchy, (&path, span)).await? {
                kept.push((path, span));
            }
        }
        self.places = kept;
        Ok(())
    }
}

/// Leaves out where what is put together is known to be another name, and what is told as the whole of the name.
fn leave_others(session: &Session, found: &mut [Assembled]) -> Result<(), Refusal> {
    for one in found {
        let Known::Ends(stem) = &one.known else { continue };
        let mut kept = Vec::new();
        for (path, span) in one.places.drain(..) {
            let Some(parsed) = session.parsed(&path)? else { continue };
            let text = parsed.text.as_str();
            let part = parsed.tree.nodes().covering(span);
            let node = whole(part);
            let is_said = folded(node, text).is_some_and(|known| known.whole().is_some());
            let may_be_it = !is_said && may_add_up_to(node, text, &one.member);
            let is_open = stem.is_loose() || stem.is_short() && is_variable(node);
            let is_meant = may_be_it && (!is_open || !asked(part, text).is_empty());
            let (place, asked) = ((node, text), (stem, one.member.as_str()));
            let is_other = descriptor_names::makes_others(session, place, asked)?
                || passed_names::passes_others(session, place, asked)?;
            if is_meant && !is_other {
                kept.push((path, span));
            }
        }
        one.places = kept;
    }
    Ok(())
}

/// Tells whether an expression is what a variable is given.
fn is_variable(value: Node<'_>) -> bool {
    let assignment = value.parent().filter(|outer| outer.is("assignment") && outer.child("right") == Some(value));
    assignment.and_then(|it| it.child("left")).is_some_and(|left| left.is("identifier"))
}

/// Returns the largest expression that a string is a part of the text of.
fn whole<'t>(string: Node<'t>) -> Node<'t> {
    let mut whole = string;
    while let Some(outer) = whole.parent().filter(|outer| is_of_one_text(*outer, whole)) {
        whole = outer;
    }
    whole
}

/// Tells that a function of a Python program may be called where its name is put together, for a sentence about it.
///
/// # Errors
/// Where nobody could be asked who has it.
pub(crate) async fn called_unseen(session: &Session, name: &str) -> Result<Option<String>, Refusal> {
    let mut found = named(session, name).await;
    // What is only called like it is another function.
    found.retain(|one| one.member == name);
    leave_others(session, &mut found)?;
    found.extend(partly_said(session, name));
    if !found.is_empty() {
        let server = session.server(Language::Python, Feature::Rename).await?;
        let hierarchy = Hierarchy::new(session, &server, name);
        let _turn = session.shared().await;
        for one in &mut found {
            let owners = Owners::named(&hierarchy, &one.member).await?;
            one.leave_unasked(&hierarchy, &owners).await?;
        }
    }
    found.retain(|one| !one.places.is_empty());
    let told = warnings(session, found);
    Ok(told.first().map(|told| format!("may be called where no server sees it: {}", placed(session, told))))
}

/// Returns what is told, with its place in the sentence.
fn placed(session: &Session, told: &Warning) -> String {
    let (Some(path), Some(range)) = (&told.path, told.range) else { return told.message.clone() };
    let place = format!(" in `{}:{}`", path.shown_from(session.root()), range.start.line + 1);
    told.message.replacen(" here", &place, 1)
}

/// Finds where members are asked for by names of which a part is said, as by a list of all that begin with it.
fn partly_said(session: &Session, name: &str) -> Option<Assembled> {
    let asking = LISTING.iter().flat_map(|word| session.disk().files_mentioning(word));
    let files: BTreeSet<AbsPath> = asking.filter(|path| path.extension() == "py").collect();
    let mut places = Vec::new();
    for path in files {
        let Ok(Some(parsed)) = session.parsed(&path) else { continue };
        let text = parsed.text.as_str();
        let is_meant = |node: &Node<'_>| dynamic_attributes::is_partly_said(*node, text, name);
        let said =
            |node: Node<'_>| dynamic_attributes::asked_by_name(node, text).map_or(node, |(_, named)| named).span();
        places.extend(parsed.tree.nodes().iter().filter(is_meant).map(|node| (path.clone(), said(node))));
    }
    (!places.is_empty()).then(|| Assembled { member: name.to_owned(), known: Known::Part, places })
}

async fn named(session: &Session, name: &str) -> Vec<Assembled> {
    let (sources, name) = (session.sources().clone(), name.to_owned());
    tokio::task::spawn_blocking(move || candidates(&sources, &name)).await.unwrap_or_default()
}

fn candidates(sources: &Sources, name: &str) -> Vec<Assembled> {
    let mut found = Vec::new();
    // Methods for classes are mostly named in small letters: `visit_order`, by `type(node).__name__.lower()`.
    let middles = BTreeSet::from([name.to_owned(), name.to_lowercase(), snake_case(name)]);
    for (stem, places) in sources.stems().iter() {
        let own = Some(name.to_owned()).filter(|name| stem.fits(name));
        let carriers = middles.iter().filter_map(|middle| stem.around(middle));
        let is_carried = |carrier: &String| !sources.disk().files_mentioning(carrier).is_empty();
        let members = own.into_iter().chain(carriers.filter(is_carried));
        let known = || Known::Ends(stem.clone());
        found.extend(members.map(|member| Assembled { member, known: known(), places: places.clone() }));
    }
    let places = added_up(sources, name);
    found.extend((!places.is_empty()).then(|| Assembled { member: name.to_owned(), known: Known::All, places }));
    found
}

/// Finds the expressions that add up to the name, in the files that have words which it begins and ends with.
fn added_up(sources: &Sources, name: &str) -> Vec<(AbsPath, Span)> {
    let is_part = |part: &&str| part.len() >= SHORTEST_PART;
    let cuts = || name.char_indices().map(|(at, _)| at).skip(1);
    let mentioning = |part: &str| sources.disk().files_mentioning(part);
    let begun: BTreeSet<AbsPath> = cuts().map(|at| &name[..at]).filter(is_part).flat_map(mentioning).collect();
    let ended = cuts().map(|at| &name[at..]).filter(is_part).flat_map(mentioning);
    let files: BTreeSet<AbsPath> = ended.filter(|path| path.extension() == "py" && begun.contains(path)).collect();
    let mut found = Vec::new();
    for path in files {
        let Ok(Some(parsed)) = sources.parsed(&path) else { continue };
        let text = parsed.text.as_str();
        let is_meant = |node: &Node<'_>| {
            node.is_any(&ADDED_UP)
                && whole(*node) == *node
                && (!node.is("string") || node.named_children().any(|child| child.is("interpolation")))
                && folded(*node, text).is_some_and(|known| known.whole() == Some(name))
        };
        found.extend(parsed.tree.nodes().iter().filter(is_meant).map(|node| (path.clone(), node.span())));
    }
    found
}

/// Writes a class's name as a function's: `CardOrder` as `card_order`.
fn snake_case(name: &str) -> String {
    let mut written = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_uppercase() && !written.is_empty() && !written.ends_with('_') {
            written.push('_');
        }
        written.extend(character.to_lowercase());
    }
    written
}

/// Tells of them: of the whole name file by file, of its ends at the first of their places.
pub(super) fn warnings(session: &Session, found: Vec<Assembled>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for Assembled { member, known, places } in found {
        let mut files: BTreeMap<AbsPath, Vec<Span>> = BTreeMap::new();
        let told = if matches!(known, Known::All) { places.len() } else { 1 };
        for (path, span) in places.into_iter().take(told) {
            files.entry(path).or_default().push(span);
        }
        for (path, spans) in files {
            let Ok(text) = session.disk().read(&path) else { continue };
            let message = match &known {
                Known::Ends(stem) => {
                    format!("names that {} are put together here, and `{member}` may be one of them", said(stem))
                }
                Known::Part => {
                    let lines = line_list(&text, &spans);
                    format!(
                        "members are asked for by a part of their names here, and `{member}` may be one of them ({lines})"
                    )
                }
                Known::All => {
                    let lines = line_list(&text, &spans);
                    format!("strings that are put together here say `{member}`, and are not changed ({lines})")
                }
            };
            let range = spans.first().and_then(|span| text.range(*span));
            warnings.push(Warning::at(WarningKind::RunTime, message, path, range).standing_for(spans.len()));
        }
    }
    warnings
}

fn said(Stem { begins, ends, .. }: &Stem) -> String {
    match (begins.as_str(), ends.as_str()) {
        (begins, "") => format!("begin with `{begins}`"),
        ("", ends) => format!("end with `{ends}`"),
        (begins, ends) => format!("begin with `{begins}` and end with `{ends}`"),
    }
}
