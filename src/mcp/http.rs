//! The tools over Streamable HTTP (MCP 2025-11-25 § Transports), for clients on other machines and in containers.
//!
//! A request gets to the tools by the path, the bearer token, and a `Host` and an `Origin` that are known, in this order:
//! a page in somebody's browser has neither the token nor, where its name leads to this machine, the host.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use rmcp::transport::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::{Offer, ServeError, Server, close_idle};
use crate::text::ContentHash;
use crate::tools::Projects;

/// Where the tools are below the address.
pub const PATH: &str = "/mcp";
/// So many connections are open at a time; others wait.
const CONNECTIONS: usize = 256;
/// How long a request's head may take.
const HEAD: Duration = Duration::from_secs(30);
/// A session that nobody uses for so long is ended, with the shell that it may have.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// How long answers that are under way may take when the server ends.
const GRACE: Duration = Duration::from_secs(5);

/// Where and for whom to listen.
pub struct Door {
    pub address: SocketAddr,
    /// What a client shows as `Authorization: Bearer …`.
    pub token: String,
    /// Names by which clients call this machine, beside those of the loopback and the address itself.
    pub hosts: Vec<String>,
}

type Service = StreamableHttpService<Server, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Serves the tools until `stop` is done; then ends all language servers. `listening` is told the address, which has a
/// port where none was chosen.
pub async fn serve(
    (projects, offer): (Arc<Projects>, Offer),
    door: Door,
    listening: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let listener = TcpListener::bind(door.address).await.map_err(ServeError::Listen)?;
    listening(listener.local_addr().map_err(ServeError::Listen)?);
    let ended = CancellationToken::new();
    let hosts = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into_iter();
    let hosts: Vec<String> = hosts.chain([door.address.ip().to_string()]).chain(door.hosts).collect();
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(hosts.iter().flat_map(|host| origins(host)))
        .with_allowed_hosts(hosts)
        .with_cancellation_token(ended.clone());
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(IDLE);
    let theirs = Arc::clone(&projects);
    let server = move || Ok(Server::new(Arc::clone(&theirs), offer.clone()));
    let service = Service::new(server, Arc::new(sessions), config);
    let known = Arc::new(ContentHash::of(door.token.as_bytes()));
    let connections = GracefulShutdown::new();
    let accepting = async {
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        while let Ok(place) = Arc::clone(&room).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, _)) => talk(stream, (service.clone(), Arc::clone(&known)), place, &connections),
                // Too many files are open, for example: that passes.
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    };
    tokio::select! {
        () = accepting => {}
        () = stop => {}
        () = close_idle(&projects) => {}
    }
    drop(listener);
    ended.cancel();
    tokio::time::timeout(GRACE, connections.shutdown()).await.ok();
    projects.close().await;
    Ok(())
}

/// Returns what a page of a host calls itself, whatever its port.
fn origins(host: &str) -> [String; 2] {
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    ["http", "https"].map(|scheme| format!("{scheme}://{host}:*"))
}

/// Answers what comes over one connection, for as long as it lives.
fn talk(
    stream: TcpStream,
    (service, known): (Service, Arc<ContentHash>),
    place: OwnedSemaphorePermit,
    connections: &GracefulShutdown,
) {
    let answer = service_fn(move |request: Request<Incoming>| {
        let (service, known) = (service.clone(), Arc::clone(&known));
        async move {
            Ok::<Answer, Infallible>(match refused(&request, &known) {
                Some(refusal) => refusal,
                None => service.handle(request).await,
            })
        }
    });
    let mut http = http1::Builder::new();
    let connection =
        http.timer(TokioTimer::new()).header_read_timeout(HEAD).serve_connection(TokioIo::new(stream), answer);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        // A client that goes away has been told all that it wanted.
        let _ = connection.await;
        drop(place);
    });
}

/// Refuses what is not for the tools, and who does not show the token.
fn refused(request: &Request<Incoming>, known: &ContentHash) -> Option<Answer> {
    if request.uri().path() != PATH {
        return Some(told(StatusCode::NOT_FOUND, "the tools are at /mcp\n"));
    }
    if is_known(request.headers(), known) {
        return None;
    }
    let mut refusal = told(
        StatusCode::UNAUTHORIZED,
        "send `Authorization: Bearer` with the token that `lspwright serve --http` showed, or that its --token-file holds\n",
    );
    refusal.headers_mut().insert(WWW_AUTHENTICATE, http::HeaderValue::from_static("Bearer"));
    Some(refusal)
}

/// Tells whether the token is shown. Hashes are compared: how long that takes says nothing of the token.
fn is_known(headers: &HeaderMap, known: &ContentHash) -> bool {
    let shown =
        headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| value.split_once(' '));
    shown.is_some_and(|(scheme, token)| {
        scheme.eq_ignore_ascii_case("bearer") && ContentHash::of(token.trim().as_bytes()) == *known
    })
}

fn told(status: StatusCode, words: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(words.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer
}

/// Makes a token that nobody guesses.
///
/// # Errors
/// Where the system has no randomness to give.
pub fn new_token() -> io::Result<String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
