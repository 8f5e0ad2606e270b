//! What is renamed in Python, where a string names it by its path: `patch("shop.orders.total")`,
//! `tool = "shop.cli:main"`. No server looks there.

use std::collections::{BTreeMap, BTreeSet};

use super::RenameRequest;
use super::edited_spans::{overlaps_any, sorted};
use super::forward_references::is_python;
use super::mentions::is_said;
use super::name_conventions::is_test_file;
use super::proximity::{Nearness, WeighedPlaces};
use super::subject::Subject;
use super::test_doubles::called_with;
use crate::plan::{Parts, Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::python::star_names::StarNames;
use crate::refactor::moves::python::with_modules;
use crate::session::{Parsed, Session};
use crate::syntax::{Family, Node, Site, site, whole_words};
use crate::text::{AbsPath, Span, Text, TextEdit, line_list};

/// Settings that name code by its path: entry points, loggers, plugins.
const SETTINGS: [&str; 6] = ["toml", "cfg", "ini", "json", "yaml", "yml"];
/// What takes a filter of warnings, in which a category stands by its path (pytest's mark).
const FILTERING: &str = "filterwarnings";
/// No path of a name is longer.
const LONGEST: usize = 200;

/// One declaration, or import of it, that the plan renames at the top of a module or of a class.
struct Target {
    file: AbsPath,
    /// Its names from the module down, its own last.
    path: Vec<String>,
}

/// Adds an edit wherever a string or a setting names what the plan renames by its whole path, with a warning for each file.
pub(super) fn add(
    session: &Session,
    subject: &Subject,
    request: &RenameRequest,
    parts: &mut Parts,
) -> Result<Vec<Warning>, Refusal> {
    if subject.language.family() != Family::Python || subject.is_local() {
        return Ok(Vec::new());
    }
    let mut written = Vec::new();
    for path in session.disk().files_mentioning(&subject.name) {
        let Ok(text) = session.disk().read(&path) else { continue };
        let paths = if path.extension().starts_with("py") {
            session.parsed(&path)?.map(|parsed| in_strings(&parsed, &subject.name)).unwrap_or_default()
        } else if SETTINGS.contains(&path.extension()) {
            in_text(text.as_str(), &subject.name)
        } else {
            Vec::new()
        };
        written.extend((!paths.is_empty()).then_some((path, text, paths)));
    }
    // To list what is declared in every edited file takes its time.
    let targets = if written.is_empty() { Vec::new() } else { targets(session, request, parts)? };
    let mut warnings = Vec::new();
    for (path, text, paths) in written {
        let edited = parts.edits.get(&path).map_or_else(Vec::new, |(_, edits)| sorted(edits));
        let all =
            paths.into_iter().flat_map(|span| meant(text.as_str(), span, &subject.name, &targets, session.root()));
        let found: Vec<Span> = all.filter(|span| !overlaps_any(&edited, *span)).collect();
        let Some(first) = found.first() else { continue };
        warnings.push(warning(&path, &text, *first, &found));
        let (_, edits) = parts.edits.entry(path).or_insert_with(|| (text, Vec::new()));
        edits.extend(found.into_iter().map(|span| TextEdit::new(span, request.new_name.clone())));
    }
    Ok(warnings)
}

/// Takes those mentions for code that stand behind the whole path in a longer string of a test: what it compares with what the
/// program says, which may say the path that was edited.
pub(super) fn spelled(
    session: &Session,
    (subject, request): (&Subject, &RenameRequest),
    parts: &Parts,
    left: &mut WeighedPlaces,
) -> Result<(), Refusal> {
    if subject.language.family() != Family::Python || subject.is_local() {
        return Ok(());
    }
    let mentioned = left.keys().filter(|(nearness, path)| *nearness == Nearness::Code && is_test_file(path));
    let files: Vec<AbsPath> = mentioned.map(|(_, path)| path.clone()).collect();
    let mut targets = None;
    for path in files {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let mentions = left.get_mut(&(Nearness::Code, path.clone())).expect("its key was just read");
        let behind: Vec<(Span, Vec<&str>)> =
            mentions.iter().filter_map(|span| Some((*span, path_before(&parsed, *span)?))).collect();
        if behind.is_empty() {
            continue;
        }
        let targets = match &targets {
            Some(known) => known,
            None => targets.insert(self::targets(session, request, parts)?),
        };
        let is_meant = |names: &[&str]| targets.iter().any(|target| target.is_held_by(names, session.root()));
        let spelled: Vec<Span> =
            behind.into_iter().filter(|(_, names)| is_meant(names)).map(|(span, _)| span).collect();
        mentions.retain(|span| !spelled.contains(span));
        let all = left.entry((Nearness::Spelled, path)).or_default();
        all.extend(spelled);
        all.sort();
    }
    left.retain(|_, spans| !spans.is_empty());
    Ok(())
}

/// The path before a name in a string, as a pattern may spell it (`shop\.orders\.`); nothing of what is said to a reader.
fn path_before(parsed: &Parsed, name: Span) -> Option<Vec<&str>> {
    let text = parsed.text.as_str();
    let string = parsed.tree.nodes().covering(name);
    if site(&parsed.tree, text, name) != Site::String || string.ancestors().any(|outer| is_said(outer, text)) {
        return None;
    }
    let before = text[..name.start].strip_suffix('.')?;
    let start = before.rfind(|one| !is_of_path(one) && one != '\\').map_or(0, |at| at + width_at(text, at));
    Some(before[start..].split('.').map(|one| one.trim_end_matches('\\')).collect())
}

/// Lists what the plan declares anew or imports by the new name, module by module.
fn targets(session: &Session, request: &RenameRequest, parts: &Parts) -> Result<Vec<Target>, Refusal> {
    let mut targets = Vec::new();
    for (path, (_text, edits)) in &parts.edits {
        let Some(parsed) = session.parsed(path)? else { continue };
        let plain = |edit: &&TextEdit| edit.new_text == request.new_name;
        let renamed: Vec<Span> = edits.iter().filter(plain).map(|edit| edit.span).collect();
        let declared = parsed.declarations().iter();
        let declared = declared.filter(|one| renamed.contains(&one.name_span));
        targets.extend(declared.map(|one| Target { file: path.clone(), path: one.path.clone() }));
    }
    let imported = imported(session, &targets)?;
    targets.extend(imported);
    Ok(targets)
}

/// Lists the modules that take the class of a renamed member from the one that declares it, as others that it is reached by.
fn imported(session: &Session, targets: &[Target]) -> Result<Vec<Target>, Refusal> {
    let members: Vec<&Target> = targets.iter().filter(|target| target.path.len() > 1).collect();
    if members.is_empty() {
        return Ok(Vec::new());
    }
    with_modules(session, &BTreeMap::new(), |links| {
        let mut found = Vec::new();
        for target in members {
            let names = StarNames { session, links, name: &target.path[0] };
            let files = session.disk().files_mentioning(names.name).into_iter();
            for file in files.filter(|file| is_python(file) && *file != target.file) {
                if names.origin(&file, &mut BTreeSet::new())?.as_ref() == Some(&target.file) {
                    found.push(Target { file, path: target.path.clone() });
                }
            }
        }
        Ok(found)
    })
}

impl Target {
    /// Tells whether `names`, the last left out, lead to what holds the target: a module by any name that it may be
    /// imported by, and the classes in it.
    fn is_held_by(&self, names: &[&str], root: &AbsPath) -> bool {
        let Some(module) = names.len().checked_sub(self.path.len() - 1).filter(|length| *length > 0) else {
            return false;
        };
        let (module, holders) = names.split_at(module);
        let own = &self.path[..self.path.len() - 1];
        holders.iter().eq(own) && is_called(&self.file, module, root)
    }
}

/// Tells whether a file can be imported as the module of these names: they end its path, and begin at the root or below
/// a directory that is no package.
fn is_called(file: &AbsPath, names: &[&str], root: &AbsPath) -> bool {
    let Some(relative) = file.relative_to(root) else { return false };
    let stem = relative.as_str().rsplit_once('.').map_or(relative.as_str(), |(stem, _)| stem);
    let mut parts: Vec<&str> = stem.split('/').collect();
    parts.pop_if(|last| *last == "__init__");
    let Some(above) = parts.len().checked_sub(names.len()) else { return false };
    let package = parts[..above].join("/");
    parts[above..] == *names && (above == 0 || !root.as_path().join(package).join("__init__.py").is_file())
}

/// The strings that hold a path with the name in it, and nothing else.
fn in_strings(parsed: &Parsed, name: &str) -> Vec<Span> {
    let text = parsed.text.as_str();
    let contents = parsed.tree.nodes().iter().filter(|node| node.is("string_content")).map(Node::span);
    let is_meant = |path: &str| is_path(path) && path.split(['.', ':']).any(|one| one == name);
    let mut found: Vec<Span> =
        contents.filter(|span| span.len() <= LONGEST && span.of(text).is_some_and(is_meant)).collect();
    let is_filter = |node: &Node<'_>| node.is("string_content") && called_with(*node, text) == Some(FILTERING);
    for content in parsed.tree.nodes().iter().filter(is_filter) {
        let paths = in_text(content.text(text), name).into_iter();
        found.extend(paths.map(|path| Span::new(content.start() + path.start, content.start() + path.end)));
    }
    found.sort();
    found.dedup();
    found
}

/// The paths in settings that the name stands in.
fn in_text(text: &str, name: &str) -> Vec<Span> {
    let around = |word: Span| {
        let start = text[..word.start].rfind(|one| !is_of_path(one)).map_or(0, |at| at + width_at(text, at));
        let end = text[word.end..].find(|one| !is_of_path(one)).map_or(text.len(), |at| word.end + at);
        Span::new(start, end)
    };
    let mut found: Vec<Span> = whole_words(text, name).into_iter().map(around).collect();
    found.retain(|span| span.of(text).is_some_and(|path| path.contains(['.', ':'])));
    found.dedup();
    found
}

fn width_at(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

fn is_of_path(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '_' | '.' | ':')
}

fn is_path(text: &str) -> bool {
    text.chars().all(is_of_path) && text.contains(['.', ':'])
}

/// The names of a path that mean a target.
fn meant(text: &str, path: Span, name: &str, targets: &[Target], root: &AbsPath) -> Vec<Span> {
    let (mut names, mut found, mut at, mut since_colon) = (Vec::new(), Vec::new(), path.start, 0);
    for one in path.of(text).unwrap_or_default().split(['.', ':']) {
        // What stands before a colon may be no part of the path: `ignore::shop.Old` filters warnings.
        let is_meant = |target: &Target| {
            target.is_held_by(&names, root) || target.is_held_by(&names[since_colon.min(names.len())..], root)
        };
        if one == name && targets.iter().any(is_meant) {
            found.push(Span::new(at, at + one.len()));
        }
        names.push(one);
        at += one.len() + 1;
        if text[..at].ends_with(':') {
            since_colon = names.len();
        }
    }
    found
}

fn warning(path: &AbsPath, text: &Text, first: Span, all: &[Span]) -> Warning {
    let lines = line_list(text, all);
    let message = format!("edited where strings name it by its path ({lines}), which no server has confirmed");
    Warning::at(WarningKind::StringEdited, message, path.clone(), text.range(first)).standing_for(all.len())
}
