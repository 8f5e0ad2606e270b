//! What the Solidity server says of itself.

use serde_json::{Value, json};

use super::refused::Refused;
use super::world::World;
use crate::lsp::convert;
use crate::text::Encoding;

/// LSP 3.17 § initialize.
pub(super) fn initialize(world: &mut World, params: &Value) -> Result<Value, Refused> {
    let folder = params["workspaceFolders"][0]["uri"].as_str().or(params["rootUri"].as_str());
    let root = folder.and_then(|uri| convert::path(uri).ok());
    let offered = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
    let knows = |name: &str| offered.is_some_and(|all| all.iter().any(|one| one == name));
    let (encoding, name) = match (knows("utf-8"), knows("utf-32") && !knows("utf-16")) {
        (true, _) => (Encoding::Utf8, "utf-8"),
        (false, true) => (Encoding::Utf32, "utf-32"),
        (false, false) => (Encoding::Utf16, "utf-16"),
    };
    let pulls = params.pointer("/capabilities/textDocument/diagnostic").is_some();
    let watches =
        params.pointer("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration") == Some(&json!(true));
    world.begin(root, encoding, pulls, watches);
    let filters = json!([
        {"scheme": "file", "pattern": {"glob": "**/*.sol", "matches": "file"}},
        {"scheme": "file", "pattern": {"glob": "**", "matches": "folder"}},
    ]);
    Ok(json!({
        "serverInfo": {"name": "lspwright solidity-server", "version": env!("CARGO_PKG_VERSION")},
        "capabilities": {
            "positionEncoding": name,
            "textDocumentSync": {"openClose": true, "change": 2},
            "renameProvider": {"prepareProvider": true},
            "definitionProvider": true,
            "referencesProvider": true,
            "implementationProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "hoverProvider": true,
            "callHierarchyProvider": true,
            "diagnosticProvider": {"interFileDependencies": true, "workspaceDiagnostics": false},
            "workspace": {"fileOperations": {"willRename": {"filters": filters}}},
        },
    }))
}

/// Asks an editor to tell what changes on the disk (LSP 3.17 § client/registerCapability).
pub(super) fn initialized(world: &mut World, _: &Value) {
    world.watch();
}
