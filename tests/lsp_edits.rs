//! What the client makes of a server's edits: positions, both forms, and what it refuses.

use std::sync::atomic::{AtomicUsize, Ordering};

use lspwright::lsp::{LspError, Place, Prepared, Quirk, ServerSpec};
use lspwright::text::{LineBreaks, Span, TextEdit};
use serde_json::{Value, json};

use crate::scripted::{
    DEADLINE, Out, Project, SOURCE, all_features, answering, document, edit, hello, place, project, rename, spec,
};
use crate::support::block_on;

#[test]
fn rename_asks_at_the_servers_position_and_reads_both_forms_of_edits() {
    block_on(async {
        let project = project("textDocument/rename", |message, out| {
            // 😀 is two UTF-16 units.
            assert_eq!(message["params"]["position"], json!({"line": 0, "character": 9}));
            let (here, there) = (document(message), document(message).replace("a.toy", "b%20b.toy"));
            let edits = json!([edit(1, 10, 13, "uno"), edit(0, 9, 12, "uno"), edit(0, 9, 12, "uno")]);
            out.answer(
                message,
                json!({"documentChanges": [
                    {"textDocument": {"uri": here, "version": null}, "edits": edits},
                    {"kind": "rename", "oldUri": there, "newUri": here.replace("a.toy", "c.toy")},
                    {"textDocument": {"uri": here.replace("a.toy", "c.toy"), "version": 0}, "edits": [
                        {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}, "newText": "", "annotationId": "x"},
                    ]},
                    {"kind": "create", "uri": here, "options": {"ignoreIfExists": true}},
                    {"kind": "create", "uri": here.replace("a.toy", "d.toy")},
                    {"textDocument": {"uri": here.replace("a.toy", "d.toy"), "version": null}, "edits": [edit(0, 0, 0, "new")]},
                    {"textDocument": {"uri": "untitled:nothing", "version": null}, "edits": []},
                    {"kind": "delete", "uri": there, "options": {"ignoreIfNotExists": true}},
                    {"kind": "delete", "uri": here},
                ]}),
            );
        });
        let server = project.connect(&spec()).await.unwrap();
        let answer = rename(&project, &server).await.unwrap().unwrap().whole();
        let spans = SOURCE.match_indices("one").map(|(at, _)| TextEdit::new(at..at + 3, "uno"));
        assert_eq!(answer.edits[&project.path("a.toy")], spans.collect::<Vec<_>>(), "sorted, duplicates folded");
        assert_eq!(answer.edits[&project.path("b b.toy")], [TextEdit::new(0..4, "")], "addressed to the old path");
        assert_eq!(answer.edits[&project.path("d.toy")], [TextEdit::new(0..0, "new")]);
        assert_eq!(answer.moves, [(project.path("b b.toy"), project.path("c.toy"))]);
        assert_eq!(answer.creates, [project.path("d.toy")]);
        assert_eq!(answer.deletes, [project.path("a.toy")]);

        let opened = project.heard.nth("textDocument/didOpen", 1).await;
        assert_eq!(opened["params"]["textDocument"]["languageId"], "toy");
        assert_eq!(opened["params"]["textDocument"]["text"], SOURCE);
    });
}

#[test]
fn null_and_empty_are_told_apart() {
    block_on(async {
        let count = AtomicUsize::new(0);
        let project = project("textDocument/rename", move |message, out| {
            let empty = [Value::Null, json!({}), json!({"changes": {}})];
            out.answer(message, empty[count.fetch_add(1, Ordering::Relaxed)].clone());
        });
        let server = project.connect(&spec()).await.unwrap();
        assert_eq!(rename(&project, &server).await.unwrap(), None);
        assert!(rename(&project, &server).await.unwrap().unwrap().is_empty());
        assert!(rename(&project, &server).await.unwrap().unwrap().is_empty());
    });
}

#[test]
fn unusable_edits_are_refused_by_file_and_server() {
    block_on(async {
        let bad = [
            edit(0, 40, 41, "x"),
            edit(9, 0, 1, "x"),
            edit(0, 5, 6, "cuts the character"),
            edit(1, 4, 2, "backwards"),
            json!({"range": edit(0, 0, 0, "")["range"], "snippet": {"kind": "snippet", "value": "$0"}}),
        ];
        let count = AtomicUsize::new(0);
        let cases = bad.len();
        let project = project("textDocument/rename", move |message, out| {
            let edit = bad[count.fetch_add(1, Ordering::Relaxed)].clone();
            out.answer(message, json!({"changes": {document(message): [edit]}}));
        });
        let server = project.connect(&spec()).await.unwrap();
        for case in 0..cases {
            let error = rename(&project, &server).await.unwrap_err();
            assert!(matches!(error, LspError::BadAnswer { .. }), "case {case}: {error:?}");
            let message = error.to_string();
            assert!(message.contains("a.toy") && message.contains("`scripted`"), "case {case}: {message}");
        }
    });
}

#[test]
fn ends_of_lines_and_of_texts_are_ranges_all_the_same() {
    block_on(async {
        let project = project("textDocument/rename", |message, out| {
            let to_line_end = edit(0, 9, 999, "uno;");
            let to_text_end = json!({"range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}, "newText": ""});
            out.answer(message, json!({"changes": {document(message): [to_line_end, to_text_end]}}));
        });
        let server = project.connect(&spec()).await.unwrap();
        let answer = rename(&project, &server).await.unwrap().unwrap().whole();
        let line = SOURCE.find('\n').unwrap();
        let expected = [TextEdit::new(line - 4..line, "uno;"), TextEdit::new(line + 1..SOURCE.len(), "")];
        assert_eq!(answer.edits[&project.path("a.toy")], expected);
    });
}

#[test]
fn uris_that_are_no_files_are_refused() {
    block_on(async {
        let project = project("textDocument/rename", |message, out| {
            out.answer(message, json!({"changes": {"untitled:a": [edit(0, 0, 1, "x")]}}));
        });
        let server = project.connect(&spec()).await.unwrap();
        let error = rename(&project, &server).await.unwrap_err();
        assert!(error.to_string().contains("`untitled:a` is not a file"), "{error}");
    });
}

#[test]
fn lines_are_counted_as_the_server_counts_them() {
    block_on(async {
        let text = "a\u{2028}one\n";
        let script = answering(all_features(), "textDocument/rename", |message, out| {
            assert_eq!(message["params"]["position"], json!({"line": 1, "character": 0}));
            out.answer(message, json!({"changes": {document(message): [edit(1, 0, 3, "uno")]}}));
        });
        let project = Project::new(&[("a.toy", text)], script);
        let server = project.connect(&ServerSpec { line_breaks: LineBreaks::EcmaScript, ..spec() }).await.unwrap();
        let place = Place { path: project.path("a.toy"), offset: 4 };
        let answer = server.rename(&place, "uno").await.unwrap().unwrap().whole();
        assert_eq!(answer.edits[&place.path], [TextEdit::new(4..7, "uno")]);
    });
}

#[test]
fn utf8_positions_are_offered_only_where_they_are_counted_right() {
    block_on(async {
        let script = |message: &Value, out: &mut Out| {
            let offered = &message["params"]["capabilities"]["general"]["positionEncodings"];
            let mut capabilities = all_features();
            capabilities["positionEncoding"] = offered[0].clone();
            hello(message, out, capabilities);
            if message["method"] == "textDocument/prepareRename" {
                let character = message["params"]["position"]["character"].as_u64().unwrap();
                let range = edit(0, character as u32, character as u32 + 3, "")["range"].clone();
                out.answer(message, json!({"range": range, "placeholder": character.to_string()}));
            }
        };
        let project = Project::new(&[("a.toy", SOURCE)], script);
        let mut spec = spec();
        for (quirks, character) in
            [(vec![], "9"), (vec![Quirk::Utf8Positions], "11"), (vec![Quirk::CodePointPositions], "8")]
        {
            spec.quirks = quirks.into_iter().collect();
            let server = project.connect(&spec).await.unwrap();
            let prepared = server.prepare_rename(&place(&project)).await.unwrap();
            let span = Span::new(11, 14);
            assert_eq!(prepared, Prepared::At { span, placeholder: Some(character.into()) });
        }
    });
}

#[test]
fn a_large_answer_comes_through_whole() {
    block_on(async {
        const EDITS: u32 = 20_000;
        let project = project("textDocument/rename", |message, out| {
            let edits: Vec<_> = (0..EDITS).map(|line| edit(line, 0, 3, "uno")).collect();
            out.answer(message, json!({"changes": {document(message): edits}}));
        });
        project.write("a.toy", &"one\n".repeat(EDITS as usize));
        let server = project.connect(&spec()).await.unwrap();
        let at = Place { path: project.path("a.toy"), offset: 0 };
        let answer = tokio::time::timeout(DEADLINE, server.rename(&at, "uno")).await.unwrap().unwrap().unwrap().whole();
        assert_eq!(answer.edits[&at.path].len(), EDITS as usize);
    });
}
