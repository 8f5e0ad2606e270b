//! The documents that one server has open, and the texts that it sees in them.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use serde_json::{Value, json};

use super::convert::{self, Measure};
use crate::text::{AbsPath, ContentHash, Text};

/// The open documents of one server; every change here yields the notifications that tell the server.
// Invariant: what stands in `open` is what the server was told, in the order of the notifications.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: BTreeMap<AbsPath, Document>,
    /// Counts uses, to know which document was used longest ago.
    clock: u64,
}

#[derive(Debug)]
struct Document {
    language: String,
    version: i32,
    text: Arc<Text>,
    /// Of the text that it was opened with, the disk's unless it is an overlay.
    opened_with: ContentHash,
    is_overlay: bool,
    last_used: u64,
}

/// A notification to send.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Notice {
    pub(super) method: &'static str,
    pub(super) params: Value,
}

/// Documents beyond this are closed, those used longest ago first: every one costs the server memory.
const MOST_OPEN: usize = 2_000;

impl Documents {
    pub(super) fn is_open(&self, path: &AbsPath) -> bool {
        self.open.contains_key(path)
    }

    /// Returns the text that the server sees in an open document.
    pub(super) fn text(&self, path: &AbsPath) -> Option<Arc<Text>> {
        self.open.get(path).map(|document| Arc::clone(&document.text))
    }

    /// Returns the version under which the server got that text.
    pub(super) fn version(&self, path: &AbsPath) -> Option<i32> {
        self.open.get(path).map(|document| document.version)
    }

    pub(super) fn is_overlay(&self, path: &AbsPath) -> bool {
        self.open.get(path).is_some_and(|document| document.is_overlay)
    }

    /// Opens a document, or tells the server its new text. An overlay stays what it is.
    pub(super) fn open(&mut self, path: &AbsPath, text: Arc<Text>, language: &str, measure: Measure) -> Option<Notice> {
        self.clock += 1;
        let clock = self.clock;
        let Some(document) = self.open.get_mut(path) else {
            let (language, opened_with) = (language.into(), text.hash().clone());
            let document = Document { language, version: 1, text, opened_with, is_overlay: false, last_used: clock };
            let notice = document.opened(path);
            self.open.insert(path.clone(), document);
            return Some(notice);
        };
        document.last_used = clock;
        if document.is_overlay { None } else { document.change(path, text, measure) }
    }

    /// Lays a text over the one on the disk.
    pub(super) fn overlay(
        &mut self,
        path: &AbsPath,
        text: Arc<Text>,
        language: &str,
        measure: Measure,
    ) -> Option<Notice> {
        if let Some(document) = self.open.get_mut(path) {
            document.is_overlay = false;
        }
        let notice = self.open(path, text, language, measure);
        if let Some(document) = self.open.get_mut(path) {
            document.is_overlay = true;
        }
        notice
    }

    pub(super) fn close(&mut self, path: &AbsPath) -> Option<Notice> {
        self.open.remove(path).map(|_| closed(path))
    }

    /// Returns the documents whose text is not the disk's.
    pub(super) fn overlays(&self) -> Vec<AbsPath> {
        self.open.iter().filter(|(_, document)| document.is_overlay).map(|(path, _)| path.clone()).collect()
    }

    /// Returns a number for the texts that are not the disk's: the same texts, the same number.
    pub(super) fn overlaid(&self) -> u64 {
        let differs = |document: &Document| document.is_overlay || *document.text.hash() != document.opened_with;
        let mut hasher = DefaultHasher::new();
        for (path, document) in self.open.iter().filter(|(_, document)| differs(document)) {
            (path, document.text.hash()).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Takes an overlay away: the document gets the disk's text, or is closed where there is none.
    pub(super) fn uncover(&mut self, path: &AbsPath, on_disk: Option<Arc<Text>>, measure: Measure) -> Option<Notice> {
        let document = self.open.get_mut(path).filter(|document| document.is_overlay)?;
        document.is_overlay = false;
        match on_disk {
            Some(text) => document.change(path, text, measure),
            None => self.close(path),
        }
    }

    /// Closes what was used longest ago, until no more are open than any server should hold.
    pub(super) fn shrink(&mut self) -> Vec<Notice> {
        let too_many = self.open.len().saturating_sub(MOST_OPEN);
        if too_many == 0 {
            return Vec::new();
        }
        let plain = self.open.iter().filter(|(_, document)| !document.is_overlay);
        let mut by_use: Vec<_> = plain.map(|(path, document)| (document.last_used, path.clone())).collect();
        by_use.sort();
        by_use.iter().take(too_many).filter_map(|(_, path)| self.close(path)).collect()
    }

    /// Returns what opens all documents in a server that has just been started anew.
    pub(super) fn reopen(&self) -> Vec<Notice> {
        self.open.iter().map(|(path, document)| document.opened(path)).collect()
    }
}

impl Document {
    fn opened(&self, path: &AbsPath) -> Notice {
        let params = json!({"textDocument": {
            "uri": convert::uri(path),
            "languageId": self.language,
            "version": self.version,
            "text": self.text.as_str(),
        }});
        Notice { method: "textDocument/didOpen", params }
    }

    /// Replaces the whole text by a change with a range: vtsls 0.3.0 computes the range of one without
    /// from the new text, and is left with the old text's tail.
    fn change(&mut self, path: &AbsPath, text: Arc<Text>, measure: Measure) -> Option<Notice> {
        if *self.text == *text {
            return None;
        }
        let end = measure.end_of(&self.text);
        self.version += 1;
        self.text = text;
        let params = json!({
            "textDocument": {"uri": convert::uri(path), "version": self.version},
            "contentChanges": [{
                "range": {"start": {"line": 0, "character": 0}, "end": end},
                "text": self.text.as_str(),
            }],
        });
        Some(Notice { method: "textDocument/didChange", params })
    }
}

fn closed(path: &AbsPath) -> Notice {
    Notice { method: "textDocument/didClose", params: json!({"textDocument": {"uri": convert::uri(path)}}) }
}

#[cfg(test)]
mod tests;
