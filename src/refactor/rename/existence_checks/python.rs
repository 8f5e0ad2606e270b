//! The same in Python: `hasattr(order, "rate")`, `getattr(self, "visit_" + kind, None)`, `dir(module)`.

use std::collections::BTreeSet;

use super::change::{Change, Form, Outcome, Places};
use crate::lsp::Feature;
use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::rename::dynamic_attributes;
use crate::refactor::rename::hierarchy::{Hierarchy, LocatedClass};
use crate::refactor::rename::python_changes::{Standpoints, names_of};
use crate::refactor::rename::receivers::Owners;
use crate::session::{Parsed, Session};
use crate::syntax::python::{argument, folded, is_target};
use crate::syntax::{Language, Node};
use crate::text::{AbsPath, Span};

/// Words without which no file asks whether there is a name.
const ASKING: [&str; 7] = ["hasattr", "getattr", "AttributeError", "dir", "vars", "__dict__", "globals"];
/// What says that there is none.
const MISSING: &str = "AttributeError";
/// What catches that, too.
const CATCHING: [&str; 3] = [MISSING, "Exception", "BaseException"];

/// Tells where a program does something else from now on.
pub(super) async fn told(session: &Session, change: &Change) -> Result<Vec<Warning>, Refusal> {
    let places = change.places(session)?;
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let server = session.server(Language::Python, Feature::Rename).await?;
    let hierarchy = Hierarchy::new(session, &server, &change.name);
    let (comes, leaves) = (change.coming(&hierarchy).await?, change.leaving(&hierarchy).await?);
    if comes.is_empty() && leaves.is_empty() && change.modules.is_empty() {
        return Ok(Vec::new());
    }
    let is_new = !comes.is_empty() || leaves.is_empty();
    let outcome = if is_new { Outcome::New } else { Outcome::Gone };
    let classes = comes.into_iter().chain(leaves).collect();
    let owners = Owners::of(&hierarchy, &classes, change.modules.clone()).await?;
    change.warnings(session, outcome, change.meant(&hierarchy, &owners, places).await?)
}

impl Change {
    /// Returns the classes that get the name and have none by it from above.
    async fn coming(&self, hierarchy: &Hierarchy<'_>) -> Result<Standpoints, Refusal> {
        self.unless(hierarchy, &self.comes, |above| above.class.member(&self.name).is_some()).await
    }

    /// Returns the classes that lose the name and get none by it from above.
    async fn leaving(&self, hierarchy: &Hierarchy<'_>) -> Result<Standpoints, Refusal> {
        let is_kept = |above: &LocatedClass| {
            let place = (above.path.clone(), above.class.full_span);
            self.comes.contains(&place) || above.class.member(&self.name).is_some() && !self.leaves.contains(&place)
        };
        self.unless(hierarchy, &self.leaves, is_kept).await
    }

    async fn unless(
        &self,
        hierarchy: &Hierarchy<'_>,
        classes: &Standpoints,
        is_settled: impl Fn(&LocatedClass) -> bool,
    ) -> Result<Standpoints, Refusal> {
        let mut kept = Standpoints::new();
        for (path, span) in classes {
            let Some(class) = hierarchy.class_of((path, *span))? else { continue };
            if !hierarchy.ancestors(&class).await?.iter().any(&is_settled) {
                kept.insert((path.clone(), *span));
            }
        }
        Ok(kept)
    }

    /// Finds what may ask for the name.
    fn places(&self, session: &Session) -> Result<Places, Refusal> {
        let mut found = Places::new();
        for path in self.files(session) {
            let Some(parsed) = session.parsed(&path)? else { continue };
            let text = parsed.text.as_str();
            for node in parsed.tree.nodes().iter() {
                let form = match () {
                    () if self.is_newly_asked(node, text) => Form::Asked,
                    () if self.is_listed(node, text) => Form::Listed,
                    () => continue,
                };
                found.entry((path.clone(), form)).or_default().push(node.span());
            }
        }
        Ok(found)
    }

    fn files(&self, session: &Session) -> BTreeSet<AbsPath> {
        let (disk, name) = (session.disk(), self.name.as_str());
        let saying = ASKING.iter().flat_map(|word| disk.files_mentioning(&format!("{name} {word}")));
        let mut files: BTreeSet<AbsPath> = saying.collect();
        let stems = session.sources().stems();
        let begun = stems.iter().filter(|(stem, _)| stem.fits(name));
        files.extend(begun.flat_map(|(_, places)| places.iter().map(|(path, _)| path.clone())));
        let listing = || dynamic_attributes::LISTING.iter().chain(&dynamic_attributes::LISTED).chain(&["globals"]);
        files.extend(listing().flat_map(|word| disk.files_mentioning(&format!("{word} startswith"))));
        if self.instead_of.is_none() {
            let classes = self.comes.iter().chain(&self.leaves).map(|(path, _)| path);
            files.extend(classes.chain(&self.modules).cloned());
            let modules = names_of(&self.modules);
            let naming = modules.iter().flat_map(|module| listing().map(move |word| format!("{module} {word}")));
            files.extend(naming.flat_map(|words| disk.files_mentioning(&words)));
        }
        files.retain(|path| Language::of_path(path) == Some(Language::Python));
        files
    }

    fn is_newly_asked(&self, node: Node<'_>, text: &str) -> bool {
        // What is used as if it were there is a use: who takes the name away follows these.
        if node.is("attribute") && self.comes.is_empty() {
            return false;
        }
        let is_old = |old: &String| is_asked(node, text, old);
        is_asked(node, text, &self.name) && !self.instead_of.as_ref().is_some_and(is_old)
    }

    /// Tells whether a node lists all names.
    fn is_listed(&self, node: Node<'_>, text: &str) -> bool {
        if self.instead_of.is_some() || !dynamic_attributes::lists(node, text, &self.name) {
            return false;
        }
        // An object has its fields alone in such a dictionary.
        let of_object = dynamic_attributes::keyed_members(node, text).is_some_and(|it| it.text(text) != "cls");
        self.is_field || !of_object
    }

    /// Keeps the places where somebody is asked who may be one of the owners; of those that list, where they surely are.
    async fn meant(&self, hierarchy: &Hierarchy<'_>, owners: &Owners, places: Places) -> Result<Places, Refusal> {
        let mut kept = Places::new();
        for ((path, form), spans) in places {
            let Some(parsed) = hierarchy.session.parsed(&path)? else { continue };
            for span in spans {
                if is_of(hierarchy, owners, (&path, &parsed), (span, form)).await? {
                    kept.entry((path.clone(), form)).or_default().push(span);
                }
            }
        }
        Ok(kept)
    }
}

/// Tells whether a node asks whether there is such a name.
fn is_asked(node: Node<'_>, text: &str, name: &str) -> bool {
    match node.kind() {
        "call" => is_asked_for(node, text, name),
        "attribute" => {
            let is_it = node.child("attribute").is_some_and(|it| it.text(text) == name);
            // In a longer body something else may be missing.
            let is_alone = |block: Node<'_>| {
                let is_body = block.parent().is_some_and(|it| it.is("try_statement"));
                is_body && block.named_children().nth(1).is_none()
            };
            let around = node.ancestors().find(|it| it.is("block"));
            is_it && around.is_some_and(is_alone) && is_tried(node, text, &[MISSING])
        }
        "comparison_operator" => {
            let mut sides = node.named_children();
            let (sought, all) = (sides.next(), sides.next());
            let is_in = node.children().any(|it| matches!(it.kind(), "in" | "not in"));
            let has_all = |it: Node<'_>| members_of(it, text).is_some();
            is_in && all.is_some_and(has_all) && sought.is_some_and(|it| is_said(it, text, name))
        }
        _ => false,
    }
}

fn is_asked_for(call: Node<'_>, text: &str, name: &str) -> bool {
    if dynamic_attributes::is_chosen(call, text, name) {
        return true;
    }
    let Some(function) = call.child("function") else { return false };
    if function.child("attribute").is_some_and(|it| dynamic_attributes::FROM_DICTIONARY.contains(&it.text(text))) {
        let has_all = function.child("object").is_some_and(|it| members_of(it, text).is_some());
        return has_all && argument(call, 0, &[], text).is_some_and(|it| is_said(it, text, name));
    }
    let Some((_, named)) = dynamic_attributes::asked_by_name(call, text) else { return false };
    let is_open = || argument(call, 2, &["default"], text).is_some() || is_tried(call, text, &CATCHING);
    let asks = function.text(text) == "hasattr" || function.text(text) == "getattr" && is_open();
    asks && is_said(named, text, name)
}

/// Tells whether an expression may come to the name, of which it says all or a part.
fn is_said(named: Node<'_>, text: &str, name: &str) -> bool {
    if let Some(known) = folded(named, text) {
        return known.fits(name) && (known.whole().is_some() || known.says_a_part());
    }
    if !named.is("identifier") {
        return false;
    }
    if let Some(list) = dynamic_attributes::source(named, text) {
        let mut said = list.descendants().filter(|it| it.is("string_content"));
        return list.is_any(&["list", "tuple", "set"]) && said.any(|it| it.text(text) == name);
    }
    let Some(function) = named.ancestors().find(|it| it.is("function_definition")) else { return false };
    let is_set = |it: &Node<'_>| it.is("identifier") && it.text(text) == named.text(text) && is_target(*it);
    let assigned = function.descendants().filter(is_set).filter_map(Node::parent);
    let mut values = assigned.filter(|it| it.is("assignment")).filter_map(|it| it.child("right"));
    values.any(|it| !it.is("identifier") && is_said(it, text, name))
}

async fn is_of(
    hierarchy: &Hierarchy<'_>,
    owners: &Owners,
    (path, parsed): (&AbsPath, &Parsed),
    (span, form): (Span, Form),
) -> Result<bool, Refusal> {
    let text = parsed.text.as_str();
    let Some(object) = object(parsed.tree.nodes().covering(span), text) else { return Ok(true) };
    match form {
        Form::Asked => owners.may_be(hierarchy, (path, parsed), object).await,
        Form::Listed => owners.surely_are(hierarchy, (path, parsed), object).await,
    }
}

/// Returns who is asked.
fn object<'t>(node: Node<'t>, text: &str) -> Option<Node<'t>> {
    if node.is("comparison_operator") {
        return members_of(node.named_children().nth(1)?, text);
    }
    if let Some(own) = members_of(node, text) {
        return Some(own);
    }
    if node.is("attribute") {
        return node.child("object");
    }
    let of_dictionary = || members_of(node.child("function")?.child("object")?, text);
    dynamic_attributes::asked_by_name(node, text).map(|(object, _)| object).or_else(of_dictionary)
}

/// Returns the object, or the module, whose names an expression has: `dir(order)`, `vars(order)`, `order.__dict__`, `globals()`.
fn members_of<'t>(all: Node<'t>, text: &str) -> Option<Node<'t>> {
    if dynamic_attributes::is_globals(all, text) {
        return Some(all);
    }
    dynamic_attributes::listed_members(all, text).or_else(|| dynamic_attributes::keyed_members(all, text))
}

/// Tells whether an expression is tried, and what is raised where there is no such member is caught.
fn is_tried(node: Node<'_>, text: &str, catching: &[&str]) -> bool {
    node.ancestors().take_while(|it| !it.is("function_definition")).filter(|it| it.is("try_statement")).any(|outer| {
        let is_inside = outer.child("body").is_some_and(|body| body.span().contains(node.span()));
        let mut clauses = outer.children().filter(|it| it.is("except_clause"));
        is_inside
            && clauses.any(|clause| {
                let caught: Vec<Node<'_>> = clause.named_children().filter(|it| !it.is("block")).collect();
                let is_bare = caught.is_empty() && catching.len() > 1;
                let words = caught.iter().flat_map(|it| it.walk_until(|_| false));
                is_bare || words.filter(|it| it.is("identifier")).any(|it| catching.contains(&it.text(text)))
            })
    })
}
