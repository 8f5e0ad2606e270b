//! Floor 7: the MCP server.

mod describe;
mod progress;
mod server;

use std::sync::Arc;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;

use crate::tools::Projects;

pub use server::{Offer, Server};

/// Why the server ended in disorder.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the connection was not begun as MCP prescribes: {0}")]
    Start(Box<ServerInitializeError>),
    #[error("the server's loop broke: {0}")]
    Loop(#[from] tokio::task::JoinError),
}

/// Serves the tools over stdin and stdout until stdin ends or `stop` is done; then ends all language servers.
pub async fn serve(projects: Arc<Projects>, offer: Offer, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
    let server = Server::new(Arc::clone(&projects), offer);
    let served = async {
        match server.serve(stdio()).await {
            Ok(running) => running.waiting().await.map(drop).map_err(ServeError::from),
            // A client that leaves before it has said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Start(Box::new(error))),
        }
    };
    let outcome = tokio::select! {
        outcome = served => outcome,
        () = stop => Ok(()),
    };
    projects.close().await;
    outcome
}
