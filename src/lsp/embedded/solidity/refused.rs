//! Why a request is not answered with a result, for the person who asked.

/// Why a request is not answered with a result, for the person who asked.
#[derive(Debug)]
pub(super) struct Refused(pub String);
