//! The LSP client against scripted servers: well-behaved, wrong, slow, and dead.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lspwright::lsp::{Feature, LspError, Place, Quirk, Readiness, ServerSpec};
use lspwright::text::{AbsPath, Text, TextEdit};
use lspwright::workspace::{Change, ChangeKind};
use serde_json::{Value, json};

use crate::scripted::{Out, Project, SOURCE, all_features, document, edit, hello, place, project, rename, spec};
use crate::support::block_on;

#[test]
fn garbage_between_and_inside_frames_ends_nothing() {
    block_on(async {
        let project = project("textDocument/rename", |message, out| {
            out.raw(b"warning: a line on stdout\n");
            out.raw(b"Content-Length: banana\r\n\r\n");
            out.raw(b"Content-Type: text/plain\r\n\r\n");
            out.frame(b"{ this is not JSON");
            out.frame(b"5");
            out.frame(b"\xff\xfe{}");
            out.frame(br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}"#);
            out.frame(br#"{"jsonrpc":"2.0","id":4711,"result":"nobody asked"}"#);
            out.frame(br#"{"method":"no/version","params":{}}"#);
            out.frame(br#"{"jsonrpc":"2.0","method":"telemetry/event"}"#);
            out.frame(
                br#"{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":"\ud800 alone"}}"#,
            );
            out.frame(b"{\"jsonrpc\":\"2.0\",\"method\":\"window/logMessage\",\"params\":{\"message\":\"\xff\"}}");
            // A length that lies hides the frame behind it only for a moment.
            out.raw(b"Content-Length: 60\r\n\r\n{\"jsonrpc\":\"2.0\",");
            out.send(json!({"method": "telemetry/event", "params": "0123456789012345678901234567890123456789"}));
            out.raw(b"no line end");
            let body = json!({"id": message["id"].to_string(), "result": {"changes": {document(message): [edit(0, 9, 12, "uno")]}}});
            out.raw(format!("content-length:{}\n\n{body}", body.to_string().len()).as_bytes());
        });
        let server = project.connect(&spec()).await.unwrap();
        for _ in 0..2 {
            let answer = rename(&project, &server).await.unwrap().unwrap();
            assert_eq!(answer.clone().whole().edits[&project.path("a.toy")], [TextEdit::new(11..14, "uno")]);
        }
    });
}

#[test]
fn garbage_is_told_when_no_answer_comes() {
    block_on(async {
        let project = project("textDocument/rename", |_, out| out.frame(b"{ this is not JSON"));
        let mut spec = spec();
        spec.timeouts.project = Duration::from_millis(500);
        let server = project.connect(&spec).await.unwrap();
        let error = rename(&project, &server).await.unwrap_err();
        assert!(matches!(error, LspError::TimedOut { .. }), "{error:?}");
        assert!(
            error.to_string().contains("1 malformed messages, the last: no message: `{ this is not JSON`"),
            "{error}"
        );
    });
}

#[test]
fn a_result_of_the_wrong_shape_or_encoding_fails_its_request_alone() {
    block_on(async {
        let count = AtomicUsize::new(0);
        let project = project("textDocument/rename", move |message, out| match count.fetch_add(1, Ordering::Relaxed) {
            0 => out.answer(message, json!("a string")),
            1 => out.frame(
                format!(
                    r#"{{"jsonrpc":"2.0","id":{},"result":{{"changes":{{"file:///a":"\ud800"}}}}}}"#,
                    message["id"]
                )
                .as_bytes(),
            ),
            2 => out.frame(
                &[format!(r#"{{"jsonrpc":"2.0","id":{},"result":""#, message["id"]).as_bytes(), b"\xff\"}"].concat(),
            ),
            3 => out.frame(format!(r#"{{"jsonrpc":"2.0","id":{},"error":"just words"}}"#, message["id"]).as_bytes()),
            _ => out.answer(message, Value::Null),
        });
        let server = project.connect(&spec()).await.unwrap();
        for case in 0..3 {
            let error = rename(&project, &server).await.unwrap_err();
            assert!(matches!(error, LspError::BadAnswer { .. }), "case {case}: {error:?}");
        }
        let error = rename(&project, &server).await.unwrap_err();
        assert!(matches!(&error, LspError::Refused { message, .. } if message.contains("just words")), "{error:?}");
        assert_eq!(rename(&project, &server).await.unwrap(), None);
    });
}

#[test]
fn refusals_keep_the_servers_words() {
    block_on(async {
        let count = AtomicUsize::new(0);
        let project = project("textDocument/rename", move |message, out| match count.fetch_add(1, Ordering::Relaxed) {
            0 => out.refuse(message, -32803, "You cannot rename this element."),
            1 => out.refuse(message, -32801, "content modified"),
            2 => out.answer(message, Value::Null),
            _ => out.refuse(message, -32800, "cancelled"),
        });
        let server = project.connect(&spec()).await.unwrap();
        let error = rename(&project, &server).await.unwrap_err();
        assert!(
            matches!(&error, LspError::Refused { code: -32803, message, .. } if message == "You cannot rename this element."),
            "{error:?}"
        );
        assert_eq!(rename(&project, &server).await.unwrap(), None, "asked again after `content modified`");
        assert!(matches!(rename(&project, &server).await, Err(LspError::Cancelled { .. })));
    });
}

#[test]
fn a_server_that_hangs_is_told_to_cancel() {
    block_on(async {
        let project = project("textDocument/rename", |_, _| {});
        let mut spec = spec();
        spec.timeouts.project = Duration::from_millis(100);
        let server = project.connect(&spec).await.unwrap();
        let error = rename(&project, &server).await.unwrap_err();
        assert!(matches!(&error, LspError::TimedOut { method, .. } if method == "textDocument/rename"), "{error:?}");
        let asked = project.heard.nth("textDocument/rename", 1).await;
        let cancelled = project.heard.nth("$/cancelRequest", 1).await;
        assert_eq!(cancelled["params"]["id"], asked["id"]);
    });
}

#[test]
fn a_dropped_question_is_cancelled_and_the_next_one_answered() {
    block_on(async {
        let project = project("textDocument/definition", |message, out| out.answer(message, json!([])));
        let server = project.connect(&spec()).await.unwrap();
        let asking = tokio::spawn({
            let (server, place) = (Arc::clone(&server), place(&project));
            async move { server.rename(&place, "uno").await }
        });
        let asked = project.heard.nth("textDocument/rename", 1).await;
        asking.abort();
        let cancelled = project.heard.nth("$/cancelRequest", 1).await;
        assert_eq!(cancelled["params"]["id"], asked["id"]);
        assert_eq!(server.definition(&place(&project)).await.unwrap(), []);
        assert_eq!(project.heard.all("$/cancelRequest").len(), 1, "an answered question is not cancelled");
    });
}

#[test]
fn a_dead_server_is_restarted_with_its_documents() {
    block_on(async {
        let project = project("textDocument/rename", |_, out| out.die());
        let server = project.connect(&spec()).await.unwrap();
        server.open(&[project.path("b b.toy")]).await.unwrap();
        server.overlay(&project.path("a.toy"), Arc::new(Text::new("😀 = one"))).await.unwrap();
        let at = Place { path: project.path("a.toy"), offset: 7 };
        let error = server.rename(&at, "x").await.unwrap_err();
        assert!(matches!(error, LspError::Died { too_often: None, .. }), "{error:?}");

        let error = server.rename(&at, "x").await.unwrap_err();
        assert!(matches!(error, LspError::Died { .. }), "{error:?}");
        assert_eq!(project.heard.all("initialize").len(), 2);
        let opened = project.heard.all("textDocument/didOpen");
        let texts: Vec<_> = opened.iter().map(|one| one["params"]["textDocument"]["text"].as_str().unwrap()).collect();
        let on_disk = "let 😀 = one;\nlet two = one;\n";
        assert_eq!(texts, ["one\n", on_disk, "😀 = one", "one\n"], "opened as it is, then laid over");
    });
}

#[test]
fn readiness_is_an_event_with_a_deadline() {
    block_on(async {
        let progress = |kind: &str, token: &str| json!({"method": "$/progress", "params": {"token": token, "value": {"kind": kind, "title": format!("Indexing {token}")}}});
        let script = move |message: &Value, out: &mut Out| {
            hello(message, out, all_features());
            match message["method"].as_str() {
                Some("initialized") => {
                    out.send(json!({"id": "p", "method": "window/workDoneProgress/create", "params": {"token": "a"}}));
                    out.send(progress("begin", "a"));
                    out.send(progress("begin", "b"));
                    out.send(progress("end", "a"));
                    out.send(
                        json!({"method": "window/logMessage", "params": {"type": 3, "message": "No configuration."}}),
                    );
                }
                Some("test/go") => {
                    out.send(progress("end", "b"));
                    out.send(json!({"method": "window/logMessage", "params": {"type": 3, "message": "Found 3 source files"}}));
                    out.send(
                        json!({"method": "experimental/serverStatus", "params": {"health": "ok", "quiescent": true}}),
                    );
                    out.answer(message, Value::Null);
                }
                // A sign that can be taken back is believed when it stands behind an answer.
                Some("$/lspwright/answer") => out.refuse(message, -32601, "unknown"),
                _ => {}
            }
        };
        let rules = [
            Readiness::Progress { patterns: vec!["Index*b".into()], begins_within: None },
            Readiness::Progress { patterns: vec![], begins_within: Some(20) },
            Readiness::Log { patterns: vec!["Found * source file".into()] },
            Readiness::Quiescent,
        ];
        for rule in rules {
            let project = Project::new(&[("a.toy", SOURCE)], script);
            let mut spec = ServerSpec { readiness: rule.clone(), ..spec() };
            spec.timeouts.ready = Duration::from_millis(200);
            let server = project.connect(&spec).await.unwrap();
            let early = server.ready().await;
            assert!(matches!(early, Err(LspError::NotReady { .. })), "{rule:?}: {early:?}");
            server.request("test/go", Value::Null).await.unwrap();
            assert_eq!(server.ready().await, Ok(()), "{rule:?}");
        }
    });
}

#[test]
fn a_sign_of_readiness_that_is_taken_back_is_not_believed() {
    block_on(async {
        let status = |quiescent: bool| json!({"method": "experimental/serverStatus", "params": {"health": "ok", "quiescent": quiescent}});
        let asked = AtomicUsize::new(0);
        let script = move |message: &Value, out: &mut Out| {
            hello(message, out, all_features());
            match message["method"].as_str() {
                Some("initialized") => out.send(status(true)),
                // It begins anew before it answers for the first time.
                Some("$/lspwright/answer") => {
                    if asked.fetch_add(1, Ordering::Relaxed) == 0 {
                        out.send(status(false));
                    }
                    out.refuse(message, -32601, "unknown");
                }
                Some("test/go") => {
                    out.send(status(true));
                    out.answer(message, Value::Null);
                }
                _ => {}
            }
        };
        let project = Project::new(&[("a.toy", SOURCE)], script);
        let mut spec = ServerSpec { readiness: Readiness::Quiescent, ..spec() };
        spec.timeouts.ready = Duration::from_millis(200);
        let server = project.connect(&spec).await.unwrap();
        let early = server.ready().await;
        assert!(matches!(early, Err(LspError::NotReady { .. })), "{early:?}");
        server.request("test/go", Value::Null).await.unwrap();
        assert_eq!(server.ready().await, Ok(()));
    });
}

#[test]
fn a_server_that_never_begins_counts_as_ready_where_the_rule_says_so() {
    block_on(async {
        let project = project("none", |_, _| {});
        let rule = Readiness::Progress { patterns: vec![], begins_within: Some(0) };
        let server = project.connect(&ServerSpec { readiness: rule, ..spec() }).await.unwrap();
        assert_eq!(server.ready().await, Ok(()));
    });
}

#[test]
fn registered_capabilities_come_and_go() {
    block_on(async {
        let script = |message: &Value, out: &mut Out| {
            hello(message, out, json!({}));
            let registration =
                json!([{"id": "r", "method": "textDocument/rename", "registerOptions": {"prepareProvider": true}}]);
            match message["method"].as_str() {
                Some("test/register") => {
                    out.send(json!({"id": 1, "method": "client/registerCapability", "params": {"registrations": registration}}));
                    out.answer(message, Value::Null);
                }
                Some("test/unregister") => {
                    out.send(json!({"id": 2, "method": "client/unregisterCapability", "params": {"unregisterations": registration}}));
                    out.answer(message, Value::Null);
                }
                _ => {}
            }
        };
        let project = Project::new(&[("a.toy", SOURCE)], script);
        let server = project.connect(&spec()).await.unwrap();
        let refused = rename(&project, &server).await;
        assert!(matches!(refused, Err(LspError::NotOffered { feature: Feature::Rename, .. })), "{refused:?}");
        server.request("test/register", Value::Null).await.unwrap();
        assert!(server.offers(Feature::Rename) && server.offers(Feature::PrepareRename));
        server.request("test/unregister", Value::Null).await.unwrap();
        assert!(!server.offers(Feature::Rename));
        assert_eq!(project.heard.answer_to(2).await["result"], Value::Null);
    });
}

#[test]
fn what_servers_ask_is_answered() {
    block_on(async {
        let questions = [
            (
                "workspace/configuration",
                json!({"items": [{"section": "toy.deep.key"}, {"section": "toy.deep"}, {"section": "other"}, {}]}),
            ),
            ("workspace/workspaceFolders", Value::Null),
            ("window/showMessageRequest", json!({"type": 3, "message": "sure?", "actions": [{"title": "yes"}]})),
            ("window/showDocument", json!({"uri": "file:///x"})),
            ("workspace/applyEdit", json!({"edit": {"changes": {}}})),
            ("workspace/diagnostic/refresh", Value::Null),
            ("_typescript.rename", json!({"position": {}})),
            ("toy/askAnything", json!([1])),
        ];
        // Beyond 32 bits: async-lsp alone would take it for a notification.
        let first_id = 9_007_199_254_740_990_u64;
        let asked = questions.clone();
        let script = move |message: &Value, out: &mut Out| {
            hello(message, out, json!({}));
            if message["method"] == "initialized" {
                for (number, (method, params)) in asked.iter().enumerate() {
                    out.send(json!({"id": first_id + number as u64, "method": method, "params": params}));
                }
            }
        };
        let project = Project::new(&[("a.toy", SOURCE)], script);
        let settings = json!({"toy": {"deep": {"key": 5}}});
        let _server = project.connect(&ServerSpec { settings, ..spec() }).await.unwrap();
        let expected = [
            json!([5, {"key": 5}, null, {"toy": {"deep": {"key": 5}}}]),
            json!([{"uri": project.uri(".").trim_end_matches('/'), "name": project.disk.root().file_name()}]),
            Value::Null,
            json!({"success": false}),
            json!({"applied": false, "failureReason": "this client plans changes and applies none"}),
            Value::Null,
            Value::Null,
        ];
        for (number, expected) in expected.into_iter().enumerate() {
            let answer = project.heard.answer_to(first_id + number as u64).await;
            assert_eq!(answer["result"], expected, "{}", questions[number].0);
        }
        let unknown = project.heard.answer_to(first_id + 7).await;
        assert_eq!(unknown["error"]["code"], -32601);
    });
}

#[test]
fn edits_that_a_command_sends_are_captured() {
    block_on(async {
        let project = project("workspace/executeCommand", |message, out| {
            let uri = message["params"]["arguments"][0].clone();
            let edit = json!({"changes": {uri.as_str().unwrap(): [edit(1, 0, 3, "var")]}});
            out.send(json!({"id": 1, "method": "workspace/applyEdit", "params": {"edit": edit}}));
            out.answer(message, json!("done"));
        });
        let server = project.connect(&spec()).await.unwrap();
        assert!(server.has_command("do") && !server.has_command("undo"));
        let done = server.execute_captured("do", vec![json!(project.uri("a.toy"))]).await.unwrap();
        assert_eq!(done.value, "done");
        let line = SOURCE.find('\n').unwrap() + 1;
        assert_eq!(
            done.answers[0].clone().whole().edits[&project.path("a.toy")],
            [TextEdit::new(line..line + 3, "var")]
        );
        assert_eq!(project.heard.answer_to(1).await["result"], json!({"applied": true}));
    });
}

#[test]
fn moves_are_asked_about_only_where_the_filters_take_them() {
    block_on(async {
        let project = project("workspace/willRenameFiles", |message, out| out.answer(message, Value::Null));
        project.write("c.md", "");
        let server = project.connect(&spec()).await.unwrap();
        let pair = |from: &str| (project.path(from), project.path("sub/new.toy"));
        let answer = server.will_rename_files(&[pair("a.toy"), pair("c.md"), pair("b b.toy")]).await.unwrap();
        assert!(answer.is_empty());
        let asked = project.heard.nth("workspace/willRenameFiles", 1).await;
        let files = json!([
            {"oldUri": project.uri("a.toy"), "newUri": project.uri("sub/new.toy")},
            {"oldUri": project.uri("b b.toy"), "newUri": project.uri("sub/new.toy")},
        ]);
        assert_eq!(asked["params"]["files"], files);
        let refused = server.will_rename_files(&[pair("c.md")]).await;
        assert!(matches!(refused, Err(LspError::NotOffered { .. })), "{refused:?}");
    });
}

#[test]
fn documents_follow_the_disk_and_overlays_do_not() {
    block_on(async {
        let project = project("none", |_, _| {});
        let server = project.connect(&spec()).await.unwrap();
        let (a, b) = (project.path("a.toy"), project.path("b b.toy"));
        server.open(&[a.clone(), b.clone()]).await.unwrap();
        server.open(std::slice::from_ref(&a)).await.unwrap();
        server.overlay(&b, Arc::new(Text::new("overlaid"))).await.unwrap();
        let overlaid = project.heard.nth("textDocument/didChange", 1).await;
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}});
        assert_eq!(overlaid["params"]["contentChanges"], json!([{"range": range, "text": "overlaid"}]));
        assert_eq!(overlaid["params"]["textDocument"]["version"], 2);

        project.write("a.toy", "changed");
        project.write("b b.toy", "changed too");
        let change = |path: &AbsPath, kind| Change { path: path.clone(), kind };
        server.tell_changes(&[change(&a, ChangeKind::Changed), change(&b, ChangeKind::Changed)]).await;
        let changed = project.heard.nth("textDocument/didChange", 2).await;
        assert_eq!(changed["params"]["textDocument"]["uri"], project.uri("a.toy"));
        assert_eq!(changed["params"]["contentChanges"][0]["text"], "changed");
        let watched = project.heard.nth("workspace/didChangeWatchedFiles", 1).await;
        assert_eq!(watched["params"]["changes"].as_array().unwrap().len(), 2);
        assert_eq!(server.seen(&b).unwrap().as_str(), "overlaid");

        server.drop_overlays().await;
        let uncovered = project.heard.nth("textDocument/didChange", 3).await;
        assert_eq!(uncovered["params"]["contentChanges"][0]["text"], "changed too");
        server.overlay(&project.path("new.ts"), Arc::new(Text::new("new"))).await.unwrap();
        let opened = project.heard.nth("textDocument/didOpen", 3).await;
        assert_eq!(opened["params"]["textDocument"]["languageId"], "typescript");
        server.drop_overlays().await;
        assert_eq!(
            project.heard.nth("textDocument/didClose", 1).await["params"]["textDocument"]["uri"],
            project.uri("new.ts")
        );

        std::fs::remove_file(a.as_path()).unwrap();
        server.tell_changes(&[change(&a, ChangeKind::Deleted)]).await;
        assert_eq!(
            project.heard.nth("textDocument/didClose", 2).await["params"]["textDocument"]["uri"],
            project.uri("a.toy")
        );
        assert!(!server.is_open(&a));
        assert_eq!(project.heard.all("textDocument/didOpen").len(), 3, "an open document is not opened again");
    });
}

#[test]
fn pushed_diagnostics_are_those_of_the_text_as_it_is() {
    block_on(async {
        let script = |message: &Value, out: &mut Out| {
            hello(message, out, json!({}));
            let text = match message["method"].as_str() {
                Some("textDocument/didOpen") => message["params"]["textDocument"]["text"].as_str(),
                Some("textDocument/didChange") => message["params"]["contentChanges"][0]["text"].as_str(),
                _ => None,
            };
            if let Some(text) = text {
                let diagnostics = match text.find("bad") {
                    Some(at) => {
                        json!([{"range": edit(0, at as u32, at as u32 + 3, "")["range"], "message": "bad", "code": 7, "severity": 2}])
                    }
                    None => json!([]),
                };
                out.send(json!({"method": "textDocument/publishDiagnostics", "params": {"uri": document(message), "diagnostics": []}}));
                out.send(json!({"method": "textDocument/publishDiagnostics", "params": {"uri": document(message), "diagnostics": diagnostics}}));
            }
        };
        let project = Project::new(&[("a a.toy", "good")], script);
        let server = project.connect(&spec()).await.unwrap();
        let path = project.path("a a.toy");
        assert_eq!(server.diagnostics(&path).await.unwrap(), []);
        server.overlay(&path, Arc::new(Text::new("😀 bad"))).await.unwrap();
        let problems = server.diagnostics(&path).await.unwrap();
        assert_eq!((problems.len(), problems[0].code.as_deref(), &problems[0].message[..]), (1, Some("7"), "bad"));
        server.drop_overlays().await;
        assert_eq!(server.diagnostics(&path).await.unwrap(), []);
    });
}

#[test]
fn a_server_that_answers_initialize_with_an_error_failed_to_start() {
    block_on(async {
        let project = Project::new(&[("a.toy", SOURCE)], |message, out| {
            out.send(json!({"method": "window/showMessage", "params": {"type": 1, "message": "no licence"}}));
            out.refuse(message, -32603, "Could not find a valid TypeScript installation.");
        });
        let error = project.connect(&spec()).await.err().unwrap();
        assert!(matches!(error, LspError::StartFailed { .. }), "{error:?}");
        let message = error.to_string();
        assert!(message.contains("valid TypeScript installation") && message.contains("no licence"), "{message}");
    });
}

#[test]
fn what_was_answered_stands_while_the_texts_are_the_same() {
    block_on(async {
        let project = project("textDocument/definition", |message, out| out.answer(message, json!([])));
        let (a, b) = (project.path("a.toy"), project.path("b b.toy"));
        let mut knowing = spec();
        knowing.quirks = [Quirk::AnswersWithoutOpen].into();
        let asked = || project.heard.all("textDocument/definition").len();
        let server = project.connect(&spec()).await.unwrap();
        for _ in 0..2 {
            server.definition(&place(&project)).await.unwrap();
        }
        assert_eq!(asked(), 2, "such a server may learn more by itself");
        let server = project.connect(&knowing).await.unwrap();
        let ask = async || {
            server.definition(&place(&project)).await.unwrap();
            asked() - 2
        };
        assert_eq!((ask().await, ask().await), (1, 1));
        server.open(std::slice::from_ref(&b)).await.unwrap();
        assert_eq!(ask().await, 1, "which documents are open does not matter");
        server.overlay(&b, Arc::new(Text::new("two\n"))).await.unwrap();
        assert_eq!((ask().await, ask().await), (2, 2), "another text may mean another thing");
        server.drop_overlays().await;
        assert_eq!(ask().await, 2, "the texts of before are back");
        server.tell_changes(&[Change { path: a, kind: ChangeKind::Changed }]).await;
        assert_eq!((ask().await, ask().await), (3, 3));
        let new = project.path("new.toy");
        server.show(&new, None, &Arc::new(Text::new("one\n"))).await.unwrap();
        assert_eq!((ask().await, ask().await), (4, 4), "a draft of a new file is another text");
        server.close(&[new]).await;
        assert_eq!((ask().await, ask().await), (5, 5));
    });
}
