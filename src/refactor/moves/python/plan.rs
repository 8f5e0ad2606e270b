//! From a relocation to its changes, step by step.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::assembled::{LISTING, TAKING};
use super::cycles::Player;
use super::dotted_names::Chains;
use super::error::Refused;
use super::moves::Moves;
use super::namespaces;
use super::naming::Naming;
use super::place::Place;
use super::project_modules::World;
use super::reexports::Reexports;
use super::source::Source;
use super::statements::{Rewritten, Statements};
use super::stdlib::is_stdlib;
use super::strings::Strings;
use super::tree::{ModuleTree, is_identifier};
use super::{checks, listed_packages, missing_packages, proof, setting_paths};
use crate::plan::{Warning, WarningKind};
use crate::refactor::moves::{Changes, Relocation};
use crate::refactor::refusal::each;
use crate::text::{AbsPath, Text, TextEdit, TextEdits};

/// How the project is read.
pub(super) struct Project<'a> {
    pub(super) read: &'a dyn Fn(&AbsPath) -> Option<Arc<Text>>,
    pub(super) mentioning: &'a dyn Fn(&str) -> Vec<AbsPath>,
}

pub(super) fn changes(relocation: &Relocation, tree: &ModuleTree, project: &Project<'_>) -> Result<Changes, Refused> {
    let moves = Moves::of(relocation, tree)?;
    if moves.is_empty() {
        return Ok(Changes::default());
    }
    let tree = with_namespaces(tree, &moves, project);
    let created = missing_packages::needed(&moves, &tree, relocation.is_dir);
    let mut after_tree = tree.moved(|place| moves.after(place), |place| moves.is_packaged(place), &created);
    for (old, new) in moves.tops() {
        let root = moves.after(&tree.root_of(old));
        below_root(&mut after_tree, &root, new);
    }
    let before = World::new(&tree, project.read);
    checks::check(relocation, &moves, (&before, &after_tree), project.mentioning)?;
    let step = Step {
        relocation,
        moves: &moves,
        before: &before,
        naming: Naming { before: &tree, after: &after_tree, moves: &moves },
        stems: moves.tops().map(|(old, _)| old.name().to_owned()).collect(),
        project,
    };
    step.changes(&created)
}

/// Learns that directories without `__init__` on the way from an import root to what moves can be imported from there.
fn below_root(after: &mut ModuleTree, root: &Place, new: &Place) {
    let way: Vec<Place> = new.upwards().skip(1).take_while(|up| up.is_below(root) && up != root).collect();
    let is_free = |up: &Place| !after.is_root(up) && !after.is_solid(up) && is_identifier(up.name());
    let is_own = way.last().is_some_and(|first| !is_stdlib(first.name()));
    if new.is_below(root) && is_own && way.iter().all(|up| after.is_package(up) || is_free(up)) {
        let spaces: Vec<Place> = way.into_iter().filter(|up| !after.is_package(up)).collect();
        for up in spaces {
            after.add_namespace(up);
        }
    }
}

/// How many of the touched modules are tried as the first to be imported.
const MOST_ENTRIES: usize = 60;

/// Learns which directories around what moves are packages without an `__init__`.
fn with_namespaces(tree: &ModuleTree, moves: &Moves, project: &Project<'_>) -> ModuleTree {
    let world = World::new(tree, project.read);
    let places: BTreeSet<Place> = moves.tops().flat_map(|(old, new)| [old.clone(), new.clone()]).collect();
    let mut known = tree.clone();
    for space in places.iter().flat_map(|place| namespaces::around(&world, place, project.mentioning)) {
        known.add_namespace(space);
    }
    known
}

struct Step<'a> {
    relocation: &'a Relocation,
    moves: &'a Moves,
    before: &'a World<'a>,
    naming: Naming<'a>,
    stems: BTreeSet<String>,
    project: &'a Project<'a>,
}

/// The files that a move may concern.
struct Concerned {
    python: Vec<Rc<Source>>,
    /// Other files that ask for modules by names that they put together.
    asking: Vec<Rc<Source>>,
    others: Vec<AbsPath>,
    unreadable: Vec<AbsPath>,
}

impl Step<'_> {
    fn changes(&self, created: &BTreeSet<Place>) -> Result<Changes, Refused> {
        let concerned = self.concerned();
        let reexports = Reexports::of(&concerned.python);
        let mut done = self.statements(&concerned, &reexports)?;
        let texts = self.texts_after(&done, &concerned)?;
        let read_after = |path: &AbsPath| self.read_after(&texts, path);
        let after = World::new(self.naming.after, &read_after);
        let chains = Chains { before: self.before, after: &after, naming: &self.naming, stems: &self.stems };
        for source in &concerned.python {
            let rewritten = chains.rewrite(source, done.remove(&source.path).unwrap_or_default())?;
            done.insert(source.path.clone(), rewritten);
        }
        self.finish(&concerned, done, created)
    }

    fn concerned(&self) -> Concerned {
        let mut paths: BTreeSet<AbsPath> = self.relocation.files.keys().cloned().collect();
        let mut others = BTreeSet::new();
        for stem in &self.stems {
            let (python, rest): (Vec<_>, Vec<_>) = (self.project.mentioning)(stem).into_iter().partition(is_python);
            paths.extend(python);
            others.extend(rest);
        }
        let mut concerned = Concerned {
            python: Vec::new(),
            asking: Vec::new(),
            others: others.into_iter().collect(),
            unreadable: Vec::new(),
        };
        let asking = TAKING.iter().chain(&LISTING).flat_map(|word| (self.project.mentioning)(word));
        let asking: BTreeSet<AbsPath> = asking.filter(|path| is_python(path) && !paths.contains(path)).collect();
        concerned.asking.extend(asking.iter().filter_map(|path| self.before.source(path)));
        for path in paths.into_iter().filter(is_python) {
            match self.before.source(&path) {
                Some(source) => concerned.python.push(source.unfolded().map_or(source, Rc::new)),
                None => concerned.unreadable.push(path),
            }
        }
        concerned
    }

    /// Rewrites the import statements; those that reach modules through others in a second round, when it
    /// is known what becomes of the others.
    fn statements(
        &self,
        concerned: &Concerned,
        reexports: &Reexports<'_>,
    ) -> Result<BTreeMap<AbsPath, Rewritten>, Refused> {
        let first =
            Statements { before: self.before, after: None, naming: &self.naming, reexports, stems: &self.stems };
        let rewritten = concerned.python.iter().map(|source| Ok((source.path.clone(), first.rewrite(source)?)));
        let mut done: BTreeMap<AbsPath, Rewritten> = each(rewritten)?.into_iter().collect();
        if !done.values().any(|rewritten| rewritten.is_indirect) {
            return Ok(done);
        }
        let texts = self.texts_after(&done, concerned)?;
        let read_after = |path: &AbsPath| self.read_after(&texts, path);
        let after = World::new(self.naming.after, &read_after);
        let second = Statements { after: Some(&after), ..first };
        let is_indirect = |source: &&Rc<Source>| done.get(&source.path).is_some_and(|rewritten| rewritten.is_indirect);
        let indirect = concerned.python.iter().filter(is_indirect);
        let again = each(indirect.map(|source| Ok((source.path.clone(), second.rewrite(source)?))))?;
        done.extend(again);
        Ok(done)
    }

    fn texts_after(&self, done: &BTreeMap<AbsPath, Rewritten>, concerned: &Concerned) -> Result<Texts, Refused> {
        let mut texts = BTreeMap::new();
        for source in &concerned.python {
            let Some(rewritten) = done.get(&source.path).filter(|rewritten| !rewritten.edits.is_empty()) else {
                continue;
            };
            let edits = source.folded(rewritten.edits.clone().finish(source.str()));
            let Some(written) = self.before.source(&source.path) else { continue };
            texts.insert(self.relocation.after(&source.path), Arc::new(applied(&written, edits)?));
        }
        let back = self.relocation.files.iter().map(|(from, to)| (to.clone(), from.clone())).collect();
        Ok(Texts { edited: texts, back, seen: RefCell::default() })
    }

    fn read_after(&self, texts: &Texts, path: &AbsPath) -> Option<Arc<Text>> {
        if let Some(text) = texts.edited.get(path) {
            return Some(text.clone());
        }
        if let Some(known) = texts.seen.borrow().get(path) {
            return known.clone();
        }
        let text = match texts.back.get(path) {
            Some(old) => (self.project.read)(old),
            None if self.relocation.files.contains_key(path) => None,
            None => (self.project.read)(path),
        };
        texts.seen.borrow_mut().insert(path.clone(), text.clone());
        text
    }

    fn finish(
        &self,
        concerned: &Concerned,
        done: BTreeMap<AbsPath, Rewritten>,
        created: &BTreeSet<Place>,
    ) -> Result<Changes, Refused> {
        let texts = self.texts_after(&done, concerned)?;
        let read_after = |path: &AbsPath| self.read_after(&texts, path);
        let after = World::new(self.naming.after, &read_after);
        let proven = |source: &Rc<Source>| {
            let is_touched = self.relocation.files.contains_key(&source.path)
                || done.get(&source.path).is_some_and(|rewritten| !rewritten.edits.is_empty());
            // Examples are no part of the program.
            let old = self.before.source(&source.path).filter(|_| is_touched);
            match old.zip(after.source(&self.relocation.after(&source.path))) {
                Some((old, new)) => proof::check(self.moves, (self.before, &old), (&after, &new)),
                None => Ok(()),
            }
        };
        each(concerned.python.iter().map(proven))?;
        self.no_circles(concerned, &done, &after)?;
        let mut changes = Changes::default();
        for place in created {
            let path = self.naming.after.files_of(place).into_iter().next();
            changes.creates.extend(path.map(|path| (path, Text::new(""))));
        }
        self.gather(concerned, done, &mut changes);
        self.enlist(created, &mut changes);
        Ok(changes)
    }

    /// Refuses a move after which a module could no longer be imported, because modules ask each other for
    /// names that do not exist yet. A rename in place changes nothing about the order of imports.
    fn no_circles(
        &self,
        concerned: &Concerned,
        done: &BTreeMap<AbsPath, Rewritten>,
        after: &World<'_>,
    ) -> Result<(), Refused> {
        if self.moves.tops().all(|(old, new)| old.parent() == new.parent()) {
            return Ok(());
        }
        let is_edited = |source: &Source| done.get(&source.path).is_some_and(|rewritten| !rewritten.edits.is_empty());
        let is_entry = |source: &&Rc<Source>| is_edited(source) || self.relocation.files.contains_key(&source.path);
        let entries: BTreeSet<Place> =
            concerned.python.iter().filter(is_entry).map(|source| source.place.clone()).collect();
        let (then, now) = (Player::new(after), Player::new(self.before));
        for entry in entries.iter().take(MOST_ENTRIES) {
            let Some(failure) = then.failure(&self.moves.after(entry)) else { continue };
            if now.failure(entry).is_some() {
                continue;
            }
            return Err(Refused::Circle {
                module: self.moves.after(entry).to_string(),
                cycle: failure.running.iter().map(|place| format!("`{place}`")).collect::<Vec<_>>().join(", "),
                name: format!("{}:{}", failure.module, failure.name),
            });
        }
        Ok(())
    }

    fn gather(&self, concerned: &Concerned, mut done: BTreeMap<AbsPath, Rewritten>, changes: &mut Changes) {
        let strings = Strings::of(self.moves, self.naming.before, self.naming.after);
        changes.names.extend(strings.names());
        for source in &concerned.python {
            let rewritten = done.remove(&source.path).unwrap_or_default();
            let mut edits = source.folded(rewritten.edits.finish(source.str()));
            let Some(source) = &self.before.source(&source.path) else { continue };
            let (more, mut warnings) = strings.in_python(source, self.before, &edits);
            edits.extend(more);
            let (more, others) = strings.dynamic(source, &self.naming);
            edits.extend(more);
            warnings.extend(others);
            warnings.extend(strings.assembled(source, self.naming.before));
            changes.warnings.extend(warnings);
            if !edits.is_empty() {
                edits.sort();
                changes.edits.insert(source.path.clone(), edits);
            }
        }
        let asking = concerned.asking.iter().flat_map(|source| strings.assembled(source, self.naming.before));
        changes.warnings.extend(asking);
        for path in &concerned.others {
            let Some(text) = (self.project.read)(path) else { continue };
            let (mut edits, mut warnings) = strings.in_text(path, &text, self.before);
            let (led, told) = setting_paths::led(path, &text, self.relocation);
            for (edit, warning) in led.into_iter().zip(told) {
                // A list of names may have it as a name.
                if !edits.iter().any(|it| it.span.overlaps(edit.span)) {
                    edits.push(edit);
                    warnings.push(warning);
                }
            }
            edits.sort();
            changes.warnings.extend(warnings);
            if !edits.is_empty() {
                changes.edits.insert(path.clone(), edits);
            }
        }
        for path in &concerned.unreadable {
            let message = format!("`{path}` cannot be read as UTF-8: its imports are left as they are");
            changes.warnings.push(Warning::at(WarningKind::Unreadable, message, path.clone(), None));
        }
        let moved = concerned.python.iter().filter(|source| self.relocation.files.contains_key(&source.path));
        changes.warnings.extend(moved.flat_map(|source| self.by_place(source)));
        changes.warnings.extend(self.relocation.files.iter().filter_map(by_convention));
        changes.warnings.sort();
        changes.warnings.dedup();
    }
}

impl Step<'_> {
    /// Lists packages that come to be where the project lists its packages one by one.
    fn enlist(&self, created: &BTreeSet<Place>, changes: &mut Changes) {
        let names =
            created.iter().filter_map(|place| self.naming.after.dotted(place, &self.naming.after.root_of(place)));
        let names: Vec<String> = names.collect();
        let files = if names.is_empty() { Vec::new() } else { (self.project.mentioning)("packages") };
        for path in files.into_iter().filter(|path| !self.relocation.files.contains_key(path)) {
            let Some(text) = (self.project.read)(&path) else { continue };
            for name in &names {
                let edit = listed_packages::enlisted(&path, text.as_str(), name);
                changes.edits.entry(path.clone()).or_default().extend(edit);
            }
            changes.edits.retain(|_, edits| !edits.is_empty());
            if let Some(edits) = changes.edits.get_mut(&path) {
                edits.sort();
            }
        }
    }

    /// Tells whether all that a file finds from its own place moves with it: it climbs no higher than what moves as a whole.
    fn moves_along(&self, source: &Source) -> bool {
        let Some(below) = source.path.relative_to(&self.relocation.from).filter(|_| self.relocation.is_dir) else {
            return false;
        };
        let text = source.str();
        let climbs = ["\"..", "'..", "/..", "pardir", "parents"].iter().any(|it| text.contains(it));
        let steps = source.tokens.iter().filter(|token| CLIMBING.iter().any(|name| token.is_name(text, name))).count();
        !climbs && steps <= below.as_str().split('/').count()
    }

    /// Warns of what a moved file asks of its own place.
    fn by_place(&self, source: &Source) -> Vec<Warning> {
        let (text, place) = (source.str(), self.naming.place_after(source));
        let is_packaged = self.moves.is_packaged(&place);
        let asks = |(kind, name): (WarningKind, &str), message: &str| {
            let token = source.tokens.iter().find(|token| token.is_name(text, name))?;
            let range = source.text.range(token.span);
            Some(Warning::at(kind, message, source.path.clone(), range))
        };
        let mut found = Vec::new();
        if self.naming.directory_after(source) != source.directory && !self.moves_along(source) {
            found.push(asks(
                (WarningKind::RunTime, "__file__"),
                "the file asks where it lies: paths that are made from `__file__` lead elsewhere",
            ));
            let resources = "the file asks for files beside its module, which lie elsewhere than it then";
            found.extend(RESOURCES.iter().map(|name| asks((WarningKind::RunTime, name), resources)));
        }
        if is_packaged {
            found.push(asks(
                (WarningKind::FollowUp, "__package__"),
                "`__package__` is another one in a package than in a module of its name",
            ));
            let is_run = source.strings().any(|(span, _)| span.of(text).is_some_and(|it| it.contains("__main__")));
            let message = "it is run as a program: `python -m` runs the `__main__` of a package";
            found.push(asks((WarningKind::FollowUp, "__name__"), message).filter(|_| is_run));
        }
        found.into_iter().flatten().collect()
    }
}

/// What leads from a path to the directory around it.
const CLIMBING: [&str; 2] = ["parent", "dirname"];
/// What finds files by a package (Python's `pkgutil` and `importlib.resources`).
const RESOURCES: [&str; 2] = ["get_data", "resources"];

/// The texts after the move, by their paths after it.
struct Texts {
    edited: BTreeMap<AbsPath, Arc<Text>>,
    back: BTreeMap<AbsPath, AbsPath>,
    seen: RefCell<BTreeMap<AbsPath, Option<Arc<Text>>>>,
}

fn applied(source: &Source, edits: Vec<TextEdit>) -> Result<Text, Refused> {
    let overlap = |_| Refused::Unsound { path: source.path.clone(), import: "two edits of one place".to_owned() };
    let edits = TextEdits::new(edits).map_err(overlap)?;
    Ok(source.text.with_content(edits.apply(source.str())))
}

fn is_python(path: &AbsPath) -> bool {
    matches!(path.extension(), "py" | "pyi")
}

/// Warns of files that tools find by their name and place.
fn by_convention((from, to): (&AbsPath, &AbsPath)) -> Option<Warning> {
    let is_moved_alone = from.file_name() != to.file_name();
    let message = match from.file_name() {
        "conftest.py" => "pytest finds `conftest.py` by its name and place: its fixtures now count elsewhere",
        "__main__.py" if is_moved_alone => "`python -m` runs `__main__.py` by its name",
        _ => return None,
    };
    Some(Warning::at(WarningKind::FollowUp, message, from.clone(), None))
}
