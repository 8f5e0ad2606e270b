//! Which files mention a word: per file a sorted set of the hashes of its words.
//!
//! A word is a longest run of Unicode letters and digits, `_` and `$`. Sets of hashes take about a tenth
//! of the texts' size, so that the texts themselves need not stay in memory.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::locked;
use super::parallel::cores;
use super::stamp::Stamp;
use super::walk::FileEntry;
use crate::text::AbsPath;

/// Files above this size are data, not sources.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// A zero byte in so many first bytes makes a file binary, as git has it.
const BINARY_PREFIX: usize = 8000;

/// A file that is not searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub path: AbsPath,
    pub because: LeftOutBecause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOutBecause {
    Binary,
    /// More than 4 MiB.
    TooLarge,
    /// It could not be read.
    Unreadable,
}

/// The words of every file, by path.
#[derive(Default)]
pub(super) struct WordIndex(HashMap<AbsPath, FileWords>);

struct FileWords {
    stamp: Stamp,
    words: Result<Box<[u32]>, LeftOutBecause>,
}

impl WordIndex {
    /// Reads the files that are new or changed, and forgets those that are gone.
    pub(super) fn renew(&mut self, files: &[FileEntry]) {
        let is_known = |file: &&FileEntry| self.0.get(&file.path).is_some_and(|known| known.stamp.same(&file.stamp));
        let stale: Vec<&FileEntry> = files.iter().filter(|file| !is_known(file)).collect();
        let read = read_all(&stale);
        self.0.extend(read);
        if self.0.len() > files.len() {
            let is_file = |path: &AbsPath| files.binary_search_by(|file| file.path.cmp(path)).is_ok();
            self.0.retain(|path, _| is_file(path));
        }
    }

    /// Tells whether a file holds all words of `phrase`.
    pub(super) fn mentions(&self, file: &AbsPath, wanted: &[u32]) -> bool {
        let words = self.0.get(file).and_then(|known| known.words.as_ref().ok());
        words.is_some_and(|words| wanted.iter().all(|word| words.binary_search(word).is_ok()))
    }

    pub(super) fn left_out(&self) -> Vec<LeftOut> {
        let of = |(path, file): (&AbsPath, &FileWords)| {
            file.words.as_ref().err().map(|because| LeftOut { path: path.clone(), because: *because })
        };
        let mut left_out: Vec<LeftOut> = self.0.iter().filter_map(of).collect();
        left_out.sort_by(|a, b| a.path.cmp(&b.path));
        left_out
    }
}

/// Reads files in parallel: each thread takes the next one that nobody has taken.
fn read_all(files: &[&FileEntry]) -> Vec<(AbsPath, FileWords)> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(files.len()));
    let work = || {
        let mut reader = Reader::default();
        let mut read = Vec::new();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            read.push((file.path.clone(), reader.read(file)));
        }
        locked(&found).append(&mut read);
    };
    std::thread::scope(|scope| {
        for _ in 1..cores().min(files.len()) {
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
            return left_out(LeftOutBecause::TooLarge);
        }
        self.bytes.clear();
        let Ok(mut handle) = File::open(file.path.as_path()) else { return left_out(LeftOutBecause::Unreadable) };
        let Ok(metadata) = handle.metadata() else { return left_out(LeftOutBecause::Unreadable) };
        if handle.read_to_end(&mut self.bytes).is_err() {
            return left_out(LeftOutBecause::Unreadable);
        }
        let stamp = Stamp::new(&metadata);
        if self.bytes.iter().take(BINARY_PREFIX).any(|byte| *byte == 0) {
            return FileWords { stamp, words: Err(LeftOutBecause::Binary) };
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
