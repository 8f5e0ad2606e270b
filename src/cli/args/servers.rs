//! What the commands are asked with that install language servers.

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
