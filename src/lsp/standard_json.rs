//! Questions to the Solidity compiler, in its standard JSON.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use super::Solc;
use crate::solidity::{CompilationUnit, Project, SourceId};

const DRIVER: &str = include_str!("solc.cjs");

impl Solc {
    /// Makes the compiler's input of the sources of a unit. Each import that no dot begins is led to its source by a
    /// remapping of its own; `settings` say the rest.
    pub fn input(project: &Project, unit: &CompilationUnit, mut settings: Value) -> Value {
        let text = |id: &SourceId| project.text(id).map(|text| (id.to_string(), json!({"content": text})));
        let sources: serde_json::Map<String, Value> = unit.sources.iter().filter_map(text).collect();
        settings["remappings"] = json!(unit.remappings);
        json!({"language": "Solidity", "sources": sources, "settings": settings})
    }

    /// Runs the compiler once.
    ///
    /// # Errors
    /// Why it could not be run, or what it said instead of an answer.
    pub async fn answer(&self, input: &Value) -> Result<Value, String> {
        let (mut command, question) = match self {
            Self::Native(program) => {
                let mut command = tokio::process::Command::new(program);
                command.arg("--standard-json");
                (command, input.to_string())
            }
            Self::Script { node, soljson } => {
                let (program, args) = node.split_first().ok_or_else(|| "Node.js is missing".to_owned())?;
                let mut command = tokio::process::Command::new(program);
                command.args(args).arg("-e").arg(DRIVER);
                (command, json!({"soljson": soljson, "input": input}).to_string())
            }
        };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let mut stdin = child.stdin.take().ok_or_else(|| "it has no stdin".to_owned())?;
        let asked = async move {
            // One that ends early says why on stderr.
            let _ = stdin.write_all(question.as_bytes()).await;
            drop(stdin);
        };
        let ((), output) = tokio::join!(asked, child.wait_with_output());
        let output = output.map_err(|error| error.to_string())?;
        let said = || String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned();
        serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {}", said()))
    }
}
