//! Why a language server gave no answer that can be used.

use std::time::Duration;

use super::{Feature, ServerName, TooOften};
use crate::text::{AbsPath, NotUtf8, quoted, quoted_end};

/// What went wrong between this program and one server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LspError {
    #[error("server `{server}` cannot be started: `{program}` is not there")]
    Missing { server: ServerName, program: String },
    #[error("server `{server}` failed to start: {reason}{}", wrote(.stderr))]
    StartFailed { server: ServerName, reason: String, stderr: String },
    #[error("server `{server}` died{} ({status}){}", again(.too_often.as_ref()), wrote(.stderr))]
    Died { server: ServerName, status: String, stderr: String, too_often: Option<TooOften> },
    #[error("server `{server}` has been shut down")]
    ShutDown { server: ServerName },
    #[error("server `{server}` had not read the project after {} s", after.as_secs_f32())]
    NotReady { server: ServerName, after: Duration },
    #[error("server `{server}` did not answer `{method}` within {} s{}", after.as_secs_f32(), clause(.faults))]
    TimedOut { server: ServerName, method: String, after: Duration, faults: String },
    #[error("server `{server}` has not said within {} s what it finds", after.as_secs_f32())]
    Unheard { server: ServerName, after: Duration },
    #[error("server `{server}` cancelled `{method}`")]
    Cancelled { server: ServerName, method: String },
    #[error("server `{server}` refused `{method}`: {} ({code})", quoted(.message))]
    Refused { server: ServerName, method: String, code: i32, message: String },
    #[error("server `{server}` answered `{method}` with something unusable: {reason}")]
    BadAnswer { server: ServerName, method: String, reason: String },
    #[error("server `{server}` does not offer {}", .feature.as_str())]
    NotOffered { server: ServerName, feature: Feature },
    #[error("`{path}` cannot be shown to a server: {reason}")]
    Unreadable { path: AbsPath, reason: String },
    #[error("`{path}` is {source}")]
    NotUtf8 { path: AbsPath, source: NotUtf8 },
    #[error("byte {offset} is not a place in `{path}`")]
    NoPlace { path: AbsPath, offset: usize },
}

/// Words why a server stays dead.
fn again(too_often: Option<&TooOften>) -> String {
    let Some(TooOften { restarts, within, again_in }) = too_often else { return String::new() };
    let (minutes, seconds) = (within.as_secs() / 60, again_in.as_secs() + 1);
    format!(" again after {restarts} restarts within {minutes} min; it is not started again for {seconds} s")
}

/// Quotes the end of what a server wrote on stderr.
fn wrote(text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { format!("; it wrote {}", quoted_end(text)) }
}

fn clause(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("; {text}") }
}
