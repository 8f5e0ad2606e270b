//! Targets as people and agents write them: a position, lines, or a symbol in its language's own convention.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::{LineIndex, Span};

use super::naming::{Naming, shown};
use super::python::string_fields;
use super::{Declaration, DeclarationKind, Family, Language, Node, Tree, assigned, declarations, scopes};

/// The first and the last of some lines, counted from 1.
pub type LineRange = (u32, u32);

/// A place in the code, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// `path:line:column`, both counted from 1; the column counts characters.
    Position { path: String, line: u32, column: u32 },
    /// `path:12:9-14:3`: from one position to another, the second not included.
    Range { path: String, from: (u32, u32), to: (u32, u32) },
    /// `path#L10-L15`, `path:10-15` or `path#L10`, counted from 1, the last line included.
    Lines { path: String, first: u32, last: u32 },
    /// `path::Outer::name`, `path::Outer.name`, `path#Outer.name`, `path:Outer.name`; the lines pick one of several. Behind
    /// `::` a dot is left in the name: [`resolve`] splits there what is declared nowhere whole.
    Symbol { path: String, names: Vec<String>, lines: Option<LineRange> },
    /// A path and nothing else.
    File { path: String },
}

/// Why a text is no target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTarget {
    #[error("`{0}` names no file")]
    NoPath(String),
    #[error("`{0}` has an empty name in it")]
    EmptyName(String),
    #[error("`{0}` counts lines and columns from 1")]
    Zero(String),
    #[error("`{0}` ends before it begins")]
    Backwards(String),
}

/// What a symbol target leads to in one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// The name of the declaration.
    Found(Span),
    /// Several declarations fit; each candidate is the whole path behind the file, as it can be pasted back.
    Ambiguous(Vec<String>),
    /// None fits; the nearest candidates.
    Missing(Vec<String>),
}

impl Target {
    /// Reads a target; which form it is shows in the text alone.
    pub fn parse(written: &str) -> Result<Self, BadTarget> {
        let written = written.trim();
        let (rest, lines) = split_lines(written)?;
        let target = match (split_symbol(rest), lines) {
            (Some((path, names)), lines) => symbol(written, path, names, lines)?,
            (None, Some((first, last))) => Self::Lines { path: rest.to_owned(), first, last },
            (None, None) => match (range(written)?, line_range(written)?) {
                (Some(range), _) | (None, Some(range)) => range,
                (None, None) => position(written)?.unwrap_or_else(|| Self::File { path: rest.to_owned() }),
            },
        };
        if target.path().is_empty() { Err(BadTarget::NoPath(written.to_owned())) } else { Ok(target) }
    }

    pub fn path(&self) -> &str {
        match self {
            Self::Position { path, .. }
            | Self::Range { path, .. }
            | Self::Lines { path, .. }
            | Self::Symbol { path, .. }
            | Self::File { path } => path,
        }
    }
}

/// Cuts `#L10-L15`, `#L10-15` or `#L10` off the end.
fn split_lines(written: &str) -> Result<(&str, Option<LineRange>), BadTarget> {
    let Some((rest, lines)) = written.rsplit_once("#L") else { return Ok((written, None)) };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let number = |digits: &str| digits.parse::<u32>().ok();
    let (Some(first), Some(last)) = (number(first), number(last.strip_prefix('L').unwrap_or(last))) else {
        return Ok((written, None));
    };
    Ok((rest, Some(line_numbers(written, (first, last))?)))
}

fn line_numbers(written: &str, lines: LineRange) -> Result<LineRange, BadTarget> {
    match lines {
        (0, _) | (_, 0) => Err(BadTarget::Zero(written.to_owned())),
        (first, last) if last < first => Err(BadTarget::Backwards(written.to_owned())),
        lines => Ok(lines),
    }
}

/// Splits a path from the symbol behind it: at the first `::`, else at the last `#`, else at the last `:`
/// that stands before something that is neither a number nor a path.
fn split_symbol(written: &str) -> Option<(&str, Vec<&str>)> {
    if let Some((path, symbol)) = written.split_once("::") {
        return Some((path, symbol.split("::").collect()));
    }
    if let Some((path, symbol)) = split_at_hash(written) {
        return Some((path, split_names(symbol)));
    }
    let (path, symbol) = written.rsplit_once(':')?;
    let is_number = symbol.starts_with(|first: char| first.is_ascii_digit()) || symbol.is_empty();
    let is_path = symbol.contains(['/', '\\']);
    let is_drive = path.len() == 1;
    (!is_number && !is_path && !is_drive).then(|| (path, split_names(symbol)))
}

/// Splits at the `#` behind the file's extension: a later one marks a private name (`a.ts#Order.#total`) or a
/// Ruby method (`a.rb#Order#total`).
fn split_at_hash(written: &str) -> Option<(&str, &str)> {
    let name_start = written.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let hash = name_start + written[name_start..].find('#')?;
    Some((&written[..hash], &written[hash + 1..]))
}

/// Splits `Order.total`, `Order#total`; a `#` behind a dot begins a private name.
fn split_names(symbol: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut start = 0;
    for (at, character) in symbol.char_indices() {
        let is_private = character == '#' && (at == start);
        if matches!(character, '.' | '#') && !is_private {
            names.push(&symbol[start..at]);
            start = at + 1;
        }
    }
    names.push(&symbol[start..]);
    names
}

fn symbol(written: &str, path: &str, names: Vec<&str>, lines: Option<LineRange>) -> Result<Target, BadTarget> {
    if names.iter().any(|name| name.is_empty()) {
        return Err(BadTarget::EmptyName(written.to_owned()));
    }
    let names = names.into_iter().map(str::to_owned).collect();
    Ok(Target::Symbol { path: path.to_owned(), names, lines })
}

/// Reads `path:line:column-line:column`.
fn range(written: &str) -> Result<Option<Target>, BadTarget> {
    let number = |digits: &str| digits.parse::<u32>().ok();
    let Some((rest, last)) = written.rsplit_once('-') else { return Ok(None) };
    let Some(to) = last.split_once(':').and_then(|(line, column)| number(line).zip(number(column))) else {
        return Ok(None);
    };
    match position(rest)? {
        Some(Target::Position { path, line, column }) => match () {
            () if to.0 == 0 || to.1 == 0 => Err(BadTarget::Zero(written.to_owned())),
            () if to < (line, column) => Err(BadTarget::Backwards(written.to_owned())),
            () => Ok(Some(Target::Range { path, from: (line, column), to })),
        },
        _ => Ok(None),
    }
}

/// Reads `path:line-line`, as many programs write it.
fn line_range(written: &str) -> Result<Option<Target>, BadTarget> {
    let Some((path, lines)) = written.rsplit_once(':') else { return Ok(None) };
    let number = |digits: &str| digits.parse::<u32>().ok();
    let Some((first, last)) = lines.split_once('-').and_then(|(first, last)| number(first).zip(number(last))) else {
        return Ok(None);
    };
    if position(path)?.is_some() {
        // `path:line:column-column`, or so.
        return Ok(None);
    }
    let (first, last) = line_numbers(written, (first, last))?;
    Ok(Some(Target::Lines { path: path.to_owned(), first, last }))
}

/// Reads `path:line:column`; `path:line` is the line's first column.
fn position(written: &str) -> Result<Option<Target>, BadTarget> {
    let number = |digits: &str| digits.parse::<u32>().ok();
    let Some((rest, last)) = written.rsplit_once(':') else { return Ok(None) };
    let Some(last) = number(last) else { return Ok(None) };
    let (path, line, column) = match rest.rsplit_once(':').and_then(|(path, line)| Some((path, number(line)?))) {
        Some((path, line)) => (path, line, last),
        None => (rest, last, 1),
    };
    if line == 0 || column == 0 {
        return Err(BadTarget::Zero(written.to_owned()));
    }
    Ok(Some(Target::Position { path: path.to_owned(), line, column }))
}

/// Finds the declaration that a symbol's names lead to. The names are a whole path from the file's top level;
/// where nothing is declared there, they are the end of one. Of an import and a declaration, the declaration.
pub fn resolve(tree: &Tree, text: &str, names: &[String], lines: Option<LineRange>) -> Resolved {
    let all = declarations(tree, text);
    let index = LineIndex::new(text, crate::text::LineBreaks::Lsp);
    let in_lines = |declaration: &&Declaration| match lines {
        Some((first, last)) => touches(&index, text, declaration.full_span, first, last),
        None => true,
    };
    let fitting = |fits: &dyn Fn(&[String]) -> bool| -> Vec<&Declaration> {
        all.iter().filter(|it| fits(&it.path)).filter(in_lines).collect()
    };
    let exact = fitting(&|path| path == names);
    let found = if exact.is_empty() { fitting(&|path| path.ends_with(names)) } else { exact };
    let found = without_handed_out(without_imports(found), tree, text);
    let symbols = symbols(&found, &all, tree, text);
    match symbols.as_slice() {
        [] if let Some(parts) = dotted(names) => resolve(tree, text, &parts, lines),
        [] => match assigned_to(tree, text, (names, lines)).or_else(|| in_string(tree, text, (names, lines))) {
            Some(name) => Resolved::Found(name),
            None => Resolved::Missing(nearest(&all, names, tree.language())),
        },
        [only] => Resolved::Found(only.name_span),
        several => {
            let naming = Naming::new(&all, text, tree.language());
            Resolved::Ambiguous(several.iter().map(|one| naming.target(one)).collect())
        }
    }
}

/// Splits names at the dots in them; nothing where there are none.
fn dotted(names: &[String]) -> Option<Vec<String>> {
    let parts: Vec<String> = names.iter().flat_map(|name| split_names(name)).map(str::to_owned).collect();
    (parts.len() > names.len() && !parts.iter().any(String::is_empty)).then_some(parts)
}

/// Finds the member that a script declares by assigning it, where it does so first; nothing where members of several owners
/// fit.
fn assigned_to(tree: &Tree, text: &str, (names, lines): (&[String], Option<LineRange>)) -> Option<Span> {
    let own = names.last().filter(|_| tree.language().family() == Family::Script)?;
    let index = LineIndex::new(text, crate::text::LineBreaks::Lsp);
    let in_lines = |span: Span| lines.is_none_or(|(first, last)| touches(&index, text, span, first, last));
    let leaves = tree.nodes().iter().filter(|node| node.is_leaf() && node.text(text) == own && in_lines(node.span()));
    let path = |node: Node<'_>| Some((assigned(node, text)?, node.span()));
    let found: Vec<(Vec<String>, Span)> = leaves.filter_map(path).filter(|(path, _)| path.ends_with(names)).collect();
    let (first, span) = found.first()?;
    found.iter().all(|(path, _)| path == first).then_some(*span)
}

/// Finds the field that a call declares in a string; nothing where several fit.
fn in_string(tree: &Tree, text: &str, (names, lines): (&[String], Option<LineRange>)) -> Option<Span> {
    let (own, outer) = names.split_last().filter(|_| tree.language() == Language::Python)?;
    let index = LineIndex::new(text, crate::text::LineBreaks::Lsp);
    let in_lines = |span: Span| lines.is_none_or(|(first, last)| touches(&index, text, span, first, last));
    let is_it = |(owner, field): &(&str, Span)| {
        field.of(text) == Some(own) && in_lines(*field) && outer.last().is_none_or(|it| it == owner)
    };
    let mut found = string_fields(tree, text).into_iter().filter(is_it);
    found.next().filter(|_| found.next().is_none()).map(|(_, field)| field)
}

/// Tells whether a span has a part in lines `first` to `last`, counted from 1.
fn touches(index: &LineIndex, text: &str, span: Span, first: u32, last: u32) -> bool {
    let start = index.line(text, first - 1).map(|line| line.start);
    let end = index.line(text, last - 1).map_or(text.len(), |line| line.end);
    start.is_some_and(|start| span.start < end && start < span.end)
}

fn without_imports(found: Vec<&Declaration>) -> Vec<&Declaration> {
    let is_import = |it: &&Declaration| matches!(it.kind, DeclarationKind::Import | DeclarationKind::ImportAlias);
    if found.iter().all(is_import) {
        return found;
    }
    found.into_iter().filter(|it| !is_import(it)).collect()
}

/// Leaves the keys aside under which a script hands out what it declares, where that is there: `module.exports = { total: total }`.
fn without_handed_out<'d>(found: Vec<&'d Declaration>, tree: &Tree, text: &str) -> Vec<&'d Declaration> {
    let is_handed_out = |it: &&Declaration| {
        let pair = tree.nodes().covering(it.name_span).parent().filter(|it| it.is("pair"));
        let names_one = pair.and_then(|it| it.child("value")).is_some_and(|it| it.is("identifier"));
        let assigned = pair.and_then(Node::parent).and_then(Node::parent).and_then(|it| it.child("left"));
        names_one && assigned.is_some_and(|it| matches!(it.text(text), "module.exports" | "exports"))
    };
    if found.iter().all(is_handed_out) {
        return found;
    }
    found.into_iter().filter(|it| !is_handed_out(it)).collect()
}

/// Returns the name that a symbol's written path ends with, in whatever notation: `order.py::Order`, `order.ts#Order`.
pub fn last_name(written: &str) -> &str {
    written.rsplit(['.', ':', '#']).next().unwrap_or(written)
}

/// Returns the first declaration of each symbol: what a scope holds once, and members of one owner that share
/// a path (overloads, a getter with its setter), are declared several times and are one.
fn symbols<'d>(found: &[&'d Declaration], all: &[Declaration], tree: &Tree, text: &str) -> Vec<&'d Declaration> {
    if found.len() < 2 {
        return found.to_vec();
    }
    let meanings: BTreeMap<usize, usize> =
        scopes::names(tree, text).iter().map(|name| (name.span.start, name.meaning)).collect();
    let overloads: Vec<Span> =
        found.iter().filter_map(|it| overloaded(it, tree, text)).filter(|it| it.is_marked).map(|it| it.block).collect();
    let mut seen = BTreeSet::new();
    let is_new = |it: &&&Declaration| {
        let owner = owner(it, all);
        let block = overloaded(it, tree, text).map(|it| it.block).filter(|block| overloads.contains(block));
        if let Some(block) = block {
            return seen.insert(Identity::Overloaded(block, it.path.clone()));
        }
        seen.insert(match meanings.get(&it.name_span.start) {
            // What a class body binds and what a method sets on its object is one member.
            _ if owner.is_some_and(|owner| owner.kind == DeclarationKind::Class) && !is_local(it.kind) => {
                Identity::Member(owner.map(|owner| owner.full_span))
            }
            Some(meaning) => Identity::Lexical(*meaning),
            None if is_local(it.kind) => Identity::Own(it.name_span.start),
            None => Identity::Member(owner.map(|owner| owner.full_span)),
        })
    };
    found.iter().filter(is_new).copied().collect()
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    /// What the scopes of the text say it is.
    Lexical(usize),
    /// The place of the declaration that it is a member of.
    Member(Option<Span>),
    /// The block that its function's overloads stand in.
    Overloaded(Span, Vec<String>),
    Own(usize),
}

/// A signature that a parameter is one of, in Python.
struct Signature {
    /// The block that it stands in.
    block: Span,
    /// It is one of several that tell the types of one function (`typing.overload`).
    is_marked: bool,
}

/// Returns the signature that a parameter of Python is one of.
fn overloaded(parameter: &Declaration, tree: &Tree, text: &str) -> Option<Signature> {
    let is_it = parameter.kind == DeclarationKind::Parameter && tree.language() == Language::Python;
    let name = Some(tree.nodes().covering(parameter.name_span)).filter(|_| is_it)?;
    let function = name.ancestors().find(|it| it.is("function_definition"))?;
    let whole = function.parent().filter(|it| it.is("decorated_definition"));
    let marks = whole.into_iter().flat_map(Node::children).filter(|it| it.is("decorator"));
    let is_marked = marks.into_iter().any(|it| it.text(text).ends_with("overload"));
    Some(Signature { block: whole.unwrap_or(function).parent()?.span(), is_marked })
}

/// Tells whether a declaration of this kind may be one of a function's own.
pub fn is_local(kind: DeclarationKind) -> bool {
    use DeclarationKind::{Constant, Parameter, TypeParameter, Variable};
    matches!(kind, Constant | Parameter | TypeParameter | Variable)
}

fn owner<'d>(member: &Declaration, all: &'d [Declaration]) -> Option<&'d Declaration> {
    let (_, outer) = member.path.split_last()?;
    let owns = |it: &&Declaration| it.path == outer && it.full_span.contains(member.full_span);
    all.iter().rfind(owns)
}

const NEAREST: usize = 5;

fn nearest(all: &[Declaration], names: &[String], language: Language) -> Vec<String> {
    let Some(wanted) = names.last() else { return Vec::new() };
    let mut ranked: Vec<(usize, usize, &[String])> = all
        .iter()
        .map(|it| (distance(&it.name.to_lowercase(), &wanted.to_lowercase()), it.path.len(), it.path.as_slice()))
        .filter(|(distance, _, _)| *distance <= wanted.chars().count().div_ceil(2))
        .collect();
    ranked.sort();
    ranked.dedup_by_key(|(_, _, path)| *path);
    ranked.into_iter().take(NEAREST).map(|(_, _, path)| shown(path, language)).collect()
}

/// Counts the insertions, deletions and replacements that lead from one name to another (Levenshtein).
pub fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, character) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(character != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests;
