//! The coding tools: what an agent without tools of its own needs to do a whole job. Off unless asked for.

mod bash;
mod code_search;
mod desk;
mod file_editor;
mod git_diff;
mod json_editor;
mod place;
mod sequential_thinking;
mod task_done;
mod thoughts;
mod written;

pub(super) use bash::BASH;
pub(super) use code_search::CODE_SEARCH;
pub use desk::Desk;
pub(super) use file_editor::FILE_EDITOR;
pub(super) use git_diff::GIT_DIFF;
pub(super) use json_editor::JSON_EDITOR;
pub(super) use sequential_thinking::SEQUENTIAL_THINKING;
pub(super) use task_done::TASK_DONE;
