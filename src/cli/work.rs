//! What every command that reads a project stands on: open projects, and a signal that ends it.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::args::Common;
use super::screen::Screen;
use crate::lsp::InstallPolicy;
use crate::tools::{Context, Setup, ToolError, Trust};

/// How projects are opened, as the command line says.
pub(super) fn setup(common: &Common) -> Setup {
    let trust = if common.trust_project { Trust::Project } else { Trust::Nothing };
    let setup = Setup::of(Arc::clone(&common.caller.environment), trust);
    if common.offline { Setup { install: InstallPolicy::Never, ..setup } } else { setup }
}

/// Runs `work` with open projects, and closes them whatever happens; a signal cancels it.
pub(super) async fn working<T>(
    common: &Common,
    screen: &Arc<Screen>,
    work: impl AsyncFnOnce(&Context) -> Result<T, ToolError>,
) -> Result<T, ToolError> {
    let projects = Arc::new(common.caller.projects(setup(common)));
    let sink = Arc::clone(screen) as Arc<_>;
    let around = vec![common.caller.dir()?];
    let cancelled = CancellationToken::new();
    let desk = Arc::default();
    let context = Context {
        projects: Arc::clone(&projects),
        sink,
        around,
        command: None,
        desk,
        cancelled,
        entered: Arc::default(),
    };
    let outcome = tokio::select! {
        outcome = work(&context) => outcome,
        () = common.caller.gone() => Err(ToolError::cancelled()),
    };
    projects.close().await;
    outcome
}
