//! Language servers that live in this program, spoken to in LSP like any other.

mod layout;
mod loading;
mod solidity;

pub use layout::{read_layout, read_relative_layout};
pub use loading::{complete, load_project, own_sources, read_source};
use tokio::io::{AsyncRead, AsyncWrite};

use super::{Connector, LspError, Pipes, ServerName};

/// What the pipe between the two halves holds before one has to wait: bytes.
const PIPE_BYTES: usize = 1 << 18;

/// Returns what starts the server that `embedded` names, on a pipe in memory, as often as it is asked.
pub(super) fn connector(server: ServerName, embedded: String) -> Connector {
    Box::new(move || {
        let started = start(&server, &embedded);
        Box::pin(std::future::ready(started))
    })
}

fn start(server: &ServerName, embedded: &str) -> Result<Pipes, LspError> {
    if embedded != "solidity" {
        let reason = format!("no server called `{embedded}` is embedded; there is `solidity`");
        return Err(LspError::StartFailed { server: server.clone(), reason, stderr: String::new() });
    }
    let (client, served) = tokio::io::duplex(PIPE_BYTES);
    let (reader, writer) = tokio::io::split(served);
    tokio::spawn(async move { serve_solidity(reader, writer).await });
    let (reader, writer) = tokio::io::split(client);
    Ok(Pipes::in_memory(reader, writer))
}

/// Serves Solidity until the client says `exit` or closes its end.
pub async fn serve_solidity(reader: impl AsyncRead + Send, writer: impl AsyncWrite + Send) {
    solidity::serve(reader, writer).await;
}
