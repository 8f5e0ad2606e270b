//! The tools that write a project as declarations: in drafts, until `save`.
//!
//! A tool makes a plan from the drafts as they are, has it checked and drafts what it makes (`draft`), whatever the
//! check says: what is being built is not whole at every step. `save` makes the plan that leads from the disk to the
//! drafts, for whose check the disk's texts are laid over what the servers see; it goes through the journal like any
//! other and is refused where it makes anything worse.
//!
//! Drafts lie in `workspace/drafts`, as a part of `Disk`: `read`, `files` and `files_mentioning` answer with them, so
//! that nobody above has to know; `read_saved` is what is below, and `shows` tells which of the two a plan is made of.
//! `Session::redraft` shows them to the servers as open documents. `tools/drafting.rs` joins drafts with outside edits
//! and keeps them in the state directory, whose file is the truth where two programs work on one project.

mod add;
mod args;
mod change;
mod draft;
mod imports;
mod save;
mod sync;
mod views;

pub(super) use add::{ADD_DECLARATION, ADD_FIELD, ADD_METHOD};
pub(super) use change::{DELETE_DECLARATION, EDIT_SOURCE, MOVE_DECLARATION, RENAME_DECLARATION, REPLACE_DECLARATION};
pub(super) use save::{DISCARD, SAVE};
pub(super) use sync::SYNC_PT;
pub(super) use views::GENERATE_PT;
