//! A package's own tests, run on the tree that plans are applied to.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::checker::Problem;
use crate::packages::{Family, Package, Tools};

/// The tests of one package, with those that failed before any plan.
pub struct Suite {
    package: &'static str,
    runner: Runner,
    root: PathBuf,
    failing: BTreeSet<String>,
}

/// Who runs them.
enum Runner {
    Pytest {
        /// Where the tests find what they need.
        path: String,
    },
    Vitest {
        /// Where it is installed.
        home: PathBuf,
    },
}

/// Seconds after which the tests are taken to hang.
const MOST_SECONDS: &str = "300";
/// The tests of scripts, as far as they need nothing but the package.
const SCRIPT_TESTS: &str = "src/v4/classic/**/*.test.ts";
const VITEST: &str = include_str!("vitest.config.mjs");

/// What vitest's JSON reporter says (its JsonTestResults).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Results {
    test_results: Vec<InFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InFile {
    name: String,
    status: String,
    assertion_results: Vec<Assertion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    full_name: String,
    status: String,
}

impl Suite {
    /// Installs what a package's tests need and runs them once; nothing where the package ships none.
    pub fn start(package: &Package, tools: &Tools, root: &Path) -> Result<Option<Self>, String> {
        if package.tests_need.is_empty() {
            return Ok(None);
        }
        let home = tools.test_environment(package)?;
        let runner = match package.language {
            Family::Python => Runner::Pytest { path: format!("{}:{}", root.join("src").display(), home.display()) },
            _ => {
                fs::write(home.join("vitest.config.mjs"), VITEST).map_err(|error| error.to_string())?;
                Runner::Vitest { home }
            }
        };
        let mut suite = Self { package: package.name, runner, root: root.to_path_buf(), failing: BTreeSet::new() };
        let failing = suite.run()?;
        suite.failing = failing;
        Ok(Some(suite))
    }

    /// Runs the tests again and returns those that did not fail before; twice, where there are any: some fail now and then
    /// on a busy machine.
    pub fn new_failures(&self) -> Result<Vec<Problem>, String> {
        let new: BTreeSet<String> = self.run()?.difference(&self.failing).cloned().collect();
        if new.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.run()?.intersection(&new).map(|test| problem(test)).collect())
    }

    /// Returns what is named as failed, and how it ended where that was neither well nor by failures.
    fn run(&self) -> Result<BTreeSet<String>, String> {
        match &self.runner {
            Runner::Pytest { path } => self.pytest(path),
            Runner::Vitest { home } => self.vitest(home),
        }
    }

    fn pytest(&self, path: &str) -> Result<BTreeSet<String>, String> {
        let pytest = ["-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", "tests"];
        let mut command = Command::new("timeout");
        command.args([MOST_SECONDS, "python3"]).args(pytest).current_dir(&self.root);
        command.env("PYTHONPATH", path).env("PYTHONDONTWRITEBYTECODE", "1");
        let output = command.output().map_err(|error| format!("pytest: {error}"))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let named =
            said.lines().filter_map(|line| line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR ")));
        let mut failed: BTreeSet<String> =
            named.map(|test| test.split(" - ").next().unwrap_or(test).to_owned()).collect();
        if !matches!(output.status.code(), Some(0 | 1)) {
            failed.insert(format!("pytest ended with {}", output.status));
        }
        Ok(failed)
    }

    /// A file that cannot be loaded fails as a whole.
    fn vitest(&self, home: &Path) -> Result<BTreeSet<String>, String> {
        let report = home.join("results.json");
        let _ = fs::remove_file(&report);
        let mut command = Command::new("timeout");
        command.args([MOST_SECONDS, "node"]).arg(home.join("node_modules/vitest/vitest.mjs"));
        command.arg("run").arg("--config").arg(home.join("vitest.config.mjs"));
        command.arg("--reporter=json").arg(format!("--outputFile={}", report.display()));
        command.env("TESTED", &self.root).env("TESTS", SCRIPT_TESTS).env("PACKAGE", self.package);
        let output = command.output().map_err(|error| format!("vitest: {error}"))?;
        let read = fs::read_to_string(&report).ok().and_then(|text| serde_json::from_str(&text).ok());
        let Some(Results { test_results }) = read else {
            return Ok(BTreeSet::from([format!("vitest ended with {}", output.status)]));
        };
        let mut failed = BTreeSet::new();
        for InFile { name, status, assertion_results } in test_results {
            let file = name.strip_prefix(&format!("{}/", self.root.display())).unwrap_or(&name).to_owned();
            let broken = assertion_results.iter().filter(|one| one.status == "failed");
            failed.extend(broken.map(|one| format!("{file}::{}", one.full_name)));
            if status != "passed" && assertion_results.is_empty() {
                failed.insert(file);
            }
        }
        Ok(failed)
    }
}

fn problem(test: &str) -> Problem {
    let file = test.split("::").next().unwrap_or_default().to_owned();
    Problem { file, line: 0, code: "test".to_owned(), message: format!("{test} fails") }
}
