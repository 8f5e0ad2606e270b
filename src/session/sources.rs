//! A project's texts with their trees, which are kept as long as the texts stay the same.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::syntax;
use crate::syntax::python::Class;
use crate::syntax::scopes::Name;
use crate::syntax::{Declaration, Language, Stem, Tree};
use crate::text::{AbsPath, Span, Text};
use crate::workspace::{Disk, Files, ReadError};

/// About what one node takes, in tree-sitter's tree and in the flat one, in bytes.
const NODE_BYTES: usize = 64;
/// How much is kept for the next question, in bytes.
const KEPT_BYTES: usize = 64 * 1024 * 1024;

/// A file's text and its tree, and what has been read from them.
pub struct Parsed {
    pub text: Arc<Text>,
    pub tree: Tree,
    declarations: OnceLock<Vec<Declaration>>,
    classes: OnceLock<Vec<Class>>,
    names: OnceLock<Vec<Name>>,
}

impl Parsed {
    pub fn new(text: Arc<Text>, tree: Tree) -> Self {
        Self { text, tree, declarations: OnceLock::new(), classes: OnceLock::new(), names: OnceLock::new() }
    }

    /// Returns what the file declares, as [`syntax::declarations`] does.
    pub fn declarations(&self) -> &[Declaration] {
        self.declarations.get_or_init(|| syntax::declarations(&self.tree, self.text.as_str()))
    }

    /// Returns the classes of a Python file, as [`syntax::python::classes`] does.
    pub fn classes(&self) -> &[Class] {
        self.classes.get_or_init(|| syntax::python::classes(&self.tree, self.text.as_str()))
    }

    /// Returns the names that are bound or looked up, as [`syntax::scopes::names`] does.
    pub fn names(&self) -> &[Name] {
        self.names.get_or_init(|| syntax::scopes::names(&self.tree, self.text.as_str()))
    }
}

/// The disk, and the trees of what was read from it lately. Clones share everything.
#[derive(Clone)]
pub struct Sources {
    disk: Disk,
    trees: Arc<Mutex<Trees>>,
    stems: Arc<Mutex<Option<KeptStems>>>,
}

/// What is known of the names that a program puts together as it runs, each with the places where it stands.
pub type Stems = BTreeMap<Stem, Vec<(AbsPath, Span)>>;

/// Those of the files of one walk.
type KeptStems = (Files, Arc<Stems>);

impl Sources {
    pub fn new(disk: Disk) -> Self {
        Self { disk, trees: Arc::default(), stems: Arc::default() }
    }

    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Reads and parses a file of the project, or a library's file outside it; nothing where no grammar is
    /// known for it.
    pub fn parsed(&self, path: &AbsPath) -> Result<Option<Arc<Parsed>>, ReadError> {
        if Language::of_path(path).is_none() {
            return Ok(None);
        }
        Ok(self.parse(path, &self.disk.read_named(path)?))
    }

    /// Parses the text of a file; nothing where no grammar is known for it.
    pub fn parse(&self, path: &AbsPath, text: &Arc<Text>) -> Option<Arc<Parsed>> {
        let language = Language::of_path(path)?;
        if let Some(known) = self.lock().get(path, text) {
            return Some(known);
        }
        // Not locked meanwhile: others parse other files.
        let parsed = Arc::new(Parsed::new(Arc::clone(text), Tree::parse(language, text.as_str())));
        self.lock().put(path, &parsed);
        Some(parsed)
    }

    /// Returns what is known of names that are put together in the files that ask for attributes by name, as of the disk's
    /// last walk.
    pub fn stems(&self) -> Arc<Stems> {
        let files = self.disk.files();
        // Locked meanwhile: who asks at the same time waits for the same answer.
        let mut kept = self.stems.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((known, stems)) if known.is(&files) => Arc::clone(stems),
            _ => {
                let stems = Arc::new(stems_of(&self.disk));
                *kept = Some((files, Arc::clone(&stems)));
                stems
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Trees> {
        self.trees.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stems_of(disk: &Disk) -> Stems {
    let mut found = Stems::new();
    let asking = syntax::ATTRIBUTE_ACCESS.iter().flat_map(|(word, _)| disk.files_mentioning(word));
    for path in BTreeSet::from_iter(asking) {
        let Ok(text) = disk.read(&path) else { continue };
        if !syntax::asks_by_made_name(text.as_str()) {
            continue;
        }
        for (stem, span) in syntax::stems(text.as_str()) {
            found.entry(stem).or_default().push((path.clone(), span));
        }
    }
    found
}

/// Trees by path; the oldest go where there are too many.
#[derive(Default)]
struct Trees {
    known: HashMap<AbsPath, Arc<Parsed>>,
    /// In the order of their coming, each with its weight in bytes.
    recent: VecDeque<(AbsPath, usize)>,
    bytes: usize,
    /// The latest of those that would take the room of all others.
    large: Option<(AbsPath, Arc<Parsed>)>,
}

impl Trees {
    fn get(&self, path: &AbsPath, text: &Arc<Text>) -> Option<Arc<Parsed>> {
        // The tree keeps its text alive, so that a file that stayed the same is read as the same text.
        let large = self.large.iter().filter(|(known, _)| known == path).map(|(_, parsed)| parsed);
        self.known.get(path).into_iter().chain(large).find(|parsed| Arc::ptr_eq(&parsed.text, text)).cloned()
    }

    fn put(&mut self, path: &AbsPath, parsed: &Arc<Parsed>) {
        let weight = parsed.tree.root().descendant_count() * NODE_BYTES + parsed.text.as_str().len();
        if weight > KEPT_BYTES {
            self.large = Some((path.clone(), Arc::clone(parsed)));
            return;
        }
        self.bytes += weight;
        self.recent.push_back((path.clone(), weight));
        self.known.insert(path.clone(), Arc::clone(parsed));
        while self.bytes > KEPT_BYTES {
            let Some((oldest, weight)) = self.recent.pop_front() else { break };
            self.bytes -= weight;
            // A later tree of the same file stands further behind, and goes when its turn comes.
            if !self.recent.iter().any(|(path, _)| *path == oldest) {
                self.known.remove(&oldest);
            }
        }
    }
}
