//! The Solidity server: async-lsp's loop in front, and one thread that works through what it is told in order.

mod calls;
mod hello;
mod places;
mod refused;
mod renames;
mod symbols;
mod world;

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use async_lsp::router::Router;
use async_lsp::{AnyNotification, AnyRequest, ClientSocket, ErrorCode, MainLoop, ResponseError};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tokio_util::compat::{TokioAsyncReadCompatExt as _, TokioAsyncWriteCompatExt as _};

use refused::Refused;
use world::World;

type Method = fn(&mut World, &Value) -> Result<Value, Refused>;

/// Every request, with who answers it.
const METHODS: &[(&str, Method)] = &[
    ("initialize", hello::initialize),
    ("shutdown", |_, _| Ok(Value::Null)),
    ("textDocument/prepareRename", renames::prepare),
    ("textDocument/rename", renames::rename),
    ("workspace/willRenameFiles", renames::will_rename_files),
    ("textDocument/definition", places::definition),
    ("textDocument/references", places::references),
    ("textDocument/implementation", places::implementation),
    ("textDocument/documentSymbol", symbols::of_document),
    ("workspace/symbol", symbols::of_workspace),
    ("textDocument/hover", symbols::hover),
    ("textDocument/prepareCallHierarchy", calls::prepare),
    ("callHierarchy/incomingCalls", calls::incoming),
    ("callHierarchy/outgoingCalls", calls::outgoing),
    ("textDocument/diagnostic", places::diagnostics),
];

type Notification = fn(&mut World, &Value);

/// Every notification that changes something.
const NOTIFICATIONS: &[(&str, Notification)] = &[
    ("initialized", hello::initialized),
    ("textDocument/didOpen", places::opened),
    ("textDocument/didChange", places::changed),
    ("textDocument/didClose", World::closed),
    ("workspace/didChangeWatchedFiles", World::watched),
];

/// Something to do, in the order of its arrival.
enum Job {
    Answer { method: String, params: Value, answer: oneshot::Sender<Result<Value, ResponseError>> },
    Hear { method: String, params: Value },
}

pub(super) async fn serve(reader: impl AsyncRead + Send, writer: impl AsyncWrite + Send) {
    let (main_loop, client) = MainLoop::new_server(|client| service(start(client)));
    // A client that is gone ends the loop with an error, which is nobody's any more.
    let _ = main_loop.run_buffered(reader.compat(), writer.compat_write()).await;
    // async-lsp 0.2.4 panics where its queue is gone before its loop.
    drop(client);
}

/// Starts the thread that does the work; it ends when nobody can send it anything.
fn start(client: ClientSocket) -> Sender<Job> {
    let (jobs, received) = channel();
    let started = thread::Builder::new().name("solidity-server".to_owned()).spawn(move || work(&received, client));
    // Without the thread every request is answered with the reason below.
    drop(started);
    jobs
}

fn service(jobs: Sender<Job>) -> Router<Sender<Job>> {
    let mut router = Router::new(jobs);
    router.unhandled_request(|jobs, AnyRequest { method, params, .. }| {
        let (answer, answered) = oneshot::channel();
        let sent = jobs.send(Job::Answer { method, params, answer });
        async move {
            let gone = || ResponseError::new(ErrorCode::INTERNAL_ERROR, "the server has ended");
            sent.map_err(|_| gone())?;
            answered.await.map_err(|_| gone())?
        }
    });
    router.unhandled_notification(|jobs, AnyNotification { method, params, .. }| {
        if method == "exit" {
            return ControlFlow::Break(Ok(()));
        }
        // Where the thread is gone, the requests say so.
        let _ = jobs.send(Job::Hear { method, params });
        ControlFlow::Continue(())
    });
    router.unhandled_event(|_, _| ControlFlow::Continue(()));
    router
}

fn work(jobs: &Receiver<Job>, client: ClientSocket) {
    let mut world = World::new(client);
    for job in jobs {
        match job {
            Job::Answer { method, params, answer } => {
                // A client that no longer waits has cancelled.
                let _ = answer.send(answered(&mut world, &method, &params));
            }
            Job::Hear { method, params } => {
                let hears = NOTIFICATIONS.iter().find(|(name, _)| *name == method);
                let heard = catch_unwind(AssertUnwindSafe(|| {
                    if let Some((_, hear)) = hears {
                        hear(&mut world, &params);
                    }
                }));
                if heard.is_err() {
                    world.forget();
                }
            }
        }
    }
}

fn answered(world: &mut World, method: &str, params: &Value) -> Result<Value, ResponseError> {
    let Some((_, answer)) = METHODS.iter().find(|(name, _)| *name == method) else {
        return Err(ResponseError::new(ErrorCode::METHOD_NOT_FOUND, format!("no method `{method}`")));
    };
    match catch_unwind(AssertUnwindSafe(|| answer(world, params))) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(Refused(reason))) => Err(ResponseError::new(ErrorCode::REQUEST_FAILED, reason)),
        Err(_) => {
            world.forget();
            Err(ResponseError::new(ErrorCode::INTERNAL_ERROR, format!("`{method}` failed on its own account")))
        }
    }
}
