//! Floor 3: language servers: which there are, how they are started, asked and ended.

mod spec;

pub use spec::{Feature, Install, Launch, Quirk, Readiness, ServerName, ServerSpec, Timeouts};
