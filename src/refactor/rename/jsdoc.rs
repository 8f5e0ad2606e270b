//! Comments that document the parameters of functions (JSDoc).
//!
//! Seen with tsserver 6.0: of a parameter that may be left out and is taken apart (`@param {{size?: string}=} options`,
//! `({ size } = {})`) its rename changes the type in the comment, and leaves the pattern. And from a name in a parameter's pattern (`({ app, options }) => …`) its rename goes to every
//! `@param options` of the program whose type it does not know, in dependencies too.

use std::collections::BTreeSet;

use super::RenameRequest;
use super::server_edits::Gathered;
use super::subject::Subject;
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::{DeclarationKind, Node, Site, Tree, is_any_function, site};
use crate::text::{Span, TextEdit};

/// Renames what comments say of renamed parameters of function types, which tsserver (6.0) leaves aside:
/// `/** @param count … */ price: (count: number) => number`.
pub(super) fn follow_types(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let mut found = Vec::new();
    for path in gathered.paths() {
        let Some(parsed) = session.parsed(path)? else { continue };
        let (tree, text) = (&parsed.tree, parsed.text.as_str());
        for edit in gathered.edits_of(path) {
            let place = site(tree, text, edit.span);
            if place == Site::Declaration(DeclarationKind::Parameter)
                && let Some(comment) = about_type(tree.nodes().covering(edit.span))
            {
                found.extend(named(comment, text, &subject.name).map(|span| (path.clone(), span)));
            }
        }
    }
    for (path, span) in found {
        if !gathered.has(&path, span) {
            gathered.add(path, TextEdit::new(span, request.new_name.clone()), &request.new_name);
        }
    }
    Ok(())
}

/// Returns the comment about the only function type of what is declared with it, which takes a parameter.
fn about_type(parameter: Node<'_>) -> Option<Node<'_>> {
    let of = parameter.ancestors().find(|it| is_any_function(*it) || it.is("function_type"))?;
    let declared = of.ancestors().take_while(|it| !it.kind().ends_with("_body")).last()?;
    let types = declared.descendants().filter(|it| it.is("function_type")).count();
    let before = declared.parent()?.children().filter(|it| it.end() <= declared.start()).last()?;
    (of.is("function_type") && types == 1 && before.is("comment")).then_some(before)
}

/// Returns where a comment names a parameter of the function that it is about, or a property of one.
fn named<'n>(comment: Node<'n>, text: &'n str, name: &'n str) -> impl Iterator<Item = Span> {
    let tags = comment.text(text).match_indices("@param ").map(move |(tag, mark)| comment.start() + tag + mark.len());
    tags.filter_map(move |start| {
        let behind = &text[start..comment.end()];
        let said = name_behind(behind);
        let bare = said.trim_start_matches('[');
        let is_it = bare.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', ']', '.']));
        let at = start + behind.find(said)? + said.len() - bare.len();
        is_it.then(|| Span::new(at, at + name.len()))
    })
}

/// Renames the keys of patterns that take apart what comments say the type of, where a property of that type is renamed.
pub(super) fn follow(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    gathered: &mut Gathered,
) -> Result<(), Refusal> {
    let name = subject.name.as_str();
    let mut found = Vec::new();
    for path in gathered.paths() {
        let Some(parsed) = session.parsed(path)? else { continue };
        let (tree, text) = (&parsed.tree, parsed.text.as_str());
        for edit in gathered.edits_of(path) {
            let comment = tree.nodes().covering(edit.span);
            let number =
                comment.is("comment").then(|| typed_parameter(comment.text(text), edit.span.start - comment.start()));
            let Some(key) = number.flatten().and_then(|number| taken_apart(comment, number, (text, name))) else {
                continue;
            };
            if !gathered.has(path, key.span()) {
                let is_short = key.kind().starts_with("shorthand_property_identifier");
                let new = if is_short { format!("{}: {name}", request.new_name) } else { request.new_name.clone() };
                found.push((path.clone(), TextEdit::new(key.span(), new)));
            }
        }
    }
    for (path, edit) in found {
        gathered.add(path, edit, &request.new_name);
    }
    Ok(())
}

/// Returns the number of the parameter whose type has a property of its own at an offset of a comment: `@param {{size: string}} …`.
fn typed_parameter(comment: &str, at: usize) -> Option<usize> {
    let tags = comment.match_indices("@param ").map(|(tag, mark)| tag + mark.len());
    let is_whole = |start: &usize| !name_behind(&comment[*start..]).contains('.');
    let mut starts = tags.filter(is_whole).enumerate().take_while(|(_, start)| *start < at);
    let (number, start) = starts.by_ref().last()?;
    let before = &comment[start..at];
    let depth = before.matches('{').count().checked_sub(before.matches('}').count())?;
    (depth == 2 && !before.contains('@')).then_some(number)
}

/// Returns the name behind the type of a `@param`.
fn name_behind(said: &str) -> &str {
    let mut depth = 0_usize;
    let typed = said.char_indices().take_while(|(_, letter)| {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 0
    });
    let end = typed.last().map_or(0, |(at, _)| at + 2);
    said.get(end..).unwrap_or_default().split_whitespace().next().unwrap_or_default()
}

/// Returns the key of a name in the pattern that a parameter of the documented function is.
fn taken_apart<'t>(comment: Node<'t>, number: usize, (text, name): (&str, &str)) -> Option<Node<'t>> {
    let parameter = parameters_behind(comment)?.named_children().nth(number)?;
    let pattern = std::iter::once(parameter).chain(parameter.descendants()).find(|node| node.is("object_pattern"))?;
    let is_it = |key: &Node<'_>| key.text(text) == name;
    pattern.named_children().find_map(|entry| match entry.kind() {
        "shorthand_property_identifier_pattern" => Some(entry).filter(is_it),
        "object_assignment_pattern" => entry.child("left").filter(is_it),
        "pair_pattern" => entry.child("key").filter(is_it),
        _ => None,
    })
}

/// Returns those of the places of a parameter's name that stand in a comment behind which none of the others declares a
/// parameter.
pub(super) fn strays(parsed: &Parsed, places: &[Span]) -> BTreeSet<Span> {
    let (tree, text) = (&parsed.tree, parsed.text.as_str());
    let is_stray = |span: &Span| {
        site(tree, text, *span) == Site::Comment
            && documented(tree.nodes().covering(*span))
                .is_none_or(|parameters| !places.iter().any(|at| parameters.contains(*at)))
    };
    places.iter().copied().filter(is_stray).collect()
}

/// Tells whether a name in a comment is that of a parameter of the function that the comment is about: `@param {number} count`.
pub(super) fn is_of_its_function(tree: &Tree, text: &str, name: Span) -> bool {
    let comment = tree.nodes().covering(name);
    let is_named = named(comment, text, name.of(text).unwrap_or_default()).any(|span| span == name);
    let Some(parameters) = parameters_behind(comment).filter(|_| is_named) else { return false };
    let is_it = |it: Node<'_>| it.is("identifier") && Some(it.text(text)) == name.of(text);
    let declares = |it: Node<'_>| {
        is_it(it) && matches!(site(tree, text, it.span()), Site::Declaration(DeclarationKind::Parameter))
    };
    is_it(parameters) || parameters.descendants().any(declares)
}

/// The parameters of the function that a comment stands before.
fn documented(comment: Node<'_>) -> Option<Span> {
    parameters_behind(comment).map(Node::span)
}

fn parameters_behind(comment: Node<'_>) -> Option<Node<'_>> {
    let is_behind = |next: &Node<'_>| next.start() >= comment.end() && next.is_named();
    let statement =
        comment.parent()?.children().filter(is_behind).find(|next| !next.is_any(&["comment", "decorator"]))?;
    let function = std::iter::once(statement).chain(statement.descendants()).find(|node| is_any_function(*node))?;
    function.child("parameters").or_else(|| function.child("parameter"))
}
