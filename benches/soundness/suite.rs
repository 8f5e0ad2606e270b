//! A package's own tests, run on the tree that plans are applied to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checker::Problem;
use crate::packages::{Package, Tools};

/// The tests of one package, with those that failed before any plan.
pub struct Suite {
    /// Where the tests find what they need.
    path: String,
    root: PathBuf,
    failing: BTreeSet<String>,
}

/// Seconds after which the tests are taken to hang.
const MOST_SECONDS: &str = "300";

impl Suite {
    /// Installs what a package's tests need and runs them once; nothing where the package ships none.
    pub fn start(package: &Package, tools: &Tools, root: &Path) -> Result<Option<Self>, String> {
        if package.tests_need.is_empty() {
            return Ok(None);
        }
        let needs = tools.test_environment(package)?;
        let path = format!("{}:{}", root.join("src").display(), needs.display());
        let mut suite = Self { path, root: root.to_path_buf(), failing: BTreeSet::new() };
        let failing = suite.run()?;
        suite.failing = failing;
        Ok(Some(suite))
    }

    /// Runs the tests again and returns those that did not fail before.
    pub fn new_failures(&self) -> Result<Vec<Problem>, String> {
        let failing = self.run()?;
        let is_new = |test: &String| !self.failing.contains(test);
        Ok(failing.into_iter().filter(is_new).map(|test| problem(&test)).collect())
    }

    /// Returns what pytest names as failed, and how it ended where that was neither well nor by failures.
    fn run(&self) -> Result<BTreeSet<String>, String> {
        let pytest = ["-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", "tests"];
        let mut command = Command::new("timeout");
        command.args([MOST_SECONDS, "python3"]).args(pytest).current_dir(&self.root);
        command.env("PYTHONPATH", &self.path).env("PYTHONDONTWRITEBYTECODE", "1");
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
}

fn problem(test: &str) -> Problem {
    let file = test.split("::").next().unwrap_or_default().to_owned();
    Problem { file, line: 0, code: "test".to_owned(), message: format!("{test} fails") }
}
