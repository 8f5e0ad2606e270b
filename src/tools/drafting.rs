//! The drafts of a project: taken up from an earlier run, joined with what happens on the disk, kept for a crash.
//!
//! The state directory's file is the truth: two programs that work on one project share the drafts by it.

use std::sync::Mutex as StdMutex;

use tokio::sync::{Mutex, MutexGuard};

use super::error::{ErrorKind, ToolError};
use crate::plan::joined;
use crate::session::Session;
use crate::text::AbsPath;
use crate::workspace::{Draft, Redrafted, kept_drafts, locked, read_drafts, read_text, write_if_changed};

/// What is known of a project's drafts beside their texts.
pub(super) struct Drafting {
    /// What the file said when it was read or written last.
    kept: StdMutex<String>,
    /// One change after the other.
    turns: Mutex<()>,
}

impl Drafting {
    /// Takes up the drafts of an earlier run.
    pub(super) fn taken_up(session: &Session) -> Self {
        let kept = read_text(file(session).as_path()).unwrap_or_default();
        for (path, base, text) in read_drafts(session.root(), &kept) {
            session.disk().set_draft(&path, base, text);
        }
        Self { kept: StdMutex::new(kept), turns: Mutex::default() }
    }

    /// Tells of drafts that were there when the project was opened.
    pub(super) fn news(&self, session: &Session) -> Option<String> {
        let count = session.disk().drafts().len();
        let drafts = match count {
            0 => return None,
            1 => "1 draft of an earlier run is".to_owned(),
            _ => format!("{count} drafts of an earlier run are"),
        };
        Some(format!("{drafts} not saved: `save` writes what is not saved, `discard` lets it go"))
    }

    /// Waits until nobody else writes.
    pub(super) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turns.lock().await
    }

    /// Joins the drafts with what changed on the disk under them, where the changes do not touch.
    pub(super) async fn settle(&self, session: &Session) -> Result<(), ToolError> {
        self.reread(session).await?;
        let disk = session.disk();
        let mut settled: Vec<Redrafted> = Vec::new();
        for (path, Draft { base, text, .. }) in disk.drafts() {
            let saved = disk.read_saved(&path).ok();
            if saved == base {
                continue;
            }
            if saved == text {
                settled.push((path, saved, text));
                continue;
            }
            if let (Some(base), Some(now), Some(own)) = (&base, &saved, &text)
                && let Some(both) = joined(base.as_str(), own.as_str(), now.as_str())
            {
                let both = std::sync::Arc::new(now.with_content(both));
                settled.push((path, saved.clone(), Some(both)));
            }
        }
        if settled.is_empty() {
            return Ok(());
        }
        session.redraft(settled).await?;
        self.keep(session)
    }

    /// Takes over what another program made of the drafts.
    async fn reread(&self, session: &Session) -> Result<(), ToolError> {
        let now = read_text(file(session).as_path()).unwrap_or_default();
        if *locked(&self.kept) == now {
            return Ok(());
        }
        let mut wanted = read_drafts(session.root(), &now);
        for (path, _) in session.disk().drafts() {
            if !wanted.iter().any(|(other, ..)| *other == path) {
                let saved = session.disk().read_saved(&path).ok();
                wanted.push((path, saved.clone(), saved));
            }
        }
        session.redraft(wanted).await?;
        *locked(&self.kept) = now;
        Ok(())
    }

    /// Keeps the drafts as they are now.
    pub(super) fn keep(&self, session: &Session) -> Result<(), ToolError> {
        let drafts = session.disk().drafts();
        let text = kept_drafts(session.root(), drafts.iter().map(|(path, draft)| (path, draft)));
        write_if_changed(&file(session), &text).map_err(|error| {
            let message = format!("the drafts cannot be kept in `{}`: {error}", file(session));
            ToolError::new(ErrorKind::Environment, message)
                .hint("they are there as long as this server runs: `save` now")
        })?;
        *locked(&self.kept) = text;
        Ok(())
    }

    /// Returns the drafts whose file changed on the disk where the draft changes it, too.
    pub(super) fn conflicts(&self, session: &Session) -> Vec<(AbsPath, Draft)> {
        let is_other = |(path, draft): &(AbsPath, Draft)| session.disk().read_saved(path).ok() != draft.base;
        session.disk().drafts().into_iter().filter(is_other).collect()
    }
}

fn file(session: &Session) -> AbsPath {
    session.options().dirs.state.drafts(session.root())
}
