//! From the words that name a place in the code to the place.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::actions::ActionsArgs;
use super::error::ToolError;
use super::plan::RenameArgs;
use crate::lsp::Place;
use crate::refactor::request::Target as Aim;
use crate::session::Session;
use crate::syntax::target::{BadTarget, LineRange, Resolved, Target, distance, is_local, resolve};
use crate::syntax::{Declaration, DeclarationKind, Language, Naming, Node, Tree, declarations, is_any_function, shown};
use crate::text::{AbsPath, Encoding, Position, Span, Text};

const FORMS: &str =
    "write src/order.py:12:9, src/order.py#L10-L15, src/order.py::Order::total, or a name that is declared once";
/// So many names are told that a misspelt one may mean, each at most so many letters apart from it.
const NEAREST: usize = 5;
const MOST_UNLIKE: usize = 3;
const COUNTS: &str = "lines and characters in JSON are 0-based; on the command line lines and columns are 1-based";

/// Rewrites a target whose file is there as seen from `base` to one with the file's absolute path, and
/// returns that path, too.
pub fn seen_from(target: &str, base: &AbsPath) -> Option<(AbsPath, String)> {
    let parsed = Target::parse(target).ok()?;
    let path = base.join(parsed.path()).ok().filter(|path| path.as_path().is_file())?;
    let rest = target.trim().strip_prefix(parsed.path())?;
    Some((path.clone(), format!("{path}{rest}")))
}

/// Finds what a refactoring is aimed at.
pub(super) fn aim(session: &Session, written: &str) -> Result<Aim, ToolError> {
    let written = &*spelled_out(session, written)?;
    let target = Target::parse(written)?;
    let file = File::read(session, target.path())?;
    let none = Aim {
        path: file.path.clone(),
        shown: file.shown.clone(),
        written: written.replacen(target.path(), &file.shown, 1),
        language: file.language()?,
        name: None,
        lines: None,
        offset: None,
    };
    match &target {
        Target::File { .. } => Ok(none),
        Target::Position { .. } => {
            let offset = named(session, written)?.offset;
            Ok(Aim { name: file.declaring(offset)?, offset: Some(offset), ..none })
        }
        Target::Symbol { lines, .. } => {
            let place = named(session, written)?;
            let name = file.tree()?.identifier_at(file.text.as_str(), place.offset);
            Ok(Aim { name, lines: *lines, ..none })
        }
        Target::Range { from, to, .. } => match file.selected(*from, *to)? {
            Some(Selection::Lines(lines)) => file.in_lines(written, lines, none),
            Some(Selection::Expression(span)) => {
                Ok(Aim { name: file.declaring(span.start)?, offset: Some(span.start), ..none })
            }
            None => Err(ToolError::invalid(format!("`{written}` holds nothing but blanks")).hint(FORMS)),
        },
        Target::Lines { first, last, .. } => {
            file.holds(*last)?;
            file.in_lines(written, (*first, *last), none)
        }
    }
}

/// Returns the expression that a target selects; nothing where it is no range, or one of whole statements.
pub(super) fn expression(session: &Session, written: &str) -> Result<Option<String>, ToolError> {
    let target = Target::parse(&spelled_out(session, written)?)?;
    let Target::Range { from, to, .. } = &target else { return Ok(None) };
    let file = File::read(session, target.path())?;
    Ok(match file.selected(*from, *to)? {
        Some(Selection::Expression(span)) => span.of(file.text.as_str()).map(str::to_owned),
        _ => None,
    })
}

/// What a range of characters holds, blanks around it left out.
enum Selection {
    /// Whole statements, by their lines, counted from 1.
    Lines(LineRange),
    /// A part of a statement.
    Expression(Span),
}

/// Finds the place that a rename is asked for.
pub(super) fn place(session: &Session, args: &RenameArgs) -> Result<Place, ToolError> {
    match (&args.target, &args.file_path, args.line, args.character) {
        (Some(target), None, None, None) => named(session, target),
        (None, Some(path), Some(line), Some(character)) => {
            let file = File::read(session, path)?;
            file.at(file.text.offset(Position { line, character }), line)
        }
        _ => Err(ToolError::invalid("a rename needs either `filePath`, `line` and `character`, or `target` alone")),
    }
}

/// Finds the stretch that actions are asked for: a place, lines, a range, or a whole file.
pub(super) fn stretch(session: &Session, args: &ActionsArgs) -> Result<Stretch, ToolError> {
    match (&args.target, &args.file_path, args.line, args.character) {
        (Some(target), None, None, None) => stretch_named(session, target),
        (None, Some(path), None, None) => Ok(File::read(session, path)?.whole()),
        (None, Some(path), Some(line), Some(character)) => {
            let file = File::read(session, path)?;
            let Place { offset, .. } = file.at(file.text.offset(Position { line, character }), line)?;
            let column = file.text.lines().position(file.text.as_str(), offset, Encoding::Utf32);
            let column = column.map_or(1, |place| place.character + 1);
            let target = format!("{}:{}:{column}", file.shown, line + 1);
            Ok(Stretch { path: file.path, span: Span::at(offset), is_whole: false, target })
        }
        _ => Err(ToolError::invalid(
            "actions need either `target` alone, or `filePath` with `line` and `character`, or without them",
        )),
    }
}

/// A stretch of a file.
pub(super) struct Stretch {
    pub(super) path: AbsPath,
    pub(super) span: Span,
    pub(super) is_whole: bool,
    /// By which it is named again.
    pub(super) target: String,
}

fn stretch_named(session: &Session, written: &str) -> Result<Stretch, ToolError> {
    let part = |path: AbsPath, span| Stretch { path, span, is_whole: false, target: written.to_owned() };
    let target = Target::parse(written)?;
    match &target {
        Target::File { .. } => Ok(File::read(session, target.path())?.whole()),
        Target::Lines { first, last, .. } => {
            let file = File::read(session, target.path())?;
            file.holds(*last)?;
            let span = file.lines(*first, *last);
            Ok(part(file.path, span))
        }
        Target::Range { from, to, .. } => {
            let file = File::read(session, target.path())?;
            let span = Span::new(file.at_column(*from)?.offset, file.at_column(*to)?.offset);
            Ok(part(file.path, span))
        }
        Target::Position { .. } | Target::Symbol { .. } => {
            let Place { path, offset } = named(session, written)?;
            Ok(part(path, Span::at(offset)))
        }
    }
}

pub(super) fn named(session: &Session, written: &str) -> Result<Place, ToolError> {
    let written = &*spelled_out(session, written)?;
    let target = Target::parse(written)?;
    let file = File::read(session, target.path())?;
    match &target {
        Target::Position { line, column, .. } => file.at_column((*line, *column)),
        Target::Symbol { names, lines, .. } => {
            let (tree, text) = (file.tree()?, file.text.as_str());
            match resolve(&tree, text, names, *lines) {
                Resolved::Found(span) => Ok(file.place(span)),
                Resolved::Ambiguous(candidates) => Err(file.several(written, &candidates)),
                Resolved::Missing(nearest) => Err(file.none(written, &nearest)),
            }
        }
        Target::Lines { first, last, .. } => file.declared_in(written, (*first, *last)),
        Target::Range { .. } => {
            Err(ToolError::invalid(format!("`{written}` is a range, and names nothing")).hint(FORMS))
        }
        Target::File { .. } => {
            let message = format!("`{written}` is a file; a rename needs a symbol in it");
            Err(ToolError::invalid(message).hint(FORMS).hint("to rename the file, move it: `lspwright move OLD NEW`"))
        }
    }
}

/// Writes a bare name, which is no file's, as the target of the one thing in the project that is called so.
fn spelled_out<'w>(session: &Session, written: &'w str) -> Result<Cow<'w, str>, ToolError> {
    let is_name = !written.is_empty() && written.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '$');
    if !is_name || session.root().join(written)?.as_path().exists() {
        return Ok(Cow::Borrowed(written));
    }
    let mut found: BTreeSet<String> = BTreeSet::new();
    for path in session.disk().files_mentioning(written) {
        found.extend(declarations_of(session, &path, written));
    }
    match found.len() {
        1 => Ok(Cow::Owned(found.pop_first().unwrap_or_default())),
        0 => {
            let error = ToolError::invalid(format!("`{}` declares no `{written}`", session.root()));
            let near = nearest(session, written);
            Err(if near.is_empty() { error.hint(FORMS) } else { error.among(written, near) })
        }
        count => {
            let error = ToolError::invalid(format!("`{written}` names {count} things in `{}`", session.root()));
            Err(error.among(written, found.into_iter().collect()))
        }
    }
}

/// Returns what the project declares under names much like one, the most alike first.
fn nearest(session: &Session, name: &str) -> Vec<String> {
    let most = name.chars().count().div_ceil(4).min(MOST_UNLIKE);
    let unlike = |word: &str| {
        let is_same = word.eq_ignore_ascii_case(name);
        let may_be = word.len().abs_diff(name.len()) <= most;
        if is_same { Some(0) } else { may_be.then(|| distance(word, name)).filter(|count| *count <= most) }
    };
    let mut found: BTreeSet<(usize, String)> = BTreeSet::new();
    for file in session.disk().files().iter().filter(|file| file.language().is_some()) {
        let Ok(text) = session.disk().read(&file.path) else { continue };
        let words: BTreeSet<&str> =
            text.as_str().split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '$')).collect();
        for word in words {
            let Some(count) = unlike(word).filter(|_| !word.is_empty()) else { continue };
            found.extend(declarations_of(session, &file.path, word).into_iter().map(|target| (count, target)));
        }
    }
    found.into_iter().take(NEAREST).map(|(_, target)| target).collect()
}

/// Returns what a file declares under a name, as targets; nothing of what it imports, and no variable of a function.
fn declarations_of(session: &Session, path: &AbsPath, name: &str) -> Vec<String> {
    let Ok(file) = File::read(session, path.as_str()) else { return Vec::new() };
    let (Ok(language), Ok(tree)) = (file.language(), file.tree()) else { return Vec::new() };
    let text = file.text.as_str();
    let is_import = |it: &Declaration| matches!(it.kind, DeclarationKind::Import | DeclarationKind::ImportAlias);
    let is_within = |it: &Declaration| tree.nodes().covering(it.name_span).ancestors().any(is_any_function);
    let all = declarations(&tree, text);
    let wanted = all.iter().filter(|it| it.name == name && !is_import(it) && !(is_local(it.kind) && is_within(it)));
    wanted.map(|it| format!("{}{}", file.shown, shown(&it.path, language))).collect()
}

/// A file of the project in which something is looked for.
struct File {
    path: AbsPath,
    /// As the caller may write it again.
    shown: String,
    text: std::sync::Arc<Text>,
}

impl File {
    fn read(session: &Session, path: &str) -> Result<Self, ToolError> {
        let path = session.disk().contain(&session.root().join(path)?)?;
        let text = session.disk().read(&path)?;
        let shown = path.shown_from(session.root());
        Ok(Self { path, shown, text })
    }

    fn tree(&self) -> Result<Tree, ToolError> {
        let language = self.language()?;
        Ok(Tree::parse(language, self.text.as_str()))
    }

    fn language(&self) -> Result<Language, ToolError> {
        Language::of_path(&self.path).ok_or_else(|| {
            let message = format!("symbols of `{}` are not known: its language is not", self.shown);
            ToolError::invalid(message).hint("name the place by line and column")
        })
    }

    fn whole(self) -> Stretch {
        let span = Span::new(0, self.text.as_str().len());
        Stretch { path: self.path, span, is_whole: true, target: self.shown }
    }

    /// Returns what stands in some lines, 1-based, without the white space around it.
    fn lines(&self, first: u32, last: u32) -> Span {
        let (content, lines) = (self.text.as_str(), self.text.lines());
        let line = |number: u32| lines.line(content, number - 1).unwrap_or(content.len()..content.len());
        let (start, end) = (line(first).start, line(last).end);
        let written = &content[start..end];
        let start = start + (written.len() - written.trim_start().len());
        Span::new(start, start + written.trim().len())
    }

    /// Tells what a range holds; nothing where that is blank.
    fn selected(&self, from: (u32, u32), to: (u32, u32)) -> Result<Option<Selection>, ToolError> {
        let text = self.text.as_str();
        let (start, end) = (self.at_column(from)?.offset, self.at_column(to)?.offset);
        let held = text.get(start..end).unwrap_or_default();
        let start = start + (held.len() - held.trim_start().len());
        let span = Span::new(start, start + held.trim().len());
        if span.is_empty() {
            return Ok(None);
        }
        let line = |offset: usize| self.text.position(offset).map_or(1, |position| position.line + 1);
        let (first, last) = (line(span.start), line(span.end));
        let around = self.lines(first, last);
        let behind = text[span.end..around.end.max(span.end)].trim_start_matches(';').trim_start();
        let is_whole =
            around.start >= span.start && (behind.is_empty() || behind.starts_with('#') || behind.starts_with("//"));
        let tree = self.tree()?;
        let node = tree.nodes().covering(span);
        let mut same = std::iter::once(node).chain(node.ancestors()).take_while(|it| it.span() == span).peekable();
        let is_of_statements = |it: Node<'_>| {
            let ends = ["block", "declaration", "definition", "module", "program", "statement"];
            ends.iter().any(|end| it.kind().ends_with(end))
                || it.parent().is_some_and(|outer| outer.is("expression_statement"))
        };
        let is_statement = same.peek().is_none() || same.any(is_of_statements);
        Ok(Some(match is_whole && is_statement {
            true => Selection::Lines((first, last)),
            false => Selection::Expression(span),
        }))
    }

    /// Aims at lines, and at what alone is declared in them.
    fn in_lines(&self, written: &str, lines: LineRange, none: Aim) -> Result<Aim, ToolError> {
        let name = match self.declared_in(written, lines) {
            Ok(place) => self.tree()?.identifier_at(self.text.as_str(), place.offset),
            Err(_) => None,
        };
        Ok(Aim { name, lines: Some(lines), ..none })
    }

    /// Fails where the text ends before a line, 1-based.
    fn holds(&self, line: u32) -> Result<(), ToolError> {
        let count = self.text.lines().line_count();
        if line as usize <= count {
            return Ok(());
        }
        Err(ToolError::invalid(format!("`{}` has {count} lines, not {line}", self.shown)))
    }

    fn place(&self, span: Span) -> Place {
        Place { path: self.path.clone(), offset: span.start }
    }

    /// Returns the place at a line and a column, 1-based, columns in characters.
    fn at_column(&self, (line, column): (u32, u32)) -> Result<Place, ToolError> {
        let position = Position { line: line - 1, character: column - 1 };
        self.at(self.text.lines().offset(self.text.as_str(), position, Encoding::Utf32), line - 1)
    }

    fn at(&self, offset: Option<usize>, line: u32) -> Result<Place, ToolError> {
        let lines = self.text.lines().line_count();
        let why = || match (line as usize) < lines {
            true => format!("line {} of `{}` is shorter than that", line + 1, self.shown),
            false => format!("`{}` has {lines} lines, not {}", self.shown, u64::from(line) + 1),
        };
        let offset = offset.ok_or_else(|| ToolError::invalid(why()).hint(COUNTS))?;
        Ok(Place { path: self.path.clone(), offset })
    }

    /// Returns the name at an offset where it declares something that has a place among the declarations: not a
    /// variable of a function, whose position may as well mean the statement.
    fn declaring(&self, offset: usize) -> Result<Option<Span>, ToolError> {
        let (tree, text) = (self.tree()?, self.text.as_str());
        let Some(name) = tree.identifier_at(text, offset) else { return Ok(None) };
        let is_within = || tree.nodes().covering(name).ancestors().any(is_any_function);
        let is_it = |it: &Declaration| it.name_span == name && !(is_local(it.kind) && is_within());
        Ok(declarations(&tree, text).iter().any(is_it).then_some(name))
    }

    /// Finds what is declared in some lines, 1-based: the one declaration whose name stands there and that
    /// stands in no other such.
    fn declared_in(&self, written: &str, (first, last): (u32, u32)) -> Result<Place, ToolError> {
        let (tree, text) = (self.tree()?, self.text.as_str());
        let all = declarations(&tree, text);
        let in_lines = |it: &&Declaration| {
            let line = self.text.position(it.name_span.start).map_or(0, |position| position.line + 1);
            (first..=last).contains(&line)
        };
        let there: Vec<&Declaration> = all.iter().filter(in_lines).collect();
        let is_inner = |it: &Declaration| {
            there.iter().any(|outer| {
                outer.name_span != it.name_span
                    && outer.full_span.contains(it.full_span)
                    && outer.full_span != it.full_span
            })
        };
        let outer: Vec<&&Declaration> = there.iter().filter(|it| !is_inner(it)).collect();
        match outer.as_slice() {
            [only] => Ok(self.place(only.name_span)),
            [] => Err(self.none(written, &[])),
            several => {
                let naming = Naming::new(&all, text, self.language()?);
                let candidates: Vec<String> = several.iter().map(|it| naming.target(it)).collect();
                Err(self.several(written, &candidates))
            }
        }
    }

    fn several(&self, written: &str, candidates: &[String]) -> ToolError {
        let error = ToolError::invalid(format!("`{written}` names {} things", candidates.len()));
        error.among(written, candidates.iter().map(|rest| format!("{}{rest}", self.shown)).collect())
    }

    fn none(&self, written: &str, nearest: &[String]) -> ToolError {
        let error = ToolError::invalid(format!("`{written}` names nothing that is declared in `{}`", self.shown));
        if nearest.is_empty() { error.hint(FORMS) } else { self.listed(error, nearest) }
    }

    /// Adds candidates as targets that can be pasted back.
    fn listed(&self, error: ToolError, candidates: &[String]) -> ToolError {
        candidates.iter().fold(error, |error, rest| error.hint(format!("did you mean `{}{rest}`?", self.shown)))
    }
}

impl From<BadTarget> for ToolError {
    fn from(error: BadTarget) -> Self {
        Self::invalid(error.to_string()).hint(FORMS)
    }
}
