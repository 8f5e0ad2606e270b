//! One project's files: read, listed and searched, cached as long as the disk says the same.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex};

use crate::plan::Plan;
use crate::text::{AbsPath, ContentHash, NotUtf8, PathError, Text};
use crate::workspace::apart::{Apart, ApartChanges};
use crate::workspace::below::{ListError, TreeEntry, everything_below};
use crate::workspace::contain::{OutsideRoot, contain, contain_entry, dunce};
use crate::workspace::drafts::{Draft, Drafts};
use crate::workspace::files::Files;
use crate::workspace::hash::hash_entry;
use crate::workspace::open::MOST_BYTES;
use crate::workspace::outside::Outside;
use crate::workspace::root::{Unfit, is_project, unfit};
use crate::workspace::stamp::Stamp;
use crate::workspace::texts::Texts;
use crate::workspace::unread::Unread;
use crate::workspace::walk::{Change, TooLarge, Walk, changes};
use crate::workspace::words::{WordIndex, hashes};
use crate::workspace::{locked, open};

/// The files below one root. Clones share everything.
#[derive(Clone)]
pub struct Disk(Arc<Inner>);

struct Inner {
    root: AbsPath,
    given: AbsPath,
    texts: Mutex<Texts>,
    /// Nothing before the first walk.
    walk: Mutex<Option<Arc<Walk>>>,
    /// What lies beside the walk's files, once somebody has asked.
    apart: Mutex<Option<Arc<Apart>>>,
    /// Why the last walk did not come to its end.
    cut: Mutex<Option<TooLarge>>,
    words: Mutex<WordIndex>,
    drafts: Mutex<Drafts>,
    /// The files with the drafts, for one walk and one state of the drafts.
    drafted: Mutex<Option<Drafted>>,
}

/// The files of a walk with the drafts of one state.
struct Drafted {
    walk: Arc<Walk>,
    version: u64,
    with: Arc<Walk>,
}

/// Why a directory cannot be worked in.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the project root `{root}` cannot be opened: {source}")]
    Io { root: AbsPath, source: io::Error },
    #[error("the project root `{root}` is not a directory")]
    NotADirectory { root: AbsPath },
    #[error("`{root}` is the root of a file system, not of a project")]
    FileSystem { root: AbsPath },
    #[error("`{root}` is the home folder, not a project")]
    Home { root: AbsPath },
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Path(#[from] PathError),
}

/// Why a file's text is not known.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Outside(#[from] OutsideRoot),
    #[error("`{path}` does not exist")]
    Missing { path: AbsPath },
    #[error("`{path}` is {source}")]
    NotUtf8 { path: AbsPath, source: NotUtf8 },
    #[error("`{path}` cannot be read: {source}")]
    Io { path: AbsPath, source: io::Error },
}

impl Disk {
    /// Opens the project at `root`, whose links are followed once and for all. Nothing is walked yet.
    pub fn open(root: &AbsPath) -> Result<Self, OpenError> {
        let real = dunce(root.as_path()).map_err(|source| OpenError::Io { root: root.clone(), source })?;
        if !real.is_dir() {
            return Err(OpenError::NotADirectory { root: root.clone() });
        }
        match unfit(&real) {
            Some(Unfit::FileSystem) => return Err(OpenError::FileSystem { root: root.clone() }),
            Some(Unfit::Home) if !is_project(&real) => return Err(OpenError::Home { root: root.clone() }),
            _ => {}
        }
        Ok(Self(Arc::new(Inner {
            root: AbsPath::new(real)?,
            given: root.clone(),
            texts: Mutex::default(),
            walk: Mutex::default(),
            apart: Mutex::default(),
            cut: Mutex::default(),
            words: Mutex::default(),
            drafts: Mutex::default(),
            drafted: Mutex::default(),
        })))
    }

    /// Returns the root without links in it.
    pub fn root(&self) -> &AbsPath {
        &self.0.root
    }

    /// Returns `path` as seen from the root that the project was opened by, which may be a link.
    pub fn as_given(&self, path: &AbsPath) -> AbsPath {
        path.rebased(&self.0.root, &self.0.given).unwrap_or_else(|| path.clone())
    }

    /// Returns `path` as seen from the root without links in it; links below the root stay as they are.
    pub fn as_real(&self, path: &AbsPath) -> AbsPath {
        path.rebased(&self.0.given, &self.0.root).unwrap_or_else(|| path.clone())
    }

    /// Reads a file of the project: its draft, where there is one.
    pub fn read(&self, path: &AbsPath) -> Result<Arc<Text>, ReadError> {
        match self.draft(path) {
            Some(Draft { text: Some(text), .. }) => Ok(text),
            Some(_) => Err(ReadError::Missing { path: path.clone() }),
            None => self.read_saved(path),
        }
    }

    /// Reads a file of the project as it is on the disk, whatever its draft says.
    pub fn read_saved(&self, path: &AbsPath) -> Result<Arc<Text>, ReadError> {
        if let Some(seen) = self.walked(path) {
            return self.read_as(path, &seen);
        }
        self.read_outside(&self.contain(path)?)
    }

    /// Returns the draft of a file.
    pub fn draft(&self, path: &AbsPath) -> Option<Draft> {
        let drafts = locked(&self.0.drafts);
        if drafts.is_empty() { None } else { drafts.get(path).cloned() }
    }

    /// Returns all drafts, sorted by path.
    pub fn drafts(&self) -> Vec<(AbsPath, Draft)> {
        locked(&self.0.drafts).iter().map(|(path, draft)| (path.clone(), draft.clone())).collect()
    }

    /// Puts a text before a file's, of which `base` is what stands on the disk; without a text the file is to go.
    pub fn set_draft(&self, path: &AbsPath, base: Option<Arc<Text>>, text: Option<Arc<Text>>) {
        locked(&self.0.drafts).put(path, base, text);
    }

    /// Tells whether a plan was made of what is read here, drafts included, and not of what these hide.
    pub fn shows(&self, plan: &Plan) -> bool {
        let is_read = |path: &AbsPath, text: &Arc<Text>| self.read(path).is_ok_and(|now| now == *text);
        let is_there = |path: &AbsPath| self.draft(path).is_some_and(|draft| draft.text.is_some());
        let has_none = locked(&self.0.drafts).is_empty();
        has_none
            || plan.edits().iter().all(|(path, edit)| is_read(path, &edit.before))
                && plan.deletes().iter().all(|(path, text)| is_read(path, text))
                && !plan.creates().keys().any(is_there)
    }

    /// Returns how a file stands now that the last walk, which follows no links, came to, if it is still a file.
    fn walked(&self, path: &AbsPath) -> Option<Stamp> {
        let walk = locked(&self.0.walk).clone()?;
        walk.files.binary_search_by(|file| file.path.cmp(path)).ok()?;
        let metadata = std::fs::symlink_metadata(path.as_path()).ok()?;
        metadata.is_file().then(|| Stamp::new(&metadata))
    }

    /// Reads what a server names: a file of the project, or a library's.
    pub fn read_named(&self, path: &AbsPath) -> Result<Arc<Text>, ReadError> {
        if path.is_below(&self.0.root) { self.read(path) } else { self.read_outside(path) }
    }

    /// Reads a file wherever it lies: a library's, which no plan may touch.
    pub fn read_outside(&self, path: &AbsPath) -> Result<Arc<Text>, ReadError> {
        let seen = std::fs::metadata(path.as_path()).map_err(|source| unread(path, source))?;
        self.read_as(path, &Stamp::new(&seen))
    }

    /// Returns the text that was read when the file stood so, or reads it.
    fn read_as(&self, path: &AbsPath, seen: &Stamp) -> Result<Arc<Text>, ReadError> {
        if let Some(text) = locked(&self.0.texts).get(path, seen) {
            return Ok(text);
        }
        let failed = |source| unread(path, source);
        let (file, metadata) = open::open(path.as_path()).map_err(failed)?;
        // Taken before the bytes: a change in between makes the stamp old, not the text wrong.
        let stamp = Stamp::new(&metadata);
        let mut bytes = Vec::new();
        open::read_opened(file, &metadata, MOST_BYTES, &mut bytes).map_err(failed)?;
        let text = Text::decode(bytes).map_err(|source| ReadError::NotUtf8 { path: path.clone(), source })?;
        let mut texts = locked(&self.0.texts);
        // Another may have read it meanwhile: there is one text, with one index of its lines and one tree.
        if let Some(known) = texts.get(path, &stamp) {
            return Ok(known);
        }
        let text = Arc::new(text);
        texts.put(path, stamp, &text);
        Ok(text)
    }

    /// Returns the hash of a file's bytes; of a link, that of the path that it holds.
    pub fn hash(&self, path: &AbsPath) -> Result<ContentHash, ReadError> {
        if let Some(draft) = self.draft(path) {
            return draft.text.map(|text| text.hash().clone()).ok_or_else(|| ReadError::Missing { path: path.clone() });
        }
        let path = contain_entry(&self.0.root, path)?;
        hash_entry(path.as_path()).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => ReadError::Missing { path },
            _ => ReadError::Io { path, source },
        })
    }

    /// Walks the tree again; returns what changed since the last walk, sorted by path. The first walk
    /// finds no changes.
    pub fn scan(&self) -> Vec<Change> {
        let last = locked(&self.0.walk).clone();
        if last.is_some_and(|last| last.cut.is_none() && last.holds(&self.0.root)) {
            return Vec::new();
        }
        // Not locked meanwhile: others go on with what the last walk found.
        let now = Arc::new(Walk::through(&self.0.root));
        locked(&self.0.cut).clone_from(&now.cut);
        if now.cut.is_some() {
            // Half a list would tell the other half deleted.
            return Vec::new();
        }
        let last = locked(&self.0.walk).replace(Arc::clone(&now));
        last.map_or_else(Vec::new, |before| changes(&before.files, &now.files))
    }

    /// Looks at the files that the walk leaves out, and at those outside of the root that are named; returns what happened to
    /// them since the last such look. The first finds no changes.
    pub fn scan_apart(&self, outside: Outside) -> ApartChanges {
        let last = locked(&self.0.apart).clone();
        if last.is_some_and(|last| last.holds(&self.0.root, &outside)) {
            return ApartChanges::default();
        }
        let now = Arc::new(Apart::of(&self.0.root, &self.saved_files(), outside));
        let last = locked(&self.0.apart).replace(Arc::clone(&now));
        last.map_or_else(ApartChanges::default, |last| now.since(&last))
    }

    /// Tells whether neither [`Disk::scan`] nor, where files outside are named, [`Disk::scan_apart`] would find a change, as
    /// far as that is known without a look at the files: the system watches them, and has told nothing.
    pub fn is_quiet(&self, outside: Option<&Outside>) -> bool {
        let walk = locked(&self.0.walk).clone();
        let apart = |outside| locked(&self.0.apart).clone().is_some_and(|apart| apart.is_known_to_hold(outside));
        walk.is_some_and(|walk| walk.is_known_to_hold()) && outside.is_none_or(apart)
    }

    /// Walks the tree unless it has been walked to its end.
    ///
    /// # Errors
    /// As [`Disk::is_whole`].
    pub fn look(&self) -> Result<(), TooLarge> {
        if !self.is_walked() {
            self.scan();
        }
        self.is_whole()
    }

    /// Tells whether the tree has been walked to its end.
    pub fn is_walked(&self) -> bool {
        locked(&self.0.walk).is_some() && self.is_whole().is_ok()
    }

    /// Fails where the last walk did not come to its end: nothing that was concluded from its files holds.
    pub fn is_whole(&self) -> Result<(), TooLarge> {
        locked(&self.0.cut).clone().map_or(Ok(()), Err)
    }

    /// Returns the files that the last walk found, sorted by path, with the drafts; walks if none has.
    pub fn files(&self) -> Files {
        let Files(walk) = self.saved_files();
        let drafts = locked(&self.0.drafts);
        if drafts.is_empty() {
            return Files(walk);
        }
        let mut drafted = locked(&self.0.drafted);
        match &*drafted {
            Some(known) if Arc::ptr_eq(&known.walk, &walk) && known.version == drafts.version => {
                Files(Arc::clone(&known.with))
            }
            _ => {
                let with = Arc::new(walk.with_files(drafts.over(&walk.files)));
                *drafted = Some(Drafted { walk, version: drafts.version, with: Arc::clone(&with) });
                Files(with)
            }
        }
    }

    /// Returns the files that the last walk found on the disk.
    fn saved_files(&self) -> Files {
        let mut last = locked(&self.0.walk);
        let walk = last.get_or_insert_with(|| {
            let walk = Walk::through(&self.0.root);
            locked(&self.0.cut).clone_from(&walk.cut);
            Arc::new(walk)
        });
        Files(Arc::clone(walk))
    }

    /// Returns the files of the last walk that mention `word`, whole; of a phrase, those that mention all
    /// its words. Sorted by path. Files that are binary or too large are never among them.
    pub fn files_mentioning(&self, word: &str) -> Vec<AbsPath> {
        let wanted = hashes(word);
        let mut found: Vec<AbsPath> = {
            let mut index = locked(&self.0.words);
            index.renew(&self.saved_files());
            index.mentioning(&wanted).cloned().collect()
        };
        let drafts = locked(&self.0.drafts);
        if !drafts.is_empty() {
            found.retain(|path| drafts.get(path).is_none());
            let says = |draft: &Draft| {
                draft.text.as_ref().is_some_and(|text| {
                    let own: HashSet<u32> = hashes(text.as_str()).into_iter().collect();
                    wanted.iter().all(|word| own.contains(word))
                })
            };
            found.extend(drafts.iter().filter(|(_, draft)| says(draft)).map(|(path, _)| path.clone()));
            found.sort();
        }
        found
    }

    /// Returns what the last walk, and searches for words since, could not read; sorted.
    pub fn unread(&self) -> Vec<Unread> {
        let mut unread = self.saved_files().0.unread.clone();
        unread.extend(locked(&self.0.words).unread());
        unread.sort();
        unread.dedup();
        unread
    }

    /// Follows every link of `path`, whose last parts need not exist, and refuses what leaves the root.
    pub fn contain(&self, path: &AbsPath) -> Result<AbsPath, OutsideRoot> {
        contain(&self.0.root, path)
    }

    /// Returns what `path` leads to: as the project knows it, and elsewhere, where a link leads out of the project.
    pub fn led_to(&self, path: AbsPath) -> AbsPath {
        match self.contain(&path) {
            Ok(inside) => inside,
            Err(OutsideRoot::Leaves { leads_to, .. }) if path.is_below(&self.0.root) => {
                AbsPath::new(leads_to).unwrap_or(path)
            }
            Err(_) => path,
        }
    }

    /// As [`Disk::contain`], but a link in the last place stays a link: for what is moved or deleted.
    pub fn contain_entry(&self, path: &AbsPath) -> Result<AbsPath, OutsideRoot> {
        contain_entry(&self.0.root, path)
    }

    /// Lists every file below a directory of the project: ignored, hidden, and of nested repositories
    /// too; links as links. Sorted by path.
    pub fn everything_below(&self, dir: &AbsPath) -> Result<Vec<TreeEntry>, ListError> {
        everything_below(&self.contain(dir)?)
    }
}

fn unread(path: &AbsPath, source: io::Error) -> ReadError {
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::Missing { path: path.clone() },
        _ => ReadError::Io { path: path.clone(), source },
    }
}
