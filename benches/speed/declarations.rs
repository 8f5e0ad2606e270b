//! What a project costs as declarations: its index, with nothing kept and with all kept, and the questions that it answers.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::json;

use crate::cases::milliseconds;
use crate::conversation::{Conversation, Framing};
use crate::packages::PACKAGES;
use crate::{Options, lspwright, median};

/// Measures on the tree that was given, or else on django.
pub fn measure(options: &Options, cache: &Path) -> Result<(), String> {
    let root = match &options.tree {
        Some(tree) => tree.clone(),
        None => PACKAGES.iter().find(|it| it.name == "django").ok_or("no such package")?.fetch(cache)?,
    };
    let root = root.canonicalize().map_err(|error| error.to_string())?;
    let state = cache.join("declarations-state");
    let (mut cold, mut kept) = (Vec::new(), Vec::new());
    let mut warm = (Vec::new(), Vec::new());
    let mut files = 0;
    for round in 0..options.cold.max(1) {
        let _ = std::fs::remove_dir_all(&state);
        cold.push(first(&root, &state)?.0);
        let (time, mut talk) = first(&root, &state)?;
        kept.push(time);
        if round + 1 < options.cold.max(1) {
            continue;
        }
        let listed = lspwright::call(&mut talk, "list_modules", &json!({ "limit": 100_000 }))?;
        files = listed["modules"].as_array().map_or(0, Vec::len);
        let paths: Vec<String> = listed["modules"].as_array().into_iter().flatten().map(path).collect();
        for at in 0..options.warm {
            let path = &paths[at * paths.len() / options.warm.max(1)];
            let start = Instant::now();
            // A file without declarations is answered, too.
            lspwright::call(&mut talk, "list_declarations", &json!({ "path": path }))?;
            warm.0.push(milliseconds(start));
            let start = Instant::now();
            lspwright::call(&mut talk, "find_declaration", &json!({ "name": "get", "match": "prefix" }))?;
            warm.1.push(milliseconds(start));
        }
    }
    println!(
        "\ndeclarations of {} (at least {files} files listed): index {:.0} ms with nothing kept, {:.0} ms with all kept (find_declaration \
         of a new server); list_declarations {:.1} ms, find_declaration {:.1} ms warm (medians)",
        root.display(),
        median(cold),
        median(kept),
        median(warm.0),
        median(warm.1)
    );
    Ok(())
}

fn path(module: &serde_json::Value) -> String {
    module["path"].as_str().unwrap_or_default().to_owned()
}

/// Starts a server, and times the first question that needs the index.
fn first(root: &Path, state: &Path) -> Result<(f64, Conversation), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lspwright"));
    command.args(["serve", "--toolsets", "explore", "--project"]).arg(root).env("XDG_STATE_HOME", state);
    command.env("LSPWRIGHT_DAEMON", "never");
    let mut talk = Conversation::start(&mut command, Framing::Lines)?;
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "speed", "version": "1" },
    });
    talk.request("initialize", &hello)?;
    talk.notify("notifications/initialized", &json!({}))?;
    let start = Instant::now();
    lspwright::call(&mut talk, "find_declaration", &json!({ "name": "HttpResponse" }))?;
    Ok((milliseconds(start), talk))
}
