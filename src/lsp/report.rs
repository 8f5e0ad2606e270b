//! What `doctor` tells of a machine and a project: the versions of programs, and what stands in the root.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::Guard;
use super::child::Program;
use super::config::Config;
use super::environment::Environment;
use super::provision::{Tool, find_tool};
use super::pyright_config::{self, PythonProject};
use crate::workspace::read_text;

/// The oldest Node.js that every server of the default runs on (typescript-language-server 5.3.0 wants it).
const OLDEST_NODE: u32 = 20;
/// How long a program may take to tell its version.
const PATIENCE: Duration = Duration::from_secs(20);

/// One program that servers or their installers need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolReport {
    pub tool: Tool,
    /// The words that run it; nothing where it is missing.
    pub command: Option<Vec<String>>,
    /// The version that it says it is.
    pub version: Option<String>,
    pub is_too_old: bool,
}

/// What was found in a project's root.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectReport {
    /// The root markers of the configured servers that are there.
    pub markers: Vec<String>,
    /// The virtual environment whose packages the project sees; its interpreter, where the project is trusted.
    pub python: Option<String>,
    /// The version of the TypeScript that the project has installed.
    pub typescript: Option<String>,
}

/// Finds a program and asks it for its version.
pub async fn tool(tool: Tool, environment: &Environment, guard: &Guard) -> ToolReport {
    let command = find_tool(tool, environment);
    let version = match &command {
        Some(words) => version_of(words, environment, guard).await,
        None => None,
    };
    let major = version.as_deref().and_then(|version| version.split('.').next()?.parse().ok());
    let is_too_old = tool == Tool::Node && major.is_some_and(|major: u32| major < OLDEST_NODE);
    ToolReport { tool, command, version, is_too_old }
}

/// Looks into a project's root.
pub fn project(project: &PythonProject<'_>, config: &Config) -> ProjectReport {
    let root = project.root;
    let mut markers: Vec<String> = config
        .languages()
        .flat_map(|language| config.root_markers(language))
        .filter(|marker| root.as_path().join(marker).exists())
        .map(str::to_owned)
        .collect();
    markers.sort();
    markers.dedup();
    let python = pyright_config::environment_of(project).map(|python| python.display().to_string());
    let typescript = package_version(&root.as_path().join("node_modules/typescript/package.json"));
    ProjectReport { markers, python, typescript }
}

async fn version_of(words: &[String], environment: &Environment, guard: &Guard) -> Option<String> {
    let program = Program::new(words.iter().map(String::as_str).chain(["--version"]));
    // `python -m pip` takes modules from the directory that it is started in, and `rustup` the word for a toolchain.
    let program = program.at(Path::new(std::path::MAIN_SEPARATOR_STR)).within(&environment.for_installers());
    let output = program.run(guard, PATIENCE).await.ok().filter(|output| output.status.success())?;
    first_version(&output.stdout.text())
}

/// Returns the first word that begins like a version, without a leading `v`.
fn first_version(text: &str) -> Option<String> {
    let words = text.split_whitespace().map(|word| word.strip_prefix('v').unwrap_or(word));
    let mut versions =
        words.filter(|word| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.'));
    versions.next().map(str::to_owned)
}

fn package_version(manifest: &Path) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_str(&read_text(manifest).ok()?).ok()?;
    manifest["version"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{first_version, project, tool};
    use crate::lsp::provision::Tool;
    use crate::lsp::pyright_config::PythonProject;
    use crate::lsp::{Config, ConfigSources, Environment, Guard, Trust};
    use crate::text::AbsPath;

    #[test]
    fn versions_are_found_in_what_programs_say() {
        assert_eq!(first_version("v20.20.2\n").as_deref(), Some("20.20.2"));
        assert_eq!(first_version("Python 3.11.7").as_deref(), Some("3.11.7"));
        assert_eq!(first_version("pip 24.0 from /x/pip (python 3.11)").as_deref(), Some("24.0"));
        assert_eq!(first_version("none"), None);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn an_old_node_is_told_from_a_missing_one() {
        let dir = tempfile::tempdir().unwrap();
        let environment = Environment(BTreeMap::from([("PATH".to_owned(), dir.path().to_str().unwrap().to_owned())]));
        let guard = Guard::none();
        let missing = tool(Tool::Node, &environment, &guard).await;
        assert_eq!((missing.command, missing.version, missing.is_too_old), (None, None, false));
        let node = dir.path().join("node");
        for (said, is_too_old) in [("v18.1.0", true), ("v22.0.0", false)] {
            // By another process: while one that this one starts has the file open, it cannot be run (`ETXTBSY`).
            let script = format!("printf '#!/bin/sh\\necho {said}\\n' > \"$0\" && chmod 755 \"$0\"");
            assert!(std::process::Command::new("sh").arg("-c").arg(script).arg(&node).status().unwrap().success());
            let found = tool(Tool::Node, &environment, &guard).await;
            assert_eq!((found.version.as_deref(), found.is_too_old), (said.strip_prefix('v'), is_too_old));
        }
    }

    #[test]
    fn a_project_is_known_by_what_stands_in_its_root() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let config = Config::load(&ConfigSources::default()).unwrap();
        let none = Environment::default();
        let here = PythonProject { root: &root, cache: &root, environment: &none, trust: Trust::Nothing };
        assert_eq!(project(&here, &config), super::ProjectReport::default());
        std::fs::create_dir_all(dir.path().join("node_modules/typescript")).unwrap();
        std::fs::write(dir.path().join("node_modules/typescript/package.json"), "{\"version\": \"5.9.3\"}").unwrap();
        for name in ["package.json", "pyproject.toml", "Cargo.toml"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let found = project(&here, &config);
        assert_eq!(found.markers, ["Cargo.toml", "package.json", "pyproject.toml"]);
        assert_eq!(found.typescript.as_deref(), Some("5.9.3"));
        assert_eq!(found.python, None);
    }
}
