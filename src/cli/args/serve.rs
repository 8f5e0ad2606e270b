//! The words of `serve`.

use std::net::{Ipv4Addr, SocketAddr};

use clap::Args;

#[derive(Debug, Args)]
pub(in crate::cli) struct Serve {
    /// Which tools are offered: plan, refactor, inspect, audit, explore, write, build, coding [default: all but the last
    /// four; build runs the project's own programs, coding has a bash, which runs commands; audit is listed where there is Solidity]
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub toolsets: Vec<String>,
    /// Leave out the tools that write
    #[arg(long)]
    pub read_only: bool,
    /// Let clients have commands of their choice run, to check plans by: what `--check` is in a shell
    #[arg(long)]
    pub allow_commands: bool,
    /// Listen there for Streamable HTTP, not on stdin; a port alone is one of 127.0.0.1. Clients show a bearer token, keep
    /// to `--project`, and write nothing
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    pub http: Option<SocketAddr>,
    /// Let clients over HTTP write, too
    #[arg(long, requires = "http")]
    pub allow_writes: bool,
    /// Take the bearer token from the first line of a file [default: a new one, shown at the start]
    #[arg(long, requires = "http", value_name = "FILE")]
    pub token_file: Option<String>,
    /// Another name by which clients over HTTP call this machine; may be given several times
    #[arg(long, requires = "http", value_name = "NAME")]
    pub allow_host: Vec<String>,
}

/// Reads an address with a port, or a port of the loopback.
fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_| text.parse())
        .map_err(|_| "write a port, or an address and a port: 127.0.0.1:8080, [::1]:8080".into())
}
