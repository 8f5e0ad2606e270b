//! The diagnostics that a server has pushed, as many as it is worth to keep.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::text::AbsPath;

/// The last push for each file. Where there are too many, those that have not been renewed for longest are forgotten:
/// whoever asks for one of them is told so.
#[derive(Debug, Default)]
pub(super) struct Pushes {
    files: BTreeMap<AbsPath, Pushed>,
    /// The files by the numbers of their pushes.
    order: BTreeMap<u64, AbsPath>,
    bytes: usize,
}

/// One `textDocument/publishDiagnostics`.
#[derive(Debug, Clone)]
pub(super) struct Pushed {
    /// Its number among all that the server pushed, from 1.
    pub(super) serial: u64,
    /// In JSON, which takes less room than what is read of it.
    json: String,
}

const MOST_FILES: usize = 50_000;
const MOST_BYTES: usize = 64 << 20;

impl Pushes {
    pub(super) fn put(&mut self, path: AbsPath, serial: u64, diagnostics: &Value) {
        self.remove(&path);
        let json = diagnostics.to_string();
        self.bytes += json.len();
        self.order.insert(serial, path.clone());
        self.files.insert(path, Pushed { serial, json });
        while self.bytes > MOST_BYTES || self.files.len() > MOST_FILES {
            let Some((_, oldest)) = self.order.first_key_value() else { return };
            self.remove(&oldest.clone());
        }
    }

    pub(super) fn get(&self, path: &AbsPath) -> Option<&Pushed> {
        self.files.get(path)
    }

    fn remove(&mut self, path: &AbsPath) {
        if let Some(old) = self.files.remove(path) {
            self.order.remove(&old.serial);
            self.bytes -= old.json.len();
        }
    }
}

impl Pushed {
    pub(super) fn diagnostics(&self) -> Value {
        serde_json::from_str(&self.json).expect("a JSON value that was written can be read")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{MOST_BYTES, MOST_FILES, Pushes};
    use crate::text::AbsPath;

    fn path(number: usize) -> AbsPath {
        AbsPath::new(format!("/p/{number}")).unwrap()
    }

    #[test]
    fn the_last_push_of_a_file_counts() {
        let mut pushes = Pushes::default();
        pushes.put(path(0), 1, &json!([1]));
        pushes.put(path(0), 2, &json!([2]));
        let found = pushes.get(&path(0)).unwrap();
        assert_eq!((found.serial, found.diagnostics(), pushes.bytes), (2, json!([2]), 3));
        assert!(pushes.get(&path(1)).is_none());
    }

    #[test]
    fn what_was_renewed_longest_ago_is_forgotten() {
        let mut pushes = Pushes::default();
        let long = json!("x".repeat(MOST_BYTES / 4));
        for (serial, file) in [(1, 0), (2, 1), (3, 2), (4, 0), (5, 3)] {
            pushes.put(path(file), serial, &long);
        }
        let kept: Vec<bool> = (0..4).map(|file| pushes.get(&path(file)).is_some()).collect();
        assert_eq!(kept, [true, false, true, true]);
        for number in 0..2 * MOST_FILES {
            pushes.put(path(number), 10 + number as u64, &json!([]));
        }
        assert_eq!((pushes.files.len(), pushes.order.len()), (MOST_FILES, MOST_FILES));
        assert!(pushes.bytes <= MOST_FILES * 2);
    }
}
