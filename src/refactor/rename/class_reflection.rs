//! What a Python class and its bases do with its members and its constructor as the program runs: `cls(**values)`,
//! `setattr(self, key, value)`. In a base, no server knows of the heirs' names.

use std::collections::{BTreeMap, BTreeSet};

use super::constructors::OWN_CLASS;
use super::dynamic_attributes;
use super::hierarchy::{Hierarchy, LocatedClass};
use super::probes::Form;
use super::python_changes::Renamed;
use super::server_edits::Gathered;
use crate::refactor::Refusal;
use crate::session::Session;
use crate::syntax::{DeclarationKind, Family, Node, Site, site, whole_words};
use crate::text::{AbsPath, Span};

/// Tells whether something happens at a node of a text.
type Happens<'a> = dyn Fn(Node<'_>, &str) -> bool + 'a;

/// Places by file, and by what happens there.
pub(super) type Told = BTreeMap<(AbsPath, Form), BTreeSet<Span>>;

/// Finds where bases ask their own object for members of any name, if something says this one, and where they and the
/// classes themselves take a dictionary apart for their own constructor.
pub(super) async fn asked(hierarchy: &Hierarchy<'_>, renamed: &Renamed, gathered: &Gathered) -> Result<Told, Refusal> {
    let (session, name, mut told) = (hierarchy.session, hierarchy.name, Told::new());
    let (members, built) = (&renamed.classes, &renamed.built);
    let is_said = !members.is_empty() && (is_said(session, name, gathered)? || is_dashed(session, name)?);
    for one in members.union(built) {
        let Some(own) = hierarchy.class_of((&one.0, one.1))? else { continue };
        let mut line = hierarchy.ancestors(&own).await?;
        line.retain(|base| base.path.is_below(session.root()));
        for base in &line {
            if members.contains(one) {
                let is_meant = |node: Node<'_>, text: &str| {
                    (is_said || dynamic_attributes::is_partly_said(node, text, name)) && asks_itself(node, text, name)
                };
                add(session, base, (Form::Dynamic, &is_meant), &mut told)?;
            }
        }
        line.push(own);
        for class in line.iter().filter(|_| built.contains(one)) {
            add(session, class, (Form::TakenApart, &gives_itself), &mut told)?;
        }
    }
    Ok(told)
}

/// Finds where the program makes a class below one with a renamed member, of a dictionary: `type("Toc", (Toc,), members)`.
pub(super) fn made(session: &Session, renamed: &Renamed, name: &str) -> Result<Told, Refusal> {
    let mut told = Told::new();
    if renamed.classes.is_empty() {
        return Ok(told);
    }
    let naming = renamed.owners.iter().flat_map(|owner| session.disk().files_mentioning(&format!("{owner} type")));
    for path in BTreeSet::from_iter(naming) {
        let Some(parsed) = session.parsed(&path)?.filter(|_| path.extension() == "py") else { continue };
        let text = parsed.text.as_str();
        let is_meant = |node: &Node<'_>| makes_below(*node, &renamed.owners, (text, name));
        let found: BTreeSet<Span> = parsed.tree.nodes().iter().filter(is_meant).map(Node::span).collect();
        if !found.is_empty() {
            told.insert((path, Form::Dynamic), found);
        }
    }
    Ok(told)
}

/// Tells whether a call makes a class below one of others, with members that may have the name.
fn makes_below(call: Node<'_>, owners: &BTreeSet<String>, (text, name): (&str, &str)) -> bool {
    let called = call.child("function").filter(|_| call.is("call")).map(|called| called.text(text));
    let Some(list) = call.child("arguments").filter(|_| called == Some("type")) else { return false };
    let arguments: Vec<Node<'_>> = list.named_children().collect();
    let [_, bases, members] = arguments.as_slice() else { return false };
    let is_open = !members.is("dictionary") || members.named_children().any(|one| !one.is("pair"));
    let is_base = |owner: &String| !whole_words(bases.text(text), owner).is_empty();
    owners.iter().any(is_base) && (is_open || !whole_words(members.text(text), name).is_empty())
}

/// Tells whether something in the project says the name, and not as one of what is renamed: a string, the name of an argument
/// or of a parameter, a file of data. What a base does with any name, it does with this one only then.
fn is_said(session: &Session, name: &str, gathered: &Gathered) -> Result<bool, Refusal> {
    says(session, name, |path, place, span| match place {
        Site::KeywordArgument | Site::Declaration(DeclarationKind::Parameter) => !gathered.has(path, span),
        _ => false,
    })
}

/// Tells whether a string or a file of data says the name.
pub(super) fn is_spelled(session: &Session, name: &str) -> Result<bool, Refusal> {
    says(session, name, |_, _, _| false)
}

/// Tells whether a string of code says the name with dashes, as commands and options have it: `"dry-run"`.
fn is_dashed(session: &Session, name: &str) -> Result<bool, Refusal> {
    let dashed = name.trim_matches('_').replace('_', "-");
    if !dashed.contains('-') {
        return Ok(false);
    }
    for path in session.disk().files_mentioning(&dashed) {
        if path.extension() != "py" || !session.disk().read(&path)?.as_str().contains(&dashed) {
            continue;
        }
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let says =
            |node: Node<'_>| node.is("string_content") && node.text(text).split_whitespace().any(|it| it == dashed);
        if parsed.tree.nodes().iter().any(says) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn says(session: &Session, name: &str, is_meant: impl Fn(&AbsPath, &Site, Span) -> bool) -> Result<bool, Refusal> {
    for path in session.disk().files_mentioning(name) {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let (tree, text) = (&parsed.tree, parsed.text.as_str());
        let says = |span: &Span| match site(tree, text, *span) {
            Site::String => spells(tree.nodes().covering(*span).text(text), name),
            place => is_meant(&path, &place, *span),
        };
        let is_said = match tree.language().family() {
            Family::Python => whole_words(text, name).iter().any(says),
            family => family == Family::Data,
        };
        if is_said {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether a string is the name, or a list or a path with it.
fn spells(content: &str, name: &str) -> bool {
    content.split([',', '.', '[', ']']).any(|part| part.trim() == name)
}

fn add(
    session: &Session,
    class: &LocatedClass,
    (form, happens): (Form, &Happens<'_>),
    told: &mut Told,
) -> Result<(), Refusal> {
    let Some(parsed) = session.parsed(&class.path)? else { return Ok(()) };
    let text = parsed.text.as_str();
    let inside = parsed.tree.nodes().within(class.class.full_span);
    let found: BTreeSet<Span> = inside.filter(|node| happens(*node, text)).map(Node::span).collect();
    if !found.is_empty() {
        told.entry((class.path.clone(), form)).or_default().extend(found);
    }
    Ok(())
}

/// Tells whether an object asks itself for members of any name.
fn asks_itself(node: Node<'_>, text: &str, name: &str) -> bool {
    dynamic_attributes::object(node, text, name).is_some_and(|object| dynamic_attributes::is_own(object, text))
}

/// Tells whether a class gives its own constructor what a dictionary holds.
fn gives_itself(node: Node<'_>, text: &str) -> bool {
    let called = || node.parent()?.parent().filter(|call| call.is("call"))?.child("function");
    let is_open = || node.named_children().next().is_some_and(|taken| !taken.is("dictionary"));
    node.is("dictionary_splat")
        && called().is_some_and(|function| OWN_CLASS.contains(&function.text(text)))
        && is_open()
        && handing_on(node, text).is_none()
}

/// Returns the function around `**options` in a call, where these are its own rest of arguments, which it hands on.
pub(super) fn handing_on<'t>(splat: Node<'t>, text: &str) -> Option<Node<'t>> {
    let taken = splat.named_children().next()?.text(text);
    let function = splat.ancestors().find(|outer| outer.is_any(&["function_definition", "lambda"]))?;
    let patterns = function.child("parameters").into_iter().flat_map(Node::descendants);
    let mut rest = patterns.filter(|node| node.is("dictionary_splat_pattern"));
    rest.any(|node| node.text(text).trim_start_matches("**") == taken).then_some(function)
}
