//! Which files a plan could affect: those that it touches, and those that imports lead to what it changes.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::carries_code;
use super::propagation::VisibleChanges;
use crate::plan::{Plan, Problem};
use crate::refactor::moves::Importers;
use crate::session::{Parsed, Session};
use crate::syntax::DeclarationKind::{Constant, Parameter, Variable};
use crate::syntax::kinds::Role;
use crate::syntax::{Family, Language, Site, is_any_function, site, whole_words};
use crate::text::{AbsPath, Span};

/// Files grouped by the language whose server checks them.
pub(super) type ByLanguage = BTreeMap<Language, Vec<AbsPath>>;

/// The files that a plan could affect.
#[derive(Debug, Clone, Default)]
pub(super) struct Affected {
    /// Those to look at, by language, addressed before the plan; files of no language are left out.
    pub files: ByLanguage,
    /// How many more there are.
    pub left_out: usize,
}

/// So many files are looked at only because a type of what changes may come to them; the nearest are.
const MOST_REACHED: usize = 100;
/// As many scripts: tsserver looks at ten in the time that basedpyright takes for one.
const MOST_SCRIPTS: usize = 1000;

/// Returns them: the touched ones, those that say a name that comes or goes and that imports lead there, those that import
/// what moves, and those that a type may come to. No checker reads the files of another family; what holds data, or is of no
/// known language, may be read from any.
pub(super) fn of(session: &Session, plan: &Plan, carried: &VisibleChanges) -> Affected {
    let importers = Importers::of(session);
    let touched = plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys());
    let mut found: BTreeSet<AbsPath> = touched.cloned().collect();
    for (path, names) in &carried.names {
        found.extend(saying(session, &importers, path, names));
    }
    for (path, names) in &carried.members {
        found.extend(saying_of_member(session, &importers, path, names));
    }
    for (path, names) in &carried.imported {
        found.extend(saying_of_import(session, &importers, path, names));
    }
    let gone = plan.moves().keys().chain(plan.deletes().keys());
    let come = plan.moves().values().map(|step| &step.to).chain(plan.creates().keys());
    found.extend(gone.clone().flat_map(|path| importers.direct(path)).cloned());
    let stems: BTreeSet<&str> = gone.chain(come).filter(|path| known(path)).map(stem).collect();
    found.extend(importers.naming(&stems).cloned());
    let mut reached = importers.reached(&carried.types);
    reached.retain(|path| !found.contains(*path));
    let (mut looked_at, mut left_out) = ([0; 2], 0);
    for path in reached {
        let is_script = family(path) == Family::Script;
        let most = if is_script { MOST_SCRIPTS } else { MOST_REACHED };
        if looked_at[usize::from(is_script)] < most {
            looked_at[usize::from(is_script)] += 1;
            found.insert(path.clone());
        } else {
            left_out += 1;
        }
    }
    Affected { files: by_language(found), left_out }
}

/// Returns the files that say one of the names of a file, of those that may know them.
fn saying(session: &Session, importers: &Importers, path: &AbsPath, names: &BTreeSet<String>) -> Vec<AbsPath> {
    let said: BTreeSet<AbsPath> = names.iter().flat_map(|name| session.disk().files_mentioning(name)).collect();
    if known(path) {
        let reached: BTreeSet<&AbsPath> = importers.reached([path]).into_iter().collect();
        return said
            .into_iter()
            .filter(|path| reached.contains(path) && says_in_code(session, path, names, |_, _| true))
            .collect();
    }
    let own = family(path);
    said.into_iter().filter(|path| own == Family::Data || own == family(path)).collect()
}

/// Returns the files that may take from a module what it only imported: those that import it, or what takes all of it, and
/// those that ask some object for a member of that name.
fn saying_of_import(
    session: &Session,
    importers: &Importers,
    path: &AbsPath,
    names: &BTreeSet<String>,
) -> Vec<AbsPath> {
    let takers = importers.takers(path);
    let is_member = |parsed: &Parsed, span| site(&parsed.tree, parsed.text.as_str(), span) == Site::Member;
    let may_take = |other: &AbsPath| takers.contains(other) || says_in_code(session, other, names, is_member);
    saying(session, importers, path, names).into_iter().filter(may_take).collect()
}

/// Returns the files that say the name of a member of a class of Python, be it of another class or of a module.
fn saying_of_member(
    session: &Session,
    importers: &Importers,
    path: &AbsPath,
    names: &BTreeSet<String>,
) -> Vec<AbsPath> {
    let may_say = |other: &AbsPath| says_in_code(session, other, names, |parsed, span| !is_variable(parsed, span));
    saying(session, importers, path, names).into_iter().filter(may_say).collect()
}

/// Tells whether a name stands for a variable: where one is asked for, or where a function has its own.
fn is_variable(parsed: &Parsed, span: Span) -> bool {
    let is_inner = || {
        let mut around = parsed.tree.nodes().covering(span).ancestors();
        around.find(|it| is_any_function(*it) || it.has(Role::Class)).is_some_and(is_any_function)
    };
    match site(&parsed.tree, parsed.text.as_str(), span) {
        Site::Plain => true,
        Site::Declaration(Variable | Constant | Parameter) => is_inner(),
        _ => false,
    }
}

/// Tells whether one of the names stands outside comments and texts of several words, at a place that is wanted: a single word
/// in quotes may be a type.
fn says_in_code(
    session: &Session,
    path: &AbsPath,
    names: &BTreeSet<String>,
    is_wanted: impl Fn(&Parsed, Span) -> bool,
) -> bool {
    let Ok(Some(parsed)) = session.parsed(path) else { return true };
    let text = parsed.text.as_str();
    let is_prose = |span: Span| match site(&parsed.tree, text, span) {
        Site::Comment => true,
        Site::String => parsed.tree.nodes().covering(span).text(text).contains(char::is_whitespace),
        _ => false,
    };
    let mut places = names.iter().flat_map(|name| whole_words(text, name));
    places.any(|span| !is_prose(span) && is_wanted(&parsed, span))
}

fn by_language(paths: BTreeSet<AbsPath>) -> ByLanguage {
    let mut groups = ByLanguage::new();
    for path in paths {
        if let Some(language) = Language::of_path(&path).filter(|language| *language != Language::Json) {
            groups.entry(language).or_default().push(path);
        }
    }
    groups
}

/// The name by which imports call a module.
fn stem(path: &AbsPath) -> &str {
    let stem = path.file_stem().strip_suffix(".d").unwrap_or(path.file_stem());
    let outer = || path.as_path().parent().and_then(|dir| dir.file_name()).and_then(|name| name.to_str());
    if matches!(stem, "__init__" | "index") { outer().unwrap_or(stem) } else { stem }
}

fn known(path: &AbsPath) -> bool {
    Importers::knows(family(path))
}

impl Affected {
    /// Returns how many files are looked at.
    pub(super) fn count(&self) -> usize {
        self.files.values().map(Vec::len).sum()
    }
}

fn family(path: &AbsPath) -> Family {
    Language::of_path(path).map_or(Family::Data, Language::family)
}

/// Tells whether a file that a plan touches is one that some checker reads.
pub(super) fn touches_code(plan: &Plan) -> bool {
    let known =
        plan.edits().keys().chain(plan.moves().keys()).chain(plan.deletes().keys()).chain(plan.creates().keys());
    known.into_iter().any(|path| family(path) != Family::Data)
}

/// Keeps the files in which anything is found after the plan, and those that it may have come from: in the others there
/// is nothing to ask of the time before.
pub(super) fn with_findings(plan: &Plan, mut groups: ByLanguage, after: &[Problem]) -> ByLanguage {
    let found: BTreeSet<&AbsPath> = after.iter().map(|problem| &problem.path).collect();
    let is_written = |path: &&AbsPath| plan.edits().contains_key(*path) || plan.creates().contains_key(*path);
    let may_have_come = carries_code(plan) && found.iter().any(is_written);
    let is_left = |path: &AbsPath| plan.edits().contains_key(path) || plan.deletes().contains_key(path);
    for files in groups.values_mut() {
        let is_found = |path: &AbsPath| plan.path_after(path).is_some_and(|path| found.contains(&path));
        files.retain(|path| is_found(path) || may_have_come && is_left(path));
    }
    groups
}
