//! Which files are looked into, and what is done with each of them, on all cores.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::inspect::error::InspectError;
use crate::inspect::source_file::SourceFile;
use crate::render::LeftOutRow;
use crate::syntax::{Language, Tree};
use crate::text::{AbsPath, Text};
use crate::workspace::{Disk, gather, project_files};

/// The languages that are looked into.
pub const LANGUAGES: [Language; 8] = [
    Language::Python,
    Language::TypeScript,
    Language::Tsx,
    Language::JavaScript,
    Language::Solidity,
    Language::Rust,
    Language::Go,
    Language::Java,
];

/// A file larger than this was not written by hand; its tree would fill the memory.
const MOST_BYTES: u64 = 2 * 1024 * 1024;

/// What a path leads to: one file, or those below a directory.
pub struct Survey {
    disk: Disk,
    /// Relative to the root.
    pub path: String,
    pub kind: SurveyKind,
    pub files: Vec<SourceFile>,
    pub left_out: Vec<LeftOutRow>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SurveyKind {
    File,
    Directory,
}

/// Lets others follow long work, and stop it.
pub struct Watch {
    pub stopped: AtomicBool,
    /// Told from time to time how many files of how many are done.
    pub progress: Box<dyn Fn(usize, usize) + Send + Sync>,
}

impl Default for Watch {
    fn default() -> Self {
        Self { stopped: AtomicBool::new(false), progress: Box::new(|_, _| {}) }
    }
}

impl Watch {
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl Survey {
    /// Finds the files; ignore files are honoured below a directory, links are not followed.
    pub fn new(disk: &Disk, path: &str) -> Result<Self, InspectError> {
        Self::of(disk, path, &LANGUAGES)
    }

    /// As [`Survey::new`], for files in these languages.
    pub fn of(disk: &Disk, path: &str, languages: &[Language]) -> Result<Self, InspectError> {
        let path = disk.contain(&disk.root().join(path)?)?;
        let name = shown(disk, &path);
        if path.as_path().is_dir() {
            return Self::of_directory(disk, &path, (name, languages));
        }
        let metadata = std::fs::metadata(path.as_path()).map_err(|source| InspectError::of_io(&path, source))?;
        if !metadata.is_file() {
            return Err(InspectError::NoFile { path: name });
        }
        let language = Language::of_path(&path).filter(|language| languages.contains(language));
        let language = language.ok_or_else(|| InspectError::UnknownLanguage { path: name.clone() })?;
        if metadata.len() > MOST_BYTES {
            return Err(InspectError::TooLarge { path: name, bytes: metadata.len(), most: MOST_BYTES });
        }
        // Told at once: of a single file nothing would be left.
        disk.read(&path)?;
        let files = vec![SourceFile { path, name: name.clone(), language, bytes: metadata.len() }];
        Ok(Self { disk: disk.clone(), path: name, kind: SurveyKind::File, files, left_out: Vec::new() })
    }

    fn of_directory(
        disk: &Disk,
        path: &AbsPath,
        (name, languages): (String, &[Language]),
    ) -> Result<Self, InspectError> {
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        for entry in project_files(path)? {
            let Some(language) = entry.language().filter(|language| languages.contains(language)) else { continue };
            let name = shown(disk, &entry.path);
            if entry.stamp.size > MOST_BYTES {
                left_out.push(LeftOutRow { path: name, reason: format!("larger than {MOST_BYTES} bytes") });
                continue;
            }
            files.push(SourceFile { path: entry.path, name, language, bytes: entry.stamp.size });
        }
        Ok(Self { disk: disk.clone(), path: name, kind: SurveyKind::Directory, files, left_out })
    }

    /// Does `work` on every file that can be read, and returns the results in the files' order; nothing
    /// once it was stopped.
    pub fn map<T: Send>(
        &mut self,
        watch: &Watch,
        work: impl Fn(&SourceFile, &Arc<Text>) -> T + Sync,
    ) -> Result<Vec<T>, InspectError> {
        let done = AtomicUsize::new(0);
        let one = |file: &SourceFile| {
            let result = self.disk.read(&file.path).map(|text| work(file, &text)).map_err(|error| LeftOutRow {
                path: file.name.clone(),
                reason: error.to_string().replace(file.path.as_str(), &file.name),
            });
            let count = done.fetch_add(1, Ordering::Relaxed) + 1;
            if count.is_multiple_of(250) {
                (watch.progress)(count, self.files.len());
            }
            result
        };
        // The largest first: a large one that comes last would keep one core busy while the others are idle.
        let mut queue: Vec<(usize, &SourceFile)> = self.files.iter().enumerate().collect();
        queue.sort_by_key(|(_, file)| std::cmp::Reverse(file.bytes));
        let work_on = |(at, file): &(usize, &SourceFile)| (*at, one(file));
        let mut results = gather(&queue, &watch.stopped, work_on).ok_or(InspectError::Stopped)?;
        results.sort_by_key(|(at, _)| *at);
        let mut worked = Vec::with_capacity(results.len());
        for (_, result) in results {
            match result {
                Ok(result) => worked.push(result),
                Err(row) => self.left_out.push(row),
            }
        }
        Ok(worked)
    }

    /// Names the languages of the files, that of most files first.
    pub fn languages(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for file in &self.files {
            *counts.entry(language_name(file.language)).or_default() += 1;
        }
        let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
        names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        names.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
    }
}

/// Nobody writes code deeper than this by hand; looking outward from every name of it would take for ever.
const DEEPEST: u32 = 3000;

/// Parses a file; one that nests without end is left out.
pub(super) fn parsed(file: &SourceFile, text: &Text) -> Result<Tree, LeftOutRow> {
    let reason = || format!("it nests deeper than {DEEPEST} levels: no one can have written it");
    parse(file.language, text).ok_or_else(|| LeftOutRow { path: file.name.clone(), reason: reason() })
}

/// Parses a text; nothing where it nests without end.
pub fn parse(language: Language, text: &Text) -> Option<Tree> {
    let tree = Tree::parse(language, text.as_str());
    let mut depths: Vec<u32> = Vec::with_capacity(tree.nodes().len());
    for node in tree.nodes().iter() {
        depths.push(node.parent().map_or(0, |parent| depths[parent.index()] + 1));
    }
    depths.iter().all(|depth| *depth <= DEEPEST).then_some(tree)
}

/// Returns a language's name; TSX is TypeScript.
pub fn language_name(language: Language) -> &'static str {
    if language == Language::Tsx { Language::TypeScript.id() } else { language.id() }
}

fn shown(disk: &Disk, path: &AbsPath) -> String {
    let name = path.shown_from(disk.root());
    if name.is_empty() { ".".to_owned() } else { name }
}
