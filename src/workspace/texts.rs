//! The texts that were read lately, as long as their files stay the same.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};

use super::stamp::Stamp;
use crate::text::{AbsPath, Text};

/// How many bytes of text are kept alive by nobody but this cache.
const KEPT_BYTES: usize = 8 * 1024 * 1024;
/// Above this many entries, those whose texts are gone are swept out.
const SWEEP_ABOVE: usize = 4096;

/// Texts by path. Whoever holds a text shares it with later readers; beyond that only the last few
/// megabytes stay in memory.
#[derive(Default)]
pub(super) struct Texts {
    known: HashMap<AbsPath, (Stamp, Weak<Text>)>,
    recent: VecDeque<Arc<Text>>,
    recent_bytes: usize,
}

impl Texts {
    pub(super) fn get(&self, path: &AbsPath, stamp: &Stamp) -> Option<Arc<Text>> {
        let (known, text) = self.known.get(path)?;
        if known.same(stamp) { text.upgrade() } else { None }
    }

    pub(super) fn put(&mut self, path: &AbsPath, stamp: Stamp, text: &Arc<Text>) {
        if self.known.len() >= SWEEP_ABOVE {
            self.known.retain(|_, (_, text)| text.strong_count() > 0);
        }
        self.known.insert(path.clone(), (stamp, Arc::downgrade(text)));
        self.recent_bytes += text.as_str().len();
        self.recent.push_back(Arc::clone(text));
        while self.recent_bytes > KEPT_BYTES {
            let Some(oldest) = self.recent.pop_front() else { break };
            self.recent_bytes -= oldest.as_str().len();
        }
    }
}
