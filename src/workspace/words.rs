//! Which files mention a word: per file a sorted set of the hashes of its words.
//!
//! A word is a longest run of Unicode letters and digits, `_` and `$`. Sets of hashes take about a tenth
//! of the texts' size, so that the texts themselves need not stay in memory.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::text::AbsPath;
use crate::workspace::files::Files;
use crate::workspace::locked;
use crate::workspace::open::{open, read_opened};
use crate::workspace::parallel::cores;
use crate::workspace::stamp::Stamp;
use crate::workspace::unread::Unread;
use crate::workspace::walk::FileEntry;

/// Files above this size are data, not sources.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// A zero byte in so many first bytes makes a file binary, as git has it.
const BINARY_PREFIX: usize = 8000;

/// The words of every file of one walk.
// Invariant: one entry of `words` for each of `files`, in the same order.
#[derive(Default)]
pub(super) struct WordIndex {
    files: Option<Files>,
    words: Vec<FileWords>,
}

struct FileWords {
    stamp: Stamp,
    words: Result<Box<[u32]>, NotSearched>,
}

impl FileWords {
    /// What could not be read is tried again.
    fn holds(&self, file: &FileEntry) -> bool {
        self.stamp.same(&file.stamp) && !matches!(self.words, Err(NotSearched::Unreadable(_)))
    }
}

/// Why a file is not searched.
enum NotSearched {
    /// It is binary, or too large to be a source.
    NoSource,
    Unreadable(String),
}

impl WordIndex {
    /// Reads the files of a walk that are new or changed, and forgets those that are gone.
    pub(super) fn renew(&mut self, files: &Files) {
        if self.files.as_ref().is_some_and(|last| last.is(files)) {
            return;
        }
        let mut known: HashMap<&AbsPath, FileWords> =
            self.files.iter().flat_map(|last| last.iter()).map(|file| &file.path).zip(self.words.drain(..)).collect();
        let mut kept: Vec<Option<FileWords>> =
            files.iter().map(|file| known.remove(&file.path).filter(|words| words.holds(file))).collect();
        let stale: Vec<usize> = (0..files.len()).filter(|at| kept[*at].is_none()).collect();
        for (at, words) in read_all(files, &stale) {
            kept[at] = Some(words);
        }
        self.words = kept.into_iter().flatten().collect();
        self.files = Some(files.clone());
    }

    /// Returns the files that hold all of the wanted words, sorted by path.
    pub(super) fn mentioning(&self, wanted: &[u32]) -> impl Iterator<Item = &AbsPath> {
        let holds = |words: &[u32]| wanted.iter().all(|word| words.binary_search(word).is_ok());
        self.entries().filter(move |(_, words)| words.as_ref().is_ok_and(|words| holds(words))).map(|(path, _)| path)
    }

    /// Returns the files that could not be read.
    pub(super) fn unread(&self) -> impl Iterator<Item = Unread> {
        self.entries().filter_map(|(path, words)| match words {
            Err(NotSearched::Unreadable(reason)) => Some(Unread::file(path.as_path(), reason)),
            _ => None,
        })
    }

    fn entries(&self) -> impl Iterator<Item = (&AbsPath, &Result<Box<[u32]>, NotSearched>)> {
        let files = self.files.iter().flat_map(|files| files.iter());
        files.map(|file| &file.path).zip(self.words.iter().map(|file| &file.words))
    }
}

/// Reads the files with these numbers in parallel: each thread takes the next one that nobody has taken.
fn read_all(files: &[FileEntry], wanted: &[usize]) -> Vec<(usize, FileWords)> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(wanted.len()));
    let work = || {
        let mut reader = Reader::default();
        let mut read = Vec::new();
        while let Some(&at) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
            read.push((at, reader.read(&files[at])));
        }
        locked(&found).append(&mut read);
    };
    std::thread::scope(|scope| {
        for _ in 1..cores().min(wanted.len()) {
            scope.spawn(work);
        }
        work();
    });
    found.into_inner().unwrap_or_default()
}

/// One thread's buffers.
#[derive(Default)]
struct Reader {
    bytes: Vec<u8>,
    words: Vec<u32>,
}

impl Reader {
    fn read(&mut self, file: &FileEntry) -> FileWords {
        let left_out = |because| FileWords { stamp: file.stamp, words: Err(because) };
        if file.stamp.size > MOST_BYTES {
            return left_out(NotSearched::NoSource);
        }
        self.bytes.clear();
        let read = open(file.path.as_path()).and_then(|(handle, metadata)| {
            read_opened(handle, &metadata, MOST_BYTES, &mut self.bytes).map(|()| metadata)
        });
        let metadata = match read {
            Ok(metadata) => metadata,
            Err(error) => return left_out(NotSearched::Unreadable(error.to_string())),
        };
        let stamp = Stamp::new(&metadata);
        if self.bytes.iter().take(BINARY_PREFIX).any(|byte| *byte == 0) {
            return FileWords { stamp, words: Err(NotSearched::NoSource) };
        }
        self.words.clear();
        collect(&self.bytes, &mut self.words);
        self.words.sort_unstable();
        self.words.dedup();
        FileWords { stamp, words: Ok(self.words.as_slice().into()) }
    }
}

/// Returns the hashes of the words of `phrase`, in order.
pub(super) fn hashes(phrase: &str) -> Vec<u32> {
    let mut words = Vec::new();
    collect(phrase.as_bytes(), &mut words);
    words
}

const SEED: u32 = 0x811c_9dc5;
/// Twice as many as most files have words.
const SEEN: usize = 2048;

/// Collects the hashes of all words; most repetitions are left out on the way.
fn collect(bytes: &[u8], words: &mut Vec<u32>) {
    let mut seen = [0_u32; SEEN];
    let mut note = |word: u32| {
        let slot = &mut seen[word as usize % SEEN];
        if *slot != word || word == 0 {
            *slot = word;
            words.push(word);
        }
    };
    let mut at = 0;
    let mut word = None;
    while let Some(&byte) = bytes.get(at) {
        let width = if byte < 0x80 { usize::from(IN_WORD[byte as usize]) } else { wide_letter(&bytes[at..]) };
        if width == 0 {
            if let Some(done) = word.take() {
                note(finish(done));
            }
            at += 1;
            continue;
        }
        for byte in &bytes[at..at + width] {
            word = Some((word.unwrap_or(SEED) ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
        }
        at += width;
    }
    if let Some(done) = word {
        note(finish(done));
    }
}

/// Spreads the last bytes over all bits (FNV leaves them in the low ones).
fn finish(hash: u32) -> u32 {
    let mixed = (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d);
    mixed ^ (mixed >> 13)
}

const IN_WORD: [bool; 128] = {
    let mut table = [false; 128];
    let mut byte = 0;
    while byte < 128 {
        let character = byte as u8;
        table[byte] = character.is_ascii_alphanumeric() || character == b'_' || character == b'$';
        byte += 1;
    }
    table
};

/// Returns the width of the letter or digit beyond ASCII that `bytes` begin with; 0 where there is none.
#[cold]
fn wide_letter(bytes: &[u8]) -> usize {
    let width = match bytes[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return 0,
    };
    let character = bytes.get(..width).and_then(|bytes| std::str::from_utf8(bytes).ok()).and_then(|s| s.chars().next());
    if character.is_some_and(char::is_alphanumeric) { width } else { 0 }
}
