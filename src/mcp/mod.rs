//! Floor 9: the MCP server.

mod choice;
mod command;
mod describe;
mod heard;
pub mod http;
mod lines;
mod log;
mod news;
mod progress;
mod prompts;
mod proxy;
mod resources;
mod roots;
mod server;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite, BufWriter};

use crate::tools::Projects;

pub use command::Commands;
pub use proxy::carry;
pub use server::{Offer, Server, Toolsets};
use wire::Wire;

/// How often idle projects are looked for.
const LOOK_FOR_IDLE: Duration = Duration::from_secs(60);

/// How many bytes of an answer are written at once.
const WRITTEN_AT_ONCE: usize = 1 << 16;

/// Why the server ended in disorder.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the connection was not begun as MCP prescribes: {0}")]
    Start(Box<ServerInitializeError>),
    #[error("nothing can be listened to there: {0}")]
    Listen(std::io::Error),
    #[error("the server's loop broke: {0}")]
    Loop(#[from] tokio::task::JoinError),
}

/// Serves the tools over a pair of pipes until what is read ends or `stop` is done; then ends the language servers that are
/// this client's alone.
pub async fn serve<R, W>(
    (projects, offer): (Arc<Projects>, Offer),
    (read, write): (R, W),
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let server = Server::new(Arc::clone(&projects), offer);
    let desk = server.desk();
    let served = async {
        // Every write to stdout is a way to another thread and back.
        let write = BufWriter::with_capacity(WRITTEN_AT_ONCE, write);
        match server.serve(Wire::new(read, write)).await {
            Ok(running) => running.waiting().await.map(drop).map_err(ServeError::from),
            // A client that leaves before it has said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Start(Box::new(error))),
        }
    };
    let outcome = tokio::select! {
        outcome = served => outcome,
        () = stop => Ok(()),
        () = close_idle(&projects) => Ok(()),
    };
    desk.clear().await;
    projects.close().await;
    outcome
}

/// Closes projects that nobody uses, for ever.
async fn close_idle(projects: &Projects) {
    loop {
        tokio::time::sleep(LOOK_FOR_IDLE).await;
        projects.close_idle().await;
    }
}
