//! The declarations of a whole project, renewed as its files change.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use super::id::Id;
use super::matching::{Former, Known, assign};
use super::module::{DeclarationRow, Gone, Module};
use super::store;
use crate::inspect::parse;
use crate::plan::Plan;
use crate::session::Session;
use crate::syntax::Language;
use crate::text::{AbsPath, RelPath};
use crate::workspace::{FileEntry, Files, Stamp, StateDir, gather, locked};

/// A file larger than this was not written by hand.
const MOST_BYTES: u64 = 2 * 1024 * 1024;
/// So many ids of what is gone are kept, for what comes back.
const MOST_GONE: usize = 5_000;

/// The declarations of one project.
pub struct Declarations {
    file: AbsPath,
    kept: Mutex<Option<(Files, Arc<Index>)>>,
    /// Where plans that were carried out have put declarations.
    known: Mutex<Known>,
}

/// The declarations of a project as it stands.
#[derive(Default)]
pub struct Index {
    modules: BTreeMap<String, StoredDeclaration>,
    by_id: HashMap<Id, (String, usize)>,
    gone: Vec<Gone>,
}

#[derive(Clone)]
struct StoredDeclaration {
    module: Arc<Module>,
    /// Nothing where it was kept from an earlier run.
    stamp: Option<Stamp>,
}

/// A declaration with its module.
#[derive(Debug, Clone)]
pub struct FoundDeclaration {
    pub module: Arc<Module>,
    pub number: usize,
}

impl FoundDeclaration {
    pub fn row(&self) -> &DeclarationRow {
        &self.module.rows[self.number]
    }
}

impl Declarations {
    /// Keeps the ids of the project at `root` in the state directory.
    pub fn of(root: &AbsPath, state: &StateDir) -> Self {
        Self { file: state.declarations(root), kept: Mutex::default(), known: Mutex::default() }
    }

    /// Returns the index of the project as the last walk of its disk found it. Only what changed is read.
    pub fn index(&self, session: &Session) -> Arc<Index> {
        let files = session.disk().files();
        // Locked meanwhile: who asks at the same time waits for the same answer.
        let mut kept = locked(&self.kept);
        let last = match kept.take() {
            Some((of, index)) if of.is(&files) => {
                *kept = Some((of, Arc::clone(&index)));
                return index;
            }
            Some((_, index)) => index,
            None => Arc::new(Index::stored(&self.file)),
        };
        let known = std::mem::take(&mut *locked(&self.known));
        let (index, is_new) = last.renewed(session, &files, &known);
        let index = Arc::new(index);
        if is_new {
            store::keep(&self.file, index.modules.values().map(|held| &held.module), &index.gone);
        }
        *kept = Some((files, Arc::clone(&index)));
        index
    }

    /// Tells where a plan puts what is declared, so that it keeps its id whatever it is called then: to be noted by
    /// [`Self::follow`] when the plan was carried out.
    pub fn trail(&self, plan: &Plan, root: &AbsPath) -> Trail {
        let (mut trail, kept) = (Known::new(), locked(&self.kept));
        let Some((_, index)) = &*kept else { return Trail(trail) };
        let touched: BTreeSet<&AbsPath> = plan.edits().keys().chain(plan.moves().keys()).collect();
        for path in touched {
            let relative = |path: &AbsPath| path.relative_to(root).map(|path| path.as_str().to_owned());
            let module = relative(path).and_then(|path| index.module(&path));
            let after = plan.path_after(path).as_ref().and_then(relative);
            let (Some(module), Some(after)) = (module, after) else { continue };
            let edits = plan.edits().get(path);
            // Made of another text than the index: its places say nothing.
            if edits.is_some_and(|edit| *edit.before.hash() != module.hash) {
                continue;
            }
            for row in &module.rows {
                let start = row.name_span.start;
                let start = edits.map_or(start, |edit| edit.edits.map_name_start(start));
                trail.insert((after.clone(), start), row.id);
            }
        }
        Trail(trail)
    }

    /// Notes where declarations stand after a plan.
    pub fn follow(&self, trail: Trail) {
        locked(&self.known).extend(trail.0);
    }
}

/// Where declarations stand after a plan.
pub struct Trail(Known);

impl Trail {
    /// Adds where one stands whose text was written anew: by its module, and where its name begins.
    pub fn with(mut self, id: Id, path: &str, name_start: usize) -> Self {
        self.0.retain(|_, known| *known != id);
        self.0.insert((path.to_owned(), name_start), id);
        self
    }
}

impl Index {
    fn stored(file: &AbsPath) -> Self {
        let Some((modules, gone)) = store::load(file) else { return Self::default() };
        let modules =
            modules.into_iter().map(|(path, module)| (path, StoredDeclaration { module, stamp: None })).collect();
        Self { modules, gone, ..Self::default() }
    }

    /// Returns the modules below a directory, or the one at a path, in the order of their paths.
    pub fn modules<'i>(&'i self, below: &str) -> impl Iterator<Item = &'i Arc<Module>> {
        let below = if below == "." { String::new() } else { below.trim_end_matches('/').to_owned() };
        let is_below = move |path: &str| {
            below.is_empty()
                || path.strip_prefix(below.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.modules.values().map(|held| &held.module).filter(move |module| is_below(&module.path))
    }

    pub fn module(&self, path: &str) -> Option<&Arc<Module>> {
        self.modules.get(path).map(|held| &held.module)
    }

    pub fn get(&self, id: Id) -> Option<FoundDeclaration> {
        let (path, number) = self.by_id.get(&id)?;
        Some(FoundDeclaration { module: Arc::clone(self.module(path)?), number: *number })
    }

    /// Returns what is known of a declaration that is there no more.
    pub fn gone(&self, id: Id) -> Option<&Gone> {
        self.gone.iter().find(|gone| gone.id == id)
    }

    /// Renews what changed; tells whether anything did.
    fn renewed(&self, session: &Session, files: &Files, known: &Known) -> (Self, bool) {
        let root = session.root();
        let mut modules: BTreeMap<String, StoredDeclaration> = BTreeMap::new();
        let mut stale: Vec<(&FileEntry, String, Language)> = Vec::new();
        for file in files.iter().filter(|file| file.stamp.size <= MOST_BYTES) {
            let Some(language) = file.language().filter(|language| *language != Language::Json) else { continue };
            let Some(path) = file.path.relative_to(root).as_ref().map(RelPath::to_string) else { continue };
            match self.modules.get(&path) {
                Some(held) if held.stamp.is_some_and(|stamp| stamp.same(&file.stamp)) => {
                    modules.insert(path, held.clone());
                }
                _ => stale.push((file, path, language)),
            }
        }
        let read = |(file, path, language): &(&FileEntry, String, Language)| {
            let text = session.disk().read(&file.path).ok()?;
            let last = self.module(path).filter(|module| module.hash == *text.hash());
            if let Some(module) = last {
                return Some(Ok(StoredDeclaration { module: Arc::clone(module), stamp: Some(file.stamp) }));
            }
            let tree = parse(*language, &text)?;
            Some(Err((Module::read(path, *language, (&tree, &text)), file.stamp)))
        };
        let looked = gather(&stale, &AtomicBool::new(false), read).unwrap_or_default();
        let mut fresh: Vec<(Module, Stamp)> = Vec::new();
        for one in looked.into_iter().flatten() {
            match one {
                Ok(held) => drop(modules.insert(held.module.path.clone(), held)),
                Err(new) => fresh.push(new),
            }
        }
        let is_new = !fresh.is_empty() || modules.len() != self.modules.len();
        let index = self.completed(modules, fresh, known);
        (index, is_new)
    }

    /// Gives what was read anew its ids.
    fn completed(
        &self,
        mut modules: BTreeMap<String, StoredDeclaration>,
        fresh: Vec<(Module, Stamp)>,
        known: &Known,
    ) -> Self {
        let mut former: Vec<Former> = Vec::new();
        let changed = self.modules.values().filter(|held| !modules.contains_key(&held.module.path));
        for module in changed.map(|held| &held.module) {
            former.extend(module.rows.iter().map(|row| Former {
                id: row.id,
                parent: row.parent.map(|parent| module.rows[parent].id),
                path: module.path.clone(),
                names: row.names.clone(),
                kind: row.kind,
                print: row.print,
            }));
        }
        let taken: HashSet<Id> = modules.values().flat_map(|held| held.module.rows.iter().map(|row| row.id)).collect();
        let (mut new, stamps): (Vec<Module>, Vec<Stamp>) = fresh.into_iter().unzip();
        let mut gone = assign(former, &self.gone, &mut new, (known, &taken));
        for (module, stamp) in new.into_iter().zip(stamps) {
            modules.insert(module.path.clone(), StoredDeclaration { module: Arc::new(module), stamp: Some(stamp) });
        }
        let mut by_id = HashMap::with_capacity(taken.len());
        for held in modules.values() {
            let rows = held.module.rows.iter().enumerate();
            by_id.extend(rows.map(|(number, row)| (row.id, (held.module.path.clone(), number))));
        }
        gone.extend(self.gone.iter().filter(|one| !by_id.contains_key(&one.id)).cloned());
        gone.truncate(MOST_GONE);
        Self { modules, by_id, gone }
    }
}
