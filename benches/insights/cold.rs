//! How long the first answer takes: the command line's, from its start to its end.

use std::process::Command;
use std::time::Instant;

use lspwright::text::AbsPath;

/// Large functions of large hierarchies.
const FUNCTIONS: &[&str] = &[
    "access/manager/AccessManager.sol:AccessManager.execute",
    "governance/Governor.sol:Governor.relay",
    "token/ERC20/extensions/ERC4626.sol:ERC4626.deposit",
    "token/ERC721/ERC721.sol:ERC721.transferFrom",
];
const RUNS: usize = 5;

/// Prints how long `lspwright entrypoints` and `lspwright function_insights` take, medians of some runs.
pub fn print(package: &AbsPath) -> Result<(), String> {
    let took = median(package, &["entrypoints", package.as_str(), "--include-view"])?;
    println!("all entrypoints, by the command line: {took:.0} ms");
    for function in FUNCTIONS {
        let took = median(package, &["function_insights", &format!("{package}/{function}")])?;
        println!("insights of `{function}`, by the command line: {took:.0} ms");
    }
    Ok(())
}

fn median(package: &AbsPath, words: &[&str]) -> Result<f64, String> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let begun = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_lspwright"));
        let output = command.args(words).args(["--project", package.as_str()]).output();
        let output = output.map_err(|error| error.to_string())?;
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
        if !output.status.success() {
            return Err(format!("{words:?}: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}
