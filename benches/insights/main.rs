//! What the audit tools say about every function of OpenZeppelin's contracts, beside what the compiler's own
//! syntax tree says (`truth.mjs`): precision and recall, and how long it takes.
//!
//! `cargo bench --bench insights` fetches the pinned packages from their registry.
//!
//! `cargo bench --bench insights` looks into every function of OpenZeppelin's contracts and compares with what
//! `truth.mjs` derives from the compiler's own syntax tree; differences are printed one by one, and too many missing
//! ones are a failure (`figures.rs`). Before that it starts the command line a few times and prints how long the
//! first answers take. The truth is kept below `target/insights`: take that away after a change of `truth.mjs`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark talks to the terminal")]
#![expect(unreachable_pub, reason = "a binary's modules have no outside")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use lspwright::audit::{Entrypoints, Function, ModelCache, Sources, Views, every_insight};
use lspwright::syntax::Family;
use lspwright::text::AbsPath;
use lspwright::workspace::Disk;
use serde::Deserialize;

mod cold;
mod figures;

use figures::Figures;

/// Compares insights with the compiler's syntax tree.
#[derive(Parser)]
struct Options {
    /// Where the packages are kept.
    #[arg(long, default_value = "target/insights")]
    cache: PathBuf,
    /// How many differences are printed per figure.
    #[arg(long, default_value_t = 10)]
    show: usize,
    /// The package whose contracts are looked at.
    #[arg(long, default_value = "@openzeppelin/contracts@5.7.0")]
    package: String,
    /// The compiler that tells the truth.
    #[arg(long, default_value = "0.8.37")]
    solc: String,
    /// Cargo passes this to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Deserialize)]
struct Truth {
    functions: Vec<TrueFunction>,
    entrypoints: Vec<TrueEntrypoint>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TrueFunction {
    file: String,
    /// The byte that the name or the keyword begins at.
    start: usize,
    contract_kind: Option<String>,
    visibility: String,
    mutability: String,
    signature: Option<String>,
    reads: BTreeSet<String>,
    writes: BTreeSet<String>,
    internal: BTreeSet<String>,
    external: BTreeSet<String>,
}

#[derive(Deserialize)]
struct TrueEntrypoint {
    contract: String,
    signature: String,
    mutability: String,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let contracts = fetched(&options.cache, &options.package)?;
    let compiler = fetched(&options.cache, &format!("solc@{}", options.solc))?;
    let truth = truth(&options.cache, &compiler.join("node_modules/solc"), &contracts)?;
    let root = AbsPath::new(contracts.join("package")).map_err(|error| error.to_string())?;
    let disk = Disk::open(&root).map_err(|error| error.to_string())?;

    cold::print(&root)?;
    let begun = Instant::now();
    let kept = Arc::new(ModelCache::new(lspwright::session::Sources::new(disk)));
    let sources = Sources::below(&kept, &["**/*.sol".to_owned()]).map_err(|error| error.to_string())?;
    let listed = Entrypoints::of(&sources, Family::Solidity, Views::Include).map_err(|error| error.to_string())?;
    let took = begun.elapsed();
    println!("{} files; all entrypoints, in this process: {} ms", sources.files.len(), took.as_millis());
    let begun = Instant::now();
    let functions = every_insight(&sources);
    println!("{} functions looked into in {} ms", functions.len(), begun.elapsed().as_millis());

    let mut figures = Figures::default();
    compare_entrypoints(&mut figures, &truth, &listed);
    compare_functions(&mut figures, &truth, &sources, &functions);
    figures.print(options.show);
    figures.hold()
}

fn compare_entrypoints(figures: &mut Figures, truth: &Truth, listed: &Entrypoints) {
    let Entrypoints::Contracts { rows, .. } = listed else { return };
    let is_changing = |mutability: &str| matches!(mutability, "nonpayable" | "payable");
    // Where a function stands is not where its contract does: contracts are told apart by name.
    let one = |contract: &str, signature: &str, mutability: &str| format!("{contract}.{signature} {mutability}");
    let known: BTreeSet<&str> = truth.entrypoints.iter().map(|it| it.contract.as_str()).collect();
    let said = rows.iter().filter(|row| row.contract_kind != "library" && known.contains(row.contract.as_str()));
    let said: BTreeSet<(bool, String)> =
        said.map(|row| (is_changing(row.mutability), one(&row.contract, &row.signature, row.mutability))).collect();
    // The getter of a constant is pure for the compiler, and a view for those who call it.
    let plain = |mutability: &str| if mutability == "pure" { "view" } else { mutability }.to_owned();
    let plain_all = |set: &BTreeSet<(bool, String)>, only: Option<bool>| -> BTreeSet<String> {
        let wanted = set.iter().filter(|(changing, _)| only.is_none_or(|only| *changing == only));
        wanted
            .map(|(_, it)| it.strip_suffix(" pure").map_or_else(|| it.clone(), |it| format!("{it} {}", plain("pure"))))
            .collect()
    };
    let true_ones: BTreeSet<(bool, String)> = truth
        .entrypoints
        .iter()
        .map(|it| (is_changing(&it.mutability), one(&it.contract, &it.signature, &it.mutability)))
        .collect();
    figures.add("entrypoints that change state", "", &plain_all(&true_ones, Some(true)), &plain_all(&said, Some(true)));
    figures.add("entrypoints, views and getters", "", &plain_all(&true_ones, None), &plain_all(&said, None));
}

fn compare_functions(figures: &mut Figures, truth: &Truth, sources: &Sources, functions: &[Function]) {
    let mut said: BTreeMap<(String, u32, u32), &Function> = BTreeMap::new();
    for function in functions {
        if let Some(location) = function.location {
            said.insert((function.file.clone(), location.line, location.column), function);
        }
    }
    for function in &truth.functions {
        let Some(source) = sources.files.iter().find(|source| source.name() == function.file) else { continue };
        let location = source.location(function.start);
        let place = format!("{}:{}:{}", function.file, location.line, location.column);
        let Some(found) = said.get(&(function.file.clone(), location.line, location.column)) else {
            figures.add("functions", &place, &[place.clone()].into(), &BTreeSet::new());
            continue;
        };
        figures.add("functions", &place, &[place.clone()].into(), &[place.clone()].into());
        compare_function(figures, &place, function, found);
    }
}

fn compare_function(figures: &mut Figures, place: &str, truth: &TrueFunction, said: &Function) {
    let one = |text: &str| BTreeSet::from([text.to_owned()]);
    let is_modifier = said.kind == "modifier";
    figures.add("visibility", place, &one(&truth.visibility), &one(said.visibility.unwrap_or_default()));
    if !is_modifier {
        figures.add("mutability", place, &one(&truth.mutability), &one(said.mutability.unwrap_or_default()));
    }
    // Libraries have signatures of their own kind.
    if let Some(signature) = truth.signature.as_deref().filter(|_| truth.contract_kind.as_deref() != Some("library")) {
        figures.add("signature", place, &one(signature), &one(&said.signature));
    }
    let variables = |rows: &[lspwright::audit::AccessRow]| -> BTreeSet<String> {
        let variables = rows.iter().filter(|row| !matches!(row.storage, "parameter" | "slot"));
        let named = variables.map(|row| match &row.declared_in {
            Some(contract) => format!("{contract}.{}", row.variable),
            None => row.variable.clone(),
        });
        named.collect()
    };
    figures.add("state reads", place, &truth.reads, &variables(&said.state.reads));
    figures.add("state writes", place, &truth.writes, &variables(&said.state.writes));
    let counted = |function: &str, signature: &str| {
        let types = signature.split_once('(').map(|(_, types)| types.trim_end_matches(')')).unwrap_or_default();
        format!("{function}/{}", count(types))
    };
    let calls = said.calls.internal.iter().filter(|row| row.kind != "function_pointer" && !is_outward(row, said));
    let internal = calls.map(|row| counted(&row.function, row.signature.as_deref().unwrap_or_default())).collect();
    figures.add("internal calls", place, &truth.internal, &internal);
    let external = said.calls.external.iter().map(|row| match (&row.function, row.kind) {
        (Some(contract), "new") => format!("new {contract}"),
        (_, "function_pointer") => "pointer".to_owned(),
        (Some(function), _) if function.contains('(') && row.mutability.is_some() => {
            counted(function.split('(').next().unwrap_or_default(), function)
        }
        (Some(function), _) => function.split('(').next().unwrap_or_default().to_owned(),
        (None, kind) => kind.to_owned(),
    });
    figures.add("external calls", place, &truth.external, &external.collect());
}

/// A public library's function is listed as what it leads to, and as a call that leaves.
fn is_outward(row: &lspwright::audit::InternalRow, said: &Function) -> bool {
    let same = |other: &lspwright::audit::OutwardRow| other.kind == "library" && other.location == row.location;
    said.calls.external.iter().any(same)
}

/// Counts the types of a list; those of tuples and functions are parts of one.
fn count(types: &str) -> usize {
    let mut depth = 0;
    let commas = types.chars().filter(|character| {
        depth += i32::from(*character == '(') - i32::from(*character == ')');
        *character == ',' && depth == 0
    });
    let commas = commas.count();
    if types.is_empty() { 0 } else { commas + 1 }
}

/// Installs a package below the cache, unless that was done before.
fn fetched(cache: &Path, package: &str) -> Result<PathBuf, String> {
    let directory =
        std::path::absolute(cache.join(package.replace(['/', '@'], "_"))).map_err(|error| error.to_string())?;
    if !directory.exists() {
        let partial = directory.with_extension("partial");
        std::fs::create_dir_all(&partial).map_err(|error| error.to_string())?;
        let npm = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
        output(Command::new("npm").args(npm).arg(&partial).arg(package))?;
        let name = package.rsplit_once('@').map_or(package, |(name, _)| name);
        let from = partial.join("node_modules").join(name);
        // The contracts are to lie outside of `node_modules`, as a project's own do.
        if !package.starts_with("solc") {
            std::fs::rename(from, partial.join("package")).map_err(|error| error.to_string())?;
        }
        std::fs::rename(&partial, &directory).map_err(|error| error.to_string())?;
    }
    Ok(directory)
}

/// Derives the truth, once for each compiler and package.
fn truth(cache: &Path, compiler: &Path, contracts: &Path) -> Result<Truth, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/insights/truth.mjs");
    let name = contracts.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let kept = cache.join(format!("{name}.truth.json"));
    if !kept.exists() {
        let json = output(Command::new("node").arg(script).arg(compiler).arg(contracts.join("package")))?;
        std::fs::write(&kept, json).map_err(|error| error.to_string())?;
    }
    let json = std::fs::read_to_string(&kept).map_err(|error| error.to_string())?;
    serde_json::from_str(&json).map_err(|error| error.to_string())
}

fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(output.stdout) } else { Err(format!("{command:?}: {stderr}")) }
}
