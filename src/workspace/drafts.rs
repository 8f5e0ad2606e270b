//! Texts that stand before the disk's, until they are saved or discarded.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::stamp::Stamp;
use super::walk::FileEntry;
use crate::plan::{Parts, Plan, PlanError, difference};
use crate::text::{AbsPath, RelPath, Text};

/// One file that is not as it is on the disk.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What stood on the disk when it was begun, or was joined last; nothing where no file was there.
    pub base: Option<Arc<Text>>,
    /// Nothing where the file is to go.
    pub text: Option<Arc<Text>>,
    /// Tells two texts of one path apart.
    version: u64,
}

/// The drafts of one project.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    by_path: BTreeMap<AbsPath, Draft>,
    /// Counts the changes.
    pub(super) version: u64,
}

impl Drafts {
    pub(super) fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    pub(super) fn get(&self, path: &AbsPath) -> Option<&Draft> {
        self.by_path.get(path)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&AbsPath, &Draft)> {
        self.by_path.iter()
    }

    /// Puts a text before the disk's; one that is the disk's own is no draft.
    pub(super) fn put(&mut self, path: &AbsPath, base: Option<Arc<Text>>, text: Option<Arc<Text>>) {
        self.version += 1;
        if base == text {
            self.by_path.remove(path);
        } else {
            self.by_path.insert(path.clone(), Draft { base, text, version: self.version });
        }
    }

    /// Lists the files as they are with the drafts: sorted by path, as the disk's are.
    pub(super) fn over(&self, files: &[FileEntry]) -> Vec<FileEntry> {
        let kept = files.iter().filter(|file| !self.by_path.contains_key(&file.path)).cloned();
        let own = self.by_path.iter().filter_map(|(path, draft)| {
            let text = draft.text.as_ref()?;
            Some(FileEntry { path: path.clone(), stamp: Stamp::of_draft(draft.version, text.as_str().len() as u64) })
        });
        let mut all: Vec<FileEntry> = kept.chain(own).collect();
        all.sort_by(|one, other| one.path.cmp(&other.path));
        all
    }
}

/// Makes the plan that leads from what stands on the disk to drafts.
pub fn plan_of_drafts(drafts: impl Iterator<Item = Redrafted>) -> Result<Plan, PlanError> {
    let mut parts = Parts::default();
    for (path, saved, text) in drafts {
        match (saved, text) {
            (Some(saved), Some(text)) => {
                let edits = difference(saved.as_str(), text.as_str());
                parts.edits.insert(path, (saved, edits));
            }
            (None, Some(text)) => drop(parts.creates.insert(path, Text::clone(&text))),
            (Some(saved), None) => drop(parts.deletes.insert(path, saved)),
            (None, None) => {}
        }
    }
    Plan::new(parts)
}

/// The drafts as they are kept for a crash: texts with their byte order marks, paths relative to the root.
#[derive(Serialize, Deserialize)]
struct Kept {
    root: String,
    drafts: Vec<KeptDraft>,
}

#[derive(Serialize, Deserialize)]
struct KeptDraft {
    path: String,
    base: Option<String>,
    text: Option<String>,
}

/// A file with what stood on the disk, and what is to stand there.
pub type Redrafted = (AbsPath, Option<Arc<Text>>, Option<Arc<Text>>);

/// Writes drafts as text; nothing where there are none.
pub fn kept_drafts<'d>(root: &AbsPath, drafts: impl Iterator<Item = (&'d AbsPath, &'d Draft)>) -> String {
    let whole = |text: &Arc<Text>| String::from_utf8_lossy(&text.encode()).into_owned();
    let one = |(path, draft): (&AbsPath, &Draft)| {
        let path = path.relative_to(root).map(|path| path.as_str().to_owned())?;
        Some(KeptDraft { path, base: draft.base.as_ref().map(whole), text: draft.text.as_ref().map(whole) })
    };
    let kept = Kept { root: root.to_string(), drafts: drafts.filter_map(one).collect() };
    serde_json::to_string(&kept).unwrap_or_default()
}

/// Reads drafts that were kept for a project; nothing where the text holds none of it.
pub fn read_drafts(root: &AbsPath, kept: &str) -> Vec<Redrafted> {
    let Ok(kept) = serde_json::from_str::<Kept>(kept) else { return Vec::new() };
    if kept.root != root.as_str() {
        return Vec::new();
    }
    let text = |text: String| Text::decode(text.into_bytes()).ok().map(Arc::new);
    let one = |draft: KeptDraft| {
        let path = root.join_rel(&RelPath::new(draft.path).ok()?);
        Some((path, draft.base.and_then(text), draft.text.and_then(text)))
    };
    kept.drafts.into_iter().filter_map(one).collect()
}
