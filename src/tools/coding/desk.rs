//! What the coding tools keep from call to call, for one connection.

use std::sync::Mutex as StdMutex;

use tokio::sync::Mutex;

use super::thoughts::Thoughts;
use crate::lsp::Shell;

/// The shell and the thoughts of one connection.
#[derive(Default)]
pub struct Desk {
    /// Nothing before the first command, and after a shell has ended.
    pub(super) shell: Mutex<Option<Shell>>,
    pub(super) thoughts: StdMutex<Thoughts>,
}

impl Desk {
    /// Ends the shell with all that it started.
    pub async fn clear(&self) {
        // Where a command runs still, the shell goes with the call that is given up.
        let shell = self.shell.try_lock().ok().and_then(|mut shell| shell.take());
        if let Some(shell) = shell {
            shell.end().await;
        }
    }
}
