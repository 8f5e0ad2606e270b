//! `code_search`: functions, classes and methods by their names, in every language of the grammar.

use super::error::InspectError;
use super::outline::outline;
use super::survey::{Survey, Watch, parsed};
use crate::syntax::kinds::{Role, is_function};
use crate::syntax::{Declaration, DeclarationKind, Family, Language, Node, Places, Tree, declarations};
use crate::text::{Span, Text};
use crate::workspace::Disk;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchQuery {
    Function,
    Class,
    /// A function of a class.
    Method,
}

/// One declaration of the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Relative to the root.
    pub file: String,
    /// First and last line, 1-based.
    pub lines: [u32; 2],
    /// The name with those of what it stands in.
    pub name: String,
    /// What stands before the body.
    pub signature: String,
    /// The whole declaration.
    pub body: String,
}

/// What a search found.
#[derive(Debug, Default)]
pub struct Matches {
    pub found: Vec<Match>,
    /// How many of the other kinds have that name.
    pub others: Vec<(SearchQuery, usize)>,
    /// Files that could not be looked into, with the reason.
    pub left_out: Vec<String>,
}

impl SearchQuery {
    const ALL: [Self; 3] = [Self::Function, Self::Class, Self::Method];
}

/// Finds what is declared by a name, alone or with those of what it stands in (`Order.total`, `Order::total`), in a file or
/// below a directory.
pub fn search(
    disk: &Disk,
    path: &str,
    (wanted, name): (SearchQuery, &str),
    watch: &Watch,
) -> Result<Matches, InspectError> {
    let steps: Vec<&str> = name.split(['.', '#', ':', '/']).filter(|step| !step.is_empty()).collect();
    let Some(last) = steps.last() else { return Ok(Matches::default()) };
    let mut survey = Survey::of(disk, path, &Language::ALL)?;
    let looked = survey.map(watch, |file, text| {
        // Most files do not say the name at all.
        if memchr::memmem::find(text.as_str().as_bytes(), last.as_bytes()).is_none() {
            return Ok(Vec::new());
        }
        let tree = parsed(file, text)?;
        Ok(declared(&file.name, &tree, (text, &steps)))
    })?;
    let mut matches = Matches::default();
    let mut counts = [0; 3];
    for one in looked {
        match one {
            Ok(found) => {
                for (kind, found) in found {
                    counts[kind as usize] += 1;
                    matches.found.extend((kind == wanted).then_some(found));
                }
            }
            Err(row) => survey.left_out.push(row),
        }
    }
    let others = SearchQuery::ALL.into_iter().filter(|kind| *kind != wanted).map(|kind| (kind, counts[kind as usize]));
    matches.others = others.filter(|(_, count)| *count > 0).collect();
    matches.left_out = survey.left_out.iter().map(|row| format!("{}: {}", row.path, row.reason)).collect();
    Ok(matches)
}

/// Lists what one file declares by the name.
fn declared(file: &str, tree: &Tree, (text, steps): (&Text, &[&str])) -> Vec<(SearchQuery, Match)> {
    let (all, source) = (declarations(tree, text.as_str()), text.as_str());
    let places = Places::new(source);
    let is_meant = |path: &[String]| {
        path.len() >= steps.len() && path.iter().rev().zip(steps.iter().rev()).all(|(own, step)| own == step)
    };
    let classes: Vec<&[String]> =
        all.iter().filter(|one| kind(one.kind) == Some(SearchQuery::Class)).map(|one| one.path.as_slice()).collect();
    let mut found: Vec<(SearchQuery, Span, &[String])> = Vec::new();
    for one in all.iter().filter(|one| is_meant(&one.path)) {
        if let Some(kind) = kind(one.kind) {
            found.push((kind, one.full_span, &one.path));
        }
    }
    // Functions that are the value of a variable, and what a grammar has other words for.
    let outline = outline(tree, source);
    for function in outline.functions.iter().filter(|function| is_meant(&function.path)) {
        let span = function.node.span();
        if !found.iter().any(|(_, known, _)| known.start <= span.start && span.end <= known.end) {
            let full = widened(&all, span).unwrap_or(span);
            found.push((SearchQuery::Function, full, &function.path));
        }
    }
    found.sort_by_key(|(_, span, _)| *span);
    let family = tree.language().family();
    let made = found.into_iter().map(|(kind, span, path)| {
        let is_in_class = path.split_last().is_some_and(|(_, outer)| !outer.is_empty() && classes.contains(&outer));
        let kind = if kind == SearchQuery::Function && is_in_class { SearchQuery::Method } else { kind };
        let (first, last) = places.lines(span);
        let signature = signature(tree, source, (span, family));
        let body = source[span.start..span.end].to_owned();
        (kind, Match { file: file.to_owned(), lines: [first, last], name: path.join("."), signature, body })
    });
    made.collect()
}

/// Returns the declaration of the variable whose value stands in `span`.
fn widened(all: &[Declaration], span: Span) -> Option<Span> {
    let holds = |one: &&Declaration| one.full_span.start <= span.start && span.end <= one.full_span.end;
    all.iter().filter(holds).map(|one| one.full_span).min_by_key(|full| full.end - full.start)
}

fn kind(kind: DeclarationKind) -> Option<SearchQuery> {
    match kind {
        DeclarationKind::Function | DeclarationKind::Modifier | DeclarationKind::Macro => Some(SearchQuery::Function),
        DeclarationKind::Method | DeclarationKind::Constructor => Some(SearchQuery::Method),
        DeclarationKind::Class
        | DeclarationKind::Interface
        | DeclarationKind::Enum
        | DeclarationKind::Struct
        | DeclarationKind::Trait => Some(SearchQuery::Class),
        _ => None,
    }
}

/// Returns what stands before the body of a declaration, without white space at the end.
fn signature(tree: &Tree, text: &str, (span, family): (Span, Family)) -> String {
    let is_whole = |node: &Node<'_>| node.has(Role::Class) || is_function(*node, family);
    let inside = tree.nodes().iter().filter(|node| span.start <= node.span().start && node.span().end <= span.end);
    let body = inside.filter(is_whole).find_map(|node| node.child("body"));
    let end = body.map_or(span.end, Node::start);
    let head = &text[span.start..end];
    let head = if body.is_some() { head } else { head.lines().next().unwrap_or_default() };
    head.trim_end().trim_end_matches(['{', '(']).trim_end().to_owned()
}

#[cfg(test)]
mod tests;
