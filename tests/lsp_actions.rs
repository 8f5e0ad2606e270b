//! Code actions of a scripted server: every shape that the protocol allows, and what servers send beside it.

use lspwright::lsp::{Action, Answer, Ask, CommandUse, NoEdit, Server, ServerSpec, Whole};
use lspwright::text::{Span, Text};
use serde_json::{Value, json};

use crate::scripted::{Out, Project, SOURCE, edit, hello, spec};
use crate::support::block_on;

/// One finding on each line.
fn findings() -> Value {
    let finding = |line: u32, code: &str| {
        json!({
            "range": {"start": {"line": line, "character": 4}, "end": {"line": line, "character": 6}},
            "message": "wrong", "code": code, "source": "toy", "severity": 2, "data": {"line": line},
        })
    };
    json!([finding(0, "first"), finding(1, "second")])
}

/// What the server offers, each of another shape.
fn offered(uri: &str) -> Value {
    let uno = json!({"changes": {uri: [edit(1, 10, 13, "uno")]}});
    json!([
        {"title": "at once", "kind": "quickfix", "isPreferred": true, "edit": uno, "diagnostics": [findings()[1]]},
        null,
        {"title": "later", "kind": "refactor.inline", "data": 7},
        {"title": "tells", "kind": "quickfix", "edit": uno, "command": {"title": "", "command": "tell"}},
        {"title": "more", "kind": "quickfix", "edit": uno, "command": {"title": "", "command": "stranger"}},
        {"title": "sends", "kind": "refactor.extract", "command": {"title": "", "command": "send", "arguments": ["dos"]}},
        {"title": "bare", "command": "send", "arguments": ["tres"]},
        {"title": "sends after nothing", "kind": "refactor", "edit": {"documentChanges": []},
            "command": {"title": "", "command": "send", "arguments": ["cuatro"]}},
        {"title": "runs", "kind": "refactor", "command": {"title": "", "command": "stranger"}},
        {"title": "not here", "kind": "refactor", "disabled": {"reason": "no selection"}},
        {"title": "snippet", "kind": "refactor", "edit": {"documentChanges": [{
            "textDocument": {"uri": uri, "version": null},
            "edits": [{"range": edit(0, 0, 0, "")["range"], "snippet": {"kind": "snippet", "value": "$0"}}],
        }]}},
        {"title": "new file", "kind": "refactor.move", "edit": {"documentChanges": [
            {"kind": "create", "uri": format!("{uri}.new")},
            {"textDocument": {"uri": format!("{uri}.new"), "version": null}, "edits": [edit(0, 0, 0, "let one;\n")]},
            {"textDocument": {"uri": uri, "version": null}, "edits": [edit(0, 0, 0, "// a\n"), edit(0, 0, 0, "// b\n")]},
        ]}},
    ])
}

fn script(message: &Value, out: &mut Out) {
    let commands = json!({"commands": ["send", "tell", "stranger"]});
    let capabilities = json!({"codeActionProvider": {"resolveProvider": true}, "executeCommandProvider": commands, "diagnosticProvider": {}});
    hello(message, out, capabilities);
    let params = &message["params"];
    match message["method"].as_str() {
        Some("textDocument/diagnostic") => out.answer(message, json!({"kind": "full", "items": findings()})),
        Some("textDocument/codeAction") => {
            let uri = params["textDocument"]["uri"].as_str().unwrap();
            out.answer(message, offered(uri));
        }
        Some("codeAction/resolve") => {
            let mut action = params.clone();
            if action["title"] == "later" {
                assert_eq!(action["data"], 7, "what the server put there comes back");
                action["edit"] = json!({"changes": {}});
            }
            out.answer(message, action);
        }
        Some("workspace/executeCommand") => {
            assert_eq!(params["command"], "send", "no other command is run");
            let uri = URI.get().unwrap();
            let changes = json!({"changes": {uri: [edit(1, 10, 13, params["arguments"][0].as_str().unwrap())]}});
            out.send(json!({"id": "e", "method": "workspace/applyEdit", "params": {"edit": changes}}));
            out.answer(message, Value::Null);
        }
        _ => {}
    }
}

static URI: std::sync::OnceLock<String> = std::sync::OnceLock::new();

fn toy() -> ServerSpec {
    let mut spec = spec();
    spec.commands.insert("send".into(), CommandUse::SendsEdits);
    spec.commands.insert("tell".into(), CommandUse::AfterEdit);
    spec
}

async fn offers(project: &Project, server: &Server, only: &[&str]) -> Vec<Action> {
    let second = SOURCE.find("two").unwrap();
    let only: Vec<String> = only.iter().map(|kind| (*kind).to_owned()).collect();
    server.code_actions(&project.path("a.toy"), Span::at(second), (&only, Ask::Anew)).await.unwrap().actions
}

fn titles(actions: &[Action]) -> Vec<&str> {
    actions.iter().map(|action| action.title.as_str()).collect()
}

/// The text after an answer that changes one file.
fn after(project: &Project, answer: Answer) -> String {
    let (edits, _) = answer.edits_alone().unwrap();
    let mut text = SOURCE.to_owned();
    for edit in edits[&project.path("a.toy")].iter().rev() {
        text.replace_range(edit.span.start..edit.span.end, &edit.new_text);
    }
    text
}

#[test]
fn every_shape_of_an_action_becomes_an_edit_or_says_why_not() {
    let project = Project::new(&[("a.toy", SOURCE)], script);
    URI.set(project.uri("a.toy")).unwrap();
    block_on(async {
        let server = project.connect(&toy()).await.unwrap();
        let all = offers(&project, &server, &[]).await;
        let asked = project.heard.nth("textDocument/codeAction", 1).await;
        assert_eq!(asked["params"]["context"], json!({"diagnostics": [findings()[1]], "triggerKind": 1}));
        assert_eq!(all.len(), 11, "what is null is nothing: {:?}", titles(&all));
        assert_eq!((all[0].fixes.as_slice(), all[0].is_preferred), (["second".to_owned()].as_slice(), true));
        let find = |title: &str| all.iter().find(|action| action.title == title).unwrap();
        let plans = [
            ("at once", "uno"),
            ("tells", "uno"),
            ("sends", "dos"),
            ("bare", "tres"),
            ("sends after nothing", "cuatro"),
        ];
        for (title, uno) in plans {
            let answer = server.edit_of(find(title)).await.unwrap().unwrap();
            assert_eq!(after(&project, answer), SOURCE.replace("two = one", &format!("two = {uno}")), "{title}");
            assert_eq!(find(title).disabled, None, "{title}");
        }
        let disabled = |title: &str| find(title).disabled.clone().unwrap_or_default();
        assert_eq!(disabled("runs"), "runs a command: `stranger`");
        assert_eq!(disabled("more"), "runs a command: `stranger`");
        assert_eq!(disabled("not here"), "no selection");
        assert!(disabled("snippet").contains("is a snippet"), "{}", disabled("snippet"));
        assert_eq!(server.edit_of(find("later")).await.unwrap(), Err(NoEdit::Nothing));
        assert_eq!(server.edit_of(find("runs")).await.unwrap(), Err(NoEdit::RunsCommand("stranger".into())));
        let Whole { edits, creates, .. } = server.edit_of(find("new file")).await.unwrap().unwrap().whole();
        assert_eq!(creates, [project.path("a.toy.new")]);
        let inserted = &edits[&project.path("a.toy")];
        assert_eq!(
            (inserted.len(), inserted[0].new_text.as_str()),
            (1, "// a\n// b\n"),
            "in the order of their coming"
        );
        let extractions = offers(&project, &server, &["refactor.extract"]).await;
        assert_eq!(titles(&extractions), ["sends"], "the server heeds no `only`");
        assert_eq!(titles(&offers(&project, &server, &["quickfix"]).await), ["at once", "tells", "more"]);
    });
}

/// As [`script`]; asked for `toy/changed` the server says that what it finds has changed.
fn fickle(message: &Value, out: &mut Out) {
    if message["method"] == "toy/changed" {
        out.send(json!({"id": "again", "method": "workspace/diagnostic/refresh"}));
        return out.answer(message, Value::Null);
    }
    script(message, out);
}

#[test]
fn what_was_just_asked_is_not_asked_again_while_nobody_has_said_anything() {
    let project = Project::new(&[("a.toy", SOURCE), ("b.toy", SOURCE)], fickle);
    block_on(async {
        let server = project.connect(&toy()).await.unwrap();
        let (file, whole) = (project.path("a.toy"), Span::at(0));
        let ask = async |ask: Ask| server.code_actions(&file, whole, (&[], ask)).await.unwrap().actions.len();
        let counts = || ["textDocument/diagnostic", "textDocument/codeAction"].map(|it| project.heard.all(it).len());
        assert_eq!((ask(Ask::Anew).await, counts()), (11, [1, 1]));
        assert_eq!((ask(Ask::Anew).await, counts()), (11, [1, 2]), "its findings stand");
        assert_eq!((ask(Ask::UnlessJustAsked).await, counts()), (11, [1, 2]), "and so do its actions");
        server.code_actions(&file, Span::at(1), (&[], Ask::Anew)).await.unwrap();
        assert_eq!((ask(Ask::UnlessJustAsked).await, counts()), (11, [1, 4]), "it was asked something else meanwhile");
        server.request("toy/changed", Value::Null).await.unwrap();
        project.heard.answer_to("again").await;
        assert_eq!((ask(Ask::Anew).await, counts()), (11, [2, 5]), "it finds something else by now");
        server.overlay(&project.path("b.toy"), Text::new(String::new()).into()).await.unwrap();
        assert_eq!((ask(Ask::UnlessJustAsked).await, counts()), (11, [3, 6]), "another text was laid over a file");
        server.shutdown().await;
    });
}
