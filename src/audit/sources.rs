//! The texts that a view is taken of: handed in with the request, or read from the project.

use crate::audit::location::Location;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use globset::GlobBuilder;

use crate::audit::error::AuditError;
use crate::audit::kept::ModelCache;
use crate::audit::problems::Problem;
use crate::lsp::embedded::read_relative_layout;
use crate::session::Parsed;
use crate::solidity::Layout;
use crate::syntax::{Family, Language, Tree};
use crate::text::{AbsPath, Encoding, RelPath, Text};
use crate::workspace::Disk;
use crate::{session, solidity};

/// What is larger is not looked at: a file of this size was written by a program.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// One text with its name.
pub struct Source {
    pub path: RelPath,
    pub language: Language,
    pub text: Arc<Text>,
    /// Where trees are kept.
    trees: Option<(session::Sources, AbsPath)>,
    parsed: OnceLock<Arc<Parsed>>,
}

/// A file that was named and is not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    pub file: String,
    pub reason: String,
}

/// The texts of one request, and those that they lead to.
pub struct Sources {
    /// Those that were named, by their paths.
    pub files: Vec<Arc<Source>>,
    pub skipped: Vec<Skipped>,
    /// Those that were read, but are in a language that the view does not know.
    pub left_out: Vec<Problem>,
    layout: OnceLock<Layout>,
    reach: Reach,
    met: Mutex<BTreeMap<RelPath, Option<Arc<Source>>>>,
}

/// Where other files are found.
enum Reach {
    Given {
        files: BTreeMap<RelPath, Arc<Source>>,
        /// Configurations and whatever else is no source.
        others: BTreeMap<RelPath, String>,
    },
    Disk(Arc<ModelCache>),
}

impl Source {
    fn new(path: RelPath, text: Arc<Text>) -> Option<Self> {
        let extension = path.file_name().rsplit_once('.')?.1;
        let language = Language::of_extension(extension)?;
        Some(Self { path, language, text, trees: None, parsed: OnceLock::new() })
    }

    pub fn name(&self) -> &str {
        self.path.as_str()
    }

    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// Returns the tree; the text is parsed at the first call.
    pub fn tree(&self) -> &Tree {
        let parsed = self.parsed.get_or_init(|| {
            let kept = self.trees.as_ref().and_then(|(sources, path)| sources.parse(path, &self.text));
            let parse = || Parsed::new(Arc::clone(&self.text), Tree::parse(self.language, self.text.as_str()));
            kept.unwrap_or_else(|| Arc::new(parse()))
        });
        &parsed.tree
    }

    pub fn location(&self, offset: usize) -> Location {
        let position = self.text.lines().position(self.text.as_str(), offset, Encoding::Utf32);
        position.map_or(Location { line: 1, column: 1 }, |it| Location { line: it.line + 1, column: it.character + 1 })
    }
}

impl Sources {
    /// Takes texts as they are handed in; the disk is not asked.
    pub fn given(files: Vec<(String, String)>) -> Result<Self, AuditError> {
        let (mut given, mut others) = (BTreeMap::new(), BTreeMap::new());
        let mut skipped = Vec::new();
        for (name, content) in files {
            let path =
                RelPath::new(name.trim_start_matches('/')).map_err(|error| AuditError::Path(error.to_string()))?;
            let fits = content.len() as u64 <= MOST_BYTES;
            if Layout::is_read_from(path.as_str()) {
                others.insert(path, content);
                continue;
            }
            match Source::new(path.clone(), Arc::new(Text::new(content))) {
                Some(source) if fits => drop(given.insert(path, Arc::new(source))),
                Some(_) => skipped.push(Skipped { file: name, reason: too_large() }),
                None => skipped.push(Skipped { file: name, reason: "its language is not known".to_owned() }),
            }
        }
        let files = given.values().cloned().collect();
        let reach = Reach::Given { files: given, others };
        Self { files, skipped, ..Self::empty(reach) }.readable()
    }

    /// Reads what `patterns` name: files, directories, or globs relative to the root.
    ///
    /// # Errors
    /// A path outside the root, and a pattern that matches nothing.
    pub fn below(kept: &Arc<ModelCache>, patterns: &[String]) -> Result<Self, AuditError> {
        let disk = kept.disk();
        let mut paths = Vec::new();
        for pattern in patterns {
            let named = named(disk, pattern)?;
            if named.is_empty() {
                return Err(AuditError::NoFile(pattern.clone()));
            }
            paths.extend(named);
        }
        paths.sort();
        paths.dedup();
        let read = in_parallel(&paths, |path| read(kept, path));
        let mut sources = Self::empty(Reach::Disk(Arc::clone(kept)));
        for (path, outcome) in paths.iter().zip(read) {
            match outcome {
                Ok(source) => sources.files.push(Arc::new(source)),
                Err(reason) => sources.skipped.push(Skipped { file: shown(disk, path), reason }),
            }
        }
        sources.readable()
    }

    fn empty(reach: Reach) -> Self {
        Self {
            files: Vec::new(),
            skipped: Vec::new(),
            left_out: Vec::new(),
            layout: OnceLock::new(),
            reach,
            met: Mutex::default(),
        }
    }

    /// Fails where nothing of what was named could be read.
    fn readable(self) -> Result<Self, AuditError> {
        match self.skipped.first() {
            Some(first) if self.files.is_empty() => {
                Err(AuditError::Skipped { file: first.file.clone(), reason: first.reason.clone() })
            }
            _ => Ok(self),
        }
    }

    /// Leaves only the files of some families; how many others there were is told, by language.
    pub fn of_families(mut self, families: &[Family]) -> Self {
        let (kept, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.files).into_iter().partition(|it| families.contains(&it.language.family()));
        self.files = kept;
        let mut by_language: BTreeMap<&str, Vec<Arc<Source>>> = BTreeMap::new();
        for source in others {
            by_language.entry(source.language.id()).or_default().push(source);
        }
        self.left_out.extend(by_language.into_iter().map(|(language, files)| Problem {
            file: files[0].name().to_owned(),
            line: None,
            message: format!("{language} is not covered by this answer"),
            skipped: if files.len() == 1 { "the file".to_owned() } else { format!("{} files like it", files.len()) },
        }));
        self
    }

    /// Returns another file of the project, whether it was named or not.
    pub fn open(&self, path: &RelPath) -> Option<Arc<Source>> {
        let kept = match &self.reach {
            Reach::Given { files, .. } => return files.get(path).cloned(),
            Reach::Disk(kept) => kept,
        };
        if let Ok(at) = self.files.binary_search_by(|source| source.path.cmp(path)) {
            return Some(Arc::clone(&self.files[at]));
        }
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || read(kept, &kept.disk().root().join_rel(path)).ok().map(Arc::new);
        met.entry(path.clone()).or_insert_with(read).clone()
    }

    /// Returns what the session keeps; nothing where texts were handed in.
    pub(super) fn kept(&self) -> Option<&ModelCache> {
        match &self.reach {
            Reach::Given { .. } => None,
            Reach::Disk(kept) => Some(kept),
        }
    }

    /// Tells whether a file is there, whatever it holds.
    pub fn exists(&self, path: &RelPath) -> bool {
        match &self.reach {
            Reach::Given { files, others } => files.contains_key(path) || others.contains_key(path),
            Reach::Disk(kept) => {
                let path = kept.disk().contain(&kept.disk().root().join_rel(path));
                path.is_ok_and(|path| path.as_path().exists())
            }
        }
    }

    /// Returns how the project's contracts are laid out, paths relative to its root.
    pub fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| match &self.reach {
            Reach::Disk(kept) => read_relative_layout(kept.disk()),
            Reach::Given { files, others } => {
                let text = |path: &str| others.get(&RelPath::new(path).ok()?).cloned();
                let directories = |dir: &str| -> Vec<String> {
                    let below = files.keys().filter_map(|path| path.as_str().strip_prefix(dir)?.split_once('/'));
                    let names: BTreeSet<&str> = below.map(|(name, _)| name).collect();
                    names.into_iter().map(str::to_owned).collect()
                };
                let configurations: Vec<String> = others.keys().map(RelPath::to_string).collect();
                Layout::of("", &configurations, &solidity::Tree { text: &text, directories: &directories })
            }
        })
    }

    /// Returns every file of these languages that the project has, named or not.
    pub fn whole_project(&self, family: Family) -> Vec<RelPath> {
        match &self.reach {
            Reach::Given { files, .. } => files.keys().cloned().collect(),
            Reach::Disk(kept) => {
                let disk = kept.disk();
                let files = disk.files();
                let wanted = files.iter().filter(|file| file.language().is_some_and(|it| it.family() == family));
                wanted.filter_map(|file| file.path.relative_to(disk.root())).collect()
            }
        }
    }
}

/// Does the same with every item, on as many threads as have something to compute.
pub(super) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get).min(8);
    let share = items.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let work = &work;
        let shares = items.chunks(share).map(|part| scope.spawn(move || part.iter().map(work).collect::<Vec<R>>()));
        let running: Vec<_> = shares.collect();
        running
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn named(disk: &Disk, pattern: &str) -> Result<Vec<AbsPath>, AuditError> {
    let is_glob = pattern.contains(['*', '?', '[', '{']);
    let path = disk.root().join(pattern).map_err(|error| AuditError::Path(error.to_string()))?;
    if !is_glob || path.as_path().exists() {
        let path = disk.contain(&disk.as_real(&path))?;
        return match path.as_path() {
            path if path.is_dir() => {
                below(disk, &disk.contain(&AbsPath::new(path).map_err(|it| AuditError::Path(it.to_string()))?)?)
            }
            path if path.exists() => Ok(vec![AbsPath::new(path).map_err(|it| AuditError::Path(it.to_string()))?]),
            _ => Err(AuditError::NoFile(pattern.to_owned())),
        };
    }
    let glob = GlobBuilder::new(disk.as_real(&path).as_str()).literal_separator(true).build();
    let glob = glob.map_err(|error| AuditError::Path(error.to_string()))?.compile_matcher();
    let fixed: Vec<&str> = pattern.split('/').take_while(|part| !part.contains(['*', '?', '[', '{'])).collect();
    let dir = disk.root().join(fixed.join("/")).map_err(|error| AuditError::Path(error.to_string()))?;
    let dir = if pattern.starts_with('/') {
        AbsPath::new(format!("/{}", fixed.join("/").trim_start_matches('/'))).unwrap_or(dir)
    } else {
        dir
    };
    let listed = below(disk, &disk.contain(&disk.as_real(&dir))?)?;
    Ok(listed.into_iter().filter(|path| glob.is_match(path.as_path())).collect())
}

/// Lists the sources below a directory: those of the project, or all where the project leaves it out.
fn below(disk: &Disk, dir: &AbsPath) -> Result<Vec<AbsPath>, AuditError> {
    let is_source = |path: &AbsPath| Language::of_path(path).is_some_and(|language| language.family() != Family::Data);
    let files = disk.files();
    let of_project = files.iter().map(|file| &file.path).filter(|path| path.is_below(dir) && is_source(path));
    let of_project: Vec<AbsPath> = of_project.cloned().collect();
    if !of_project.is_empty() || !dir.as_path().is_dir() {
        return Ok(of_project);
    }
    let everything = disk.everything_below(dir).map_err(|error| AuditError::Path(error.to_string()))?;
    Ok(everything.into_iter().map(|entry| entry.path).filter(is_source).collect())
}

fn read(kept: &ModelCache, path: &AbsPath) -> Result<Source, String> {
    let disk = kept.disk();
    let size = std::fs::metadata(path.as_path()).map(|metadata| metadata.len()).map_err(|error| error.to_string())?;
    if size > MOST_BYTES {
        return Err(too_large());
    }
    let text = disk.read(path).map_err(|error| error.to_string())?;
    let relative = path.relative_to(disk.root()).unwrap_or_default();
    let source = Source::new(relative, text).ok_or_else(|| "its language is not known".to_owned())?;
    Ok(Source { trees: Some((kept.sources().clone(), path.clone())), ..source })
}

fn too_large() -> String {
    format!("larger than {} MiB", MOST_BYTES >> 20)
}

fn shown(disk: &Disk, path: &AbsPath) -> String {
    path.shown_from(disk.root())
}
