//! `lspwright serve`.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use super::args::{Common, Serve};
use super::caller::stopped;
use super::plans::setup;
use crate::mcp::{self, Commands, Offer, Toolsets};
use crate::tools::{ErrorKind, Projects, Setup, ToolError, Toolset};
use crate::workspace::named_root;

/// How long a call waits for the installation of a server: clients give up after a minute.
const PATIENCE: Duration = Duration::from_secs(40);

/// Serves until stdin ends or a signal asks to stop; the servers end with it.
pub(super) async fn serve(common: &Common, args: Serve) -> Result<ExitCode, ToolError> {
    let project = common
        .project
        .as_ref()
        .map(|project| named_root(project, Some(&common.caller.dir()?)).map_err(ToolError::from));
    let offer = Offer {
        toolsets: toolsets(&args.toolsets)?,
        project: project.transpose()?,
        read_only: args.read_only,
        commands: if args.allow_commands { Commands::Allowed } else { Commands::Refused },
    };
    log_to_stderr("error");
    let setup = Setup { patience: Some(PATIENCE), ..setup(common) };
    let projects = match &offer.project {
        Some(project) => Projects::new(setup).within(project)?,
        None => Projects::new(setup),
    };
    let projects = Arc::new(projects);
    let served = mcp::serve(projects, offer, stopped()).await;
    served.map(|()| ExitCode::SUCCESS).map_err(|error| ToolError::new(ErrorKind::Environment, error.to_string()))
}

fn toolsets(names: &[String]) -> Result<Toolsets, ToolError> {
    if names.is_empty() {
        return Ok(Toolsets::Usual);
    }
    let known = || Toolset::ALL.map(Toolset::as_str).join(", ");
    let named = |name: &String| {
        let unknown =
            || ToolError::invalid(format!("no toolset is called `{name}`")).hint(format!("there are {}", known()));
        Toolset::named(name).ok_or_else(unknown)
    };
    Ok(Toolsets::Named(names.iter().map(named).collect::<Result<_, _>>()?))
}

/// Logs what `LSPWRIGHT_LOG` asks for, or else `usual`: stdout belongs to others.
pub(super) fn log_to_stderr(usual: &str) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("LSPWRIGHT_LOG");
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(usual));
    let logging = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    // Only a second subscriber could be refused, and there is none.
    let _ = logging.try_init();
}
