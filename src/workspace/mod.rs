//! Floor 2: the disk below one root: its files, its words, and how a plan is written to it.

mod apart;
pub mod apply;
mod below;
mod contain;
mod dirs;
mod disk;
mod drafts;
mod files;
mod generated;
mod hash;
mod marks;
mod memory;
mod open;
mod outside;
mod parallel;
mod private_dir;
mod root;
mod scratch_dir;
mod shadow;
mod stamp;
mod texts;
mod tracked;
mod tree_state;
mod unread;
mod version_control;
mod walk;
mod watch;
mod words;

pub use apart::ApartChanges;
pub use below::{EntryKind, ListError, TreeEntry};
pub use contain::OutsideRoot;
pub use dirs::{Dirs, DirsError, StateDir};
pub use disk::{Disk, OpenError, ReadError};
pub use drafts::{Draft, Redrafted, kept_drafts, plan_of_drafts, read_drafts};
pub use files::Files;
pub use generated::write_if_changed;
pub use memory::{installed_memory, taken_memory};
pub use open::{read, read_text, read_text_of_project};
pub use outside::{Outside, Watched};
pub use parallel::gather;
pub use private_dir::{log_file, runtime_dir, take};
pub use root::{FoundRoot, NamedRootError, RootSign, can_hold_a_project, find_root, named_root};
pub use scratch_dir::{ScratchDir, sweep_scratch_dirs};
pub use shadow::{Purpose, ShadowCopy, ShadowError};
pub use stamp::Stamp;
pub use tree_state::TreeState;
pub use unread::Unread;
pub use walk::{Change, ChangeKind, FileEntry, TooLarge, files as project_files};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock; one whose holder panicked still guards whole values here, for all are swapped in at once.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
