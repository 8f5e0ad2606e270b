//! What this client says of itself when a conversation begins.

use serde_json::{Value, json};

use super::{Quirk, ServerSpec};

/// The params of `initialize`, raw: some of the capabilities are younger than lsp-types 0.95.
pub(super) fn initialize_params(spec: &ServerSpec, root_uri: &str, folders: &Value) -> Value {
    json!({
        "processId": std::process::id(),
        "clientInfo": {"name": "lspwright", "version": env!("CARGO_PKG_VERSION")},
        "locale": "en",
        "rootUri": root_uri,
        "rootPath": url::Url::parse(root_uri).ok().and_then(|uri| uri.to_file_path().ok()),
        "workspaceFolders": folders,
        "initializationOptions": spec.initialization_options,
        "capabilities": capabilities(spec),
        "trace": "off",
    })
}

fn capabilities(spec: &ServerSpec) -> Value {
    let encodings = if spec.has(Quirk::Utf8Positions) { json!(["utf-8", "utf-16"]) } else { json!(["utf-16"]) };
    json!({
        "general": {
            "positionEncodings": encodings,
            "staleRequestSupport": {"cancel": true, "retryOnContentModified": []},
        },
        "window": {
            "workDoneProgress": true,
            "showMessage": {"messageActionItem": {"additionalPropertiesSupport": true}},
            "showDocument": {"support": false},
        },
        "workspace": workspace(),
        "textDocument": text_document(),
        "experimental": {"serverStatusNotification": true},
    })
}

fn workspace() -> Value {
    json!({
        "applyEdit": true,
        "workspaceEdit": {
            "documentChanges": true,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "abort",
            "normalizesLineEndings": false,
            "changeAnnotationSupport": {"groupsOnLabel": false},
        },
        "configuration": true,
        "didChangeConfiguration": {"dynamicRegistration": true},
        "didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true},
        "workspaceFolders": true,
        "fileOperations": {
            "dynamicRegistration": true,
            "willRename": true, "didRename": true,
            "willCreate": false, "didCreate": false, "willDelete": false, "didDelete": false,
        },
        "symbol": {"dynamicRegistration": true},
        "executeCommand": {"dynamicRegistration": true},
        "diagnostics": {"refreshSupport": true},
    })
}

fn text_document() -> Value {
    let dynamic = json!({"dynamicRegistration": true});
    let linked = json!({"dynamicRegistration": true, "linkSupport": true});
    json!({
        "synchronization": {"dynamicRegistration": true, "didSave": true},
        "rename": {"dynamicRegistration": true, "prepareSupport": true, "prepareSupportDefaultBehavior": 1, "honorsChangeAnnotations": false},
        // `declaration` is not said, though it is asked for where a server offers it: to who says so, pyright 1.1.414 answers
        // `definition` past the stubs.
        "definition": linked,
        "implementation": linked,
        "typeDefinition": linked,
        "references": dynamic,
        "hover": {"dynamicRegistration": true, "contentFormat": ["plaintext", "markdown"]},
        "documentSymbol": {"dynamicRegistration": true, "hierarchicalDocumentSymbolSupport": true},
        // Said at the start, where nobody waits for it.
        "formatting": {},
        "callHierarchy": dynamic,
        "typeHierarchy": dynamic,
        "codeAction": {
            "dynamicRegistration": true,
            "isPreferredSupport": true,
            "disabledSupport": true,
            "dataSupport": true,
            "honorsChangeAnnotations": false,
            "resolveSupport": {"properties": ["edit", "command"]},
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [
                "", "quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.move",
                "refactor.rewrite", "source", "source.organizeImports", "source.fixAll",
            ]}},
        },
        "publishDiagnostics": {"relatedInformation": true, "versionSupport": true, "codeDescriptionSupport": true, "tagSupport": {"valueSet": [1, 2]}},
        "diagnostic": {"dynamicRegistration": true, "relatedDocumentSupport": false},
    })
}
