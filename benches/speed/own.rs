//! What lspwright needs by itself: its start, and its memory on a very large plan.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::json;

use crate::cases::milliseconds;
use crate::{lspwright, median};

const STARTS: usize = 31;
const FILES: usize = 500;
/// One is the import.
const USES_PER_FILE: usize = 100;

pub fn measure(cache: &Path) -> Result<(), String> {
    let empty = cache.join("empty");
    fs::create_dir_all(&empty).map_err(|error| error.to_string())?;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let start = Instant::now();
        let mut talk = lspwright::start(&empty)?;
        talk.request("tools/list", &json!({}))?;
        starts.push(milliseconds(start));
    }
    println!(
        "\nstart of `lspwright serve` until `tools/list` is answered: {:.1} ms (median of {STARTS})",
        median(starts)
    );
    let root = large_project(cache).map_err(|error| error.to_string())?;
    let mut talk = lspwright::start(&root)?;
    let before = peak_memory(talk.process());
    let arguments = json!({
        "projectRoot": root, "filePath": "src/counter.ts", "line": 0, "character": 16, "newName": "tally",
    });
    let plan = lspwright::call(&mut talk, "planRenameSymbol", &arguments)?;
    let peak = peak_memory(talk.process());
    println!(
        "own memory, highest: {before:.0} MB at rest, {peak:.0} MB after a plan of {} edits",
        lspwright::count_edits(&plan)
    );
    Ok(())
}

/// Writes a project in which one function is used 50,000 times.
fn large_project(cache: &Path) -> std::io::Result<PathBuf> {
    let root = cache.join("large");
    let source = root.join("src");
    fs::create_dir_all(&source)?;
    fs::write(root.join("tsconfig.json"), r#"{ "compilerOptions": { "strict": true }, "include": ["src"] }"#)?;
    fs::write(source.join("counter.ts"), "export function count(by: number): number {\n  return by + 1;\n}\n")?;
    for file in 0..FILES {
        let mut text = String::from("import { count } from \"./counter\";\n\n");
        for line in 1..USES_PER_FILE {
            writeln!(text, "export const sum{file}of{line} = count({line});")
                .expect("a String takes all that is written");
        }
        fs::write(source.join(format!("file{file}.ts")), text)?;
    }
    root.canonicalize()
}

/// Returns the most memory that a process has held so far, in megabytes; its children are not counted.
pub fn peak_memory(process: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}
