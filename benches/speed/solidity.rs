//! Solidity: lspwright with its embedded server, beside the servers that npm has, asked for the same renames.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use ::lspwright::lsp::embedded::load_project;
use ::lspwright::solidity::SourceId;
use ::lspwright::text::AbsPath;
use ::lspwright::workspace::Disk;
use serde_json::{Value, json};

use crate::cases::{milliseconds, spot};
use crate::conversation::{Conversation, Framing};
use crate::own::peak_memory;
use crate::packages::PACKAGES;
use crate::raw::{self, Spot};
use crate::{Options, lspwright, median};

const PACKAGE: &str = "@openzeppelin/contracts";

/// A file, the words that the name stands behind, and its new name.
const QUESTIONS: &[(&str, &str, &str)] = &[
    ("utils/Context.sol", "function _msgSender(", "_caller"),
    ("token/ERC20/IERC20.sol", "function transfer(", "handOver"),
];

/// Another server: its package in npm, and its program in there.
const OTHERS: &[(&str, &str)] = &[
    ("@nomicfoundation/solidity-language-server@0.8.4", "out/index.js"),
    ("solidity-language-server@0.0.3", "out/src/solidity-language-server.js"),
];

/// What one server needed for one question.
#[derive(Default)]
struct Times {
    cold: Vec<f64>,
    warm: Vec<f64>,
    edited: Vec<f64>,
    places: usize,
    memory: f64,
}

/// Runs all questions and prints a row for each server and question.
pub fn measure(options: &Options, cache: &Path) -> Result<(), String> {
    let package = PACKAGES.iter().find(|package| package.name == PACKAGE).ok_or("no such package")?;
    let fetched = package.fetch(cache)?;
    let project = tempfile::tempdir().map_err(|error| error.to_string())?;
    let root = project.path().canonicalize().map_err(|error| error.to_string())?;
    copy(&fetched, &root).map_err(|error| error.to_string())?;
    println!(
        "\n| rename in {PACKAGE} {} | server | places | cold, ms | warm, ms | after an edit, ms | memory, MB |",
        package.version
    );
    println!("|---|---|---|---|---|---|---|");
    for (file, behind, to) in QUESTIONS {
        let start = spot(root.join(file), behind)?;
        let name = behind.trim_start_matches("function ").trim_end_matches('(');
        row(name, "lspwright", &ours(options, &root, &start, to)?);
        for (other, program) in OTHERS {
            let program = installed(cache, other)?.join(program);
            match theirs(options, &root, &start, (&program, to))? {
                Some(times) => row(name, other, &times),
                None => println!("| `{name}` | {other} | offers no rename | | | | |"),
            }
        }
    }
    renewal(&root)
}

fn row(name: &str, server: &str, times: &Times) {
    let shown =
        |times: &[f64]| if times.is_empty() { "–".to_owned() } else { format!("{:.0}", median(times.to_vec())) };
    println!(
        "| `{name}` | {server} | {} | {} | {} | {} | {:.0} |",
        times.places,
        shown(&times.cold),
        shown(&times.warm),
        shown(&times.edited),
        times.memory
    );
}

/// Asks lspwright's MCP server.
fn ours(options: &Options, root: &Path, start: &Spot, to: &str) -> Result<Times, String> {
    let mut times = Times::default();
    let arguments = json!({
        "projectRoot": root, "filePath": start.file, "line": start.line, "character": start.character, "newName": to,
    });
    let ask = |talk: &mut Conversation, times: &mut Vec<f64>| -> Result<usize, String> {
        let begun = Instant::now();
        let plan = lspwright::call(talk, "planRenameSymbol", &arguments)?;
        times.push(milliseconds(begun));
        Ok(lspwright::count_edits(&plan))
    };
    for _ in 0..options.cold.max(1) {
        let begun = Instant::now();
        let mut talk = lspwright::start(root)?;
        times.places = lspwright::count_edits(&lspwright::call(&mut talk, "planRenameSymbol", &arguments)?);
        times.cold.push(milliseconds(begun));
        for _ in 0..options.warm.div_ceil(options.cold.max(1)) {
            ask(&mut talk, &mut times.warm)?;
        }
        for at in 0..options.warm.div_ceil(options.cold.max(1)) {
            edit(root, at)?;
            ask(&mut talk, &mut times.edited)?;
        }
        times.memory = times.memory.max(peak_memory(talk.process()));
    }
    Ok(times)
}

/// Writes another comment into a file that much of the package imports.
fn edit(root: &Path, at: usize) -> Result<(), String> {
    let file = root.join("utils/Context.sol");
    let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let code = text.split("\n// edit").next().unwrap_or_default().trim_end();
    fs::write(file, format!("{code}\n// edit {at}\n")).map_err(|error| error.to_string())
}

/// Asks another server; nothing where it offers no rename.
fn theirs(options: &Options, root: &Path, start: &Spot, (program, to): (&Path, &str)) -> Result<Option<Times>, String> {
    let mut times = Times::default();
    for _ in 0..options.cold.max(1) {
        let begun = Instant::now();
        let mut talk = Conversation::start(Command::new("node").arg(program).arg("--stdio"), Framing::Header)?;
        let can = raw::hello(&mut talk, root, &Value::Null)?;
        if matches!(can["renameProvider"], Value::Null | Value::Bool(false)) {
            return Ok(None);
        }
        raw::open(&mut talk, &start.file, "solidity")?;
        // Asked before it has read the file, Nomic Foundation's server 0.8.4 has nothing to say.
        talk.wait_for("textDocument/publishDiagnostics")?;
        times.places = raw::places(&raw::rename(&mut talk, start, to)?).len();
        times.cold.push(milliseconds(begun));
        for _ in 0..options.warm.div_ceil(options.cold.max(1)) {
            let begun = Instant::now();
            let again = raw::places(&raw::rename(&mut talk, start, to)?).len();
            // It was seen to answer with nothing from the second time on: that is no answer to be timed.
            times.warm.extend((again == times.places).then(|| milliseconds(begun)));
        }
        times.memory = times.memory.max(peak_memory(talk.process()));
    }
    Ok(Some(times))
}

/// Prints how long the bindings take, at first and when one source has changed.
fn renewal(root: &Path) -> Result<(), String> {
    let root = AbsPath::new(root).map_err(|error| error.to_string())?;
    let disk = Disk::open(&root).map_err(|error| error.to_string())?;
    let begun = Instant::now();
    let mut project = load_project(&disk);
    let model = project.model();
    let first = milliseconds(begun);
    let id = SourceId::new(format!("{root}/utils/Context.sol"));
    let text = model.text(&id).ok_or("the source is not read")?.to_owned();
    let mut times = Vec::new();
    for at in 0..15 {
        let begun = Instant::now();
        project.set(id.clone(), Arc::from(format!("{text}// {at}\n")));
        project.model();
        times.push(milliseconds(begun));
    }
    println!(
        "\nbindings of {} sources: {first:.0} ms at first, {:.0} ms after an edit",
        model.files().len(),
        median(times)
    );
    Ok(())
}

/// Installs a package below the cache, unless that was done before; returns its directory.
fn installed(cache: &Path, package: &str) -> Result<PathBuf, String> {
    let name = package.rsplit_once('@').map_or(package, |(name, _)| name);
    let directory = cache.join(format!("server-{}", package.replace(['/', '@'], "_")));
    let found = directory.join("node_modules").join(name);
    if !found.exists() {
        fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
        let words = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
        let status = Command::new("npm").args(words).arg(&directory).arg(package).status();
        status.map_err(|error| error.to_string())?;
    }
    if found.exists() { Ok(found) } else { Err(format!("npm does not install {package}")) }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, target) = entry.map(|entry| (entry.path(), to.join(entry.file_name())))?;
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(path, target)?;
        }
    }
    Ok(())
}
