//! The tools that are compared with, pinned, and what they say of a package.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use lspwright::workspace::project_files;
use serde::Deserialize;
use serde_json::Value;

use crate::Subject;
use crate::packages::{Family, once, run};

const NPM: &[&str] = &[
    "eslint@9.39.5",
    "eslint-plugin-sonarjs@4.2.2",
    "@typescript-eslint/parser@8.73.0",
    "typescript@6.0.3",
    "jscpd@4.3.0",
    "knip@5.88.1",
];
const PYPI: &[&str] = &["radon==6.0.1", "ruff==0.17.6", "vulture==2.16"];

/// Prints the file, the line and the length of every function.
const LENGTHS: &str = "
import ast, sys
for name in sys.stdin.read().split('\\n'):
    try:
        tree = ast.parse(open(name, 'rb').read())
    except (SyntaxError, ValueError):
        continue
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            print(name, node.lineno, node.end_lineno + 1 - node.lineno)
";

/// The tools as they are installed.
pub struct Toolbox {
    npm: PathBuf,
    pypi: PathBuf,
}

/// What the tools say, nothing where a tool does not know the language; and how many seconds each took.
#[derive(Default)]
pub struct Tools {
    /// By file and where the function's `def` stands, or its body begins.
    pub functions: BTreeMap<(String, usize), Row>,
    pub copies: Vec<Place>,
    /// The names and lines of what is never used, by file.
    pub unused: Vec<(String, usize, String)>,
    /// How many exports nobody imports.
    pub exports: usize,
    pub seconds: Vec<(&'static str, f64)>,
}

/// What is counted in one function.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Row {
    pub line: usize,
    pub cyclomatic: Option<u32>,
    pub cognitive: Option<u32>,
    pub params: Option<u32>,
    pub lines: Option<u32>,
}

/// Lines of a file, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub first: u64,
    pub last: u64,
}

impl Toolbox {
    pub fn fetch(cache: &Path) -> Result<Self, String> {
        let npm = cache.join("smells-npm-1");
        once(&npm, |into| {
            let install = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
            run(Command::new("npm").args(install).arg(into).args(NPM))
        })?;
        let pypi = cache.join("smells-pypi-1");
        once(&pypi, |into| {
            let install = ["-m", "pip", "install", "--quiet", "--target"];
            run(Command::new("python3").args(install).arg(into).args(PYPI))
        })?;
        Ok(Self { npm, pypi })
    }

    /// Runs the tools of the package's language.
    pub fn run(&self, subject: &Subject) -> Result<Tools, String> {
        let mut tools = Tools::default();
        if subject.language == Family::Python {
            self.radon(subject, &mut tools)?;
            self.lengths(subject, &mut tools)?;
            self.ruff(subject, &mut tools)?;
            self.vulture(subject, &mut tools)?;
        } else {
            self.eslint(subject, &mut tools)?;
            self.knip(subject, &mut tools);
        }
        self.jscpd(subject, &mut tools)?;
        Ok(tools)
    }

    fn python(&self, subject: &Subject, module: &str) -> Command {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", &self.pypi).current_dir(&subject.root).args(["-m", module]);
        command
    }

    fn radon(&self, subject: &Subject, tools: &mut Tools) -> Result<(), String> {
        let mut command = self.python(subject, "radon");
        command.args(["cc", "--json", "--show-closures", subject.sources]);
        let said: BTreeMap<String, Value> =
            serde_json::from_slice(&tools.timed("radon", &mut command)?).map_err(|error| format!("radon: {error}"))?;
        for (file, blocks) in said {
            for block in blocks.as_array().into_iter().flatten().filter(|block| block["type"] != "class") {
                let number = |key: &str| block[key].as_u64().unwrap_or_default() as usize;
                let row =
                    Row { line: number("lineno"), cyclomatic: Some(number("complexity") as u32), ..Row::default() };
                tools.functions.insert((file.clone(), row.line), row);
            }
        }
        Ok(())
    }

    /// radon's last line is the one where the last expression begins: how long functions are, Python itself tells.
    fn lengths(&self, subject: &Subject, tools: &mut Tools) -> Result<(), String> {
        let mut command = Command::new("python3");
        command.current_dir(&subject.root).args(["-c", LENGTHS]);
        let names: Vec<String> = subject.files().into_iter().map(|file| file.0).collect();
        let said = tools.timed_with("Python's ast", &mut command, &names.join("\n"))?;
        for line in String::from_utf8_lossy(&said).lines() {
            let mut parts = line.rsplitn(3, ' ');
            let (Some(lines), Some(line), Some(file)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let key = (file.to_owned(), line.parse().unwrap_or_default());
            if let Some(row) = tools.functions.get_mut(&key) {
                row.lines = lines.parse().ok();
            }
        }
        Ok(())
    }

    fn ruff(&self, subject: &Subject, tools: &mut Tools) -> Result<(), String> {
        let mut command = Command::new(self.pypi.join("bin/ruff"));
        command.current_dir(&subject.root).args(["check", "--isolated", "--no-cache", "--ignore-noqa", "--exit-zero"]);
        let settings = ["--config=lint.pylint.max-args=0", "--config=lint.dummy-variable-rgx=\"^$\""];
        command.args(["--select=PLR0913", "--output-format=json"]).args(settings).arg(subject.sources);
        let said: Vec<Value> =
            serde_json::from_slice(&tools.timed("ruff", &mut command)?).map_err(|error| format!("ruff: {error}"))?;
        for row in tools.functions.values_mut() {
            row.params = Some(0);
        }
        for one in said {
            let line = one["location"]["row"].as_u64().unwrap_or_default() as usize;
            let count = number_behind(one["message"].as_str().unwrap_or_default(), "(");
            let file = relative(subject, one["filename"].as_str().unwrap_or_default());
            if let Some(row) = tools.functions.get_mut(&(file, line)) {
                row.params = count;
            }
        }
        Ok(())
    }

    fn vulture(&self, subject: &Subject, tools: &mut Tools) -> Result<(), String> {
        let mut command = self.python(subject, "vulture");
        let said = tools.timed("vulture", command.arg(subject.sources))?;
        // Imports, parameters and variables inside of functions are no declarations of their own.
        let is_own = |line: &&str| {
            ["function", "method", "class", "property"].iter().any(|it| line.contains(&format!("unused {it} ")))
        };
        for line in String::from_utf8_lossy(&said).lines().filter(is_own) {
            let mut parts = line.splitn(3, ':');
            let (Some(file), Some(at), Some(what)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let name = what.split('\'').nth(1).unwrap_or_default().to_owned();
            tools.unused.push((file.to_owned(), at.parse().unwrap_or_default(), name));
        }
        Ok(())
    }

    fn eslint(&self, subject: &Subject, tools: &mut Tools) -> Result<(), String> {
        #[derive(Deserialize)]
        struct File {
            file: String,
            functions: Vec<Body>,
            unused: Vec<Named>,
        }
        #[derive(Deserialize)]
        struct Body {
            body: usize,
            #[serde(flatten)]
            row: Row,
        }
        #[derive(Deserialize)]
        struct Named {
            name: String,
            line: usize,
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/smells/eslint.mjs");
        let names: Vec<String> = subject.files().into_iter().map(|file| file.0).collect();
        let mut command = Command::new("node");
        command.arg(script).arg(&self.npm).arg(&subject.root);
        let said = tools.timed_with("eslint and sonarjs", &mut command, &names.join("\n"))?;
        for line in String::from_utf8_lossy(&said).lines() {
            let File { file, functions, unused } =
                serde_json::from_str(line).map_err(|error| format!("eslint: {error}: {line}"))?;
            tools.unused.extend(unused.into_iter().map(|one| (file.clone(), one.line, one.name)));
            tools.functions.extend(functions.into_iter().map(|one| ((file.clone(), one.body), one.row)));
        }
        Ok(())
    }

    /// knip reports the exports that nobody imports; a package without its own entry points gives it little to
    /// begin with, so that it may fail.
    fn knip(&self, subject: &Subject, tools: &mut Tools) {
        let mut command = Command::new("node");
        let script = self.npm.join("node_modules/knip/bin/knip.js");
        command.current_dir(&subject.root).arg(script).args(["--reporter", "json", "--no-exit-code", "--no-progress"]);
        let Ok(said) = tools.timed("knip", &mut command) else { return };
        let said: Value = serde_json::from_slice(&said).unwrap_or_default();
        for file in said["issues"].as_array().into_iter().flatten() {
            let exports = ["exports", "types"].iter().filter_map(|kind| file[kind].as_array()).flatten();
            tools.exports += exports.count();
        }
    }

    fn jscpd(&self, subject: &Subject, tools: &mut Tools) -> Result<(), String> {
        let report = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut command = Command::new("node");
        command.current_dir(&subject.root).arg(self.npm.join("node_modules/jscpd/bin/jscpd"));
        command.args([
            "--silent",
            "--reporters",
            "json",
            "--min-tokens",
            "100",
            "--min-lines",
            "10",
            "--max-size",
            "2mb",
            "--mode",
            "weak",
        ]);
        command.args(["--max-lines", "100000", "--output"]).arg(report.path()).arg(subject.sources);
        tools.timed("jscpd", &mut command)?;
        let said = std::fs::read(report.path().join("jscpd-report.json")).map_err(|error| format!("jscpd: {error}"))?;
        let said: Value = serde_json::from_slice(&said).map_err(|error| format!("jscpd: {error}"))?;
        for pair in said["duplicates"].as_array().into_iter().flatten() {
            for side in ["firstFile", "secondFile"] {
                let number = |key: &str| pair[side][key].as_u64().unwrap_or_default();
                let file = relative(subject, pair[side]["name"].as_str().unwrap_or_default());
                tools.copies.push(Place { file, first: number("start"), last: number("end") });
            }
        }
        Ok(())
    }
}

impl Tools {
    fn timed(&mut self, tool: &'static str, command: &mut Command) -> Result<Vec<u8>, String> {
        self.timed_with(tool, command, "")
    }

    /// Returns what a tool writes; one that only tells by its status that it found something has not failed.
    fn timed_with(&mut self, tool: &'static str, command: &mut Command, input: &str) -> Result<Vec<u8>, String> {
        let begun = Instant::now();
        let failed = |error: std::io::Error| format!("{tool}: {error}");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let mut stdin = child.stdin.take().ok_or("a piped child has an input")?;
        let input = input.to_owned();
        // A tool that answers while it reads would wait for its own answer to be read.
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().map_err(failed)?;
        let _ = writer.join();
        if output.stdout.is_empty() && !output.status.success() {
            return Err(format!("{tool}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        self.seconds.push((tool, begun.elapsed().as_secs_f64()));
        Ok(output.stdout)
    }
}

impl Subject {
    /// Returns the files that are looked into, by their names below the root.
    pub fn files(&self) -> Vec<(String, PathBuf)> {
        let below = self.disk.root().join(self.sources).expect("the sources lie below the root");
        let extensions: Vec<&OsStr> = self.language.extensions().iter().map(OsStr::new).collect();
        let entries = project_files(&below).expect("a sample is not too large").into_iter().map(|entry| entry.path);
        let named = entries.filter_map(|path| {
            let name = path.relative_to(self.disk.root())?.to_string();
            let is_wanted = Path::new(&name).extension().is_some_and(|it| extensions.contains(&it));
            is_wanted.then(|| (name, path.as_path().to_path_buf()))
        });
        named.collect()
    }
}

/// Tools name files absolutely, or from where they were started.
fn relative(subject: &Subject, file: &str) -> String {
    let path = Path::new(file);
    let below = path.strip_prefix(subject.disk.root().as_path()).or_else(|_| path.strip_prefix(&subject.root));
    below.unwrap_or(path).to_string_lossy().trim_start_matches("./").to_owned()
}

fn number_behind(message: &str, mark: &str) -> Option<u32> {
    let behind = message.split(mark).nth(1)?;
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
