//! What the commands are asked with that install language servers, and keep them warm.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(in crate::cli) struct SetUp {
    /// For this language (python, typescript, …); may be given several times [default: those of the project]
    #[arg(long, value_name = "ID")]
    pub language: Vec<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Servers {
    #[command(subcommand)]
    pub command: Option<ServersCommand>,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ServersCommand {
    /// Lists every server that is known, and whether it is there
    List,
    /// Installs servers, pinned, into the cache
    Install {
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Daemon {
    #[command(subcommand)]
    pub command: Option<DaemonCommand>,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum DaemonCommand {
    /// Tells whether it runs, the projects that it keeps open, and the memory that it takes
    Status,
    /// Ends it, with all servers that it has started
    Stop,
    /// Prints what it has written down
    Logs,
}
