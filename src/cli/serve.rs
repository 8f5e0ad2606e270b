//! `lspwright serve`.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use rmcp::transport::stdio;

use super::args::{Common, Serve};
use super::caller::{PATIENCE, Place, stopped};
use super::daemon::{Handover, handover};
use super::screen::Screen;
use super::streams::{LOG, log_to_stderr};
use super::work::setup;
use crate::mcp::http::{Door, PATH, new_token};
use crate::mcp::{self, Commands, Offer, Toolsets};
use crate::tools::{ErrorKind, Projects, Setup, ToolError, Toolset};
use crate::workspace::named_root;

/// So many daemons are asked to hold one conversation, the next where one is lost; then this process holds it.
const MOST_DAEMONS: usize = 3;
/// How many bytes wait in a pipe.
const PIPE: usize = 1 << 16;

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
        dir: Some(common.caller.dir()?),
        read_only: args.read_only || args.http.is_some() && !args.allow_writes,
        commands: if args.allow_commands { Commands::Allowed } else { Commands::Refused },
    };
    let door = args.http.map(|address| door(common, &args, address)).transpose()?;
    log_to_stderr("error");
    let projects = projects(common, &offer)?;
    let served = match (door, &common.caller.place) {
        (Some(door), _) => {
            let (token, may_write) = (args.token_file.is_none().then(|| door.token.clone()), !offer.read_only);
            let listening = |at| screen.print_beside(&listening(at, token.as_deref(), may_write));
            mcp::http::serve((projects, offer), door, listening, stopped()).await
        }
        (None, Place::Daemon(guest)) => match guest.lent.connection() {
            Some(pipes) => mcp::serve((projects, offer), pipes, common.caller.gone()).await,
            None => Ok(()),
        },
        (None, Place::Own) => match handover(common).filter(|_| can_be_shared(&offer)) {
            Some(handover) => {
                share(handover, &(projects, offer)).await;
                Ok(())
            }
            None => mcp::serve((projects, offer), stdio(), stopped()).await,
        },
    };
    served.map(|()| ExitCode::SUCCESS).map_err(|error| ToolError::new(ErrorKind::Environment, error.to_string()))
}

/// The projects that a client may open.
fn projects(common: &Common, offer: &Offer) -> Result<Arc<Projects>, ToolError> {
    let projects = common.caller.projects(Setup { patience: Some(PATIENCE), ..setup(common) });
    Ok(Arc::new(match &offer.project {
        Some(project) => projects.within(project)?,
        None => projects,
    }))
}

/// Tells whether a daemon can hold a client's conversation. Programs of the project run where the client has started this
/// one, and a log is written to its stderr.
fn can_be_shared(offer: &Offer) -> bool {
    let runs_nothing = match &offer.toolsets {
        Toolsets::Usual => true,
        Toolsets::Named(named) => !named.iter().any(|it| matches!(it, Toolset::Build | Toolset::Coding)),
    };
    runs_nothing && offer.commands == Commands::Refused && std::env::var_os(LOG).is_none()
}

/// Has daemons hold the conversation with the client, and does so itself where none does.
async fn share(handover: Handover, own: &(Arc<Projects>, Offer)) {
    let (mut daemons, mut serving) = (MOST_DAEMONS, tokio::task::JoinSet::new());
    let open = async || {
        if daemons > 0 {
            match handover.open().await {
                Ok(pipes) => {
                    daemons -= 1;
                    return pipes;
                }
                // One that hangs, or cannot be started, is not tried again.
                Err(_) => daemons = 0,
            }
        }
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let (projects, offer) = own;
        let offered = (Arc::clone(projects), offer.clone());
        serving.spawn(mcp::serve(offered, tokio::io::split(theirs), std::future::pending()));
        ours
    };
    tokio::select! {
        () = mcp::carry(stdio(), open) => {}
        () = stopped() => {}
    }
    // Its servers end with it.
    own.0.close().await;
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
