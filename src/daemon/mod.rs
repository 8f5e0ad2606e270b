//! Floor 9: commands, and whole conversations with MCP clients, that are run for other processes of the same user, so that
//! sessions stay warm from one to the next.
//!
//! Nothing depends on the daemon: where it is not there, is of another version, or is lost on the way, a command runs in
//! the process that was started for it.

#[cfg(not(unix))]
mod absent;
#[cfg(unix)]
mod address;
#[cfg(unix)]
mod call;
#[cfg(unix)]
mod listen;
#[cfg_attr(not(unix), expect(dead_code, reason = "there is nobody to speak to"))]
mod message;

#[cfg(not(unix))]
pub use absent::{Address, Guest, Run, call, listen, open, status, stop};
#[cfg(unix)]
pub use address::Address;
#[cfg(unix)]
pub use call::{call, open, status, stop};
#[cfg(unix)]
pub use listen::{Guest, Run, listen};
pub use message::{Done, Heard, Invocation, Outcome, Output, Status};
