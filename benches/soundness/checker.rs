//! A language's own checker, kept warm beside the tree that plans are applied to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::Deserialize;
use serde_json::json;

use crate::packages::{Family, Package, Tools};
use crate::tree::Touched;

/// A finding of the checker.
#[derive(Deserialize, Clone)]
pub struct Problem {
    /// Relative to the tree's root; empty where it is about no file.
    pub file: String,
    /// 1-based.
    pub line: usize,
    pub code: String,
    pub message: String,
}

/// One running checker.
pub struct Checker {
    family: Family,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// What was found before any plan, by file; filled as files are asked about.
    baseline: BTreeMap<PathBuf, Vec<Problem>>,
    /// What was found in the project's settings before any plan.
    settings: Option<Vec<Problem>>,
    root: PathBuf,
}

/// What is asked about; basedpyright is told of changes instead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    Pristine,
    Changed,
}

#[derive(Deserialize)]
struct Answer {
    problems: Vec<Problem>,
}

const SCRIPT: &str = include_str!("check_script.mjs");
const PYTHON: &str = include_str!("check_python.mjs");
const SOLIDITY: &str = include_str!("check_solidity.mjs");
/// For packages that come without a project file; it lies beside the tree, not in it.
const JAVASCRIPT_PROJECT: &str = r#"{
  "compilerOptions": {
    "target": "es2022", "module": "commonjs", "moduleResolution": "node10", "ignoreDeprecations": "6.0",
    "noEmit": true, "allowJs": true, "checkJs": true, "strict": false, "types": [], "lib": ["es2022"]
  },
  "include": ["applied/**/*.js"]
}
"#;
const PYTHON_PROJECT: &str = r#"{ "typeCheckingMode": "standard", "pythonVersion": "3.11", "extraPaths": ["src"] }"#;

impl Checker {
    /// Starts the checker over `root`, the second copy of a package.
    pub fn start(package: &Package, tools: &Tools, root: &Path) -> Result<Self, String> {
        let family = package.language;
        let beside = root.parent().expect("the copy lies in the package's directory");
        let script = beside.join(match family {
            Family::Python => "check_python.mjs",
            Family::TypeScript | Family::JavaScript => "check_script.mjs",
            Family::Solidity => "check_solidity.mjs",
        });
        let write =
            |path: &Path, text: &str| fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()));
        let mut command = Command::new("node");
        command.arg("--max-old-space-size=6000").arg(&script);
        if family == Family::Python {
            write(&script, PYTHON)?;
            write(&root.join("pyrightconfig.json"), PYTHON_PROJECT)?;
            command.arg(&tools.basedpyright).arg(root);
        } else if family == Family::Solidity {
            write(&script, SOLIDITY)?;
            command.arg(tools.solc(package.compiler)?).arg(root);
        } else {
            write(&script, SCRIPT)?;
            let config = match family {
                Family::TypeScript => root.join("tsconfig.json"),
                _ => beside.join("check.tsconfig.json"),
            };
            if family == Family::JavaScript {
                write(&config, JAVASCRIPT_PROJECT)?;
            }
            command.arg(&tools.typescript).arg(root).arg(config);
        }
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
        let questions = child.stdin.take().expect("it is piped");
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        let root = root.to_path_buf();
        Ok(Self { family, child, questions, answers, baseline: BTreeMap::new(), settings: None, root })
    }

    /// Returns the problems of `files` before any plan; asks for those that are not known yet.
    pub fn baseline(&mut self, files: &BTreeSet<PathBuf>) -> Result<Vec<Problem>, String> {
        let unknown: BTreeSet<_> = files.iter().filter(|file| !self.baseline.contains_key(*file)).cloned().collect();
        if !unknown.is_empty() || self.settings.is_none() {
            let found = self.ask(&Touched::default(), &unknown, Tree::Pristine)?;
            self.baseline.extend(unknown.into_iter().map(|file| (file, Vec::new())));
            let (of_files, of_settings): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| !found.file.is_empty());
            self.settings = Some(of_settings);
            for problem in of_files {
                self.baseline.entry(self.root.join(&problem.file)).or_default().push(problem);
            }
        }
        let known = files.iter().flat_map(|file| &self.baseline[file]);
        Ok(known.chain(self.settings.iter().flatten()).cloned().collect())
    }

    /// Returns the problems of `files` in the tree as it stands.
    pub fn ask(&mut self, touched: &Touched, files: &BTreeSet<PathBuf>, tree: Tree) -> Result<Vec<Problem>, String> {
        let created = touched.created.iter().map(|path| (path, 1));
        let changed = touched.changed.iter().map(|path| (path, 2));
        let deleted = touched.deleted.iter().map(|path| (path, 3));
        let changes: Vec<_> = deleted.chain(created).chain(changed).collect();
        let question = json!({ "changes": changes, "check": files, "isPristine": tree == Tree::Pristine });
        writeln!(self.questions, "{question}").map_err(|error| format!("the checker ended: {error}"))?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|error| error.to_string())?;
        let answer: Answer =
            serde_json::from_str(&line).map_err(|error| format!("the checker said `{line}`: {error}"))?;
        Ok(answer.problems)
    }

    /// Tells a checker that looks at nothing by itself that the tree is what it was.
    pub fn restored(&mut self, touched: Touched) -> Result<(), String> {
        if self.family == Family::Python {
            let back = Touched { created: touched.deleted, deleted: touched.created, ..touched };
            self.ask(&back, &BTreeSet::new(), Tree::Changed)?;
        }
        Ok(())
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
