//! How tsserver's own requests name places, and which servers take them.

use std::sync::Arc;

use serde::Deserialize;

use crate::lsp::{Feature, Quirk, Server};
use crate::text::{AbsPath, Encoding, LineBreaks, Position, Text};

/// Tells whether a server hands tsserver's own requests on.
pub(crate) fn speaks_tsserver(server: &Arc<Server>) -> bool {
    server.spec().has(Quirk::TsserverRequests) && server.offers(Feature::ExecuteCommand)
}

/// A place as tsserver names it: line and offset, both 1-based, in UTF-16 units.
#[derive(Deserialize)]
pub(crate) struct OneBased {
    pub line: u32,
    pub offset: u32,
}

/// Tells whether a file belongs to an installed package.
pub(crate) fn in_dependencies(path: &AbsPath) -> bool {
    path.as_path().components().any(|part| part.as_os_str() == "node_modules")
}

/// Tells whether a file is none of the project's own.
pub(crate) fn is_outside(root: &AbsPath, path: &AbsPath) -> bool {
    !path.is_below(root) || in_dependencies(path)
}

/// Tells whether a file declares what JavaScript itself has: `lib.es2022.d.ts`.
pub(crate) fn is_standard(path: &AbsPath) -> bool {
    path.file_name().starts_with("lib.") && path.file_name().ends_with(".d.ts")
}

/// Returns where tsserver sees an offset: line and offset, both 1-based, in UTF-16 units.
pub(crate) fn one_based(text: &Text, offset: usize) -> Option<(u32, u32)> {
    let position = text.lines_by(LineBreaks::EcmaScript).position(text.as_str(), offset, Encoding::Utf16)?;
    Some((position.line + 1, position.character + 1))
}

/// Returns the offset of a place that tsserver names.
pub(crate) fn within(text: &Text, at: &OneBased) -> Option<usize> {
    let position = Position { line: at.line.checked_sub(1)?, character: at.offset.checked_sub(1)? };
    text.lines_by(LineBreaks::EcmaScript).offset(text.as_str(), position, Encoding::Utf16)
}
