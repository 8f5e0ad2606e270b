//! One-step refactorings beside the bare server or library that carries them out, and a check of a plan of many files
//! beside the server's own diagnostics of these files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use ::lspwright::lsp::provision::{self, Rope};
use ::lspwright::lsp::{Environment, Guard, Host, InstallPolicy, Trust};
use ::lspwright::text::AbsPath;
use ::lspwright::workspace::Dirs;
use serde_json::{Value, json};

use crate::cases::milliseconds;
use crate::conversation::Conversation;
use crate::packages::PACKAGES;
use crate::{Options, lspwright, median, raw};

/// What is extracted.
const EXTRACTED: &str = "if (id != null) {\n      intervalProvider.clearInterval(id);\n    }";
const ACTION: &str = "src/internal/scheduler/AsyncAction.ts";
/// Calls rope as its manual says, on the files that name the function, and writes nothing.
const ROPE: &str = r#"
import pathlib, sys
sys.path[:0] = [sys.argv[1]]
from rope.base.project import Project
from rope.refactor.change_signature import ArgumentAdder, ChangeSignature
root = pathlib.Path(sys.argv[2])
project = Project(str(root), ropefolder=None)
files = [path for path in root.rglob("*.py") if "get_root_path" in path.read_text()]
resources = [project.get_resource(path.relative_to(root).as_posix()) for path in files]
helpers = project.get_resource("src/flask/helpers.py")
offset = helpers.read().index("def get_root_path(") + len("def ")
changes = ChangeSignature(project, helpers, offset).get_changes([ArgumentAdder(1, "extra", "None")], resources=resources)
assert changes.changes
"#;

pub fn measure(options: &Options, cache: &Path) -> Result<(), String> {
    println!("\n| refactoring | bare, ms | lspwright, ms | ratio |\n|---|---|---|---|");
    extraction(options, &fetched("rxjs", cache)?)?;
    signature(options, &fetched("flask", cache)?)?;
    check(options, &fetched("rxjs", cache)?)
}

fn fetched(name: &str, cache: &Path) -> Result<PathBuf, String> {
    let package = PACKAGES.iter().find(|package| package.name == name).ok_or("no such package")?;
    package.fetch(cache)?.canonicalize().map_err(|error| error.to_string())
}

/// Runs both in turn, once more than is counted, and prints the medians.
fn paired(
    name: &str,
    rounds: usize,
    mut bare: impl FnMut(usize) -> Result<(), String>,
    mut ours: impl FnMut() -> Result<(), String>,
) -> Result<(), String> {
    let (mut times, mut own) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let begin = Instant::now();
        bare(round)?;
        times.push(milliseconds(begin));
        let begin = Instant::now();
        ours()?;
        own.push(milliseconds(begin));
    }
    let (bare, ours) = (median(times.split_off(1)), median(own.split_off(1)));
    println!("| {name} | {bare:.1} | {ours:.1} | {:.2} |", ours / bare);
    Ok(())
}

/// The two requests of tsserver that an extraction takes, and its diagnostics of the changed file, warm.
fn extraction(options: &Options, root: &Path) -> Result<(), String> {
    let server = raw::provisioned("typescript", root)?;
    let file = root.join(ACTION);
    let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let start = text.find(EXTRACTED).ok_or("the file has changed")?;
    let line = text[..start].matches('\n').count() + 1;
    let mut bare = raw::start(&server, "typescript", root, &[&file])?;
    let mut ours = lspwright::start(root)?;
    let asked = json!({ "refactoring": "extract-method", "target": format!("{ACTION}#L{line}-L{}", line + 2),
        "params": { "name": "halt" } });
    let extract = |round| {
        let selection = json!({
            "file": file, "startLine": line, "startOffset": 5, "endLine": line + 2, "endOffset": 6,
        });
        let mut asked = selection.clone();
        asked["kind"] = json!("refactor.extract.function");
        let offered = tsserver(&mut bare, "getApplicableRefactors", &asked)?;
        let actions = offered["body"][0]["actions"].as_array().cloned().unwrap_or_default();
        let method =
            actions.iter().find(|action| action["description"].as_str().unwrap_or_default().contains("method"));
        let mut wanted = selection;
        wanted["refactor"] = offered["body"][0]["name"].clone();
        wanted["action"] = method.ok_or("tsserver offers no extraction")?["name"].clone();
        tsserver(&mut bare, "getEditsForRefactor", &wanted)?;
        // lspwright looks at the outcome, too, before it hands it out: tsserver infers types.
        diagnosed(&mut bare, std::slice::from_ref(&file), round)
    };
    let name = "rxjs, extract-method with its check, warm";
    paired(name, options.warm, extract, || preview(&mut ours, root, asked.clone()))
}

fn tsserver(talk: &mut Conversation, command: &str, arguments: &Value) -> Result<Value, String> {
    let params = json!({ "command": "typescript.tsserverRequest", "arguments": [command, arguments] });
    talk.request("workspace/executeCommand", &params)
}

/// Changes files a little and asks for what is wrong with them.
fn diagnosed(talk: &mut Conversation, files: &[PathBuf], round: usize) -> Result<(), String> {
    for file in files {
        let text = fs::read_to_string(file).map_err(|error| error.to_string())? + &"\n".repeat(round % 2);
        let document = json!({ "uri": raw::uri(file), "version": round + 2 });
        let changed = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        talk.notify("textDocument/didChange", &changed)?;
    }
    for file in files {
        for command in ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"] {
            tsserver(talk, command, &json!({ "file": file }))?;
        }
    }
    Ok(())
}

fn preview(talk: &mut Conversation, root: &Path, mut arguments: Value) -> Result<(), String> {
    arguments["projectRoot"] = json!(root);
    arguments["verify"] = json!("none");
    let result = talk.request("tools/call", &json!({ "name": "preview_refactoring", "arguments": arguments }))?;
    if result["isError"] == true { Err(result["content"].to_string()) } else { Ok(()) }
}

/// rope in a process of its own, each time: that is how both call it.
fn signature(options: &Options, root: &Path) -> Result<(), String> {
    let rope = rope(root)?;
    let (python, args) = rope.python.split_first().ok_or("there is no Python")?;
    let mut ours = lspwright::start(root)?;
    let asked = json!({ "refactoring": "add-parameter", "target": "src/flask/helpers.py::get_root_path",
        "params": { "name": "extra", "default": "None" } });
    let call = |_| {
        let mut bare = Command::new(python);
        bare.args(args).args(["-I", "-B", "-c", ROPE]).arg(&rope.library).arg(root);
        crate::packages::run(&mut bare)
    };
    paired("flask, add-parameter beside rope", options.warm, call, || preview(&mut ours, root, asked.clone()))
}

fn rope(root: &Path) -> Result<Rope, String> {
    let dirs = Dirs::of_user().map_err(|error| error.to_string())?;
    let environment = Environment::of_process();
    let root = AbsPath::new(root).map_err(|error| error.to_string())?;
    let policy = InstallPolicy::default();
    let (dirs, environment, root, guard) = (&dirs, &environment, &root, &Guard::none());
    let host = Host {
        dirs,
        environment,
        root,
        trust: Trust::default(),
        policy,
        progress: &raw::Silent,
        guard,
        patience: None,
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(provision::rope(&host)).map_err(|error| error.to_string())
}

/// The check of a rename that touches many files, and what the bare server takes to look at them when they have changed.
fn check(options: &Options, root: &Path) -> Result<(), String> {
    let server = raw::provisioned("typescript", root)?;
    let start = crate::cases::spot(root.join("src/internal/observable/innerFrom.ts"), "export function innerFrom<")?;
    let mut ours = lspwright::start(root)?;
    let arguments = json!({
        "projectRoot": root, "filePath": start.file, "line": start.line, "character": start.character,
        "newName": "fromInner",
    });
    let plan = lspwright::call(&mut ours, "planRenameSymbol", &arguments)?;
    let edited = plan["edits"].as_array().into_iter().flatten();
    let files: Vec<PathBuf> = edited.filter_map(|file| file["filePath"].as_str().map(PathBuf::from)).collect();
    let open: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let mut bare = raw::start(&server, "typescript", root, &open)?;
    let verified = json!({ "projectRoot": root, "planId": plan["planId"], "level": "diagnostics" });
    let check = || lspwright::call(&mut ours, "verifyPlan", &verified).map(drop);
    let name = format!("rxjs, check of a rename in {} files", files.len());
    paired(&name, options.warm.min(7), |round| diagnosed(&mut bare, &files, round), check)
}
