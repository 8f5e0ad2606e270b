//! `lspwright serve`.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use super::args::{Common, Serve};
use super::caller::stopped;
use super::screen::Screen;
use super::work::setup;
use crate::mcp::http::{Door, PATH, new_token};
use crate::mcp::{self, Commands, Offer, Toolsets};
use crate::tools::{ErrorKind, Projects, Setup, ToolError, Toolset};
use crate::workspace::named_root;

/// How long a call waits for the installation of a server: clients give up after a minute.
const PATIENCE: Duration = Duration::from_secs(40);

/// The shortest token that a file may hold, in characters.
const TOKEN: usize = 16;

/// Serves until stdin ends or a signal asks to stop; the servers end with it.
pub(super) async fn serve(common: &Common, args: Serve, screen: &Screen) -> Result<ExitCode, ToolError> {
    let project = common
        .project
        .as_ref()
        .map(|project| named_root(project, Some(&common.caller.dir()?)).map_err(ToolError::from));
    let offer = Offer {
        toolsets: toolsets(&args.toolsets)?,
        project: project.transpose()?,
        read_only: args.read_only || args.http.is_some() && !args.allow_writes,
        commands: if args.allow_commands { Commands::Allowed } else { Commands::Refused },
    };
    let door = args.http.map(|address| door(common, &args, address)).transpose()?;
    log_to_stderr("error");
    let setup = Setup { patience: Some(PATIENCE), ..setup(common) };
    let projects = match &offer.project {
        Some(project) => Projects::new(setup).within(project)?,
        None => Projects::new(setup),
    };
    let projects = Arc::new(projects);
    let served = match door {
        None => mcp::serve(projects, offer, stopped()).await,
        Some(door) => {
            let (token, may_write) = (args.token_file.is_none().then(|| door.token.clone()), !offer.read_only);
            let listening = |at| screen.print_beside(&listening(at, token.as_deref(), may_write));
            mcp::http::serve((projects, offer), door, listening, stopped()).await
        }
    };
    served.map(|()| ExitCode::SUCCESS).map_err(|error| ToolError::new(ErrorKind::Environment, error.to_string()))
}

/// Says where and for whom to listen over HTTP.
fn door(common: &Common, args: &Serve, address: SocketAddr) -> Result<Door, ToolError> {
    if common.project.is_none() {
        let error = ToolError::invalid("over HTTP a client sees one project, and none is named");
        return Err(error.hint("name it: `lspwright serve --http 127.0.0.1:8080 --project DIR`"));
    }
    let token = match &args.token_file {
        Some(file) => common.caller.read(file)?.lines().next().unwrap_or_default().trim().to_owned(),
        None => new_token().map_err(|error| ToolError::new(ErrorKind::Environment, format!("no token: {error}")))?,
    };
    if token.chars().count() < TOKEN {
        let error = ToolError::invalid(format!("the token is shorter than {TOKEN} characters"));
        return Err(error.hint("write a long one that cannot be guessed: `openssl rand -hex 32 > FILE`"));
    }
    Ok(Door { address, token, hosts: args.allow_host.clone() })
}

/// Says how a client gets to the tools.
fn listening(at: SocketAddr, token: Option<&str>, may_write: bool) -> String {
    let writes = if may_write { "" } else { "tools that write are left out without --allow-writes\n" };
    let token = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\n"));
    format!("serving http://{at}{PATH}\n{writes}{token}")
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
