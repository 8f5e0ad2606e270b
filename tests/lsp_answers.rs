//! What the client takes for an answer: versions, creations, deletions, moves, and names.

use std::sync::atomic::{AtomicUsize, Ordering};

use lspwright::lsp::{Answer, FileOperation, LspError};
use lspwright::plan::WarningKind;
use serde_json::{Value, json};

use crate::scripted::{Project, all_features, answering, document, edit, place, project, rename, spec};
use crate::support::block_on;

/// The answer to a rename that wants these changes; `A` stands for the URI of `a.toy`, `B` for that of `b b.toy`.
fn wanting(changes: Value) -> Result<Answer, LspError> {
    block_on(async move {
        let project = project("textDocument/rename", move |message, out| {
            let (a, b) = (document(message), document(message).replace("a.toy", "b%20b.toy"));
            let changes =
                changes.to_string().replace("\"A\"", &format!("\"{a}\"")).replace("\"B\"", &format!("\"{b}\""));
            let changes = changes.replace("DIR", a.trim_end_matches("/a.toy"));
            out.answer(message, json!({"documentChanges": serde_json::from_str::<Value>(&changes).unwrap()}));
        });
        let server = project.connect(&spec()).await.unwrap();
        rename(&project, &server).await.map(Option::unwrap)
    })
}

#[track_caller]
fn unusable(changes: Value, reason: &str) {
    let error = wanting(changes).unwrap_err();
    assert!(matches!(error, LspError::BadAnswer { .. }), "{error:?}");
    assert!(error.to_string().contains(reason), "{error}");
}

#[test]
fn what_is_done_to_files_as_a_whole_is_never_dropped() {
    let operations = [
        (json!({"kind": "create", "uri": "DIR/new.toy"}), "it would create `"),
        (json!({"kind": "rename", "oldUri": "B", "newUri": "DIR/c.toy"}), "it would move `"),
        (json!({"kind": "delete", "uri": "B"}), "it would delete `"),
    ];
    for (operation, said) in operations {
        let answer = wanting(json!([operation])).unwrap();
        assert!(!answer.is_empty());
        let operation: FileOperation = answer.edits_alone().unwrap_err();
        assert!(operation.to_string().starts_with(said), "{operation}");
    }
}

#[test]
fn options_of_file_operations_are_heeded() {
    unusable(json!([{"kind": "create", "uri": "B"}]), "which exists");
    unusable(
        json!([{"kind": "create", "uri": "B", "options": {"overwrite": true, "ignoreIfExists": true}}]),
        "overwrite",
    );
    assert!(wanting(json!([{"kind": "create", "uri": "B", "options": {"ignoreIfExists": true}}])).unwrap().is_empty());
    unusable(json!([{"kind": "rename", "oldUri": "A", "newUri": "B"}]), "which exists");
    unusable(
        json!([{"kind": "rename", "oldUri": "A", "newUri": "B", "options": {"overwrite": true}}]),
        "would overwrite `",
    );
    let ignored = json!([{"kind": "rename", "oldUri": "A", "newUri": "B", "options": {"ignoreIfExists": true}}]);
    assert!(wanting(ignored).unwrap().is_empty());
    unusable(json!([{"kind": "rename", "oldUri": "DIR/none.toy", "newUri": "DIR/c.toy"}]), "which is not there");
    unusable(json!([{"kind": "delete", "uri": "DIR/none.toy"}]), "which is not there");
    unusable(json!([{"kind": "delete", "uri": "DIR"}]), "which is not empty");
    unusable(json!([{"kind": "truncate", "uri": "A"}]), "unknown kind `truncate`");
    unusable(json!([{"kind": "create", "uri": "DIR/a%0Ab.toy"}]), "a character is not seen");
    // One after the other: what has left is not in the way.
    let swapped = json!([
        {"kind": "rename", "oldUri": "A", "newUri": "DIR/c.toy"},
        {"kind": "rename", "oldUri": "B", "newUri": "A"},
    ]);
    assert_eq!(wanting(swapped).unwrap().whole().moves.len(), 2);
}

#[test]
fn an_answer_about_an_old_text_is_asked_for_again() {
    block_on(async {
        let asked = AtomicUsize::new(0);
        let project = project("textDocument/rename", move |message, out| {
            let version = if asked.fetch_add(1, Ordering::Relaxed) < 2 { 0 } else { 1 };
            let document = json!({"uri": document(message), "version": version});
            out.answer(
                message,
                json!({"documentChanges": [{"textDocument": document, "edits": [edit(1, 10, 13, "uno")]}]}),
            );
        });
        let server = project.connect(&spec()).await.unwrap();
        let answer = rename(&project, &server).await.unwrap().unwrap();
        assert_eq!(answer.whole().edits[&project.path("a.toy")].len(), 1);
        assert_eq!(project.heard.all("textDocument/rename").len(), 3);
    });
}

#[test]
fn an_answer_that_stays_about_another_text_is_refused() {
    let of = |uri: &str, version: Value| json!([{"textDocument": {"uri": uri, "version": version}, "edits": [edit(0, 0, 1, "x")]}]);
    unusable(of("A", json!(7)), "it is about version 7 of `");
    unusable(of("A", json!(0)), "of which version 1 was sent");
    unusable(of("B", json!(3)), "of which none was sent");
    for (uri, version) in [("A", json!(1)), ("A", Value::Null), ("B", Value::Null), ("B", json!(0))] {
        assert!(wanting(of(uri, version.clone())).is_ok(), "{uri} {version}");
    }
}

#[test]
fn what_a_person_should_agree_to_is_told() {
    block_on(async {
        let project = project("textDocument/rename", |message, out| {
            let noted = |line, id: &str| {
                let mut edit = edit(line, 0, 3, "x");
                edit["annotationId"] = id.into();
                edit
            };
            let annotations = json!({"a": {"label": "in a macro", "needsConfirmation": true}, "b": {"label": "sure"}});
            let edits = json!({document(message): [noted(0, "a"), noted(1, "b")]});
            out.answer(message, json!({"changes": edits, "changeAnnotations": annotations}));
        });
        let server = project.connect(&spec()).await.unwrap();
        let (_, warnings) = rename(&project, &server).await.unwrap().unwrap().edits_alone().unwrap();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!((warnings[0].kind, &warnings[0].path), (WarningKind::Unconfirmed, &Some(project.path("a.toy"))));
        assert!(warnings[0].message.ends_with("`in a macro`"), "{warnings:?}");
    });
}

#[test]
fn a_placeholder_that_is_no_name_is_refused() {
    block_on(async {
        for placeholder in ["one\r\ntwo", "o\u{0}ne", "\u{202e}eno"] {
            let script = answering(all_features(), "textDocument/prepareRename", move |message, out| {
                out.answer(message, json!({"range": edit(1, 10, 13, "")["range"], "placeholder": placeholder}));
            });
            let project = Project::new(&[("a.toy", crate::scripted::SOURCE)], script);
            let server = project.connect(&spec()).await.unwrap();
            let error = server.prepare_rename(&place(&project)).await.unwrap_err();
            assert!(error.to_string().contains("a character is not seen"), "{error}");
        }
    });
}
